"""Finding secrets in what agents write, so that they stay out of records and commits.

This is a guard against accidents: whoever wants to get a secret past it can.
"""

from __future__ import annotations

import re

from drumline.team.secret_shapes import (
    BESIDE_THE_SECRET,
    HARMLESS_KEYS,
    NAMING,
    OR_BACK,
    PLACEHOLDERS,
    PLACES,
    PLAIN_VALUES,
    PROGRAMS,
    SHAPES,
    SPOKEN,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Found = tuple[int, int, str, bool]  # from, to, kind, and whether it is surely a secret

MASK = "[redacted]"

_HEAD = (
    r"""(?<![\w.$-])(\\?["'])?((--?)?[A-Za-z_][\w.-]{0,80}+)(?(1)\1\]?)"""
    r"""([ \t]{0,8}:?=[ \t]{0,8}|[ \t]{0,8}:(?!:)[ \t]{0,8}|(?(3)[ \t]{1,8}(?=[^\s=:-])|(?!)))"""
)
_VALUE = (
    r"""\\(["'])([^"'\\\n]*+)\\\1|\$?(')([^']*+)'|(")((?:[^"\\]|\\.)*+)\""""
    r"""|()((?:[^\s"'`;&|<>()\\]|\\[^"'\n])++)"""
)
_COMMAND = rf"""(?s:(?:[^'"\\;|&\n]|\\.|'[^']*+'|"(?:[^"\\]|\\.)*+"{OR_BACK})++)"""
_ELSEWHERE = r"\$\w*|\$[{(].*|\{\{.*|%\(?\w+\)?s?%?|(?:os\.environ|process\.env|env\.|secrets\.).*"
_BLANK = rf"\s*|\*+|[xX]{{3,}}|\.{{2,}}|-+|(?:[A-Z0-9]++_{OR_BACK})++(?:TOKEN|KEY|SECRET|PASSWORD)"
_PATH = r"(?:~|\.{1,2})?/[\w./~@%+-]*"
_NAME = r"[A-Za-z_]\w*(?:\.\w+)+|[a-z0-9]*(?:_[a-z0-9]*)+"
_SHORT, _LONG = 8, 10
_OTHER_PASSES = frozenset({"pass", "bypass", "compass", "encompass", "pwd", "oldpwd", "surpass"})


def redact(text: str) -> str:
    """The same text with every secret in it masked."""
    kept, at = [], 0
    for start, end, _ in _apart(_secrets(text)):
        kept += [text[at:start], MASK]
        at = end
    return "".join([*kept, text[at:]])


def redact_within(value: Any) -> Any:
    """The same, of every text in lists and records; none grows by it, so that what fitted a form still does."""
    if type(value) is str:  # a word of a closed list is one too, and hides nothing
        return redact(value)[: max(len(value), len(MASK))]
    if isinstance(value, dict):
        return {name: redact_within(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [redact_within(inner) for inner in value]
    return tuple(redact_within(inner) for inner in value) if isinstance(value, tuple) else value


def find_secrets(text: str) -> list[tuple[int, str]]:
    """In which lines which kinds of secrets surely stand; never what they are."""
    found: list[tuple[int, str]] = []
    line, at = 1, 0
    for start, _, kind in _apart(one for one in _secrets(text) if one[3]):
        line, at = line + text.count("\n", at, start), start
        found.append((line, kind))
    return found


def secret_kind(name: str) -> str:
    """What a name says its value is: password, secret, token, key, or nothing to hide."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    words = [word for word in re.split(r"[_.-]", parted) if word]
    if not words or words[-1] in BESIDE_THE_SECRET:
        return ""
    last = words[-1]
    if any(word.endswith(("password", "passwd", "passphrase")) for word in words):
        return "password"
    short = last in {"pass", "pwd"} and len(words) > 1
    shouted = name.isupper() and last.endswith(("pass", "pwd")) and last not in _OTHER_PASSES
    if last == "sshpass" or short or shouted:
        return "password"
    if any(word.endswith(("secret", "secrets")) for word in words):
        return "secret"
    if last.endswith(("token", "credential", "credentials")) or parted in {
        "_auth",
        "authorization",
    }:
        return "token"
    return "key" if _holds_a_key(words) else ""


def _holds_a_key(words: list[str]) -> bool:
    if words[-1].endswith(("apikey", "accesskey", "secretkey", "privatekey")):
        return True
    return words[-1] == "key" and len(words) > 1 and words[-2] not in HARMLESS_KEYS


def _secrets(text: str) -> Iterator[Found]:
    low = text.lower()
    yield from _shaped(text, low)
    yield from _placed(text, low)
    if any(word in low for word in (*NAMING, *SPOKEN)):
        from drumline.team.secret_prose import in_prose  # noqa: PLC0415 - few texts speak of secrets

        yield from in_prose(text, low)
    if any(word in low for word in NAMING):
        yield from _assigned(text)
    if any(word in low for word, _, _ in PROGRAMS):
        yield from _flagged(text)


def _apart(found: Iterable[Found]) -> Iterator[tuple[int, int, str]]:
    """What was found, in order; what overlaps is one."""
    begin, until, what = 0, 0, ""
    for start, end, kind, _ in sorted(found):
        if start >= until:
            if until:
                yield begin, until, what
            begin, what = start, kind
        until = max(until, end)
    if until:
        yield begin, until, what


def _shaped(text: str, low: str) -> Iterator[Found]:
    """Keys that are known by their own look."""
    for kind, found in _matches(SHAPES, text, low):
        at = found.lastindex or 0
        yield *found.span(at), kind, "example" not in found[at].lower()


def _placed(text: str, low: str) -> Iterator[Found]:
    """Passwords and tokens that are known by what stands around them."""
    for kind, found in _matches(PLACES, text, low):
        if not _harmless("password", found[1], ""):
            yield *found.span(1), kind, _random(found[1])


def _matches(
    table: tuple[tuple[str, str, str], ...], text: str, low: str
) -> Iterator[tuple[str, re.Match[str]]]:
    """Where the patterns of a table match; one is built only when its hint is there."""
    for kind, hints, pattern in table:
        if any(hint in low for hint in hints.split()):
            for found in re.compile(pattern, re.ASCII).finditer(text):
                yield kind, found


def _assigned(text: str) -> Iterator[Found]:
    """Values given to names that say they are secret."""
    covered = 0
    for head in re.compile(_HEAD, re.ASCII).finditer(text):
        kind = secret_kind(head[2]) if head.start() >= covered else ""
        found = _value(text, head.end()) if kind else None
        if found is None:
            continue
        start, covered, quote = found
        value = text[start:covered]
        if not _harmless(kind, value, quote) and _meant(head, value, quote):
            sure = _random(value) and bool(quote or _unlike_a_name(head, value))
            yield start, covered, f"{kind} of {head[2][:40]}", sure


def _flagged(text: str) -> Iterator[Found]:
    """Passwords after a short flag of a program that takes them so."""
    for command in re.compile(_COMMAND).finditer(text):
        for name, program, flag in PROGRAMS:
            called = re.search(program, command[0]) if name in command[0] else None
            if called is None:
                continue
            begin = command.start() + called.end()
            for head in re.compile(flag).finditer(text, begin, command.end()):
                inside = head[1] if head.re.groups else ""
                start, end, quote = _value(text, head.end(), inside) or (0, 0, "")
                if not _harmless("password", text[start:end], quote):
                    yield start, end, f"password of {name}", _random(text[start:end])


def _value(text: str, at: int, inside: str = "") -> tuple[int, int, str] | None:
    """From where to where the value stands that begins here, and its quotes; a call is no value."""
    if inside:
        return at, max(at, text.find(inside, at)), inside
    found = re.compile(_VALUE, re.DOTALL).match(text, at)
    if found is None or not found.lastindex:
        return None
    quote = found[found.lastindex - 1]
    start, end = found.span(found.lastindex)
    if not quote:
        end = start + len(text[start:end].rstrip(","))
    return (start, end, quote) if quote or text[end : end + 1] != "(" else None


def _meant(head: re.Match[str], value: str, quote: str) -> bool:
    """Whether name and value stand together as in a setting, not as words of a sentence."""
    joint = head[4]
    if not quote and value == head[2]:
        return False  # an argument handed on under its own name
    if joint.strip() == ":":
        header = head[2].lower().startswith(("x-", "private-", "api-"))
        return bool(quote) or header or _random(value)
    return joint == joint.strip() or bool(quote or head[3]) or _random(value)


def _harmless(kind: str, value: str, quote: str) -> bool:
    """Whether a value is empty, a reference, a word or a mask: nothing that would leak."""
    if value == MASK or value.lower() in PLAIN_VALUES or re.fullmatch(_BLANK, value):
        return True
    if quote and (value[0].isspace() or value[0] in ";|&"):
        return True  # the quote closed a text before it, and did not open this one
    if quote != "'" and re.fullmatch(_ELSEWHERE, value, re.DOTALL):
        return True
    return kind in {"token", "key"} and (value.isdigit() or re.fullmatch(_PATH, value) is not None)


def _random(value: str) -> bool:
    """Whether a value looks made up by a machine, or chosen to be hard to guess."""
    low = value.lower()
    return (
        len(value) >= _SHORT
        and not any(word in low for word in PLACEHOLDERS)
        and not re.search(r"\s", value)
        and re.search(r"[a-z]", low) is not None
        and re.search(r"\d", value) is not None
    )


def _unlike_a_name(head: re.Match[str], value: str) -> bool:
    """Whether a value without quotes can hardly be a name in a program."""
    if "[" in value or re.fullmatch(_NAME, value):
        return False
    return head[2].isupper() or (len(value) >= _LONG and len(re.findall(r"\d", value)) > 1)
