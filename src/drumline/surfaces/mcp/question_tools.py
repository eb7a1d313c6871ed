"""Questions as tools: what waits for an answer, and answering it."""

from __future__ import annotations

from drumline.control import questions, views
from drumline.surfaces.mcp.tool import (
    CHANGES,
    LOOKS,
    Arguments,
    Desk,
    Tool,
    form,
    numbered,
    page,
    words,
    yes_or_no,
)
from drumline.team.ids import QuestionId

USUAL = 100


def _list(desk: Desk, said: Arguments) -> list[views.Facts]:
    after = QuestionId.parse(said["after"]) if "after" in said else 0
    found = desk.library().ask(
        questions.page,
        everything=said.get("all", False),
        after=int(after),
        most=said.get("most", USUAL),
    )
    return [views.question_facts(each) for each in found]


def _show(desk: Desk, said: Arguments) -> views.Facts:
    asked = QuestionId.parse(said["question"])
    return views.question_facts(desk.library().ask(questions.find, asked))


def _answer(desk: Desk, said: Arguments) -> views.Facts:
    store = desk.store()
    choice, more = said.get("choice", ""), said.get("words", "")
    asked = QuestionId.parse(said["question"])
    return views.question_facts(
        store.do(questions.answer, desk.speaking(store), asked, choice, more)
    )


QUESTIONS = (
    Tool(
        "question_list",
        "List questions",
        "What members wait to hear from a person or the lead, oldest first.",
        form(
            all=yes_or_no("Those that were answered too."),
            after=numbered("Q", "Only questions after this one."),
            most=page(USUAL),
        ),
        LOOKS,
        _list,
        {"all": True},
    ),
    Tool(
        "question_show",
        "Show a question",
        "One question with the answers it offers, or with its answer.",
        form("question", question=numbered("Q", "The question's id.")),
        LOOKS,
        _show,
        {"question": "Q-1"},
    ),
    Tool(
        "question_answer",
        "Answer a question",
        "Answer once, as the lead, what does not need a person: a task that waits for it goes on, or ends.",
        form(
            "question",
            question=numbered("Q", "The question's id."),
            choice=words("One of the offered answers."),
            words=words("More to say, or the whole answer where none is offered."),
        ),
        CHANGES,
        _answer,
        {"question": "Q-1", "choice": "go on", "words": "Use the other door."},
    ),
)
