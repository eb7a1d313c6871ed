"""What guards are made of: the judge, its rules and proofs, the kernel layer, the trail and requests."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from drumline.errors import BadInput, NotShown
from drumline.wiring import manifest_of, open_store
from drumline.wiring.home import home_of, state_folder

if TYPE_CHECKING:
    from drumline.control import coverage as proofs
    from drumline.control.policy import PolicyFiles
    from drumline.control.scan import Changes
    from drumline.control.trail import Trail
    from drumline.settings import Settings
    from drumline.team.confinement import Confinement
    from drumline.team.layer import Layer
    from drumline.team.request_result import Ended

LONGEST_SCAN = 600.0  # seconds


def confinement(said: Confinement, checkout: str = "") -> Confinement:
    """What was said, checked; a checkout is writable but for what stays the lead's in it."""
    from pathlib import Path

    from drumline.runtimes.checkout import holes_in
    from drumline.runtimes.places import checked

    if not checkout:
        return checked(said)
    folder = Path(checkout).absolute()
    return checked(said.adding(writable=[str(folder)], holes=holes_in(folder)))


def layers() -> tuple[Layer, ...]:
    """What this machine's kernel can hold a member to."""
    from drumline.runtimes import confine

    return confine.layers()


def run_confined(argv: Sequence[str], held: Confinement, variables: Mapping[str, str]) -> int:
    """Run a command confined; its exit code."""
    from drumline.runtimes import confine

    return confine.confine(argv, held, variables)


def run_in_bash(
    settings: Settings, text: str, seconds: int, show: Callable[[str], object]
) -> Ended:
    """Run a command line at the repository's root; how it ended."""
    from drumline.runtimes import bash

    return bash.run(text, settings.root, seconds=seconds, show=show)


def members_above() -> set[str]:
    """The members in whose process trees this command runs."""
    from drumline.runtimes import ancestry

    return ancestry.members_above()


def open_trail(settings: Settings) -> Trail:
    """This repository's audit trail: its files, and the hooks' way to turn them over."""
    from drumline.hooks.trail import rotate
    from drumline.store.trails import AuditFiles

    folder = os.path.join(state_folder(settings), "audit")
    return AuditFiles(folder, home=home_of(settings), rotate=rotate)


class Judging:
    """The judge on this machine, for rows that name their own folder."""

    def __init__(self, settings: Settings | None) -> None:
        from drumline.control import policy
        from drumline.hooks import ruling

        manifest = manifest_of(settings) if settings is not None else None
        rules = policy.in_force(policy_files(settings), manifest)
        self._root = settings.root if settings is not None else ""
        world = ruling.this_machine({"settings": rules["settings"]})
        self._bench = policy.Bench(rules, manifest, world)

    def rule(self, row: dict[str, Any]) -> dict[str, str]:
        return self._bench.rule(row, self._root_of).facts()

    def _root_of(self, cwd: str) -> str:
        from drumline.store.policies import repository_of

        inside = cwd == self._root or cwd.startswith(f"{self._root}/")
        return self._root if self._root and (inside or not cwd) else repository_of(cwd)


def open_bench(settings: Settings | None) -> Judging:
    """The judge, under this repository's rules or, outside one, the built-in ones."""
    return Judging(settings)


def policy_files(settings: Settings | None) -> PolicyFiles:
    """A repository's rules; outside one there are only the built-in ones."""
    from drumline.store.policies import Policies

    root = settings.root if settings is not None else os.path.sep
    state = settings.state_root if settings is not None else os.path.sep
    return Policies(root, os.path.join(state, ".drumline"))


def publish_policy(settings: Settings) -> str:
    """Compile the rules for the hooks; the policy's name. Rules on what nobody has shown are refused."""
    from drumline.control import policy
    from drumline.store.policies import libraries
    from drumline.wiring.claims import refuse_leaning

    state_folder(settings)
    refuse_leaning(policy_files(settings), settings)
    now = policy.Moment()
    if not settings.fresh:
        store = open_store(settings, reading=True)
        try:
            now = store.ask(policy.moment)
        finally:
            store.close()
    manifest, files = manifest_of(settings), policy_files(settings)
    return policy.publish(files, manifest, libraries(), now)


def keep_policy(settings: Settings) -> None:
    """Compile the rules for whoever begins; where they lean on what nobody has shown, the last ones stay."""
    try:
        publish_policy(settings)
    except NotShown:
        if not policy_files(settings).published():
            raise


def cover_policy(settings: Settings | None) -> tuple[list[proofs.Row], list[str]]:
    """Every rule through every layer of this machine, and those with a gap nobody declared."""
    import tempfile
    from pathlib import Path

    from drumline.control import coverage, policy
    from drumline.hooks.probing import GuardAtHand, HookLayer
    from drumline.runtimes.probing import KernelLayer
    from drumline.store.policies import libraries
    from drumline.team import registry

    manifest = manifest_of(settings) if settings is not None else None
    rules = policy.in_force(policy_files(settings), manifest)
    known = {each["id"] for each in registry.built_in()["constraints"]}
    scratch = tempfile.TemporaryDirectory(prefix="drumline-coverage-")
    with scratch as folder, GuardAtHand() as guard:
        place = Path(folder)
        layers: list[coverage.Layer] = [
            JudgeLayer(),
            HookLayer(place, libraries(), guard),
            KernelLayer(place),
        ]
        rows = list(coverage.coverage(rules, layers))
    return rows, coverage.unsound(rows, known.__contains__)


class JudgeLayer:
    """The judge in this process as a layer."""

    name = "judge"

    def refuses(self, probe: dict[str, Any], rules: dict[str, Any]) -> bool | None:
        from drumline.control.policy import Bench
        from drumline.hooks import ruling

        world = ruling.this_machine({"settings": rules["settings"]})
        return not Bench(rules, None, world).rule(probe, lambda _: "/repository").allowed


def hook_words(settings: Settings) -> list[str]:
    """The command of our hook."""
    import sys

    from drumline.hooks import guard

    return [sys.executable, "-I", "-S", str(guard.__file__), state_folder(settings)]


def hook_settings(
    settings: Settings,
    runtime: str,
    user: str = "",
    listeners: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any] | list[str]:
    """What starts an agent CLI with our hooks in it; the compiled rules are brought up to date."""
    from drumline.runtimes import claude_settings, codex_settings

    keep_policy(settings)
    words = hook_words(settings)
    if runtime == "codex":
        return codex_settings.launch_arguments(words, listeners=listeners)
    theirs = claude_settings.inline(user) if user else None
    if user and theirs is None:
        raise BadInput("these settings are not a JSON object", next="give the object itself")
    settings_of_both = claude_settings.fragment(words, user=theirs, listeners=listeners)
    claude_settings.launch_arguments(settings_of_both)  # refuses what would switch our guard off
    return settings_of_both


def changes(folder: str, *, commits: str = "", files: Sequence[str] = ()) -> Changes:
    """What is to be scanned: files, commits, or else what is staged."""
    from time import monotonic

    from drumline.hooks.changes import Commits, Files, Staged

    until = monotonic() + LONGEST_SCAN
    if files:
        return Files(folder, files, until)
    return Commits(folder, commits, until) if commits else Staged(folder, until)
