"""Hidden folders: empty and unchangeable to see, but for what is the member's own inside them."""

import contextlib
import ctypes
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from drumline.errors import BadInput
from drumline.runtimes import leash
from drumline.runtimes.holes import HIDDEN, HOLE, PINNED, SHOWN, WRITABLE, plan
from drumline.runtimes.places import checked
from drumline.team.confinement import Confinement
from tests.runtimes.cell import CALLS, Cell, cell, needs, seccomp_first
from tests.runtimes.wardens import Warden, Wardens

__all__ = ["cell"]

pytestmark = [pytest.mark.requirement("GUARD-11"), needs("landlock", "mounts")]
SEEN = "what only brook may read"
NO_LANDLOCK = seccomp_first(landlock_create_ruleset=errno.ENOSYS)
HOLD = "import os, sys; os.chdir(sys.argv[1]); held = open('token'); print(held.fileno(), flush=True); sys.stdin.read()"

READ = {  # each shows the secret where nothing is hidden
    "cat": "cat {token}",
    "from the folder": "cd {state} && cat brook/token",
    "a search": "grep -r . {state}",
    "a copy": "rm -rf {inside}/mine; cp -r {state} {inside}/mine && cat {inside}/mine/brook/token",
    "an archive": "tar -C {state} -cf - . | cat",
    "a link": "ln -sf {token} {inside}/mine && cat {inside}/mine",
    "a link to the folder": "ln -sfn {state} {inside}/mine && cat {inside}/mine/brook/token",
    "/proc/self/root": "cat /proc/self/root{token}",
    "/proc/self/cwd": "cd / && cat /proc/self/cwd{token}",
    "a way round by dots": "cat {state}/ada/../brook/token",
}
POWERS = {  # each needs a power that a confined process has not
    "hard link": "os.link({token!r}, {inside!r} + '/mine'); print(open({inside!r} + '/mine').read())",
    "unmount": "must(libc.umount2({state!r}.encode(), 2)); show()",
    "unmount in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
must(libc.umount2({state!r}.encode(), 2)); show()""",
    "clone of the mounts below": """
clone = call(428, -100, {above!r}.encode(), 1)
print(open(os.open(os.path.relpath({token!r}, {above!r}), os.O_RDONLY, dir_fd=clone)).read())""",
    "clone of the mounts below in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
clone = call(428, -100, {above!r}.encode(), 1)
print(open(os.open(os.path.relpath({token!r}, {above!r}), os.O_RDONLY, dir_fd=clone)).read())""",
    "bind of the folder above in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
mount({above!r}.encode(), {inside!r}.encode(), None, 4096, None)
print(open({inside!r} + "/" + os.path.relpath({token!r}, {above!r})).read())""",
    "file handle": "print(open(handle()).read())",
    "file handle in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
print(open(handle()).read())""",
    "an outsider's root": "print(open('/proc/{outsider}/root' + {token!r}).read())",
    "an outsider's folder": "print(open('/proc/{outsider}/cwd/token').read())",
    "an outsider's open file": "print(open('/proc/{outsider}/fd/{number}').read())",
    "an outsider's descriptor, taken": """
print(open(call(438, os.pidfd_open({outsider}), {number}, 0)).read())""",
    "an outsider's mounts": """
must(libc.setns(os.open("/proc/{outsider}/ns/mnt", os.O_RDONLY), 0)); show()""",
    "the first process's root": "print(open('/proc/1/root' + {token!r}).read())",
    "the parent's root": "print(open(f'/proc/{{os.getppid()}}/root' + {token!r}).read())",
}
NEAR = {
    "the first process's root",
    "the parent's root",
}  # the warden stands between, so its parent is not the launcher
HANDLE = """
def handle():
    wanted = ctypes.create_string_buffer(bytes.fromhex({handle!r}))
    folder = os.open({inside!r}, os.O_RDONLY)
    return must(libc.open_by_handle_at(folder, wanted, os.O_RDONLY))
def show(): print(open({token!r}).read())
"""


@contextmanager
def outsider(folder: Path) -> Iterator[tuple[int, int]]:
    """A process outside that stands in a folder and holds its token open: its id and number."""
    words = [sys.executable, "-I", "-S", "-c", HOLD, str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
        process.kill()


def file_handle(path: Path) -> str:
    libc, mounted = ctypes.CDLL(None, use_errno=True), ctypes.c_int()
    made = ctypes.create_string_buffer((128).to_bytes(4, "little") + bytes(132))
    assert libc.name_to_handle_at(-100, bytes(path), made, ctypes.byref(mounted), 0) == 0
    return made.raw.hex()


@pytest.fixture
def state(cell: Cell) -> Path:
    return of_two_members(cell)


def of_two_members(cell: Cell) -> Path:
    """Our folder in the repository, with what belongs to two members."""
    folder = cell.checkout / ".drumline"
    for member in ("ada", "brook"):
        (folder / member / "work").mkdir(parents=True)
        (folder / member / "token").write_text(f"what only {member} may read")
    (folder / "store").write_text(SEEN)
    return folder


def hiding(state: Path, **more) -> dict[str, list[str]]:
    """The folder hidden, but for ada's own: one part to be changed and one to be read."""
    own = {
        "writable": [str(state.parent), str(state / "ada" / "work")],
        "hidden": [str(state)],
        "shown": [str(state / "ada")],
        "holes": [],
    }
    return own | more


@contextmanager
def ways(cell: Cell) -> Iterator[dict[str, dict]]:
    """How a command may be started: as it is, on a leash, and on one without a namespace."""
    path = cell.root / "leash"
    holder = leash.hold(path)
    yield {"plain": {}, "leash": {"leash": path}, "adopting": {"leash": path, "namespace": False}}
    os.close(holder)


def started(
    wardens: Wardens, way: str, before: Sequence[str] = (), *, hidden: bool = True
) -> Warden:
    """Who tries what a member could that is started in one of the ways, our folder hidden or not."""

    def furnish(cell: Cell) -> dict[str, Any]:
        state = of_two_members(cell)
        tied = wardens.at_the_end.enter_context(ways(cell))[way]
        return {"tied": tied, **(hiding(state) if hidden else {"holes": []})}

    kind = f"{way}, {'before' if before else 'usual'}, {'hidden' if hidden else 'open'}"
    return wardens.of(kind, furnish, before=before)


each_way = pytest.mark.parametrize(
    "way", ["plain", pytest.param("leash", marks=needs("processes")), "adopting"]
)


@each_way
@pytest.mark.parametrize("attack", READ)
def test_what_is_hidden_cannot_be_read(wardens: Wardens, attack, way):
    said = {}
    for hidden in (False, True):
        warden = started(wardens, way, hidden=hidden)
        state, inside = warden.cell.checkout / ".drumline", warden.cell.checkout / "work"
        names = {"token": state / "brook" / "token", "state": state, "inside": inside}
        said[hidden] = warden.run("sh", "-c", READ[attack].format(**names)).stdout
    assert SEEN in said[False], "the attack itself is broken"
    assert SEEN not in said[True]


@each_way
@pytest.mark.parametrize("before", [(), NO_LANDLOCK], ids=["", "without Landlock"])
@pytest.mark.parametrize("attack", [each for each in POWERS if each not in NEAR])
def test_no_power_is_left_to_look_behind_it(wardens: Wardens, attack, way, before):
    warden = started(wardens, way, before)
    token = warden.cell.checkout / ".drumline" / "brook" / "token"
    with outsider(token.parent) if "outsider" in attack else nullcontext((0, 0)) as other:
        done = warden.python(looking(attack, warden.cell, token, other))
    assert SEEN not in done.stdout
    assert "Error" in done.stderr


@each_way
@pytest.mark.parametrize("before", [(), NO_LANDLOCK], ids=["", "without Landlock"])
@pytest.mark.parametrize("attack", sorted(NEAR))
def test_not_even_its_launcher_lets_it_look_behind_it(cell: Cell, state: Path, attack, way, before):
    script = looking(attack, cell, state / "brook" / "token")
    with ways(cell) as tied:
        done = cell.python(script, tied=tied[way], before=before, **hiding(state))
    assert SEEN not in done.stdout
    assert "Error" in done.stderr


def looking(attack: str, cell: Cell, token: Path, other: tuple[int, int] = (0, 0)) -> str:
    """The script that tries a power on a token."""
    script = CALLS.replace("{", "{{").replace("}", "}}") + HANDLE + POWERS[attack]
    return script.format(
        token=str(token),
        state=str(cell.checkout / ".drumline"),
        above=str(cell.checkout),
        inside=str(cell.checkout / "work"),
        outsider=other[0],
        number=other[1],
        handle=file_handle(token),
    )


@each_way
def test_what_is_hidden_looks_empty_but_for_ones_own(cell: Cell, state: Path, way):
    script = f"ls -A {state}; ls -A {state}/ada; cat {state}/ada/token"
    with ways(cell) as tied:
        done = cell.sh(script, tied=tied[way], **hiding(state))
    assert done.stdout == "ada\ntoken\nwork\nwhat only ada may read"


def test_with_nothing_of_ones_own_it_is_empty(cell: Cell, state: Path):
    assert cell.sh(f"ls -A {state}", **hiding(state, shown=[], writable=[])).stdout == ""


@each_way
@pytest.mark.parametrize(
    ("change", "number"),
    [
        ("os.chmod(state, 0o777)", errno.EROFS),
        ("os.utime(state)", errno.EROFS),
        ("os.mkdir(state + '/new')", errno.EROFS),
        ("open(state + '/store', 'w')", errno.EROFS),
        ("os.rmdir(state)", errno.EBUSY),
        ("os.rename(state, state + '-gone')", errno.EBUSY),
        ("open(state + '/ada/token', 'w')", errno.EROFS),
        ("os.chmod(state + '/ada/token', 0o777)", errno.EROFS),
        ("os.rename(state + '/ada', state + '/gone')", errno.EROFS),
    ],
)
def test_what_is_hidden_or_shown_cannot_be_changed(wardens: Wardens, way, change, number):
    warden = started(wardens, way)
    state = warden.cell.checkout / ".drumline"
    script = f"""
import os
state = {str(state)!r}
try: {change}
except OSError as error: print(error.errno)
"""
    done = warden.python(script)
    assert done.stdout == f"{number}\n", done.stderr
    assert (state / "store").read_text() == SEEN


def test_a_folder_above_what_is_hidden_cannot_be_swapped(cell: Cell):
    secret = cell.checkout / "deep" / "er" / ".claude"
    done = cell.python("import os; os.rename('deep', 'gone')", hidden=[str(secret)], holes=[])
    assert "OSError" in done.stderr
    assert secret.exists()


@each_way
def test_a_writable_root_inside_works(cell: Cell, state: Path, way):
    script = "echo mine > file && mkdir new && mv file new && chmod 700 new && cat new/file"
    with ways(cell) as tied:
        done = cell.sh(f"cd {state}/ada/work && {script}", tied=tied[way], **hiding(state))
    assert done.stdout == "mine\n", done.stderr
    assert (state / "ada" / "work" / "new" / "file").read_text() == "mine\n"


def test_a_single_file_can_be_shown_or_written(cell: Cell, state: Path):
    token, store = state / "ada" / "token", state / "store"
    own = hiding(state, shown=[str(token)], writable=[str(store)])
    done = cell.sh(f"cat {token} && echo x > {store} && ! echo x > {token}", **own)
    assert (done.stdout, done.returncode) == ("what only ada may read", 0), done.stderr
    assert store.read_text() == "x\n"


@each_way
def test_a_socket_in_a_shown_folder_is_reached(cell: Cell, state: Path, way):
    script = """
import socket
made = socket.socket(socket.AF_UNIX)
made.connect(".drumline/ada/door")
print(made.recv(5).decode())
"""
    with ways(cell) as tied, socket.socket(socket.AF_UNIX) as server:
        with contextlib.chdir(state / "ada"):  # a socket's whole path may be too long
            server.bind("door")
        server.listen()
        words = {"tied": tied[way], **hiding(state)}
        with contextlib.ExitStack() as stack:
            stack.enter_context(_greeting(server))
            done = cell.python(script, **words)
    assert done.stdout == "hello\n", done.stderr


@contextmanager
def _greeting(server: socket.socket) -> Iterator[None]:
    """A door-keeper in a process of its own, as ours will be."""
    keeper = os.fork()
    if keeper == 0:
        guest, _ = server.accept()
        guest.sendall(b"hello")
        os._exit(0)
    yield
    os.kill(keeper, 9)
    os.waitpid(keeper, 0)


def test_what_cannot_be_hidden_is_said(cell: Cell, state: Path):
    done = cell.sh("true", hidden=[str(cell.root / "absent")])
    assert f"not hidden: {cell.root}/absent: there is no such folder" in done.stderr
    no_mounts = seccomp_first(open_tree=errno.ENOSYS)
    done = cell.sh("true", before=no_mounts, **hiding(state))
    assert f"not hidden: {state}: what is hidden needs the layer of mounts" in done.stderr


R, W, P, U, H, S = "/r", WRITABLE, PINNED, HOLE, HIDDEN, SHOWN


@pytest.mark.parametrize(
    ("named", "places"),
    [
        pytest.param(([R], [], ["/r/a/h"]), {R: W, "/r/a": P, "/r/a/h": H}, id="pinned"),
        pytest.param(([], [], ["/h"]), {"/h": H}, id="in no root"),
        pytest.param(([R], ["/r/h"], ["/r/h"]), {R: W, "/r/h": H}, id="a hole as well"),
        pytest.param(
            ([R], ["/r/h/a/b"], ["/r/h"]), {R: W, "/r/h": H}, id="a hole inside is hidden"
        ),
        pytest.param(([R], [], ["/r/h", "/r/h/a/b"]), {R: W, "/r/h": H}, id="hidden twice"),
        pytest.param(([R], ["/r/o", "/r/o/a/b"], []), {R: W, "/r/o": U}, id="a hole in a hole"),
        pytest.param(([R], [], [], ["/r/s"]), {R: W}, id="shown in nothing hidden"),
        pytest.param(
            (["/h/w"], ["/h/w/a/o"], ["/h"], ["/h/s", "/h/s/t"]),
            {"/h": H, "/h/w": W, "/h/s": S, "/h/w/a": P, "/h/w/a/o": U},
            id="own things inside",
        ),
        pytest.param(
            ([R], [], ["/r/h", "/r/h/s/a/k"], ["/r/h/s"]),
            {R: W, "/r/h": H, "/r/h/s": S, "/r/h/s/a/k": H},
            id="hidden in what is shown",
        ),
    ],
)
def test_what_is_mounted_where(named, places):
    assert plan(*named) == places


def test_a_hole_inside_a_hole_leaves_nothing_between_them_writable(cell: Cell):
    inner = cell.checkout / ".claude" / "a" / "b"
    inner.mkdir(parents=True)
    holes = [str(cell.checkout / ".claude"), str(inner)]
    assert cell.sh("echo x > .claude/a/new", holes=holes).returncode != 0
    assert not (cell.checkout / ".claude" / "a" / "new").exists()


@pytest.mark.parametrize(
    ("named", "what"),
    [
        ({"hidden": ["/"]}, "/ cannot be hidden"),
        ({"hidden": ["{root}/link"]}, "cannot be hidden: it leads through a link"),
        ({"shown": ["{root}/link"]}, "cannot be shown: it leads through a link"),
        ({"hidden": ["{root}/outside/law/kept.txt"]}, "cannot be hidden: it is no folder"),
        ({"hidden": ["{root}/outside"], "shown": ["{root}/outside"]}, "both hidden and visible"),
        ({"hidden": ["{root}/outside"], "writable": ["{root}/outside"]}, "both hidden and visible"),
    ],
)
def test_a_place_that_cannot_be_hidden_is_refused(cell: Cell, named, what):
    (cell.root / "link").symlink_to(cell.outside)
    said = {role: [path.format(root=cell.root) for path in paths] for role, paths in named.items()}
    with pytest.raises(BadInput, match=what):
        checked(Confinement().adding(**said))


def test_what_is_hidden_and_shown_survives_the_check(cell: Cell):
    said = Confinement(hidden=[str(cell.outside)], shown=[str(cell.outside / "law")])
    assert checked(said) == said
