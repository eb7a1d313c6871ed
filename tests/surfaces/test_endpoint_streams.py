"""The endpoint on both engines: streams woken by what is written, many answered at once, failures told."""

import asyncio
import threading
from contextlib import contextmanager
from time import monotonic

import pytest

from drumline.control import board
from drumline.surfaces.web.app import Outlook, app
from drumline.surfaces.web.server import answer, listening
from drumline.surfaces.web.streams import USUAL, Limits, Streams
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from drumline.team.staffing import House
from tests.surfaces.visiting import Visitor, messages

KIM = Actor("kim", Role.PERSON)


@contextmanager
def answered(stores, limits=USUAL, house=lambda: House("here", 8)):
    """A server over a store, in this process."""
    stopping, line = threading.Event(), listening(0)
    place = f"http://127.0.0.1:{line.getsockname()[1]}"

    async def serve():
        store = stores.open()
        streams = Streams(store, stores.open(), limits)
        outlook = Outlook(store, lambda _path: False, lambda: 0, house)
        await answer(app(outlook, streams, "word"), streams, line, stopping)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield Visitor(place, "word")
    finally:
        stopping.set()
        thread.join()
        line.close()


def test_whatever_is_written_wakes_a_stream_and_no_event_is_lost_or_told_twice(wall_stores):
    store = wall_stores.open()
    seldom = Limits(pace=5)  # what is written while a stream opens may give no hint, all else must
    with answered(wall_stores, seldom) as visitor, visitor.stream("/events?most=1") as heard:
        told, place, began = [], "", monotonic()
        for number in range(1, 21):
            store.do(board.add, KIM, NewTask(title=f"Part {number}"))
            for each in messages(heard):
                told.append(each.facts["subject"])
                place = each.id
                if told[-1] == f"T-{number}":
                    break
        assert monotonic() - began < 10 * seldom.pace
        assert [each for each in told if each.startswith("T-")] == [f"T-{n}" for n in range(1, 21)]
        store.do(board.add, KIM, NewTask(title="More"))
        with visitor.stream("/events", last_event_id=place) as again:
            assert next(messages(again)).facts["subject"] == "T-21"


def test_a_silent_stream_says_that_it_lives(wall_stores):
    wall_stores.open()
    with (
        answered(wall_stores, Limits(pace=0.05, heartbeat=0.1)) as visitor,
        visitor.stream("/events?most=1") as heard,
    ):
        comments = (each for each in heard if isinstance(each, str))
        assert [next(comments), next(comments)] == ["still here", "still here"]


@pytest.mark.parametrize("path", ["/status", "/members", "/tasks", "/metrics"])
def test_every_page_is_answered_to_many_at_once(wall_stores, path):
    store = wall_stores.open()
    store.do(board.add, KIM, NewTask(title="One"))
    with answered(wall_stores) as visitor:
        found = []
        threads = [
            threading.Thread(target=lambda: found.append(visitor.get(path).status))
            for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [200] * 20


def test_a_failure_of_ours_is_told_as_one_and_the_next_is_answered(wall_stores, capfd):
    wall_stores.open()

    def broken():
        raise RuntimeError("broken on purpose")

    with answered(wall_stores, house=broken) as visitor:
        reply = visitor.get("/members")
        assert (reply.status, reply.json["why"]) == (500, "RuntimeError")
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert visitor.get("/status").status == 200
    assert "broken on purpose" in capfd.readouterr().err
