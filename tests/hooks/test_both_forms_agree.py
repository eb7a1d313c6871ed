"""The judge inside a process and the guard from files give one ruling, word for word."""

from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path

import pytest

from drumline.hooks.ruling import this_machine
from drumline.team import registry
from drumline.team.call import Call
from drumline.team.judge import judge
from drumline.team.standing import Standing
from tests.hooks import guarding
from tests.team.commands import rows

POLICY = registry.compiled(registry.built_in())
PROCESSES = 60
EVERY = 5  # of the harmless ones
MEMBERS: dict[str, dict[str, str]] = {
    "ada": {"member": "ada", "role": "teammate", "isolation": "shared"},
    "brook": {"member": "brook", "role": "teammate", "isolation": "own"},
    "lee": {"member": "lee", "role": "lead", "isolation": "shared"},
}


@pytest.fixture(scope="module")
def state(tmp_path_factory) -> Path:
    return guarding.repository(tmp_path_factory.mktemp("both"), MEMBERS.values())


def corpus() -> dict[str, list[tuple[str, str]]]:
    """Member and command of every row, by class."""
    found: dict[str, list[tuple[str, str]]] = {}
    for role, member in (("teammate", "ada"), ("lead", "lee")):
        for row in rows.own(role):
            found.setdefault(f"{role} {row['cls']}", []).append((member, row["command"]))
    found["harmless"] = [("brook", line) for line in rows.harmless()[::EVERY]]
    return found


def sampled() -> Iterator[tuple[str, str]]:
    """One of each class, then the next of each, until there are enough."""
    turns = chain.from_iterable(zip_longest(*corpus().values()))
    return islice((row for row in turns if row is not None), PROCESSES)


def inside(member: str, command: str, state: Path) -> str:
    """The refusal the judge gives in this process; nothing when it allows the command."""
    root = str(state.parent)
    ruling = judge(
        Call("Bash", {"command": command}, root),
        Standing(MEMBERS[member], root),
        POLICY,
        this_machine(POLICY),
    )
    return "" if ruling.allowed else ruling.sentence()


@pytest.fixture(autouse=True)
def same_place(monkeypatch):
    """Both are told of the same home and no temporary folder of their own."""
    monkeypatch.setenv("HOME", guarding.HOME)
    monkeypatch.delenv("TMPDIR", raising=False)


@pytest.mark.requirement("GUARD-03")
def test_every_command_gets_one_ruling_in_both_forms(state):
    batch = guarding.Batch()
    differ = []
    for member, command in chain.from_iterable(corpus().values()):
        raw = guarding.event(state, "Bash", {"command": command})
        hook = guarding.reason(*batch.ask(raw, state, {"DRUMLINE_MEMBER": member}))
        mine = inside(member, command, state)
        if hook != mine:
            differ.append((member, command, mine, hook))
    assert differ == []
    assert batch.close() == ""


@pytest.mark.requirement("GUARD-03")
def test_a_process_of_its_own_gives_that_ruling_too(state):
    differ = []
    for member, command in sampled():
        raw = guarding.event(state, "Bash", {"command": command})
        done = guarding.alone(raw, state, {"DRUMLINE_MEMBER": member})
        assert done.stderr == b""
        hook = guarding.reason(done.returncode, done.stdout)
        mine = inside(member, command, state)
        if hook != mine:
            differ.append((member, command, mine, hook))
    assert differ == []
