"""The guard inside a runner: rules on its member's calls and notes them, without a process for each.

Where its member stands it knows from the runner; the compiled rules are read again when they changed.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from drumline.hooks.noting import SESSION, call_of, note
from drumline.hooks.ruling import Rules, Surroundings, rule, rules_at, rules_for
from drumline.team.identity import Identity, identity
from drumline.team.mutation import changes

Facts = Mapping[str, Any]


class HookGuard:
    """The judge of one member's life; calls that cannot be read are refused."""

    def __init__(
        self, state: str, who: Identity, around: Surroundings, standing: Callable[[], Facts]
    ) -> None:
        self._state, self._who, self._around, self._standing = state, who, around, standing
        self._seen: tuple[int, int] = (0, 0)
        self._stood: Facts = {}
        self._rules: Rules | None = None

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call; refusals, and what could not be looked at, are noted."""
        call = call_of(event, os.path.dirname(self._state))
        rules = self._present_rules().of(event)
        ruling = rules.refusal() or rule(call, rules, self._around).facts()
        told = {"subagent": rules.standing.subagent}
        if ruling["decision"] == "deny":
            note(call, event, self._state, self._who, refused=ruling["constraint"], **told)
        elif ruling["why"]:
            note(call, event, self._state, self._who, note=ruling["why"], **told)
        return ruling

    def after(self, event: Mapping[str, Any]) -> None:
        """Note a call that changed something, or whatever a hook wanted noted."""
        call = call_of(event, os.path.dirname(self._state))
        said = {name: str(event[name]) for name in ("refused", "note") if event.get(name)}
        if said or changes(call):
            subagent = str(self._standing().get("subagent") or "")
            note(call, event, self._state, self._who, subagent=subagent, **said)

    def _present_rules(self) -> Rules:
        """The rules for where the member stands now, read anew only when either changed."""
        stands, seen = self._standing(), _mark(os.path.join(self._state, "policy", "current"))
        if self._rules is None or seen != self._seen or stands is not self._stood:
            self._rules = rules_at(self._state, stands)
            self._seen, self._stood = seen, stands
        return self._rules


class SessionGuard:
    """The judge for sessions people start, asked by their hooks, which tell whose session it is."""

    def __init__(self, state: str) -> None:
        self._state = state

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call of whoever the session's environment says; it is noted as a hook would."""
        who, around = _told_by(event)
        call = call_of(event, os.path.dirname(self._state))
        rules = rules_for(self._state, who).of(event)
        ruling = rules.refusal() or rule(call, rules, around).facts()
        if ruling["decision"] == "deny":
            note(call, event, self._state, who, refused=ruling["constraint"])
        elif ruling["why"]:
            note(call, event, self._state, who, note=ruling["why"])
        return ruling

    def after(self, event: Mapping[str, Any]) -> None:
        """Note what a hook saw, as whoever it was."""
        who, _ = _told_by(event)
        call = call_of(event, os.path.dirname(self._state))
        said = {name: str(event[name]) for name in ("refused", "note") if event.get(name)}
        if said or changes(call):
            note(call, event, self._state, who, **said)


def _told_by(event: Mapping[str, Any]) -> tuple[Identity, Surroundings]:
    """Who made a call and what `~` means there, as its hook found it in the environment."""
    given = event.get(SESSION)
    stated = {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
    return identity(stated), Surroundings(stated.get("HOME", ""), stated.get("TMPDIR", ""))


def _mark(path: str) -> tuple[int, int]:
    """What changes with every replacement of a file."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns
