"""A command in one line, what it does in one line: `<any>`, `<star>` and `<env>` are the marks."""

import shlex

import pytest

from drumline.team.shell.effect import HOLE, OUTER, STAR, Effect, ran
from drumline.team.shell.scene import Scene

MARKS = {"<any>": HOLE, "<star>": STAR, "<env>": OUTER}


class Recording(Scene):
    """A scene that notes what it is asked to follow."""

    def script(self, text):
        return [Effect("script", text)]

    def run(self, argv):
        return [ran(argv)]


def words_of(command):
    for name, mark in MARKS.items():
        command = command.replace(name, mark)
    return shlex.split(command)


def table(rows):
    """Commands and what they do, each row called by its command."""
    return [pytest.param(command, expected, id=command) for command, expected in rows.items()]


def told(effects):
    """What is changed; what is only read is asked for by `read_by`."""
    line = " + ".join(_one(effect) for effect in effects if effect.kind != "read")
    for name, mark in MARKS.items():
        line = line.replace(mark, name)
    return line


def read_by(effects):
    return [effect.subject for effect in effects if effect.kind == "read"]


def _one(effect):
    below = "/**" if effect.tree else ""
    folder = f" {effect.words[0]}" if effect.words else ""
    return {
        "git": f"{effect.subject}:{effect.how}" if effect.how else effect.subject,
        "write": f"{effect.how} {effect.subject}{below}",
        "undecided": f"undecided {effect.how}{folder}",
        "script": f"sh({effect.subject})",
        "run": f"run({' '.join(effect.words)})",
        "danger": f"danger {effect.how}",
    }[effect.kind]
