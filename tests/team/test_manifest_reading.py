"""Files nobody has promised are manifests: they are read or refused, never a traceback."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.errors import BadManifest
from drumline.store.manifests import SIZE_CAP, read_bytes, read_manifest
from drumline.team.manifest import Manifest, accepted
from tests.trying import tries

VALID = b"""\
team: atlas
description: "A map"
lead: ada
language: {people: English, artefacts: English}
defaults:
  budget: 0.50
members:
  - name: ada
    role: "Leads | delegates"
    tools: [Read, "Bash(git:*)"]
    owns: []
  - name: brook
    role: >-
      Builds
    tools: [Edit]
    owns: ["src/**"]
settings: {lease-by-hand: 60s}
"""
BOMB = b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n"
WORDS = [b": ", b"- ", b"\n", b"\t", b"[", b"{", b"&a ", b"*a", b"!!int ", b"'", b'"', b"|\n", b"\x00",
         b"\xff", b"---\n", b"...\n", b"%YAML 1.1\n", b"? ", b"~", b"1e9999", b"<<: ", b"\xe2\x80\xae",
         b"9" * 5000, b"\r", b"#", b"0x", b"2026-01-01", b".nan", b"\\ud800", b"\xef\xbb\xbf"]  # fmt: skip

settle = settings(
    max_examples=tries(600), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def outcome(raw: bytes) -> Manifest | list[str]:
    try:
        return accepted(read_bytes(raw), "team.yaml")
    except BadManifest as refused:
        return refused.problems


@pytest.mark.requirement("TEAM-02")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b"", "1: found an empty document", id="empty"),
        pytest.param(b"# nothing\n", "found an empty document", id="comments only"),
        pytest.param(b"hello", "found 'hello'; allowed: a mapping with team", id="not a mapping"),
        pytest.param(b"team: a\nx: b: c\n", "2: found broken YAML (mapping values are not allowed", id="syntax"),
        pytest.param(b"team:\n\t- a\n", "2: found broken YAML", id="tabs"),
        pytest.param(b"team: a\n---\nteam: b\n", "2: found a second document", id="two documents"),
        pytest.param(b"team: a\nx: \xff\n", "2: found the byte 0xff, which is not UTF-8", id="not UTF-8"),
        pytest.param(b"team: a\nx: a\x00b\n", "2: found the character '\\x00'", id="NUL"),
        pytest.param(b"#" * (SIZE_CAP + 1), "found more than 262,144 bytes", id="too large"),
        pytest.param(BOMB, "2: b[0]: found the alias *a", id="aliases"),
        pytest.param(b"[" * 5000, "found more than 20 levels of nesting", id="deep nesting"),
        pytest.param(b"team: !!python/object:os.system x\n", "team: found the tag", id="a tag"),
        pytest.param(b"? [a]\n: b\n", "found a list of 1 as a field's name", id="a list as a name"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_manifest_is_refused_by_line(raw, expected):
    told = outcome(raw)
    assert isinstance(told, list)
    assert any(expected in problem for problem in told), told


@pytest.mark.requirement("TEAM-02")
@pytest.mark.parametrize("kind", ["a folder", "a pipe", "nothing"])
def test_what_is_not_a_file_is_refused(tmp_path, kind):
    place = tmp_path / "team.yaml"
    if kind == "a folder":
        place.mkdir()
    elif kind == "a pipe":
        os.mkfifo(place)
    with pytest.raises(BadManifest) as refused:
        read_manifest(str(place), str(tmp_path))
    assert refused.value.problems[0].startswith("team.yaml:1: found ")


@pytest.mark.requirement("TEAM-01")
def test_a_byte_order_mark_and_windows_line_ends_change_nothing():
    assert outcome(b"\xef\xbb\xbf" + VALID.replace(b"\n", b"\r\n")) == outcome(VALID)


@pytest.mark.requirement("TEAM-02")
@settle
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(raw):
    assert isinstance(outcome(raw), Manifest | list)


@pytest.mark.requirement("TEAM-02")
@settle
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    assert isinstance(outcome(text.encode("utf-8", "surrogatepass")), Manifest | list)


@pytest.mark.requirement("TEAM-02")
@settle
@given(
    st.lists(
        st.tuples(st.integers(0, len(VALID)), st.sampled_from(WORDS), st.integers(0, 12)),
        min_size=1,
        max_size=4,
    )
)
def test_any_mutation_of_a_manifest_is_read_or_refused_with_a_line(cuts):
    raw = VALID
    for at, word, gone in cuts:
        raw = raw[:at] + word + raw[at + gone :]
    told = outcome(raw)
    if isinstance(told, list):
        assert told
        assert all(problem.split(":")[1].isdigit() for problem in told)
        assert all(problem.isprintable() for problem in told), told
