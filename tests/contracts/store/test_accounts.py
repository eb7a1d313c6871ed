"""Accounts of work: what is kept of them, in the tables and in the log, tells no secret."""

import json

import pytest

from drumline.control import reflecting, views
from drumline.team import reflection
from drumline.team.consequence import consequences
from drumline.team.task_fields import REFLECTION
from tests.living import begin, claim_in
from tests.team.made_up import TOKEN
from tests.words import add

pytestmark = pytest.mark.requirement("RUN-09")
LONG = "x" * (reflection.SUMMARY_CAP - len(" password=abc1"))


def account(**said):
    return {
        "task_result": {"status": "partial", "summary": f"I used {TOKEN}", "files_changed": []},
        "reflection": {
            "what_worked": "", "what_didnt": f"export API_KEY={TOKEN}", "confidence": "low",
        },
        "suggested_learnings": [{"category": "gotcha", "content": f"the key is {TOKEN}"}],
        "follow_up": {
            "blocked_by": None, "suggested_next": f"revoke {TOKEN}", "needs_human": False,
        },
        **said,
    }  # fmt: skip


def acted_on(store, said):
    """All that is remembered when an account was kept, and what follows from it carried out."""
    add(store)
    life = begin(store)
    task = claim_in(store, life)
    read = reflection.read(said)
    store.do(reflecting.keep, life, task, reflection.facts(read))
    store.do(reflecting.carry_out, life, task, consequences(read, []))
    events, _ = store.ask(views.events, most=1000)
    fields = store.ask(lambda tx: tx.tasks.fields(task.id))
    return fields, json.dumps([event.changes for event in events], default=str)


def test_no_secret_of_an_account_is_kept_with_its_task_or_in_the_log(store):
    fields, log = acted_on(store, account())
    assert TOKEN not in json.dumps(fields)
    assert TOKEN not in log
    assert fields[REFLECTION]["task_result"]["summary"] == "I used [redacted]"


def test_a_secret_in_the_name_of_a_file_is_not_kept_either(store):
    files = [f"keys/{TOKEN}.pem", "src/parser.py"]
    result = {"status": "partial", "summary": "done", "files_changed": files}
    fields, log = acted_on(store, account(task_result=result))
    assert TOKEN not in json.dumps(fields) + log
    assert fields[REFLECTION]["task_result"]["files_changed"][1] == "src/parser.py"


def test_an_account_that_fills_its_form_is_read_again_once_its_secret_is_gone(store):
    result = {"status": "partial", "summary": f"{LONG} password=abc1", "files_changed": []}
    fields, _ = acted_on(store, account(task_result=result))
    assert "abc1" not in reflection.read(fields[REFLECTION]).summary
