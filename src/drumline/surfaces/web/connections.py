"""Connections that cannot use up the plane: bounded in number, and each comes to the point soon.

Anybody on this host may connect, members in their sandboxes too; only the token tells whom we answer.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 64
PATIENCE = 5.0  # seconds for a request to arrive


class Connection(H11Protocol):
    """One request; whoever has been silent for longest makes room for the next."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(PATIENCE, self._unless_it_asked)
        if len(self.connections) > MOST:
            ours = (each for each in self.connections if isinstance(each, Connection))
            longest = min((each for each in ours if each.silent), key=Connection.came)
            self.connections.discard(longest)  # its end is told later, and then more may have come
            longest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    @property
    def silent(self) -> bool:
        """Whether no request came yet."""
        asked: object = self.cycle
        return asked is None

    def came(self) -> float:
        """When it came, by the loop's clock."""
        return self._deadline.when()

    def _unless_it_asked(self) -> None:
        if self.silent:
            self.transport.abort()
