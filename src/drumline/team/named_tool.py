"""A tool known by its name alone: an MCP server's, or one a runtime brings that we have no word for."""

from __future__ import annotations

from drumline.team.patch import patched_text
from drumline.team.shell.effect import git_did, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.scene import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from drumline.team.shell.effect import Effect

    Given = Mapping[str, object]

_WRITES = frozenset(
    (
        *("write", "edit", "create", "delete", "remove", "move", "rename", "append", "save"),
        *("put", "update", "replace", "insert", "patch", "upload", "overwrite", "rewrite"),
        *("modify", "copy", "touch", "mkdir", "truncate", "unlink", "download", "extract"),
        *("chmod", "chown", "apply", "symlink", "link", "clear", "erase", "wipe", "restore"),
    )
)
_LOOKS = frozenset(
    (
        *("get", "list", "search", "read", "view", "show", "find", "status", "diff", "log"),
        *("blame", "compare", "describe", "check"),
    )
)
_HUBS = frozenset({"github", "gitlab", "gitea", "forgejo", "bitbucket", "hub"})
_LOCAL = frozenset({"git"})
_GIT = {
    "push": "push",
    "commit": "commit",
    "cherry": "commit",
    "revert": "commit",
    "merge": "commit",
    "rebase": "commit",
    "checkout": "work-tree",
    "switch": "work-tree",
    "restore": "work-tree",
    "reset": "work-tree",
    "stash": "work-tree",
    "pull": "work-tree",
    "branch": "ref",
    "tag": "ref",
    "config": "config",
    "add": "index",
    "stage": "index",
    "fetch": "fetch",
}
MORE_PATHS = ("source", "uri", "src", "dst", "newPath", "oldPath", "link", "link_path")
_CODE = ("script", "code", "commands")
_SHELL_WORDS = ("shell", "bash", "sh", "zsh", "terminal", "console", "command", "commands", "ssh")
# what runs code in a language, by the names people give the language
_INTERPRETERS = {
    **dict.fromkeys(_SHELL_WORDS, ("bash", "-c")),
    **dict.fromkeys(("python", "python3", "py", "ipython", "jupyter", "ide"), ("python3", "-c")),
    **dict.fromkeys(("node", "nodejs", "javascript", "typescript"), ("node", "-e")),
    **dict.fromkeys(("powershell", "pwsh"), ("pwsh", "-Command")),
    "ruby": ("ruby", "-e"),
    "perl": ("perl", "-e"),
    "php": ("php", "-r"),
}
_ELSEWHERE = frozenset({"browser", "page", "playwright", "puppeteer", "chrome", "devtools"})


def effects_by_name(tool: str, given: Given, cwd: str, paths: Iterable[str]) -> list[Effect]:
    """What the words of a tool's name say it does to the paths it is given, and to the repository."""
    words = words_of(tool.rpartition("__")[2])
    writes = any(word.removesuffix("files").removesuffix("file") in _WRITES for word in words)
    named = dict.fromkeys(paths)
    on_files = [wrote(path, "edit") if writes else did_read(path) for path in named]
    texts = [given.get("diff"), given.get("patch")] if writes else []
    changed = [path for text in texts if isinstance(text, str) for path in patched_text(text)]
    on_files += [wrote(joined(cwd, path), "edit") for path in changed]
    return [*on_files, *_on_git(tool, given, words)]


def code_by_name(tool: str, given: Given) -> list[list[str]]:
    """The interpreter and its words for code that a tool runs on this machine."""
    words = words_of(tool)
    if _ELSEWHERE & set(words):
        return []
    language = given.get("language")
    told = [language.lower()] if isinstance(language, str) else words
    start = next((_INTERPRETERS[word] for word in told if word in _INTERPRETERS), None)
    return [[*start, text] for text in _code(given)] if start else []


def _code(given: Given) -> Iterator[str]:
    for value in (given.get(name) for name in _CODE):
        listed = value if isinstance(value, list) else [value]
        yield from (text for text in listed if isinstance(text, str) and text)


def words_of(name: str) -> list[str]:
    """The words a name is made of: writeFile, write_file and write-file are alike."""
    apart = ""
    for before, letter in zip(f" {name}", name, strict=False):
        new = letter.isupper() and (before.islower() or before.isdigit())
        apart += f" {letter}" if new else letter if letter.isalnum() else " "
    return apart.lower().split()


def _on_git(tool: str, given: Given, words: list[str]) -> list[Effect]:
    """What a tool for git or its host does there, told by its first word that says something."""
    server = set(words_of(tool.rpartition("__")[0]))
    hosted = bool((server | set(words)) & _HUBS) or _is_request(words)
    if not hosted and not (server | set(words)) & _LOCAL and not _pushes_files(given, words):
        return []
    told = [word for word in words if word not in _LOCAL | _HUBS]
    if not told or told[0] in _LOOKS:
        return []
    shown = (tool,)
    if "push" in words:
        forced = given.get("force") is True or "force" in words
        return [git_did("force-push" if forced else "push", str(given.get("branch") or ""), shown)]
    if hosted:
        return [git_did("hub", "", shown)]
    found = next((_GIT[word] for word in told if word in _GIT), "")
    alone = found == "ref" and len(told) == 1  # `git_branch` lists them
    return [git_did(found, "", shown)] if found and not alone else []


def _is_request(words: list[str]) -> bool:
    return "request" in words and bool({"pull", "merge"} & set(words))


def _pushes_files(given: Given, words: list[str]) -> bool:
    named = {"files", "branch", "commits", "tags"} & {*words, *given}
    return bool({"push", "commit"} & set(words) and named) or words[:3] == [
        "create",
        "or",
        "update",
    ]
