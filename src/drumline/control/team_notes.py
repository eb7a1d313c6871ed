"""A run's memory: members write their own section, whoever leads relays and settles, gates curate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import mail, runs_found
from drumline.control.roster import active_member, constitution, lead, living
from drumline.errors import BadInput, Conflict, NotAllowed, NotReady, Unknown
from drumline.team import wording
from drumline.team.actor import Actor, Role
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.judging import Submission
from drumline.team.message import Kind, Message
from drumline.team.preset import MemoryRight
from drumline.team.secrets import redact
from drumline.team.team_memory import (
    LEAD,
    NOTE_CAP,
    SECTION,
    Briefed,
    Note,
    NoteId,
    Settled,
    listed,
    rendered,
    repeated,
    right_of,
)
from drumline.team.text import checked_line, one_line
from drumline.team.verdict import settled_notes
from drumline.team.wording_forms import MemoryUpdate, NoteTag

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.gate import Gate
    from drumline.team.ids import MessageId
    from drumline.team.manifest import MemberEntry
    from drumline.team.run import Run

MEMORY = "The team's memory"
LETTERS = 1000  # of those that wait for the lead, looked through at a gate
ELSEWHERE = "what must stay for later runs is a learning: say it in your reflection"


class Saying(NamedTuple):
    """What somebody wants kept; without a section it is the speaker's own."""

    tag: NoteTag
    text: str
    section: str = ""


class Noted(NamedTuple):
    """What became of it: a note, or a letter to whoever leads, who relays it."""

    note: Note | None = None
    letter: Message | None = None

    def facts(self) -> dict[str, Any]:
        return {
            "note": note_facts(self.note) if self.note else None,
            "relayed_by": str(self.letter.id) if self.letter else None,
        }


def write(tx: Transaction, actor: Actor, said: Saying, *, writes: bool = True) -> Noted:
    """Keep a note in the memory of the run at work, or send it to whoever leads to be relayed.

    `writes` tells whether the speaker may write files at all.
    """
    living(tx, actor)
    text = redact(checked_line(said.text.strip(), "the note", cap=NOTE_CAP))
    run, phase = _at_work(tx)
    section = _section(tx, actor, said.section)
    if actor.role is Role.TEAMMATE:
        right = _right(tx, actor.name, writes=writes)
        if right is MemoryRight.READ_ONLY:
            raise NotAllowed(
                f"{actor.name} adds nothing to the team's memory",
                why="its profile reads it, and says what it found in its handoff",
                next="drumline handoff form   # findings and recommendations",
            ).audited(str(actor), "note.refused", run)
        if right is MemoryRight.RELAYED:
            letter = wording.render(MemoryUpdate(learning=said.tag, text=text))
            return Noted(letter=mail.send(tx, actor, [LEAD], letter, Kind.MEMORY_UPDATE)[0])
    return Noted(note=_keep(tx, actor, run, section, (said.tag, text, phase)))


def relay(tx: Transaction, actor: Actor, messages: Sequence[MessageId]) -> list[Note]:
    """Write what members reported into their sections, and acknowledge their letters."""
    _leads(tx, actor, "relay")
    tx.team_notes.lock()  # before a letter is looked at: another may be relaying it
    run, phase = _at_work(tx)
    made: list[Note] = []
    for each in messages:
        letter = _update(tx, each)
        _refuse_full(tx, run, letter.sender)
        made.append(_relayed(tx, actor, letter, run, phase))
    return made


def settle(tx: Transaction, actor: Actor, notes: Sequence[NoteId], why: str) -> list[Note]:
    """Archive notes that are over: the lead's or a person's word, or a member's on its own section."""
    living(tx, actor)
    checked_line(why, "the reason", cap=NOTE_CAP)
    run, _ = _at_work(tx)
    tx.team_notes.lock()
    there = {note.number: note for note in tx.team_notes.of_run(run)}
    for number in notes:
        if number not in there:
            raise Unknown(f"no note {number} in {run}", next=NoteId.where)
        _refuse_others_section(tx, actor, there[number])
        if not there[number].open:
            raise Conflict(
                f"{number} is archived already", why=there[number].why, next=NoteId.where
            )
    kept = [_settled(tx, there[each], redact(why), actor) for each in dict.fromkeys(notes)]
    tx.record(actor, "note.settled", f"{run}: {', '.join(map(str, notes))}"[:200])
    return kept


def curate(tx: Transaction, run: Run, gate: Gate) -> None:
    """At a gate: relay what still waits for the lead, merge what was said again, settle what the lead named."""
    tx.team_notes.lock()
    leading = lead(tx).acting()
    waiting = tx.mail.inbox(leading.name, everything=False, after=0, most=LETTERS)
    there = Counter(each.section for each in tx.team_notes.of_run(run.name) if each.open)
    for letter in waiting:
        late = letter.kind is Kind.MEMORY_UPDATE and letter.sent_at >= run.started_at
        if late and there[letter.sender] < SECTION:  # the others wait until there is room
            _relayed(tx, leading, letter, run.name, gate.phase)
            there[letter.sender] += 1
    notes = tx.team_notes.of_run(run.name)
    over = [(each, run.name) for each in repeated(notes)]
    over += [(each, gate.by or run.name) for each in _named(tx, run, gate)]
    still = {note.number: note for note in notes if note.open}
    for settled, by in over:
        if note := still.pop(settled.note, None):
            _settled(tx, note, settled.why, by)
            tx.record(by, "note.settled", f"{run.name}: {note.number}")


def of_run(tx: Transaction, run: str) -> list[Note]:
    """Everything that was ever written into a run's memory, in order."""
    return tx.team_notes.of_run(run)


def text_of(tx: Transaction, run: str) -> str:
    """A run's memory as its file."""
    leads = lead(tx).name
    members = [each.name for each in tx.roster.everyone() if each.active and each.name != leads]
    return rendered(run, members, tx.team_notes.of_run(run))


def memory_facts(tx: Transaction, name: str) -> dict[str, Any]:
    """The memory of a run, without a name of the newest, as every surface shows it."""
    run = runs_found.find(tx, name).name
    notes = [note_facts(each) for each in tx.team_notes.of_run(run)]
    return {"run": run, "notes": notes, "text": text_of(tx, run)}


def to_judge(tx: Transaction, run: Run) -> list[Submission]:
    """The open notes of a run, as whoever judges a phase of it reads them."""
    lines = listed(note for note in tx.team_notes.of_run(run.name) if note.open)
    return [Submission(MEMORY, "\n".join(lines))] if lines else []


def briefed(tx: Transaction, run: str, entry: MemberEntry) -> Briefed | None:
    """What a member is told of the memory of the run its task belongs to."""
    if not run:
        return None
    return Briefed(tx.team_notes.count(run), _right(tx, entry.name, writes=entry.writes))


def note_facts(note: Note) -> dict[str, Any]:
    """A note as every surface shows it."""
    return {
        "id": str(note.number),
        "run": note.run,
        "section": note.section,
        "tag": note.tag.value,
        "text": note.text,
        "phase": note.phase or None,
        "author": note.author,
        "written_at": note.written_at,
        "archived": not note.open,
        "why": note.why or None,
    }


def _at_work(tx: Transaction) -> tuple[str, str]:
    """The run that has a memory to write to, and its phase."""
    found = tx.run_at_work()
    if found is None:
        raise NotReady(
            "no run is at work", why=f"a run has a memory; {ELSEWHERE}", next="drumline run list"
        )
    return found[0], found[1]


def _section(tx: Transaction, actor: Actor, asked: str) -> str:
    """Whose section is meant: a member's is its own alone, whoever leads writes for others too."""
    if actor.role is not Role.TEAMMATE:
        if asked in {"", LEAD}:
            return LEAD
        named = active_member(tx, asked)
        return LEAD if named.lead else named.name
    if asked not in {"", actor.name}:
        raise NotAllowed(
            f"{actor.name} cannot write to the section of {asked[:80]}",
            why="each member writes its own section of the team's memory",
            next="leave the section out, or tell the lead: drumline mail send --to lead …",
        ).audited(str(actor), "note.refused", one_line(asked, 80))
    return actor.name


def _right(tx: Transaction, member: str, *, writes: bool = True) -> MemoryRight:
    found = tx.roster.get(member)
    return right_of(constitution(tx).name, found.profile if found else "", writes=writes)


def _keep(
    tx: Transaction, actor: Actor, run: str, section: str, said: tuple[NoteTag, str, str]
) -> Note:
    tag, text, phase = said
    _refuse_full(tx, run, section)
    author = LEAD if actor.role is Role.LEAD else actor.name
    made = tx.team_notes.add(run, section, (tag, text), (phase, author))
    tx.record(actor, "note.written", f"{run}: {made.number} for {section}")
    return made


def _refuse_full(tx: Transaction, run: str, section: str) -> None:
    tx.team_notes.lock()
    own = [note for note in tx.team_notes.of_run(run) if note.open and note.section == section]
    if len(own) >= SECTION:
        raise Conflict(
            f"the section of {section} has {SECTION} open notes",
            why="everybody reads all of it before working",
            next="settle what is over: drumline memory settle N-1 --why TEXT",
        )


def _update(tx: Transaction, message: MessageId) -> Message:
    found = tx.mail.get(message)
    if found is None or found.kind is not Kind.MEMORY_UPDATE:
        raise Unknown(
            f"{message} is no memory-update", next="drumline mail inbox   # those that wait for you"
        )
    if found.acked_at is not None:
        raise Conflict(f"{message} was dealt with already", next=NoteId.where)
    return found


def _relayed(tx: Transaction, actor: Actor, letter: Message, run: str, phase: str) -> Note:
    said = wording.parse(letter.body)
    if not isinstance(said, MemoryUpdate):
        raise BadInput(f"{letter.id} cannot be read as a memory-update", next="drumline mail read")
    text = redact(one_line(f"{said.text} {said.body}", NOTE_CAP))
    author = LEAD if actor.role is Role.LEAD else actor.name
    made = tx.team_notes.add(run, letter.sender, (said.learning, text), (phase, author))
    tx.record(actor, "note.relayed", f"{run}: {made.number} from {letter.id}")
    mail.acknowledge(tx, actor, [letter.id])
    return made


def _leads(tx: Transaction, actor: Actor, deed: str) -> None:
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not {deed} notes",
            why="that is the lead's or a person's",
            next="write your own section: drumline memory note TAG TEXT",
        ).audited(str(actor), "note.refused", deed)


def _refuse_others_section(tx: Transaction, actor: Actor, note: Note) -> None:
    own = note.section == actor.name and _right(tx, actor.name) is MemoryRight.OWN_SECTION
    if not own:
        _leads(tx, actor, "settle others'")


def _settled(tx: Transaction, note: Note, why: str, by: Actor | str) -> Note:
    over = note._replace(why=why, settled_by=str(by), settled_at=tx.now())
    return tx.team_notes.save(over)


def _named(tx: Transaction, run: Run, gate: Gate) -> Iterable[Settled]:
    """What the lead said is over, where it was the lead who judged."""
    found = tx.runs.judgement(Matter(run.name, JudgementKind.JUDGE, gate.phase, gate.iteration))
    said = settled_notes(found.answer) if found is not None and found.answer else ()
    return [Settled(NoteId(number), redact(why) or "the lead said so") for number, why in said]
