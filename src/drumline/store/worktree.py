"""A repository's own files: what a person reviews, read with care and written without overwriting."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from drumline.errors import Conflict
from drumline.store import profiles
from drumline.store.links import inside
from drumline.store.manifests import SIZE_CAP, read_file, shown_path
from drumline.store.pipelines import own_pipelines
from drumline.store.regular import NotReadable, read_regular
from drumline.store.servers import servers_of
from drumline.team.always_loaded import LoadedText
from drumline.team.document import Reading
from drumline.team.server import Registered
from drumline.team.sheet import Sheet

STAGING = ".drumline/tmp"
NOT_OURS = frozenset({".git", ".drumline", ".venv", "node_modules", "__pycache__"})
LIST_GIT = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")


class Worktree:
    """The files of one repository."""

    def __init__(self, root: str, manifest: str) -> None:
        self.root, self._manifest = Path(root), Path(manifest)

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def manifest_file(self) -> str:
        """The manifest's place as a person would write it."""
        return shown_path(self._manifest, self.root)

    def manifest(self) -> Reading:
        return read_file(self._manifest)

    def agents(self) -> Sequence[Sheet]:
        return profiles.agents(self.root)

    def skills(self) -> Sequence[Sheet]:
        return profiles.skills(self.root)

    def loaded_texts(self) -> Sequence[LoadedText]:
        return profiles.loaded_texts(self.root)

    def servers(self) -> Registered:
        return servers_of(self.root)

    def pipelines(self) -> Sequence[tuple[str, Reading]]:
        return own_pipelines(self.root)

    def files(self) -> Sequence[str]:
        """Every file that is part of the project: as git sees it, else as the folders show it."""
        listed = self._git_files()
        return self._walked() if listed is None else listed

    def present(self, path: str) -> bool:
        """Whether anything at all is there, a dangling link included."""
        return os.path.lexists(self.root / path)

    def vet(self, path: str) -> None:
        """Refuse a place where no file can be made inside the repository."""
        for place in (path, STAGING):
            folder = self._inside(place).parent
            there = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
            if not there.is_dir():
                raise Conflict(
                    f"{path} cannot be written: {there} is a file, not a folder",
                    next="move that file away, then run this again",
                )

    def read(self, path: str) -> str:
        """A text file, byte for byte; empty when there is none."""
        if not self.present(path):
            return ""
        try:
            raw = read_regular(self._inside(path), cap=SIZE_CAP)
        except NotReadable as error:
            raise Conflict(
                f"{path} is {error}", next=f"move {path} away, then run this again"
            ) from error
        return raw.decode("utf-8", "surrogateescape")

    def create(self, path: str, text: str) -> bool:
        """Whether the file was made, whole; False when something is there already."""
        target = self._ready(path)
        staged = self._ready(f"{STAGING}/{secrets.token_hex(8)}")
        try:
            self._write(staged, text, os.O_EXCL)
            os.link(staged, target, follow_symlinks=False)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links, or a folder on another one
            return self._create_in_place(target, text)
        finally:
            staged.unlink(missing_ok=True)
        return True

    def append(self, path: str, text: str) -> None:
        """Add to the end of a file; what is there stays as it is."""
        self._write(self._ready(path), text, os.O_APPEND)

    def _create_in_place(self, target: Path, text: str) -> bool:
        try:
            self._write(target, text, os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def _write(self, target: Path, text: str, mode: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | mode
        try:
            with os.fdopen(os.open(target, flags, 0o644), "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            raise
        except OSError as error:
            raise _unwritable(target, error) from error

    def _ready(self, path: str) -> Path:
        """The place a file goes to, its folder made."""
        self.vet(path)
        target = self._inside(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(target, error) from error
        return target

    def _inside(self, path: str) -> Path:
        """A place whose real folder lies in the repository; a link may not lead out of it."""
        real, folder = inside(self.root, path), inside(self.root, str(Path(path).parent))
        return real if real.is_file() else folder / Path(path).name

    def _git_files(self) -> Sequence[str] | None:
        git = shutil.which("git")
        if git is None:
            return None
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        try:
            done = subprocess.run(  # noqa: S603 - fixed words, no shell
                [git, "-C", str(self.root), "-c", "core.fsmonitor=false", *LIST_GIT],
                capture_output=True,
                check=True,
                timeout=60,
                env=clean | {"GIT_OPTIONAL_LOCKS": "0"},
            )
        except (subprocess.SubprocessError, OSError):
            return None
        return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]

    def _walked(self) -> Sequence[str]:
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(set(folders) - NOT_OURS)
            inner = Path(folder).relative_to(self.root)
            found += [(inner / name).as_posix() for name in names]
        return sorted(found)


def _unwritable(target: Path, error: OSError) -> Conflict:
    return Conflict(
        f"{target} cannot be written",
        why=error.strerror or str(error),
        next="make room or the folder writable, then run this again: it goes on where it stopped",
    )
