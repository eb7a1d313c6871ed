"""MCP servers as files register them, and who may use which."""

import json

import pytest

from drumline.errors import BadInput
from drumline.team.draft import NewTask
from drumline.team.server import Registered, filled, is_server, not_given, registered, server_of


def known(**servers) -> Registered:
    return registered({".mcp.json": json.dumps({"mcpServers": servers})})


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"command": "x"}, "stdio"),
        ({"url": "http://x"}, "http"),
        ({"type": "streamable-http", "url": "http://x"}, "http"),
        ({"type": "sse", "url": "http://x"}, "sse"),
    ],
)
def test_a_registration_has_a_transport(said, kind):
    assert known(lab=said).servers["lab"].kind == kind


@pytest.mark.requirement("RUN-12")
def test_only_one_file_counts_and_others_may_switch_it_off():
    texts = {
        ".mcp.json": json.dumps({"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}),
        ".claude/settings.json": json.dumps(
            {"mcpServers": {"c": {"command": "z"}}, "disabledMcpjsonServers": ["b"]}
        ),
    }
    found = registered(texts)
    assert list(found.servers) == ["a"]
    assert [each.name for each in found.all] == ["a", "b", "c"]


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("text", ["[", "[]", "7", '{"mcpServers": 7}', "[" * 100_000, "\ud800"])
def test_no_text_breaks_the_reading(text):
    found = registered({".mcp.json": text})
    assert (len(found.servers), len(found.unread)) == (0, 1)


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("odd", [7, None, [], {"command": 7, "args": 7, "env": 7, "headers": []}])
def test_no_registration_breaks_the_reading(odd):
    assert len(known(lab=odd).servers) <= 1


@pytest.mark.requirement("RUN-12")
def test_variables_are_put_in_and_those_without_a_value_are_told():
    said = {"command": "${A}/x", "args": ["${B:-two}"], "env": {"C": "${C}", "D": "${A}${C}"}}
    server, lost = filled(known(lab=said).servers["lab"], {"A": "one"})
    assert (server.command, server.words) == ("one/x", ("two",))
    assert server.variables == {"C": "", "D": "one"}
    assert lost == ("C",)


@pytest.mark.parametrize(
    ("rule", "server"),
    [
        ("mcp__lab__add", "lab"),
        ("mcp__lab__*", "lab"),
        ("mcp__lab", ""),
        ("mcp__*", ""),
        ("Bash(git:*)", ""),
    ],
)
def test_a_rule_names_the_server_of_its_tools(rule, server):
    assert server_of(rule) == server


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize(
    ("given", "rules", "why"),
    [
        (["lab"], ["mcp__lab__*"], ""),
        (["lab"], ["mcp__*"], ""),
        (["lab"], ["mcp__lab__add"], ""),
        ([], ["mcp__lab__*"], "not given it"),
        (["lab"], ["Read", "mcp__lab"], "none of its tools"),
    ],
)
def test_a_member_uses_a_server_it_is_given_and_has_a_tool_of(given, rules, why):
    assert why in not_given("lab", given, rules, known(lab={"command": "x"}))
    assert bool(why) is bool(not_given("lab", given, rules, known(lab={"command": "x"})))


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize(
    ("servers", "why"),
    [({}, "no file registers it"), ({"lab": {"type": "sse", "url": "x"}}, "its transport is sse")],
)
def test_a_server_nobody_can_use_is_not_given(servers, why):
    assert not_given("lab", ["lab"], ["mcp__lab__*"], known(**servers)).startswith(why)


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("name", ["drumline", "a__b", "", "-a", "a b", "a" * 64, "a\n"])
def test_a_name_that_would_be_mistaken_is_no_servers(name):
    assert not is_server(name)
    with pytest.raises(BadInput, match="cannot be an MCP server"):
        NewTask(title="x", needs=(name,))
