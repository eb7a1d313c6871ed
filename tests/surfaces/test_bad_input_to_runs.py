"""Bad input to runs from the command line: it is told what, why and what next, and nothing is changed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.surfaces import scenes
from tests.surfaces.console import Answer, drumline, write
from tests.surfaces.scenes import ASKED, DELIVERED, FRESH, GATE, REVERTED, WORKING

HOLED = """\
pipeline: holed
description: A path that leads nowhere
phases:
  - {name: "1", title: Build, zone: execution, profile: implementer}
  - {name: "2", title: Hand over, zone: after, delivers: true}
paths: {trivial: ["1", "3"], standard: ["1", "2"], complex: ["1", "2"]}
"""
DIGITS = "9" * 5_000  # more than Python reads as a number
Prepare = Callable[[Path], object]


class Bad(NamedTuple):
    """What is typed, where, and words of the answer; what comes first is done before anybody looks."""

    scene: str
    words: tuple[str, ...]
    says: str
    first: Prepare | None = None
    stdin: bytes = b""
    code: int = 1


def bad(name: str, scene: str, typed: str | tuple[str, ...], says: str, *more, **rest):
    words = tuple(typed.split()) if isinstance(typed, str) else typed
    return pytest.param(Bad(scene, words, says, *more, **rest), id=f"{name} is refused")


def has(path: str, words: str | bytes) -> Prepare:
    def prepare(root: Path) -> None:
        raw = words if isinstance(words, bytes) else words.encode()
        write(root, path, "").write_bytes(raw)

    return prepare


def said(*words: str) -> Prepare:
    return lambda root: scenes.say(root, *words)


def git(*words: str) -> Prepare:
    return lambda root: scenes.git(root, *words)


def without_git(root: Path) -> None:
    shutil.rmtree(root / ".git")


def without_commits(root: Path) -> None:
    without_git(root)
    scenes.git(root, "init", "--quiet", "--template=")


def work_left_over(root: Path) -> None:
    scenes.git(root, "switch", "--quiet", "--create", "drumline/merged")
    scenes.git(root, "commit", "--quiet", "--allow-empty", "--message=left over")
    scenes.git(root, "switch", "--quiet", "main")


def branch_behind(root: Path) -> None:
    """The team's branch is where the user's was: whoever begins a run brings it along."""
    scenes.git(root, "branch", "drumline/merged")
    scenes.git(root, "commit", "--quiet", "--allow-empty", "--message=mine")


def stopped_amid_work(root: Path) -> None:
    scenes.say(root, "task", "claim", "T-2", "--member", "ada")
    scenes.say(root, "run", "stop")


def _goal(name: str, goal: str, says: str, *options: str, **more):
    return bad(name, FRESH, ("run", goal, *options), says, **more)


BEGINNING = [
    _goal("a pipeline with a hole", "Mend it", "holed.yaml has 1 problem", "--pipeline", "holed",
          first=has("drumline/pipelines/holed.yaml", HOLED)),
    _goal("a pipeline that nobody wrote", "Mend it", "no pipeline 'none'", "--pipeline", "none"),
    _goal("a goal of one megabyte", "x" * 1_000_000, "the goal has 1,000,000 characters"),
    _goal("a goal of more than a megabyte on stdin", "-", "stdin has more than", stdin=b"x" * 1_048_576),
    _goal("a goal that is empty", "", "the goal is empty"),
    _goal("a goal of blanks", " \n\t ", "the goal is empty"),
    _goal("a goal that is empty on stdin", "-", "the goal is empty"),
    _goal("a goal with a NUL", "Mend\0it", "control character 0x00"),
    _goal("a goal that would clear the screen", "Mend \x1b[2J", "control character 0x1b"),
    _goal("a goal that is not UTF-8", "Mend \udcff", "not valid UTF-8"),
    _goal("a goal on stdin that is not UTF-8", "-", "stdin is not UTF-8 at byte 6", stdin=b"Mend \xff"),
    _goal("no goal at all", "--detach", "Missing argument '\"GOAL\"'", code=2),
    _goal("a goal without quotes", "Mend", "unexpected extra argument", "the", "bug", code=2),
    _goal("an option that does not exist", "Mend it", "No such option", "--fast", code=2),
    _goal("a tier that does not exist", "Mend it", "'huge' is not one of", "--tier", "huge", code=2),
    _goal("a mode that does not exist", "Mend it", "'solo' is not one of", "--mode", "solo", code=2),
    _goal("a mode nobody can serve", "Mend it", "brings findings together", "--mode", "single-session"),
    *[_goal(f"a budget of {sum_}", "Mend it", "is no budget", "--budget", sum_)
      for sum_ in ("-1", "0", "nan", "inf", "1e12")],
    _goal("a budget that is no number", "Mend it", "not a valid float", "--budget", "lots", code=2),
    _goal("a lead who is not on the team", "Mend it", "no member 'bob'", "--lead", "bob", first=branch_behind),
    _goal("a lead whose name is a path", "Mend it", "no member '../ada'", "--lead", "../ada"),
    _goal("a repository without commits", "Mend it", "no commit yet", first=without_commits),
    _goal("a folder that is no repository", "Mend it", "is no git repository", first=without_git),
    _goal("a folder that is not there", "Mend it", "no such folder", "-C", "elsewhere"),
    _goal("a detached HEAD", "Mend it", "is on no branch", first=git("checkout", "--quiet", "--detach")),
    _goal("a branch of the team's that holds work", "Mend it", "holds work", first=work_left_over),
    _goal("a manifest that is broken", "Mend it", "the manifest has", first=has(".claude/team.yaml", "team: 7\n")),
    bad("a run while another is at work", WORKING, ("run", "Mend it"), "run-1 is at work already"),
    bad("a run amid the work of one that rests", WORKING, ("run", "Mend it"), "still works on T-2",
        stopped_amid_work),
]  # fmt: skip
STEERING = [
    *[bad(f"run {verb} of a run that never was", WORKING, ("run", verb, "run-9"), "no run 'run-9' in team atlas")
      for verb in ("show", "watch", "stop", "resume", "abort", "summary", "revert")],
    *[bad(f"run {verb} before there was any run", FRESH, ("run", verb), "there was no run yet")
      for verb in ("show", "stop", "resume", "revert")],
    bad("the name of a run that is a path", WORKING, "run show ../../etc/passwd", "no run '../../etc/passwd'"),
    bad("the name of a run that is not UTF-8", WORKING, "run show \udcff", "no run '\\udcff'"),
    bad("a stop of a run that was stopped", WORKING, "run stop", "run-1 is stopped already", said("run", "stop")),
    *[bad(f"run {verb} of a run that was delivered", DELIVERED, ("run", verb), "run-1 is delivered")
      for verb in ("stop", "resume", "abort")],
    bad("going on with a run that was aborted", WORKING, "run resume", "run-1 is aborted", said("run", "abort")),
    bad("going on with a run that was taken back", REVERTED, "run resume", "run-1 is reverted"),
    bad("going on while another is at work", REVERTED, "run resume run-1", "run-2 is at work", scenes.begin),
    bad("taking back a run that is at work", WORKING, "run revert", "run-1 is working"),
    bad("taking back a run that was aborted", WORKING, "run revert", "run-1 is aborted", said("run", "abort")),
    bad("taking back a run twice", REVERTED, "run revert", "run-1 is reverted"),
    bad("taking back a run over what is not committed", DELIVERED, "run revert", "run-1 cannot be taken back",
        has("part.txt", "mine\n")),
    bad("taking back a run from another branch", DELIVERED, "run revert", "you are on other",
        git("switch", "--quiet", "--create", "other", "HEAD~1")),
    bad("another size that does not exist", WORKING, "run reclassify run-1 huge", "'huge' is not one of", code=2),
    bad("the size that a run has already", WORKING, "run reclassify run-1 trivial", "run-1 is trivial already"),
    bad("another size before the first", ASKED, "run reclassify run-1 complex", "in no phase yet"),
    bad("another size for a run that is over", DELIVERED, "run reclassify run-1 complex", "run-1 is delivered"),
    bad("another size while one is asked about", WORKING, "run reclassify run-1 standard", "Q-2 asks how large",
        said("run", "reclassify", "run-1", "complex")),
]  # fmt: skip
JUDGING = [
    bad("an answer that is no option", ASKED, "question answer Q-1 huge", "'huge' is not one of the answers"),
    bad("an answer beyond the options", ASKED, "question answer Q-1 4", "'4' is not one of the answers"),
    bad("an answer of five thousand digits", ASKED, ("question", "answer", "Q-1", DIGITS), "is not one of the answers"),
    bad("no answer where there are options", ASKED, "question answer Q-1", "which answer?"),
    bad("an answer given twice", WORKING, "question answer Q-1 complex", "Q-1 was answered already"),
    bad("an answer nobody waits for", ASKED, "question answer Q-1 trivial", "Q-1 was withdrawn", said("run", "abort")),
    bad("an answer to nothing", ASKED, "question answer Q-9 trivial", "no question Q-9"),
    bad("an answer to what is no question", ASKED, "question answer nine trivial", "is not a question id"),
    bad("an answer that is too long", ASKED, ("question", "answer", "Q-1", "1", "--words", "x" * 5_000), "the cap is"),
    bad("an answer with control characters", ASKED, ("question", "answer", "Q-1", "1", "--words", "\x1b[2J"), "0x1b"),
    bad("no words where words are wanted", ASKED, "question answer Q-2", "Q-2 wants words", scenes.wants_words),
    bad("blanks where words are wanted", ASKED, ("question", "answer", "Q-2", "  "), "the answer is empty", scenes.wants_words),
    bad("a verdict before the first phase", ASKED, "gate approve", "run-1 is in no phase yet"),
    bad("a verdict for a gate that is not open", WORKING, "gate approve", "the gate of P6 in run-1 is not open yet"),
    bad("a verdict for a gate that is closed", WORKING, "gate approve P0", "the gate of P0 in run-1 is approved already"),
    bad("a verdict for a phase still to come", GATE, "gate approve P8", "no gate of P8 was opened"),
    bad("a verdict for a phase that does not exist", GATE, "gate approve P99", "run-1 has no phase 'P99'"),
    bad("a verdict in a run that was delivered", DELIVERED, "gate approve", "run-1 is delivered"),
    bad("a verdict where there was no run", FRESH, "gate approve", "there was no run yet"),
    bad("a verdict in a run that never was", GATE, "gate abort --run run-9", "no run 'run-9'"),
    bad("once more without guidance", GATE, "gate iterate", "what is to be done otherwise"),
    bad("once more with blanks for guidance", GATE, ("gate", "iterate", "--why", "  "), "what is to be done otherwise"),
    bad("once more, in the queue, without guidance", GATE, "question answer Q-2 iterate", "'iterate' wants words"),
    bad("guidance of one megabyte", GATE, ("gate", "iterate", "--why", "x" * 1_000_000), "the reason has 1,000,000"),
    bad("a gate that nobody opened", WORKING, "gate show P6", "no gate of P6 was opened"),
]  # fmt: skip
TELLING = [
    bad("a context with a section that is too long", WORKING, "context publish c.md", "the section 'Goal' has 200,000",
        has("c.md", "## Goal\n\n" + "x" * 200_000)),
    bad("a context of more than a megabyte", WORKING, "context publish c.md", "c.md has more than 1,000,000 bytes",
        has("c.md", "## Goal\n\n" + "x" * 1_000_000)),
    bad("a context that takes too much of a mind", WORKING, "context publish c.md", "the context has about",
        has("c.md", "".join(f"## Part {at}\n\n{'x ' * 45_000}\n" for at in range(9)))),
    bad("a context without a section", WORKING, "context publish c.md", "words before the first section",
        has("c.md", "Mend it\n")),
    bad("a context that is empty", WORKING, "context publish c.md", "this one has none", has("c.md", "")),
    bad("a context that is not text", WORKING, "context publish c.md", "c.md is not UTF-8", has("c.md", b"## \xff\n")),
    bad("a context that is a folder", WORKING, "context publish .", "not a regular file"),
    bad("a context that is not there", WORKING, "context publish none.md", "cannot be opened"),
    bad("a context while a gate is judged", GATE, "context publish c.md", "is being judged", has("c.md", "## Goal\n\nx\n")),
    bad("a context of a run that was delivered", DELIVERED, "context publish c.md", "run-1 is delivered",
        has("c.md", "## Goal\n\nx\n")),
    *[bad(f"context {verb} of a run that never was", WORKING, f"context {verb} --run run-9", "no run 'run-9'",
          has("c.md", "## Goal\n\nx\n")) for verb in ("show", "who", "diff", "publish c.md")],
    bad("a context that nobody published", WORKING, "context show", "run 'run-1' has no context"),
    bad("a handoff that is not there", WORKING, "handoff check none.yaml", "'none.yaml' does not exist", code=2),
]  # fmt: skip
CHECKED = [
    bad("a folder without a handoff", WORKING, "handoff check .", "L1-index.yaml:1: found a file that cannot be opened"),
    bad("a handoff that is binary", WORKING, "handoff check b.yaml", "b.yaml:2: found the byte 0xff",
        has("b.yaml", b"status: PASS\n\xff\x00")),
    bad("a file that is no handoff", WORKING, "handoff check play.yaml", "play.yaml:1: scenario: found an unknown field"),
    bad("a pipeline with a hole", WORKING, "pipeline check", "paths.trivial[1]: found '3', which is no phase",
        has("drumline/pipelines/holed.yaml", HOLED)),
]  # fmt: skip


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return scenes.Scenes(tmp_path_factory.mktemp("scenes"))


def remembered(root: Path) -> dict[str, object]:
    """All that may not change: what happened, and every file but git's index and the store's own."""
    events = drumline("events", "--json", "--most", "100000", at=root)
    return {
        "events": events.json["events"] if events.code == 0 else events.err,
        **{
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.name != "index" and not path.name.startswith("state.db")
        },
    }


def typed(case: Bad, stage: scenes.Scenes, own: Path) -> Answer:
    """What is answered; whatever it is, nothing is changed by it."""
    if case.first is None:
        root = stage.shared(case.scene)
    else:
        case.first(root := stage.copy(case.scene, own))
    before = remembered(root)
    answer = drumline(*case.words, at=root, stdin=case.stdin)
    assert remembered(root) == before
    assert answer.code == case.code, answer
    return answer


@pytest.mark.requirement("GUARD-10", "PIPE-03")
@pytest.mark.parametrize("case", [*BEGINNING, *STEERING, *JUDGING, *TELLING])
def test_bad_input_is_told_what_why_and_next_and_changes_nothing(stage, tmp_path, case):
    answer = typed(case, stage, tmp_path / "r")
    assert (answer.out, case.says in answer.err) == ("", True), answer.err
    parts = ("refused: ", "\nwhy: ", "\nnext: ") if case.code == 1 else ("Try '", "Error: ")
    assert all(part in answer.err for part in parts), answer.err


@pytest.mark.requirement("MAIL-07", "PIPE-01")
@pytest.mark.parametrize("case", CHECKED)
def test_a_check_names_each_fault_with_its_line_and_what_is_next(stage, tmp_path, case):
    answer = typed(case, stage, tmp_path / "r")
    assert case.says in answer.out
    assert answer.err.startswith("next: ")


@pytest.mark.requirement("PIPE-03")
def test_outside_a_team_there_is_nothing_to_run_and_it_is_said_how_to_begin(tmp_path):
    answer = drumline("run", "Mend it", at=tmp_path)
    assert (answer.code, list(tmp_path.iterdir())) == (1, [])
    assert answer.err.splitlines()[-1] == "next:    drumline init"


@pytest.fixture(scope="module")
def two_teams(tmp_path_factory):
    """Our repository and that of another team, which has a run, on one store."""
    top = tmp_path_factory.mktemp("two")
    store, ours, theirs = f"sqlite:///{top}/shared.db", top / "ours", top / "theirs"
    scenes.found_team(ours)
    scenes.found_team(theirs, "borealis")
    scenes.begin(theirs, store=store)
    return store, ours, theirs


@pytest.mark.requirement("PIPE-03")
@pytest.mark.parametrize("verb", ["show", "stop", "resume", "abort", "revert", "summary"])
def test_a_run_of_another_team_on_the_same_store_is_no_run_of_ours(two_teams, verb):
    store, ours, theirs = two_teams
    answer = drumline("run", verb, "run-1", "--store", store, at=ours)
    assert (answer.code, "no run 'run-1' in team atlas" in answer.err) == (1, True)
    assert "why:     it has had none yet" in answer.err
    assert drumline("run", "show", "--json", "--store", store, at=theirs).json["state"] == "working"


@pytest.mark.requirement("PIPE-12")
def test_a_delivery_over_what_is_not_committed_asks_and_keeps_it(stage, tmp_path):
    root = stage.copy(GATE, tmp_path / "r")
    scenes.works(root)
    write(root, "part.txt", "mine\n")
    scenes.say(root, "gate", "approve")
    scenes.drive(root)
    asked = drumline("question", "show", "Q-3", at=root).out
    parts = ("would overwrite", "part.txt", "stash --include-untracked   # or commit them")
    assert [part in asked for part in parts] == [True, True, True]
    assert (root / "part.txt").read_text() == "mine\n"


@pytest.mark.requirement("PIPE-12")
def test_whoever_begins_over_what_is_not_committed_is_told_that_members_do_not_see_it(
    stage, tmp_path
):
    root = stage.copy(FRESH, tmp_path / "r")
    scenes.has_a_plane(root)
    write(root, "mine.txt", "not committed\n")
    begun = drumline("run", "Mend it", "--detach", at=root)
    told = begun.err.splitlines()
    assert (begun.code, [line.split()[0] for line in told]) == (0, ["note:", "why:", "next:"])
    assert told[0].endswith("is not clean: mine.txt")
    assert (root / "mine.txt").read_text() == "not committed\n"
