"""What a confined process may still write, reach and see, and which layers of a machine hold it.

Nothing here imports `typing` or `dataclasses`: every confined start pays for what is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SECRETS = (
    "*_KEY",
    "*APIKEY",
    "*ACCESSKEY",
    "*SECRETKEY",
    "*PRIVATEKEY",
    "*TOKEN",
    "*SECRET",
    "*SECRETS",
    "*PASS",
    "*PASSWORD",
    "*PASSWD",
    "*PASSPHRASE",
    "*_PWD",
    "*_PAT",
    "*_AUTH",
    "*CREDENTIAL",
    "*CREDENTIALS",
    "*DATABASE_URL",
    "*_DSN",
    "*WEBHOOK",
    "*WEBHOOK_URL",
    "AWS_*",
    "SSH_AUTH_SOCK",
)
ENDINGS = tuple(each[1:] for each in SECRETS if each.startswith("*"))  # asked of every variable
OTHERS = tuple(each for each in SECRETS if not each.startswith("*"))
NAMES = 53  # the port of DNS: who lists it needs UDP, which no layer can tell apart by port


class Fixed:
    """A value whose parts are set once, equal to another with equal parts."""

    __slots__: tuple[str, ...] = ()

    def _fix(self, **parts: object) -> None:
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def _parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is fixed: make another one")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({said})"


class Environment(Fixed):
    """Which variables a confined process sees: all but secrets, the dropped, and never less than kept."""

    __slots__ = ("drop", "keep")
    keep: tuple[str, ...]
    drop: tuple[str, ...]

    def __init__(self, *, keep: Iterable[str] = (), drop: Iterable[str] = ()) -> None:
        self._fix(keep=tuple(keep), drop=tuple(drop))

    def removes(self, name: str) -> bool:
        """Whether a variable of this name stays outside."""
        if name in self.keep:
            return False
        if name.upper().endswith(ENDINGS):
            return True
        return any(matches(name, pattern) for pattern in (*OTHERS, *self.drop))

    def left(self, variables: Mapping[str, str]) -> dict[str, str]:
        """What remains of an environment."""
        return {name: value for name, value in variables.items() if not self.removes(name)}


class Confinement(Fixed):
    """What a process and all it starts may do for as long as they live.

    writable     folders and files it may change; nothing else on any disk
    holes        what stays unchangeable inside them
    hidden       folders that look empty and cannot be changed, but for the writable inside them
    shown        what can be read inside the hidden all the same
    ports        the TCP ports it may reach or offer; None means any
    environment  what it sees of the variables
    descriptors  the open files it keeps besides the three standard ones
    """

    __slots__ = ("descriptors", "environment", "hidden", "holes", "ports", "shown", "writable")
    writable: tuple[str, ...]
    holes: tuple[str, ...]
    hidden: tuple[str, ...]
    shown: tuple[str, ...]
    ports: tuple[int, ...] | None
    environment: Environment
    descriptors: tuple[int, ...]

    def __init__(  # noqa: PLR0913 - one word for each part, and none without its name
        self,
        *,
        writable: Iterable[str] = (),
        holes: Iterable[str] = (),
        hidden: Iterable[str] = (),
        shown: Iterable[str] = (),
        ports: Iterable[int] | None = None,
        environment: Environment | None = None,
        descriptors: Iterable[int] = (),
    ) -> None:
        self._fix(
            writable=tuple(writable),
            holes=tuple(holes),
            hidden=tuple(hidden),
            shown=tuple(shown),
            ports=None if ports is None else tuple(ports),
            environment=environment or Environment(),
            descriptors=tuple(descriptors),
        )

    def adding(
        self,
        *,
        writable: Iterable[str] = (),
        holes: Iterable[str] = (),
        hidden: Iterable[str] = (),
        shown: Iterable[str] = (),
    ) -> Confinement:
        """The same, with more that may be changed or seen and more that may not."""
        return Confinement(
            writable=(*self.writable, *writable),
            holes=(*self.holes, *holes),
            hidden=(*self.hidden, *hidden),
            shown=(*self.shown, *shown),
            ports=self.ports,
            environment=self.environment,
            descriptors=self.descriptors,
        )

    def words(self) -> list[str]:
        """The confinement as words of a command line, which `read` reads back."""
        named: tuple[tuple[str, Sequence[object]], ...] = (
            ("--writable", self.writable),
            ("--hole", self.holes),
            ("--hidden", self.hidden),
            ("--shown", self.shown),
            ("--keep-env", self.environment.keep),
            ("--drop-env", self.environment.drop),
            ("--descriptor", self.descriptors),
        )
        said = [word for flag, values in named for value in values for word in (flag, str(value))]
        if self.ports is not None:
            said += ["--ports", ",".join(map(str, self.ports))]
        return said


def read(words: Sequence[str]) -> Confinement:
    """The confinement that words written by `Confinement.words` mean."""
    found: dict[str, list[str]] = {}
    for flag, value in zip(words[::2], words[1::2], strict=True):
        found.setdefault(flag, []).append(value)
    ports = found.get("--ports")
    return Confinement(
        writable=found.get("--writable", ()),
        holes=found.get("--hole", ()),
        hidden=found.get("--hidden", ()),
        shown=found.get("--shown", ()),
        ports=None if ports is None else [int(port) for port in ports[-1].split(",") if port],
        environment=Environment(keep=found.get("--keep-env", ()), drop=found.get("--drop-env", ())),
        descriptors=[int(number) for number in found.get("--descriptor", ())],
    )


def matches(name: str, pattern: str) -> bool:
    """Whether a variable's name fits a pattern with at most one `*`, in any case of letters."""
    name, pattern = name.upper(), pattern.upper()
    head, star, tail = pattern.partition("*")
    if not star:
        return name == pattern
    return len(name) >= len(head + tail) and name.startswith(head) and name.endswith(tail)
