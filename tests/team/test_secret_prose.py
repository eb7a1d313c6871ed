"""Secrets that are told in a sentence are masked, and sentences about secrets are not."""

import pytest

from drumline.team.reflection import Category
from drumline.team.remembering import noted
from drumline.team.secrets import MASK, find_secrets, redact
from tests.team.test_secrets import key

pytestmark = pytest.mark.requirement("AUDIT-01", "MEM-02")

HEX = "8f14e45fceea167a5a36" + "dedd4bea2543"  # parted, so that no scanner minds this file
MIXED = key("#" * 20)
TOLD = [
    ("the password is §", "v8x9Q2kk1"),
    ("the password is §", "hunter2hunter2"),
    ("The password is §", "hunter2"),
    ("The admin password is: §", "S3cr#t!9"),
    ("password § opens the staging db", "hunter2hunter2"),
    ("log in with password §", "hunter2hunter2"),
    ("use the password '§'", "hunter2hunter2"),
    ("use the password `§` for staging", "Summer2024"),
    ("The password for the staging database is §.", "Summer2024"),
    ("the password of admin on db2 was changed to §", "Gx7pQ2zz"),
    ("user: admin, pass: §", "hunter2hunter2"),
    ("pw: §", "hunter2hunter2"),
    ("pwd is §", "hunter2hunter2"),
    ("The DB passphrase is now §", "blue7horse9"),
    ("root's password is §", "31415926"),
    ("token: §", HEX),
    ("the token is §", HEX),
    ("the API token for CI is §", f"tkn_{HEX}"),
    ("API key § works for staging", HEX),
    ("our api key is §", MIXED),
    ('The API-key is "§"', MIXED),
    ("secret is §", MIXED),
    ("client secret = §", MIXED),
    ("the webhook secret: §", MIXED),
    ("the credentials are admin/§", "hunter2hunter2"),
    ("credentials: §", "admin:hunter2hunter2"),
    ("login is admin / §", "hunter2hunter2"),
    ("das Passwort ist §", "hunter2hunter2"),
    ("le mot de passe est §", "hunter2hunter2"),
    ("la contraseña es §", "hunter2hunter2"),
    ("password → §", "hunter2hunter2"),
    ("password -> §", "hunter2hunter2"),
    ("password (staging): §", "hunter2hunter2"),
    ("Password = §", "hunter2hunter2"),
    ("PASSWORD IS §", "HUNTER2HUNTER2"),
    ('sign in as ada with the password "§"', "Tr0ub4dor&3"),
    ("bearer token is §", MIXED),
]
ABOUT = [
    "the private key is ed25519.Ed25519PrivateKey",
    "The password reset flow needs a mail server",
    "token bucket is refilled at 100r/s",
    "the token bucket limits each client to 10req/s",
    "The password is hashed with argon2id",
    "the password is argon2id-hashed",
    "the password is sha256-hashed before it is stored",
    "the token is base64-encoded",
    "the token is base64encoded",
    "the token is a 32-byte hex string",
    "the token is 32-bytes long",
    "passwords are bcrypt2-hashed",
    "the token is RS256-signed",
    "the token is OAuth2-compatible",
    "the token is stored in k8s",
    "the secret is rotated every 90days",
    "the token is read from src/auth/token2.py",
    "the token is src/auth/v2/token_store2.py",
    "the token is in auth2service.py",
    "the cache key is user:42:profile",
    "the cache key is user42profile9",
    "the primary key is order_id2",
    "the key is i18n.title2",
    "Sort key is created_at2",
    "the token type is IDENT2",
    "the next token is T_IDENT_2",
    "the token is IDENT2024",
    "the lexer's token is NUMBER2",
    "the token is user.token2",
    "the token is process.env.CI_TOKEN2",
    "the password is $DB_PASSWORD2",
    "the password is ${DB_PASS2}",
    "the password is in 1Password",
    "the password is optional since v2.3.0",
    "the password is required",
    "the password is `None` for OAuth2 users",
    "the token is `null`",
    "the secret is named db-credentials-v2",
    "the secret is db-credentials-v2",
    "password is at least 12chars",
    "a password is 12characters or more",
    "the password field is named pass2word_confirm",
    "password test_login_v2 covers it",
    "token parser_v2 is in src/lexer",
    "token TOK_V2_IDENT is reserved",
    "token id 550e8400-e29b-41d4-a716-446655440000 is logged",
    "the token expires 2026-01-01T00:00:00Z",
    "the token is valid until 2026-01-01T00:00:00Z",
    "the API key is checked in middleware2",
    "API key is X-Api-Key2",
    "the API key is read from ~/.config/app2/key",
    "The secret is mounted at /run/secrets/db2",
    "access token and refresh token live 15m and 30d",
    "use tokens, not passwords: OAuth2 and OIDC only",
    "the token count is 128k",
    "max tokens is 128000",
    "password: str = ''",
    "token: Token2",
    "tests pass: 5of5",
    "second pass: rename2 things",
    "login is at http://localhost:8080/login2",
    "credentials are in config/prod2values.yaml",
    "credentials: see docs/auth2.md",
    "credentials/login2 is the route",
    "login admin/users2",
    "pass the token to fetch2json",
    "secret santa2024 branch is stale",
    "the password check lives in check_password2()",
    "key rotation happens in rotate_keys_v2()",
    "the commit token is abc1234",
    "the password is example123",
    "the password is your-password-1",
    "Auth: the token is minted by sts2",
    "Passwort ist ein Pflichtfeld",
    "the secret is UTF-8 encoded",
    "the token is HS256/RS256",
    "the password is user@example2.com",
    "the token is v2.local",
    "secret: the trick is x86_64 only",
    "the token is 0x1F4A2B3C",
    "commit 8f14e45fceea167a5a36dedd4bea2543deadbeef broke it",
    "The token limit of gpt-4o-mini-2024 is 128k",
    "token gpt-4o-2024-08-06 counts differ",
    "password manager 1Password7 is used",
    "the password is P-256 derived",
    "The secret is s3://bucket2/key1",
    "pytest-asyncio0.23 changed token handling",
    "the auth token is req.headers['x-auth2']",
    "the token is a UUIDv4",
]


@pytest.mark.parametrize(("sentence", "secret"), TOLD)
def test_a_secret_that_a_sentence_tells_is_masked_and_the_sentence_stays(sentence, secret):
    masked = sentence.replace("§", MASK)
    assert redact(sentence.replace("§", secret)) == masked
    assert redact(masked) == masked


@pytest.mark.parametrize("sentence", ABOUT)
def test_a_sentence_about_secrets_stays_as_it_is(sentence):
    assert redact(sentence) == sentence


def test_a_learning_tells_no_secret():
    told = noted(Category.GOTCHA, "The password for staging is hunter2hunter2, ask Ada")
    assert told.text == f"The password for staging is {MASK}, ask Ada"


def test_no_sentence_stops_a_commit():
    assert find_secrets("the password is hunter2hunter2") == []
