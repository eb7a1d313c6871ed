"""The command `drumline`: inside a member's processes its runner answers, elsewhere this process does."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing itself would cost a member's command 5 ms
if TYPE_CHECKING:
    from typing import NoReturn

    from drumline.hooks.asking import Unanswered


def main() -> NoReturn:
    """Exit 0 when done, 1 when refused, 2 on wrong usage."""
    if address := os.environ.get("DRUMLINE_SOCKET", ""):
        sys.exit(_inside(address, sys.argv[1:]))
    from drumline.surfaces.cli import main as cli  # noqa: PLC0415 - a member need not pay for it

    try:
        cli.main()
    except SystemExit as stop:
        _leave(stop)
        raise


def _leave(stop: SystemExit) -> None:
    """End here and now if all is said and closed: taking its modules apart costs a command 10 ms."""
    import atexit  # noqa: PLC0415 - a member need not pay for it
    import threading  # noqa: PLC0415 - as above

    if threading.active_count() > 1 or not isinstance(stop.code, int | None):
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - what would be done at the end is done
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(stop.code or 0)


def _inside(address: str, words: list[str]) -> int:
    if words != ["mcp"]:
        return _through(address, words)
    from drumline.surfaces.mcp import relay  # noqa: PLC0415 - only who serves a client pays for it

    return relay.serve(address)


def _through(address: str, words: list[str]) -> int:
    from drumline.hooks import asking  # noqa: PLC0415 - as above, the other way round

    try:
        code, out, err = asking.run(address, words)
    except asking.Unanswered as no:
        return _refused(no, words)
    unwritten = _write(1, out)
    _write(2, err)
    if unwritten is None:
        return code
    if isinstance(unwritten, BrokenPipeError):
        return 0  # a reader that left
    _write(2, f"done, but the answer cannot be written: {unwritten.strerror}\n")
    return 1


def _write(number: int, text: str) -> OSError | None:
    left = text.encode("utf-8", "backslashreplace")
    try:
        while left:
            left = left[os.write(number, left) :]
    except OSError as error:
        return error
    return None


def _refused(no: Unanswered, words: list[str]) -> int:
    from drumline.errors import Refused  # noqa: PLC0415 - only a refusal pays for it
    from drumline.surfaces.cli.output import refuse  # noqa: PLC0415 - as above

    refuse(Refused(no.what, why=no.why, next=no.next), as_json="--json" in words)
    return 1


if __name__ == "__main__":
    main()
