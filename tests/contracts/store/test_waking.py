"""Waking and nudging: looked at once, told once, and only about what is still true."""

from datetime import timedelta

import pytest

from drumline.control import (
    board,
    claims,
    dispatch,
    lives,
    loop,
    mail,
    postings,
    questions,
    reports,
    roster,
    sittings,
    turns,
    waking,
)
from drumline.errors import NotAllowed, NotHolder
from drumline.store.queries import migrations, named
from drumline.store.upkeep import Caretaker
from drumline.team.life import LifeState, WhyEnded
from drumline.team.message import WANTING, WANTING_A_WORD
from drumline.team.posting import Wanted
from drumline.team.question import Asking, QuestionKind
from drumline.team.report import Saying, Stands
from drumline.team.sitting import Sitting
from drumline.team.situation import Noticed
from drumline.team.task import Holder
from drumline.team.turn import TurnOutcome
from tests.living import A_SECOND, claim_in, start
from tests.nudging import (
    CHALLENGE,
    LONG,
    direct,
    go_round,
    in_call,
    live,
    live_again,
    nudges,
    report,
    seen,
    settled,
    spent,
    states,
    subjects,
    take,
    tell,
    woken,
)
from tests.stores import seat
from tests.words import BOSS, add, claim, teammate, verbs


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def choose(store, settings):
    def update(tx):
        tx.roster.update(tx.roster.charter()._replace(settings=settings))
        tx.record("test", "team.updated", "atlas")

    store.do(update)


class TestWakes:
    @pytest.mark.requirement("SYNC-05")
    def test_many_reasons_are_one_look_fifteen_seconds_after_the_first(self, store, clock):
        for number in range(5):
            store.do(waking.wake, "ada", f"reason {number}")
            clock.advance(seconds=1)
        assert woken(store).due_at == clock.now() + timedelta(seconds=10)
        clock.advance(seconds=9)
        assert loop.settle_due(store) == 0
        clock.advance(seconds=1)
        assert loop.settle_due(store) == 1
        assert loop.settle_due(store) == 0
        assert subjects(store, "member.woken") == ["ada: reason 0"]

    @pytest.mark.requirement("SYNC-05")
    def test_a_turn_that_settles_wakes_its_member_and_nobody_else(self, store, clock):
        lives_ = [live(store, name) for name in ("ada", "brook")]
        clock.advance(seconds=16)
        loop.settle_due(store)
        turn = start(store, lives_[0])
        store.do(turns.settle, lives_[0], turn.number, TurnOutcome.SUCCESS)
        assert woken(store, "ada").why == "turn settled"
        assert woken(store, "brook") is None

    @pytest.mark.requirement("SYNC-05")
    def test_an_earlier_time_stays_and_an_earlier_word_wins(self, store, clock):
        later = clock.now() + timedelta(hours=1)
        store.do(waking.wake_at, "ada", "later", later)
        store.do(waking.wake, "ada", "soon")
        store.do(waking.wake_at, "ada", "later", later)
        assert woken(store).why == "soon"

    @pytest.mark.requirement("SYNC-05")
    def test_the_delay_is_the_teams(self, store, clock):
        choose(store, {"wake-delay": 3})
        store.do(waking.wake, "ada", "quickly")
        assert woken(store).due_at == clock.now() + timedelta(seconds=3)

    def test_who_left_the_team_is_forgotten(self, store, clock):
        store.do(waking.wake, "nobody", "a mistake")
        settled(store, clock)
        assert woken(store, "nobody") is None
        assert subjects(store, "member.left-alone") == ["nobody: it is not on the team"]


class TestNudges:
    @pytest.mark.requirement("SYNC-06", "SYNC-13")
    def test_unread_directives_make_one_nudge(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        [nudge] = nudges(store)
        assert "M-1, directive from boss" in nudge.text
        tell(store, life)
        for _ in range(5):
            store.do(waking.wake, "ada", "again")
            settled(store, clock, minutes=3)
        assert states(store) == ["delivered"]

    @pytest.mark.requirement("SYNC-13")
    def test_whom_nobody_woke_is_found_by_a_look_around(self, store, clock):
        live(store)
        direct(store)

        def forget(tx):
            tx.waking.forget("ada")
            tx.record("test", "member.forgotten", "ada")

        store.do(forget)
        go_round(store)
        assert woken(store).why == "seen in a look around"
        settled(store, clock)
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-06")
    def test_a_new_agenda_is_news_and_another_life_another_listener(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        tell(store, life)
        direct(store)
        settled(store, clock, minutes=11)
        settled(store, clock)
        assert len(nudges(store)) == 2
        tell(store, life)
        store.do(lives.end, life, WhyEnded.FINISHED)
        live(store)
        settled(store, clock, hours=1)
        settled(store, clock)
        assert len(nudges(store)) == 3
        assert nudges(store)[2].incarnation == life.incarnation + 1

    @pytest.mark.requirement("SYNC-06")
    def test_a_ready_task_is_said_to_who_is_driven_by_hand(self, store, clock):
        task = add(store, "Say hello")
        store.do(roster.settle, "ada")
        go_round(store)
        settled(store, clock)
        [nudge] = nudges(store)
        assert (
            f'{task.id} "Say hello" is ready for you: drumline task claim {task.id}' in nudge.text
        )
        assert nudges(store, "brook") == []  # it never was here

    @pytest.mark.requirement("SYNC-06")
    def test_a_held_task_is_said_to_who_settled_and_did_not_end_it(self, store, clock):
        claim(store, add(store), lease=timedelta(hours=2))
        settled(store, clock)
        assert nudges(store) == []  # as far as anybody can tell it is at it
        clock.advance(seconds=1)
        store.do(roster.settle, "ada")
        go_round(store)
        settled(store, clock)
        assert "T-1" in nudges(store)[0].text

    @pytest.mark.requirement("SYNC-06")
    def test_a_lead_hears_of_what_only_a_lead_may_give_out(self, store, clock):
        seat(store, constitution="constitution-4", lead="ada")
        live(store)
        add(store, "Say hello")
        settled(store, clock)
        assert nudges(store) == []  # nobody is there to have it
        live(store, "brook")
        go_round(store)
        settled(store, clock)
        assert "drumline task claim T-1 --member brook" in nudges(store)[0].text
        assert nudges(store, "brook") == []

    @pytest.mark.requirement("SYNC-06")
    def test_a_lead_hears_of_questions_it_may_answer(self, store, clock):
        seat(store, lead="ada")
        live(store)
        for kind in (QuestionKind.OBSTACLE, QuestionKind.HELP):
            store.do(questions.ask, teammate("brook"), Asking(kind, "Which door?", kind))
        settled(store, clock)
        text = nudges(store)[0].text
        assert "Q-1 waits for your answer" in text
        assert "Q-2" not in text  # for a person

    def test_notes_wait_for_a_turn_and_make_none(self, store, clock):
        live(store)
        direct(store, body="by the way")
        settled(store, clock)
        assert nudges(store) == []

    def test_what_wants_a_word_waits_until_it_is_acknowledged(self, store, clock):
        life = live(store)
        letter = direct(store, body=CHALLENGE)
        store.do(mail.confirm_delivery, letter.id)
        settled(store, clock)
        assert "M-1, challenge" in nudges(store)[0].text
        store.do(mail.acknowledge, BOSS, [letter.id])
        assert take(store, life) is None

    def test_the_statements_name_the_kinds_that_want_something(self):
        (index,) = [
            step
            for _, _, steps in migrations("sqlite")
            for step in steps
            if "INDEX messages_wanting" in step
        ]
        asked = (named("sqlite", name) for name in ("mail_wanting", "everyone_with_mail"))
        for text in (*asked, index):
            lists = [part.split(")")[0] for part in text.split("IN (")[1:]]
            listed = [{word.strip(" '\n") for word in each.split(",")} for each in lists]
            assert listed == [set(WANTING), set(WANTING_A_WORD)]

    @pytest.mark.requirement("SYNC-13")
    def test_what_waited_for_a_former_life_hides_nobody(self, store, clock):
        old = live(store)
        direct(store)
        settled(store, clock)
        store.do(lives.end, old, WhyEnded.CRASHED)
        assert states(store) == ["dropped"]
        life = live(store)
        assert woken(store).why == "a life began"
        settled(store, clock)
        assert take(store, life).incarnation == old.incarnation + 1

    @pytest.mark.requirement("SYNC-13")
    def test_what_waited_for_a_session_by_hand_is_not_what_a_life_waits_for(self, store, clock):
        store.do(roster.settle, "ada")
        direct(store)
        settled(store, clock)
        life = live(store)
        assert not store.ask(dispatch.waiting, life)
        settled(store, clock)
        assert take(store, life) is not None

    @pytest.mark.requirement("SYNC-13")
    def test_nothing_waits_for_who_was_removed(self, store, clock):
        live(store)
        direct(store)
        settled(store, clock)
        seat(store, profiles={"ada": None})
        assert states(store) == ["dropped"]

    @pytest.mark.requirement("SYNC-06")
    def test_the_cooldown_runs_from_when_it_was_said(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock, minutes=1)
        clock.advance(minutes=15)
        said = tell(store, life).sent_at
        direct(store)
        settled(store, clock)
        assert len(nudges(store)) == 1
        assert woken(store).due_at == said + timedelta(minutes=10)

    @pytest.mark.requirement("SYNC-06")
    def test_an_hours_worth_is_counted_from_when_it_was_said(self, store, clock):
        life, said = live(store), []
        for _ in range(2):
            letter = direct(store)
            settled(store, clock)
            clock.advance(minutes=15)
            said.append(tell(store, life).sent_at)
            store.do(mail.acknowledge, BOSS, [letter.id])
            clock.advance(minutes=11)
        direct(store)
        settled(store, clock)
        assert woken(store).due_at == said[0] + timedelta(hours=1)

    @pytest.mark.requirement("SYNC-06")
    def test_whether_enough_was_said_is_asked_again_when_it_is_taken(self, store, clock):
        life = live(store)
        choose(store, {"nudge-cooldown": 1})
        direct(store)
        settled(store, clock)
        said = tell(store, life)
        direct(store)
        settled(store, clock)
        assert states(store) == ["delivered", "waiting"]
        choose(store, {})
        assert take(store, life) is None
        clock.at = said.sent_at + timedelta(minutes=10)
        assert take(store, life) is not None


class TestWhoIsLeftAlone:
    @pytest.mark.requirement("SYNC-14")
    def test_who_is_in_a_call_is_looked_at_again_when_it_ends(self, store, clock):
        life = live(store)
        turn = start(store, life)
        in_call(store, life)
        direct(store)
        settled(store, clock)
        assert nudges(store) == []
        assert woken(store).why == "it is in a tool call"
        in_call(store, life, tool="")
        settled(store, clock)
        assert len(nudges(store)) == 1
        assert turn.number == 1

    @pytest.mark.requirement("SYNC-14")
    def test_the_longer_a_call_lasts_the_less_often_it_is_looked_at(self, store, clock):
        in_call(store, live(store))
        direct(store)
        for _ in range(180):
            settled(store, clock, seconds=20)
        assert len(subjects(store, "member.put-off")) <= 20

    @pytest.mark.requirement("SYNC-14")
    def test_a_long_call_that_ends_with_a_renewal_is_as_soon_followed_by_a_look(self, store, clock):
        life = live(store)
        in_call(store, life)
        direct(store)
        for _ in range(40):
            settled(store, clock, seconds=20)
        store.do(lives.renew, life, lease=LONG, signs=Noticed(A_SECOND, None, "", None))
        settled(store, clock)
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-14")
    def test_what_waits_is_not_said_in_a_call(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        start(store, life)
        in_call(store, life)
        assert take(store, life, at_work=True) is None
        in_call(store, life, tool="")
        assert take(store, life, at_work=True) is not None

    @pytest.mark.requirement("SYNC-06")
    @pytest.mark.parametrize("stands", ["working", "blocked"])
    def test_who_reported_is_left_alone_until_that_is_over(self, store, clock, stands):
        live(store)
        direct(store)
        until = report(store, stands, "T-9 is missing").report.until
        settled(store, clock)
        assert nudges(store) == []
        assert woken(store).due_at == until
        clock.advance(hours=1)
        go_round(store)
        settled(store, clock)
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-06")
    def test_a_report_does_not_cover_what_comes_after_it(self, store, clock):
        live(store)
        direct(store)
        report(store, "working")
        direct(store)
        settled(store, clock)
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-06")
    @pytest.mark.parametrize("wanted", [Wanted.STOPPED, Wanted.PAUSED])
    def test_who_is_not_to_run_is_not_spoken_to(self, store, clock, wanted):
        life = live(store)
        direct(store)
        settled(store, clock)
        store.do(postings.want, BOSS, "ada", wanted)
        assert take(store, life) is None
        assert states(store) == ["dropped"]

    @pytest.mark.requirement("SYNC-08")
    def test_a_settled_turn_changes_nothing_by_itself(self, store, clock):
        life = live(store)
        task = claim_in(store, life, add(store))
        before = seen(store)
        clock.advance(minutes=1)
        turn = start(store, life, task)
        store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
        after = seen(store)
        assert after.progress_at == before.progress_at
        assert after.report == before.report
        held = store.ask(lambda tx: tx.tasks.get(task.id))
        assert (held.lease_until, held.updated_at) == (task.lease_until, task.updated_at)


class TestOutbox:
    @pytest.mark.requirement("SYNC-07")
    def test_it_is_marked_before_it_is_said_and_never_taken_twice(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        nudge = take(store, life)
        assert states(store) == ["sending"]
        assert take(store, life) is None
        store.do(dispatch.delivered, nudge)
        store.do(dispatch.delivered, nudge)
        assert states(store) == ["delivered"]
        assert verbs(store).count("nudge.delivered") == 1

    @pytest.mark.requirement("SYNC-07")
    def test_what_was_lost_on_its_way_is_never_said_again(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        take(store, life)  # and whoever was to say it is gone
        for _ in range(10):
            settled(store, clock, minutes=2)
        assert states(store)[0] == "sending"
        assert verbs(store).count("nudge.sending") == 1

    @pytest.mark.requirement("SYNC-07")
    def test_what_a_runtime_refused_is_tried_again_but_not_for_ever(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        for expected in ("waiting", "waiting", "dropped"):
            store.do(dispatch.refused, take(store, life), "overloaded")
            assert states(store) == [expected]
        settled(store, clock, minutes=10)
        assert states(store) == ["dropped"]

    @pytest.mark.requirement("SYNC-07")
    def test_that_nobody_could_be_spoken_to_is_no_try(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        for _ in range(5):
            store.do(dispatch.give_back, take(store, life), "it hears nothing now")
        [nudge] = nudges(store)
        assert (nudge.state, nudge.tries, nudge.sent_at) == ("waiting", 0, None)

    @pytest.mark.requirement("SYNC-07")
    def test_an_agenda_that_moved_on_drops_it(self, store, clock):
        life = live(store)
        letter = direct(store)
        settled(store, clock)
        store.do(mail.acknowledge, BOSS, [letter.id])
        assert take(store, life) is None
        assert states(store) == ["dropped"]
        assert woken(store).why == "its agenda moved on"

    @pytest.mark.requirement("SYNC-07")
    def test_what_was_dropped_unsaid_may_be_said_later(self, store, clock):
        life = live(store)
        direct(store)
        settled(store, clock)
        report(store, "working")
        assert take(store, life) is None
        store.do(postings.want, BOSS, "ada", Wanted.PAUSED)
        assert take(store, life) is None
        assert states(store) == ["dropped"]
        store.do(postings.want, BOSS, "ada", Wanted.RUNNING)
        settled(store, clock, minutes=16)
        settled(store, clock)
        assert states(store) == ["waiting"]

    @pytest.mark.requirement("SYNC-07")
    def test_a_former_life_takes_nothing(self, store, clock):
        old = live(store)
        direct(store)
        settled(store, clock)
        store.do(lives.end, old, WhyEnded.CRASHED)
        live(store)
        with pytest.raises(NotHolder):
            take(store, old)

    @pytest.mark.requirement("SYNC-07")
    def test_whoever_is_driven_by_hand_is_told_at_its_next_word(self, store, clock):
        add(store)
        store.do(roster.settle, "ada")
        go_round(store)
        settled(store, clock)
        shown = store.do(reports.ask, BOSS, "ada")
        assert (shown.nudge, states(store)) == (None, ["waiting"])  # a person looked, not ada
        answer = store.do(reports.ask, teammate("ada"), "ada")
        assert answer.nudge.state == "delivered"
        assert answer.agenda.items[0].subject == "T-1"

    def test_at_work_it_is_said_only_what_a_member_does_not_know(self, store, clock):
        life = live(store)
        task = claim_in(store, life, add(store), lease=timedelta(hours=1))
        start(store, life, task)
        direct(store)
        settled(store, clock)
        text = take(store, life, at_work=True).text
        assert "M-1" in text
        assert "T-1" not in text


class TestReports:
    @pytest.mark.requirement("SYNC-06")
    def test_a_report_is_a_members_own(self, store):
        seat(store, lead="ada")
        with pytest.raises(NotAllowed, match="ada cannot speak for brook"):
            store.do(
                reports.report,
                store.ask(roster.acting_as, "ada"),
                "brook",
                Saying(Stands.WORKING),
            )

    @pytest.mark.requirement("SYNC-06")
    def test_a_former_lifes_report_covers_nothing(self, store, clock):
        live(store)
        direct(store)
        report(store, "working")
        life = store.ask(lives.lives_of, "ada")[0]
        store.do(lives.end, life, WhyEnded.FINISHED)
        live(store)
        go_round(store)
        settled(store, clock)
        assert len(nudges(store)) == 1

    def test_the_last_word_counts(self, store):
        live(store)
        report(store, "blocked", "rain")
        assert report(store, "working").report.stands is Stands.WORKING
        assert seen(store).report.stands is Stands.WORKING


class TestAttendance:
    @pytest.mark.requirement("SYNC-11")
    def test_a_change_of_how_a_member_is_is_kept_and_told_once(self, store, clock):
        life = live(store)
        for _ in range(3):
            go_round(store)
        clock.advance(seconds=30)
        turn = start(store, life)
        go_round(store)
        clock.advance(seconds=30)
        store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
        go_round(store)
        found = [verb for verb in verbs(store) if verb in {"member.idle-done", "member.working"}]
        assert found == ["member.idle-done", "member.working", "member.idle-done"]
        assert (seen(store).attends, seen(store).since) == ("idle, done", clock.now())

    def test_those_who_never_came_are_no_news(self, store):
        go_round(store)
        assert [verb for verb in verbs(store) if verb.startswith("member.")] == []


class TestWatchdog:
    def stalled(self, store, clock):
        life = live(store)
        task = claim_in(store, life, spent(store, add(store)), lease=timedelta(hours=9))
        start(store, life, task)
        for _ in range(21):
            settled(store, clock, minutes=1)
        return life, task

    @pytest.mark.requirement("SYNC-11")
    def test_work_that_no_life_gets_on_with_is_nudged_then_asked_about(self, store, clock):
        life, task = self.stalled(store, clock)
        assert verbs(store).count("member.stalled") == 1
        settled(store, clock)
        assert f"{task.id} " in tell(store, life).text
        assert store.ask(questions.page) == []
        for _ in range(25):
            settled(store, clock, minutes=1)
        [asked] = store.ask(questions.page)
        assert (asked.kind, asked.task, asked.asker) == (QuestionKind.STALL, task.id, "ada")
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-08", "SYNC-11")
    def test_turns_that_settle_do_not_quiet_it(self, store, clock):
        life = live(store)
        task = claim_in(store, life, spent(store, add(store)), lease=timedelta(hours=9))
        for _ in range(45):
            turn = start(store, life, task)
            settled(store, clock, minutes=1)
            store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
        assert verbs(store).count("member.stalled") == 1
        assert verbs(store).count("question.asked") == 1

    @pytest.mark.requirement("SYNC-11")
    def test_a_report_is_progress_and_withdraws_the_question(self, store, clock):
        self.stalled(store, clock)
        for _ in range(25):
            settled(store, clock, minutes=1)
        report(store, "working")
        settled(store, clock, minutes=1)
        assert store.ask(questions.page) == []
        assert verbs(store).count("member.moving") == 1

    @pytest.mark.requirement("SYNC-11")
    @pytest.mark.parametrize(
        ("choice", "alive", "state"),
        [
            ("leave it", True, "in_progress"),
            ("give the task back", True, "pending"),
            ("start it anew", False, "pending"),
        ],
    )
    def test_the_answer_is_carried_out(self, store, clock, choice, alive, state):
        life, task = self.stalled(store, clock)
        for _ in range(25):
            settled(store, clock, minutes=1)
        [asked] = store.ask(questions.page)
        store.do(questions.answer, BOSS, asked.id, choice)
        assert store.ask(lives.find, "ada", life.incarnation).ended is not alive
        assert store.ask(lambda tx: tx.tasks.get(task.id)).state == state
        for _ in range(60):
            settled(store, clock, minutes=1)
        assert store.ask(questions.page) == []  # what was answered is not asked again

    @pytest.mark.requirement("SYNC-11")
    def test_a_lost_nudge_ends_with_a_person(self, store, clock):
        life = live_again(store)
        direct(store)
        settled(store, clock)
        take(store, life)
        for _ in range(45):
            settled(store, clock, minutes=1)
        [asked] = store.ask(questions.page)
        assert "M-1, directive" in asked.what

    @pytest.mark.requirement("RUN-15", "SYNC-11")
    def test_a_usage_limit_is_no_stall(self, store, clock):
        life = live(store, account="claude:1")
        task = claim_in(store, life, add(store), lease=timedelta(hours=9))
        start(store, life, task)
        until = clock.now() + timedelta(hours=3)

        def limit(tx):
            tx.limits.pause("claude:1", until, "used up")
            tx.record("test", "account.paused", "claude:1")

        store.do(limit)
        for _ in range(60):
            settled(store, clock, minutes=1)
        assert nudges(store) == []
        assert "member.stalled" not in verbs(store)
        assert seen(store).attends == "usage limit"

    def limit(self, store, clock, **span):
        until = clock.now() + timedelta(**span)

        def pause(tx):
            tx.limits.pause("claude:1", until, "used up")
            tx.record("test", "account.paused", "claude:1")

        store.do(pause)

    def minutes(self, store, clock, number):
        for _ in range(number):
            settled(store, clock, minutes=1)

    @pytest.mark.requirement("RUN-15", "SYNC-11")
    def test_after_a_usage_limit_a_member_has_time_to_get_on(self, store, clock):
        life = live(store, account="claude:1")
        claim_in(store, life, add(store), lease=timedelta(hours=9))
        settled(store, clock)
        self.limit(store, clock, hours=2)
        settled(store, clock)
        settled(store, clock, hours=2)
        in_call(store, life)  # how it is changes, since when it is free does not
        self.minutes(store, clock, 19)
        assert seen(store).stalled_at is None
        self.minutes(store, clock, 2)
        assert seen(store).stalled_at is not None

    @pytest.mark.requirement("SYNC-11")
    def test_a_question_that_was_withdrawn_is_asked_again_when_it_is_so_again(self, store, clock):
        life = live(store, account="claude:1")
        claim_in(store, life, spent(store, add(store)), lease=timedelta(hours=9))
        self.minutes(store, clock, 45)
        self.limit(store, clock, minutes=10)
        self.minutes(store, clock, 11)
        assert store.ask(questions.page) == []
        self.minutes(store, clock, 45)
        assert len(store.ask(questions.page)) == 1

    @pytest.mark.requirement("SYNC-11")
    def test_the_end_of_one_task_does_not_quiet_the_question_about_its_member(self, store, clock):
        life, task = self.stalled(store, clock)
        self.minutes(store, clock, 1)
        claim_in(store, life, add(store), lease=timedelta(hours=9))
        self.minutes(store, clock, 65)
        [asked] = store.ask(questions.page)
        assert asked.task == task.id
        store.do(board.cancel, BOSS, task.id, "no use")
        self.minutes(store, clock, 2)
        assert store.ask(questions.page) == [asked]

    @pytest.mark.requirement("SYNC-11")
    def test_one_standstill_is_asked_about_once_whatever_is_left_of_it(self, store, clock):
        live_again(store)
        letter = direct(store)
        clock.advance(minutes=1)
        direct(store)
        self.minutes(store, clock, 45)
        [asked] = store.ask(questions.page)
        store.do(questions.answer, BOSS, asked.id, "leave it")
        store.do(mail.acknowledge, BOSS, [letter.id])
        self.minutes(store, clock, 60)
        assert len(store.ask(questions.page, everything=True)) == 1

    @pytest.mark.requirement("SYNC-11")
    def test_nobody_is_asked_about_who_said_that_it_works_while_that_holds(self, store, clock):
        claim_in(store, live(store), spent(store, add(store)), lease=timedelta(hours=9))
        report(store, "working", lease=timedelta(minutes=60))
        self.minutes(store, clock, 75)
        assert "member.stalled" not in verbs(store)
        self.minutes(store, clock, 30)
        assert len(store.ask(questions.page)) == 1

    @pytest.mark.requirement("SYNC-11")
    def test_a_lead_neither_answers_nor_hears_of_the_question_about_itself(self, store, clock):
        seat(store, lead="ada")
        claim_in(store, live(store), spent(store, add(store)), lease=timedelta(hours=9))
        self.minutes(store, clock, 45)
        [asked] = store.ask(questions.page)
        lead = store.ask(roster.acting_as, "ada")
        assert f"{asked.id}" not in str(store.do(reports.ask, lead, "ada").agenda)
        with pytest.raises(NotAllowed, match=f"ada may not answer {asked.id}") as refused:
            store.do(questions.answer, lead, asked.id, "leave it")
        assert refused.value.why == "a person answers it"


class TestByHand:
    @pytest.mark.requirement("SYNC-11")
    def test_what_waits_for_the_next_word_is_about_the_agenda_as_it_is(self, store, clock):
        store.do(roster.settle, "ada")
        add(store)
        for _ in range(25):
            settled(store, clock, minutes=1)
        assert (
            "nothing here has moved for a while"
            in store.do(reports.ask, teammate("ada"), "ada").nudge.text
        )

    @pytest.mark.requirement("SYNC-06")
    def test_who_sits_down_after_it_was_stopped_is_told_what_waits(self, store, clock):
        life = live(store)
        store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
        store.do(lives.end, life, WhyEnded.STOPPED)
        runtime = store.ask(lambda tx: tx.roster.get("ada")).runtime
        store.do(sittings.sit, BOSS, Sitting("s-1", runtime, "ada", 0))
        direct(store)
        settled(store, clock)
        assert seen(store).attends != "away"
        assert len(nudges(store)) == 1

    @pytest.mark.requirement("SYNC-06")
    @pytest.mark.parametrize("before", [None, Wanted.STOPPED], ids=["never", "before too"])
    def test_who_is_stopped_after_it_sat_down_is_left_alone(self, store, clock, before):
        if before is not None:
            store.do(postings.want, BOSS, "ada", before)
            clock.advance(minutes=1)
        runtime = store.ask(lambda tx: tx.roster.get("ada")).runtime
        store.do(sittings.sit, BOSS, Sitting("s-1", runtime, "ada", 0))
        clock.advance(minutes=1)
        store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
        direct(store)
        settled(store, clock)
        assert nudges(store) == []

    @pytest.mark.requirement("SYNC-06")
    def test_who_is_stopped_and_sat_in_a_former_life_is_not_here(self, store, clock):
        runtime = store.ask(lambda tx: tx.roster.get("ada")).runtime
        store.do(sittings.sit, BOSS, Sitting("s-1", runtime, "ada", 0))
        life = live(store)
        store.do(postings.want, BOSS, "ada", Wanted.STOPPED)
        store.do(lives.end, life, WhyEnded.STOPPED)
        direct(store)
        settled(store, clock)
        assert nudges(store) == []

    @pytest.mark.requirement("SYNC-11")
    def test_nobody_is_asked_about_a_session_that_holds_nothing(self, store, clock):
        store.do(roster.settle, "ada")
        add(store)
        for _ in range(120):
            settled(store, clock, minutes=1)
        assert store.ask(questions.page, everything=True) == []

    @pytest.mark.requirement("SYNC-11")
    def test_a_session_that_was_left_long_ago_is_away_and_told_nothing(self, store, clock):
        store.do(roster.settle, "ada")
        go_round(store)
        settled(store, clock, hours=4)
        add(store)
        settled(store, clock, minutes=1)
        settled(store, clock)
        assert (seen(store).attends, nudges(store)) == ("away", [])
        store.do(roster.settle, "ada")  # somebody is back
        go_round(store)
        settled(store, clock)
        assert len(nudges(store)) == 1


def test_what_is_given_back_by_hand_is_not_a_members_any_more(store, clock):
    task = claim(store, add(store), lease=timedelta(minutes=1))
    clock.advance(minutes=2)
    store.do(claims.take_back_expired)
    assert seen(store).task_at is None
    store.do(board.claim, BOSS, task.id, Holder("ada"))
    assert seen(store).task_at == clock.now()


def test_a_paused_life_is_left_alone(store, clock):
    live(store, state=LifeState.PAUSED)
    direct(store)
    settled(store, clock)
    assert subjects(store, "member.left-alone") == ["ada: it is paused"]
