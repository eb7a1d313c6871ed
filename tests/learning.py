"""What tests of memory stand on: a store, files, and members that reflect."""

from pathlib import Path
from typing import Any

from drumline.control import briefing, lessons, retro
from drumline.control.briefing import Surroundings
from drumline.control.lessons import Memory, Remembered
from drumline.store.notebooks import Notebooks
from drumline.team import registry
from drumline.team.keeping import KEEPING, Keeping
from drumline.team.learning import archive_file, learnings_file, learnings_in
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.notebook import Notebook
from drumline.team.prompt import Side
from drumline.team.reflection import Category, Reflection, Status, SuggestedLearning
from drumline.team.settings import TeamSettings
from tests.words import add

WINDOW = 200_000


def memory(store: Any, root: Path, keeping: Keeping = KEEPING) -> Memory:
    return Memory(store, Notebooks(str(root)), keeping)


def suggests(text: str, category: str = "gotcha", to: str = "") -> SuggestedLearning:
    return SuggestedLearning(category=Category(category), content=text, for_agent=to)


def account(*learnings: SuggestedLearning, used: Any = (), summary: str = "done") -> Reflection:
    return Reflection(
        status=Status.COMPLETED, summary=summary, learnings=learnings, used=tuple(used)
    )


def reflects(of: Memory, member: str, *learnings: SuggestedLearning, **said: Any) -> Any:
    """A member ends a task of a run, or of none."""
    task = add(of.store, "work", run=said.pop("run", ""))
    return lessons.reflect(of, member, task, account(*learnings, **said))


def prompt(of: Memory, member: str, title: str, window: int = WINDOW) -> Any:
    """What a member would be told for a task, and what is left out of it."""
    entry = MemberEntry(name=member, role="Builds", tools=("Read",), owns=())
    manifest = Manifest(
        team="atlas",
        description="A team to test with",
        members=(entry,),
        settings=TeamSettings(memory=of.keeping, context_window=window),
    )
    around = Surroundings(
        manifest=manifest,
        rules=registry.built_in(),
        learnings=Remembered(of.notebooks, of.keeping, window),
    )
    task = add(of.store, title)
    return of.store.ask(briefing.brief_for, task.id, member, around).prompt


def told(of: Memory, member: str, title: str = "anything") -> str:
    found = prompt(of, member, title)
    return "".join(found.text(side) for side in Side)


def consolidates(of: Memory, said: Any = retro.everything) -> list[str]:
    """A retrospective, as `deed member` for each step."""
    done = retro.carry_out(of, "boss", retro.plan(of, said))
    return [f"{step.deed} {step.member}" for step in done.steps]


def texts(of: Memory, member: str) -> list[str]:
    return _texts(of, learnings_file(member))


def archived(of: Memory, member: str) -> list[str]:
    return _texts(of, archive_file(member))


def why_archived(of: Memory, member: str) -> list[str]:
    found = Notebook(of.notebooks.read(archive_file(member))).entries
    return [entry.said("why") for entry in found]


def id_of(of: Memory, member: str, text: str) -> str:
    return next(each.id for each in lessons.known(of, member) if each.text == text)


def _texts(of: Memory, path: str) -> list[str]:
    return [each.text for each in learnings_in(Notebook(of.notebooks.read(path)))]
