"""Which calls belong in the audit trail: those that change something, or may."""

from __future__ import annotations

from drumline.team.call import READERS, SHELLS
from drumline.team.shell import plain
from drumline.team.shell.syntax import Command, Pipeline, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drumline.team.call import Call
    from drumline.team.shell.syntax import Script, Step

QUIET_TOOLS = READERS | frozenset(
    {"BashOutput", "TaskList", "TaskGet", "ToolSearch", "ListAgents", "WebSearch", "WebFetch"}
)
_LOOKS_ONLY = frozenset(
    "ls pwd echo printf which type test [ true false : date whoami id uname hostname printenv wc sort "
    "uniq cut tr head tail cat less more bat nl tac xxd od hexdump strings grep egrep fgrep rg ag ack "
    "find fd tree du df ps stat file diff cmp comm join jq git cd basename dirname realpath readlink "
    "column seq sleep man help history jobs md5sum sha1sum sha256sum sha512sum awk sed".split()
)


def changes(call: Call) -> bool:
    """Whether a call is more than looking; what only the grammar could tell counts as a change."""
    if call.tool not in SHELLS:
        return call.tool not in QUIET_TOOLS
    script = plain.read(call.command())
    if script is None or any(name not in _LOOKS_ONLY for name in _programs(script)):
        return True
    from drumline.team.shell.state import Around
    from drumline.team.shell.walk import Walk

    found = Walk(_unread, call.cwd or "/", Around("/")).effects(script)
    return any(
        effect.subject not in _LOOKS_ONLY if effect.kind == "run" else effect.kind != "read"
        for effect in found
    )


def _programs(script: Iterable[Step]) -> Iterator[str]:
    """The names of all programs a simple script starts."""
    for step in script:
        if isinstance(step, Pipeline):
            yield from _programs(step.steps)
        elif isinstance(step, Command) and step.words:
            parts = [part.text for part in step.words[0] if isinstance(part, Text)]
            yield "".join(parts).rpartition("/")[2]


def _unread(text: str) -> Script:
    from drumline.team.shell.syntax import Unreadable

    return plain.read(text) or (Unreadable("it needs the grammar"),)
