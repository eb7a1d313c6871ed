"""Task runners are judged by the names of their targets, launchers by what they launch."""

import shlex

import pytest

from drumline.team.shell.effect import HOLE
from drumline.team.shell.recipes import PROGRAMS, effects
from tests.team.shell.inline import Recorded, said

RUN_PUSH = "run: git push"


def table(rows):
    """Commands and what they do, each row called by its command."""
    return [pytest.param(command, expected, id=command) for command, *expected in rows]


def told(command):
    argv = shlex.split(command)
    assert argv[0].rpartition("/")[2] in PROGRAMS
    return said(effects(argv, Recorded()))


@pytest.mark.parametrize(
    "command",
    [
        "make push",
        "make -C sub push",
        "make -j push",
        "make git-push",
        "just push",
        "task push",
        "rake git:push",
        "npm run push",
        "yarn push",
        "yarn run push",
        "pnpm push",
        "pnpm -r run push",
        "composer run push",
        "gradle push",
        "cargo make push",
        "nox -s push",
        "tox -e push",
        "mage push",
        "ant push",
        "poe push",
        "invoke push --remote x",
        "ninja -C build push",
        "mise run push",
        "turbo run push",
    ],
)
def test_a_target_that_says_push_pushes(command):
    assert told(command) == ["git push"]


@pytest.mark.parametrize(
    "command",
    ["make commit_all", "npm run-script commit", "cargo xtask commit", "npm version patch"],
)
def test_a_target_that_says_commit_commits(command):
    assert told(command) == ["git commit"]


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "make test",
        "make release",
        "make -j4 test",
        "make -j 4 release",
        "make VAR=push test",
        "make pre-commit",
        "rake -T",
        "just --set a push deploy",
        "npm test",
        "npm run",
        "npm run build",
        "npm run pre-push",
        "npm publish",
        "npm version",
        "yarn",
        "yarn add push",
        "pnpm run build",
        "./gradlew build",
        "cargo build",
        "cargo test commit",
        "cargo run --bin push",
        "tox -e py311",
        "uv sync",
        "poetry install",
        "pipx install x",
        "bundle install",
        "conda install x",
        "nix build",
        "direnv allow",
        "mise install",
        "mix test",
        "npx",
    ],
)
def test_a_recipe_that_says_nothing_does_nothing_we_know(command):
    assert told(command) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("make -f Other.mk all", "read /repo/Other.mk"),
            ("make SHELL=/bin/evil all", "undecided: make is given a shell that cannot be told"),
            ("make --eval='x:;git push' x", "undecided: make is given rules that cannot be told"),
            (f"make {HOLE}", "undecided: which recipe runs cannot be told"),
            ("hatch run push", "run: push", "git push"),
        ]
    ),
)
def test_a_recipe_that_cannot_be_told_is_undecided(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "uv run git push",
        "uv run -- git push",
        "uv --directory x run git push",
        "uv run --with x --python 3.12 git push",
        "poetry run git push",
        "poetry -C x run git push",
        "pdm run git push",
        "hatch run git push",
        "hatch run dev:git push",
        "hatch -e x run git push",
        "rye run git push",
        "pipenv run git push",
        "conda run -n env git push",
        "nix develop -c git push",
        "direnv exec . git push",
        "mise exec -- git push",
        "mise exec node@20 -- git push",
        "asdf exec git push",
        "dotenv -f .env git push",
        "dotenv run -- git push",
        "doppler run -p x -c y -- git push",
        "op run --env-file=.env -- git push",
        "aws-vault exec p -- git push",
        "cross-env A=1 git push",
        "rustup run nightly git push",
        "pnpm exec git push",
        "yarn exec git push",
    ],
)
def test_a_launcher_is_judged_by_what_it_launches(command):
    assert told(command) == [RUN_PUSH]


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("npx br close 1", "run: br close 1"),
            ("npx -y prettier --write x", "run: prettier --write x"),
            ("npx -p pkg tool a", "run: tool a"),
            ("npx @scope/tool@1.2 a", "run: tool a"),
            ("npx --package=x -c 'git push'", "sh: git push"),
            ("npm exec -- br close 1", "run: br close 1"),
            ("npm exec --package=foo -- bar", "run: bar"),
            ("npm x br close", "run: br close"),
            ("bunx br close", "run: br close"),
            ("pnpm dlx br close 1", "run: br close 1"),
            ("yarn dlx br close", "run: br close"),
            ("uvx ruff check", "run: ruff check"),
            ("uvx --from pkg tool a", "run: tool a"),
            ("uvx ruff@0.5 check", "run: ruff check"),
            ("uv tool run ruff", "run: ruff"),
            ("uv run -m pytest", "run: python -m pytest"),
            ("uv run x.py a", "run: python x.py a"),
            ("uv run --with x -", "run: python -"),
            ("uv run pre-commit run -a", "run: pre-commit run -a"),
            ("pipx run black x", "run: black x"),
            ("bundle exec rake push", "run: rake push"),
            ("hatch run test:pytest", "run: pytest"),
            ("nix-shell -p git --run 'git push'", "sh: git push"),
            ("nix develop --command bash -c 'git push'", "run: bash -c git push"),
            ("concurrently 'git push' 'ls'", "sh: git push", "sh: ls"),
            ("nodemon --exec 'git push'", "sh: git push"),
        ]
    ),
)
def test_a_launcher_leaves_its_own_options_behind(command, expected):
    assert told(command) == expected
