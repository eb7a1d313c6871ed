"""The root command: finds nouns by name and turns refusals into exit codes."""

import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from drumline.errors import DrumlineError, StoreTrouble
from drumline.surfaces.cli.output import refuse, safe

if TYPE_CHECKING:
    from typing_extensions import Buffer

NOUNS = {
    "audit": ("audit", "Read, follow, export and prove what members did."),
    "claim": ("claim", "What is said of agent CLIs, and proving it."),
    "confine": ("confine", "Run a command the kernel holds to its own folders."),
    "context": ("context", "What a run goes by, and who holds which version."),
    "demo": ("demo", "Watch a team take a goal to its delivery, without a model."),
    "doctor": ("doctor", "Check this installation, and prove an agent CLI."),
    "down": ("down", "Stop this host's members and its plane."),
    "events": ("events", "Read what happened, or follow it."),
    "gate": ("gate", "What is said between phases: approve, iterate, abort."),
    "handoff": ("handoff", "Leave, read and check what a task hands on."),
    "init": ("init", "Write a team for this repository."),
    "lead": ("lead", "What whoever leads a run sees: four views."),
    "mail": ("mail", "Send, read and acknowledge messages."),
    "mcp": ("mcp", "Offer the team's verbs to an agent, as tools on stdio."),
    "member": ("member", "Start, stop, watch and take over members."),
    "memory": ("memory", "What members learnt and teams wrote down, and finding it again."),
    "observation": ("observation", "What was noticed in a run, and what became of it."),
    "pipeline": ("pipeline", "The phases that work goes through."),
    "policy": ("policy", "The rules, and the judge that holds members to them."),
    "prompt": ("prompt", "Show what members are told, before anything is spent."),
    "protocol": ("protocol", "What members show that they understood before they work."),
    "question": ("question", "What waits for an answer, and answering it."),
    "rehearse": ("rehearse", "Play a scenario to a real agent CLI, without a model."),
    "report": ("report", "What waits for a member, and its word how it stands."),
    "request": ("request", "Ask the lead for what only the lead may do."),
    "retro": ("retro", "Merge, archive and promote what was learnt."),
    "run": ("run", "Take a goal through the team's pipeline, and deliver it."),
    "spool": ("spool", "What hooks told of turns that ended, and taking it in."),
    "status": ("status", "The team in one screen."),
    "store": ("store", "Migrate, check and back up what is remembered."),
    "subagent": ("subagent", "Have a question answered by a subagent of yours."),
    "task": ("task", "The board: add, claim and finish tasks."),
    "team": ("team", "Check and show the team's manifest; add and remove members."),
    "up": ("up", "Look after this team's members on this host."),
}


class Nouns(click.Group):
    """Loads a noun's module only when it is named, so that start-up stays short."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(NOUNS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in NOUNS:
            return None
        module = importlib.import_module(f"drumline.surfaces.cli.{NOUNS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)  # noqa: S101 - a noun's module must say `command`
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Nouns"):
            formatter.write_dl([(name, NOUNS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=Nouns, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="drumline", message="%(prog)s %(version)s")
def root() -> None:
    """Keep a team of coding agents in step."""


class _Unwritten(OSError):
    """What was asked is done, only the answer cannot be written."""


class _Stdout(io.FileIO):
    """Standard output that tells its own errors from all others."""

    def write(self, words: "Buffer") -> int:
        try:
            return super().write(words)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _Unwritten(error.errno, error.strerror) from error


def _prepare_streams() -> None:
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")  # what a terminal cannot show, it spells
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Stdout(sys.stdout.fileno(), "wb", closefd=False)),
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
            line_buffering=sys.stdout.line_buffering,
        )


def main() -> NoReturn:
    """Exit 0 when done, 1 when refused, 2 on wrong usage."""
    _prepare_streams()
    code: int | str | None
    try:
        code = answered(root, sys.argv[1:])
    except SystemExit as stop:
        code = (
            _silent(0) if stop.code == 1 else stop.code
        )  # 1 is click's word for a reader that left
    except BrokenPipeError:
        code = _silent(0)
    except _Unwritten as error:
        click.echo(f"done, but the answer cannot be written: {error.strerror}", err=True)
        code = _silent(1)
    sys.exit(code)


def answered(command: click.Command, words: Sequence[str], name: str | None = None) -> int:
    """The exit code of a command whose answer, or refusal, is said."""
    code: int
    try:
        code = command.main(list(words), name, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        _explain(error)
        code = error.exit_code
    except click.Abort:
        code = 130
    except DrumlineError as error:
        code = _refused(error, words)
    except (_Unwritten, BrokenPipeError):
        raise
    except OSError as error:
        code = _refused(_trouble(error), words)
    return code


def _refused(error: DrumlineError, words: Sequence[str]) -> int:
    refuse(error, as_json="--json" in words)
    return 1


def _trouble(error: OSError) -> StoreTrouble:
    place = f"{error.filename}: " if error.filename else ""
    return StoreTrouble(
        "the system refused what this command needs",
        why=f"{place}{error.strerror or error}",
        next="check who owns the place, its free space and the limit of open files: ulimit -n",
    )


def _explain(error: click.ClickException) -> None:
    """Wrong usage in click's words: they quote what was typed, so they are made safe."""
    words = io.StringIO()
    error.show(file=words)
    click.echo(safe(words.getvalue()), err=True, nl=False)


def _silent(code: int) -> int:
    """Let what is still buffered go nowhere, so that leaving cannot fail a second time."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
