"""Programs that start another one in an environment of its own: what they start is what counts."""

from __future__ import annotations

from drumline.team.shell.effect import undecided
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_UV_RUN = (
    "--with --with-editable --with-requirements --python -p --env-file --extra --group --only-group"
    " --no-group --package --directory --project --index --index-url --extra-index-url -i -f"
    " --find-links --config-file --cache-dir --color --link-mode --exclude-newer --resolution"
    " --prerelease --refresh-package --upgrade-package -P --no-extra --config-setting -C --default-index"
    " --allow-insecure-host --keyring-provider --python-platform --reinstall-package --no-binary-package"
)
_NPX = "-p --package -c --call --userconfig --cache --node-options --prefix -w --workspace --shell"
_PNPM = "-C --dir --filter -F --package -w"
_DOPPLER = "-p -c -t --project --config --token --command --mount --name-transformer --scope"
_OP = "--env-file --account --session --cache --config"
_POETRY = "-C --directory -P --project"
_CONDA = "-n -p --name --prefix --cwd"

# the words before, the options with a value, the operands to leave out, an option with a whole script
_LAUNCHERS: tuple[tuple[str, str, int, str], ...] = (
    ("npx", _NPX, 0, "-c --call"),
    ("npm exec", _NPX, 0, "-c --call"),
    ("npm x", _NPX, 0, "-c --call"),
    ("bunx", "-p --package", 0, ""),
    ("bun x", "-p --package", 0, ""),
    ("pnpm dlx", _PNPM, 0, "-c --shell-mode"),
    ("pnpm exec", _PNPM, 0, "-c --shell-mode"),
    ("pnpx", _PNPM, 0, ""),
    ("yarn dlx", "-p --package", 0, ""),
    ("yarn exec", "--cwd", 0, ""),
    ("uvx", _UV_RUN + " --from", 0, ""),
    ("uv run", _UV_RUN, 0, ""),
    ("uv tool run", _UV_RUN + " --from", 0, ""),
    ("pipx run", "--spec --python --pip-args --index-url -i", 0, ""),
    ("poetry run", _POETRY, 0, ""),
    ("pdm run", "-p --project -s --site-packages --venv", 0, ""),
    ("hatch run", "-e --env", 0, ""),
    ("rye run", "-p --package --pyproject", 0, ""),
    ("pixi run", "-e --environment --manifest-path -p", 0, ""),
    ("pipenv run", "--python", 0, ""),
    ("bundle exec", "--gemfile", 0, ""),
    ("conda run", _CONDA, 0, ""),
    ("mamba run", _CONDA, 0, ""),
    ("micromamba run", _CONDA, 0, ""),
    ("nix-shell", "-p -I -A --argstr --arg --attr --packages", 9, "--run --command"),
    ("nix develop", "--profile -f -I --override-input", 9, "-c --command"),
    ("nix shell", "--profile -f -I", 9, "-c --command"),
    ("nix run", "--profile -f -I", 0, ""),
    ("direnv exec", "", 1, ""),
    ("mise exec", "-C --cd -j", 0, "-c --command"),
    ("mise x", "-C --cd -j", 0, "-c --command"),
    ("asdf exec", "", 0, ""),
    ("rbenv exec", "", 0, ""),
    ("pyenv exec", "", 0, ""),
    ("nodenv exec", "", 0, ""),
    ("nvm exec", "", 1, ""),
    ("fnm exec", "--using --fnm-dir", 0, ""),
    ("volta run", "--node --npm --yarn --env", 0, ""),
    ("dotenv run", "-f --file -e", 0, ""),
    ("dotenv", "-f --file -e -v -p -c", 0, ""),
    ("dotenvx run", "-f --env-file -e --env", 0, ""),
    ("env-cmd", "-f -e -r --file --environments", 0, ""),
    ("cross-env", "", 0, ""),
    ("doppler run", _DOPPLER, 0, "--command"),
    ("op run", _OP, 0, ""),
    ("aws-vault exec", "-d --duration --region --mfa-token", 1, ""),
    ("chamber exec", "-b --backend -r --retries", 1, ""),
    ("infisical run", "--env --path --token --projectId", 0, "--command -c"),
    ("teller run", "-c --config", 0, ""),
    ("vaultenv", "--host --port --token --secrets-file", 0, ""),
    ("devbox run", "-c --config -e --env --env-file", 0, ""),
    ("flox activate", "-d --dir -r", 9, "-c"),
    ("guix shell", "-m -D", 9, ""),
    ("rustup run", "", 1, ""),
    ("opam exec", "--switch", 0, ""),
    ("stack exec", "--package --resolver", 0, ""),
    ("cabal exec", "--builddir", 0, ""),
    ("mix cmd", "--app", 0, ""),
    ("composer exec", "-d --working-dir", 0, ""),
    ("concurrently", "-n -c -p --names --prefix --prefix-colors --kill-others", 9, "every"),
    ("npm-run-all", "", 9, ""),
    ("nodemon", "-e -w --ext --watch --ignore", 9, "-x --exec"),
    ("watchexec", "-w -e -i -d --watch --exts --ignore --debounce", 0, ""),
    ("watchmedo shell-command", "-p --patterns -i", 9, "-c --command"),
)
_WHOLE_HEADS = frozenset(head for head, _, _, _ in _LAUNCHERS if " " not in head)
PROGRAMS = frozenset(head.partition(" ")[0] for head, _, _, _ in _LAUNCHERS) | {"cargo", "mix"}
_AFTER_DASHES = frozenset(
    "mise op doppler aws-vault chamber infisical teller devbox guix opam flox".split()
)
_ASSIGNS = frozenset({"cross-env", "env-cmd"})
_NOT_FOUND = "a launcher starts a program that cannot be told"


class Inner:
    """What a launcher starts: scripts for a shell, or a program with its words."""

    __slots__ = ("argv", "scripts")

    def __init__(self, argv: Sequence[str] = (), scripts: Sequence[str] = ()) -> None:
        self.argv, self.scripts = tuple(argv), tuple(scripts)


def effects(inner: Inner, scene: Scene) -> list[Effect]:
    """What the program does that a launcher starts."""
    found: list[Effect] = []
    for script in inner.scripts:
        found += scene.script(script) if script else [undecided(_NOT_FOUND)]
    if inner.argv:
        found += scene.run(inner.argv)
    return found


def inner_of(name: str, words: Sequence[str]) -> Inner | None:
    """What these words start, or nothing when they start nothing of their own."""
    line = " ".join([name, *_after_global_options(name, words)][:3]) + " "
    for head, valued, leave_out, scripted in _LAUNCHERS:
        if line.startswith(f"{head} "):
            rest = _after_global_options(name, words)[len(head.split()) - 1 :]
            options = f"{valued} {scripted if scripted != 'every' else ''}"
            return _inner(name, rest, (options, leave_out, scripted))
    return None


def _after_global_options(name: str, words: Sequence[str]) -> Sequence[str]:
    """The words from the subcommand on (`uv --directory x run …`)."""
    if name in _WHOLE_HEADS:
        return words
    return taken_apart(words, _GLOBAL_VALUED.get(name, ""), stop=True).operands


_GLOBAL_VALUED = {
    "uv": "--directory --project --python --config-file --cache-dir --color",
    "npm": "--prefix -w --workspace --userconfig -C",
    "pnpm": "-C --dir --filter -F",
    "yarn": "--cwd",
    "poetry": _POETRY,
    "bundle": "--gemfile",
    "mise": "-C --cd -E --env",
    "hatch": "-e --env -p --project --data-dir --cache-dir --config",
    "nix": "--extra-experimental-features --option",
    "conda": "",
    "doppler": _DOPPLER,
    "op": _OP,
    "pdm": "-c --config",
}


def _inner(name: str, words: Sequence[str], kind: tuple[str, int, str]) -> Inner:
    valued, leave_out, scripted = kind
    given = taken_apart(words, valued, stop=True)
    scripts = [text for option in scripted.split() for text in given.values.get(option, [])]
    if scripted == "every":
        return Inner(scripts=[word for word in given.operands if not word.startswith("npm:")])
    if name in {"nix", "flox"} and scripts:
        return Inner(argv=_after_option(words, scripted))
    if scripts:
        return Inner(scripts=scripts)
    if name in _AFTER_DASHES and "--" in words:
        return Inner(argv=words[list(words).index("--") + 1 :])
    if name == "uv" and given.has("-m", "--module"):
        return Inner(argv=["python", "-m", *given.operands])
    operands = given.operands[leave_out:]
    operands = operands[1:] if operands[:1] == ["--"] else operands
    operands = _without_assignments(operands) if name in _ASSIGNS else operands
    return Inner(argv=_program(name, operands))


def _after_option(words: Sequence[str], options: str) -> list[str]:
    """`nix develop -c cmd args`: the rest of the line is the command."""
    for place, word in enumerate(words):
        if word in options.split():
            return list(words[place + 1 :])
    return []


def _without_assignments(words: Sequence[str]) -> list[str]:
    kept = list(words)
    while kept and "=" in kept[0]:
        kept.pop(0)
    return kept


def _program(name: str, operands: Sequence[str]) -> list[str]:
    """The program's words, with a package's version and environment taken off its name."""
    if not operands:
        return []
    first, *rest = operands
    if name == "uv" and (first == "-" or first.endswith((".py", ".pyw"))):
        return ["python", *operands]
    if name == "hatch":
        first = first.rpartition(":")[2]
    if name in {"npx", "npm", "bunx", "bun", "pnpm", "pnpx", "yarn", "uvx", "uv", "pipx", "nix"}:
        first = _bare(first)
    return [first, *rest]


def _bare(package: str) -> str:
    """`@scope/tool@1.2` is called tool."""
    scope, _, version = package.rpartition("@")
    plain = scope if scope and version else package
    if plain.startswith("@"):
        return plain.rpartition("/")[2]
    return plain.partition("==")[0].partition("[")[0]
