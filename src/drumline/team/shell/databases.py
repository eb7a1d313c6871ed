"""Database clients: what their statements destroy, and which files they write."""

from __future__ import annotations

from drumline.team.shell.code import effects_of_code
from drumline.team.shell.effect import HOLE, MARKS, endangered, read, undecided, wrote
from drumline.team.shell.options import taken_apart
from drumline.team.shell.sql import destroyed, only_reads, reached, read_files, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

DESTROYS = "destroys data in a database"
_PIPED = "statements come from a pipe"
_FILE_CLIENTS = frozenset("sqlite3 sqlite duckdb sqlite-utils libsql".split())
_FILE_VALUED = "-cmd -separator -newline -nullvalue -init -c -f -s --init -mmap -lookaside -maxsize"
# options that carry statements, options that name a file of them, options with another value
_SERVER_CLIENTS: dict[str, tuple[str, str, str]] = {
    "psql": (
        "-c --command",
        "-f --file",
        "-d -h -p -U -v -P -F -R -o -L -T --dbname --host --port --username --set --output --variable",
    ),
    "mysql": (
        "-e --execute --init-command",
        "",
        "-u -h -P -D -S --user --host --port --database --socket --protocol --default-character-set",
    ),
    "mariadb": (
        "-e --execute --init-command",
        "",
        "-u -h -P -D -S --user --host --port --database",
    ),
    "mycli": ("-e --execute", "", "-u -h -P -D -S"),
    "pgcli": ("", "", "-d -h -p -U"),
    "clickhouse-client": (
        "-q --query",
        "--queries-file",
        "-h -u -d --host --port --user --password --database --format",
    ),
    "clickhouse": ("-q --query", "--queries-file", "-h -u -d --host --port --user --password"),
    "cqlsh": ("-e --execute", "-f --file", "-u -p -k --username --password --keyspace"),
    "sqlcmd": ("-Q -q", "-i", "-S -U -P -d -o"),
    "snowsql": ("-q --query", "-f --filename", "-a -u -d -s -w -r -o"),
    "cockroach": ("-e --execute", "-f --file", "--url --host --database -u -d"),
    "usql": ("-c --command", "-f --file", ""),
    "trino": ("--execute", "-f --file", "--server --catalog --schema --user"),
    "bq": ("", "", ""),
}
_MONGO = frozenset({"mongosh", "mongo"})
_REDIS = frozenset({"redis-cli", "valkey-cli", "keydb-cli"})
_PLAIN_DROPS = {
    "dropdb": "drop database",
    "mysqladmin": "drop database",
}
PROGRAMS = _FILE_CLIENTS | frozenset(_SERVER_CLIENTS) | _MONGO | _REDIS | frozenset(_PLAIN_DROPS)
_MONGO_DESTROYS = (
    "dropdatabase",
    ".drop(",
    ".deletemany(",
    ".deleteone(",
    ".remove(",
    "dropcollection(",
)
_DOT_READS = frozenset(
    ".schema .tables .dump .mode .headers .header .indexes .indices .databases .show .help .exit .quit"
    " .width .fullschema .stats .timer .echo .eqp .nullvalue .separator .print .dbinfo .sha3sum .bail"
    " .changes .lint .columns .maxrows".split()
)
_DOT_WRITES = frozenset(".output .once .excel .log .trace .backup .save .clone .archive".split())


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What a database client with these words does, as far as its statements can be read."""
    name = argv[0].rpartition("/")[2]
    if name in _FILE_CLIENTS:
        return _file_client(argv[1:], scene)
    if name in _MONGO:
        return _mongo(argv[1:], scene)
    if name in _REDIS:
        return _redis(argv[1:], scene)
    if name in _PLAIN_DROPS:
        return _plain_drop(name, argv[1:])
    if name == "bq":
        return _bigquery(argv[1:], scene)
    return _server_client(name, argv[1:], scene)


def _plain_drop(name: str, words: Sequence[str]) -> list[Effect]:
    given = taken_apart(words, "-h -p -U -u -P -S --host --port --username --user")
    drops = name == "dropdb" or "drop" in given.operands
    if not drops or given.has("--help", "--version"):
        return []
    return [endangered(DESTROYS, " ".join([_PLAIN_DROPS[name], *given.operands[-1:]]))]


def _values(given: Words, options: str) -> list[str]:
    return [value for option in options.split() for value in given.values.get(option, [])]


def _server_client(name: str, words: Sequence[str], scene: Scene) -> list[Effect]:
    coded, filed, valued = _SERVER_CLIENTS[name]
    given = taken_apart(words, f"{coded} {filed} {valued}")
    found: list[Effect] = []
    for file in _values(given, filed):
        found += _statement_file(file, scene)
    found += [
        wrote(scene.path(file)) for file in _values(given, "-o --output -L") if name == "psql"
    ]
    texts = _values(given, coded)
    if not texts and not _values(given, filed):
        texts = [scene.stdin or ""]
    for text in texts:
        found += _statements(text, scene, backslashes=name in {"psql", "usql", "mysql", "mariadb"})
    return found


def _statement_file(name: str, scene: Scene) -> list[Effect]:
    if name in {"-", "/dev/stdin"}:
        return _statements(scene.stdin or "", scene, backslashes=True)
    path = scene.path(name)
    kept = scene.kept(path)
    found: list[Effect] = [read(path)]
    return found if kept is None else found + _statements(kept, scene, backslashes=True)


def _statements(text: str, scene: Scene, *, backslashes: bool) -> list[Effect]:
    if HOLE in text and not text.strip(MARKS + " \n;"):
        return [undecided(_PIPED)]
    found: list[Effect] = []
    sql = text
    if backslashes:
        sql, found = _without_backslashes(text, scene)
    given = statements(sql)
    for verb, target in reached(given):
        found += scene.elsewhere(target) if verb == "run" else [wrote(scene.path(target))]
    found += [read(scene.path(name)) for name in read_files(given)]
    return found + [endangered(DESTROYS, start) for start in destroyed(given)]


def _without_backslashes(text: str, scene: Scene) -> tuple[str, list[Effect]]:
    """The statements of a psql script, and what its own commands do."""
    rows: list[str] = []
    found: list[Effect] = []
    for row in text.split("\n"):
        plain = row.lstrip()
        if plain.startswith(("\\", "system ", "tee ")):
            found += _backslash(plain.removeprefix("\\"), scene)
        else:
            statement, slash, command = row.rpartition("\\")
            rows.append(statement if slash and command[:2] in {"g ", "o ", "! "} else row)
            if slash and command[:2] in {"g ", "o ", "! "}:
                found += _backslash(command, scene)
    return "\n".join(rows), found


def _backslash(command: str, scene: Scene) -> list[Effect]:
    word, _, rest = command.partition(" ")
    rest = rest.strip()
    if word.startswith("!"):
        return list(scene.script((word[1:] + " " + rest).strip()))
    if word == "system":
        return list(scene.script(rest))
    if word == "copy":
        return _copy(rest, scene)
    if word in {"o", "out", "w", "write", "g", "gx", "T", "s", "tee"} and rest:
        return _to_target(rest.strip("'\""), scene)
    if word in {"i", "ir", "include", "include_relative", "source"} and rest:
        return [read(scene.path(rest.strip("'\"")))]
    return []


def _copy(rest: str, scene: Scene) -> list[Effect]:
    words = rest.split()
    lower = [word.lower() for word in words]
    for direction in ("to", "from"):
        if direction in lower[1:]:
            place = lower.index(direction, 1)
            target = words[place + 1 : place + 2]
            if target == ["program"] or [word.lower() for word in target] == ["program"]:
                return list(scene.script(" ".join(words[place + 2 :]).strip("'\"")))
            names = [
                word.strip("'\";") for word in target if word.lower() not in {"stdout", "stdin"}
            ]
            made = wrote if direction == "to" else read
            return [made(scene.path(name)) for name in names]
    return []


def _to_target(target: str, scene: Scene) -> list[Effect]:
    if target.startswith("|"):
        return list(scene.script(target[1:].strip()))
    return [wrote(scene.path(target))]


def _file_client(words: Sequence[str], scene: Scene) -> list[Effect]:
    """A database in a file: the first operand; then statements, or they are piped in."""
    given = taken_apart([_two_dashes(word) for word in words], _FILE_VALUED + _LONG_VALUED)
    if given.has("--version", "--help"):
        return []
    database, *texts = given.operands or [""]
    texts += _values(given, "--cmd --c --command -c")
    files = _values(given, "--init --f --file -f")
    found = [effect for file in files for effect in _statement_file(file, scene)]
    piped = scene.stdin or ""
    if not texts and not files and piped:
        texts = [piped]
    changes = False
    for text in texts:
        effects_of_text, writes = _local_statements(text, scene)
        found += effects_of_text
        changes = changes or writes
    if database and not database.startswith((":memory:", "file::memory:")):
        path = scene.path(database.removeprefix("file:").partition("?")[0])
        reads = given.has("--readonly") or (bool(texts) and not changes)
        found.append(read(path) if reads else wrote(path))
    return found


_LONG_VALUED = " --cmd --separator --newline --nullvalue --init --c --command --f --file --s"


def _two_dashes(word: str) -> str:
    return (
        f"-{word}" if word.startswith("-") and not word.startswith("--") and word != "-" else word
    )


def _local_statements(text: str, scene: Scene) -> tuple[list[Effect], bool]:
    """What statements and dot-commands do, and whether they change the database."""
    if HOLE in text and not text.strip(MARKS + " \n;"):
        return [undecided(_PIPED)], True
    if text and not text.strip(MARKS + " \n;"):
        return [], True  # a file that was there before: it may change the database, and only that
    rows: list[str] = []
    found: list[Effect] = []
    changes = False
    for row in text.split("\n"):
        if row.lstrip().startswith("."):
            found += _dot(row.strip(), scene)
            changes = changes or row.split()[0] in {".import", ".restore", ".read", ".load"}
        else:
            rows.append(row)
    sql = "\n".join(rows)
    given = statements(sql)
    found += [read(scene.path(name)) for name in read_files(given)]
    found += [endangered(DESTROYS, start) for start in destroyed(given)]
    for verb, target in reached(given):
        found += scene.script(target) if verb == "run" else [wrote(scene.path(target))]
    return found, changes or not only_reads(given)


def _dot(row: str, scene: Scene) -> list[Effect]:
    word, _, rest = row.partition(" ")
    rest = rest.strip()
    if word in {".shell", ".system", ".sh"}:
        return list(scene.script(rest))
    if word.startswith(tuple(_DOT_WRITES)) and rest:
        target = rest.split()[-1].strip("'\"") if not rest.startswith("|") else rest
        return [] if target in {"stdout", "off", "stderr"} else _to_target(target, scene)
    if word in {".read", ".import", ".open", ".restore"} and rest:
        return _dot_reads(word, rest, scene)
    return []


def _dot_reads(word: str, rest: str, scene: Scene) -> list[Effect]:
    quote = rest[0] if rest[0] in "'\"" else ""
    name = rest[1:].partition(quote)[0] if quote else rest.split()[0 if word != ".open" else -1]
    if name.startswith("|"):
        return list(scene.script(name[1:].strip()))
    return [wrote(scene.path(name)) if word == ".open" else read(scene.path(name))]


def _mongo(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "--eval -f --file -u -p --host --port --username --password")
    found: list[Effect] = [read(scene.path(name)) for name in _values(given, "-f --file")]
    texts = _values(given, "--eval") or [scene.stdin or ""]
    for text in texts:
        plain = text.lower().replace(" ", "")
        if HOLE in text and not text.strip(MARKS + " \n"):
            found.append(undecided(_PIPED))
        else:
            found += effects_of_code(text, "javascript", scene)
            if any(word in plain for word in _MONGO_DESTROYS):
                found.append(endangered(DESTROYS, " ".join(text.split()[:6])))
    return found


def _redis(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "-h -p -s -a -u -n -r -i -d -D --user --pass --eval --cert --key", stop=True
    )
    if given.operands:
        return _redis_command(given.operands)
    found: list[Effect] = []
    text = scene.stdin or ""
    if HOLE in text and not text.strip(MARKS + " \n"):
        return [undecided(_PIPED)]
    for row in text.split("\n"):
        found += _redis_command(row.split())
    return found


def _redis_command(words: Sequence[str]) -> list[Effect]:
    flushed = [word for word in words if "flushall" in word.lower() or "flushdb" in word.lower()]
    if flushed and (flushed[0] is words[0] or words[0].upper().startswith(("EVAL", "MULTI", "-"))):
        return [endangered(DESTROYS, flushed[0])]
    return []


def _bigquery(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "--project_id --location --format --dataset_id --max_rows", stop=True
    )
    verb, *rest = given.operands or [""]
    inner = taken_apart(rest, "--project_id --location --format --max_rows -n --destination_table")
    if verb == "query":
        text = " ".join(inner.operands) or scene.stdin or ""
        return _statements(text, scene, backslashes=False)
    if verb == "rm":
        return [endangered(DESTROYS, " ".join(["bq rm", *inner.operands]))]
    return []
