"""Calls as agent CLIs and MCP servers shape them: whatever a field is called, what it does is judged."""

import pytest

from drumline.team.call import Call, effects_of
from drumline.team.named_tool import words_of
from drumline.team.patch import patched_text
from tests.team.judging import ROOT, WORLD, ruled

PATCH = "*** Begin Patch\n  *** Update File: .claude/x\n@@\n-a\n+b\n*** End Patch"


def refused_by(tool: str, given: dict, **standing) -> str:
    return ruled(tool, given, **{"role": "teammate", **standing}).constraint


SHELLS = [
    *("shell", "exec_command", "local_shell", "bash", "PowerShell", "Monitor"),
    *("run_shell_command", "mcp__desk__execute_command", "mcp__x__run_command", "anything"),
]


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("tool", SHELLS)
@pytest.mark.parametrize(
    "given",
    [
        {"command": "git push"},
        {"cmd": "git push"},
        {"command": ["git", "push"]},
        {"command": "ls", "cmd": "git push"},
        {"command": "git push", "cmd": "ls"},
        {"command": "git", "args": ["push"]},
        {"action": {"command": ["git", "push"]}},
    ],
)
def test_a_tool_that_is_given_a_command_is_a_shell(tool, given):
    assert refused_by(tool, given) == "C-TEAM-004"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"command": "git push", "file_path": "a"}),
        ("str_replace_based_edit_tool", {"command": "view", "path": "src/a"}),
        ("TodoWrite", {"command": "git push"}),
        ("mcp__desk__execute_command", {"command": "git status"}),
        ("mcp__push__send_push_notification", {"text": "done"}),
    ],
)
def test_a_tool_for_something_else_is_not(tool, given):
    assert refused_by(tool, given) == ""


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__shell__run", {"commands": ["ls", "git push"]}),
        ("mcp__shell__run", {"script": "git push"}),
        ("mcp__shell__run_command", {"shell_command": "git push"}),
        ("mcp__terminal__execute", {"code": "git push", "language": "bash"}),
        ("mcp__py__run_python", {"code": "import os; os.system('git push')"}),
        ("mcp__ide__executeCode", {"code": "import os; os.system('git push')"}),
        ("PowerShell", {"command": '& "g`it" push'}),
    ],
)
def test_code_that_a_tool_runs_here_is_followed(tool, given):
    assert refused_by(tool, given) == "C-TEAM-004"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__shell__run", {"commands": ["ls", "git status"]}),
        ("mcp__chrome__evaluate_script", {"script": "git push"}),
        ("mcp__py__run_python", {"code": "print('git push')"}),
        ("mcp__docs__search", {"code": "git push"}),
    ],
)
def test_code_that_runs_elsewhere_or_does_nothing_is_let_be(tool, given):
    assert refused_by(tool, given) == ""


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize(
    ("tool", "given", "rule"),
    [
        ("Write", {"file_path": f"{ROOT}/x\n/../.claude/settings.json"}, "C-TEAM-005"),
        ("Write", {"file_path": "x://../.claude/settings.json"}, "C-TEAM-005"),
        ("Edit", {"file_path": f"{ROOT}/x://../.claude/settings.json"}, "C-TEAM-005"),
        ("Write", {"file_path": ".claude/a\nb"}, "C-TEAM-005"),
        ("Write", {"file_path": "file://.claude/x"}, "C-TEAM-005"),
        ("mcp__fs__write_file", {"path": "https://../../.claude/x"}, "C-TEAM-005"),
        ("Read", {"file_path": f"{ROOT}/a\n/../.env"}, "C-SAFE-002"),
        ("mcp__fs__get", {"uri": f"file://{ROOT}/.env"}, "C-SAFE-002"),
        ("Write", {"file_path": ".claude/x", "command": "view"}, "C-TEAM-005"),
        ("memory", {"command": "delete", "path": f"{ROOT}/.claude"}, "C-TEAM-005"),
        ("memory", {"command": "rename", "old_path": ".claude", "new_path": "x"}, "C-TEAM-005"),
        ("mcp__fs__chmod", {"path": ".claude/x", "mode": "777"}, "C-TEAM-005"),
        ("mcp__ed__apply_diff", {"path": ".claude/x", "diff": ""}, "C-TEAM-005"),
        ("mcp__ed__apply_diff", {"diff": "--- a/.claude/x\n+++ b/.claude/x\n"}, "C-TEAM-005"),
        ("mcp__fs__symlink", {"path": "src/x", "target": ".claude/x"}, "C-TEAM-005"),
        ("apply_patch", {"patch": "--- a/.claude/x\n+++ b/.claude/x\n@@ -1 +1 @@\n"}, "C-TEAM-005"),
        ("Grep", {"pattern": ".", "glob": ".en[v]", "output_mode": "content"}, "C-SAFE-002"),
        ("Grep", {"pattern": ".", "glob": "a/.e[mn]v", "output_mode": "content"}, "C-SAFE-002"),
    ],
)
def test_a_path_is_what_the_tool_would_make_of_it(tool, given, rule):
    assert refused_by(tool, given) == rule


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "src/a\nb"}),
        ("mcp__web__fetch", {"path": "https://example.org/.env"}),
        ("memory", {"command": "create", "path": "/memories/a.md", "file_text": "x"}),
        ("memory", {"command": "view", "path": "/memories"}),
        ("apply_patch", {"patch": "--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n"}),
        ("Grep", {"pattern": ".", "glob": "*.[ch]", "output_mode": "content"}),
    ],
)
def test_a_path_that_only_looks_like_one_is_let_be(tool, given):
    assert refused_by(tool, given) == ""


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("field", ["workdir", "cwd", "working_directory"])
@pytest.mark.parametrize("tool", ["shell", "exec_command", "local_shell", "Bash"])
def test_a_command_runs_in_the_folder_it_names(tool, field):
    given = {"command": "touch settings.json", field: ".claude"}
    assert refused_by(tool, given) == "C-TEAM-005"
    assert refused_by(tool, {**given, field: "/repo/src"}) == ""


@pytest.mark.requirement("GUARD-04")
@pytest.mark.parametrize(
    "tool",
    [
        *("Write", "Edit", "MultiEdit", "NotebookEdit", "write", "edit", "replace", "write_file"),
        *("str_replace_editor", "str_replace_based_edit_tool", "update_file", "createFile"),
    ],
)
@pytest.mark.parametrize(
    "given",
    [
        {"file_path": ".claude/x"},
        {"file_path": "src/a", "path": ".claude/x"},
        {"notebook_path": ".claude/x", "file_path": "src/a"},
        {"filepath": ".claude/x"},
        {"file_path": "src/a", "edits": [{"file_path": ".claude/x"}]},
    ],
)
def test_every_path_a_writing_tool_is_given_is_judged(tool, given):
    assert refused_by(tool, given) == "C-TEAM-005"


@pytest.mark.requirement("GUARD-04")
@pytest.mark.parametrize(
    "verb",
    [
        *("writeFile", "write_file", "write-file", "writefile", "update_file", "replace_in_file"),
        *("insert_lines", "patch", "upload", "create_text_file", "moveFiles"),
    ],
)
@pytest.mark.parametrize(
    "field",
    ["path", "relative_path", "absolute_path", "target", "dest", "destination", "filepath", "file"],
)
def test_an_mcp_tool_that_says_it_writes_does(verb, field):
    assert refused_by(f"mcp__files__{verb}", {field: ".claude/x"}) == "C-TEAM-005"


def test_an_mcp_tool_that_says_it_reads_reads():
    assert refused_by("mcp__files__readFile", {"path": ".claude/x"}) == ""
    assert refused_by("mcp__files__readFile", {"path": ".env"}) == "C-SAFE-002"
    assert refused_by("mcp__files__write", {"paths": ["a", ".claude/x"]}) == "C-TEAM-005"
    assert refused_by("mcp__files__save", {"uri": "file:///repo/.claude/x"}) == "C-TEAM-005"
    assert refused_by("mcp__web__save", {"uri": "https://x/.claude/x"}) == ""


@pytest.mark.requirement("GUARD-16")
@pytest.mark.parametrize(
    ("tool", "isolation", "constraint"),
    [
        ("mcp__git__git_push", "own", "C-TEAM-004"),
        ("mcp__git__push", "own", "C-TEAM-004"),
        ("mcp__github__push_files", "own", "C-TEAM-004"),
        ("mcp__github__create_or_update_file", "own", "C-TEAM-004"),
        ("mcp__forge__merge_pull_request", "own", "C-TEAM-004"),
        ("mcp__gitlab__createMergeRequest", "own", "C-TEAM-004"),
        ("mcp__git__git_commit", "shared", "C-TEAM-004"),
        ("mcp__git__git_commit", "own", ""),
        ("mcp__git__git_checkout", "shared", "C-TEAM-004"),
        ("mcp__git__git_create_branch", "shared", "C-TEAM-004"),
        ("mcp__git__git_branch", "shared", ""),
        ("mcp__git__git_status", "shared", ""),
        ("mcp__git__git_diff_staged", "shared", ""),
        ("mcp__github__list_commits", "shared", ""),
        ("mcp__github__get_pull_request", "shared", ""),
    ],
)
def test_a_tool_for_git_is_git(tool, isolation, constraint):
    assert refused_by(tool, {"repo": "r"}, isolation=isolation) == constraint


def test_a_forced_push_by_a_tool_is_one_for_everyone():
    given = {"force": True, "branch": "main"}
    assert refused_by("mcp__git__git_push", given, role="") == "C-SAFE-003"


@pytest.mark.requirement("GUARD-08")
@pytest.mark.parametrize(
    ("given", "constraint"),
    [
        ({"pattern": "KEY", "path": ".env"}, "C-SAFE-002"),
        ({"pattern": "KEY", "glob": ".env", "output_mode": "content"}, "C-SAFE-002"),
        ({"pattern": "KEY", "glob": "**/.env*", "output_mode": "content"}, "C-SAFE-002"),
        ({"pattern": "KEY", "glob": "*.{env,py}", "output_mode": "content"}, "C-SAFE-002"),
        ({"pattern": "KEY", "glob": "*.{ts,py}", "output_mode": "content"}, ""),
        ({"pattern": "KEY", "glob": "{" * 40 + "a,b}" * 40, "output_mode": "content"}, ""),
        ({"pattern": "K", "glob": "{.env,a}", "output_mode": "content"}, "C-SAFE-002"),
        (
            {"pattern": "K", "path": "a", "glob": "secrets/*", "output_mode": "content"},
            "C-SAFE-002",
        ),
        ({"pattern": "KEY", "glob": "!.env", "output_mode": "content"}, ""),
        ({"pattern": "KEY", "glob": ".env", "output_mode": "files_with_matches"}, ""),
        ({"pattern": "KEY", "glob": "*.py", "output_mode": "content"}, ""),
    ],
)
def test_a_search_reads_what_it_names(given, constraint):
    assert refused_by("Grep", given) == constraint


def test_a_list_of_names_reads_nothing():
    assert refused_by("Glob", {"pattern": "**/.env", "path": "secrets"}) == ""


@pytest.mark.requirement("GUARD-05")
@pytest.mark.parametrize("skill", ["Architect", "ARCHITECT", "/Run-Bridge now", "x:SimStim"])
def test_a_skill_is_the_same_in_any_letters(skill):
    assert refused_by("Skill", {"skill": skill}) == "C-TEAM-001"


@pytest.mark.requirement("GUARD-04")
@pytest.mark.parametrize("field", ["command", "input", "patch", "cmd", "patchText"])
def test_a_patch_is_read_in_whatever_field_it_stands(field):
    assert refused_by("apply_patch", {field: PATCH}) == "C-TEAM-005"
    assert refused_by("apply_patch", {"input": "x", field: PATCH}) == "C-TEAM-005"


def test_a_patch_names_the_files_of_its_heads_only():
    text = "*** Add File: a b\n+*** Add File: no\n\t*** Delete File:c\n*** Move to: d\n"
    assert patched_text(text) == ["a b", "c", "d"]


def test_a_name_falls_into_its_words():
    assert words_of("writeFile") == words_of("write_file") == words_of("write-file")
    assert words_of("HTTPGet2Files") == ["httpget2", "files"]


def test_a_value_of_any_kind_in_any_field_is_no_crash():
    for value in (None, 5, [], [1, ["x"]], {"path": {"path": 7}}, True):
        for field in ("command", "cmd", "path", "paths", "workdir", "args", "action", "glob"):
            for tool in ("Bash", "Write", "Grep", "mcp__git__push", "apply_patch", ""):
                effects_of(Call(tool, {field: value}, ROOT), ROOT, WORLD, {})
