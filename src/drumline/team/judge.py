"""The judge: may this call be made, by this member, under this policy.

Pure: paths are resolved and shell text is parsed by what is passed in. The policy is the compiled
form: settings already put into the clauses, constraints in the order they are tried.
"""

from __future__ import annotations

from drumline.team.call import effects_of
from drumline.team.facts import Facts, texts
from drumline.team.match import hit
from drumline.team.shell.effect import HOLE, TREE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drumline.team.call import Call, World
    from drumline.team.shell.effect import Effect
    from drumline.team.standing import Standing

ALLOW, DENY = "allow", "deny"
ANY: frozenset[str] = frozenset()


class Ruling:
    """Yes, or no with what, why and the way out."""

    __slots__ = ("constraint", "decision", "effects", "next", "what", "why")

    def __init__(self, effects: Sequence[Effect]) -> None:
        self.decision, self.effects = ALLOW, effects
        self.constraint = self.what = self.why = self.next = ""

    def refuse(self, constraint: Mapping[str, object], what: str) -> Ruling:
        """The same call refused: what it does, and what the constraint says of it."""
        self.decision, self.what = DENY, what
        self.constraint = str(constraint.get("id", ""))
        self.why, self.next = str(constraint.get("why", "")), str(constraint.get("next", ""))
        return self

    @property
    def allowed(self) -> bool:
        return self.decision == ALLOW

    def facts(self) -> dict[str, str]:
        return {
            "decision": self.decision,
            "constraint": self.constraint,
            "what": self.what,
            "why": self.why,
            "next": self.next,
        }

    def sentence(self) -> str:
        """The refusal as one text an agent can act on."""
        return f"refused: {self.what} [{self.constraint}]\nwhy: {self.why}\nnext: {self.next}"


def judge(call: Call, standing: Standing, policy: Mapping[str, object], resolve: World) -> Ruling:
    """Rule on one call."""
    settings = policy.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    verbs = frozenset(texts(settings.get("tracker_verbs")))
    trackers = dict.fromkeys(texts(settings.get("tracker_programs")), verbs)
    candidates = {"git": ANY, "rm": ANY, "sh": ANY, **trackers}
    effects = list(dict.fromkeys(effects_of(call, standing.root, resolve, candidates)))
    facts = Facts(call, effects, standing, settings).placed(resolve)
    constraints = policy.get("constraints")
    held = (
        [each for each in constraints if applies(each, standing)]
        if isinstance(constraints, list)
        else []
    )
    ruling = _first(held, facts)
    if ruling is None and any(HOLE in each.subject or each.how == TREE for each in effects):
        facts.sure_only = False  # what only may happen gives a worse reason, so it comes second
        ruling = _first(held, facts)
    return ruling or Ruling(effects)


def _first(constraints: Sequence[Mapping[str, object]], facts: Facts) -> Ruling | None:
    """The refusal by the first constraint that one of its clauses finds broken."""
    for constraint in constraints:
        facts.for_members = "applies" in constraint
        clauses = constraint.get("refuse")
        for clause in clauses if isinstance(clauses, list) else _broken(constraint):
            what = hit(clause, facts)
            if what:
                return Ruling(facts.effects).refuse(constraint, what)
    return None


def _broken(constraint: Mapping[str, object]) -> list[Mapping[str, object]]:
    raise TypeError(f"{constraint.get('id')} has no clauses")


def applies(constraint: Mapping[str, object], standing: Standing) -> bool:
    """Whether a constraint concerns this caller; role and team rules concern members only."""
    to = constraint.get("applies")
    if not isinstance(to, dict):
        return True
    wanted = (
        ("roles", standing.role),
        ("isolation", standing.isolation),
        ("presets", standing.preset),
        ("phases", standing.phase),
        ("modes", standing.mode),
    )
    if to.get("members") is True and not standing.on_a_team:
        return False
    if to.get("delegating") is True and not standing.delegating:
        return False
    if to.get("subagents") is True and not standing.subagent:
        return False
    return all(value in texts(to[name]) for name, value in wanted if name in to)
