"""A visitor of the endpoint, for tests: real HTTP on loopback."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

PATIENCE = 60.0  # seconds: whoever waits longer waits in vain


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Message(NamedTuple):
    """One server-sent event."""

    id: str
    facts: Any


class Visitor:
    """Whoever asks at a URL, with a token or none."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.token = url, token
        self.place = urlsplit(url).netloc

    def get(self, path: str, method: str = "GET", **headers: str) -> Reply:
        with self.asking(path, method, **headers) as answer:
            said = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, said, answer.read().decode())

    @contextmanager
    def stream(
        self, path: str = "/events?most=1000", **headers: str
    ) -> Iterator[Iterator[Message | str]]:
        """The messages of an event stream, and its comments, until it ends."""
        with self.asking(path, **headers) as answer:
            assert answer.status == 200, answer.read()
            yield _heard(answer)

    @contextmanager
    def asking(
        self, path: str, method: str = "GET", **headers: str
    ) -> Iterator[http.client.HTTPResponse]:
        """An answer that has begun; reading it to its end fails where it was cut off."""
        said = {"host": self.place, "authorization": f"Bearer {self.token}", **headers}
        line = http.client.HTTPConnection(self.place, timeout=PATIENCE)
        try:
            line.putrequest(method, path, skip_host=True)
            for name, value in said.items():
                if value:
                    line.putheader(name.replace("_", "-"), value)
            line.endheaders()
            with contextlib.closing(line.getresponse()) as answer:  # it may own the line by now
                yield answer
        finally:
            line.close()


def messages(heard: Iterator[Message | str]) -> Iterator[Message]:
    return (each for each in heard if isinstance(each, Message))


def _heard(answer: http.client.HTTPResponse) -> Iterator[Message | str]:
    place = ""
    while line := answer.readline():
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            place = value
        elif name == "data":
            yield Message(place, json.loads(value))
        elif not name and value:
            yield value
