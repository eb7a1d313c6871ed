"""What is logged, as a test hears it: pytest's own `caplog` is of a plug-in that the whole suite goes without."""

from typing import Any
from unittest import TestCase


def warned() -> Any:
    """Hears warnings while it is entered, in `records` and `output`; that there is none is a failure."""
    return TestCase().assertLogs(level="WARNING")
