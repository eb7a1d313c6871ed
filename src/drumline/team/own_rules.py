"""What a team's own registry may not do: weaken what protects everyone, misname a setting, test nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from drumline.team.document import Node, Problem, shown
from drumline.team.fields import joined, likeliest

PROTECTING = ("protected_files", "protected_branches", "system_zone", "own_state", "git_internals")
SPARING = {"unprotected_files": "protected_files", "own_state_open": "own_state"}
ADDED_TO = (*PROTECTING, *SPARING)  # a team's list is put to the built-in one, never in its place
OURS = ("temporary",)  # where recursive deletes do no harm is this machine's business, not a team's
CHOICES = {"tracker_access": ("lead_only", "all")}
TESTING = (
    *("tool", "skill", "input", "tools_list", "unverified", "write", "read", "delete_tree"),
    *("outside", "in_project", "program", "git", "identity", "danger", "undecided"),
    "lost_server",
    *("spawn", "reads_only"),
)
PARTNERS = {
    **dict.fromkeys(("words", "without"), ("program",)),
    **dict.fromkeys(("ref", "ref_is", "except_ref", "on", "not_own"), ("git",)),
    "how": ("write",),
    "except": ("write", "read", "in_project"),
}


def strange_settings(root: Node, base: Mapping[str, Any]) -> Iterator[Problem]:
    """Settings nobody reads, values they cannot have, and lists that would weaken safety."""
    settings = root.fields().get("settings")
    if settings is None or not base:
        return
    used = {name for _, clause in clauses(root) for name in _named_in(clause)}
    for name, given in settings.fields().items():
        at = joined("settings", name)
        if name in OURS:
            yield Problem(given.line, at, "a setting of the machine", "leave it out")
        elif name in CHOICES:
            yield from _not_a_choice(at, given, CHOICES[name])
        elif name in ADDED_TO:
            yield from _weakening(name, given, base)
        elif name not in base and name not in used:
            yield Problem(given.line, at, "a setting no rule names", _likely(name, base))
        elif not isinstance(given.value, tuple):
            yield Problem(given.line, at, shown(given.value), "a list of texts")


def empty_clauses(root: Node) -> Iterator[Problem]:
    """A clause that tests nothing refuses nothing, whatever it is narrowed by."""
    for at, clause in clauses(root):
        words = {word for word, each in clause.fields().items() if each.value is not False}
        if isinstance(clause.value, Mapping) and not words & set(TESTING):
            found = f"only {', '.join(sorted(words))}" if words else "no test"
            yield Problem(clause.line, at, found, f"at least one of {', '.join(TESTING)}")
            continue
        for word in sorted(words & set(PARTNERS)):
            if not words & set(PARTNERS[word]):
                line = clause.fields()[word].line
                needed = f"together with {' or '.join(PARTNERS[word])}"
                yield Problem(line, f"{at}.{word}", "it alone", needed)


def clauses(root: Node) -> Iterator[tuple[str, Node]]:
    """Every clause of a registry with its place."""
    constraints = root.fields().get("constraints")
    for index, each in enumerate(constraints.items() if constraints else ()):
        refuse = each.fields().get("refuse")
        for at, clause in enumerate(refuse.items() if refuse else ()):
            yield f"constraints[{index}].refuse[{at}]", clause


def _named_in(clause: Node) -> Iterator[str]:
    for values in clause.fields().values():
        for value in values.items():
            if isinstance(value.value, str) and value.value.startswith("{"):
                yield value.value.strip("{}")


def _likely(name: str, base: Iterable[str]) -> str:
    close = likeliest(name, base)
    return f"{close}, or a name some clause has in braces" if close else ", ".join(base)


def _not_a_choice(at: str, given: Node, options: Sequence[str]) -> Iterator[Problem]:
    if given.value not in options:
        yield Problem(given.line, at, shown(given.value), " | ".join(options))


def _weakening(name: str, given: Node, base: Mapping[str, Any]) -> Iterator[Problem]:
    at = f"settings.{name}"
    if not given.items():
        yield Problem(given.line, at, shown(given.value), "a list of what is added")
    elif name in SPARING:
        yield from _too_wide(at, given, base.get(SPARING[name], ()))
    else:
        yield from _left_out(at, given, base.get(name, ()))


def _left_out(at: str, given: Node, built_in: Sequence[str]) -> Iterator[Problem]:
    """A list that repeats some built-in entries and not others was meant to take those out."""
    listed = {each.value for each in given.items()}
    missing = [each for each in built_in if each not in listed]
    if missing and len(missing) < len(built_in):
        found = f"a list without {shown(missing[0])}"
        yield Problem(given.line, at, found, "what is added; built-in entries stay")


def _too_wide(at: str, given: Node, protected: Sequence[str]) -> Iterator[Problem]:
    samples = [_bare(each).replace("**", "x").replace("*", "x") for each in protected]
    samples += [each.rpartition("/")[2] for each in samples]
    for index, each in enumerate(given.items()):
        entry = _bare(each.value) if isinstance(each.value, str) else ""
        outside = str(each.value).startswith(("/", "~")) or ".." in str(each.value)
        if outside or any(fnmatchcase(sample, entry) for sample in samples):
            allowed = "a path of the repository that spares less than what is protected"
            yield Problem(each.line, f"{at}[{index}]", shown(each.value), allowed)


def _bare(pattern: str) -> str:
    """A pattern without what matches any folder before it."""
    bare = pattern.lower().strip()
    while bare.startswith(("**/", "./")):
        bare = bare.partition("/")[2]
    return bare
