"""Index and summary files as they lie on disk, whoever wrote them: read safely, and checked."""

from itertools import islice
from os import walk
from pathlib import Path
from typing import NamedTuple

from drumline.store.manifests import SIZE_CAP, read_text
from drumline.store.regular import NotReadable, read_regular
from drumline.team.document import Problem
from drumline.team.handoff_check import Checked, check_index, check_summary, compare
from drumline.team.handoff_text import FULL, INDEX, SUMMARY

MOST_FOLDERS = 10_000
KINDS = {".yaml": check_index, ".yml": check_index, ".md": check_summary}


class Violation(NamedTuple):
    """One thing wrong with a file."""

    file: str
    problem: Problem

    def __str__(self) -> str:
        return self.problem.at(self.file)


def check(path: Path) -> list[Violation]:
    """Everything wrong with a file, with a member's folder, or with all such folders below one."""
    if not path.is_dir():
        return _told(path, _checked(path).problems)
    places = list(islice(walk(path), MOST_FOLDERS + 1))
    folders = [Path(place) for place, _, files in places if {INDEX, SUMMARY} & set(files)]
    found = [each for folder in folders or [path] for each in _folder(folder)]
    if len(places) > MOST_FOLDERS:
        said = f"more than {MOST_FOLDERS:,} folders"
        found += _told(path, [Problem(1, "", said, "a folder nearer to the files")])
    return found


def _folder(folder: Path) -> list[Violation]:
    index, summary = folder / INDEX, folder / SUMMARY
    first, second = _checked(index), _checked(summary)
    found = [*_told(index, first.problems), *_told(summary, second.problems)]
    if not found:
        found = _told(summary, compare(first.said, second.said))
    full = first.said.get("full", ())
    names = [name for name in full if name] if isinstance(full, tuple) else []
    lost = [name for name in names if not (folder / FULL / str(name)).is_file()]
    return found + _told(
        index,
        [Problem(1, "full", f"no file {FULL}/{name}", "files that are there") for name in lost],
    )


def _checked(path: Path) -> Checked:
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        names = f"an index ({INDEX}) or a summary ({SUMMARY})"
        return _hopeless("a file of another kind", names)
    try:
        raw = read_regular(path, cap=SIZE_CAP)
    except NotReadable as error:
        return _hopeless(str(error), "a readable file")
    if len(raw) > SIZE_CAP:
        return _hopeless(f"more than {SIZE_CAP:,} bytes", "a smaller file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        found = f"the byte {raw[error.start]:#04x}, which is not UTF-8"
        return Checked((Problem(line, "", found, "UTF-8 text"),), {})
    return kind(text.replace("\r\n", "\n"), read_text)


def _hopeless(found: str, allowed: str) -> Checked:
    return Checked((Problem(1, "", found, allowed),), {})


def _told(path: Path, problems: tuple[Problem, ...] | list[Problem]) -> list[Violation]:
    return [Violation(str(path), problem) for problem in problems]
