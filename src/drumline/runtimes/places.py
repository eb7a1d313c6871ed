"""The paths of a confinement, checked before anything relies on them."""

from __future__ import annotations

import os
from pathlib import Path

from drumline.errors import BadInput, Unknown
from drumline.team.confinement import Confinement


def checked(confinement: Confinement) -> Confinement:
    """The same with plain absolute paths; refused when one is not what it seems to be.

    A link is never followed: who may change it would choose what becomes writable next time.
    """
    writable = [_plain(path, "writable") for path in confinement.writable]
    holes = [_plain(path, "a hole") for path in confinement.holes]
    hidden = [_plain(path, "hidden") for path in confinement.hidden]
    shown = [_plain(path, "shown") for path in confinement.shown]
    for path in writable:
        _vet_root(path, holes)
    for path in hidden:
        _vet_hidden(path, (*writable, *shown))
    return Confinement(
        writable=dict.fromkeys(writable),
        holes=dict.fromkeys(holes),
        hidden=dict.fromkeys(hidden),
        shown=dict.fromkeys(shown),
        ports=confinement.ports,
        environment=confinement.environment,
        descriptors=confinement.descriptors,
    )


def _plain(path: str, role: str) -> str:
    plain = os.path.abspath(path)  # noqa: PTH100 - a link must be seen, not followed
    real = os.path.realpath(plain)
    if real != plain:
        raise BadInput(
            f"{plain} cannot be {role}: it leads through a link",
            why=f"whoever may change the link chooses what it means; now it means {real}",
            next=f"name {real} if that is what you mean",
        )
    return plain


def _vet_root(path: str, holes: list[str]) -> None:
    if path == "/":
        raise BadInput(
            "/ cannot be writable", why="nothing would be confined", next="name a folder"
        )
    if path in holes:
        raise BadInput(f"{path} is named both writable and a hole", next="name it once")
    if not os.path.lexists(path):
        raise Unknown(f"no such place: {path}", why="a rule needs it there", next="make it first")


def _vet_hidden(path: str, visible: tuple[str, ...]) -> None:
    if path == "/":
        raise BadInput("/ cannot be hidden", why="nothing could be run", next="name a folder")
    if path in visible:
        raise BadInput(
            f"{path} is named both hidden and visible",
            next="name what is inside it, or do not hide it",
        )
    if os.path.lexists(path) and not Path(path).is_dir():
        raise BadInput(f"{path} cannot be hidden: it is no folder", next="name its folder")
