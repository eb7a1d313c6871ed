"""One memory file, and whoever writes it."""

import pytest

from drumline.store import exchanging, saving
from drumline.store.engine import WallClock
from drumline.store.notebooks import Notebooks
from tests.contracts.notebooks.writing import PATH, START


class Hand:
    """The machine's clock, which dates the files, turned ahead by hand."""

    ahead = 0.0

    def __call__(self):
        return WallClock().now().timestamp() + self.ahead


@pytest.fixture
def clock():
    return Hand()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / PATH
    path.parent.mkdir(parents=True)
    path.write_text(START)
    return path


@pytest.fixture
def notebooks(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(saving, "PATIENCE", 0.05)  # whoever stalls in a test does so for good
    return Notebooks(str(tmp_path), clock)


@pytest.fixture(params=["exchanged", "linked and replaced"])
def either_way(request, monkeypatch):
    """A file system that can exchange two files, and one that cannot."""
    if request.param != "exchanged":
        monkeypatch.setattr(exchanging, "_renameat2", lambda: None)


@pytest.fixture(params=["told", "not told"])
def either_told(request, monkeypatch):
    """A system that tells whether somebody writes into a file, and one that does not."""
    if request.param != "told":
        monkeypatch.setattr(saving, "_is_written", lambda _: None)
