"""A call as a person sees it before it is made."""

import pytest

from drumline.errors import BadInput
from drumline.team.call_shown import shown

LONG = "x" * 300


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            {"content": "a", "file_path": "b"},
            'T: file_path "b", content "a"',
            id="a path is first",
        ),
        pytest.param({"a": "two\nlines"}, r'T: a "two\nlines"', id="a value cannot end its line"),
        pytest.param({"a": "\u202e"}, r'T: a "\u202e"', id="what cannot be seen is spelled"),
        pytest.param(
            {"path": LONG, "z": 1},
            f'T: z 1, path "{LONG[:59]} … {LONG[:59]}" (302 characters)\n'
            f'the whole call:\nz: 1\npath: "{LONG}"',
            id="of a long value both ends, and all of it below",
        ),
        pytest.param(["a"], 'T: input ["a"]', id="an input without names"),
    ],
)
def test_a_call_is_shown_whole_and_what_it_acts_on_first(given, expected):
    assert shown("T", given) == expected


def test_what_is_too_long_to_be_shown_is_not_asked_about():
    with pytest.raises(BadInput, match="cannot be approved"):
        shown("T", {"a": "x" * 100_000})
