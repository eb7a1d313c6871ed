"""What secrets look like: the keys of well-known makers, and the words around all others.

Every pattern runs in time proportional to its text: what may repeat without end is possessive, and a
run is entered only at its beginning. Python before 3.11.5 loses its place when the last round of a
possessive group fails after a repeat or a look-ahead in it: there `OR_BACK`, which never matches, is its last way.
"""

from __future__ import annotations

OR_BACK = r"|(?!)"
_FRESH = r"(?<![A-Za-z0-9])"
_KEY_BODY = (
    r"(?=(?:\s|\\[nr]){0,8}+(?:[A-Za-z0-9+/]{16}|[A-Z][A-Za-z-]{0,30}+:))"
    rf"((?:(?!-----END)[\w+/=:,.()@<>\s\\-]{OR_BACK})++)"
)
_AUTHORIZATION = (
    r"""(?i:authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?)"""
    r"(?i:bearer|basic|token|digest|apikey)[ \t]{1,8}"
)
_SETTING = (
    r"(?i:\bconfig(?:ure)?[ \t]{1,8}set[ \t]{1,8}(?:--?[\w-]{1,40}+[ \t]{1,8})?"
    r"[^\s=]{0,200}?(?:secret_access_key|secret|token|password|_auth|api_?key)[ \t=]{1,8})[\"']?"
)

# kind; lower-case words of which one must be there; pattern, whose group is the secret, else all of it
SHAPES = (
    ("Anthropic key", "sk-ant-", _FRESH + r"sk-ant-[\w-]{16,}+"),
    ("OpenAI key", "sk-", _FRESH + r"sk-(?!ant-)(?=[A-Za-z_-]{0,60}\d)[\w-]{20,}+"),
    ("Stripe key", "k_live_ k_test_", _FRESH + r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}+"),
    ("Stripe key", "whsec_", _FRESH + r"whsec_[\w+/=]{20,}+"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", _FRESH + r"gh[pousr]_[A-Za-z0-9]{20,}+"),
    ("GitHub token", "github_pat_", r"github_pat_\w{20,}+"),
    ("GitLab token", "glpat-", _FRESH + r"glpat-[\w.-]{20,}+"),
    (
        "GitLab token",
        "gldt- glrt- glft- glcbt- glptt- gloas- glsoat- glagent-",
        _FRESH + r"gl(?:dt|rt|ft|cbt|ptt|oas|soat|agent)-[\w.-]{20,}+",
    ),
    ("Slack token", "xox", _FRESH + r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}+"),
    ("Slack token", "xapp-", _FRESH + r"xapp-\d-[\w-]{10,}+"),
    ("Slack webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,20}+/([\w/]{20,}+)"),
    (
        "AWS access key",
        "akia asia abia acca",
        _FRESH + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    ("Google key", "aiza", _FRESH + r"AIza[\w-]{30,}+"),
    ("Google token", "ya29.", _FRESH + r"ya29\.[\w.-]{20,}+"),
    ("Google secret", "gocspx-", r"GOCSPX-[\w-]{20,}+"),
    ("npm token", "npm_", _FRESH + r"npm_[A-Za-z0-9]{30,}+"),
    ("PyPI token", "pypi-", _FRESH + r"pypi-(?=[A-Za-z_-]{0,60}\d)[\w-]{32,}+"),
    ("Hugging Face token", "hf_", _FRESH + r"hf_[A-Za-z0-9]{25,}+"),
    ("Docker token", "dckr_", r"dckr_[a-z]{2,4}_[\w-]{20,}+"),
    ("DigitalOcean token", "_v1_", _FRESH + r"do[opr]_v1_[a-f0-9]{40,}+"),
    ("Vault token", "hvs. hvb. hvr.", _FRESH + r"hv[sbr]\.[\w-]{20,}+"),
    ("Groq key", "gsk_", _FRESH + r"gsk_[A-Za-z0-9]{30,}+"),
    ("xAI key", "xai-", _FRESH + r"xai-[A-Za-z0-9]{30,}+"),
    ("SendGrid key", "sg.", r"(?<![\w.-])SG\.[\w-]{16,}+\.[\w-]{16,}+"),
    ("Telegram token", ":aa", r"(?<![\w.-])(?:bot)?(\d{8,12}:AA[\w-]{30,}+)"),
    ("Discord webhook", "/api/webhooks/", r"/api/webhooks/\d{5,25}/([\w-]{20,}+)"),
    ("JSON web token", "eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+"),
    ("age key", "age-secret-key-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}+"),
    (
        "private key",
        "private",
        r"-----BEGIN[A-Z0-9 ]{1,40}PRIVATE KEY(?: BLOCK)?-----" + _KEY_BODY,
    ),
    ("private key", "b3blbnnzac1rzxktdjea", r"b3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/=]{40,}+"),
)

# the same, known only by the place where they stand
PLACES = (
    ("password in a URL", "://", r"""://[^\s/?#:@'"`]*+:([^\s/?#'"`]+)@"""),
    ("token in a URL", "://", r"""://(?=[^\s/?#:@]{0,200}\d)([^\s/?#:@'"`]{16,}+)@"""),
    ("key in a URL", "?key= &key=", r"""[?&]key=([^&\s"'#`]{8,}+)"""),
    ("secret in a setting", "set", _SETTING + r"""([^\s"';|&`]++)"""),
    (
        "password in SQL",
        "password",
        r"(?i:\bset[ \t]{1,8}password\b[^=\n;]{0,100}=[ \t]{0,8}(?:password\()?)'([^'\s]++)'",
    ),
    (
        "password for chpasswd",
        "chpasswd",
        r"""(?:echo|printf)[ \t]{1,8}(?:-\w[ \t]{1,8})?["']?[\w.-]{1,64}+:([^\s"'|\\]++)(?=[^|\n]{0,20}\|[^|\n]{0,40}chpasswd)""",
    ),
    ("token in a header", "authorization", _AUTHORIZATION + r"""([^\s"'\\,;`]++)"""),
    (
        "token in a header",
        "bearer",
        r"(?i:bearer)[ \t]{1,8}(?=[A-Za-z._~+/=-]{0,200}\d)([\w.~+/=-]{16,}+)",
    ),
    (
        "password in SQL",
        "password identified",
        r"(?i:\b(?:password|identified[ \t]{1,8}by)[ \t]{1,8})'([^'\s]++)'",
    ),
    ("password of openssl", "pass:", r"-pass(?:in|out)?[ \t]{1,8}[\"']?pass:([^\s\"']++)"),
    (
        "password in netrc",
        "password",
        r"(?<![\w-])login[ \t]{1,8}\S{1,200}+\s{1,8}password[ \t]{1,8}(\S++)",
    ),
)

# programs that take a password after a short flag: their name, and all that stands before the value
PROGRAMS = (
    ("mysql", r"(?<![\w.-])mysql[\w-]{0,20}+", r"(?<=\s)-p(?=\S)"),
    ("mariadb", r"(?<![\w.-])mariadb[\w-]{0,20}+", r"(?<=\s)-p(?=\S)"),
    ("sshpass", r"(?<![\w.-])sshpass", r"(?<=sshpass\s)-p[ \t]{0,8}"),
    ("mongo", r"(?<![\w.-])mongo[a-z]{0,12}+", r"(?<=\s)-p[ \t]{1,8}"),
    ("redis-cli", r"(?<![\w.-])redis-cli", r"(?<=\s)(?:-a[ \t]{0,8}|--pass[ \t=]{1,8})"),
    ("sqlcmd", r"(?<![\w.-])sqlcmd", r"(?<=\s)-P[ \t]{0,8}"),
    ("ldap", r"(?<![\w.-])ldap[a-z]{2,12}+", r"(?<=\s)-w[ \t]{0,8}"),
    ("zip", r"(?<![\w.-])(?:un)?zip(?=\s)", r"(?<=\s)(?:-P[ \t]{0,8}|--password[ \t=]{1,8})"),
    ("7z", r"(?<![\w.-])7z[ar]?(?=\s)", r"(?<=\s)-p(?=\S)"),
    ("keytool", r"(?<![\w.-])keytool", r"(?<=\s)-(?:store|key|srcstore|deststore)pass[ \t]{1,8}"),
    ("ssh-keygen", r"(?<![\w.-])ssh-keygen", r"(?<=\s)-[NP][ \t]{1,8}"),
    ("openssl", r"(?<![\w.-])openssl", r"(?<=\s)-k[ \t]{1,8}"),
    (
        "gh",
        r"(?<![\w.-])gh\s{1,8}(?:secret|variable)\s{1,8}set",
        r"(?<=\s)(?:-b|--body)[ \t=]{1,8}",
    ),
    (
        "login",
        r"(?<![\w.-])(?:docker|podman|helm|buildah|skopeo|az|oc|nerdctl)\s.{0,200}?login",
        r"(?<=\s)-p[ \t=]{1,8}",
    ),
    (
        "curl",
        r"(?<![\w.-])curl",
        r"""(?<=\s)(?:-[uU]|--user|--proxy-user)[ \t=]{0,8}(["']?)[^\s:"']{0,200}+:""",
    ),
)

_BESIDE = """
    arn count dir env expires expiry field file files folder format header helper id ids index kind
    label length len limit manager max min mode name names path pattern policy prompt provider ref
    regex required reset size stdin store strength ttl type uri url usage var version
"""
_HARMLESS = """
    arrow cache default dedup export foreign group hash host hot import index item license lookup map
    message object order partition press primary public recv reply row sort storage translation unique
"""
_PLAIN = """
    none null nil true false yes no on off undefined str string int bytes bool any optional
"""
_INSTEAD = """
    example changeme change-me change_me placeholder your dummy fake sample xxxx redacted password
    passw0rd secret insert replace todo **** .... test foobar abc123 123456
"""

BESIDE_THE_SECRET = frozenset(_BESIDE.split())  # a name that ends so holds something else
HARMLESS_KEYS = frozenset(_HARMLESS.split())
PLAIN_VALUES = frozenset(_PLAIN.split())
PLACEHOLDERS = tuple(_INSTEAD.split())  # what people write where a secret would stand

NAMING = ("pass", "secret", "token", "key", "credential", "pwd", "auth")
SPOKEN = ("pw", "creds", "login", "kennwort", "contrase", "senha")  # in sentences alone
_HINTS = (
    *NAMING,
    *SPOKEN,
    *(hint for _, hints, _ in (*SHAPES, *PLACES) for hint in hints.split()),
    *(name for name, _, _ in PROGRAMS),
)


def may_hold_one(text: str) -> bool:
    """Whether a text has any word by which a secret is looked for."""
    low = text.lower()
    return any(hint in low for hint in _HINTS)
