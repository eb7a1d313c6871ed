"""Seals on the audit trail: what was changed, cut or taken away is found by name."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from drumline.control import trail as control
from drumline.control.trail import SEALED
from drumline.errors import NotAllowed, StoreTrouble
from drumline.hooks import trail as hooks
from drumline.store.trails import AuditFiles
from drumline.team.audit import line
from drumline.team.journal import fold
from drumline.team.seal import Seal
from drumline.team.segment import CURRENT, LOCK, name_of
from drumline.team.trail import Use, Wanted
from tests.words import BOSS, teammate, verbs

pytestmark = pytest.mark.requirement("AUDIT-02")


@pytest.fixture
def files(tmp_path):
    return AuditFiles(str(tmp_path / "audit"), home="home-1", rotate=hooks.rotate)


def write(files, *commands: str, at: str = "2026-01-01T12:00:00Z", **facts) -> None:
    for command in commands:
        said = {"ts": at, "tool": "Bash", "command": command, "team_member": "ada", **facts}
        assert hooks.append(files.folder, line(said))


def finished(files, *commands: str, **facts) -> str:
    """The name of a segment with these commands in it."""
    write(files, *commands, **facts)
    assert files.rotate()
    return name_of(files.highest())


def commands(entries) -> list[str]:
    return [entry.target for entry in entries]


def tampered(files, segment: str):
    """A finished segment opened by someone who may write it after all."""
    path = Path(files.folder) / segment
    path.chmod(0o600)
    return path.open("r+b")


def faults(store, files) -> list[tuple[str, str]]:
    return [(fault.segment, fault.what) for fault in control.verify(store, files).faults]


def test_every_finished_segment_is_sealed_once(store, files):
    first, second = finished(files, "a", "b"), finished(files, "c")
    write(files, "d")
    done = control.seal(store, BOSS, files)
    assert [(one.segment, one.measure.lines) for one in done] == [(first, 2), (second, 1)]
    assert control.seal(store, BOSS, files) == []
    assert verbs(store).count(SEALED) == 2


def test_a_seal_is_an_event_that_folds_like_any_other(store, files):
    finished(files, "a")
    control.seal(store, "drumline", files)
    events, _ = store.ask(lambda tx: tx.journal.last(most=1))
    assert events[0].subject.startswith(f"{name_of(1)} sha256:")
    assert (events[0].actor, events[0].changes) == ("drumline", ())
    assert fold(events)["tasks"] == {}


def test_two_who_seal_at_once_leave_one_seal(store, files):
    finished(files, "a")
    known = store.ask(control.seals, files.home)
    (sealed,) = control.seal(store, BOSS, files)
    assert store.do(control.record, BOSS, [sealed], known) == []


def test_sealing_everything_turns_the_growing_file_over_first(store, files):
    write(files, "a", "b")
    (done,) = control.rotate_and_seal(store, BOSS, files)
    assert (done.segment, done.measure.lines) == (name_of(1), 2)
    assert control.verify(store, files).unsealed_lines == 0


def test_a_teammate_neither_seals_nor_turns_over(store, files):
    segment = finished(files, "a")
    write(files, "b")
    for sealing in (control.rotate_and_seal, control.seal):
        with pytest.raises(NotAllowed, match="may not seal"):
            sealing(store, teammate("ada"), files)
    assert files.segments() == [segment]
    assert SEALED not in verbs(store)


def test_a_trail_that_cannot_be_turned_over_is_told(store, tmp_path):
    (tmp_path / "audit").write_text("not a folder")
    files = AuditFiles(str(tmp_path / "audit"), home="home-1", rotate=hooks.rotate)
    with pytest.raises(StoreTrouble, match="cannot be turned over"):
        control.rotate_and_seal(store, BOSS, files)


def test_an_untouched_trail_is_proved_and_says_what_is_not_sealed(store, files):
    finished(files, "a", "b")
    control.seal(store, BOSS, files)
    finished(files, "c")
    write(files, "d", "e")
    found = control.verify(store, files)
    assert (found.segments, found.lines, found.faults) == (1, 2, ())
    assert (found.unsealed_segments, found.unsealed_lines) == (1, 3)


def test_a_changed_byte_is_found(store, files):
    finished(files, "a")
    segment = finished(files, "rm -rf build")
    control.seal(store, BOSS, files)
    with tampered(files, segment) as file:
        text = file.read().replace(b"rm -rf", b"ls -la")
        file.seek(0)
        file.write(text)
    assert faults(store, files) == [(segment, "was changed")]


def test_a_cut_segment_is_found(store, files):
    segment = finished(files, "a", "b")
    control.seal(store, BOSS, files)
    with tampered(files, segment) as file:
        file.truncate(len(file.readline()))
    assert faults(store, files) == [(segment, "was cut")]


def test_an_added_line_is_found(store, files):
    segment = finished(files, "a")
    control.seal(store, BOSS, files)
    with tampered(files, segment) as file:
        file.seek(0, os.SEEK_END)
        file.write(b"{}\n")
    assert faults(store, files) == [(segment, "was lengthened")]


def test_a_removed_segment_is_found_and_so_is_one_replaced_by_a_link(store, files, tmp_path):
    first, second = finished(files, "a"), finished(files, "b")
    control.seal(store, BOSS, files)
    (tmp_path / "audit" / first).unlink()
    (tmp_path / "audit" / second).rename(tmp_path / "elsewhere")
    (tmp_path / "audit" / second).symlink_to(tmp_path / "elsewhere")
    assert faults(store, files) == [(first, "is missing"), (second, "is missing")]


def test_a_segment_removed_before_it_was_sealed_leaves_a_gap(store, files, tmp_path):
    first, second = finished(files, "a"), finished(files, "b")
    (tmp_path / "audit" / second).unlink()
    assert faults(store, files) == [(second, "is missing")]
    (tmp_path / "audit" / first).unlink()
    assert faults(store, files) == [(f"{first} to {second}", "is missing")]


def test_the_whole_folder_removed_is_found(store, files, tmp_path):
    segment = finished(files, "a")
    control.seal(store, BOSS, files)
    (tmp_path / "audit").rename(tmp_path / "gone")
    assert faults(store, files) == [(segment, "is missing")]


def test_sealing_again_does_not_hide_a_change(store, files):
    segment = finished(files, "a")
    control.seal(store, BOSS, files)
    with tampered(files, segment) as file:
        file.write(b"[")
    assert control.seal(store, BOSS, files) == []
    forged = Seal(segment, files.measure(segment), files.home)
    store.do(lambda tx: tx.record("ada", SEALED, str(forged)))
    assert faults(store, files) == [(segment, "was changed")]


def test_two_repositories_of_one_team_do_not_mix_their_seals(store, files, tmp_path):
    other = AuditFiles(str(tmp_path / "other"), home="home-2", rotate=hooks.rotate)
    finished(files, "a")
    finished(other, "b", "c")
    assert len(control.seal(store, BOSS, files)) == len(control.seal(store, BOSS, other)) == 1
    assert control.verify(store, files).lines == 1
    assert control.verify(store, other).lines == 2


def test_sealing_makes_read_only_what_a_killed_writer_left_writable(store, files, tmp_path):
    write(files, "a")
    (tmp_path / "audit" / CURRENT).rename(tmp_path / "audit" / name_of(1))
    control.seal(store, BOSS, files)
    assert (tmp_path / "audit" / name_of(1)).stat().st_mode & 0o777 == 0o400


@pytest.mark.requirement("AUDIT-04")
def test_the_newest_wanted_lines_are_found_across_segments(files):
    for number in range(5):
        finished(files, f"a{number}", f"b{number}", team_member="ada" if number % 2 else "brook")
    write(files, "last", team_member="ada")
    assert commands(files.newest(Wanted(), 3).entries) == ["a4", "b4", "last"]
    ada = Wanted(member="ada")
    assert commands(files.newest(ada, 4).entries) == ["b1", "a3", "b3", "last"]
    assert commands(files.entries(ada)) == ["a1", "b1", "a3", "b3", "last"]


@pytest.mark.requirement("AUDIT-04")
def test_since_leaves_out_what_is_older_without_reading_it(files, clock, tmp_path):
    for hour in range(4):
        moment = clock.now() + timedelta(hours=hour)
        finished(files, f"at {hour}", at=moment.isoformat())
    (tmp_path / "audit" / name_of(1)).write_bytes(b"never looked at\n")
    wanted = Wanted(since=clock.now() + timedelta(hours=2))
    assert commands(files.entries(wanted)) == ["at 2", "at 3"]
    assert files.newest(wanted, 10).unreadable == 0


@pytest.mark.requirement("AUDIT-04")
def test_following_goes_on_through_rotations_and_waits_for_a_whole_line(files, tmp_path):
    write(files, "a")
    page = files.newest(Wanted(), 10)
    write(files, "b")
    finished(files, "c")
    finished(files, "d")
    write(files, "e")
    with (tmp_path / "audit" / CURRENT).open("ab") as file:
        file.write(b'{"half":')
    page = files.after(page.place, Wanted())
    assert commands(page.entries) == ["b", "c", "d", "e"]
    assert files.after(page.place, Wanted()).entries == []
    write(files, "f")
    page = files.after(page.place, Wanted())
    assert (commands(page.entries), page.unreadable) == (["f"], 1)


@pytest.mark.requirement("AUDIT-04")
def test_following_begins_before_there_is_a_trail(files):
    page = files.newest(Wanted(), 10)
    assert page.entries == []
    write(files, "a")
    assert commands(files.after(page.place, Wanted()).entries) == ["a"]


@pytest.mark.requirement("AUDIT-04")
def test_a_kept_number_gone_wild_hangs_nobody(files, tmp_path):
    finished(files, "a")
    page = files.newest(Wanted(), 10)
    (tmp_path / "audit" / LOCK).write_bytes(b"99999999")
    write(files, "b")
    assert commands(files.entries(Wanted())) == ["a", "b"]
    assert commands(files.after(page.place, Wanted()).entries) == ["b"]


@pytest.mark.requirement("AUDIT-03")
def test_tool_use_is_told_per_member_and_phase(store, files, clock):
    def enter(verb, phase):
        clock.advance(minutes=10)
        store.do(lambda tx: tx.record("boss", verb, phase))

    def act(tool, **facts):
        clock.advance(minutes=1)
        write(files, "x", at=clock.now().isoformat(), tool=tool, **facts)

    act("Bash")
    enter("phase.entered", "plan")
    act("Bash")
    act("Write", team_member="brook")
    enter("phase.entered", "build")
    act("Bash", refused="C-TEAM-004")
    act("Bash")
    found = control.tools(store, files, Wanted())
    assert found == [
        Use("ada", "-", "Bash", 1, 0),
        Use("ada", "build", "Bash", 2, 1),
        Use("ada", "plan", "Bash", 1, 0),
        Use("brook", "plan", "Write", 1, 0),
    ]
    assert control.tools(store, files, Wanted(member="ada"), phase="plan") == [found[2]]


def test_a_line_nobody_of_ours_wrote_is_counted_and_stops_nothing(files, tmp_path):
    write(files, "a")
    with (tmp_path / "audit" / CURRENT).open("ab") as file:
        file.write(b"\xff\x00 what\n[1, 2]\n" + json.dumps({"ts": 5, "tool": []}).encode() + b"\n")
    write(files, "b")
    page = files.newest(Wanted(), 10)
    assert (commands(page.entries), page.unreadable) == (["a", "", "b"], 2)
