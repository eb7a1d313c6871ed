"""Named SQL: each statement has a name in a `.sql` file; what an engine says differently wins.

`{keyed}` and `{by INDEX}` are said in each engine's own way. SQLite has no statistics here, so it takes the
key of a table for as good as any index: where rows that are over pile up, it is told which one to use.
"""

import os
import re
from functools import lru_cache

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")
_HEAD = re.compile(r"^-- ([a-z_]+) --$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
_BY = re.compile(r"\{by ([a-z_]+)\}")

_KEYED = {"sqlite": "WITHOUT ROWID", "postgres": ""}
_INDEXED = {"sqlite": r"INDEXED BY \1", "postgres": ""}


@lru_cache(maxsize=2)
def statements(engine: str) -> dict[str, str]:
    """Every named statement as this engine understands it."""
    shared: dict[str, str] = {}
    own: dict[str, str] = {}
    for name in sorted(os.listdir(_FOLDER)):
        stem, *dialect = name.removesuffix(".sql").split(".")
        if not name.endswith(".sql") or dialect not in ([], [engine]) or not stem:
            continue
        (own if dialect else shared).update(_named(_said(_read(name), engine)))
    return shared | own


def migrations(engine: str) -> list[tuple[int, str, list[str]]]:
    """The numbered changes of the schema: number, name and statements, in order."""
    found: list[tuple[int, str, list[str]]] = []
    for name in _numbered(engine):
        text = _COMMENT.sub("", _read(os.path.join("migrations", name)))
        found.append((int(name[:4]), name.split(".")[0], _split(_said(text, engine))))
    return found


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
    return _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%"))


def _read(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()


def _said(text: str, engine: str) -> str:
    return _BY.sub(_INDEXED[engine], text.replace("{keyed}", _KEYED[engine]))


def _named(text: str) -> dict[str, str]:
    parts = _HEAD.split(text)[1:]
    return {
        name: (_COMMENT.sub("", body) if "--" in body else body).strip().rstrip(";")
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r";\s*(?:\n|$)", text) if part.strip()]
