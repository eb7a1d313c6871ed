"""What a git command is before its verb, what reading does, and what it means to commit."""

import pytest

from drumline.team.shell.git import effects
from tests.team.shell.telling import Recording, read_by, table, told, words_of


def git(command, *, cwd="/repo"):
    return told(effects(words_of(command), Recording(cwd, "/home/ada", root="/repo")))


def shown(command):
    return read_by(effects(words_of(command), Recording("/repo/src", "/home/ada", root="/repo")))


READING = [
    "git",
    "git --version",
    "git -v",
    "git --help",
    "git -h",
    "git --help push",
    "git --exec-path",
    "git --no-pager log -5",
    "git help push",
    "git push --help",
    "git push -h",
    "git reset --help --hard",
    "git status -sb",
    "/usr/bin/git status",
    "./git status",
    "git -C /elsewhere status",
    "git --git-dir=/x/.git --work-tree /x status",
    "git -p --bare --namespace n --literal-pathspecs log",
    "git -c color.ui=always -c core.pager= diff",
    "git -c core.fsmonitor=false status",
    "git -c credential.helper=store ls-remote",
    "git -c pager.log=false log",
    "git -m pytest",
    "git log --grep 'push --force' -n 3",
    "git log <any>..HEAD",
    "git diff -- 'reset --hard'",
    "git diff --output-indicator-new=x",
    "git show HEAD:src/a.py",
    "git blame -L 1,9 f",
    "git grep -n commit",
    "git grep -O pattern",
    "git rev-parse --show-toplevel",
    "git rev-parse <any>",
    "git ls-files -o --exclude-standard",
    "git cat-file -p HEAD",
    "git describe --tags",
    "git shortlog -sn",
    "git for-each-ref --format='%(refname)'",
    "git merge-base main HEAD",
    "git fsck",
    "git ls-remote origin",
    "git diff-tree -p HEAD",
    "git cherry -v main",
    "git request-pull main origin",
    "git credential fill",
    "git branch",
    "git branch -a",
    "git branch -vv",
    "git branch --list 'feature/*'",
    "git branch --show-current",
    "git branch --contains HEAD",
    "git branch --no-merged main",
    "git branch --sort=-committerdate",
    "git branch --format '%(refname)'",
    "git tag",
    "git tag -l 'v1.*'",
    "git tag -n5",
    "git tag --points-at HEAD",
    "git tag -v v1.0",
    "git remote",
    "git remote -v",
    "git remote show origin",
    "git remote get-url origin",
    "git stash list",
    "git stash show -p stash@{0}",
    "git config --get user.name",
    "git config --get-regexp alias",
    "git config -l --show-origin",
    "git config user.name",
    "git config get core.hooksPath",
    "git config list",
    "git config --get core.hooksPath",
    "git config --get <any>",
    "git worktree list --porcelain",
    "git submodule",
    "git submodule status",
    "git submodule summary",
    "git reflog",
    "git reflog show main",
    "git reflog expire --dry-run --all",
    "git notes show",
    "git notes list",
    "git bisect log",
    "git bisect view",
    "git bundle verify x.bundle",
    "git bundle list-heads x.bundle",
    "git sparse-checkout list",
    "git symbolic-ref HEAD",
    "git replace -l",
    "git lfs ls-files",
    "git lfs status",
    "git lfs env",
    "git lfs track",
    "git commit --dry-run -m x",
    "git commit --short",
    "git push --dry-run origin main",
    "git push -nf",
    "git fetch --dry-run",
    "git pull --dry-run",
    "git add -n .",
    "git rm -n f",
    "git mv -n a b",
    "git clean -n",
    "git clean -ndx",
    "git clean --dry-run -f",
    "git apply --check fix.patch",
    "git apply --stat fix.patch",
    "git worktree prune -n",
    "git prune --dry-run",
    "git rebase --show-current-patch",
    "git am --show-current-patch=diff",
    "git hash-object f",
    "git maintenance",
    "git interpret-trailers --trailer x f",
    "git merge-file -p a b c",
    "git format-patch --stdout main",
    "git -c alias.st=status st -sb",
]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git show HEAD:src/a.py", ["/repo/src/a.py"]),
        ("git show HEAD:./a.py", ["/repo/src/a.py"]),
        ("git cat-file -p :0:x", ["/repo/x"]),
        ("git log -p -- a.py", ["/repo/src/a.py"]),
        ("git log -- a.py", []),
        ("git diff --stat a.py", []),
        ("git diff --no-index x /etc/y", ["/repo/src/x", "/etc/y"]),
        ("git grep word -- a.py", ["/repo/src/a.py"]),
        ("git grep -l word -- a.py", []),
        ("git log -p -- ':!a.py'", []),
    ],
)
def test_a_file_whose_text_is_shown_is_read(command, expected):
    assert shown(command) == expected


@pytest.mark.parametrize("command", READING)
def test_reading_does_nothing(command):
    assert git(command) == ""


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git diff --output=../out.txt": "write /out.txt",
            "git log -p --output out.txt": "write /repo/out.txt",
            "git -C src -C api diff --output=o": "write /repo/src/api/o",
            "git -C /else show --output=o": "write /else/o",
            "git stash show -p --output=o": "write /repo/o",
            "git archive -o ../x.zip HEAD": "write /x.zip",
            "git archive --format=tar HEAD --output x.tar": "write /repo/x.tar",
            "git format-patch -o out main": "write /repo/out",
            "git format-patch -3": "write /repo/<star>.patch",
            "git bundle create /x.bundle --all": "write /x.bundle",
            "git bugreport -o reports": "write /repo/reports/git-bugreport-<star>",
            "git fast-export --export-marks=m --all": "write /repo/m",
            "git merge-file a b c": "write /repo/a",
            "git interpret-trailers --in-place --trailer x f": "write /repo/f",
            "git lfs track '*.psd'": "write /repo/.gitattributes",
        }
    ),
)
def test_a_file_that_is_named_for_the_answer_is_written(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "git <any>",
        "git <any> origin main",
        "git -c user.name=x <any>",
        "git pu<any>",
        "git <env> origin",
        "git -<any> status",
        "git p",
        "git st",
        "git pusg origin main",
        "git undo",
        "git stash <any>",
        "git remote <any>",
        "git worktree <any>",
        "git bisect <any>",
        "git -c alias.x=<any> x",
        "git config <any>",
    ],
)
def test_a_verb_that_cannot_be_told_may_be_any(command):
    assert "undecided git" in git(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git -c alias.p=push p origin main": "push:main",
            "git -c alias.p='push -f' p origin main": "push:main + force-push:main",
            "git -c alias.p='!rm -rf x' p": "sh(rm -rf x)",
            "git -c alias.p='!f() { git push; }; f' p 'a b'": "sh(f() { git push; }; f 'a b')",
            "git -c ALIAS.P=push P": "push",
            "git -c alias.a=b -c alias.b='reset --hard' a": "work-tree + discard",
            "git -c alias.a=a a": "undecided git",
            "git -c alias.c='commit -m \"a b\" --no-verify' c": "commit + hooks-skipped",
            "git -c alias.x='-c core.hooksPath=/x commit' x": "hooks-skipped + commit",
            "git -c alias.status=push status": "push",
            "git -c alias.commit=push commit": "commit + push",
            "git -c alias.repo='!evil' repo": "sh(evil)",
            "git -c alias.x.command=push x": "push",
            "git --config-env=alias.p=X p": "undecided git",
        }
    ),
)
def test_an_alias_given_with_the_command_is_what_it_stands_for(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git -c core.hooksPath=/dev/null commit -m x": "hooks-skipped + commit",
            "git -c Core.HooksPath= commit": "hooks-skipped + commit",
            "git --config-env core.hooksPath=X commit": "hooks-skipped + commit",
            "git -c core.pager='sh -c x' log": "sh(sh -c x)",
            "git -c pager.log=evil log": "sh(evil)",
            "git -c core.sshCommand=evil fetch": "sh(evil) + fetch",
            "git -c core.fsmonitor=./evil status": "sh(./evil)",
            "git -c core.editor='cp a b' commit": "sh(cp a b) + commit",
            "git -c sequence.editor=: rebase -i main": "sh(:) + commit",
            "git -c diff.external=evil diff": "sh(evil)",
            "git -c diff.x.textconv=evil diff": "sh(evil)",
            "git -c filter.x.smudge='a | b' checkout main": "sh(a | b) + work-tree:main",
            "git -c credential.helper='!evil' fetch": "sh(evil) + fetch",
            "git -c credential.https://x.y.helper=/bin/evil fetch": "sh(/bin/evil) + fetch",
            "git --config-env=core.pager=X log": "sh(<any>)",
            "git -c include.path=/x status": "undecided anything",
            "git -c <any> status": "undecided anything",
            "git --exec-path=/x status": "undecided anything",
            "git -c remote.origin.url=https://x push": "config:remote.origin.url + push",
            "git -c remote.o.push=+HEAD:main push": "config:remote.o.push + push + force-push:<any>",
            "git -c url.x.insteadOf=y fetch": "config:url.x.insteadof + fetch",
            "git -c gc.pruneExpire=now gc": "discard + object",
            "git -c user.name='push --force' log": "",
            "git -C /else -c core.pager=evil log": "sh(cd /else && evil)",
            "git -C src -c core.pager=evil log": "sh(evil)",
            "git --work-tree=/etc checkout -- passwd": "work-tree + discard + write /etc/**",
            "git -c core.worktree=/etc checkout -f": "work-tree + discard + write /etc/**",
            "git --git-dir /x/.git --work-tree /x log": "",
        }
    ),
)
def test_a_setting_for_one_command_does_what_it_names(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git commit -m 'push --force'": "commit",
            "git commit -m --no-verify": "commit",
            "git commit -mn": "commit",
            "git commit -am n": "commit",
            "git commit -amn": "commit",
            "git commit -uno -m x": "commit",
            "git commit -Sn -m x": "commit",
            "git commit --amend --no-edit": "commit",
            "git commit --author 'n <-n>' --date now -F -": "commit",
            "git commit -m <any>": "commit",
            "git commit -m<any>": "commit",
            "git commit --message=<any> -- <any>": "commit",
            "git commit -m x -- -n": "commit",
            "git commit <env>": "commit",
            "git -C sub commit -m x": "commit",
            "git commit -n -m x": "commit + hooks-skipped",
            "git commit -anm msg": "commit + hooks-skipped",
            "git commit -nam msg": "commit + hooks-skipped",
            "git commit -m x --no-verify": "commit + hooks-skipped",
            "git commit -m x --no-veri": "commit + hooks-skipped",
            "git commit --mess x --no-v": "commit + hooks-skipped",
            "git commit --dry-run --no-dry-run -m x": "commit",
            "git commit -m x <any>": "commit + undecided git",
            "git commit -<any> x": "commit + undecided git",
            "git commit --<any>": "commit + undecided git",
            "git merge feature": "commit",
            "git merge -n feature": "commit",
            "git merge --ff-only origin/main": "commit",
            "git merge --edit feature": "commit",
            "git merge --no-verify feature": "commit + hooks-skipped",
            "git merge --squash feature": "work-tree + index",
            "git merge --squash --no-squash feature": "commit",
            "git merge --abort": "work-tree",
            "git merge --continue": "commit",
            "git merge -m --abort feature": "commit",
            "git rebase main": "commit",
            "git rebase -i HEAD~3": "commit",
            "git rebase -n main": "commit",
            "git rebase main feature": "commit:feature",
            "git rebase --onto new old feature": "commit:feature",
            "git rebase --root feature": "commit:feature",
            "git rebase --no-verify main": "commit + hooks-skipped",
            "git rebase --update-refs main": "commit + ref:<any>",
            "git rebase --abort": "work-tree",
            "git rebase --continue": "commit",
            "git rebase --skip": "commit",
            "git rebase -x 'make test' main": "commit + sh(make test)",
            "git rebase --exec='rm x' main": "commit + sh(rm x)",
            "git rebase -ix evil main": "commit + sh(evil)",
            "git rebase --exe evil main": "commit + sh(evil)",
            "git cherry-pick abc": "commit",
            "git cherry-pick <any>": "commit",
            "git cherry-pick -n abc": "work-tree + index",
            "git cherry-pick -n --commit abc": "commit",
            "git cherry-pick --edit abc": "commit",
            "git cherry-pick --abort": "work-tree",
            "git revert --no-edit HEAD": "commit",
            "git revert -m 1 abc": "commit",
            "git am < x": "commit",
            "git am --no-verify x": "commit + hooks-skipped",
            "git am -n x": "commit + hooks-skipped",
            "git am --abort": "work-tree",
            "git commit-tree abc -m x": "commit",
            "git fast-import": "commit:<any> + ref:<any>",
            "git notes add -m list": "commit:refs/notes/commits",
            "git notes --ref=ci append -m x": "commit:refs/notes/ci",
            "git replace a b": "commit + ref:refs/replace/a",
            "git replace -d a": "ref:refs/replace/a",
            "git absorb": "commit",
            "git flow feature start x": "commit",
            "git filter-branch --tree-filter 'rm x' HEAD": "commit + discard + sh(rm x)",
            "git filter-branch -f --env-filter evil": "commit + discard + sh(evil)",
            "git filter-repo --path x": "commit + discard",
            "git filter-repo --blob-callback x": "commit + discard + undecided anything",
        }
    ),
)
def test_a_commit_is_told_with_its_branch_and_whether_hooks_run(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize("command", ["git commit -m x", "git -C x push -f o b", "git config a.b c"])
def test_every_effect_of_git_carries_the_whole_command(command):
    argv = words_of(command)
    told_with = {effect.words for effect in effects(argv, Recording("/repo", "/home/ada"))}
    assert told_with == {tuple(argv)}


def test_what_git_starts_runs_at_the_top_of_the_repository():
    assert git("git rebase -x make main", cwd="/repo/src") == "commit + sh(cd /repo && make)"
