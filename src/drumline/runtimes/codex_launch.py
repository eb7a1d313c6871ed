"""How Codex is started for a turn: its words, its environment, and what stands before them."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from drumline.errors import BadInput
from drumline.runtimes.answering import Tools
from drumline.runtimes.codex_schema import strict
from drumline.runtimes.codex_settings import launch_arguments
from drumline.runtimes.confine import launcher
from drumline.runtimes.runtime import Given, Start
from drumline.runtimes.servers import ANSWERS_IN
from drumline.runtimes.toml_value import toml_value

OPEN, OWN = "danger-full-access", "workspace-write"
WEB = frozenset({"WebSearch", "web_search"})
ARGUMENTS, OURS = "arguments", "drumline"
LONGEST_TOOL = 24 * 3600  # seconds: a subagent is waited for as long as a turn may last


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The program, the guard its hooks start, and whether this machine has layers that confine.

    Nothing inside those can mount, so Codex has its own sandbox only where they are absent.
    """

    program: str
    guard: Sequence[str]
    confined: bool = True


def before(start: Start) -> list[str]:
    """The words that hold the CLI and all it starts, by whatever layers there are, and to its leash."""
    return launcher(start.confinement, start.leash)


def variables(start: Start) -> dict[str, str]:
    """The whole environment: what the runner gave, with Codex and its tools at home in `start.home`."""
    home = str(start.home)
    own = {"HOME": home, "CODEX_HOME": home, "TMPDIR": str(start.temporary)}
    headers = {
        _variable(each, at): value
        for each in start.servers
        for at, value in enumerate(each.headers.values())
    }
    return {**start.variables, **headers, **own}


def words(start: Start, way: Way, session: str, schema_file: str) -> list[str]:
    """One turn of Codex, told line by line, its prompt on stdin."""
    settings: dict[str, Any] = {
        "allow_login_shell": False,  # a login shell forgets the PATH it got
        "agents.enabled": False,  # what it spawns has no profile of ours, and a meter nobody reads
    }
    if start.bound or not WEB.intersection(start.tools):
        settings["web_search"] = "disabled"  # the provider does it, and no hook is asked
    if isinstance(start.verbs, Tools):
        settings[f"mcp_servers.{OURS}"] = _own_tools(start)
    settings |= {f"mcp_servers.{each.name}": _server(each) for each in start.servers}
    if start.system:
        settings["developer_instructions"] = start.system
    if start.model:
        settings["model"] = start.model
    if start.effort:
        settings["model_reasoning_effort"] = start.effort
    if not way.confined:
        settings |= _own_sandbox(start)
    return [
        way.program,
        "exec",
        "--json",
        "--skip-git-repo-check",
        f"--sandbox={OPEN if way.confined else OWN}",
        *added(start),
        *launch_arguments(way.guard),
        *("--disable", "multi_agent"),  # the same, for models Codex does not know
        *(word for name, said in settings.items() for word in ("-c", f"{name}={toml_value(said)}")),
        *(("--output-schema", schema_file) if schema_file else ()),
        *(("resume", session) if session else ()),
        "-",
    ]


def _own_tools(start: Start) -> dict[str, Any]:
    """Our own tools: the small server that asks the member's runner; without it no turn begins."""
    passed = ("DRUMLINE_SOCKET", "DRUMLINE_TOKEN_FILE")
    return {
        "command": sys.executable,
        "args": ["-P", "-m", "drumline", "mcp"],
        "env": {name: start.variables[name] for name in passed if name in start.variables},
        "default_tools_approval_mode": "approve",  # else it asks, and nobody is there to answer
        "tool_timeout_sec": LONGEST_TOOL,
        "required": True,
    }


def _server(given: Given) -> dict[str, Any]:
    """A server the member is given; which of its tools it may call, our guard says."""
    terms: dict[str, Any] = {
        "default_tools_approval_mode": "approve",
        "startup_timeout_sec": int(ANSWERS_IN),
        "required": given.needed,
    }
    if given.url:
        headers = {name: _variable(given, at) for at, name in enumerate(given.headers)}
        return {"url": given.url, **({"env_http_headers": headers} if headers else {}), **terms}
    return {"command": given.words[0], "args": given.words[1:], **terms}


def _variable(given: Given, at: int) -> str:
    """Where Codex finds a header; it lets no tool see what has TOKEN in its name."""
    return f"MCP_TOKEN_{given.name.replace('-', '__')}_{at}"


def added(start: Start) -> list[str]:
    """What the operator adds to the command line: a JSON list of words."""
    said = start.settings.get(ARGUMENTS, "[]")
    try:
        found = json.loads(said)
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadInput(
            f"the setting {ARGUMENTS} of {start.member} is not a list of words",
            why=f"it says {said[:80]!r}",
            next='write it as JSON, such as ["-c", "model_provider=\\"mine\\""]',
        )
    return found


@contextmanager
def schema_file(start: Start, schema: Mapping[str, Any] | None) -> Iterator[str]:
    """A file with the schema where Codex can read it, while it is needed; its path, empty without one."""
    if schema is None:
        yield ""
        return
    # a new name each time: the folder is the member's, who may have put a link under an old one
    with NamedTemporaryFile("w", dir=start.temporary, suffix=".json", encoding="utf-8") as file:
        json.dump(strict(schema), file)
        file.flush()
        yield file.name


def _own_sandbox(start: Start) -> dict[str, Any]:
    """What tools may write where only Codex holds them, which keeps them out of `.git` unless told."""
    roots = [*start.confinement.writable, str(Path(start.work) / ".git")]
    return {
        "sandbox_workspace_write.writable_roots": roots,
        "sandbox_workspace_write.network_access": True,  # else no tool reaches the runner's socket
    }
