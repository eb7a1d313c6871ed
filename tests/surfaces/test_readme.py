"""The README's first screen is what the command prints."""

from pathlib import Path

import pytest

from drumline.control import board, mail, registration, roster, views
from drumline.surfaces.cli.status import screen
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, Charter
from tests.stores import Sqlite
from tests.words import BOSS, holds

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.requirement("SEE-01")
def test_the_first_screen_is_real(tmp_path, clock):
    place = Sqlite(tmp_path / "state.db", clock)
    store = place.open()
    members = (
        Member(name="ada"),
        Member(name="brook", runtime="codex"),
        Member(name=HUMAN, lead=True, runtime=HUMAN),
    )
    charter = Charter(CONSTITUTIONS["constitution-10"], {})
    said = registration.Registration(
        charter=charter, members=members, home="test:/repo", place="here", digest="2"
    )
    store.do(registration.register, said)
    ada = Actor("ada", Role.TEAMMATE, 1)
    lead = store.ask(roster.acting_as, "lead")
    for title, tracker in (("Plan", ""), ("Write the parser", "GH-12"), ("Tidy", "")):
        store.do(board.add, BOSS, NewTask(title=title, tracker=tracker))
    store.do(board.add, BOSS, NewTask(title="Test"), [store.ask(views.tasks)[1].id])
    first = store.do(board.claim_next, ada, holds("ada"))
    store.do(board.complete, ada, first.id, holds("ada", fence=1))
    for _ in range(2):
        store.do(mail.send, lead, ["brook"], "look")
    store.do(board.claim_next, ada, holds("ada"))
    clock.advance(minutes=4)
    printed = screen(store.ask(views.status, exists=lambda _: False))
    shown = README.read_text(encoding="utf-8").partition("$ drumline status\n")[2].split("\n\n")[0]
    assert [f"    {line}" for line in printed] == shown.splitlines()
    place.close()
