"""Runs that one team goes through one after another, each read by tests of its own."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import goals
from tests.running import Team, team_of_a_story, until

LOOKS_AND_WORKS = """\
    - again: true
      steps:
        - tool: {name: Read, input: {file_path: README.md}}
        - tool: {name: Read, input: {file_path: README.md}}
""" + goals.WORKS.partition("      steps:\n")[2]
SMALL = (goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve"))


def led_by_a_member(place: Path) -> dict[str, Any]:
    """A small goal is delivered and taken back, the next delivered, and the next is in a person's way."""
    members, scenario = goals.LEAD + goals.worker("ada"), goals.play(*SMALL, works=LOOKS_AND_WORKS)
    with team_of_a_story(place, members, scenario, "lead: lea\n") as found:
        return {**_there_and_back(found), **_in_the_way(found)}


def _there_and_back(found: Team) -> dict[str, Any]:
    return {
        "delivered": found.told("run", "Write a part"),
        "written": _parts(found),
        "summary": found.told("run", "summary"),
        "tools": found.told("audit", "tools"),
        "tools of run-1": found.told("audit", "tools", "--run", "run-1"),
        "tools of run-7": found.told("audit", "tools", "--run", "run-7"),
        "reverted": found.told("run", "revert"),
        "left": _parts(found),
        "next": found.told("run", "Write another part"),
        "next written": _parts(found),
    }


def _in_the_way(found: Team) -> dict[str, Any]:
    mine = found.root / "parts" / "T-6.txt"
    mine.write_text("mine\n")
    waiting = found.told("run", "Write a third part")
    kept = mine.read_text()
    mine.unlink()
    found.run("question", "answer", waiting["questions"][0], "again")
    return {"in the way": waiting, "kept": kept, "out of the way": found.told("run", "watch")}


def _parts(found: Team) -> list[str]:
    folder = found.root / "parts"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def led_by_a_person(place: Path) -> dict[str, Any]:
    """Runs of a person's own, the last of which nobody drives for a while."""
    with team_of_a_story(place, goals.worker("ada"), goals.play()) as found:
        told = {"talk": [_begun_by_hand(found), _begun_by_hand(found)]}
        found.run("down")  # its plane was no fork of who has read our modules, nor were its members
        return {**told, **_led(found), **_elsewhere(found), **_set_aside(found), **_left(found)}


def _begun_by_hand(found: Team) -> str:
    """What a run's own command says on its standard error; the run is let go again."""
    words = [sys.executable, "-P", "-m", "drumline", "run", "Write a part"]
    done = subprocess.run(
        words, check=True, cwd=found.root, env=found.environ, capture_output=True, text=True
    )
    found.run("run", "abort")
    return done.stderr


def _worked_on(found: Team) -> dict[str, Any]:
    """A run that waits for a person at its only gate."""
    told = found.told("run", "Write a part")
    found.run("question", "answer", told["questions"][0], "trivial")
    worked: dict[str, Any] = found.told("run", "watch")
    return worked


def _led(found: Team) -> dict[str, Any]:
    worked = _worked_on(found)
    found.run("gate", "approve", "--why", "I looked at it")
    return {"worked on": worked, "approved": found.told("run", "watch")}


def _elsewhere(found: Team) -> dict[str, Any]:
    """The person stands on another branch when it is to be delivered, and comes back."""
    told = found.told("run", "Write a part")
    found.git("switch", "--quiet", "--create", "other")
    found.run("question", "answer", told["questions"][0], "trivial")
    found.told("run", "watch")
    found.run("gate", "approve")
    waiting = found.told("run", "watch")
    asked = found.run("question", "show", waiting["questions"][0])
    found.git("switch", "--quiet", "main")
    found.run("question", "answer", waiting["questions"][0], "again")
    back = found.told("run", "watch")
    return {"elsewhere": waiting, "asked elsewhere": asked, "back": back}


def _set_aside(found: Team) -> dict[str, Any]:
    """The team's branch is moved away when it is to be delivered, and comes back."""
    before = set(_parts(found))
    _worked_on(found)
    [work] = found.told("run", "summary")["tasks"]
    found.git("branch", "--move", "drumline/merged", "set-aside")
    found.run("gate", "approve")
    [asked] = until(lambda: found.told("run", "show")["questions"])
    shown = found.run("question", "show", asked)
    found.git("branch", "--move", "set-aside", "drumline/merged")
    found.run("question", "answer", asked, "again")
    whole = found.told("run", "watch")
    written = sorted(set(_parts(found)) - before)
    return {"lost": work["task"], "asked": shown, "whole": whole, "written": written}


def _left(found: Team) -> dict[str, Any]:
    """Whoever drives the run goes away, and somebody drives it again."""
    told = found.told("run", "Write a part")
    found.run("down")
    left = found.run("run", "show")
    found.run("run", "watch")
    found.run("question", "answer", told["questions"][0], "trivial")
    resumed = found.run("run", "resume")
    return {"left": left, "resumed": resumed, "driven": found.told("run", "watch")}
