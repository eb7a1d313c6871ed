"""Bring a member's branches into the repository, from a checkout nobody believes.

Git reads the checkout confined, with nothing writable, into a landing of our own; only what arrived
there whole, checked and within its bounds is handed on.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from drumline.errors import InTheWay, Refused
from drumline.runtimes.beside import LANDING, alone, clear, free
from drumline.runtimes.git import APART, PLAIN, Asking, attempt, excludes, git, upload_pack
from drumline.runtimes.looking import looking
from drumline.runtimes.pipes import refuse_pipes
from drumline.team.text import checked_name

LONGEST = 300.0  # seconds
MOST = 1 << 30  # bytes of new history
BRANCHES = 200
HEADS, ASIDE = "refs/heads/", "refs/fetched/"
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
BLOCK = 512  # bytes: what `ulimit -f` counts in, wherever there is a POSIX shell
LIMIT = """trap '' XFSZ && ulimit -f "$0" && exec "$@\""""  # git then says what it could not write


class Bounds(NamedTuple):
    """How long a fetch may take, and how many bytes of new history it may bring."""

    seconds: float = LONGEST
    most: int = MOST


BOUNDS = Bounds()


class Part(NamedTuple):
    """What is wanted of a checkout, or of the submodule at a path in it."""

    wanted: str
    path: str = ""


def fetch(
    repository: Path,
    folder: Path,
    member: str,
    only: str = "*",
    bounds: Bounds = BOUNDS,
) -> dict[str, str]:
    """Bring a member's own branches, rewritten ones too, and nothing else; each with its commit.

    A branch the member deleted stays in the repository as it was. One that a person has checked out
    would move under that person's files, and one below the name of another has no place: both are
    kept aside, and so are all while one is in their way.
    """
    own = f"{HEADS}drumline/{checked_name(member, 'the member')}/"
    with _landed(repository, folder, Part(f"+{own}{only}:{own}{only}"), bounds) as landing:
        found = _branches(landing, own)
        if found:
            how = Asking(settings=SETTINGS, seconds=bounds.seconds)
            _hand_on(repository, landing, found, how)
    return found


def fetch_news(
    repository: Path, folder: Path, member: str, there: Mapping[str, str]
) -> dict[str, str]:
    """The same where the checkout's branches were just looked at: nothing is fetched twice.

    `there` is what the checkout says of itself, and is believed only where the repository says it too.
    """
    own = f"drumline/{checked_name(member, 'the member')}/"
    asked = (f"{HEADS}{own}", f"{ASIDE}{own}")
    told = git(repository, "for-each-ref", "--format=%(refname) %(objectname)", *asked)
    here = dict(line.split(" ") for line in told.splitlines())
    found = {name: commit for name, commit in there.items() if name.startswith(asked[0])}
    aside = any(name.startswith(ASIDE) for name in here)  # it may be time to bring these home
    if aside or not 0 < len(found) <= BRANCHES or not found.items() <= here.items():
        return fetch(repository, folder, member)
    return {name.removeprefix(HEADS): commit for name, commit in found.items()}


def fetch_current(repository: Path, folder: Path, bounds: Bounds = BOUNDS) -> str:
    """Bring the commit a checkout stands at, whatever it calls it; it is kept aside by its own name."""
    with _landed(repository, folder, Part(f"+HEAD:{ASIDE}current"), bounds) as landing:
        commit = git(landing, "rev-parse", f"{ASIDE}current").strip()
        how = Asking(settings=SETTINGS, seconds=bounds.seconds)
        wanted = (landing, f"+{ASIDE}current:{ASIDE}{commit}")
        _fetch(repository, wanted, upload_pack(), how)
    return commit


def fetch_inside(copy: Path, folder: Path, path: str, commit: str) -> None:
    """Bring a commit from a submodule of a checkout into the user's copy of it, aside as well."""
    kept = f"{ASIDE}{commit}"
    with _landed(copy, folder, Part(f"+{commit}:{kept}", path), BOUNDS) as landing:
        known = {**APART.variables, "GIT_ALLOW_PROTOCOL": "file"}
        how = Asking(settings=SETTINGS, seconds=BOUNDS.seconds, variables=known)
        try:
            _fetch(copy, (landing, f"+{kept}:{kept}"), upload_pack(), how)
        except Refused as error:
            raise InTheWay(
                f"{copy} takes in no commit of the team's",
                why=error.why,
                next="it is your copy of a submodule: mend it, or fetch it again",
            ) from error


@contextmanager
def _landed(repository: Path, folder: Path, part: Part, bounds: Bounds) -> Iterator[Path]:
    """A landing with what was asked of a checkout, gone again afterwards."""
    refuse_pipes(folder)
    with alone(folder):
        landing = free(folder, LANDING)
        try:
            _prepare(repository, landing, APART if part.path else PLAIN)
            limited = ("sh", "-c", LIMIT, str(bounds.most // BLOCK))
            how = Asking(settings=(*SETTINGS, *CHECKED), before=limited, seconds=bounds.seconds)
            seen = looking(folder).adding(shown=[str(landing.resolve())])  # where git stands
            # of a path git would by itself unpack a bundle that lies there
            place = (folder / part.path / ".git").absolute().as_uri()
            try:
                _fetch(landing, (place, part.wanted), upload_pack(seen), how)
            except Refused as error:
                if part.path:
                    raise _not_there(part, error) from error
                raise
            yield landing
        finally:
            clear(landing)


def _not_there(part: Part, error: Refused) -> Refused:
    commit = part.wanted.partition(":")[0].removeprefix("+")
    return Refused(
        f"{commit[:12]}, which the work names for {part.path}, cannot be fetched from there",
        why=error.why,
        next=f"commit what stands in {part.path}, or check out a commit in it that others have; commit that too",
    )


def _prepare(repository: Path, landing: Path, asking: Asking) -> None:
    """An empty repository that knows every object of the other."""
    asked = ("--show-object-format", "--path-format=absolute", "--git-path", "objects")
    told = git(repository, "rev-parse", *asked, "--git-path", "shallow", how=asking)
    form, objects, shallow = told.splitlines()
    git(repository, "init", "--quiet", "--bare", "--template=", f"--object-format={form}", str(landing))  # fmt: skip
    information = landing / "objects" / "info"
    information.mkdir(exist_ok=True)
    (information / "alternates").write_text(f"{objects}\n", "utf-8", "surrogateescape")
    if Path(shallow).exists():  # where the repository's own history is cut, so is its landing's
        (landing / "shallow").write_bytes(Path(shallow).read_bytes())


def _fetch(into: Path, wanted: tuple[Path | str, ...], reading: str, how: Asking) -> None:
    """Fetch from a place, the first of `wanted`, what the rest of it names."""
    try:
        git(into, "fetch", *NOTHING_ELSE, reading, "--", *map(str, wanted), how=how)
    except Refused as error:
        name = str(wanted[1]).partition(":")[0].removeprefix("+").removeprefix(HEADS)
        raise Refused(
            f"{name} cannot be fetched",
            why=error.why,
            next="mend or delete the branch that git names; nothing was changed in the repository",
        ) from error


def _hand_on(repository: Path, landing: Path, found: Mapping[str, str], how: Asking) -> None:
    """Give the repository what arrived."""
    near = dict.fromkeys(each for name in found for each in (name, *_above(name)))
    asked = [f"{each}{name}" for each in (HEADS, ASIDE) for name in near]
    told = git(repository, "for-each-ref", "--format=%(refname) %(worktreepath)", *asked)
    there = dict(line.split(" ", 1) for line in told.splitlines())
    aside = [name for name in found if there.get(f"{HEADS}{name}") or is_in_the_way(repository)]
    _fetch(repository, (landing, *_places(found, aside, there)), upload_pack(), how)
    for name in found:
        if f"{ASIDE}{name}" in there and name not in aside:
            git(repository, "update-ref", "-d", f"{ASIDE}{name}")


def _places(
    found: Mapping[str, str], aside: Collection[str], there: Collection[str]
) -> Iterator[str]:
    for name, commit in found.items():
        place = f"{ASIDE if name in aside else HEADS}{name}"
        taken = any(excludes(place, other) for other in there)
        yield f"+{HEADS}{name}:" + (f"{ASIDE}{commit}" if taken else place)


def _above(name: str) -> list[str]:
    """The names between the team's folder and a branch's own."""
    parts = name.split("/")
    return ["/".join(parts[:length]) for length in range(2, len(parts))]


def is_in_the_way(repository: Path) -> bool:
    """Whether the user has a branch below whose name git keeps none of the team's."""
    return not attempt(repository, "show-ref", "--verify", "--quiet", f"{HEADS}drumline").code


def _branches(landing: Path, own: str) -> dict[str, str]:
    told = git(landing, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    if len(told) > BRANCHES:
        raise Refused(
            f"{own.removeprefix(HEADS)}* are {len(told):,} branches",
            why=f"at most {BRANCHES} are fetched",
            next="delete those that are not needed",
        )
    return {name.removeprefix(HEADS): commit for name, commit in map(str.split, told)}
