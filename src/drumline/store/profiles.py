"""Agent profiles, skills and always-loaded texts, as they lie in a repository."""

from collections.abc import Iterator
from pathlib import Path

from drumline.store.manifests import SIZE_CAP, read_text
from drumline.store.regular import NotReadable, read_regular
from drumline.team.always_loaded import LoadedText
from drumline.team.document import Node, Problem, Reading, shown
from drumline.team.sheet import Sheet

INSTRUCTIONS = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
MEMORIES = (
    "MEMORY.md",
    "memory/MEMORY.md",
    ".claude/MEMORY.md",
    ".claude/agent-memory/*/MEMORY.md",
    ".claude/agent-memory-local/*/MEMORY.md",
)
TEXT_CAP = 4 * 1024 * 1024
FENCE = "---"


def agents(root: Path) -> list[Sheet]:
    return [read_sheet(root, path, path.stem) for path in _found(root, ".claude/agents/*.md")]


def skills(root: Path) -> list[Sheet]:
    return [
        read_sheet(root, path, path.parent.name)
        for path in _found(root, ".claude/skills/*/SKILL.md")
    ]


def loaded_texts(root: Path) -> list[LoadedText]:
    """What every session in this repository carries; a rule with `paths` is loaded only at need."""
    texts = [_text(root, root / name, "instructions") for name in INSTRUCTIONS]
    texts += [
        _text(root, path, "rules")
        for path in _found(root, ".claude/rules/**/*.md")
        if not read_sheet(root, path, path.stem).field("paths")
    ]
    texts += [_text(root, path, "memory") for glob in MEMORIES for path in _found(root, glob)]
    return [text for text in texts if text.characters]


def read_sheet(root: Path, path: Path, name: str) -> Sheet:
    """A Markdown file taken apart; what is wrong with it is kept, not raised."""
    file = path.relative_to(root).as_posix()
    try:
        raw = read_regular(path, cap=SIZE_CAP)
    except NotReadable as error:
        return _unread(file, name, str(error), "a readable file")
    if len(raw) > SIZE_CAP:
        return _unread(file, name, f"more than {SIZE_CAP:,} bytes", "a smaller file")
    try:
        lines = raw.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        return _unread(file, name, "bytes that are not UTF-8", "UTF-8 text")
    if lines[0].rstrip() != FENCE:
        return Sheet(file=file, name=name, head=Reading(Node({}, 1)), body="\n".join(lines))
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == FENCE), None)
    if end is None:
        return _unread(file, name, f"a head that is never closed by {FENCE}", "a closed head")
    return Sheet(
        file=file, name=name, head=_head("\n".join(lines[1:end])), body="\n".join(lines[end + 1 :])
    )


def _head(text: str) -> Reading:
    if not text.strip():
        return Reading(Node({}, 1))
    reading = read_text(text, first_line=2)
    if reading.root is None or isinstance(reading.root.value, dict):
        return reading
    problem = Problem(2, "", shown(reading.root.value), "fields, such as name: tester")
    return Reading(None, (*reading.problems, problem))


def _unread(file: str, name: str, found: str, allowed: str) -> Sheet:
    return Sheet(file=file, name=name, head=Reading(None, (Problem(1, "", found, allowed),)))


def _text(root: Path, path: Path, kind: str) -> LoadedText:
    try:
        text = read_regular(path, cap=TEXT_CAP).decode("utf-8", "replace")
    except NotReadable:
        text = ""
    return LoadedText(
        file=path.relative_to(root).as_posix(),
        kind=kind,
        characters=len(text),
        lines=len(text.splitlines()),
    )


def _found(root: Path, glob: str) -> Iterator[Path]:
    yield from sorted(root.glob(glob))
