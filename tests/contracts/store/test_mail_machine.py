"""Any sequence of mail verbs does what plain lists say, on every store."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drumline.control import mail
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.ids import MessageId
from tests.stores import MEMBERS
from tests.words import send, teammate

members = st.sampled_from(MEMBERS)
places = st.integers(0, 9)
bodies = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=20).filter(
    lambda body: body.strip() and not body.lstrip().startswith("[")
)


class MailMachine(RuleBasedStateMachine):
    """The model: a list of letters, each with who it is for and how far it is."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    def __init__(self) -> None:
        super().__init__()
        self.place, _ = self.stores[0]()
        self.store = self.place.open()
        self.letters: list[dict] = []

    def teardown(self) -> None:
        assert list(Caretaker(self.store.engine).check()) == []
        self.place.close()

    @rule(sender=members, recipient=members, body=bodies)
    def post(self, sender, recipient, body):
        message = send(self.store, sender, recipient, body)
        self.letters.append({"id": message.id, "to": recipient, "body": body, "state": "sent"})

    @rule(sender=members, body=bodies)
    def post_to_nobody(self, sender, body):
        with pytest.raises(Refused):
            send(self.store, sender, "nobody", body)

    @rule(place=places, member=members)
    def read(self, place, member):
        self.mark(place, member, "read", lambda who, i: self.store.do(mail.read, who, i))

    @rule(place=places, member=members)
    def acknowledge(self, place, member):
        self.mark(place, member, "acked", lambda who, i: self.store.do(mail.acknowledge, who, [i]))

    def mark(self, place, member, state, verb):
        letter = self.letters[place] if place < len(self.letters) else None
        if letter is None or letter["to"] != member:
            with pytest.raises(Refused):
                verb(teammate(member), letter["id"] if letter else MessageId(10**6))
            return
        verb(teammate(member), letter["id"])
        if letter["state"] != "acked":
            letter["state"] = state

    @rule()
    def reopen(self):
        """Whatever holds the store now, another process sees the same."""
        self.store = self.place.open()

    @invariant()
    def every_inbox_is_as_the_model_says(self):
        for member in MEMBERS:
            found = self.store.ask(mail.inbox, member, everything=True)
            mine = [letter for letter in self.letters if letter["to"] == member]
            assert [(m.id, m.body, m.state) for m in found] == [
                (letter["id"], letter["body"], letter["state"]) for letter in mine
            ]
            waiting = self.store.ask(mail.inbox, member)
            assert [m.id for m in waiting] == [x["id"] for x in mine if x["state"] != "acked"]


@pytest.mark.requirement("MAIL-01")
def test_any_sequence_of_mail_verbs_agrees_with_the_model(play):
    play(MailMachine, 40, 25)
