"""The settings a Claude Code session gets from us: our hooks beside the user's own, each exactly once.

Claude Code takes one `--settings`; given twice, the first is dropped. So the user's JSON and ours
become one object. When the user names a *file*, it is passed on unread, and our hooks travel as a
plugin of that one session.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from drumline.errors import BadInput
from drumline.runtimes.claude_schema import EVENTS, flaws
from drumline.runtimes.hook_command import carried
from drumline.team.identity import Identity, environment

# a hook has no id: ours are known again, whatever their version and path, by what the spinner shows
GUARD = "drumline guard"
LISTENER = "drumline listener"
CROSS_SESSION_TOOLS = ("SendMessage", "ListAgents")
SOURCES = ("user", "project", "local")
MUTATING_TOOLS = "*"  # which calls change something, the guard tells
PLACEHOLDER = "${"

# an audit that fails must not stop the work, a guard that fails must
GUARDED: Mapping[str, Mapping[str, object]] = {
    "PreToolUse": {"matcher": "*", "timeout": 30, "onFailure": "block"},
    "ConfigChange": {"timeout": 30, "onFailure": "block"},
    "PostToolUse": {"matcher": MUTATING_TOOLS, "timeout": 10},
    "PostToolUseFailure": {"matcher": MUTATING_TOOLS, "timeout": 10},
    "SessionStart": {"timeout": 30},
    "Stop": {"timeout": 10},
}


def fragment(
    guard: Sequence[str],
    *,
    user: object = None,
    who: Identity | None = None,
    extra: Mapping[str, object] | None = None,
    listeners: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """The user's settings with ours merged in: their hooks as they were, ours once, `extra` on top.

    `listeners` are further commands of ours by event; hooks in `extra` are not looked at. What would
    keep Claude Code from asking ours, `claude_schema.flaws` tells.
    """
    theirs = user if isinstance(user, Mapping) else {}
    settings = _merged(_merged(theirs, extra or {}), {"disableAllHooks": False})
    if who is not None:  # a repository's own settings can change variables, but not these
        settings = _merged(settings, {"env": environment(who)})
    settings["hooks"] = _with_ours(theirs.get("hooks", {}), _entries(guard, listeners or {}))
    return settings


def inline(text: str) -> dict[str, Any] | None:
    """The object in a `--settings` value; None where Claude Code takes the text for a file name."""
    try:
        found = json.loads(text)
        json.dumps(found, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def plugin(
    guard: Sequence[str], *, listeners: Mapping[str, Sequence[str]] | None = None
) -> dict[str, str]:
    """The files, by path in its folder, of a session plugin that carries our hooks."""
    hooks = {"hooks": _entries(guard, listeners or {})}
    about = {"name": "drumline", "version": "1.0.0", "description": "The hooks of a drumline team"}
    return {
        ".claude-plugin/plugin.json": json.dumps(about),
        "hooks/hooks.json": json.dumps(hooks),
    }


def launch_arguments(
    settings: Mapping[str, Any], *, sources: Sequence[str] = (), without: Sequence[str] = ()
) -> list[str]:
    """Arguments that give a session one merged fragment; refused when its guard would not be asked."""
    wrong = flaws(settings, tuple(GUARDED)) or _unguarded(settings.get("hooks", {}))
    if wrong:
        raise BadInput(
            "these settings would switch our guard off",
            why="; ".join(wrong),
            next="mend the settings given to this session, or leave them out",
        )
    return ["--settings", json.dumps(settings), *_limits(sources, without)]


def launch_arguments_beside(
    file: str, plugin: str, *, sources: Sequence[str] = (), without: Sequence[str] = ()
) -> list[str]:
    """Arguments that give a session the user's own settings file, unread, and our plugin's folder."""
    if set(sources) & {"project", "local"}:
        raise BadInput(
            "a settings file and the repository's own settings cannot both be loaded",
            why="the repository could switch our hooks off, and only inline settings can forbid it",
            next="give the settings as JSON, or load at most the user's own",
        )
    return ["--settings", file, "--plugin-dir", plugin, *_limits(sources, without)]


def _unguarded(hooks: Mapping[str, list[object]]) -> list[str]:
    """Where no hook of ours stands, as sentences."""
    return [
        f"hooks.{event} holds none of ours"
        for event in GUARDED
        if not any(map(_holds_ours, hooks.get(event, [])))
    ]


def _limits(sources: Sequence[str], without: Sequence[str]) -> Iterator[str]:
    """Which settings files are loaded and which tools are taken away."""
    strange = sorted(set(sources) - set(SOURCES))
    if strange:
        raise BadInput(
            f"there are no {strange[0]!r} settings", next=f"choose from {', '.join(SOURCES)}"
        )
    yield f"--setting-sources={','.join(sources)}"
    if without:
        yield f"--disallowedTools={','.join(without)}"


def _merged(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Objects are merged key by key; anything else of ours, arrays too, replaces theirs."""
    both = dict(theirs)
    for key, value in ours.items():
        inner = theirs.get(key)
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            both[key] = _merged(inner, value)
        else:
            both[key] = value
    return both


def _entries(
    guard: Sequence[str], listeners: Mapping[str, Sequence[str]]
) -> dict[str, list[dict[str, Any]]]:
    """What we put under each event: the guard first, then who else listens."""
    strange = sorted(listeners.keys() - EVENTS)
    if strange:
        raise BadInput(
            f"Claude Code has no event {strange[0]!r}", next="see its list of hook events"
        )
    ours = {event: [_entry(GUARD, guard, how)] for event, how in GUARDED.items()}
    for event, command in listeners.items():
        ours.setdefault(event, []).append(_entry(LISTENER, command, {"timeout": 10}))
    return ours


def _entry(mark: str, command: Sequence[str], how: Mapping[str, object]) -> dict[str, Any]:
    program, *arguments = carried(command)
    for word in command:
        if PLACEHOLDER in word:
            raise BadInput(
                f"a hook cannot be given {word!r}",
                why=f"Claude Code puts its own folders in the place of {PLACEHOLDER}…",
                next="choose a folder without it in its name",
            )
    hook = {
        "type": "command",
        "command": program,
        "args": arguments,  # no shell: half the cost, and no letter of a path means anything
        "statusMessage": mark,
    }
    matcher = {"matcher": how["matcher"]} if "matcher" in how else {}
    return {**matcher, "hooks": [hook | {k: v for k, v in how.items() if k != "matcher"}]}


def _with_ours(hooks: object, ours: Mapping[str, list[dict[str, Any]]]) -> object:
    """All events with ours in place; what is not a list of entries stays as it was found."""
    if not isinstance(hooks, Mapping):
        return hooks
    kept = {event: _placed(entries, ours.get(event, [])) for event, entries in hooks.items()}
    return kept | {event: entries for event, entries in ours.items() if event not in hooks}


def _placed(entries: object, ours: list[dict[str, Any]]) -> object:
    """Their entries in their order, ours where the first of ours stood before, else at the end."""
    if not isinstance(entries, list):
        return entries
    theirs = [_without_ours(entry) for entry in entries]
    first = next((at for at, entry in enumerate(entries) if _holds_ours(entry)), len(entries))
    return [*chain(*theirs[: first + 1]), *ours, *chain(*theirs[first + 1 :])]


def _without_ours(entry: Any) -> list[object]:
    """The entry less our hooks; nothing when it held nothing else."""
    if not _holds_ours(entry):
        return [entry]
    theirs = [hook for hook in entry["hooks"] if not _is_ours(hook)]
    return [{**entry, "hooks": theirs}] if theirs else []


def _holds_ours(entry: object) -> bool:
    hooks = entry.get("hooks") if isinstance(entry, Mapping) else None
    return isinstance(hooks, list) and any(map(_is_ours, hooks))


def _is_ours(hook: object) -> bool:
    return isinstance(hook, Mapping) and hook.get("statusMessage") in (GUARD, LISTENER)
