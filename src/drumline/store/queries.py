"""Named SQL: each statement has a name in a `.sql` file; what an engine says differently wins.

`{keyed}` and `{by INDEX}` are said in each engine's own way. SQLite has no statistics here, so it takes the
key of a table for as good as any index: where rows that are over pile up, it is told which one to use.
"""

import os
import re
from functools import cache

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")
_PARAMETER = r"(?<![:\w]):([a-z_]+)"

_KEYED = {"sqlite": "WITHOUT ROWID", "postgres": ""}
_INDEXED = {"sqlite": "INDEXED BY {}", "postgres": ""}


@cache
def named(engine: str, name: str) -> str:
    """A named statement as this engine understands it, cut out when it is first asked for.

    Most commands say a dozen of them: whoever read all would pay for that at each start.
    """
    for text in _texts(engine):
        _, found, rest = text.partition(f"\n-- {name} --\n")
        if found:
            return _said(_without_comments(_up_to_next(rest)), engine).strip().rstrip(";")
    raise KeyError(name)


def names(engine: str) -> frozenset[str]:
    """Every statement this engine knows."""
    return frozenset(
        line[3:-3] for text in _texts(engine) for line in text.splitlines() if _heads(line)
    )


@cache
def _texts(engine: str) -> tuple[str, str]:
    """What the engine says in its own way, and what all of them say alike."""
    own, shared = [""], [""]
    for name in sorted(os.listdir(_FOLDER)):
        stem, *dialect = name.removesuffix(".sql").split(".")
        if not name.endswith(".sql") or dialect not in ([], [engine]) or not stem:
            continue
        (own if dialect else shared).append(_read(name))
    return "\n".join(own), "\n".join(shared)


def _up_to_next(text: str) -> str:
    """The text before the next statement's name; what comes after it is not looked at."""
    at = text.find("\n-- ")
    while at >= 0:
        end = text.find("\n", at + 1)
        if _heads(text[at + 1 : end if end >= 0 else None]):
            return text[:at]
        at = text.find("\n-- ", at + 1)
    return text


def _heads(line: str) -> bool:
    """Whether a line is a statement's name: a comment is a sentence."""
    return line[:3] == "-- " and line[-3:] == " --" and " " not in line[3:-3]


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("--"))


@cache
def migrations(engine: str) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """The numbered changes of the schema: number, name and statements, in order."""
    found: list[tuple[int, str, tuple[str, ...]]] = []
    for name in _numbered(engine):
        text = _without_comments(_read(os.path.join("migrations", name)))
        found.append((int(name[:4]), name.split(".")[0], _split(_said(text, engine))))
    return tuple(found)


def newest_migration(engine: str) -> int:
    """The last number; every start asks for it, and reads no file for it."""
    return int(_numbered(engine)[-1][:4])


def _numbered(engine: str) -> list[str]:
    names = sorted(os.listdir(os.path.join(_FOLDER, "migrations")))
    return [name for name in names if name.removesuffix(".sql").split(".")[1:] in ([], [engine])]


def pyformat(statement: str, *, database_clock: bool) -> str:
    """A statement in psycopg's spelling; `:now` is the database's own clock unless told otherwise."""
    if database_clock:
        statement = re.sub(r"(?<![:\w]):now\b", "drumline_now()", statement)
    return re.sub(_PARAMETER, r"%(\1)s", statement.replace("%", "%%"))


def _read(name: str) -> str:
    with open(f"{_FOLDER}/{name}", "rb", buffering=0) as file:  # a start reads dozens of them
        return file.readall().decode("utf-8")


def _said(text: str, engine: str) -> str:
    text = text.replace("{keyed}", _KEYED[engine])
    first, *rest = text.split("{by ")
    told = (part.partition("}") for part in rest)
    return first + "".join(_INDEXED[engine].format(name) + after for name, _, after in told)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r";\s*(?:\n|$)", text) if part.strip())
