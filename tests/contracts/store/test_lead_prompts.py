"""What the lead reads when it judges: the one thing submitted, and of everything else a line."""

import pytest

from drumline.control import mail
from drumline.team.judging import SUBMISSIONS
from tests.stories import POINTS, Story
from tests.understanding import PLAN, YES
from tests.words import send

APPROVED = {"verdict": "approve", "points": POINTS, "summary": "fine", "guidance": "", "tasks": []}
ACCEPTED = {"points": YES, "rebriefing": ""}
PLANNED = {"why": "x", "tasks": []}
ANALYSED, WORKED, WROTE = (
    "an analysis that is long",
    "an account that is long",
    "a letter that is long",
)
MOST = 10_000  # characters of a prompt besides the goal and what is submitted


@pytest.mark.requirement("CTX-06")
def test_the_lead_reads_a_members_words_only_where_it_judges_them(store):
    story = Story(store)
    story.begins("shown", "again")
    prompts = {"size": story.sized(), "plan": story.lead_says(PLANNED)}
    story.looks()
    story.takes()
    send(store, "ada", "lea", WROTE * 10)
    story.submits(effects=ANALYSED * 10)
    prompts["analysis"] = story.lead_says(ACCEPTED)
    story.looks()
    story.plans(PLAN)
    prompts["way"] = story.lead_says({"verdict": "approve", "reason": "", "guidance": ""})
    story.completes(WORKED * 100)
    prompts["gate"] = story.lead_says(APPROVED)
    prompts["next plan"] = story.lead_says(PLANNED)
    assert [name for name, text in prompts.items() if ANALYSED in text] == ["analysis"]
    assert [name for name, text in prompts.items() if WORKED in text] == ["gate"]
    assert not [name for name, text in prompts.items() if WROTE in text]
    sizes = {name: len(text) for name, text in prompts.items()}
    assert max(sizes.values()) < MOST, sizes
    assert store.ask(mail.inbox, "lea")[0].body.startswith(WROTE)


@pytest.mark.requirement("CTX-06")
def test_however_much_is_handed_in_what_the_lead_reads_of_it_has_an_end(store):
    story = Story(store)
    story.planned("build")
    story.takes()
    story.completes(WORKED * 20_000)
    prompt = story.lead_says(APPROVED)
    assert WORKED in prompt
    assert len(prompt) < SUBMISSIONS + MOST
