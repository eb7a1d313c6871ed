"""Put one file in another's place, and have what stood there: nobody's write falls in between."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

HERE = -100  # AT_FDCWD
EXCHANGE = 2  # RENAME_EXCHANGE
KEPT = ".kept"  # how the name of what stood there ends while the staged file goes into place
NOT_ABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM})


def exchange(staged: Path, target: Path) -> None:
    """Put a staged file where another is; afterwards what stood there has the staged one's name."""
    if not _exchanged(staged, target):
        _linked_and_replaced(staged, target)


def place_new(staged: Path, target: Path) -> bool:
    """Put a staged file where none is; False when there is one."""
    try:
        os.link(staged, target, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError:  # no hard links there, or another file system
        return _copied(staged, target)
    staged.unlink()
    return True


def _exchanged(staged: Path, target: Path) -> bool:
    call = _renameat2()
    if call is None:
        return False
    if call(HERE, os.fsencode(staged), HERE, os.fsencode(target), EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in NOT_ABLE:
        return False
    raise OSError(code, os.strerror(code), str(target))


def _linked_and_replaced(staged: Path, target: Path) -> None:
    """The same where two files cannot be exchanged: the old one is linked to, then replaced."""
    kept = staged.with_suffix(KEPT)
    try:
        os.link(target, kept, follow_symlinks=False)
    except FileNotFoundError:
        raise
    except OSError:  # no hard links either: a copy shows what was there last
        shutil.copy2(target, kept)
    try:
        staged.replace(target)
    except OSError:
        kept.unlink()
        raise
    kept.rename(staged)


def _copied(staged: Path, target: Path) -> bool:
    try:
        with target.open("xb") as file:
            file.write(staged.read_bytes())
    except FileExistsError:
        return False
    staged.unlink()
    return True


@cache
def _renameat2() -> Any:
    """The call of the C library, where it has one."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return None
    whole, path = ctypes.c_int, ctypes.c_char_p
    call.argtypes = (whole, path, whole, path, ctypes.c_uint)
    return call
