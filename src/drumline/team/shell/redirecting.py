"""Where a step's input comes from and its output goes, behind its redirections."""

from __future__ import annotations

from drumline.team.shell.branching import Branching
from drumline.team.shell.effect import HOLE, OUTER, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.expand import fields, one
from drumline.team.shell.holding import bounded
from drumline.team.shell.said import or_else, together
from drumline.team.shell.syntax import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.syntax import Redirect

_NOWHERE = frozenset(
    {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin", "/dev/zero", "-"}
)
_STREAMS = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}


class Streams(Branching):
    """A shell whose steps read and write files and descriptors."""

    __slots__ = ()

    def redirect(self, redirects: Sequence[Redirect], stdin: str) -> str:
        """Note what redirections write and read; the input they give."""
        for redirect in redirects:
            operator = redirect.operator
            if operator in {"<<", "<<-", "<<<"}:
                text = one(redirect.target, self) + ("\n" if operator == "<<<" else "")
                if redirect.descriptor in {"", "0"}:
                    stdin = text
                else:
                    self.files[f"/dev/fd/{redirect.descriptor}"] = text
            else:
                given = self._to_files(operator, fields([redirect.target], self), stdin)
                if ">" in operator or redirect.descriptor in {"", "0"}:
                    stdin = given
                else:
                    self.files[f"/dev/fd/{redirect.descriptor}"] = given
        return stdin

    def _to_files(self, operator: str, targets: list[str], stdin: str) -> str:
        for target in targets:
            if (
                target in _NOWHERE
                or target.startswith("/dev/fd/")
                or is_descriptor(operator, target)
            ):
                if operator == "<":
                    stdin = self._given(target, HOLE)
                elif operator == "<&":
                    stdin = self._given(f"/dev/fd/{target.removesuffix('-')}", stdin)
            elif operator == "<":
                path = self.path(target)
                self.note(did_read(path))
                stdin = self._given(path, OUTER)  # as it was before: nobody wrote it here
            else:
                how = "append" if ">>" in operator else "write"
                self.note(wrote(self.path(target), how))
        return stdin

    def _given(self, path: str, otherwise: str) -> str:
        text = self.kept(path)
        return otherwise if text is None else text

    def keep(self, redirects: Sequence[Redirect], said: str) -> None:
        """Remember what a file written here holds, in case it is run later in the command."""
        for redirect in redirects:
            if ">" not in redirect.operator:
                continue
            text = self.settled(said, redirect) if redirect.descriptor in {"", "1"} else HOLE
            for target in fields([redirect.target], self):
                path = self.path(target)
                before = self._given(path, "") if ">>" in redirect.operator else ""
                self.files[path] = bounded(together([before, text]))
                self.open_as(("files", path), ())


def still_printed(said: str, redirects: Sequence[Redirect]) -> str:
    """What a step prints behind its redirections; what goes to another descriptor may come back."""
    here = {"1"}  # the descriptors that lead to where the step prints
    files = True
    for redirect in redirects:
        numbers = _numbers(redirect)
        source = _source(redirect)
        if "1" in numbers:
            files = source == ""
        here = here | numbers if source in here else here - numbers
    if "1" in here:
        return said
    if here:
        return or_else(said, "", HOLE)
    return "" if files else or_else(said, "")


def _numbers(redirect: Redirect) -> set[str]:
    """The descriptors that are led elsewhere."""
    if redirect.operator.startswith("&"):
        return {"1", "2"}
    return {redirect.descriptor or ("1" if ">" in redirect.operator else "0")}


def _source(redirect: Redirect) -> str:
    """The descriptor that is copied; nothing for a file, and a mark where nobody can tell."""
    target = redirect.target[0] if len(redirect.target) == 1 else None
    name = target.text if isinstance(target, Text) else HOLE
    if name == "/dev/null":
        return ""
    if name.startswith(("/dev/", "/proc/")):
        return _STREAMS.get(name, name.rpartition("/")[2] if "/fd/" in name else HOLE)
    return name.removesuffix("-") or HOLE if redirect.operator.endswith("&") else _unless_file(name)


def _unless_file(name: str) -> str:
    return HOLE if name == HOLE else ""


def is_descriptor(operator: str, target: str) -> bool:
    return operator.endswith("&") and (target.removesuffix("-").isdecimal() or target == "-")
