"""The folder a rehearsal happens in: a repository of its own, a home, and our own command on the path."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from drumline.errors import BadInput, Conflict
from drumline.runtimes import clean
from drumline.runtimes.checkout import branch_of

MANIFESTS = (".claude/team.yaml", "team.yaml")
LONGEST_COMMAND = 120.0  # seconds
OURSELVES = (sys.executable, "-P", "-m", "drumline")


class Scratch:
    """A rehearsal's folders, made once in an empty place."""

    def __init__(self, folder: Path, member: str, ourselves: Sequence[str] = OURSELVES) -> None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Conflict(
                f"{folder} is not empty",
                why="a rehearsal runs commands, and only in a folder of its own",
                next="name a folder that does not exist yet",
            )
        self.work, self.home = folder / "work", folder / "home"
        self.temporary, self._programs = folder / "tmp", folder / "bin"
        for each in (self.work, self.home, self.temporary, self._programs):
            each.mkdir(parents=True)
        self._ourselves(shlex.join(ourselves))
        self._repository(member)

    @property
    def place(self) -> clean.Place:
        path = os.pathsep.join((str(self._programs), clean.PATH))
        return clean.Place(str(self.home), str(self.temporary), path)

    def operate(self, words: tuple[str, ...]) -> str:
        """What one of our own commands answers the operator, or why it cannot be rehearsed."""
        done = self._run(["drumline", *words])
        if done.returncode != 0:
            raise BadInput(
                f"what comes before the scenario failed: drumline {shlex.join(words)}",
                why=(done.stderr or done.stdout).strip(),
                next="mend `before` in the scenario",
            )
        return done.stdout

    def guard(self, runtime: str) -> list[str]:
        """The arguments that put our guard before every call, where there is a team to guard."""
        if not any((self.work / name).exists() for name in MANIFESTS):
            return []
        told = json.loads(self.operate(("policy", "settings", "--runtime", runtime, "--json")))
        return told if isinstance(told, list) else ["--settings", json.dumps(told)]

    def keep(self, name: str, text: str) -> Path:
        """Write a file beside the repository; where it is."""
        path = self.home / name
        path.write_text(text, "utf-8")
        return path

    def _ourselves(self, run: str) -> None:
        program = self._programs / "drumline"
        program.write_text(f'#!/bin/sh\nexec {run} "$@"\n', "utf-8")
        program.chmod(0o755)
        # Codex starts login shells, and the machine's own profile puts another path in our place
        self.keep(".bash_profile", f"export PATH={shlex.quote(self.place.path)}\n")

    def _repository(self, member: str) -> None:
        for words in (
            ("init", "--quiet", "--initial-branch=main"),
            ("config", "user.name", member),
            ("config", "user.email", f"{member}@localhost"),
            ("commit", "--quiet", "--allow-empty", "--message=Before the rehearsal"),
            ("checkout", "--quiet", "-b", branch_of(member)),
        ):
            done = self._run(["git", *words])
            if done.returncode != 0:
                raise BadInput(
                    "git cannot make a repository here",
                    why=done.stderr.strip(),
                    next="install git 2.28 or later",
                )

    def _run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - git, and our own command as the scenario's author wrote it
            ["/usr/bin/env", *words],
            cwd=self.work,
            env=clean.environment(self.place),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=LONGEST_COMMAND,
        )
