"""Teams that really run, for tests: a repository, a plane, runners and their members as processes."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, TypeVar

from drumline.control import views
from drumline.settings import find
from drumline.surfaces.facts import written
from drumline.wiring import open_store
from tests.forking import command

T = TypeVar("T")

ANSWER = """\
        - structured:
            task_result: {{status: completed, summary: "{{task}} is written", files_changed: {files}}}
            reflection: {{what_worked: all of it, what_didnt: "", confidence: high}}
            suggested_learnings: []
            follow_up: {{blocked_by: null, suggested_next: null, needs_human: false}}
"""
WRITES_A_FILE = """\
scenario: writes-a-file
members:
  any:
    - again: true
      steps:
        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}\\n"}}
        - tool: {name: Bash, input: {command: "git add parts && git commit --quiet --allow-empty --message='{task}'"}}
""" + ANSWER.format(files='["parts/{task}.txt"]')
PATIENCE = 60.0
SOONEST, LATEST = 0.1, 0.6  # seconds between two looks at a fact
HASTY = "settings: {stop-wait: 1s}\n"  # for who is stopped in the midst of something endless


def until(fact: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for a fact and return it; a fact that does not come fails the test.

    What takes long is looked at less and less often: a look may cost a process.
    """
    began = monotonic()
    while not (found := fact()):
        passed = monotonic() - began
        assert passed < seconds, "it did not come true in time"
        sleep(min(LATEST, SOONEST + passed / 10))
    return found


class Team:
    """A team in a repository of its own, worked by real processes."""

    def __init__(self, root: Path, doors: Path) -> None:
        self.root = root
        self.environ = {
            **{name: value for name, value in os.environ.items() if "DRUMLINE" not in name},
            "XDG_RUNTIME_DIR": str(doors),
        }

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, text=True, check=True
        )
        return done.stdout

    def run(self, *words: str, code: int | None = 0) -> str:
        """What a command of ours answers."""
        found, out, err = command(words, self.root, self.environ)
        assert code is None or found == code, err + out
        return err if found else out

    def told(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json"))

    def ask(self, verb: Callable[..., T], **parameters: Any) -> T:
        """What the team's store answers: a twentieth of what a command takes, for what is asked over and over."""
        place = find(str(self.root), store=self.environ.get("DRUMLINE_STORE", ""))
        with closing(open_store(place, reading=True)) as store:
            return store.ask(verb, **parameters)

    def states(self) -> dict[str, str]:
        return {str(task.id): task.state.value for task in self.ask(views.tasks)}

    def diary(self, member: str) -> list[dict[str, Any]]:
        path = self.root / ".drumline" / "diaries" / member / "diary.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def events(self) -> list[dict[str, Any]]:
        found, _ = self.ask(views.last_events, most=100_000)
        return [json.loads(written(views.event_facts(event))) for event in found]

    def processes(self) -> list[tuple[int, str]]:
        """Every process that names this repository: runners, the plane, launchers, and what is inside."""
        found = []
        for place in Path("/proc").iterdir():
            if place.name.isdecimal() and int(place.name) != os.getpid():
                words = _read(place / "cmdline")
                if str(self.root) in words + _read(place / "environ"):
                    found.append((int(place.name), words.replace("\0", " ")))
        return found


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


@contextmanager
def team(
    root: Path, doors: Path, members: str, scenario: str = WRITES_A_FILE, settings: str = ""
) -> Iterator[Team]:
    """A team of these members, all down again afterwards."""
    root.mkdir(exist_ok=True)
    found = Team(root, doors)
    (root / ".claude").mkdir()
    manifest = f"team: atlas\ndescription: A team that runs\n{settings}members:\n{members}"
    (root / ".claude" / "team.yaml").write_text(manifest)
    (root / "play.yaml").write_text(scenario)
    found.git("init", "--quiet", "--initial-branch=main")
    found.git("config", "user.name", "kim")
    found.git("config", "user.email", "kim@localhost")
    found.git("add", "--all")
    found.git("commit", "--quiet", "--message=start")
    try:
        yield found
    finally:
        found.run("down", code=None)


@contextmanager
def team_of_a_story(
    place: Path, members: str, scenario: str = WRITES_A_FILE, settings: str = ""
) -> Iterator[Team]:
    """A team for what is played once and read by several tests, in a place that is there afterwards."""
    with (
        TemporaryDirectory(prefix="dl-") as doors,  # short enough for sockets
        team(place / "r", Path(doors).resolve(), members, scenario, settings) as found,
    ):
        yield found


def scripted(*names: str, more: str = "") -> str:
    """Lines of a manifest for scripted members that may write."""
    return "".join(
        f"  - {{name: {name}, role: Builds, runtime: scripted, scenario: play.yaml,"
        f" tools: [Read, Write, Edit, Bash], owns: ['**']{more}}}\n"
        for name in names
    )
