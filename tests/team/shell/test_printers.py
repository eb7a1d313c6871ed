"""Who lists files is known in two places, because knowing how is read only when it is asked for."""

import pytest

from drumline.team.shell import listings, printed, printed_text, printed_words
from drumline.team.shell.said import Listing


def test_whoever_is_taken_for_a_lister_can_be_asked_and_no_other():
    told = printed.LISTERS | printed.SEARCHERS | printed.FILTERS
    assert told == listings.PRINTERS.keys()
    assert printed_text.PRINTERS.keys() == printed.TEXTS
    assert printed_words.PRINTERS.keys() == printed.WORDS


@pytest.mark.parametrize("options", [(), ("-l",), ("-l", "word", "src")])
def test_a_lister_answers_whatever_it_is_asked(options):
    for name in listings.PRINTERS:
        assert listings.PRINTERS[name]((name, *options), Listing("src/a.py\n"))
    for verb in printed.GIT_LISTERS:
        assert listings.by_git((verb, *options), at_top=True)
