"""Whatever bash really runs, the walk must have said, or said that it cannot tell."""

import shlex
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.hooks import grammar
from drumline.team.shell import plain
from drumline.team.shell.effect import MARKS
from drumline.team.shell.state import Around
from drumline.team.shell.walk import Walk
from tests.trying import tries

# no word can hold the byte that ends each of them; how many follow is told first
STUB = """#!/bin/sh
printf '%s\\0' "$#" "${0##*/}" "$@" >> "$LOG"
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """A folder whose `alpha` and `beta` write down how they were called."""
    folder = tmp_path_factory.mktemp("stage")
    for name in ("alpha", "beta"):
        stub = folder / name
        stub.write_text(STUB)
        stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
    return folder


def really_ran(command: str, stage: Path) -> list[list[str]]:
    log = stage / "log"
    log.write_text("")
    env = {"PATH": f"{stage}:/usr/bin:/bin", "LOG": str(log), "HOME": "/home/u"}
    subprocess.run(
        ["bash", "-c", command],
        env=env,
        cwd=stage,
        capture_output=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return list(calls(log.read_bytes().decode().split("\0")[:-1]))


def calls(noted: list[str]) -> Iterator[list[str]]:
    """Each call's name and words, of all that was noted one after another."""
    while noted:
        end = 2 + int(noted[0])
        yield noted[1:end]
        noted = noted[end:]


def told(command: str, stage: Path):
    script = plain.read(command)
    if script is None:
        script = grammar.read(command)
    return Walk(grammar.read, str(stage), Around("/home/u")).effects(script)


def check(command: str, stage: Path) -> None:
    effects = told(command, stage)
    if any(effect.kind == "undecided" for effect in effects):
        return
    runs = {tuple(effect.words) for effect in effects if effect.kind == "run"}
    for argv in really_ran(command, stage):
        if not any(fits(run, argv) for run in runs):
            pytest.fail(f"{command!r} ran {argv}; told only {sorted(runs)}")


def fits(run, argv) -> bool:
    """Whether these were its words; of which nothing is known may be none."""
    surely = [word for word in run if not word or word.strip(MARKS)]
    return any(
        len(words) == len(argv)
        and words[0].rpartition("/")[2] == argv[0]
        and all(a == b or set(MARKS) & set(a) for a, b in zip(words[1:], argv[1:], strict=True))
        for words in (run, surely)
    )


words = st.sampled_from(
    ["x", "a b", "it's", 'q"q', "$v", "*", "~", "-m", "", "é", "a\\b", "#no", "{a,b}"]
)
quotings = st.sampled_from(["single", "double", "escape", "ansi"])


def quoted(word: str, how: str) -> str:
    if how == "double":
        return '"' + "".join("\\" + c if c in '"\\$`' else c for c in word) + '"'
    if how == "escape" and word:
        return "".join(c if c.isalnum() else "\\" + c for c in word)
    if how == "ansi":
        return "$'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return shlex.quote(word)


WAYS = {
    "sh": lambda inner: f"bash -c {shlex.quote(inner)}",
    "eval": lambda inner: f"eval {shlex.quote(inner)}",
    "subshell": lambda inner: f"( {inner} )",
    "group": lambda inner: "{ " + inner + "; }",
    "substitution": lambda inner: f"echo $( {inner} )",
    "backticks": lambda inner: inner if "`" in inner or "\\" in inner else f"echo `{inner}`",
    "function": lambda inner: "f() { " + inner + "; }; f",
    "if": lambda inner: f"if true; then {inner}; fi",
    "loop": lambda inner: f"for i in 1; do {inner}; done",
    "heredoc": lambda inner: f"bash <<'END'\n{inner}\nEND",
    "herestring": lambda inner: f"bash <<<{shlex.quote(inner)}",
    "pipe": lambda inner: f"printf '%s\\n' {shlex.quote(inner)} | bash",
    "env": lambda inner: f"env A=1 bash -c {shlex.quote(inner)}",
    "variable": lambda inner: f'c={shlex.quote(inner)}; eval "$c"',
    "and": lambda inner: f"true && {inner}",
    "trap": lambda inner: f"( trap {shlex.quote(inner)} EXIT; true )",
    "process": lambda inner: f"cat <( {inner} )",
    "file": lambda inner: f"printf '%s\\n' {shlex.quote(inner)} > s.sh; bash s.sh",
    "timeout": lambda inner: f"timeout 9 bash -c {shlex.quote(inner)}",
    "xargs": lambda inner: f"echo x | xargs -I@ bash -c {shlex.quote(inner)}",
    "case": lambda inner: f"case a in a) {inner};; esac",
    "alias": lambda inner: f"shopt -s expand_aliases\nalias z={shlex.quote(inner)}\nz",
}


def nest(inner: str, way: str) -> str:
    """A command put into another that runs it."""
    return str(WAYS[way](inner))


ways = st.sampled_from(sorted(WAYS))


@settings(
    max_examples=tries(120),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.sampled_from(["alpha", "beta", "./alpha"]),
    st.lists(st.tuples(words, quotings), max_size=3),
    st.lists(ways, max_size=3),
)
def test_what_bash_runs_was_told(stage, program, arguments, nesting):
    """However it is quoted and wrapped, the program and its words are seen."""
    command = " ".join([program, *(quoted(word, how) for word, how in arguments)])
    for way in nesting:
        command = nest(command, way)
    check(command, stage)


@pytest.mark.parametrize(
    "command",
    [
        "p=al; ${p}pha x",
        "a=(alpha 'b c' d); \"${a[@]}\"",
        'g() { "$@"; }; g alpha 1 2',
        "al''pha x; al\\pha y; 'al'\"pha\" z",
        "alpha {1,2}{a,b}",
        "IFS=,; x=alpha,y; $x",
        "x='alpha one two'; $x",
        'set -- alpha q; "$@"',
        "command alpha x; builtin command alpha y; exec alpha z",
        "nohup alpha x; nice -n 5 alpha y; setsid alpha z; env -i PATH=$PATH LOG=$LOG alpha w",
        "find . -maxdepth 1 -name s.none -o -name alpha -exec ./alpha {} \\;",
        "echo one two | xargs alpha; echo one | xargs -n1 -I{} alpha '{}'",
        "while read -r w; do alpha \"$w\"; break; done <<< 'line of text'",
        "time alpha x; ! alpha y; time { alpha z; }",
        "x=$(printf 'al%s' pha); $x v",
        "${NOPE:-alpha} d; : ${Q:=alpha}; $Q e",
        "cat <<EOF | bash\nalpha heredoc\nEOF",
        "source <(echo alpha sourced); . <(echo beta dotted)",
        'bash -c \'alpha "$0" "$1"\' zero one',
        "alpha `echo \\`echo deep\\``",
        "coproc alpha x; wait",
        "alpha $'tab\\there' $'\\x41'",
        "echo alpha x | tee s2.sh >/dev/null; sh s2.sh",
    ],
)
def test_what_bash_runs_in_hand_written_cases_was_told(command, stage):
    check(command, stage)
