"""Whatever a command that lists files and hands them on really removes, the walk must have said."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from drumline.hooks import grammar
from drumline.team.shell.effect import HOLE, OUTER, STAR
from drumline.team.shell.state import Around
from drumline.team.shell.walk import Walk
from tests.trying import tries

FILES = (
    *("a.py", "b.txt", ".hidden", "src/a.py", "src/b.txt", "src/.hidden", "src/deep/c.py"),
    *("src/deep/src/a.py", "tests/a.py", "tests/x[1].txt", ".config/a.py", ".config/set.json"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A repository in which every file is known to git."""
    folder = tmp_path_factory.mktemp("place")
    laid(folder)
    for words in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def laid(folder: Path) -> None:
    """Every file where it belongs, with a word to search for."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("word\n")


def removed(command: str, place: Path) -> set[str]:
    """What is gone after bash has run this."""
    laid(place)
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C"}
    subprocess.run(
        ["bash", "-c", command],
        cwd=place,
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return {name for name in FILES if not (place / name).exists()}


def check(command: str, place: Path) -> None:
    effects = Walk(grammar.read, str(place), Around("/home/u")).effects(grammar.read(command))
    if any(effect.kind == "undecided" for effect in effects):
        return
    told = [effect for effect in effects if effect.kind == "write"]
    for name in removed(command, place):
        assert any(means(effect, f"{place}/{name}") for effect in told), (command, name, told)


def means(effect, path: str) -> bool:
    """Whether this path is one of those that were told."""
    ways = {HOLE: ".*", STAR: "[^/]*", OUTER: "[^/]*"}
    pattern = "".join(ways.get(letter) or re.escape(letter) for letter in effect.subject)
    below = "(/.*)?" if effect.tree else ""
    return re.fullmatch(pattern.rstrip("/") + below, path, re.DOTALL) is not None


roots = st.sampled_from(["", ".", "src", "./src/", "src tests", ".config", "src/deep .", "-- src"])
patterns = st.sampled_from(
    [
        "'*.py'",
        "a.py",
        "'.*'",
        "'*'",
        "'a*'",
        "'[ab].*'",
        "'?.py'",
        "'x\\[1\\].txt'",
        "src",
        "'*d*'",
    ]
)
single = st.one_of(
    st.builds("-name {}".format, patterns),
    st.builds("-iname {}".format, patterns),
    st.sampled_from(["-type f", "-true", "-path './src/*'", "-size -9", "-maxdepth 1", "-empty"]),
)
asked = st.recursive(
    single,
    lambda inner: st.one_of(
        st.builds("{} {}".format, inner, inner),
        st.builds("{} -o {}".format, inner, inner),
        st.builds("{} , {}".format, inner, inner),
        st.builds("! {}".format, inner),
        st.builds("\\( {} \\)".format, inner),
        st.builds("{} -prune -o {} -print".format, inner, inner),
        st.builds("{} -print {}".format, inner, inner),
    ),
    max_leaves=4,
)
done = st.sampled_from(
    [
        *("-delete", "-exec rm -f {} +", "-exec rm -f {} \\;", "-execdir rm -f {} \\;"),
        *("-execdir rm -f a.py \\;", "-exec sh -c 'rm -f \"$0\"' {} \\;"),
    ]
)
finds = st.builds("find {} {}".format, roots, asked)
folders = st.sampled_from(
    ["", ".", "src", "src tests", ".config", "*", "src/*", ".*", "*.py", "src/deep/"]
)
lists = st.one_of(
    finds,
    st.builds("find {} {} -print".format, roots, asked),
    st.builds("grep -rl word {}".format, folders),
    st.builds("grep -l word {}".format, folders),
    st.builds("grep -rlZ word {} | tr '\\0' '\\n'".format, folders),
    st.builds("grep -rL nothing {} --include={}".format, folders, patterns),
    st.builds(
        "ls {} {}".format, st.sampled_from(["", "-a", "-A1", "-d", "-dr", "-R", "-p"]), folders
    ),
    st.builds("git ls-files {}".format, folders),
    st.builds("git ls-files {}".format, patterns),
    st.builds("git grep -l word -- {}".format, folders),
    st.builds("(cd src; find . {})".format, asked),
    st.builds("{{ find src {}; ls; }}".format, asked),
)
sieves = st.sampled_from(
    [
        "sort",
        "sort -r",
        "head -n 2",
        "tail -1",
        "tac",
        "uniq",
        "grep -v b",
        "grep py",
        "grep -o a.py",
    ]
)
takers = st.sampled_from(
    [
        *(
            "xargs rm -f",
            "xargs -n1 rm -f",
            "xargs -I{} rm -f {}",
            "xargs -I@ rm -f src/@",
            "xargs -d '\\n' rm -f",
        ),
        *("tr '\\n' '\\0' | xargs -0 rm -f", 'while read -r f; do rm -f "$f"; done'),
        *(
            'while read f; do rm -f "${f##*/}"; done',
            'while IFS=/ read -r a b; do rm -f "$b"; done',
        ),
        *('{ mapfile -t all; rm -f "${all[@]}"; }', "while read -r f; do rm -f src/$f; done"),
        *("cat > list; xargs rm -f < list", "{ cd src; xargs rm -f; }", "xargs -d a rm -f"),
    ]
)
piped = st.builds(" | ".join, st.tuples(lists, sieves, takers) | st.tuples(lists, takers))
substituted = st.builds(
    str.format,
    st.sampled_from(
        [
            *("rm -f $({})", "for f in $({}); do rm -f $f; done", "f=$({}); rm -f $f"),
            *(
                "mapfile -t all < <({}); rm -f ${{all[@]}}",
                "while read -r f; do rm -f $f; done < <({})",
            ),
        ]
    ),
    lists,
)
deeds = st.builds("{} {}".format, finds, done)
zeros = st.builds(
    "find {} {} -print0 | {}".format,
    roots,
    asked,
    st.sampled_from(
        [
            *("xargs -0 rm -f", "xargs rm -f", "while read -r -d '' f; do rm -f \"$f\"; done"),
            *("{ mapfile -d '' -t all; rm -f \"${all[@]}\"; }", "sort -z | xargs -0 rm -f"),
        ]
    ),
)


@settings(
    max_examples=tries(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.one_of(deeds, piped, substituted, zeros))
@example("find . -delete -name a.py")
@example("find .config -print0 -name a.py | xargs rm -f")
@example("find src -execdir rm -f a.py \\;")
@example("find . -name src -prune -o -name '*.py' -delete")
@pytest.mark.requirement("GUARD-03")
def test_any_file_that_is_removed_by_who_is_handed_its_name_was_told(place, command):
    check(command, place)
