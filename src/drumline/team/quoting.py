"""Other people's words inside our prompts: marked line by line, so that none passes for ours.

Many lines are quoted: each begins with `> `, whatever the writer used to end a line. A few words stand
in backticks when they are a plain name or path, and as a JSON string when they are anything else.
What cannot be seen (controls, marks that turn writing round, tag letters) is spelled out.
"""

import json
import re
from collections.abc import Iterable

MARK = ">"

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069"
    "\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_PLAIN = re.compile(r"[\w./*?\[\]@:+=#-]{1,500}")


def quoted(text: str) -> str:
    """The text with every line marked as somebody else's."""
    return "\n".join(f"{MARK} {spelled(line)}".rstrip() for line in text.splitlines())


def inline(text: str) -> str:
    """A few words of somebody else inside a line of ours: they cannot end the line or the quotes."""
    if _PLAIN.fullmatch(text):
        return f"`{text}`"
    return spelled(json.dumps(text, ensure_ascii=False))


def listed(texts: Iterable[str]) -> str:
    """Several names or paths in one line."""
    return ", ".join(map(inline, texts))


def spelled(text: str) -> str:
    """The text with all that cannot be seen written as its number."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
