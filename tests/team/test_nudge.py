"""Whether a member is nudged: a table of how things are, and never of what just happened."""

from datetime import timedelta
from itertools import product

import pytest

from drumline.errors import IllegalMove
from drumline.team.agenda import Agenda, Source, agenda_of, claimed
from drumline.team.ids import TaskId
from drumline.team.life import LifeState
from drumline.team.member import HUMAN
from drumline.team.nudge import (
    MOVES,
    NOTHING_TOLD,
    WORDS_CAP,
    Leave,
    LookAgain,
    Nudge,
    NudgeState,
    Tell,
    Told,
    decide,
    spoken,
    words,
)
from drumline.team.posting import Wanted
from drumline.team.rhythm import Rhythm
from drumline.team.task import Task, TaskState
from tests.team.situations import (
    ADA,
    BY_HAND,
    IDLE,
    NOON,
    agenda,
    ago,
    ahead,
    at_work,
    in_a_call,
    said,
)

MAIL = agenda("M-1")
READY, CLAIMED = agenda("T-1", source=Source.READY), agenda("T-1", source=Source.CLAIMED)
GIVING, STALLED = agenda("T-1", source=Source.GIVING), agenda("all", source=Source.STALLED)
RHYTHM = Rhythm()
FIVE = RHYTHM.nudge_cooldown


def told(*minutes, about_this=False):
    return Told(about_this, tuple(ago(minutes=each) for each in minutes))


@pytest.mark.requirement("SYNC-06")
@pytest.mark.parametrize(
    ("now_on_agenda", "seen", "before", "expected"),
    [
        pytest.param(MAIL, IDLE, NOTHING_TOLD, Tell, id="idle, and something waits"),
        pytest.param(GIVING, IDLE, NOTHING_TOLD, Tell, id="a task to give out"),
        pytest.param(READY, BY_HAND, NOTHING_TOLD, Tell, id="ready, driven by hand"),
        pytest.param(CLAIMED, BY_HAND, NOTHING_TOLD, Tell, id="held, its turn settled"),
        pytest.param(MAIL, at_work(), NOTHING_TOLD, Tell, id="mail, at work"),
        pytest.param(Agenda(), IDLE, NOTHING_TOLD, Leave, id="nothing to do"),
        pytest.param(READY, IDLE, NOTHING_TOLD, Leave, id="ready: its runner takes it"),
        pytest.param(CLAIMED, at_work(), NOTHING_TOLD, Leave, id="the work it is at is no news"),
        pytest.param(MAIL, IDLE, told(50, about_this=True), Leave, id="told about exactly this"),
        pytest.param(MAIL, IDLE, Told(asked_at=NOON), Leave, id="a person is asked about it"),
        pytest.param(MAIL, IDLE, Told(asked_at=ago(hours=1)), Tell, id="came since one was asked"),
        pytest.param(MAIL, IDLE, told(2), LookAgain, id="cooling down"),
        pytest.param(MAIL, IDLE, told(10), Tell, id="cooldown over"),
        pytest.param(MAIL, IDLE, told(50, 20), LookAgain, id="enough for an hour"),
        pytest.param(MAIL, IDLE, told(61, 20), Tell, id="an hour is over"),
        pytest.param(MAIL, IDLE, told(-300), Tell, id="told before the clock was set back"),
        pytest.param(MAIL, in_a_call(), NOTHING_TOLD, LookAgain, id="in a call"),
    ],
)
def test_a_member_is_nudged_only_for_news(now_on_agenda, seen, before, expected):
    assert isinstance(decide(now_on_agenda, seen, before, RHYTHM, NOON), expected)


@pytest.mark.requirement("SYNC-06", "RUN-15")
@pytest.mark.parametrize(
    ("seen", "why"),
    [
        pytest.param(IDLE._replace(member=ADA._replace(active=False)), "removed", id="removed"),
        pytest.param(IDLE._replace(member=ADA._replace(runtime=HUMAN)), "person", id="a person"),
        pytest.param(IDLE._replace(wanted=Wanted.STOPPED), "wanted stopped", id="to stop"),
        pytest.param(IDLE._replace(wanted=Wanted.PAUSED), "wanted paused", id="to rest"),
        pytest.param(IDLE._replace(life=None), "does not run", id="no process"),
        pytest.param(IDLE._replace(life=LifeState.STOPPING), "stopping", id="stopping"),
        pytest.param(IDLE._replace(lease_until=NOON), "gone", id="its lease ran out"),
        pytest.param(IDLE._replace(asked=True), "waits for a person", id="an approval is open"),
    ],
)
def test_who_must_not_be_spoken_to_is_left_alone(seen, why):
    found = decide(MAIL, seen, NOTHING_TOLD, RHYTHM, NOON)
    assert isinstance(found, Leave)
    assert why in found.why


@pytest.mark.requirement("SYNC-06", "RUN-15")
@pytest.mark.parametrize(
    ("seen", "at"),
    [
        pytest.param(
            IDLE._replace(limited_until=ahead(hours=1)), ahead(hours=1), id="a usage limit"
        ),
        pytest.param(IDLE._replace(report=said("working", MAIL)), ahead(minutes=5), id="working"),
        pytest.param(IDLE._replace(report=said("blocked", MAIL)), ahead(minutes=5), id="blocked"),
        pytest.param(in_a_call(), ahead(minutes=1), id="in a call since a minute"),
    ],
)
def test_who_cannot_be_spoken_to_now_is_looked_at_again_then(seen, at):
    found = decide(MAIL, seen, NOTHING_TOLD, RHYTHM, NOON)
    assert (type(found), found.at) == (LookAgain, at)


@pytest.mark.requirement("SYNC-06")
@pytest.mark.parametrize(
    ("report", "expected"),
    [
        pytest.param(said("working", MAIL), LookAgain, id="it answers for exactly this"),
        pytest.param(said("working", agenda("M-0")), Tell, id="it answered for something else"),
        pytest.param(said("working", MAIL, until=NOON), Tell, id="it is over"),
    ],
)
def test_a_report_covers_what_it_was_about_and_no_longer(report, expected):
    seen = IDLE._replace(report=report)
    assert isinstance(decide(MAIL, seen, NOTHING_TOLD, RHYTHM, NOON), expected)


@pytest.mark.requirement("SYNC-08")
def test_that_a_turn_settled_is_no_argument():
    before = IDLE._replace(report=said("working", MAIL))
    after = before._replace(member=ADA._replace(settled_at=NOON))
    for seen in (IDLE, before):
        settled = seen._replace(member=after.member)
        assert decide(MAIL, seen, NOTHING_TOLD, RHYTHM, NOON) == decide(
            MAIL, settled, NOTHING_TOLD, RHYTHM, NOON
        )
    assert before.progress_at == after.progress_at


def test_when_a_cooldown_ends_is_when_it_is_looked_at_again():
    assert decide(MAIL, IDLE, told(2), RHYTHM, NOON).at == ago(minutes=2) + FIVE
    assert decide(MAIL, IDLE, told(50, 20), RHYTHM, NOON).at == ago(minutes=50) + timedelta(hours=1)


def test_a_team_that_wants_no_nudges_has_none():
    assert isinstance(
        decide(MAIL, IDLE, NOTHING_TOLD, RHYTHM._replace(nudges_per_hour=0), NOON), LookAgain
    )


@pytest.mark.parametrize(
    ("all_of_it", "seen", "rest"),
    [
        pytest.param(MAIL.items + CLAIMED.items, at_work(), MAIL, id="at work"),
        pytest.param(MAIL.items + READY.items, IDLE, MAIL, id="run"),
        pytest.param(STALLED.items + READY.items, IDLE, Agenda(), id="its runner's standstill"),
    ],
)
def test_what_a_member_knows_or_its_runner_does_is_not_said(all_of_it, seen, rest):
    assert spoken(Agenda(all_of_it), seen) == rest


@pytest.mark.requirement("SYNC-07")
@pytest.mark.parametrize(("old", "new"), list(product(NudgeState, NudgeState)))
def test_a_nudge_moves_only_as_the_table_says(old, new):
    nudge = Nudge("ada", 1, "f00d", "", old, NOON)
    if new in MOVES[old]:
        assert nudge.move(new).state is new
    else:
        with pytest.raises(IllegalMove):
            nudge.move(new)


def test_what_was_delivered_stays_so():
    assert not MOVES[NudgeState.DELIVERED]


def test_a_nudge_is_short_however_much_waits():
    text = words(agenda(*("M-" + "9" * 400 + str(number) for number in range(50))))
    assert len(text) <= WORDS_CAP
    assert "drumline report" in text


@pytest.mark.parametrize("letter", ['"', "\u202e", "x"])
def test_whatever_is_promised_each_line_ends_with_its_command(letter):
    outputs = tuple(f"d{number}/" + letter * 190 for number in range(5))
    task = Task(
        TaskId(1), letter * 200, NOON, NOON, TaskState.IN_PROGRESS, outputs=outputs, fence=3
    )
    *_, line, foot = words(agenda_of(claimed([task]))).splitlines()
    assert line.endswith(": drumline task done T-1 --fence 3, once it is")
    assert foot.endswith("drumline report blocked WHY.")


def test_what_is_left_out_is_counted():
    *_, last, _ = words(
        agenda(*("M-" + "9" * 400 + str(number) for number in range(50)))
    ).splitlines()
    assert last == "and 46 more: drumline report"
