"""Proofs for teams whose tests are not about them: a launch finds its canary played, as a later one does."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from drumline import settings
from drumline.runtimes import probes_cli, programs
from drumline.runtimes.probes_member import Terms
from drumline.runtimes.rehearsal.launch import Cli
from drumline.wiring import doctoring, manifest_of, open_store
from drumline.wiring.guards import hook_words
from tests.once import once


class Proofs:
    """What test_doctor_live and test_members_live play to Claude Code need not be played for every team."""

    def __init__(self, places: pytest.TempPathFactory) -> None:
        self._places = places

    def keep(self, root: Path) -> None:
        """Leave a proof for each member in Claude Code of the team in this folder."""
        place = settings.find(str(root))
        members = [each for each in manifest_of(place).members if each.runtime == "claude"]
        if not members:
            return
        with closing(open_store(place, reading=True)):
            pass  # a team that is remembered, as proofs are kept with it
        cli = Cli(programs.program("claude"), "claude")
        version = once(self._places, "version-of-claude", lambda _: probes_cli.version_of(cli))
        folder = Path(place.state_root, ".drumline", doctoring.CANARIES)
        folder.mkdir(mode=0o700)
        for member in members:
            terms = Terms(
                hook=hook_words(place),
                tools=member.tools,
                permission_mode=member.permission_mode,
                model=member.model_told,
                arguments=member.arguments,
            )
            told = {"version": version, "proved_at": "an earlier launch"}
            key = probes_cli.key_of(cli, version, terms)
            (folder / f"{key}.json").write_text(json.dumps(told))
        kept = doctoring.kept_proofs(place, members, version)
        assert [member.name for member, proof in kept if proof is None] == []
