"""What is known of printed text beside its letters: whether it is names, and which of several it may be."""

import pytest

from drumline.team.shell.effect import HOLE
from drumline.team.shell.said import Chained, Either, Listing, either_of, together, ways_of
from drumline.team.shell.ways import MOST_WAYS

NAMES = Listing("a\nb\n")
SAME_LETTERS = "a\nb\n"


@pytest.mark.requirement("GUARD-02")
@pytest.mark.parametrize(
    "other", [SAME_LETTERS, Either(SAME_LETTERS, ("a\n", "b\n")), Listing("a\n")]
)
def test_texts_are_alike_only_where_the_same_is_known_of_them(other):
    assert other != NAMES
    assert not other == NAMES  # noqa: SIM201 - both signs are asked
    assert len({NAMES, other, Listing(SAME_LETTERS)}) == 2


@pytest.mark.requirement("GUARD-02")
def test_texts_with_the_same_letters_are_two_ways():
    assert [type(way) for way in ways_of(either_of("", [NAMES, SAME_LETTERS, NAMES]))] == [
        Listing,
        str,
    ]


@pytest.mark.requirement("GUARD-02")
@pytest.mark.parametrize(
    ("texts", "ways"),
    [
        ([], ("",)),
        (["a", "b"], ("ab",)),
        ([Either("ab", ("a", "b")), "c"], ("ac", "bc")),
        ([Either("ab", ("a", "")), Either("cd", ("c", ""))], ("ac", "a", "c", "")),
        ([NAMES, "", NAMES], (Listing("a\nb\na\nb\n"),)),
        ([NAMES, "c"], ("a\nb\nc",)),
        ([Either("ab", ("a", "b"))] * 3, ("ababab", HOLE)),
    ],
)
def test_texts_one_behind_another_go_every_way_and_too_many_are_not_known(texts, ways):
    assert ways_of(together(texts)) == ways


@pytest.mark.requirement("GUARD-02")
@pytest.mark.parametrize("number", [MOST_WAYS - 1, MOST_WAYS, 3 * MOST_WAYS])
def test_of_too_many_ways_all_or_nobody_knows_what_is_printed(number):
    ways = [str(each) for each in range(number)]
    assert ways_of(either_of("all", ways)) == (tuple(ways) if number < MOST_WAYS else ("all", HOLE))


@pytest.mark.requirement("GUARD-02")
@pytest.mark.parametrize(
    ("links", "ways"),
    [
        ([("", "a", True), ("&&", "b", False)], {"ab", "a", ""}),
        ([("", "a", False), ("&&", "b", False)], {"ab"}),
        ([("", "a", True), ("||", "b", False)], {"a", "b", "ab"}),
        ([("", "a", False), ("||", "b", False)], {"a"}),
        ([("", "", True), ("&&", "b", True), ("||", "c", False)], {"b", "c", "bc"}),
        ([("", "", True), ("||", "b", True), ("&&", "c", False)], {"c", "bc", "", "b"}),
        ([("", Either("ab", ("a", "b")), False), ("&&", "c", False)], {"ac", "bc"}),
    ],
)
def test_links_print_by_who_fails(links, ways):
    (_, first, fails), *others = links
    said = Chained(first, fails=fails)
    for sign, text, may_fail in others:
        said.then(sign, text, fails=may_fail)
    assert set(ways_of(said.text())) == ways


@pytest.mark.requirement("GUARD-02", "GUARD-03")
def test_a_long_chain_is_followed_in_a_few_ways():
    said = Chained("0", fails=True)
    for number in range(1, 5_000):
        said.then("&&" if number % 2 else "||", str(number), fails=True)
        assert len(said.done) <= MOST_WAYS
        assert len(said.failed) <= MOST_WAYS
    assert HOLE in ways_of(said.text())
