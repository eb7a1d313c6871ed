"""What a git command does, told by its words: global options, aliases given with them, then the verb."""

from __future__ import annotations

from drumline.team.shell import (
    git_exchange,
    git_history,
    git_places,
    git_reading,
    git_refs,
    git_settings,
    git_tree,
)
from drumline.team.shell.effect import GIT, known, undecided, wrote
from drumline.team.shell.git_line import Line, quoted
from drumline.team.shell.git_options import one_of, options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Verb
    from drumline.team.shell.scene import Scene

VERBS: dict[str, Verb] = {
    **git_exchange.VERBS,
    **git_history.VERBS,
    **git_places.VERBS,
    **git_reading.VERBS,
    **git_refs.VERBS,
    **git_settings.VERBS,
    **git_tree.VERBS,
}
TOLD = {**git_exchange.TOLD, **git_history.TOLD, **git_reading.TOLD, **git_tree.TOLD}

# verbs whose first word says what they do
OF_PARTS = one_of(
    "stash remote worktree submodule bisect notes reflog bundle maintenance sparse-checkout subtree"
    " svn p4 lfs refs rerere credential"
)
# verbs that an option hidden in an unknown word makes into something worse
WORSE_WITH_OPTIONS = one_of(
    "commit merge rebase am pull fetch checkout switch reset branch update-ref worktree gc"
)


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """All that git itself does for these words; what it starts is told by the scene."""
    line = Line(argv, scene)
    done = _told(line)
    if line.work_tree and any(effect.subject in {"work-tree", "discard"} for effect in done):
        done.append(wrote(line.work_tree, tree=True))
    return [*line.doubts, *git_settings.once(line, line.settings), *done]


def _told(line: Line) -> list[Effect]:
    """What the verb does, and what an alias of its name does where this git has no such verb."""
    key = f"alias.{line.verb.lower()}"
    alias = line.setting(key) or line.setting(f"{key}.command")
    if alias is None:
        return _verb(line)
    own = _verb(line) if line.verb in VERBS or line.verb in TOLD else []
    line.settings = [pair for pair in line.settings if pair[0] not in {key, f"{key}.command"}]
    return own + _alias(line, alias)


def _alias(line: Line, text: str) -> list[Effect]:
    if text.startswith("!"):
        return line.script(" ".join([text[1:], *map(quoted, line.words)]))
    if not known(text):
        return [undecided("a git alias stands for unknown words", GIT)]
    line.follow([*_split(text), *line.words])
    return _told(line)


def _split(text: str) -> list[str]:
    """The words of an alias, quotes taken off."""
    words, quote, inside = [""], "", False
    for letter in text:
        if quote or letter not in " \t\n\"'":
            inside = True
            words[-1], quote = (words[-1], "") if letter == quote else (words[-1] + letter, quote)
        elif letter in "\"'":
            quote, inside = letter, True
        elif inside:
            words.append("")
            inside = False
    return words if inside else words[:-1]


def _verb(line: Line) -> list[Effect]:
    if line.words == ["-h"] or line.words[:1] == ["--help"] or not line.verb:
        return []
    if line.verb in TOLD:
        return line.all(TOLD[line.verb])
    if line.verb in VERBS:
        return _listed_verb(line)
    if not known(line.verb):
        return [undecided("which git command this is cannot be told", GIT)]
    if line.verb.startswith("credential-"):
        return [line.did("config", "credential")]
    return [undecided(f"git {line.verb} may be an alias", GIT)]


def _listed_verb(line: Line) -> list[Effect]:
    form, tell = VERBS[line.verb]
    options = options_of(line.words, form)
    if line.verb in OF_PARTS and not known(options.action):
        return [undecided(f"what git {line.verb} is told to do is not known", GIT)]
    done = tell(line, options)
    if done and options.open and line.verb in WORSE_WITH_OPTIONS:
        done.append(undecided(f"a word of git {line.verb} may be any option", GIT))
    return done
