"""Proofs for teams whose tests are not about them: a launch finds its canary played, as a later one does."""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from drumline import settings
from drumline.runtimes import probes_cli, programs
from drumline.runtimes.probes_member import Terms
from drumline.runtimes.rehearsal.launch import Cli
from drumline.team.manifest import MemberEntry
from drumline.wiring import doctoring, manifest_of, open_store
from drumline.wiring.guards import hook_words
from tests.once import once


class Proofs:
    """What test_doctor_live and test_members_live play to the CLIs need not be played for every team."""

    def __init__(self, places: pytest.TempPathFactory) -> None:
        self._places = places

    def keep(self, root: Path) -> None:
        """Leave a proof for each member in an agent CLI of the team in this folder."""
        place = settings.find(str(root))
        with closing(open_store(place, reading=True)):
            pass  # a team that is remembered, as proofs are kept with it
        Path(place.state_root, ".drumline", doctoring.CANARIES).mkdir(mode=0o700)
        everyone = manifest_of(place).members
        for runtime in doctoring.AGENTS:
            if members := [each for each in everyone if each.runtime == runtime]:
                self._keep(place, Cli(programs.program(runtime), runtime), members)

    def _keep(self, place: settings.Settings, cli: Cli, members: Sequence[MemberEntry]) -> None:
        name = f"version-of-{cli.runtime}"
        version = once(self._places, name, lambda _: probes_cli.version_of(cli))
        for member in members:
            terms = Terms(
                hook=hook_words(place),
                tools=member.tools,
                permission_mode=member.permission_mode,
                model=member.model_told,
                arguments=member.arguments,
            )
            told = {"version": version, "proved_at": "an earlier launch"}
            file = f"{probes_cli.key_of(cli, version, terms)}.json"
            Path(place.state_root, ".drumline", doctoring.CANARIES, file).write_text(
                json.dumps(told)
            )
        kept = doctoring.kept_proofs(place, members, version)
        assert [member.name for member, proof in kept if proof is None] == []
