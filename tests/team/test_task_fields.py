"""Who may write which field of a task."""

import pytest

from drumline.team.task_fields import Writer, writer_of


@pytest.mark.requirement("BOARD-12")
@pytest.mark.parametrize(
    ("name", "writer"),
    [
        ("verified.commit", Writer.DRUMLINE),
        ("handed-in.member", Writer.DRUMLINE),
        ("kept", Writer.DRUMLINE),
        ("failed-tries", Writer.DRUMLINE),
        ("reflection.task_result.status", Writer.DRUMLINE),
        ("unreadable-reflection", Writer.DRUMLINE),
        ("mismatch", Writer.DRUMLINE),
        ("failed", Writer.DRUMLINE),
        ("cancelled", Writer.DRUMLINE),
        ("brief.limits", Writer.PLANNER),
        ("verify", Writer.PLANNER),
        ("budget", Writer.PLANNER),
        ("needs", Writer.PLANNER),
        ("lacks.Q-1", Writer.PLANNER),
        ("note", None),
        ("briefly", None),
        ("signals.p1", None),
    ],
)
def test_each_field_is_written_by_whoever_answers_for_it(name, writer):
    assert writer_of(name) is writer
