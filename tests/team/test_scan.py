"""What a scan of a diff finds: the right file, the right line, never the value."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team import registry
from drumline.team.diff import LONGEST_LINE, added_lines, unquoted
from drumline.team.scan import (
    ALLOWED,
    PROTECTED,
    Hit,
    Protected,
    protected_by,
    scan_diff,
    scan_file,
    scan_text,
)
from tests.team.made_up import KEY_BEGIN, RANDOM, TOKEN

pytestmark = pytest.mark.requirement("GUARD-18")

RULES = protected_by(registry.compiled(registry.built_in()))
GITHUB = "GitHub token"


def changed(name: str, *lines: str, at: int = 1) -> str:
    """A change of one file that adds these lines."""
    added = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{name} b/{name}\nindex 1111111..2222222 100644\n"
        f"--- a/{name}\n+++ b/{name}\n@@ -{at - 1},0 +{at},{len(lines)} @@ def before():\n{added}"
    )


def found(text: str | bytes, protected: Protected = RULES) -> list[tuple[str, int, str]]:
    raw = text if isinstance(text, bytes) else text.encode()
    return [hit.order() for hit in scan_diff([raw], protected)]


HEAD = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
DIFFS = {
    "a new line": (changed("x.py", "a", f"t = '{TOKEN}'", at=7), [("x.py", 8, GITHUB)]),
    "one hunk after another": (
        f"{HEAD}@@ -1,2 +1 @@\n-a\n-b\n+c\n@@ -9 +8,2 @@\n-d\n+e\n+t = '{TOKEN}'\n",
        [("x.py", 9, GITHUB)],
    ),
    "context is counted, not scanned": (
        f"{HEAD}@@ -1,2 +1,3 @@\n t = '{TOKEN}'\n+u = '{TOKEN}'\n b\n",
        [("x.py", 2, GITHUB)],
    ),
    "a removed line is no matter": (f"{HEAD}@@ -3 +2,0 @@\n-t = '{TOKEN}'\n", []),
    "content that looks like headers": (
        f"{HEAD}@@ -1,2 +1,3 @@\n--- a/y.py\n-- b\n+++ b/.env\n+@@ -1 +9 @@\n+t = '{TOKEN}'\n",
        [("x.py", 3, GITHUB)],
    ),
    "no newline at the end": (
        (
            f"{HEAD}@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n+t = '{TOKEN}'\n"
            "\\ No newline at end of file\n"
        ),
        [("x.py", 2, GITHUB)],
    ),
    "a new file": (
        (
            "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/n\n"
            f"@@ -0,0 +1 @@\n+{TOKEN}\n"
        ),
        [("n", 1, GITHUB)],
    ),
    "a name with spaces": (
        f"diff --git a/a b.py b/a b.py\n--- a/a b.py\t\n+++ b/a b.py\t\n@@ -0,0 +1 @@\n+{TOKEN}\n",
        [("a b.py", 1, GITHUB)],
    ),
    "a name in quotes": (
        (
            'diff --git "a/\\303\\251\\t.py" "b/\\303\\251\\t.py"\n--- "a/\\303\\251\\t.py"\n'
            f'+++ "b/\\303\\251\\t.py"\n@@ -0,0 +1 @@\n+{TOKEN}\n'
        ),
        [("é\t.py", 1, GITHUB)],
    ),
    "a merge of two parents": (
        (
            "diff --cc m.py\nindex 1,2..3\n--- a/m.py\n+++ b/m.py\n@@@ -1,2 -1,2 +1,4 @@@\n  a\n"
            f"++t = '{TOKEN}'\n- b\n -c\n+ u = '{TOKEN}'\n +d\n"
        ),
        [("m.py", 2, GITHUB), ("m.py", 3, GITHUB)],
    ),
    "a diff of another maker": (
        (
            f"--- x.py\t2026-01-01\n+++ x.py\t2026-01-02\n@@ -0,0 +1 @@\n+{TOKEN}\n"
            f"--- y.py\n+++ y.py\n@@ -4 +4 @@\n-a\n+{TOKEN}\n"
        ),
        [("x.py", 1, GITHUB), ("y.py", 4, GITHUB)],
    ),
    "a hunk with wrong counts": (
        f"{HEAD}@@ -1,9 +1,9 @@\n+a\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+{TOKEN}\n",
        [("y", 1, GITHUB)],
    ),
    "a protected file": (
        changed("deploy/.env.local", "A=1"),
        [("deploy/.env.local", 0, PROTECTED)],
    ),
    "an example file": (changed(".env.example", "A="), []),
    "a real secret in an example file": (
        changed(".env.example", f"A={TOKEN}"),
        [(".env.example", 1, GITHUB)],
    ),
    "a protected file made runnable": (
        "diff --git a/.env b/.env\nold mode 100644\nnew mode 100755\n",
        [(".env", 0, PROTECTED)],
    ),
    "an empty protected file": (
        "diff --git a/.env b/.env\nnew file mode 100644\nindex 0000000..e69de29\n",
        [(".env", 0, PROTECTED)],
    ),
    "a binary protected file": (
        (
            "diff --git a/my secrets/k b/my secrets/k\nindex 1..2\n"
            "Binary files a/my secrets/k and b/my secrets/k differ\n"
            "diff --git a/keys/secrets/k b/keys/secrets/k\nindex 1..2\n"
            "Binary files a/keys/secrets/k and b/keys/secrets/k differ\n"
        ),
        [("keys/secrets/k", 0, PROTECTED)],
    ),
    "a file that becomes a protected one": (
        "diff --git a/settings b/.env\nsimilarity index 100%\nrename from settings\nrename to .env\n",
        [(".env", 0, PROTECTED)],
    ),
    "a copy of a protected file": (
        "diff --git a/.env b/b c\nsimilarity index 100%\ncopy from .env\ncopy to b c\n",
        [],
    ),
    "a protected file that goes": (
        (
            "diff --git a/.env b/.env\ndeleted file mode 100644\nindex 1..0\n--- a/.env\n+++ /dev/null\n"
            "@@ -1 +0,0 @@\n-A=1\n"
        ),
        [],
    ),
    "a line somebody vouched for": (
        changed("x.py", f"t = '{TOKEN}'  # {ALLOWED}", f"u = '{TOKEN}'"),
        [("x.py", 2, GITHUB)],
    ),
    "a private key over several lines": (
        changed("k", "a", KEY_BEGIN, RANDOM, RANDOM[::-1], at=5),
        [("k", 6, "private key")],
    ),
    "a quote left open above": (
        changed("x.py", 'ask("password: ")', f'API_KEY = "{RANDOM[:20]}"'),
        [("x.py", 2, "key of API_KEY")],
    ),
    "several on one line are one": (changed("x", f"{TOKEN} {TOKEN}"), [("x", 1, GITHUB)]),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("diff", "expected"), DIFFS.values(), ids=DIFFS)
def test_a_diff_is_scanned_by_file_and_line(diff, expected):
    assert found(diff) == expected


@pytest.mark.parametrize(("diff", "expected"), DIFFS.values(), ids=DIFFS)
@pytest.mark.parametrize("size", [1, 7, 64])
def test_it_makes_no_difference_in_which_pieces_a_diff_comes(diff, expected, size):
    raw = diff.encode()
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert [hit.order() for hit in scan_diff(pieces, RULES)] == expected


def test_what_is_found_never_shows_the_value():
    hits = list(scan_diff([changed("x.py", f"t = '{TOKEN}'").encode()], RULES))
    assert TOKEN not in f"{hits} {[hit.facts() for hit in hits]} {hits[0].place()}"


def test_a_file_named_by_a_secret_is_masked():
    hit = Hit(f"out/{TOKEN}.txt", 3, GITHUB)
    assert hit.place() == "out/[redacted].txt:3"
    assert TOKEN not in str(hit.facts())


def test_a_long_line_is_looked_at_in_parts_that_overlap():
    for lead in range(LONGEST_LINE - 60, LONGEST_LINE + 20, 7):
        line = "x " * (lead // 2) + f" {TOKEN} " + "y " * LONGEST_LINE
        assert found(changed("min.js", "a", line, f"t = {TOKEN}")) == [
            ("min.js", 2, GITHUB),
            ("min.js", 3, GITHUB),
        ]


def test_lines_after_a_long_one_keep_their_numbers():
    text = "a\n" + "b" * (5 * LONGEST_LINE) + f"\nc\n{TOKEN}\n"
    assert [hit.line for hit in scan_text("f", text)] == [4]


def test_a_key_that_begins_where_one_look_ends_is_found():
    filler = "x" * 99
    for count in range(1300, 1330):
        text = "\n".join([*[filler] * count, KEY_BEGIN, RANDOM, RANDOM])
        assert [hit.order() for hit in scan_text("f", text)] == [("f", count + 1, "private key")]


def test_of_a_binary_file_the_name_counts_and_the_keys_of_known_makers():
    padded = b"\0\1\2" + TOKEN.encode() + b"\0rest"
    assert list(scan_file("a.bin", [padded], RULES)) == [Hit("a.bin", 0, "GitHub token")]
    assert list(scan_file("a.bin", [b"\0password = 'Zq8vT3kLw9Xy'"], RULES)) == []
    assert list(scan_file("id_rsa", [b"\0x"], RULES)) == [Hit("id_rsa", 0, PROTECTED)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_text_with_two_bytes_for_a_letter_is_read_like_any_other(encoding):
    content = f"first\nsecond = '{TOKEN}'\n".encode(encoding)
    assert list(scan_file("a.txt", [content], RULES)) == [Hit("a.txt", 2, "GitHub token")]


def test_the_teams_own_patterns_decide():
    own = Protected(["vault/**", "*.kdbx"], ["vault/readme.md"])
    names = ["vault/a/b", "VAULT/a", "vault/readme.md", "x.kdbx", "deep/x.kdbx", ".env"]
    assert [name for name in names if own.covers(name)] == ["vault/a/b", "VAULT/a", "x.kdbx"]


def test_a_policy_without_the_rule_protects_nothing():
    assert not protected_by({}).covers(".env")
    assert not protected_by({"constraints": [{"id": "C-SAFE-002", "refuse": []}]}).covers(".env")


@pytest.mark.parametrize(
    ("quoted", "name"),
    [
        (b"plain", "plain"),
        (b'"a\\"b\\\\c"', 'a"b\\c'),
        (b'"\\346\\227\\245"', "日"),
        (b'"', '"'),
        (b"", ""),
    ],
)
def test_a_quoted_name_is_read_as_git_wrote_it(quoted, name):
    assert unquoted(quoted) == name


LINE = st.text(st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), max_size=12)


@given(st.lists(LINE, max_size=12), st.lists(LINE, max_size=12), st.integers(0, 3))
def test_added_lines_have_the_numbers_of_the_new_file(old, new, context):
    diff = "\n".join(difflib.unified_diff(old, new, "a/f", "b/f", n=context, lineterm=""))
    added = [(each.line, each.text) for each in added_lines([diff.encode()]) if each.line]
    assert all(new[number - 1] == text for number, text in added)
    kept = difflib.SequenceMatcher(None, old, new).get_matching_blocks()
    same = {block.b + at for block in kept for at in range(block.size)}
    assert {number for number, _ in added} == {at + 1 for at in range(len(new)) if at not in same}


PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [
            b"diff --git ",
            b"a/x b/x\n",
            b'"a/\\3" "b/\\377"\n',
            b"@@ -1 +1 @@\n",
            b"@@@ -1 -1,9 +1,99 @@@\n",
            b"@@ -0 +0 @@\n",
            b"--- a\n",
            b"+++ b/.env\n",
            b"+++ \n",
            b"diff --cc \n",
            b"rename to \n",
            b"diff --git \n",
            b"\\ no\n",
            b"+\n",
            b"\n",
        ]
    ),
)


@given(st.lists(PIECES, max_size=30))
def test_no_text_is_too_strange(pieces):
    for hit in scan_diff(pieces, RULES):
        assert hit.line >= 0
    list(scan_file("f", pieces, RULES))
