"""Run git: in the user's repository by its own settings alone, in a member's checkout only confined.

A checkout is hostile: what git reads in it can be code. What we run there may write what the caller
names and nothing else, and never looks for a repository above it.
"""

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from drumline.errors import BadInput, Refused, Unknown
from drumline.runtimes.bounded import Command, Done, run
from drumline.runtimes.looking import looking, tied
from drumline.runtimes.pipes import refuse_pipes
from drumline.team.confinement import Confinement

LONGEST = 600.0  # seconds
LOOKING = 60.0  # the same for a look at a checkout: who wrote it may want it to take for ever
KILLED = 137  # its exit code where a signal 9 ended it
MORE_TRIES = 2
SETTINGS = (
    "safe.directory=*",  # whose repository it is was decided by who named it
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",  # an index may hold one that hides what is there
    "core.ignoreStat=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
NOBODYS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
KEPT, USERS = ("PATH", "HOME", "TMPDIR"), ("XDG_CONFIG_HOME",)
SHOWN = 2_000
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_CONTROL = re.compile(r"[^\n\t -~\u00a0-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How git is asked: with which settings and input, what it sees besides the usual, and how long.

    as_user   by the user's own settings too: who they are, and what they never look at
    """

    settings: Sequence[str] = ()
    said: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    before: Sequence[str] = ()
    seconds: float = LONGEST
    as_user: bool = False


PLAIN = Asking()
LOOK = Asking(seconds=LOOKING)
AS_USER = Asking(as_user=True)
# a folder that git keeps a submodule in: never another further up, without the files it names, which may be gone,
# and without asking anybody for what it lacks
APART = Asking(variables={"GIT_DIR": ".", "GIT_WORK_TREE": ".", "GIT_ALLOW_PROTOCOL": ""})


def program() -> str:
    """Where git is."""
    git = shutil.which("git")
    if git is None:
        raise Unknown("there is no git here", next="install git")
    return git


def words(*more: str, settings: Sequence[str] = ()) -> list[str]:
    """Git's own words with the settings that hold wherever we run it."""
    said = [word for setting in (*SETTINGS, *settings) for word in ("-c", setting)]
    return [program(), *said, *more]


def git(repository: Path, *asked: str, how: Asking = PLAIN) -> str:
    """What git answers in the user's repository."""
    return _answer(attempt(repository, *asked, how=how), asked[0], repository)


def attempt(repository: Path, *asked: str, how: Asking = PLAIN) -> Done:
    """The same, whatever its exit code is."""
    argv = [*how.before, *words("-C", str(repository), *asked, settings=how.settings)]
    whose = _of(USERS) if how.as_user else NOBODYS
    return _run(argv, repository, _environment() | whose | dict(how.variables), how)


def git_inside(
    checkout: Path, *asked: str, held: Confinement | None = None, how: Asking = PLAIN
) -> str:
    """What git answers in a member's checkout, confined; without a word about it, it can write nothing."""
    done = _inside(checkout, words(*asked, settings=how.settings), held, how)
    return _answer(done, asked[0], checkout)


def script_inside(
    checkout: Path, verb: str, script: str, held: Confinement, how: Asking = PLAIN
) -> str:
    """The same of several commands, which pay for one confinement together."""
    return _answer(_inside(checkout, ("sh", "-c", script), held, how), verb, checkout)


def _inside(checkout: Path, argv: Sequence[str], held: Confinement | None, how: Asking) -> Done:
    real = Path(os.path.realpath(checkout))
    refuse_pipes(real)
    own = {
        "GIT_DIR": str(real / ".git"),  # it would look further up for one that is gone
        "GIT_WORK_TREE": str(real),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }
    if (real / ".git").is_dir():
        own["GIT_COMMON_DIR"] = own["GIT_DIR"]  # a file that says another could be the member's
    words_inside, environ = [*tied(held or looking(real)), *argv], _environment() | own
    done = _run(words_inside, real, environ | dict(how.variables), how)
    for _ in range(MORE_TRIES):
        if done.code != KILLED or done.cut:
            break  # who is killed from outside says nothing of the checkout
        done = _run(words_inside, real, environ | dict(how.variables), how)
    return done


def upload_pack(held: Confinement | None = None) -> str:
    """The word for `--upload-pack`: git reads the other side's repository, confined where it is said."""
    return "--upload-pack=" + shlex.join(
        [*(tied(held) if held else ()), *words("upload-pack", "--no-strict")]
    )


def commit_named(repository: Path, text: str) -> str:
    """A commit of a repository by its whole name; no other spelling can mean something else later."""
    if not _COMMIT.fullmatch(text):
        raise BadInput(f"{text[:80]!r} is no commit", next="give its whole name, as git rev-parse")
    if attempt(repository, "cat-file", "-e", f"{text}^{{commit}}").code:
        raise Unknown(
            f"no commit {text} in {repository}", why="it was never fetched", next="fetch it first"
        )
    return text


def require(major: int, minor: int, what: str) -> None:
    """Refuse what this machine's git is too old for."""
    _require(program(), major, minor, what)


@cache  # every merge asks; a refusal is not kept, since who meets it mends it
def _require(found_git: str, major: int, minor: int, what: str) -> None:
    done = _run([found_git, "--version"], Path("/"), _environment(), PLAIN)
    said = done.out.decode("utf-8", "replace").strip()
    found = _VERSION.search(said)
    if found is None or (int(found[1]), int(found[2])) < (major, minor):
        raise Refused(
            f"this git cannot {what}",
            why=f"it begins with git {major}.{minor}; here is {said or 'one that does not say'}",
            next=f"install git {major}.{minor} or later",
        )


def excludes(name: str, other: str) -> bool:
    """Whether git keeps no two references of such names: one is the folder of the other."""
    return name.startswith(f"{other}/") or other.startswith(f"{name}/")


def readable(text: bytes, most: int = SHOWN) -> str:
    """The end of what a process said, without what could move a cursor."""
    return _CONTROL.sub("", text.decode("utf-8", "replace"))[-most:].strip()


def _of(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


def _environment() -> dict[str, str]:
    return {**_of(KEPT), "LC_ALL": "C.UTF-8", "GIT_TERMINAL_PROMPT": "0"}


def _run(argv: Sequence[str], folder: Path, environ: Mapping[str, str], how: Asking) -> Done:
    if not folder.is_dir():
        raise Unknown(f"no such folder: {folder}", next="make it first, or name another")
    said = how.said.encode("utf-8", "surrogateescape")
    return run(Command(argv=argv, folder=folder, environ=environ, seconds=how.seconds, said=said))


def _answer(done: Done, verb: str, folder: Path) -> str:
    if done.code or done.cut:
        raise Refused(
            f"git {verb} failed in {folder}",
            why=done.cut or readable(done.err) or f"exit {done.code}",
            next="git's own words say what to mend",
        )
    return done.out.decode("utf-8", "backslashreplace")
