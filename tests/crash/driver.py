"""A process of its own that drives a run to its end, or is killed on the way.

python -m tests.crash.driver ROOT STEP

It is killed, as by kill -9, before the STEP-th thing that driving does to the store or to a file; 0 is never.
The lead and the members are played here as well, but nobody is killed while they act. It says, for each step,
what the store was told last.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from drumline.control import board, judgements, lives, runs
from drumline.runtimes.git import Asking, git
from drumline.runtimes.merging import OURS, Merged, Work, merge
from drumline.settings import find
from drumline.store.database import Database
from drumline.team.judgement import JudgementKind
from drumline.team.life import Process, WhyEnded
from drumline.team.task import Holder
from drumline.wiring import driving, open_store
from tests.crash.worker import say
from tests.words import BOSS

PASSES = 60  # more than a run of this kind needs
FILES = {"open", "os.rename", "os.mkdir", "os.remove", "subprocess.Popen"}
POINTS = [{"point": name, "holds": "yes", "why": ""} for name in ("quality", "issues", "conflicts")]


class Counter:
    """Counts what is done while it counts, and kills its own process in front of one of it."""

    def __init__(self, step: int) -> None:
        self.left, self.done, self.counting, self.last = step, 0, False, ["begin"]

    def __call__(self, what: str) -> None:
        if not self.counting:
            return
        self.done += 1
        self.counting = False  # what is said about it is no step
        say(step=self.done, what=what, last=self.last)
        self.counting = True
        if self.done == self.left:
            os.kill(os.getpid(), signal.SIGKILL)


def counted(store: Database, counter: Counter) -> None:
    """Have the store's engine count each statement and each commit."""
    engine: Any = store.engine
    run, fill, commit = engine.run, engine.fill, engine.commit

    def counting_run(name: str, parameters: Any) -> Any:
        counter(name)
        if name == "add_event":
            counter.last = [parameters["verb"]]
        return run(name, parameters)

    def counting_fill(name: str, rows: Any) -> Any:
        counter(name)
        if name == "add_events":
            counter.last = [verb for _, _, _, verb, *_ in rows]
        return fill(name, rows)

    def counting_commit(*words: Any) -> Any:
        counter("commit")
        found = commit(*words)
        counter("committed")
        return found

    engine.run, engine.fill, engine.commit = counting_run, counting_fill, counting_commit
    sys.addaudithook(lambda event, _: counter(event) if event in FILES else None)


def main() -> None:
    root, step = Path(sys.argv[1]), int(sys.argv[2])
    settings = find(str(root))
    store: Any = open_store(settings)
    name = store.ask(runs.find, "").name
    counter = Counter(step)
    counted(store, counter)
    for _ in range(PASSES):
        if store.ask(runs.find, name).over:
            break
        counter.counting = True
        driving.advance(settings, store, name)
        counter.counting = False
        _lead_judges(store)
        _members_work(store, root, name)
    say(over=store.ask(runs.find, name).state.value)


def _lead_judges(store: Database) -> None:
    life = _life(store, "lea")
    while asked := store.do(judgements.take, life):
        store.do(judgements.answer, life, asked.matter, _answer(asked.matter))


def _answer(matter: Any) -> dict[str, Any]:
    tasks = [_task("1"), _task("2", "1")]
    if matter.kind is JudgementKind.CLASSIFY:
        return {"files": 1, "modules": 1, "domains": 1, "why": "seen", "tasks": tasks}
    verdict = "iterate" if matter.attempt == 1 else "approve"
    more = [_task("3")] if verdict == "iterate" else []
    return {
        "verdict": verdict,
        "points": POINTS,
        "summary": "seen",
        "guidance": "more",
        "tasks": more,
    }


def _task(key: str, *after: str) -> dict[str, Any]:
    title = f"part {key}"
    return {"key": key, "title": title, "body": "", "files": [], "after": list(after), "verify": []}


def _members_work(store: Database, root: Path, name: str) -> None:
    """One ready task is done: the first time the second part is tried, it fails."""
    life = _life(store, "ada")
    for each in store.ask(runs.look, name).tasks:
        if not each.task.ready:
            continue
        holder = Holder("ada", life.incarnation)
        store.do(board.claim, BOSS, each.task.id, holder)
        if each.key == "2" and not each.failures:
            store.do(board.fail, BOSS, each.task.id, holder, "it did not work")
            return
        _commit(root, str(each.task.id))
        store.do(board.complete, BOSS, each.task.id, holder)
        return


def _commit(root: Path, task: str) -> None:
    """A commit of one new file, merged into the team's branch."""
    made = git(root, "hash-object", "-w", "--stdin", how=_said(task)).strip()
    tip = git(root, "for-each-ref", "--format=%(objectname)", "refs/heads/drumline/merged").strip()
    base = tip or git(root, "rev-parse", "HEAD").strip()
    git(root, "read-tree", f"--index-output={root}/.git/part.index", base, how=_index(root))
    cache = ("update-index", "--add", "--cacheinfo", f"100644,{made},parts/{task}.txt")
    git(root, *cache, how=_index(root))
    tree = git(root, "write-tree", how=_index(root)).strip()
    who = {
        f"GIT_{role}_{part}": "ada"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    commit = git(root, "commit-tree", tree, "-p", base, "-m", task, how=_with(who)).strip()
    assert isinstance(merge(root, Work(commit, f"{task}\n", OURS)), Merged)


def _said(text: str) -> Any:
    return Asking(said=text)


def _with(variables: dict[str, str]) -> Any:
    return Asking(variables=variables)


def _index(root: Path) -> Any:
    return _with({"GIT_INDEX_FILE": f"{root}/.git/part.index"})


def _life(store: Database, member: str) -> Any:
    found = store.ask(lambda tx: tx.lives.open())
    for each in found:
        if each.member == member:
            if each.process.pid == os.getpid():
                return each
            store.do(lives.end, each, WhyEnded.CRASHED, "killed")
    here = Process(
        host="box", pid=os.getpid(), pid_start="7", runtime="scripted", socket="", account=""
    )
    return store.do(lives.begin, member, here)


if __name__ == "__main__":
    main()
