"""`init` only ever adds: whatever a person has written stays as it is, byte for byte."""

import random

import pytest

from tests.surfaces.console import drumline, tree


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("seed", range(5))
def test_any_files_that_are_there_stay_as_they_are(tmp_path, seed):
    model, repo = tmp_path / "model", tmp_path / "repo"
    for folder in (model, repo):
        folder.mkdir()
    drumline("init", "--yes", "--name", "atlas", at=model)
    dice = random.Random(seed)
    theirs = {
        path: dice.randbytes(20)
        for path in tree(model)
        if path not in {".claude/team.yaml", ".gitignore"} and dice.random() < 0.5
    }
    for path, raw in theirs.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_bytes(raw)
    answer = drumline("init", "--yes", "--json", "--name", "atlas", at=repo)
    assert set(answer.json["kept"]) == set(theirs)
    assert tree(repo) == tree(model) | theirs
