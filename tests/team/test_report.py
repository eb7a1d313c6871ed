"""A member's own word: how long it holds, and when it is refused."""

from datetime import timedelta

import pytest

from drumline.errors import BadInput, NotReady
from drumline.team.agenda import Agenda, Source
from drumline.team.report import Saying, Stands, checked_words, lease_of, refuse_undone
from drumline.team.rhythm import USUAL, Rhythm, rhythm_in
from drumline.team.rhythm_fields import FIELDS, rhythm_said
from tests.team.situations import agenda

MINUTE = timedelta(minutes=1)


@pytest.mark.requirement("SYNC-06")
@pytest.mark.parametrize(
    ("stands", "wanted", "minutes"),
    [
        ("working", None, 15),
        ("done", None, 15),
        ("blocked", None, 30),
        ("working", 40 * MINUTE, 40),
        ("working", timedelta(seconds=1), 1),
        ("blocked", timedelta(days=1), 60),
    ],
)
def test_a_report_holds_as_long_as_it_may(stands, wanted, minutes):
    assert lease_of(Saying(Stands(stands), lease=wanted), USUAL) == minutes * MINUTE


def test_who_is_blocked_says_by_what():
    with pytest.raises(BadInput, match="blocked by what"):
        checked_words(Saying(Stands.BLOCKED, " "))
    with pytest.raises(BadInput, match="more than one line"):
        checked_words(Saying(Stands.WORKING, "a\nb"))


@pytest.mark.parametrize("source", [Source.CLAIMED, Source.MAIL, Source.QUESTION])
def test_nobody_is_done_while_something_is_its_own(source):
    with pytest.raises(NotReady, match="you are not done: T-1"):
        refuse_undone(Stands.DONE, agenda("T-1", source=source))
    refuse_undone(Stands.WORKING, agenda("T-1", source=source))


def test_what_others_may_take_keeps_nobody_from_being_done():
    refuse_undone(Stands.DONE, agenda("T-1", source=Source.READY))
    refuse_undone(Stands.DONE, Agenda())


def test_a_rhythm_is_kept_and_read_back():
    chosen = Rhythm(wake_delay=timedelta(seconds=3), nudges_per_hour=5)
    assert chosen.kept() == {"wake-delay": 3.0, "nudges-per-hour": 5}
    assert rhythm_in(chosen.kept()) == chosen
    assert USUAL.kept() == {}
    assert rhythm_in({}) == USUAL


def test_the_defaults_of_the_manifest_are_the_usual_rhythm():
    said = {field.name.replace("-", "_"): field.default for field in FIELDS}
    assert rhythm_said(said) == USUAL
