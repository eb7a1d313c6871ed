"""Whatever a command that lists files and hands them on really removes, the walk must have said."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from drumline.hooks import grammar
from drumline.team.shell.effect import HOLE, OUTER, STAR, Effect
from drumline.team.shell.state import Around
from drumline.team.shell.walk import Walk
from tests.trying import tries

FILES = (
    *("a.py", "b.txt", ".hidden", "src/a.py", "src/b.txt", "src/.hidden", "src/deep/c.py"),
    *("src/deep/src/a.py", "tests/a.py", "tests/x[1].txt", ".config/a.py", ".config/set.json"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder in which every file is known to git, whose own files lie where no command removes them."""
    folder = tmp_path_factory.mktemp("place")
    laid(folder)
    for words in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *words], cwd=folder, env=environment(folder), check=True)
    return folder


def environment(place: Path) -> dict[str, str]:
    repository = {"GIT_DIR": f"{place}.git", "GIT_WORK_TREE": str(place)}
    return {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C", **repository}


def laid(folder: Path) -> None:
    """Every file where it belongs, with a word to search for."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("word\n")


def removed(command: str, place: Path) -> set[str]:
    """What is gone after bash has run this."""
    laid(place)
    subprocess.run(
        ["bash", "-c", command],
        cwd=place,
        env=environment(place),
        capture_output=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return {name for name in FILES if not (place / name).exists()}


def check(command: str, place: Path) -> None:
    effects = walked(command, place)
    if any(effect.kind == "undecided" for effect in effects):
        return
    gone_and_told(command, place, effects)


def walked(command: str, place: Path) -> list[Effect]:
    return Walk(grammar.read, str(place), Around("/home/u")).effects(grammar.read(command))


def gone_and_told(command: str, place: Path, effects: list[Effect]) -> set[str]:
    """What is really gone, all of which was told."""
    told = [effect for effect in effects if effect.kind == "write"]
    gone = removed(command, place)
    for name in gone:
        assert any(means(effect, f"{place}/{name}") for effect in told), (command, name, told)
    return gone


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
    st.sampled_from(
        [
            *("-path '*/deep/*'", "-path 'src/*.py'", "-wholename '*s*c*'", "-ipath 'SRC/deep*'"),
            *("-path '*[ab].py'", "-path ./.config", "-regex '.*\\.py'", "-regex './src/.*'"),
            *("-iregex '.*/A?\\.PY'", "-regex '.*/[ab].*'", "-mindepth 1", "-prune", "-newer a.py"),
        ]
    ),
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
    st.builds("grep -rl word --color {}".format, folders),
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
@example("find . \\( -type f , -name '*.py' \\) -delete")
@example("find src -ipath 'SRC/deep*' -print | while read f; do rm -f \"${f##*/}\"; done")
@example("find . -name src -prune -o -name '*.py' -delete")
@pytest.mark.requirement("GUARD-03")
def test_any_file_that_is_removed_by_who_is_handed_its_name_was_told(place, command):
    check(command, place)


HANDED_ON = {
    "find src -name '*.py' | xargs rm -f": {"src/a.py", "src/deep/c.py", "src/deep/src/a.py"},
    "find src -maxdepth 1 -type f -print0 | sort -z | xargs -0 rm -f": {
        *("src/a.py", "src/b.txt", "src/.hidden"),
    },
    "for f in $(ls src/*.txt); do rm -f $f; done": {"src/b.txt"},
    "cd src && ls | xargs rm -f": {"src/a.py", "src/b.txt"},
    "git ls-files 'src/*.txt' | xargs rm -f": {"src/b.txt"},
    "git ls-files '.c*' | xargs rm -f": {".config/a.py", ".config/set.json"},
    "find . -name set.json -exec rm -f {} +": {".config/set.json"},
    "find src/a.py -type f -exec rm -f {} +": {"src/a.py"},
    "find . -path './.config/*' ! -name '*.json' -delete": {".config/a.py"},
    "find . \\( -name a -o ! -name '*.py' \\) -path '*/deep/*' -o -name c.py -delete": {
        "src/deep/c.py"
    },
    "find src/deep -name '*.py' | while read -r f; do rm -f \"$f\"; done": {
        *("src/deep/c.py", "src/deep/src/a.py"),
    },
    "grep -rl word --include='b*' --color src | xargs rm -f": {"src/b.txt"},
    "ls -d --color b.txt | xargs rm -f": {"b.txt"},
}


@pytest.mark.parametrize("command", HANDED_ON)
@pytest.mark.requirement("GUARD-03")
def test_a_list_that_can_be_read_is_read_and_what_it_removes_is_told(place, command):
    effects = walked(command, place)
    assert [effect for effect in effects if effect.kind == "undecided"] == []
    assert gone_and_told(command, place, effects) == HANDED_ON[command]


@pytest.mark.requirement("GUARD-03")
def test_a_search_for_more_names_and_folders_than_are_worth_telling_may_reach_all_below_these(
    place,
):
    names = " -o ".join(f"-name {number}.py" for number in range(300))
    folders = " ".join(f"src/{number}" for number in range(300))
    deep = f"{'src/../' * 150}src"
    asked = (f"src \\( {names} \\)", f"{folders} -name a.py", f"{deep} -path '{'*/' * 400}a.py'")
    for search in (f"find {each} -delete" for each in asked):
        effects = walked(search, place)
        assert len(effects) < 300
        assert means_any(effects, f"{place}/src/deep/a.py")


@pytest.mark.requirement("GUARD-03")
def test_brackets_in_brackets_are_read_however_deep(place):
    deep = "\\( " * 500 + "-name a.py" + " \\)" * 500
    assert not means_any(walked(f"find src {deep} -delete", place), f"{place}/src/b.txt")
    assert means_any(walked(f"find src {deep} -delete", place), f"{place}/src/a.py")


def means_any(effects: list[Effect], path: str) -> bool:
    return any(means(effect, path) for effect in effects if effect.kind == "write")
