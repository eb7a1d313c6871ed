"""Which git steps of a command decide what its commits hold, and in which folder each works."""

import pytest

from drumline.team.call import Call
from drumline.team.commits import acts_of
from tests.team.judging import WORLD

pytestmark = pytest.mark.requirement("GUARD-18")


def acts(text: str) -> list[str]:
    return [repr(act).strip("<>") for act in acts_of(Call("Bash", {"command": text}, "/r"), WORLD)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m x", ["record in /r"]),
        ("git commit -am x", ["record all in /r"]),
        ("git commit a.py b.py -m x", ["record a.py b.py in /r"]),
        ("git commit -i a.py -m x", ["record include a.py in /r"]),
        ("git commit --amend --no-edit", ["record amend in /r"]),
        ("git commit --dry-run", []),
        ("git -C sub commit -m x", ["record in /r/sub"]),
        ("cd sub && git add . && git commit -m x", ["take new . in /r/sub", "record in /r/sub"]),
        ("(cd sub && git add .); git commit -m x", ["take new . in /r/sub", "record in /r"]),
        ("bash -c 'cd /o && git commit'", ["record in /o"]),
        ("printf 'git commit -am x' | sh", ["record all in /r"]),
        ("if true; then git add -u; fi; git commit", ["take :/ in /r", "record in /r"]),
        ("git add -f *.log && git commit", ["take ignored new *.log in /r", "record in /r"]),
        ("git add -A && git commit", ["take new :/ in /r", "record in /r"]),
        ('cd "$DIR" && git add a && git commit', ["take new :/ in /r", "record in /r"]),
        ('git restore --staged "$X"; git commit', ["drop in /r", "record in /r"]),
        ("git restore --staged .env && git commit", ["drop .env in /r", "record in /r"]),
        ("git rm --cached .env && git commit", ["drop .env in /r", "record in /r"]),
        ("git reset && git commit", ["drop :/ in /r", "record in /r"]),
        ("git reset HEAD a && git commit", ["drop a in /r", "record in /r"]),
        ("git reset --soft HEAD~2", ["start index HEAD~2 HEAD~2 in /r"]),
        ("git switch main && git merge x", ["switch main in /r", "bring merge x in /r"]),
        ("git checkout -b x", []),
        ("git merge", ["bring merge @{upstream} in /r"]),
        ("git merge -", ["bring merge @{-1} in /r"]),
        ("git merge --continue", ["record in /r"]),
        ("git merge --abort", []),
        ("git rebase --onto a b", ["bring merge a in /r"]),
        ("git cherry-pick a b..c", ["bring pick a b..c in /r"]),
        ("git revert a", ["bring revert a in /r"]),
        ("git am 1.patch", ["patch 1.patch in /r"]),
        ("git apply --stat 1.patch", []),
        ("git commit-tree abc", ["record in /r"]),
        ("git status", []),
        ("echo git commit", []),
    ],
)
def test_a_command_is_followed_to_its_commits(command, expected):
    assert acts(command) == expected


def test_what_the_command_itself_writes_and_deletes_before_is_known():
    text = "rm old; cat > new <<'E'\nhello\nE\ngit add . && git commit -m x; rm later"
    take, _ = acts_of(Call("Bash", {"command": text}, "/r"), WORLD)
    assert take.made == {"/r/new": "hello\n"}
    assert take.gone == {"/r/old", "/r/new"}


def test_a_message_is_known_however_it_is_given():
    text = "git commit -m \"$(cat <<'E'\nfirst\nE\n)\" -m second"
    (record,) = acts_of(Call("Bash", {"command": text}, "/r"), WORLD)
    assert record.message == "first\n\nsecond"
