"""Whether a call does what a constraint's clause refuses: one function per word a clause may use.

A clause is a row of JSON such as `{"program": ["br"]}` or `{"write": [".claude/**"]}`; all its words
must hold of one effect. A hit says what was found, as a person would say it.
"""

from __future__ import annotations

from drumline.team.call import skill_of
from drumline.team.facts import any_of, plain, texts
from drumline.team.match_paths import ON_PATHS
from drumline.team.match_tools import ON_TOOLS
from drumline.team.shell.effect import MARKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drumline.team.facts import Facts
    from drumline.team.shell.effect import Effect

    Clause = Mapping[str, object]

# what a repository keeps to itself: it is nobody's business in one made for a try
_STAYS_HERE = frozenset({"commit", "work-tree", "ref", "config", "object", "index", "discard"})


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
    return facts.call.tool if any_of(facts.call.tool, texts(clause["tool"])) else ""


def _skill(clause: Clause, facts: Facts) -> str:
    if facts.call.tool.lower() not in {"skill", "slashcommand"}:
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
        if not isinstance(value, str) or not any_of(value, texts(patterns)):
            return ""
    return f"{facts.call.tool} with {', '.join(wanted)}"


def _isolation(clause: Clause, facts: Facts) -> str:
    isolation = facts.standing.isolation
    return isolation if isolation in texts(clause["isolation"]) else ""


def _lost_server(clause: Clause, facts: Facts) -> str:
    del clause
    lost = facts.standing.lost_servers
    return f"{facts.call.tool} in place of {', '.join(lost)}" if lost else ""


# what it does


def _program(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "run" or effect.subject not in texts(clause["program"]):
        return ""
    rest = effect.words[1:]
    if {"--help", "--version", "-h", "help"} & set(rest[:1]):
        return ""
    wanted = texts(clause.get("words"))
    if wanted and not any(any_of(word, wanted) for word in rest):
        return ""
    if any(any_of(word, texts(clause.get("without"))) for word in rest):
        return ""
    return f"`{plain(' '.join(effect.words))}`"


def _git(clause: Clause, effect: Effect, facts: Facts) -> str:
    if effect.kind != "git" or effect.subject not in texts(clause["git"]):
        return ""
    if not _ref_meant(clause, effect.how):
        return ""
    if effect.subject in _STAYS_HERE and facts.is_fresh(effect):
        return ""
    if clause.get("not_own") is True and _is_own(effect, facts):
        return ""
    if "on" in clause and not _stands_on(effect, texts(clause["on"]), facts):
        return ""
    return f"`{plain(' '.join(effect.words))}`" if effect.words else f"git {effect.subject}"


def _ref_meant(clause: Clause, ref: str) -> bool:
    """Whether the clause speaks of this ref; `ref` also of one that is not named."""
    if "ref" in clause and not _ref_matches(ref, texts(clause["ref"])):
        return False
    if "ref_is" in clause and not (ref and _ref_matches(ref, texts(clause["ref_is"]))):
        return False
    return not (ref and any_of(ref, texts(clause.get("except_ref"))))


def _ref_matches(ref: str, patterns: Sequence[str]) -> bool:
    """Whether a ref is one of these; one that is not named may be any of them."""
    short = ref.removeprefix("refs/heads/")
    return (
        not ref
        or any(mark in ref for mark in MARKS)
        or any_of(short, patterns)
        or any_of(ref, patterns)
    )


def _is_own(effect: Effect, facts: Facts) -> bool:
    """Whether a ref is the member's: the one it stands on, or any when it has none of its own."""
    ref, branches = _branch_of(effect, facts), facts.standing.branches
    named = not branches or not ref or any_of(ref.removeprefix("refs/heads/"), branches)
    return named and not facts.elsewhere(effect.place)


def _stands_on(effect: Effect, branches: Sequence[str], facts: Facts) -> bool:
    """Whether the branch switched to earlier in the command is one of these."""
    if "pull" in effect.words[:4]:
        return False  # taking over what the remote has makes no history of its own
    branch = _branch_of(effect, facts)
    return bool(branch) and any_of(branch, branches)


def _branch_of(effect: Effect, facts: Facts) -> str:
    """The branch a git command works on: named, switched to before it, or stood on."""
    if effect.how or effect.subject != "commit":
        return effect.how
    before = facts.effects[: facts.effects.index(effect)]
    moves = [one for one in before if one.kind == "git" and one.subject == "work-tree" and one.how]
    apart = [one.place for one in moves if one.tree]
    here = _repository(effect.place, apart, facts)
    switched = [one.how for one in moves if _repository(one.place, apart, facts) == here]
    return switched[-1] if switched else facts.branch()


def _repository(place: str, apart: Sequence[str], facts: Facts) -> str:
    """The folder whose branch a place stands on: a worktree made before, else the checkout."""
    around = [one for one in apart if f"{place}/".startswith(f"{one}/")]
    if around:
        return max(around, key=len)
    root = facts.standing.root
    return root if not place or facts.ground.inside(place) else place


def _identity(clause: Clause, effect: Effect, facts: Facts) -> str:
    del clause, facts
    return f"changing {effect.subject}" if effect.kind == "identity" else ""


def _danger(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "danger" or not any_of(effect.subject, texts(clause["danger"])):
        return ""
    return f"{effect.subject}: {plain(effect.how)}" if effect.how else effect.subject


def _undecided(clause: Clause, effect: Effect, facts: Facts) -> str:
    del facts
    if effect.kind != "undecided" or effect.how not in texts(clause["undecided"]):
        return ""
    return f"a command that cannot be verified: {effect.subject}"


_ON_CALL: dict[str, Callable[[Clause, Facts], str]] = {
    "lost_server": _lost_server,
    "isolation": _isolation,
    "tool": _tool,
    "skill": _skill,
    "input": _input,
    **ON_TOOLS,
}
_ON_EFFECT: dict[str, Callable[[Clause, Effect, Facts], str]] = {
    **ON_PATHS,
    "program": _program,
    "git": _git,
    "identity": _identity,
    "danger": _danger,
    "undecided": _undecided,
}
