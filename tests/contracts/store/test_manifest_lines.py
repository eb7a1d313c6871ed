"""A manifest changed by its lines: one member comes or goes, and every other byte stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.control import joining
from drumline.errors import BadInput, BadManifest, Conflict, Unknown
from drumline.store.manifest_file import ManifestFile
from drumline.store.manifest_lines import with_member, without_member
from drumline.team.applicant import Applicant, entry

HEAD = "team: atlas\ndescription: d\nlead: human  # a person\nmembers:\n"
ADA = '  - name: ada  # the first\n    role: "builds"\n    tools: [Read]\n    owns: []\n'
BROOK = "  - {name: brook, role: reads, tools: [Read], owns: []}\n"
CLEO = "  - name: cleo\n    role: >\n      folded\n      words\n    tools:\n      - Read\n    owns: []  # none\n"
EVE = (
    "  -  # on a line of its own\n    name: eve\n    role: waits\n    tools: [Read]\n    owns: []\n"
)
ITEM = {"ada": ADA, "brook": BROOK, "cleo": CLEO, "eve": EVE}
DOT = Applicant(
    name="dot", role='says "hi": # no', profile="tester", tools=("Read",), owns=("a/**",)
)
ITEMS = st.lists(st.sampled_from([*ITEM.values()]), min_size=1, max_size=3, unique=True)
BETWEEN = st.sampled_from(["", "\n", "  # a comment\n", "\n  # a comment\n\n"])
TAILS = st.sampled_from(
    ["", "\n", "# the end\n", "settings:\n  max-parallel: 2  # few\n", "\n\n# end"]
)


@st.composite
def manifests(draw):
    items = draw(ITEMS)
    text = HEAD + "".join(draw(BETWEEN) + item for item in items) + draw(TAILS)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@pytest.mark.requirement("TEAM-08")
@given(manifests())
def test_who_is_added_and_removed_again_leaves_the_file_as_it_was(text):
    assert without_member(with_member(text, entry(DOT)), "dot") == text


@pytest.mark.requirement("TEAM-08")
@given(manifests(), st.data())
def test_every_line_of_the_others_and_every_comment_outside_stays(text, data):
    names = [name for name in ITEM if f"name: {name}" in text]
    gone = data.draw(st.sampled_from(names))
    left = without_member(text, gone)
    kept = [line for line in text.split("\n") if "# a comment" in line or "# the end" in line]
    assert [line for line in left.split("\n") if line in kept] == kept
    assert f"name: {gone}" not in left
    for other in set(names) - {gone}:
        assert ITEM[other].strip() in left.replace("\r\n", "\n")


@pytest.mark.requirement("TEAM-08")
def test_a_comment_among_a_members_fields_stays_with_its_member():
    text = f"{HEAD}{ADA}    # until spring\n  # the end\nsettings: {{}}\n"
    added = with_member(text, entry(DOT))
    assert added.startswith(f"{HEAD}{ADA}    # until spring\n  - name: dot\n")
    assert added.endswith("\n  # the end\nsettings: {}\n")


def manifest(tmp_path, text=HEAD + ADA + BROOK):
    place = tmp_path / "team.yaml"
    place.write_text(text, newline="")
    return ManifestFile(str(place), str(tmp_path))


@pytest.mark.requirement("TEAM-08")
def test_a_change_says_exactly_the_new_member_and_nothing_else(tmp_path):
    file = manifest(tmp_path)
    change = joining.joining(file, DOT)
    assert change.member.role == 'says "hi": # no'
    assert [line for line in change.diff.splitlines() if line[0] in "+-"][2:] == [
        "+  - name: dot",
        '+    role: "says \\"hi\\": # no"',
        '+    profile: "tester"',
        '+    tools: ["Read"]',
        '+    owns: ["a/**"]',
    ]


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize(
    ("text", "name", "error", "says"),
    [
        pytest.param(HEAD + ADA, "nobody", Unknown, "no member", id="unknown"),
        pytest.param(HEAD + ADA, "ada", Conflict, "last member", id="the last"),
        pytest.param(
            HEAD.replace("human", "ada") + ADA + BROOK, "ada", Conflict, "leads team", id="the lead"
        ),
        pytest.param(
            HEAD.replace("human", "ada") + ADA + BROOK, "brook", Conflict, "last member", id="all but the lead"
        ),
        pytest.param(
            "team: t\ndescription: d\nlead: human\nmembers: [{name: ada, role: r, tools: [Read], owns: []},"
            " {name: bo, role: r, tools: [Read], owns: []}]\n",
            "bo", Conflict, "lines of their own", id="in brackets",
        ),
    ],
)  # fmt: skip
def test_who_cannot_leave_is_refused_with_the_way_out(tmp_path, text, name, error, says):
    with pytest.raises(error, match=says) as refused:
        joining.leaving(manifest(tmp_path, text), name)
    assert refused.value.next


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize(
    ("who", "error"),
    [
        pytest.param(Applicant(name="ada", role="r", tools=("Read",)), Conflict, id="there already"),
        pytest.param(Applicant(name="../x", role="r", tools=("Read",)), BadInput, id="no name"),
        pytest.param(Applicant(name="dot", role="a\nb", tools=("Read",)), BadInput, id="two lines"),
        pytest.param(Applicant(name="dot", role="r"), BadInput, id="no tools"),
        pytest.param(
            Applicant(name="dot", role="r", tools=("rm -rf",)), BadManifest, id="no such tool"
        ),
        pytest.param(
            Applicant(name="human", role="r", tools=("Read",)), BadManifest, id="a reserved name"
        ),
        pytest.param(
            Applicant(name="dot", role="r", tools=("Read",), runtime="scripted"), BadManifest, id="no scenario"
        ),
    ],
)  # fmt: skip
def test_who_cannot_join_is_refused_before_anything_is_written(tmp_path, who, error):
    file = manifest(tmp_path)
    with pytest.raises(error):
        joining.joining(file, who)
    assert file.read() == HEAD + ADA + BROOK


@pytest.mark.requirement("TEAM-08")
def test_a_shipped_profile_brings_its_tools(tmp_path):
    change = joining.joining(manifest(tmp_path), Applicant(name="dot", role="r", profile="analyst"))
    assert "Read" in change.member.tools


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize("name", ["1", "1e3", "0x1f", "on", "null", "2026-01-01", "dot"])
def test_a_name_stays_the_name_it_is(tmp_path, name):
    change = joining.joining(manifest(tmp_path), Applicant(name=name, role="r", tools=("Read",)))
    assert change.member.name == name


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize("budget", [0.004, 2.505, 3, 10_000.0])
def test_a_budget_stays_the_sum_it_is(tmp_path, budget):
    who = Applicant(name="dot", role="r", tools=("Read",), budget=budget)
    assert joining.joining(manifest(tmp_path), who).member.budget == budget


@pytest.mark.requirement("TEAM-08", "MEM-08")
def test_a_manifest_that_was_edited_meanwhile_keeps_the_edit_and_refuses_the_change(tmp_path):
    file = manifest(tmp_path)
    change = joining.joining(file, DOT)
    edited = HEAD + ADA + BROOK + "# by hand\n"
    (tmp_path / "team.yaml").write_text(edited)
    with pytest.raises(Conflict, match="changed just now"):
        file.replace(change.before, change.after)
    assert file.read() == edited
    assert [each.name for each in tmp_path.iterdir()] == ["team.yaml"]


@pytest.mark.requirement("TEAM-08")
def test_a_replaced_manifest_keeps_its_mode_and_its_link(tmp_path):
    real = tmp_path / "real.yaml"
    real.write_text(HEAD + ADA + BROOK)
    real.chmod(0o640)
    link = tmp_path / "team.yaml"
    link.symlink_to(real)
    file = ManifestFile(str(link), str(tmp_path))
    change = joining.joining(file, DOT)
    file.replace(change.before, change.after)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert "dot" in real.read_text()
