"""The kernel as a layer: probes really run, confined, in a checkout made for them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drumline.runtimes.checkout import OF_THE_LEAD
from drumline.runtimes.confine import launcher, layers
from drumline.team.call import WRITERS, Call, patched
from drumline.team.confinement import Confinement
from drumline.team.layer import LANDLOCK, MOUNTS

FILES = {
    ".claude/settings.json": '{"a": 1}',
    ".claude/hooks/g.sh": "exit 0",
    ".claude/data/constraints.json": "{}",
    ".claude/loa/CLAUDE.loa.md": "# rules",
    ".drumline/state.db": "store",
    ".drumline/policy/current": "0",
    ".drumline/standing/ada.json": "{}",
    "drumline/policy.json": "{}",
    "src/app.py": "pass",
    "evil": "evil",
    "x": "x",
}
LONGEST = 120.0  # seconds a probe may take, on a machine with other work


class KernelLayer:
    """Refuses what it leaves unchanged: the files of the lead's zones after a probe has run."""

    name = "kernel"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        found = {layer.name for layer in layers() if layer.active}
        self._active = {LANDLOCK, MOUNTS} <= found

    def refuses(self, probe: dict[str, Any], rules: dict[str, Any]) -> bool | None:
        """Whether the lead's files survive the probe; None for one that would not change them anyway."""
        command = _command(probe)
        if not self._active or not command or len(rules["constraints"]) != 1:
            return None
        if not self._changed(command, holes=False):
            return None
        return not self._changed(command, holes=True)

    def _changed(self, command: str, *, holes: bool) -> bool:
        """Whether the command changes one of the lead's files in a fresh checkout."""
        checkout = self._folder / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        _make(checkout)
        before = dict(_contents(checkout))
        confinement = Confinement(
            writable=[str(checkout), os.devnull],
            holes=[str(checkout / hole) for hole in OF_THE_LEAD] if holes else [],
        )
        subprocess.run(  # noqa: S603 - a probe of the registry, held by the kernel
            [*launcher(confinement), "bash", "-c", command],
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LONGEST,
        )
        return dict(_contents(checkout)) != before


def _command(probe: dict[str, Any]) -> str:
    """What to run for a probe: its command, or a write to the file its tool names."""
    call = Call(probe["tool"], probe["input"], "/")
    if call.tool == "Bash":
        return call.command()
    paths = patched(call) if call.tool == "apply_patch" else [call.text("file_path")]
    writes = call.tool in WRITERS or call.tool == "apply_patch"
    return "; ".join(f"echo changed > '{path}'" for path in paths if path) if writes else ""


def _make(checkout: Path) -> None:
    for name, text in FILES.items():
        path = checkout / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _contents(checkout: Path) -> Iterator[tuple[str, str]]:
    """Every file of the zones, by name."""
    for hole in OF_THE_LEAD:
        for path in sorted((checkout / hole).rglob("*")):
            if path.is_file():
                yield str(path.relative_to(checkout)), path.read_text("utf-8", "replace")
