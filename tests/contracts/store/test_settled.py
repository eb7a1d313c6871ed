"""What every store promises about settled turns: each counts once, wakes once, and is in the log."""

import json
import threading

import pytest

from drumline.control import intake, sittings
from drumline.control.attribution import Grounds
from drumline.control.intake import take_in
from drumline.errors import BadInput, Conflict, NotAllowed
from drumline.store.engine import packed
from drumline.store.session import MANY
from drumline.store.spool_files import PROCESSED
from drumline.store.spool_order import KEPT
from drumline.store.sqlite import WIDE
from drumline.store.upkeep import Caretaker
from drumline.team.journal import fold
from drumline.team.settled import Hints, SettledTurn, Why
from drumline.team.sitting import Sitting
from tests.living import begin
from tests.spooling import drain, new_spool
from tests.words import BOSS, teammate, verbs

pytestmark = pytest.mark.requirement("SYNC-03", "SYNC-04")

NOWHERE = Grounds()
ADA = Hints(member="ada")


def turn(number=1, hints=ADA, **facts):
    usual = {"session": "s-1", "turn": f"p-{number}", "hints": hints}
    return SettledTurn("claude", f"arrival-{number}", "c0ffee", **{**usual, **facts})


def take(store, *turns, unread=None):
    return [each.why for each in store.do(take_in, turns, unread or {}, NOWHERE)]


def counts(store):
    return store.ask(lambda tx: tx.drained())


def settled(store):
    return verbs(store).count("member.settled")


def test_a_turn_is_remembered_counted_and_its_member_settled(store, clock):
    assert take(store, turn()) == [Why.WOKE]
    assert counts(store) == {"woke": 1}
    assert store.ask(lambda tx: tx.roster.get("ada")).settled_at == clock.now()


def test_many_turns_of_a_member_settle_it_once_a_batch(store):
    assert take(store, *map(turn, range(50))) == [Why.WOKE] * 50
    assert counts(store) == {"woke": 50}
    assert settled(store) == 1


def test_another_file_of_the_same_event_is_a_duplicate(store):
    again = turn()._replace(arrival="another")
    assert take(store, turn(), again) == [Why.WOKE, Why.DUPLICATE]
    assert take(store, again) == [Why.DUPLICATE]
    assert counts(store) == {"duplicate": 2, "woke": 1}
    assert settled(store) == 1


def test_the_same_file_read_again_changes_nothing(store):
    take(store, turn(), turn(2, Hints()))
    before = verbs(store), counts(store)
    assert take(store, turn(), turn(2, Hints())) == [Why.WOKE, Why.UNKNOWN]
    assert (verbs(store), counts(store)) == before


def test_what_came_to_nothing_may_come_to_something(store):
    lost = turn(1, Hints())
    assert take(store, lost) == [Why.UNKNOWN]
    store.do(sittings.sit, BOSS, Sitting("s-1", "claude", "ada", 0))
    assert take(store, lost) == [Why.WOKE]
    assert counts(store) == {"woke": 1}
    assert settled(store) == 1
    assert take(store, lost) == [Why.WOKE]
    assert settled(store) == 1


def test_what_could_not_be_read_is_counted_beside(store):
    take(store, turn(), unread={Why.OVERSIZE: 2})
    take(store, unread={Why.OVERSIZE: 1})
    assert counts(store) == {"oversize": 3, "woke": 1}


def test_nothing_at_all_leaves_no_word(store):
    before = verbs(store)
    assert take(store) == []
    assert verbs(store) == before


def test_teams_are_apart(store, stores):
    other = stores.open("boreas")
    take(store, turn())
    assert take(other, turn()) == [Why.WOKE]
    assert counts(other) == {"woke": 1}


def test_the_log_gives_the_tables_and_the_store_is_clean(store):
    store.do(sittings.sit, BOSS, Sitting("s-9", "claude", "brook", 0, cwd="/repo"))
    take(store, turn(), turn(2, Hints()), turn(3, session="s-9", hints=Hints()))
    take(store, turn(2, ADA))
    events, _ = store.ask(lambda tx: tx.journal.last(most=10_000))
    tables = fold(events)
    assert {row["why"] for row in tables["settled_turns"].values()} == {"woke"}
    assert [row["member"] for row in tables["sittings"].values()] == ["brook"]
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.parametrize("count", [1, MANY - 1, MANY, 3 * WIDE + MANY + 1])
def test_the_log_remembers_of_new_turns_exactly_what_the_table_holds(store, count):
    take(store, turn(0))
    again = [turn(number)._replace(arrival=f"again-{number}") for number in range(2)]
    take(store, *map(turn, range(count + 1)), *again)
    held = store.ask(lambda _: list(store.engine.scan("settled_turns", ("team", "id"))))
    rows = store.ask(lambda _: list(store.engine.scan("events", ("seq",))))
    told = [change for row in rows for change in json.loads(row["changes"])]
    kept = [row for table, row in told if table == "settled_turns"]
    assert sorted(map(packed, kept)) == sorted(map(packed, held))
    assert len(held) == max(count + 1, 2)


def test_of_eight_who_take_in_the_same_turns_each_counts_once(stores):
    links = [stores.open() for _ in range(8)]
    turns = [turn(number) for number in range(20)]
    threads = [threading.Thread(target=take, args=(link, *turns)) for link in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(links[0]) == {"woke": 20}
    assert settled(links[0]) == 1
    assert list(Caretaker(links[0].engine).check()) == []


def test_a_removed_members_turns_stay_known(store):
    take(store, turn())

    def remove(tx):
        tx.roster.remove("ada")
        tx.record("test", "member.removed", "ada")

    store.do(remove)
    assert take(store, turn(), turn(2)) == [Why.WOKE, Why.REMOVED]
    assert list(Caretaker(store.engine).check()) == []


# what is long over


@pytest.mark.requirement("SYNC-09")
def test_turns_are_forgotten_once_no_spool_can_bring_them_back(store, clock, tmp_path):
    spool = new_spool(tmp_path)
    assert KEPT[PROCESSED][1] < intake.REMEMBERED
    old, young = turn(), turn(2)
    take(store, old)
    clock.advance(seconds=intake.REMEMBERED.total_seconds() / 2)
    take(store, young)
    clock.advance(seconds=intake.REMEMBERED.total_seconds() / 2 + 1)
    drain(store, spool)
    assert store.ask(lambda tx: tx.settled.get(old.id)) is None
    assert store.ask(lambda tx: tx.settled.get(young.id)) is not None
    assert counts(store) == {"woke": 2}
    assert list(Caretaker(store.engine).check()) == []


def test_so_much_is_forgotten_at_a_time(store, clock):
    take(store, *(turn(number) for number in range(3)))
    clock.advance(days=3)
    assert [store.do(intake.forget, most=2) for _ in range(3)] == [True, False, False]
    assert verbs(store)[-2:] == ["spool.forgot", "spool.forgot"]


@pytest.mark.requirement("SYNC-04")
def test_sessions_of_long_ago_are_forgotten_but_for_the_last_of_each_member(store, clock):
    sit(store, session="first")
    sit(store, session="only", member="brook")
    clock.advance(days=1)
    sit(store, session="second")
    clock.advance(days=31)
    store.do(intake.forget)
    assert sitters(store, "first", "second", "only") == ["brook", "ada"]
    assert list(Caretaker(store.engine).check()) == []


# who sits where


def sit(store, actor=BOSS, session="s-1", member="ada", runtime="claude"):
    return store.do(sittings.sit, actor, Sitting(session, runtime, member, 0, cwd="/repo"))


def sitters(store, *sessions):
    found = store.ask(lambda tx: tx.sittings.among(sessions or {"s-1"}, ()))
    return [each.member for each in found]


def test_a_person_says_in_which_session_a_member_sits_and_may_say_another(store):
    told = sit(store)
    assert (told.member, told.incarnation, told.by) == ("ada", 1, str(BOSS))
    assert sit(store, member="brook").member == "brook"
    assert sitters(store) == ["brook"]


def test_a_member_speaks_for_itself_only(store):
    assert sit(store, teammate("ada")).member == "ada"
    with pytest.raises(NotAllowed):
        sit(store, teammate("brook"))


def test_nobody_sits_beside_a_runner_or_in_its_session(store):
    begin(store, "brook", session="s-2")
    with pytest.raises(Conflict, match="brook lives on box"):
        sit(store, member="brook")
    with pytest.raises(Conflict, match="that session is brook's"):
        sit(store, session="s-2")


@pytest.mark.parametrize("session", ["", "a b", "../x", "x" * 200, "a\n"])
def test_a_session_that_is_none_is_refused(store, session):
    with pytest.raises(BadInput):
        sit(store, session=session)


def test_another_runtime_than_the_members_is_refused(store):
    with pytest.raises(BadInput, match="ada lives in claude"):
        sit(store, runtime="codex")


def test_a_person_has_no_seat_to_sit_in(store):
    with pytest.raises(NotAllowed):
        sit(store, member="human")
