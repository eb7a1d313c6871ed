"""Handoffs from the command line: a person hands off, reads, and has files checked, whoever wrote them."""

import json
import os

import pytest

from drumline import settings
from drumline.store.handoff_files import MOST_FOLDERS
from drumline.surfaces.cli.inside import MemberVerbs
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: []}
"""
CALL = {
    "status": "PASS",
    "narrative": "It went well.",
    "files": ["src/a.py"],
    "decisions": [],
    "unresolved": [],
}
INDEX = "status: PASS\nfiles: []\ndecisions: []\nunresolved: []\n"
SECTIONS = "".join(
    f"\n## {title}\n\nNone.\n"
    for title in ("Narrative", "Findings", "Blockers", "Recommendations", "Tools used")
)
SUMMARY = f"---\n{INDEX}---\n{SECTIONS}"


@pytest.fixture
def at(repository):
    """A repository whose task T-1 ada holds."""
    write(repository, ".claude/team.yaml", MANIFEST)
    assert drumline("task", "add", "first", at=repository).code == 0
    assert drumline("task", "claim", "T-1", "--member", "ada", at=repository).code == 0
    return repository


def submit(at, call, name="call.json", **more):
    words = call if isinstance(call, str) else json.dumps(call)
    path = write(at, name, words)
    options = [word for key, value in more.items() for word in (f"--{key}", value)]
    return drumline("handoff", "submit", str(path), "--task", "T-1", *options, at=at)


@pytest.mark.requirement("MAIL-04")
@pytest.mark.parametrize("name", ["call.json", "call.yaml"])
def test_a_person_hands_off_with_a_file(at, name):
    text = json.dumps(CALL) if name.endswith("json") else f"{INDEX}narrative: |\n  It went well.\n"
    told = submit(at, text, name, member="ada")
    assert told.code == 0, told.err
    path = ".drumline/handoffs/T-1/ada/L2-summary.md"
    assert told.out == f"T-1  PASS  version 1  {path}\n"
    shown = drumline("handoff", "show", "T-1", at=at).out
    assert shown == drumline("handoff", "show", path, at=at).out == (at / path).read_text()
    assert drumline("handoff", "check", str(at / ".drumline/handoffs"), at=at).code == 0


@pytest.mark.requirement("MAIL-04")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        pytest.param({**CALL, "status": "ok"}, "status: found 'ok'", id="malformed"),
        pytest.param("{", "JSON and nothing around it", id="no JSON"),
        pytest.param('{"status": "PASS", "status": "FAIL"}', "twice", id="a field twice"),
        pytest.param("a: &a [*a]\n", "anchor", id="anchors"),
        pytest.param("{" + " " * 300_000 + "}", "at most", id="far too long"),
        pytest.param({**CALL, "full": ["not/there.md"]}, "cannot go along", id="no such file"),
        pytest.param({**CALL, "full": [".drumline/state.db"]}, ".drumline", id="our own state"),
        pytest.param("[]", "a mapping with", id="no mapping"),
    ],
)
def test_a_call_that_cannot_be_taken_is_refused_and_leaves_nothing(at, call, words):
    told = submit(at, call)
    assert told.code == 1
    assert words in told.err
    assert "next:" in told.err
    assert drumline("handoff", "show", "T-1", at=at).code == 1
    assert not (at / ".drumline" / "handoffs").exists()
    assert drumline("mail", "inbox", "human", "--json", at=at).json == []


@pytest.mark.requirement("MAIL-04")
def test_nobody_is_told_of_files_that_cannot_be_written(at):
    write(at, ".drumline/handoffs", "in the way")
    told = submit(at, CALL)
    assert told.code == 1
    assert "nothing was kept or sent" in told.err
    assert drumline("handoff", "show", "T-1", at=at).code == 1
    assert drumline("mail", "inbox", "human", "--json", at=at).json == []


@pytest.mark.requirement("MAIL-04")
def test_the_same_words_again_bring_lost_files_back(at):
    assert submit(at, CALL).code == 0
    summary = at / ".drumline/handoffs/T-1/ada/L2-summary.md"
    summary.unlink()
    assert "version 1" in submit(at, CALL).out
    assert summary.exists()


@pytest.mark.requirement("MAIL-08")
def test_files_that_go_along_are_those_of_the_last_version(at):
    for name in ("one.md", "two.md"):
        write(at, f"docs/{name}", name)
        assert submit(at, {**CALL, "full": [f"docs/{name}"]}).code == 0
    folder = at / ".drumline/handoffs/T-1/ada/L3-full"
    assert [path.name for path in folder.rglob("*.md")] == ["two.md"]


@pytest.mark.requirement("MAIL-08")
@pytest.mark.parametrize("kind", ["link", "linked folder", "folder", "pipe", "too long"])
def test_only_regular_files_of_the_checkout_go_along(at, kind, tmp_path):
    place, name = at / "docs", "docs/x.md"
    (tmp_path / "x.md").write_text("elsewhere")
    if kind == "linked folder":
        place.symlink_to(tmp_path)
    else:
        place.mkdir()
    if kind == "link":
        (place / "x.md").symlink_to(tmp_path / "x.md")
    elif kind == "folder":
        (place / "x.md").mkdir()
    elif kind == "pipe":
        os.mkfifo(place / "x.md")
    elif kind == "too long":
        (place / "x.md").write_bytes(b"x" * (1024 * 1024 + 1))
    told = submit(at, {**CALL, "full": [name]})
    assert told.code == 1
    assert "cannot go along" in told.err


def test_a_member_gives_its_call_on_stdin_and_has_no_file_opened(at):
    ada = MemberVerbs(settings.find(str(at)), "ada", 1)
    path = write(at, "call.json", json.dumps(CALL))
    told = ada.run(["handoff", "submit", str(path), "--task", "T-1", "--fence", "1"])
    assert told.code == 1
    assert "handoff submit --task T-1 - < FILE" in told.err
    words = ["handoff", "submit", "-", "--task", "T-1", "--fence", "1"]
    assert ada.run(words, json.dumps(CALL)).code == 0
    assert ada.run(["handoff", "check", "."]).code == 1
    assert ada.run(["handoff", "show", "T-1"]).code == 0


def test_a_member_without_a_checkout_takes_no_files_of_the_repository_along(at):
    write(at, "secret.md", "the operator's")
    ada = MemberVerbs(settings.find(str(at)), "ada", 1)
    words = ["handoff", "submit", "-", "--task", "T-1", "--fence", "1"]
    told = ada.run(words, json.dumps({**CALL, "full": ["secret.md"]}))
    assert told.code == 1
    assert "has no checkout" in told.err


@pytest.mark.requirement("MAIL-07")
def test_hand_written_files_are_checked_line_by_line(at):
    write(at, "phase-1/ada/L1-index.yaml", INDEX.replace("PASS", "done"))
    write(at, "phase-1/ada/L2-summary.md", SUMMARY.replace("## Blockers", "## Blocked"))
    write(at, "phase-1/brook/L1-index.yaml", INDEX)
    told = drumline("handoff", "check", "phase-1", at=at)
    assert told.code == 1
    found = sorted(line.split(": found")[0] for line in told.out.splitlines())
    assert found == [
        "phase-1/ada/L1-index.yaml:1: status",
        "phase-1/ada/L2-summary.md:26: Blockers",
        "phase-1/brook/L2-summary.md:1",
    ]


@pytest.mark.requirement("MAIL-07")
def test_a_head_that_does_not_repeat_its_index_and_a_lost_file_are_told(at):
    write(at, "x/L1-index.yaml", INDEX + "full: [docs/lost.md]\n")
    write(at, "x/L2-summary.md", SUMMARY)
    told = drumline("handoff", "check", "x", "--json", at=at).json
    assert [each["says"].split(":")[0] for each in told["violations"]] == ["full", "full"]
    assert not told["ok"]


@pytest.mark.requirement("MAIL-07")
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        pytest.param("a.yaml", b"\xff", "not UTF-8", id="bytes"),
        pytest.param("a.md", b"x" * 300_000, "more than", id="huge"),
        pytest.param("a.txt", b"x", "another kind", id="another kind"),
        pytest.param("a.yaml", b"a: &a [*a]", "anchor", id="anchors"),
        pytest.param("a.yaml", b"[" * 50_000, "nesting", id="nesting"),
    ],
)
def test_no_file_hurts_the_check(at, name, content, words):
    (at / name).write_bytes(content)
    told = drumline("handoff", "check", name, at=at)
    assert told.code == 1
    assert words in told.out
    assert told.out.startswith(f"{name}:1: ")


@pytest.mark.requirement("MAIL-07")
def test_a_tree_too_large_to_be_looked_through_is_not_said_to_be_in_order(at):
    write(at, "tree/L1-index.yaml", INDEX)
    write(at, "tree/L2-summary.md", SUMMARY)
    for number in range(MOST_FOLDERS):
        (at / "tree" / str(number)).mkdir()
    told = drumline("handoff", "check", "tree", at=at)
    assert told.code == 1
    assert told.out.splitlines() == [
        "tree:1: found more than 10,000 folders; allowed: a folder nearer to the files"
    ]


def test_files_in_order_are_said_to_be(at):
    write(at, "L1-index.yaml", INDEX)
    write(at, "L2-summary.md", SUMMARY.replace("\n", "\r\n"))
    told = drumline("handoff", "check", ".", at=at)
    assert (told.code, told.out) == (0, "ok: everything is in order\n")


def test_the_form_of_the_call_can_be_read(at):
    assert "narrative" in drumline("handoff", "form", at=at).json["properties"]
