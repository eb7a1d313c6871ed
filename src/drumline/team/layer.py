"""The layers that hold a confined process, and what none of them covers."""

from __future__ import annotations

from drumline.team.confinement import Fixed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LANDLOCK, TRUNCATION, SCOPES, PORTS = "landlock", "truncation", "scopes", "ports"
MOUNTS, CALLS, PRIVILEGES, PROCESSES = "mounts", "calls", "privileges", "processes"


class Layer(Fixed):
    """One kind of protection: whether this machine gives it, and what that means or why not."""

    __slots__ = ("active", "name", "says")
    name: str
    active: bool
    says: str

    def __init__(self, name: str, says: str, *, active: bool) -> None:
        self._fix(name=name, says=says, active=active)


class Gap(Fixed):
    """Something a confined process can do all the same, unless one of the layers named is active."""

    __slots__ = ("covered_by", "says", "what")
    what: str
    says: str
    covered_by: tuple[str, ...]

    def __init__(self, what: str, says: str, *covered_by: str) -> None:
        self._fix(what=what, says=says, covered_by=covered_by)


NOT_COVERED = (
    Gap("writing", "all that this user may write can be written", LANDLOCK, MOUNTS),
    Gap("reading", "every file this user may read is readable, keys in the home folder included"),
    Gap(
        "holes",
        "what is named a hole inside a writable root can be written",
        MOUNTS,
    ),
    Gap("hidden folders", "what is named hidden can be listed and read", MOUNTS),
    Gap(
        "metadata",
        "mode, owner, times and attributes of this user's files can be changed everywhere",
        MOUNTS,
    ),
    Gap("truncation", "any file of this user can be emptied", TRUNCATION, MOUNTS),
    Gap(
        "signals",
        "this user's other processes can be ended, and reached on abstract unix sockets",
        SCOPES,
    ),
    Gap(
        "terminals",
        "keys can be typed into the terminal it runs in, and limits set on other processes",
        CALLS,
    ),
    Gap(
        "open files",
        "standard input, output and error, and descriptors kept by name, stay as they were opened",
    ),
    Gap(
        "helpers outside",
        "a program that listens on a unix socket does what it is asked: docker, tmux, D-Bus, an agent"
        " for keys",
    ),
    Gap("servers", "ports limit ports, not hosts; without a list every server answers as it did"),
    Gap("UDP", "who lists port 53, to have names resolved, may send UDP to any port"),
    Gap(
        "listening", "a server without a chosen port can be opened whatever the list of ports says"
    ),
    Gap(
        "second names",
        "a file that had a hard link inside a writable root before is writable through it",
    ),
    Gap("absent holes", "a hole that does not exist at the start can be made and filled"),
    Gap(
        "what is run later",
        "files it may write can be code for others: a start-up file in a writable home, and anything"
        " git reads in its checkout; run git there confined too",
    ),
    Gap("kept variables", "a key kept by name is readable by every process inside"),
    Gap("secrets by other names", "variables are removed by name, never by what they hold"),
    Gap("System V memory", "its shared memory and message queues are shared with the outside"),
    Gap("priorities", "other processes of an ordinary user can be given less of the machine"),
    Gap("exhaustion", "memory, processes, disk and processor time are not limited"),
    Gap(
        "survivors",
        "what it leaves running stays confined, but without a leash is not ended with it",
    ),
    Gap(
        "cut ties",
        "where its launcher itself is killed, what it left running is ended only if found by its"
        " environment",
        PROCESSES,
    ),
)


def missing(layers: Iterable[Layer]) -> list[Layer]:
    """The layers this machine does not give."""
    return [layer for layer in layers if not layer.active]


def uncovered(layers: Iterable[Layer]) -> list[Gap]:
    """What a process can do all the same where these layers are active."""
    active = {layer.name for layer in layers if layer.active}
    return [gap for gap in NOT_COVERED if not active.intersection(gap.covered_by)]
