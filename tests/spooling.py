"""Events of turns that ended, for tests: the real hook, files as it writes them, and who drains them."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

from drumline.control.attribution import Grounds
from drumline.control.draining import Desk, Drainer
from drumline.runtimes import plane
from drumline.store import spool_order
from drumline.store.engine import Clock, WallClock
from drumline.store.spool import Spool, prepare
from drumline.store.spool_files import INCOMING

SCRIPT = Path(__file__).parents[1] / "src" / "drumline" / "hooks" / "turn_settled.sh"
SHELLS = [
    words
    for words in (["dash"], ["bash"], ["busybox", "sh"], ["mksh"], ["zsh", "--emulate", "sh"])
    if shutil.which(words[0])
]
SESSION = "0b9e1c7e-3a55-4c0e-9a0b-5f3f6d1c2a11"
SAID = "what the agent said last"


def stop(**facts: Any) -> dict[str, Any]:
    """The event of a Claude Code session at the end of a turn."""
    usual = {
        "session_id": SESSION,
        "transcript_path": f"/home/kim/.claude/projects/-repo/{SESSION}.jsonl",
        "cwd": "/repo",
        "prompt_id": str(uuid4()),
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": SAID,
        "background_tasks": [],
        "session_crons": [],
    }
    return {**usual, **facts}


def environment(**more: str) -> dict[str, str]:
    """Our own variables but those that say who we are."""
    kept = {name: value for name, value in os.environ.items() if "DRUMLINE" not in name}
    return {**kept, **more}


def run(
    spool: Path | str, *words: str, event: bytes = b"", shell: list[str] | None = None, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """The hook, given an event."""
    return subprocess.run(
        [*(shell or ["/bin/sh"]), str(SCRIPT), str(spool), *(words or ("claude",))],
        check=False,
        **{"input": event, "capture_output": True, "env": environment(), **more},
    )


def new_spool(folder: Path) -> Path:
    spool = folder / "spool"
    prepare(str(spool))
    return spool


def hint(member: str = "ada", team: str = "", life: str = "") -> str:
    """The line that the hook adds."""
    return f'\n{{"drumline":{{"team":"{team}","member":"{member}","life":"{life}"}}}}\n'


def drop(
    spool: Path,
    event: Any = None,
    *,
    name: str = "",
    at: float | None = None,
    member: str = "",
) -> Path:
    """An event as the hook leaves it."""
    path = spool / INCOMING / (name or f"20260101T120000Z-1-{uuid4()}.claude.json")
    text = event if isinstance(event, str) else json.dumps(stop() if event is None else event)
    path.write_text(text + (hint(member) if member else ""))
    path.chmod(0o600)
    if at is not None:
        os.utime(path, (at, at))
    return path


def waiting(spool: Path) -> list[str]:
    return sorted(path.name for path in (spool / INCOMING).iterdir())


def claimed(spool: Path) -> list[str]:
    """What somebody has claimed; it may be vanishing meanwhile."""
    return [name for _, _, names in os.walk(spool / "processing") for name in names]


def processed(spool: Path) -> list[dict[str, Any]]:
    """What is kept of what was taken in."""
    files = sorted((spool / "processed").iterdir())
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def invalid(spool: Path) -> dict[str, str]:
    """Why what was not read was not, by the name it came under."""
    records = [json.loads(path.read_text()) for path in (spool / "invalid").glob("*.json")]
    return {record["name"]: record["reason"] for record in records}


def opened(spool: Path, clock: Clock = WallClock()) -> Spool:  # noqa: B008 - it has no state
    """A spool whose files are as old as the clock says."""
    return Spool(str(spool), lambda folder: spool_order.tidy(folder, clock.now()))


def drainer(
    store: Any, spool: Path, holder: str = "box:1/1", *, dead: tuple[str, ...] = (), here: str = ""
) -> Drainer:
    """Who drains a spool as `holder`; those who are `dead`, or gone from `here`, do so no more."""
    files = opened(spool)
    grounds = Grounds(str(spool.parent / "homes"), str(spool.parent / "checkouts"))

    def is_up(who: str) -> bool:
        return who not in dead and (not here or plane.is_up(who, here))

    return Drainer(store, files, Desk("spool:test", holder, grounds, is_up))


def drain(store: Any, spool: Path) -> dict[str, int]:
    """Take everything in; what became of how many."""
    draining, counts = drainer(store, spool), dict[str, int]()
    while True:
        done = draining.batch()
        for why, count in done.counts.items():
            counts[why.value] = counts.get(why.value, 0) + count
        if not done.full:
            return counts


def text_in(spool: Path) -> bytes:
    """All bytes that a spool holds."""
    return b"".join(path.read_bytes() for path in spool.rglob("*") if path.is_file())
