"""What a run says: figures as they come, verdicts at the end, all of it as JSON on request."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.place import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One ratio and the mark it must reach (`at_least`) or stay under."""

    subject: str
    says: str
    ratio: float
    target: float
    at_least: bool = True
    detail: str = ""

    @property
    def passed(self) -> bool:
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        mark = "PASS" if self.passed else "FAIL"
        ratio = f"{self.ratio:.3g}" if self.ratio < 100 else f"{self.ratio:.0f}"
        return f"{mark}  {ratio:>6} x {sign} {self.target:<5.3g}  {self.says}  [{self.detail}]"


@dataclass(slots=True)
class Report:
    """Prints as it learns, and remembers."""

    figures: dict[str, Any] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)

    def heading(self, subject: str, text: str) -> None:
        print(f"\n{text}\n  python -m benchmarks --only {subject}", flush=True)

    def line(self, text: str) -> None:
        print(f"  {text}", flush=True)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        for line in aligned([head, *rows]):
            self.line(line)

    def keep(self, subject: str, **figures: Any) -> None:
        self.figures.setdefault(subject, {}).update(figures)

    def judge(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        self.line(str(verdict))

    def save(self, path: Path) -> None:
        verdicts = [asdict(verdict) | {"passed": verdict.passed} for verdict in self.verdicts]
        found = {"figures": self.figures, "verdicts": verdicts}
        path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Bench:
    """What every subject is given."""

    place: Place
    report: Report
    quick: bool

    def pick(self, full: int, quick: int) -> int:
        return quick if self.quick else full


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join([row[0].ljust(len(first)), *rest])


def middle(values: Sequence[float]) -> float:
    """The median; not a number when nothing was measured."""
    return median(values) if values else float("nan")


def paired(mine: Sequence[float], other: Sequence[float]) -> float:
    """The median of the rounds' ratios: a slow moment of the machine slows both sides of a round."""
    return middle([a / b for a, b in zip(mine, other, strict=True)])


def rate(value: float) -> str:
    return "-" if value != value else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"  # noqa: PLR0124 - nan


def times(value: float) -> str:
    return "-" if value != value else f"{value:,.0f}" if value >= 100 else f"{value:.2g}"  # noqa: PLR0124 - nan
