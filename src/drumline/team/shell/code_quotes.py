"""Quotes that are more than a pair of marks: patterns, here-documents, `q{}`, `%w[]`, `[[ ]]`."""

from __future__ import annotations

from drumline.team.shell.code_lexer import CODE, END, MARK, PATTERN, SHELL, TEXT, WORD, WORDS
from drumline.team.shell.code_strings import (
    PAIRS,
    Unreadable,
    end_of_paired,
    end_of_text,
    filled,
    unquoted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.code_lexer import Lexer
    from drumline.team.shell.code_strings import Part

_MOST_MISSED_HERES = 2
_HERE_FLAGS = {"perl": {"~"}, "ruby": {"~", "-"}, "php": {" ", "\t"}}
_SUBSTITUTIONS = frozenset("s tr y".split())
_PATTERNS = frozenset("m qr".split())


def special(lexer: Lexer, letter: str) -> bool:
    """Whether a quote of this language's own kind stood here, and was read."""
    language = lexer.language
    if letter in language.sigils:
        return _sigil(lexer, letter)
    if letter == "/" and language.regexes and not _divides(lexer):
        return _pattern(lexer)
    if letter == "%" and language.percent_quotes:
        return _percent(lexer)
    if letter == "[" and language.long_brackets:
        return _long_text(lexer)
    here = letter == "<" and bool(language.here_mark) and _here(lexer)
    return here or (letter == ":" and _symbol(lexer))


def _sigil(lexer: Lexer, letter: str) -> bool:
    text, at = lexer.text, lexer.at
    if letter == "%" and lexer.follows_value():
        return False
    start = at + (2 if text[at + 1 : at + 2] in {"$", "@", "#"} else 1)
    end = _after_name(text, start)
    if end == start:
        return _punctuation_variable(lexer, letter)
    lexer.add(WORD, text[at:end], end)
    return True


def _punctuation_variable(lexer: Lexer, letter: str) -> bool:
    after = lexer.text[lexer.at + 1 : lexer.at + 2]
    if letter == "$" and after and after not in "{([ \t\n":
        lexer.add(WORD, letter + after, lexer.at + 2)
        return True
    return False


def _divides(lexer: Lexer) -> bool:
    if not lexer.follows_value():
        return False
    text, at = lexer.text, lexer.at
    spaced = text[at - 1 : at] == " " and text[at + 1 : at + 2] not in {" ", "="}
    return not (lexer.language.name == "ruby" and spaced and lexer.tokens[-1][0] == WORD)


def _pattern(lexer: Lexer) -> bool:
    if lexer.at < lexer.no_pattern_before:
        return False
    text, at = lexer.text, lexer.at + 1
    line = text.find("\n", at)
    line = len(text) if line < 0 else line
    inside_class = False
    while at < line and (inside_class or text[at] != "/"):
        if text[at] == "\\":
            at += 1
        elif text[at] in "[]":
            inside_class = text[at] == "[" and lexer.language.name == "javascript"
        at += 1
    if at >= line:
        lexer.no_pattern_before = line
        return False
    lexer.add(PATTERN, None, _after_letters(text, at + 1))
    return True


def _after_letters(text: str, at: int) -> int:
    while at < len(text) and text[at].isalpha():
        at += 1
    return at


def quote_word(lexer: Lexer, word: str, at: int) -> bool:
    """Whether a Perl quote such as `qq{…}` or `s/…/…/e` began with this word, and was read."""
    text = lexer.text
    if lexer.tokens and lexer.tokens[-1] in ((MARK, "->"), (MARK, "{")):
        return False
    start = at
    while start < len(text) and text[start] in " \t":
        start += 1
    opener = text[start : start + 1]
    if not _delimits(opener, spaced=start > at) or text.startswith("=>", start):
        return False
    end = end_of_paired(text, start + 1, opener)
    raw = text[start + 1 : end]
    if word in _SUBSTITUTIONS:
        _substitution(lexer, word, opener, end)
    elif word in _PATTERNS:
        lexer.add(PATTERN, None, _after_letters(text, end + 1))
    else:
        _quote_like(lexer, word, raw, opener)
        lexer.at = end + 1
    return True


def _delimits(opener: str, *, spaced: bool) -> bool:
    if not opener or opener.isalnum() or opener in "_,;)\n":
        return False
    return not (spaced and opener in "=#")


def _quote_like(lexer: Lexer, word: str, raw: str, opener: str) -> None:
    if word == "q":
        lexer.add(TEXT, (unquoted(raw, PAIRS.get(opener, opener)),), lexer.at)
    elif word == "qw":
        lexer.add(WORDS, raw.split(), lexer.at)
    else:
        parts: tuple[Part, ...] = filled(raw, lexer.language.fills, dollar=opener != "'")
        lexer.add(SHELL if word == "qx" else TEXT, parts, lexer.at)


def _substitution(lexer: Lexer, word: str, opener: str, end: int) -> None:
    """Both halves of a replacement; with `e` the second is code."""
    text = lexer.text
    start = end + 1
    if opener in PAIRS:
        while start < len(text) and text[start].isspace():
            start += 1
        opener = text[start : start + 1]
        start += 1
    if not opener:
        raise Unreadable
    stop = end_of_paired(text, start, opener)
    after = _after_letters(text, stop + 1)
    flags = text[stop + 1 : after]
    lexer.add(PATTERN, None, after)
    if word == "s" and "e" in flags:
        lexer.add(END, ";", after)
        code = f"eval({text[start:stop]})" if flags.count("e") > 1 else text[start:stop]
        lexer.add(CODE, code, after)


def _percent(lexer: Lexer) -> bool:
    """Ruby's `%w[…]`, `%x(…)` and their family."""
    text, at = lexer.text, lexer.at
    kind = text[at + 1 : at + 2]
    start = at + 2
    if not kind.isalpha():
        if lexer.follows_value() or (kind not in PAIRS and kind not in {"|", "!", "/"}):
            return False
        kind, start = "Q", at + 1
    opener = text[start : start + 1]
    if kind not in "qQwWiIxrs" or not opener or opener.isalnum() or opener.isspace():
        return False
    if lexer.follows_value() and opener not in PAIRS:
        return False
    end = end_of_paired(text, start + 1, opener)
    raw = text[start + 1 : end]
    if kind in "wWiI":
        lexer.add(WORDS, raw.split(), end + 1)
    elif kind in "qs":
        lexer.add(TEXT, (raw,), end + 1)
    else:
        parts = filled(raw, lexer.language.fills, dollar=False)
        lexer.add(SHELL if kind == "x" else TEXT, parts, end + 1)
    return True


def _here(lexer: Lexer) -> bool:
    """A here-document: its body is the constant, the line goes on after its name."""
    text, language = lexer.text, lexer.language
    if not text.startswith(language.here_mark, lexer.at) or lexer.fails > _MOST_MISSED_HERES:
        return False
    at = lexer.at + len(language.here_mark)
    while text[at : at + 1] in _HERE_FLAGS[language.name]:
        at += 1
    quote = text[at] if text[at : at + 1] in {"'", '"', "`"} else ""
    start = at + len(quote)
    after = _after_name(text, start)
    name = text[start:after]
    if not name or not (quote or name[0].isupper() or name[0] == "_"):
        return False
    found = _body(lexer, name, after)
    if found is None:
        lexer.fails += 1
        return False
    body, lexer.here = found
    parts = (body,) if quote == "'" else filled(body, language.fills, dollar=language.dollar)
    lexer.add(SHELL if quote == "`" else TEXT, parts, after + len(quote))
    return True


def _after_name(text: str, at: int) -> int:
    while at < len(text) and (text[at].isalnum() or text[at] == "_"):
        at += 1
    return at


def _body(lexer: Lexer, name: str, after: int) -> tuple[str, int] | None:
    """The lines up to the one that says the name, and where the code goes on."""
    text = lexer.text
    start = lexer.here if lexer.here >= 0 else text.find("\n", after) + 1
    if start <= 0:
        return None
    at = start
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop].strip()
        if line.startswith(name) and not line[len(name) : len(name) + 1].isalnum():
            return text[start:at], stop + 1
        at = stop + 1
    return None


def long_bracket(text: str, at: int) -> tuple[int, int] | None:
    """Where the letters of Lua's `[==[ … ]==]` begin and where it ends."""
    start = at + 1
    while text.startswith("=", start):
        start += 1
    if not text.startswith("[", start):
        return None
    closer = f"]{text[at + 1 : start]}]"
    end = text.find(closer, start + 1)
    if end < 0:
        raise Unreadable
    return start + 1, end + len(closer)


def _long_text(lexer: Lexer) -> bool:
    found = long_bracket(lexer.text, lexer.at)
    if found is None:
        return False
    start, end = found
    lexer.add(TEXT, (lexer.text[start : end - (start - lexer.at)],), end)
    return True


def raw_r(lexer: Lexer) -> None:
    """R's `r"(…)"`, where dashes may stand between quote and bracket."""
    text, quote = lexer.text, lexer.text[lexer.at]
    start = lexer.at + 1
    while text.startswith("-", start):
        start += 1
    opener = text[start : start + 1]
    if opener not in PAIRS or opener == "<":
        end = end_of_text(text, lexer.at + 1, quote)
        lexer.add(TEXT, (text[lexer.at + 1 : end],), end + 1)
        return
    closer = PAIRS[opener] + text[lexer.at + 1 : start] + quote
    end = text.find(closer, start)
    if end < 0:
        raise Unreadable
    lexer.add(TEXT, (text[start + 1 : end],), end + len(closer))


def _symbol(lexer: Lexer) -> bool:
    """Ruby's `:name` is a constant, Elixir's is a module or a constant."""
    text, at = lexer.text, lexer.at
    if lexer.language.name not in {"ruby", "elixir"} or text[at - 1 : at] == ":":
        return False
    if lexer.follows_value() and not text[at - 1 : at].isspace():
        return False
    end = _after_name(text, at + 1)
    if end == at + 1 or text[at + 1].isdigit():
        return False
    symbol = text[at + 1 : end]
    if lexer.language.name == "ruby":
        lexer.add(TEXT, (symbol,), end)
    else:
        lexer.add(WORD, symbol, end)
    return True
