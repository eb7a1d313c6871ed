"""`drumline doctor` on the MCP servers that files register: unread, ignored, repeated, unhealthy."""

import json

import pytest

from tests import mcp_servers
from tests.surfaces.console import drumline, write
from tests.surfaces.test_doctor_cli import MANIFEST, about, at

__all__ = ["at"]  # a fixture

GIVEN = MANIFEST.replace("[Read]", "[Read, mcp__a__*, mcp__b__*]")
MCP = {
    "a name registered twice": (
        {".mcp.json": {"mcpServers": {"a": {"command": "sh"}}}},
        {"mcpServers": {"a": {"url": "http://127.0.0.1:1"}}},
        "[a]",
        [
            ("warning", "a is registered in .mcp.json and .claude/settings.json"),
            (
                "warning",
                "a is registered and ignored: nobody reads mcpServers of .claude/settings.json",
            ),
        ],
    ),
    "one server under two names": (
        {".mcp.json": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}},
        {},
        "[a, b]",
        [("warning", "a and b are one server: sh")],
    ),
    "a program that is not here": (
        {".mcp.json": {"mcpServers": {"a": {"command": "no-such-program"}}}},
        {},
        "[a]",
        [("problem", ".mcp.json: a starts 'no-such-program', which is not here")],
    ),
    "one that is switched off": (
        {".mcp.json": {"mcpServers": {"a": {"command": "sh"}}}},
        {"disabledMcpjsonServers": ["a"]},
        "[a]",
        [
            (
                "warning",
                (
                    "a is registered and ignored: disabledMcpjsonServers of .claude/settings.json"
                    " names it"
                ),
            ),
            (
                "problem",
                (
                    "ada is given a and cannot use it: it is registered, but switched off or where"
                    " nobody looks"
                ),
            ),
        ],
    ),
    "one that is only spoken of": (
        {},
        {"enabledMcpjsonServers": ["a"]},
        "[]",
        [
            (
                "warning",
                "enabledMcpjsonServers of .claude/settings.json names a, which no file registers",
            )
        ],
    ),
    "one that nobody is given": (
        {".mcp.json": {"mcpServers": {"a": {"command": "sh"}}}},
        {},
        "[]",
        [("warning", "a of .mcp.json is given to no member")],
    ),
    "one that is given and not registered": (
        {},
        {},
        "[a]",
        [("problem", "ada is given a and cannot use it: no file registers it")],
    ),
    "one whose tools nobody may call": (
        {".mcp.json": {"mcpServers": {"c": {"command": "sh"}}}},
        {},
        "[c]",
        [
            (
                "problem",
                (
                    "ada is given c and cannot use it: none of its tools is on the member's list:"
                    " mcp__c__*"
                ),
            )
        ],
    ),
    "nothing to reach it by": (
        {".mcp.json": {"mcpServers": {"a": {"args": ["x"]}}}},
        {},
        "[]",
        [("problem", ".mcp.json: a names neither a command nor a url")],
    ),
    "no list of servers": (
        {".mcp.json": {"mcpServers": []}},
        {},
        "[]",
        [("problem", ".mcp.json has no object under mcpServers: nothing in it is used")],
    ),
    "nothing wrong": (
        {".mcp.json": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "git"}}}},
        {},
        "[a, b]",
        [("ok", "servers registered: 2")],
    ),
}


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("name", MCP)
def test_a_registration_nobody_can_use_as_it_stands_is_told(name, at):
    files, of_claude, given, told = MCP[name]
    write(at, ".claude/team.yaml", GIVEN.replace("[sh]", f"[sh], mcp: {given}"))
    for file, text in {**files, ".claude/settings.json": of_claude}.items():
        write(at, file, json.dumps(text))
    assert about("mcp", at) == told


@pytest.mark.requirement("RUN-12")
def test_what_a_person_registered_beside_the_repository_is_compared_too(at, tmp_path):
    write(at, ".claude/team.yaml", GIVEN.replace("[sh]", "[sh], mcp: [a, b]"))
    write(at, ".mcp.json", '{"mcpServers": {"a": {"command": "sh"}, "b": {"command": "git"}}}')
    mine = {
        "mcpServers": {"a": {"command": "cat"}},
        "projects": {str(at): {"disabledMcpjsonServers": ["b"]}},
    }
    write(tmp_path, "home/.claude.json", json.dumps(mine))
    assert about("mcp", at) == [
        ("warning", "a is registered in .mcp.json and ~/.claude.json"),
        (
            "warning",
            (
                "b is registered and ignored: disabledMcpjsonServers of ~/.claude.json for this"
                " repository names it"
            ),
        ),
    ]


@pytest.mark.requirement("RUN-12")
def test_servers_that_members_are_given_are_really_asked(at, tmp_path):
    write(at, ".claude/team.yaml", GIVEN.replace("[sh]", "[sh], mcp: [a, b]"))
    mcp_servers.register(
        at,
        a=mcp_servers.program(tmp_path, "a", mcp_servers.ANSWERS),
        b=mcp_servers.program(tmp_path, "b", mcp_servers.DIES),
    )
    drumline("task", "add", "first", at=at)
    assert about("mcp", at) == [
        ("ok", "a of .mcp.json answers"),
        (
            "problem",
            (
                "b of .mcp.json does not answer: it ended with 1 before it answered initialize:"
                " 'no licence'"
            ),
        ),
    ]


@pytest.mark.requirement("RUN-12")
def test_a_repository_nothing_has_run_in_has_none_of_its_programs_started(at, tmp_path):
    write(at, ".claude/team.yaml", GIVEN.replace("[sh]", "[sh], mcp: [a]"))
    began = tmp_path / "began"
    text = f"open({str(began)!r}, 'w')\n" + mcp_servers.ANSWERS
    mcp_servers.register(at, a=mcp_servers.program(tmp_path, "a", text))
    assert about("mcp", at) == [("ok", "servers registered: 1")]
    assert not began.exists()


@pytest.mark.requirement("RUN-12")
def test_an_examined_server_can_write_nothing_of_the_repository(at):
    write(at, ".claude/team.yaml", GIVEN.replace("[sh]", "[sh], mcp: [a]"))
    text = "open('written', 'w')\n" + mcp_servers.ANSWERS
    mcp_servers.register(at, a=mcp_servers.program(at, "a", text))
    drumline("task", "add", "first", at=at)
    ((health, says),) = about("mcp", at)
    assert (health, "it ended with 1" in says) == ("problem", True)
    assert not (at / "written").exists()


def test_a_file_of_registrations_that_is_no_json_is_a_problem(at):
    write(at, ".mcp.json", "{")
    assert about("mcp", at) == [("problem", ".mcp.json is not JSON: nothing in it is used")]
