"""A target for atheris: whatever text it makes, the judge must rule on it without an exception.

    pip install atheris                      (or: uv sync --group fuzz)
    mkdir -p /tmp/judge && python fuzz/judge.py -max_total_time=300 -timeout=5 -rss_limit_mb=2048 /tmp/judge

It is no part of `make test`: coverage leads it to new texts each time. Bytes become words of the shell
and of its programs, since random letters are hardly ever a command. On a failure libFuzzer writes the
bytes to a file; `python fuzz/judge.py FILE` says what text they are and fails again.
"""  # noqa: INP001 - a script, not a package

import sys
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "src"))

with atheris.instrument_imports(include=["drumline"]):
    from drumline.hooks import grammar
    from drumline.team import registry
    from drumline.team.call import Call, World
    from drumline.team.judge import ALLOW, DENY, judge
    from drumline.team.shell import databases, git, hub, interpreters, recipes, walk  # noqa: F401 - traced
    from drumline.team.standing import Standing

from tests.hooks.shell_text import BRACKETS, CODE, OPERATORS, STRANGE, WORDS  # noqa: E402 - as above

POLICY = registry.compiled(registry.built_in())
WORLD = World(
    read=grammar.read,
    real=lambda path: path,
    home="/home/user",
    temporary=("/tmp",),  # noqa: S108 - a name
)
PIECES = [*WORDS, *OPERATORS, *CODE, *STRANGE, *(sign for pair in BRACKETS for sign in pair)]
LONGEST = 64 * 1024
LETTERS, REPEATED, SPACE = 250, 251, 252  # of a byte: letters of one's own, the same again, a blank
ROLES = ("teammate", "lead", "")


def text_of(raw: bytes) -> str:
    """The command these bytes stand for."""
    source = atheris.FuzzedDataProvider(raw)
    pieces: list[str] = []
    while source.remaining_bytes() and sum(map(len, pieces)) < LONGEST:
        number = source.ConsumeIntInRange(0, 255)
        if number == LETTERS:
            pieces.append(source.ConsumeUnicode(source.ConsumeIntInRange(0, 12)))
        elif number == REPEATED and pieces:
            pieces.append(pieces[-1] * source.ConsumeIntInRange(1, 64))
        elif number >= SPACE:
            pieces.append(" ")
        else:
            pieces.append(PIECES[number % len(PIECES)])
    return "".join(pieces)[:LONGEST]


def rule(raw: bytes) -> None:
    """Judge one text as each role would have it judged."""
    text = text_of(raw)
    for role in ROLES:
        standing = Standing({"member": "ada", "role": role, "isolation": "shared"}, "/repo")
        ruling = judge(Call("Bash", {"command": text}, "/repo"), standing, POLICY, WORLD)
        if ruling.decision not in {ALLOW, DENY} or not (ruling.allowed or ruling.what):
            raise AssertionError(f"no ruling on {text!r}")


if __name__ == "__main__":
    named = [Path(word) for word in sys.argv[1:] if Path(word).is_file()]
    for path in named:
        print(repr(text_of(path.read_bytes())))  # noqa: T201 - this is the answer
    atheris.Setup(sys.argv, rule)
    atheris.Fuzz()
