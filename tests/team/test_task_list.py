"""A list of tasks is read whole: what it asks for, or all that is wrong with it, line by line."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team.ids import TaskId
from drumline.team.task import circles
from drumline.team.task_list import MOST_BYTES, MOST_TASKS, MOST_TOLD, TaskList, read_list

FULL = {
    "key": "parser",
    "title": "Write the parser",
    "body": "Line one\nline two",
    "blocked_by": ["T-3", "lexer"],
    "priority": -5,
    "profile": "backend",
    "files": ["src/parser/**"],
    "outputs": ["src/parser/tree.py"],
    "tracker": "GH-12",
    "needs": ["lab"],
}


def listed(*lines) -> TaskList:
    said = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return read_list(b"\n".join(said), "plan.jsonl")


def told(found: TaskList) -> list[str]:
    return found.refusal(found.problems).why.splitlines()


def test_every_field_of_a_line_reaches_its_task():
    found = listed({"key": "lexer", "title": "Write the lexer"}, FULL)
    assert found.problems == ()
    task = found.tasks[1]
    assert (task.after, task.waits_for) == ((0,), (TaskId(3),))
    kept = {name: getattr(task.draft, name) for name in FULL.keys() - {"key", "blocked_by"}}
    assert kept == {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in FULL.items()
        if name in kept
    }


def test_a_line_may_wait_for_one_that_comes_later():
    assert listed({"title": "b", "blocked_by": ["a"]}, {"title": "a", "key": "a"}).tasks[
        0
    ].after == (1,)


def test_lines_of_nothing_count_as_lines_and_ask_for_nothing():
    found = listed(b"", {"title": "a"}, b"  \r", {"titel": "b"})
    assert [problem.line for problem in found.problems] == [4, 4]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "found Expecting property name enclosed in double quotes at character 2"),
        (b"[]", "found an empty list; allowed: a mapping with key, title"),
        (b"null", "found nothing; allowed: a mapping with"),
        (b"\xff\xfe", "found a byte that is no UTF-8 at 1"),
        (b'{"title": "a\x00"}', "found Invalid control character at"),
        (b'\xef\xbb\xbf{"title": "a"}', "found Unexpected UTF-8 BOM"),
        (b'{"title": "a", "title": "b"}', "found the field 'title' twice"),
        (b'{"title": "a", "priority": NaN}', "NaN is not a JSON number"),
        (b'{"title": "a", "priority": ' + b"9" * 5000 + b"}", "found Exceeds the limit"),
        (b"[" * 100_000, "found maximum recursion depth exceeded"),
        ({}, "title: found nothing"),
        ({"title": ""}, "title: found ''"),
        ({"title": "x" * 201}, "title: found 'xxx"),
        ({"title": "a\nb"}, r"title: found 'a\nb'"),
        ({"title": "a\x00b"}, r"title: found 'a\x00b'"),
        ({"title": "a\ud800b"}, r"title: found 'a\ud800b'"),
        ({"title": 7}, "title: found 7"),
        ({"title": "a", "body": "x" * 64_001}, "body: found 'xxx"),
        ({"title": "a", "body": "\x1b[2J"}, r"body: found '\x1b[2J'"),
        ({"title": "a", "body": None}, "body: found nothing"),
        ({"title": "a", "priority": 1001}, "priority: found 1001"),
        ({"title": "a", "priority": "high"}, "priority: found 'high'"),
        ({"title": "a", "priority": True}, "priority: found true"),
        ({"title": "a", "profile": "../x"}, "profile: found '../x'"),
        ({"title": "a", "files": "src/**"}, "files: found 'src/**'; allowed: a list of globs"),
        ({"title": "a", "files": ["ok", "/etc"]}, "files[1]: found '/etc'"),
        ({"title": "a", "files": ["a\ud800"]}, r"files[0]: found 'a\ud800'"),
        ({"title": "a", "outputs": ["../up"]}, "outputs[0]: found '../up'"),
        ({"title": "a", "files": ["x"] * 101}, "files: found a list of 101; allowed: at most 100"),
        ({"title": "a", "tracker": "a\nb"}, r"tracker: found 'a\nb'"),
        ({"title": "a", "needs": ["drumline"]}, "needs[0]: found 'drumline'"),
        ({"title": "a", "key": "T-7"}, "key: found 'T-7'"),
        ({"title": "a", "key": ""}, "key: found ''"),
        ({"title": "a", "key": "k" * 65}, "key: found 'kkk"),
        ({"title": "a", "blocked_by": ["b"]}, "blocked_by: found 'b'; allowed: a key of this list"),
        ({"title": "a", "blocked_by": ["T-0"]}, "blocked_by: found 'T-0'"),
        ({"title": "a", "blocked_by": [1]}, "blocked_by[0]: found 1"),
        ({"title": "a", "blocked_by": "T-1"}, "blocked_by: found 'T-1'; allowed: a list"),
        ({"title": "a", "key": "a", "blocked_by": ["a"]}, "blocked_by: found 'a' → 'a'"),
        ({"title": "a", "blockedby": []}, "blockedby: found an unknown field"),
        ({"title": "a"} | {f"f{n}": 1 for n in range(100)}, "found a mapping of 101 fields"),
    ],
    ids=lambda case: (
        "" if isinstance(case, str) else repr(case)[:40].encode("ascii", "replace").decode()
    ),
)
def test_what_cannot_be_taken_is_told_with_its_line(line, problem):
    found = listed({"title": "first"}, line)
    [said] = told(found)
    assert said.startswith("line 2: ")
    assert problem in said
    assert found.tasks == ()


def test_all_problems_are_told_at_once_in_the_order_of_their_lines():
    found = listed(
        {"title": "a", "key": "a", "blocked_by": ["c"]},
        {"title": "", "priority": 2000, "colour": "red"},
        {"title": "c", "key": "c", "blocked_by": ["a", "nobody"]},
        b"{}}",
        {"title": "d", "key": "a"},
    )
    lines = [int(re.match(r"line (\d+): ", said)[1]) for said in told(found)]
    assert lines == [2, 2, 2, 3, 3, 4, 5]
    assert found.refusal(found.problems).what == "plan.jsonl has 7 problems: nothing was added"


def test_a_long_circle_is_told_by_its_ends():
    found = listed(
        *({"title": "t", "key": f"k{n}", "blocked_by": [f"k{(n + 1) % 50}"]} for n in range(50))
    )
    [said] = told(found)
    assert "'k0' → 'k1' → 'k2' → 'k3' → … → 'k0'" in said


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b'{"title": "a"}\n' * (MOST_TASKS + 1), "has more than 10,000 tasks"),
        (b" " * (MOST_BYTES + 1), "has more than 10,000,000 bytes"),
        (b"\n" * MOST_BYTES, "is empty"),
    ],
    ids=["nothing", "blank", "too many", "too long", "only ends of lines"],
)
def test_a_list_of_no_size_is_refused_as_a_whole(text, what):
    with pytest.raises(BadInput, match=what):
        read_list(text, "plan.jsonl")


def test_as_many_tasks_as_there_may_be_are_read():
    assert len(read_list(b'{"title": "a"}\n' * MOST_TASKS, "plan.jsonl").tasks) == MOST_TASKS


@pytest.mark.parametrize(
    "line",
    [
        b'{"colour": 1}',
        b"\x00\xff",
        json.dumps({"title": "t", "blocked_by": [f"n{n}" for n in range(100)]}).encode(),
        json.dumps({f"f{n}": 1 for n in range(99)}).encode(),
    ],
    ids=["fields", "binary", "names", "many fields"],
)
def test_of_very_many_problems_no_more_are_told_than_can_be_read(line):
    found = read_list((line + b"\n") * 5000, "plan.jsonl")
    assert len(told(found)) == MOST_TOLD + 1
    assert told(found)[-1].startswith("there may be more")


@given(st.binary(max_size=200))
def test_whatever_bytes_come_they_are_read_or_refused(text):
    try:
        found = read_list(text, "x")
    except BadInput as refused:
        assert refused.next  # noqa: PT017 - either outcome is fine
    else:
        assert bool(found.problems) != bool(found.tasks)


@given(st.lists(st.lists(st.integers(0, 7), max_size=3), max_size=8))
def test_without_the_last_link_of_each_circle_nobody_waits_for_itself(links):
    after = [[other for other in others if other < len(links)] for others in links]
    found = circles(after, most=1000)
    for chain in found:
        assert chain[0] == chain[-1]
        assert all(b in after[a] for a, b in pairwise(chain))
    cut = {(chain[-2], chain[-1]) for chain in found}
    left = [
        [other for other in others if (place, other) not in cut]
        for place, others in enumerate(after)
    ]
    assert circles(left, most=1000) == []
    assert bool(found) == _goes_round(after)


def _goes_round(after) -> bool:
    """Whether some are left when whoever waits for nobody has gone, again and again."""
    left = dict(enumerate(after))
    while free := [place for place, others in left.items() if not set(others) & left.keys()]:
        for place in free:
            del left[place]
    return bool(left)
