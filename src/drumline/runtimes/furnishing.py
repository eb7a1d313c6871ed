"""Furnish a new checkout as the manifest says: submodules, copied and linked files, and its set-up."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from drumline.errors import Refused, Unknown
from drumline.runtimes import bounded
from drumline.runtimes.beside import FURNISHED, alone, beside
from drumline.runtimes.checkout import holes_in
from drumline.runtimes.confine import SOURCE
from drumline.runtimes.git import git_inside, readable
from drumline.runtimes.inspecting import listed, state_of
from drumline.runtimes.looking import tied, writing
from drumline.runtimes.project_command import Terms, run_command
from drumline.runtimes.submodules import bring
from drumline.team.checkout_plan import CheckoutPlan

PLACE = (
    "import sys; sys.path.append(sys.argv[1]);"
    " from drumline.runtimes.placing import main; main(sys.argv[2])"
)


class Furnished(NamedTuple):
    """Whether it was done now, and which submodules the repository has no copy of."""

    now: bool
    missing: tuple[str, ...] = ()


def furnish(repository: Path, folder: Path, plan: CheckoutPlan, terms: Terms) -> Furnished:
    """Furnish a checkout once; one that was cut short is begun anew."""
    with alone(folder):
        if not folder.is_dir():
            raise Unknown(f"no checkout at {folder}", next="make it first")
        mark = beside(folder, FURNISHED)
        if mark.exists():
            return Furnished(now=False)
        missing = prepare(repository, folder, plan, terms)
        mark.touch()
        return Furnished(now=True, missing=missing)


def prepare(repository: Path, folder: Path, plan: CheckoutPlan, terms: Terms) -> tuple[str, ...]:
    """Do what a plan says in a checkout nobody works in yet; the submodules that could not be filled."""
    missing = bring(repository, folder, holes_in(folder)) if plan.submodules else ()
    if plan.copy or plan.link:
        _vet(repository, folder, plan)
        _place(repository, folder, plan, terms)
    for argv in plan.setup:
        ran = run_command(argv, folder, terms)
        if ran.code:
            raise Refused(
                f"the set-up failed with {ran.code}: {shlex.join(argv)[:200]}",
                why=ran.tail,
                next="mend checkout.setup in the manifest, or what it needs",
            )
    if changed := state_of(folder).changed:
        raise Refused(
            f"the set-up leaves {folder} changed: {listed(changed)}",
            why="a checkout must be clean before a task starts in it",
            next="let git ignore what the set-up makes",
        )
    return missing


def _vet(repository: Path, folder: Path, plan: CheckoutPlan) -> None:
    """Refuse what is not in the user's tree, leads out of it, or is part of the commit."""
    root = os.path.realpath(repository)
    for path in (*plan.copy, *plan.link):
        above = os.path.realpath(os.path.dirname(f"{root}/{path}"))  # noqa: PTH120 - as a pair
        if not os.path.lexists(f"{root}/{path}"):
            why = "it is not there"
        elif above != root and not above.startswith(f"{root}/"):
            why = f"a link leads out of the repository, to {above}"
        elif git_inside(folder, "ls-tree", "-z", "--name-only", "HEAD", "--", path):
            why = "it is part of the commit already"
        else:
            continue
        raise Refused(
            f"{path} cannot be brought into a checkout",
            why=why,
            next="mend checkout.copy or checkout.link in the manifest",
        )


def _place(repository: Path, folder: Path, plan: CheckoutPlan, terms: Terms) -> None:
    """Copy and link from inside a confinement: a folder on the way may be a link."""
    real = os.path.realpath(folder)
    said = {
        "tree": os.path.realpath(repository),
        "folder": real,
        "copy": plan.copy,
        "link": plan.link,
    }
    start = [sys.executable, "-I", "-S", "-c", PLACE, str(SOURCE), json.dumps(said)]
    done = bounded.run(
        bounded.Command(
            argv=[*tied(writing(folder)), *start],
            folder=Path(real),
            environ={"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"},
            seconds=terms.seconds,
        )
    )
    if done.code or done.cut:
        raise Refused(
            f"files cannot be brought into {folder}",
            why=done.cut or readable(done.err),
            next="mend checkout.copy or checkout.link in the manifest",
        )
