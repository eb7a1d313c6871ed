"""A team's memory as tools: finding what was written down, and adding to the memory of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import recall, shelves, team_notes
from drumline.control.recall import Wanted
from drumline.control.team_notes import Saying
from drumline.surfaces.mcp.tool import (
    ADDS,
    CHANGES,
    LOOKS,
    Arguments,
    Desk,
    Tool,
    form,
    numbered,
    one_of,
    several,
    whole,
    words,
)
from drumline.team.ids import MessageId
from drumline.team.recall import RecallKind, Within
from drumline.team.reflection import Category
from drumline.team.team_memory import Note, NoteId
from drumline.team.wording_forms import NoteTag

if TYPE_CHECKING:
    from drumline.control.lessons import Memory
    from drumline.control.ports import Store

TAG = one_of([tag.value for tag in NoteTag], "What sort of thing it is.")


def _search(desk: Desk, said: Arguments) -> dict[str, Any]:
    from drumline.wiring import recalling  # noqa: PLC0415 - only who searches pays for it

    within = Within(said.get("kind", ""), said.get("member", ""), said.get("team", ""))
    asked = Wanted(said["words"], within, said.get("limit", recall.USUAL))
    return recalling.search(desk.here(), desk.library(), asked).facts()


def _show(desk: Desk, said: Arguments) -> list[dict[str, Any]]:
    return shelves.rows(_memory(desk, desk.library()), said.get("member", ""))


def _add(desk: Desk, said: Arguments) -> dict[str, Any]:
    store = desk.store()
    memory = _memory(desk, store)
    category = Category(said.get("category", Category.CODEBASE_PATTERN))
    edit = shelves.adding(memory, said["member"], category, said["text"])
    archived = shelves.carry_out(memory, desk.speaking(store), edit)
    return {"id": edit.learning, "member": edit.member, "dry_run": False, "archived": archived}


def _memory(desk: Desk, store: Store) -> Memory:
    from drumline.wiring import memories  # noqa: PLC0415 - as above

    return memories.memory(desk.here(), store)


def _note(desk: Desk, said: Arguments) -> dict[str, Any]:
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    saying = Saying(NoteTag(said["tag"]), said["text"], said.get("section", ""))
    return recalling.note(desk.here(), store, desk.speaking(store), saying).facts()


def _team(desk: Desk, said: Arguments) -> dict[str, Any]:
    return desk.library().ask(team_notes.memory_facts, said.get("run", ""))


def _relay(desk: Desk, said: Arguments) -> list[dict[str, Any]]:
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    messages = [MessageId.parse(each) for each in said["messages"]]
    return _told(recalling.relay(desk.here(), store, desk.speaking(store), messages))


def _settle(desk: Desk, said: Arguments) -> list[dict[str, Any]]:
    from drumline.wiring import recalling  # noqa: PLC0415 - as above

    store = desk.store()
    notes = [NoteId.parse(each) for each in said["notes"]]
    return _told(recalling.settle(desk.here(), store, desk.speaking(store), notes, said["why"]))


def _told(notes: list[Note]) -> list[dict[str, Any]]:
    return [team_notes.note_facts(each) for each in notes]


MEMORY = (
    Tool(
        "memory_search",
        "Search what teams wrote down",
        "Find learnings, decisions, retrospectives, handoffs and notes of every team on the store by words.",
        form(
            "words",
            words=words("What to look for: a few words that matter."),
            kind=one_of([kind.value for kind in RecallKind], "Only this kind of memory."),
            member=words("Only what this member wrote."),
            team=words("Only this team."),
            limit={**whole("How many at most.", 1, recall.MOST), "default": recall.USUAL},
        ),
        LOOKS,
        _search,
        {"words": "joi validation", "kind": "learning"},
    ),
    Tool(
        "memory_show",
        "Show what members learnt",
        "The learnings of a member, or of everyone, with their ids and how often each was used.",
        form(member=words("Whose, if not everyone's.")),
        LOOKS,
        _show,
        {"member": "ada"},
    ),
    Tool(
        "memory_add",
        "Write a learning down",
        "As the lead: write a learning into a member's file. Members say theirs in their reflection.",
        form(
            "text",
            "member",
            text=words("What is to be known, in one sentence or two."),
            member=words("Whose it is to know."),
            category=one_of([each.value for each in Category], "Which section it belongs to."),
        ),
        ADDS,
        _add,
        {"text": "API v2 uses joi, not zod", "member": "ada", "category": "gotcha"},
    ),
    Tool(
        "memory_team",
        "Read the memory of a run",
        "What members of a run found out on the way, a section for each: read it before you begin.",
        form(run=words("Which run, if not the newest.")),
        LOOKS,
        _team,
        {},
    ),
    Tool(
        "memory_note",
        "Write into the memory of the run",
        "Tell everybody in the run what you found, in your own section; where you may not, the lead relays it.",
        form(
            "tag",
            "text",
            tag=TAG,
            text=words("What others must know, on one line."),
            section=words("As the lead: whose section. Leave it out otherwise."),
        ),
        ADDS,
        _note,
        {"tag": "Warning", "text": "the suite needs a server"},
    ),
    Tool(
        "memory_relay",
        "Relay what members reported",
        "As the lead: write memory-updates from your inbox into their senders' sections.",
        form(
            "messages",
            messages=several(numbered("M", "A memory-update's id."), "Which letters.", least=1),
        ),
        ADDS,
        _relay,
        {"messages": ["M-12"]},
    ),
    Tool(
        "memory_settle",
        "Archive notes of the run",
        "Archive notes that are over: your own, or as the lead anybody's.",
        form(
            "notes",
            "why",
            notes=several(numbered("N", "A note's id."), "Which notes.", least=1),
            why=words("Why nobody needs them any more."),
        ),
        CHANGES,
        _settle,
        {"notes": ["N-3"], "why": "it was fixed"},
    ),
)
