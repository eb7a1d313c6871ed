"""What the command line says when the system, not Drumline, refuses."""

import subprocess
import sys

import pytest

from tests.surfaces.console import drumline

pytestmark = pytest.mark.requirement("SCALE-01")

STRAY = """
import click, sys
from drumline.surfaces.cli import main
@click.command()
@click.option("--json", is_flag=True)
def stray(json): raise PermissionError(13, "Permission denied", "/somewhere")
main.root = stray
main.main()
"""


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_command_that_failed_does_not_say_it_is_done(words):
    done = subprocess.run(
        [sys.executable, "-c", STRAY, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "/somewhere: Permission denied" in done.stdout + done.stderr
    assert "done, but" not in done.stderr
    assert bool(done.stdout) == bool(words)


def test_an_answer_that_cannot_be_written_was_still_carried_out(repository):
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "drumline", "--help"],
            cwd=repository,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.count("done, but the answer")) == (1, 1)


def test_a_fence_no_claim_can_have_is_wrong_usage(repository):
    drumline("init", "--yes", at=repository)
    for fence in ("99999999999999999999999", "-1"):
        assert drumline("task", "done", "T-1", "--fence", fence, at=repository).code == 2
