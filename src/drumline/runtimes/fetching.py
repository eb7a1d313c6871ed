"""Bring a member's branches into the repository, from a checkout nobody believes.

Git reads the checkout confined, with nothing writable, into a landing of our own; only what arrived
there whole, checked and within its bounds is handed on.
"""

import sys
from pathlib import Path

from drumline.errors import Refused
from drumline.runtimes.beside import LANDING, alone, clear, free
from drumline.runtimes.git import Asking, git, upload_pack
from drumline.runtimes.looking import looking
from drumline.team.text import checked_name

LONGEST = 300.0  # seconds
MOST = 1 << 30  # bytes of new history
BRANCHES = 200
CHECKED = (
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    "transfer.unpackLimit=1",  # one file, so that one bound holds all of it
    "fetch.unpackLimit=1",
)
SETTINGS = (
    "protocol.allow=never",
    "protocol.file.allow=always",
    "submodule.recurse=false",
)
NOTHING_ELSE = (
    "--quiet",
    "--atomic",
    "--no-tags",
    "--no-prune",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--refmap=",
)
LIMIT = (
    "import os, resource, sys; most = int(sys.argv[1]);"
    " resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)); os.execv(sys.argv[2], sys.argv[2:])"
)


def fetch(
    repository: Path, folder: Path, member: str, *, seconds: float = LONGEST, most: int = MOST
) -> dict[str, str]:
    """Bring a member's own branches, rewritten ones too, and nothing else; each with its commit.

    A branch the member deleted stays in the repository as it was.
    """
    own = f"refs/heads/drumline/{checked_name(member, 'the member')}/"
    with alone(folder):
        landing = free(folder, LANDING)
        try:
            _prepare(repository, landing)
            limited = (sys.executable, "-I", "-S", "-c", LIMIT, str(most))
            bounds = Asking(settings=(*SETTINGS, *CHECKED), before=limited, seconds=seconds)
            seen = looking(folder).adding(shown=[str(landing.resolve())])  # where git stands
            _fetch(landing, folder / ".git", own, upload_pack(seen), bounds)
            found = _branches(landing, own)
            if found:
                handing_on = Asking(settings=SETTINGS, seconds=seconds)
                _fetch(repository, landing, own, upload_pack(), handing_on)
        finally:
            clear(landing)
    return found


def _prepare(repository: Path, landing: Path) -> None:
    """An empty repository that knows every object of the other."""
    asked = ("--show-object-format", "--path-format=absolute", "--git-path", "objects")
    form, objects, shallow = git(
        repository, "rev-parse", *asked, "--git-path", "shallow"
    ).splitlines()
    git(repository, "init", "--quiet", "--bare", "--template=", f"--object-format={form}", str(landing))  # fmt: skip
    information = landing / "objects" / "info"
    information.mkdir(exist_ok=True)
    (information / "alternates").write_text(f"{objects}\n", "utf-8", "surrogateescape")
    if Path(shallow).exists():  # where the repository's own history is cut, so is its landing's
        (landing / "shallow").write_bytes(Path(shallow).read_bytes())


def _fetch(into: Path, source: Path, own: str, reading: str, how: Asking) -> None:
    try:
        git(into, "fetch", *NOTHING_ELSE, reading, "--", str(source), f"+{own}*:{own}*", how=how)
    except Refused as error:
        raise Refused(
            f"{own.removeprefix('refs/heads/')}* cannot be fetched",
            why=error.why,
            next="git's own words say what to mend; nothing was changed in the repository",
        ) from error


def _branches(landing: Path, own: str) -> dict[str, str]:
    told = git(landing, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    if len(told) > BRANCHES:
        raise Refused(
            f"{own.removeprefix('refs/heads/')}* are {len(told):,} branches",
            why=f"at most {BRANCHES} are fetched",
            next="delete those that are not needed",
        )
    return {name.removeprefix("refs/heads/"): commit for name, commit in map(str.split, told)}
