"""A life on a leash: nothing that a member started survives its runner, whoever is killed and how."""

import errno
import os
import pty
import select
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from drumline.runtimes import leash, sweep
from drumline.runtimes.confine import launcher, on_leash
from drumline.team.layer import PROCESSES
from tests.runtimes.cell import ACTIVE, SOURCE, Cell, cell, needs, seccomp_first
from tests.runtimes.lives import SOON, life, said_until_closed

__all__ = ["cell"]

pytestmark = pytest.mark.requirement("RUN-07")
SHARED = {"namespace": False}
MODES = {
    "namespace": pytest.param({}, marks=needs("processes"), id="namespace"),
    "adopting": pytest.param(SHARED, id="adopting"),
}
both = pytest.mark.parametrize("tied", MODES.values())


@contextmanager
def held(cell: Cell) -> Iterator[Path]:
    """A leash that this test holds."""
    path = cell.root / "leash"
    holder = leash.hold(path)
    try:
        yield path
    finally:
        os.close(holder)


@contextmanager
def _killed_on_failure(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """So that a failed test does not wait for what would never end."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


def marked() -> str:
    return f"tests/{uuid.uuid4().hex}"


@pytest.mark.parametrize(
    ("victim", "number"),
    [
        ("runner", signal.SIGKILL),
        ("runner", signal.SIGTERM),
        ("outer", signal.SIGKILL),
        ("outer", signal.SIGTERM),
        ("first", signal.SIGKILL),
        ("command", signal.SIGKILL),
        ("command", signal.SIGTERM),
    ],
)
@needs("processes")
def test_whoever_is_killed_nothing_is_left(cell: Cell, victim, number):
    with life(cell, marked()) as lived:
        os.kill(lived.victims[victim], number)
        assert lived.ended()


@pytest.mark.parametrize(
    ("victim", "number"),
    [
        ("runner", signal.SIGKILL),
        ("runner", signal.SIGTERM),
        ("outer", signal.SIGTERM),
        ("command", signal.SIGKILL),
        ("command", signal.SIGTERM),
    ],
)
def test_without_a_namespace_the_launcher_ends_what_it_adopted(cell: Cell, victim, number):
    with life(cell, marked(), tied=SHARED) as lived:
        os.kill(lived.victims[victim], number)
        assert lived.ended()


def test_without_a_namespace_a_killed_launcher_leaves_what_a_sweep_ends(cell: Cell):
    with life(cell, marked(), tied=SHARED) as lived:
        command = lived.victims["command"]
        ending = os.pidfd_open(command)
        os.kill(lived.outer, signal.SIGKILL)
        assert select.select([ending], [], [], SOON)[0], "the command itself outlived its launcher"
        os.close(ending)
        assert sweep.leftovers(lived.marker) != []
        assert sweep.sweep(lived.marker) != []
        assert lived.ended()


def test_where_namespaces_are_refused_it_is_said_and_nothing_is_left(cell: Cell):
    refused = seccomp_first(unshare=errno.EPERM)
    with held(cell) as path:
        done = cell.sh("echo started", tied={"leash": path}, before=refused)
    assert done.stdout == "started\n"
    assert "drumline: not active: processes: [Errno 1] unshare" in done.stderr
    with life(cell, marked(), before=refused) as lived:
        lived.runner.kill()
        assert lived.ended()


@both
def test_a_new_leash_lets_go_of_the_old_one(cell: Cell, tied):
    with life(cell, marked(), tied=tied) as lived:
        lived.runner.send_signal(signal.SIGSTOP)  # it still holds the old one
        holder = leash.hold(cell.root / "leash")
        lived.runner.kill()
        try:
            assert lived.ended()
        finally:
            os.close(holder)


@both
@pytest.mark.parametrize("there", ["nobody's", "absent", "no FIFO"])
def test_nothing_starts_on_a_leash_that_nobody_holds(cell: Cell, tied, there):
    path = cell.root / "leash"
    if there == "nobody's":
        os.close(leash.hold(path))
    if there == "no FIFO":
        path.write_text("x")
    done = cell.sh("echo started", tied={"leash": path} | tied)
    assert (done.returncode, done.stdout) == (125, "")
    assert "drumline: why: " in done.stderr
    assert "drumline: next: " in done.stderr


@both
def test_a_holder_leaked_to_the_launcher_holds_nothing(cell: Cell, tied):
    path = cell.root / "leash"
    holder = leash.hold(path)
    words = [*launcher(cell.confinement(), path, **tied), "sh", "-c", "echo up; exec sleep 600"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, pass_fds=[holder]) as outer:
        assert outer.stdout is not None
        assert outer.stdout.readline() == b"up\n"
        os.close(holder)
        assert outer.wait(SOON) == 128 + signal.SIGKILL


@both
def test_nothing_starts_where_only_the_launcher_itself_holds_the_leash(cell: Cell, tied):
    path = cell.root / "leash"
    holder = leash.hold(path)
    words = [*launcher(cell.confinement(), path, **tied), "echo", "started"]
    late = ["sh", "-c", 'read go; exec "$@"', "sh", *words]
    with subprocess.Popen(
        late, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[holder]
    ) as outer:
        os.close(holder)
        with _killed_on_failure(outer):
            said, _ = outer.communicate(b"go\n", timeout=20)
    assert (said, outer.returncode) == (b"", 125)


@both
@needs("landlock")
def test_the_command_cannot_hold_its_own_leash(cell: Cell, tied):
    with held(cell) as path:
        script = f"import os; os.open({str(path)!r}, os.O_RDWR | os.O_NONBLOCK)"
        done = cell.python(script, tied={"leash": path} | tied)
    assert "PermissionError" in done.stderr


@both
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -TERM $$", 128 + signal.SIGTERM),
        ("kill -KILL $$", 128 + signal.SIGKILL),
        ("exec no-such-command", 127),
        ("exec ./work/kept.txt", 126),
    ],
)
def test_the_exit_code_is_the_commands_own(cell: Cell, tied, script, code):
    with held(cell) as path:
        assert cell.sh(script, tied={"leash": path} | tied).returncode == code


@both
def test_a_command_that_is_not_there_is_said(cell: Cell, tied):
    with held(cell) as path:
        done = cell.run("no-such-command", tied={"leash": path} | tied)
    assert done.returncode == 127
    assert "drumline: refused: no-such-command: No such file" in done.stderr


@both
def test_nothing_starts_when_a_rule_cannot_be_made(cell: Cell, tied):
    with held(cell) as path:
        absent = [str(cell.root / "absent")]
        done = cell.sh("echo started", writable=absent, tied={"leash": path} | tied)
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr.count("drumline: why: ") == 1


@both
@pytest.mark.parametrize("name", ["TERM", "INT", "HUP", "QUIT"])
def test_a_signal_to_the_launcher_reaches_the_command_once(cell: Cell, tied, name):
    script = f"""
import signal, sys
heard = []
signal.signal(signal.SIG{name}, lambda number, frame: heard.append(number))
print("up", flush=True)
while not heard: signal.pause()
sys.stdin.read()
print(len(heard), flush=True)
sys.exit(9)
"""
    with held(cell) as path:
        words = [*launcher(cell.confinement(), path, **tied), sys.executable, "-c", script]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as outer:
            assert outer.stdout is not None
            assert outer.stdout.readline() == b"up\n"
            outer.send_signal(getattr(signal, f"SIG{name}"))
            with _killed_on_failure(outer):
                said, _ = outer.communicate(timeout=20)
    assert (said, outer.returncode) == (b"1\n", 9)


@both
def test_the_streams_are_the_callers_own(cell: Cell, tied):
    with held(cell) as path:
        given = {"stdin": None, "input": "in\n"}
        done = cell.sh("cat; echo err >&2", tied={"leash": path} | tied, given=given)
    assert done.stdout == "in\n"
    assert "err\n" in done.stderr


@both
def test_a_stream_the_command_closes_is_closed(cell: Cell, tied):
    wake = cell.checkout / "wake"
    os.mkfifo(wake)
    with held(cell) as path:
        script = f"exec < /dev/null > /dev/null; read go < {wake}; exit 5"
        words = [*launcher(cell.confinement(), path, **tied), "sh", "-c", script]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as outer:
            assert outer.stdin is not None
            assert outer.stdout is not None
            with _killed_on_failure(outer):
                said = said_until_closed(outer.stdout.fileno())
            assert said == b""  # while it lives: neither of its parents holds it
            with pytest.raises(BrokenPipeError):
                os.write(outer.stdin.fileno(), b"x")
            wake.write_text("go\n")
            assert outer.wait(20) == 5


@both
def test_a_named_descriptor_is_the_commands_alone(cell: Cell, tied):
    reader, writer = os.pipe()
    wake = cell.checkout / "wake"
    os.mkfifo(wake)
    script = f"echo mine >&{writer}; exec {writer}>&-; read go < {wake}"
    with held(cell) as path:
        confinement = cell.confinement(descriptors=[writer])
        words = [*launcher(confinement, path, **tied), "bash", "-c", script]
        with subprocess.Popen(words, pass_fds=[writer]) as outer:
            os.close(writer)
            with _killed_on_failure(outer):
                said = said_until_closed(reader)
            os.close(reader)
            assert said == b"mine\n"
            wake.write_text("go\n")
            assert outer.wait(20) == 0


@needs("processes")
@pytest.mark.parametrize("before", [(), seccomp_first(landlock_create_ruleset=errno.ENOSYS)])
def test_it_sees_and_signals_only_its_own_processes(cell: Cell, before):
    script = """
import os, sys
print(*sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()), os.getpid())
try: os.kill(int(sys.argv[1]), 0)
except ProcessLookupError: print("nobody")
"""
    with held(cell) as path, subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        words = (sys.executable, "-c", script, str(other.pid))
        done = cell.run(*words, tied={"leash": path}, before=before)
        other.kill()
    assert done.stdout == "1 2 2\nnobody\n", done.stderr


@needs("processes")
@pytest.mark.parametrize("before", [(), seccomp_first(landlock_create_ruleset=errno.ENOSYS)])
@pytest.mark.parametrize(
    "attempt",
    [
        "os.readlink('/proc/1/fd/2')",
        "os.readlink('/proc/1/root')",
        "open('/proc/1/mem', 'rb')",
        "ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0 or sys.exit(1)",
    ],
)
def test_its_first_process_is_not_to_be_led(cell: Cell, before, attempt):
    with held(cell) as path:
        script = f"import ctypes, os, sys; {attempt}"
        done = cell.python(script, tied={"leash": path}, before=before)
    assert done.returncode == 1


@both
def test_it_is_in_a_session_of_its_own(cell: Cell, tied):
    script = "import os; print(os.getsid(0) == os.getpgrp() == os.getpid())"
    with held(cell) as path:
        assert cell.python(script, tied={"leash": path} | tied).stdout == "True\n"


@both
def test_what_it_tells_its_own_group_its_launcher_does_not_hear(cell: Cell, tied):
    with held(cell) as path:
        done = cell.sh("trap 'exit 6' TERM; kill -TERM 0", tied={"leash": path} | tied)
    assert done.returncode == 6


@both
def test_a_terminals_keys_reach_a_command_that_stays_in_its_session(cell: Cell, tied):
    script = """
import signal
keys = {signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, keys)  # a handler may miss what comes just before a read
print("up", open("/dev/tty").isatty(), flush=True)
signal.sigwait(keys)
print("heard", flush=True)
input()
print("count", 1 + (signal.sigtimedwait(keys, 0) is not None), flush=True)
"""
    with held(cell) as path:
        words = launcher(cell.confinement(), path, terminal=True, **tied)
        child, screen = pty.fork()
        if child == 0:
            signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whatever an earlier test left
            os.execv(words[0], [*words, sys.executable, "-c", script])  # noqa: S606 - on its terminal
        with os.fdopen(screen, "r+b", buffering=0) as keys:
            _await_on(keys.fileno(), b"up True")
            keys.write(b"\x03")
            _await_on(keys.fileno(), b"heard")
            keys.write(b"\n")
            _await_on(keys.fileno(), b"count 1")
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _await_on(screen: int, wanted: bytes) -> None:
    said = b""
    while wanted not in said:
        assert select.select([screen], [], [], 20)[0], said
        said += os.read(screen, 4096)


@both
@needs("landlock", "mounts")
def test_it_is_confined_as_without_a_leash(cell: Cell, tied):
    script = f"""
    echo x > mine; echo x > .claude/kept.txt; echo x > {cell.outside}/law/kept.txt
    grep -E 'NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\t\\n'; echo $API_KEY
    """
    with held(cell) as path:
        where = {"leash": path} | tied
        done = cell.sh(script, tied=where, variables={"API_KEY": "sk-1"})
    assert (cell.checkout / "mine").exists()
    assert "cannot create .claude/kept.txt: Read-only file system" in done.stderr
    assert done.stderr.count("cannot create") == 2
    assert done.stdout == "NoNewPrivs:1Seccomp:2\n"


@both
def test_ordinary_git_work_works(cell: Cell, tied):
    script = """
    set -e
    git init -q -b main . && git config user.name ada && git config user.email ada@example.org
    echo one > a && git add a && git commit -qm one && git switch -qc side
    echo two > a && git commit -qam two && git switch -q main && git merge -q side
    git gc -q && git log --oneline | wc -l
    """
    with held(cell) as path:
        done = cell.sh(script, tied={"leash": path} | tied, holes=[])
    assert done.stdout.strip() == "2", done.stderr


@both
def test_a_child_outlived_by_nobody_is_reaped(cell: Cell, tied):
    script = """
import os, time
reader, writer = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.write(writer, str(os.getpid()).encode())
    os._exit(0)
os.wait()
orphan = int(os.read(reader, 99))
until = time.monotonic() + 2
while os.path.exists(f"/proc/{orphan}") and time.monotonic() < until:
    time.sleep(0.01)
print(os.path.exists(f"/proc/{orphan}"))
"""
    with held(cell) as path:
        assert cell.python(script, tied={"leash": path} | tied).stdout == "False\n"


def test_the_layer_of_processes_is_said():
    assert PROCESSES in ACTIVE


def test_a_leashed_start_loads_nothing_it_does_not_need():
    code = "import sys; sys.path.append(sys.argv[1]); import drumline.runtimes.leashed; print(*sys.modules)"
    words = [sys.executable, "-I", "-S", "-c", code, SOURCE]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"typing", "re", "enum", "pathlib", "contextlib", "dataclasses", "subprocess", "signal"}
    assert heavy & set(loaded) == set()


def test_a_process_is_on_the_leash_of_its_launcher_and_on_no_other(cell: Cell):
    with held(cell) as path:
        words = [*launcher(cell.confinement(), path), "sh", "-c", "echo up; read go"]
        with started(words) as outer:
            assert leash.is_on(outer.pid, path)
            assert not leash.is_on(outer.pid, path.with_name("another"))


def test_words_behind_those_of_a_launcher_put_nobody_on_a_leash(cell: Cell):
    with held(cell) as path:
        more = ["sh", "-c", "echo up; read go", *on_leash(path)]
        held_by_another = [*launcher(cell.confinement(), leash.OF_THE_RUN), *more]
        with leash.of_one_run() as line:
            for words in (line.put_into(held_by_another), more):
                with started(words) as outer:
                    assert not leash.is_on(outer.pid, path)


FORGED = """
import ctypes, sys
words = bytes.fromhex(sys.argv[1])
told = open("/proc/self/stat").read().rpartition(")")[2].split()
ctypes.memmove(int(told[45]), words, len(words))
print("up", flush=True)
sys.stdin.readline()
"""


@needs("privileges")
def test_a_confined_child_that_rewrote_its_words_is_on_no_leash(cell: Cell):
    with held(cell) as path:
        wanted = b"".join(os.fsencode(word) + b"\0" for word in on_leash(path))
        words = [*launcher(cell.confinement()), sys.executable, "-c", FORGED, wanted.hex()]
        with started(words) as outer:
            told = Path(f"/proc/{outer.pid}/cmdline").read_bytes()
            assert told.startswith(wanted)
            assert not leash.is_on(outer.pid, path)


@contextmanager
def started(words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as outer:
        with _killed_on_failure(outer):
            assert outer.stdout is not None
            assert outer.stdout.readline() == b"up\n"
            yield outer
        outer.communicate(b"\n")
