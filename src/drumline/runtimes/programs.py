"""Where the agent CLIs are: the one that was named, the one a package brought, the one on the path."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from drumline.errors import Unknown

BUNDLED = {
    "claude": ("claude_agent_sdk", "_bundled/claude"),
    "codex": ("codex_cli_bin", "bin/codex"),
}


def program(runtime: str, named: str = "") -> str:
    """The CLI of a runtime, or a refusal that says how to have one."""
    found = named or bundled(runtime) or shutil.which(runtime) or ""
    if not found:
        raise Unknown(
            f"no {runtime} on this machine",
            why="neither a package with it nor a program of that name is here",
            next="name the program: --cli PATH",
        )
    return found


def bundled(runtime: str) -> str:
    """The CLI inside an installed package; empty where there is none."""
    package, inside = BUNDLED.get(runtime, ("", ""))
    spec = find_spec(package) if package else None
    path = Path(spec.origin).parent / inside if spec and spec.origin else None
    return str(path) if path and path.exists() else ""
