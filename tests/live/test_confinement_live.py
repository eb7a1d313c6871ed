"""The real agent CLIs under every layer: they work, and what they run changes only what is theirs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from drumline.runtimes import checkout
from drumline.runtimes.confine import launcher
from drumline.runtimes.toml_value import toml_value
from drumline.team.confinement import Confinement, Environment
from tests.live.agent_cli import binary, run
from tests.live.scripted_model import ScriptedModel, scripted_model
from tests.runtimes.cell import LAW, needs
from tests.runtimes.test_checkout import IDENTITY, git, original

__all__ = ["original"]

COMMANDS = (
    "echo mine > new; git add new; git commit -qm new && git log -1 --format=committed:%s",
    "echo x > {original}/first; echo x > .claude/settings.json; git push -q origin HEAD:main",
    "mktemp && env | grep -c GITHUB_TOKEN",
)


class Member(NamedTuple):
    """A member's folders: its checkout, its home and its temporary folder."""

    checkout: Path
    home: Path
    temporary: Path

    def held(self, port: int, key: str) -> list[str]:
        """The words that hold its CLI to these folders, the model's port and its own key."""
        return launcher(
            Confinement(
                writable=map(str, self),
                holes=checkout.holes_in(self.checkout),
                ports=[port],
                environment=Environment(keep=[key]),
            )
        )


def claude(model: ScriptedModel) -> tuple[list[str], dict[str, str]]:
    quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "IS_SANDBOX")
    said = {"ANTHROPIC_API_KEY": "dummy", "ANTHROPIC_BASE_URL": model.url}
    words = ["-p", "--output-format=json", "--permission-mode=bypassPermissions", "go"]
    return [binary("claude"), *words], said | dict.fromkeys(quiet, "1")


def codex(model: ScriptedModel) -> tuple[list[str], dict[str, str]]:
    provider = {
        "name": "scripted",
        "base_url": f"{model.url}/v1",
        "env_key": "OPENAI_API_KEY",
        "wire_api": "responses",
    }
    settings = (f"model_providers.scripted={toml_value(provider)}", "model_provider=scripted")
    words = ["exec", "--json", "--sandbox=danger-full-access", "-cmodel=scripted-model"]
    chosen = [f"-c{setting}" for setting in settings]
    return [binary("codex"), *words, *chosen, "go"], {"OPENAI_API_KEY": "dummy"}


@pytest.mark.requirement("GUARD-11", "GUARD-22")
@needs("landlock", "mounts", "ports")
@pytest.mark.parametrize(
    ("cli", "key"),
    [(claude, "ANTHROPIC_API_KEY"), (codex, "OPENAI_API_KEY")],
    ids=["claude", "codex"],
)
def test_a_real_agent_works_and_changes_only_what_is_its_own(
    original: Path, cli: Callable[[ScriptedModel], tuple[list[str], dict[str, str]]], key: str
):
    member = Member(*(original.parent / name for name in ("ada", "home", "tmp")))
    checkout.clone(original, member.checkout, "ada")
    member.home.mkdir()
    member.temporary.mkdir()
    before = git(original, "rev-parse", "main")
    with scripted_model(*(each.format(original=original) for each in COMMANDS)) as model:
        words, variables = cli(model)
        own = {"TMPDIR": str(member.temporary), "CODEX_HOME": str(member.home), "GITHUB_TOKEN": LAW}
        held = member.held(model.server_port, key)
        done = run([*held, *words], member.checkout, IDENTITY | variables | own)
        heard = model.heard()
    assert done.code == 0, done
    assert "committed:new" in heard
    assert heard.count("Read-only file system") >= 2
    assert str(member.temporary / "tmp.") in json.dumps(heard)
    assert LAW.strip() not in heard
    assert git(original, "rev-parse", "main") == before
    assert (original / "first").read_text() == "text\n"
    assert git(member.checkout, "log", "--format=%s").split() == ["new", "first"]
