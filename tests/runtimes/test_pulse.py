"""A member's pulse: what its runner knows of it between two renewals of its lease."""

from datetime import timedelta

import pytest

from drumline.runtimes.pulse import Pulse
from drumline.team.situation import Noticed

pytestmark = pytest.mark.requirement("SYNC-11", "SYNC-14")


class Open:
    """A guard that allows what it is told to allow."""

    def __init__(self, decision="allow"):
        self.decision, self.noted = decision, []

    def before(self, _event):
        return {"decision": self.decision}

    def after(self, event):
        self.noted.append(event)


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pulse(clock):
    return Pulse(Open(), clock)


def event(tool="Bash", number="1", **given):
    return {"tool_name": tool, "tool_use_id": number, "tool_input": given, "cwd": "/repo"}


def seconds(number):
    return timedelta(seconds=number)


def test_a_call_lasts_from_the_ruling_to_its_note(pulse):
    pulse.before(event(command="make"))
    assert pulse.in_call
    pulse.after(event(command="make"))
    assert not pulse.in_call


def test_a_call_that_is_allowed_after_its_turn_was_over_is_none(clock):
    late = Open()
    pulse = Pulse(late, clock)
    late.before = lambda _event: pulse.settled() or {"decision": "allow"}
    pulse.before(event(command="make"))
    assert not pulse.in_call


def test_a_call_that_is_refused_was_never_begun(clock):
    pulse = Pulse(Open("deny"), clock)
    pulse.before(event(command="git push"))
    assert not pulse.in_call


@pytest.mark.parametrize(
    ("tool", "refused", "over"),
    [("Read", False, True), ("Bash", True, True), ("Bash", False, False)],
)
def test_a_call_no_guard_hears_the_end_of_is_over_when_its_runtime_says_so(
    pulse, tool, refused, over
):
    pulse.before(event(tool))
    pulse.called(tool, refused=refused)
    assert pulse.in_call is not over


def test_of_two_looks_at_once_one_is_over_and_one_is_not(pulse):
    pulse.before(event("Read", "1"))
    pulse.before(event("Read", "2"))
    pulse.called("Read", refused=False)
    assert pulse.in_call


def test_a_turn_that_is_over_ends_every_call(pulse):
    pulse.before(event("Read"))
    pulse.settled()
    assert not pulse.in_call


@pytest.mark.parametrize(
    ("tool", "given", "wrote"),
    [
        ("Write", {"file_path": "a"}, True),
        ("Bash", {"command": "make"}, True),
        ("Bash", {"command": "git status"}, False),
        ("Read", {"file_path": "a"}, False),
    ],
)
def test_only_what_changes_something_is_progress(pulse, tool, given, wrote):
    pulse.before(event(tool, **given))
    pulse.after(event(tool, **given))
    pulse.heard()
    assert (pulse.news().wrote is not None) is wrote


def test_what_is_known_is_told_once_and_as_how_long_ago(pulse, clock):
    pulse.before(event(command="make"))
    pulse.heard()
    clock.now += 7
    assert pulse.news() == Noticed(seconds(7), None, "Bash", seconds(7))
    clock.now += 7
    assert pulse.news() is None


def test_others_believe_in_a_call_until_they_are_told_that_it_is_over(pulse):
    pulse.before(event(command="make"))
    pulse.news()
    assert not pulse.left_a_call
    pulse.after(event(command="make"))
    assert pulse.left_a_call
    pulse.news()
    assert not pulse.left_a_call


def test_a_write_that_is_noted_while_something_is_heard_counts_too():
    class Meanwhile(Clock):
        """Between the word that is heard and what is remembered of it, a write comes to its end."""

        def __call__(self):
            done.append(1)
            if len(done) == 1:
                pulse.after(event("Write", file_path="a.txt"))
            return self.now

    done = []
    pulse = Pulse(Open(), Meanwhile())
    pulse.heard()
    assert pulse.news() == Noticed(seconds(0), seconds(0), "", None)
