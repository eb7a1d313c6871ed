"""The last words of a command: short, plain, and without secrets."""

import pytest

from drumline.team.tail import TAIL_CAP, tail
from tests.team.made_up import TOKEN


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("fine\n", "fine", id="short"),
        pytest.param("\x1b[1;31mred\x1b[0m\x07", "red", id="colours and bells"),
        pytest.param("\x1b]0;title\x07shown\x1b]8;;x\x1b\\", "shown", id="titles and links"),
        pytest.param("10%\r20%\r\nend", "10%\n20%\nend", id="lines written over"),
        pytest.param("a\x00b\udc80c", "abc", id="what cannot be stored"),
        pytest.param(f"key \x1b[1m{TOKEN}\x1b[0m", "key [redacted]", id="a secret in colour"),
        pytest.param("x" * 5_000 + "end", "x" * 3_997 + "end", id="long"),
    ],
)
def test_last_words_are_plain_and_short(said, expected):
    assert tail(said) == expected


def test_a_secret_is_masked_before_it_is_cut():
    cut = f"{TOKEN}{' ' * 10}{'x' * (TAIL_CAP - 20)}"
    assert TOKEN[-5:] not in tail(cut)


def test_a_note_of_ours_always_fits():
    told = tail("x" * 5_000, "late")
    assert told.endswith("x\nlate")
    assert len(told) == TAIL_CAP
    assert tail("", "late") == "late"
