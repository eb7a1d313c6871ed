"""What Claude Code accepts as hooks, as measured on 2.1.325.

One hook it does not accept silently takes every hook of the same event with it, and a setting of the
wrong kind takes the whole file: a guard merged beside either would never be asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

EVENTS = frozenset(
    """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
    UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact
    PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle
    TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove
    InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay
    """.split()  # noqa: SIM905 - thirty-three lines would say no more
)
REQUIRED = {
    "command": ("command",),
    "prompt": ("prompt",),
    "agent": ("prompt",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: value in words


HOOK_FIELDS: Mapping[str, Callable[[object], bool]] = {
    "args": _is_texts,
    "async": _is_switch,
    "asyncRewake": _is_switch,
    "if": _is_text,
    "onFailure": _is_one_of("continue", "block"),
    "once": _is_switch,
    "shell": _is_one_of("bash", "powershell"),
    "statusMessage": _is_text,
    "timeout": _is_seconds,
}
SETTING_KINDS: Mapping[str, type] = {
    "disableAllHooks": bool,
    "env": dict,
    "hooks": dict,
    "model": str,
    "permissions": dict,
}


def flaws(settings: object, events: Sequence[str]) -> list[str]:
    """Why Claude Code would not ask the hooks of these events, as sentences; none when it would."""
    if not isinstance(settings, Mapping):
        return ["the settings are not an object: nothing can be added to them"]
    wrong = [
        f"{name} is of the wrong kind: Claude Code ignores all of these settings"
        for name, kind in SETTING_KINDS.items()
        if name in settings and not isinstance(settings[name], kind)
    ]
    hooks = settings.get("hooks", {})
    if isinstance(hooks, Mapping):
        wrong += [said for event in events for said in _event_flaws(event, hooks.get(event, []))]
    return wrong


def _event_flaws(event: str, entries: object) -> Iterator[str]:
    """What makes Claude Code drop all hooks of an event."""
    if event not in EVENTS:
        yield f"hooks.{event}: Claude Code knows no such event and skips it"
    if not isinstance(entries, list):
        yield f"hooks.{event} is not a list: it was kept as found, and ours cannot be in it"
        return
    for place, entry in enumerate(entries):
        for said in _entry_flaws(entry):
            yield f"hooks.{event}[{place}]{said}: Claude Code drops every hook of {event}"


def _entry_flaws(entry: object) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield " is not an object"
        return
    if not isinstance(entry.get("matcher", ""), str):
        yield ".matcher is not text"
    hooks = entry.get("hooks")
    if not isinstance(hooks, list):
        yield ".hooks is not a list"
        return
    for place, hook in enumerate(hooks):
        yield from (f".hooks[{place}]{said}" for said in _hook_flaws(hook))


def _hook_flaws(hook: object) -> Iterator[str]:
    if not isinstance(hook, Mapping):
        yield " is not an object"
        return
    kind = hook.get("type")
    if not isinstance(kind, str) or kind not in REQUIRED:
        yield f" has the unknown type {kind!r}"
        return
    yield from (f".{name} is missing" for name in REQUIRED[kind] if not _is_text(hook.get(name)))
    yield from (
        f".{name} cannot be {hook[name]!r}"
        for name, accepts in HOOK_FIELDS.items()
        if name in hook and not accepts(hook[name])
    )
