"""What names stand for while code is followed, round after round."""

from __future__ import annotations

from drumline.team.shell.code_values import UNKNOWN, either, snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.code_values import Value


class Bindings:
    """The values of names: now, since the round began, and in the round before."""

    __slots__ = ("_before", "_frozen", "_given", "_now", "changed", "loose")

    def __init__(self) -> None:
        self._before: dict[str, Value] = {}
        self._now: dict[str, Value] = {}
        self._given: dict[str, list[Value]] = {}
        self._frozen: set[str] = set()
        self.loose: set[str] = set()  # names that may have any of the values they are given
        self.changed: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._now

    def __getitem__(self, name: str) -> Value:
        return self._now[name]

    def get(self, name: str, default: Value) -> Value:
        return self._now.get(name, default)

    def known(self) -> list[Value]:
        """Every value a name was given in the round that ended last."""
        return list(self._before.values())

    def assign(self, name: str, value: Value, *, loose: bool) -> None:
        """Give a name a value; a loose name may also keep the one it had."""
        if name in self._frozen:
            return
        if loose:
            self.loose.add(name)
        self._given.setdefault(name, []).append(value)
        old = self._now.get(name)
        self._now[name] = either([old, value]) if old and name in self.loose else value

    def begin(self) -> None:
        """Start a round with what the one before has shown."""
        self._now = {name: snapshot(value) for name, value in self._before.items()}
        self._given = {}

    def settle(self) -> bool:
        """End a round; whether it has shown nothing new."""
        given = {name: either(values) for name, values in self._given.items()}
        kept = {name: self._before[name] for name in self._frozen & self._before.keys()}
        after = {**given, **kept}
        self.changed = {
            name
            for name in after.keys() | self._before.keys()
            if name not in after
            or name not in self._before
            or after[name].facts() != self._before[name].facts()
        }
        self._before = after
        return not self.changed

    def freeze(self, *, all_of_them: bool) -> None:
        """Give up on names that take another value each round: they may be anything."""
        self._frozen |= self.loose | self.changed if all_of_them else self.changed
        for name in self._frozen & self._before.keys():
            self._before[name] = either([self._before[name], UNKNOWN])
