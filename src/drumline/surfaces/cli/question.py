"""Questions from the command line: the one queue of what waits for somebody's word."""

from __future__ import annotations

import click

from drumline.control import questions, views
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import QUESTION
from drumline.surfaces.cli.output import columns, facts, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.ids import QuestionId
from drumline.team.question import Question
from drumline.team.request import headline

question_argument = click.argument("question", type=QUESTION)


@click.group()
def command() -> None:
    """What members wait to hear from a person, or from the lead."""


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Those that were answered too.")
@click.option(
    "--after", type=QUESTION, default=QuestionId(0), show_default=False, help="Only later ones."
)
@click.option(
    "--most",
    type=click.IntRange(1, 10_000),
    default=1000,
    show_default=True,
    help="How many at most.",
)
@placed
def list_questions(after: QuestionId, most: int, *, everything: bool, as_json: bool) -> None:
    """What waits for an answer, oldest first."""
    found = desk.library().ask(questions.page, everything=everything, after=int(after), most=most)
    rows = [(str(each.id), _stands(each), each.asker, headline(each.what)) for each in found]
    lines = columns(rows) or ["no question waits"]
    show([views.question_facts(each) for each in found], lines, as_json=as_json)
    if len(found) == most:
        click.echo(f"more: the same with --after {found[-1].id}", err=True)


@command.command("show")
@question_argument
@placed
def show_question(question: QuestionId, *, as_json: bool) -> None:
    """One question with its answers, or its answer."""
    found = desk.library().ask(questions.find, question)
    show(views.question_facts(found), _in_full(found), as_json=as_json)


@command.command()
@question_argument
@click.argument("choice", default="")
@click.option("--words", "said", default="", metavar="TEXT", help="More to say; - reads stdin.")
@placed
def answer(question: QuestionId, choice: str, said: str, *, as_json: bool) -> None:
    """Answer with one of the offered CHOICEs, its number, or words where none is offered."""
    store = desk.store()
    actor = desk.speaking(store)
    found = store.ask(questions.find, question)
    picked, more = (choice, words(said)) if found.options else ("", words(choice or said))
    answered = store.do(questions.answer, actor, question, picked, more)
    line = f"{answered.id}  {_stands(answered)}  {headline(answered.said)}"
    show(views.question_facts(answered), [line], as_json=as_json)


def _stands(question: Question) -> str:
    held = f", {question.task} waits for it" if question.open and question.holds else ""
    return f"{question.kind} ({question.state}{held})"


def _in_full(found: Question) -> list[str]:
    head = facts(
        {
            "question": str(found.id),
            "kind": found.kind.value,
            "state": found.state.value,
            "from": found.asker,
            "task": "" if found.task is None else str(found.task),
            "asked": f"{found.asked_at:%Y-%m-%d %H:%M:%S} UTC",
            "by": found.by or "",
            "answer": found.said,
        }
    )
    offered = [
        f"  {at}. {option}{'   (recommended)' if option == found.recommended else ''}"
        for at, option in enumerate(found.options, 1)
    ]
    said = "CHOICE [--words TEXT]" if found.options else "TEXT"
    wanted = f"drumline question answer {found.id} {said}"
    how = ["", *offered, f"answer: {wanted}"] if found.open else []
    return [*head, "", *(f"> {line}" for line in found.what.splitlines()), *how]
