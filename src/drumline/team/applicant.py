"""A member that is to join: what is said of it, and the lines of a manifest that say so."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from drumline.errors import BadInput
from drumline.team.manifest import MemberEntry
from drumline.team.presets import preset
from drumline.team.profile import denies
from drumline.team.text import checked_line, checked_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """What is said of a new member; what is left empty is left to the manifest's defaults."""

    name: str
    role: str
    profile: str = ""
    tools: tuple[str, ...] = ()
    owns: tuple[str, ...] = ()
    runtime: str = ""
    model: str = ""
    budget: float | None = None
    scenario: str = ""


def checked(who: Applicant, constitution: str) -> Applicant:
    """The same with its profile's own tools where none are named; the manifest's form checks the rest."""
    checked_name(who.name, "the member's name")
    checked_line(who.role, "the role")
    if who.tools:
        return who
    shipped = preset(constitution, who.profile)
    tools = (
        [rule for rule in (shipped.profile.tools or ()) if not denies(shipped.profile, rule)]
        if shipped
        else []
    )
    if not tools:
        raise BadInput(
            f"which tools may {who.name} use?",
            why=f"the profile {who.profile!r} is none that {constitution} ships"
            if who.profile
            else "it has no profile whose tools it could have",
            next="name them: --tool Read --tool Edit   # or a shipped profile: --profile NAME",
        )
    return replace(who, tools=tuple(tools))


def is_said_of(who: Applicant, there: MemberEntry) -> bool:
    """Whether a manifest says of a member all that is said here."""
    said = {name: value for name, value in asdict(who).items() if value}
    return all(getattr(there, name) == value for name, value in said.items())


def entry(who: Applicant) -> list[str]:
    """The member as lines of a manifest, the first with its dash, none indented."""
    return ["- " + first if at == 0 else "  " + first for at, first in enumerate(_fields(who))]


def _fields(who: Applicant) -> Iterator[str]:
    yield f"name: {json.dumps(who.name) if _looks_odd(who.name) else who.name}"
    yield f"role: {_quoted(who.role)}"
    for name in ("profile", "runtime", "model", "scenario"):
        if said := getattr(who, name):
            yield f"{name}: {_quoted(said)}"
    if who.budget is not None:
        yield f"budget: {json.dumps(who.budget)}"
    yield f"tools: {_listed(who.tools)}"
    yield f"owns: {_listed(who.owns)}"


def _looks_odd(name: str) -> bool:
    """Whether YAML would take a name for a number, a date or a switch."""
    return not name[0].isalpha() or name in {"true", "false", "null", "yes", "no", "on", "off"}


def _listed(words: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, words))}]"


def _quoted(word: str) -> str:
    """A JSON string, which YAML reads as the same."""
    return json.dumps(word, ensure_ascii=False)
