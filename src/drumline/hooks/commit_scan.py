"""The last look before a commit: secrets and protected files are refused by file and line."""

from __future__ import annotations

from drumline.team.scan import PROTECTED, protected_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drumline.team.call import Call, World
    from drumline.team.judge import Ruling
    from drumline.team.scan import Hit
    from drumline.team.shell.effect import Effect

IN_TIME = 8.0  # seconds; whoever asks for a ruling waits for ten
RULE: Mapping[str, object] = {
    "id": "C-SAFE-004",
    "fail": "open",
    "next": "take them out of the commit: git restore --staged FILE; "
    "mark a false alarm with the comment drumline: allow-secret",
}
_MOST_TOLD = 10


def scan_commit(ruling: Ruling, call: Call, policy: Mapping[str, object], world: World) -> Ruling:
    """The same ruling; a refusal where what it allows would commit what must not be kept.

    What could not be looked at is allowed with the reason in `why`, unless the rule fails closed.
    """
    if not ruling.allowed or not makes_commit(ruling.effects):
        return ruling
    from time import monotonic

    from drumline.hooks.staged import would_commit
    from drumline.team.commits import acts_of

    found = would_commit(acts_of(call, world), protected_by(policy), monotonic() + IN_TIME)
    rule = _rule(policy)
    if found.hits:
        ruling.refuse(rule, f"committing {_counted(found.hits)}")
        ruling.why = _told(found.hits)
    elif found.unscanned:
        if rule.get("fail") == "closed":
            ruling.refuse(rule, "a commit that was not scanned")
            ruling.next = "commit less at once, or what is already here; else ask a person"
        ruling.why = f"the commit was not scanned for secrets: {found.unscanned}"
    return ruling


def makes_commit(effects: Iterable[Effect]) -> bool:
    """Whether something is kept in history: a commit, or a tag with its message."""
    return any(
        effect.kind == "git"
        and (effect.subject == "commit" or (effect.subject == "ref" and "tag" in effect.words))
        for effect in effects
    )


def _rule(policy: Mapping[str, object]) -> Mapping[str, object]:
    constraints = policy.get("constraints")
    for constraint in constraints if isinstance(constraints, list) else []:
        if constraint.get("id") == RULE["id"]:
            found: Mapping[str, object] = constraint
            return found
    return RULE


def _counted(hits: Sequence[Hit]) -> str:
    files = sum(hit.kind == PROTECTED for hit in hits)
    counts = ((len(hits) - files, "secret"), (files, PROTECTED))
    return " and ".join(
        f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counts if count
    )


def _told(hits: Sequence[Hit]) -> str:
    told = [f"{hit.place()} {hit.kind}" for hit in hits[:_MOST_TOLD]]
    more = len(hits) - len(told)
    return "; ".join([*told, *([f"and {more} more"] if more else [])])
