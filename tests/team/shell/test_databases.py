"""Database clients: statements that destroy data, files they write, programs they start."""

import shlex

import pytest

from drumline.team.shell.databases import PROGRAMS, effects
from drumline.team.shell.effect import HOLE
from tests.team.shell.inline import DESTROYS, Recorded, said

PUSH = "sh: git push"
PIPE = "undecided: statements come from a pipe"


def destroys(start):
    return f"{DESTROYS}, {start}"


def table(rows):
    """Commands and what they do, each row called by its command."""
    return [pytest.param(command, expected, id=command) for command, *expected in rows]


def told(command, **scene):
    argv = shlex.split(command)
    assert argv[0] in PROGRAMS
    return said(effects(argv, Recorded(**scene)))


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("psql -c 'DROP TABLE users'", destroys("drop table users")),
            ("psql -c 'select 1; drop   /*x*/ table t'", destroys("drop table t")),
            ("psql -c 'DROP SCHEMA public CASCADE'", destroys("drop schema public cascade")),
            ("psql -c 'TRUNCATE users'", destroys("truncate users")),
            ("psql -c 'delete from users where true'", destroys("delete from users where true")),
            ("psql -c 'with d as (delete from t) select 1'", destroys("delete from t select 1")),
            ("mysql -u root -psecret -e 'drop database x'", destroys("drop database x")),
            ("mariadb --execute='DELETE FROM t'", destroys("delete from t")),
            ("mysql -e '/*!50000 DROP TABLE x */'", destroys("drop table x")),
            ("cqlsh -e 'truncate t'", destroys("truncate t")),
            ("clickhouse-client --query 'drop table x'", destroys("drop table x")),
            ("bq query --use_legacy_sql=false 'DROP TABLE x'", destroys("drop table x")),
            ("dropdb x", destroys("drop database x")),
            ("mongosh --eval 'db.dropDatabase()'", destroys("db.dropDatabase()")),
            ("mongosh --eval 'db.users.drop()'", destroys("db.users.drop()")),
            ("mongosh --eval 'db[\"dropDatabase\"]()'", destroys('db["dropDatabase"]()')),
            ("redis-cli FLUSHALL", destroys("FLUSHALL")),
            ("redis-cli -h x -p 1 flushdb", destroys("flushdb")),
            ("redis-cli EVAL \"redis.call('FLUSHALL')\" 0", destroys("redis.call('FLUSHALL')")),
        ]
    ),
)
def test_a_statement_that_destroys_data_is_a_danger(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("psql -h localhost -U me -d db -c 'select 1'",),
            ("psql db -c \"select 'DROP TABLE x'\"",),
            ("psql -c '-- drop table x\nselect 1'",),
            ("psql -c '/* DELETE FROM x */ select 1'",),
            ("psql -c 'create table t(a int); drop index i'",),
            ("psql -c 'ALTER TABLE t DROP COLUMN c'",),
            ("psql -c 'select truncate(1.2), deleted from t'",),
            ("psql -c 'revoke delete on t from u'",),
            ("psql -l",),
            ("mysql -e 'show tables' db",),
            ("mongosh --eval 'db.users.find()'",),
            ("redis-cli set a flushall",),
            ("clickhouse-client -q 'select 1'",),
            ("psql",),
        ]
    ),
)
def test_a_statement_that_destroys_nothing_is_left_alone(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("sqlite3 x.db 'select 1'", "read /repo/x.db"),
            ("sqlite3 -header -csv x.db 'select * from t'", "read /repo/x.db"),
            ("sqlite3 -separator ',' x.db 'explain select 1'", "read /repo/x.db"),
            ("sqlite3 x.db .schema", "read /repo/x.db"),
            ("sqlite3 x.db .dump", "read /repo/x.db"),
            ("sqlite3 x.db 'pragma table_info(t)'", "read /repo/x.db"),
            ("sqlite3 -readonly x.db", "read /repo/x.db"),
            ("duckdb x.db -c 'select 1'", "read /repo/x.db"),
            ("sqlite3 :memory: 'create table t(a)'",),
            ("sqlite3 x.db", "write /repo/x.db"),
            ("sqlite3 x.db 'insert into t values(1)'", "write /repo/x.db"),
            ("sqlite3 x.db 'PRAGMA journal_mode=WAL'", "write /repo/x.db"),
            ("sqlite3 x.db \"update t set a='delete from x'\"", "write /repo/x.db"),
            ("sqlite3 x.db 'DROP TABLE t'", destroys("drop table t"), "write /repo/x.db"),
            ("duckdb x.db 'create table t as select 1'", "write /repo/x.db"),
            ("sqlite3 x.db '.import a.csv t'", "read /repo/a.csv", "write /repo/x.db"),
            ("sqlite3 x.db \"vacuum into 'b.db'\"", "write /repo/b.db", "write /repo/x.db"),
            ("sqlite3 x.db \"select writefile('x','y')\"", "write /repo/x", "read /repo/x.db"),
            ("sqlite3 x.db '.output out.txt' 'select 1'", "write /repo/out.txt", "read /repo/x.db"),
            ("sqlite3 x.db '.shell git push'", PUSH, "read /repo/x.db"),
            ("sqlite3 -cmd '.system git push' x.db 'select 1'", PUSH, "read /repo/x.db"),
            ("sqlite3 x.db \".import '|git push' t\"", PUSH, "write /repo/x.db"),
            ("duckdb -c \"copy (select 1) to 'x.csv'\"", "write /repo/x.csv"),
        ]
    ),
)
def test_a_database_in_a_file_is_written_by_all_but_reading_statements(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("psql -c '\\! git push'", PUSH),
            ("psql -c \"\\copy t to 'out.csv' csv\"", "write /repo/out.csv"),
            ("psql -c \"\\copy t from 'in.csv'\"", "read /repo/in.csv"),
            ("psql -c \"\\copy t to program 'git push'\"", PUSH),
            ("psql -c \"copy t to program 'git push'\"", PUSH),
            ("psql -c '\\o out.txt'", "write /repo/out.txt"),
            ("psql -o out.txt -c 'select 1'", "write /repo/out.txt"),
            ("psql -f x.sql", "read /repo/x.sql"),
            ("mysql -e 'system git push'", PUSH),
            ("mysql -e \"select 1 into outfile '/tmp/x'\"", "write /tmp/x"),
            ('mongosh --eval \'require("child_process").execSync("git push")\'', PUSH),
        ]
    ),
)
def test_a_client_names_the_files_and_programs_it_reaches(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "stdin", "expected"),
    [
        pytest.param("psql", "DROP TABLE x;\n", [destroys("drop table x")], id="psql"),
        pytest.param(
            "psql",
            "\\o out\nselect 1;\n\\! git push\n",
            ["write /repo/out", PUSH],
            id="psql's own commands",
        ),
        pytest.param("sqlite3 x.db", "select 1;", ["read /repo/x.db"], id="sqlite3 that reads"),
        pytest.param(
            "sqlite3 x.db", HOLE, [PIPE, "write /repo/x.db"], id="sqlite3 with unknown text"
        ),
        pytest.param("mysql db", HOLE, [PIPE], id="mysql with unknown text"),
        pytest.param("mysql -e 'select 1' db", HOLE, [], id="mysql that reads no input"),
        pytest.param("redis-cli", "PING\nFLUSHALL\n", [destroys("FLUSHALL")], id="redis-cli"),
    ],
)
def test_statements_from_a_pipe_are_read_where_they_are_known(command, stdin, expected):
    assert told(command, stdin=stdin) == expected


def test_statements_written_by_the_same_command_are_read():
    written = {"/repo/x.sql": "drop table t;"}
    assert told("psql -f x.sql", written=written) == [
        "read /repo/x.sql",
        destroys("drop table t"),
    ]


@pytest.mark.parametrize(
    "seed", ["(", "'", "/*", "drop table x;", "\\! ls\n", ".output x\n", "a ", "--", HOLE]
)
@pytest.mark.parametrize(
    "start", ["psql -c", "sqlite3 x.db", "mysql -e", "mongosh --eval", "redis-cli"]
)
def test_hostile_statements_of_64_kib_are_followed_to_their_end(start, seed):
    text = (seed * (65_536 // len(seed) + 1))[:65_536]
    assert isinstance(effects([*start.split(), text], Recorded(stdin=text)), list)
