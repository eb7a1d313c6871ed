"""A scenario's tools in Codex's words: the shell, patches, MCP tools, or a script that calls them.

Codex offers its tools in two ways. For a model it does not know they are functions; for one of its own
they are nested in one tool, `exec`, that runs JavaScript.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from drumline.runtimes.rehearsal.exchange import Called, broken
from drumline.runtimes.rehearsal.refusals import is_refusal
from drumline.team.scenario_rounds import Result

Item = dict[str, Any]

SHELL, PATCH, SCRIPT = "exec_command", "apply_patch", "exec"
LONGEST_COMMAND_MS = 30_000
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?[0-9]+)")
_HEAD = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Process|Original token count|Exit code|Script)[^\n]*\n)+"
    r"Output:\n?(?:\nScript error:\n)?"
)
_FAILED = re.compile(r"\A(?:unsupported |failed to |Script (?:failed|error)|execution error)")


class Use(NamedTuple):
    """A tool by Codex's own name, and what it is given: a mapping, or a patch as text."""

    name: str
    given: Any


def offered(body: Mapping[str, Any]) -> frozenset[str]:
    """Every tool of a request, with its namespace: `exec_command`, `mcp__team.inbox`."""
    items = body.get("input")
    more = (
        each.get("tools")
        for each in (items if isinstance(items, list) else ())
        if isinstance(each, dict) and each.get("type") == "additional_tools"
    )
    return frozenset(
        name for tools in (body.get("tools"), *more) for name in _names(tools, prefix="")
    )


def _names(tools: object, *, prefix: str) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if not isinstance(tool, dict):
            continue
        name = str(
            tool.get("name") or tool.get("type", "")
        )  # what a provider does itself has no name
        if tool.get("type") != "namespace":
            yield prefix + name
        elif name == "functions":
            yield from _names(tool.get("tools"), prefix="")
        else:
            yield from _names(tool.get("tools"), prefix=f"{name}.")


def item(called: Called, tools: frozenset[str], *, malformed: bool) -> Item:
    """The call as Codex wants to read it from the model."""
    use = _use(called.call.name, called.call.input)
    if SCRIPT in tools:
        return _custom(called.id, SCRIPT, _script(use), malformed=malformed)
    if use.name == PATCH and PATCH in tools:
        return _custom(called.id, PATCH, use.given, malformed=malformed)
    if use.name == PATCH:
        use = Use(SHELL, {"cmd": f"apply_patch <<'DRUMLINE_PATCH'\n{use.given}DRUMLINE_PATCH\n"})
    arguments = json.dumps(use.given)
    space, name = _spaced(use.name, tools)
    return {
        "type": "function_call",
        "id": f"fc_{called.id}",
        "call_id": f"call_{called.id}",
        "name": name,
        **({"namespace": space} if space else {}),
        "arguments": broken(arguments) if malformed else arguments,
    }


def _custom(name: str, tool: str, given: str, *, malformed: bool) -> Item:
    return {
        "type": "custom_tool_call",
        "id": f"ctc_{name}",
        "call_id": f"call_{name}",
        "name": tool,
        "input": broken(given) if malformed else given,
    }


def _use(name: str, given: Mapping[str, Any]) -> Use:
    """What Codex has in the place of a tool."""
    path = str(given.get("file_path", ""))
    match name:
        case "Bash":
            return _shell(str(given.get("command", "")))
        case "Read":
            return _shell(f"cat -- {shlex.quote(path)}")
        case "Write":
            added = "".join(f"+{line}\n" for line in str(given.get("content", "")).splitlines())
            return Use(PATCH, _patch("Add", path, added))
        case "Edit":
            old = "".join(f"-{line}\n" for line in str(given.get("old_string", "")).splitlines())
            new = "".join(f"+{line}\n" for line in str(given.get("new_string", "")).splitlines())
            return Use(PATCH, _patch("Update", path, f"@@\n{old}{new}"))
        case "apply_patch":
            return Use(PATCH, str(given.get("command", "")))
        case _:
            return Use(name, dict(given))


def _shell(command: str) -> Use:
    return Use(SHELL, {"cmd": command, "yield_time_ms": LONGEST_COMMAND_MS})


def _patch(verb: str, path: str, changes: str) -> str:
    return f"*** Begin Patch\n*** {verb} File: {path}\n{changes}*** End Patch\n"


def _script(use: Use) -> str:
    return f"const r = await tools.{use.name}({json.dumps(use.given)}); text(r)"


def _spaced(name: str, tools: frozenset[str]) -> tuple[str, str]:
    """The namespace a tool is offered in, and its name there."""
    if name in tools:
        return "", name
    for each in sorted(tools):
        space, _, inner = each.rpartition(".")
        if space and name in {inner, each, f"{space}__{inner}"}:
            return space, inner
    return "", name


def result(output: object) -> Result:
    """What a call gave, whichever way its output is wrapped."""
    text = _text(output)
    inner = _scripted(text)
    if inner is not None:
        return inner
    shown = _HEAD.sub("", _HEAD.sub("", text))  # a patch given to the shell has two
    code = _EXIT.search(text[: len(text) - len(shown)])
    failed = int(code[1]) != 0 if code else _FAILED.search(text) is not None or is_refusal(text)
    return Result(shown, not failed, failed and is_refusal(text))


def _text(output: object) -> str:
    if isinstance(output, list):
        return "\n".join(str(each.get("text", "")) for each in output if isinstance(each, dict))
    return str(output)


def _scripted(text: str) -> Result | None:
    """What a tool gave to the script that called it, where the script came to its end."""
    head, found, last = text.partition("Output:\n")
    if not found or not head.startswith("Script completed"):
        return None
    try:
        value = json.loads(last)
    except ValueError:
        return Result(last.strip())
    return _value(value) if isinstance(value, dict) else Result(str(value))


def _value(value: Mapping[str, Any]) -> Result:
    if "exit_code" in value:
        text = str(value.get("output", ""))
        failed = value["exit_code"] != 0
        return Result(text, not failed, failed and is_refusal(text))
    text = _text(value["content"]) if "content" in value else json.dumps(value)
    return Result(text, value.get("isError") is not True)
