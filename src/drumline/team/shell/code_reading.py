"""What is known while code is followed: its names, its folder, and the effects so far."""

from __future__ import annotations

from drumline.team.shell.code_bindings import Bindings
from drumline.team.shell.code_names import tables_of
from drumline.team.shell.code_values import UNKNOWN, letters, told
from drumline.team.shell.effect import (
    HOLE,
    MARKS,
    STAR,
    TREE,
    changed_identity,
    endangered,
    undecided,
)
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from drumline.team.shell.code_arguments import Given
    from drumline.team.shell.code_language import Language
    from drumline.team.shell.code_values import Arguments, Value
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

IDENTITIES = ("DRUMLINE_", "LOA_")
UNTOLD_PROGRAM = "inline code starts a program that cannot be told"
UNTOLD_PATH = "inline code writes a path that cannot be told"
UNTOLD_CODE = "inline code evaluates text that cannot be told"
UNTOLD_VARIABLE = "inline code changes a variable that cannot be told"
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/")
_MOST_STARTS = 200
_MOST_STARTED_LETTERS = 262_144


class Reading:
    """One piece of code while it is followed."""

    __slots__ = (
        "databases",
        "depth",
        "effects",
        "evaluate",
        "folder",
        "functions",
        "given",
        "in_block",
        "iterated",
        "language",
        "looping",
        "mentions",
        "modules",
        "names",
        "piped",
        "scene",
        "starts",
        "tables",
    )

    def __init__(self, language: type[Language], scene: Scene) -> None:
        self.language, self.scene = language, scene
        self.tables = tables_of(language)
        self.names = Bindings()
        self.functions: dict[str, list[str]] = {}
        self.modules: set[str] = set()
        self.given: Given | None = None  # the words the code may read
        self.evaluate: Callable[[str], Value] = lambda _: UNKNOWN
        self.begin()

    def begin(self) -> None:
        """Start over with what is known of the names."""
        self.effects: dict[Effect, None] = {}
        self.starts: dict[str | tuple[str, ...], None] = {}
        self.mentions: dict[str, None] = {}
        self.databases: list[str] = []
        self.folder = self.scene.cwd
        self.in_block = self.looping = False
        self.names.begin()
        self.depth = 0
        self.piped: Value | None = None
        self.iterated: Value | None = None

    def add(self, *effects: Effect) -> None:
        for effect in effects:
            self.effects[effect] = None

    def cannot_tell(self, why: str) -> None:
        if why == UNTOLD_PATH:
            self.add(undecided(why, TREE, self.scene.cwd))
        else:
            self.add(undecided(why))

    def path(self, word: str) -> str:
        """The absolute path of a word, from the folder the code went to."""
        if self.folder == self.scene.cwd or word.startswith("/"):
            return self.scene.path(word)
        return self.scene.path(joined(self.folder, word))

    def delete_endangers(self, path: str) -> None:
        """Say so when a file is deleted that is neither temporary nor in the working tree."""
        trees = (f"{self.scene.cwd}/", f"{self.scene.root}/")
        if not path.startswith((*trees, *MARKS)) and not self.scene.is_temporary(path):
            self.add(endangered("deletes a file outside the working tree", path))

    def touch_variable(self, name: str) -> None:
        """A variable of the environment is set or taken away."""
        if name.startswith(IDENTITIES):
            self.add(changed_identity(name))
        elif name.startswith(HOLE):
            self.cannot_tell(UNTOLD_VARIABLE)

    def assign(self, name: str, value: Value) -> None:
        """Give a name a value: in a block it may also keep the one it had."""
        self.names.assign(name, value, loose=self.in_block)

    def bind(self, name: str, value: Value) -> None:
        """Give a name a value that it has in some rounds or calls only."""
        self.names.assign(name, value, loose=True)

    def start(self, command: str | Sequence[str]) -> None:
        """Note a program or a script the code starts; it is followed when all names are known."""
        self.starts[command if isinstance(command, str) else tuple(command)] = None

    def all_effects(self) -> list[Effect]:
        """What the code does, and what the programs do that it starts."""
        found = list(self.effects)
        letters_left = _MOST_STARTED_LETTERS
        for count, command in enumerate(self.starts):
            letters_left -= sum(map(len, command))
            if letters_left < 0 or count >= _MOST_STARTS:
                return [*found, undecided("inline code starts more programs than can be told")]
            found += self._effects_of(command)
        return found

    def _effects_of(self, command: str | Sequence[str]) -> Iterable[Effect]:
        if isinstance(command, str):
            return self.scene.script(command)
        return self.scene.run(command)

    def paths_of(self, values: Sequence[Value]) -> list[str]:
        """The paths these values name; one that nobody can tell is said to be so."""
        found = []
        for value in values:
            word = letters(value)
            if word.startswith(_NOWHERE):
                continue
            any_name = STAR in word and not word.strip(STAR + "./")
            if (told(word) and not any_name) or word == "/":
                found.append(self.path(word))
            elif value.kind != "map":
                self.cannot_tell(UNTOLD_PATH)
        return found


class Call:
    """One call that our tables know: what it is given, and where what matters stands."""

    __slots__ = ("args", "places", "reading")

    def __init__(self, reading: Reading, args: Arguments, places: Sequence[str]) -> None:
        self.reading, self.args, self.places = reading, args, places
