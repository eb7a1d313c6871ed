"""JSON read by the interpreter's own scanner: the json package costs every hook 9 ms of start-up."""

from __future__ import annotations

_BLANK = " \t\n\r"


class _Form:
    """What the scanner asks of whoever reads; the answers are the json package's own."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def read_value(raw: bytes | str) -> object:
    """The value a JSON text holds; a text that holds none raises a ValueError."""
    try:
        return _scanned(raw if isinstance(raw, str) else raw.decode())
    except (ImportError, AttributeError, StopIteration, SystemError, ValueError):
        import json  # it says what is wrong, and knows other encodings and interpreters

        return json.loads(raw)


def _scanned(text: str) -> object:
    from _json import make_scanner

    scan = make_scanner(_Form)  # type: ignore[arg-type]
    found, end = scan(text, len(text) - len(text.lstrip(_BLANK)))
    if text[end:].strip(_BLANK):
        raise ValueError("more than one value")
    return found
