"""The endpoint's life: it comes and goes with its plane, and its trouble is never the plane's."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from drumline import wiring
from drumline.control import board
from drumline.settings import find
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from tests.running import scripted, team, until
from tests.surfaces.visiting import Visitor

GONE_IN = 15.0  # seconds: far less than a stream would last


@pytest.fixture
def running(tmp_path, doors):
    with team(tmp_path / "r", doors, scripted("ada")) as found:
        yield found


def visitor_of(running):
    told = running.told("up")["endpoint"]
    return Visitor(told["url"], Path(told["token_file"]).read_text())


def plane(running):
    return [pid for pid, words in running.processes() if "up --foreground" in words]


def kill(running):
    (process,) = plane(running)
    os.kill(process, signal.SIGKILL)
    until(lambda: not plane(running))


def listen_at(running, place):
    """The manifest with another endpoint, as a person writes it."""
    path = running.root / ".claude" / "team.yaml"
    path.write_text(f"settings: {{endpoint: '{place}'}}\n{path.read_text()}")


def told_files(running):
    return sorted(path.name for path in (running.root / ".drumline").glob("*endpoint*"))


def test_up_tells_where_the_endpoint_is_and_where_its_token(running):
    said = running.run("up")
    told = running.told("up")
    assert f"endpoint: {told['endpoint']['url']}   token: {told['endpoint']['token_file']}" in said
    assert told["started"] is False
    assert Visitor(told["endpoint"]["url"]).get("/health").status == 200
    assert Path(told["endpoint"]["token_file"]).read_text() not in said


def test_down_ends_the_endpoint_and_its_streams_at_once(running):
    visitor = visitor_of(running)
    with visitor.asking("/events") as answer:
        began = monotonic()
        running.run("down")
        assert answer.read().startswith(b"retry:")  # to its proper end
        assert monotonic() - began < GONE_IN
    assert told_files(running) == []
    with pytest.raises(ConnectionRefusedError):
        visitor.get("/health")


def test_a_stream_that_nobody_reads_does_not_hold_the_plane_back(running):
    store = wiring.open_store(find(str(running.root)))
    for number in range(100):
        draft = NewTask(title=f"Part {number}", body="x" * 60_000)
        store.do(board.add, Actor("kim", Role.PERSON), draft)
    store.close()
    visitor = visitor_of(running)
    with visitor.stream() as heard:
        next(heard)
        began = monotonic()
        running.run("down")
        until(lambda: not plane(running))
        assert monotonic() - began < GONE_IN
    assert (running.root / ".drumline/logs/plane.log").read_text() == ""


def test_after_a_killed_plane_the_next_one_answers_and_the_old_token_is_void(running):
    old = visitor_of(running)
    kill(running)
    assert told_files(running) == ["endpoint", "endpoint.token"]
    new = visitor_of(running)
    assert new.get("/status").status == 200
    assert Visitor(new.url, old.token).get("/status").status == 401


def test_a_second_plane_leaves_the_first_one_its_endpoint(running):
    visitor = visitor_of(running)
    assert "already" in running.run("up", "--foreground", code=1)
    assert visitor_of(running).url == visitor.url
    assert visitor.get("/status").status == 200


def test_a_plane_takes_away_only_what_it_wrote(running):
    running.run("up")
    file = running.root / ".drumline" / "endpoint.token"
    file.write_text("of another plane")
    running.run("down")
    assert file.read_text() == "of another plane"
    assert told_files(running) == ["endpoint.token"]


def test_a_chosen_port_is_kept_by_the_next_plane_although_members_of_the_killed_one_live(running):
    with socket.create_server(("127.0.0.1", 0)) as line:
        place = f"127.0.0.1:{line.getsockname()[1]}"
    listen_at(running, place)
    running.run("member", "start", "ada")
    member = until(lambda: running.told("member", "list")[0]["pid"])
    assert visitor_of(running).place == place
    kill(running)
    assert visitor_of(running).get("/status").status == 200
    assert running.told("member", "list")[0]["pid"] == member


def test_a_port_that_is_taken_costs_the_endpoint_and_not_the_plane(running):
    with socket.create_server(("127.0.0.1", 0)) as line:
        place = f"127.0.0.1:{line.getsockname()[1]}"
        listen_at(running, place)
        assert f"no endpoint: {place} cannot be listened on" in running.run("up")
        running.run("member", "start", "ada")
        until(lambda: running.told("member", "list")[0]["pid"])
    running.run("down")
    assert told_files(running) == []


def test_while_the_manifest_is_broken_everything_is_answered_as_before(running):
    visitor = visitor_of(running)
    before = visitor.get("/members").json
    path = running.root / ".claude" / "team.yaml"
    path.write_text(f"{path.read_text()}strange: 1\n")
    assert visitor.get("/members").json == before
    assert visitor.get("/status").status == 200


def test_without_the_extra_the_plane_is_up_and_says_how_to_get_the_endpoint(running, tmp_path):
    hollow = tmp_path / "hollow" / "uvicorn"
    hollow.mkdir(parents=True)
    (hollow / "__init__.py").write_text("raise ImportError('no uvicorn here')\n")
    done = (
        subprocess.run(  # an interpreter of its own: what it may import is settled when it starts
            [sys.executable, "-P", "-m", "drumline", "up"],
            cwd=running.root,
            env={**running.environ, "PYTHONPATH": str(hollow.parent)},
            capture_output=True,
            text=True,
            check=True,
        )
    )
    up, said = done.stdout.splitlines()
    assert up.startswith("up: ")
    assert "no uvicorn here" in said
    assert "pip install 'drumline[web]'" in said
    assert running.told("up")["endpoint"]["url"] is None
    assert plane(running)


def test_an_endpoint_can_be_done_without(running):
    listen_at(running, "none")
    assert "no endpoint: the manifest says endpoint: none" in running.run("up")
    assert told_files(running) == ["endpoint"]


@pytest.mark.parametrize(
    "place", ["0.0.0.0:8080", "192.168.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1", "8080"]
)
def test_no_other_host_can_be_served(running, place):
    listen_at(running, place)
    said = running.run("up", code=1)
    assert "settings.endpoint" in said
    assert "127.0.0.1:PORT" in said
    assert not plane(running)
