"""The arguments a Codex session gets from us: our hooks, trusted for this launch, no file edited.

Codex runs no hook whose hash it was not told to trust, and says nothing when it skips one. The
user's own hooks are in other layers and run beside ours.
"""

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from drumline.errors import BadInput
from drumline.runtimes.hook_command import carried
from drumline.runtimes.toml_value import toml_value

SOURCE = "/<session-flags>/config.toml"
EVENTS = {
    "PreToolUse": "pre_tool_use",
    "PermissionRequest": "permission_request",
    "PostToolUse": "post_tool_use",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "UserPromptSubmit": "user_prompt_submit",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
    "Stop": "stop",
    "Interrupt": "interrupt",
}
USUAL_SECONDS, MOST_SECONDS = 600, 2**31
LIMITS = {"SessionEnd": (1, 3), "Interrupt": (1, 3)}
UNMATCHED = frozenset({"Stop", "Interrupt", "UserPromptSubmit"})

# what a team cannot have: unasked downloads, shells typed into unseen, waiting for ever
DISABLED = ("plugins", "unified_exec_tty", "unbounded_connection_retries")
MUTATING_TOOLS = "^(Bash|apply_patch|mcp__.*)$"

# Codex lets the call through when a hook fails, but not when it leaves with 2 and says why
OR_REFUSE = " || /bin/sh -c " + shlex.quote(
    "echo 'the drumline guard did not answer, so this call is refused' >&2; exit 2"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One command Codex runs at an event; `seconds` None is Codex's own limit."""

    event: str
    command: str
    seconds: int | None = None
    matcher: str | None = None

    @property
    def limit(self) -> int:
        """The seconds Codex really gives it."""
        usual, most = LIMITS.get(self.event, (USUAL_SECONDS, MOST_SECONDS))
        return min(max(usual if self.seconds is None else self.seconds, 1), most)


def launch_arguments(
    guard: Sequence[str],
    *,
    listeners: Mapping[str, Sequence[str]] | None = None,
    hidden: Sequence[str] = (),
) -> list[str]:
    """Arguments that give a session our hooks, trusted, and keep keys from its tools.

    `listeners` are further commands of ours by event; `hidden` are patterns of further variables no
    tool may see, in place of the user's own list.
    """
    hooks = [*_guarding(carried(guard)), *_listening(listeners or {})]
    settings = {**_by_event(hooks), "hooks.state": trust(hooks)}
    settings["shell_environment_policy.ignore_default_excludes"] = False
    if hidden:
        settings["shell_environment_policy.exclude"] = list(hidden)
    switches = ["--enable", "hooks"]  # the user's configuration may have them off
    for feature in DISABLED:
        switches += ["--disable", feature]
    for key, value in settings.items():
        switches += ["-c", f"{key}={toml_value(value)}"]
    return switches


def trust(hooks: Sequence[Hook]) -> dict[str, dict[str, str]]:
    """What tells Codex to run these hooks of its command line, in this order, without asking."""
    seen: dict[str, int] = {}
    state = {}
    for hook in hooks:
        group = seen.setdefault(hook.event, 0)
        seen[hook.event] += 1
        key = f"{SOURCE}:{EVENTS[hook.event]}:{group}:0"
        state[key] = {"trusted_hash": trusted_hash(hook)}
    return state


def trusted_hash(hook: Hook) -> str:
    """The hash under which Codex knows a hook: of its canonical JSON, defaults filled in."""
    about: dict[str, object] = {
        "event_name": EVENTS[hook.event],
        "hooks": [
            {"type": "command", "command": hook.command, "timeout": hook.limit, "async": False}
        ],
    }
    if hook.matcher is not None and hook.event not in UNMATCHED:
        about["matcher"] = hook.matcher
    text = json.dumps(about, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _guarding(guard: Sequence[str]) -> Iterator[Hook]:
    """The guard at every event that asks, records or proves it is there."""
    ask = shlex.join(guard)
    # a guard that is late lets the call through, so Codex waits and the guard keeps its own time
    yield Hook(event="PreToolUse", command=ask + OR_REFUSE, seconds=USUAL_SECONDS)
    yield Hook(event="PostToolUse", command=ask, seconds=10, matcher=MUTATING_TOOLS)
    yield Hook(event="SessionStart", command=ask, seconds=30)
    yield Hook(event="Stop", command=ask, seconds=10)
    yield Hook(event="SessionEnd", command=ask, seconds=3)


def _listening(listeners: Mapping[str, Sequence[str]]) -> Iterator[Hook]:
    for event, command in listeners.items():
        if event not in EVENTS:
            raise BadInput(f"Codex has no event {event!r}", next=f"choose from {', '.join(EVENTS)}")
        yield Hook(event=event, command=shlex.join(carried(command)), seconds=10)


def _by_event(hooks: Sequence[Hook]) -> dict[str, object]:
    """The hooks as Codex reads them: per event a list of groups, one hook in each."""
    groups: dict[str, list[object]] = {}
    for hook in hooks:
        run = {"type": "command", "command": hook.command, "timeout": hook.limit}
        matcher = {} if hook.matcher is None else {"matcher": hook.matcher}
        groups.setdefault(f"hooks.{hook.event}", []).append({**matcher, "hooks": [run]})
    return dict(groups)
