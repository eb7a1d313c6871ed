"""What every session pays before its first word: text that is always loaded, and its limits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from drumline.team.finding import Finding, Level

MEMORY_LINES = 200
MEMORY = "MEMORY.md"
LETTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedText:
    """A file that is put into every session: instructions, a rule or a memory."""

    file: str
    kind: str
    characters: int
    lines: int


def loaded_findings(texts: Sequence[LoadedText]) -> Iterator[Finding]:
    """Memories that grew too long, and what all of it costs together."""
    for text in texts:
        if text.file.rpartition("/")[2] == MEMORY and text.lines > MEMORY_LINES:
            said = f"{text.lines} lines, the limit is {MEMORY_LINES}: move detail into files of its own"
            yield Finding(level=Level.WARNING, file=text.file, line=MEMORY_LINES + 1, message=said)
    total = sum(text.characters for text in texts)
    if total:
        said = (
            f"always loaded: {total:,} characters, about {total // LETTERS_PER_TOKEN:,} tokens"
            f" in every session ({', '.join(_shares(texts))})"
        )
        yield Finding(level=Level.NOTE, file=max(texts, key=_weight).file, message=said)


def _shares(texts: Sequence[LoadedText]) -> Iterator[str]:
    for kind in dict.fromkeys(text.kind for text in texts):
        yield f"{kind} {sum(text.characters for text in texts if text.kind == kind):,}"


def _weight(text: LoadedText) -> int:
    return text.characters
