"""A start on a leash is its own trial: only one that fails asks what the machine has."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.runtimes import leash
from drumline.runtimes.confine import launcher
from tests.runtimes.cell import SOURCE, Cell, cell, needs, seccomp_first

__all__ = ["cell"]

pytestmark = pytest.mark.requirement("RUN-07")
both = pytest.mark.parametrize(
    "tied",
    [
        pytest.param({}, marks=needs("processes"), id="namespace"),
        pytest.param({"namespace": False}, id="adopting"),
    ],
)
NO_MOUNTS = seccomp_first(open_tree=errno.ENOSYS)


def held(cell: Cell, script: str, tied=(), **how) -> subprocess.CompletedProcess[str]:
    """How a script ends that runs in the cell, on a leash that this test holds."""
    with leash.of_one_run() as line:
        path = Path(*line.put_into([str(leash.OF_THE_RUN)]))
        return cell.sh(script, tied={"leash": path, **dict(tied)}, **how)


ALONE = """
import os, subprocess, sys
sys.path.insert(0, sys.argv[1])
from drumline.runtimes import leash, namespace
child, user = namespace.fork_first()
if child:
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
namespace.become(user)
namespace.show_own_processes()
with leash.of_one_run() as line, subprocess.Popen(line.put_into(sys.argv[2:])) as outer:
    assert outer.wait() == 0
following = os.fork() or os._exit(0)
print(following - outer.pid, flush=True)
os._exit(0)
"""


@needs("processes", "mounts")
@pytest.mark.parametrize(("namespace", "made"), [(True, 3), (False, 2)])
def test_where_every_layer_is_to_be_had_no_process_is_made_to_try_one(cell: Cell, namespace, made):
    words = launcher(cell.confinement(), leash.OF_THE_RUN, namespace=namespace)
    counted = [sys.executable, "-c", ALONE, SOURCE, *words, "true"]
    done = subprocess.run(counted, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == f"{made}\n", done.stderr  # those of a life: nobody else is counted here


@both
@needs("mounts")
def test_a_start_that_fails_where_every_layer_is_to_be_had_is_refused(cell: Cell, tied):
    (cell.root / "link").symlink_to(cell.checkout)
    through_a_link = [str(cell.root / "link" / "work")]
    ran = cell.checkout / "ran"
    done = held(cell, f"touch {ran}", tied, writable=[str(cell.checkout), *through_a_link])
    assert done.returncode == 125
    assert not ran.exists()
    assert "drumline: refused: sh was not started" in done.stderr
    assert "drumline: why: [Errno 40] call 437: Too many levels of symbolic links: " in done.stderr
    assert done.stderr.count("drumline: why: ") == done.stderr.count("drumline: next: ") == 1


@both
@needs("mounts")
def test_where_a_layer_is_missing_that_is_said_and_the_others_hold(cell: Cell, tied):
    done = held(cell, "echo started $$; cat /proc/self/status", tied, before=NO_MOUNTS)
    assert "drumline: not active: mounts: [Errno 38] call 428" in done.stderr
    assert f"drumline: not protected: {cell.checkout}/.claude: a hole needs" in done.stderr
    assert ("started 2\n" in done.stdout) == (not tied)
    assert "NoNewPrivs:\t1" in done.stdout


@both
@needs("mounts")
def test_what_is_said_is_said_once_however_often_a_start_was_tried(cell: Cell, tied):
    absent, folder = str(cell.checkout / "absent"), str(cell.root / "nowhere")
    how = {"holes": [absent], "hidden": [folder], "before": NO_MOUNTS}
    said = held(cell, "true", tied, **how).stderr.splitlines()
    assert f"drumline: not protected: {absent}: it does not exist, and may be made inside" in said
    assert f"drumline: not hidden: {folder}: there is no such folder" in said
    assert len(said) == len(set(said))


@needs("processes")
def test_where_no_namespace_of_processes_can_be_made_it_is_said(cell: Cell):
    done = held(cell, "echo started", before=seccomp_first(clone=errno.EPERM))
    assert done.stdout == "started\n"
    assert (
        "drumline: not active: processes: [Errno 1] clone: Operation not permitted" in done.stderr
    )
    assert "not active: mounts" not in done.stderr


@needs("processes")
def test_a_machine_too_full_for_another_process_is_not_taken_for_one_that_lacks_a_layer(cell: Cell):
    done = held(cell, "echo started", before=seccomp_first(clone=errno.EAGAIN))
    assert (done.returncode, done.stdout) == (125, "")
    assert "drumline: why: [Errno 11] clone: Resource temporarily unavailable" in done.stderr
