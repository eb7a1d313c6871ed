"""What a brief leaves out of a text: why it was decided, what was rejected, and what came before or comes after."""

import re
from typing import NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t#]*")
_CODE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NOISE = re.compile(
    r"(?:the |design |decision |historical )?rationale|(?:design|decision) history"
    r"|(?:rejected|discarded|considered|other) (?:alternatives|options|approaches|designs|ideas)"
    r"|alternatives(?: (?:considered|rejected))?"
    r"|(?:other|earlier|later|past|future) phases"
    r"|(?:other|others'|other members'?) tasks",
    re.IGNORECASE,
)


class Filtered(NamedTuple):
    """What stays of a text, and the titles of what was left out."""

    text: str
    left_out: tuple[str, ...] = ()


def without_noise(text: str) -> Filtered:
    """The text without the Markdown sections whose own title says that they are not needed to work."""
    kept: list[str] = []
    dropped: list[str] = []
    skipping, code = 0, ""
    for line in text.splitlines():
        heading = None if code else _HEADING.fullmatch(line)
        if heading and (not skipping or len(heading[1]) <= skipping):
            noisy = _NOISE.fullmatch(heading[2].strip().rstrip(":"))
            skipping = len(heading[1]) if noisy else 0
            dropped += [heading[2].strip()] if noisy else []
        code = _code_after(line, code)
        if not skipping:
            kept.append(line)
    return Filtered("\n".join(kept).strip("\n"), tuple(dropped)) if dropped else Filtered(text)


def _code_after(line: str, code: str) -> str:
    """The fence that is open after a line, if any: a # inside code is no heading."""
    fence = _CODE.match(line)
    if fence is None:
        return code
    if not code:
        return fence[1]
    closes = fence[1].startswith(code) and not line[fence.end() :].strip()
    return "" if closes else code
