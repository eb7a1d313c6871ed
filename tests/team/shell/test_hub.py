"""What code hosts' clients, other version control and release tools do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.shell import git
from drumline.team.shell.effect import HOLE, OUTER, STAR
from drumline.team.shell.hub import PROGRAMS, effects
from tests.team.shell.telling import Recording, table, told, words_of


def hub(command):
    return told(effects(words_of(command), Recording("/repo", "/home/ada")))


LOOKING = [
    "gh",
    "gh --version",
    "gh --help",
    "gh help pr",
    "gh pr",
    "gh pr --help",
    "gh pr merge --help",
    "gh pr list --state all",
    "gh pr view 12 --json title",
    "gh -R a/b pr view 12",
    "gh pr -R a/b list",
    "gh pr view merge",
    "gh pr list --search 'merge close'",
    "gh pr status",
    "gh pr diff <any>",
    "gh pr checks --watch",
    "gh issue list -l create",
    "gh issue view 3",
    "gh issue develop --list 3",
    "gh release list",
    "gh release view v1",
    "gh repo view a/b",
    "gh repo list",
    "gh repo deploy-key list",
    "gh repo set-default --view",
    "gh run list",
    "gh run view 1 --log-failed",
    "gh run watch 1",
    "gh workflow list",
    "gh secret list",
    "gh variable get X",
    "gh label list",
    "gh gist view x",
    "gh auth status",
    "gh alias list",
    "gh extension search x",
    "gh search issues bug",
    "gh browse",
    "gh status",
    "gh dash",
    "gh api repos/a/b/pulls",
    "gh api -X GET search/issues -f q=bug",
    "gh api --method=get x -F a=b",
    "gh api x --jq '.[] | .delete' --paginate",
    "gh api repos/<any>/b -H 'X: POST'",
    "gh api graphql -f query='query { viewer { login } }'",
    "gh api graphql -f query='{ viewer { login } }' -F owner=x",
    "glab mr list",
    "glab mr view 3",
    "glab ci status",
    "glab ci trace x",
    "glab ci lint",
    "glab issue list",
    "glab api projects",
    "hub status",
    "hub ci-status",
    "hub browse",
    "hub release",
    "hub issue",
    "hub issue show 3",
    "hub pr list",
    "hub pull-request --help",
    "hg status",
    "hg log -r tip",
    "hg stat",
    "hg branch",
    "hg bookmarks",
    "hg help commit",
    "hg commit --help",
    "svn status",
    "svn log -r 1:2",
    "svn info https://x/y",
    "jj log -r main",
    "jj st",
    "jj op log",
    "jj bookmark list",
    "jj git remote list",
    "bzr log",
    "npm version",
    "npm install version",
    "npm run version",
    "npm view version x",
    "yarn version --help",
    "pnpm install",
    "cargo build --release",
    "cargo test release",
    "cargo release --dry-run",
    "bump2version --dry-run patch",
    "bumpversion --no-commit patch",
    "bump-my-version show current_version",
    "cz check --rev-range main..",
    "cz bump --dry-run",
    "standard-version --dry-run",
    "semantic-release --dry-run",
    "lerna run build",
    "lerna version --no-git-tag-version",
]


@pytest.mark.parametrize("command", LOOKING)
def test_looking_does_nothing(command):
    assert hub(command) == ""


@pytest.mark.parametrize(
    "command",
    [
        "gh pr create --fill",
        "gh pr create -t --help -b --help",
        "gh -R a/b pr merge 3 --squash",
        "gh --repo=a/b pr merge 3",
        "gh -Ra/b pr merge 3",
        "gh pr -R a/b merge 3",
        "gh pr close 3",
        "gh pr edit 3 --add-label list",
        "gh pr ready",
        "gh pr comment 3 -b view",
        "gh pr review --approve",
        "gh pr reopen 3",
        "gh pr lock 3",
        "/usr/bin/gh pr merge 3",
        "gh issue create -t x",
        "gh issue close 3",
        "gh issue develop 3",
        "gh release create v1",
        "gh release delete v1 -y",
        "gh release upload v1 f",
        "gh repo create x --public",
        "gh repo delete x --yes",
        "gh repo edit --visibility public",
        "gh repo rename y",
        "gh repo fork",
        "gh repo sync",
        "gh repo archive x",
        "gh repo deploy-key add key",
        "gh workflow run ci.yml",
        "gh workflow disable ci.yml",
        "gh run rerun 1",
        "gh run cancel 1",
        "gh run delete 1",
        "gh secret set X -b y",
        "gh variable delete X",
        "gh label create x",
        "gh label clone a/b",
        "gh gist create f",
        "gh auth login",
        "gh auth logout",
        "gh alias set co 'pr checkout'",
        "gh extension install a/b",
        "gh cache delete --all",
        "gh project item-add 1",
        "gh api -X DELETE repos/a/b",
        "gh api -XDELETE repos/a/b",
        "gh api repos/a/b --method delete",
        "gh api repos/a/b --method=PATCH",
        "gh api -X GET --method DELETE repos/a/b",
        "gh api -iXPOST repos/a/b",
        "gh api -X <any> repos/a/b",
        "gh api repos/a/b/issues -f title=x",
        "gh api repos/a/b/issues -F title=x",
        "gh api repos/a/b/issues --input body.json",
        "gh api graphql -f query='mutation { x }'",
        "gh api graphql -F query=@f.graphql",
        "gh api graphql -f query=<any>",
        "gh api graphql --input q.json",
        "glab mr create --fill",
        "glab mr merge 3",
        "glab mr approve 3",
        "glab issue close 3",
        "glab ci run",
        "glab ci retry 3",
        "glab release create v1",
        "glab api -X POST projects",
        "hub pull-request -m x",
        "hub create",
        "hub fork",
        "hub delete x",
        "hub release create v1",
        "hub issue create -m x",
        "hub pr merge 3",
        "hub -C sub pull-request",
        "hub api -X DELETE x",
    ],
)
def test_what_changes_the_code_host_is_said(command):
    assert hub(command) == "hub"


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "gh pr checkout 3": "work-tree",
            "gh co 3": "work-tree",
            "gh pr checkout 3 -b x": "work-tree:x",
            "gh pr checkout 3 --force": "work-tree + discard",
            "glab mr checkout 3": "work-tree",
            "hub pr checkout 3": "work-tree",
            "gh repo clone a/tool": "write /repo/tool/**",
            "gh repo clone a/tool /x": "write /x/**",
            "gh repo clone a/tool -- --depth=1": "write /repo/tool/**",
            "gh repo clone a/tool -- -c core.sshCommand=evil": "write /repo/tool/** + sh(evil)",
            "gh run download 1 -D out": "write /repo/out/**",
            "gh run download 1": "write /repo/**",
            "gh release download v1 -O x.tgz": "write /repo/x.tgz",
            "gh repo set-default a/b": "config:remote",
            "gh auth token": "danger gh auth token",
            "gh auth status -t": "danger gh auth status",
            "gh auth git-credential get": "danger gh auth git-credential",
            "hub sync": "fetch + ref:<any>",
            "hub push -f origin main": "push:main + force-push:main",
            "hub clone a/tool": "write /repo/tool/**",
            "hub commit -nm x": "commit + hooks-skipped",
            "gh <any>": "undecided git",
            "gh pr <any> 3": "undecided git",
            "gh api <any>": "undecided git",
            "gh api -<any> x": "undecided git",
            "hub <any>": "undecided git",
        }
    ),
)
def test_what_is_changed_here_is_told_as_git_would(command, expected):
    assert hub(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "hg commit -m push": "commit",
            "hg ci": "commit",
            "hg com -m x": "commit",
            "hg --cwd push commit": "commit",
            "hg push": "push",
            "hg push -f": "push + force-push",
            "hg pus": "push",
            "hg pull": "fetch",
            "hg pull -u": "fetch + work-tree",
            "hg update main": "work-tree",
            "hg update -C": "work-tree + discard",
            "hg revert --all": "work-tree + discard",
            "hg strip tip": "commit + discard",
            "hg tag v1": "ref",
            "hg add f": "index",
            "hg clone https://x/tool": "work-tree + write /repo/tool/**",
            "hg --config alias.x=!evil x": "undecided anything + undecided git",
            "hg frobnicate": "undecided git",
            "hg <any>": "undecided git",
            "svn commit -m x": "commit + push",
            "svn ci": "commit + push",
            "svn rm https://x/y -m z": "commit + push",
            "svn copy ^/trunk ^/tags/v1 -m x": "commit + push",
            "svn rm f": "index",
            "svn revert -R .": "work-tree + discard",
            "svn update": "work-tree",
            "svn diff --diff-cmd evil": "sh(evil)",
            "svn checkout https://x/y z": "work-tree + write /repo/z/**",
            "jj commit -m x": "commit",
            "jj describe -m log": "commit",
            "jj new main": "commit",
            "jj squash": "commit",
            "jj abandon x": "commit + discard",
            "jj op restore x": "commit + discard",
            "jj bookmark set main": "ref",
            "jj git push": "push",
            "jj git push --deleted": "push + force-push",
            "jj git fetch": "fetch",
            "jj git remote add x y": "config",
            "jj util exec -- git push -f": "run(git push -f)",
            "jj --config aliases.x=y log": "undecided anything",
            "jj <any>": "undecided git",
            "bzr commit -m x": "commit",
            "bzr push --overwrite": "push + force-push",
            "npm version patch": "commit + write /repo/package.json",
            "npm --prefix web version 1.2.3": "commit + write /repo/web/package.json",
            "npm vers minor -m x": "commit + write /repo/package.json",
            "npm version patch --no-commit-hooks": (
                "commit + hooks-skipped + write /repo/package.json"
            ),
            "npm version patch --no-git-tag-version": "write /repo/package.json",
            "npm version patch --git-tag-version=false": "write /repo/package.json",
            "npm version patch --no-git-tag-version --git-tag-version": (
                "commit + write /repo/package.json"
            ),
            "yarn version --new-version 2.0.0": "commit + write /repo/package.json",
            "yarn version --patch": "commit + write /repo/package.json",
            "pnpm version major": "commit + write /repo/package.json",
            "npm <any>": "undecided git",
            "bump2version patch": "commit",
            "bumpversion --commit-args=--no-verify minor": "commit + hooks-skipped",
            "bump-my-version bump patch": "commit",
            "cz bump": "commit",
            "cz commit": "commit",
            "cz bump --no-verify": "commit + hooks-skipped",
            "standard-version": "commit",
            "standard-version -n": "commit + hooks-skipped",
            "semantic-release": "commit + push + hub",
            "release-it minor": "commit + push + hub",
            "cargo release": "commit",
            "cargo release patch --execute": "commit + push",
            "cargo +nightly release -x": "commit + push",
            "lerna version patch": "commit + push",
            "lerna publish --no-push": "commit",
            "np": "commit + push",
        }
    ),
)
def test_other_version_control_and_release_tools_are_told_as_git_would(command, expected):
    assert hub(command) == expected


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_every_program_listed_can_be_asked(name):
    assert isinstance(effects([name], Recording("/repo", "/home/ada")), list)


strange_words = st.sampled_from(
    [
        *("", "-", "--", "-C", "-c", "-m", "--no-", "--output", "+", ":", "=", "!", "x", "a:b"),
        *(HOLE, STAR, OUTER, f"-{HOLE}", f"--{HOLE}", "alias.x='"),
        *("run", "foreach", "api", "util", "exec", "version", "-X"),
    ]
)
strange_lines = st.lists(strange_words, max_size=6)


@given(st.sampled_from([*git.VERBS, *git.TOLD, "x"]), strange_lines, strange_lines)
def test_no_words_are_too_strange_for_git(verb, before, after):
    assert git.effects(["git", *before, verb, *after], Recording("/repo", "/home/ada")) is not None


@given(st.sampled_from(sorted(PROGRAMS)), strange_lines)
def test_no_words_are_too_strange_for_the_others(name, words):
    assert effects([name, *words], Recording("/repo", "/home/ada")) is not None
