"""What one shell knows while its script is followed: its folder, variables, functions and aliases."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, changed_identity
from drumline.team.shell.expand import Variables
from drumline.team.shell.scene import Scene, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.syntax import Script

_NUMBERS = frozenset(
    {"?", "#", "$", "!", "-", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "SHLVL", "UID"}
)
_RUN_BY_OTHERS = frozenset(
    "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS "
    "GIT_PROXY_COMMAND EDITOR VISUAL PAGER MANPAGER BROWSER PROMPT_COMMAND LESSOPEN".split()
)


LONGEST, MOST = 20_000, 400  # letters of a value and words of a list worth following


def bounded(text: str) -> str:
    """Text worth following; of a longer one nothing is known."""
    return text if len(text) <= LONGEST else HOLE


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
        "been",
        "copies",
        "exported",
        "files",
        "functions",
        "links",
        "name",
        "positional",
        "variables",
    )

    def __init__(self, cwd: str, around: Around) -> None:
        super().__init__(cwd, around.home, root=around.root, temporary=around.temporary, stdin="")
        self.around = around
        self.variables: dict[str, str | tuple[str, ...]] = {}
        self.functions: dict[str, Script] = {}
        self.aliases: dict[str, str] = {}
        self.exported: set[str] = set()  # names that programs started from here know
        self.been: list[str] = []  # folders left by cd and pushd
        self.links: dict[str, str] = {}
        self.files: dict[str, str] = {}  # what files written in this command hold
        self.copies: dict[str, str] = {}  # programs under another name
        self.name = "bash"
        self.positional: tuple[str, ...] | None = None

    def remember(self, other: Shell) -> None:
        """Know what another shell knows, without being able to change it there."""
        self.variables, self.functions = dict(other.variables), dict(other.functions)
        self.aliases, self.positional = dict(other.aliases), other.positional
        self.name = other.name
        self.links, self.files, self.stdin = other.links, other.files, other.stdin
        self.copies, self.exported = other.copies, set(other.exported)
        self.been = list(other.been)

    def forget(self) -> None:
        """Keep what a new process would know: exported names alone."""
        self.variables = {
            name: self.variables[name] for name in self.exported if name in self.variables
        }
        self.functions = {
            name: body for name, body in self.functions.items() if name in self.exported
        }
        self.aliases = {}

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

    def apart(self) -> Shell:
        """A shell of its own: it knows what this one knows and leaves no trace in it."""
        raise NotImplementedError

    # paths and files

    def path(self, word: str) -> str:
        whole = joined(self.cwd, word)
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
        return self.copies.get(path, path if path in self.links.values() else name)

    def kept(self, path: str) -> str | None:
        return self.files.get(path)

    # variables

    def value(self, name: str) -> str | Sequence[str] | None:
        if name in {"@", "*"}:
            return self.positional if self.positional is not None else [HOLE]
        if name.isdecimal():
            return self._argument(int(name[:6]))
        if name in _NUMBERS or name == "PWD":
            return self.cwd if name == "PWD" else "0"
        if name.endswith(("[@]", "[*]")):
            return self._listed(name[:-3])
        found = self.variables.get(name)
        if isinstance(found, tuple):
            return found[0] if found else ""
        return self._environment(name) if found is None else found

    def assign(self, name: str, value: str) -> None:
        self.set(name, value)

    def set(self, name: str, value: str | tuple[str, ...]) -> None:
        """Give a variable a value; some of them say who we are, some are run by other programs."""
        if name.startswith(("DRUMLINE_", "LOA_")):
            self.note(changed_identity(name))
        if name in {"BASH_ENV", "ENV"} and isinstance(value, str):
            self.apart().text(self.files.get(self.path(value), ""))  # a file every shell runs first
        elif name in _RUN_BY_OTHERS and isinstance(value, str):
            self.apart().text(value)
        if isinstance(value, str):
            self.variables[name] = bounded(value)
        else:
            self.variables[name] = value if len(value) <= MOST else (HOLE,)

    def home_folder(self) -> str:
        return str(self.variables.get("HOME", self.home))

    def _argument(self, number: int) -> str | None:
        if number == 0:
            return self.name
        if self.positional is None:
            return None
        return self.positional[number - 1] if number <= len(self.positional) else ""

    def _listed(self, name: str) -> Sequence[str]:
        found = self.variables.get(name)
        if found is None:
            return [OUTER]
        return found if isinstance(found, tuple) else [found]

    def _environment(self, name: str) -> str | None:
        known = {"HOME": self.home, "IFS": " \t\n", "TMPDIR": self.temporary[0], "OLDPWD": OUTER}
        return known.get(name)
