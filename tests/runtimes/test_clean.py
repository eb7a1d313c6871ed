"""A clean environment has nothing of ours in it and leads nowhere but to the model on loopback."""

import json
import tomllib

import pytest

from drumline.runtimes.clean import (
    Place,
    claude_arguments,
    claude_environment,
    codex_arguments,
    codex_environment,
    environment,
)

HERE = Place("/x/home", "/x/tmp")
URL = "http://127.0.0.1:5000/ada"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
def test_every_way_out_leads_nowhere(name):
    found = environment(HERE)
    assert found[name] == found[name.lower()] == "http://127.0.0.1:9"
    assert found["NO_PROXY"] == found["no_proxy"] == "127.0.0.1,localhost"


def test_claude_finds_its_model_and_nothing_else():
    found = claude_environment(HERE, URL, retries=2)
    assert found["ANTHROPIC_BASE_URL"] == URL
    assert found["HOME"] == "/x/home"
    assert found["TMPDIR"] == "/x/tmp"
    assert found["CLAUDE_CODE_MAX_RETRIES"] == "2"
    off = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER")
    assert {found[name] for name in (*off, "DISABLE_ERROR_REPORTING")} == {"1"}


def test_only_root_says_that_it_is_in_a_sandbox():
    assert "IS_SANDBOX" not in claude_environment(HERE, URL)
    assert claude_environment(HERE, URL, as_root=True)["IS_SANDBOX"] == "1"


def test_claude_is_asked_for_lines_and_for_an_answer_with_a_schema():
    words = claude_arguments(model="haiku", schema={"type": "object"}, mode="dontAsk")
    assert words[words.index("--json-schema") + 1] == json.dumps({"type": "object"})
    assert {"-p", "--output-format=stream-json", "--model=haiku"} <= set(words)
    assert "--permission-mode=dontAsk" in words
    assert "--json-schema" not in claude_arguments()


def test_codex_finds_its_model_and_keeps_to_its_home():
    assert codex_environment(HERE)["CODEX_HOME"] == "/x/home"
    words = codex_arguments(URL, model="gpt", retries=1, schema_file="/x/s.json")
    settings = [words[at + 1] for at, word in enumerate(words) if word == "-c"]
    read = tomllib.loads("\n".join(settings))
    provider = read["model_providers"][read["model_provider"]]
    assert provider["base_url"] == f"{URL}/v1"
    assert provider["env_key"] in codex_environment(HERE)
    assert (provider["request_max_retries"], provider["stream_max_retries"]) == (1, 1)
    assert (read["model"], read["analytics"]) == ("gpt", {"enabled": False})
    assert words[words.index("--output-schema") + 1] == "/x/s.json"


def test_codex_has_a_model_of_no_name_unless_one_is_given():
    assert '-c model="rehearsal"' in " ".join(codex_arguments(URL))
