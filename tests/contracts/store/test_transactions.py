"""What every store promises about all-or-nothing, the event log and teams side by side."""

import threading
from datetime import timedelta

import pytest

from drumline.control import board, records, registration, roster, views
from drumline.errors import BadInput, Conflict, DrumlineError, Unknown
from drumline.store import sqlite
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team.draft import NewTask
from drumline.team.journal import KEYS, fold
from drumline.team.member import Member
from drumline.team.rights import CONSTITUTIONS, Charter
from drumline.team.task import TaskState
from tests.stores import Sqlite
from tests.words import BOSS, add, claim, claim_next, complete, holds, now, send, verbs

BAD_TEXTS = {
    "NUL": "a\x00b",
    "control character": "a\x1b[2Jb",
    "lone surrogate": "a\udcffb",
    "ten megabytes": "x" * 10_000_000,
    "empty": "",
    "blank": " \t ",
    "two lines": "one\ntwo",
}


def tables(store: Database):
    """Every row as it is kept."""
    return store.ask(
        lambda _: {
            table: {tuple(row[key] for key in keys): row for row in store.engine.scan(table, keys)}
            for table, keys in KEYS.items()
        }
    )


@pytest.mark.requirement("SCALE-01")
def test_a_verb_that_raises_leaves_nothing(store):
    def add_then_fail(tx):
        board.add(tx, BOSS, NewTask(title="half"))
        raise DrumlineError("no")

    before = tables(store)
    with pytest.raises(DrumlineError):
        store.do(add_then_fail)
    assert tables(store) == before


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("part", ["claim", "complete"])
def test_a_verb_that_can_stand_alone_falls_with_the_whole(store, part):
    """What may be one statement of its own is still undone when it was only a part."""
    held = claim(store, add(store))
    add(store)
    before = tables(store)

    def part_then_fail(tx):
        if part == "claim":
            board.claim_next(tx, BOSS, holds("brook"), lease=timedelta(minutes=1))
        else:
            board.complete(tx, BOSS, held.id, holds("ada", fence=1))
        raise DrumlineError("no")

    with pytest.raises(DrumlineError):
        store.do(part_then_fail)
    assert tables(store) == before


@pytest.mark.requirement("SCALE-01")
def test_a_change_without_an_event_cannot_be_committed(store):
    before = tables(store)
    with pytest.raises(AssertionError, match="without a word"):
        store.do(lambda tx: tx.roster.settle("ada"))
    assert tables(store) == before


@pytest.mark.requirement("SCALE-01")
def test_folding_the_log_gives_the_tables(store, clock):
    first = add(store, "first", body="why and how")
    second = add(store, "second", first.id)
    claim(store, first)
    clock.advance(hours=1)
    claim_next(store, "brook")
    store.do(records.merge, BOSS, first.id, {"a": {"b": 1}})
    store.do(records.merge, BOSS, first.id, {"a": None})
    store.do(board.unblock, BOSS, second.id, [first.id])
    send(store, "ada", "brook")
    store.do(roster.begin_life, BOSS, "ada")
    complete(store, first, "brook")
    events, _ = store.ask(lambda tx: tx.journal.after("", most=1000))
    assert fold(events) == tables(store)
    assert fold(reversed(events)) == tables(store)


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_a_bad_title_is_refused_with_a_way_out(store, text):
    before = tables(store)
    with pytest.raises(BadInput) as refused:
        add(store, text)
    assert refused.value.what
    assert refused.value.next
    assert tables(store) == before


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize(
    "text", ["quote ' \" ; -- %s %(x)s :team", "ünï€ 漢字 🥁", "tab\tand\nline"]
)
def test_text_comes_back_as_it_went_in(store, text):
    task = add(store, body=text)
    assert store.ask(views.task, task.id)["body"] == text
    assert send(store, "ada", "brook", text).body == text


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize(
    "fields",
    [
        {"priority": 10**9},
        {"profile": "../x"},
        {"files": ("/etc/passwd",)},
        {"files": ("a/../../b",)},
        {"outputs": ("",)},
        {"files": ("x",) * 501},
        {"tracker": "a\nb"},
        {"body": "x" * 64_001},
    ],
    ids=str,
)
def test_a_bad_field_is_refused(store, fields):
    with pytest.raises(BadInput):
        add(store, **fields)
    assert store.ask(views.tasks) == []


@pytest.mark.requirement("SCALE-01")
def test_a_reader_sees_one_moment(stores):
    writer, reader = stores.open(), stores.open()

    def count_twice(tx):
        first = len(tx.tasks.page(state=None, owner=None, after=0, most=10))
        add(writer)
        return first, len(tx.tasks.page(state=None, owner=None, after=0, most=10))

    assert reader.ask(count_twice) == (0, 0)
    assert len(reader.ask(views.tasks)) == 1


@pytest.mark.requirement("SCALE-01")
def test_the_log_is_tailed_without_gaps_or_repeats(stores):
    """Writers commit out of order; a tail that starts at any moment still sees each event once."""
    store = stores.open()
    writers = [stores.open() for _ in range(4)]
    threads = [
        threading.Thread(target=lambda w=writer: [add(w, f"{n}") for n in range(15)])
        for writer in writers
    ]
    for thread in threads:
        thread.start()
    seen, cursor, writing, events = [], "", True, []
    while writing or events:
        writing = any(thread.is_alive() for thread in threads)
        events, cursor = store.ask(views.events, cursor=cursor, most=7)
        seen += [event.seq for event in events]
    for thread in threads:
        thread.join()
    everything, _ = store.ask(views.last_events, most=1000)
    assert len(everything) > 60
    assert sorted(seen) == sorted(event.seq for event in everything)


@pytest.mark.requirement("SCALE-01")
def test_a_question_that_was_interrupted_does_not_hold_the_next_one_in_its_moment(
    tmp_path, clock, monkeypatch
):
    place = Sqlite(tmp_path / "state.db", clock)
    store, other = place.open(), place.open()
    add(store, "first"), add(store, "second")

    def interrupted(found):
        next(found)
        raise KeyboardInterrupt

    monkeypatch.setattr(sqlite, "_rows", interrupted)
    with pytest.raises(KeyboardInterrupt) as alive:  # and all that its frames hold with it
        store.ask(views.tasks)
    monkeypatch.undo()
    add(other, "third")
    assert [task.title for task in store.ask(views.tasks)] == ["first", "second", "third"]
    assert add(store, "fourth").id == 4
    assert alive.value.__traceback__
    place.close()


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("write", [add, claim_next], ids=["in a transaction", "at once"])
def test_a_waiter_is_told_when_something_was_written(stores, write):
    writer, waiter = stores.open(), stores.open()
    add(writer)
    waiter.changed(0)
    write(writer)
    assert any(waiter.changed(5) for _ in range(3))


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("cursor", ["x", "1:y", ":", "-", "9" * 400])
def test_a_made_up_cursor_never_crashes(store, cursor):
    try:
        events, _ = store.ask(views.events, cursor=cursor, most=1)
    except DrumlineError as error:
        assert error.next  # noqa: PT017 - either answer is right, a crash is not
    else:
        assert isinstance(events, list)


@pytest.mark.requirement("BOARD-08")
def test_two_sessions_share_one_board_by_name(stores):
    here, there = stores.open(), stores.open()
    task = add(here)
    assert claim_next(there, "brook").id == task.id
    assert now(here, task).owner == "brook"


@pytest.mark.requirement("BOARD-08")
def test_teams_on_one_store_do_not_see_each_other(stores):
    atlas, borea = stores.open("atlas"), stores.open("borea")
    assert (add(atlas).id, add(borea).id) == (1, 1)
    claim_next(atlas)
    assert now(borea, borea.ask(views.tasks)[0]).state is TaskState.PENDING
    assert "task.claimed" not in verbs(borea)


def manifest_of(home, *names, lead="human", constitution="constitution-10", place=""):
    """What the manifest of one repository says."""
    everyone = dict.fromkeys((*names, lead))
    return registration.Registration(
        charter=Charter(CONSTITUTIONS[constitution], {}),
        members=tuple(Member(name=name, lead=name == lead) for name in everyone),
        home=home,
        place=place or home,
        digest="-",
    )


def on_the_team(store):
    return {member.name for member in store.ask(lambda tx: tx.roster.everyone()) if member.active}


@pytest.mark.requirement("BOARD-08")
def test_another_repository_joins_a_team_only_when_it_asks(store):
    said = manifest_of("other:/repo", "zoe")
    with pytest.raises(Conflict, match="atlas is on this store already, from test:/repo"):
        store.do(registration.register, said)
    store.do(registration.register, said, joining=True)
    assert on_the_team(store) == {"ada", "brook", "cleo", "human", "zoe"}


@pytest.mark.requirement("TEAM-04")
@pytest.mark.parametrize(
    "different", [{"lead": "zoe"}, {"constitution": "constitution-4"}], ids=["lead", "constitution"]
)
def test_a_repository_that_disagrees_on_who_leads_cannot_join(store, different):
    with pytest.raises(Conflict, match="is led by human under constitution-10"):
        store.do(registration.register, manifest_of("other:/repo", **different), joining=True)


@pytest.mark.requirement("TEAM-04")
def test_a_team_that_changes_its_lead_still_has_one(store):
    store.do(registration.register, manifest_of("test:/repo", "ada", "human", lead="ada"))
    everyone = store.ask(lambda tx: tx.roster.everyone())
    assert [member.name for member in everyone if member.lead and member.active] == ["ada"]


@pytest.mark.requirement("BOARD-08")
def test_a_member_leaves_when_no_repository_names_it_any_more(store):
    store.do(registration.register, manifest_of("other:/repo", "zoe", "ada"), joining=True)
    task = claim(store, add(store), "zoe")
    store.do(registration.register, manifest_of("test:/repo", "brook"))
    assert on_the_team(store) == {"ada", "brook", "human", "zoe"}
    store.do(registration.register, manifest_of("other:/repo", "ada"))
    assert on_the_team(store) == {"ada", "brook", "human"}
    assert now(store, task).state is TaskState.PENDING


@pytest.mark.requirement("BOARD-08")
def test_a_repository_that_lost_its_name_replaces_its_former_self(store):
    task = claim(store, add(store), "cleo")
    said = manifest_of("another name", "ada", place="test:/repo")
    store.do(registration.register, said, joining=True)
    assert [home.id for home in store.ask(lambda tx: tx.roster.homes())] == ["another name"]
    assert on_the_team(store) == {"ada", "human"}
    assert now(store, task).state is TaskState.PENDING
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("BOARD-08")
def test_a_team_that_is_not_there_is_refused(stores):
    stores.open()
    nobody = Database(stores.engine(), "nobody")
    with pytest.raises(Unknown, match="no team nobody"):
        nobody.ask(views.status, exists=lambda _: False)


@pytest.mark.requirement("SCALE-01")
def test_who_asks_only_for_kinds_of_events_is_told_the_same_from_place_to_place(store):
    for title in ("one", "two", "three"):
        add(store, title)
    place = kinds_place = ""
    while True:
        found, place = store.ask(views.events, cursor=place, most=2)
        kinds, kinds_place = store.ask(views.verbs, cursor=kinds_place, most=2)
        assert (kinds, kinds_place) == ([each.verb for each in found], place)
        if not found:
            break
    assert place
