"""What the project has run in a member's checkout executes the member's own words: it may no more than it."""

import json
import socket

import pytest

from tests.running import until
from tests.spec.playing import COMMITS, DONE, completed, play, turn

REACHES = "import socket; socket.create_connection(('127.0.0.1', {port}), 2)"


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as opened:
        opened.settimeout(0)
        yield opened


def heard(listener):
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def reaches(listener):
    return f'python3 -c "{REACHES.format(port=listener.getsockname()[1])}" || true'


@pytest.mark.requirement("GUARD-22")
def test_a_check_reaches_no_port_that_its_member_may_not(running, listener):
    found = running(play(turn(COMMITS + DONE)), ["one"], more=", ports: []", begin=False)
    found.run("task", "note", "T-1", f"verify={json.dumps(['sh', '-c', reaches(listener)])}")
    found.run("member", "start", "ada")
    until(completed(found))
    assert not heard(listener)


@pytest.mark.requirement("GUARD-22")
def test_a_checkouts_set_up_reaches_no_port_that_its_member_may_not(running, listener):
    setup = f"checkout: {{setup: {json.dumps([['sh', '-c', reaches(listener)]])}}}\n"
    found = running(play(turn(COMMITS + DONE)), ["one"], more=", ports: []", settings=setup)
    until(completed(found))
    assert not heard(listener)
