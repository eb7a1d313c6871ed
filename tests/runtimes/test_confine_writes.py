"""What is not writable stays as it is, however the command is spelled and whatever powers it tries."""

import errno
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.runtimes.attacks import ATTACKS, POWERS
from tests.runtimes.cell import ACTIVE, LAW, Cell, cell, needs, seccomp_first, tree
from tests.runtimes.wardens import Warden, Wardens

__all__ = ["cell"]  # a fixture of the folder

PROTECTED = {
    "outside": "outside/law",
    "hole": "checkout/.claude",
    "deep hole": "checkout/deep/er/.claude",
}
LAYERS = {"outside": ["landlock"], "hole": ["landlock", "mounts"]}
NO_MOUNTS = seccomp_first(open_tree=errno.ENOSYS)
HOLD = "import os, sys; os.chdir(sys.argv[2]); held = open(sys.argv[1], 'a'); print(held.fileno(), flush=True); sys.stdin.read()"


@pytest.fixture
def warden(wardens: Wardens) -> Warden:
    """Who tries what a confined command could, in a cell that is as it was built."""
    return wardens.of("usual")


@contextmanager
def outsider(target: Path) -> Iterator[tuple[int, int]]:
    """A process of ours outside the cell that holds a file open for writing: its id and number."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HOLD, str(target), str(target.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
        assert process.poll() is None, "the outsider was ended"
        process.kill()


def words(attack: list[str], place: Path, cell: Cell, other: tuple[int, int] = (0, 0)) -> list[str]:
    inside = cell.checkout / "work"
    said = {
        "target": str(place / "kept.txt"),
        "folder": str(place),
        "above": str(cell.checkout),
        "inside": str(inside),
        "outsider": other[0],
        "number": other[1],
    }
    return [*attack[:-1], attack[-1].format(**said)]


def protected(name: str) -> pytest.MarkDecorator:
    return needs(*LAYERS[name.removeprefix("deep ")])


@pytest.mark.requirement("GUARD-11")
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("where", [pytest.param(name, marks=protected(name)) for name in PROTECTED])
def test_no_spelling_changes_a_protected_file(warden: Warden, where, attack):
    cell = warden.cell
    place = cell.root / PROTECTED[where]
    before = tree(cell.outside), tree(place)
    done = warden.run(*words(ATTACKS[attack], place, cell))
    assert (tree(cell.outside), tree(place)) == before, done.stderr
    assert (place / "kept.txt").read_text() == LAW


@pytest.mark.requirement("GUARD-11")
@needs("landlock", "truncation")
@pytest.mark.parametrize("attack", ATTACKS | POWERS)
def test_landlock_alone_keeps_the_outside_as_it_is(wardens: Wardens, attack):
    warden = wardens.of("no mounts", before=NO_MOUNTS)
    cell = warden.cell
    place, before = cell.root / PROTECTED["outside"], tree(cell.outside)
    with outsider(place / "kept.txt") as other:
        warden.run(*words((ATTACKS | POWERS)[attack], place, cell, other))
    assert "not active: mounts" in warden.said
    assert tree(cell.outside) == before


@pytest.mark.requirement("GUARD-11")
@pytest.mark.parametrize(
    "attack", sorted(ATTACKS.keys() - {"file handle", "mapping made writable"})
)
def test_the_same_works_in_the_checkout(warden: Warden, attack):
    cell = warden.cell
    place = cell.checkout / "mine"
    place.mkdir()
    (place / "kept.txt").write_text(LAW)
    before = tree(place)
    done = warden.run(*words(ATTACKS[attack], place, cell))
    assert done.returncode == 0, done.stderr
    assert not place.exists() or tree(place) != before


@pytest.mark.requirement("GUARD-11")
@pytest.mark.parametrize("attack", POWERS)
@pytest.mark.parametrize("where", [pytest.param(name, marks=protected(name)) for name in PROTECTED])
def test_no_power_is_left_to_undo_it(warden: Warden, where, attack):
    if attack == "a 32-bit call" and platform.machine() != "x86_64":
        pytest.skip("only x86_64 has a second set of calls")
    if attack == "an outsider, ended" and not ACTIVE["scopes"]:
        pytest.skip("signals are scoped from Landlock ABI 6 on")
    cell = warden.cell
    place = cell.root / PROTECTED[where]
    before = tree(cell.outside), tree(place)
    with outsider(place / "kept.txt") as other:
        done = warden.run(*words(POWERS[attack], place, cell, other))
    assert done.returncode != 0, "nothing refused it"
    assert (tree(cell.outside), tree(place)) == before
    assert [path.name for path in (cell.checkout / "work").iterdir()] == ["kept.txt"]


@pytest.mark.requirement("GUARD-11")
@needs("landlock")
def test_what_outlives_its_parent_stays_confined(cell: Cell):
    wake, told = cell.checkout / "wake", cell.checkout / "told"
    os.mkfifo(wake)
    os.mkfifo(told)
    script = f"""
    setsid sh -c 'read go < {wake}; echo x > {cell.outside}/law/kept.txt; echo tried > {told}' \\
        > /dev/null 2>&1 &
    """
    assert cell.sh(script).returncode == 0
    wake.write_text("go\n")
    assert told.read_text() == "tried\n"
    assert (cell.outside / "law" / "kept.txt").read_text() == LAW


@pytest.mark.requirement("GUARD-11")
@needs("landlock", "mounts")
@pytest.mark.parametrize("name", ["deep", "deep/er"])
def test_a_folder_above_a_hole_cannot_be_swapped(cell: Cell, name):
    done = cell.python(f"import os; os.rename({name!r}, 'gone')")
    assert "OSError" in done.stderr
    assert (cell.checkout / "deep" / "er" / ".claude" / "kept.txt").read_text() == LAW


METADATA = {
    "mode": "os.chmod(path, 0o600)",
    "mode by descriptor": "os.fchmod(os.open(path, os.O_RDONLY), 0o600)",
    "owner": "os.chown(path, os.getuid(), os.getgid())",
    "times": "os.utime(path, (1, 1))",
    "attribute": "os.setxattr(path, 'user.mine', b'x')",
}


@pytest.mark.requirement("GUARD-11")
@needs("landlock", "mounts")
@pytest.mark.parametrize("change", METADATA)
@pytest.mark.parametrize("where", PROTECTED)
def test_nor_are_mode_owner_times_and_attributes_changed(warden: Warden, where, change):
    cell = warden.cell
    path = cell.root / PROTECTED[where] / "kept.txt"
    before = path.stat()
    done = warden.python(f"import os; path = {str(path)!r}; {METADATA[change]}")
    assert "Read-only file system" in done.stderr
    assert path.stat() == before
    mine = cell.checkout / "work" / "kept.txt"
    done = warden.python(f"import os; path = {str(mine)!r}; {METADATA[change]}")
    assert done.returncode == 0 or "not supported" in done.stderr


@pytest.mark.requirement("GUARD-11", "GUARD-19")
@needs("landlock", "mounts")
def test_a_writable_root_may_lie_inside_a_hole(cell: Cell):
    state = cell.checkout / ".claude"
    inner = state / "spool" / "incoming"
    inner.mkdir(parents=True)
    done = cell.sh(
        f"echo mine > {inner}/file && ! echo x > {state}/kept.txt && ! mv {state}/spool {state}/gone",
        writable=[str(cell.checkout), str(inner)],
        holes=[str(state)],
    )
    assert done.returncode == 0, done.stderr
    assert (inner / "file").read_text() == "mine\n"
    assert (state / "kept.txt").read_text() == LAW


@pytest.mark.requirement("GUARD-11")
@needs("landlock")
def test_a_single_file_can_be_writable(cell: Cell):
    log = cell.outside / "log"
    log.touch()
    done = cell.sh(
        f"echo line >> {log}; echo x > {cell.outside}/other", writable=[str(log)], holes=[]
    )
    assert "other" in done.stderr
    assert log.read_text() == "line\n"
    assert not (cell.outside / "other").exists()


@pytest.mark.requirement("GUARD-11")
@needs("landlock")
def test_no_privilege_can_be_gained(cell: Cell):
    done = cell.python(
        "print(*[line.split()[1] for line in open('/proc/self/status')"
        " if line.startswith(('CapPrm', 'CapEff', 'NoNewPrivs'))])"
    )
    permitted, effective, no_new = done.stdout.split()
    assert no_new == "1"
    root = 0b11011 if os.geteuid() == 0 else 0  # owners and modes, and nothing else
    assert int(permitted, 16) & ~root == int(effective, 16) & ~root == 0
