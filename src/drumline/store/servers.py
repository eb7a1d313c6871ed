"""What files say of MCP servers: a repository's own, and those a person keeps beside it."""

import json
from pathlib import Path
from typing import Any

from drumline.store.regular import NotReadable, read_regular
from drumline.team.server import REGISTRATIONS, UNHEARD, Registered, registered

CAP = 8 * 1024 * 1024  # a person's own file holds much else
OF_A_PERSON = ".claude.json"


def servers_of(root: Path, home: Path | None = None) -> Registered:
    """What a repository registers; with a home, also what its owner registered for it there."""
    texts = {name: _text(root / name) for name in (REGISTRATIONS, *UNHEARD)}
    if home is not None:
        texts |= _of_a_person(root, _text(home / OF_A_PERSON))
    return registered({name: text for name, text in texts.items() if text})


def _of_a_person(root: Path, text: str) -> dict[str, str]:
    """The same form as a repository's: for everything this person does, and for this repository."""
    try:
        told = json.loads(text or "{}")
        here = told.get("projects", {}).get(str(root), {})
    except (ValueError, RecursionError, AttributeError):
        return {f"~/{OF_A_PERSON}": text}
    everywhere: dict[str, Any] = {"mcpServers": told.get("mcpServers") or {}}
    return {
        f"~/{OF_A_PERSON}": json.dumps(everywhere),
        f"~/{OF_A_PERSON} for this repository": json.dumps(here),
    }


def _text(path: Path) -> str:
    try:
        return read_regular(path, cap=CAP).decode("utf-8", "replace")
    except NotReadable:
        return ""
