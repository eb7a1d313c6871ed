"""The sample team: who is on it, what it builds, and how fast."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drumline import settings
from drumline.control import board, roster
from drumline.control.ports import Store, Transaction
from drumline.team.actor import Actor
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId

MEMBERS = {
    "ada": "Prices, tax and vouchers",
    "brook": "Stock and orders",
    "cleo": "Payment",
    "dev": "Pages and forms",
}
MISTYPED = {"ada": "adda", "brook": "brok", "cleo": "cloe", "dev": "devv"}

FOLDER = "src/shop"

MANIFEST = """\
# The team of `drumline demo`: its members are plain processes, no model is called.
team: checkout
description: "The checkout of a small web shop"
lead: human

members:
"""
MEMBER = """\
  - name: {name}
    role: "{role}"
    runtime: scripted
    scenario: three-tasks
    tools: [Read, Edit, Write]
    owns: []
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A task of the sample: what, in which file, and after which others."""

    title: str
    file: str
    after: tuple[int, ...] = ()


JOBS = (
    Job("Model the basket", "basket.py"),
    Job("Model money and currencies", "money.py"),
    Job("Model addresses", "address.py"),
    Job("Model stock levels", "stock.py"),
    Job("Sketch the checkout pages", "pages.html"),
    Job("Write the sample catalogue", "catalogue.json"),
    Job("Add and remove basket lines", "basket_lines.py", (1,)),
    Job("Price a basket", "price.py", (1, 2)),
    Job("Check delivery areas", "delivery.py", (3,)),
    Job("Reserve stock for ten minutes", "reserve.py", (4,)),
    Job("Apply vouchers", "voucher.py", (2,)),
    Job("Lay out the address form", "address.html", (3, 5)),
    Job("Lay out the basket page", "basket.html", (1, 5)),
    Job("Work out tax", "tax.py", (8, 9)),
    Job("Work out shipping", "shipping.py", (8, 9)),
    Job("Take a card payment", "payment.py", (8,)),
    Job("Hold the order while paying", "hold.py", (8, 10)),
    Job("Import the catalogue", "catalogue.py", (6, 10)),
    Job("Show the order summary", "summary.html", (11, 13)),
    Job("Send the order e-mail", "email.py", (7, 12)),
    Job("Refund a payment", "refund.py", (16,)),
    Job("Place an order", "order.py", (14, 15, 16, 17)),
    Job("Test the checkout end to end", "test_checkout.py", (16, 18, 19, 20)),
    Job("Write the checkout guide", "guide.md", (19, 20)),
)
LONG = (8, 9, 10, 11)  # one of these is long enough for its worker to be killed over it
LONG_LINES = 40
LINES = (8, 20)


@dataclass(frozen=True, slots=True)
class Pace:
    """The demo's times, in seconds: a claim's lease, one line of work, and the plot."""

    lease: float
    line: float
    kill_after: float
    pause: float

    @property
    def renew(self) -> float:
        return self.lease / 3


PACES: Mapping[str, Pace] = {
    "full": Pace(lease=2.0, line=0.125, kill_after=1.4, pause=1.5),
    "fast": Pace(lease=1.0, line=0.025, kill_after=0.3, pause=0.1),
}


def long_task(seed: int) -> TaskId:
    """The task whose first holder is killed."""
    return TaskId(random.Random(seed).choice(LONG))  # noqa: S311 - repeatable, not secret


def lines_of(seed: int, task: TaskId) -> int:
    """How many lines of work a task is."""
    if task == long_task(seed):
        return LONG_LINES
    return random.Random(f"{seed}/{task}").randint(*LINES)  # noqa: S311 - as above


def letter(member: str, task: TaskId, file: str) -> tuple[str, str] | None:
    """To whom a member writes about a task it completed, and what."""
    names = list(MEMBERS)
    if task % 3 == 0:
        return "lead", f"{task} is done, please look at {file}"
    if task % 4 == 1:
        peer = names[(names.index(member) + 1) % len(names)]
        return peer, f"{task} is done, build on {file}"
    return None


def write_manifest(root: Path) -> settings.Settings:
    """The scratch repository's team, found the way every command finds it."""
    members = (MEMBER.format(name=name, role=role) for name, role in MEMBERS.items())
    manifest = root / ".claude" / "team.yaml"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(MANIFEST + "\n".join(members), encoding="utf-8")
    return settings.find(str(root))


def fill_board(store: Store, operator: str) -> None:
    """Put all tasks on the board, at one moment."""
    store.do(_add_all, roster.person(operator))


def _add_all(tx: Transaction, actor: Actor) -> None:
    for job in JOBS:
        path = f"{FOLDER}/{job.file}"
        draft = NewTask(title=job.title, files=(path,), outputs=(path,))
        board.add(tx, actor, draft, [TaskId(number) for number in job.after])
