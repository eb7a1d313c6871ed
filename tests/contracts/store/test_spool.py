"""What the spool's folders promise: order, claims that come back, quarantine, and little that is kept."""

import inspect
import json
import os
import socket
import stat
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drumline.store import spool as spooling
from drumline.store import spool_order
from drumline.team.settled import LONGEST, Why
from tests.spooling import (
    SAID,
    drain,
    drop,
    invalid,
    new_spool,
    opened,
    processed,
    stop,
    text_in,
    waiting,
)

pytestmark = pytest.mark.requirement("SYNC-02")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def spool(tmp_path):
    return new_spool(tmp_path)


@pytest.fixture
def files(spool, clock):
    return opened(spool, clock)


def names(claims):
    return [claim.name for claim in claims]


def age(path, **span):
    then = (NOON - timedelta(**span)).timestamp()
    os.utime(path, (then, then))


# claims


def test_files_are_claimed_in_the_order_they_came_then_by_name(spool, files):
    given = {"b": 2, "d": 1, "a": 2, "c": 3}
    for name, second in given.items():
        drop(spool, name=name, at=second)
    assert names(files.claim(3, NOON)) == ["d", "a", "b"]
    assert names(files.claim(3, NOON)) == ["c"]
    assert waiting(spool) == []


def test_a_long_line_keeps_its_order_through_many_batches(spool, files):
    for number in range(25):
        drop(spool, name=f"{number:02}", at=100 - number)
    found = [name for _ in range(5) for name in names(files.claim(5, NOON))]
    assert found == [f"{number:02}" for number in reversed(range(25))]


def test_a_file_is_claimed_by_one(spool):
    for _ in range(20):
        drop(spool)
    first, second = opened(spool), opened(spool)
    assert first.pending(NOON)
    assert second.pending(NOON)
    one, other = first.claim(10, NOON), second.claim(30, NOON)
    assert len(set(names(one)) | set(names(other))) == len(one) + len(other) == 20


def test_an_empty_spool_and_none_at_all_have_nothing(tmp_path, files):
    assert not files.pending(NOON)
    assert files.claim(5, NOON) == []
    nowhere = opened(tmp_path / "nowhere")
    assert not nowhere.pending(NOON)
    nowhere.tidy(NOON)


def test_what_is_given_back_keeps_its_place_in_the_line(spool, files):
    drop(spool, name="first", at=1)
    drop(spool, name="second", at=2)
    claims = files.claim(1, NOON)
    files.release(claims)
    assert waiting(spool) == ["first", "second"]
    assert names(opened(spool).claim(1, NOON)) == ["first"]


def test_a_claim_that_nobody_finishes_comes_back_after_five_minutes(spool, files):
    drop(spool, name="lost")
    files.claim(1, NOON)
    after = opened(spool)
    later = NOON + timedelta(minutes=4, seconds=59)
    assert not after.pending(later)
    assert after.claim(1, later) == []
    later = NOON + timedelta(minutes=5)
    assert after.pending(later)
    assert names(after.claim(1, later)) == ["lost"]


def test_a_claim_that_comes_back_does_not_replace_what_came_meanwhile(spool, files):
    drop(spool, "old", name="same")
    files.claim(1, NOON)
    drop(spool, "new", name="same")
    later = NOON + timedelta(minutes=6)
    found = [claim.found["sha256"] for claim in opened(spool).claim(5, later)]
    assert found == [sha256(b"new").hexdigest()]
    assert opened(spool).recover(later + timedelta(minutes=6)) == 1  # the other waits its turn


def test_a_late_drainer_whose_claims_were_taken_back_does_no_harm(spool, files):
    drop(spool, name="slow")
    late = files.claim(1, NOON)
    later = NOON + timedelta(minutes=6)
    new = opened(spool).claim(1, later)
    files.keep([(late[0], {"reason": "woke"})])
    files.release(late)
    assert waiting(spool) == []
    assert Path(new[0].place).exists()


def test_a_file_that_cannot_be_read_now_is_given_back(spool, files, monkeypatch):
    drop(spool, name="20260101T120000Z-1-2.claude.json")

    def too_many(*_):
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", too_many)
        assert files.claim(5, NOON) == []
    assert waiting(spool) == ["20260101T120000Z-1-2.claude.json"]
    assert len(files.claim(5, NOON)) == 1


# what is not an event


def test_whatever_lies_there_is_quarantined_with_the_reason_and_the_rest_goes_on(
    spool, store, tmp_path
):
    there = spool / "incoming"
    victim = tmp_path / "victim"
    victim.write_text("keep me")
    drop(spool, name="odd name")
    drop(spool, name=".hidden")
    drop(spool, "junk", name="20260101T120000Z-1-1.claude.json")
    drop(spool, stop(hook_event_name="SubagentStop"), name="20260101T120000Z-1-2.claude.json")
    (there / "20260101T120000Z-1-3.claude.json").symlink_to(victim)
    os.mkfifo(there / "20260101T120000Z-1-4.claude.json")
    (there / "20260101T120000Z-1-5.claude.json" / "deep" / "er").mkdir(parents=True)
    os.link(victim, there / "20260101T120000Z-1-6.claude.json")
    with (there / "20260101T120000Z-1-7.claude.json").open("wb") as huge:
        huge.truncate(10**12)
    drop(spool, "", name="oversize-1-8.claude.json")
    (there / "20260101T120000Z-1-9.claude.json").symlink_to("20260101T120000Z-1-9.claude.json")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(there / "s"))
    (there / os.fsdecode(b"\xff\xfe")).write_text("x")
    drop(spool, "x" * (LONGEST + 1), name="20260101T120000Z-1-a.claude.json")
    drop(spool, member="ada")
    counts = drain(store, spool)
    assert counts == {
        "woke": 1,
        "bad-name": 3,
        "malformed": 1,
        "other-event": 1,
        "not-a-file": 6,
        "oversize": 3,
    }
    assert waiting(spool) == []
    assert victim.read_text() == "keep me"
    assert sorted(set(invalid(spool).values())) == sorted(set(counts) - {"woke"})
    assert invalid(spool)["odd name"] == "bad-name"
    assert drain(store, spool) == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_another_users_file_is_not_believed(spool, store):
    os.chown(drop(spool, member="ada"), 12345, 12345)
    assert drain(store, spool) == {"not-ours": 1}


def test_a_name_that_cannot_be_claimed_holds_nobody_up(spool, files, monkeypatch):
    drop(spool, name="stuck", at=1)
    drop(spool, name="free", at=2)
    rename = os.rename

    def refuse(source, target):
        if source.endswith("incoming/stuck"):
            raise PermissionError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(os, "rename", refuse)
    assert names(files.claim(1, NOON)) == ["free"]
    assert not files.pending(NOON)


def test_a_folder_that_is_a_link_is_not_followed(tmp_path, spool, files):
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("x")
    (spool / "incoming").rmdir()
    (spool / "incoming").symlink_to(other)
    assert files.claim(5, NOON) == []
    assert (other / "file").exists()


def test_what_lies_behind_a_link_is_nothing_to_claim(tmp_path, spool, files):
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").write_text("x")
    (spool / "incoming").rmdir()
    (spool / "incoming").symlink_to(other)
    assert not files.pending(NOON)


@pytest.mark.parametrize("year", [40_000, -40_000])
@pytest.mark.parametrize(
    "place", [".turn-1-x", "processing/x", "processed/x.jsonl", "incoming/x.claude.json"]
)
def test_a_time_that_no_calendar_has_stops_nothing(store, place, year):
    with TemporaryDirectory(dir="/dev/shm") as memory:  # where files can bear such a time
        spool = new_spool(Path(memory))
        strange, then = spool / place, (year - 1970) * 365 * 86_400
        strange.write_text("{}")
        os.utime(strange, (then, then))
        assert strange.stat().st_mtime == then
        drop(spool, member="ada")
        assert drain(store, spool)["woke"] == 1


def test_a_folder_that_comes_twice_is_counted_twice_and_no_more(spool, store, clock):
    for _ in range(2):
        folder = spool / "incoming" / "20260101T120000Z-1-3.claude.json"
        folder.mkdir()
        (folder / "file").write_text("x")
        assert drain(store, spool) == {"not-a-file": 1}
    clock.advance(minutes=6)
    assert drain(store, spool) == {}


def test_a_folder_too_deep_to_be_removed_keeps_nothing_else(spool, files):
    deep, old, orphan = spool / "invalid" / "deep", spool / "invalid" / "old", spool / ".turn-1"
    (deep / "/".join("d" * 300)).mkdir(parents=True)
    for path, hours in ((deep, 80), (old, 90), (orphan, 2)):
        path.touch()
        age(path, hours=hours)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)  # as if it were as deep as it can be made
    try:
        files.tidy(NOON)
    finally:
        sys.setrecursionlimit(usual)
    # a later Python removes the deep one too
    assert (old.exists(), orphan.exists()) == (False, False)


def test_a_claim_made_before_the_clock_was_set_back_comes_back(spool, files):
    drop(spool, name="a")
    files.claim(1, NOON)
    assert opened(spool).recover(NOON - timedelta(hours=6)) == 1


# what is kept


def test_nothing_of_what_an_agent_said_is_kept(spool, store):
    for number in range(3):
        drop(spool, stop(prompt_id=f"p{number}"), member="ada")
    drop(spool, json.dumps(stop())[:-1])
    drop(spool, name="odd")
    assert SAID.encode() in text_in(spool)
    drain(store, spool)
    assert SAID.encode() not in text_in(spool)
    assert [record["reason"] for record in processed(spool)] == ["woke"] * 3


def test_all_files_are_their_owners_alone(spool, store):
    drop(spool, member="ada")
    drop(spool, "junk")
    drain(store, spool)
    made = [path for path in spool.rglob("*") if path.is_file()]
    assert made
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}
    folders = [spool, *(path for path in spool.rglob("*") if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def record(spool, folder, number, lines=1, **span):
    path = spool / folder / f"{number:05}.json"
    path.write_text("{}\n" * lines)
    age(path, **(span or {"seconds": number}))
    return path


def test_the_newest_thousand_records_of_a_day_stay(spool, files):
    for number in range(30):
        record(spool, "processed", number, lines=50)
    old = record(spool, "processed", 99, hours=24)
    young = record(spool, "processed", 98, lines=0, seconds=0)
    files.tidy(NOON)
    left = sorted(path.name for path in (spool / "processed").iterdir())
    assert young.name in left
    assert old.name not in left
    assert left[:-1] == [f"{number:05}.json" for number in range(19)]


def test_the_newest_hundred_of_three_days_stay_in_quarantine(spool, files, clock):
    for number in range(110):
        record(spool, "invalid", number)
    record(spool, "invalid", 200, hours=71)
    files.tidy(NOON)
    assert len(list((spool / "invalid").iterdir())) == 100
    for path in (spool / "invalid").iterdir():
        age(path, hours=72)
    (spool / "invalid" / "folder").mkdir()
    (spool / "invalid" / "folder" / "file").touch()
    age(spool / "invalid" / "folder", hours=80)
    opened(spool, clock).tidy(NOON)
    assert list((spool / "invalid").iterdir()) == []


def test_what_hooks_began_and_never_finished_goes_after_an_hour(spool, files):
    old, new = spool / ".turn-1-2", spool / ".turn-3-4"
    old.touch()
    new.touch()
    age(old, minutes=60)
    age(new, minutes=59)
    files.tidy(NOON)
    assert (old.exists(), new.exists()) == (False, True)


def test_a_long_drain_keeps_no_more_than_it_must(spool, store):
    for number in range(2200):
        drop(spool, '{"hook_event_name":"Stop"}', name=f"20260101T120000Z-{number}-0.claude.json")
    assert drain(store, spool) == {"unknown": 2200}
    assert len(processed(spool)) <= 1000


# coming again


def test_a_file_that_comes_again_under_its_name_meanwhile_is_of_the_next_batch(spool, files):
    drop(spool, name="first", at=1)
    drop(spool, name="second", at=2)
    assert names(files.claim(1, NOON)) == ["first"]
    drop(spool, name="first", at=3)
    rename, batches = os.rename, []

    def and_again(source, target):
        rename(source, target)
        if target.endswith("second"):
            drop(spool, name="second", at=4)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "rename", and_again)
        batches = [names(files.claim(9, NOON)), names(files.claim(9, NOON))]
    assert [sorted(each) for each in batches] == [["first", "second"], ["second"]]


def test_what_comes_again_leaves_the_records_that_it_was_filed_with(spool, store):
    drop(spool, at=1)
    drop(spool, member="ada", at=2)
    drain(store, spool)
    spool_order.bring_back(str(spool), Why.UNKNOWN)
    drain(store, spool)
    assert sorted(record["reason"] for record in processed(spool)) == ["unknown", "woke"]


def test_what_cannot_be_moved_never_hides_the_rest_however_much_it_is(spool, files, monkeypatch):
    for number in range(3):
        drop(spool, name=f"stuck-{number}", at=number)
    drop(spool, name="free", at=9)
    rename = os.rename

    def refuse(source, target):
        if "stuck" in source:
            raise PermissionError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(os, "rename", refuse)
    monkeypatch.setattr(spooling, "MOST_LISTED", 3)
    assert [names(files.claim(1, NOON)), names(files.claim(1, NOON))] == [[], ["free"]]


def test_a_file_with_another_name_is_never_opened(spool, store, tmp_path, monkeypatch):
    """To close the store's own file would let go of every lock that this process has on it."""
    (tmp_path / "state.db").write_text("{}")
    os.link(tmp_path / "state.db", spool / "incoming/20260101T120000Z-1-1.claude.json")
    os.link(tmp_path / "state.db", spool / "processed/1.jsonl")
    (spool / "processed/2.jsonl").symlink_to(tmp_path / "state.db")
    own, opened_, open_ = (tmp_path / "state.db").stat().st_ino, [], os.open

    def watched(path, *words, **more):
        handle = open_(path, *words, **more)
        opened_.append(os.fstat(handle).st_ino)
        return handle

    monkeypatch.setattr(os, "open", watched)
    assert drain(store, spool) == {"not-a-file": 1}
    spool_order.contents(str(spool))
    spool_order.bring_back(str(spool), Why.UNKNOWN)
    assert own not in opened_


def test_what_came_to_nothing_can_come_again_under_its_own_name(spool, store):
    lost = drop(spool)
    drop(spool, member="ada")
    drain(store, spool)
    assert spool_order.bring_back(str(spool), Why.UNKNOWN) == 1
    assert waiting(spool) == [lost.name]
    assert [record["reason"] for record in processed(spool)] == ["woke"]
    assert drain(store, spool) == {"unknown": 1}
    assert store.ask(lambda tx: tx.drained()) == {"unknown": 1, "woke": 1}
    assert spool_order.bring_back(str(spool), Why.LEAD) == 0


def test_what_comes_again_is_written_through_no_link(tmp_path, spool, store):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (spool / f".turn-{os.getpid()}").symlink_to(precious)
    drop(spool)
    drop(spool, member="ada")
    drain(store, spool)
    assert spool_order.bring_back(str(spool), Why.UNKNOWN) == 1
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "../x", ".."])
def test_a_record_with_a_name_that_is_none_does_not_come_again(spool, name):
    said = {"settled": {"arrival": name}, "reason": "unknown"}
    (spool / "processed" / "x.jsonl").write_text(json.dumps(said))
    assert spool_order.bring_back(str(spool), Why.UNKNOWN) == 0
    assert waiting(spool) == []


def test_a_spoiled_record_is_left_alone(spool):
    for number, text in enumerate(
        [
            "",
            "junk",
            "[]",
            '{"reason":"unknown"}',
            '{"settled":{"arrival":"../x"},"reason":"unknown"}',
        ]
    ):
        (spool / "processed" / f"{number}.jsonl").write_text(text)
    assert spool_order.bring_back(str(spool), Why.UNKNOWN) == 0
    assert not (spool / "x").exists()


def test_what_is_where_is_told(spool, store):
    drop(spool, member="ada")
    drop(spool, "junk")
    drain(store, spool)
    drop(spool)
    drop(spool, at=1)
    opened(spool).claim(1, NOON)
    (spool / ".turn-1-2").touch()
    found = spool_order.contents(str(spool))
    assert found == (1, 1, 1, 1, 1, {"malformed": 1})
