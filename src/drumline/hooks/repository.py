"""A git repository as a reader sees it who trusts nothing in it.

Whoever can write a repository's configuration can make git start programs: external diffs, text
conversions, filters, a file monitor, a helper that fetches missing objects. So its configuration is
asked for names only; contents are read through a git folder of our own, in which none of that is set.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from tempfile import TemporaryDirectory
    from typing import IO

PIECE = 64 * 1024
LONGEST_FILE = 16 * 1024 * 1024  # bytes; of a longer one only the name is looked at
PROGRAMS = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin")
NOTHING = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}  # the tree without a file, which every git knows

_QUIET = ("git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false")
_ASKED = ("index", "objects", "shallow", "info/exclude")
_SHOWN = (
    "-p -U0 --no-ext-diff --no-textconv --no-color --no-relative --ignore-submodules=all"
    " --diff-filter=d --src-prefix=a/ --dst-prefix=b/"
).split()
_ATTRIBUTES = "* !diff !filter\n"  # what is binary is told by its content


class Unscanned(OSError):
    """Something could not be looked at, and why."""


class Repository:
    """One repository, read until a moment of the monotonic clock."""

    def __init__(self, folder: str, until: float, *, index: str = "") -> None:
        self.until = until
        self._asking = _environment(os.environ)
        told = self._told(folder)
        self.top, *files, self._form = told[: len(_ASKED) + 2]
        self._files = dict(zip(_ASKED, files, strict=True))
        self._git_folder = os.path.dirname(self._files["index"])
        if index:
            self._files["index"] = os.path.join(self.top, index)
        self.head = "".join(told[len(_ASKED) + 2 :])
        self.nothing = NOTHING[self._form]
        self._own: TemporaryDirectory[str] | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a repository; before `git init` there is only its future work tree."""
        return os.path.isdir(self._files["objects"])

    def close(self) -> None:
        if self._own is not None:
            self._own.cleanup()
            self._own = None

    def commits(self, folder: str, names: Sequence[str]) -> list[str]:
        """The commits that names and ranges stand for; none for what is not a commit."""
        words = ["rev-parse", "--revs-only", *(name for name in names if name[:1] != "-")]
        return self._asked(folder, words).split()

    def diff(self, folder: str, *words: str) -> Iterator[bytes]:
        """What changed, as a unified diff without context."""
        return self._read(folder, ["diff", *_SHOWN, *words])

    def log(self, folder: str, *words: str) -> Iterator[bytes]:
        """What each of some commits changed, against its first parent."""
        shown = ["--format=", "--no-show-signature", "--diff-merges=first-parent"]
        return self._read(folder, ["log", *shown, *_SHOWN, *words])

    def said(self, folder: str, *words: str) -> Iterator[bytes]:
        """What is said with each of some commits: as git shows it, and all of it as git keeps it."""
        shown = ["--format=%an%n%ae%n%cn%n%ce%n%B", "--no-show-signature", "--no-mailmap"]
        yield from self._read(folder, ["log", *shown, *words])
        named = b"".join(self._read(folder, ["rev-list", *words]))
        for piece in self._read(folder, ["cat-file", "--batch"], said=named):
            yield piece.replace(b"\0", b"\n")  # git shows nothing behind one, and keeps it

    def names(self, folder: str, *words: str) -> Iterator[str]:
        """Files by their names from the top; those that git is told to ignore are left out."""
        ignored = self._asked(folder, ["config", "--type=path", "core.excludesFile"]).strip()
        words = ("ls-files", "-z", "--full-name", "--exclude-standard", *words)
        rest = b""
        for piece in self._read(folder, [*words], ignored or _ignored_by_default()):
            *whole, rest = (rest + piece).split(b"\0")
            yield from map(os.fsdecode, whole)

    def content(self, file: str) -> Iterator[bytes]:
        """A file of the work tree, if it is one and not too long to be looked at."""
        return pieces_of(os.path.join(self.top, file), self.until)

    def _told(self, folder: str) -> list[str]:
        if not os.path.isdir(folder):
            raise Unscanned(f"{folder} is not there yet")
        paths = [word for name in _ASKED for word in ("--git-path", name)]
        words = ["rev-parse", "--path-format=absolute", "--show-toplevel", *paths]
        told = self._asked(folder, [*words, "--show-object-format", "--revs-only", "HEAD"])
        found = told.splitlines()
        if len(found) >= len(_ASKED) + 2 and found[len(_ASKED) + 1] in NOTHING:
            return found
        if found or _in_repository(folder):
            raise Unscanned(f"git does not open the repository of {folder}")
        return [folder, *(os.path.join(folder, ".git", name) for name in _ASKED), "sha1"]

    def _asked(self, folder: str, words: Sequence[str]) -> str:
        """What git says about names, an empty text where it says nothing."""
        argv = [*_QUIET, "-c", "safe.directory=*", "-C", folder, *words]
        try:
            said = b"".join(_output(argv, "/", self._asking, self.until))
        except Failed:
            return ""
        return os.fsdecode(said)

    def _read(
        self, folder: str, words: Sequence[str], ignored: str = os.devnull, said: bytes = b""
    ) -> Iterator[bytes]:
        argv = [*_QUIET, "-c", f"core.excludesFile={ignored}", *words]
        try:
            yield from _output(argv, folder, self._reading(), self.until, said)
        except Failed as error:
            raise Unscanned(str(error)) from error

    def _reading(self) -> dict[str, str]:
        """An environment in which git takes files and objects from here, and settings from us."""
        if self._own is None:
            self._own = self._own_folder()
        return {
            **_environment({}),
            "GIT_DIR": self._own.name,
            "GIT_WORK_TREE": self.top,
            "GIT_INDEX_FILE": self._files["index"],
            "GIT_OBJECT_DIRECTORY": self._objects(self._own.name),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def _objects(self, own: str) -> str:
        return self._files["objects"] if self.exists else os.path.join(own, "objects")

    def _own_folder(self) -> TemporaryDirectory[str]:
        from tempfile import TemporaryDirectory

        made = TemporaryDirectory(prefix="drumline-scan-")
        for name in ("objects", "refs", "info"):
            os.mkdir(os.path.join(made.name, name))
        for name, text in self._own_files().items():
            with open(os.path.join(made.name, name), "x", encoding="utf-8") as file:
                file.write(text)
        for name, target in self._borrowed():
            os.symlink(target, os.path.join(made.name, name))
        return made

    def _own_files(self) -> dict[str, str]:
        version = int(self._form != "sha1")
        settings = [
            f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n\tquotePath = false\n",
            f"\thooksPath = {os.devnull}\n\tattributesFile = {os.devnull}\n",
            f"\tbigFileThreshold = {LONGEST_FILE}\n",
            f"[extensions]\n\tobjectFormat = {self._form}\n" if version else "",
        ]
        return {
            "HEAD": f"{self.head or 'ref: refs/heads/none'}\n",
            "config": "".join(settings),
            "info/attributes": _ATTRIBUTES,
        }

    def _borrowed(self) -> Iterator[tuple[str, str]]:
        """Files that git looks for beside its settings, and that say nothing of programs."""
        for name in ("shallow", "info/exclude"):
            if os.path.isfile(self._files[name]):
                yield name, self._files[name]
        if os.path.isdir(self._git_folder):
            for name in os.listdir(self._git_folder):
                if name.startswith("sharedindex."):
                    yield name, os.path.join(self._git_folder, name)


class Failed(Exception):
    """Git ended with an error."""


def pieces_of(path: str, until: float) -> Iterator[bytes]:
    """The content of a regular file, if it is not too long; links are not followed."""
    import stat

    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LONGEST_FILE:
            return
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            while piece := file.read(PIECE):
                _left(until)
                yield piece
    except Unscanned:
        raise
    except OSError as error:
        raise Unscanned(f"{path} cannot be read: {error.strerror}") from error


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    """What git is started with: nothing that could make it start something else."""
    found = [each for each in os.environ.get("PATH", "").split(":") if each.startswith("/")]
    kept = {name: given[name] for name in ("HOME", "XDG_CONFIG_HOME") if name in given}
    return {
        **kept,
        "PATH": ":".join([*PROGRAMS, *found]),
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _output(
    argv: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    until: float,
    said: bytes = b"",
) -> Iterator[bytes]:
    """What a program that is told something prints, as it prints it; it ends when nobody listens."""
    import subprocess

    try:
        with _told(said) as stdin:
            process = subprocess.Popen(  # noqa: S603 - git, with words of ours and of the command
                argv,
                cwd=folder,
                env=environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
    except (OSError, ValueError) as error:
        raise Unscanned(f"git cannot be started: {error}") from error
    with process:
        try:
            assert process.stdout is not None  # noqa: S101 - asked for above
            yield from _arriving(process.stdout.fileno(), until)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise Failed(f"git ended with {process.returncode}")


def _told(said: bytes) -> IO[bytes]:
    """A file that says it: a pipe would hold only so much."""
    if not said:
        return open(os.devnull, "rb")
    from tempfile import TemporaryFile

    file = TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(said)
    file.seek(0)
    return file


def _arriving(pipe: int, until: float) -> Iterator[bytes]:
    import select

    watch = select.poll()
    watch.register(pipe, select.POLLIN | select.POLLHUP)
    while True:
        watch.poll(_left(until) * 1000)
        _left(until)
        piece = os.read(pipe, PIECE)
        if not piece:
            return
        yield piece


def _left(until: float) -> float:
    """How many seconds are left; none is the end of it."""
    from time import monotonic

    left = until - monotonic()
    if left <= 0:
        raise Unscanned("it took too long")
    return left


def _ignored_by_default() -> str:
    """The file of what a person wants ignored everywhere."""
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(
        os.environ.get("HOME", "/"), ".config"
    )
    return os.path.join(settings, "git", "ignore")


def _in_repository(folder: str) -> bool:
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True
