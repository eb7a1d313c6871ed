"""Our commands as members speak them, through their runner: fewer, bounded, and always in their own name.

What is not named here is refused: no command may go on for ever, choose another team, or read and write
files of the operator on a member's behalf.
"""

import copy
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

import click

from drumline.errors import DrumlineError, NotAllowed
from drumline.settings import Settings
from drumline.surfaces.cli.caller import Caller, HandIn, called_by, caller
from drumline.surfaces.cli.captured import captured
from drumline.surfaces.cli.main import NOUNS, Nouns, answered
from drumline.surfaces.cli.output import refuse
from drumline.team.subagent import Ask
from drumline.wiring.doorways import Answer

SERVED: dict[str, frozenset[str]] = {
    "audit": frozenset({"tools"}),
    "claim": frozenset({"add", "correct", "list", "show", "probes"}),
    "context": frozenset({"show", "diff", "who", "ack", "ask", "publish"}),
    "events": frozenset(),
    "handoff": frozenset({"submit", "show", "form"}),
    "mail": frozenset({"send", "inbox", "read", "ack"}),
    "memory": frozenset({"add", "show", "stats", "search", "note", "team", "relay", "settle"}),
    "observation": frozenset({"add", "list", "settle"}),
    "pipeline": frozenset({"list", "show"}),
    "policy": frozenset({"list", "show"}),
    "prompt": frozenset({"show"}),
    "protocol": frozenset({"show", "submit", "answer", "plan"}),
    "question": frozenset({"list", "show", "answer"}),
    "report": frozenset(),
    "request": frozenset({"add", "list", "show"}),
    "status": frozenset(),
    "subagent": frozenset({"ask"}),
    "task": frozenset({"add", "edit", "list", "ready", "show", "block", "unblock", "note"})
    | {"claim", "renew", "release", "done", "fail", "cancel", "reopen"},
    "team": frozenset({"show"}),
}
WITHHELD = {
    "directory": "a member acts on its own team's repository",
    "manifest": "a member's team is fixed",
    "store": "a member's team is fixed",
    "follow": "an answer to a member comes to an end",
    "form": "the whole trail is the operator's to take away",
}


class MemberVerbs:
    """Our commands, spoken by one member in one of its lives; any number of threads may speak."""

    def __init__(
        self,
        settings: Settings,
        member: str,
        incarnation: int,
        hand_in: HandIn | None = None,
        ask: Ask | None = None,
    ) -> None:
        self._caller = Caller(settings, member, incarnation, hand_in, ask)

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:
        """The answer to a command, given without the word drumline; it never raises."""
        del cwd  # wherever the member stands, the board is its team's
        with called_by(self._caller), captured(stdin) as streams:
            code = _code(words)
        return Answer(code, streams.stdout.text(), streams.stderr.text())


def _code(words: Sequence[str]) -> int:
    try:
        return answered(_root, words, "drumline")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except Exception as error:  # noqa: BLE001 - a member's command must not end its runner
        refuse(_failed(error), as_json="--json" in words)
        return 1


def _failed(error: Exception) -> DrumlineError:
    return DrumlineError(
        "the command failed, and not by your words",
        why=f"{type(error).__name__}: {error}"[:500],
        next="tell the lead: drumline mail send --to lead …",
    )


class MemberNouns(Nouns):
    """The nouns a member may use; the others are known, and refused."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(SERVED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in NOUNS and cmd_name not in SERVED:
            return _Withheld(cmd_name)
        found = super().get_command(ctx, cmd_name)
        return None if found is None else _for_members(found, SERVED[cmd_name])


class _Withheld(click.Command):
    """A command that exists, but not for members."""

    def __init__(self, name: str) -> None:
        super().__init__(name, hidden=True)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],  # noqa: ARG002 - click's signature
        parent: click.Context | None = None,
        **_: Any,
    ) -> NoReturn:
        words = f"{parent.command_path if parent else 'drumline'} {info_name}"
        raise NotAllowed(
            f"{_speaker()} cannot use: {words}",
            why="inside a member's own processes only what serves its work is answered",
            next="ask the lead: drumline mail send --to lead …",
        )


@cache
def _for_members(command: click.Command, verbs: frozenset[str]) -> click.Command:
    """The same command without what is withheld; the person's own stays as it is."""
    found = copy.copy(command)
    found.params = [_option(each) for each in command.params]
    if isinstance(command, click.Group) and isinstance(found, click.Group):
        found.commands = {
            name: _for_members(each, frozenset()) if name in verbs else _Withheld(name)
            for name, each in command.commands.items()
        }
    return found


def _option(option: click.Parameter) -> click.Parameter:
    if option.name not in WITHHELD or not isinstance(option, click.Option):
        return option
    found = copy.copy(option)
    found.hidden, found.envvar, found.callback = True, None, _refuse_option
    return found


def _refuse_option(_: click.Context, option: click.Parameter, value: Any) -> Any:
    if value:
        raise NotAllowed(
            f"{_speaker()} cannot say {option.opts[-1]}",
            why=WITHHELD[str(option.name)],
            next=f"leave {option.opts[-1]} out",
        )
    return value


def _speaker() -> str:
    speaking = caller()
    return speaking.member if speaking else "a member"


@click.group(cls=MemberNouns, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="drumline", message="%(prog)s %(version)s")
def _root() -> None:
    """Keep a team of coding agents in step: what a member may say."""
