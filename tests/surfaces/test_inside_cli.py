"""The command line inside a member's processes: every word goes through the runner, in the member's name."""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

from drumline import settings
from drumline.runtimes.doorway import Doorway
from drumline.surfaces.cli import inside
from drumline.surfaces.cli.captured import LONGEST_ANSWER, captured
from drumline.surfaces.cli.inside import MemberVerbs
from drumline.surfaces.cli.main import NOUNS
from tests.doorways import PYTHON, Rulings, Tree, asked, opened, until, watched
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: [], runtime: codex}
"""
LOOKED_AT = {
    *("claim", "handed", "probe", "prompt", "reads_only", "runtime", "severity"),
    *("after", "as_json", "body", "constraint", "cursor", "everything", "fence", "fields"),
    *("files", "kind", "lease", "limit", "member", "message", "messages", "most"),
    *("no_files", "no_output", "others", "outputs", "owner", "phase", "priority"),
    *("profile", "recipients", "request", "rule_id", "section", "sender", "since", "state"),
    *("choice", "given", "needs", "question", "said"),
    *("as_text", "mermaid", "name", "tier"),
    *("action", "file", "impact", "items", "lost", "newer", "older", "run", "version"),
    *("choice", "needs", "question", "said", "source", "which"),
    *("take_next", "task", "text", "title", "tool", "tracker", "unverified", "waves", "why"),
    *("category", "dry_run", "notes", "tag", "team", "words"),
}
CONSOLE = [sys.executable, "-m", "drumline"]


@pytest.fixture
def at(repository):
    """A team's repository with two tasks on its board."""
    write(repository, ".claude/team.yaml", MANIFEST)
    for title in ("first", "second"):
        assert drumline("task", "add", title, at=repository).code == 0
    return repository


def speaker(at: Path, member: str = "ada", life: int = 1) -> MemberVerbs:
    return MemberVerbs(settings.find(str(at)), member, life)


def events(at: Path) -> list[tuple[str, str, str]]:
    found = drumline("events", "--json", at=at).json["events"]
    return [(event["actor"], event["verb"], event["subject"]) for event in found]


class House:
    """A member that is run: its processes, and the doorway they speak through."""

    def __init__(self, door: Doorway, tree: Tree, told: list[str]) -> None:
        self.door, self.tree, self.told = door, tree, told

    def say(self, *words: str, told: bytes = b"", **variables: str):
        """`drumline WORDS` in a process of the member's."""
        socket = {"DRUMLINE_SOCKET": str(self.door.socket)}
        return self.tree.run(*CONSOLE, *words, told=told, **{**socket, **variables})


@pytest.fixture
def house(at):
    """Opens the house of a member; all of them stand until the test is over."""
    with ExitStack() as stack:

        def make(member: str = "ada", life: int = 1) -> House:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="dl-")))
            tree, told = Tree(), list[str]()
            verbs = speaker(at, member, life)
            door = Doorway(folder, Rulings(), verbs, watched(tree, told))
            return House(stack.enter_context(opened(lambda: door)), tree, told)

        yield make


class TestThroughTheSocket:
    @pytest.mark.requirement("BOARD-04")
    def test_a_member_claims_mails_and_finishes_in_its_own_name(self, at, house):
        ada = house("ada")
        claimed = ada.say("task", "claim", "--next", "--json")
        assert (claimed.returncode, claimed.stderr) == (0, "")
        fence = json.loads(claimed.stdout)["fence"]
        assert (
            ada.say("mail", "send", "--to", "brook", "look here").stdout == "M-1  sent to brook\n"
        )
        assert ada.say("task", "done", "T-1", "--fence", str(fence)).returncode == 0
        assert events(at)[-3:] == [
            ("ada", "task.claimed", "T-1"),
            ("ada", "mail.sent", "M-1"),
            ("ada", "task.completed", "T-1"),
        ]

    @pytest.mark.parametrize(
        "variables",
        [
            {"DRUMLINE_MEMBER": "brook"},
            {"LOA_TEAM_MEMBER": "brook"},
            {"DRUMLINE_INCARNATION": "7"},
            {"DRUMLINE_STORE": "sqlite:////nowhere/state.db"},
            {"DRUMLINE_MANIFEST": "/nowhere/team.yaml"},
        ],
        ids=lambda variables: next(iter(variables)),
    )
    def test_variables_change_nothing(self, at, house, variables):
        assert house().say("task", "claim", "T-1", **variables).returncode == 0
        assert events(at)[-1] == ("ada", "task.claimed", "T-1")

    def test_no_member_speaks_for_another(self, at, house):
        ada = house()
        for words in (
            ("task", "claim", "T-1", "--member", "brook"),
            ("mail", "send", "--from", "brook", "--to", "ada", "x"),
            ("mail", "inbox", "brook"),
            ("prompt", "show", "T-1", "--member", "brook"),
        ):
            answer = ada.say(*words)
            assert (answer.returncode, answer.stdout) == (1, "")
            assert "ada cannot speak for brook" in answer.stderr
        assert events(at)[-1][1] == "task.added"

    def test_a_past_life_changes_nothing(self, house):
        answer = house("ada", life=0).say("task", "claim", "T-1")
        assert answer.returncode == 1
        assert "a newer process took this member's place" in answer.stderr

    def test_wherever_it_stands_a_member_acts_on_its_team(self, house, tmp_path):
        elsewhere = tmp_path / "checkout"
        write(elsewhere, "team.yaml", MANIFEST.replace("atlas", "other"))
        words = f"cd {elsewhere} && exec {PYTHON} -m drumline status"
        ada = house()
        source = str(Path(inside.__file__).parents[3])
        path = os.pathsep.join([source, *filter(None, sys.path)])
        done = ada.tree.run(
            *("sh", "-c", words), DRUMLINE_SOCKET=str(ada.door.socket), PYTHONPATH=path
        )
        assert done.stdout.startswith("atlas ")

    def test_stdin_is_sent_where_a_word_says_so(self, house):
        ada = house()
        ada.say("mail", "send", "--to", "ada", "-", told="größer\n".encode())
        assert "größer" in ada.say("mail", "read", "M-1").stdout

    def test_stdin_that_is_no_text_is_refused_as_everywhere(self, house):
        answer = house().say("mail", "send", "--to", "ada", "-", told=b"ab\xff")
        assert (answer.returncode, "not UTF-8 at byte 3" in answer.stderr) == (1, True)

    def test_stdin_nobody_asked_for_is_left_alone(self, house):
        ada = house()
        answer = ada.tree.run(
            *("sh", "-c", f"{' '.join(CONSOLE)} status >/dev/null && cat"),
            told=b"still here",
            DRUMLINE_SOCKET=str(ada.door.socket),
        )
        assert answer.stdout == "still here"

    def test_wrong_usage_exits_2(self, house):
        answer = house().say("task", "claim")
        assert (answer.returncode, "name a task" in answer.stderr) == (2, True)

    def test_a_refusal_is_json_when_asked_for(self, house):
        answer = house().say("task", "claim", "T-9", "--json")
        assert (answer.returncode, answer.stderr) == (1, "")
        assert json.loads(answer.stdout)["error"] == "Unknown"


class TestRefusedAtTheDoor:
    def test_a_runner_that_is_gone_is_said_to_be(self, at, house, tmp_path):
        answer = house().say("task", "claim", "T-1", DRUMLINE_SOCKET=str(tmp_path / "gone"))
        assert (answer.returncode, answer.stdout) == (1, "")
        assert answer.stderr == (
            "refused: nobody is there to answer\n"
            "why:     the process that runs you does not answer\n"
            "next:    stop here: you will be started again\n"
        )
        assert events(at)[-1][1] == "task.added"

    def test_a_runner_that_is_gone_is_said_in_json_too(self, house, tmp_path):
        answer = house().say("status", "--json", DRUMLINE_SOCKET=str(tmp_path / "gone"))
        assert answer.returncode == 1
        assert json.loads(answer.stdout)["refused"] == "nobody is there to answer"

    def test_a_runner_that_dies_while_it_works_is_gone(self):
        code = (
            "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]);"
            " s.listen(); print(flush=True); s.accept()[0].recv(1); os.kill(os.getpid(), 9)"
        )
        with TemporaryDirectory(prefix="dl-") as folder:
            place = f"{folder}/socket"
            runner = subprocess.Popen([PYTHON, "-c", code, place], stdout=subprocess.PIPE)
            assert runner.stdout is not None
            runner.stdout.readline()
            answer = Tree().run(*CONSOLE, "status", DRUMLINE_SOCKET=place)
            runner.communicate()
        assert runner.returncode == -9
        assert (answer.returncode, "nobody is there" in answer.stderr) == (1, True)

    @pytest.mark.parametrize("token", ["", "0" * 64], ids=["none", "wrong"])
    def test_without_the_token_nothing_is_answered(self, at, house, tmp_path, token):
        ada = house()
        place = tmp_path / "token"
        if token:
            place.write_text(token)
        answer = ada.say("task", "claim", "T-1", DRUMLINE_TOKEN_FILE=str(place))
        assert (answer.returncode, "wrong token" in answer.stderr) == (1, True)
        assert until(lambda: ada.told) == ["a wrong token was given"]
        assert events(at)[-1][1] == "task.added"

    @pytest.mark.requirement("GUARD-19")
    def test_another_members_socket_answers_nobody_but_its_own(self, at, house):
        ada, brook = house("ada"), house("brook")
        answer = ada.say("task", "claim", "T-1", DRUMLINE_SOCKET=str(brook.door.socket))
        assert (answer.returncode, "outside the member's own tree" in answer.stderr) == (1, True)
        assert until(lambda: brook.told) == ["a process outside the member's own tree asked"]
        assert events(at)[-1][1] == "task.added"


class TestWhatIsServed:
    def refused(self, at: Path, *words: str) -> str:
        answer = speaker(at).run(words)
        assert (answer.code, answer.out) == (1, "")
        return answer.err

    @pytest.mark.parametrize("noun", sorted(NOUNS.keys() - inside.SERVED.keys()))
    def test_a_noun_that_is_not_a_members_is_refused(self, at, noun):
        assert f"ada cannot use: drumline {noun}" in self.refused(at, noun, "--help")

    @pytest.mark.parametrize(
        "words",
        [
            ("audit", "seal"),
            ("audit", "verify"),
            ("pipeline", "check", "/etc/passwd"),
            ("policy", "render", "--into", "CLAUDE.md"),
            ("policy", "compile"),
            ("policy", "judge"),
            ("policy", "scan", "--files", "/etc/passwd"),
            ("policy", "settings"),
            ("policy", "coverage"),
            ("request", "take", "--next"),
            ("request", "run", "R-1"),
            ("team", "check"),
        ],
        ids=" ".join,
    )
    def test_a_verb_that_is_not_a_members_is_refused(self, at, words):
        said = self.refused(at, *words)
        assert f"ada cannot use: drumline {words[0]} {words[1]}" in said
        assert "next:" in said

    @pytest.mark.parametrize(
        "words",
        [
            ("events", "--follow"),
            ("audit", "--follow"),
            ("audit", "--export", "csv"),
            ("status", "-C", "/"),
            ("status", "--directory=/"),
            ("task", "list", "--manifest", "team.yaml"),
            ("task", "list", "--store", "sqlite:///x.db"),
        ],
        ids=" ".join,
    )
    def test_an_option_that_is_not_a_members_is_refused(self, at, words):
        assert "ada cannot say --" in self.refused(at, *words)

    @pytest.mark.parametrize(
        "words",
        [
            ("task", "list"),
            ("task", "ready"),
            ("task", "show", "T-1"),
            ("task", "claim", "T-1"),
            ("mail", "inbox"),
            ("mail", "send", "--to", "lead", "hello"),
            ("status",),
            ("team", "show"),
            ("events",),
            ("prompt", "show", "T-1"),
            ("request", "add", "push it"),
            ("request", "list"),
            ("pipeline", "list"),
            ("pipeline", "show", "--tier", "trivial"),
            ("policy", "list"),
            ("policy", "show", "C-TEAM-004"),
            ("audit",),
            ("audit", "tools"),
            ("task", "--help"),
            ("--version",),
        ],
        ids=" ".join,
    )
    def test_what_serves_a_members_work_is_answered(self, at, words):
        answer = speaker(at).run(words)
        assert (answer.code, answer.err) == (0, "")
        assert answer.out

    def test_the_board_keeps_its_own_rights(self, at):
        assert "ada may not create or edit tasks" in self.refused(at, "task", "add", "third")

    def test_help_names_only_what_is_served(self, at):
        said = speaker(at).run(["--help"]).out
        assert all(f"\n  {noun} " in said for noun in inside.SERVED)
        assert not any(f"\n  {noun} " in said for noun in NOUNS.keys() - inside.SERVED.keys())
        assert "render" not in speaker(at).run(["policy", "--help"]).out
        assert "--store" not in speaker(at).run(["task", "list", "--help"]).out

    def test_a_person_is_still_told_everything(self, at):
        speaker(at).run(["policy", "--help"])
        assert "render" in drumline("policy", "--help", at=at).out
        assert "--store" in drumline("task", "list", "--help", at=at).out

    def test_every_option_a_member_may_use_was_looked_at_for_files(self):
        """An option that is new here must not read or write a file of the operator's."""
        found = set()
        for noun in inside.SERVED:
            command = inside.MemberNouns().get_command(click.Context(click.Command("x")), noun)
            assert command is not None
            for each in (command, *getattr(command, "commands", {}).values()):
                shown = [param for param in each.params if not getattr(param, "hidden", False)]
                found |= {str(param.name) for param in shown if not each.hidden}
        assert found - LOOKED_AT == set()


class TestInOneProcess:
    def test_many_speak_at_once_and_each_hears_its_own_answer(self, at):
        members = [speaker(at, name) for name in ("ada", "brook")] * 20
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda verbs: verbs.run(["mail", "inbox"]), members))
        assert [answer.out for answer in answers] == [
            "no mail for ada\n",
            "no mail for brook\n",
        ] * 20
        assert {answer.err for answer in answers} == {""}

    def test_what_the_runner_itself_says_stays_its_own(self, at, capfd):
        speaking, said = threading.Event(), threading.Event()

        def elsewhere() -> None:
            with captured(""):
                speaking.set()
                assert said.wait(30)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        assert speaking.wait(30)
        click.echo("the runner's own words")
        said.set()
        thread.join()
        answer = speaker(at).run(["status"])
        assert "own words" not in answer.out
        assert capfd.readouterr().out == "the runner's own words\n"

    def test_an_answer_too_long_for_a_conversation_is_refused(self):
        with captured("") as streams:
            click.echo("x" * (LONGEST_ANSWER - 10), nl=False)
            with pytest.raises(Exception, match="more than"):
                click.echo("y" * 11, nl=False)
            click.echo("refused")
        assert streams.stdout.text() == "refused\n"

    def test_a_failure_of_ours_is_an_answer_and_not_the_end(self, at):
        (at / ".drumline" / "state.db").write_bytes(b"no database at all" * 100)
        answer = speaker(at).run(["task", "list"])
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith("refused: ")

    def test_a_word_of_the_environment_is_not_believed(self, at, monkeypatch):
        monkeypatch.setenv("DRUMLINE_MEMBER", "brook")
        monkeypatch.setenv("DRUMLINE_INCARNATION", "9")
        monkeypatch.setenv("DRUMLINE_STORE", "sqlite:////nowhere/x.db")
        assert speaker(at).run(["task", "claim", "T-1"]).out.startswith("T-1  held by ada ")


def test_a_members_command_loads_no_framework_and_no_store(house):
    ada = house()
    code = (
        "import sys; sys.argv = ['drumline', 'status']\nfrom drumline.__main__ import main\n"
        "try: main()\nexcept SystemExit: print(*sys.modules)"
    )
    loaded = ada.tree.run(sys.executable, "-c", code, DRUMLINE_SOCKET=str(ada.door.socket))
    heavy = {"click", "typing", "json", "re", "socket", "sqlite3", "contextlib", "drumline.errors"}
    assert loaded.stdout.startswith("atlas ")
    assert heavy.isdisjoint(loaded.stdout.splitlines()[-1].split())


def test_the_console_script_goes_the_same_way(house):
    ada = house()
    script = Path(sys.executable).parent / "drumline"
    done = ada.tree.run(str(script), "status", DRUMLINE_SOCKET=str(ada.door.socket))
    assert done.stdout.startswith("atlas ")


def test_what_the_doorway_is_asked_by_hand_is_answered_in_the_members_name(house):
    ada = house()
    ada.tree.adopt(os.getpid())
    answer = asked(ada.door, ask="run", words=["task", "claim", "T-2"], stdin="", cwd="/")
    assert answer["out"].startswith("T-2  held by ada")


def test_events_tell_a_member_nothing_of_others_letters(at):
    drumline("mail", "send", "--to", "brook", "between us", at=at)
    told = speaker(at).run(["events", "--json"])
    assert told.code == 0
    assert "mail" in told.out
    assert "between us" not in told.out
