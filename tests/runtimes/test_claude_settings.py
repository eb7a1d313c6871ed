"""What a Claude Code session is given: the user's hooks as they were, ours exactly once."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.runtimes.claude_schema import EVENTS, REQUIRED, flaws
from drumline.runtimes.claude_settings import (
    CROSS_SESSION_TOOLS,
    GUARD,
    GUARDED,
    LISTENER,
    fragment,
    inline,
    launch_arguments,
    launch_arguments_beside,
    plugin,
)
from drumline.team.identity import Identity, environment

pytestmark = pytest.mark.requirement("GUARD-12")

COMMAND = ("/usr/bin/python3", "-I", "-S", "/opt/drumline/guard.py", "/repo/.drumline")
OLDER = ("/old/python3", "-I", "-S", "/elsewhere/guard.py", "/repo/.drumline")
LINT = {"type": "command", "command": "make lint"}
SOUND = {"type": "command", "command": "say done", "timeout": 5}


def hooks_of(settings, event: str) -> list:
    return [hook for entry in settings["hooks"][event] for hook in entry.get("hooks", [])]


def ours_of(settings, event: str) -> list:
    return [hook for hook in hooks_of(settings, event) if hook.get("statusMessage") == GUARD]


def entry(*hooks, matcher: str = "Bash") -> dict:
    return {"matcher": matcher, "hooks": list(hooks)}


# what we add


def test_our_hooks_stand_at_every_event_that_asks_records_or_proves():
    settings = fragment(COMMAND)
    assert settings["hooks"].keys() == GUARDED.keys()
    assert all(len(ours_of(settings, event)) == 1 for event in GUARDED)


def test_hooks_are_never_switched_off():
    assert fragment(COMMAND, user={"disableAllHooks": True})["disableAllHooks"] is False
    extra = {"disableAllHooks": True}
    assert fragment(COMMAND, extra=extra)["disableAllHooks"] is False


@pytest.mark.parametrize("event", ["PreToolUse", "ConfigChange"])
def test_a_guard_that_fails_refuses(event):
    assert [hook["onFailure"] for hook in hooks_of(fragment(COMMAND), event)] == ["block"]


@pytest.mark.parametrize("event", ["PostToolUse", "PostToolUseFailure", "SessionStart", "Stop"])
def test_a_record_that_fails_stops_nobody(event):
    assert [hook.get("onFailure") for hook in hooks_of(fragment(COMMAND), event)] == [None]


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_the_guard_hears_of_every_tool(event):
    assert fragment(COMMAND)["hooks"][event][0]["matcher"] == "*"


def test_every_hook_of_ours_has_a_known_type_a_known_event_and_its_own_time():
    settings = fragment(COMMAND, listeners={"SubagentStop": ["/bin/sh", "/settled.sh"]})
    assert settings["hooks"].keys() <= EVENTS
    for event in settings["hooks"]:
        for hook in hooks_of(settings, event):
            assert hook["type"] in REQUIRED
            assert 0 < hook["timeout"] <= 60
    assert flaws(settings, tuple(settings["hooks"])) == []


words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
paths = words.map(lambda word: "/" + word).filter(lambda word: "${" not in word)


@given(st.tuples(paths, paths, paths))
def test_any_path_reaches_the_program_letter_for_letter(guard):
    (hook,) = hooks_of(json.loads(json.dumps(fragment(guard))), "PreToolUse")
    assert (hook["command"], *hook["args"]) == guard


@pytest.mark.parametrize(
    "guard",
    [
        pytest.param([], id="no command"),
        pytest.param(["python3", "/guard.py"], id="found by PATH"),
        pytest.param(["/python3", "/a\0b"], id="a zero byte"),
        pytest.param(["/python3", "/caf\udce9"], id="not UTF-8"),
        pytest.param(["/python3", "/x/${CLAUDE_PROJECT_DIR}/guard.py"], id="a placeholder"),
    ],
)
def test_a_command_that_would_arrive_changed_is_refused(guard):
    with pytest.raises(BadInput):
        fragment(guard)


def test_other_commands_of_ours_listen_beside_the_guard():
    settled = ["/bin/sh", "/opt/turn settled.sh", "/spool", "claude"]
    again = settings = fragment(COMMAND, listeners={"Stop": settled, "SubagentStop": settled})
    for _ in range(3):
        again = fragment(COMMAND, user=again, listeners={"Stop": settled, "SubagentStop": settled})
    assert again == settings
    marks = [hook["statusMessage"] for hook in hooks_of(settings, "Stop")]
    assert marks == [GUARD, LISTENER]
    assert hooks_of(settings, "SubagentStop")[0]["args"] == settled[1:]


def test_a_listener_at_an_unknown_event_is_refused():
    with pytest.raises(BadInput, match="no event 'OnTuesday'"):
        fragment(COMMAND, listeners={"OnTuesday": ["/bin/true"]})


@pytest.mark.requirement("GUARD-20")
def test_who_a_member_is_stands_above_all_other_variables():
    user = {"env": {"DRUMLINE_MEMBER": "lead", "EDITOR": "vi"}}
    env = fragment(COMMAND, user=user, who=Identity(member="ada"))["env"]
    assert env == {"EDITOR": "vi", **environment(Identity(member="ada"))}


# what stays the user's


def test_user_hooks_survive_in_their_order_and_ours_come_after():
    user = {"hooks": {"PreToolUse": [entry(LINT), entry(SOUND, matcher="*")], "Notification": [7]}}
    settings = fragment(COMMAND, user=user)
    assert settings["hooks"]["PreToolUse"][:2] == user["hooks"]["PreToolUse"]
    assert settings["hooks"]["Notification"] == [7]
    assert len(settings["hooks"]["PreToolUse"]) == 3


def test_an_older_hook_of_ours_is_replaced_where_it_stood():
    older = fragment(OLDER)["hooks"]["PreToolUse"]
    user = {"hooks": {"PreToolUse": [entry(LINT), *older, entry(SOUND), *older]}}
    found = fragment(COMMAND, user=user)["hooks"]["PreToolUse"]
    assert found == [entry(LINT), *fragment(COMMAND)["hooks"]["PreToolUse"], entry(SOUND)]


def test_ours_is_taken_out_of_an_entry_it_shares_and_the_entry_stays():
    (older,) = hooks_of(fragment(OLDER), "PreToolUse")
    user = {"hooks": {"PreToolUse": [entry(LINT, older, SOUND), entry(SOUND)]}}
    found = fragment(COMMAND, user=user)["hooks"]["PreToolUse"]
    ours = fragment(COMMAND)["hooks"]["PreToolUse"]
    assert found == [entry(LINT, SOUND), *ours, entry(SOUND)]


def test_ours_leaves_an_event_it_no_longer_listens_to():
    stale = entry({**LINT, "statusMessage": LISTENER})
    user = {"hooks": {"Notification": [stale, entry(SOUND)]}}
    assert fragment(COMMAND, user=user)["hooks"]["Notification"] == [entry(SOUND)]


def test_other_arrays_are_replaced_and_objects_merged():
    user = {"permissions": {"deny": ["A"], "allow": ["B"]}, "model": "opus", "list": [1, 2]}
    settings = fragment(COMMAND, user=user, extra={"permissions": {"deny": ["C"]}, "list": [3]})
    assert settings["permissions"] == {"deny": ["C"], "allow": ["B"]}
    assert settings["list"] == [3]
    assert settings["model"] == "opus"


def test_hooks_among_extra_settings_do_not_replace_the_users():
    user = {"hooks": {"Stop": [entry(SOUND)]}}
    settings = fragment(COMMAND, user=user, extra={"hooks": {"Stop": []}})
    assert settings["hooks"]["Stop"][0] == entry(SOUND)


@pytest.mark.parametrize("found", ["make lint", None, {"hooks": []}, 3])
def test_an_event_that_is_not_a_list_is_kept_as_found_and_reported(found):
    settings = fragment(COMMAND, user={"hooks": {"PreToolUse": found}})
    assert settings["hooks"]["PreToolUse"] == found
    assert flaws(settings, tuple(GUARDED)) == [
        "hooks.PreToolUse is not a list: it was kept as found, and ours cannot be in it"
    ]
    with pytest.raises(BadInput, match="switch our guard off"):
        launch_arguments(settings)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
commands = st.builds(lambda text: {"type": "command", "command": text}, st.text(max_size=5))
marked = commands.map(lambda hook: {**hook, "statusMessage": GUARD})
entries = st.builds(lambda hooks: {"hooks": hooks}, st.lists(commands | marked | json_values))
event_names = st.sampled_from([*GUARDED, "Notification", "Nonsense"])
hook_tables = st.dictionaries(
    event_names, st.lists(entries | json_values, max_size=4) | json_values
)
user_settings = json_values | st.builds(
    lambda settings, hooks: {**settings, "hooks": hooks},
    st.dictionaries(st.text(max_size=5), json_values, max_size=3),
    hook_tables | json_values,
)


def without_ours(entries: list) -> list:
    """The entries less our hooks, and less those that held nothing else."""
    left: list[object] = []
    for one in entries:
        hooks = one.get("hooks") if isinstance(one, dict) else None
        if not isinstance(hooks, list) or not any(map(is_ours, hooks)):
            left.append(one)
        elif not all(map(is_ours, hooks)):
            left.append({**one, "hooks": [hook for hook in hooks if not is_ours(hook)]})
    return left


def is_ours(hook) -> bool:
    return isinstance(hook, dict) and hook.get("statusMessage") == GUARD


def theirs(hooks):
    """A table of hooks as it is for the user: without ours."""
    if not isinstance(hooks, dict):
        return hooks
    return {
        event: without_ours(found) if isinstance(found, list) else found
        for event, found in hooks.items()
    }


@given(user_settings)
def test_whatever_the_user_has_nothing_of_it_is_lost_or_changed(user):
    before = copy.deepcopy(user)
    settings = fragment(COMMAND, user=user)
    assert user == before
    if not isinstance(user, dict):
        return
    assert settings == {**user, "disableAllHooks": False, "hooks": settings["hooks"]}
    assert [key for key in settings if key in user] == list(user)
    hooks = theirs(user.get("hooks", {}))
    if isinstance(hooks, dict):
        hooks = {event: [] for event in GUARDED} | hooks
    assert theirs(settings["hooks"]) == hooks


@given(user_settings)
def test_ours_stands_once_wherever_it_can_stand(user):
    settings = fragment(COMMAND, user=user)
    if not isinstance(settings["hooks"], dict):
        return
    for event, found in settings["hooks"].items():
        if isinstance(found, list):
            hooks = [one["hooks"] for one in found if isinstance(one, dict) and "hooks" in one]
            ours = [hook for some in hooks if isinstance(some, list) for hook in some]
            assert len(list(filter(is_ours, ours))) == (event in GUARDED)


@given(user_settings)
def test_merging_again_changes_nothing(user):
    once = fragment(COMMAND, user=user)
    assert fragment(COMMAND, user=once) == once


@given(user_settings)
def test_a_newer_launch_leaves_nothing_of_an_older_one(user):
    settings = fragment(COMMAND, user=fragment(OLDER, user=user))
    assert OLDER[3] not in json.dumps(settings)
    assert settings == fragment(COMMAND, user=user)


@given(user_settings)
def test_settings_with_no_flaw_carry_our_guard(user):
    settings = fragment(COMMAND, user=user)
    if flaws(settings, tuple(GUARDED)):
        with pytest.raises(BadInput):
            launch_arguments(settings)
    else:
        assert all(len(ours_of(settings, event)) == 1 for event in GUARDED)
        assert json.loads(launch_arguments(settings)[1]) == settings


# how it reaches the session


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"type": "webhook"}, " has the unknown type 'webhook'"),
        ({"command": "true"}, " has the unknown type None"),
        ({"type": "command"}, ".command is missing"),
        ({"type": "http"}, ".url is missing"),
        ({"type": "mcp_tool", "server": "s"}, ".tool is missing"),
        ({**LINT, "timeout": 0}, ".timeout cannot be 0"),
        ({**LINT, "timeout": True}, ".timeout cannot be True"),
        ({**LINT, "onFailure": "stop"}, ".onFailure cannot be 'stop'"),
        ({**LINT, "args": "x"}, ".args cannot be 'x'"),
        ("make lint", " is not an object"),
    ],
)
def test_a_hook_that_would_take_ours_with_it_refuses_the_launch(broken, said):
    settings = fragment(COMMAND, user={"hooks": {"PreToolUse": [entry(LINT, broken)]}})
    with pytest.raises(BadInput) as refused:
        launch_arguments(settings)
    assert refused.value.why == (
        f"hooks.PreToolUse[0].hooks[1]{said}: Claude Code drops every hook of PreToolUse"
    )


@pytest.mark.parametrize("broken", [3, {"matcher": "Bash"}, {"matcher": 3, "hooks": []}])
def test_an_entry_that_would_take_ours_with_it_refuses_the_launch(broken):
    with pytest.raises(BadInput):
        launch_arguments(fragment(COMMAND, user={"hooks": {"Stop": [broken]}}))


def test_a_broken_hook_at_an_event_without_ours_is_the_users_own_affair():
    settings = fragment(COMMAND, user={"hooks": {"Notification": [entry("broken")]}})
    assert launch_arguments(settings)


@pytest.mark.parametrize(
    "user", [{"hooks": "x"}, {"hooks": None}, {"permissions": "x"}, {"model": 3}]
)
def test_a_setting_that_voids_all_of_them_refuses_the_launch(user):
    with pytest.raises(BadInput) as refused:
        launch_arguments(fragment(COMMAND, user=user))
    assert "ignores all of these settings" in refused.value.why


@pytest.mark.parametrize("bare", [{}, {"hooks": {}}, {"hooks": {"PreToolUse": [entry(LINT)]}}])
def test_settings_without_our_guard_are_not_launched(bare):
    with pytest.raises(BadInput) as refused:
        launch_arguments(bare)
    assert "holds none of ours" in refused.value.why


def test_settings_that_are_no_object_have_that_flaw():
    assert flaws([], ()) == ["the settings are not an object: nothing can be added to them"]


def test_a_launch_gives_settings_once_loads_no_files_and_keeps_all_tools():
    settings = fragment(COMMAND)
    assert launch_arguments(settings) == [
        "--settings",
        json.dumps(settings),
        "--setting-sources=",
    ]


def test_sources_and_tools_are_limited_where_asked():
    arguments = launch_arguments(
        fragment(COMMAND), sources=["user", "project"], without=CROSS_SESSION_TOOLS
    )
    assert arguments[2:] == [
        "--setting-sources=user,project",
        "--disallowedTools=SendMessage,ListAgents",
    ]


def test_unknown_sources_are_refused():
    with pytest.raises(BadInput, match="no 'managed' settings"):
        launch_arguments(fragment(COMMAND), sources=["managed"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"model": "opus"}', {"model": "opus"}),
        (' {"a": 1}\n', {"a": 1}),
        ("/home/ada/settings.json", None),
        ("settings.json", None),
        ("[]", None),
        ("3", None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', None),
        ('{"a": ', None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_a_file_path_is_told_from_settings(text, found):
    assert inline(text) == found


def test_a_settings_file_is_passed_on_unread_and_ours_travel_as_a_plugin(tmp_path):
    missing = str(tmp_path / "never read.json")
    assert launch_arguments_beside(missing, "/state/plugin", sources=["user"]) == [
        "--settings",
        missing,
        "--plugin-dir",
        "/state/plugin",
        "--setting-sources=user",
    ]


@pytest.mark.parametrize("source", ["project", "local"])
def test_a_repository_gets_no_say_beside_a_settings_file(source):
    with pytest.raises(BadInput, match="cannot both be loaded"):
        launch_arguments_beside("settings.json", "/state/plugin", sources=[source])


def test_the_plugin_carries_the_same_hooks_as_the_fragment():
    files = plugin(COMMAND)
    assert json.loads(files["hooks/hooks.json"]) == {"hooks": fragment(COMMAND)["hooks"]}
    assert json.loads(files[".claude-plugin/plugin.json"])["name"] == "drumline"
