"""One line of the audit trail: what was done, where and by whom, and never what a file contains.

Whoever wrote the words is not trusted: secrets are masked, long text is cut, and whatever could move a
terminal's cursor stays escaped.
"""

from __future__ import annotations

from drumline.team.secret_shapes import may_hold_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ORIGIN = ("cwd", "model", "provider", "trace_id", "team_id", "team_member")
MAYBE = ("refused", "note", "subagent")
LONGEST = 4_000
LONGEST_NAME = 1_000
LOOKED_AT = 64 * 1024  # far more than is kept, so that a secret at the cut is still seen whole


def line(facts: Mapping[str, object]) -> str:
    """A call of a tool as one line of JSON with fixed keys; what has no key is left out.

    `command` for shells, else `file_path`; `refused` (a constraint's id), `note` (why the guard let it
    pass unjudged) and `subagent` (the profile of the member's subagent whose call it was) only where they
    apply.
    """
    target = "command" if facts.get("command") is not None else "file_path"
    kept: dict[str, object] = {
        "ts": _name(facts, "ts"),
        "tool": _name(facts, "tool"),
        target: _masked(facts, target),
        "exit_code": _number(facts.get("exit_code")),
    }
    kept |= {key: _cut(_redacted(_name(facts, key)), LONGEST_NAME) for key in ORIGIN}
    kept |= {key: _masked(facts, key) for key in MAYBE if facts.get(key)}
    said = ",".join(f"{_encoded(key)}:{_encoded(value)}" for key, value in kept.items())
    return f"{{{said}}}\n".replace("\x7f", "\\u007f")


def _encoded(value: object) -> str:
    """A text, a number or nothing as JSON; the json package would cost a hook 9 ms."""
    if not isinstance(value, str):
        return "null" if value is None else str(value)
    try:
        from _json import encode_basestring_ascii as encode
    except ImportError:
        from json import dumps as encode
    return encode(value)


def _name(facts: Mapping[str, object], key: str) -> str:
    return _cut(_text(facts.get(key)), LONGEST_NAME)


def _masked(facts: Mapping[str, object], key: str) -> str:
    said = _text(facts.get(key))
    return _cut(_redacted(said[:LOOKED_AT]), LONGEST, unseen=len(said[LOOKED_AT:]))


def _redacted(text: str) -> str:
    if not may_hold_one(text):
        return text
    from drumline.team.secrets import redact

    return redact(text)


def _text(value: object) -> str:
    """Text as it is, an argument list as one line, and nothing for whatever else a caller sent."""
    if isinstance(value, list | tuple):
        return " ".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _cut(text: str, longest: int, *, unseen: int = 0) -> str:
    more = max(0, len(text) - longest) + unseen
    return f"{text[:longest]}…[+{more}]" if more else text


def _number(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) < 2**31 else None
