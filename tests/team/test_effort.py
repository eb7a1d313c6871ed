"""How much thought a phase is worth, as each runtime is told it."""

import pytest

from drumline.team.effort import shown, told
from drumline.team.manifest import RUNTIMES
from drumline.team.pipeline import EFFORTS

pytestmark = pytest.mark.requirement("PIPE-19")


@pytest.mark.parametrize(
    ("runtime", "effort", "word", "words"),
    [
        pytest.param("claude", "max", "max", "max", id="claude has all of them"),
        pytest.param("codex", "medium", "medium", "medium", id="codex has most"),
        pytest.param(
            "codex", "max", "high", "max, for which codex is told high", id="codex at most"
        ),
        pytest.param("scripted", "low", "low", "low", id="scripted shows it"),
        pytest.param("claude", "", "", "", id="none is meant"),
        pytest.param(
            "command",
            "max",
            "",
            "max, which command is not told: it has no such setting",
            id="none",
        ),
    ],
)
def test_a_runtime_is_told_an_effort_in_its_own_words(runtime, effort, word, words):
    assert told(runtime, effort) == word
    assert shown(runtime, effort) == words


@pytest.mark.parametrize("runtime", sorted(set(RUNTIMES) - {"command"}))
def test_every_effort_has_a_word(runtime):
    assert all(told(runtime, each) for each in EFFORTS)
