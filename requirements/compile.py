"""Write the lock files: exact versions with hashes, and no word about where they came from."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = str(HERE.parent / "pyproject.toml")
DEV = ["--extra", "postgres", "--extra", "mcp", "--extra", "web", "--group", "dev"]
AGENTS = ["--extra", "claude", "--extra", "codex", "--constraint", str(HERE / "dev.lock")]
BENCH = ["--extra", "postgres", "--extra", "claude", "--group", "dev", "--group", "bench"]
SETS = {
    "install": ["--group", f"{PROJECT}:install"],
    "run": [PROJECT],
    "dev": [PROJECT, *DEV],
    "agents": [PROJECT, *AGENTS],
    "bench": [PROJECT, *BENCH],
}


def compile_lock(name: str) -> None:
    """Resolve one set for every Python and platform we support."""
    subprocess.run(  # noqa: S603 - the arguments are ours
        [
            *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"),
            *("--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate"),
            *("--no-emit-index-url", "--no-emit-find-links", "--no-emit-package", "drumline"),
            *("--custom-compile-command", "make lock"),
            *SETS[name],
            *("--output-file", str(HERE / f"{name}.lock")),
        ],
        check=True,
    )


if __name__ == "__main__":
    compile_lock(sys.argv[1])
