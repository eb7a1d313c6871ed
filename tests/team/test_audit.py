"""The line of the trail: fixed keys, no contents, no secrets, one line."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.audit import LONGEST, line
from drumline.team.journal import Event
from drumline.team.seal import Fault, Measure, Seal, fault, faults, read_seal
from drumline.team.segment import kept_number, name_of, number_of
from drumline.team.trail import Use, Wanted, entry, phase_at, phases, tool_use

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ORIGIN = {
    "cwd": "/repo",
    "model": "sonnet",
    "provider": "anthropic",
    "trace_id": "t-1",
    "team_id": "atlas",
    "team_member": "ada",
}
KEYS = ["ts", "tool", "command", "exit_code", *ORIGIN]


def shell(command, **more) -> Any:
    return json.loads(line({"ts": "now", "tool": "Bash", "command": command, **ORIGIN, **more}))


@pytest.mark.requirement("AUDIT-01")
def test_a_command_has_the_fixed_keys_in_their_order():
    said = shell("make", exit_code=2)
    assert list(said) == KEYS
    assert (said["command"], said["exit_code"], said["team_member"]) == ("make", 2, "ada")


@pytest.mark.requirement("AUDIT-01")
def test_a_write_has_the_path_in_place_of_the_command():
    said = json.loads(line({"ts": "now", "tool": "Write", "file_path": "/repo/a.py"}))
    assert list(said) == [key.replace("command", "file_path") for key in KEYS]
    assert (said["file_path"], said["exit_code"], said["team_id"]) == ("/repo/a.py", None, "")


@pytest.mark.requirement("AUDIT-01")
def test_what_a_file_contains_is_never_kept():
    call = {"tool": "Edit", "file_path": "a", "content": "deep", "new_string": "deep"}
    assert "deep" not in line(call)


@pytest.mark.requirement("AUDIT-01")
def test_a_refusal_and_a_pass_without_judgement_are_told_only_where_they_happened():
    assert shell("git push", refused="C-TEAM-004")["refused"] == "C-TEAM-004"
    assert shell("x", note="no policy: allowed")["note"] == "no policy: allowed"
    assert not {"refused", "note"} & shell("x", refused="", note=None).keys()


@pytest.mark.requirement("AUDIT-01")
def test_secrets_are_masked_in_commands_paths_and_notes():
    assert shell("TOKEN=abc make")["command"] == "TOKEN=[redacted] make"
    assert "abc" not in line({"tool": "Write", "file_path": "/x/token=abc/y"})
    assert "abc" not in line({"tool": "Bash", "command": "x", "note": "--password abc"})
    assert "abc" not in line({"tool": "Bash", "command": "x", "cwd": "/x/token=abc"})
    assert "abc" not in line({"tool": "Bash", "command": "x", "model": "TOKEN=abc"})


@pytest.mark.requirement("AUDIT-01")
def test_a_long_command_is_cut_and_says_by_how_much():
    said = shell("x" * (LONGEST + 1234))["command"]
    assert said == "x" * LONGEST + "…[+1234]"
    assert shell("x" * 1_000_000)["command"].endswith(f"…[+{1_000_000 - LONGEST}]")


@pytest.mark.requirement("AUDIT-01")
def test_a_secret_that_the_cut_would_halve_is_masked_first():
    said = shell("x" * (LONGEST - 30) + " TOKEN=" + "k9" * 500)["command"]
    assert "k9" not in said


@pytest.mark.requirement("AUDIT-01")
@given(st.text(), st.text(), st.integers() | st.none() | st.booleans() | st.text())
def test_whatever_an_agent_wrote_is_one_line_of_plain_ascii(command, member, code):
    said = line({"tool": "Bash", "command": command, "team_member": member, "exit_code": code})
    assert said.endswith("\n")
    assert all(" " <= letter <= "~" for letter in said[:-1])
    assert list(json.loads(said)) == KEYS


@pytest.mark.requirement("AUDIT-01")
@pytest.mark.parametrize("odd", [None, 5, 2.5, {"a": 1}, object(), b"x", True])
def test_what_is_not_text_is_left_empty(odd):
    assert json.loads(line({"tool": odd, "file_path": odd}))["tool"] == ""


@pytest.mark.requirement("AUDIT-01")
def test_an_argument_list_is_kept_as_one_line():
    assert shell(["bash", "-lc", "make"])["command"] == "bash -lc make"


def said(at: datetime | str = NOON, **facts):
    moment = at if isinstance(at, str) else at.isoformat()
    written = line({"ts": moment, "tool": "Bash", "command": "x", "team_member": "ada", **facts})
    found = entry(written.encode())
    assert found
    return found


@pytest.mark.requirement("AUDIT-04")
@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        pytest.param(Wanted(), True, id="everything"),
        pytest.param(Wanted(member="ada"), True, id="this member"),
        pytest.param(Wanted(member="brook"), False, id="another member"),
        pytest.param(Wanted(tool="Bash"), True, id="this tool"),
        pytest.param(Wanted(tool="Write"), False, id="another tool"),
        pytest.param(Wanted(since=NOON), True, id="at that very moment"),
        pytest.param(Wanted(since=NOON + timedelta(seconds=1)), False, id="too old"),
        pytest.param(Wanted(member="ada", tool="Write"), False, id="only half of what is wanted"),
    ],
)
def test_a_line_is_taken_when_all_that_was_asked_fits(wanted, taken):
    assert wanted.takes(said()) is taken


@pytest.mark.requirement("AUDIT-04")
def test_a_line_without_a_readable_time_is_shown_but_never_new():
    assert Wanted().takes(said("yesterday"))
    assert not Wanted(since=NOON).takes(said("yesterday"))


@pytest.mark.requirement("AUDIT-02")
@pytest.mark.parametrize("torn", [b'{"ts":"20', b"\xff\xfe", b"[1]", b"null", b"", b"[" * 99_999])
def test_what_a_killed_writer_left_is_no_entry(torn):
    assert entry(torn) is None


def event(minutes: int, verb: str, subject: str) -> Event:
    return Event(minutes, "atlas", NOON + timedelta(minutes=minutes), "boss", verb, subject)


@pytest.mark.requirement("AUDIT-03")
@pytest.mark.parametrize(
    ("minutes", "phase"),
    [
        pytest.param(0, "-", id="before the first"),
        pytest.param(10, "plan", id="as it begins"),
        pytest.param(15, "plan", id="within"),
        pytest.param(25, "build", id="in the next"),
        pytest.param(35, "-", id="after it was left"),
        pytest.param(45, "build", id="in one entered again"),
    ],
)
def test_a_call_belongs_to_the_phase_that_held_at_its_time(minutes, phase):
    known = phases(
        [
            event(10, "phase.entered", "plan"),
            event(12, "task.claimed", "T-1"),
            event(20, "phase.entered", "build"),
            event(30, "phase.left", "build"),
            event(40, "phase.entered", "build"),
        ]
    )
    assert phase_at(known, NOON + timedelta(minutes=minutes)) == phase


@pytest.mark.requirement("AUDIT-03")
def test_tool_use_is_counted_by_member_phase_and_tool():
    known = phases([event(10, "phase.entered", "plan")])
    later = NOON + timedelta(minutes=11)
    entries = [
        said(later),
        said(later, refused="C-1"),
        said(),
        said(later, tool="Write", team_member="brook"),
        said("no time"),
    ]
    assert tool_use(entries, known) == [
        Use("ada", "-", "Bash", 2, 0),
        Use("ada", "plan", "Bash", 2, 1),
        Use("brook", "plan", "Write", 1, 0),
    ]


def test_a_segment_is_found_by_its_name_alone():
    assert number_of(name_of(12)) == 12
    odd = ["current.jsonl", "segment-1.jsonl", "segment-0000001x.jsonl", "segment-00000001"]
    assert [number_of(name) for name in odd] == [0, 0, 0, 0]
    assert [kept_number(text) for text in (b"00000012", b"", b"12", b"garbage!")] == [12, 0, 0, 0]


WAS = Seal(name_of(1), Measure("a" * 64, 10, 1000), "home-1")


def test_a_seal_survives_being_written_as_words():
    assert read_seal(str(WAS)) == WAS
    assert read_seal("T-12") is None


@pytest.mark.requirement("AUDIT-02")
@pytest.mark.parametrize(
    ("now", "what"),
    [
        pytest.param(WAS.measure, None, id="as it was"),
        pytest.param(None, "is missing", id="gone"),
        pytest.param(Measure("b" * 64, 5, 500), "was cut", id="shorter"),
        pytest.param(Measure("b" * 64, 11, 1100), "was lengthened", id="longer"),
        pytest.param(Measure("b" * 64, 10, 1000), "was changed", id="other bytes"),
    ],
)
def test_a_segment_is_compared_with_its_seal(now, what):
    found = fault(WAS, now)
    assert (found.what if found else None) == what


@pytest.mark.requirement("AUDIT-02")
def test_a_number_without_seal_and_file_is_a_gap_and_a_run_of_them_one_fault():
    now = {name_of(1): WAS.measure, name_of(3): WAS.measure}
    assert [str(one) for one in faults({WAS.segment: WAS}, now, 99_999_999)] == [
        f"{name_of(2)} is missing: taken away before anything was sealed",
        f"{name_of(4)} to {name_of(99_999_999)} is missing: taken away before anything was sealed",
    ]
    assert list(faults({}, {}, 0)) == []
    assert isinstance(next(faults({}, {}, 1)), Fault)
