"""MCP servers: what a repository registers, which of them a member is given, and what a task needs."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from drumline.team.fields import matching
from drumline.team.reach import fits
from drumline.team.tools import tool

SERVERS = "mcpServers"
DISABLED, ENABLED = "disabledMcpjsonServers", "enabledMcpjsonServers"
REGISTRATIONS = ".mcp.json"
UNHEARD = (".claude/settings.json", ".claude/settings.local.json")  # of servers, not of switches
OURS = "drumline"  # the server every member has
NAME_SHAPE = r"(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,62}"  # two lines end a server's name in a tool's
NAME_RULE = f"an MCP server's name: letters, digits, - and _, no two _ together; not {OURS}"
STDIO, HTTP = "stdio", "http"
SERVER = matching(NAME_SHAPE, NAME_RULE, but=(OURS,))
_HTTP = frozenset({HTTP, "streamable-http", "streamableHttp"})
_NAME = re.compile(NAME_SHAPE)
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """An MCP server as a file registers it: a program to start, or an address."""

    file: str
    name: str
    kind: str = STDIO
    command: str = ""
    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_reachable(self) -> bool:
        return bool(self.command or self.url)

    @property
    def reached(self) -> tuple[str, ...]:
        return (self.url,) if self.url else (self.command, *self.words)


class Needs(NamedTuple):
    """The servers a task cannot do without, and those it was let go on without."""

    wanted: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()


class Unread(NamedTuple):
    """What a file says of servers that nobody can use."""

    file: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What a repository's files say of MCP servers.

    servers   what is registered where it counts, once by name, and not switched off
    all       every registration there is, in the order of the files
    unread    what is written and cannot be used
    switched  by file, the names it switches off and on
    """

    servers: Mapping[str, Server] = field(default_factory=dict)
    all: Sequence[Server] = ()
    unread: Sequence[Unread] = ()
    switched: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)


def registered(texts: Mapping[str, str], counting: str = REGISTRATIONS) -> Registered:
    """What files say of servers, by the name of the file; only one of them counts for members."""
    everything: list[Server] = []
    unread: list[Unread] = []
    switched = {}
    for file, text in texts.items():
        told = _object(text)
        if told is None:
            unread.append(Unread(file, f"{file} is not JSON: nothing in it is used"))
            continue
        found, wrong = _told_by(file, told)
        everything += found
        unread += wrong
        switched[file] = {name: _names(told.get(name)) for name in (DISABLED, ENABLED)}
    off = {name for file in UNHEARD if file in switched for name in switched[file][DISABLED]}
    counted = [each for each in everything if each.file == counting and each.name not in off]
    return Registered(
        servers={each.name: each for each in counted},
        all=everything,
        unread=unread,
        switched=switched,
    )


def filled(server: Server, variables: Mapping[str, str]) -> tuple[Server, tuple[str, ...]]:
    """The same with `${NAME}` and `${NAME:-else}` put in, and the names nobody has a value for."""
    lost: dict[str, None] = {}

    def put(found: re.Match[str]) -> str:
        name, otherwise = found.groups()
        if name in variables:
            return variables[name]
        if otherwise is None:
            lost[name] = None
        return otherwise or ""

    def fill(text: str) -> str:
        return _VARIABLE.sub(put, text)

    whole = replace(
        server,
        command=fill(server.command),
        words=tuple(map(fill, server.words)),
        variables={name: fill(value) for name, value in server.variables.items()},
        url=fill(server.url),
        headers={name: fill(value) for name, value in server.headers.items()},
    )
    return whole, tuple(lost)


def is_server(name: str) -> bool:
    """Whether a server that is not ours can have this name."""
    return name != OURS and _NAME.fullmatch(name) is not None


def server_of(rule: str) -> str:
    """The server whose tools a rule such as `mcp__lab__*` names; empty where it names none."""
    parts = tool(rule).split("__", 2)
    named = len(parts) == len(("mcp", "server", "tool")) and parts[0] == "mcp"
    return parts[1] if named and "*" not in parts[1] else ""


def lets_use(rules: Iterable[str], name: str) -> bool:
    """Whether rules let a member call a tool of this server."""
    return any(fits(f"mcp__{name}__", tool(rule)) or server_of(rule) == name for rule in rules)


def not_given(name: str, given: Collection[str], rules: Iterable[str], known: Registered) -> str:
    """Why a member with these servers and tool rules cannot use a server; empty where it can."""
    if name not in known.servers:
        if any(each.name == name for each in known.all):
            return "it is registered, but switched off or where nobody looks"
        return "no file registers it"
    if name not in given:
        return "the member is not given it: `mcp` in the manifest"
    if not lets_use(rules, name):
        return f"none of its tools is on the member's list: mcp__{name}__*"
    if known.servers[name].kind not in {STDIO, HTTP}:
        return f"its transport is {known.servers[name].kind}, and only {STDIO} and {HTTP} are used"
    return ""


def _told_by(file: str, told: Mapping[str, Any]) -> tuple[list[Server], list[Unread]]:
    servers = told.get(SERVERS, {})
    if not isinstance(servers, Mapping):
        says = f"{file} has no object under {SERVERS}: nothing in it is used"
        return [], [Unread(file, says)]
    found = [_server(file, str(name), said) for name, said in servers.items()]
    wrong = [
        Unread(file, f"{file}: {each.name} names neither a command nor a url")
        for each in found
        if not each.is_reachable
    ]
    return [each for each in found if each.is_reachable], wrong


def _server(file: str, name: str, said: object) -> Server:
    if not isinstance(said, Mapping):
        return Server(file=file, name=name)
    words, kind = said.get("args"), str(said.get("type") or (HTTP if said.get("url") else STDIO))
    return Server(
        file=file,
        name=name,
        kind=HTTP if kind in _HTTP else kind,
        command=str(said.get("command") or ""),
        words=tuple(map(str, words)) if isinstance(words, list) else (),
        variables=dict(_texts(said.get("env"))),
        url=str(said.get("url") or ""),
        headers=dict(_texts(said.get("headers"))),
    )


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else {SERVERS: None}


def _texts(value: object) -> Iterator[tuple[str, str]]:
    for name, said in value.items() if isinstance(value, Mapping) else ():
        if isinstance(said, str | int | float):
            yield str(name), str(said)


def _names(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
