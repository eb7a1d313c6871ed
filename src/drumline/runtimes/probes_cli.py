"""An agent CLI under probes: its version, all that is played to it, and the canary a launch stands on."""

import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from drumline.errors import Unknown
from drumline.runtimes import clean, probes, probes_member, probes_session, probes_table
from drumline.runtimes.claude import ClaudeRuntime
from drumline.runtimes.codex import CodexRuntime
from drumline.runtimes.probes import Player, Scene, Seen
from drumline.runtimes.probes_member import Terms
from drumline.runtimes.rehearsal.launch import Cli
from drumline.team.probe import Probed, Proof

ABLE = {"claude": ClaudeRuntime.able, "codex": CodexRuntime.able}
TELLING = 30.0  # seconds a CLI has to say its version
SHOWN = 200
_VERSION = re.compile(r"\b[0-9]+\.[0-9]+\.[0-9]+[\w.+-]*")


def probe_all(cli: Cli, terms: Terms, tell: Callable[[str], None]) -> Probed:
    """Play every scene of the CLI's runtime; what each probe came to."""
    version = version_of(cli)
    table, unclaimed = probes_table.table(cli.runtime, ABLE[cli.runtime])
    scenes = probes_table.scenes(cli.runtime)
    found = probes.proofs(table, scenes, _player(cli, terms), tell)
    return Probed(
        runtime=cli.runtime,
        version=version,
        program=cli.program,
        proofs=tuple(found),
        unclaimed=tuple(unclaimed),
    )


def catalogue(runtime: str) -> dict[str, str]:
    """What can be shown of a runtime: each probe's name, and what it shows."""
    table, _ = probes_table.table(runtime, ABLE[runtime])
    return {probe.name: probe.shows for probe in table}


def probe_one(cli: Cli, terms: Terms, name: str) -> Proof:
    """Play the scene of one probe; the canary has one of its own, which is shorter."""
    if name == probes_table.CANARY:
        return canary(cli, terms)
    table, _ = probes_table.table(cli.runtime, ABLE[cli.runtime])
    wanted = [probe for probe in table if probe.name == name]
    if not wanted:
        raise Unknown(
            f"no probe {name[:80]!r} of {cli.runtime}", next=f"drumline claim probes {cli.runtime}"
        )
    scenes = probes_table.scenes(cli.runtime)
    (found,) = probes.proofs(wanted[:1], scenes, _player(cli, terms), lambda _: None)
    return found


def canary(cli: Cli, terms: Terms) -> Proof:
    """Play the canary alone: the same program, arguments and settings as a member's launch."""
    of_claude = "Bash" in terms.tools and terms.permission_mode != "plan"
    shell = cli.runtime != "claude" or of_claude
    probe, scene = probes_table.canary(shell=shell)
    (found,) = probes.proofs([probe], {probe.scene: scene}, _player(cli, terms), lambda _: None)
    return found


def version_of(cli: Cli) -> str:
    """The version a CLI says it is."""
    with TemporaryDirectory(prefix="drumline-probe-", ignore_cleanup_errors=True) as folder:
        try:
            done = subprocess.run(  # noqa: S603 - the CLI that was named
                [cli.program, "--version"],
                env=clean.environment(clean.Place(folder, folder)),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=TELLING,
            )
            said = done.stdout.strip()
        except subprocess.TimeoutExpired:
            said = ""
        except OSError as error:
            raise _no_cli(cli, str(error.strerror)) from error
    found = _VERSION.search(said)
    if found is None:
        raise _no_cli(cli, f"asked for its version it said {said[:SHOWN]!r}")
    return found[0]


def key_of(cli: Cli, version: str, terms: Terms) -> str:
    """What a canary's proof is good for: this program, this version, these settings, this Drumline."""
    program = Path(cli.program).resolve()
    found = program.stat()
    told = {
        "program": [str(program), found.st_size, found.st_mtime_ns],
        "version": version,
        "runtime": cli.runtime,
        "terms": [
            list(terms.hook),
            list(terms.tools),
            terms.permission_mode,
            terms.model,
            list(terms.arguments),
        ],
        "ours": _own_words(terms),
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _own_words(terms: Terms) -> str:
    """A digest of our own side of a launch and of its hook, which a later Drumline may do otherwise."""
    hooks = {Path(word).parent for word in terms.hook if word.endswith(".py")}
    folders = (Path(__file__).parent, *sorted(hooks))
    files = (path for folder in folders for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _player(cli: Cli, terms: Terms) -> Player:
    def play(scene: Scene, seconds: float) -> Seen:
        # what a stopped CLI still writes must not turn a played scene into an error
        with TemporaryDirectory(prefix="drumline-", ignore_cleanup_errors=True) as place:
            folder = Path(place).resolve()
            if scene.on == "member":
                return probes_member.play(cli, terms, scene, folder, seconds)
            return probes_session.play(cli, scene, folder, seconds)

    return play


def _no_cli(cli: Cli, why: str) -> Unknown:
    return Unknown(
        f"{cli.program} is no {cli.runtime} that can be probed",
        why=why,
        next="name the agent CLI's own program: --cli PATH",
    )
