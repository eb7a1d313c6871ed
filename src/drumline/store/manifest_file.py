"""The manifest as a file that a person may be editing: read whole, and replaced only as it was read."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from drumline.errors import Conflict
from drumline.store import manifest_lines
from drumline.store.exchanging import exchange
from drumline.store.manifests import SIZE_CAP, read_text, shown_path
from drumline.store.regular import NotReadable, read_regular
from drumline.team.manifest import Manifest, accepted


class ManifestFile:
    """One repository's manifest."""

    def __init__(self, path: str, root: str) -> None:
        self._path = Path(path).resolve()
        self.file = shown_path(Path(path), Path(root))

    def read(self) -> str:
        """The text, byte for byte."""
        try:
            return read_regular(self._path, cap=SIZE_CAP).decode("utf-8")
        except (NotReadable, UnicodeDecodeError) as error:
            raise Conflict(
                f"{self.file} cannot be read: {error}", next="drumline team check"
            ) from error

    def meaning(self, text: str) -> Manifest:
        return accepted(read_text(text.removeprefix("\ufeff")), self.file)

    def with_member(self, text: str, lines: Sequence[str]) -> str:
        return manifest_lines.with_member(text, lines)

    def without_member(self, text: str, name: str) -> str:
        return manifest_lines.without_member(text, name)

    def replace(self, before: str, after: str) -> None:
        """Put a new text in the file's place in one step; what somebody wrote meanwhile is put back."""
        staged = self._path.with_name(f".{self._path.name}.{secrets.token_hex(6)}")
        try:
            self._stage(staged, after)
            exchange(staged, self._path)
            if staged.read_bytes() != before.encode():
                exchange(staged, self._path)
                raise Conflict(
                    f"{self.file} was changed just now",
                    why="somebody else is editing it",
                    next="do it again: their change stays",
                )
        except OSError as error:
            raise Conflict(
                f"{self.file} cannot be written",
                why=error.strerror or str(error),
                next="make room or the folder writable, then do it again",
            ) from error
        finally:
            staged.unlink(missing_ok=True)

    def _stage(self, staged: Path, text: str) -> None:
        mode = self._path.stat().st_mode & 0o777
        made = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(made, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
