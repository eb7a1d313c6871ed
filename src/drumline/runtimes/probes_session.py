"""A scene in a session as a person starts it: the CLI once, with our hooks among its arguments."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drumline.runtimes import claude_settings, clean, codex_settings, probes_hook
from drumline.runtimes.probes import MEMBER, Scene, Seen, results
from drumline.runtimes.rehearsal.launch import GO, Cli, Launch
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.rehearsal.stage import run
from drumline.runtimes.toml_value import toml_value
from drumline.team.outcome import outcome

SERVER = "probe"
PROMPT = "UserPromptSubmit"
SOON = 2  # seconds after which a CLI gives up on a hook that hangs, in place of the usual 30


def play(cli: Cli, scene: Scene, folder: Path, seconds: float) -> Seen:
    """The scene, played once in a folder of its own."""
    rooms = Rooms(folder)
    rooms.furnish(scene.files)
    with Rehearsal(scene.scenario()) as model:
        made = _claude if cli.runtime == "claude" else _codex
        words, variables = made(scene, rooms, model.url(MEMBER))
        argv = [cli.program, *words, "--", GO]
        ended = run(Launch(argv, variables, str(rooms.work)), folder, seconds)
        return Seen(
            events=rooms.events(),
            files=contents(rooms.work),
            results=results(scene, model.records()),
            outcome=outcome(ended.record, ended.exit_code, ended.signal),
            text=str((ended.record or {}).get("result") or (ended.record or {}).get("message", "")),
            requests=model.requests(),
        )


class Rooms:
    """The folders of a scene."""

    def __init__(self, folder: Path) -> None:
        self.work, self.home, self.temporary, self.own = (
            folder / name for name in ("work", "home", "tmp", "own")
        )
        for each in (self.work, self.home, self.temporary, self.own):
            each.mkdir(mode=0o700)

    @property
    def place(self) -> clean.Place:
        return clean.Place(str(self.home), str(self.temporary))

    def furnish(self, files: Mapping[str, str]) -> None:
        """Put files where the scene wants them; {work} in them is the folder's path."""
        for name, text in files.items():
            path = self.home / name[2:] if name.startswith("~/") else self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("{work}", str(self.work)), "utf-8")

    def program(self, folder: Path, mode: str) -> list[str]:
        """The words of a program of ours beside the CLI."""
        return [sys.executable, "-I", "-S", probes_hook.__file__, str(folder), mode]

    def events(self) -> tuple[str, ...]:
        """What the hook was told, each as `PreToolUse Bash`."""
        path = self.own / probes_hook.SEEN
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        told = (json.loads(line) for line in lines)
        return tuple(f"{each['event']} {each['tool']}".strip() for each in told)


def contents(work: Path) -> dict[str, str]:
    """What lies in the folder when all is over."""
    files = (path for path in work.iterdir() if path.is_file())
    return {path.name: path.read_text("utf-8", "replace") for path in files}


def _claude(scene: Scene, rooms: Rooms, url: str) -> tuple[list[str], dict[str, str]]:
    hook = rooms.program(rooms.own, scene.guard)
    settings = claude_settings.fragment(hook, listeners={PROMPT: hook})
    if scene.guard == probes_hook.TROUBLED:
        settings["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = SOON
    program, *words = rooms.program(rooms.work, "serve")
    servers = {"mcpServers": {SERVER: {"command": program, "args": words}}}
    arguments = [
        *clean.claude_arguments(),
        *claude_settings.launch_arguments(settings, sources=claude_settings.SOURCES),
        f"--mcp-config={json.dumps(servers)}",
    ]
    return arguments, clean.claude_environment(rooms.place, url, as_root=os.geteuid() == 0)


def _codex(scene: Scene, rooms: Rooms, url: str) -> tuple[list[str], dict[str, str]]:
    program, *words = rooms.program(rooms.work, "serve")
    server: dict[str, Any] = {
        "command": program,
        "args": words,
        "required": True,  # else the first request may come before its tools are known
        "default_tools_approval_mode": "approve",
    }
    given = [
        word
        for name, value in server.items()
        for word in ("-c", f"mcp_servers.{SERVER}.{name}={toml_value(value)}")
    ]
    hook = rooms.program(rooms.own, scene.guard)
    hooks = codex_settings.launch_arguments(hook, listeners={PROMPT: hook})
    return [*clean.codex_arguments(url), *hooks, *given], clean.codex_environment(rooms.place)
