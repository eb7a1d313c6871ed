"""A subagent's home has its starter's login, and nothing else that either left for the other."""

import pytest

from drumline.runtimes.lodging import furnish_lodging

pytestmark = pytest.mark.requirement("RUN-13")


@pytest.fixture
def places(tmp_path):
    starter = tmp_path / "ada"
    starter.mkdir()
    return starter, tmp_path / "ada~1", tmp_path / "tmp" / "ada~1"


def test_a_login_is_lent_and_nothing_else(places):
    starter, home, _ = places
    (starter / "auth.json").write_text("{}")
    (starter / ".gitconfig").write_text("[alias]")
    furnish_lodging(*places)
    assert [each.name for each in home.iterdir()] == ["auth.json"]


def test_a_link_that_was_planted_as_a_login_is_not_followed(places, tmp_path):
    starter, home, _ = places
    (tmp_path / "secret").write_text("of another member")
    (starter / "auth.json").symlink_to(tmp_path / "secret")
    furnish_lodging(*places)
    assert list(home.iterdir()) == []


def test_what_an_earlier_subagent_left_is_gone(places):
    _, home, temporary = places
    for each in (home, temporary):
        (each / "closed").mkdir(parents=True)
        (each / "closed" / "left").touch()
        (each / "closed").chmod(0)
    furnish_lodging(*places)
    assert [*home.iterdir(), *temporary.iterdir()] == []
