"""What the endpoint answers: the command line's own facts, over HTTP."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from drumline.control import views
from drumline.control.figures import figures
from drumline.control.muster import muster
from drumline.errors import BadInput, DrumlineError, NotAllowed, StoreTrouble, Unknown
from drumline.surfaces.web import metrics
from drumline.surfaces.web.porter import Porter, facts, refused
from drumline.surfaces.web.queries import asked, at_most, state
from drumline.surfaces.web.streams import EventStream, Streams
from drumline.team.ids import TaskId
from drumline.team.text import checked_name

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from drumline.control.ports import Store
    from drumline.team.staffing import House

MOST_TASKS = 1000
MOST_EVENTS = 1000
USUAL_EVENTS = 50
STATUS = {BadInput: 400, NotAllowed: 403, Unknown: 404, StoreTrouble: 503}  # any other refusal: 409


class Outlook(NamedTuple):
    """What the endpoint looks at: the team's store, its files, and this host."""

    store: Store
    exists: Callable[[str], bool]
    unshared: Callable[[], int]
    house: Callable[[], House | None]


def app(outlook: Outlook, streams: Streams, token: str) -> ASGIApp:
    """Everything that is answered, behind its porter."""
    views_of = Views(outlook, streams)
    routes = [
        Route(f"/{page.__name__}", page)
        for page in (
            views_of.health,
            views_of.status,
            views_of.members,
            views_of.tasks,
            views_of.events,
            views_of.metrics,
        )
    ]
    handlers = {DrumlineError: _refused, HTTPException: _no_page, Exception: _failed}
    inside = Starlette(routes=routes, exception_handlers=handlers)
    inside.router.redirect_slashes = False
    return Porter(inside, token)


class Views:
    """One method for each page; those that are not async run in threads, each on the locked store."""

    def __init__(self, outlook: Outlook, streams: Streams) -> None:
        self._look, self._streams = outlook, streams
        self._version = version("drumline")

    async def health(self, request: Request) -> Response:
        """That we are here; it names no team, as anybody may ask."""
        asked(request, {})
        return facts({"ok": True, "version": self._version})

    def status(self, request: Request) -> Response:
        """As `drumline status --json`."""
        asked(request, {})
        look = self._look
        found = look.store.ask(views.status, exists=look.exists, unshared=look.unshared())
        return facts(views.status_facts(found))

    def members(self, request: Request) -> Response:
        """As `drumline member list --json`."""
        asked(request, {})
        found = self._look.store.ask(muster, self._look.house())
        return facts([each.facts() for each in found])

    def tasks(self, request: Request) -> Response:
        """As `drumline task list --json`."""
        page = asked(
            request,
            {
                "state": state,
                "owner": lambda name: checked_name(name, "the owner"),
                "after": TaskId.parse,
                "most": at_most(MOST_TASKS),
            },
        )
        found = self._look.store.ask(views.tasks, **page)
        return facts([views.task_facts(task) for task in found])

    async def events(self, request: Request) -> Response:
        """As `drumline events --follow --json`; who lost the stream goes on after the last it heard."""
        said = asked(request, {"after": str, "most": at_most(MOST_EVENTS)})
        cursor = request.headers.get("last-event-id") or said.get("after", "")
        ask, most = self._look.store.ask, said.get("most", USUAL_EVENTS)
        found = (
            await run_in_threadpool(ask, views.events, cursor=cursor, most=most)
            if cursor
            else await run_in_threadpool(ask, views.last_events, most=most)
        )
        return EventStream(self._streams, *found)

    def metrics(self, request: Request) -> Response:
        """What a monitor counts."""
        asked(request, {})
        house = self._look.house()
        found = self._look.store.ask(figures, house, exists=self._look.exists)
        return Response(metrics.page(found, self._version), media_type=metrics.MEDIA_TYPE)


def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, DrumlineError)  # noqa: S101 - it was registered for these
    kinds = (status for kind, status in STATUS.items() if isinstance(error, kind))
    return refused(error, next(kinds, 409))


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as above
    no = Unknown(
        f"nothing is at {request.url.path[:80]!r}",
        next="there are /health /status /members /tasks /events /metrics",
    )
    return refused(no, error.status_code)


def _failed(_request: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    no = StoreTrouble(
        "this cannot be answered",
        why=type(error).__name__,
        next="look at .drumline/logs/plane.log",
    )
    return refused(no, 500)
