"""Here-documents lifted: the shell itself says whether the meaning stayed."""

import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.team.shell.heredocs import GIVEN, LONG, lifted
from tests.trying import tries

SCRIPTS = [
    "cat <<EOF\nhello $((1+2)) $(echo there)\nEOF\n",
    "cat <<'EOF'\n$HOME `x` \"q\" 'r' \\n\nEOF\n",
    'cat <<"EOF" | tr a-z A-Z && echo after\nbody\nEOF\n',
    "cat <<-EOF\n\tone\n\t\ttwo\n\tEOF\n",
    "cat <<A; cat <<B\nfirst\nA\nsecond\nB\n",
    'x="$(cat <<\'E\'\na "quoted" line\nE\n)"; echo "[$x]"\n',
    "echo $((1<<3)); (( 1<<2 )); echo ok\n",
    "cat <<< 'here string'; cat <<<word\n",
    "echo '<<EOF'; echo \"<<EOF\"; echo x # <<EOF\necho y\n",
    "cat <<EOF >/dev/stdout\nredirected\nEOF\necho z\n",
    "if true; then cat <<EOF\ninside\nEOF\nfi\n",
    "f() { cat <<EOF\n$1\nEOF\n}; f arg\n",
    "cat <<EOF\nunterminated\n",
    "cat <<\\EOF\n$raw\nEOF\n",
    "cat <<E1 - <<E2\na\nE1\nb\nE2\n",
]


def written_out(script: str) -> str:
    """The lifted script as plain bash again, its data as here-strings and quotes."""
    found = lifted(script)
    text = found.text.replace("<" + GIVEN, "<<<")
    for number, (body, lives) in enumerate(found.bodies):
        quoted = f'"{body.replace(chr(34), chr(92) + chr(34))}"' if lives else shlex.quote(body)
        text = text.replace(f"{LONG}{number}{LONG}", quoted)
    return text


def said_by_bash(script: str) -> str:
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=20
    )
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_lifted_script_says_what_the_original_says(script):
    plain = written_out(script)
    assert said_by_bash(plain).rstrip("\n") == said_by_bash(script).rstrip("\n")


@settings(max_examples=tries(60), deadline=None)
@given(
    st.text(alphabet="ab $`\"'\\\n\t", max_size=24),
    st.sampled_from(["E", "'E'", '"E"', "\\E"]),
)
def test_any_quoted_body_arrives_letter_by_letter(body, delimiter):
    if delimiter == "E":
        body = body.replace("$", "").replace("`", "").replace("\\", "")
    script = f"cat <<{delimiter}\n{body}\nE\n"
    plain = written_out(script)
    assert said_by_bash(plain).rstrip("\n") == said_by_bash(script).rstrip("\n")


def test_text_without_here_documents_is_left_as_it_is():
    assert lifted("echo a > b").text == "echo a > b"
