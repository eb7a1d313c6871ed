"""The tables of one language: what its calls do, by their names."""

from __future__ import annotations

from drumline.team.shell import (
    code_names_compiled,
    code_names_javascript,
    code_names_perl,
    code_names_python,
    code_names_ruby,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.code_language import Language

_SOURCES: dict[str, dict[str, str]] = {
    "python": code_names_python.TABLES,
    "javascript": code_names_javascript.TABLES,
    "perl": code_names_perl.PERL,
    "php": code_names_perl.PHP,
    "ruby": code_names_ruby.RUBY,
    "elixir": code_names_ruby.ELIXIR,
    "lua": code_names_perl.LUA,
    "r": code_names_perl.R,
    "julia": code_names_ruby.JULIA,
    "groovy": code_names_compiled.GROOVY,
    "scala": code_names_compiled.GROOVY,
    "haskell": code_names_compiled.HASKELL,
    "applescript": code_names_compiled.APPLESCRIPT,
}


class Tables:
    """Names and what they do: by the whole name, by its last part, or on a value."""

    __slots__ = (
        "anywhere",
        "constants",
        "environments",
        "environments_by_member",
        "exact",
        "globbers",
        "list_methods",
        "methods",
        "on_topic",
        "path_methods",
        "properties",
        "senders",
    )

    def __init__(self, source: dict[str, str]) -> None:
        self.exact = rows(source.get("exact", ""))
        self.anywhere = rows(source.get("anywhere", ""))
        self.methods = rows(source.get("methods", ""))
        self.path_methods = rows(source.get("path_methods", ""))
        self.list_methods = rows(source.get("list_methods", ""))
        self.properties = rows(source.get("properties", ""))
        self.environments = frozenset(source.get("environments", "").split())
        self.environments_by_member = frozenset(source.get("environments_by_member", "").split())
        self.on_topic = frozenset(source.get("on_topic", "").split())
        self.globbers = frozenset(source.get("globbers", "").split())
        pairs = (pair.partition("=") for pair in source.get("constants", "").split())
        self.constants = {name: value for name, _, value in pairs}
        self.senders = frozenset(source.get("senders", "").split())


_MADE: dict[str, Tables] = {}


def tables_of(language: type[Language]) -> Tables:
    """A language's tables, made when its first code is read."""
    tables = _MADE.get(language.name)
    if tables is None:
        tables = _MADE[language.name] = Tables(_SOURCES.get(language.name, {}))
    return tables


def rows(text: str) -> dict[str, str]:
    """Rows such as `delete 0 = os.remove os.unlink` as a dictionary by name."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        spec, _, names = line.partition(" = ")
        found.update(dict.fromkeys(names.split(), spec.strip()))
    return found
