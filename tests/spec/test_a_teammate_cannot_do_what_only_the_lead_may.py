"""However it is spelled, what is the lead's is refused to a teammate; what only talks of it is not."""

import pytest

from tests.team.judging import command

PUSHES = [
    "git push",
    'g"i"t pu\\sh',
    "x=push; git $x",
    "env A=1 nohup git push &",
    "bash -c 'git push'",
    "echo 'git push' | sh",
    "cat <<EOF | bash\ngit push\nEOF",
    "p() { git push; }; p",
    "find . -maxdepth 0 -exec git push \\;",
    "python3 -c \"import os; os.system('git push')\"",
    "git -c alias.up=push up",
]
TALK = [
    "echo git push",
    "grep -rn 'git push' docs",
    "cat <<EOF > notes.md\ngit push\nEOF",
    "git log --grep='git push'",
    "# git push\ngit status",
]


@pytest.mark.requirement("GUARD-03", "GUARD-16")
@pytest.mark.parametrize("text", PUSHES)
def test_a_push_is_a_push_in_any_spelling(text):
    assert command(text, "teammate").constraint == "C-TEAM-004"
    assert command(text, "teammate", isolation="own").constraint == "C-TEAM-004"


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("text", PUSHES)
def test_the_lead_may_push(text):
    assert command(text, "lead").allowed


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("text", TALK)
def test_talking_of_a_push_is_not_a_push(text):
    assert command(text, "teammate").allowed
