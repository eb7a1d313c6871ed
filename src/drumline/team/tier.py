"""How large a change is: by the files and modules it touches, whichever says more."""

from bisect import bisect_left
from enum import StrEnum

MOST_FILES = (2, 3)  # of a trivial change, and of a standard one
MOST_MODULES = (1, 2)


class Tier(StrEnum):
    """The sizes of a change, smallest first."""

    TRIVIAL = "trivial"
    STANDARD = "standard"
    COMPLEX = "complex"


def tier_for(files: int, modules: int) -> Tier:
    """The tier of a change that touches so many files in so many modules; the higher of both wins."""
    by_files, by_modules = bisect_left(MOST_FILES, files), bisect_left(MOST_MODULES, modules)
    return list(Tier)[max(by_files, by_modules)]
