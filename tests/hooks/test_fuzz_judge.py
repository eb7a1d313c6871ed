"""Whatever is asked of the judge, it rules: it never breaks, and never takes long."""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.team.call import READERS, SHELLS, WRITERS, Call
from drumline.team.judge import ALLOW, DENY, Ruling, judge
from drumline.team.standing import Standing
from tests.hooks.hostile import BREAKING, HOSTILE
from tests.hooks.hostile_times import GIGABYTE, MARK
from tests.hooks.shell_text import shell
from tests.once import once
from tests.team.judging import POLICY, ROOT, WORLD
from tests.trying import tries

# the same texts every time: what a new text finds is for whoever looks for it, not for whoever merges
fixed = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=tries(200),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
patterns = st.lists(
    st.sampled_from(["**", "*", "", "/", ".claude/**", "[", "[!a]", "a?", "**/**/x"])
    | st.text(max_size=6),
    max_size=4,
)
tools = st.sampled_from(
    [*SHELLS, *WRITERS, *READERS, "apply_patch", "Skill", "Task", "mcp__fs__write", ""]
)
inputs = st.dictionaries(
    st.sampled_from(["command", "cmd", "file_path", "path", "paths", "patch", "skill", "uri"])
    | st.text(max_size=6),
    values | shell | st.lists(shell, max_size=3),
    max_size=4,
)
places = st.sampled_from([ROOT, "/", "", "relative", "/tmp", "/repo/../x", "\0", "/\ud800"])
standings = st.dictionaries(st.sampled_from(Standing.__slots__), values | patterns, max_size=6)
WORDS = (
    "isolation tool skill input tools_list lost_server unverified program words without git ref not_own on identity "
    "danger undecided write read delete_tree outside in_project"
)
clauses = st.dictionaries(
    st.sampled_from(WORDS.split()),
    patterns | st.booleans() | st.dictionaries(st.text(max_size=6), patterns, max_size=2),
    max_size=3,
)
policies = st.fixed_dictionaries(
    {
        "settings": st.dictionaries(st.sampled_from([*POLICY["settings"]]), patterns),
        "constraints": st.lists(
            st.fixed_dictionaries(
                {"id": st.text(max_size=4), "refuse": st.lists(clauses, max_size=3)},
                optional={"applies": st.dictionaries(st.text(max_size=8), patterns, max_size=2)},
            ),
            max_size=3,
        ),
    }
)


@pytest.fixture(autouse=True)
def _little_memory() -> Iterator[None]:
    """A text that would take all of this machine's memory breaks its own test alone."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (4 * GIGABYTE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def rules_on(call: Call, facts: dict, policy: dict = POLICY) -> Ruling:
    ruling = judge(call, Standing(facts, ROOT), policy, WORLD)
    assert ruling.decision in {ALLOW, DENY}
    assert ruling.allowed or ruling.what
    return ruling


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("role", ["teammate", "lead", ""])
@fixed
@given(text=shell)
def test_any_text_gets_a_ruling(role, text):
    facts = {"member": "ada", "role": role, "isolation": "shared"}
    first = rules_on(Call("Bash", {"command": text}, ROOT), facts)
    assert rules_on(Call("Bash", {"command": text}, ROOT), facts).facts() == first.facts()


@fixed
@given(tool=tools, given_=inputs, cwd=places, facts=standings)
def test_any_call_of_anyone_gets_a_ruling(tool, given_, cwd, facts):
    rules_on(Call(tool, given_, cwd), facts)


@fixed
@given(policy=policies, given_=inputs, facts=standings)
def test_any_rules_of_the_right_form_give_a_ruling(policy, given_, facts):
    ruling = judge(Call("Bash", given_, ROOT), Standing(facts, ROOT), policy, WORLD)
    assert ruling.decision in {ALLOW, DENY}


@pytest.mark.parametrize("text", BREAKING.values(), ids=BREAKING)
def test_a_text_that_was_once_found_to_break_it_gets_a_ruling(text):
    rules_on(Call("Bash", {"command": text}, ROOT), {"role": "teammate"})


def test_deleting_all_of_the_repository_meets_a_rule_about_names():
    policy = {"constraints": [{"id": "own", "refuse": [{"write": ["**/id_*"]}]}]}
    rules_on(Call("Bash", {"command": "rm -rf ."}, ROOT), {}, policy)


@pytest.fixture(scope="module")
def took(tmp_path_factory) -> dict[str, float | str]:
    """What every hostile text took, measured in one process that does nothing else."""

    def measure(_: Path) -> dict[str, float | str]:
        script = str(Path(__file__).with_name("hostile_times.py"))
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        return dict(json.loads(line) for line in done.stdout.splitlines())

    found: dict[str, float | str] = once(tmp_path_factory, "hostile-times", measure)
    return found


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_takes_no_longer_than_any_other(name, took):
    found = took[name]
    assert isinstance(found, float), found
    assert found <= MARK
