"""What tests with the real agent CLIs share."""

import pytest

from tests.live.proofs import Proofs


@pytest.fixture
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Proofs:
    """A way to leave a team the proofs an earlier launch would have left."""
    return Proofs(tmp_path_factory)
