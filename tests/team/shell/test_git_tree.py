"""What git does to the index, to the files checked out, and to work not yet committed."""

import pytest

from drumline.team.shell.git import effects
from tests.team.shell.telling import Recording, table, told, words_of


def git(command):
    return told(effects(words_of(command), Recording("/repo", "/home/ada")))


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git add .": "index",
            "git add -A": "index",
            "git add <any>": "index",
            "git add -n --no-dry-run f": "index",
            "git add -- -n": "index",
            "git stage f": "index",
            "git update-index --assume-unchanged f": "index",
            "git rm --cached f": "index",
            "git restore --staged f": "index",
            "git restore -S f": "index",
            "git reset": "index",
            "git reset HEAD": "index",
            "git reset -q HEAD -- f": "index",
            "git reset -- f": "index",
            "git reset HEAD f": "index",
            "git reset .": "index",
            "git reset <star>.py": "index",
            "git reset -p": "index",
            "git apply --cached x.patch": "index",
            "git read-tree HEAD": "index",
        }
    ),
)
def test_the_index_alone_is_touched(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git checkout main": "work-tree:main",
            "git checkout feature/x": "work-tree:feature/x",
            "git checkout v1.2": "work-tree:v1.2",
            "git checkout -": "work-tree:-",
            "git checkout main --": "work-tree:main",
            "git checkout refs/heads/main": "work-tree:main",
            "git checkout --detach HEAD~2": "work-tree:HEAD~2",
            "git checkout <env>": "work-tree:<env>",
            "git checkout feature/<any>": "work-tree:feature/<any>",
            "git checkout -m main": "work-tree:main",
            "git checkout -b x": "work-tree:x + ref:x",
            "git checkout -bx": "work-tree:x + ref:x",
            "git checkout -qb x": "work-tree:x + ref:x",
            "git checkout -b x origin/main": "work-tree:x + ref:x",
            "git checkout -B main origin/main": "work-tree:main + ref:main",
            "git checkout -b <any>": "work-tree:<any> + ref:<any>",
            "git checkout --orphan x": "work-tree:x + ref:x",
            "git checkout -t origin/x": "work-tree:x + ref:x",
            "git checkout --track=direct origin/a/b": "work-tree:a/b + ref:a/b",
            "git switch main": "work-tree:main",
            "git switch -c x": "work-tree:x + ref:x",
            "git switch --create=x main": "work-tree:x + ref:x",
            "git switch -C main HEAD": "work-tree:main + ref:main",
            "git switch --cre x": "work-tree:x + ref:x",
            "git stash": "work-tree",
            "git stash -u -m drop": "work-tree",
            "git stash push -m clear": "work-tree",
            "git stash pop": "work-tree",
            "git stash apply stash@{1}": "work-tree",
            "git stash save drop": "work-tree",
            "git stash branch x": "work-tree:x + ref:x",
            "git stash create": "object",
            "git reset --soft": "",
            "git reset --soft HEAD": "",
            "git reset --soft HEAD~1": "ref",
            "git reset HEAD~1": "ref + index",
            "git reset --mixed origin/main": "ref + index",
            "git reset -q abc123": "ref + index",
            "git reset <star>": "ref + index",
            "git reset <star>~1": "ref + index",
            "git checkout <star>~1": "work-tree:<any>~1",
            "git sparse-checkout set src": "work-tree",
            "git bisect start": "work-tree",
            "git bisect good v1": "work-tree",
            "git bisect reset": "work-tree",
            "git bisect run make -j4 test": "work-tree + run(make -j4 test)",
            "git bisect run sh -c 'rm x'": "work-tree + run(sh -c rm x)",
            "git bisect run 'a; b' c": "work-tree + sh(a; b c)",
            "git read-tree -u -m HEAD": "work-tree",
            "git checkout-index -a": "work-tree",
            "git checkout-index -a --prefix=/x/": "work-tree + write /x/**",
            "git mergetool": "work-tree",
            "git mv a.py b.py": "work-tree + delete /repo/a.py + write /repo/b.py",
            "git mv a.py b.py lib": (
                "work-tree + delete /repo/a.py + write /repo/lib/a.py"
                " + delete /repo/b.py + write /repo/lib/b.py"
            ),
            "git mv -k src lib/": "work-tree + delete /repo/src/** + write /repo/lib/src/**",
            "git rm f.py": "work-tree + delete /repo/f.py",
            "git rm -r src docs": "work-tree + delete /repo/src/** + delete /repo/docs/**",
            "git rm -- -n": "work-tree + delete /repo/-n",
            "git rm '*.py'": "work-tree + delete /repo/<any>.py",
            "git rm :/": "work-tree + delete /repo/<any>",
            "git rm <star>.py": "work-tree + delete /repo/<star>.py",
            "git -C sub rm f": "work-tree + delete /repo/sub/f",
            "git apply x.patch": "work-tree + undecided tree /repo",
            "git apply --index x.patch": "work-tree + index + undecided tree /repo",
            "git apply --stat --apply x.patch": "work-tree + undecided tree /repo",
            "git apply --check --no-check x.patch": "work-tree + undecided tree /repo",
            "git apply --unsafe-paths x.patch": "work-tree + undecided tree /",
            "git -C sub apply -p1 x.patch": "work-tree + undecided tree /repo/sub",
        }
    ),
)
def test_the_files_checked_out_change_and_nothing_is_lost(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git reset --hard": "work-tree + discard",
            "git reset --hard HEAD": "work-tree + discard",
            "git reset --har": "work-tree + discard",
            "git reset -q --hard origin/main": "work-tree + discard + ref",
            "git reset HEAD~1 --hard": "work-tree + discard + ref",
            "git reset --merge": "work-tree + discard",
            "git reset --keep abc": "work-tree + discard + ref",
            "git -C /else reset --hard": "work-tree + discard",
            "git clean -f": "work-tree + discard",
            "git clean -fd": "work-tree + discard",
            "git clean -xdf": "work-tree + discard",
            "git clean -d --force": "work-tree + discard",
            "git clean -n --no-dry-run -f": "work-tree + discard",
            "git clean -f -e -n": "work-tree + discard",
            "git clean -fe n": "work-tree + discard",
            "git -c clean.requireForce=false clean -d": "work-tree + discard",
            "git checkout -- f": "work-tree + discard",
            "git checkout -- <any>": "work-tree + discard",
            "git checkout .": "work-tree + discard",
            "git checkout ./f": "work-tree + discard",
            "git checkout ../f": "work-tree + discard",
            "git checkout :/": "work-tree + discard",
            "git checkout src/": "work-tree + discard",
            "git checkout <star>.py": "work-tree + discard",
            "git checkout '*.py'": "work-tree + discard",
            "git checkout HEAD f": "work-tree + discard",
            "git checkout main -- f": "work-tree + discard",
            "git checkout HEAD~1 .": "work-tree + discard",
            "git checkout -p": "work-tree + discard",
            "git checkout --ours f": "work-tree + discard",
            "git checkout --pathspec-from-file=x": "work-tree + discard",
            "git checkout -f": "work-tree + discard",
            "git checkout -f main": "work-tree:main + discard",
            "git checkout -qf main": "work-tree:main + discard",
            "git checkout --forc main": "work-tree:main + discard",
            "git checkout -fb x": "work-tree:x + ref:x + discard",
            "git switch -f main": "work-tree:main + discard",
            "git switch --discard-changes main": "work-tree:main + discard",
            "git switch --disc main": "work-tree:main + discard",
            "git restore f": "work-tree + discard",
            "git restore .": "work-tree + discard",
            "git restore -s HEAD~1 f": "work-tree + discard",
            "git restore -SW f": "index + work-tree + discard",
            "git restore --staged --worktree f": "index + work-tree + discard",
            "git restore --staged --no-staged f": "work-tree + discard",
            "git restore -s --staged f": "work-tree + discard",
            "git stash drop": "work-tree + discard",
            "git stash clear": "work-tree + discard",
            "git rm -f f.py": "work-tree + discard + delete /repo/f.py",
            "git rm -rf src": "work-tree + discard + delete /repo/src/**",
            "git read-tree -u --reset HEAD": "work-tree + discard",
            "git checkout-index -fa": "work-tree + discard",
            "git reflog expire --expire=now --all": "discard",
            "git reflog delete HEAD@{1}": "discard",
            "git gc --prune=now": "object + discard",
            "git gc --aggressive --prune=all": "object + discard",
            "git prune": "object + discard",
            "git checkout <any>": "work-tree:<any> + undecided git",
            "git switch <any>": "work-tree:<any> + undecided git",
            "git reset <any>": "ref + index + undecided git",
            "git reset --<any>": "index + undecided git",
        }
    ),
)
def test_work_thrown_away_is_said(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git clone https://x/y/tool.git": "write /repo/tool/**",
            "git clone git@h:y/tool.git": "write /repo/tool/**",
            "git clone git@h:tool": "write /repo/tool/**",
            "git clone /x/tool/.git /tmp/t": "write /tmp/t/**",
            "git clone --depth 1 -b main https://x/tool ../t": "write /t/**",
            "git clone --bare https://x/tool": "write /repo/tool.git/**",
            "git -C /else clone https://x/tool": "write /else/tool/**",
            "git clone <any>": "write /repo/<any>/**",
            "git clone -u evil /x t": "write /repo/t/** + sh(evil)",
            "git clone --upload-pack=evil /x t": "write /repo/t/** + sh(evil)",
            "git clone 'ext::sh -c evil' t": "write /repo/t/** + sh(sh -c evil)",
            "git clone -c core.sshCommand=evil x t": "write /repo/t/** + sh(evil)",
            "git clone --template=/x x t": "write /repo/t/** + undecided anything",
            "git init": "write /repo/.git/**",
            "git init -b main sub": "write /repo/sub/.git/**",
            "git init --bare x.git": "write /repo/x.git/**",
            "git --bare init": "write /repo/**",
            "git worktree add ../w": "work-tree:w + write /w/** + ref:w",
            "git worktree add -b x ../w main": "work-tree:x + write /w/** + ref:x",
            "git worktree add ../w main": "work-tree:main + write /w/**",
            "git worktree add --detach ../w": "work-tree + write /w/**",
            "git worktree move ../w ../v": "work-tree + delete /w/** + write /v/**",
            "git worktree remove ../w": "work-tree + delete /w/**",
            "git worktree remove -f ../w": "work-tree + discard + delete /w/**",
            "git worktree remove ../w --force": "work-tree + discard + delete /w/**",
            "git worktree prune": "work-tree",
            "git submodule add https://x lib": "config:submodule + work-tree",
            "git submodule init": "config:submodule",
            "git submodule sync": "config:submodule",
            "git submodule set-url lib x": "config:submodule",
            "git submodule update --init": "fetch + work-tree + config:submodule",
            "git submodule update -f": "fetch + work-tree + discard",
            "git submodule deinit lib": "config:submodule + work-tree",
            "git submodule deinit -f lib": "config:submodule + work-tree + discard",
            "git submodule foreach 'git reset --hard'": "sh(git reset --hard)",
            "git submodule foreach --recursive git clean -xdf": "run(git clean -xdf)",
            "git submodule --quiet foreach git push -f": "run(git push -f)",
        }
    ),
)
def test_a_checkout_made_moved_or_removed_is_a_folder_written(command, expected):
    assert git(command) == expected
