"""The command line of confinement: it runs, it explains, and it refuses in three parts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.team.layer import NOT_COVERED
from tests.runtimes.cell import ACTIVE, LAW, Cell, cell, needs, needs_landlock

__all__ = ["cell"]

START = """
from drumline.surfaces.cli import main
main.NOUNS.setdefault("confine", ("confine", ""))
main.main()
"""


def drumline(*words: str, at: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START, "confine", *words],
        cwd=at,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.requirement("GUARD-11")
@needs("landlock", "mounts")
def test_a_command_runs_in_its_checkout_and_nowhere_else(cell: Cell):
    script = "echo x > new; echo x > .claude/kept.txt; echo x > ../outside/law/kept.txt; exit 3"
    done = drumline("--checkout", ".", "--", "sh", "-c", script, at=cell.checkout)
    assert done.returncode == 3
    assert (cell.checkout / "new").read_text() == "x\n"
    assert (cell.checkout / ".claude" / "kept.txt").read_text() == LAW
    assert (cell.outside / "law" / "kept.txt").read_text() == LAW


@needs_landlock
def test_it_has_a_temporary_folder_that_goes_with_it(cell: Cell):
    done = drumline("sh", "-c", "mktemp; echo x > $TMPDIR/mine", at=cell.checkout)
    made = Path(done.stdout.strip())
    assert done.returncode == 0, done.stderr
    assert made.parent.name.startswith("drumline-confine-")
    assert not made.parent.exists()


@pytest.mark.requirement("GUARD-22")
def test_keys_go_but_for_the_one_kept(cell: Cell):
    keys = {"A_TOKEN": "a", "B_API_KEY": "b", "MY_WORD": "c"}
    done = drumline("--keep-env", "A_TOKEN", "--", "env", at=cell.checkout, **keys)
    assert "A_TOKEN=a" in done.stdout
    assert "B_API_KEY" not in done.stdout
    assert "MY_WORD=c" in done.stdout
    done = drumline("env", at=cell.checkout, **keys, DRUMLINE_DROP_ENV="MY_* OTHER")
    assert "MY_WORD" not in done.stdout


@pytest.mark.requirement("GUARD-11")
def test_an_explanation_says_all_and_runs_nothing(cell: Cell):
    words = (
        "--checkout",
        ".",
        "--hole",
        "none",
        "--port",
        "443",
        "--drop-env",
        "MY_*",
        "--explain",
    )
    done = drumline(*words, "--json", "--", "touch", "ran", at=cell.checkout, MY_WORD="x")
    said = json.loads(done.stdout)
    assert not (cell.checkout / "ran").exists()
    assert {layer["name"]: layer["active"] for layer in said["layers"]} == ACTIVE
    assert said["writable"] == [str(cell.checkout)]
    assert {hole["path"]: hole["there"] for hole in said["holes"]} == {
        str(cell.checkout / ".claude"): True,
        str(cell.checkout / ".drumline"): False,
        str(cell.checkout / "drumline"): False,
        str(cell.checkout / "none"): False,
    }
    assert said["ports"] == [443]
    assert "MY_WORD" in said["removed_variables"]
    covered = {gap.what for gap in NOT_COVERED if any(map(ACTIVE.get, gap.covered_by))}
    assert {gap["what"] for gap in said["not_covered"]} == {g.what for g in NOT_COVERED} - covered
    text = drumline(*words, at=cell.checkout).stdout
    assert f"hole      {cell.checkout}/none: does not exist, not protected" in text
    for gap in said["not_covered"]:
        assert gap["says"] in text


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--writable", "absent"), "no such place"),
        (("--writable", "/"), "/ cannot be writable"),
        (("--writable", "link"), "it leads through a link"),
        (("--hole", "link/x"), "it leads through a link"),
        (("--writable", "work", "--hole", "work"), "both writable and a hole"),
    ],
    ids=["absent", "everything", "link", "below a link", "both"],
)
def test_a_place_that_is_not_what_it_seems_is_refused(cell: Cell, words, what):
    (cell.checkout / "link").symlink_to(cell.outside)
    done = drumline(*words, "--", "touch", "ran", at=cell.checkout)
    assert done.returncode == 1
    assert what in done.stderr
    assert "next:" in done.stderr
    assert not (cell.checkout / "ran").exists()


@pytest.mark.parametrize(
    "words", [(), ("--offline", "--port", "1", "--", "true"), ("--port", "0", "--", "true")]
)
def test_wrong_usage_is_2(cell: Cell, words):
    assert drumline(*words, at=cell.checkout).returncode == 2
