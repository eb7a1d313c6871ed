"""The judge on tools other than the shell, and on who is asking."""

import pytest

from drumline.hooks.ruling import real_path
from drumline.team import registry
from drumline.team.call import Call, World
from drumline.team.judge import judge
from drumline.team.standing import Standing
from tests.team.judging import POLICY, ROOT, WORLD, command, ruled

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Move to: {}\n*** End Patch"


@pytest.mark.requirement("GUARD-04")
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
@pytest.mark.parametrize(
    ("path", "decision"),
    [
        pytest.param(".claude/settings.json", "deny", id="system zone"),
        pytest.param("src/../.claude/x", "deny", id="dots"),
        pytest.param("/repo//.claude/./x", "deny", id="doubled slashes"),
        pytest.param(".Claude/settings.json", "deny", id="another case"),
        pytest.param(".run/state.json", "deny", id="top-level state"),
        pytest.param(".run/bugs/bug-1/state.json", "allow", id="sub-folder of state"),
        pytest.param(".run/audit.jsonl", "deny", id="append-only log"),
        pytest.param("grimoires/loa/NOTES.md", "deny", id="append-only notes"),
        pytest.param("app/src/foo.ts", "allow", id="a project file"),
        pytest.param(".claudette/x", "allow", id="a name that only begins alike"),
    ],
)
def test_an_editing_tool_leaves_the_leads_files_alone(tool, path, decision):
    given = {"notebook_path" if tool == "NotebookEdit" else "file_path": path}
    assert ruled(tool, given, role="teammate").decision == decision


@pytest.mark.requirement("GUARD-04")
def test_every_path_of_a_patch_is_judged():
    assert ruled("apply_patch", {"command": PATCH.format("src/b.py")}, role="teammate").allowed
    ruling = ruled("apply_patch", {"command": PATCH.format(".claude/b.py")}, role="teammate")
    assert ruling.constraint == "C-TEAM-005"


@pytest.mark.requirement("GUARD-04")
def test_a_link_is_followed_before_it_is_judged(tmp_path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / "innocent").symlink_to(tmp_path / ".claude")
    world = World(read=WORLD.read, real=real_path, home="/home/u", temporary=("/nowhere",))
    standing = Standing({"role": "teammate", "isolation": "shared"}, str(tmp_path))
    for call in (
        Call("Write", {"file_path": "innocent/settings.json"}, str(tmp_path)),
        Call("Bash", {"command": "echo x > innocent/settings.json"}, str(tmp_path)),
    ):
        assert judge(call, standing, POLICY, world).constraint == "C-TEAM-005"


@pytest.mark.requirement("GUARD-05")
@pytest.mark.parametrize(
    ("skill", "decision"),
    [
        ("plan-and-analyze", "deny"),
        ("architect", "deny"),
        ("projectSettings:simstim", "deny"),
        ("/run-bridge now", "deny"),
        ("implement", "allow"),
        ("review-sprint", "allow"),
        ("planner", "allow"),
        ("unheard-of", "allow"),
    ],
)
def test_planning_skills_are_the_leads(skill, decision):
    assert ruled("Skill", {"skill": skill}, role="teammate").decision == decision
    assert ruled("Skill", {"skill": skill}, role="lead").allowed


@pytest.mark.requirement("GUARD-05")
def test_both_lists_of_skills_are_shipped():
    settings = registry.built_in()["settings"]
    assert len(settings["lead_only_skills"]) == 16
    assert len(settings["teammate_skills"]) == 10


@pytest.mark.requirement("GUARD-06", "PIPE-17")
@pytest.mark.parametrize(
    ("tool", "given", "standing", "constraint"),
    [
        ("TaskOutput", {}, {"role": "lead"}, "C-LEAD-002"),
        ("Edit", {"file_path": "src/a.py"}, {"role": "lead"}, "C-LEAD-001"),
        ("Edit", {"file_path": ".run/plan.json"}, {"role": "lead"}, ""),
        ("TaskCreate", {}, {"role": "teammate", "preset": "constitution-4"}, "C-TASK-001"),
        ("TaskUpdate", {}, {"role": "teammate", "preset": "constitution-4"}, "C-TASK-001"),
        ("TaskUpdate", {}, {"role": "teammate", "preset": "constitution-10"}, ""),
        ("TaskCreate", {}, {"role": "teammate", "preset": "constitution-10"}, "C-TASK-002"),
        ("TaskList", {}, {"role": "teammate", "preset": "constitution-4"}, ""),
        ("Agent", {"prompt": "x", "name": "y"}, {"role": "teammate"}, "C-TASK-004"),
        ("Agent", {"prompt": "x"}, {"role": "teammate"}, "C-TASK-005"),
        ("Agent", {"prompt": "x", "run_in_background": False}, {"role": "teammate"}, ""),
        ("Agent", {"prompt": "x", "run_in_background": True}, {"role": "lead"}, ""),
        ("AskUserQuestion", {}, {"role": "teammate"}, "C-TASK-003"),
        ("SendMessage", {"to": "lead"}, {"role": "teammate"}, ""),
        ("mcp__files__write_file", {"path": ".claude/x"}, {"role": "teammate"}, "C-TEAM-005"),
        ("mcp__files__read_file", {"path": ".claude/x"}, {"role": "teammate"}, ""),
    ],
)
def test_tools_are_judged_by_role_and_preset(tool, given, standing, constraint):
    assert ruled(tool, given, **standing).constraint == constraint


@pytest.mark.requirement("GUARD-07")
@pytest.mark.parametrize(
    ("path", "standing", "constraint"),
    [
        ("docs/a.md", {"owns": ["src/**"]}, "C-OWN-001"),
        ("src/a.py", {"owns": ["src/**"]}, ""),
        ("src/a.py", {"owns": ["src/**"], "files": ["src/b/**"]}, "C-OWN-002"),
        ("src/b/c.py", {"owns": ["src/**"], "files": ["src/b/**"]}, ""),
        ("docs/a.md", {"owns": ["src/**"], "integrator": True}, ""),
        ("/elsewhere/a", {"owns": ["src/**"]}, ""),
        ("/tmp/a", {"owns": ["src/**"]}, ""),
    ],
)
def test_a_member_writes_what_it_owns_and_its_task_holds(path, standing, constraint):
    by_tool = ruled("Write", {"file_path": path}, role="teammate", **standing)
    by_shell = command(f"echo x > {path}", **standing)
    assert (by_tool.constraint, by_shell.constraint) == (constraint, constraint)


@pytest.mark.requirement("GUARD-09", "TEAM-09")
@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("git push", "allow"),
        ("br close 1", "allow"),
        ("echo x > .claude/x", "allow"),
        ("unset LOA_TEAM_MEMBER", "allow"),
        ("rm -rf /", "deny"),
        ("cat .env", "deny"),
        ("git push --force origin main", "deny"),
    ],
)
def test_outside_a_team_only_the_rules_for_everyone_hold(text, decision):
    assert command(text, role="").decision == decision


@pytest.mark.requirement("GUARD-10")
def test_a_refusal_says_what_why_and_the_way_out():
    said = command("cd x && git push").sentence()
    what, why, following = said.split("\n")
    assert what == "refused: `git push` [C-TEAM-004]"
    assert why.startswith("why: ")
    assert following.startswith("next: ")
    assert len(following) > 20


@pytest.mark.requirement("GUARD-16")
@pytest.mark.parametrize(
    ("text", "isolation", "decision"),
    [
        ("git commit -m x", "shared", "deny"),
        ("git commit -m x", "own", "allow"),
        ("git checkout -b drumline/ada/parser", "own", "allow"),
        ("git push origin work", "own", "deny"),
        ("git tag v1", "own", "deny"),
        ("git branch -f main HEAD", "own", "deny"),
        ("git config user.name x", "own", "deny"),
        ("git checkout main && git commit -m x", "own", "deny"),
        ("git rebase origin/main", "own", "allow"),
        ("git merge origin/main", "own", "allow"),
        ("echo x > .git/hooks/pre-commit", "own", "deny"),
        ("git branch other-members-branch", "own", "deny"),
    ],
)
def test_git_writes_depend_on_whose_checkout_it_is(text, isolation, decision):
    standing = {"isolation": isolation, "branches": ["drumline/ada/*"]}
    assert command(text, **standing).decision == decision


@pytest.mark.requirement("GUARD-19")
@pytest.mark.parametrize("role", ["lead", "teammate"])
@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("rm .drumline/state.db", "deny"),
        ("echo {} > .drumline/policy/current", "deny"),
        ("cp x .drumline/standing/ada.json", "deny"),
        ("echo x >> .drumline/audit/current.jsonl", "deny"),
        ("mv x .drumline/spool/incoming/x.json", "allow"),
        ("cat .drumline/home", "allow"),
    ],
)
def test_no_member_changes_what_the_rules_rest_on(role, text, decision):
    assert command(text, role=role).decision == decision


@pytest.mark.requirement("GUARD-21")
@pytest.mark.parametrize(
    ("tool", "given", "tools", "decision"),
    [
        ("Write", {"file_path": "a"}, ["Read"], "deny"),
        ("Read", {"file_path": "a"}, ["Read"], "allow"),
        ("Bash", {"command": "git log"}, ["Bash(git:*)"], "allow"),
        ("Bash", {"command": "git log && npm test"}, ["Bash(git:*)"], "deny"),
        ("Bash", {"command": "cd src; git diff | cat"}, ["Bash(git:*)", "Bash(cat:*)"], "allow"),
        ("Bash", {"command": "bash -c 'npm test'"}, ["Bash(bash:*)"], "deny"),
        ("Bash", {"command": "npm run test:unit"}, ["Bash(npm run test:*)"], "allow"),
        ("Bash", {"command": "npm publish"}, ["Bash(npm run test:*)"], "deny"),
        ("mcp__lab__add", {}, ["mcp__lab__*"], "allow"),
        ("mcp__other__add", {}, ["mcp__lab__*"], "deny"),
        ("Bash", {"command": "ls"}, ["Bash"], "allow"),
    ],
)
def test_a_members_tools_list_is_kept_for_every_runtime(tool, given, tools, decision):
    assert ruled(tool, given, role="teammate", tools=tools).decision == decision


@pytest.mark.requirement("GUARD-20")
def test_a_member_cannot_change_its_own_identity():
    for text in ("DRUMLINE_ROLE=lead br close 1", "export LOA_TEAM_ID=x", "env -u LOA_TRACE_ID ls"):
        assert command(text).constraint == "C-TEAM-006"


@pytest.mark.parametrize("protocol", ["unverified", "paused"])
def test_a_member_that_is_not_verified_only_looks(protocol):
    assert command("git diff", protocol=protocol).allowed
    assert command("touch x", protocol=protocol).constraint == "C-PROTO-001"
    assert (
        ruled("Agent", {"prompt": "x"}, role="teammate", protocol=protocol).constraint
        == "C-PROTO-001"
    )


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize(
    ("text", "isolation", "decision"),
    [
        ("cat list | xargs rm", "shared", "deny"),
        ("cat list | xargs rm", "own", "allow"),
        ("tar xf a.tar", "shared", "deny"),
        ("tar xf a.tar", "own", "allow"),
        ("tar xf a.tar -C .claude", "own", "deny"),
        ('cp x "$DEST"', "shared", "allow"),
        ('cp x "$(cat dest)"', "shared", "deny"),
    ],
)
def test_what_cannot_be_told_is_refused_only_where_it_may_reach_something(
    text, isolation, decision
):
    ruling = command(text, isolation=isolation)
    assert ruling.decision == decision


def test_the_root_is_never_taken_for_a_temporary_folder():
    standing = Standing({"role": "lead"}, "/tmp/work/repo")
    call = Call("Bash", {"command": "rm -rf src"}, "/tmp/work/repo")
    assert judge(call, standing, POLICY, WORLD).constraint == "C-SAFE-001"


@pytest.mark.requirement("GUARD-16")
@pytest.mark.parametrize(
    ("head", "text", "decision"),
    [
        ("drumline/ada/work", "git commit -m x", "allow"),
        ("main", "git commit -m x", "deny"),
        ("someone-elses", "git commit -m x", "deny"),
        ("main", "git checkout -b drumline/ada/new && git commit -m x", "allow"),
        ("drumline/ada/work", "git switch main && git commit -m x", "deny"),
        ("main", "git switch drumline/ada/work && git commit -m x", "allow"),
        ("", "git commit -m x", "allow"),
    ],
)
def test_the_branch_a_checkout_stands_on_decides_who_may_commit(head, text, decision):
    world = World(read=WORLD.read, real=WORLD.real, home="/home/u", branch=lambda _: head)
    standing = {"role": "teammate", "isolation": "own", "branches": ["drumline/ada/*"]}
    assert ruled("Bash", {"command": text}, world=world, **standing).decision == decision


@pytest.mark.requirement("GUARD-08")
def test_a_home_in_a_temporary_folder_is_still_a_home():
    world = World(read=WORLD.read, real=WORLD.real, home="/tmp/home", temporary=("/tmp",))
    for text in ("cat ~/.ssh/id_rsa", "rm -rf ~/work", "rm -rf ~"):
        assert not ruled("Bash", {"command": text}, world=world, role="lead").allowed


@pytest.mark.requirement("GUARD-08")
@pytest.mark.parametrize("role", ["", "lead", "teammate"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "touch " + " ".join(f"f{n}" for n in range(400)) + "; rm -rf /", id="many files"
        ),
        pytest.param("ls;" * 3100 + "rm -rf /", id="many commands"),
        pytest.param("( " * 160 + "rm -rf /" + " )" * 160, id="many brackets"),
        pytest.param("echo " + "word " * 3000 + "; rm -rf /", id="many words"),
        pytest.param("x=" + "$(echo a)" * 900 + "; rm -rf /", id="many substitutions"),
    ],
)
def test_size_is_no_way_past_a_rule_for_everyone(text, role):
    assert not command(text, role).allowed


STATE = "/tmp/team/.drumline"
IN_ITS_CHECKOUT = {
    "role": "teammate",
    "isolation": "own",
    "root": f"{STATE}/checkouts/ada",
    "repository": "/tmp/team",
}
WITH_ITS_OWN = World(
    read=WORLD.read,
    real=WORLD.real,
    home=f"{STATE}/homes/ada",
    temporary=(f"{STATE}/tmp/ada", "/tmp"),
)


@pytest.mark.requirement("GUARD-08", "GUARD-19")
@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("echo x > parts/one.txt", True),
        ("mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/y", True),
        (f"rm -rf {STATE}/tmp/ada/build", True),
        ("echo x > $TMPDIR/y", True),
        ("rm -rf /tmp/elsewhere", True),
        (f"echo x > {STATE}/policy/current", False),
        (f"echo x > {STATE}/homes/brook/.profile", False),
        (f"rm -rf {STATE}/tmp/brook", False),
        ("echo x > ../brook/parts/one.txt", False),
        ("echo x > /tmp/team/.claude/team.yaml", False),
        ("echo x > /tmp/team/.git/refs/heads/main", False),
        ("rm -rf /tmp/team", False),
    ],
)
def test_a_member_in_its_checkout_has_its_own_folders_and_nobody_elses(text, allowed):
    given = {"command": text}
    found = ruled("Bash", given, cwd=IN_ITS_CHECKOUT["root"], world=WITH_ITS_OWN, **IN_ITS_CHECKOUT)
    assert found.allowed is allowed, (found.constraint, found.what, found.why)


@pytest.mark.requirement("GUARD-03", "GUARD-08")
@pytest.mark.parametrize("isolation", ["shared", "own"])
@pytest.mark.parametrize(
    ("text", "constraint"),
    [
        ("cat ~bob/.ssh/id_rsa", "C-SAFE-002"),
        ("rsync -a --delete empty/ .claude/", "C-TEAM-005"),
        ("unzip -d .claude x.zip", "C-TEAM-005"),
        ("unzip x.zip -d .drumline", "C-TEAM-007"),
        ("parallel git push origin :::: remotes.txt", "C-TEAM-004"),
        ("parallel git push ::: origin", "C-TEAM-004"),
    ],
)
def test_what_a_program_is_told_by_its_options_counts(text, constraint, isolation):
    assert command(text, isolation=isolation).constraint == constraint


@pytest.mark.requirement("GUARD-21")
def test_a_denied_tool_is_refused_whatever_else_is_allowed():
    found = ruled("Bash", {"command": "ls"}, role="teammate", denied_tools=["Bash"])
    assert found.constraint == "C-TOOL-001"


@pytest.mark.requirement("GUARD-21")
@pytest.mark.parametrize("tool", ["StructuredOutput", "ToolSearch", "mcp__drumline__task_list"])
def test_what_a_member_needs_to_answer_is_on_every_list(tool):
    assert ruled(tool, {}, role="teammate", tools=["Read"]).allowed


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize(
    ("tool", "lost", "allowed"),
    [
        ("WebSearch", ["lab"], False),
        ("WebFetch", ["lab"], False),
        ("web_search", ["lab"], False),
        ("WebSearch", [], True),
        ("Read", ["lab"], True),
        ("mcp__maps__find", ["lab"], True),
    ],
)
def test_no_web_tool_stands_in_for_a_server_a_task_does_without(tool, lost, allowed):
    found = ruled(tool, {"query": "x"}, role="teammate", lost_servers=lost)
    assert found.allowed is allowed
    assert allowed or (found.constraint, found.what) == ("C-TOOL-002", f"{tool} in place of lab")


@pytest.mark.requirement("GUARD-01")
@pytest.mark.parametrize(("phase", "allowed"), [("plan", False), ("build", True), ("", True)])
def test_a_rule_for_a_phase_holds_in_that_phase_alone(phase, allowed):
    rule = {
        **next(each for each in POLICY["constraints"] if each["id"] == "C-SAFE-001"),
        "id": "C-OURS-001",
        "applies": {"phases": ["plan"]},
        "refuse": [{"program": ["make"]}],
    }
    policy = {**POLICY, "constraints": [rule]}
    call = Call("Bash", {"command": "make"}, ROOT)
    standing = Standing({"role": "teammate", "phase": phase}, ROOT)
    assert judge(call, standing, policy, WORLD).allowed is allowed


@pytest.mark.requirement("GUARD-19")
def test_a_member_without_a_checkout_has_its_own_temporary_folder_too():
    standing = {"role": "teammate", "isolation": "shared", "root": "/tmp/team"}
    for text, allowed in (
        (f"echo x > {STATE}/tmp/ada/y", True),
        (f"echo x > {STATE}/tmp/brook/y", False),
    ):
        given = {"command": text}
        assert ruled("Bash", given, world=WITH_ITS_OWN, **standing).allowed is allowed
