"""A tool call: what an agent asks for, and what it would do."""

from __future__ import annotations

from drumline.team.shell import plain
from drumline.team.shell.effect import MARKS, Effect, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.expand import RESERVED
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drumline.team.shell.syntax import Script

SHELLS = frozenset(
    {"Bash", "shell", "local_shell", "exec_command", "unified_exec", "container.exec"}
)
WRITERS = {
    "Write": "write",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "str_replace_editor": "edit",
}
READERS = frozenset({"Read", "NotebookRead", "Grep", "Glob", "LS"})
_PATHS = ("file_path", "notebook_path", "path", "filename", "target_file")
_PATCH_HEADS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_MCP_WRITES = (
    "write",
    "edit",
    "create",
    "delete",
    "remove",
    "move",
    "rename",
    "append",
    "save",
    "put",
)


class Call:
    """One use of a tool."""

    __slots__ = ("cwd", "input", "tool")

    def __init__(self, tool: str, given: Mapping[str, object], cwd: str) -> None:
        self.tool, self.input, self.cwd = tool, given, cwd

    def text(self, *names: str) -> str:
        """The first of these inputs that is text."""
        for name in names:
            value = self.input.get(name)
            if isinstance(value, str):
                return value
        return ""

    def command(self) -> str:
        """The shell text of the call; Codex may give it as a list of words."""
        value = self.input.get("command", self.input.get("cmd", ""))
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            return _from_words(value)
        return value if isinstance(value, str) else ""


class World:
    """What a ruling may ask of the machine it is made on."""

    __slots__ = ("home", "read", "real", "temporary")

    def __init__(
        self,
        *,
        read: Callable[[str], Script],
        real: Callable[[str], str],
        home: str,
        temporary: Sequence[str] = (),
    ) -> None:
        self.read = read  # the shell grammar
        self.real = real  # a path with its symbolic links followed
        self.home, self.temporary = home, tuple(temporary)


def effects_of(
    call: Call, root: str, world: World, candidates: Mapping[str, frozenset[str]]
) -> list[Effect]:
    """What the call would do."""
    if call.tool in SHELLS:
        return of_command(call.command(), call.cwd, root, world, candidates)
    if call.tool in WRITERS:
        path = call.text(*_PATHS)
        return [wrote(joined(call.cwd, path), WRITERS[call.tool])] if path else []
    if call.tool == "apply_patch":
        return [wrote(joined(call.cwd, path), "edit") for path in patched(call)]
    if call.tool in READERS:
        path = call.text(*_PATHS)
        return [did_read(joined(call.cwd, path))] if path else []
    return _of_mcp(call) if call.tool.startswith("mcp__") else []


def of_command(
    text: str, cwd: str, root: str, world: World, candidates: Mapping[str, frozenset[str]]
) -> list[Effect]:
    """What a shell command would do."""
    if not RESERVED.isdisjoint(text):
        return [undecided("it has characters no command needs")]
    script = plain.read(text)
    if script is None:
        script = world.read(text)
    from drumline.team.shell.state import Around
    from drumline.team.shell.walk import Walk

    around = Around(
        world.home,
        root=root,
        temporary=world.temporary or ("/tmp",),  # noqa: S108 - a name to judge by, never written
        candidates=candidates,
    )
    return Walk(world.read, cwd, around).effects(script)


def patched(call: Call) -> list[str]:
    """Every path a patch names."""
    text = call.text("command", "input", "patch") or call.command()
    return [
        line[len(head) :].strip()
        for line in text.splitlines()
        for head in _PATCH_HEADS
        if line.startswith(head)
    ]


def skill_of(call: Call) -> str:
    """A skill's own name, without prefix, slash and arguments."""
    words = call.text("skill", "command", "name").split()
    return words[0].lstrip("/").rpartition(":")[2] if words else ""


def _of_mcp(call: Call) -> list[Effect]:
    verb = call.tool.rpartition("__")[2].lower()
    writes = any(word in verb.replace("-", "_").split("_") for word in _MCP_WRITES)
    names = [*_PATHS, "source", "destination", "new_path", "old_path", "uri"]
    paths = [value for name in names if isinstance(value := call.input.get(name), str)]
    many = call.input.get("paths")
    paths += [path for path in many if isinstance(path, str)] if isinstance(many, list) else []
    plain_paths = [
        joined(call.cwd, path.removeprefix("file://")) for path in paths if "\n" not in path
    ]
    return [wrote(path, "edit") if writes else did_read(path) for path in plain_paths]


def _from_words(words: Sequence[str]) -> str:
    shells = {"bash", "sh", "zsh"}
    if len(words) == 3 and words[0].rpartition("/")[2] in shells and words[1] in {"-c", "-lc"}:  # noqa: PLR2004 - shell -c TEXT
        return words[2]
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def known_path(path: str) -> bool:
    return not any(mark in path for mark in MARKS)
