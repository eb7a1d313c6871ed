"""How each language cuts its text: comments, quotes, and what joins or fills a string."""

from __future__ import annotations

_C_BLOCK = (("/*", "*/"),)
_DOLLAR_BRACE = (("${", "}"),)


class Language:
    """Letters of one language, where they differ from the others."""

    name = ""
    keywords: frozenset[str] = frozenset()
    comments: tuple[str, ...] = ("#",)
    blocks: tuple[tuple[str, str], ...] = ()
    texts = "'\""  # quotes of a string
    plain = ""  # those whose strings only know `\\` and the quote itself
    doubled = ""  # those that are written twice to stand for themselves
    characters = ""  # those that hold one letter only
    shells = ""  # quotes of a command
    names = ""  # quotes of a name
    triples: tuple[str, ...] = ()
    prefixes: frozenset[str] = frozenset()  # letters that may stand before a quote
    fills: tuple[tuple[str, str], ...] = ()  # what stands around code inside a string
    dollar = False  # whether `$name` fills a string
    joins = frozenset("+")  # what joins two strings
    adjacent = False  # whether strings that follow one another are one
    letters = "_"  # what belongs to a name beside letters and digits
    sigils = ""  # what may begin a name
    regexes = False  # whether `/…/` is a pattern
    quote_words: frozenset[str] = frozenset()
    percent_quotes = False
    here_mark = ""
    manual_end = ""  # what ends a manual that a line with `=` began
    symbols = False  # whether `:name` is a constant
    ends_lines = False  # whether a line end inside braces means nothing
    bare_keys = False  # whether a name before `:` or `=>` stands for itself
    parenless = False  # whether a call may go without brackets
    juxtaposed = False  # whether arguments follow one another without commas
    named_by = ""  # the mark that names an argument in a call
    loose_blocks = False  # whether blocks are closed by words, not by brackets
    sequence_is_last = False  # whether `(a, b)` stands for b
    long_brackets = False
    tagged = False  # whether a string right after a name is its argument
    assigns: frozenset[str] = frozenset({"=", ":="})
    calls_texts = False  # whether a string may be called by what it says


class Python(Language):
    name = "python"
    keywords = frozenset(
        "if elif while with try return await async yield global nonlocal assert except"
        " finally class raise pass break continue lambda for in del as import from def".split()
    )
    triples = ("'''", '"""')
    prefixes = frozenset("r b u f t br rb fr rf tr rt".split())
    adjacent = True
    ends_lines = True
    named_by = "="


class JavaScript(Language):
    name = "javascript"
    keywords = frozenset(
        "if while switch case try return await async yield const let var new static class"
        " throw catch finally do export default for in of delete typeof void function import"
        " break continue extends require".split()
    )
    comments = ("//",)
    blocks = _C_BLOCK
    texts = "'\"`"
    fills = _DOLLAR_BRACE
    letters = "_$"
    sigils = "#"
    bare_keys = True
    regexes = True
    sequence_is_last = True
    tagged = True


class Perl(Language):
    name = "perl"
    keywords = frozenset(
        "if elsif unless while until return my our local foreach for sub use no package do"
        " delete last next require".split()
    )
    plain = "'"
    shells = "`"
    fills = (("@{", "}"), ("${", "}"))
    dollar = True
    joins = frozenset(".")
    sigils = "$@%"
    regexes = True
    quote_words = frozenset("q qq qw qx m qr s tr y".split())
    here_mark = "<<"
    manual_end = "=cut"
    parenless = True


class Ruby(Language):
    name = "ruby"
    keywords = frozenset(
        "if elsif unless while until return begin end rescue ensure class module do then"
        " yield for in def case when raise require".split()
    )
    plain = "'"
    shells = "`"
    fills = (("#{", "}"),)
    adjacent = True
    letters = "_?!"
    sigils = "$@"
    bare_keys = True
    regexes = True
    percent_quotes = True
    here_mark = "<<"
    manual_end = "=end"
    symbols = True
    parenless = True
    named_by = ":"
    loose_blocks = True


class Php(Language):
    name = "php"
    keywords = frozenset(
        "if elseif while return new global static function foreach for as use namespace echo"
        " print unset try catch class public private protected switch case throw".split()
    )
    comments = ("#", "//")
    blocks = _C_BLOCK
    plain = "'"
    shells = "`"
    fills = (("{$", "}"), ("${", "}"))
    dollar = True
    joins = frozenset(".")
    sigils = "$"
    here_mark = "<<<"
    calls_texts = True


class Lua(Language):
    name = "lua"
    keywords = frozenset(
        "if then elseif while do end return local function for in repeat until".split()
    )
    comments = ("--",)
    joins = frozenset({".."})
    long_brackets = True
    tagged = True
    loose_blocks = True


class R(Language):
    name = "r"
    keywords = frozenset("if while for in function return repeat".split())
    names = "`"
    letters = "._"
    joins = frozenset()
    named_by = "="
    prefixes = frozenset("rR")
    assigns = frozenset({"=", "<-"})


class Julia(Language):
    name = "julia"
    keywords = frozenset(
        "if elseif while for in begin end return let global local const function do try catch"
        " using import".split()
    )
    blocks = (("#=", "=#"),)
    texts = '"'
    shells = "`"
    characters = "'"
    triples = ('"""',)
    prefixes = frozenset({"raw"})
    fills = (("$(", ")"),)
    dollar = True
    joins = frozenset("*")
    letters = "_!"
    named_by = "="
    loose_blocks = True


class Groovy(Language):
    name = "groovy"
    keywords = frozenset(
        "if while for in return new def try catch class import switch case".split()
    )
    comments = ("//",)
    blocks = _C_BLOCK
    triples = ("'''", '"""')
    fills = _DOLLAR_BRACE
    dollar = True
    bare_keys = True
    regexes = True
    parenless = True
    named_by = ":"


class Elixir(Language):
    name = "elixir"
    keywords = frozenset("if unless do end def defp case cond fn when import require".split())
    triples = ("'''", '"""')
    fills = (("#{", "}"),)
    joins = frozenset({"<>", "++"})
    letters = "_!?"
    parenless = True
    loose_blocks = True


class Haskell(Language):
    name = "haskell"
    keywords = frozenset("do let in where if then import".split())
    comments = ("--",)
    blocks = (("{-", "-}"),)
    texts = '"'
    characters = "'"
    joins = frozenset({"++", "<>"})
    letters = "_'"
    parenless = True
    juxtaposed = True


class Scala(Language):
    name = "scala"
    keywords = frozenset(
        "if while for return new def val var try catch class import case object".split()
    )
    comments = ("//",)
    blocks = _C_BLOCK
    texts = '"'
    characters = "'"
    triples = ('"""',)
    prefixes = frozenset({"s", "f", "raw"})
    fills = _DOLLAR_BRACE
    dollar = True
    named_by = "="


class AppleScript(Language):
    name = "applescript"
    keywords = frozenset("if then end repeat set to tell return do shell".split())
    comments = ("--", "#")
    blocks = (("(*", "*)"),)
    texts = '"'
    joins = frozenset("&")
    parenless = True
    loose_blocks = True


LANGUAGES: dict[str, type[Language]] = {
    language.name: language
    for language in (
        Python,
        JavaScript,
        Perl,
        Ruby,
        Php,
        Lua,
        R,
        Julia,
        Groovy,
        Elixir,
        Haskell,
        Scala,
        AppleScript,
    )
}
