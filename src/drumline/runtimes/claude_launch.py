"""How Claude Code is started for a member: its whole environment, its settings, and the shim before it.

The SDK starts one program with our own environment around it. The shim is that program: it drops every
variable that is not the member's, hands secrets over where tools do not see them, and becomes the
launcher with the real CLI behind it.
"""

import json
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from drumline.runtimes.confine import launcher
from drumline.runtimes.runtime import Start
from drumline.runtimes.sweep import MARK
from drumline.team.confinement import Confinement
from drumline.team.identity import is_identity

SHIM = "claude"
FIRST_DESCRIPTOR = 30

# read once by the CLI from a pipe, these are in no environment and so in no tool's
HANDED_OVER = {
    "ANTHROPIC_API_KEY": "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR",
    "CLAUDE_CODE_OAUTH_TOKEN": "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
}
QUIET = dict.fromkeys(
    (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_TELEMETRY",
    ),
    "1",
)
STATES = {
    "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",  # it says when it is idle, and a turn so over
    "CLAUDE_CODE_SDK_READS_SESSION_STATE": "1",
}
OF_THE_SDK = ("CLAUDE_AGENT_SDK_VERSION", "CLAUDE_CODE_ENTRYPOINT", "PWD")

_SHIM = """\
import os, sys
kept = {kept!r}
left = {{name: value for name, value in os.environ.items() if name in kept}}
for secret, variable, number in {secrets!r}:
    reader, writer = os.pipe()
    os.write(writer, left.pop(secret).encode())
    os.close(writer)
    os.dup2(reader, number)
    os.close(reader)
    left[variable] = str(number)
words = {words!r} + sys.argv[1:]
os.execve(words[0], words, left)
"""


def environment(start: Start, life: str) -> dict[str, str]:
    """The member's variables and what Claude Code needs beside them; `life` marks every process."""
    own = {
        "CLAUDE_CONFIG_DIR": str(start.home),
        "TMPDIR": str(start.temporary),
        MARK: life,
        **(
            {"IS_SANDBOX": "1"} if os.geteuid() == 0 else {}
        ),  # root may not skip its questions else
    }
    return {**start.variables, **QUIET, **STATES, **own}


def settings(variables: Mapping[str, str]) -> str:
    """The only settings a member's CLI loads: hooks stay on, and no setting says who it is but ours."""
    who = {name: value for name, value in variables.items() if is_identity(name)}
    found: dict[str, Any] = {"disableAllHooks": False, "env": who}
    return json.dumps(found)


def shim(start: Start, cli: str, variables: Mapping[str, str]) -> Path:
    """Write the program the SDK starts, beside the leash, where its member cannot change it."""
    secrets = [
        (secret, variable, FIRST_DESCRIPTOR + index)
        for index, (secret, variable) in enumerate(HANDED_OVER.items())
        if secret in variables
    ]
    code = _SHIM.format(
        kept=sorted({*variables, *OF_THE_SDK}),
        secrets=secrets,
        words=[*_launcher(start, [number for _, _, number in secrets]), cli],
    )
    path = start.leash.parent / SHIM
    made = path.with_name(f".{SHIM}.{uuid4().hex}")
    made.write_text(
        f'#!/bin/sh\nexec {shlex.join([sys.executable, "-I", "-S", "-c", code])} "$@"\n'
    )
    made.chmod(0o700)
    return made.replace(path)  # another conversation of the member may be starting it now


def _launcher(start: Start, descriptors: Sequence[int]) -> list[str]:
    """The words that confine the CLI on its leash, and keep open what is handed over to it."""
    given = {name: getattr(start.confinement, name) for name in Confinement.__slots__}
    given["descriptors"] = (*start.confinement.descriptors, *descriptors)
    return launcher(Confinement(**given), start.leash)
