"""Programs that do harm by what they are for: to disks, processes, databases, or by giving things away."""

from __future__ import annotations

from drumline.team.shell.effect import endangered, git_did
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_EMPTIES = "destroys data in a database"
_SHOWN = "credentials shown"
_DRY = ("--dry-run", "-n", "--help", "-h")


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """The harm these words do, if they do any."""
    del scene
    name = argv[0].rpartition("/")[2]
    tell = _PROGRAMS.get("python" if name.startswith("python") else name)
    found = tell(argv[1:]) if tell is not None else ""
    if not found:
        return []
    shown = " ".join([name, *argv[1:]])
    return [git_did("hub", "", argv)] if found == _GIVEN_AWAY else [endangered(found, shown)]


_GIVEN_AWAY = "published"


def _disk(words: Sequence[str]) -> str:
    asks = {"--help", "--version", "-p", "--print", "-l", "--list", "-V"}
    return "" if not words or asks & set(words) else "rewrites a disk"


def _cryptsetup(words: Sequence[str]) -> str:
    verb = (taken_apart(words, "-c -h -s -d -S --cipher --key-file").operands or [""])[0].lower()
    return "rewrites a disk" if verb in {"luksformat", "erase", "lukserase", "reencrypt"} else ""


def _kill_by_name(words: Sequence[str]) -> str:
    """Ending all that a person runs, or whatever has any name at all."""
    given = taken_apart(
        words, "-s -g -G -P -t -U -u --signal --pgroup --parent --euid --uid --user"
    )
    everyone = given.has("-u", "-U", "--euid", "--uid", "--user") and not given.operands
    return "ends every process" if everyone or set(given.operands) & {".", ".*", ""} else ""


def _rails(words: Sequence[str]) -> str:
    return _EMPTIES if set(words) & _RAILS_TASKS else ""


_RAILS_TASKS = frozenset(
    "db:drop db:drop:all db:reset db:purge db:truncate_all db:migrate:reset db:schema:load".split()
)


def _django(words: Sequence[str]) -> str:
    at = next((at for at, word in enumerate(words) if word.endswith("manage.py")), -1)
    verb = words[at + 1 : at + 2] if at >= 0 else []
    return _EMPTIES if verb in (["flush"], ["reset_db"]) else ""


def _django_admin(words: Sequence[str]) -> str:
    return _EMPTIES if words[:1] == ["flush"] else ""


def _prisma(words: Sequence[str]) -> str:
    reset = list(words[:2]) == ["migrate", "reset"]
    pushed = list(words[:2]) == ["db", "push"] and {"--force-reset", "--accept-data-loss"} & set(
        words
    )
    return _EMPTIES if reset or pushed else ""


def _php(words: Sequence[str]) -> str:
    if not words[:1] or not words[0].endswith("artisan"):
        return ""
    return _EMPTIES if set(words[1:2]) & {"migrate:fresh", "migrate:reset", "db:wipe"} else ""


def _docker(words: Sequence[str]) -> str:
    verbs = list(words[:2])
    everything = verbs == ["volume", "prune"] or (
        verbs == ["system", "prune"] and "--volumes" in words
    )
    return "deletes every volume" if everything else ""


def _gpg(words: Sequence[str]) -> str:
    return _SHOWN if any(word.startswith("--export-secret") for word in words) else ""


def _security(words: Sequence[str]) -> str:
    asked = words[:1] and words[0].startswith(("find-", "dump-keychain"))
    return _SHOWN if asked and ({"-w", "-g", "-d"} & set(words)) else ""


def _pass(words: Sequence[str]) -> str:
    quiet = {
        "ls",
        "list",
        "find",
        "search",
        "git",
        "help",
        "version",
        "init",
        "--help",
        "--version",
    }
    return "" if not words or words[0] in quiet or words[0].startswith("-") else _SHOWN


def _publisher(*verbs: str) -> Callable[[Sequence[str]], str]:
    def publishes(words: Sequence[str]) -> str:
        said = [word for word in words if not word.startswith(("-", "+"))]
        given = bool(said) and " ".join(said[:2]).startswith(verbs) and said[0] != "help"
        return _GIVEN_AWAY if given and not set(_DRY) & set(words) else ""

    return publishes


_PROGRAMS: dict[str, Callable[[Sequence[str]], str]] = {
    **dict.fromkeys(("blkdiscard", "sgdisk", "gdisk", "cgdisk"), _disk),
    "cryptsetup": _cryptsetup,
    **dict.fromkeys(("pkill", "killall"), _kill_by_name),
    **dict.fromkeys(("rails", "rake"), _rails),
    "python": _django,
    "manage.py": lambda words: _django(["manage.py", *words]),
    "django-admin": _django_admin,
    "prisma": _prisma,
    "php": _php,
    **dict.fromkeys(("docker", "podman"), _docker),
    **dict.fromkeys(("gpg", "gpg2"), _gpg),
    "security": _security,
    "pass": _pass,
    **dict.fromkeys(("npm", "pnpm", "cargo"), _publisher("publish")),
    "yarn": _publisher("publish", "npm publish"),
    **dict.fromkeys(("poetry", "uv", "hatch", "flit", "pdm"), _publisher("publish")),
    "twine": _publisher("upload"),
    "gem": _publisher("push"),
}
