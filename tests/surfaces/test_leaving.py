"""How a command ends: at once, and still with all that was to be done at its end."""

import subprocess
import sys

import pytest

from tests.surfaces.console import drumline

MAIN = "from drumline.__main__ import main\nmain()\n"


@pytest.fixture
def at(repository):
    assert drumline("init", "--yes", "--name", "atlas", at=repository).code == 0
    return repository


def ended(at, before: str, *words: str) -> subprocess.CompletedProcess[str]:
    """How `drumline WORDS` ends in a process in which something else was said before."""
    code = f"import sys\nsys.argv = {['drumline', *words]!r}\n{before}\n{MAIN}"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=at, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [(["status"], 0), (["task", "show", "T-9"], 1), (["task", "fly"], 2), (["--version"], 0)],
    ids=["done", "refused", "misused", "told"],
)
def test_the_code_of_a_command_is_its_own_and_its_words_are_whole(at, words, code):
    done = ended(at, "", *words)
    assert done.returncode == code
    assert done.stdout or done.stderr


def test_what_is_to_be_done_at_the_end_is_done(at):
    done = ended(at, "import atexit\natexit.register(print, 'the end')", "status")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "the end")


def test_a_thread_that_is_still_at_work_is_waited_for(at):
    work = (
        "import threading\n"
        "def work():\n"
        "    threading.main_thread().join()\n"
        "    print('worked to the end')\n"
        "threading.Thread(target=work).start()"
    )
    done = ended(at, work, "status")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "worked to the end")


def test_nothing_is_taken_apart_for_nobody(at):
    part = "class Part:\n    def __del__(self):\n        print('taken apart')\npart = Part()"
    assert "taken apart" not in ended(at, part, "status").stdout
