"""The end of what a command said, as it may be kept and shown: short, plain, no secrets in it."""

import re

from drumline.team.secrets import redact

TAIL_CAP = 4_000
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def tail(text: str, note: str = "", cap: int = TAIL_CAP) -> str:
    """The last words, with a note of ours behind them; secrets are masked before anything is cut."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    plain = redact(_CONTROL.sub("", lines)).strip()
    if not note:
        return plain[-cap:]
    return f"{plain[-(cap - len(note) - 1) :]}\n{note}".lstrip()
