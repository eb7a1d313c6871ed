"""Words that tests speak about waking and nudging."""

from datetime import timedelta

from drumline.control import dispatch, lives, loop, mail, postings, reports
from drumline.control.standstills import STOOD_STILL
from drumline.team.ladder import RESPAWNS as MOST_LIVES
from drumline.team.life import LifeState, WhyEnded
from drumline.team.nudge import NudgeState
from drumline.team.posting import Wanted
from drumline.team.report import Saying, Stands
from drumline.team.situation import Noticed
from drumline.team.task_fields import RESPAWNS
from tests.living import begin
from tests.words import BOSS

DIRECTIVE = "[DIRECTIVE] Phase 1: Use spaces | Files: a.txt | [INJECTION] GC-v1\nNever tabs."
CHALLENGE = "[CHALLENGE] Phase 6 | Q1/2: what breaks if it is slow? | Category: FAILURE_MODE"
LONG = timedelta(hours=9)


def live(store, member="ada", state=LifeState.IDLE, **facts):
    """A life that is wanted, as long as any test lasts."""
    store.do(postings.want, BOSS, member, Wanted.RUNNING)
    life = begin(store, member, **facts)
    store.do(lives.renew, life, lease=LONG)
    return store.do(lives.move, life, state)


def direct(store, member="ada", body=DIRECTIVE):
    return store.do(mail.send, BOSS, [member], body)[0]


def go_round(store):
    """What a plane does in a pass."""
    loop.settle_due(store)
    loop.look_around(store)


def settled(store, clock, **span):
    """A look after so long, or after the usual delay."""
    clock.advance(**(span or {"seconds": 16}))
    go_round(store)


def nudges(store, member="ada"):
    """Every nudge of a member that was not dropped."""
    found = store.ask(lambda tx: tx.waking.nudges(member, since=tx.now() - LONG))
    return [each for each in found if each.state is not NudgeState.DROPPED]


def states(store, member="ada"):
    found = store.ask(lambda tx: tx.waking.nudges(member, since=tx.now() - LONG))
    return [each.state.value for each in found]


def take(store, life, *, at_work=False):
    return store.do(dispatch.take, life, at_work)


def tell(store, life):
    """Send what waits and have it heard."""
    found = take(store, life)
    store.do(dispatch.delivered, found)
    return found


def report(store, stands, words="", member="ada", lease=None):
    actor = store.ask(lambda tx: tx.roster.get(member)).acting()
    return store.do(reports.report, actor, member, Saying(Stands(stands), words, lease))


def in_call(store, life, tool="Bash"):
    seconds = timedelta(seconds=1)
    store.do(lives.notice, life, Noticed(seconds, None, tool, seconds if tool else None))


def seen(store, member="ada"):
    return store.ask(lambda tx: tx.waking.situation(member))


def woken(store, member="ada"):
    return store.ask(lambda tx: tx.waking.woken(member))


def subjects(store, verb):
    events, _ = store.ask(lambda tx: tx.journal.last(most=10_000))
    return [event.subject for event in events if event.verb == verb]


def spent(store, task):
    """A task that stood still in as many lives as there are for one."""

    def count(tx):
        tx.tasks.merge(task.id, {RESPAWNS: MOST_LIVES})
        tx.record("test", "task.noted", str(task.id))
        return task

    return store.do(count)


def live_again(store, member="ada", **facts):
    """A life whose predecessor stood still."""
    before = live(store, member, **facts)
    store.do(lives.end, before, WhyEnded.STOPPED, STOOD_STILL)
    return live(store, member, **facts)
