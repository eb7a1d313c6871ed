"""SQL cut into statements, with strings and comments taken out, and what the statements do."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_READERS = frozenset(
    "select explain pragma show describe desc values begin commit rollback end use analyze savepoint"
    " release table from summarize help".split()
)
_DROPPED = frozenset("table database schema keyspace collection".split())
_WRITING_WORDS = frozenset("insert update delete replace create drop alter truncate merge".split())
_MODIFIERS = frozenset("low_priority quick ignore".split())
_MOST_WORDS = 6
_READ_CALLS = frozenset(
    "readfile fsdir load_file pg_read_file pg_read_binary_file read_csv read_csv_auto read_text"
    " read_blob read_json read_json_auto read_parquet lo_import".split()
)
_STOPS = "'\"`[-/#;"
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_$.")} | {
    ord("("): " ( ",
    ord("="): " = ",
}
_DESTROYERS = frozenset({"drop", "truncate", "delete"})


def statements(text: str) -> list[list[str]]:
    """The words of every statement, in small letters; a string is one word with a quote before it."""
    found: list[list[str]] = [[]]
    at, size, stops = 0, len(text), dict.fromkeys(_STOPS, -1)
    while at < size:
        end = _next_stop(text, at, stops)
        found[-1].extend(_words(text[at:end]))
        if end < size and text[end] == ";":
            found.append([])
            at = end + 1
        else:
            at = _after_quoted(text, end, found[-1]) if end < size else size
    return [words for words in found if words]


def _next_stop(text: str, at: int, stops: dict[str, int]) -> int:
    """Where a statement, a string or a comment begins or ends next; each mark is looked for once."""
    size = len(text)
    for mark, place in stops.items():
        if place < at:
            found = text.find(mark, at)
            stops[mark] = size if found < 0 else found
    return min(stops.values())


def _words(text: str) -> list[str]:
    """The words of a text without strings; `(` and `=` count as words."""
    plain = text.translate(_APART) if text.isascii() else _spaced(text)
    return [word for each in plain.lower().split() if (word := each.lstrip(".") or each) != "."]


def _spaced(text: str) -> str:
    return "".join(
        letter if letter.isalnum() or letter in "_$." else _APART.get(ord(letter), " ")
        for letter in text
    )


def _after_quoted(text: str, at: int, words: list[str]) -> int:
    """Past a comment or a string; a comment MySQL runs is read as what it says."""
    letter = text[at]
    if letter in "-/":
        return _after_comment(text, at)
    if letter == "#":
        return _line_end(text, at)
    end = text.find("]" if letter == "[" else letter, at + 1)
    end = len(text) if end < 0 else end
    words.append(f"'{text[at + 1 : end]}")
    return end + 1


def _after_comment(text: str, at: int) -> int:
    following = text[at + 1 : at + 3]
    if text[at] == "-":
        return _line_end(text, at) if following[:1] == "-" else at + 1
    if following == "*!":
        return _after_digits(text, at + 3)
    if following[:1] != "*":
        return at + 1
    end = text.find("*/", at + 2)
    return len(text) if end < 0 else end + 2


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _after_digits(text: str, at: int) -> int:
    while text[at : at + 1].isdigit():
        at += 1
    return at


def destroyed(given: Sequence[Sequence[str]]) -> list[str]:
    """The first words of each statement that destroys data."""
    found = []
    for words in given:
        start = _destroying(words)
        if start is not None:
            said = words[start : start + _MOST_WORDS]
            found.append(" ".join("'…'" if word.startswith("'") else word for word in said))
    return found


def _destroying(words: Sequence[str]) -> int | None:
    """Where the destroying part of a statement begins: it may stand behind `with …` or `explain`."""
    for at, word in enumerate(words):
        if word not in _DESTROYERS or (at and not _may_follow(words, at)):
            continue
        if _destroys(word, words[at + 1 : at + 4]) and not _limited(word, words[at:]):
            return at
    return None


def _may_follow(words: Sequence[str], at: int) -> bool:
    """Whether a statement may begin inside another: after a bracket, `begin`, `then` or `do`."""
    return words[0] in {"with", "explain", "begin", "create", "do", "alter"} or words[at - 1] in {
        "(",
        "begin",
        "then",
        "do",
        "else",
    }


def _destroys(word: str, following: Sequence[str]) -> bool:
    following = [each for each in following if each not in _MODIFIERS]
    if word == "drop":
        return not _DROPPED.isdisjoint(following[:2]) and following[0] != "temporary"
    if word == "truncate":
        return bool(following) and following[0] != "("
    return word == "delete" and bool(following) and following[0] == "from"


def _limited(word: str, words: Sequence[str]) -> bool:
    """Whether a delete says which rows, by more than a condition that always holds."""
    if word != "delete" or "where" not in words:
        return False
    condition = words[words.index("where") + 1 :]
    return bool(condition) and condition[0] not in {"1", "true", "'1", "(", "not", "0"}


def reached(given: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Files that statements write (`write`), and commands they run (`run`), by name."""
    found: list[tuple[str, str]] = []
    for words in given:
        for at, target in enumerate(words[1:]):
            if not target.startswith("'"):
                continue
            if words[at] == "program":
                found.append(("run", target[1:]))
            elif _names_file(words, at):
                found.append(("write", target[1:]))
    return found


def read_files(given: Sequence[Sequence[str]]) -> list[str]:
    """Files that statements read by name: `readfile('x')`, `copy t from 'x'`, `read_csv('x')`."""
    found = []
    for words in given:
        for at, target in enumerate(words[1:]):
            before = words[at - 1] if at else ""
            reads = words[at] == "(" and before in _READ_CALLS
            copied = words[at] in {"from", "infile"} and words[0] in {
                "copy",
                "load",
                "from",
                "select",
            }
            if target.startswith("'") and (reads or copied):
                found.append(target[1:])
    return found


def _names_file(words: Sequence[str], at: int) -> bool:
    word, first = words[at], words[0]
    if word in {"outfile", "dumpfile"} or (word == "(" and words[at - 1] == "writefile"):
        return True
    if first == "copy":
        return word == "to"
    if first in {"vacuum", "attach", "export"}:
        return word in {"into", "attach", "database"}
    return False


def only_reads(given: Sequence[Sequence[str]]) -> bool:
    """Whether no statement changes anything."""
    return all(_reads(words) for words in given)


def _reads(words: Sequence[str]) -> bool:
    if words[0] == "pragma":
        return "=" not in words
    if words[0] == "with":
        return not _WRITING_WORDS.intersection(words)
    if words[0] in {"select", "from", "explain"}:
        return "into" not in words
    return words[0] in _READERS or words[0] == "("
