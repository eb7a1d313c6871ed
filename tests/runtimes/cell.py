"""A cell for hostile commands: a checkout they may write, a law they may not, and ways to run them."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from drumline.runtimes.confine import launcher, layers
from drumline.team.confinement import Confinement
from drumline.team.layer import LANDLOCK

LAW = "nobody changes this\n"
FOUND = layers()
ACTIVE = {layer.name: layer.active for layer in FOUND}
SAID = {layer.name: layer.says for layer in FOUND}
SOURCE = str(Path(__file__).parents[2] / "src")

needs_landlock = pytest.mark.skipif(not ACTIVE[LANDLOCK], reason=f"Landlock: {SAID[LANDLOCK]}")


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip where the machine does not give these layers, saying why."""
    lacking = [f"{name}: {SAID[name]}" for name in names if not ACTIVE[name]]
    return pytest.mark.skipif(bool(lacking), reason="; ".join(lacking))


@dataclass(frozen=True)
class Cell:
    """Folders on one disk: `checkout` writable, with holes; `outside` not."""

    root: Path

    @property
    def checkout(self) -> Path:
        return self.root / "checkout"

    @property
    def outside(self) -> Path:
        return self.root / "outside"

    def build(self) -> "Cell":
        for folder in (
            self.outside / "law",
            self.checkout / "work",
            self.checkout / ".claude",
            self.checkout / "deep" / "er" / ".claude",
        ):
            folder.mkdir(parents=True)
            (folder / "kept.txt").write_text(LAW)
        return self

    def confinement(self, **more) -> Confinement:
        holes = (self.checkout / ".claude", self.checkout / "deep" / "er" / ".claude")
        words = {"writable": [str(self.checkout)], "holes": [str(hole) for hole in holes]}
        return Confinement(**(words | more))

    def run(self, *argv: str, **how) -> subprocess.CompletedProcess[str]:
        """Run a command in the cell; keywords of a confinement change it, `tied` puts it on a leash."""
        variables = how.pop("variables", {})
        before, given = how.pop("before", ()), how.pop("given", {})
        tied = how.pop("tied", {})
        usual = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.run(
            [*before, *launcher(self.confinement(**how), **tied), *argv],
            cwd=self.checkout,
            env=os.environ | {"PYTHONPATH": SOURCE} | variables,
            text=True,
            check=False,
            timeout=60,
            **(usual | given),
        )

    def sh(self, script: str, **how) -> subprocess.CompletedProcess[str]:
        return self.run("sh", "-c", script, **how)

    def python(self, script: str, **how) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-S", "-c", script, **how)  # its packages would double it


@pytest.fixture
def cell(tmp_path: Path) -> Cell:
    return Cell(tmp_path.resolve()).build()


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every name below a folder with its kind and what it holds."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode >> 12,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


CALLS = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def must(answer):
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
def call(*words):
    return must(libc.syscall(*[ctypes.c_long(w) if isinstance(w, int) else w for w in words]))
NEW_USER, NEW_MOUNTS = 0x10000000, 0x20000
def unshare(flags): return must(libc.unshare(flags))
def mount(*words): return must(libc.mount(*words))
def make_writable(path):
    call(442, -100, path.encode(), 0x8000, struct.pack("QQQQ", 0, 1, 0, 0), 32)
"""


def seccomp_first(**refusals: int) -> list[str]:
    """Words that start a launcher on a kernel which refuses these calls: name=errno."""
    numbers = {"landlock_create_ruleset": 444, "mount_setattr": 442, "open_tree": 428}
    return [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"""
import os, struct, sys, ctypes
sys.path.insert(0, {SOURCE!r})
from drumline.runtimes import kernel, privileges, seccomp
machine = os.uname().machine
own = {{"x86_64": (157, 272, 56), "aarch64": (167, 97, 220)}}[machine]
seccomp.NUMBERS[machine].update({numbers!r}, **dict(zip(("seccomp", "unshare", "clone"), own)))
only = {{  # of all that prctl does, and of all processes the first of a namespace
    "seccomp": [(0, seccomp.WHOLE, True, 22)],
    "clone": [(0, 0x20000000, False, 0)],
}}
blocks = [(name, only.get(name, []), code) for name, code in {refusals!r}.items()]
text = seccomp.program(blocks, machine)
held = ctypes.create_string_buffer(text, len(text))
kernel.function("prctl", 38, 1, 0, 0, 0)
wish = struct.pack("HxxxxxxP", len(text) // 8, ctypes.addressof(held))
kernel.function("prctl", 22, 2, wish, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
""",
    ]
