"""The audit trail as a person asks for it: shown, followed, exported, sealed and proved."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from drumline.hooks import trail
from drumline.store import trails
from drumline.surfaces.cli import audit, main
from drumline.surfaces.cli.export import COLUMNS, cell
from drumline.team.audit import line
from drumline.team.segment import name_of
from drumline.team.volume import Volume
from tests.surfaces.console import Answer, drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: [], runtime: codex}
"""
ROW = ("audit", "Read, follow, export and prove what members did.")


@pytest.fixture
def at(repository, monkeypatch):
    monkeypatch.setitem(main.NOUNS, "audit", ROW)
    write(repository, ".claude/team.yaml", MANIFEST)
    assert drumline("status", at=repository).code == 0
    return repository


def say(at: Path, *words: str) -> Answer:
    answer = drumline("audit", *words, at=at)
    assert answer.code == 0, answer.err
    return answer


def folder(at: Path) -> Path:
    return at / ".drumline" / "audit"


def did(at: Path, command: str = "make", *, member: str = "ada", **facts) -> None:
    said = {"ts": trail.stamp(), "tool": "Bash", "command": command, "team_member": member}
    assert trail.append(str(folder(at)), line({**said, **facts}))


@pytest.mark.requirement("AUDIT-04")
def test_nothing_recorded_is_said(at):
    assert say(at).out == "nothing was recorded\n"
    assert say(at, "--json").json == {"entries": [], "unreadable": 0}


@pytest.mark.requirement("AUDIT-04")
def test_the_trail_is_shown_one_call_a_line(at):
    did(at, "make test", exit_code=2, ts="2026-01-01T12:00:00Z")
    did(at, "git push", refused="C-TEAM-004", member="brook", ts="2026-01-01T12:00:01Z")
    did(at, None, tool="Write", file_path="/repo/a.py", ts="2026-01-01T12:00:02Z")
    assert say(at).out == (
        "2026-01-01 12:00:00  ada    Bash   exit 2              make test\n"
        "2026-01-01 12:00:01  brook  Bash   refused C-TEAM-004  git push\n"
        "2026-01-01 12:00:02  ada    Write                      /repo/a.py\n"
    )


@pytest.mark.requirement("AUDIT-04")
def test_lines_are_filtered_by_member_tool_and_time(at):
    now = datetime.now(UTC)  # noqa: TID251 - the command asks the real clock
    did(at, "old", ts=(now - timedelta(hours=3)).isoformat())
    did(at, "new")
    did(at, "other", member="brook")
    did(at, None, tool="Edit", file_path="/a")

    def shown(*words):
        found = say(at, *words, "--json").json["entries"]
        return [one.get("command") or one["file_path"] for one in found]

    assert shown("--member", "brook") == ["other"]
    assert shown("--tool", "Edit") == ["/a"]
    assert shown("--since", "2h") == ["new", "other", "/a"]
    assert shown("--since", "1d") == ["old", "new", "other", "/a"]
    assert shown("--since", (now - timedelta(hours=1)).isoformat(), "--member", "ada") == [
        "new",
        "/a",
    ]
    assert shown("--limit", "1") == ["/a"]


@pytest.mark.requirement("AUDIT-04")
@pytest.mark.parametrize("when", ["yesterday", "2w", "9999999h", "", "2026-99-01"])
def test_a_time_that_is_none_is_refused_with_the_way_out(at, when):
    answer = drumline("audit", "--since", when, at=at)
    assert answer.code == 1
    assert "next:    say " in answer.err


@pytest.mark.requirement("AUDIT-04")
def test_a_time_without_a_zone_is_utc():
    assert audit.since_of("2026-01-31T12:00") == datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert audit.since_of("2026-01-31") == datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.requirement("AUDIT-04")
def test_hostile_words_reach_no_terminal_in_any_form(at):
    did(at, "echo \x1b[2J\x9b31m\u202egnp.exe\x07\nsecond", member="a\x1b]0;x\x07")
    for words in ((), ("--json",), ("--export", "csv"), ("--export", "jsonl"), ("tools",)):
        out = say(at, *words).out
        assert not {"\x1b", "\x9b", "\u202e", "\x07"} & set(out), words


@pytest.mark.requirement("AUDIT-04")
def test_the_trail_is_exported_as_json_lines_in_whole(at):
    for number in range(60):
        did(at, f"c{number}")
    found = [json.loads(row) for row in say(at, "--export", "jsonl").out.splitlines()]
    assert [one["command"] for one in found] == [f"c{number}" for number in range(60)]
    assert len(say(at, "--export", "jsonl", "--limit", "5").out.splitlines()) == 5


@pytest.mark.requirement("AUDIT-04")
def test_the_trail_is_exported_as_a_table_that_runs_no_formula(at):
    did(at, '=HYPERLINK("http://x","y"), "z"', exit_code=-9, cwd="/repo")
    did(at, "+1\n@two", member="-brook")
    rows = list(csv.DictReader(io.StringIO(say(at, "--export", "csv").out)))
    assert list(rows[0]) == list(COLUMNS)
    assert rows[0]["command"] == '\'=HYPERLINK("http://x","y"), "z"'
    assert (rows[0]["exit_code"], rows[0]["cwd"]) == ("-9", "/repo")
    assert (rows[1]["command"], rows[1]["team_member"]) == ("'+1\n@two", "'-brook")


@pytest.mark.requirement("AUDIT-04")
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "\r=", "\uff1d"])
def test_no_cell_begins_as_a_formula(start):
    assert str(cell(f"{start}1"))[0] in "'\\"


@pytest.mark.requirement("AUDIT-04")
@pytest.mark.parametrize(
    "words",
    [
        ("--export", "csv", "--follow"),
        ("--export", "csv", "--json"),
        ("--member", "ada", "verify"),
        ("--json", "seal"),
        ("--limit", "0"),
        ("--export", "xml"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(at, words):
    answer = drumline("audit", *words, at=at)
    assert (answer.code, answer.out) == (2, "")


@pytest.mark.requirement("AUDIT-04")
@pytest.mark.parametrize("as_json", [False, True])
def test_following_shows_what_comes_through_a_rotation_and_ends_on_interrupt(at, as_json):
    did(at, "before")
    code = f"from drumline.surfaces.cli import main; main.NOUNS['audit'] = {ROW!r}; main.main()"
    words = ["audit", "--follow", "--member", "ada", *(["--json"] if as_json else [])]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=at,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    assert "before" in process.stdout.readline()
    did(at, "first")
    did(at, "not for us", member="brook")
    assert trail.rotate(str(folder(at)))
    did(at, "second")
    seen = [process.stdout.readline(), process.stdout.readline()]
    if as_json:
        assert [json.loads(row)["command"] for row in seen] == ["first", "second"]
    assert ["first" in seen[0], "second" in seen[1]] == [True, True]
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    process.stdout.close()


@pytest.mark.requirement("AUDIT-02")
def test_lines_a_killed_writer_left_are_told_beside_the_answer(at):
    did(at)
    with (folder(at) / "current.jsonl").open("ab") as file:
        file.write(b'{"torn')
    did(at)
    answer = say(at)
    assert len(answer.out.splitlines()) == 2
    assert answer.err == "1 line cannot be read: a writer was killed\n"


@pytest.mark.requirement("AUDIT-02")
def test_what_is_sealed_is_proved(at):
    did(at)
    did(at)
    assert say(at, "seal").out == f"sealed  {name_of(1)}  2 lines\n"
    assert say(at, "seal").out == "nothing to seal\n"
    did(at)
    assert say(at, "seal", "--finished").out == "nothing to seal\n"
    assert say(at, "verify").out == (
        "sealed    1 segment, 2 lines: as they were\n"
        "unsealed  1 line: nothing proves them yet; drumline audit seal\n"
    )
    assert say(at, "verify", "--json").json == {
        "ok": True,
        "segments": 1,
        "lines": 2,
        "faults": [],
        "unsealed_segments": 0,
        "unsealed_lines": 1,
    }


@pytest.mark.requirement("AUDIT-02")
def test_a_changed_trail_is_refused_with_what_why_and_next(at):
    did(at)
    say(at, "seal")
    segment = folder(at) / name_of(1)
    segment.chmod(0o600)
    segment.write_bytes(segment.read_bytes().replace(b"make", b"cake"))
    answer = drumline("audit", "verify", at=at)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        "refused: the audit trail is not as it was sealed: 1 fault\n"
        f"why:     {name_of(1)} was changed: its bytes are not those that were sealed\n"
        f"next:    keep a copy of {folder(at)}, and find out who could write there\n"
    )
    asked = drumline("audit", "verify", "--json", at=at)
    assert (asked.code, asked.json["ok"]) == (1, False)
    assert asked.json["faults"][0]["what"] == "was changed"


@pytest.mark.requirement("AUDIT-02")
def test_a_member_cannot_seal_from_inside_its_processes(at, monkeypatch):
    did(at)
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    answer = drumline("audit", "seal", at=at)
    assert answer.code == 1
    assert "ada may not seal" in answer.err


@pytest.mark.requirement("AUDIT-03")
def test_tool_use_is_shown_per_member_phase_and_tool(at):
    did(at)
    did(at, refused="C-TEAM-004")
    did(at, None, tool="Write", file_path="/a", member="brook")
    did(at, member="")
    assert say(at, "tools").out == (
        "-      -  Bash   1 call\nada    -  Bash   2 calls  1 refused\nbrook  -  Write  1 call\n"
    )
    found = say(at, "tools", "--member", "ada", "--json").json
    assert found == [{"member": "ada", "phase": "-", "tool": "Bash", "calls": 2, "refused": 1}]
    assert say(at, "tools", "--phase", "build").out == "nothing was recorded\n"


@pytest.mark.requirement("AUDIT-05")
def test_a_trail_on_a_volume_of_others_is_warned_about_beside_the_answer(at, monkeypatch):
    did(at)
    shared = Volume("nfs4", local=False, why="locks may not exclude each other there")
    monkeypatch.setattr(trails, "volume_of", lambda _: shared)
    answer = say(at, "--json")
    assert len(answer.json["entries"]) == 1
    assert answer.err == f"warning: {folder(at)} is on nfs4: {shared.why}\n"


@pytest.mark.requirement("AUDIT-05")
def test_a_trail_on_a_disk_of_its_own_is_warned_about_nowhere(at):
    did(at)
    assert say(at).err == ""
