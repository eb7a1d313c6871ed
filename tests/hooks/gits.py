"""Real git repositories for tests, told in few words."""

import subprocess
from pathlib import Path


class Git:
    """A repository to do things in."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *words: str) -> str:
        who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
        open_files = ["-c", "protocol.file.allow=always"]
        done = subprocess.run(
            ["git", *who, *open_files, *words],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def commit(self, **files: str) -> None:
        """Commit files; `__` in a name is a slash, `_` a dot."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_", "."), text)
        self("add", "-A")
        self("commit", "-qm", "work")


def new_git(root: Path, *options: str) -> Git:
    """A repository whose first commit holds `a.py`."""
    root.mkdir(parents=True)
    git = Git(root)
    git("init", "-q", "-b", "main", *options)
    git.commit(a_py="one\ntwo\n")
    return git
