"""Runs from the command line: begin one and watch it, stop it, let it go on, take it back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from drumline.control import run_views, runs
from drumline.control.muster import ANYWHERE
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, facts, note, one_line, show
from drumline.surfaces.cli.place import placed
from drumline.team.run import Run, RunState
from drumline.team.run_mode import RunMode
from drumline.team.tier import Tier
from drumline.wiring import beginning, planes

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.control.run_views import Shown

BEGIN, GOAL = "begin", '"GOAL"'


class Unnamed(click.Context):
    """Of a command that is called without its name: what it says of itself is its group's to be called by."""

    @property
    def command_path(self) -> str:
        return self.parent.command_path if self.parent else super().command_path


class Begin(click.Command):
    context_class = Unnamed


class Goals(click.Group):
    """What is not the name of a command is a goal."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and self._first_word(args) not in self.commands:
            args = ["--help"] if {"--help", "-h"} & set(args) else [BEGIN, *args]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        del ctx  # what is chosen is chosen of the goal, or of the command
        return [f"[{GOAL} [OPTIONS] | COMMAND [ARGS]...]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        begin = self.commands[BEGIN]
        options = [each for each in begin.get_params(ctx) if isinstance(each, click.Option)]
        found = [record for each in options if (record := each.get_help_record(ctx))]
        with formatter.section(f"Options of {GOAL}"):
            formatter.write_dl(found)
        self.format_commands(ctx, formatter)

    def _first_word(self, args: list[str]) -> str:
        """What is neither an option nor the value of one."""
        options = [each for each in self.commands[BEGIN].params if isinstance(each, click.Option)]
        valued = {name for each in options if not each.is_flag for name in each.opts}
        pairs = zip(["", *args], args, strict=False)
        words = (
            word for before, word in pairs if not word.startswith("-") and before not in valued
        )
        return next(words, "")


name_argument = click.argument("name", default="", metavar="[RUN]")


@click.group(cls=Goals)
def command() -> None:
    """Take a goal through the team's pipeline: begin a run with it and watch it.

    A goal that is - is read from standard input. What is the name of a command is no goal.
    """


@command.command(BEGIN, cls=Begin, hidden=True)
@click.argument("goal", metavar=GOAL)
@click.option("--tier", type=click.Choice([tier.value for tier in Tier]), help="How large it is.")
@click.option("--pipeline", default="", metavar="NAME", help="Another pipeline than the team's.")
@click.option("--lead", default="", metavar="NAME", help="Who judges: a member, or human.")
@click.option(
    "--mode", type=click.Choice([mode.value for mode in RunMode]), help="How the lead works."
)
@click.option("--budget", type=float, metavar="USD", help="What the whole run may cost.")
@click.option("--detach", is_flag=True, help="Begin it and leave: the plane goes on.")
@placed
def begin(goal: str, *, as_json: bool, detach: bool, **chosen: Any) -> None:
    """Begin a run with a GOAL and watch it; - reads the goal from standard input."""
    from drumline.surfaces.cli.running import watch  # noqa: PLC0415 - only whoever watches pays for it
    from drumline.surfaces.cli.words import words  # noqa: PLC0415 - as above

    settings, store = desk.here(), desk.store()
    actor = desk.speaking(store)
    store.ask(runs.may_steer, actor)
    wanted = beginning.wanted(settings, store, words(goal), chosen)
    store.ask(runs.refuse_to_begin, actor, wanted)
    beginning.make_ready(settings, store)
    run = store.do(runs.begin, actor, wanted)
    if unseen := beginning.not_seen(settings):
        note(unseen)
    came_up = beginning.look_after(settings, store)
    if not detach:
        watch(store, run.name, quiet=as_json)
    ended = _show(store, run.name, [] if detach else [""], as_json=as_json).run
    _tell_of_plane(store, came_up=came_up)
    raise click.exceptions.Exit(0 if ended.state is not RunState.ABORTED else 1)


@command.command("list")
@placed
def list_runs(*, as_json: bool) -> None:
    """Every run, newest first."""
    found = desk.library().ask(run_views.every)
    rows = [
        (run.name, run.state.value, run.tier or "-", run.phase or "-", run.title)
        for run in (each.run for each in found)
    ]
    lines = columns(rows) or ["there was no run yet"]
    show([each.facts() for each in found], lines, as_json=as_json)


@command.command("show")
@name_argument
@placed
def show_run(name: str, *, as_json: bool) -> None:
    """One run: its plan, where it is and what it waits for; the newest without a name."""
    from drumline.control.run_files import files_of  # noqa: PLC0415 - only this command shows it

    store = desk.library()
    run = store.ask(runs.find, name)
    plan = store.ask(files_of, run.name)["plan.md"]
    _show(store, run.name, plan.splitlines(), as_json=as_json)


@command.command()
@name_argument
@placed
def watch(name: str, *, as_json: bool) -> None:
    """Follow a run until it is over, or waits for a person."""
    from drumline.surfaces.cli.running import watch as follow  # noqa: PLC0415 - as above

    store = desk.store()
    run = store.ask(runs.find, name)
    follow(store, run.name, quiet=as_json)
    _show(store, run.name, [""], as_json=as_json)


@command.command()
@name_argument
@placed
def stop(name: str, *, as_json: bool) -> None:
    """Let a run rest; nothing of it is lost."""
    store = desk.store_as_it_was()
    _show(store, _steered(store, runs.stop, name), as_json=as_json)


@command.command()
@name_argument
@placed
def resume(name: str, *, as_json: bool) -> None:
    """Let a run go on exactly where it was."""
    store = desk.store()
    resumed = _steered(store, runs.resume, name)
    came_up = beginning.look_after(desk.here(), store)
    _show(store, resumed, as_json=as_json)
    _tell_of_plane(store, came_up=came_up)


@command.command()
@name_argument
@placed
def abort(name: str, *, as_json: bool) -> None:
    """End a run for good; what was merged stays on the team's branch."""
    store = desk.store_as_it_was()
    _show(store, _steered(store, runs.abort, name), as_json=as_json)


@command.command()
@click.argument("name", metavar="RUN")
@click.argument("tier", type=click.Choice([tier.value for tier in Tier]))
@click.option("--why", default="", help="What shows it.")
@placed
def reclassify(name: str, tier: str, why: str, *, as_json: bool) -> None:
    """Ask whether a run goes on as a change of another size; a person answers."""
    from drumline.control import reclassifying  # noqa: PLC0415 - as above
    from drumline.control.views import question_facts  # noqa: PLC0415 - as above

    store = desk.store()
    asked = store.do(reclassifying.propose, desk.speaking(store), name, Tier(tier), why)
    lines = [
        f"{asked.id} asks: {', '.join(asked.options)}",
        f"next:    drumline question answer {asked.id} {asked.options[0]!r}",
    ]
    show(question_facts(asked), lines, as_json=as_json)


@command.command()
@name_argument
@placed
def summary(name: str, *, as_json: bool) -> None:
    """What a run came to: its gates, its tasks, and what it cost."""
    from drumline.control.summaries import summary_of  # noqa: PLC0415 - as above
    from drumline.surfaces.cli.run_summary import summary_lines  # noqa: PLC0415 - as above

    found = desk.library().ask(summary_of, name)
    show(found, summary_lines(found), as_json=as_json)


@command.command()
@name_argument
@placed
def revert(name: str, *, as_json: bool) -> None:
    """Take a delivered run back out of the branch it was delivered to."""
    from drumline.wiring import driving  # noqa: PLC0415 - as above

    store = desk.store()
    done = driving.take_back(desk.here(), store, desk.speaking(store), name)
    after, by = store.ask(run_views.shown, done.run.name), done.commit
    lines = [f"{done.run.name} was taken back by {by[:12]}; it had changed:", *done.undone]
    show({**after.facts(), "undone": done.undone, "by": by}, lines, as_json=as_json)


def _steered(store: Store, verb: Any, name: str) -> str:
    """Steer a run; its name."""
    from drumline.wiring import driving  # noqa: PLC0415 - as above

    run: Run = store.do(verb, desk.speaking(store), store.ask(runs.find, name).name)
    driving.render(desk.here_as_it_was(), store, run.name)  # no plane looks at a run that is over
    return run.name


def _tell_of_plane(store: Store, *, came_up: bool) -> None:
    """Say what a command began that goes on when it is over."""
    if came_up and beginning.is_up(store):
        click.echo("note:    this team's plane stays up here: drumline down stops it", err=True)


def _show(store: Store, name: str, before: Iterable[str] = (), *, as_json: bool) -> Shown:
    """Show a run as it is now, behind whatever comes before it."""
    found = store.ask(run_views.shown, name, planes.house(desk.here_as_it_was()) or ANYWHERE)
    show(found.facts(), [*before, *_in_short(store, found)], as_json=as_json)
    return found


def _in_short(store: Store, found: Shown) -> list[str]:
    run, up = found.run, beginning.is_up(store)
    shown = facts(
        {
            "run": f"{run.name} ({run.state}{f': {run.why}' if run.why else ''})",
            "tier": str(run.tier or ""),
            "mode": "" if run.mode is RunMode.DEFAULT else run.mode.value,
            "phase": f"{run.phase} (iteration {run.iteration})" if run.phase else "",
            "waits": found.waits_for
            if up or not found.delivering
            else "its delivery was cut short",
            "commit": run.commit[:12],
        }
    )
    shown += [f"away   {one_line(f'{name}: {why}')}" for name, why in found.away.items()]
    nexts = [
        f"next:    drumline question show {each}   # then: answer it" for each in found.questions
    ]
    if found.away:
        names = " ".join(found.away)
        nexts.append(f"next:    drumline member start {names}   # at once, when that is mended")
    if run.state is RunState.WORKING and not up:
        nexts.append("next:    drumline up   # nobody drives it here")
    if run.state is RunState.DELIVERED:
        nexts = [f"next:    drumline run summary {run.name}   # or: run revert {run.name}"]
    return [*shown, *nexts]
