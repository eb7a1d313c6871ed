"""Whether an effect on paths is what a clause refuses: zones, ownership, recursive deletes."""

from __future__ import annotations

from drumline.team.call import known_path
from drumline.team.facts import shown, texts
from drumline.team.reach import MAYBE, NOT, SURE, reaches
from drumline.team.shell.effect import HOLE, STAR, TREE, Effect, wrote
from drumline.team.shell.scene import joined
from drumline.team.standing import TEAMMATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from drumline.team.facts import Facts

    Clause = Mapping[str, object]


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
    if effect.kind != "read":
        return ""
    patterns, spared = texts(clause["read"]), texts(clause.get("except"))
    if effect.subject == HOLE:
        found = [Effect("read", path) for path in handed_on(facts)]
        return next((hit for each in found if (hit := _on_path(each, patterns, spared, facts))), "")
    return _on_path(effect, patterns, spared, facts)


def _made_again(effect: Effect, facts: Facts) -> bool:
    """Whether what is deleted is made again by whoever made it: caches, compiled files."""
    return effect.how == "delete" and facts.is_disposable(effect.subject)


def _on_path(effect: Effect, patterns: Sequence[str], spared: Sequence[str], facts: Facts) -> str:
    paths = facts.paths(effect.subject)
    found = reaches(effect, paths, patterns, facts.ground)
    if found == NOT or (found == MAYBE and (not facts.weak_counts() or _made_again(effect, facts))):
        return ""
    if (
        spared
        and known_path(effect.subject.rpartition("/")[2])
        and reaches(_alone(effect), paths, spared, facts.ground) == SURE
    ):
        return ""
    verb = {"read": "reading"}.get(effect.kind, _VERBS.get(effect.how, "writing"))
    may = "what may be " if found == MAYBE else ""
    return f"{verb} {may}{shown(effect.subject, facts)}"


def _alone(effect: Effect) -> Effect:
    """The same effect on its path alone: what is below others' patterns spares nobody above them."""
    return Effect(effect.kind, effect.subject, "write" if effect.how == "into" else effect.how)


_VERBS = {
    "append": "appending to",
    "delete": "deleting",
    "attributes": "changing",
    "into": "putting files into",
    "edit": "editing",
    "folder": "making",
}


def _delete_tree(clause: Clause, effect: Effect, facts: Facts) -> str:
    """A recursive delete of something that can be missed."""
    del clause
    if effect.kind != "write" or effect.how not in {"delete", "write"}:
        return ""
    if "recursive" not in effect.words:
        return _swept(effect, facts)
    shared = facts.standing.role == TEAMMATE and facts.standing.isolation == "shared"
    forced = "forced" in effect.words or (shared and effect.tree)
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
    own = facts.standing.isolation == "own"
    if (own or facts.standing.role == TEAMMATE) and facts.is_disposable(relative):
        return True
    if relative.split("/")[0] in {STAR, f".{STAR}", ".git"} or (forced and HOLE in relative):
        return False
    return own or not forced


def _swept(effect: Effect, facts: Facts) -> str:
    """A delete of every file that `find` meets below a folder that can be missed."""
    if effect.how != "delete" or HOLE not in effect.subject:
        return ""
    for path in handed_on(facts):
        folder = path.removesuffix(f"/{HOLE}")
        meant = effect.subject in {HOLE, path} and folder != path
        ground = facts.ground
        if meant and (
            folder == ground.root or not (ground.inside(folder) or ground.is_temporary(path))
        ):
            return f"deleting all files below {shown(folder, facts) or '/'}"
    return ""


def handed_on(facts: Facts) -> list[str]:
    """What `find` in this command gives to another program: any file below, or those of a name."""
    from drumline.team.shell.find import PROGRAMS, Search  # a hook pays for what it loads

    runs = [one for one in facts.effects if one.kind == "run" and one.subject in PROGRAMS]
    asked = [Search(run.words[1:]) for run in runs]
    places = [each.places() for each in asked if each.names or not each.narrowed]
    return [joined(facts.call.cwd, place) for found in places for place in found]


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


ON_PATHS: dict[str, Callable[[Clause, Effect, Facts], str]] = {
    "write": _write,
    "read": _read,
    "delete_tree": _delete_tree,
    "outside": _outside,
    "in_project": _in_project,
}
