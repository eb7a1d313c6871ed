"""Where the demo plays: a repository of its own, with a team of scripted members."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

HERE = "drumline.surfaces.cli.demonstration"
SAMPLE = {
    ".claude/team.yaml": "team.yaml",
    "scenario.yaml": "scenario.yaml",
}
README = "# Greetings\n\nA repository that does not greet anybody yet.\n"
WHO = {"user.name": "demo", "user.email": "demo@localhost"}


class Stage:
    """The repository, and our own commands as a person would say them in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def build(self) -> None:
        """Write the sample and commit it."""
        for place, name in SAMPLE.items():
            path = self.root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((files(HERE) / name).read_text("utf-8"), "utf-8")
        (self.root / "README.md").write_text(README, "utf-8")
        self.git("init", "--quiet", "--initial-branch=main")
        for name, value in WHO.items():
            self.git("config", name, value)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=Begin")

    def say(self, *words: str) -> str:
        """What a command of ours answers; a refusal is its words too."""
        return said(self.begin(*words))

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """A command of ours that is typed, and waits for what it is told."""
        return subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-P", "-m", "drumline", *words],
            cwd=self.root,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def git(self, *words: str) -> str:
        done = subprocess.run(  # noqa: S603 - git, and our own words
            ["git", *words],  # noqa: S607 - the git that members use too
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def _environment(self) -> dict[str, str]:
        """Ours, less what would make the demo somebody else's: another store, a member, a git folder."""
        ours = ("DRUMLINE_", "LOA_", "GIT_")
        return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def said(begun: subprocess.Popen[str], told: str = "") -> str:
    """What a command answers to what it is told; who is stopped meanwhile does not wait for it."""
    with begun:
        try:
            out, err = begun.communicate(told)
        except BaseException:
            begun.kill()
            raise
    return out if begun.returncode == 0 else err
