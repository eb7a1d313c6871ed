"""Which ways a script may go: chains, branches and loops, and each step once for every way that matters.

A step that reads a name with more than one way is followed once for each of them; what it leaves
behind on each is put together again.
"""

from __future__ import annotations

from drumline.team.shell.effect import HOLE
from drumline.team.shell.expand import fields
from drumline.team.shell.holding import MOST
from drumline.team.shell.limits import DEEPEST, TooMuch
from drumline.team.shell.said import Chained, either_of, or_else, together, ways_of
from drumline.team.shell.state import Shell
from drumline.team.shell.syntax import Command, Group, Maybe, Pipeline, Text
from drumline.team.shell.ways import (
    ABSENT,
    ARGUMENTS,
    MOST_WAYS,
    Choice,
    combined,
    either,
    unknown,
    without,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from drumline.team.shell.syntax import Branches, Chain, Loop, Script, Step
    from drumline.team.shell.ways import Moment, Place

    Ways = Mapping[Place, tuple[Any, ...]]

_HARDLY_FAIL = frozenset({"echo", "printf", "pwd", "true", ":", "cd"})
_RETURNED, _EXITED = "returned", "exited"


class Branching(Shell):
    """A shell that goes every way its script may go."""

    __slots__ = ("_cut", "_depth", "_gone", "_jumps", "_local")

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._depth = 0
        self._gone = ""  # why nothing goes on from here
        self._cut = False  # whether the rest of this script may not run
        self._jumps: list[Moment] = []  # as it was where a function or a loop was left early
        self._local: dict[str, list[Any]] = {}  # what a function's own names were before it

    def spend(self) -> None:
        """Count one step, and stop where there were too many."""
        raise NotImplementedError

    def found_since(self, before: int | None = None) -> int:
        """How many effects there are; with a number, those since then are put together."""
        raise NotImplementedError

    def follow_one(self, step: Step, stdin: str) -> str:
        """Follow a step the one way that is in the tables."""
        raise NotImplementedError

    # one step after another

    def follow(self, script: Script, stdin: str = "") -> str:
        """Follow the steps; what they print together."""
        said: list[str] = []
        for at, step in enumerate(script):
            said.append(self.step(step, stdin))
            if self._gone or self._cut:
                gone, self._gone, self._cut = self._gone, "", False
                if script[at + 1 :]:
                    said.append(self.maybe(Maybe(script[at + 1 :]), stdin))
                self._gone = gone
                break
        return together(said)

    def step(self, step: Step, stdin: str) -> str:
        """Follow one step, given what comes in; what it prints."""
        self.spend()
        self.settle()
        stdin = stdin or self.input or ""
        if isinstance(step, Command | Pipeline) or (isinstance(step, Group) and step.redirects):
            return self._each_way(step, stdin)
        return self.follow_one(step, stdin)

    def leave(self, how: str) -> None:
        """The script is left here, as `exit`, `return`, `break` and `continue` do."""
        if how == "exit":
            self._gone = _EXITED
            return
        moment = self.moment()
        moment.others = {**self.held, **moment.others}
        self._jumps.append(moment)
        if how == "return" and self.calls:
            self._gone = _RETURNED
        else:
            self._cut = True

    # every way

    def settled(self, text: str, where: object) -> str:
        """One of the texts this may be; each of the others on a way of its own."""
        ways = ways_of(text)
        choice = Choice(where, ways)
        if len(ways) > 1:
            self.asked.add(("chosen", choice))
        return self.chosen.get(choice, ways[0])

    def _each_way(self, step: Step, stdin: str) -> str:
        before, held, asked = self.moment(), self.held, self.asked
        effects = self.found_since()
        self.asked = set()
        self.held, self.others = ({**held, **self.others} if self.others else held), {}
        said = self.follow_one(step, stdin)
        open_ways = self._open(before, self.asked)
        if before.others or open_ways:
            said = self._other_ways(step, stdin, before, said, open_ways)
            self.found_since(effects)
        asked |= self.asked  # in place: shells apart from this one ask for it
        self.held, self.asked = held, asked
        return said

    def _open(self, before: Moment, asked: set[Place]) -> dict[Place, tuple[Any, ...]]:
        """The names that were asked for and have more than one way."""
        found = {
            place: (before.at(place), *ways)
            for place, ways in before.others.items()
            if place in asked
        }
        for place in asked:
            if place[0] == "lacking":
                found[place] = (ABSENT, "1")
            elif isinstance(place[1], Choice) and place[1] not in before.tables["chosen"]:
                found[place] = place[1].ways
        return found

    def _other_ways(
        self, step: Step, stdin: str, before: Moment, said: str, open_ways: Ways
    ) -> str:
        left_open = {p: ways for p, ways in before.others.items() if p not in open_ways}
        stayed = self.stayed
        end = self._left(before, left_open)
        gone, asked = self._gone, self.asked
        ways = combined(open_ways)
        for taken in ways:  # they grow
            self.become(before)
            self._gone, self.held, self.others, self.asked = "", left_open, {}, set()
            for place, way in taken.items():
                self.put(place, way)
            printed = self.follow_one(step, stdin)
            ways += self._further(before, taken, ways)
            asked |= self.asked
            said = said if printed == said else HOLE
            stayed = (*stayed, *self.stayed)
            gone = _RETURNED if _RETURNED in {gone, self._gone} else (gone or self._gone)
            end = either(end, self._left(before, left_open))
        self.become(before if end is None else end)
        self._gone, self.asked = (gone if end is None else ""), asked
        self.stayed = without(self.cwd, stayed)
        self.lacking.clear()
        return said

    def _further(
        self, before: Moment, taken: dict[Place, Any], ways: list[dict[Place, Any]]
    ) -> list[dict[Place, Any]]:
        """The ways of what only this way asked for, such as a file in the folder it stands in."""
        new = self._open(before, self.asked - taken.keys())
        mattered = {place: way for place, way in taken.items() if place in self.asked}
        if any(mattered.items() <= each.items() and new.keys() & each.keys() for each in ways):
            return []  # another way that differs in nothing that matters asked for them
        if len(ways) >= MOST_WAYS:
            return [taken | {place: unknown(place) for place in new}] if new else []
        return [taken | more for more in combined(new)]

    def _left(self, before: Moment, left_open: Ways) -> Moment | None:
        """What a way leaves behind; a name it did not touch has the ways it had."""
        self.stayed, stayed = (), self.stayed
        end = self.moment()
        self.stayed = stayed
        end.tables["lacking"], end.tables["chosen"] = {}, before.tables["chosen"]
        for place, ways in left_open.items():
            if place in end.others or end.at(place) == before.at(place):
                also = (*end.others.get(place, ()), *ways)
                end.others[place] = without(end.at(place), also)
        return None if self._gone else end

    # chains and branches

    def chain(self, step: Chain, stdin: str) -> str:
        """Follow each link from where the sign before it says it runs."""
        printed = self._link(step.first, stdin, last=not step.links)
        said = Chained(printed, fails=self._fails(step, 0))
        done, failed = self._outcomes()
        for at, (sign, link) in enumerate(step.links):
            start = done if sign == "&&" else failed
            gone, self._gone = self._gone, ""
            if start is not None:
                self.become(start)
            last = at + 1 == len(step.links)
            printed = self._link(link, stdin, last=last)
            said.then(sign, printed, fails=self._fails(step, at + 1))
            if start is None:
                self._gone = gone  # it is looked at, and leads nowhere
                continue
            then, otherwise = self._outcomes()
            if sign == "&&":
                done, failed = then, either(failed, otherwise)
            else:
                done, failed = either(then, done), otherwise
        self._goes_on(either(done, failed))
        return said.text()

    def _link(self, step: Step, stdin: str, *, last: bool) -> str:
        self.tested += not last
        said = self.step(step, stdin)
        self.tested -= not last
        return said

    def _fails(self, chain: Chain, at: int) -> bool:
        """Whether a link may fail and another follows: who goes somewhere to say where that is means it is there."""
        step, *after = (chain.first, *(link for _, link in chain.links))[at:]
        name = _written_name(step)
        if not after or name not in _HARDLY_FAIL or {name} & {*self.functions, *self.aliases}:
            return bool(after)
        if name == "cd":
            only_then = all(sign == "&&" for sign, _ in chain.links[at:])
            return not only_then or _written_name(after[0]) not in {"cd", "pwd"}
        return isinstance(step, Command) and bool(step.redirects)

    def _outcomes(self) -> tuple[Moment | None, Moment | None]:
        """As it is when the last step succeeded, and when it failed; they differ after a `cd`."""
        if self._gone:
            return None, None
        stayed, self.stayed = self.stayed, ()
        done = self.moment()
        if not stayed:
            return done, done
        self.cwd = stayed[0]
        self.stayed = stayed[1:]
        return done, self.moment()

    def _goes_on(self, moment: Moment | None) -> None:
        if moment is not None:
            self._gone = ""
            self.become(moment)

    def branches(self, step: Branches, stdin: str) -> str:
        """Follow every branch from the same place."""
        start = self.moment()
        end = None if step.whole else start
        said, gone = [], ""
        for script in step.scripts:
            self.become(start)
            self._gone = ""
            said.append(self.follow(script, stdin))
            gone = gone or self._gone
            end = either(None if self._gone else self.moment(), end)
        self._gone = gone
        self._goes_on(end)
        untouched = () if step.whole else ("",)
        ways = (way for text in said for way in ways_of(text))
        return either_of("".join(said), (*ways, *untouched))

    def maybe(self, step: Maybe, stdin: str) -> str:
        """Follow what may not run, and a loop's body again where the first time changed something."""
        jumps = len(self._jumps)
        start = self.moment()
        said = self.follow(step.script, stdin)
        end = self._joined(start, jumps)
        if step.again and (end.others != start.others or end.tables != start.tables):
            more = self.follow(step.again, stdin)
            if said or more:  # once, or twice, and nobody knows how often then
                said = either_of(said, map(together, ((said,), (more,), (said, more), (HOLE,))))
            self._joined(end, jumps)
        return or_else(said, "")

    def _joined(self, start: Moment, jumps: int) -> Moment:
        """This shell where a body ran, was left early, or did not run."""
        end = None if self._gone else self.moment()
        for jump in self._jumps[jumps:]:
            end = either(end, jump)
        joined = either(end, start) or start
        self._goes_on(joined)
        return joined

    def loop(self, step: Loop, stdin: str) -> str:
        values = (self._values(step) if step.words else []) or [HOLE]  # no body goes unread
        for value in values:
            self.set(step.name, value)
            self.maybe(Maybe(step.body, step.body if len(values) == 1 else ()), stdin)
        return HOLE

    def _values(self, step: Loop) -> list[str]:
        """The words a loop goes through, on every way there is to them."""
        before, asked = self.moment(), self.asked
        self.asked, self.others = set(), {}
        values = fields(step.words, self)
        for taken in combined(self._open(before, self.asked)):
            self.become(before)
            self.others = {}
            for place, way in taken.items():
                self.put(place, way)
            values += fields(step.words, self)
        asked |= self.asked
        self.become(before)
        self.asked = asked
        return list(dict.fromkeys(values))

    # functions

    def call(self, body: Script, arguments: list[str], stdin: str) -> str:
        """Run a function: its arguments and local names are its own."""
        if self._depth >= DEEPEST or len(arguments) > MOST:
            raise TooMuch
        outer, before = self.others.get(ARGUMENTS, ()), self.positional
        local, self._local = self._local, {}
        self.positional = tuple(arguments)
        jumps = len(self._jumps)
        self.calls += 1
        said = self.released(body, stdin, ARGUMENTS)
        self.calls -= 1
        self._returned(jumps)
        self.positional = before
        self.open_as(ARGUMENTS, outer)
        self._give_back()
        self._local = local
        return said

    def released(self, body: Script, stdin: str, *settled: Place) -> str:
        """Follow a script within a step: names the step did not ask for keep all their ways."""
        held, asked = self.held, self.asked
        still = {place: ways for place, ways in held.items() if place not in asked}
        self.others = {**still, **self.others}
        for place in settled:
            self.others.pop(place, None)
        self.held, self.asked = {}, set()
        self._depth += 1
        said = self.follow(body, stdin)
        self._depth -= 1
        self.held, self.asked = held, asked
        return said

    def _returned(self, jumps: int) -> None:
        if self._gone == _EXITED:
            return
        end = None if self._gone else self.moment()
        for jump in self._jumps[jumps:]:
            end = either(end, jump)
        del self._jumps[jumps:]
        self._gone = ""
        if end is not None:
            self.become(end)

    def own(self, name: str) -> bool:
        """Make a name the function's own, where one is running."""
        if not self.calls:
            return False
        place = ("variables", name)
        ways = self.others.get(place, self.held.get(place, ()))
        before = self.variables.get(name, ABSENT)
        self._local.setdefault(name, []).extend((before, *ways))
        return True

    def _give_back(self) -> None:
        for name, ways in self._local.items():
            self.put(("variables", name), ways[0])
            self.open_as(("variables", name), without(ways[0], ways))


def _written_name(step: Step) -> str:
    """The name of a plain command, where it is written out."""
    first = step.words[0] if isinstance(step, Command) and step.words else ()
    return first[0].text if len(first) == 1 and isinstance(first[0], Text) else ""
