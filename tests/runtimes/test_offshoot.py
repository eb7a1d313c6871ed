"""Whatever goes wrong while a process is forked off, there is one of it or none, and its parent is told."""

import subprocess
import sys

import pytest

COMPANY = """
import _thread, errno, os, sys, threading
from drumline.runtimes.offshoot import Birth, begin
def company(kind):
    if kind == "a thread":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    elif kind == "a thread that Python does not count":
        _thread.start_new_thread(threading.Event().wait, ())
def birth(log):
    return Birth(["team", "schema"], os.getcwd(), {"LANG": "C.UTF-8"}, log)
def children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
"""


def said(script, *words, at):
    """What a process of its own says when it begins another one."""
    done = subprocess.run(
        [sys.executable, "-c", COMPANY + script, *words],
        cwd=at,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()


BOTH_WAYS = """
company(sys.argv[1])
child = begin(birth("log"))
child.wait()
print(type(child).__name__)
"""


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize(
    ("company", "expected"),
    [
        ("nobody", "Offshoot"),
        ("a thread", "Popen"),
        ("a thread that Python does not count", "Popen"),
    ],
    ids=str,
)
def test_only_a_process_with_one_thread_forks_and_both_ways_run_the_same(
    tmp_path, company, expected
):
    assert said(BOTH_WAYS, company, at=tmp_path) == [expected]
    assert '"title": "Drumline' in (tmp_path / "log").read_text()
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


ENDED = """
child = begin(birth("log"))
print(child.poll() is None, children())
child.wait()
print(child.poll() is None, children())
"""


@pytest.mark.requirement("RUN-07")
def test_a_process_that_has_ended_is_buried_by_its_parent_when_it_looks(tmp_path):
    assert said(ENDED, at=tmp_path) == ["True True", "False False"]


KILLED = """
child = begin(birth("log"))
os.waitpid(child.pid, 0)  # as a nest does, at any moment of its plane's
child.kill()
child.wait()
print(child.poll() is None, children())
"""


@pytest.mark.requirement("RUN-07")
def test_a_process_that_was_buried_by_another_may_be_killed_and_waited_for(tmp_path):
    assert said(KILLED, at=tmp_path) == ["False False"]


NO_LOG = """
company(sys.argv[1])
try:
    begin(birth("nowhere/log"))
except FileNotFoundError:
    print(children())
"""


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("company", ["nobody", "a thread"])
def test_whoever_begins_a_process_is_told_that_its_log_cannot_be_opened(tmp_path, company):
    assert said(NO_LOG, company, at=tmp_path) == ["False"]


FULL = """
import drumline.__main__
drumline.__main__.main = lambda: print("last words")
try:
    begin(birth("/dev/full")).wait()
finally:
    os.write(os.open("marks", os.O_WRONLY | os.O_APPEND | os.O_CREAT), b"here ")
"""


@pytest.mark.requirement("RUN-07")
def test_a_process_that_cannot_say_its_last_words_never_does_what_its_parent_was_doing(tmp_path):
    said(FULL, at=tmp_path)
    assert (tmp_path / "marks").read_text().split() == ["here"]


LAST = """
import atexit, drumline.__main__
from concurrent.futures import ThreadPoolExecutor
def main():
    atexit.register(print, "at the end")
    ThreadPoolExecutor().submit(print, "in a pool that nobody closes").result()
    threading.Timer(0.1, print, ["in a thread"]).start()
    sys.exit(0)
drumline.__main__.main = main
begin(birth("log")).wait()
"""


@pytest.mark.requirement("RUN-07")
def test_a_process_that_was_forked_off_ends_as_an_interpreter_does(tmp_path):
    said(LAST, at=tmp_path)
    told = (tmp_path / "log").read_text().splitlines()
    assert told == ["in a pool that nobody closes", "in a thread", "at the end"]


NOT_HELD = """
def full(_):
    raise OSError(errno.EMFILE, "too many open files")
os.pidfd_open = full
try:
    begin(birth("log"))
except OSError as error:
    print(error.errno == errno.EMFILE, children())
"""


@pytest.mark.requirement("RUN-07")
def test_a_process_that_cannot_be_held_is_not_left_behind(tmp_path):
    assert said(NOT_HELD, at=tmp_path) == ["True False"]


BARE = """
import os, sys
from drumline.runtimes.offshoot import Birth, begin
for number in (0, 1, 2):
    os.close(number)
sys.stdout = sys.stderr = None
shown = "readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2; echo $GIVEN"
words = ["confine", "--writable", sys.argv[1], "--", "sh", "-c", shown]
given = {**os.environ, "GIVEN": "given"}
begin(Birth(words, sys.argv[1], given, sys.argv[1] + "/log")).wait()
"""
NAMELESS = """
import ctypes, os, sys
words = [sys.executable, "-c", *sys.argv[1:]]
variables = ["=nameless", "PATH=" + os.environ["PATH"]]
listed = [(ctypes.c_char_p * (len(each) + 1))(*map(os.fsencode, each)) for each in (words, variables)]
ctypes.CDLL(None).execve(os.fsencode(words[0]), *listed)
"""


def test_who_is_forked_off_without_streams_has_them_and_so_has_what_it_starts(tmp_path):
    subprocess.run([sys.executable, "-c", BARE, str(tmp_path)], check=True)
    said = (tmp_path / "log").read_text().splitlines()[-4:]
    assert said == ["/dev/null", str(tmp_path / "log"), str(tmp_path / "log"), "given"]


def test_a_variable_without_a_name_keeps_nobody_from_being_forked_off(tmp_path):
    words = [NAMELESS, COMPANY + BOTH_WAYS, "nobody"]
    subprocess.run([sys.executable, "-c", *words], check=True, cwd=tmp_path)
    assert '"title": "Drumline' in (tmp_path / "log").read_text()
