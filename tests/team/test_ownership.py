"""Which files a pattern names, and whether two patterns can name one file."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drumline.team.ownership import matches, overlap, owned
from tests.trying import tries

segments = st.one_of(
    st.just("**"),
    st.text("ab.*?é", min_size=1, max_size=5),
    st.sampled_from(
        ["[ab]", "[!a]", "[^a]b", "[.-0]", "[z-a]", "[a&&b]", "[é-ü]x", "[", "[]]", "[]"]
    ),
)
patterns = st.lists(segments, min_size=1, max_size=4).map("/".join)
names = st.text("ab.éx[]&^z-", min_size=1, max_size=4).filter(lambda name: name != ".")
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


@pytest.mark.requirement("TEAM-05")
@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        pytest.param("src/**", "src/a/b.py", True, id="two stars cross folders"),
        pytest.param("src/**", "src", False, id="a folder's content is not the folder"),
        pytest.param("src/", "src/a.py", True, id="a folder with a slash is all that is in it"),
        pytest.param("*.md", "README.md", True, id="one star in a name"),
        pytest.param("*.md", "docs/a.md", False, id="one star stays in its folder"),
        pytest.param("**/*.md", "a.md", True, id="two stars may stand for no folder"),
        pytest.param("a/**/z", "a/z", True, id="in the middle too"),
        pytest.param("a/**/z", "a/b/c/z", True, id="or for several"),
        pytest.param("a/**/b/**/c", "a/b/x/b/c", True, id="the earliest place is enough"),
        pytest.param("**/a*b/**/c?", "x/aab/y/z/cd", True, id="stars of both kinds"),
        pytest.param("?.py", "a.py", True, id="one letter"),
        pytest.param("a?b", "a/b", False, id="a letter is never a slash"),
        pytest.param("[ab].py", "b.py", True, id="one of a set"),
        pytest.param("[!ab].py", "c.py", True, id="none of a set"),
        pytest.param("x[^a]y", "x/y", False, id="none of a set is not a slash"),
        pytest.param("x[.-0]y", "x/y", False, id="a range over the slash leaves it out"),
        pytest.param("[z-a]", "[z-a]", True, id="a set that makes no sense is meant literally"),
        pytest.param("./src//a.py", "src/a.py", True, id="one spelling per place"),
        pytest.param("a*b*c", "aXbYc", True, id="two stars in one name"),
        pytest.param("a*b*b", "ab", False, id="each letter is used once"),
    ],
)
def test_a_pattern_names_files(pattern, path, expected):
    assert matches(pattern, path) is expected


@pytest.mark.requirement("TEAM-05")
@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        pytest.param(["src/**"], ["src/api/**"], True, id="one inside the other"),
        pytest.param(["src/**"], ["tests/**"], False, id="different folders"),
        pytest.param(["**/*.py"], ["src/*"], True, id="a kind and a folder"),
        pytest.param(["*.py"], ["src/*.py"], False, id="different depths"),
        pytest.param(["[!a]x"], ["ax"], False, id="a set that leaves it out"),
        pytest.param(["[!a]"], ["[!b]"], True, id="two sets of exclusions"),
        pytest.param(["[é]"], ["[è-ê]"], True, id="letters beyond ASCII"),
        pytest.param(["[ab]"], ["[cd]"], False, id="sets apart"),
        pytest.param([], ["**"], False, id="nothing owned"),
    ],
)
def test_two_owners_meet_when_one_file_can_belong_to_both(ours, theirs, expected):
    assert (overlap(ours, theirs) is not None) is expected


@pytest.mark.requirement("TEAM-05")
@settings(max_examples=tries(1500), deadline=None)
@given(patterns, patterns, paths)
@example("[z-a]", "?????", "[z-a]")
@example("x[^a]y", "x*y", "xby")
def test_patterns_that_share_a_file_always_overlap(one, other, path):
    if matches(one, path) and matches(other, path):
        assert overlap([one], [other])


@pytest.mark.requirement("TEAM-05")
@settings(max_examples=tries(1000), deadline=None)
@given(patterns, paths)
def test_a_pattern_meets_every_path_it_names(pattern, path):
    if "[" not in path and matches(pattern, path):
        assert overlap([pattern], [path]) is not None


@pytest.mark.requirement("BOARD-07")
@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        pytest.param("src", "src/a.py", True, id="a folder and a file in it"),
        pytest.param("src", "src/deep/a.py", True, id="a folder and a file deep in it"),
        pytest.param("src", "srcs/a.py", False, id="a folder of a longer name"),
        pytest.param("src/a.py", "src/b.py", False, id="two files"),
        pytest.param("src/*", "src/deep/a.py", False, id="a star stays in its folder"),
    ],
)
def test_a_plain_name_is_a_file_or_all_that_is_in_a_folder(one, other, meet):
    assert (overlap([one], [other]) is not None) is meet
    assert (overlap([other], [one]) is not None) is meet


@pytest.mark.requirement("TEAM-05")
@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        pytest.param("**/" * 80 + "x", "a/" * 200 + "y", id="many folders"),
        pytest.param("**/a/" * 50 + "x", "a/" * 200 + "y", id="folders with names between"),
        pytest.param("a*" * 200 + "x", "a" * 400 + "y", id="many stars in one name"),
    ],
)
def test_a_hostile_pattern_answers_at_once(pattern, path):
    assert not owned([pattern], path)
