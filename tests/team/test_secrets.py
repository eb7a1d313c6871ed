"""Which words are secrets: what is masked in a record, and what stops a commit."""

import re
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team import secret_prose, secret_shapes, secrets
from drumline.team.secrets import MASK, find_secrets, redact

pytestmark = pytest.mark.requirement("AUDIT-01")

SYNTAX = import_module("re._parser")  # what a pattern says, as Python has read it
SOURCE = Path(__file__).parents[2] / "src"
RANDOM = "Zq8" + "vT3kLw9Xy2Bn5Rm7Hd4Jf6Gs1Pc0Qa" * 3


def key(shape: str) -> str:
    """A made-up key: `shape` with its # replaced by random letters, so that no scanner minds this file."""
    letters = iter(RANDOM * 8)
    return "".join(next(letters) if mark == "#" else mark for mark in shape)


GOOD = key("#" * 12)
BLOCK = f"-----BEGIN OPENSSH {'PRIVATE'} KEY-----\n{key('#' * 64)}\n{key('#' * 30)}==\n"
END = f"-----END OPENSSH {'PRIVATE'} KEY-----"

KEYS = {
    "Anthropic": key("sk-ant-api03-" + "#" * 40),
    "OpenAI": key("sk-" + "#" * 48),
    "OpenAI project": key("sk-proj-" + "#" * 40),
    "GitHub": key("ghp_" + "#" * 36),
    "GitHub OAuth": key("gho_" + "#" * 36),
    "GitHub app": key("ghs_" + "#" * 36),
    "GitHub fine": key("github_pat_" + "#" * 60),
    "GitLab": key("glpat-" + "#" * 20),
    "Slack": key("xoxb-" + "1234567890-" + "#" * 24),
    "AWS": "AKIA" + "Q3EXAMPLZ7RTYUIO",
    "Google": key("AIza" + "#" * 35),
    "Stripe": key("sk_live_" + "#" * 24),
    "Stripe restricted": key("rk_live_" + "#" * 24),
    "npm": key("npm_" + "#" * 36),
    "PyPI": key("pypi-AgE" + "#" * 60),
    "Hugging Face": key("hf_" + "#" * 34),
    "JSON web token": key("eyJ" + "#" * 17 + "." + "eyJ" + "#" * 20 + "." + "#" * 43),
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
}


@pytest.mark.parametrize("secret", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("around", ["{}", "echo {} > x", '{{"a":"{}"}}', "x={}&y=1", "see:{},ok"])
def test_a_key_of_a_known_maker_is_masked_wherever_it_stands(secret, around):
    before, after = around.replace("{{", "{").replace("}}", "}").split("{}")
    assert redact(f"{before}{secret}{after}") == f"{before}{MASK}{after}"


@pytest.mark.parametrize("secret", KEYS.values(), ids=KEYS)
def test_a_key_of_a_known_maker_stops_a_commit_by_line_and_kind(secret):
    ((line, kind),) = find_secrets(f"first\nsecond = '{secret}'\nthird")
    assert line == 2
    assert secret not in kind


def test_a_private_key_is_masked_between_its_marks():
    assert redact(f"cat <<X\n{BLOCK}{END}\nX") == f"cat <<X\n{BLOCK.splitlines()[0]}{MASK}{END}\nX"
    assert find_secrets(f"a\n{BLOCK}{END}") == [(2, "private key")]


def test_a_quote_that_is_never_closed_leaves_other_commands_alone():
    said = f'mysql on the 5" disk; mkdir -p{GOOD}'
    assert redact(said) == said


def patterns():
    """Every word of the tables of secrets, patterns among them."""
    left = [
        value
        for module in (secrets, secret_prose, secret_shapes)
        for value in vars(module).values()
    ]
    while left:
        value = left.pop()
        if isinstance(value, tuple | frozenset):
            left += value
        elif isinstance(value, str):
            with suppress(re.error):
                yield SYNTAX.parse(value)


def possessive_rounds(pattern):
    """What each possessive repeat of a pattern repeats, down to the innermost."""
    for name, value in pattern:
        for part in _parts(value):
            yield from possessive_rounds(part)
            if str(name) == "POSSESSIVE_REPEAT":
                yield part


def _parts(value):
    if isinstance(value, SYNTAX.SubPattern):
        return [value]
    return (
        [part for each in value for part in _parts(each)] if isinstance(value, tuple | list) else []
    )


MOVING = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT", "ASSERT", "ASSERT_NOT"}


def moves(pattern):
    return any(str(name) in MOVING or any(map(moves, _parts(value))) for name, value in pattern)


def test_where_an_old_python_could_lose_its_place_it_is_brought_back():
    rounds = [each for pattern in patterns() for each in possessive_rounds(pattern) if moves(each)]
    assert rounds
    for (name, ways), *rest in rounds:
        assert (str(name), rest) == ("BRANCH", [])
        assert repr(ways[1][-1]) == repr(SYNTAX.parse("(?!)"))


def test_a_private_key_on_one_line_is_masked_too():
    line = (BLOCK + END).replace("\n", "\\n")
    assert key("#" * 20) not in redact(f'{{"key": "{line}"}}')


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("API_TOKEN=abc make", "API_TOKEN=§ make"),
        ("export MY_KEY='a b'; ls", "export MY_KEY='§'; ls"),
        ('PGPASSWORD="x y" psql', 'PGPASSWORD="§" psql'),
        ("env CLIENT_SECRET_VALUE=s3 run", "env CLIENT_SECRET_VALUE=§ run"),
        ("docker run -e DB_PASS=abc img", "docker run -e DB_PASS=§ img"),
        ("java -DapiKey=abc -jar x", "java -DapiKey=§ -jar x"),
        ("AWS_SECRET_ACCESS_KEY=wJa/lrX+Ut aws s3 ls", "AWS_SECRET_ACCESS_KEY=§ aws s3 ls"),
        ("cmd --password X --user y", "cmd --password § --user y"),
        ("cmd --password=X", "cmd --password=§"),
        ("cmd --token X", "cmd --token §"),
        ("cmd --api-key 'X'", "cmd --api-key '§'"),
        ("mysql -u root -phunter2 db", "mysql -u root -p§ db"),
        ("mysqldump -p'a b' db", "mysqldump -p'§' db"),
        ("curl -u me:pw https://x", "curl -u me:§ https://x"),
        ("curl 'https://x?a=1&b=2' -u 'me:p w'", "curl 'https://x?a=1&b=2' -u 'me:§'"),
        ("curl --user=me:pw x", "curl --user=me:§ x"),
        ('curl -H "Authorization: Bearer abc" x', 'curl -H "Authorization: Bearer §" x'),
        ("curl -H 'authorization: basic YTpi' x", "curl -H 'authorization: basic §' x"),
        ("curl -H 'X-Api-Key: abc' x", "curl -H 'X-Api-Key: §' x"),
        ("git clone https://me:tok@example.org/x", "git clone https://me:§@example.org/x"),
        ("psql postgresql://u:p@ss@h:5432/db", "psql postgresql://u:§@h:5432/db"),
        ("git clone https://:tok@example.org/x", "git clone https://:§@example.org/x"),
        ("sshpass -p pw ssh -p 22 h", "sshpass -p § ssh -p 22 h"),
        ("docker login -u x -p pw reg", "docker login -u x -p § reg"),
        ("redis-cli -a pw get x", "redis-cli -a § get x"),
        ("redis-cli --pass pw get x", "redis-cli --pass § get x"),
        (f"git clone https://{key('#' * 20)}@example.org/x", "git clone https://§@example.org/x"),
        ("aws configure set aws_secret_access_key a1", "aws configure set aws_secret_access_key §"),
        ("npm config set //r.org/:_authToken a1", "npm config set //r.org/:_authToken §"),
        ("az login -u x -p pw", "az login -u x -p §"),
        ("sqlcmd -S h -U sa -P pw", "sqlcmd -S h -U sa -P §"),
        ("ldapsearch -x -w pw -b dc=x", "ldapsearch -x -w § -b dc=x"),
        ("zip -P pw a.zip b", "zip -P § a.zip b"),
        ("7z a -ppw a.7z b", "7z a -p§ a.7z b"),
        ("keytool -list -storepass pw", "keytool -list -storepass §"),
        ("openssl enc -k pw -in a", "openssl enc -k § -in a"),
        ("gh secret set X --body pw", "gh secret set X --body §"),
        ("echo root:pw | chpasswd", "echo root:§ | chpasswd"),
        (f"curl https://t.me/bot123456789:AA{GOOD * 3}/x", "curl https://t.me/bot§/x"),
        (f"curl h/api/webhooks/123456/{GOOD * 2}", "curl h/api/webhooks/123456/§"),
        (f"curl 'https://x/y?key={GOOD}'", "curl 'https://x/y?key=§'"),
        ("MYPASS=a1 make", "MYPASS=§ make"),
        ("SET PASSWORD FOR 'u'@'h' = 'a1'", "SET PASSWORD FOR 'u'@'h' = '§'"),
        ("psql -c \"ALTER USER x PASSWORD 'abc'\"", "psql -c \"ALTER USER x PASSWORD '§'\""),
        ("openssl rsa -passin pass:abc -in x", "openssl rsa -passin pass:§ -in x"),
        ('-d \'{"password": "hunter2", "u":"v"}\'', '-d \'{"password": "§", "u":"v"}\''),
        ('-d "{\\"password\\":\\"hunter2\\"}"', '-d "{\\"password\\":\\"§\\"}"'),
        ("-d 'user=x&password=a&b=1'", "-d 'user=x&password=§&b=1'"),
        ("f(token=abc, user=x)", "f(token=§, user=x)"),
        ("//host/:_authToken=abc", "//host/:_authToken=§"),
        ("bash -c 'TOKEN=abc' && echo 'hi'", "bash -c 'TOKEN=§' && echo 'hi'"),
        (f"cat <<X\ndb_password: {GOOD}\nX", "cat <<X\ndb_password: §\nX"),
        ("PASSWORD='$" + GOOD + "'", "PASSWORD='§'"),
    ],
)
def test_a_value_given_as_a_secret_is_masked_and_the_rest_stays(text, masked):
    assert redact(text) == masked.replace("§", MASK)
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "KEYBOARD=us setxkbmap",
        "BYPASS=1 COMPASS=north OLDPWD=/x make",
        "git clone ssh://git@example.org/x",
        "npm config set registry https://example.org",
        "aws configure set region eu-west-1",
        "zip -r a.zip src && 7z x a.7z && unzip -p a.zip x",
        "openssl req -key server.key -out x",
        "curl 'https://x/y?key=a&z=1'",
        "echo a:b | cut -d: -f1",
        'git commit -m "add token parser"',
        "git commit -m 'token: handle the end of a file'",
        "git commit -m 'Authorization: say what is allowed'",
        "git show 0123456789abcdef0123456789abcdef01234567",
        "rm /tmp/550e8400-e29b-41d4-a716-446655440000",
        "sha256sum -c <<< 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  x'",
        "pytest tests/test_secret.py::test_the_password_is_hashed",
        "cmd --password-stdin < file",
        "cmd --password-file /run/x --max-tokens 100",
        "MAX_TOKEN=4096 PRIMARY_KEY=id SORT_KEY=name PUBLIC_KEY=abc run",
        "TOKEN=$(gh auth token) API_KEY=$OTHER run",
        'curl -H "Authorization: Bearer $TOKEN" x',
        'curl -u "$USER:$PASS" x',
        "SSH_KEY=/home/ada/.ssh/id_ed25519 run",
        "grep 'TOKEN=' a && grep 'SECRET=' b",
        "grep -r -- '-----BEGIN PRIVATE KEY-----' .",
        'python -c "f(token=parser.next(), password=password)"',
        "codex -c env_key='SCRIPTED_KEY'",
        "git clone https://me@example.org/x git@example.org:a/b.git",
        "curl http://localhost:8080/a@b http://localhost:8000?mail=a@b.c",
        "mysqldump db | ssh -p2222 host",
        "docker run -p 80:80 img",
        "mkdir -p mysql/password",
        "git add task-list-of-everything-that-was-not-done-1.md sk-folding-cube-animation.css",
        "cat ~/.ssh/id_ed25519.pub",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@host",
        "export TOKEN=<your-token> PASSWORD=*** SECRET=xxx",
        "password: str = ''",
        "go test ./... # tests pass:5/5",
    ],
)
def test_ordinary_words_stay_as_they_are(text):
    assert redact(text) == text


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f'PASSWORD = "{GOOD}"', True),
        (f"API_KEY={GOOD}", True),
        (f"  db_password: {GOOD}", True),
        (f'{{"client_secret": "{GOOD}"}}', True),
        (f"postgresql://u:{GOOD}@host/db", True),
        ("postgresql://user:password@localhost/db", False),
        ('PASSWORD = os.environ["PASSWORD"]', False),
        ("token = parser.next_token2()", False),
        ("def f(token: Token2, password: str = 'x'):", False),
        ('API_KEY = "your-api-key-here1"', False),
        ("api_key: ${{ secrets.API_KEY2 }}", False),
        ("password: changeme123", False),
        ("token = self.token12.value34", False),
        ("AKIA" + "IOSFODNN7EXAMPLE", False),
    ],
)
def test_a_commit_is_stopped_only_by_what_is_surely_a_secret(line, found):
    assert bool(find_secrets(line)) is found


def test_what_was_found_never_shows_the_value():
    text = f"one\nDB_PASSWORD='{GOOD}'\n\nurl = 'amqp://a:{key('#' * 12)}@h'\n"
    assert find_secrets(text) == [(2, "password of DB_PASSWORD"), (4, "password in a URL")]


@given(st.text(max_size=200), st.sampled_from(sorted(KEYS.values())), st.text(max_size=200))
def test_a_key_between_any_words_is_masked(before, secret, after):
    assert secret not in redact(f"{before} {secret} {after}")


HOSTILE = [
    *("eyJ", "eyJ-", "eyJ.", "sk-", "sk-a1", "ghp_", "SG.", "1:AA", "\\", "'", '"'),
    *("://", "://a:", "://a:b@", "token=", "token='", 'token="'),
    'token="\\',
    "--token ",
    "mysql ",
    "mysql -p",
    "mysql 'x",
    "curl -u 'a:",
    "docker ",
    "docker login -p ",
    "bearer ",
    "Authorization: Bearer ",
    "password 'a",
    "login a password ",
    "-pass pass:",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 21,
    "token=token='token=",
    "key_",
    "a.b-",
    "password for ",
    "password is a1.",
    "token is a_",
    "login: a/",
]


def seconds(text: str) -> float:
    begun = time.process_time()
    redact(text)
    find_secrets(text)
    return time.process_time() - begun


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_time_in_proportion_to_its_length(piece):
    whole = piece * (65_536 // len(piece))
    assert seconds(whole) < 2, "64 KiB take a fraction of a second, not minutes"


def test_a_hook_pays_for_no_heavy_import():
    code = "import sys, drumline.team.secrets, drumline.team.audit; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"typing", "dataclasses", "logging", "subprocess"} & set(done.stdout.split())
