"""What an expression is worth as far as its text tells: constants, names, or nothing known."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 16_384
MOST_CHOICES = 16
HEAVIEST = 4000
DEEPEST = 8


class Value:
    """One value: text, path, number, list, map, name, method, variable, either, or unknown.

    A text keeps a HOLE where a part of it is not known. A name is what code calls a thing by, with
    dots; a method is a name on a value; a variable is one of the environment; either may be any of
    its items.
    """

    __slots__ = ("_facts", "depth", "items", "kind", "pairs", "text", "weight")

    def __init__(
        self,
        kind: str,
        text: str = "",
        items: Sequence[Value] = (),
        pairs: dict[str, Value] | None = None,
    ) -> None:
        self.kind, self.text = kind, text
        self.pairs = pairs or {}
        self.hold(items)

    def hold(self, items: Sequence[Value]) -> None:
        """Take these items in place of those it had."""
        self.items = list(items)
        self._facts: tuple[object, ...] | None = None
        self.depth = self.weight = 1
        if items:
            self.depth += max([item.depth for item in items])
            self.weight += sum([item.weight for item in items])

    def forget(self) -> None:
        """Something in it was changed in a way that is not followed."""
        if self.kind == "list":
            self.hold([UNKNOWN])
        for choice in self.items if self.kind == "either" else ():
            choice.forget()
        if self.kind == "map":
            self.pairs, self._facts = {}, None

    def facts(self) -> tuple[object, ...]:
        """What makes two values the same."""
        if self._facts is None:
            inner = tuple(item.facts() for item in self.items)
            self._facts = self.kind, self.text, inner, tuple(self.pairs)
        return self._facts


UNKNOWN = Value("unknown")


def text_value(text: str) -> Value:
    return Value("text", text)


def path_value(text: str) -> Value:
    return Value("path", text)


def name_value(name: str) -> Value:
    return Value("name", name)


def list_value(items: Sequence[Value]) -> Value:
    """A list, unless it is too large or too deep to be worth following."""
    value = Value("list", items=items)
    return value if value.weight <= HEAVIEST and value.depth <= DEEPEST else UNKNOWN


def letters(value: Value) -> str:
    """What a value says as text: a HOLE where nothing is known."""
    if value.kind in {"text", "path", "number"}:
        return value.text
    if value.kind == "variable":
        return letters(value.items[0]) if value.items else HOLE
    return HOLE


def told(text: str) -> bool:
    """Whether at least something of a text is known."""
    return bool(text.strip(HOLE + OUTER + "/ "))


def choices(value: Value) -> list[Value]:
    """What a value may be, one by one."""
    return value.items if value.kind == "either" else [value]


def either(values: Iterable[Value]) -> Value:
    """Any of these, each named once."""
    found: dict[tuple[object, ...], Value] = {}
    for value in values:
        for choice in choices(value):
            found.setdefault(choice.facts(), choice)
    if len(found) > MOST_CHOICES:
        return Value("either", items=[*list(found.values())[: MOST_CHOICES - 1], UNKNOWN])
    options = list(found.values())
    return options[0] if len(options) == 1 else Value("either", items=options)


def snapshot(value: Value) -> Value:
    """The value as it is now: a list may grow later."""
    if value.kind == "list":
        return Value("list", items=value.items)
    return either(map(snapshot, value.items)) if value.kind == "either" else value


def elements(value: Value) -> Value:
    """What a loop over this value sees, as one value that is any of them."""
    found: list[Value] = []
    for choice in choices(value):
        if choice.kind == "list":
            found += choice.items
        elif choice.kind == "map":
            found += [text_value(key) for key in choice.pairs]
        else:
            found.append(UNKNOWN)
    return either(found) if found else UNKNOWN


def concatenated(values: Sequence[Value]) -> Value:
    """Texts put together, or lists put together."""
    if any(value.kind == "list" for value in values):
        return _one_list(values)
    kind = "path" if values[0].kind == "path" else "text"
    ends = [""]
    for value in values:
        options = [letters(choice) for choice in choices(value)]
        if len(options) * len(ends) > MOST_CHOICES or max(map(len, ends)) > LONGEST:
            return UNKNOWN
        ends = [end + option for end in ends for option in options]
    return either(Value(kind, end) for end in ends)


def _one_list(values: Sequence[Value]) -> Value:
    items: list[Value] = []
    for value in values:
        items += value.items if value.kind == "list" else [UNKNOWN]
    return list_value(items)


def below(folder: Value, parts: Sequence[Value]) -> Value:
    """A path with more parts put below it."""
    options = []
    for choice in choices(folder):
        whole = letters(choice)
        for part in parts:
            step = letters(part)
            whole = step if step.startswith("/") else f"{whole.rstrip('/')}/{step}"
        options.append(path_value(whole[:LONGEST]))
    return either(options)


def with_holes(template: str, opener: str) -> str:
    """A format with every place that will be filled left open."""
    if opener == "{":
        return _braces_open(template)
    out, at = [], 0
    while (mark := template.find("%", at)) >= 0:
        end = mark + 1
        while end < len(template) and not template[end].isalpha():
            end += 1
        out += [template[at:mark], HOLE]
        at = end + 1
    return "".join(out) + template[at:]


def _braces_open(template: str) -> str:
    out, at = [], 0
    while (mark := template.find("{", at)) >= 0:
        end = template.find("}", mark)
        out += [template[at:mark], HOLE]
        at = len(template) if end < 0 else end + 1
    return "".join(out) + template[at:]


class Arguments:
    """What a call is given."""

    __slots__ = ("named", "positional", "receiver")

    def __init__(self, receiver: Value = UNKNOWN) -> None:
        self.positional: list[Value] = []
        self.named: dict[str, Value] = {}
        self.receiver = receiver

    def at(self, place: str) -> Value | None:
        """The argument at a place: `self`, a number, a number and a name, or a name."""
        if place == "self":
            return self.receiver
        number, _, name = place.partition(":")
        if not number.isdigit():
            return self.named.get(place)
        if int(number) < len(self.positional):
            return self.positional[int(number)]
        return self.named.get(name)

    def all_at(self, place: str) -> list[Value]:
        """The arguments at a place, which may be `2+`: all from there on, lists opened."""
        if not place.endswith("+"):
            value = self.at(place)
            return [] if value is None else _opened([value])
        return _opened(self.positional[int(place[:-1]) :])

    def expanded(self) -> list[Arguments]:
        """These arguments once for every choice among them, unless that is too often."""
        found = [self]
        for place, value in enumerate(self.positional):
            if value.kind == "either" and len(found) * len(value.items) <= MOST_CHOICES:
                found = [each.with_one(place, one) for each in found for one in value.items]
        return found

    def with_one(self, place: int, value: Value) -> Arguments:
        changed = Arguments(self.receiver)
        changed.positional = [*self.positional[:place], value, *self.positional[place + 1 :]]
        changed.named = self.named
        return changed

    def options(self) -> dict[str, Value]:
        """Named arguments, and those of maps given in their stead."""
        found = dict(self.named)
        for value in self.positional:
            if value.kind == "map":
                found.update(value.pairs)
        return found


def _opened(values: Sequence[Value]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        if value.kind == "list":
            found += value.items
        elif value.kind != "map":
            found.append(value)
    return found
