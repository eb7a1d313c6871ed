"""Runs as far as a test wants them, without a plane: repositories that are made once and copied."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from drumline import settings, wiring
from drumline.control import duties, questions, roster, runs
from drumline.runtimes.plane import holder_here
from drumline.team.duty import plane_of
from drumline.team.question import Asking, QuestionKind
from drumline.wiring import beginning, driving, machine
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: {team}
description: A team that is given bad input
members:
  - {{name: ada, role: Builds, runtime: scripted, scenario: play.yaml, profile: implementer,
     tools: [Read, Write, Edit, Bash], owns: ["**"]}}
"""
FRESH, ASKED, WORKING = "no run yet", "asked its size", "at work"
GATE, DELIVERED, REVERTED = "at its gate", "delivered", "reverted"
CHOSEN: dict[str, Any] = dict.fromkeys(("pipeline", "lead"), "")
CHOSEN |= dict.fromkeys(("tier", "mode", "budget"))


class Scenes:
    """The states of a run that a test may begin in; each is made from the one before, once."""

    def __init__(self, top: Path) -> None:
        self._top = top
        steps: dict[str, Callable[[Path], None]] = {
            FRESH: _team,
            ASKED: _asked,
            WORKING: _at_work,
            GATE: _at_gate,
            DELIVERED: _delivered,
            REVERTED: lambda root: say(root, "run", "revert"),
        }
        before = ""
        for name, step in steps.items():
            if before:
                self.copy(before, top / name)
            step(top / name)
            before = name

    def shared(self, name: str) -> Path:
        """A repository in that state, for whoever changes nothing."""
        return self._top / name

    def copy(self, name: str, to: Path) -> Path:
        """A repository in that state, for one test alone; whatever comes of its new place has come."""
        shutil.copytree(self._top / name, to)
        wiring.open_store(settings.find(str(to))).close()
        return to


def say(root: Path, *words: str) -> None:
    answer = drumline(*words, at=root)
    assert answer.code == 0, answer.err


def git(root: Path, *words: str) -> str:
    own = ["-c", "user.name=kim", "-c", "user.email=kim@localhost"]
    return subprocess.run(
        ["git", *own, *words], cwd=root, capture_output=True, text=True, check=True
    ).stdout


def found_team(root: Path, team: str = "atlas") -> None:
    """A repository with one commit and a team led by a person."""
    root.mkdir(exist_ok=True)
    git(root, "init", "--quiet", "--initial-branch=main", "--template=")
    write(root, ".claude/team.yaml", MANIFEST.format(team=team))
    write(root, "play.yaml", "scenario: nothing\nmembers: {}\n")
    write(root, ".gitignore", ".drumline/\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=start")


def begin(root: Path, goal: str = "Write a part", *, store: str = "") -> None:
    """Begin a run as the command does, and let no plane drive it."""
    here = settings.find(str(root), store=store)
    opened = wiring.open_store(here)
    wanted = beginning.wanted(here, opened, goal, CHOSEN)
    opened.do(runs.begin, roster.person(wiring.operator()), wanted)
    opened.close()


def drive(root: Path) -> None:
    """What a plane would do now."""
    here = settings.find(str(root))
    opened = wiring.open_store(here)
    driving.advance(here, opened, "run-1")
    opened.close()


def has_a_plane(root: Path) -> None:
    """Let this process stand for the plane, so that none is started."""
    opened = wiring.open_store(settings.find(str(root)))
    here = machine.host()
    opened.do(duties.hold, plane_of(here), holder_here(here, ""), timedelta(hours=1))
    opened.close()


def wants_words(root: Path) -> None:
    """A member asks what can only be answered in words: Q-2 where a run asked its size."""
    opened = wiring.open_store(settings.find(str(root)))
    asking = Asking(QuestionKind.HELP, "What is a part?", "help/1")
    opened.do(questions.ask, opened.ask(roster.acting_as, "ada"), asking)
    opened.close()


def _team(root: Path) -> None:
    found_team(root)
    wiring.open_store(settings.find(str(root))).close()


def _asked(root: Path) -> None:
    begin(root)
    drive(root)


def _at_work(root: Path) -> None:
    say(root, "question", "answer", "Q-1", "trivial")
    drive(root)


def _at_gate(root: Path) -> None:
    say(root, "task", "claim", "T-2", "--member", "ada")
    say(root, "task", "done", "T-2", "--member", "ada")
    drive(root)


def _delivered(root: Path) -> None:
    works(root)
    say(root, "gate", "approve")
    drive(root)


def works(root: Path) -> None:
    """A file on the team's branch, as a member's work comes there."""
    git(root, "switch", "--quiet", "--create", "drumline/merged")
    write(root, "part.txt", "a part\n")
    git(root, "add", "part.txt")
    git(root, "commit", "--quiet", "--message=T-2")
    git(root, "switch", "--quiet", "main")
