"""How the CLIs tell a model that a call was not let through, as opposed to having failed."""

import re

_REFUSED = re.compile(
    r"hook error: |blocking because onFailure|Permission to use \S+ has been denied|"
    r"requested permissions? to |blocked by PreToolUse hook|approval policy is|"
    r"rejected by user|did not respond before its timeout|not permitted by|^refused: ",
    re.IGNORECASE | re.MULTILINE,
)


def is_refusal(text: str) -> bool:
    """Whether the words of a failed call say that somebody did not let it happen."""
    return _REFUSED.search(text) is not None
