"""What the clients of code hosts do there and here, and who tells of other version control."""

from __future__ import annotations

from drumline.team.shell import hub_release, hub_systems
from drumline.team.shell.effect import GIT, HOLE, endangered, git_did, known, undecided, wrote
from drumline.team.shell.git_options import one_of
from drumline.team.shell.hub_release import last
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

GROUPS = one_of(
    "pr mr issue release repo project run workflow ci pipeline pipe pipelines job gist snippet"
    " secret variable label auth alias extension extensions ext cache codespace cs org ruleset rs"
    " ssh-key gpg-key deploy-key attestation at config agent-task milestone schedule incident"
    " iteration token user cluster stack securefile runner changelog opentofu work-items"
)
# verbs that only look, whatever their group
LOOKING = one_of(
    "list ls view show status diff checks check get search watch browse logs trace lint verify"
    " verify-asset issues approvers board contributors field-list item-list trusted-root events"
    " export"
)
# verbs that are groups of their own
NESTED = one_of("deploy-key autolink license gitignore members ports")
TOKENS = frozenset(["auth token", "auth git-credential", "auth status"])
HELP = one_of("-h --help --version")

METHOD = ("-X", "--method")
FIELDS = ("-f", "-F", "--raw-field", "--field", "--input", "--form")
API_VALUES = (
    "-X --method -f -F --raw-field --field --input --form -H --header -q --jq -t --template"
    " -p --preview --cache --hostname --output"
)

HUB_OWN = one_of("pull-request create fork delete sync release issue pr gist api")
HUB_LOOKING = one_of("ci-status browse compare alias")
HUB_ACTIONS_LOOKING = {
    "release": one_of("show download"),
    "issue": one_of("show labels"),
    "pr": one_of("list show"),
    "gist": one_of("show"),
}


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What a client of a code host, another version control or a release tool does."""
    return PROGRAMS[argv[0].rpartition("/")[2]](argv, scene)


def _client(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What gh or glab does: a group, a verb, then the verb's own words."""
    group, words = _next_command(argv[1:])
    if not known(group):
        return [undecided(f"which command of {argv[0]} this is cannot be told", GIT)]
    if group == "api":
        return _api(argv, words)
    if group == "co":
        return _checkout(argv, words)
    if group not in GROUPS:
        return []
    verb, rest = _next_command(words)
    if verb in NESTED:
        verb, rest = _next_command(rest)
    if not known(verb):
        return [undecided(f"what {argv[0]} {group} is told to do is not known", GIT)]
    return _verb(argv, scene, f"{group} {verb}".strip(), rest)


def _next_command(words: Sequence[str]) -> tuple[str, list[str]]:
    """The next word that is a command, and what follows; an option before it takes a word along."""
    rest = iter(words)
    for word in rest:
        if word in HELP:
            break
        if word[:1] != "-":
            return word, list(rest)
        if "=" not in word and (word[:2] == "--" or len(word) == len("-R")):
            next(rest, None)
    return "", []


def _verb(argv: Sequence[str], scene: Scene, command: str, rest: list[str]) -> list[Effect]:
    verb = command.partition(" ")[2]
    if not verb or _asks_help(rest) or _looks(command, rest):
        return []
    if command in TOKENS:
        return [endangered("credentials shown", f"{argv[0].rpartition('/')[2]} {command}")]
    if verb in {"checkout", "co"}:
        return _checkout(argv, rest)
    if verb in {"download", "artifact"}:
        return _download(rest, scene)
    if command in {"repo clone", "gist clone"}:
        return _clone(rest, scene)
    kept_here = command == "repo set-default"
    return [git_did("config", "remote", argv) if kept_here else git_did("hub", "", argv)]


def _looks(command: str, rest: list[str]) -> bool:
    """Whether a command of a group only shows something, and no secret."""
    if command == "auth status":
        return not {"-t", "--show-token"} & set(rest)
    if command in {"issue develop", "repo set-default"}:
        return bool({"-l", "--list", "-v", "--view"} & set(rest[:1]))
    return command.partition(" ")[2] in LOOKING


def _asks_help(words: list[str]) -> bool:
    """Whether help is asked for, and `--help` is not the value of an option."""
    return words[-1:] in (["--help"], ["-h"]) and not (words[-2:-1] or [""])[0].startswith("-")


def _checkout(argv: Sequence[str], words: list[str]) -> list[Effect]:
    given = taken_apart(words, "-b --branch -R --repo")
    done = [git_did("work-tree", last(given, "-b", "--branch"), argv)]
    return [*done, git_did("discard", "", argv)] if given.has("-f", "--force") else done


def _clone(words: list[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-u --upstream-remote-name -g --group -p")
    return _by_git(["git", "clone", *given.operands], scene)


def _by_git(argv: Sequence[str], scene: Scene) -> list[Effect]:
    from drumline.team.shell import git  # most of what is asked here is npm's

    return git.effects(argv, scene)


def _download(words: list[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "-D --dir -O --output -n --name -p --pattern --path -R --repo -A --archive"
    )
    file = last(given, "-O", "--output")
    if file:
        return [] if file == "-" else [wrote(scene.path(file))]
    return [wrote(scene.path(last(given, "-D", "--dir", "--path") or "."), tree=True)]


def _api(argv: Sequence[str], words: list[str]) -> list[Effect]:
    given = taken_apart(words, API_VALUES)
    if any(word[:1] == HOLE for word in given.operands) or any(
        HOLE in name for name in given.flags
    ):
        return [undecided("what is asked of the code host cannot be told", GIT)]
    methods = [value for name in METHOD for value in given.values.get(name, [])]
    if methods:
        harmless = all(method.upper() in {"GET", "HEAD", "OPTIONS"} for method in methods)
    else:
        fields = [value for name in FIELDS for value in given.values.get(name, [])]
        harmless = not fields or (given.operands == ["graphql"] and _only_asks(fields))
    return [] if harmless else [git_did("hub", "", argv)]


def _only_asks(fields: list[str]) -> bool:
    """Whether the text of a GraphQL request is known and changes nothing."""
    texts = [field.removeprefix("query=") for field in fields if field.startswith("query=")]
    safe = all(known(text) and text[:1] != "@" and "mutation" not in text for text in texts)
    return bool(texts) and safe and all("=" in field for field in fields)


def _hub(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What hub does, which is git with verbs of its own."""
    from drumline.team.shell.git_line import Line

    line = Line(argv, scene)
    if line.verb in HUB_LOOKING or (line.verb in HUB_OWN and _asks_help(line.words)):
        return []
    if line.verb not in HUB_OWN:
        return _by_git(argv, scene)
    if line.verb == "api":
        return _api(argv, line.words)
    if line.verb == "sync":
        return [line.did("fetch"), line.did("ref", HOLE)]
    given = taken_apart(line.words, "-a -s -f -c -M -L -l -d -o -m -F -b -h -B --format --sort")
    action = (given.operands or [""])[0]
    if line.verb == "pr" and action == "checkout":
        return [line.did("work-tree")]
    looking = HUB_ACTIONS_LOOKING.get(line.verb)
    return [] if looking is not None and (not action or action in looking) else [line.did("hub")]


PROGRAMS: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "gh": _client,
    "glab": _client,
    "hub": _hub,
    **dict.fromkeys(hub_systems.SYSTEMS, hub_systems.effects),
    **dict.fromkeys(hub_release.TOOLS, hub_release.effects),
}
