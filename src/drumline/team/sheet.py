"""A Markdown file with a YAML head, as agent profiles, skills and rules are written."""

from collections.abc import Iterator
from dataclasses import dataclass

from drumline.team.document import Node, Reading, shown
from drumline.team.fields import likeliest
from drumline.team.finding import Finding, Level
from drumline.team.tools import split


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A file, what its head says, and the text below; `name` is what its place calls it."""

    file: str
    name: str
    head: Reading
    body: str = ""

    def field(self, name: str) -> Node | None:
        return self.head.root.fields().get(name) if self.head.root else None

    def line(self, name: str) -> int:
        found = self.field(name)
        return found.line if found else 1

    def text(self, name: str) -> str:
        """A field as words; a number or a switch reads as it was meant."""
        found = self.field(name)
        if found is None or found.value is None:
            return ""
        return found.value if isinstance(found.value, str) else shown(found.value)

    def flag(self, name: str) -> bool:
        return self.text(name).strip().lower() == "true"

    def words(self, name: str) -> tuple[str, ...]:
        """A field that may be a list or one comma-separated line."""
        found = self.field(name)
        if found is None:
            return ()
        if isinstance(found.value, str):
            return split(found.value)
        return tuple(item.value for item in found.items() if isinstance(item.value, str))


def head_findings(
    sheet: Sheet, known: tuple[str, ...], needed: tuple[str, ...]
) -> Iterator[Finding]:
    """What is wrong with a head: not YAML, unknown fields, missing ones."""
    for problem in sheet.head.problems:
        yield _warn(
            sheet, problem.line, problem.field, f"its head cannot be read: {problem.sentence}"
        )
    if sheet.head.root is None:
        return
    fields = sheet.head.root.fields()
    for name, node in fields.items():
        if name not in known:
            close = likeliest(name, known)
            hint = f"did you mean {close}?" if close else f"known: {', '.join(known)}"
            said = f"unknown field {shown(name)}; {hint}"
            yield _warn(sheet, node.line, name, said)
    for name in needed:
        if not sheet.text(name).strip():
            yield _warn(sheet, sheet.line(name), name, f"it has no {name}")


def _warn(sheet: Sheet, line: int, field: str, message: str) -> Finding:
    return Finding(level=Level.WARNING, file=sheet.file, line=line, field=field, message=message)
