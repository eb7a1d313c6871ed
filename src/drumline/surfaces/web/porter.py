"""Who is let in: whoever names this host, comes from no other site, only looks, and knows the token."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from drumline.errors import BadInput, DrumlineError, NotAllowed
from drumline.surfaces.facts import written

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN_TO_ALL = frozenset({"/health"})
OUR_NAMES = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?")
SHOWN = 80
ON_EVERY_ANSWER = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "connection": "close",  # one request each: whoever is silent is easily told apart
}


class Porter:
    """Stands before the whole app: what is refused here was seen by nobody inside."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(ON_EVERY_ANSWER)
            await send(message)

        answer = self._refusal(scope) or self._app
        await answer(scope, receive, sealed)

    def _refusal(self, scope: Scope) -> Response | None:
        given = Headers(scope=scope)
        if no := _stranger(given):
            return refused(no, 403)
        if scope["method"] != "GET":
            return refused(_only_looks(scope["method"]), 405, {"allow": "GET"})
        if scope["path"] in OPEN_TO_ALL or self._knows_token(given.getlist("authorization")):
            return None
        return refused(_unknown(), 401, {"www-authenticate": "Bearer"})

    def _knows_token(self, given: Iterable[str]) -> bool:
        scheme, _, token = ",".join(given).partition(" ")
        same = secrets.compare_digest(token.encode("utf-8", "replace"), self._token)
        return same and scheme.lower() == "bearer"


def refused(error: DrumlineError, status: int, headers: dict[str, str] | None = None) -> Response:
    """A refusal as an answer."""
    return facts(error.facts(), status, headers)


def facts(found: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Facts as an answer; what is no text, such as half a character, is replaced."""
    words = written(found).encode("utf-8", "replace")
    return Response(words, status, headers, "application/json")


def _stranger(given: Headers) -> DrumlineError | None:
    """A page that was told to find its own server here, or that reaches for another's."""
    host, origin = given.get("host", ""), given.get("origin")
    if not OUR_NAMES.fullmatch(host):
        return NotAllowed(
            f"{host[:SHOWN]!r} is not this host",
            why="the endpoint answers to 127.0.0.1 and localhost only",
            next="use the address that drumline up tells",
        )
    if origin is not None and origin != f"http://{host}":
        return NotAllowed(
            f"{origin[:SHOWN]!r} may not ask here",
            why="pages of other sites are not answered",
            next="ask without a browser: curl",
        )
    return None


def _only_looks(method: str) -> DrumlineError:
    return BadInput(
        f"{method[:SHOWN]!r} is not answered here",
        why="the endpoint only shows, it changes nothing",
        next="ask with GET; change the team by the command line: drumline --help",
    )


def _unknown() -> DrumlineError:
    return NotAllowed(
        "no token, or a wrong one",
        why="only who may read the plane's token file is answered",
        next="send Authorization: Bearer TOKEN; drumline up tells which file has it",
    )
