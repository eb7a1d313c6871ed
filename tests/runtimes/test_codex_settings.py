"""What a Codex session is given: our hooks, trusted for this launch, and no keys for its tools."""

import shlex
import subprocess
import tomllib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.runtimes.codex_settings import EVENTS, Hook, launch_arguments, trust, trusted_hash
from drumline.runtimes.toml_value import toml_value

pytestmark = pytest.mark.requirement("GUARD-12")

COMMAND = ("/usr/bin/python3", "-I", "-S", "/opt/drumline/guard.py", "/repo/.drumline")
letters = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
paths = letters.map(lambda word: "/" + word)


def settings_of(arguments: list[str]) -> dict:
    """What Codex reads from the `-c` of a command line."""
    pairs = pairwise(arguments)
    return tomllib.loads("\n".join(pair for flag, pair in pairs if flag == "-c"))


def features_of(arguments: list[str]) -> dict:
    pairs = pairwise(arguments)
    return {name: flag for flag, name in pairs if flag in {"--enable", "--disable"}}


# values


values = st.recursive(
    letters | st.booleans() | st.integers(-(2**63), 2**63 - 1),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(letters, inner, max_size=4),
    max_leaves=10,
)


@given(values)
def test_what_is_written_as_toml_reads_back_the_same(value):
    written = toml_value(value)
    assert tomllib.loads(f"x={written}") == {"x": value}
    assert "\n" not in written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('a "b"\\c\n\x7f', r'"a \"b\"\\c\n\u007f"'),
        ([True, 3], "[true,3]"),
        ({"plain-key": "é", "a.b/c": {}}, '{plain-key="é","a.b/c"={}}'),
    ],
)
def test_values_look_as_a_person_would_write_them(value, written):
    assert toml_value(value) == written


def test_what_toml_cannot_say_is_refused():
    with pytest.raises(TypeError, match="no way to say"):
        toml_value(None)


# trust


LISTED = {  # as codex-cli 0.163.0 answers `hooks/list` for a hook of `/bin/true x`
    "PreToolUse": "60fb41189d54c169efef654e3669643c793951cd016701a5fa93683d4cda2a2e",
    "PermissionRequest": "83421820ee18dccfab4fee696c85c1185d5db304d22bf862e94150adbaafa225",
    "PostToolUse": "13326ae6b52b4086660113dc58136ad632c1bab66f03150814589ce84c063e34",
    "PreCompact": "9ddc629896377fba0253c8f34e68031033ca648e7d946cb3d568f2b761a61941",
    "PostCompact": "d09a8735137c2b7e90876474781292770de9c1c464ad578552b2c4da1215879a",
    "SessionStart": "dcd41a67d392441bbd362c755fd41545bb28de8cf15e260df37979b07b859d01",
    "SessionEnd": "22389f8fb213a3f6cd45f6236c63dc9700357fadcba2b266f9151ac821c1e2b0",
    "UserPromptSubmit": "dbb349abc056949b158e2af0896fd2ed38ad467598092c951f93906262da60d7",
    "SubagentStart": "532ab856d20915098e0b5d82c0f70fb4c784e0a0021f6067b2fbc74934a32489",
    "SubagentStop": "adb0935e166a99f3491f1c81eb5042fbbd9a998c698679371a89526881966d05",
    "Stop": "90a37437873de56ad556b6b363ac0fb8f7e202fdc06d258e38e41ea493f3409d",
    "Interrupt": "86f3c11773697173dfc8f94871df349ae6a15bbdfa4a7f64e188e12271cf29f0",
}


@pytest.mark.parametrize("event", EVENTS)
def test_the_hash_is_the_one_codex_computes(event):
    assert trusted_hash(Hook(event=event, command="/bin/true x")) == f"sha256:{LISTED[event]}"


@pytest.mark.parametrize(
    ("hook", "listed"),
    [
        pytest.param(
            Hook(event="SessionEnd", command="/bin/true x", seconds=600),
            "bb1a60f557af2e8d9ecfc6f6cac63237c4b0f4dbb6e00905d1715744a0c7fee6",
            id="time cut to three seconds",
        ),
        pytest.param(
            Hook(event="Stop", command="/bin/true x", seconds=5, matcher="x"),
            "b2cb98b1fe83fe7620682d6145cbd86342f7f890c8472c64dab645d85e011fb5",
            id="a matcher where none counts",
        ),
    ],
)
def test_the_hash_is_of_what_codex_makes_of_a_hook(hook, listed):
    assert trusted_hash(hook) == f"sha256:{listed}"


def test_trust_is_given_by_source_event_group_and_place():
    stop = Hook(event="Stop", command="/bin/true")
    assert list(trust([stop, Hook(event="PreToolUse", command="/bin/true"), stop])) == [
        "/<session-flags>/config.toml:stop:0:0",
        "/<session-flags>/config.toml:pre_tool_use:0:0",
        "/<session-flags>/config.toml:stop:1:0",
    ]


@given(st.lists(paths, min_size=1, max_size=5))
def test_every_hook_given_is_trusted_as_it_is_given(guard):
    hooks = settings_of(launch_arguments(guard, listeners={"Stop": guard}))["hooks"]
    state = hooks.pop("state")
    given_hooks = {
        f"/<session-flags>/config.toml:{EVENTS[event]}:{group}:0": trusted_hash(
            Hook(
                event=event,
                command=one["hooks"][0]["command"],
                seconds=one["hooks"][0]["timeout"],
                matcher=one.get("matcher"),
            )
        )
        for event, groups in hooks.items()
        for group, one in enumerate(groups)
    }
    assert {key: value["trusted_hash"] for key, value in state.items()} == given_hooks
    assert len(given_hooks) == 6


# what we add


def test_the_guard_stands_at_every_event_that_asks_records_or_proves():
    hooks = settings_of(launch_arguments(COMMAND))["hooks"]
    assert hooks.keys() - {"state"} == {
        "PreToolUse",
        "PostToolUse",
        "SessionStart",
        "SessionEnd",
        "Stop",
    }
    assert "matcher" not in hooks["PreToolUse"][0]


@given(st.lists(paths, min_size=1, max_size=5))
def test_any_path_reaches_the_program_letter_for_letter(guard):
    hooks = settings_of(launch_arguments(guard))["hooks"]
    assert shlex.split(hooks["Stop"][0]["hooks"][0]["command"]) == guard
    asked = shlex.split(hooks["PreToolUse"][0]["hooks"][0]["command"])
    assert asked[: len(guard) + 1] == [*guard, "||"]


@pytest.mark.parametrize(
    ("guard", "code", "said"),
    [
        (["/bin/sh", "-c", "exit 0"], 0, ""),
        (["/bin/sh", "-c", "exit 1"], 2, "did not answer"),
        (["/bin/sh", "-c", "kill -9 $$"], 2, "did not answer"),
        (["/nowhere/guard it's.py"], 2, "did not answer"),
        (["/bin/sh", "-c", "echo no >&2; exit 2"], 2, "no\n"),
    ],
)
def test_a_guard_that_fails_refuses(guard, code, said):
    hooks = settings_of(launch_arguments(guard))["hooks"]
    command = hooks["PreToolUse"][0]["hooks"][0]["command"]
    ran = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert ran.returncode == code
    assert said in ran.stderr
    assert ran.stdout == ""


def test_hooks_are_on_and_what_a_team_cannot_have_is_off():
    assert features_of(launch_arguments(COMMAND)) == {
        "hooks": "--enable",
        "plugins": "--disable",
        "unified_exec_tty": "--disable",
        "unbounded_connection_retries": "--disable",
    }


def test_no_dangerous_switch_is_used():
    assert not [word for word in launch_arguments(COMMAND) if "dangerously" in word]


def test_keys_are_kept_from_tools_beside_the_users_own_list():
    policy = settings_of(launch_arguments(COMMAND))["shell_environment_policy"]
    assert policy == {"ignore_default_excludes": False}
    hidden = launch_arguments(COMMAND, hidden=["*_DSN"])
    assert settings_of(hidden)["shell_environment_policy"]["exclude"] == ["*_DSN"]


def test_other_commands_of_ours_listen_beside_the_guard():
    settled = ["/bin/sh", "/opt/turn settled.sh", "/spool", "codex"]
    hooks = settings_of(launch_arguments(COMMAND, listeners={"Stop": settled}))["hooks"]
    assert [shlex.split(one["hooks"][0]["command"]) for one in hooks["Stop"]] == [
        list(COMMAND),
        settled,
    ]


@pytest.mark.parametrize(
    ("guard", "listeners"),
    [
        ([], {}),
        (["python3"], {}),
        (["/python3", "/a\0b"], {}),
        (["/python3", "/caf\udce9"], {}),
        (COMMAND, {"Stop": ["sh"]}),
        (COMMAND, {"ConfigChange": ["/bin/true"]}),
    ],
)
def test_what_would_arrive_changed_or_nowhere_is_refused(guard, listeners):
    with pytest.raises(BadInput):
        launch_arguments(guard, listeners=listeners)
