"""Processes as /proc tells of them: a number alone says little, for it is given again.

Nothing heavy is loaded here: the launcher of every life pays for it.
"""

# ruff: noqa: PTH123, PTH208  # pathlib costs every start 10 ms

from __future__ import annotations

import os

from drumline.runtimes import kernel

KILL, ASK_TO_END = 9, 15
PARENT, STARTED = 1, 19  # counted from the state, which follows the name


def parent_and_start(process: int) -> tuple[int, int] | None:
    """A process's parent and when it began, in ticks since the machine did; None when it is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()  # a name may hold anything
    except OSError:
        return None
    return (int(words[PARENT]), int(words[STARTED])) if len(words) > STARTED else None


def everyone() -> list[int]:
    """The number of every process that can be seen from here."""
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def below(ancestor: int) -> list[tuple[int, int]]:
    """Number and start of what a process started, what that started, and so on, as of about now."""
    children: dict[int, list[tuple[int, int]]] = {}
    for process in everyone():
        if told := parent_and_start(process):
            children.setdefault(told[0], []).append((process, told[1]))
    found = list(children.get(ancestor, ()))
    for process, _ in found:  # grows while it is read
        found += children.get(process, ())
    return found


def kill(process: int, started: int) -> int | None:
    """Kill this very process; a descriptor to await its end, None when it is gone already."""
    try:
        holder = os.pidfd_open(process)
    except ProcessLookupError:
        return None
    try:
        told = parent_and_start(process)
        if told and told[1] == started:  # held since before this was read: it cannot be another
            kernel.call(kernel.SEND_SIGNAL_TO_DESCRIPTOR, holder, KILL, None, 0)
            return holder
    except ProcessLookupError:
        pass
    except OSError:
        os.close(holder)
        raise
    os.close(holder)
    return None


def started(process: int) -> str:
    """When a process began, as it is kept; empty when it is gone."""
    told = parent_and_start(process)
    return str(told[1]) if told else ""


def is_alive(process: int, began: str) -> bool:
    """Whether this very process still runs; one that only waits to be buried does not."""
    told = parent_and_start(process)
    return told is not None and str(told[1]) == began and not _is_over(process)


def _is_over(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in {b"Z", b"X"}
    except (OSError, IndexError):
        return True


def end(process: int, began: str) -> bool:
    """Kill this very process; whether it was there."""
    holder = kill(process, int(began)) if began.isdecimal() else None
    if holder is not None:
        os.close(holder)
    return holder is not None


def ask_to_end(process: int, began: str) -> bool:
    """Ask this very process to end; whether it was there."""
    try:
        holder = os.pidfd_open(process)
    except (OSError, ValueError):
        return False
    try:
        alive = is_alive(process, began)
        if alive:
            kernel.call(kernel.SEND_SIGNAL_TO_DESCRIPTOR, holder, ASK_TO_END, None, 0)
    except ProcessLookupError:
        return False
    finally:
        os.close(holder)
    return alive
