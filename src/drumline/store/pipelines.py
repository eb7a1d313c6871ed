"""A team's own pipelines, as they lie in its repository."""

from pathlib import Path

from drumline.store.manifests import read_file
from drumline.team.document import Reading

FOLDER = "drumline/pipelines"
ENDINGS = (".yaml", ".yml")


def own_pipelines(root: Path) -> list[tuple[str, Reading]]:
    """Every file of pipelines by its name in the repository, in the order of names."""
    folder = root / FOLDER
    if not folder.is_dir():
        return []
    files = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    return [(f"{FOLDER}/{path.name}", read_file(path)) for path in files]
