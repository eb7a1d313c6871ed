"""What a member's work at its runner is done with: the life's own things, the same for each of its tasks."""

from dataclasses import dataclass, field

from drumline.runtimes.diary import Diary
from drumline.runtimes.post import Post, Quarters
from drumline.runtimes.talk import Purse, Talk
from drumline.runtimes.watch import Sight
from drumline.team.ids import TaskId
from drumline.team.life import Life


@dataclass(frozen=True, slots=True)
class Desk:
    """One life, where it sits and what it sees."""

    post: Post
    life: Life
    quarters: Quarters
    talk: Talk
    purse: Purse
    diary: Diary
    sight: Sight
    left: set[TaskId] = field(default_factory=set)  # to others, who have what it needs
