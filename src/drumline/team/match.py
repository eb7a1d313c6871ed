"""Whether a call does what a constraint's clause refuses: one function per word a clause may use.

A clause is a row of JSON such as `{"program": ["br"]}` or `{"write": [".claude/**"]}`; all its words
must hold of one effect. A hit says what was found, as a person would say it.
"""

from __future__ import annotations

from drumline.team.call import WRITERS, known_path, skill_of
from drumline.team.reach import MAYBE, NOT, SURE, Ground, reaches
from drumline.team.shell.effect import HOLE, MARKS, OUTER, STAR, TREE, Effect, wrote
from drumline.team.standing import MAY_CHANGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from drumline.team.call import Call, World
    from drumline.team.standing import Standing

    Clause = Mapping[str, object]

_UNSEEN = {HOLE: "…", STAR: "*", OUTER: "$…"}
_QUIET = frozenset(
    "cd pushd popd echo printf true false : test [ [[ export set unset local declare pwd type command "
    "which exit return shift read alias umask wait break continue let eval source . exec".split()
)
_HARMLESS_TO_STATE = frozenset({"fetch", "index"})


class Facts:
    """All that is known of one call when its constraints are tried."""

    __slots__ = ("call", "disposable", "effects", "for_members", "ground", "real", "standing")

    def __init__(
        self,
        call: Call,
        effects: Sequence[Effect],
        standing: Standing,
        settings: Mapping[str, object],
    ) -> None:
        self.call, self.effects, self.standing = call, effects, standing
        self.ground: Ground
        self.real: Callable[[str], str]
        self.disposable = texts(settings.get("disposable"))
        self.for_members = True  # whether the constraint being tried is a team's, not everyone's

    def placed(self, world: World) -> Facts:
        self.ground = Ground(self.standing.root, home=world.home, temporary=world.temporary)
        self.real = world.real
        return self

    def paths(self, path: str) -> tuple[str, ...]:
        """A path as written, and where it really leads."""
        if not known_path(path):
            return (path,)
        real = self.real(path)
        return (path,) if real == path else (path, real)

    def weak_counts(self) -> bool:
        """Whether what only may reach a protected place is refused: not in a checkout of one's own."""
        shared = self.standing.role == "teammate" and self.standing.isolation == "shared"
        return shared and self.for_members


def hit(clause: Clause, facts: Facts) -> str:
    """What the call does that this clause names; nothing when it does not."""
    for word, test in _ON_CALL.items():
        if word in clause and not test(clause, facts):
            return ""
    tests = [test for word, test in _ON_EFFECT.items() if word in clause]
    if not tests:
        asked = [word for word in _ON_CALL if word in clause]
        return next((_ON_CALL[word](clause, facts) for word in asked), "")
    for effect in facts.effects:
        found = [test(clause, effect, facts) for test in tests]
        if all(found):
            return found[0]
    return ""


# what the call is


def _tool(clause: Clause, facts: Facts) -> str:
    return facts.call.tool if _any(facts.call.tool, texts(clause["tool"])) else ""


def _skill(clause: Clause, facts: Facts) -> str:
    if facts.call.tool not in {"Skill", "SlashCommand"}:
        return ""
    name = skill_of(facts.call)
    return f"skill {name}" if name in texts(clause["skill"]) else ""


def _input(clause: Clause, facts: Facts) -> str:
    wanted = clause["input"]
    if not isinstance(wanted, dict):
        return ""
    for name, patterns in wanted.items():
        value = facts.call.input.get(name)
        value = str(value).lower() if isinstance(value, bool) else value
        if not isinstance(value, str) or not _any(value, texts(patterns)):
            return ""
    return f"{facts.call.tool} with {', '.join(wanted)}"


def _isolation(clause: Clause, facts: Facts) -> str:
    isolation = facts.standing.isolation
    return isolation if isolation in texts(clause["isolation"]) else ""


def _tools_list(clause: Clause, facts: Facts) -> str:
    """A tool the member's list does not have, or has only for other commands."""
    del clause
    standing, tool = facts.standing, facts.call.tool
    if _any(tool, standing.denied_tools):
        return f"{tool}, which this member is denied"
    if standing.tools is None:
        return ""
    whole = [entry for entry in standing.tools if "(" not in entry]
    if _any(tool, whole) or (tool in WRITERS and _any("Edit", whole) and tool != "Write"):
        return ""
    limits = [_limit(entry) for entry in standing.tools if entry.startswith(f"{tool}(")]
    if not limits:
        return f"{tool}, which is not on this member's list"
    return next((f"`{line}`" for line in _lines(facts) if not _allowed(line, limits)), "")


def _limit(entry: str) -> str:
    return entry.partition("(")[2].rstrip(")")


def _lines(facts: Facts) -> list[str]:
    return [
        " ".join(effect.words)
        for effect in facts.effects
        if effect.kind == "run" and effect.subject not in _QUIET
    ]


def _allowed(line: str, limits: Iterable[str]) -> bool:
    for limit in limits:
        start = limit.removesuffix("*").removesuffix(":").rstrip()
        if line == start or (limit.endswith("*") and (not start or line.startswith(start + " "))):
            return True
    return False


def _unverified(clause: Clause, facts: Facts) -> str:
    """A change, or a helper started, before the member may change anything."""
    del clause
    if facts.standing.protocol in MAY_CHANGE:
        return ""
    if facts.call.tool in {"Agent", "Task"}:
        return "starting a helper"
    for effect in facts.effects:
        if effect.kind == "write" and not facts.ground.is_temporary(effect.subject):
            return f"changing {shown(effect.subject, facts)}"
        if effect.kind == "git" and effect.subject not in _HARMLESS_TO_STATE:
            return f"git {effect.subject}"
        if effect.kind == "undecided":
            return f"a command that cannot be verified ({effect.subject})"
    return ""


# what it does


def _program(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "run" or effect.subject not in texts(clause["program"]):
        return ""
    rest = effect.words[1:]
    if {"--help", "--version", "-h", "help"} & set(rest[:1]):
        return ""
    wanted = texts(clause.get("words"))
    if wanted and not any(_any(word, wanted) for word in rest):
        return ""
    if any(_any(word, texts(clause.get("without"))) for word in rest):
        return ""
    return f"`{_plain(' '.join(effect.words))}`"


def _git(clause: Clause, effect: Effect, facts: Facts) -> str:
    if effect.kind != "git" or effect.subject not in texts(clause["git"]):
        return ""
    if not _ref_meant(clause, effect.how):
        return ""
    if clause.get("not_own") is True and _is_own(effect.how, facts.standing.branches):
        return ""
    if "on" in clause and not _stands_on(effect, texts(clause["on"]), facts):
        return ""
    return f"`{_plain(' '.join(effect.words))}`" if effect.words else f"git {effect.subject}"


def _ref_meant(clause: Clause, ref: str) -> bool:
    """Whether the clause speaks of this ref; `ref` also of one that is not named."""
    if "ref" in clause and not _ref_matches(ref, texts(clause["ref"])):
        return False
    if "ref_is" in clause and not (ref and _ref_matches(ref, texts(clause["ref_is"]))):
        return False
    return not (ref and _any(ref, texts(clause.get("except_ref"))))


def _ref_matches(ref: str, patterns: Sequence[str]) -> bool:
    """Whether a ref is one of these; one that is not named may be any of them."""
    short = ref.removeprefix("refs/heads/")
    return (
        not ref
        or any(mark in ref for mark in MARKS)
        or _any(short, patterns)
        or _any(ref, patterns)
    )


def _is_own(ref: str, branches: Sequence[str]) -> bool:
    """Whether a ref is the member's; with no branches named, any it makes is."""
    return not branches or (bool(ref) and _any(ref.removeprefix("refs/heads/"), branches))


def _stands_on(effect: Effect, branches: Sequence[str], facts: Facts) -> bool:
    """Whether the branch switched to earlier in the command is one of these."""
    if "pull" in effect.words[:4]:
        return False  # taking over what the remote has makes no history of its own
    branch = effect.how
    for earlier in facts.effects:
        if earlier is effect:
            break
        if earlier.kind == "git" and earlier.subject == "work-tree" and earlier.how:
            branch = effect.how or earlier.how
    return bool(branch) and _any(branch, branches)


def _write(clause: Clause, effect: Effect, facts: Facts) -> str:
    effect = _as_write(effect)
    if effect.kind != "write":
        return ""
    hows = texts(clause.get("how"))
    if hows and effect.how not in hows:
        return ""
    return _on_path(effect, texts(clause["write"]), texts(clause.get("except")), facts)


def _as_write(effect: Effect) -> Effect:
    """Unpacking and patching write some file below their folder."""
    if effect.kind == "undecided" and effect.how == TREE and effect.words:
        return wrote(f"{effect.words[0]}/{HOLE}")
    return effect


def _read(clause: Clause, effect: Effect, facts: Facts) -> str:
    if effect.kind != "read" or not known_path(effect.subject):
        return ""
    return _on_path(effect, texts(clause["read"]), texts(clause.get("except")), facts)


def _on_path(effect: Effect, patterns: Sequence[str], spared: Sequence[str], facts: Facts) -> str:
    paths = facts.paths(effect.subject)
    found = reaches(effect, paths, patterns, facts.ground)
    if found == NOT or (found == MAYBE and not facts.weak_counts()):
        return ""
    if spared and not effect.tree and reaches(effect, paths, spared, facts.ground) == SURE:
        return ""
    verb = {"read": "reading"}.get(effect.kind, _VERBS.get(effect.how, "writing"))
    may = "what may be " if found == MAYBE else ""
    return f"{verb} {may}{shown(effect.subject, facts)}"


_VERBS = {
    "append": "appending to",
    "delete": "deleting",
    "attributes": "changing",
    "into": "putting files into",
    "edit": "editing",
    "folder": "making",
}


def _identity(clause: Clause, effect: Effect, facts: Facts) -> str:
    del clause, facts
    return f"changing {effect.subject}" if effect.kind == "identity" else ""


def _danger(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "danger" or not _any(effect.subject, texts(clause["danger"])):
        return ""
    return f"{effect.subject}: {_plain(effect.how)}" if effect.how else effect.subject


def _undecided(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "undecided" or effect.how not in texts(clause["undecided"]):
        return ""
    return f"a command that cannot be verified: {effect.subject}"


def _delete_tree(clause: Clause, effect: Effect, facts: Facts) -> str:
    """A recursive delete of something that can be missed."""
    del clause
    if effect.kind != "write" or "recursive" not in effect.words:
        return ""
    forced = "forced" in effect.words
    if all(_may_go(path, facts, forced=forced) for path in facts.paths(effect.subject)):
        return ""
    return f"deleting {shown(effect.subject, facts)} with all that is in it"


def _may_go(path: str, facts: Facts, *, forced: bool) -> bool:
    ground = facts.ground
    if ground.is_temporary(path):
        return True
    if not ground.inside(path) or path == ground.root:
        return False
    relative = path[len(ground.root) + 1 :]
    if HOLE in relative or relative.split("/")[0] in {STAR, f".{STAR}", ".git"}:
        return False
    if relative.rpartition("/")[2].lower() in facts.disposable:
        return True
    return facts.standing.isolation == "own" or not forced


def _outside(clause: Clause, effect: Effect, facts: Facts) -> str:
    """A write to the repository beyond what the member owns, or beyond its task."""
    effect = _as_write(effect)
    standing = facts.standing
    allowed = standing.owns if clause["outside"] == "owns" else standing.files
    if (
        effect.kind != "write"
        or not allowed
        or standing.integrator
        or effect.how in {"into", "folder"}
    ):
        return ""
    paths = [path for path in facts.paths(effect.subject) if facts.ground.inside(path)]
    if not paths or (not known_path(effect.subject) and not facts.weak_counts()):
        return ""
    if set(effect.subject.lower().split("/")) & set(facts.disposable):
        return ""
    if all(reaches(wrote(path), [path], allowed, facts.ground) == SURE for path in paths):
        return ""
    return f"{_VERBS.get(effect.how, 'writing')} {shown(effect.subject, facts)}"


def _in_project(clause: Clause, effect: Effect, facts: Facts) -> str:
    """A file of the repository itself, other than those spared."""
    if effect.kind != "write" or not facts.ground.inside(effect.subject):
        return ""
    if reaches(effect, [effect.subject], texts(clause.get("except")), facts.ground) == SURE:
        return ""
    return f"{_VERBS.get(effect.how, 'writing')} {shown(effect.subject, facts)}"


# words


def shown(path: str, facts: Facts) -> str:
    """A path as the agent would name it."""
    return _plain(path.removeprefix(facts.ground.root + "/"))


def _plain(text: str) -> str:
    for mark, sign in _UNSEEN.items():
        text = text.replace(mark, sign)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


_LONGEST = 160


def texts(value: object) -> tuple[str, ...]:
    """The texts of a JSON list; a lone text is a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list | tuple | frozenset) else ()


def _any(text: str, patterns: Iterable[str]) -> bool:
    from fnmatch import fnmatchcase

    return any(text == pattern or fnmatchcase(text, pattern) for pattern in patterns)


_ON_CALL: dict[str, Callable[[Clause, Facts], str]] = {
    "isolation": _isolation,
    "tool": _tool,
    "skill": _skill,
    "input": _input,
    "tools_list": _tools_list,
    "unverified": _unverified,
}
_ON_EFFECT: dict[str, Callable[[Clause, Effect, Facts], str]] = {
    "program": _program,
    "git": _git,
    "write": _write,
    "read": _read,
    "identity": _identity,
    "danger": _danger,
    "undecided": _undecided,
    "delete_tree": _delete_tree,
    "outside": _outside,
    "in_project": _in_project,
}
