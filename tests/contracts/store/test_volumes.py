"""What is found out about a folder by trying it."""

import fcntl
from unittest.mock import patch

import pytest

from drumline.store.volumes import tried, volume_of

pytestmark = pytest.mark.requirement("AUDIT-05")


def test_a_folder_here_is_tried_and_left_clean(tmp_path):
    assert volume_of(tmp_path / "not" / "yet" / "there").local
    assert tried(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_folder_where_nothing_can_be_written_says_so(tmp_path):
    assert "fail there" in tried(tmp_path / "nowhere")


def test_a_ring_of_links_is_no_riddle(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert volume_of(tmp_path / "a").local


def test_a_volume_on_which_a_lock_excludes_nobody_is_not_trusted(tmp_path):
    with patch.object(fcntl, "flock"):  # as some network volumes answer
        found = volume_of(tmp_path)
    assert not found.local
    assert found.why == "two holders got one lock at the same time there"


def test_a_volume_without_locks_is_not_trusted(tmp_path):
    with patch.object(fcntl, "flock", side_effect=OSError(37, "No locks available")):
        assert volume_of(tmp_path).why == "locking and appending fail there: No locks available"
