"""Which module knows what a program does.

The names stand here and not in the modules, because a hook that judges `ls` should load none of them.
"""

from __future__ import annotations

from drumline.team.shell.effect import TREE, undecided, wrote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

FAMILIES: dict[str, frozenset[str]] = {
    "interpreters": frozenset(
        "R Rscript awk bb bpython bun clj clojure coffee crystal deno ed elixir elvis emacs "
        "emacs-nox emacsclient erl evim ex expect gawk gedit ghc goawk groovy gsed guile gvim "
        "helix hx iex ipython ipython3 irb jed joe jruby julia kak kate littler lua luajit mawk "
        "mcedit mg micro micropython nano nawk ne node nodejs nvi nvim original-awk osascript "
        "perl php pico powershell powershell.exe pwsh pwsh-preview pwsh.exe pypy pypy3 python "
        "python2 python2.7 python3 python3.0 python3.1 python3.10 python3.11 python3.12 "
        "python3.13 python3.14 python3.15 python3.16 python3.17 python3.18 python3.19 python3.2 "
        "python3.20 python3.21 python3.22 python3.23 python3.24 python3.25 python3.26 python3.27 "
        "python3.28 python3.29 python3.3 python3.4 python3.5 python3.6 python3.7 python3.8 "
        "python3.9 qjs red ruby runghc rview rvim sbcl scala scala-cli sed ssed subl tclsh "
        "ts-node tsx vi view vim vim.basic vim.tiny vimdiff wish xemacs".split()
    ),
    "recipes": frozenset(
        "ant asdf aws-vault bazel bmake bun bundle bunx cabal cargo chamber composer concurrently "
        "conda cross-env deno devbox direnv doit doppler dotenv dotenvx env-cmd fab flox fnm "
        "gmake go-task gradle gradlew grunt guix gulp hatch infisical inv invoke just lefthook "
        "lerna mage make mamba meson micromamba mingw32-make mise mix mvn mvnw ninja nix "
        "nix-shell nodemon nodenv nox npm npm-run-all npx nvm nx op opam pdm pipenv pipx pixi "
        "pmake pnpm pnpx poe poetry pyenv rake rbenv remake rustup rye sbt scons stack task "
        "teller tox turbo uv uvx vaultenv volta waf watchexec watchmedo wireit yarn".split()
    ),
    "hub": frozenset(
        "brz bump-my-version bump2version bumpversion bzr cargo commit-and-tag-version cz gh glab "
        "hg hub jj lerna np npm pnpm release-it semantic-release sl standard-version svn tbump yarn".split()
    ),
    "databases": frozenset(
        "bq clickhouse clickhouse-client cockroach cqlsh dropdb duckdb keydb-cli libsql mariadb "
        "mongo mongosh mycli mysql mysqladmin pgcli psql redis-cli snowsql sqlcmd sqlite "
        "sqlite-utils sqlite3 trino usql valkey-cli".split()
    ),
}

# families whose programs are told by one of those above, by a wrapper or as file programs too
BESIDES: dict[str, frozenset[str]] = {
    "identities": frozenset(
        "bmake bwrap cross-env cross-env-shell doas dotenv env-cmd firejail flatpak-spawn gmake make "
        "nsjail remake setpriv sudo systemctl systemd-run tmux".split()
    ),
    "harm": frozenset(
        "blkdiscard cargo cgdisk cryptsetup django-admin docker flit gdisk gem gpg gpg2 hatch killall "
        "manage.py npm pass pdm php pkill pnpm podman poetry prisma python python3 rails rake security "
        "sgdisk twine uv yarn".split()
    ),
    "named_files": frozenset(
        "aws az cargo chcon cmake convert coverage curl docker esbuild ffmpeg gcloud gpg gsutil http "
        "https husky lefthook magick mount nerdctl objcopy openssl podman pre-commit protoc py.test "
        "pytest rclone ruff setfattr ssh-keygen terraform tofu tsc wget xh xhs xxd".split()
    ),
    "containers": frozenset("docker nerdctl podman ssh".split()),
}


def effects_of(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """What a program does, told by its name and words."""
    name = argv[0].rpartition("/")[2]
    beside = [
        effect
        for family, names in BESIDES.items()
        if name in names
        for effect in _TELLERS[family](argv, scene)
    ]
    return [*beside, *_mainly(name, argv, scene)] if beside else _mainly(name, argv, scene)


def _mainly(name: str, argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    if name in {"apply_patch", "applypatch"}:
        return _patch(argv, scene)
    if name in {"git", "git.exe", "yadm"} or (
        name.startswith("git-") and name not in FAMILIES["hub"]
    ):
        return _git(name, argv, scene)
    from drumline.team.shell import archives, files, wrappers  # git needs none of them

    inside = wrappers.effects(argv, scene)
    if inside is not None:
        return inside
    if name in archives.PROGRAMS:
        return archives.effects(argv, scene)
    found = [family for family, names in FAMILIES.items() if name in names]
    told = [effect for family in found for effect in _TELLERS[family](argv, scene)]
    return told if found else files.effects(argv, scene)


def _patch(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    """The patch program of an agent CLI: its text names the files."""
    from drumline.team.patch import patched_text

    text = "\n".join([*argv[1:], scene.stdin or ""])
    named = [wrote(scene.path(path), "edit") for path in patched_text(text)]
    return named or [undecided("a patch may name any file", TREE, scene.cwd)]


def _git(name: str, argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import git

    if name.startswith("git-"):
        argv = ["git", name.removeprefix("git-"), *argv[1:]]
    return git.effects(argv, scene)


def _interpreters(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import interpreters

    return interpreters.effects(argv, scene)


def _recipes(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import recipes

    return recipes.effects(argv, scene)


def _hub(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import hub

    return hub.effects(argv, scene)


def _databases(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import databases

    return databases.effects(argv, scene)


def _identities(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import identities

    return identities.effects(argv, scene)


def _harm(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import harm

    return harm.effects(argv, scene)


def _named_files(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import named_files

    return named_files.effects(argv, scene)


def _containers(argv: Sequence[str], scene: Scene) -> Iterable[Effect]:
    from drumline.team.shell import containers

    return containers.effects(argv, scene)


_TELLERS = {
    "identities": _identities,
    "harm": _harm,
    "named_files": _named_files,
    "containers": _containers,
    "interpreters": _interpreters,
    "recipes": _recipes,
    "hub": _hub,
    "databases": _databases,
}
