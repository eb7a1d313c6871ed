"""All that is known of one call when constraints are tried on it, and how it is said."""

from __future__ import annotations

from drumline.team.call import known_path
from drumline.team.reach import Ground, fits
from drumline.team.shell.effect import HOLE, OUTER, STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from drumline.team.call import Call, World
    from drumline.team.shell.effect import Effect
    from drumline.team.standing import Standing

_UNSEEN = {HOLE: "…", STAR: "*", OUTER: "$…"}
_LONGEST = 160


class Facts:
    """All that is known of one call when its constraints are tried."""

    __slots__ = (
        "_branch",
        "call",
        "disposable",
        "effects",
        "for_members",
        "ground",
        "real",
        "standing",
        "sure_only",
    )

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
        self._branch: Callable[[str], str] | None
        self.disposable = texts(settings.get("disposable"))
        self.sure_only = True  # whether only what surely happens is looked at
        self.for_members = True  # whether the constraint being tried is a team's, not everyone's

    def placed(self, world: World) -> Facts:
        self.ground = Ground(
            self.standing.root,
            home=world.home,
            temporary=world.temporary,
            repository=self.standing.repository,
        )
        self.real, self._branch = world.real, world.branch
        return self

    def branch(self) -> str:
        """The branch the repository stands on now; empty where nobody can tell."""
        return self._branch(self.standing.root) if self._branch is not None else ""

    def elsewhere(self, place: str) -> bool:
        """Whether a repository is neither the one worked in nor in a folder for what nobody misses."""
        if not place or not known_path(place):
            return False
        ground = self.ground
        return not all(
            ground.inside(path) or ground.is_temporary(path) for path in self.paths(place)
        )

    def is_fresh(self, effect: Effect) -> bool:
        """Whether a repository in a temporary folder was made by this very command, and by it alone."""
        place = effect.place
        if not place or not all(self.ground.is_temporary(path) for path in self.paths(place)):
            return False
        if self._branch is not None and self._branch(place):
            return False  # there was one before: making it again leaves it as it is
        made = [one.place for one in self.effects if one.kind == "write" and one.place]
        inside = [f"{each}/.git" for each in made if f"{place}/".startswith(f"{each}/")]
        return bool(inside) and not any(
            one.kind == "write" and not one.tree and one.subject in inside for one in self.effects
        )

    def paths(self, path: str) -> tuple[str, ...]:
        """A path as written, and where it really leads."""
        if not known_path(path):
            return (path,)
        real = self.real(path)
        return (path,) if real == path else (path, real)

    def is_disposable(self, path: str) -> bool:
        """Whether a path is, or lies in, what is made again by whoever made it."""
        *folders, name = path.removeprefix(self.ground.root).lower().strip("/").split("/")
        plain = frozenset(self.disposable)
        around = any(folder in plain for folder in folders) and HOLE not in name
        return around or any_of(name.replace(HOLE, STAR).replace(STAR + STAR, STAR), plain)

    def weak_counts(self) -> bool:
        """Whether what only may reach a protected place is refused: not in a checkout of one's own."""
        shared = self.standing.role == "teammate" and self.standing.isolation == "shared"
        return shared and self.for_members and not self.sure_only


def shown(path: str, facts: Facts) -> str:
    """A path as the agent would name it."""
    return plain(path.removeprefix(facts.ground.root + "/"))


def plain(text: str) -> str:
    for mark, sign in _UNSEEN.items():
        text = text.replace(mark, sign)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def texts(value: object) -> tuple[str, ...]:
    """The texts of a JSON list; a lone text is a list of one."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple | frozenset):
        return ()
    return tuple(item for item in value if isinstance(item, str))


def any_of(text: str, patterns: Iterable[str]) -> bool:
    return any(fits(text, pattern) for pattern in patterns)
