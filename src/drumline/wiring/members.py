"""What a member's runner is made of on this machine: folders, guard, verbs, runtime and hands."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from drumline.errors import NotAllowed, NotHolder, Unknown
from drumline.team.identity import Identity, environment
from drumline.wiring import manifest_of, memories, open_store
from drumline.wiring.guards import hook_words, keep_policy, policy_files
from drumline.wiring.home import state_folder, team_of
from drumline.wiring.machine import host
from drumline.wiring.quarters import Houses
from drumline.wiring.servers import Lookout, Pantry
from drumline.wiring.standing_manifest import StandingManifest
from drumline.wiring.subagents import Rooms
from drumline.wiring.verdicts import Hearing

if TYPE_CHECKING:
    from drumline.control.briefing import Surroundings
    from drumline.control.lessons import Reflected
    from drumline.control.ports import Store
    from drumline.runtimes.post import Handed, Hands, Provision, Quarters
    from drumline.runtimes.runtime import Guard, Runtime, Start, Verbs
    from drumline.settings import Settings
    from drumline.team.ids import TaskId
    from drumline.team.life import Life, Process
    from drumline.team.manifest import MemberEntry
    from drumline.team.prices import Price
    from drumline.team.reflection import Reflection
    from drumline.team.review import Work
    from drumline.team.scenario import Scenario
    from drumline.team.server import Needs
    from drumline.team.subagent import Ask
    from drumline.team.task import Task

OWN_FILES, FILES_OF_A_MEMBER = 200, 8  # a socket and a leash each, and the pipes of a call

HandIn = Callable[["TaskId", int], "Handed"]
MakeVerbs = Callable[["Settings", str, int, HandIn, "Ask"], "Verbs"]


class LocalPost:
    """One machine of a team, for the runners on it."""

    def __init__(self, settings: Settings, make_verbs: MakeVerbs) -> None:
        self._settings, self._make_verbs = settings, make_verbs
        self.store: Store = open_store(settings)
        self._houses = Houses(settings, team_of(self.store))
        self._pantry = Pantry(self._houses)
        self._at_work: dict[str, Hands] = {}
        self.tasks: dict[str, Task | None] = {}
        self.stands: dict[str, dict[str, Any]] = {}
        self.living_in: dict[str, Quarters] = {}
        self._manifest = StandingManifest(settings, self.living_in.keys())
        self.annexes = Rooms(self, settings, self._houses)
        self._scenarios: dict[str, Scenario] = {}
        keep_policy(settings)

    def now(self) -> datetime:
        return datetime.now(UTC)

    def entry(self, member: str) -> MemberEntry:
        """A member as the manifest declares it now."""
        if found := self._manifest.now().member(member):
            return found
        raise Unknown(f"no member {member[:80]!r} in the manifest", next="drumline team show")

    def takes_work(self, entry: MemberEntry) -> bool:
        """Whether a member takes tasks by itself."""
        from drumline.control import modes

        manifest = self._manifest.now()
        if entry.name != manifest.lead:
            return True
        return manifest.settings.lead_works and self.store.ask(modes.lead_takes_part)

    def around(self) -> Surroundings:
        """What a brief is made of besides the store."""
        from drumline.control import briefing, policy

        manifest = self._manifest.now()
        rules = policy.in_force(policy_files(self._settings), manifest)
        learnt = memories.remembered(self._settings, manifest)
        return briefing.Surroundings(manifest=manifest, rules=rules, learnings=learnt)

    def learn(self, member: str, task: Task, account: Reflection) -> Reflected:
        """Write down what a member says it learnt, and count what it used."""
        from drumline.control.lessons import reflect

        memory = memories.memory(self._settings, self.store, self._manifest.now())
        return reflect(memory, member, task, account)

    def price(self, model: str) -> Price:
        """What a model's tokens cost this team."""
        from drumline.control import prices
        from drumline.store.prices import Prices
        from drumline.team.prices import price_of

        return price_of(prices.in_force(Prices(self._settings.root)), model)

    def process(self, entry: MemberEntry) -> Process:
        """This process, as the life's record keeps it."""
        from drumline.runtimes import processes
        from drumline.team.life import Process

        own = os.getpid()
        door = str(self._houses.door(entry.name))
        return Process(
            host=host(),
            pid=own,
            pid_start=processes.started(own),
            runtime=entry.runtime,
            socket=door,
            account=_account(entry),
        )

    def runtime(self, entry: MemberEntry) -> Runtime:
        """Where the member lives."""
        if entry.runtime == "scripted":
            from drumline.runtimes.scripted import ScriptedRuntime

            return ScriptedRuntime(self._scenario(entry.scenario), self.now)
        if entry.runtime == "claude":
            from drumline.runtimes.claude import ClaudeRuntime

            return ClaudeRuntime()
        if entry.runtime == "codex":
            from drumline.runtimes.codex import CodexRuntime

            return CodexRuntime(hook_words(self._settings))
        from drumline.runtimes.command import CommandRuntime

        return CommandRuntime()

    def _scenario(self, name: str) -> Scenario:
        """A scenario, read once for all who play it here: each member has one life in a process."""
        from drumline.wiring.rehearsals import find_scenario

        if name not in self._scenarios:
            self._scenarios[name] = find_scenario(name, self._settings.root)
        return self._scenarios[name]

    def trust(self, entry: MemberEntry) -> None:
        """Refuse an agent CLI that made a forbidden call in a rehearsal; what was proved is kept."""
        from drumline.wiring.doctoring import proved

        proof = proved(self._settings, entry)
        if not proof.passed:
            raise NotAllowed(
                f"{entry.name} is not started: its guard is not proved",
                why=f"{proof.detail}; {proof.means}",
                next=f"drumline doctor --probe {entry.runtime}",
            )

    def quarters(self, entry: MemberEntry, life: Life) -> Quarters:
        """The member's folders, made where they are missing."""
        self.living_in[entry.name] = self._houses.quarters(self._manifest.now(), entry, life)
        return self.living_in[entry.name]

    def stand(self, entry: MemberEntry, life: Life, task: Task | None) -> None:
        """Write where the member stands, for everyone who judges."""
        from drumline.control import modes, needs, policy, protocol

        manifest = self._manifest.now()
        place = self._houses.checkout(entry.name)
        without = self.store.ask(needs.waived, task.id) if task is not None else ()
        more: dict[str, Any] = {
            "incarnation": str(life.incarnation),
            "files": list(task.files) or None if task is not None else None,
            "lost_servers": list(without),
            "protocol": self.store.ask(protocol.standing, life, task),
            "mode": self.store.ask(modes.at_work),
            "policy": self._houses.current_policy(),
            "delegating": entry.name == manifest.lead and task is None,
        }
        if self._houses.has_checkout(manifest, entry):
            more |= {"root": str(place), "repository": str(self._houses.repository)}
        self.tasks[entry.name] = task
        self.stands[entry.name] = policy.stand(policy_files(self._settings), manifest, entry, more)

    def take_up(self, quarters: Quarters, entry: MemberEntry) -> tuple[str, ...]:
        """Bring the member's checkout to where the team's work is; what was left uncommitted in it."""
        return self._houses.bring_up(quarters, entry.name) if quarters.own else ()

    def provide(self, entry: MemberEntry, quarters: Quarters, needs: Needs) -> Provision:
        """The member's MCP servers, as they are registered now; those a task needs are asked."""
        return self._pantry.provide(self._manifest.now(), entry, quarters, needs)

    def guard(
        self, life: Life, quarters: Quarters, stands: Callable[[], Mapping[str, Any]] | None = None
    ) -> Guard:
        """The judge of this life's calls, or of those who stand elsewhere in its name."""
        from drumline.hooks.ruling import Surroundings
        from drumline.hooks.serving import HookGuard

        around = Surroundings(str(quarters.home), str(quarters.temporary))
        judge = HookGuard(
            state_folder(self._settings),
            self._identity(life),
            around,
            stands or (lambda: self.stands[life.member]),
        )
        held = Lookout(judge, lambda: self._look_for_servers(life.member))
        return Hearing(held, self, life)

    def _look_for_servers(self, member: str) -> None:
        """Let the judge know of servers that went away since the task began."""
        stands = self.stands[member]
        lost = dict.fromkeys((*stands.get("lost_servers", ()), *self._pantry.lost(member)))
        if list(lost) != stands.get("lost_servers"):
            self.stands[member] = {**stands, "lost_servers": list(lost)}

    def hands(self, life: Life, quarters: Quarters, task: Task) -> Hands:
        """Who takes this life's work in."""
        from drumline.runtimes.handing import Handing, NoCheckout, Yard
        from drumline.wiring.taking_in import foreign, standing_for, unfit

        if not quarters.own:
            self._at_work[life.member] = NoCheckout(self.store, life)
            return self._at_work[life.member]

        def stands(who: str) -> Mapping[str, Any]:
            return standing_for(self.stands[life.member], self._manifest.now(), who, task)

        yard = Yard(
            repository=self._houses.repository,
            checkout=quarters.work,
            terms=self._houses.terms(life, self.entry(life.member).ports),
            plan=self._manifest.now().checkout,
            scan=lambda commits: unfit(self._settings, self._manifest.now(), commits),
            trespasses=lambda whose, some: foreign(self._settings, stands(whose), some),
        )
        self._at_work[life.member] = Handing(self.store, life, task, yard)
        return self._at_work[life.member]

    def changes(self, works: Sequence[Work]) -> str:
        """What some works changed, read in the user's repository."""
        from drumline.runtimes.showing import changes

        return changes(self._houses.repository, works)

    def _hand_in(self, member: str) -> HandIn:
        """How a member's own word that it is done is taken: by whoever takes its present task in."""
        from drumline.team.subagent import refuse_unverified

        def hand_in(task: TaskId, fence: int) -> Handed:
            if member not in self._at_work:
                raise NotHolder(f"{member} has no task yet", next="wait until you are given one")
            stands = str(self.stands[member].get("protocol") or "")
            refuse_unverified(member, stands, f"hand in {task}")
            return self._at_work[member].hand_in(task, fence)

        return hand_in

    def start(self, entry: MemberEntry, life: Life, quarters: Quarters, guard: Guard) -> Start:
        """All a runtime is given to begin a conversation."""
        from drumline.runtimes.runtime import Start

        passed = self._houses.passed_on(self._manifest.now(), entry)
        return Start(
            member=entry.name,
            work=quarters.work,
            home=quarters.home,
            temporary=quarters.temporary,
            leash=self._houses.leash(quarters),
            confinement=self._houses.confinement(quarters, entry, passed),
            guard=guard,
            verbs=self._make_verbs(
                self._settings,
                entry.name,
                life.incarnation,
                self._hand_in(entry.name),
                self.annexes.ask(entry.name),
            ),
            variables=self._variables(life, quarters, passed),
            system="",
            model=entry.model_told,
            tools=entry.tools,
            permission_mode=entry.permission_mode,
            settings={
                "max_budget_usd": str(entry.budget),
                "command": json.dumps(entry.command),
                "arguments": json.dumps(entry.arguments),
            },
            profiles=self.annexes.native(entry),
        )

    @asynccontextmanager
    async def doorway(
        self, life: Life, quarters: Quarters, guard: Guard, verbs: Verbs
    ) -> AsyncIterator[None]:
        """Answer the member's own processes; those of nobody are told."""
        from drumline.control import lives
        from drumline.runtimes.doorway import Doorway, Watch

        def refused(why: str) -> None:
            self.store.do(lives.tell_refusal, life, why)

        watch = Watch(self._houses.is_inside(quarters), refused)
        async with Doorway(quarters.door, guard, verbs, watch):
            yield

    def _identity(self, life: Life) -> Identity:
        manifest = self._manifest.now()
        entry = self.entry(life.member)
        return Identity(
            team=manifest.team,
            member=entry.name,
            role="lead" if entry.name == manifest.lead else "teammate",
            model=entry.model,
            provider=entry.runtime,
            trace=life.name,  # until there are runs, a life is what its records belong to
            incarnation=str(life.incarnation),
            standing=self._houses.standing(entry.name),
        )

    def _variables(self, life: Life, quarters: Quarters, passed: Sequence[str]) -> dict[str, str]:
        return {
            **self._houses.usual(quarters, life.member, passed),
            **environment(self._identity(life)),
            "DRUMLINE_SOCKET": str(quarters.door / "socket"),
            "DRUMLINE_TOKEN_FILE": str(quarters.door / "token"),
            "DRUMLINE_LIFE": self._houses.mark(life),
        }


def accounts(settings: Settings, names: Sequence[str]) -> list[str]:
    """The accounts that these members use on this machine."""
    return [_account(each) for each in manifest_of(settings).members if each.name in names]


def _account(entry: MemberEntry) -> str:
    """Whom a usage limit stops: everyone with the same login; what a program of one's own says, nobody else."""
    own = f":{entry.name}" if entry.runtime == "command" else ""
    return f"{entry.runtime}:{os.getuid()}{own}"


def run(settings: Settings, names: Sequence[str], make_verbs: MakeVerbs) -> None:
    """Be the runner of these members until each has ended its life."""
    _make_room_for(len(names))
    asyncio.run(_run(settings, names, make_verbs))


def _make_room_for(members: int) -> None:
    """See to it that everyone in this process can open its files, as far as the machine lets us."""
    from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit

    usual, most = getrlimit(RLIMIT_NOFILE)
    needed = OWN_FILES + members * FILES_OF_A_MEMBER
    if usual != RLIM_INFINITY and usual < needed:
        setrlimit(RLIMIT_NOFILE, (needed if most == RLIM_INFINITY else min(needed, most), most))


async def _run(settings: Settings, names: Sequence[str], make_verbs: MakeVerbs) -> None:
    from drumline.runtimes.runner import Runner
    from drumline.runtimes.watch import Watch

    post = LocalPost(settings, make_verbs)
    watch = Watch(open_store(settings), host(), names)
    looking = asyncio.ensure_future(watch.run())
    living = [asyncio.ensure_future(Runner(post, name, watch).live()) for name in names]
    everyone: asyncio.Future[Any] = asyncio.gather(*living, return_exceptions=True)
    try:
        await asyncio.wait({looking, everyone}, return_when=asyncio.FIRST_COMPLETED)
        if looking.done():
            looking.result()  # a store that cannot be read ends all
    finally:
        looking.cancel()
        for each in living:
            each.cancel()
        await asyncio.wait([looking, *living])
    for each in living:  # one member's end is not another's
        if not each.cancelled() and (error := each.exception()):
            raise error


def diary_lines(settings: Settings, name: str, *, most: int, follow: bool) -> Iterator[str]:
    """The last lines of a member's diary, and those that come."""
    from drumline.runtimes.diary import lines_of

    if manifest_of(settings).member(name) is None:
        raise Unknown(f"no member {name[:80]!r}", next="drumline team show")
    return lines_of(Houses(settings).diary(name), most, follow=follow)
