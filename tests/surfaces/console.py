"""A terminal for tests: the real command line, in this process, in a folder of its own."""

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from drumline.surfaces.cli.main import main


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def drumline(*words: str, at: Path, stdin: bytes = b"") -> Answer:
    """Run a command as if typed in the folder `at`, with no terminal to ask at."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(at),
        patch.object(sys, "argv", ["drumline", *words]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as done,
    ):
        main()
    return Answer(int(done.value.code or 0), out.getvalue(), err.getvalue())


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder but git's own and the store's."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".drumline"} & set(path.relative_to(root).parts)
    }


def write(root: Path, path: str, text: str) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place
