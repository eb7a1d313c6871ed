"""What every store promises about a run's memory: own sections, relayed words, and gates that curate."""

import threading
from contextlib import suppress

import pytest

from drumline.control import board, gates, mail, roster, runs, team_notes
from drumline.control.run_files import files_of
from drumline.control.team_notes import Saying
from drumline.errors import BadInput, Conflict, NotAllowed, NotReady, Unknown
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.message import Kind
from drumline.team.team_memory import SECTION, NoteId
from drumline.team.verdict import Call
from drumline.team.wording_forms import NoteTag
from tests.living import begin, claim_in
from tests.steering import PASSED, SMALL, answered, at_gate, drive, start
from tests.stores import seat
from tests.words import BOSS, holds, verbs

PROFILES = {
    "lea": "", "ada": "implementer", "brook": "tester", "cleo": "devils-advocate", "dot": "implementer",
}  # fmt: skip
LEAD = Actor("lea", Role.LEAD, 1)
WRITERS = 6


@pytest.fixture
def team(store):
    """A team of the first constitution, led by lea, with one of each right."""
    seat(store, constitution="constitution-4", profiles=PROFILES, lead="lea")
    return store


@pytest.fixture
def run(team):
    start(team)
    return team


@pytest.fixture
def small(store):
    """A team whose small runs are led by lea and worked by ada, with brook to look into things."""
    seat(store, profiles={"lea": "", "ada": "implementer", "brook": "researcher"}, lead="lea")
    return store


def work_through(store):
    """Bring a small run that was begun to its gate; the lead's life."""
    drive(store)
    lead, life = begin(store, "lea"), begin(store)
    answered(store, lead, SMALL)
    drive(store)
    task = store.ask(runs.look, "run-1").tasks[0].task
    claim_in(store, life, task)
    store.do(board.complete, BOSS, task.id, holds("ada"))
    drive(store)
    return lead


def actor(name):
    return Actor(name, Role.TEAMMATE, 1)


def say(store, name="ada", text="mind the gap", tag=NoteTag.WARNING, **facts):
    who = store.ask(roster.acting_as, name)
    return store.do(team_notes.write, who, Saying(tag, text, **facts))


def notes(store, run="run-1"):
    return store.ask(team_notes.of_run, run)


def memory(store):
    return store.ask(files_of, "run-1")["TEAM-MEMORY.md"]


def letters(store):
    found = store.ask(mail.inbox, "lea")
    return [each for each in found if each.kind is Kind.MEMORY_UPDATE]


@pytest.mark.requirement("MEM-06")
def test_a_member_writes_its_own_section_and_everyone_reads_it(run):
    say(run)
    assert '## ada\n\n- N-1 [Warning] "mind the gap"' in memory(run)


@pytest.mark.requirement("MEM-06", "MAIL-09")
def test_nobody_writes_to_anothers_section_and_the_attempt_is_kept(run):
    with pytest.raises(NotAllowed):
        say(run, section="dot")
    assert notes(run) == []
    assert "note.refused" in verbs(run)


@pytest.mark.requirement("MEM-06")
def test_the_lead_writes_its_own_section_and_those_of_others(run):
    say(run, "lea")
    say(run, "lea", section="brook")
    assert [(each.section, each.author) for each in notes(run)] == [
        ("lead", "lead"),
        ("brook", "lead"),
    ]


@pytest.mark.requirement("MEM-06", "MAIL-02")
def test_the_word_of_a_member_without_edit_rights_goes_to_the_lead_who_relays_it(run):
    sent = say(run, "brook", "the suite needs a server")
    assert sent.note is None
    assert notes(run) == []
    (letter,) = letters(run)
    assert letter.body == "[MEMORY-UPDATE] [Warning] the suite needs a server"
    run.do(team_notes.relay, LEAD, [letter.id])
    assert [(each.section, each.author, each.text) for each in notes(run)] == [
        ("brook", "lead", "the suite needs a server")
    ]
    assert letters(run) == []
    with pytest.raises(Conflict):
        run.do(team_notes.relay, LEAD, [letter.id])


@pytest.mark.requirement("MEM-06")
def test_a_devils_advocate_reads_and_adds_nothing(run):
    with pytest.raises(NotAllowed, match="adds nothing"):
        say(run, "cleo")
    with pytest.raises(NotAllowed, match="may not send"):
        run.do(mail.send, actor("cleo"), ["lead"], "[MEMORY-UPDATE] [Finding] by letter, then")
    assert notes(run) == []
    assert letters(run) == []


@pytest.mark.requirement("MEM-06")
def test_a_member_neither_relays_nor_settles_what_is_not_its_own(run):
    say(run, "brook")
    say(run, "lea")
    with pytest.raises(NotAllowed):
        run.do(team_notes.relay, actor("ada"), [letters(run)[0].id])
    with pytest.raises(NotAllowed):
        run.do(team_notes.settle, actor("ada"), [NoteId(1)], "I say so")
    assert notes(run)[0].open


@pytest.mark.requirement("MEM-06")
def test_a_settled_note_is_archived_with_its_reason_and_stays_in_the_store(run):
    say(run)
    run.do(team_notes.settle, actor("ada"), [NoteId(1)], "the gap is closed")
    assert '[ARCHIVED: "the gap is closed"]' in memory(run)
    with pytest.raises(Conflict):
        run.do(team_notes.settle, LEAD, [NoteId(1)], "again")
    with pytest.raises(Unknown):
        run.do(team_notes.settle, LEAD, [NoteId(9)], "no such note")


@pytest.mark.requirement("MEM-06")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("a\nb", id="two lines"),
        pytest.param("a\x00b", id="NUL"),
        pytest.param("a\x1b[2Jb", id="an escape"),
        pytest.param("x" * 501, id="too long"),
        pytest.param("\ud800", id="no UTF-8"),
    ],
)
def test_what_cannot_be_kept_safely_is_refused(run, text):
    with pytest.raises(BadInput):
        say(run, text=text)
    assert notes(run) == []


@pytest.mark.requirement("MEM-06")
def test_a_secret_in_a_note_is_masked_before_it_is_kept(run):
    say(run, text="login with password=hunter2hunter2 on the box")
    assert "hunter2" not in notes(run)[0].text


@pytest.mark.requirement("MEM-06")
def test_a_section_has_an_end(run):
    for each in range(SECTION):
        say(run, text=f"note {each}")
    with pytest.raises(Conflict, match="open notes"):
        say(run)
    say(run, "dot")


@pytest.mark.requirement("MEM-06")
def test_without_a_run_there_is_no_memory_to_write_to(team):
    with pytest.raises(NotReady):
        say(team)


@pytest.mark.requirement("MEM-06")
def test_members_who_write_at_once_never_collide(stores, run):
    links = [Database(stores.engine(), "atlas") for _ in range(WRITERS)]
    errors = []

    def write(at, link):
        try:
            for each in range(5):
                say(link, ("ada", "dot")[at % 2], f"{at} says {each}")
        except BaseException as error:  # noqa: BLE001 - a thread's error must reach the test
            errors.append(error)

    threads = [threading.Thread(target=write, args=each) for each in enumerate(links)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [int(each.number) for each in notes(run)] == list(range(1, 5 * WRITERS + 1))
    assert list(Caretaker(run.engine).check()) == []


@pytest.mark.requirement("MEM-06")
def test_a_letter_that_several_relay_at_once_becomes_one_note(stores, run):
    for each in range(5):
        say(run, "brook", f"word {each}")
    found = [letter.id for letter in letters(run)]
    links = [Database(stores.engine(), "atlas") for _ in range(WRITERS)]
    together = threading.Barrier(WRITERS)

    def relay(link):
        for each in found:
            together.wait()
            with suppress(Conflict):
                link.do(team_notes.relay, LEAD, [each])

    threads = [threading.Thread(target=relay, args=[each]) for each in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.text for each in notes(run)] == [f"word {each}" for each in range(5)]


@pytest.mark.requirement("MEM-06")
def test_at_a_gate_what_waits_is_relayed_and_what_was_said_again_is_merged(small):
    lead = at_gate(small)
    say(small, text="Mind the gap")
    say(small, text="mind the gap")
    say(small, "brook", "the index is cold")
    answered(small, lead, PASSED)
    drive(small)
    assert [(each.section, each.open) for each in notes(small)] == [
        ("ada", False),
        ("ada", True),
        ("brook", True),
    ]
    assert notes(small)[0].why == "merged into N-2"
    assert letters(small) == []


@pytest.mark.requirement("MEM-06")
def test_at_a_gate_the_lead_reads_the_notes_and_says_which_are_over(small):
    start(small)
    say(small, text="is the door open?", tag=NoteTag.QUESTION)
    say(small, text="tests need a server")
    lead = work_through(small)
    asked = small.ask(lambda tx: tx.runs.judgements("run-1"))[-1]
    assert 'N-1 [Question] "is the door open?"' in asked.prompt
    over = [{"note": 1, "why": "it is open"}, {"note": 99, "why": "no such note"}]
    answered(small, lead, {**PASSED, "notes": over})
    drive(small)
    assert [(each.open, each.why) for each in notes(small)] == [(False, "it is open"), (True, "")]


@pytest.mark.requirement("MEM-06")
def test_a_gate_that_a_person_closes_curates_too(small):
    at_gate(small)
    say(small, "brook", "the index is cold")
    small.do(gates.say, BOSS, "run-1", gates.Said("", Call.APPROVE))
    assert [each.section for each in notes(small)] == ["brook"]


@pytest.mark.requirement("MEM-06")
def test_a_section_has_an_end_for_what_is_relayed_too_and_the_rest_waits(small):
    lead = at_gate(small)
    for each in range(SECTION + 2):
        say(small, "brook", f"note {each}")
    answered(small, lead, PASSED)
    drive(small)
    assert len(notes(small)) == SECTION
    assert len(letters(small)) == 2


@pytest.mark.requirement("MEM-06")
def test_a_full_section_takes_no_relayed_note_before_one_is_settled(run):
    for each in range(SECTION + 1):
        say(run, "brook", f"note {each}")
    *sent, last = [each.id for each in run.ask(mail.inbox, "lea", most=SECTION + 1)]
    run.do(team_notes.relay, LEAD, sent)
    with pytest.raises(Conflict, match="open notes"):
        run.do(team_notes.relay, LEAD, [last])
    run.do(team_notes.settle, LEAD, [NoteId(1)], "it is over")
    assert run.do(team_notes.relay, LEAD, [last])[0].open
