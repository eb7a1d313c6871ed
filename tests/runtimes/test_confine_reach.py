"""What a confined process sees and reaches: ports, variables, open files, devices, and its own exit."""

import errno
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from drumline.runtimes.confine import confine
from drumline.team.confinement import Environment
from tests.runtimes.cell import LAW, SOURCE, Cell, cell, needs, needs_landlock, seccomp_first

__all__ = ["cell"]

CONNECT = """
import socket, sys
def tcp(port): return socket.create_connection(("127.0.0.1", port), 5).recv(5)
def multipath(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as made:
        made.connect(("127.0.0.1", port))
        return made.recv(5)
def fast_open(port):
    with socket.socket() as made:
        made.sendto(b"x", 0x20000000, ("127.0.0.1", port))
        return made.recv(5)
def udp(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        return b"sent" if made.sendto(b"x", ("127.0.0.1", port)) else b""
def udp_6(port):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as made:
        return b"sent" if made.sendto(b"x", ("::1", port)) else b""
def ping(port): return bytes(socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1).fileno())
def raw(port): return bytes(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).fileno())
def packet(port): return bytes(socket.socket(17, socket.SOCK_RAW, 0).fileno())
def machine(port): return bytes(socket.socket(40, socket.SOCK_STREAM).fileno())
def ring(port):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(425, 1, ctypes.create_string_buffer(120)) < 0:
        raise OSError(ctypes.get_errno(), "io_uring")
def upper(port):
    with socket.socket() as made:
        made.setsockopt(6, 31, b"smc")
def bind(port):
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
try:
    print("reached", globals()[sys.argv[1]](int(sys.argv[2])))
except OSError as error:
    print("refused", error.errno)
"""
WAYS_ROUND = {
    "tcp": errno.EACCES,
    "multipath": errno.EPROTONOSUPPORT,
    "fast_open": errno.EOPNOTSUPP,
    "udp": errno.EACCES,
    "udp_6": errno.EACCES,
    "ping": errno.EACCES,
    "raw": errno.EACCES,
    "packet": errno.EAFNOSUPPORT,
    "machine": errno.EAFNOSUPPORT,
    "ring": errno.ENOSYS,
    "upper": errno.EPERM,
    "bind": errno.EACCES,
}


@pytest.fixture
def servers() -> Iterator[tuple[int, int]]:
    """Two servers on loopback that say hello: their ports."""
    opened = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    for each in opened:
        threading.Thread(target=_greet, args=(each,), daemon=True).start()
    yield opened[0].getsockname()[1], opened[1].getsockname()[1]
    for each in opened:
        each.shutdown(socket.SHUT_RDWR)
        each.close()


def _greet(server: socket.socket) -> None:
    while True:
        try:
            guest, _ = server.accept()
        except OSError:
            return
        with guest:
            guest.sendall(b"hello")


def reach(cell: Cell, way: str, port: int, **how) -> str:
    done = cell.run(sys.executable, "-c", CONNECT, way, str(port), **how)
    assert done.stdout, done.stderr
    return done.stdout.strip()


@pytest.mark.requirement("GUARD-22")
@needs("ports")
def test_a_listed_port_is_reached_and_another_is_not(cell: Cell, servers):
    listed, other = servers
    assert reach(cell, "tcp", listed, ports=[listed]) == "reached b'hello'"
    assert reach(cell, "tcp", other, ports=[listed]) == f"refused {errno.EACCES}"
    assert reach(cell, "tcp", listed, ports=[]) == f"refused {errno.EACCES}"
    assert reach(cell, "tcp", other) == "reached b'hello'"


@pytest.mark.requirement("GUARD-22")
@needs("ports")
@pytest.mark.parametrize("way", WAYS_ROUND)
def test_no_protocol_goes_round_the_list(cell: Cell, servers, way):
    assert reach(cell, way, servers[1], ports=[servers[0]]) == f"refused {WAYS_ROUND[way]}"


@pytest.mark.requirement("GUARD-22")
@needs("ports")
def test_port_53_opens_udp_for_names(cell: Cell, servers):
    assert reach(cell, "udp", servers[1], ports=[53]) == "reached b'sent'"
    assert reach(cell, "tcp", servers[1], ports=[53]) == f"refused {errno.EACCES}"
    assert reach(cell, "ping", servers[1], ports=[53]) == f"refused {errno.EPROTONOSUPPORT}"


@pytest.mark.requirement("GUARD-22")
@needs("ports")
def test_a_unix_socket_in_the_checkout_works_with_ports_listed(cell: Cell):
    script = """
import socket
with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as guest:
    server.bind("s"); server.listen(); guest.connect("s"); print("met")
"""
    assert cell.python(script, ports=[]).stdout == "met\n"


@pytest.mark.requirement("GUARD-22")
def test_keys_are_gone_from_the_environment(cell: Cell):
    keys = {"ANTHROPIC_API_KEY": "sk-1", "GITHUB_TOKEN": "gh-2", "OUR_PIN": "3", "PLAIN": "4"}
    done = cell.sh(
        "env", variables=keys, environment=Environment(keep=["ANTHROPIC_API_KEY"], drop=["*_PIN"])
    )
    assert "ANTHROPIC_API_KEY=sk-1" in done.stdout
    assert "PLAIN=4" in done.stdout
    assert "gh-2" not in done.stdout
    assert "OUR_PIN" not in done.stdout


@pytest.mark.requirement("GUARD-22")
@needs("landlock")
def test_an_outsiders_variables_cannot_be_read(cell: Cell):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, env={"API_KEY": "sk-1"}) as other:
        done = cell.sh(f"cat /proc/{other.pid}/environ")
        other.kill()
    assert "sk-1" not in done.stdout
    assert "Permission denied" in done.stderr


@pytest.mark.requirement("GUARD-11")
def test_an_open_file_is_closed_unless_it_is_named(cell: Cell):
    law = cell.outside / "law" / "kept.txt"
    with law.open("r+") as held:
        number = held.fileno()
        script = f"import os; os.write({number}, b'x')"
        done = cell.python(script, given={"pass_fds": [number]})
        assert "Bad file descriptor" in done.stderr
        assert law.read_text() == LAW
        done = cell.python(script, descriptors=[number], given={"pass_fds": [number]})
        assert done.returncode == 0, done.stderr
    assert law.read_text() != LAW


@pytest.mark.requirement("GUARD-11")
@needs("landlock")
def test_an_open_folder_is_closed_even_when_named(cell: Cell):
    folder = os.open(cell.checkout, os.O_RDONLY)
    script = f"import os; os.open('.claude/kept.txt', os.O_WRONLY, dir_fd={folder})"
    try:
        done = cell.python(script, descriptors=[folder], given={"pass_fds": [folder]})
    finally:
        os.close(folder)
    assert "Bad file descriptor" in done.stderr


@needs("landlock")
@pytest.mark.parametrize(
    ("mode", "again"), [("w", True), ("a", False)], ids=["written", "appended"]
)
def test_a_stream_given_for_writing_can_be_opened_by_name(cell: Cell, mode, again):
    log = cell.outside / "log"
    with log.open(mode) as held:
        done = cell.sh("echo first; echo second >> /dev/stdout", given={"stdout": held})
    assert log.read_text() == ("first\nsecond\n" if again else "first\n")
    assert (done.returncode == 0) is again


DEVICES = {
    "null": "open('/dev/null', 'w').write('x')",
    "zero": "import mmap, os; mmap.mmap(os.open('/dev/zero', os.O_RDWR), 10)",
    "full": "import os; os.open('/dev/full', os.O_WRONLY)",
    "randomness": "import os; open('/dev/urandom', 'rb').read(1) + os.urandom(1)",
    "temporary file": "import tempfile; tempfile.TemporaryFile().write(b'x')",
    "lock between processes": "import multiprocessing; multiprocessing.Lock()",
    "pool of processes": "import multiprocessing as m; assert m.Pool(2).map(abs, [-1]) == [1]",
    "shared memory": "from multiprocessing import shared_memory as s; s.SharedMemory(create=True, size=9).unlink()",
    "terminal of its own": "import pty; pty.spawn(['true'])",
}


@needs("landlock", "mounts")
@pytest.mark.parametrize("device", DEVICES)
def test_ordinary_programs_find_what_they_need(cell: Cell, device):
    done = cell.python(DEVICES[device], variables={"TMPDIR": str(cell.checkout)})
    assert done.returncode == 0, done.stderr


@pytest.mark.requirement("GUARD-11")
@needs("landlock", "mounts")
def test_shared_memory_and_terminals_of_others_are_out_of_sight(cell: Cell):
    ours, theirs = pty.openpty()
    try:
        done = cell.sh(f"ls /dev/shm; echo x > {os.ttyname(theirs)}")
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout == ""
    assert done.returncode != 0


@pytest.mark.requirement("GUARD-11")
@needs("calls")
def test_no_key_is_typed_into_the_terminal_it_was_given(cell: Cell):
    script = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for code in (termios.TIOCSTI, 0x541C):
    try: fcntl.ioctl(0, code, b"x")
    except OSError as error: print(error.errno)
print(open("/dev/tty", "w").isatty(), file=sys.stderr)
"""
    ours, theirs = pty.openpty()
    try:
        given = {"stdin": theirs, "start_new_session": True}
        done = cell.python(script, given=given)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout.split() == [str(errno.EPERM)] * 2, done.stderr
    assert "True" in done.stderr


def test_the_exit_code_is_the_commands_own(cell: Cell):
    assert confine(["sh", "-c", "exit 7"], cell.confinement()) == 7
    assert confine(["sh", "-c", "kill -TERM $$"], cell.confinement()) == 128 + signal.SIGTERM
    assert cell.run("no-such-command").returncode == 127
    assert cell.run(str(cell.checkout / "work" / "kept.txt")).returncode == 126


def test_a_command_dies_of_a_broken_pipe_as_it_would_outside(cell: Cell):
    done = cell.run("bash", "-c", "yes | head -1; echo ${PIPESTATUS[0]}")
    assert done.stdout.split() == ["y", str(128 + signal.SIGPIPE)]


def test_what_would_end_us_ends_the_command(cell: Cell):
    code = f"""
import sys
sys.path.insert(0, {str(cell.checkout)!r})
from drumline.runtimes.confine import confine
from drumline.team.confinement import Confinement
sys.exit(confine(["sh", "-c", "echo up; exec sleep 60"], Confinement()))
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == "up\n"
        ours.terminate()
        assert ours.wait(10) == 128 + signal.SIGTERM


@pytest.mark.requirement("GUARD-11")
@needs("landlock")
def test_nothing_starts_when_a_rule_cannot_be_made(cell: Cell):
    done = cell.sh("echo started", writable=[str(cell.root / "absent")])
    assert (done.returncode, done.stdout) == (125, "")
    assert "why: " in done.stderr
    assert "next: " in done.stderr


@pytest.mark.requirement("GUARD-11")
@pytest.mark.parametrize(
    ("refusals", "lines"),
    [
        ({"landlock_create_ruleset": errno.ENOSYS}, ["landlock: kernel", "ports: kernel"]),
        ({"landlock_create_ruleset": errno.EOPNOTSUPP}, ["landlock: the kernel has Landlock but"]),
        pytest.param(
            {"mount_setattr": errno.ENOSYS}, ["mounts: [Errno 38] call 442"], marks=needs("mounts")
        ),
        ({"unshare": errno.EPERM}, ["mounts: [Errno 1] unshare: Operation not permitted"]),
    ],
    ids=["no Landlock", "Landlock switched off", "mounts too old", "no namespaces"],
)
def test_a_layer_that_is_missing_is_said_and_the_command_runs(cell: Cell, refusals, lines):
    done = cell.sh("echo started", before=seccomp_first(**refusals))
    assert done.stdout == "started\n"
    for line in lines:
        assert f"drumline: not active: {line}" in done.stderr


@pytest.mark.requirement("GUARD-11")
@needs("mounts")
def test_mounts_alone_still_hold_where_there_is_no_landlock(cell: Cell):
    law = cell.outside / "law" / "kept.txt"
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        done = cell.sh(
            f"""
            echo x > {law}; echo x > .claude/kept.txt; echo x > work/kept.txt
            echo x > /proc/{other.pid}/root{law}
            """,
            before=seccomp_first(landlock_create_ruleset=errno.ENOSYS),
        )
        other.kill()
    assert done.stderr.count("Read-only file system") == 2
    assert law.read_text() == LAW
    assert (cell.checkout / "work" / "kept.txt").read_text() == "x\n"


@needs_landlock
def test_a_root_behind_a_link_starts_nothing(cell: Cell):
    (cell.checkout / "work" / "away").symlink_to(cell.outside)
    swapped = cell.checkout / "work" / "away" / "law"  # a folder of ours when it was named
    done = cell.sh("echo started", writable=[str(swapped)], holes=[])
    assert (done.returncode, done.stdout) == (125, "")
    assert "Too many levels of symbolic links" in done.stderr


def test_a_hole_that_cannot_be_protected_is_said(cell: Cell):
    done = cell.sh("true", before=seccomp_first(unshare=errno.EPERM))
    assert (
        f"not protected: {cell.checkout}/.claude: a hole needs the layer of mounts" in done.stderr
    )


def test_a_missing_hole_is_said(cell: Cell):
    done = cell.sh("true", holes=[str(cell.checkout / ".drumline")])
    assert f"not protected: {cell.checkout}/.drumline: it does not exist" in done.stderr


def test_where_all_is_well_nothing_is_said(cell: Cell):
    active = needs("landlock", "truncation", "scopes", "ports", "mounts", "calls", "privileges")
    if active.args[0]:
        pytest.skip(active.kwargs["reason"])
    assert cell.sh("true").stderr == ""


def test_a_confined_start_loads_nothing_it_does_not_need():
    code = "import sys; sys.path.append(sys.argv[1]); import drumline.runtimes.confined; print(*sys.modules)"
    words = [sys.executable, "-I", "-S", "-c", code, SOURCE]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"typing", "re", "enum", "pathlib", "contextlib", "dataclasses", "subprocess", "signal"}
    assert heavy & set(loaded) == set()
