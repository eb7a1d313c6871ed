"""What the hook at the end of a turn promises, proved with the shells that are here."""

import json
import os
import resource
import shutil
import signal
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from drumline.team.settled import LONGEST, Hints, Why, provider_of, settled_turn
from tests.spooling import (
    SAID,
    SCRIPT,
    SHELLS,
    environment,
    new_spool,
    run,
    stop,
    text_in,
    waiting,
)

pytestmark = pytest.mark.requirement("SYNC-01")

every_shell = pytest.mark.parametrize("shell", SHELLS, ids=lambda words: words[0])


@pytest.fixture
def spool(tmp_path):
    return new_spool(tmp_path)


def padded(size: int) -> bytes:
    """An event of exactly so many bytes."""
    bare = len(json.dumps(stop(last_assistant_message="")))
    return json.dumps(stop(last_assistant_message="x" * (size - bare))).encode()


def say(hook, piece):
    """All of a piece, at once: whoever is stopped amid a bare write leaves the rest out."""
    hook.stdin.write(piece)
    hook.stdin.flush()


def tell(spool, event, pieces, shell=("/bin/sh",)):
    """Give the hook an event in pieces; its exit code."""
    with subprocess.Popen(
        [*shell, str(SCRIPT), str(spool), "claude"], stdin=subprocess.PIPE, env=environment()
    ) as hook:
        step = len(event) // pieces + 1
        for at in range(0, len(event), step):
            say(hook, event[at : at + step])
        hook.stdin.close()
        return hook.wait()


def silent(done) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def leftovers(spool):
    return [path.name for path in spool.iterdir() if path.is_file()]


@every_shell
def test_an_event_is_kept_whole_for_its_owner_only_and_nothing_is_said(spool, shell):
    event = json.dumps(stop()).encode()
    assert silent(run(spool, event=event, shell=shell))
    (name,) = waiting(spool)
    path = spool / "incoming" / name
    assert path.read_bytes() == event
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert provider_of(name) == "claude"
    assert leftovers(spool) == []


@every_shell
@pytest.mark.parametrize("pieces", [1, 8, 500])
def test_it_reads_to_the_end_however_the_event_is_cut(spool, shell, pieces):
    event = padded(200_000)
    assert tell(spool, event, pieces, shell) == 0
    (name,) = waiting(spool)
    assert (spool / "incoming" / name).read_bytes() == event


@every_shell
def test_an_event_of_the_limit_is_kept_and_of_a_longer_one_only_that_it_was(spool, shell):
    assert silent(run(spool, event=padded(LONGEST), shell=shell))
    (kept,) = waiting(spool)
    assert (spool / "incoming" / kept).stat().st_size == LONGEST
    (spool / "incoming" / kept).unlink()
    assert silent(run(spool, event=padded(LONGEST + 1), shell=shell))
    assert silent(run(spool, event=padded(5_000_000), shell=shell))
    assert [provider_of(name) for name in waiting(spool)] == [Why.OVERSIZE] * 2
    assert text_in(spool) == b""


@every_shell
def test_whoever_writes_too_much_is_let_finish(spool, shell):
    with subprocess.Popen(
        [*shell, str(SCRIPT), str(spool), "claude", "10"], stdin=subprocess.PIPE, env=environment()
    ) as hook:
        for _ in range(40):
            os.write(hook.stdin.fileno(), b"x" * 65536)  # a pipe nobody reads would break
        hook.stdin.close()
        assert hook.wait() == 0


@every_shell
def test_another_limit_can_be_said_and_a_strange_one_is_the_usual(spool, shell):
    run(spool, "claude", "10", event=b"x" * 11, shell=shell)
    assert [provider_of(name) for name in waiting(spool)] == [Why.OVERSIZE]
    for strange in ("-1", "0", "010", "ten", "9" * 30, "$(touch /tmp/made)", "1 2"):
        run(spool, "claude", strange, event=b"x" * 11, shell=shell)
    assert [provider_of(name) for name in waiting(spool)].count("claude") == 7


@every_shell
def test_what_is_empty_leaves_nothing(spool, shell):
    assert silent(run(spool, event=b"", shell=shell))
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *shell, str(SCRIPT), str(spool), "claude"],
        capture_output=True,
        check=False,
        env=environment(),
    )
    assert silent(done)
    assert (waiting(spool), leftovers(spool)) == ([], [])


@every_shell
@pytest.mark.parametrize(
    "provider",
    ["", "Claude", "../x", "a/b", "a b", "a.json", "-x\n", "é", "$(id)", "`id`", "x" * 32, "a;b"],
)
def test_a_strange_runtime_is_nobodys(spool, shell, provider):
    assert silent(run(spool, provider, event=b"{}", shell=shell))
    assert [name for name in waiting(spool) if provider_of(name) is Why.NAME] == []
    assert waiting(spool) == []


@every_shell
def test_a_spool_that_is_not_there_is_made_but_not_what_it_was_in(tmp_path, shell):
    spool = tmp_path / "spool"
    assert silent(run(spool, event=b"{}", shell=shell))
    assert len(waiting(spool)) == 1
    assert stat.S_IMODE(spool.stat().st_mode) == 0o700
    gone = tmp_path / "deleted" / "spool"
    assert silent(run(gone, event=b"{}", shell=shell))
    assert not gone.parent.exists()


@every_shell
def test_no_trouble_with_the_spool_is_the_turns(tmp_path, shell):
    file = tmp_path / "file"
    file.write_text("not a folder")
    for spool in (file, "relative", "", "/proc/self/spool", f'{tmp_path}/it\'s "a" $HOME\n`x`'):
        assert silent(run(spool, event=b"{}", shell=shell))
    assert file.read_text() == "not a folder"


@every_shell
def test_on_a_full_disk_no_part_of_an_event_is_left(spool, shell):
    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    assert silent(run(spool, event=padded(50_000), shell=shell, preexec_fn=fill))
    assert (waiting(spool), leftovers(spool)) == ([], [])


@every_shell
def test_who_the_session_says_it_is_stands_beside_the_event_as_a_hint(spool, shell):
    event = json.dumps(stop()).encode()
    who = {"DRUMLINE_TEAM": "atlas", "DRUMLINE_MEMBER": "ada", "DRUMLINE_INCARNATION": "3"}
    assert silent(run(spool, event=event, shell=shell, env=environment(**who)))
    (name,) = waiting(spool)
    turn = settled_turn("claude", name, (spool / "incoming" / name).read_bytes())
    assert turn.hints == Hints("atlas", "ada", 3)
    plain = settled_turn("claude", name, event)
    assert turn._replace(hints=Hints()) == plain


@every_shell
def test_older_names_count_where_ours_are_not_set(spool, shell):
    who = {"LOA_TEAM_ID": "atlas", "LOA_TEAM_MEMBER": "ada", "DRUMLINE_TEAM": ""}
    run(spool, event=b'{"hook_event_name":"Stop"}', shell=shell, env=environment(**who))
    (name,) = waiting(spool)
    turn = settled_turn("claude", name, (spool / "incoming" / name).read_bytes())
    assert turn.hints == Hints("", "ada")


@every_shell
@pytest.mark.parametrize("said", ['a"b', "a\nb", "%s%n", "a b", "$(id)", "é", "x" * 500])
def test_no_word_of_the_environment_can_harm_an_event(spool, shell, said):
    event = json.dumps(stop()).encode()
    who = {"DRUMLINE_MEMBER": said, "DRUMLINE_INCARNATION": "x" if said[0] == "x" else said}
    assert silent(run(spool, event=event, shell=shell, env=environment(**who)))
    (name,) = waiting(spool)
    turn = settled_turn("claude", name, (spool / "incoming" / name).read_bytes())
    assert turn._replace(hints=Hints()) == settled_turn("claude", name, event)


@every_shell
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_the_end_of_a_session_does_not_cut_its_last_event(spool, shell, number):
    event = padded(100_000)
    with subprocess.Popen(
        [*shell, str(SCRIPT), str(spool), "claude"],
        stdin=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as hook:
        say(hook, event[:90_000])  # more than a pipe holds: it reads already
        os.killpg(hook.pid, number)
        say(hook, event[90_000:])
        hook.stdin.close()
        assert hook.wait() == 0
    (name,) = waiting(spool)
    assert (spool / "incoming" / name).read_bytes() == event


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace to count processes with")
@every_shell
@pytest.mark.parametrize("size", [500, 400_000])
def test_it_starts_at_most_four_processes_and_speaks_to_no_network(spool, tmp_path, shell, size):
    log = tmp_path / "calls"
    traced = ["strace", "-f", "-o", str(log), "-e", "trace=process,network", *shell]
    assert run(spool, event=padded(size), shell=traced).returncode == 0
    assert len(waiting(spool)) == 1
    calls = log.read_text()
    assert len({line.split()[0] for line in calls.splitlines()}) - 1 <= 4
    assert "AF_INET" not in calls  # bash itself asks this machine who its user is, if nobody says


def test_the_words_of_the_command_name_nobody():
    text = SCRIPT.read_text()
    assert SAID not in text
    assert "http" not in text
    assert "curl" not in text


@pytest.mark.requirement("SYNC-02")
def test_64_at_once_lose_nothing_whatever_they_write(spool):
    """The whole of it, ten thousand events, is `python -m benchmarks --only spooling`."""
    chance = Random(7)
    sizes = [chance.choice((600, 5_000, 70_000, 150_000, 262_000, 300_000)) for _ in range(320)]
    events = [padded(size) for size in sizes]

    def told(number):
        return tell(spool, events[number], 1 + number % 8)

    with ThreadPoolExecutor(64) as writers:
        assert set(writers.map(told, range(len(events)))) == {0}
    kept = [path.read_bytes() for path in (spool / "incoming").iterdir() if path.stat().st_size]
    assert sorted(kept) == sorted(event for event in events if len(event) <= LONGEST)
    long = [name for name in waiting(spool) if provider_of(name) is Why.OVERSIZE]
    assert len(long) == sum(size > LONGEST for size in sizes)
    assert leftovers(spool) == []
