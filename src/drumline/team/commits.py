"""What a command would put into commits: its git steps in order, each in the folder it works in."""

from __future__ import annotations

from drumline.team.commit_steps import WHOLE, act_of
from drumline.team.shell import plain
from drumline.team.shell.effect import HOLE, OUTER, STAR
from drumline.team.shell.git_line import Line
from drumline.team.shell.limits import TooMuch
from drumline.team.shell.scene import Scene, joined
from drumline.team.shell.state import Around
from drumline.team.shell.syntax import Group
from drumline.team.shell.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from drumline.team.call import Call, World
    from drumline.team.commit_steps import Act
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.syntax import Script, Step

_MOVES = frozenset({"cd", "pushd", "chdir"})
_TO_WHOLE = frozenset({"take", "record"})  # what is not known may be anything


def acts_of(call: Call, world: World) -> list[Act]:
    """Every git step of a call that decides what its commits hold."""
    text = call.command()
    script = plain.read(text)
    if script is None:
        script = world.read(text)
    around = Around(world.home, root=call.cwd, temporary=world.temporary or (world.home,))
    return list(_Following(Walk(world.read, call.cwd, around), text).acts(script))


class _Following:
    """Follows a script step by step, and remembers which files its steps made and took away."""

    __slots__ = ("_begun", "_drawn", "_found", "_gone", "_shell", "_text")

    def __init__(self, shell: Walk, text: str) -> None:
        self._shell, self._begun, self._text = shell, shell.cwd, text
        self._drawn: dict[str, frozenset[str]] = {}
        self._found = shell.effects(())  # grows with every step
        self._gone: set[str] = set()

    def acts(self, script: Script) -> Iterator[Act]:
        try:
            for step in script:
                for folder, effects in self._steps(step, self._shell):
                    yield from self._acts(folder, effects)
        except (TooMuch, RecursionError):
            return  # what nobody can follow was ruled on as undecided

    def _steps(self, step: Step, shell: Walk) -> Iterator[tuple[str, Sequence[Effect]]]:
        """The smallest steps: where each begins, and what it does."""
        if isinstance(step, Group) and not step.redirects:
            inner = shell.apart() if step.apart else shell
            for script in step.scripts:
                for each in script:
                    yield from self._steps(each, inner)
            return
        folder, before = shell.cwd, len(self._found)
        shell.step(step, "")
        yield folder, self._found[before:]

    def _acts(self, folder: str, effects: Sequence[Effect]) -> Iterator[Act]:
        last: tuple[str, ...] = ()
        sources = frozenset(filter(_sure, map(_source, effects))) - {""}
        for effect in effects:
            if effect.kind == "run" and effect.subject in _MOVES:
                folder = self._moved(folder, effect.words[1:])
            elif effect.kind == "write":
                self._remember(effect, sources)
            elif effect.kind == "git" and effect.words and effect.words != last:
                last = effect.words
                act = act_of(Line(last, Scene(folder, self._shell.home)))
                if act is not None:
                    yield self._known(act, sources)

    def _moved(self, folder: str, words: Sequence[str]) -> str:
        names = [word for word in words if word == "-" or word[:1] != "-"]
        if names[:1] == ["-"]:
            return OUTER
        return joined(folder, names[0]) if names else self._shell.home

    def _remember(self, effect: Effect, sources: frozenset[str]) -> None:
        plain = _sure(self._shell.files.get(effect.subject, HOLE))
        inside_a_file = effect.subject.rpartition("/")[0] in self._drawn  # or it is a folder
        if effect.how != "delete" and not (plain or inside_a_file) and _sure(effect.subject):
            before = self._drawn.get(effect.subject, frozenset())
            self._drawn[effect.subject] = before | (sources - {effect.subject})
        written = effect.how == "write" and effect.subject in self._shell.files
        if written or effect.how == "delete":
            self._gone.add(effect.subject)

    def _known(self, act: Act, sources: frozenset[str]) -> Act:
        """The act with what can be told of it, and in the call's own folder where that cannot."""
        files = self._shell.files.items()
        act.made = {path: text for path, text in files if not path.startswith("/dev/")}
        act.gone = frozenset(self._gone)
        act.drawn = dict(self._drawn)
        if "-" in act.told:  # what comes in stands in the command, or in a file that it reads
            act.message = f"{act.message}\n{self._text}"
            act.told = (*act.told, *sources)
        act.told = tuple(joined(act.folder, name) for name in act.told if name != "-")
        if not (_sure(act.folder) and all(map(_sure, act.paths))):
            act.paths = (WHOLE,) if act.paths and act.kind in _TO_WHOLE else ()
        if not _sure(act.folder):
            act.folder = self._begun
        act.paths = tuple(path.replace(STAR, "*") for path in act.paths)
        return act


def _source(effect: Effect) -> str:
    """A file that what is written may come from: one that is read, or moved away."""
    moved = effect.kind == "write" and effect.how == "delete"
    return effect.subject if moved or effect.kind == "read" else ""


def _sure(text: str) -> bool:
    return HOLE not in text and OUTER not in text
