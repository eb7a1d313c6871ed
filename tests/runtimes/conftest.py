"""Who tries what a confined command could, shared by the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.runtimes.wardens import Wardens


@pytest.fixture(scope="module")
def all_wardens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wardens]:
    found = Wardens(tmp_path_factory)
    yield found
    found.end()


@pytest.fixture
def wardens(all_wardens: Wardens) -> Iterator[Wardens]:
    yield all_wardens
    all_wardens.tidy()
