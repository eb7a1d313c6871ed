"""The letter that brings a version of a context to a member: everything, or only what is new."""

from typing import NamedTuple

from drumline.team.context import ContextVersion, Holding, WholeWhen
from drumline.team.context_delta import Delta, told
from drumline.team.context_form import written
from drumline.team.directive import how_to_answer
from drumline.team.message import Kind, Message
from drumline.team.wording_fields import Delta as Named
from drumline.team.wording_forms import ContextUpdate

RUN = "Run: "


class Letter(NamedTuple):
    """What is sent, of how many items it is, and why it is everything if it is."""

    update: ContextUpdate
    items: int
    whole: WholeWhen | None


def letter(
    newest: ContextVersion, holding: Holding, news: Delta, whole: WholeWhen | None
) -> Letter:
    """The update from what a member holds to the newest version."""
    items = len(newest.sections) if whole else len(news.items)
    update = ContextUpdate(
        old=holding.held,
        new=newest.number,
        delta=_all_of(newest, holding) if whole else news.named(),
        impact=newest.why.strip() or "everyone",
        body="\n".join(
            [
                f"{RUN}{newest.run}",
                _what_it_is(newest, items, whole),
                how_to_answer(newest.run, newest.number, items),
                "",
                written(newest.sections) if whole else told(news),
            ]
        ),
    )
    return Letter(update, items, whole)


def about_run(message: Message, run: str, version: int) -> bool:
    """Whether a letter brings a run's context, up to a version."""
    if message.kind is not Kind.CONTEXT_UPDATE:
        return False
    head, _, body = message.body.partition("\n")
    number = head.partition("→")[2].partition("GC-v")[2].partition(" ")[0]
    ours = body.partition("\n")[0] == f"{RUN}{run}"
    return ours and number.isdecimal() and int(number) <= version


def _all_of(newest: ContextVersion, holding: Holding) -> Named:
    names = tuple(each.name for each in newest.sections)
    return Named(replaced=names) if holding.held else Named(added=names)


def _what_it_is(newest: ContextVersion, items: int, whole: WholeWhen | None) -> str:
    number = "1 item" if items == 1 else f"{items} items"
    if whole:
        return f"This is the whole of version {newest.number}, {number}, since {whole}; nothing else holds."
    return f"This is what is new in version {newest.number}: {number}. What is not named holds as before."
