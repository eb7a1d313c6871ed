"""A tool call: what an agent asks for, and what it would do."""

from __future__ import annotations

from drumline.team.shell import plain
from drumline.team.shell.effect import MARKS, RESERVED, STAR, Effect, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from drumline.team.shell.syntax import Script

NAMELESS = "a tool without a name"
SHELLS = frozenset(
    {"Bash", "shell", "local_shell", "exec_command", "unified_exec", "container.exec"}
)
WRITERS = {
    "Write": "write",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "str_replace_editor": "edit",
    "str_replace_based_edit_tool": "edit",
    "memory": "edit",
}
_VIEWERS = frozenset({"str_replace_editor", "str_replace_based_edit_tool", "memory"})
READERS = frozenset({"Read", "NotebookRead", "Grep", "Glob", "LS"})
PATHS = (
    *("file_path", "notebook_path", "path", "filename", "target_file", "filePath", "filepath"),
    *("file", "relative_path", "absolute_path", "target", "dest", "destination"),
    *("old_path", "new_path"),
)
_OTHER_NAMES = {
    "write": "write",
    "write_file": "write",
    "edit": "edit",
    "replace": "edit",
    "multiedit": "edit",
    "notebookedit": "edit",
}
_READING_NAMES = frozenset({"read", "read_file", "notebookread"})
_NO_SHELLS = frozenset(
    "apply_patch skill slashcommand glob ls agent task todowrite sendmessage askuserquestion "
    "webfetch websearch toolsearch bashoutput killshell exitplanmode".split()
)  # tools whose `command` is not for a shell
_LISTS = ("paths", "files", "file_paths")
_FOLDERS = ("workdir", "cwd", "working_directory", "directory", "dir_path")
_DEEPEST = 4
_ADDRESSES = ("http://", "https://", "s3://", "gs://", "ssh://", "git://", "ftp://", "data:")
_LONGEST = 4096  # no system takes a longer path
_MOST_LETTERS = 8


class Call:
    """One use of a tool."""

    __slots__ = ("cwd", "input", "tool")

    def __init__(self, tool: str, given: Mapping[str, object], cwd: str) -> None:
        self.tool, self.input, self.cwd = tool or NAMELESS, given, cwd

    def text(self, *names: str) -> str:
        """The first of these inputs that is text."""
        for name in names:
            value = self.input.get(name)
            if isinstance(value, str):
                return value
        return ""

    def command(self) -> str:
        """The shell text of the call, all of it where it is given more than once."""
        return "\n".join(self.commands())

    def commands(self) -> list[str]:
        """Every shell text of the call; Codex may give it as a list of words."""
        inner = self.input.get("action")
        found = [
            _shell_text(holder, holder[name])
            for holder in (self.input, inner if isinstance(inner, dict) else {})
            for name in ("command", "cmd", "shell_command", "command_line", "commandLine")
            if name in holder
        ]
        return [text for text in dict.fromkeys(found) if text]

    def folders(self) -> list[str]:
        """The folders a command may run in: those the call names, else the session's."""
        inner = self.input.get("action")
        holders = (self.input, inner if isinstance(inner, dict) else {})
        named = [holder.get(name) for holder in holders for name in _FOLDERS]
        found = [joined(self.cwd, each) for each in named if isinstance(each, str) and each]
        return list(dict.fromkeys(found)) or [self.cwd]

    def paths(self, also: Sequence[str] = ()) -> list[str]:
        """Every path the call names in a field for one, wherever it stands; an address is none."""
        given = [path for path in _paths_in(self.input, (*PATHS, *also)) if path]
        given = [path for path in given if not _is_address(path)]
        found = [each for path in given for each in (path, path.removeprefix("file://"))]
        return list(dict.fromkeys(joined(self.cwd, path) for path in found))


class World:
    """What a ruling may ask of the machine it is made on."""

    __slots__ = ("branch", "home", "read", "real", "temporary")

    def __init__(
        self,
        *,
        read: Callable[[str], Script],
        real: Callable[[str], str],
        home: str,
        temporary: Sequence[str] = (),
        branch: Callable[[str], str] | None = None,
    ) -> None:
        self.read = read  # the shell grammar
        self.real = real  # a path with its symbolic links followed
        self.branch = branch  # the branch a repository stands on; empty where nobody can tell
        self.home, self.temporary = home, tuple(temporary)


def effects_of(
    call: Call, root: str, world: World, candidates: Mapping[str, frozenset[str]]
) -> list[Effect]:
    """What the call would do: as a shell where it is given a command, and on the files it names."""
    files = _on_files(call)
    if files is not None:
        return files
    texts = [_wrapped(call.tool, text) for text in call.commands()]
    told: list[Effect] = []
    if call.tool not in SHELLS:
        from drumline.team.named_tool import MORE_PATHS, code_by_name, effects_by_name

        texts += [_from_words(words) for words in code_by_name(call.tool, call.input)]
        told = effects_by_name(call.tool, call.input, call.cwd, call.paths(MORE_PATHS))
    run = [
        effect
        for text in texts
        for folder in call.folders()
        for effect in of_command(text, folder, root, world, candidates)
    ]
    return [*run, *told]


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
    """Every path a patch names, in whatever field its text stands."""
    from drumline.team.patch import patched_text

    given = [*call.input.values(), call.command()]
    texts = [value for value in given if isinstance(value, str)]
    return list(dict.fromkeys(path for text in texts for path in patched_text(text)))


def skill_of(call: Call) -> str:
    """A skill's own name in small letters, without prefix, slash and arguments."""
    words = call.text("skill", "command", "name").split()
    return words[0].lstrip("/").rpartition(":")[2].lower() if words else ""


def _is_address(text: str) -> bool:
    """Whether a text names nothing on this machine; a tool would take out `..` and find a file."""
    return len(text) > _LONGEST or (text.lower().startswith(_ADDRESSES) and "/.." not in text)


def known_path(path: str) -> bool:
    return not any(mark in path for mark in MARKS)


def _on_files(call: Call) -> list[Effect] | None:
    """What a tool for files does; None for a tool that is none, or is not known."""
    name = call.tool.lower()
    how = WRITERS.get(call.tool) or _OTHER_NAMES.get(name)
    if how is not None and not (call.tool in _VIEWERS and call.text("command") == "view"):
        below = call.text("command") in {"delete", "rename"}
        return [wrote(path, how, tree=below) for path in call.paths()]
    if how is not None or call.tool in {"Read", "NotebookRead"} or name in _READING_NAMES:
        return [did_read(path) for path in call.paths()]
    if name == "grep":
        return [did_read(path) for path in _searched(call)]
    if name == "apply_patch":
        return [wrote(joined(call.cwd, path), "edit") for path in patched(call)]
    return [] if name in _NO_SHELLS else None


def _searched(call: Call) -> Iterator[str]:
    """The files a search names; one that shows what it finds also reads what its glob names."""
    yield from call.paths()
    if call.text("output_mode") != "content":
        return
    place = joined(call.cwd, call.text("path") or ".")
    for glob in (one for each in call.text("glob").split() for one in _alternatives(each)):
        if not glob.startswith("!"):
            parts = [part.replace("*", "") or "x" for part in glob.split("/") if part != "**"]
            yield joined(place, glob)
            yield joined(place, "/".join(parts))


def _alternatives(glob: str) -> list[str]:
    return [one for each in _unbraced(glob) for one in _unbracketed(each)]


def _unbracketed(glob: str) -> list[str]:
    """The globs that one with `[ab]` stands for; a class of many letters is any text."""
    before, opened, rest = glob.partition("[")
    inside, closed, after = rest.partition("]")
    if not opened or not closed or glob.count("[") > _DEEPEST:
        return [glob]
    listed = len(inside) <= _MOST_LETTERS and inside[:1] not in {"!", "^"} and "-" not in inside
    letters = inside if listed else STAR
    return [f"{before}{letter}{more}" for letter in letters for more in _unbracketed(after)]


def _unbraced(glob: str) -> list[str]:
    """The globs that one with braces stands for; too many braces stay as they are."""
    before, _, rest = glob.partition("{")
    inside, closed, after = rest.partition("}")
    if not closed or glob.count("{") > _DEEPEST:
        return [glob]
    return [f"{before}{each}{more}" for each in inside.split(",") for more in _unbraced(after)]


def _paths_in(value: object, names: Sequence[str], depth: int = 0) -> Iterator[str]:
    if depth > _DEEPEST or isinstance(value, str):
        return
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _named_paths(name, each, names)
            yield from _paths_in(each, names, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _paths_in(each, names, depth + 1)


def _named_paths(name: str, value: object, names: Sequence[str]) -> list[str]:
    if isinstance(value, str):
        return [value] if name in names else []
    listed = value if isinstance(value, list) and name in _LISTS else []
    return [path for path in listed if isinstance(path, str)]


def _shell_text(holder: Mapping[str, object], value: object) -> str:
    more = holder.get("args", holder.get("arguments"))
    words = [str(word) for word in more] if isinstance(more, list) else []
    if isinstance(value, list | tuple):
        return _from_words([str(word) for word in value])
    if not isinstance(value, str):
        return ""
    return f"{value} {_from_words(words)}" if words else value


def _from_words(words: Sequence[str]) -> str:
    shells = {"bash", "sh", "zsh"}
    if len(words) == 3 and words[0].rpartition("/")[2] in shells and words[1] in {"-c", "-lc"}:  # noqa: PLR2004 - shell -c TEXT
        return words[2]
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def _wrapped(tool: str, text: str) -> str:
    """The text as the shell of bash would be given it."""
    return _from_words(["pwsh", "-Command", text]) if "powershell" in tool.lower() else text
