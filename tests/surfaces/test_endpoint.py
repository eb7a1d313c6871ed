"""The plane's endpoint on loopback: the command line's own facts, for whoever may read its token."""

import contextlib
import json
import re
import socket
import stat
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest

from drumline.surfaces.web.connections import MOST
from drumline.surfaces.web.connections import PATIENCE as SILENCE
from drumline.surfaces.web.streams import USUAL
from tests.running import scripted, team, until
from tests.spooling import drop
from tests.surfaces.visiting import PATIENCE, Visitor, messages

SECRET = ["/status", "/members", "/tasks", "/events", "/metrics", "/", "/nothing"]
SEALED = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "connection": "close",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A team with a little on its board, and its plane."""
    root = tmp_path_factory.mktemp("endpoint") / "r"
    with (
        TemporaryDirectory(prefix="dl-") as doors,
        team(root, Path(doors).resolve(), scripted("ada", "brook")) as found,
    ):
        found.run("task", "add", "first", "--files", "src/a/**")
        found.run("task", "add", "second", "--blocked-by", "T-1")
        found.run("task", "add", "third")
        found.run("task", "claim", "T-1", "--member", "ada")
        found.run("mail", "send", "--from", "human", "--to", "brook", "look \u00e9 here")
        found.run("up")
        yield found


@pytest.fixture(scope="module")
def visitor(running):
    """Whoever may read the token."""
    told = running.told("up")["endpoint"]
    return Visitor(told["url"], Path(told["token_file"]).read_text())


def samples(page):
    """The figures of a page in the text format, by name and labels."""
    lines = [line for line in page.splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r'([a-z_]+(?:\{[a-z]+="(?:[^"\\]|\\.)*"\})?) (\S+)', x) for x in lines]
    assert all(found), lines
    return {each[1]: float(each[2]) for each in found}


def test_anybody_may_ask_for_health_and_hears_nothing_of_the_team(visitor):
    reply = Visitor(visitor.url).get("/health")
    assert (reply.status, reply.json) == (200, {"ok": True, "version": "0.1.0"})


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/status", "status"),
        ("/members", "member list"),
        ("/tasks", "task list"),
        ("/tasks?state=pending&after=T-2", "task list --state pending --after T-2"),
        ("/tasks?owner=ada&most=1", "task list --owner ada --most 1"),
    ],
)
def test_an_answer_is_that_of_the_command(visitor, running, path, words):
    reply, said = visitor.get(path), running.told(*words.split())
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    of_the_moment = {"at", "last_event"} if path == "/status" else set()
    found = reply.json
    for facts in [found, said] if of_the_moment else []:
        for name in of_the_moment:
            assert facts.pop(name)
    assert found == said


@pytest.mark.parametrize("path", SECRET)
@pytest.mark.parametrize(
    "said",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic {token}",
        "{token}",
        "Bearer {token}x",
        "\xff \xff",
    ],
)
def test_who_does_not_know_the_token_hears_nothing(visitor, path, said):
    words = said.format(token=visitor.token)
    reply = Visitor(visitor.url).get(path, authorization=words)
    assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert visitor.token not in reply.text
    assert "token file" in reply.json["why"]


def test_the_token_is_long_and_its_file_is_ours_alone(visitor, running):
    path = Path(running.told("up")["endpoint"]["token_file"])
    assert path.parent == running.root / ".drumline"
    assert len(visitor.token) >= 40
    for file in (path, path.with_name("endpoint")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_only_this_host_can_connect(visitor):
    port = int(visitor.place.partition(":")[2])
    listening = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        rows = [row.split() for row in Path(table).read_text().splitlines()[1:]]
        listening += [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{port:04X}")]
    assert listening == [f"0100007F:{port:04X}"]


@pytest.mark.parametrize("path", ["/health", "/status"])
@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "127.0.0.2", "[::1]"]
)
def test_a_name_that_was_made_to_lead_here_is_refused(visitor, path, host):
    reply = visitor.get(path, host=host)
    assert reply.status == 403
    assert "not this host" in reply.json["refused"]


def test_this_host_may_be_called_localhost(visitor):
    assert visitor.get("/status", host="localhost:8080").status == 200


@pytest.mark.parametrize("path", ["/health", "/status", "/events"])
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://{place}", "http://127.0.0.1"]
)
def test_a_page_of_another_site_is_refused_and_given_no_leave_to_read(visitor, path, origin):
    reply = visitor.get(path, origin=origin.format(place=visitor.place))
    assert reply.status == 403
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_a_page_of_our_own_is_answered(visitor):
    assert visitor.get("/status", origin=f"http://{visitor.place}").status == 200


@pytest.mark.parametrize("path", ["/health", "/status", "/metrics", "/nothing", "/tasks?most=x"])
def test_no_answer_is_kept_guessed_at_or_run(visitor, path):
    for reply in (visitor.get(path), Visitor(visitor.url).get(path), visitor.get(path, host="x")):
        assert SEALED.items() <= reply.headers.items()
        assert "server" not in reply.headers


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "X"]
)
def test_nothing_can_be_changed_here(visitor, method):
    reply = visitor.get("/tasks", method)
    assert (reply.status, reply.headers["allow"]) == (405, "GET")


def test_what_is_not_there_is_told_with_what_is(visitor):
    for path in ("/", "/nothing", "/status/", "//status", "/../status"):
        reply = visitor.get(path)
        assert (reply.status, reply.json["error"]) == (404, "Unknown")
        assert "/metrics" in reply.json["next"]


@pytest.mark.parametrize(
    "path",
    [
        *("/tasks?most=0", "/tasks?most=1001", "/tasks?most=-1", "/tasks?most=", "/tasks?most=1e3"),
        *("/tasks?most=%D9%A1", "/tasks?most=" + "9" * 5000, "/tasks?most=1&most=2"),
        *("/tasks?state=done", "/tasks?state=", "/tasks?after=1", "/tasks?after=T-0"),
        *("/tasks?owner=%00", "/tasks?owner='%20OR%201=1", "/tasks?owner=%ff", "/tasks?x=1"),
        *("/events?after=x", "/events?after=1;2", "/events?after=-1", "/events?most=1001"),
        *("/events?after=" + "9" * 30, "/status?x", "/members?name=ada", "/metrics?x=1"),
        "/health?verbose=1",
    ],
)
def test_a_hostile_value_is_refused_with_a_way_out(visitor, path):
    reply = visitor.get(path)
    assert reply.status == 400
    assert reply.json["error"] == "BadInput"
    assert reply.json["refused"]
    assert reply.json["next"]
    assert len(reply.text) < 1000


def test_a_place_in_the_log_that_is_none_is_refused_before_the_stream_begins(visitor):
    assert visitor.get("/events", last_event_id="1 OR 1").status == 400


def test_a_request_that_does_not_come_to_its_end_is_refused_and_the_next_one_answered(visitor):
    with socket.create_connection(visitor.place.split(":"), timeout=PATIENCE) as line:
        line.sendall(b"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 20_000)
        assert line.recv(100).startswith(b"HTTP/1.1 400")
    assert visitor.get("/status").status == 200


@contextlib.contextmanager
def silent(visitor):
    """Far more connections than are borne, none of which ever asks; the last ones say half of it."""
    with contextlib.ExitStack() as open_ones:
        address = visitor.place.split(":")
        found = [
            open_ones.enter_context(socket.create_connection(address, timeout=PATIENCE))
            for _ in range(MOST * 3)
        ]
        for line in found[-MOST:]:
            line.sendall(b"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        yield found


def hung_up(line):
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_silent_connections_make_room_for_the_next_the_longest_silent_first(visitor):
    began = monotonic()
    with silent(visitor) as lines:
        assert all(hung_up(line) for line in lines[:MOST])
        assert monotonic() - began < SILENCE  # no patience had run out yet
        for _ in range(MOST):
            assert visitor.get("/status").status == 200


def test_a_connection_that_never_asks_is_hung_up_on(visitor):
    with silent(visitor) as lines:
        assert all(hung_up(line) for line in lines)


def test_figures_are_in_the_text_format_and_are_those_of_the_status(visitor, running):
    reply, status = visitor.get("/metrics"), running.told("status")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = samples(reply.text)
    for state in ("pending", "in_progress", "completed", "failed", "cancelled"):
        assert found[f'drumline_tasks{{state="{state}"}}'] == status["tasks"][state]
    assert found["drumline_tasks_ready"] == status["tasks"]["ready"] == 1
    assert found["drumline_tasks_blocked"] == status["tasks"]["blocked"] == 1
    assert found['drumline_members{state="absent"}'] == 2
    assert found['drumline_mail_unread{member="brook"}'] == 1
    (uptime,) = [value for name, value in found.items() if "plane_uptime_seconds" in name]
    assert uptime > 0


@pytest.mark.requirement("SYNC-12")
def test_what_became_of_settled_turns_is_counted_by_reason(visitor, running):
    running.run("policy", "settings")
    for event in (None, "junk"):
        drop(running.root / ".drumline" / "spool", event)
    until(lambda: running.told("spool", "status")["incoming"] == 0)
    found = samples(visitor.get("/metrics").text)
    assert found['drumline_settled_turns_total{reason="unknown"}'] == 1
    assert found['drumline_settled_turns_total{reason="malformed"}'] == 1


def test_every_figure_says_what_it_is_and_of_which_kind(visitor):
    page = visitor.get("/metrics").text
    names = {re.match(r"[a-z_]+", name)[0] for name in samples(page)}
    for name in names:
        assert re.search(rf"^# HELP {name} \S", page, re.MULTILINE)
        assert re.search(rf"^# TYPE {name} (gauge|counter)$", page, re.MULTILINE)


def test_events_are_those_of_the_command_and_go_on(visitor, running):
    with visitor.stream() as heard:
        said = running.told("events", "--most", "1000")["events"]
        assert [each.facts for each in islice(messages(heard), len(said))] == said
        running.run("task", "add", "while you listen")
        added = next(each for each in messages(heard) if each.facts["verb"] == "task.added")
        assert "while you listen" in json.dumps(added.facts)


def test_who_lost_a_stream_goes_on_where_it_was(visitor, running):
    with visitor.stream() as heard:
        first = list(islice(messages(heard), 3))
    running.run("task", "add", "while nobody listens")
    with visitor.stream("/events?after=1", last_event_id=first[-1].id) as heard:
        rest = []
        for each in messages(heard):
            rest.append(each)
            if "while nobody listens" in json.dumps(each.facts):
                break
    seqs = [each.facts["seq"] for each in first + rest]
    assert seqs == list(range(1, len(seqs) + 1))


def test_there_are_no_more_streams_than_the_plane_can_bear(visitor):
    with contextlib.ExitStack() as open_ones:
        for _ in range(USUAL.streams):
            next(until(lambda: _opened(visitor, open_ones)))  # whoever left may still be counted
        reply = visitor.get("/events")
        assert (reply.status, reply.headers["retry-after"]) == (503, "5")
        assert "too many" in reply.json["refused"]
        assert visitor.get("/status").status == 200
    until(lambda: _opens(visitor))


def _opened(visitor, open_ones):
    """One more stream, if there is room for it."""
    try:
        return open_ones.enter_context(visitor.stream())
    except AssertionError:
        return None


def _opens(visitor):
    """Whether there is room for a stream again."""
    with contextlib.ExitStack() as open_ones:
        heard = _opened(visitor, open_ones)
        return heard and next(heard)
