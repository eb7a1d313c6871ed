"""The endpoint beside a plane's passes: in a thread of its own, whose trouble is told and stops nothing."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drumline.errors import BadInput, DrumlineError, Unknown
from drumline.wiring import manifest_of
from drumline.wiring.endpoints import Notice

if TYPE_CHECKING:
    from drumline.settings import Settings

PARTING = 5.0  # seconds: a plane that ends waits no longer for its endpoint


@contextmanager
def endpoint(settings: Settings, plane: str) -> Iterator[None]:
    """Answer on loopback for as long as this is entered."""
    notice, stopping = Notice(settings, plane), threading.Event()
    thread = threading.Thread(
        target=_answer, args=(settings, notice, stopping), name="endpoint", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(PARTING)
        notice.take_down()


def _answer(settings: Settings, notice: Notice, stopping: threading.Event) -> None:
    try:
        _serve(settings, notice, stopping)
    except DrumlineError as error:
        notice.is_none(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, members are looked after all the same
        traceback.print_exc()
        notice.is_none(Unknown(f"the endpoint failed: {type(error).__name__}", why=str(error)))


def _serve(settings: Settings, notice: Notice, stopping: threading.Event) -> None:
    port = manifest_of(settings).settings.port
    if port is None:
        raise BadInput("the manifest says endpoint: none")
    try:
        from drumline.surfaces.web.server import serve  # noqa: PLC0415 - only a plane pays for it
    except ImportError as error:
        raise BadInput(
            "the web extra is not installed",
            why=str(error),
            next="pip install 'drumline[web]', then start the plane anew",
        ) from error
    serve(settings, port, notice, stopping)
