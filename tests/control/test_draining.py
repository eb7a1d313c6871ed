"""What draining promises: alone, in batches, in its time, through any trouble; time is turned by hand."""

import json
import shutil
from datetime import timedelta
from hashlib import sha256

import pytest

from drumline.control import duties
from drumline.control.attribution import Grounds
from drumline.control.draining import BATCH
from drumline.control.intake import take_in
from drumline.errors import StoreTrouble
from drumline.settings import Settings
from drumline.store import spool_order
from drumline.store.spool import Spool
from drumline.team.settled import Why
from drumline.wiring import spooling
from tests.spooling import drainer, drop, invalid, new_spool, opened, processed, stop, waiting
from tests.words import verbs

pytestmark = pytest.mark.requirement("SYNC-09")


@pytest.fixture
def spool(tmp_path):
    return new_spool(tmp_path)


def counts(store):
    return store.ask(lambda tx: tx.drained())


def fill(spool, count, member="ada"):
    for _ in range(count):
        drop(spool, member=member)


def test_fifty_at_a_time_at_once_again_when_full_and_else_after_ten_seconds(store, clock, spool):
    fill(spool, 120)
    draining = drainer(store, spool)
    seen = []
    while draining.look():
        seen.append(120 - len(waiting(spool)))
    assert seen == [50, 100]
    assert counts(store) == {"woke": 120}
    fill(spool, 1)
    clock.advance(seconds=9.9)
    assert not draining.look()
    assert len(waiting(spool)) == 1
    clock.advance(seconds=0.1)
    assert not draining.look()
    assert waiting(spool) == []


def test_a_folder_that_becomes_a_link_between_two_batches_is_not_followed(store, spool, tmp_path):
    for number in range(BATCH):
        drop(spool, at=1000 + number)
    drop(spool, name="precious.txt", at=9000)
    draining, elsewhere = drainer(store, spool), tmp_path / "elsewhere"
    assert draining.look()
    (spool / "incoming").rename(spool / "was")
    elsewhere.mkdir()
    (elsewhere / "precious.txt").write_text("mine")
    (spool / "incoming").symlink_to(elsewhere)
    draining.look()
    assert (elsewhere / "precious.txt").read_text() == "mine"


def test_a_spool_that_is_gone_between_two_batches_is_empty(store, spool):
    fill(spool, BATCH + 1)
    draining = drainer(store, spool)
    assert draining.batch().full
    shutil.rmtree(spool)
    assert draining.batch().counts == {}


@pytest.mark.parametrize("letter", ["x", "\u6f22", "\U0001f941", '"'])
def test_turns_with_the_longest_paths_all_come_again(store, spool, letter):
    for number in range(BATCH):
        paths = {"cwd": f"/{letter * 4095}", "transcript_path": f"/{letter * 4095}"}
        drop(spool, stop(session_id=f"nobody-{number}", **paths))
    drainer(store, spool).look()
    assert counts(store) == {"unknown": BATCH}
    assert spool_order.bring_back(str(spool), Why.UNKNOWN) == BATCH
    assert len(waiting(spool)) == BATCH


def test_a_clock_that_is_set_back_keeps_nothing_waiting(store, clock, spool):
    draining = drainer(store, spool)
    draining.look()
    clock.advance(hours=-6)
    fill(spool, 1)
    draining.look()
    assert waiting(spool) == []


def test_a_clock_that_is_set_back_keeps_nothing_remembered_for_longer(store, clock, spool):
    draining = drainer(store, spool)
    draining.look()
    clock.advance(hours=-60)
    fill(spool, 1)
    draining.look()
    clock.advance(hours=49)
    draining.look()
    assert verbs(store)[-1] == "spool.forgot"


def test_a_spool_without_news_costs_the_store_no_word(store, clock, spool):
    draining, before = drainer(store, spool), verbs(store)
    for _ in range(10):
        assert not draining.look()
        clock.advance(seconds=10)
    assert verbs(store) == before


def test_while_one_drains_another_does_not(store, clock, spool):
    fill(spool, 2 * BATCH + 10)
    first, second = drainer(store, spool, "box:1/1"), drainer(store, spool, "box:2/2")
    assert first.batch().full
    found = second.batch()
    assert (found.elsewhere, dict(found.counts)) == ("box:1/1", {})
    assert len(waiting(spool)) == BATCH + 10
    clock.advance(seconds=40)
    assert first.batch().full
    clock.advance(seconds=40)
    assert second.batch().elsewhere == "box:1/1"
    assert not first.batch().full
    assert store.ask(duties.held) == []
    fill(spool, 1)
    assert second.batch().counts == {Why.WOKE: 1}


def test_a_drainer_that_lost_its_lease_stops(store, clock, spool):
    fill(spool, 2 * BATCH + 10)
    first, second = drainer(store, spool, "box:1/1"), drainer(store, spool, "box:2/2")
    assert first.batch().full
    clock.advance(seconds=60)
    assert second.batch().full
    assert first.batch().elsewhere == "box:2/2"


def test_the_duty_of_a_dead_one_is_taken_over_at_once(store, spool):
    fill(spool, BATCH + 10)
    drainer(store, spool, "box:1/1").batch()
    after = drainer(store, spool, "box:2/2", dead=("box:1/1",))
    assert after.batch().counts == {Why.WOKE: 10}


def test_what_a_killed_drainer_had_claimed_comes_back_and_counts_once(store, clock, spool):
    fill(spool, 10)
    opened(spool).claim(10, clock.now())  # and then no more
    after = drainer(store, spool, "box:2/2")
    assert after.batch().counts == {}
    clock.advance(minutes=5)
    assert after.batch().counts == {Why.WOKE: 10}
    assert counts(store) == {"woke": 10}


def test_what_a_killed_drainer_had_remembered_is_only_filed(store, clock, spool):
    fill(spool, 10)
    claims = opened(spool).claim(10, clock.now())
    turns = [each.told for each in claims]
    store.do(take_in, turns, {}, Grounds())  # and then no more
    assert counts(store) == {"woke": 10}
    clock.advance(minutes=5)
    assert drainer(store, spool).batch().counts == {Why.WOKE: 10}
    assert counts(store) == {"woke": 10}
    assert verbs(store).count("member.settled") == 1
    assert len(processed(spool)) == 10


class Troubled:
    """A store that cannot take these turns in."""

    def __init__(self, store, trouble, only=""):
        self._store, self._trouble, self._only = store, trouble, only
        self.ask = store.ask

    def do(self, verb, *words):
        if verb is take_in and any(self._only in turn.arrival for turn in words[0]):
            raise self._trouble
        return self._store.do(verb, *words)


def test_a_store_in_trouble_loses_nothing(store, spool):
    fill(spool, 10)
    with pytest.raises(StoreTrouble):
        drainer(Troubled(store, StoreTrouble("the disk is full")), spool).batch()
    assert len(waiting(spool)) == 10
    assert drainer(store, spool).batch().counts == {Why.WOKE: 10}


def test_one_turn_that_cannot_be_taken_keeps_no_other_from_it(store, spool):
    fill(spool, 5)
    bad = drop(spool, member="brook")
    digest = sha256(bad.read_bytes()).hexdigest()
    picky = Troubled(store, ValueError("something nobody thought of"), only=bad.name)
    assert drainer(picky, spool).batch().counts == {Why.WOKE: 5, Why.REFUSED: 1}
    assert invalid(spool) == {bad.name: "refused"}
    record = json.loads(next((spool / "invalid").iterdir()).read_text())
    assert record["sha256"] == digest
    assert counts(store) == {"refused": 1, "woke": 5}


def test_an_hour_of_stops_while_nobody_drained_is_picked_up_in_one_go(store, clock, spool):
    fill(spool, 3 * BATCH)
    fill(spool, 20, "brook")
    clock.advance(hours=1)
    draining = drainer(store, spool)
    while draining.look():
        clock.advance(seconds=1)
    assert counts(store) == {"woke": 3 * BATCH + 20}
    assert clock.now() - store.ask(lambda tx: tx.roster.get("brook")).settled_at <= timedelta(
        seconds=3
    )


def test_whatever_is_wrong_with_a_spool_a_plane_tells_it_once_and_goes_on(
    store, tmp_path, monkeypatch, capsys
):
    def refuse(*_words):
        raise OverflowError("year 40000 is out of range")

    monkeypatch.setattr(Spool, "pending", refuse)
    here = str(tmp_path)
    drain = spooling.drains(Settings(here, f"{here}/team.yaml", "", here), store)
    assert [drain(), drain()] == [False, False]
    assert capsys.readouterr().err.count("year 40000") == 1
