"""A git command before its verb is looked at: where it works, and what is set for this once."""

from __future__ import annotations

from drumline.team.shell.effect import GIT, HOLE, MARKS, STAR, git_did, known, undecided, wrote
from drumline.team.shell.git_options import one_of
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_options import Options
    from drumline.team.shell.scene import Scene

    Verb = tuple[str, Callable[["Line", Options], list[Effect]]]  # its form, and what it does

HEADS = "refs/heads/"
TAGS = "refs/tags/"
HERE = frozenset(["HEAD", "@"])
PLAIN_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@")

VALUED = one_of(
    "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --shallow-file"
    " --attr-source --exec-path --list-cmds"
)
SHORT = frozenset(["-p", "-P"])
ONLY_TELL = one_of("--version -v --help -h --html-path --man-path --info-path --exec-path")


class Line:
    """One git command: its verb and the verb's words, and what was said before them."""

    __slots__ = (
        "argv",
        "doubts",
        "folder",
        "git_dir",
        "refused",
        "scene",
        "settings",
        "verb",
        "words",
        "work_tree",
    )

    def __init__(self, argv: Sequence[str], scene: Scene) -> None:
        self.argv, self.scene, self.folder = tuple(argv), scene, scene.cwd
        self.settings: list[tuple[str, str]] = []  # by lower-case key, in the order they were given
        self.doubts: list[Effect] = []
        self.work_tree = ""
        self.git_dir = ""
        self.refused = False  # git stops at a letter it does not know
        self._environment()
        self.follow(argv[1:])

    def _environment(self) -> None:
        """Take over what a variable set in this command says of the repository."""
        known_here = getattr(self.scene, "variables", {})
        git_dir = known_here.get("GIT_DIR")
        if isinstance(git_dir, str) and git_dir:
            self.git_dir = self.path(git_dir)
        for name, value in known_here.items():  # a trace is a file when it is an absolute path
            if name.startswith("GIT_TRACE") and isinstance(value, str) and value[:1] == "/":
                self.doubts.append(wrote(self.path(value), "append"))

    def follow(self, words: Sequence[str]) -> None:
        """Take these words as what follows `git`."""
        self.verb, self.words = "", []
        rest = iter(words)
        for word in rest:
            if word[:1] == "-" and word not in ONLY_TELL:
                self._global(word, rest)
            elif self.refused:
                return
            else:
                self.verb = "help" if word in ONLY_TELL else word
                self.words = list(rest)

    def did(self, what: str, ref: str = "", place: str = "") -> Effect:
        done = git_did(what, ref, self.argv)
        done.place = place or self.place
        return done

    @property
    def place(self) -> str:
        """The folder of the repository this works on."""
        return self.git_dir.removesuffix("/.git") or self.folder

    def all(self, told: str) -> list[Effect]:
        """Several effects from one text: `config:remote fetch`."""
        pairs = [item.partition(":") for item in told.split()]
        return [self.did(what, ref) for what, _, ref in pairs]

    def path(self, word: str) -> str:
        return self.scene.path(joined(self.folder, word))

    @property
    def top(self) -> str:
        """The highest folder of the repository, where git starts most of what it starts."""
        root = self.scene.root
        return root if f"{self.folder}/".startswith(f"{root}/") else self.folder

    def script(self, text: str) -> list[Effect]:
        """What a text does that git gives to a shell."""
        if self.top != self.scene.cwd:
            text = f"cd {quoted(self.top)} && {text}"
        return list(self.scene.script(text))

    def run(self, words: Sequence[str]) -> list[Effect]:
        """What words do that git starts as a program, through a shell if the first needs one."""
        if not words:
            return []
        if self.top == self.scene.cwd and PLAIN_LETTERS.issuperset(words[0]):
            return list(self.scene.run(words))
        return self.script(" ".join([words[0], *map(quoted, words[1:])]))

    def setting(self, key: str) -> str | None:
        """What a key is set to for this once, if it is."""
        return next((value for name, value in reversed(self.settings) if name == key), None)

    def _configure(self, text: str) -> None:
        key, value = setting_of(text)
        self.settings.append((key, value))
        if key == "core.worktree":
            self.work_tree = self.path(value)

    def _global(self, word: str, rest: Iterator[str]) -> None:
        name, attached, value = word.partition("=")
        if name not in VALUED:
            if not known(name):
                self.doubts.append(undecided("an option of git is not known", GIT))
            self.refused = self.refused or (word[:2] != "--" and word not in SHORT)
            return
        self._valued(name, value if attached else next(rest, ""))

    def _valued(self, name: str, value: str) -> None:
        if name == "-C":
            self.folder = self.path(value)
        elif name == "-c":
            self._configure(value)
        elif name == "--config-env":
            self._configure(f"{value.rpartition('=')[0]}={HOLE}")
        elif name == "--work-tree":
            self.work_tree = self.path(value)
        elif name == "--git-dir":
            self.git_dir = self.path(value)
        elif name == "--exec-path":
            self.doubts.append(undecided("git takes its programs from a folder named to it"))


def setting_of(text: str) -> tuple[str, str]:
    """The key, in small letters, and the value of a `key=value`."""
    key, given, value = text.partition("=")
    return key.lower(), value if given else "true"


def quoted(word: str) -> str:
    """A word that a shell reads as it stands."""
    if word and PLAIN_LETTERS.issuperset(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def branch_of(ref: str) -> str:
    """The short name of a branch; any other ref as it stands, a pattern's star as any text."""
    return ref.removeprefix(HEADS).removeprefix("heads/").replace("*", HOLE).replace(STAR, HOLE)


def named_path(line: Line, word: str) -> str:
    """The path a pathspec names; where it is a pattern, the pattern's stars as any text."""
    if word.startswith(":"):
        return f"{line.top}/{HOLE}"
    pattern = word.replace("*", HOLE).replace("?", HOLE)
    return line.path(pattern if word.startswith(("/", *MARKS)) else f"./{pattern}")


def written(line: Line, *words: str) -> list[Effect]:
    """The files these words name, where they name one."""
    return [wrote(line.path(word)) for word in words if word]


def names_path(word: str) -> bool:
    """Whether a word cannot be a ref, so that it must be a path."""
    if word in {".", ".."} or word.startswith((":", "./", "../", "/")):
        return True
    if word.startswith((f"{STAR}~", f"{STAR}^", f"{STAR}@")):
        return False  # a name that another command printed, and its ancestor
    return word.endswith("/") or any(letter in word for letter in f"*?[{STAR}")
