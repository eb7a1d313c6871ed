"""Follow a script as the shell would, and note what it does.

Every branch is taken, every loop body once per known word. What a step prints is kept as far as it
can be told, so that `printf 'git push' | sh` is read for what it is. Where a script may go more than
one way, `branching` says which.
"""

from __future__ import annotations

from drumline.team.shell import builtin, printed
from drumline.team.shell.effect import ANYTHING, HOLE, MARKS, UNREAD, ran, undecided
from drumline.team.shell.expand import fields, of_command, one
from drumline.team.shell.limits import DEEPEST, MOST_EFFECTS, MOST_TRAPS, Budget, TooMuch
from drumline.team.shell.programs import effects_of
from drumline.team.shell.redirecting import Streams, still_printed
from drumline.team.shell.said import or_else, together
from drumline.team.shell.syntax import (
    Branches,
    Chain,
    Command,
    Function,
    Group,
    Loop,
    Maybe,
    Parameter,
    Pipeline,
    Unreadable,
)
from drumline.team.shell.text import quoted
from drumline.team.shell.ways import ABSENT, FOLDER, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.state import Around
    from drumline.team.shell.syntax import Assignment, Script, Step, Word


_FORMATTERS = frozenset(  # what they write does what was there before
    "ruff black isort autopep8 yapf prettier eslint biome gofmt goimports rustfmt shfmt dos2unix".split()
)


class Walk(Streams):
    """Follows a script in one shell."""

    __slots__ = ("_budget", "_reader")

    def __init__(self, reader: Callable[[str], Script], cwd: str, around: Around) -> None:
        super().__init__(cwd, around)
        self._reader, self._budget = reader, Budget()

    # what the judge asks

    def effects(self, script: Script) -> list[Effect]:
        """Everything the script does, in order."""
        try:
            self.follow(script)
            self._end()
        except (TooMuch, RecursionError):
            del self._budget.found[MOST_EFFECTS:]
            self._budget.found.append(undecided("it does too much to be followed", UNREAD))
        return self._budget.found

    def _end(self) -> None:
        """What was left for the end of the shell runs now."""
        traps = self._budget.traps
        for number in range(MOST_TRAPS):  # a trap may set another
            if number < len(traps):
                shell, text = traps[number]
                shell.apart().text(text)

    def script(self, text: str, arguments: Sequence[str] = ()) -> Iterable[Effect]:
        """Follow text in a shell of its own; its effects are noted on the way."""
        shell = self.apart()
        shell.forget()
        if arguments:
            shell.name, shell.positional = arguments[0], tuple(arguments[1:])
        shell.text(text, self.stdin or "")
        return ()

    def elsewhere(self, text: str) -> Iterable[Effect]:
        """Follow text on another machine: whose files it writes there is not our business."""
        before = len(self._budget.found)
        self.apart().text(text)
        there = self._budget.found[before:]
        self._budget.found[before:] = [
            effect for effect in there if effect.kind not in {"write", "read"} or effect.words
        ]
        return ()

    def harm_by(self, argv: Sequence[str]) -> Iterable[Effect]:
        """Follow a program in a container: its files are its own."""
        before = len(self._budget.found)
        self.run(argv)
        there = self._budget.found[before:]
        self._budget.found[before:] = [effect for effect in there if effect.kind == "danger"]
        return ()

    def run(
        self, argv: Sequence[str], folder: str = "", variables: Mapping[str, str] | None = None
    ) -> Iterable[Effect]:
        shell = self.apart()
        shell.sent = {**self.sent, **self.shared()}
        shell.functions, shell.aliases = {}, {}
        shell.cwd = self.path(folder) if folder else self.cwd
        for name, value in (variables or {}).items():
            shell.export(name, value)
        shell.start(list(argv), self.stdin or "")
        return ()

    def printed(self, script: Script) -> str:
        traps = len(self._budget.traps)
        said = self.apart().follow(script, self.stdin or "")
        if self._budget.traps[traps:]:  # they print at its end
            said = or_else(said, HOLE)
        return self.settled(said, script)

    def carried(self, script: Script, direction: str) -> str:
        self._budget.files += 1
        name = f"/dev/fd/{63 + self._budget.files}"
        if direction == "<":
            self.files[name] = self.printed(script)
        else:
            shell = self.apart()
            for step in script:
                shell.step(step, HOLE)
        return name

    def lacks(self, name: str) -> bool:
        self.asked.add(("lacking", name))
        return name in self.lacking

    def at_the_end(self, text: str) -> None:
        self._budget.traps.append((self, text))

    # the shell itself

    def note(self, *effects: Effect) -> None:
        found = self._budget.found
        found.extend(effects)
        if len(found) > MOST_EFFECTS:
            found[:] = dict.fromkeys(found)  # many ways do the same
        if len(found) > MOST_EFFECTS:
            raise TooMuch

    def apart(self) -> Walk:
        """A shell of its own: it knows what this one knows and leaves no trace in it."""
        if self._depth >= DEEPEST:
            raise TooMuch
        child = Walk(self._reader, self.cwd, self.around)
        child.remember(self)
        child._budget, child._depth = self._budget, self._depth + 1
        return child

    def text(self, text: str, stdin: str = "") -> str:
        """Read and follow more text in this same shell."""
        if text.strip(MARKS + " \t\n;\"'") == "" and any(mark in text for mark in MARKS):
            self.note(undecided("a shell is given commands that cannot be told"))
            return HOLE
        self._budget.letters -= len(text)
        if self._budget.letters < 0 or self._depth >= DEEPEST:
            raise TooMuch
        scripts = self._budget.scripts
        if text not in scripts:
            scripts[text] = self._reader(text)
        return self.released(scripts[text], stdin)

    def start(self, argv: list[str], stdin: str, *, outer: bool = False) -> str:
        """Run a program, function, alias or builtin; what it prints."""
        self.spend()
        argv = self._named(argv)
        if not argv:
            return ""
        name = argv[0]
        if any(mark in name.rpartition("/")[2] for mark in MARKS):
            return self._unknown(argv, stdin, outer=outer)
        self.asked |= {("functions", name), ("aliases", name)}
        if name in self.functions:
            return self.call(self.functions[name], argv[1:], stdin)
        if name in self.aliases:  # only some shells take it: the program of that name counts too
            self.text(" ".join([self.aliases.pop(name), *map(quoted, argv[1:])]), stdin)
        self.note(ran(argv))
        self.variables["_"] = argv[-1]
        self.stdin = stdin
        done = builtin.run(self, argv)
        return self._program(argv, stdin) if done is None else done

    def _named(self, argv: list[str]) -> list[str]:
        """The words with the program's own name first."""
        while argv and argv[0] in {"{", "}", "!"}:
            argv = argv[1:]  # left over where the grammar did not see a bracket
        return [self.program(argv[0]), *argv[1:]] if argv and "/" in argv[0] else argv

    def _program(self, argv: list[str], stdin: str) -> str:
        """A program, or a script written earlier in this command."""
        name = argv[0]
        self.asked.add(FOLDER)
        written = self.kept(self.path(name)) if "/" in name else None
        if written is not None and not written.startswith(
            ("#!/usr/bin/env python", "#!/usr/bin/python")
        ):
            return self.apart().text(written)
        before = dict(self.files)
        effects = list(effects_of(argv, self))
        self.note(*effects, *builtin.hooks_skipped(effects, self))
        said = printed.by_program(argv, stdin, self)
        for path in [] if name in _FORMATTERS else before:
            if self.files.get(path) is before[path] and any(
                _rewrites(each, path) for each in effects
            ):
                self.doubted[path] = before[path]  # by who does not say what, in whichever shell
        return said

    def spend(self) -> None:
        self._budget.left -= 1
        if self._budget.left < 0:
            raise TooMuch

    def found_since(self, before: int | None = None) -> int:
        found = self._budget.found
        if before is not None:
            found[before:] = dict.fromkeys(found[before:])
        return len(found)

    def follow_one(self, step: Step, stdin: str) -> str:
        return _STEPS[type(step)](self, step, stdin)

    def _pipeline(self, step: Pipeline, stdin: str) -> str:
        *before, last = step.steps
        for each in before:
            stdin = self.apart().step(each, self.settled(stdin, each))
        shell = self if builtin.LAST_IN_PIPE in self.variables else self.apart()
        return shell.step(last, self.settled(stdin, last))

    def _define(self, step: Function, stdin: str) -> str:
        del stdin
        self.functions[step.name] = step.body
        if step.name == "command_not_found_handle":  # the shell calls it by itself
            self.apart().call(step.body, [HOLE], "")
        self.open_as(("functions", step.name), ())
        return ""

    def _unreadable(self, step: Unreadable, stdin: str) -> str:
        del stdin
        self.note(undecided(step.why, UNREAD if step.too_big else ANYTHING))
        return ""

    def _group(self, step: Group, stdin: str) -> str:
        shell = self.apart() if step.apart else self
        fed = shell.redirect(step.redirects, stdin)
        shell.tested += step.tested
        text = together([shell.follow(script, fed) for script in step.scripts])
        if step.tested:
            shell.settle()
        shell.tested -= step.tested
        shell.keep(step.redirects, text)
        return "" if step.silent else still_printed(text, step.redirects)

    def _command(self, step: Command, stdin: str) -> str:
        self.spend()
        self.stdin = stdin
        argv = of_command(step.words, self)
        self.lost_a_word = len(argv) < len(step.words)
        outer = bool(step.words) and _from_environment(step.words[0], self)
        if argv and step.assignments:
            return self._with(step, argv, stdin, outer=outer)
        for assignment in step.assignments:
            self.take(assignment)
        return self.started(step, argv, stdin, outer=outer)

    def started(self, step: Command, argv: list[str], stdin: str, *, outer: bool) -> str:
        fed = self.redirect(step.redirects, stdin)
        said = self.start(argv, fed, outer=outer)
        if not argv and step.redirects:
            said = fed
        alone = [word for word in argv if word not in {"command", "builtin"}] == ["exec"]
        led_away = alone and any(">" in each.operator for each in step.redirects)
        self.keep(step.redirects, HOLE if led_away else said)  # what is printed from now on
        return still_printed(said, step.redirects)

    def _with(self, step: Command, argv: list[str], stdin: str, *, outer: bool) -> str:
        """A command with variables set for it alone; one of the shell's own may change this shell."""
        inside = builtin.is_one(argv[0]) or argv[0] in self.functions
        shell = self if inside else self.apart()
        before = {each.name: self.variables.get(each.name, ABSENT) for each in step.assignments}
        for assignment in step.assignments:
            shell.take(assignment)
            shell.exported.add(assignment.name)
            shell.note(*builtin.meant_for_git(assignment.name, shell))
        said = shell.started(step, argv, stdin, outer=outer)
        for name, value in before.items() if inside else ():
            place = ("variables", name)
            stays = (self.variables.get(name, ABSENT),) if argv[0] in builtin.SPECIAL else ()
            self.put(place, value)
            self.open_as(place, without(value, (*self.others.get(place, ()), *stays)))
        return said

    def export(self, name: str, value: str) -> None:
        """Set a variable for the programs started from here."""
        self.set(name, value)
        self.exported.add(name)
        self.note(*builtin.meant_for_git(name, self))

    def take(self, assignment: Assignment) -> None:
        if assignment.appends:
            self.asked.add(("variables", assignment.name))
        if assignment.listed is not None:
            listed = tuple(fields(assignment.listed, self))
            before = self.variables.get(assignment.name, ()) if assignment.appends else ()
            self.set(
                assignment.name, (*((before,) if isinstance(before, str) else before), *listed)
            )
            return
        value = one(assignment.word, self)
        before = self.variables.get(assignment.name, "")
        if assignment.appends:
            value = (before if isinstance(before, str) else "".join(before[:1])) + value
        self.set(assignment.name, value)

    def _unknown(self, argv: list[str], stdin: str, *, outer: bool) -> str:
        """A program whose name is not known: what it does if it is one that matters."""
        before = len(self._budget.found)
        for name, firsts in self.around.candidates.items() if len(argv) > 1 else ():
            if not firsts or argv[1] in firsts or HOLE in argv[1]:
                self.apart().start([name, *argv[1:]], stdin)
        tried = self._budget.found[before:]
        self._budget.found[before:] = [each for each in tried if each.kind != "undecided"]
        if not outer and (len(argv) == 1 or any(HOLE in word for word in argv)):
            self.note(undecided("which program runs cannot be told"))
        return HOLE


def _rewrites(effect: Effect, path: str) -> bool:
    """Whether a file may hold another text afterwards."""
    written = effect.kind == "write" and effect.how in {"write", "append"}
    below = effect.tree and path.startswith(f"{effect.subject}/")
    return written and (below or path == effect.subject)


def _from_environment(word: Word, shell: Walk) -> bool:
    """Whether a program's name comes from a variable that was there before this command."""
    return any(isinstance(part, Parameter) and shell.value(part.name) is None for part in word[:1])


_STEPS: dict[type[Step], Callable[[Walk, Any, str], str]] = {
    Command: Walk._command,  # noqa: SLF001 - the table of our own methods
    Pipeline: Walk._pipeline,  # noqa: SLF001
    Group: Walk._group,  # noqa: SLF001
    Loop: Walk.loop,
    Maybe: Walk.maybe,
    Chain: Walk.chain,
    Branches: Walk.branches,
    Function: Walk._define,  # noqa: SLF001
    Unreadable: Walk._unreadable,  # noqa: SLF001
}
