"""Secrets in sentences: "the password for staging is …", "API key …", "login: ada / …".

A word of a sentence is taken for a secret only where the sentence says what it is and it looks like nothing
that people write about passwords and tokens: no algorithm, path, name in a program, number with its unit.
Every pattern runs in time proportional to its text.
"""

from __future__ import annotations

import re

from drumline.team.secret_shapes import OR_BACK, PLACEHOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CHOSEN = r"pass(?:[ -]?(?:word|phrase|code)|wd|wort)s?|pwd|pw|kennwort|mot[ ]de[ ]passe|contrase\u00f1a|senha"
_OTHER = (
    r"token|secret|(?:api|access|secret|private|signing|encryption|auth|master|deploy)[ _-]?key"
)
_NOUN = rf"(?<![\w.$/-])(?i:(?P<password>{_CHOSEN})|(?P<other>{_OTHER}))(?![\w-])"
_WHERE = (
    r"(?:[ ]\([^()\n]{1,40}+\))?"
    r"(?:[ ](?i:for|of|on|to|in|at|from|f\u00fcr|von|de|para)[ ][^.,;:!?=\n]{1,60}?)?"
)
_IS = (
    r"[ \t]{1,8}(?i:is|was|are|were|equals|becomes|ist|lautet|est|es)"
    r"(?:[ ](?i:now|still|currently|just|simply|always|actually|literally|only|jetzt))?"
    r"(?:[ ](?i:set|changed|reset)[ ]to)?:?[ \t]{1,8}"
)
_JOINT = rf"(?:{_IS}|[ \t]{{0,8}}(?:->|=>|\u2192|:|=)[ \t]{{0,8}})"
_VALUE = r"""(?P<quote>["'`\u201c]?)(?P<value>[^\s"'`\u201c\u201d]{6,200}+)"""

# lower-case words of which one must be there; what the sentence says; whether a word says that this is it
_NOUNS = ("pass", "pw", "kennwort", "contrase", "senha", "token", "secret", "key")
_SAID = (
    (_NOUNS, _NOUN + _WHERE + _JOINT + _VALUE, True),
    (_NOUNS, _NOUN + r"[ \t]{1,8}" + _VALUE, False),
    (
        ("pass:", "pass :", "pass=", "pass ="),
        r"(?<![\w.$/-])(?P<password>(?i:pass))[ ]?[:=][ \t]{0,8}" + _VALUE,
        False,
    ),
    (
        ("credential", "creds", "login"),
        r"(?<![\w.$/-])(?P<password>(?i:credentials?|creds|login))(?:[ ](?:is|are)|:)[ \t]{1,8}"
        r"\w[\w.@-]{0,40}+[ ]?[:/][ ]?" + _VALUE,
        False,
    ),
)

_ALGORITHM = (
    r"(?i:argon|aes|base|bcrypt|blake|crc|curve|ed|es|hmac|hs|http|ipv|md|oauth|p-|pbkdf|ps|rfc|rs|scrypt"
    r"|sha|ssl|tls|utf|uuid|uuidv|v|x)[-_]?\d{1,5}[a-z]{0,12}+"
    rf"(?:[-._][A-Za-z]++{OR_BACK})*+"
)
_PIECE = r"(?:[A-Za-z]++(?:\d{1,5}[A-Za-z]{0,12}+)?|\d++[A-Za-z]{0,12}+)"
_ORDINARY = (
    rf"{_ALGORITHM}|0x[0-9a-fA-F]++|\d{{4}}-\d\d-\d\d.*|\d++[a-z]++|[\w.+-]++@[\w-]++"
    rf"(?:\.[\w-]++{OR_BACK})++"
    rf"|(?=[^_/.:]*[_/.:]){_PIECE}(?:[-_/.:+]{{1,3}}{_PIECE}{OR_BACK})++"  # src/auth2.py, token_store_v2
    r"|[\w.-]*+/[\w./-]*\.[a-z]{1,5}|[A-Za-z]++\d{1,4}-[a-z]++"  # and stage2-only
)
_NO_VALUE = tuple("&$%{<~/.-([*|\\")
_ENDS = ".,;:!?)]}\u2026"
_HARD = r"[A-Za-z][!#$%^&*@][A-Za-z0-9]"
_LIKELY = r"[A-Za-z]\d|\d[A-Za-z]|\d{6}|" + _HARD  # patterns cost a hook some milliseconds to build
_TURN = r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])"


def in_prose(text: str, low: str) -> Iterator[tuple[int, int, str, bool]]:
    """Where sentences tell secrets: from, to, kind, and that it is never sure enough to stop a commit."""
    if not re.search(_LIKELY, text):
        return
    for hints, pattern, is_said in _SAID:
        if not any(hint in low for hint in hints):
            continue
        for found in re.compile(pattern).finditer(text):
            password = found["password"] is not None
            value = found["value"].rstrip(_ENDS)
            said = is_said or (password and bool(found["quote"]))
            if _is_one(value, password=password, said=said):
                start = found.start("value")
                yield start, start + len(value), "secret in a sentence", False


def _is_one(value: str, *, password: bool, said: bool) -> bool:
    """Whether a word is a secret where a sentence has one; `said` when no other word could be meant."""
    low = value.lower()
    if value.startswith(_NO_VALUE) or "(" in value or "[" in value or "://" in value:
        return False
    if any(word in low for word in PLACEHOLDERS) or re.fullmatch(_ORDINARY, value):
        return False
    turns = len(re.findall(_TURN, value))
    if password and said:
        return turns > 0 or value.isdigit() or re.search(_HARD, value) is not None
    if password:
        return len(value) >= 8 and turns > 1  # noqa: PLR2004 - as long as most must be
    long, mixed = (12, 3) if said else (16, 4)
    return len(value) >= long and turns >= mixed
