"""Programs that read or write files which their options name: a table, and the few that need more."""

from __future__ import annotations

from drumline.team.shell.effect import read as did_read
from drumline.team.shell.effect import wrote
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

    Tell = Callable[[Sequence[str], Scene], list[Effect]]

# options that name a file read, options that name one written, options with another value
_OPTIONS: dict[str, tuple[str, str, str]] = {
    "openssl": (
        "-in -inkey -key -kfile -certfile",
        "-out -keyout -writerand",
        "-passin -passout -k",
    ),
    "gpg": ("--passphrase-file", "-o --output", "-r -u --recipient --local-user --homedir"),
    "pytest": ("", "--junitxml --junit-xml --basetemp --html --report-log", "-k -m -n -p -c"),
    "coverage": ("", "-d --directory -o --data-file", "-m --include --omit --rcfile"),
    "tsc": ("", "--outDir --outFile --declarationDir --tsBuildInfoFile", "-p --project"),
    "esbuild": ("", "--outfile --outdir --metafile", "--loader --target"),
    "cargo": ("", "--target-dir --artifact-dir --out-dir", "-p --package --features"),
    "cmake": ("", "-B --install-prefix", "-S -G -D -C"),
    "terraform": ("", "-out --out -state-out", ""),
    "tofu": ("", "-out --out -state-out", ""),
    "wget": ("--post-file --body-file --load-cookies", "--save-cookies", "-O -o -P --header"),
    "ffmpeg": ("-i", "", "-f -c -vf -af -ss -t -r -b -s -map"),
    "az": ("--file -f", "", "-n --name -c --container-name"),
}
_COPIES = {"aws": ("s3",), "gsutil": (), "gcloud": ("storage",), "rclone": ()}
_COPY_VERBS = frozenset("cp mv sync copy copyto move moveto".split())
_CHANGED = frozenset({"setfattr", "chcon"})


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """The files these words name."""
    name, words = argv[0].rpartition("/")[2], argv[1:]
    found: list[Effect] = []
    if name in _OPTIONS:
        reads, writes, others = _OPTIONS[name]
        given = taken_apart(words, f"{reads} {writes} {others}")
        found += [did_read(scene.path(value)) for value in _values(given, reads)]
        found += [wrote(scene.path(value)) for value in _values(given, writes)]
        found += _last(name, given, scene)
    tell = _MORE.get(name)
    return found + (tell(words, scene) if tell is not None else [])


def _values(given: Words, options: str) -> list[str]:
    found = [value for option in options.split() for value in given.values.get(option, [])]
    return [value for value in found if value not in {"", "-"}]


def _last(name: str, given: Words, scene: Scene) -> list[Effect]:
    if name == "ffmpeg":
        return [wrote(scene.path(word)) for word in given.operands[-1:] if word != "-"]
    return [did_read(scene.path(word)) for word in given.operands] if name == "gpg" else []


def _terraform(words: Sequence[str], scene: Scene) -> list[Effect]:
    """`-out=FILE`, with one dash."""
    values = [word.partition("=")[2] for word in words if word.startswith(("-out=", "-state-out="))]
    return [wrote(scene.path(value)) for value in values]


def _pytest(words: Sequence[str], scene: Scene) -> list[Effect]:
    pairs = zip(["", *words], words, strict=False)
    settings = [word for before, word in pairs if before in {"-o", "--override-ini"}]
    folders = [word.partition("=")[2] for word in settings if word.startswith("cache_dir=")]
    reports = [word for word in words if word.startswith("--cov-report=")]
    named = [word.partition("=")[2].partition(":")[2] for word in reports]
    return [wrote(scene.path(name)) for name in [*folders, *named] if name]


def _ssh_keygen(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-f -t -b -C -N -P -m -I -n -O -s -V -R -F -D -E -Z -a -w -Y")
    names = [scene.path(name) for name in given.values.get("-f", [])]
    if given.has("-y", "-e"):
        return [did_read(name) for name in names]
    if given.has("-l", "-F", "-Y", "-B"):
        return []
    return [wrote(path) for name in names for path in (name, f"{name}.pub")]


def _copies(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Copies between here and a store elsewhere: what is here is read or written."""
    given = taken_apart(words, "--profile --region --endpoint-url --exclude --include --acl -j -m")
    at = next((at for at, word in enumerate(given.operands) if word in _COPY_VERBS), -1)
    *sources, target = given.operands[at + 1 :] or [""]
    if at < 0 or not sources:
        return []
    here = [name for name in sources if _is_here(name)]
    found = [did_read(scene.path(name)) for name in here]
    return [*found, wrote(scene.path(target))] if _is_here(target) else found


def _is_here(name: str) -> bool:
    return name != "-" and ":" not in name.partition("/")[0]


def _http(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Words of httpie may name files to send, behind an @."""
    given = taken_apart(words, "-o -a -A --output --auth --session --verify --cert --download")
    sent = [word.partition("@")[2] for word in given.operands if "@" in word and "://" not in word]
    out = [wrote(scene.path(name)) for name in _values(given, "-o --output")]
    return [*[did_read(scene.path(name)) for name in sent if name], *out]


def _curl(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Addresses that are files here, and the options that name a file to send."""
    local = [word.partition("file://")[2] for word in words if "file://" in word.lower()[:16]]
    given = taken_apart(words, "-K --config --netrc-file --json --data-urlencode --data-ascii -b")
    posted = [
        value for value in _values(given, "--json --data-urlencode --data-ascii") if "@" in value
    ]
    sent = [value.partition("@")[2] for value in posted]
    named = [*local, *sent, *_values(given, "-K --config --netrc-file")]
    return [did_read(scene.path(name.removeprefix("localhost"))) for name in named if name]


def _ruff(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "--config --select --ignore --exclude --line-length --target-version"
    )
    verb, *names = given.operands or [""]
    rewrites = verb == "format" and not given.has("--check", "--diff")
    fixes = verb == "check" and given.has("--fix", "--fix-only")
    return [wrote(scene.path(name)) for name in names] if rewrites or fixes else []


def _to_last(words: Sequence[str], scene: Scene) -> list[Effect]:
    """The last of several operands is written, as objcopy and convert have it."""
    names = [word for word in words if not word.startswith("-")]
    return [wrote(scene.path(name)) for name in names[-1:]] if len(names) > 1 else []


def _xxd(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-c -g -l -o -s -seek -len -cols")
    return [wrote(scene.path(name)) for name in given.operands[1:2]]


def _mount(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-t -o -L -U --types --options")
    return [wrote(scene.path(name), tree=True) for name in given.operands[1:][-1:]]


def _attributes(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-n -v -x -u -r -t -l --name --value --remove --type --role --user")
    return [wrote(scene.path(name), "attributes") for name in given.operands]


def _protoc(words: Sequence[str], scene: Scene) -> list[Effect]:
    outs = [word for word in words if word.partition("=")[0].endswith("_out") and "=" in word]
    return [wrote(scene.path(word.partition("=")[2].rpartition(":")[2])) for word in outs]


def _docker(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Copies out of a container, and files handed to a build."""
    given = taken_apart(words, "--secret -f --file -t --tag --env-file")
    handed = [
        value.rpartition("src=")[2] for value in given.values.get("--secret", []) if "src=" in value
    ]
    found = [did_read(scene.path(value.partition(",")[0])) for value in handed]
    if given.operands[:1] != ["cp"] or len(given.operands) < 3:  # noqa: PLR2004 - the verb, a source, a target
        return found
    source, target = given.operands[1:3]
    if not _is_here(target):
        return [*found, did_read(scene.path(source))] if _is_here(source) else found
    return found if target == "-" else [*found, wrote(scene.path(target))]


def _hooks(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Programs that put themselves among the repository's hooks."""
    asked = next((word for word in words if not word.startswith("-")), "")
    kept = f"{scene.root}/.git/hooks/pre-commit"
    return [wrote(kept)] if asked in {"install", "uninstall", "init", "add"} else []


_MORE: dict[str, Tell] = {
    **dict.fromkeys(("terraform", "tofu"), _terraform),
    **dict.fromkeys(("pytest", "py.test"), _pytest),
    "ssh-keygen": _ssh_keygen,
    **dict.fromkeys(_COPIES, _copies),
    **dict.fromkeys(("http", "https", "xh", "xhs"), _http),
    "curl": _curl,
    "ruff": _ruff,
    **dict.fromkeys(("objcopy", "convert", "magick"), _to_last),
    "xxd": _xxd,
    "mount": _mount,
    **dict.fromkeys(_CHANGED, _attributes),
    "protoc": _protoc,
    **dict.fromkeys(("docker", "podman", "nerdctl"), _docker),
    **dict.fromkeys(("pre-commit", "husky", "lefthook"), _hooks),
}
