"""A ruling from files alone: the compiled policy, the member's standing, and this machine's paths."""

from __future__ import annotations

import os
import stat
import sys

from drumline.hooks.noting import subagent_of
from drumline.hooks.values import read_value
from drumline.team.call import Call, World
from drumline.team.judge import DENY, Ruling, judge
from drumline.team.standing import UNVERIFIED, Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from drumline.team.identity import Identity
    from drumline.team.shell.syntax import Script

LONGEST_FILE = 4_000_000
MOST_MEMORY = 1 << 30


class Rules:
    """What the hook found to judge by; `lost` says why that is not what the team decided."""

    __slots__ = ("lost", "policy", "standing", "unverified_why")

    def __init__(self, policy: Mapping[str, object], standing: Standing, why: str) -> None:
        self.policy, self.standing = policy, standing
        self.unverified_why, self.lost = why, ""

    def of(self, event: Mapping[str, object]) -> Rules:
        """The same for whoever makes a call: a CLI tells where it is a subagent of the caller."""
        subagent = subagent_of(event)
        if not subagent:
            return self
        standing = self.standing.of_subagent(subagent)
        found = Rules(self.policy, standing, self.unverified_why)
        found.lost = self.lost
        return found

    def refusal(self) -> dict[str, str]:
        """What a member is told while its rules cannot be read; nothing when they can."""
        if not self.lost or not self.standing.on_a_team:
            return {}
        return {
            "decision": DENY,
            "constraint": "C-TEAM-007",
            "what": "a call nobody can rule on",
            "why": f"the team's compiled rules {self.lost}",
            "next": "tell the lead, who runs: drumline policy compile",
        }


def rules_for(state: str, who: Identity) -> Rules:
    """The policy in force and where this caller stands; a member without a standing is unverified."""
    facts, why = _standing(state, who)
    return rules_at(state, facts, why)


def rules_at(state: str, facts: Mapping[str, object], why: str = "") -> Rules:
    """The policy in force for a caller who stands here; `why` says why it counts as unverified."""
    policy, lost = _policy(os.path.join(state, "policy"), facts.get("policy"))
    rules = Rules(policy or _built_in(), Standing(facts, os.path.dirname(state)), why)
    rules.lost = lost
    return rules


def _policy(folder: str, named: object) -> tuple[dict[str, object] | None, str]:
    """The compiled policy, and what is wrong with it where one is named."""
    current = os.path.join(folder, "current")
    name = named or _text(current).strip()
    if not name:
        return None, "have an empty name" if os.path.lexists(current) else ""
    found = _object(os.path.join(folder, f"{name}.json"))
    if found is None:
        return None, "are gone or torn"
    return (found, "") if digest(found) == name else (None, "are not the ones they are named for")


class Surroundings:
    """What `~` and `$TMPDIR` stand for where a call is made; our own where nobody said."""

    __slots__ = ("home", "temporary")

    def __init__(self, home: str = "", temporary: str = "") -> None:
        self.home = home or os.environ.get("HOME") or "/"
        self.temporary = temporary or os.environ.get("TMPDIR", "")


def rule(call: Call, rules: Rules, around: Surroundings | None = None) -> Ruling:
    """Judge one call here and now."""
    world = this_machine(rules.policy, around)
    found = judge(call, rules.standing, rules.policy, world)
    if found.allowed and any(each.subject == "commit" for each in found.effects):
        from drumline.hooks.commit_scan import scan_commit

        for folder in call.folders():
            found = scan_commit(found, Call(call.tool, call.input, folder), rules.policy, world)
        return found
    if found.decision == DENY and found.constraint == "C-PROTO-001" and rules.unverified_why:
        found.why = rules.unverified_why
    return found


def this_machine(policy: Mapping[str, object], around: Surroundings | None = None) -> World:
    """Paths as this machine resolves them; the grammar is loaded at its first use."""
    settings = policy.get("settings")
    given = settings.get("temporary", ()) if isinstance(settings, dict) else ()
    here = around or Surroundings()
    return World(
        read=_grammar(policy),
        real=real_path,
        home=here.home,
        branch=current_branch,
        temporary=temporary_folders(given, here.temporary),
    )


def temporary_folders(given: object, temporary: str) -> tuple[str, ...]:
    """The folders for what nobody will miss; a member's own comes first."""
    own = temporary.rstrip("/")
    listed = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys([own, *listed] if own.startswith("/") and own != "/" else listed))


def current_branch(root: str) -> str:
    """The branch a repository stands on, by its own HEAD; empty where that cannot be told."""
    folder = os.path.join(root, ".git")
    pointed = _text(folder)
    if pointed.startswith("gitdir: "):
        folder = os.path.join(root, pointed[8:].strip())
    head = _text(os.path.join(folder, "HEAD"))
    return head[16:].strip() if head.startswith("ref: refs/heads/") else ""


def real_path(path: str) -> str:
    """Where a path leads with links followed; one that cannot be looked up leads where it says."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _grammar(policy: Mapping[str, object]) -> _Grammar:
    libraries = policy.get("libraries")
    return _Grammar(libraries if isinstance(libraries, list) else [])


class _Grammar:
    """Reads shell text; finds the grammar's packages where the policy says they are."""

    __slots__ = ("_libraries",)

    def __init__(self, libraries: list[str]) -> None:
        self._libraries = libraries

    def __call__(self, text: str) -> Script:
        for folder in self._libraries:
            if folder not in sys.path:
                sys.path.append(folder)
        if sys.flags.no_site:  # a hook's own process: nobody else in it wants the whole packages
            _limit_memory()
            _load_bindings(self._libraries)
        from drumline.hooks import grammar

        return grammar.read(text)


def _limit_memory() -> None:
    """A text that grows without end fails here, and not the machine."""
    from resource import RLIMIT_DATA, getrlimit, setrlimit

    _, most = getrlimit(RLIMIT_DATA)
    setrlimit(RLIMIT_DATA, (MOST_MEMORY if most < 0 else min(MOST_MEMORY, most), most))


def _load_bindings(folders: list[str]) -> None:
    """The grammar's compiled parts alone: what their packages load besides costs 25 ms."""
    from _frozen_importlib_external import PathFinder

    for name in ("tree_sitter", "tree_sitter_bash"):
        spec = None if name in sys.modules else PathFinder.find_spec(name, folders)
        if spec is None or spec.submodule_search_locations is None:
            continue
        bare = sys.modules[name] = type(sys)(name)
        bare.__path__ = list(spec.submodule_search_locations)
        binding = __import__(f"{name}._binding", fromlist=["_binding"])
        bare.__dict__.update({word: getattr(binding, word) for word in dir(binding)})


def _standing(state: str, who: Identity) -> tuple[dict[str, object], str]:
    """A member's standing as last written, and why it counts as unverified, if it does."""
    if not who.member:
        return {}, ""
    path = who.standing or os.path.join(state, "standing", f"{_file_name(who.member)}.json")
    found = _object(path)
    base: dict[str, object] = {"member": who.member, "role": who.role or "teammate"}
    if found is None and not os.path.isdir(os.path.join(state, "standing")):
        return base, ""  # nobody runs members here: only the environment says there is a team
    if found is None:
        return base | {"protocol": UNVERIFIED}, "nothing is written about where you stand"
    found = base | {name: value for name, value in found.items() if name not in base or value}
    if who.incarnation and str(found.get("incarnation", "")) != who.incarnation:
        return found | {"protocol": UNVERIFIED}, "what is written about you is of an earlier life"
    return found, ""


def _file_name(member: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in member)


def _text(path: str) -> str:
    """What a file says; nothing where it is no plain file, so that no planted pipe is waited for."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""
        return _bytes(file).decode()
    except (OSError, UnicodeDecodeError):
        return ""
    finally:
        os.close(file)


def _bytes(file: int) -> bytes:
    pieces: list[bytes] = []
    left = LONGEST_FILE
    while left > 0 and (piece := os.read(file, left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _object(path: str) -> dict[str, object] | None:
    try:
        found = read_value(_text(path) or "null")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def digest(policy: Mapping[str, object]) -> str:
    """The name `registry.digest` gives; json and hashlib would cost every call 10 ms to import."""
    try:
        from _json import encode_basestring, make_encoder

        sha256 = _sha256()
        encode = make_encoder(None, repr, encode_basestring, None, ":", ",", True, False, True)  # noqa: FBT003 - the C function's own order
        return str(sha256("".join(encode(policy, 0)).encode()).hexdigest()[:16])
    except (ImportError, TypeError):  # another interpreter, or another version of its internals
        from drumline.team import registry

        return registry.digest(policy)


def _sha256() -> Any:
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]
    except ImportError:
        from _sha256 import sha256  # type: ignore[import-not-found]
    return sha256


def _built_in() -> Mapping[str, object]:
    from drumline.team import registry

    return registry.compiled(registry.built_in())
