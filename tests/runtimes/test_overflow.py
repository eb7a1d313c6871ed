"""What is too long for a context is written where its reader is, and nowhere a link would lead."""

import pytest

from drumline.runtimes import overflow
from drumline.team.returned import RETURN_CAP

pytestmark = pytest.mark.requirement("RUN-11")
LONG = "x" * (RETURN_CAP + 1)


def test_what_is_short_enters_and_is_written_nowhere(tmp_path):
    assert overflow.entering("x" * RETURN_CAP, tmp_path) == ("x" * RETURN_CAP, "")
    assert list(tmp_path.iterdir()) == []


def test_what_is_long_is_written_whole_and_only_for_its_reader(tmp_path):
    said, file = overflow.entering(f"{LONG}\ud800", tmp_path)
    assert file in said
    (written,) = tmp_path.iterdir()
    assert written.read_text() == f"{LONG}\\ud800"
    assert written.stat().st_mode & 0o777 == 0o600


def test_a_link_that_waits_there_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(overflow, "token_hex", lambda _: "known")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/returned-known.md").symlink_to(tmp_path / "theirs")
    assert overflow.entering(LONG, tmp_path / "mine")[1] == ""
    (tmp_path / "mine").rename(tmp_path / "moved")
    (tmp_path / "mine").symlink_to(tmp_path / "moved")
    assert overflow.entering(LONG, tmp_path / "mine")[1] == ""
    assert not (tmp_path / "theirs").exists()
    assert [path.name for path in (tmp_path / "moved").iterdir()] == ["returned-known.md"]


def test_of_what_can_be_written_nowhere_the_beginning_enters(tmp_path):
    said, file = overflow.entering(f"good {LONG}", tmp_path / "absent")
    assert (file, len(said)) == ("", RETURN_CAP)
    assert "cannot be kept: No such file or directory; they begin:\ngood x" in said
