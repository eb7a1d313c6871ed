"""A new checkout gets what the manifest says, once, and stays clean."""

from pathlib import Path

import pytest

from drumline.errors import Refused, Unknown
from drumline.runtimes import checkout
from drumline.runtimes.furnishing import furnish
from drumline.runtimes.inspecting import state_of
from drumline.runtimes.project_command import Terms
from drumline.team.checkout_plan import CheckoutPlan
from tests.runtimes.cell import needs, tree
from tests.runtimes.clones import ada, git, original

__all__ = ["ada", "original"]  # fixtures of the folder


def sh(script: str) -> tuple[str, ...]:
    return ("sh", "-c", script)


def test_the_set_up_runs_once_in_its_order(original: Path, ada: Path):
    plan = CheckoutPlan(setup=(sh("echo one >> .git/ran"), sh("echo two >> .git/ran")))
    assert furnish(original, ada, plan, Terms()) == (True, ())
    assert furnish(original, ada, plan, Terms()) == (False, ())
    assert (ada / ".git" / "ran").read_text() == "one\ntwo\n"


def test_a_new_checkout_in_its_place_is_furnished_anew(original: Path, ada: Path):
    plan = CheckoutPlan(setup=(sh("echo one >> .git/ran"),))
    furnish(original, ada, plan, Terms())
    checkout.remove(original, ada, "ada")
    checkout.clone(original, ada, "ada")
    assert furnish(original, ada, plan, Terms()).now


@needs("landlock")
def test_the_member_cannot_write_the_mark(original: Path, ada: Path):
    furnish(original, ada, CheckoutPlan(), Terms())
    mark = ada.with_name(".ada.furnished")
    assert mark.exists()
    assert ada not in mark.parents


def test_a_failed_set_up_says_its_last_words_and_is_tried_again(original: Path, ada: Path):
    plan = CheckoutPlan(setup=(sh("test -f .git/mended || { echo no luck; exit 4; }"),))
    with pytest.raises(Refused, match="failed with 4") as refused:
        furnish(original, ada, plan, Terms())
    assert refused.value.why == "no luck"
    (ada / ".git" / "mended").touch()
    assert furnish(original, ada, plan, Terms()).now


def test_a_set_up_that_takes_too_long_is_ended(original: Path, ada: Path):
    with pytest.raises(Refused, match="failed with 124"):
        furnish(original, ada, CheckoutPlan(setup=(sh("sleep 600"),)), Terms(seconds=0.5))


@needs("landlock")
def test_the_set_up_writes_only_in_the_checkout_and_sees_what_it_is_given(
    original: Path, ada: Path
):
    before = tree(original)
    plan = CheckoutPlan(setup=(sh(f'! touch {original}/x && test "$GIVEN" = yes'),))
    furnish(original, ada, plan, Terms(variables={"GIVEN": "yes"}))
    assert tree(original) == before


def test_a_set_up_that_leaves_the_checkout_dirty_is_refused(original: Path, ada: Path):
    with pytest.raises(Refused, match="changed: made"):
        furnish(original, ada, CheckoutPlan(setup=(sh("touch made"),)), Terms())


def test_files_and_folders_are_copied_with_links_as_links(original: Path, ada: Path):
    (original / ".env").write_text("secret\n")
    (original / ".env").chmod(0o600)
    (original / "local" / "deep").mkdir(parents=True)
    (original / "local" / "deep" / "file").write_text("deep\n")
    (original / "local" / "away").symlink_to("/etc")
    furnish(original, ada, CheckoutPlan(copy=(".env", "local")), Terms())
    assert (ada / ".env").read_text() == "secret\n"
    assert (ada / ".env").stat().st_mode & 0o777 == 0o600
    assert (ada / "local" / "deep" / "file").read_text() == "deep\n"
    assert (ada / "local" / "away").readlink() == Path("/etc")
    assert state_of(ada).changed == ()


@needs("landlock")
def test_what_is_linked_can_be_read_and_not_changed(original: Path, ada: Path):
    (original / ".gitignore").write_text("cache/\n")
    git(original, "add", ".gitignore")
    git(original, "commit", "-qm", "ignore")
    checkout.start_from(original, ada, "ada", git(original, "rev-parse", "HEAD"))
    (original / "cache").mkdir()
    (original / "cache" / "file").write_text("kept\n")
    setup = (sh("grep -q kept cache/file && ! echo x > cache/file"),)
    furnish(original, ada, CheckoutPlan(link=("cache",), setup=setup), Terms())
    assert (ada / "cache").is_symlink()
    assert (original / "cache" / "file").read_text() == "kept\n"
    assert state_of(ada).changed == ()  # cache/ in .gitignore means no link


def test_one_that_was_cut_short_is_begun_anew(original: Path, ada: Path):
    (original / "local").mkdir()
    (original / "local" / "file").write_text("whole\n")
    (ada / "local").mkdir()
    (ada / "local" / "file").write_text("wh")
    (ada / "cache").symlink_to("/nowhere")
    (original / "cache").mkdir()
    furnish(original, ada, CheckoutPlan(copy=("local",), link=("cache",)), Terms())
    assert (ada / "local" / "file").read_text() == "whole\n"
    assert (ada / "cache").resolve() == original / "cache"


@pytest.mark.parametrize("field", ["copy", "link"])
def test_what_cannot_be_brought_is_said(original: Path, ada: Path, field):
    (original / "out").symlink_to("/etc")
    for path, why in (
        ("absent", "not there"),
        ("first", "part of the commit"),
        ("out/hostname", "leads out"),
    ):
        plans = {"copy": CheckoutPlan(copy=(path,)), "link": CheckoutPlan(link=(path,))}
        with pytest.raises(Refused, match=path) as refused:
            furnish(original, ada, plans[field], Terms())
        assert why in refused.value.why


@needs("landlock")
def test_a_link_in_the_checkout_leads_no_copy_outside(original: Path, ada: Path):
    outside = original.parent / "outside"
    outside.mkdir()
    (original / "way").mkdir()
    (original / "way" / "file").write_text("x\n")
    (ada / "way").symlink_to(outside)
    with pytest.raises(Refused, match="cannot be brought"):
        furnish(original, ada, CheckoutPlan(copy=("way/file",)), Terms())
    assert list(outside.iterdir()) == []


def test_a_checkout_that_is_not_there_is_refused(original: Path, tmp_path: Path):
    with pytest.raises(Unknown):
        furnish(original, tmp_path / "nobody", CheckoutPlan(), Terms())
