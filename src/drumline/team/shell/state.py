"""What one shell knows while its script is followed: its folder, variables, functions and aliases."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, STAR, changed_identity, undecided
from drumline.team.shell.expand import Variables
from drumline.team.shell.holding import array_of, element, written
from drumline.team.shell.said import either_of, ways_of
from drumline.team.shell.scene import Scene, joined
from drumline.team.shell.ways import ABSENT, ARGUMENTS, FOLDER, MOST_WAYS, Moment, unknown, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.syntax import Script
    from drumline.team.shell.ways import Choice, Place

_NUMBERS = frozenset(
    {"?", "#", "$", "!", "-", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "SHLVL", "UID"}
)
_RUN_BY_OTHERS = frozenset(
    "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS "
    "GIT_PROXY_COMMAND EDITOR VISUAL PAGER MANPAGER BROWSER PROMPT_COMMAND LESSOPEN".split()
)


_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4"})  # worked out each time they are shown
_FILLED = frozenset(  # the shell gives them their values, which are not the environment's
    "BASH_ALIASES BASH_ARGV BASH_CMDS BASH_COMMAND BASH_EXECUTION_STRING BASH_REMATCH DIRSTACK "
    "FUNCNAME OPTARG REPLY".split()
)


class Around:
    """What does not change while a command is followed."""

    __slots__ = ("candidates", "home", "root", "temporary")

    def __init__(
        self,
        home: str,
        *,
        root: str = "",
        temporary: tuple[str, ...] = ("/tmp",),  # noqa: S108 - a name to judge by, never written
        candidates: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.home, self.root, self.temporary = home, root, temporary
        # programs an unknown name is tried as, some only with a first word of their own
        self.candidates = candidates or {"git": frozenset(), "rm": frozenset(), "sh": frozenset()}


class Shell(Scene, Variables):
    """A shell's memory; whoever follows its script says how text and programs run."""

    __slots__ = (
        "aliases",
        "around",
        "asked",
        "been",
        "calls",
        "chosen",
        "copies",
        "doubted",
        "exported",
        "files",
        "functions",
        "held",
        "input",
        "kept_as_is",
        "lacking",
        "links",
        "name",
        "others",
        "positional",
        "sent",
        "stayed",
        "tested",
        "variables",
    )

    def __init__(self, cwd: str, around: Around) -> None:
        super().__init__(cwd, around.home, root=around.root, temporary=around.temporary, stdin="")
        self.around = around
        self.variables: dict[str, str | tuple[str, ...]] = {}
        self.functions: dict[str, Script] = {}
        self.aliases: dict[str, str] = {}
        self.exported: set[str] = set()  # names that programs started from here know
        self.been: tuple[str, ...] = ()  # folders left by cd and pushd
        self.links: dict[str, str] = {}
        self.files: dict[str, str] = {}  # what files written in this command hold
        # those that may hold something else by now, and what they held
        self.doubted: dict[str, str] = {}
        self.copies: dict[str, str] = {}  # programs under another name
        self.name = "bash"
        self.positional: tuple[str, ...] | None = None
        self.sent: dict[str, Script] = {}  # functions that shells started from here are given
        self.kept_as_is: set[str] = set()  # names that may be read-only
        self.others: dict[Place, tuple[Any, ...]] = {}  # what else a name may be
        self.held: dict[Place, tuple[Any, ...]] = {}  # the same, while one way is followed
        self.asked: set[Place] = set()  # names this step read
        self.lacking: dict[str, str] = {}  # variables taken not to be set at all
        self.chosen: dict[Choice, str] = {}  # which of its ways a text is taken to be
        self.input: str | None = None  # what `exec` left for all that follows to read
        self.stayed: tuple[str, ...] = ()  # where this shell is if its last `cd` failed
        self.calls = 0  # functions that are running
        self.tested = 0  # how many around this step ask whether it fails

    def remember(self, other: Shell) -> None:
        """Know what another shell knows, without being able to change it there."""
        self.variables, self.functions = dict(other.variables), dict(other.functions)
        self.aliases, self.positional = dict(other.aliases), other.positional
        self.name, self.lost_a_word = other.name, other.lost_a_word
        self.links, self.files, self.stdin = other.links, other.files, other.stdin
        self.doubted = other.doubted
        self.copies, self.exported = other.copies, set(other.exported)
        self.been, self.input = other.been, other.input
        self.sent, self.kept_as_is = other.sent, set(other.kept_as_is)
        self.others, self.held, self.asked = dict(other.others), other.held, other.asked
        self.lacking, self.chosen = dict(other.lacking), dict(other.chosen)
        self.tested, self.calls = other.tested, other.calls

    def moment(self) -> Moment:
        """All this shell knows now."""
        self.settle()
        tables: dict[str, dict[Any, Any]] = {
            "shell": {"cwd": self.cwd, "positional": self.positional, "been": self.been},
            "variables": dict(self.variables),
            "functions": dict(self.functions),
            "aliases": dict(self.aliases),
            "files": dict(self.files),
            "lacking": dict(self.lacking),
            "chosen": dict(self.chosen),
        }
        return Moment(tables, self.others)

    def become(self, moment: Moment) -> None:
        """Know what was known at a moment."""
        tables = moment.tables
        for name, way in tables["shell"].items():
            setattr(self, name, way)
        self.variables, self.functions = dict(tables["variables"]), dict(tables["functions"])
        self.aliases, self.lacking = dict(tables["aliases"]), dict(tables["lacking"])
        self.chosen = dict(tables["chosen"])
        if self.files != tables["files"]:
            self.files.clear()  # the same files for every shell of this command
            self.files.update(tables["files"])
        self.others, self.stayed = dict(moment.others), ()

    def put(self, place: Place, way: Any) -> None:
        """Take one way a name may be."""
        table, name = place
        if table == "shell":
            setattr(self, name, way)
        elif way is ABSENT:
            getattr(self, table).pop(name, None)
        else:
            getattr(self, table)[name] = way

    def open_as(self, place: Place, ways: tuple[Any, ...]) -> None:
        """From now on a name may also be this; with nothing, it is what it is."""
        if not ways:
            self.others.pop(place, None)
        else:
            self.others[place] = ways if len(ways) < MOST_WAYS else (unknown(place),)

    def is_surely(self, name: str) -> bool:
        """Whether a setting of the shell is on, whichever way led here."""
        place = ("variables", name)
        return name in self.variables and place not in self.others and place not in self.held

    def settle(self) -> None:
        """A `cd` whose failure nobody asked for: this shell may still be where it was."""
        if self.stayed and not (self.is_surely("-e") and not self.tested):
            self.open_as(FOLDER, without(self.cwd, (*self.others.get(FOLDER, ()), *self.stayed)))
        self.stayed = ()

    def forget(self) -> None:
        """Keep what a new process would know: exported names alone."""
        self.variables = {
            name: self.variables[name] for name in self.exported if name in self.variables
        }
        self.functions = {**self.sent, **self.shared()}
        self.aliases = {}

    def shared(self) -> dict[str, Script]:
        """Functions that are exported."""
        return {name: body for name, body in self.functions.items() if name in self.exported}

    # how it goes on

    def note(self, *effects: Effect) -> None:
        raise NotImplementedError

    def text(self, text: str, stdin: str = "") -> str:
        """Read and follow more text in this same shell; what it prints."""
        raise NotImplementedError

    def start(self, argv: list[str], stdin: str, *, outer: bool = False) -> str:
        """Run a program, function, alias or builtin; what it prints."""
        raise NotImplementedError

    def at_the_end(self, text: str) -> None:
        """Text that runs when the shell ends."""
        raise NotImplementedError

    def leave(self, how: str) -> None:
        """The script is left here, as `exit`, `return` and `break` do."""
        raise NotImplementedError

    def own(self, name: str) -> bool:
        """Make a name the running function's own; False where none is running."""
        raise NotImplementedError

    def apart(self) -> Shell:
        """A shell of its own: it knows what this one knows and leaves no trace in it."""
        raise NotImplementedError

    def evaluate(self, text: str) -> None:
        """Text the shell works out although nobody quoted it for that: a subscript, a prompt."""
        if "$(" in text or "`" in text:
            # few subscripts run anything
            from drumline.team.shell.spelling import MISSPELT, Misspelt, in_quotes

            try:
                self.apart().text(f": {in_quotes(text)}")
            except Misspelt:
                self.note(undecided(MISSPELT))

    # paths and files

    def path(self, word: str) -> str:
        if not word.startswith("/"):
            self.asked.add(FOLDER)
        whole = _opened(joined(self.cwd, word))
        for link, target in self.links.items():
            if whole == link or whole.startswith(link + "/"):
                return target + whole[len(link) :]
        return whole

    def links_to(self, link: str, target: str) -> None:
        self.links[link] = target

    def copied(self, copy: str, source: str) -> None:
        self.copies[copy] = source
        if source in self.files:
            self.files[copy] = self.files[source]

    def program(self, name: str) -> str:
        """A program's name, whatever link or copy it is started through."""
        path = self.path(name)
        if path.startswith("/proc/") and path.endswith("/exe"):
            return "bash"  # what runs now, which is this shell
        return self.copies.get(path, path if path in self.links.values() else name)

    def kept(self, path: str) -> str | None:
        self.asked.add(("files", path))
        if path not in self.files and HOLE in path and self._may_be_kept(path):
            return HOLE
        text = self.files.get(path)
        if text is None or self.doubted.get(path) is not text:
            return text
        return self.settled(either_of(text, (*ways_of(text), HOLE)), self.doubted)

    def _may_be_kept(self, path: str) -> bool:
        """Whether a file in a folder that is not known may be one that was written here."""
        name = path.rpartition("/")[2]
        return HOLE not in name and any(each.rpartition("/")[2] == name for each in self.files)

    # variables

    def value(self, name: str) -> str | Sequence[str] | None:
        self.asked.add(("variables", name))
        if name in {"@", "*"}:
            self.asked.add(ARGUMENTS)
            return self.positional if self.positional is not None else [HOLE]
        if name.isdecimal():
            return self._argument(int(name[:6]))
        if name in _NUMBERS or name == "PWD":
            self.asked.add(FOLDER)
            return self.cwd if name == "PWD" else STAR
        if name.endswith("]") and "[" in name:
            return self._in_list(*name[:-1].split("[", 1))
        found = self.variables.get(name)
        if isinstance(found, tuple):
            return found[0] if found else self._without_value(name)
        return self._environment(name) if found is None else found

    def _in_list(self, name: str, place: str) -> str | Sequence[str] | None:
        if place in {"@", "*"}:
            return self._listed(name)
        self.asked.add(("variables", name))
        return element(self.variables.get(name), place)

    def is_unset(self, name: str) -> bool:
        if name.isdecimal():
            return self.positional is not None and int(name[:6]) > len(self.positional)
        return self.variables.get(name) == ()

    def assign(self, name: str, value: str) -> None:
        self.set(name, value)

    def set(self, name: str, value: str | tuple[str, ...]) -> None:
        """Give a variable a value; some of them say who we are, some are run by other programs."""
        if array := array_of(name):
            name, value = array, (HOLE,)
        if name.startswith(("DRUMLINE_", "LOA_")):
            self.note(changed_identity(name))
        if name in {"BASH_ENV", "ENV"} and isinstance(value, str):
            self.apart().text(self.files.get(self.path(value), ""))  # a file every shell runs first
        elif name in _RUN_BY_OTHERS and isinstance(value, str):
            self.apart().text(value)
        elif name in _PROMPTS and isinstance(value, str):
            self.evaluate(value)
        self._write(name, value)
        if "-a" in self.variables:
            self.exported.add(name)

    def _write(self, name: str, value: str | tuple[str, ...]) -> None:
        place = ("variables", name)
        before = (self.variables.get(name, ABSENT), *self.others.get(place, ()))
        if any(isinstance(way, tuple) for way in (*before, *self.held.get(place, ()))):
            self.asked.add(place)
        first, *also = [written(value, way) for way in before]
        self.variables[name] = first
        ways = before if name in self.kept_as_is else ()
        self.open_as(place, without(first, (*also, *ways)))

    def home_folder(self) -> str:
        return str(self.variables.get("HOME", self.home))

    def _argument(self, number: int) -> str | None:
        self.asked.add(ARGUMENTS)
        if number == 0:
            self.asked.add(("variables", "BASH_ARGV0"))
            return HOLE if "BASH_ARGV0" in self.variables else self.name
        if self.positional is None:
            return None
        return self.positional[number - 1] if number <= len(self.positional) else ""

    def _listed(self, name: str) -> Sequence[str]:
        self.asked.add(("variables", name))
        found = self.variables.get(name)
        if found is None:
            return [HOLE if name in _FILLED else OUTER]
        return found if isinstance(found, tuple) else [found]

    def _environment(self, name: str) -> str | None:
        known = {"HOME": self.home, "IFS": " \t\n", "TMPDIR": self.temporary[0], "OLDPWD": OUTER}
        return HOLE if name in _FILLED else known.get(name)

    def _without_value(self, name: str) -> str:
        """An unset name has no letters; without IFS blanks part fields."""
        return " \t\n" if name == "IFS" else ""


def _opened(path: str) -> str:
    """One name for an open file: `/proc/self/fd/3` is `/dev/fd/3`."""
    if not path.startswith("/proc/"):
        return path
    _, _, _, what, *rest = [*path.split("/"), "", ""]
    return "/".join(["/dev/fd", rest[0]]) if what == "fd" else path
