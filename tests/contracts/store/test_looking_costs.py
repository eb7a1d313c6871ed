"""What is over costs nothing: a look at a team takes the same steps however long the team has worked."""

from datetime import UTC, datetime

import pytest

from drumline.control import (
    attendance,
    dispatch,
    lives,
    loop,
    passes,
    questions,
    recall,
    reconcile,
    run_moves,
    runs,
    sittings,
    waking,
)
from drumline.control.attribution import Grounds
from drumline.control.intake import take_in
from drumline.control.ports_recall import Source
from drumline.team.ids import TaskId
from drumline.team.nudge import NudgeState
from drumline.team.question import Asking, QuestionKind
from drumline.team.settled import SettledTurn
from drumline.team.sitting import Sitting
from drumline.team.situation import Signs
from tests.living import start
from tests.nudging import direct, go_round, live, settled
from tests.steering import start as begin_run
from tests.stores import Sqlite, seat
from tests.words import BOSS, add, claim

OVER = 2000
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONG_AGO = 1  # microseconds after the beginning of time
FINISHED = {
    "tasks": {"state": "completed", "owner": None, "incarnation": None, "lease_until": None}
    | {"claimed_at": None},
    "lives": {"state": "ended", "why": "finished", "lease_until": None, "ended_at": LONG_AGO},
    "turns": {"state": "settled", "outcome": "success", "settled_at": LONG_AGO},
    "questions": {"state": "withdrawn", "ended_at": LONG_AGO},
    "messages": {"kind": "directive", "delivered_at": LONG_AGO},
    "settled_turns": {"settled_at": LONG_AGO},
    "sittings": {"since": LONG_AGO, "cwd": "/elsewhere"},
    "nudges": {
        "state": "delivered",
        "made_at": LONG_AGO,
        "sent_at": LONG_AGO,
        "ended_at": LONG_AGO,
    },
}
NAMES = {"nudges": "fingerprint", "lives": "incarnation", "messages": "id"}
NAMES |= {"settled_turns": "id", "sittings": "session"}
TOLD = SettledTurn("claude", "a-1", "t-1", session="s-1", cwd="/repo/src")
PROMPT = SettledTurn("claude", "", "", session="s-1", cwd="/repo/src")


def wear(engine, table):
    """Add rows that are over, like one that is there."""
    name = NAMES.get(table, "number")
    like = next(engine.scan(table, [name])) | FINISHED[table]
    rows = (like | {name: 1_000_000 + number} for number in range(OVER))
    if table == "questions":
        rows = (row | {"sameness": f"over {row[name]}"} for row in rows)
    engine.load(table, rows)


def steps(store, deed):
    """How many instructions the database carries out for a deed."""
    count, link = [0], store.engine._link  # noqa: SLF001 - it counts, and changes nothing

    def counted():
        count[0] += 1

    link.set_progress_handler(counted, 1)
    try:
        deed(store)
    finally:
        link.set_progress_handler(None, 1)
    return count[0]


def settle(store):
    store.do(lambda tx: waking.wake_at(tx, "ada", "test", tx.now()))
    loop.settle_due(store)


def asked(store, view, *given):
    """What a view finds, and the questions that it asks the database."""
    found, link = [], store.engine._link  # noqa: SLF001 - as above
    link.set_trace_callback(found.append)
    try:
        return store.ask(view, *given), [each for each in found if each.startswith("SELECT")]
    finally:
        link.set_trace_callback(None)


DEEDS = {
    "a look around": loop.look_around,
    "a member who was woken": settle,
    "what is due": lambda store: store.ask(lambda tx: tx.due()),
    "a prompt while nothing waits": lambda store: store.ask(dispatch.anything_waits),
    "a prompt": lambda store: store.do(dispatch.take_by_hand, PROMPT, Grounds()),
    "a turn that is told again": lambda store: store.do(take_in, [TOLD], {}, Grounds()),
    "a plane's pass": lambda store: store.ask(lives.living),
    "a runner's pass": lambda store: store.ask(passes.look, ["ada", "brook"], "box"),
    "a renewal": lambda store: store.do(lives.renew, store.ask(lives.living)[0]),
}


@pytest.fixture
def store(tmp_path, clock):
    """A team in the midst of its work: claims, letters, a question and nudges."""
    place = Sqlite(tmp_path / "state.db", clock)
    found = place.open()
    seat(found, constitution="constitution-4", lead="cleo", profiles={"dana": ""})
    ada, _, _ = live(found, "ada"), live(found, "brook"), live(found, "cleo")
    task = claim(found, add(found, "held"), "ada")
    add(found, "ready")
    start(found, ada, task)
    direct(found, "ada")
    direct(found, "brook")
    asking = Asking(QuestionKind.HELP, "which of the two?", "help 1")
    brook = found.ask(lambda tx: tx.roster.get("brook"))
    found.do(questions.ask, brook.acting(), asking)
    found.do(sittings.sit, BOSS, Sitting("s-1", "claude", "dana", 0, cwd="/repo"))
    found.do(take_in, [TOLD], {}, Grounds())
    settled(found, clock)
    settled(found, clock)
    go_round(found)
    yield found
    place.close()


@pytest.mark.requirement("SYNC-13")
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_what_is_over_makes_no_look_longer(store, deed):
    deed(store)
    before = steps(store, deed)
    store.engine.begin(writing=True)
    for table in FINISHED:
        wear(store.engine, table)
    store.engine.commit()
    assert steps(store, deed) <= before + 100


LEFT = {"team": "atlas", "member": "ada", "fence": 1, "run": "run-1", "phase": "P6", "at": LONG_AGO}
HANDED_OFF = LEFT | {"version": 1, "folder": "runs/run-1/phase-P6/ada", "said": "{}"}
DIRECTED = LEFT | {"occasion": "assigned", "incarnation": 1, "version": 0}
OF_ONE_THING = {
    "the handoffs of a run": lambda tx: tx.handoffs.of_run("run-2"),
    "the handoff in a folder": lambda tx: tx.handoffs.in_folder("handoffs/T-1/ada"),
    "the prompts nobody heard": lambda tx: tx.directives.unheard("ada"),
    "the last run": lambda tx: tx.contexts.last_run(),
    "what a task waits for": lambda tx: tx.tasks.blockers(TaskId(1)),
    "all that a task waits for": lambda tx: tx.tasks.edges_from(TaskId(1)),
}


@pytest.mark.requirement("SYNC-13")
@pytest.mark.parametrize("question", OF_ONE_THING.values(), ids=OF_ONE_THING)
def test_what_others_left_makes_no_answer_about_one_thing_longer(store, question):
    before = steps(store, lambda found: found.ask(question))
    numbers = range(1_000_000, 1_000_000 + OVER)
    store.engine.begin(writing=True)
    store.engine.load("handoffs", (HANDED_OFF | {"number": each} for each in numbers))
    rows = (DIRECTED | {"number": each, "message": each} for each in numbers)
    store.engine.load("directives", rows)
    wear(store.engine, "tasks")
    edge = {"team": "atlas", "waits_for": 1_000_000}
    store.engine.load("dependencies", (edge | {"number": each} for each in numbers[1:]))
    store.engine.commit()
    assert steps(store, lambda found: found.ask(question)) <= before + 100


@pytest.mark.requirement("SYNC-13")
def test_what_a_person_who_leads_has_judged_is_not_read_again_at_every_look(store):
    run = begin_run(store, lead="human")
    store.do(runs.advance, run.name)

    def hear(found):
        found.do(run_moves.hear_people, run)

    before = steps(store, hear)
    said = {"state": "answered", "answer": "{}", "ended_at": LONG_AGO, "kind": "verify"}
    like = next(store.engine.scan("judgements", ["attempt"])) | said
    store.engine.begin(writing=True)
    store.engine.load("judgements", (like | {"attempt": 2 + each} for each in range(OVER)))
    store.engine.commit()
    assert steps(store, hear) <= before + 100


@pytest.mark.requirement("SYNC-13")
def test_one_more_file_of_memory_is_taken_in_in_the_same_steps_however_many_there_are(store):
    def take_in_one(path):
        return lambda found: found.do(recall.take_in, "home", Source(path, "1", "1"), "- a thing\n")

    before = steps(store, take_in_one("memory/a.md"))
    known = {"team": "atlas", "home": "home", "stamp": "1", "digest": "1"}
    store.engine.begin(writing=True)
    rows = (known | {"path": f"memory/{each}.md"} for each in range(OVER))
    store.engine.load("recall_sources", rows)
    store.engine.commit()
    assert steps(store, take_in_one("memory/b.md")) <= before + 100


@pytest.mark.requirement("SYNC-13")
def test_nothing_more_is_asked_about_those_whom_nobody_speaks_to_now(store):
    looked = store.ask(attendance.look)
    busy = [
        each._replace(situation=each.situation._replace(signs=Signs(tool_since=NOON)))
        for each in looked
        if each.agenda.items
    ]
    store.do(let_all_go)
    found, questions_asked = asked(store, reconcile.overlooked, busy)
    assert found
    assert len(questions_asked) == 2  # who was woken, and for whom something waits


def test_the_teams_settings_are_read_once_in_a_look(store):
    looked, questions_asked = asked(store, attendance.look)
    assert len(looked) > 1
    assert len([each for each in questions_asked if "FROM teams" in each]) == 1


def let_all_go(tx):
    """As though nobody had been woken, and nothing waited to be said."""
    for member in tx.waking.everyone_woken():
        tx.waking.forget(member)
    for member in tx.waking.everyone_nudged():
        for each in tx.waking.nudges(member, since=tx.now()):
            tx.waking.move(each.move(NudgeState.DROPPED), was=each.state)
    tx.record("test", "everyone.let-go", "all")
