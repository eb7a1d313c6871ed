"""What a confined process gives up: new privileges for ever, and the powers that undo other layers.

With CAP_SYS_ADMIN a confined root makes a read-only mount writable again: no Landlock rule sees it.
"""

from __future__ import annotations

import os
import struct

from drumline.runtimes import kernel

NO_NEW_PRIVILEGES = 38
VERSION_3 = 0x20080522
CHOWN, DAC_OVERRIDE, FOWNER, FSETID = 0, 1, 3, 4
OF_ROOT = 1 << CHOWN | 1 << DAC_OVERRIDE | 1 << FOWNER | 1 << FSETID


def drop() -> None:
    """Keep nothing but root's way with files of other owners, which the other layers bound."""
    kernel.function("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    try:
        _hold(OF_ROOT if os.geteuid() == 0 else 0)
    except PermissionError:
        _hold(0)  # a root that had been given less


def _hold(powers: int) -> None:
    """Effective and permitted become these, inheritable nothing."""
    header = struct.pack("Ii", VERSION_3, 0)
    kernel.function("capset", header, struct.pack("6I", powers, powers, 0, 0, 0, 0))
