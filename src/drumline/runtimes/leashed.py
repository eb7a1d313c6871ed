"""The launcher of a life: nothing that a command starts outlives whoever holds its leash.

    outer    has the reading end of the leash, and ends everything when no writer is left
    first    the first process of a namespace: the kernel ends with it all that is inside
    command  confined, in a session of its own

Where there can be no such namespace, outer adopts what loses its parent, and ends it itself.

What a machine gives is not tried first: the start itself is the trial. Only when it fails, before there
is a command, outer finds out which layers are missing; if none is, nothing is started.
"""

from __future__ import annotations

import os
import select
import stat

from drumline.runtimes import (
    confined,
    hearing,
    holes,
    kernel,
    namespace,
    privileges,
    processes,
    streams,
)
from drumline.team import layer
from drumline.team.confinement import Fixed, read
from drumline.team.layer import Layer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from drumline.team.confinement import Confinement

PASSED_ON = (hearing.TERMINATE, hearing.INTERRUPT, hearing.HANG_UP, hearing.QUIT)
SIGNAL_WHEN_PARENT_ENDS, DUMPABLE, ADOPT_ORPHANS = 1, 4, 36
ERRORS = 2
KILLED = 128 + hearing.KILL
LONGEST_PAUSE = 1000  # milliseconds


class Unmade(OSError):
    """The namespaces of a start could not be made as planned; nothing was started."""


class Wish(Fixed):
    """What is to be started: words, how it is held, and how we hear of signals."""

    __slots__ = ("apart", "argv", "before", "confinement", "ears", "terminal")
    argv: tuple[str, ...]
    confinement: Confinement
    terminal: bool
    apart: bool
    ears: int
    before: bytes

    def __init__(self, **parts: object) -> None:
        self._fix(**parts)


class Start(Fixed):
    """A wish, and what holds it: the layers, and what is mounted where."""

    __slots__ = ("active", "places", "wish")
    wish: Wish
    active: frozenset[str]
    places: dict[str, str]

    def __init__(self, **parts: object) -> None:
        self._fix(**parts)


def main(words: Sequence[str]) -> NoReturn:
    """Live on a leash: `--leash PATH --session own|kept --processes own|shared`, then as confined."""
    split = words.index("--")
    leash, session, apart = words[1:6:2]
    name = words[split + 1]
    confinement = read(words[6:split])
    try:
        streams.close_all_but(confinement.descriptors)  # among them our own leash, if it was leaked
        line = _take(leash)
        if _is_cut(line):
            then = "start it from a runner that holds the leash"
            confined.refuse(name, f"nobody holds its leash: {leash}", then)
        if session != "kept" and os.getsid(0) != os.getpid():
            os.setsid()
        ears, before = hearing.hold_back((*PASSED_ON, hearing.CHILD_ENDED))
        wish = Wish(
            argv=tuple(words[split + 1 :]),
            confinement=confinement,
            terminal=session == "kept",
            apart=apart == "own",
            ears=ears,
            before=before,
        )
        code = _live(wish, line)
    except OSError as error:
        confined.refuse(name, str(error))
    os._exit(code)


def _take(leash: str) -> int:
    followed = 0 if leash.startswith("/proc/") else os.O_NOFOLLOW  # a process's own has no name
    line = os.open(leash, os.O_RDONLY | os.O_NONBLOCK | followed)
    if not stat.S_ISFIFO(os.fstat(line).st_mode):
        raise OSError(f"{leash} is no FIFO")
    return line


def _live(wish: Wish, line: int) -> int:
    """Start it with every namespace it should have; less it gets only where the machine has less."""
    told: list[str] = []

    def tell_once(text: str) -> None:
        if text not in told:
            told.append(text)
            confined.tell(text)

    hoped = _prepare(wish, confined.layers_hoped(), tell_once)
    try:
        return _outer(hoped, line)
    except Unmade:
        kernel.function("prctl", DUMPABLE, 1, 0, 0, 0)  # who tries a namespace must own its /proc
        given = confined.layers_with_processes() if wish.apart else confined.layers_here()
        start = _prepare(wish, given, tell_once)
        if start.active == hoped.active:
            raise
    return _outer(start, line)


def _prepare(wish: Wish, found: Sequence[Layer], say: Callable[[str], object]) -> Start:
    """All that is decided, and said, before there is a second process."""
    if not wish.apart:
        others = [each for each in found if each.name != layer.PROCESSES]
        found = [*others, Layer(layer.PROCESSES, "not wanted", active=False)]
    active = confined.said(found, say)
    places = confined.planned(wish.confinement, active, say)
    return Start(wish=wish, active=frozenset(active), places=places)


def _outer(start: Start, line: int) -> int:
    """Hold what was started until it ends or the leash is cut; then nothing of it is left."""
    apart = layer.PROCESSES in start.active
    if not apart:
        kernel.function("prctl", ADOPT_ORPHANS, 1, 0, 0, 0)
    tie, held = os.pipe()  # what the leash is to us, this is to the child
    ready, answer = os.pipe()
    child, user = _fork(start)
    if child == 0:
        for number in (line, held, ready):
            os.close(number)
        _inside(start, user, tie, answer)
    os.close(answer)
    kernel.function("prctl", DUMPABLE, 0, 0, 0, 0)  # nobody inside takes the leash from our hands
    if why := _failure(ready, line):
        os.waitpid(child, 0)
        raise Unmade(why)
    streams.leave_only((ERRORS, line, held, start.wish.ears))
    code = _watch(start.wish, line, child)
    if code is None:
        os.kill(child, hearing.KILL)
        code = KILLED
        if apart:
            os.waitpid(child, 0)  # the kernel tells of it when the whole namespace has ended
    if not apart:
        _end_all_below(start.wish.ears)
    return code


def _fork(start: Start) -> tuple[int, dict[str, str]]:
    try:
        return namespace.fork_first() if layer.PROCESSES in start.active else (os.fork(), {})
    except OSError as error:
        raise Unmade(str(error)) from error


def _inside(start: Start, user: dict[str, str], tie: int, answer: int) -> NoReturn:
    _die_with_parent(tie)
    _enter(start, user, answer)
    if layer.PROCESSES in start.active:
        _first(start, tie)
    _command(start)


def _enter(start: Start, user: dict[str, str], answer: int) -> None:
    """Go where the command is to live; who cannot says why, and ends."""
    make_mounts = holes.enter
    try:
        namespace.become(user)
        if layer.PROCESSES in start.active:
            namespace.show_own_processes()
            make_mounts = holes.seal  # these mounts are our own already
        if layer.MOUNTS in start.active:
            make_mounts(start.places)
    except OSError as error:
        os.write(answer, str(error).encode())
        os._exit(confined.NOT_CONFINED)
    os.close(answer)


def _failure(ready: int, line: int) -> str:
    """Why the child could not go where it should; empty when it is there, or nobody waits for it."""
    waiting = select.poll()
    waiting.register(ready, select.POLLIN)
    waiting.register(line, select.POLLIN)
    while True:
        if ready in dict(waiting.poll()):
            return os.read(ready, select.PIPE_BUF).decode(errors="replace")
        if _is_cut(line):
            return ""


def _die_with_parent(tie: int) -> None:
    os.set_blocking(tie, False)
    kernel.function("prctl", SIGNAL_WHEN_PARENT_ENDS, hearing.KILL, 0, 0, 0)
    if _is_cut(tie):  # it ended before we asked
        os._exit(KILLED)


def _first(start: Start, tie: int) -> NoReturn:
    """The parent of all inside: it takes in what loses its own, and ends with the command."""
    kernel.function("prctl", DUMPABLE, 0, 0, 0, 0)  # we are not filtered: nobody inside may lead us
    child = os.fork()
    if child == 0:
        _command(start)
    privileges.drop()
    streams.leave_only((ERRORS, tie, start.wish.ears))
    code = _watch(start.wish, tie, child)
    os._exit(KILLED if code is None else code)


def _command(start: Start) -> NoReturn:
    if not start.wish.terminal:
        os.setsid()  # what it tells its own group, we do not hear
    streams.close_all_but(start.wish.confinement.descriptors)
    hearing.let_through(start.wish.before)
    confined.exec_mounted(start.wish.argv, start.wish.confinement, set(start.active))


def _watch(wish: Wish, line: int, child: int) -> int | None:
    """The child's exit code, 128 and more when a signal ended it; None when the line is cut."""
    waiting = select.poll()
    waiting.register(line, select.POLLIN)
    waiting.register(wish.ears, select.POLLIN)
    while True:
        waiting.poll()
        if _is_cut(line):
            return None
        for number, by_the_kernel in hearing.heard(wish.ears):
            told_already = wish.terminal and by_the_kernel  # a terminal tells its whole group
            if number in PASSED_ON and not told_already:
                os.kill(child, number)
        ended = _reaped()
        if child in ended:
            return ended[child]


def _is_cut(line: int) -> bool:
    """Whether nobody is left at the other end; what is said over the line means nothing."""
    try:
        while os.read(line, 4096):
            pass
    except BlockingIOError:
        return False
    return True


def _reaped() -> dict[int, int]:
    """The children that have ended, with their exit codes; what has no parent left is our child."""
    ended: dict[int, int] = {}
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if not child:
            return ended
        code = os.waitstatus_to_exitcode(status)
        ended[child] = code if code >= 0 else 128 - code


def _end_all_below(ears: int) -> None:
    """Kill until no child is left: then nothing is, since every orphan below becomes our child."""
    waiting, pause = select.poll(), 1
    waiting.register(ears, select.POLLIN)
    while _has_children():
        for process, started in processes.below(os.getpid()):
            ending = processes.kill(process, started)
            if ending is not None:
                os.close(ending)
        waiting.poll(pause)
        hearing.heard(ears)
        pause = min(pause * 2, LONGEST_PAUSE)


def _has_children() -> bool:
    _reaped()
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
