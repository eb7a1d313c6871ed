"""What git does to refs, to its configuration, to its objects, and to other repositories."""

import pytest

from drumline.team.shell.git import effects
from tests.team.shell.telling import Recording, table, told, words_of


def git(command):
    return told(effects(words_of(command), Recording("/repo", "/home/ada")))


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git push": "push",
            "git push origin": "push",
            "git push origin HEAD": "push",
            "git push -u origin feature": "push:feature",
            "git push origin HEAD:main": "push:main",
            "git push origin HEAD:refs/heads/main": "push:main",
            "git push origin a b:c": "push:a + push:c",
            "git push origin feature/<any>": "push:feature/<any>",
            "git push origin <env>": "push:<env>",
            "git push origin HEAD:<any>": "push:<any>",
            "git push origin tag v1": "push:refs/tags/v1",
            "git push --tags": "push:refs/tags/<any>",
            "git push --all origin": "push:<any>",
            "git push origin 'refs/heads/*:refs/heads/*'": "push:<any>",
            "git push --force-if-includes origin x": "push:x",
            "git push -f --no-force origin x": "push:x",
            "git push -o ci.skip -o -f origin x": "push:x",
            "git push --repo -f": "push",
            "git push . HEAD:main": "push:main + ref:main",
            "git push --no-verify origin x": "push:x + hooks-skipped",
            "git push -n --no-dry-run origin x": "push:x",
            "git push --receive-pack=evil /x y": "push:y + sh(evil)",
            "git push -n --exec evil /x y": "sh(evil)",
            "git send-pack /x main": "push:main",
            "git subtree push --prefix=lib origin main": "push:main",
            "git subtree push -P push origin +x:main": "push:main + force-push:main",
            "git svn dcommit": "push",
            "git p4 submit": "push",
            "git lfs push origin main": "push",
            "git send-email x.patch": "hub",
            "git push -f": "push + force-push",
            "git push -f origin main": "push:main + force-push:main",
            "git push origin main -f": "push:main + force-push:main",
            "git push -fu origin main": "push:main + force-push:main",
            "git push -uf origin main": "push:main + force-push:main",
            "git push --force=true origin x": "push:x + force-push:x",
            "git push --force-with-lease": "push + force-push",
            "git push --force-with-lease=x:abc origin x": "push:x + force-push:x",
            "git push --force-with origin x": "push:x + force-push:x",
            "git push --force-with-lease --no-force origin x": "push:x + force-push:x",
            "git push origin +main": "push:main + force-push:main",
            "git push origin a +b:c": "push:a + push:c + force-push:c",
            "git push origin +HEAD": "push + force-push",
            "git push -- origin +main": "push:main + force-push:main",
            "git push origin :main": "push:main + force-push:main",
            "git push -d origin main": "push:main + force-push:main",
            "git push origin --delete a b": "push:a + push:b + force-push:a + force-push:b",
            "git push --del origin main": "push:main + force-push:main",
            "git push --mirror": "push:<any> + force-push:<any>",
            "git push --prune origin": "push + force-push:<any>",
            "git push -f --all": "push:<any> + force-push:<any>",
            "git push origin <any>": "push:<any> + undecided git",
            "git push <any>": "push + undecided git",
            "git push origin <any>:main": "push:main + undecided git",
            "git push -<any> origin main": "push:main + undecided git",
            "git push -- origin <any>": "push:<any> + undecided git",
            "git -C /else --no-pager push --force": "push + force-push",
        }
    ),
)
def test_a_push_says_which_branch_and_whether_it_is_forced(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git fetch": "fetch",
            "git fetch --all --prune": "fetch",
            "git fetch origin main": "fetch",
            "git fetch -f origin": "fetch",
            "git fetch origin main:main": "fetch + ref:main",
            "git fetch origin +refs/heads/a:refs/heads/b": "fetch + ref:b",
            "git fetch origin pull/1/head:pr": "fetch + ref:pr",
            "git fetch --refmap='+refs/heads/*:refs/heads/*' origin x": "fetch + ref:<any>",
            "git fetch origin <any>": "fetch + undecided git",
            "git fetch --multiple a:b c:d": "fetch",
            "git fetch --upload-pack=evil /x": "fetch + sh(evil)",
            "git fetch --upload evil /x": "fetch + sh(evil)",
            "git ls-remote --upload-pack=evil /x": "sh(evil)",
            "git archive --remote=/x --exec=evil HEAD": "sh(evil)",
            "git remote update": "fetch",
            "git remote prune origin": "fetch",
            "git pull": "fetch + commit",
            "git pull --rebase origin main": "fetch + commit",
            "git pull -r --no-verify": "fetch + commit + hooks-skipped",
            "git pull origin a:b": "fetch + ref:b + commit",
            "git lfs fetch": "fetch",
            "git lfs pull": "fetch + work-tree",
            "git subtree pull -P lib x main": "fetch + commit",
        }
    ),
)
def test_what_comes_in_is_fetched_and_may_set_a_ref(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git branch x": "ref:x",
            "git branch x origin/main": "ref:x",
            "git branch -v x": "ref:x",
            "git branch -f main HEAD~1": "ref:main",
            "git branch -d merged": "ref:merged",
            "git branch -d -r origin/x": "ref:refs/remotes/origin/x",
            "git branch -D x y": "ref:x + ref:y + discard:x + discard:y",
            "git branch -d -f x": "ref:x + discard:x",
            "git branch -df x": "ref:x + discard:x",
            "git branch --delete --force x": "ref:x + discard:x",
            "git branch --del --forc x": "ref:x + discard:x",
            "git branch -D <any>": "ref:<any> + discard:<any> + undecided git",
            "git branch -m old new": "ref:old + ref:new",
            "git branch -M main": "ref + ref:main",
            "git branch -c a b": "ref:b",
            "git branch -u origin/x": "config:branch",
            "git branch --set-upstream-to=origin/x x": "config:branch",
            "git branch <any>": "ref:<any> + undecided git",
            "git tag v1": "ref:refs/tags/v1",
            "git tag -a v1 -m -l": "ref:refs/tags/v1",
            "git tag -am --list v1": "ref:refs/tags/v1",
            "git tag -f v1 HEAD~1": "ref:refs/tags/v1",
            "git tag -d v1 v2": "ref:refs/tags/v1 + ref:refs/tags/v2",
            "git tag <any>": "ref:refs/tags/<any>",
            "git update-ref refs/heads/main abc": "ref:main",
            "git update-ref HEAD abc": "ref",
            "git update-ref -m -d refs/heads/x abc": "ref:x",
            "git update-ref -d refs/heads/x": "ref:x + discard:x",
            "git update-ref --stdin": "ref:<any> + discard:<any>",
            "git symbolic-ref HEAD refs/heads/x": "work-tree:x + ref:x",
            "git symbolic-ref -d x": "ref:x",
            "git remote set-head origin -a": "ref:refs/remotes/origin/HEAD",
        }
    ),
)
def test_a_ref_made_moved_or_removed_is_named(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git config user.name Ada": "config:user.name",
            "git config --global User.Email a@b": "config:user.email",
            "git config --add a.b c": "config:a.b",
            "git config --unset a.b": "config:a.b",
            "git config --replace-all a.b c": "config:a.b",
            "git config -e": "config",
            "git config --remove-section a": "config:a",
            "git config --rename-section a b": "config:a + config:b",
            "git config set a.b c": "config:a.b",
            "git config set --comment get a.b c": "config:a.b",
            "git config unset a.b": "config:a.b",
            "git config edit": "config",
            "git config alias.x '!rm -rf /'": "config:alias.x",
            "git config core.hooksPath /dev/null": "config:core.hookspath + hooks-skipped",
            "git config --local CORE.HOOKSPATH x": "config:core.hookspath + hooks-skipped",
            "git config set core.hooksPath x": "config:core.hookspath + hooks-skipped",
            "git config --unset core.hooksPath": "config:core.hookspath + hooks-skipped",
            "git config core.<any> x": "config:core.<any> + hooks-skipped",
            "git config -f ../x a.b c": "config:a.b + write /x",
            "git config --file=.gitmodules --get a.b": "",
            "git remote add fork https://x": "config:remote-added",
            "git remote add -f fork https://x": "config:remote-added + fetch",
            "git remote set-url origin https://x": "config:remote",
            "git remote remove origin": "config:remote",
            "git remote rename a b": "config:remote",
            "git lfs install": "config:lfs",
            "git maintenance start": "config:maintenance",
            "git credential approve": "config:credential",
            "git credential-store store": "config:credential",
            "git credential-osxkeychain erase": "config:credential",
        }
    ),
)
def test_configuration_that_stays_is_told_by_its_key(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git gc": "object",
            "git gc --auto --prune=never": "object",
            "git repack -ad": "object",
            "git pack-refs --all": "object",
            "git maintenance run": "object",
            "git hash-object -w f": "object",
            "git write-tree": "object",
            "git mktree": "object",
            "git unpack-objects": "object",
            "git index-pack x": "object",
            "git bundle unbundle x": "object",
            "git fsck --lost-found": "object",
        }
    ),
)
def test_the_object_store_alone_is_touched(command, expected):
    assert git(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        {
            "git difftool -x 'rm x' HEAD": "sh(rm x)",
            "git difftool --extcmd=evil": "sh(evil)",
            "git grep -Oevil x": "sh(evil)",
            "git grep -h -nOevil x": "sh(evil)",
            "git grep --open-files-in-pager='vi x' y": "sh(vi x)",
            "git grep --open=evil y": "sh(evil)",
            "git grep -e -Oevil": "",
            "git for-each-repo --config=a.b push -f": "run(git push -f)",
            "git for-each-repo --config a.b gc": "run(git gc)",
            "git merge-index evil -a": "work-tree + run(evil)",
        }
    ),
)
def test_a_program_that_git_starts_is_followed(command, expected):
    assert git(command) == expected
