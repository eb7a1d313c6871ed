"""A scene that shows what is followed deeper, and effects said in one line each."""

from drumline.team.shell.effect import HOLE, OUTER, STAR, Effect, ran
from drumline.team.shell.scene import Scene

PROGRAM = "undecided: inline code starts a program that cannot be told"
PATH = "undecided: inline code writes a path that cannot be told, below /repo"
CODE = "undecided: inline code evaluates text that cannot be told"
UNREADABLE = "undecided: inline code cannot be read"
RECURSIVE = "danger: recursive delete in inline code"
OUTSIDE = "danger: deletes a file outside the working tree"
DESTROYS = "danger: destroys data in a database"


class Recorded(Scene):
    """A scene in /repo that tells which scripts and programs it was asked to follow."""

    __slots__ = ("written",)

    def __init__(self, stdin=None, written=None):
        super().__init__("/repo", "/home/me", temporary=("/tmp",), stdin=stdin)
        self.written = written or {}

    def script(self, text):
        return [Effect("script", text)]

    def run(self, argv):
        return [ran(argv)]

    def kept(self, path):
        return self.written.get(path)


def said(effects):
    """Each effect in one line, the marks of unknown text as `…`, `*` and `$`."""
    return [_line(effect) for effect in effects]


def _line(effect):
    below = "/**" if effect.tree else ""
    line = {
        "script": f"sh: {effect.subject}",
        "run": f"run: {' '.join(effect.words)}",
        "write": f"{effect.how} {effect.subject}{below}",
        "read": f"read {effect.subject}",
        "identity": f"identity {effect.subject}",
        "git": f"git {effect.subject}",
        "danger": f"danger: {effect.subject}, {effect.how}"
        if effect.how
        else f"danger: {effect.subject}",
        "undecided": f"undecided: {effect.subject}"
        + (f", below {effect.words[0]}" if effect.words else ""),
    }[effect.kind]
    return line.replace(HOLE, "…").replace(STAR, "*").replace(OUTER, "$")
