"""Environments in which a real agent CLI reaches nobody but the model on loopback.

Nothing is inherited: own home, own temporary folder, a key that opens nothing, telemetry and updates
off, and proxies that lead nowhere.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from drumline.runtimes.codex_settings import DISABLED
from drumline.runtimes.toml_value import toml_value

PATH = "/usr/bin:/bin"
KEY = "rehearsal"
KEY_OF_CODEX = "REHEARSAL_KEY"
PROVIDER = "rehearsal"
NOWHERE = "http://127.0.0.1:9"
LOOPBACK = "127.0.0.1,localhost"


class Place(NamedTuple):
    """The folders a clean CLI has for itself, and where it looks for programs."""

    home: str
    temporary: str
    path: str = PATH


def environment(place: Place) -> dict[str, str]:
    """What every clean process gets."""
    proxies = {f"{name}_PROXY": NOWHERE for name in ("HTTP", "HTTPS", "ALL")}
    proxies["NO_PROXY"] = LOOPBACK
    return {
        "PATH": place.path,
        "HOME": place.home,
        "TMPDIR": place.temporary,
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        **proxies,
        **{name.lower(): value for name, value in proxies.items()},
    }


def claude_environment(
    place: Place, url: str, *, retries: int = 0, as_root: bool = False
) -> dict[str, str]:
    """A Claude Code whose model is at `url`; root may skip permissions only when it says why."""
    return {
        **environment(place),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": str(retries),
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        "ENABLE_TOOL_SEARCH": "false",
        **({"IS_SANDBOX": "1"} if as_root else {}),
    }


def codex_environment(place: Place) -> dict[str, str]:
    """A Codex that keeps everything in its own home; its model is among its arguments."""
    return {**environment(place), "CODEX_HOME": place.home, KEY_OF_CODEX: KEY}


def claude_arguments(
    *, model: str = "", schema: Mapping[str, Any] | None = None, mode: str = "bypassPermissions"
) -> list[str]:
    """One turn of Claude Code, told line by line; the prompt comes behind these."""
    return [
        "-p",
        "--output-format=stream-json",
        "--verbose",
        "--strict-mcp-config",
        f"--permission-mode={mode}",
        *([f"--model={model}"] if model else []),
        *(["--json-schema", json.dumps(schema)] if schema is not None else []),
    ]


def codex_arguments(
    url: str, *, model: str = "", retries: int = 0, schema_file: str = ""
) -> list[str]:
    """One turn of Codex, told line by line; the prompt comes behind these.

    A model Codex does not know gets its tools one by one, one of its own gets them as a script.
    """
    provider = {
        "name": PROVIDER,
        "base_url": f"{url}/v1",
        "env_key": KEY_OF_CODEX,
        "wire_api": "responses",
        "request_max_retries": retries,
        "stream_max_retries": retries,
    }
    settings = {
        f"model_providers.{PROVIDER}": provider,
        "model_provider": PROVIDER,
        "model": model or PROVIDER,
        "analytics.enabled": False,
        "check_for_update_on_startup": False,
    }
    return [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--sandbox=danger-full-access",
        *_pairs("--disable", DISABLED),
        *_pairs("-c", [f"{name}={toml_value(value)}" for name, value in settings.items()]),
        *(["--output-schema", schema_file] if schema_file else []),
    ]


def _pairs(switch: str, values: Sequence[str]) -> list[str]:
    return [word for value in values for word in (switch, value)]
