"""What appending to the trail promises, proved with real processes."""

import fcntl
import json
import os
import resource
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from drumline.hooks import trail
from drumline.team.segment import CURRENT, LOCK, name_of, number_of

pytestmark = pytest.mark.requirement("AUDIT-02")

BARE = [sys.executable, "-I", "-S", str(Path(__file__).with_name("appenders.py"))]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "audit"


def append(folder, text="x", **options) -> bool:
    return trail.append(str(folder), json.dumps({"text": text}) + "\n", **options)


def segments(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if number_of(path.name))


def lines(folder) -> list[bytes]:
    """Every line of the trail in its order."""
    files = [*segments(folder), *([CURRENT] if (folder / CURRENT).exists() else [])]
    return b"".join((folder / name).read_bytes() for name in files).splitlines(keepends=True)


def texts(folder) -> list[str]:
    return [json.loads(line)["text"] for line in lines(folder)]


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_64_processes_append_100_000_lines_through_rotations(folder):
    folder.mkdir()
    limit = 250_000
    done = subprocess.run(
        [*BARE, str(folder), "64", "1563", str(limit)], capture_output=True, check=True
    )
    assert done.stdout.split()[0] == b"0", "no line was refused"
    found = [json.loads(line) for line in lines(folder)]
    assert len(found) == 64 * 1563
    assert max(Counter((one["worker"], one["number"]) for one in found).values()) == 1
    for worker in range(64):
        assert [one["number"] for one in found if one["worker"] == worker] == list(range(1563))
    names = segments(folder)
    assert len(names) > 30
    assert names == [name_of(number) for number in range(1, len(names) + 1)]
    assert all((folder / name).stat().st_size <= limit for name in names)


def killed_half_way(folder, worker: int, length: int) -> int:
    """Kill a writer while a line of its own is only partly in; how many lines it was told are in."""
    process = subprocess.Popen(
        [*BARE, str(folder), str(worker), str(length)], stdout=subprocess.PIPE
    )
    assert process.stdout
    process.stdout.readline()
    whole = (folder / CURRENT).stat().st_size
    while (folder / CURRENT).stat().st_size <= whole:
        assert process.poll() is None
    process.kill()
    told = 1 + process.stdout.read().count(b"\n")
    process.wait()
    process.stdout.close()
    return told


def ends_torn(folder: Path) -> bool:
    with (folder / CURRENT).open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def parsed(line: bytes):
    try:
        return json.loads(line)
    except ValueError:
        return {}


def test_writers_killed_half_way_lose_nothing_they_were_told_is_in(folder):
    folder.mkdir()
    told: dict[int, int] = {}
    torn = 0
    while torn < 2:
        worker = len(told)
        assert worker < 40, "a kill must hit the middle of a write sooner or later"
        told[worker] = killed_half_way(folder, worker, 12_000_000)
        torn += ends_torn(folder)
        assert append(folder, f"after {worker}")
    found = [parsed(line) for line in lines(folder)]
    assert found.count({}) == torn
    assert [one["text"] for one in found if "text" in one] == [f"after {n}" for n in told]
    for worker, count in told.items():
        numbers = [one["number"] for one in found if one.get("worker") == worker]
        assert numbers[:count] == list(range(count))
        assert len(numbers) <= count + 1, "at most one line was in and not yet told"


def test_a_torn_tail_never_swallows_the_next_line(folder):
    assert append(folder, "first")
    with (folder / CURRENT).open("ab") as file:
        file.write(b'{"text": "to')
    assert append(folder, "next")
    assert lines(folder)[1] == b'{"text": "to\n'
    assert json.loads(lines(folder)[2]) == {"text": "next"}


def test_a_torn_tail_is_closed_before_its_file_becomes_a_segment(folder):
    assert append(folder, "first")
    with (folder / CURRENT).open("ab") as file:
        file.write(b'{"text": "to')
    assert append(folder, "next", limit=30)
    assert (folder / name_of(1)).read_bytes().endswith(b'"to\n')
    assert (folder / CURRENT).read_bytes() == b'{"text": "next"}\n'


def test_a_write_that_stops_short_is_continued(folder):
    write = os.write
    with patch("drumline.hooks.trail.os.write", lambda file, words: write(file, words[:3])):
        assert append(folder, "a long line")
    assert texts(folder) == ["a long line"]


def test_only_its_owner_can_read_it_and_nobody_writes_what_is_finished(folder):
    for _ in range(3):
        assert append(folder, limit=20)
    assert mode(folder) == 0o700
    assert {mode(folder / name) for name in (CURRENT, LOCK)} == {0o600}
    assert [mode(folder / name) for name in segments(folder)] == [0o400, 0o400]


def test_numbers_go_on_from_the_highest_there_ever_was(folder):
    for _ in range(4):
        assert append(folder, limit=20)
    for name in segments(folder):
        (folder / name).unlink()
    assert append(folder, limit=20)
    assert segments(folder) == [name_of(4)]


def test_numbers_go_on_when_the_lock_was_made_anew_or_holds_garbage(folder):
    for _ in range(3):
        assert append(folder, limit=20)
    (folder / LOCK).unlink()
    assert append(folder, limit=20)
    (folder / LOCK).write_bytes(b"\xff" * 9)
    assert append(folder, limit=20)
    assert segments(folder) == [name_of(number) for number in (1, 2, 3, 4)]


def test_a_writer_killed_while_turning_over_stops_nobody(folder):
    assert append(folder, "first")
    (folder / CURRENT).rename(folder / name_of(1))  # no new file yet, no number kept, not read-only
    assert append(folder, "second", limit=20)
    assert append(folder, "third", limit=20)
    assert texts(folder) == ["first", "second", "third"]
    assert segments(folder) == [name_of(1), name_of(2)]


def test_a_line_longer_than_the_limit_has_a_file_of_its_own(folder):
    for text in ("a", "b" * 500, "c"):
        assert append(folder, text, limit=100)
    assert texts(folder) == ["a", "b" * 500, "c"]
    assert len(segments(folder)) == 2


def test_a_line_with_line_ends_inside_stays_one_line(folder):
    assert trail.append(str(folder), "a\nb\n")
    assert lines(folder) == [b"a\\nb\n"]


def test_turning_over_on_request_finishes_what_is_there_and_makes_no_empty_segment(folder):
    assert trail.rotate(str(folder))
    assert segments(folder) == []
    assert append(folder)
    assert trail.rotate(str(folder))
    assert trail.rotate(str(folder))
    assert segments(folder) == [name_of(1)]


def test_threads_of_one_process_keep_apart_too(folder):
    def work(name):
        assert all(append(folder, f"{name}-{number}", limit=2000) for number in range(50))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdefgh"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(folder)) == sorted(f"{n}-{i}" for n in "abcdefgh" for i in range(50))


def plant_link(folder):
    folder.mkdir()
    (folder.parent / "target").write_text("mine")
    (folder / CURRENT).symlink_to(folder.parent / "target")


def plant_lock_link(folder):
    folder.mkdir()
    (folder.parent / "target").write_text("mine")
    (folder / LOCK).symlink_to(folder.parent / "target")


def plant_pipe(folder):
    folder.mkdir()
    os.mkfifo(folder / CURRENT)


def plant_folder(folder):
    (folder / CURRENT).mkdir(parents=True)


def plant_file(folder):
    folder.write_text("not a folder")


@pytest.mark.parametrize(
    "plant", [plant_link, plant_lock_link, plant_pipe, plant_folder, plant_file]
)
def test_what_is_planted_in_its_place_is_refused_and_left_alone(folder, plant):
    plant(folder)
    assert append(folder) is False
    assert trail.rotate(str(folder)) is False
    target = folder.parent / "target"
    assert not target.exists() or target.read_text() == "mine"


@pytest.mark.parametrize("place", ["/nowhere/at/all", "/proc/nothing", "bad\0name", ""])
def test_a_place_that_cannot_be_is_answered_with_false(place):
    assert trail.append(place, "x\n") is False


def test_a_folder_that_may_not_be_written_is_answered_with_false(folder):
    assert append(folder)
    code = (
        f"import os, sys; sys.path.insert(0, {str(Path(trail.__file__).parents[2])!r})\n"
        "from drumline.hooks import trail\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        f"else: os.chmod({str(folder)!r}, 0o500); os.chmod({str(folder / LOCK)!r}, 0o400)\n"
        f"print(trail.append({str(folder)!r}, 'x'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    folder.chmod(0o700)
    assert done.stdout == "False\n"


def test_a_full_disk_is_answered_with_false_and_leaves_no_half_line(folder):
    assert append(folder, "first")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (100, before[1])
    )  # as full as a disk can be made here
    try:
        assert append(folder, "x" * 200) is False
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert texts(folder) == ["first"]
    assert append(folder, "second")
    assert texts(folder) == ["first", "second"]


def test_a_lock_that_is_never_given_up_is_not_waited_for_for_ever(folder):
    assert append(folder)
    with (folder / LOCK).open() as stopped:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        begun = time.monotonic()
        assert append(folder, patience=0.1) is False
        assert 0.1 <= time.monotonic() - begun < 1.5
    assert append(folder)


def test_a_moment_is_stamped_in_utc_to_the_millisecond():
    before = time.time_ns() // 1_000_000
    said = datetime.fromisoformat(trail.stamp())
    assert said.utcoffset() == timedelta(0)
    assert before <= said.timestamp() * 1000 <= time.time_ns() // 1_000_000
    assert len(trail.stamp()) == len("2026-01-01T12:00:00.000Z")


def test_a_hook_that_appends_loads_next_to_nothing():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(trail.__file__).parents[2])!r})\n"
        "import drumline.hooks.trail; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"typing", "subprocess", "re", "json", "pathlib"} & set(done.stdout.split())
