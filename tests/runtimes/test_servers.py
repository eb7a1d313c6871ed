"""MCP servers, really started or called, inside a confinement: which answer, and why others do not."""

import os
import socket
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from drumline.runtimes.servers import Room, put, unanswered
from drumline.team.confinement import Confinement
from drumline.team.server import registered
from tests import mcp_servers
from tests.running import until

QUICK = 3.0  # seconds


@pytest.fixture
def room(tmp_path):
    """A folder that can be written, and nothing else."""
    place = tmp_path.resolve() / "room"
    place.mkdir()
    own = {"PATH": os.environ["PATH"], "HOME": str(place), "TMPDIR": str(place)}
    return Room(confinement=Confinement(writable=[str(place)]), folder=place, variables=own)


def asked(room, said, seconds=QUICK):
    """Why a registered server does not answer."""
    text = mcp_servers.json.dumps({"mcpServers": {"lab": said}})
    server = registered({".mcp.json": text}).servers["lab"]
    given = put(room.folder / "servers", server, room.variables, needed=True)
    return unanswered(given, room, seconds)


def program(room, text):
    return mcp_servers.program(room.folder, "lab", text)


@pytest.mark.requirement("RUN-12")
def test_a_server_that_answers_is_healthy(room):
    assert asked(room, program(room, mcp_servers.ANSWERS), 20.0) == ""


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(mcp_servers.HANGS, "it did not answer within 1 s", id="hangs"),
        pytest.param(
            mcp_servers.DIES,
            "it ended with 1 before it answered initialize: 'no licence'",
            id="dies",
        ),
        pytest.param(
            mcp_servers.BABBLES,
            "it did not answer within 1 s; it said something that is no message: '[1, 2'",
            id="babbles",
        ),
        pytest.param(mcp_servers.REFUSES, "it refused initialize: 'not today'", id="refuses"),
    ],
)
def test_a_server_that_does_not_answer_is_told_with_the_reason(room, text, why):
    assert asked(room, program(room, text), 1.0) == why


@pytest.mark.requirement("RUN-12")
def test_a_program_that_is_not_there_is_told(room):
    assert "no-such-program cannot be started: No such file" in asked(
        room, {"command": "no-such-program"}
    )


@pytest.mark.requirement("RUN-12")
def test_the_official_server_answers_on_both_transports(room):
    pytest.importorskip("mcp")
    start = program(room, mcp_servers.OFFICIAL)
    assert asked(room, start, 30.0) == ""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, *start["args"], "streamable-http", str(port)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as serving:
        try:
            at = {"type": "http", "url": f"http://127.0.0.1:{port}/mcp"}
            assert until(lambda: asked(room, at) == "")
        finally:
            serving.kill()


class Elsewhere(BaseHTTPRequestHandler):
    """Sends whoever asks to another place, and keeps what it was told."""

    told: list[str] = []  # noqa: RUF012 - shared on purpose: a handler lives for one request

    def do_POST(self) -> None:
        self.told.append(f"{self.path} {self.headers.get('Authorization')}")
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    do_GET = do_POST  # noqa: N815 - as the parent calls it

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.requirement("RUN-12")
def test_headers_are_sent_to_the_address_and_nowhere_else(room):
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        at = f"http://127.0.0.1:{server.server_address[1]}/mcp"
        why = asked(room, {"type": "http", "url": at, "headers": {"Authorization": "Bearer x"}})
        server.shutdown()
    assert why == "it answered initialize with HTTP 302"
    assert Elsewhere.told == ["/mcp Bearer x"]


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("url", ["http://127.0.0.1:1/mcp", "file:///etc/passwd"])
def test_an_address_where_nobody_is_is_told(room, url):
    assert asked(room, {"type": "http", "url": url}).startswith(("it cannot be", "its address"))


@pytest.mark.requirement("RUN-12")
def test_what_a_server_starts_does_not_outlive_the_question(room):
    left = room.folder / "pid"
    escapes = f"""\
import os, subprocess, sys
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
open({str(left)!r}, "w").write(os.readlink("/proc/self"))
sys.exit("gone")
"""
    asked(room, program(room, escapes))
    assert left.exists()
    marks = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/environ") if _readable(path)]
    assert not any(str(room.folder).encode() in each for each in marks)


def _readable(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


@pytest.mark.requirement("RUN-12")
def test_a_server_is_asked_inside_the_confinement(room, tmp_path):
    outside = tmp_path.resolve() / "outside"
    writes = f"open({str(outside)!r}, 'w').write('x')\n"
    assert "it ended with 1" in asked(room, program(room, writes + mcp_servers.ANSWERS))
    assert not outside.exists()


@pytest.mark.requirement("RUN-12")
def test_what_a_registration_keeps_in_variables_is_on_no_command_line(room):
    said = {**program(room, mcp_servers.ANSWERS), "env": {"LAB_KEY": "hunter2"}}
    server = registered({".mcp.json": mcp_servers.json.dumps({"mcpServers": {"lab": said}})})
    given = put(room.folder / "servers", server.servers["lab"], {}, needed=False)
    assert "hunter2" not in " ".join(given.words)
    assert "hunter2" in given.file.read_text()
    assert given.file.stat().st_mode & 0o077 == 0
