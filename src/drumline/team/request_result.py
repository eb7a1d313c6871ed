"""What carrying out a request leaves: its outcome, and the words that tell the one who asked."""

import re
from typing import NamedTuple

from drumline.team.request import RESULT_CAP, Request, RequestState, headline
from drumline.team.secrets import redact

READ_BACK = 64_000  # far more than is kept, so that no secret is cut where it begins

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)", re.DOTALL)
_UNKEPT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ENDINGS = {
    RequestState.DONE: "is done",
    RequestState.FAILED: "failed",
    RequestState.DECLINED: "was declined",
}


class Outcome(NamedTuple):
    """How a request went, in words that may be kept."""

    ok: bool
    result: str


class Ended(NamedTuple):
    """How a command ended; `stopped` says why it was not left to end by itself."""

    code: int
    seconds: float
    output: str
    stopped: str = ""

    def outcome(self) -> Outcome:
        """Done when it ended well by itself; the result begins with how it ended."""
        said = f"exit {self.code} after {self.seconds:.0f} s"
        head = f"{said}, {self.stopped}" if self.stopped else said
        tail = kept(self.output, cap=RESULT_CAP - len(head) - 1)
        ok = self.code == 0 and not self.stopped
        return Outcome(ok, f"{head}\n{tail}" if tail else head)


def kept(text: str, *, cap: int = RESULT_CAP) -> str:
    """The end of a text without secrets and without what moves a terminal."""
    lines = text[-READ_BACK:].replace("\r\n", "\n").replace("\r", "\n")
    shown = redact(_UNKEPT.sub("", _ESCAPES.sub("", lines))).strip()
    return shown if len(shown) <= cap else f"…{shown[1 - cap :]}"


def result_letter(request: Request) -> str:
    """What the requester reads; output is quoted, so that it can never pass for the lead's word."""
    return "\n".join(
        [
            f"{request.id} {_ENDINGS[request.state]}: {redact(headline(request.what))}",
            f"by {request.by}",
            *(f"> {line}" for line in request.result.splitlines()),
            f"all of it: drumline request show {request.id}",
        ]
    )


def filed_letter(request: Request) -> str:
    """What the lead reads of a new request: one line of the requester's words, none at its start."""
    said = f" ({request.constraint})" if request.constraint else ""
    return (
        f"{request.id} is asked of you by {request.requester}{said}: {redact(headline(request.what))}\n"
        f"next: drumline request show {request.id}   # then run, done or decline"
    )
