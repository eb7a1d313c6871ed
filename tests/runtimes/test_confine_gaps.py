"""What is said not to be covered is really not covered: each sentence of NOT_COVERED, tried."""

import contextlib
import ctypes
import errno
import os
import socket
import subprocess
from collections.abc import Callable

import pytest

from drumline.team.confinement import Environment
from drumline.team.layer import NOT_COVERED
from tests.runtimes.cell import LAW, Cell, cell, needs, seccomp_first

__all__ = ["cell"]

pytestmark = [pytest.mark.requirement("GUARD-11"), needs("landlock")]
NO_MOUNTS = seccomp_first(open_tree=errno.ENOSYS)


TRIED: set[str] = set()
ELSEWHERE = {
    "servers": "test_a_listed_port_is_reached_and_another_is_not",
    "UDP": "test_port_53_opens_udp_for_names",
    "truncation": "only a kernel before Landlock ABI 3 shows it",
    "signals": "only a kernel before Landlock ABI 6 shows it",
    "exhaustion": "nobody wants to see it",
    "cut ties": "test_without_a_namespace_a_killed_launcher_leaves_what_a_sweep_ends",
}


def gap(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The sentence of NOT_COVERED that a test tries."""
    TRIED.add(what)
    return lambda test: test


def test_every_gap_is_tried():
    assert {each.what for each in NOT_COVERED} == TRIED | ELSEWHERE.keys()


@gap("writing")
def test_without_landlock_and_mounts_everything_can_be_written(cell: Cell):
    bare = seccomp_first(landlock_create_ruleset=errno.ENOSYS, unshare=errno.EPERM)
    assert cell.sh("echo x > ../outside/law/kept.txt", before=bare).returncode == 0
    assert (cell.outside / "law" / "kept.txt").read_text() == "x\n"


@gap("reading")
def test_everything_can_be_read(cell: Cell):
    assert cell.sh("cat ../outside/law/kept.txt").returncode == 0


@gap("holes")
def test_without_mounts_a_hole_can_be_written(cell: Cell):
    done = cell.sh("echo x > .claude/kept.txt", before=NO_MOUNTS)
    assert "drumline: not active: mounts" in done.stderr
    assert (cell.checkout / ".claude" / "kept.txt").read_text() == "x\n"


@gap("hidden folders")
def test_without_mounts_a_hidden_folder_can_be_read(cell: Cell):
    done = cell.sh("cat ../outside/law/kept.txt", hidden=[str(cell.outside)], before=NO_MOUNTS)
    assert "drumline: not hidden: " in done.stderr
    assert done.stdout == LAW


@gap("metadata")
@pytest.mark.parametrize(
    "change", ["chmod 600", "touch -d 2001-01-01", "chown $(id -u)", "chgrp $(id -g)"]
)
def test_without_mounts_metadata_can_be_changed(cell: Cell, change):
    law = cell.outside / "law" / "kept.txt"
    before = law.stat().st_ctime_ns
    assert cell.sh(f"{change} {law}", before=NO_MOUNTS).returncode == 0
    assert law.stat().st_ctime_ns > before


@gap("terminals")
def test_without_a_filter_other_processes_can_be_limited(cell: Cell):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        script = f"import resource as r; r.prlimit({other.pid}, r.RLIMIT_CORE, (0, 0))"
        done = cell.python(script, before=seccomp_first(seccomp=errno.EINVAL))
        other.kill()
    assert done.returncode == 0, done.stderr
    assert "drumline: not active: calls: the kernel says: prctl: Invalid argument" in done.stderr
    assert "drumline: not active: ports: other protocols go round it" in done.stderr


@gap("open files")
def test_a_standard_stream_stays_as_it_was_opened(cell: Cell):
    law = cell.outside / "law" / "kept.txt"
    with law.open("r+") as held:
        cell.python("import os; os.ftruncate(1, 0)", given={"stdout": held})
    assert law.read_text() == ""


@gap("helpers outside")
def test_a_helper_on_a_unix_socket_does_what_it_is_asked(cell: Cell):
    script = """
import socket
made = socket.socket(socket.AF_UNIX)
made.connect("../outside/helper")
made.sendall(b"do it")
"""
    with socket.socket(socket.AF_UNIX) as server:
        with contextlib.chdir(cell.outside):  # a socket's whole path may be too long
            server.bind("helper")
        server.listen()
        assert cell.python(script).returncode == 0
        asked, _ = server.accept()
        with asked:
            assert asked.recv(5) == b"do it"


@gap("listening")
@needs("ports")
def test_a_server_without_a_chosen_port_can_be_opened(cell: Cell):
    script = "import socket; made = socket.socket(); made.listen(); print(made.getsockname()[1])"
    assert int(cell.python(script, ports=[]).stdout) > 0


@gap("second names")
def test_a_second_name_made_before_is_writable(cell: Cell):
    law = cell.outside / "law" / "kept.txt"
    os.link(law, cell.checkout / "second")
    assert cell.sh("echo x > second").returncode == 0
    assert law.read_text() == "x\n"


@gap("absent holes")
def test_an_absent_hole_can_be_made(cell: Cell):
    hole = cell.checkout / ".drumline"
    assert cell.sh("mkdir .drumline; echo x > .drumline/new", holes=[str(hole)]).returncode == 0
    assert (hole / "new").read_text() == "x\n"


@gap("what is run later")
def test_git_outside_obeys_what_a_member_wrote_in_its_checkout(cell: Cell):
    subprocess.run(["git", "init", "-q", str(cell.checkout)], check=True)
    script = """
mkdir -p forged/refs/heads && cp -r .git/objects .git/HEAD forged/
printf '[core]\\n fsmonitor = "touch %s/ran; false"\\n' "$PWD" > forged/config
echo "$PWD/forged" > .git/commondir
"""
    holes = [str(cell.checkout / ".git" / name) for name in ("config", "hooks")]
    assert cell.sh(script, holes=holes).returncode == 0
    subprocess.run(["git", "-C", str(cell.checkout), "status"], capture_output=True, check=False)
    assert (cell.checkout / "ran").exists()


@gap("kept variables")
def test_a_kept_key_is_seen_by_every_process_inside(cell: Cell):
    done = cell.sh(
        "env -u API_KEY cat /proc/$$/environ",
        variables={"API_KEY": "sk-1"},
        environment=Environment(keep=["API_KEY"]),
    )
    assert "API_KEY=sk-1" in done.stdout


@gap("secrets by other names")
def test_a_secret_by_another_name_stays(cell: Cell):
    url = "postgresql://ada:secret@host/db"
    assert cell.sh("echo $BACKEND", variables={"BACKEND": url}).stdout == f"{url}\n"


@gap("System V memory")
def test_shared_memory_and_queues_are_shared_with_the_outside(cell: Cell):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    made, queue = libc.shmget(0, 4096, 0o600), libc.msgget(0, 0o600)
    heard = ctypes.create_string_buffer(16)
    try:
        script = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
ctypes.memmove(libc.shmat({made}, None, 0), b"x", 1)
assert libc.msgsnd({queue}, bytes([1, *bytes(7), 120]), 1, 0) == 0
"""
        done = cell.python(script)
        assert done.returncode == 0, done.stderr
        assert libc.msgrcv(queue, heard, 1, 0, 0o4000) == 1
        assert ctypes.string_at(libc.shmat(made, None, 0), 1) == b"x"
    finally:
        libc.shmctl(made, 0, None)
        libc.msgctl(queue, 0, None)


@gap("priorities")
@pytest.mark.skipif(os.geteuid() == 0, reason="root's processes are safe from a lesser root")
def test_other_processes_can_be_given_less_of_the_machine(cell: Cell):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        assert cell.sh(f"renice 19 {other.pid}").returncode == 0
        assert os.getpriority(os.PRIO_PROCESS, other.pid) == 19
        other.kill()


@gap("survivors")
def test_what_is_left_running_is_not_ended(cell: Cell):
    done = cell.sh("setsid sleep 60 > /dev/null 2>&1 & echo $!")
    os.kill(int(done.stdout), 9)


def test_its_own_memory_file_is_no_way_to_write(cell: Cell):
    assert cell.python("open('/proc/self/mem', 'r+b')").returncode != 0
