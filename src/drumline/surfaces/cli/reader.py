"""Whoever reads our answer: a terminal, a file, or the other end of a pipe."""

import select
import sys


def left() -> bool:
    """Whether the other end of our pipe is closed: with nothing to say we would never notice."""
    watch = select.poll()
    watch.register(sys.stdout.fileno(), 0)
    return any(what & select.POLLERR for _, what in watch.poll(0))
