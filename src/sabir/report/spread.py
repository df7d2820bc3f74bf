"""The distribution of whole numbers in constant memory."""

from __future__ import annotations

import math
from typing import Final

EXACT: Final = 4096
"""Numbers up to this size are kept exactly, larger ones to about one part in a thousand."""
_STEP: Final = 1.001


class Spread:
    """How whole numbers are distributed: count, sum, and quantiles.

    Memory is bounded whatever is added: at most two times `EXACT` classes, and one for each thousandth beyond.
    """

    __slots__ = ("_classes", "count", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self._classes: dict[int, int] = {}

    def add(self, number: int) -> None:
        """Take a number in."""
        self.count += 1
        self.total += number
        if not -EXACT <= number <= EXACT:
            number = _class_of(number)
        classes = self._classes
        classes[number] = classes.get(number, 0) + 1

    def merge(self, other: Spread) -> None:
        """Take all numbers of another distribution in."""
        self.count += other.count
        self.total += other.total
        for number, count in other._classes.items():
            self._classes[number] = self._classes.get(number, 0) + count

    @property
    def mean(self) -> float | None:
        """Arithmetic mean, exact; None of nothing."""
        return self.total / self.count if self.count else None

    def quantile(self, part: float) -> int | None:
        """Smallest number that at least ``part`` (0 to 1) of all numbers do not exceed; None of nothing."""
        if not self.count:
            return None
        wanted = max(1, math.ceil(part * self.count))
        seen = 0
        for number in sorted(self._classes):  # pragma: no branch  # the last one reaches every part
            seen += self._classes[number]
            if seen >= wanted:
                break
        return number

    def classes(self) -> list[tuple[int, int]]:
        """Numbers and how often each occurs, in order."""
        return sorted(self._classes.items())


def _class_of(number: int) -> int:
    """The number that stands for all of about its size."""
    size = EXACT * _STEP ** round(math.log(abs(number) / EXACT, _STEP))
    return round(math.copysign(size, number))
