"""What follows from a member's own account of its work, carried out on the board and in the mail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import board, mail, questions
from drumline.control.lives import present, seen
from drumline.control.roster import LEAD, acting_as, lead
from drumline.errors import Cycle, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.consequence import (
    Ask,
    Block,
    Complete,
    Consequence,
    Fail,
    Mismatch,
    Propose,
    Release,
)
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.message import Kind
from drumline.team.question import USUAL, WHAT_CAP, Asking, QuestionKind
from drumline.team.quoting import quoted
from drumline.team.request import signed
from drumline.team.secrets import redact, redact_within
from drumline.team.task import NOTE, Holder, Task
from drumline.team.task_fields import FAILED_TRIES, MISMATCH, REFLECTION, UNLEARNT, UNREADABLE
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

MOST_TRIES = 3


class Unlearnt(NamedTuple):
    """Whose account it is, and the account."""

    member: str
    account: Mapping[str, Any]


def keep(tx: Transaction, life: Life, task: Task, account: Mapping[str, Any]) -> None:
    """Keep a member's account with its task, and no secret that it tells."""
    present(tx, life)
    kept = redact_within(dict(account))
    tx.tasks.merge(task.id, {REFLECTION: kept, UNLEARNT: life.member})
    tx.record(life.member, "task.reflected", str(task.id))


def unlearnt(tx: Transaction, task: TaskId) -> Unlearnt | None:
    """An account of a task whose runner ended before all that it said was written down."""
    fields = tx.tasks.fields(task)
    account, member = fields.get(REFLECTION), fields.get(UNLEARNT)
    return Unlearnt(str(member), account) if member and account else None


def keep_unreadable(tx: Transaction, life: Life, task: Task, where: str) -> None:
    """Note that an account could not be read, and where it is kept."""
    present(tx, life)
    tx.tasks.merge(task.id, {UNREADABLE: where})
    tx.record(life.member, "task.reflection-unreadable", str(task.id))


def not_learnt(tx: Transaction, life: Life, task: Task, why: str) -> None:
    """Tell the lead that a member's learnings could not be written down; its account keeps them."""
    present(tx, life)
    words = f"What {life.member} learnt in {task.id} was not written down:\n{quoted(why)}"
    body = f"{words}\nIts account keeps it. Next: drumline task show {task.id} --json"
    letter = tx.mail.add("drumline", lead(tx).name, Kind.NOTE, body)
    tx.record("drumline", "mail.sent", str(letter.id))


def carry_out(tx: Transaction, life: Life, task: Task, consequences: Iterable[Consequence]) -> None:
    """Do everything that follows but closing the task, which needs more than its member's word."""
    actor = speaker(tx, life)
    for each in consequences:
        _carry_out(tx, actor, task, each)


def give_back(tx: Transaction, life: Life, task: Task, why: str) -> None:
    """Return a task to the board with a word for whoever takes it up."""
    _release(tx, speaker(tx, life), task, why)


def give_back_failed(tx: Transaction, life: Life, task: Task, why: str) -> None:
    """Return a task that did not go well, but not for ever: each try costs as much as the last."""
    said = tx.tasks.fields(task.id).get(FAILED_TRIES, 0)
    tries = said + 1 if isinstance(said, int) else 1
    tx.tasks.merge(task.id, {FAILED_TRIES: tries if tries < MOST_TRIES else None})
    tx.record(life.member, "task.noted", str(task.id))
    if tries < MOST_TRIES:
        give_back(tx, life, task, why)
    else:
        set_aside(tx, life, task, f"{tries} tries did not go well, the last: {why}")


def set_aside(tx: Transaction, life: Life, task: Task, why: str) -> None:
    """Return a task to the board, where nobody takes it until a person said how to go on."""
    _block(tx, speaker(tx, life), task, Block(why, person=True))


def tell_trouble(tx: Transaction, life: Life, what: str, words: str) -> None:
    """Let a person hear what keeps a member from any work: once, until there is an answer.

    `what` is the trouble itself; `words` begin with it and may say more, and something else each time.
    """
    actor, says = speaker(tx, life), f"{life.member} can begin nothing: "
    tx.questions.lock()
    asked = redact(f"{says}{what}")[:WHAT_CAP]
    if any(each.what.startswith(asked) for each in tx.questions.still_asked(signed(actor))):
        return
    asking = Asking(QuestionKind.HELP, f"{says}{words}"[:WHAT_CAP], f"trouble {life.name}")
    questions.ask(tx, actor, asking)


def give_up(tx: Transaction, life: Life, task: Task, why: str) -> None:
    """End the work on a task that nobody gets done this way."""
    actor = speaker(tx, life)
    board.fail(
        tx, _runner(actor), task.id, _holder(actor, task), one_line(why, PATTERN_CAP) or "no reason"
    )
    _tell_lead(tx, actor, f"{task.id} was given up", why)


def speaker(tx: Transaction, life: Life) -> Actor:
    """The member as it acts in this life, which nobody ends meanwhile."""
    present(tx, life)
    return _acting(tx, life)


def speaking(tx: Transaction, life: Life) -> Actor:
    """The member as it acts in this life, for a verb of its own that is to come."""
    seen(tx, life)
    return _acting(tx, life)


def _acting(tx: Transaction, life: Life) -> Actor:
    return acting_as(tx, life.member)._replace(incarnation=life.incarnation)


def judge_of(tx: Transaction, life: Life) -> Actor:
    """The member's runner, as it says what became of work that it looked at."""
    return _runner(speaking(tx, life))


def _carry_out(tx: Transaction, actor: Actor, task: Task, each: Consequence) -> None:
    match each:
        case Release(note):
            _release(tx, actor, task, note)
        case Block():
            _block(tx, actor, task, each)
        case Fail(why):
            board.fail(tx, _runner(actor), task.id, _holder(actor, task), why[:500])
        case Ask(question):
            questions.ask(tx, actor, _asking(QuestionKind.HELP, task, question))
        case Propose(title, body):
            _propose(tx, actor, task, NewTask(title=title, body=body, run=task.run))
        case Mismatch():
            tx.tasks.merge(task.id, {MISMATCH: redact(each.sentence)})
            tx.record(actor, "task.mismatched", str(task.id))
        case Complete():
            pass


def _block(tx: Transaction, actor: Actor, task: Task, block: Block) -> None:
    """Back to the board, where it waits for the work in its way, or for somebody's word."""
    _release(tx, actor, task, "")
    try:
        if block.tasks:
            board.let_wait(tx, actor, task.id, block.tasks)
            return
    except (Unknown, Cycle):  # what the member named is nothing to wait for: somebody must look
        pass
    kind = QuestionKind.HELP if block.person else QuestionKind.OBSTACLE
    asking = _asking(kind, task, f"{task.id} cannot go on: {block.reason}\n{block.summary}")
    options = USUAL[QuestionKind.OBSTACLE]
    questions.ask(tx, actor, asking._replace(holds=True, options=options))


def _propose(tx: Transaction, actor: Actor, task: Task, draft: NewTask) -> None:
    """A task that nobody takes before it was taken up."""
    asking = _asking(QuestionKind.PROPOSAL, task, draft.title)
    if tx.questions.same(asking.sameness):
        return
    new = tx.tasks.add(draft)
    tx.record(actor, "task.proposed", str(new.id))
    what = f"{actor.name} proposes {new.id} after {task.id}: {draft.title}"
    questions.ask(tx, actor, asking._replace(what=what, task=new.id, holds=True))


def _asking(kind: QuestionKind, task: Task, what: str) -> Asking:
    """A question of this claim: however often its account is acted on, it is asked once."""
    return Asking(kind, what[:WHAT_CAP], f"{kind} {task.id}/{task.fence}", task.id)


def _release(tx: Transaction, actor: Actor, task: Task, note: str) -> None:
    board.release(tx, _runner(actor), task.id, _holder(actor, task))
    if note:
        tx.tasks.merge(task.id, {NOTE: note[:2000]})
        tx.record(actor, "task.noted", str(task.id))


def _tell_lead(tx: Transaction, actor: Actor, about: str, words: str) -> None:
    """A letter to the lead; a member's own words are quoted, so that they cannot give orders."""
    mail.send(tx, actor, [LEAD], f"{about}:\n{quoted(words.strip())}")


def _runner(actor: Actor) -> Actor:
    return actor._replace(role=Role.RUNNER)


def _holder(actor: Actor, task: Task) -> Holder:
    return Holder(actor.name, actor.incarnation, task.fence)
