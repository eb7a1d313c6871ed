"""Code cut into tokens, once, from left to right."""

from __future__ import annotations

from drumline.team.shell import code_quotes
from drumline.team.shell.code_lexer import (
    END,
    MARK,
    MOST_TOKENS,
    NUMBER,
    SHELL,
    TEXT,
    WORD,
    Lexer,
    TooLong,
)
from drumline.team.shell.code_strings import Unreadable, end_of_text, filled, unescaped, unquoted
from drumline.team.shell.effect import MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.code_language import Language
    from drumline.team.shell.code_lexer import Token
    from drumline.team.shell.code_strings import Part

_LONG_MARKS = frozenset("**= === !== ... <=> ||= &&= ??= //= >>> <<=".split())
_MARKS = frozenset(
    "=> -> :: == != <= >= += -= .= *= /= |= &= %= := || && ?? ?. &. =~ !~ .. <- << >> ** ++ --"
    " // |> <> ~> ^=".split()
)


def tokens_of(text: str, language: type[Language]) -> list[Token]:
    """The tokens of a text; a text that cannot be read, or is too long, raises."""
    lexer = Lexer(text, language)
    size = len(text)
    while lexer.at < size:
        letter = text[lexer.at]
        if letter in " \t\r\f\v":
            lexer.at += 1
        elif letter.isalpha() or letter in language.letters or letter in MARKS:
            _word(lexer)
        elif letter == "\n":
            _line_end(lexer)
        elif letter.isdigit():
            _number(lexer)
        elif not _skipped_or_quoted(lexer, letter):
            _mark(lexer, letter)
        if len(lexer.tokens) > MOST_TOKENS:
            raise TooLong
    return lexer.tokens


def _skipped_or_quoted(lexer: Lexer, letter: str) -> bool:
    return _comment(lexer) or _quoted(lexer, letter) or code_quotes.special(lexer, letter)


def _line_end(lexer: Lexer) -> None:
    at = lexer.at + 1
    if lexer.here >= 0:
        at, lexer.here = lexer.here, -1
    end = lexer.language.manual_end
    if end and lexer.text.startswith("=", at) and lexer.text[at + 1 : at + 2].isalpha():
        stop = lexer.text.find(f"\n{end}", at)
        at = len(lexer.text) if stop < 0 else stop + 1 + len(end)
    indented = lexer.text.startswith((" ", "\t"), at)
    lexer.add(END, "\n " if indented else "\n", at)


def _word(lexer: Lexer) -> None:
    text, at, letters = lexer.text, lexer.at, lexer.language.letters
    end = at + 1
    size = len(text)
    while end < size and (text[end].isalnum() or text[end] in letters or text[end] in MARKS):
        end += 1
    word = text[at:end]
    if end < size and text[end] in "'\"" and word.lower() in lexer.language.prefixes:
        lexer.at = end
        _prefixed(lexer, word.lower())
    elif word in {"__END__", "__DATA__"}:
        lexer.at = size
    elif not (word in lexer.language.quote_words and code_quotes.quote_word(lexer, word, end)):
        lexer.add(WORD, word if word.isascii() else _normal(word), end)


def _normal(word: str) -> str:
    """The name Python sees: letters of other widths and styles are the plain ones."""
    from unicodedata import normalize

    return normalize("NFKC", word)


def _number(lexer: Lexer) -> None:
    text, at = lexer.text, lexer.at
    end = at + 1
    while end < len(text) and (
        text[end].isalnum() or text[end] == "_" or _is_point(text, end, lexer.language.name)
    ):
        end += 1
    lexer.add(NUMBER, text[at:end], end)


def _is_point(text: str, at: int, name: str) -> bool:
    return text[at] == "." and text[at + 1 : at + 2].isdigit() and name not in {"perl", "php"}


def _mark(lexer: Lexer, letter: str) -> None:
    text, at = lexer.text, lexer.at
    if letter == ";":
        lexer.add(END, ";", at + 1)
    elif letter == "\\":
        _backslash(lexer)
    elif text[at : at + 3] in _LONG_MARKS:
        lexer.add(MARK, text[at : at + 3], at + 3)
    elif text[at : at + 2] in _MARKS:
        lexer.add(MARK, text[at : at + 2], at + 2)
    else:
        lexer.add(MARK, letter, at + 1)


def _backslash(lexer: Lexer) -> None:
    if lexer.text.startswith("\n", lexer.at + 1):
        lexer.at += 2
    elif lexer.language.name == "javascript":
        raise Unreadable  # a name spelled with escapes
    else:
        lexer.add(MARK, "\\", lexer.at + 1)


def _comment(lexer: Lexer) -> bool:
    text, at, language = lexer.text, lexer.at, lexer.language
    for opener, closer in language.blocks:
        if text.startswith(opener, at):
            end = text.find(closer, at + len(opener))
            if end < 0:
                raise Unreadable
            lexer.at = end + len(closer)
            return True
    if language.long_brackets and text.startswith("--[", at):
        found = code_quotes.long_bracket(text, at + 2)
        if found is not None:
            lexer.at = found[1]
            return True
    if not text.startswith(language.comments, at) or _is_private(lexer):
        return False
    end = text.find("\n", at)
    lexer.at = len(text) if end < 0 else end
    return True


def _is_private(lexer: Lexer) -> bool:
    return lexer.language.name == "php" and lexer.text.startswith("#[", lexer.at)


def _quoted(lexer: Lexer, letter: str) -> bool:
    language = lexer.language
    if letter in language.characters:
        _character(lexer, letter)
    elif letter in language.names:
        end = end_of_text(lexer.text, lexer.at + 1, letter)
        lexer.add(WORD, lexer.text[lexer.at + 1 : end], end + 1)
    elif letter in language.shells:
        end = end_of_text(lexer.text, lexer.at + 1, letter, _nesting(language))
        raw = lexer.text[lexer.at + 1 : end]
        lexer.add(SHELL, filled(raw, language.fills, dollar=language.dollar), end + 1)
    elif letter in language.texts:
        _string(lexer, letter)
    else:
        return False
    return True


def _character(lexer: Lexer, letter: str) -> None:
    """`'x'` is a constant; alone the quote is a mark of its language."""
    text, at = lexer.text, lexer.at
    width = 4 if text.startswith("\\", at + 1) else 3
    end = text.find(letter, at + 2, at + width)
    if end < 0:
        lexer.add(MARK, letter, at + 1)
    else:
        lexer.add(TEXT, (text[at + 1 : end],), end + 1)


def _nesting(language: type[Language]) -> tuple[tuple[str, str], ...]:
    """What may hold the closing quote itself; Perl and PHP look for the quote first."""
    return () if language.name in {"perl", "php"} else language.fills


def _string(lexer: Lexer, letter: str) -> None:
    language = lexer.language
    quote = _opening(lexer, letter)
    start = lexer.at + len(quote)
    if letter in language.plain:
        end = end_of_text(lexer.text, start, quote)
        lexer.add(TEXT, (unquoted(lexer.text[start:end], letter),), end + len(quote))
        return
    fills = language.fills if _takes_fills(language, letter) else ()
    end = end_of_text(lexer.text, start, quote, _nesting(language) if fills else ())
    raw = lexer.text[start:end]
    dollar = language.dollar and not (language.name == "groovy" and letter == "'")
    parts: tuple[Part, ...] = (
        filled(raw, fills, dollar=dollar) if fills or dollar else (unescaped(raw),)
    )
    lexer.add(TEXT, parts, end + len(quote))


def _takes_fills(language: type[Language], letter: str) -> bool:
    if language.name == "javascript":
        return letter == "`"
    return letter == '"' or language.name == "elixir"


def _opening(lexer: Lexer, letter: str) -> str:
    for triple in lexer.language.triples:
        if triple[0] == letter and lexer.text.startswith(triple, lexer.at):
            return triple
    return letter


def _prefixed(lexer: Lexer, prefix: str) -> None:
    """A string with letters before its quote: raw, bytes or filled."""
    if lexer.language.name == "r":
        code_quotes.raw_r(lexer)
        return
    text = lexer.text
    quote = _opening(lexer, text[lexer.at])
    start = lexer.at + len(quote)
    fills: tuple[tuple[str, str], ...] = ()
    if "f" in prefix or "t" in prefix:
        fills = (("{", "}"),)
    if prefix == "s":
        fills = lexer.language.fills
    end = end_of_text(text, start, quote, fills)
    raw = text[start:end]
    if "r" in prefix:
        raw = raw.replace("\\", "\\\\")
    parts = filled(raw, fills, dollar=prefix == "s")
    doubled = "{" in fills[0] if fills else False
    lexer.add(TEXT, _single(parts) if doubled else parts, end + len(quote))


def _single(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part.replace("}}", "}") if isinstance(part, str) else part for part in parts)
