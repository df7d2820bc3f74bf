"""What a claim is: somebody's figure, what its words mean, how we measure it, and the rule that gives the verdict.

A claim's figures stand in a table: a row a `Figure`, a column a tokenizer or another way to find the number. A cell
that could not be measured here is missing from it; no figure is ever filled in. Verdicts are worked out from the cells
as they are shown, rounded, so that anybody can work them out again from the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sabir import meter
from sabir.meter.catalogue import CENSUS

Cells = dict[tuple[str, str], float]
"""Measured numbers by the figure's name and the column, rounded as shown."""
Source = Literal["document", "shipped", "eap-ait-tasks", "slip-intents-dev"]
"""Where a claim's texts come from: the claim itself, the package, or a published file that the user names."""
Measure = Callable[[Any, str], Mapping[str, float]]
"""From the corpus's data and a column to the numbers of that column by figure; a figure may be missing."""

MODELS: Final = CENSUS
"""The six tokenizers of SILP's census, in which everything that has tokens is counted."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of a claim's table.

    Attributes:
        name: what was measured, with its unit.
        quoted: the document's own number for it, as it writes it; empty where it states none.
        digits: digits after the point that are shown, and that the verdict sees.
    """

    name: str
    quoted: str = ""
    digits: int = 1

    def shown(self, value: float) -> str:
        """A value of this row as text, with no sign before a zero."""
        return f"{round(value, self.digits) + 0.0:.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A headline figure of a document or of the field.

    Attributes:
        id: its name here.
        document: whose it is.
        section: where it stands there.
        quoted: the figure, as the document writes it.
        words: the claim in our own words.
        meaning: what those words have to mean for the figure to be checked, and how we counted.
        source: which corpus it is measured on.
        figures: rows of its table.
        columns: columns of its table: names of tokenizers, or other ways to the number.
        measure: finds the numbers of a column.
        verdict: from the cells (one at least) to "holds", "does not hold" or "holds only ...", and the reason after a
            colon.
        texts: the texts or numbers taken from the document, where ``source`` is "document".
        package: optional package that it needs besides a tokenizer.
        unmeasured: why it cannot be measured at all; then it has neither figures nor columns.
    """

    id: str
    document: str
    section: str
    quoted: str
    words: str
    meaning: str
    source: Source = "document"
    figures: tuple[Figure, ...] = ()
    columns: tuple[str, ...] = ()
    measure: Measure = lambda _data, _column: {}
    verdict: Callable[[Cells], str] = lambda _cells: ""
    texts: tuple[str, ...] = ()
    package: str = ""
    unmeasured: str = ""

    @property
    def texts_hash(self) -> str:
        """SHA-256 of the document's texts, joined by line feeds."""
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()


def columns_of(cells: Cells) -> list[str]:
    """Columns with at least one cell, in order."""
    return [*dict.fromkeys(column for _, column in cells)]


def by_column(cells: Cells, holds: Callable[[Callable[[str], float]], bool], why: str = "") -> str:
    """Verdict of a claim that holds or not in each column.

    Args:
        cells: what was measured.
        holds: whether it holds in a column, given that column's numbers by figure.
        why: the reason, added after a colon.
    """
    columns = columns_of(cells)
    good = [column for column in columns if holds(_numbers(cells, column))]
    if not good:
        verdict = "does not hold"
    elif len(good) < len(columns):
        verdict = f"holds only in {listed(good)}"
    else:
        verdict = "holds"
    return f"{verdict}: {why}" if why else verdict


def at_least(figure: str, least: float) -> Callable[[Callable[[str], float]], bool]:
    """Rule for `by_column`: a figure is so large at least."""
    return lambda number: number(figure) >= least


def by_figure(cells: Cells, figures: Iterable[Figure], holds: Callable[[Figure, float], bool], why: str = "") -> str:
    """Verdict of a claim that holds or not for each figure; one holds if it does in every column that has it."""
    names = {figure.name: figure for figure in figures}
    good = {name: True for name in names if any(name == found for found, _ in cells)}
    for (name, _), value in cells.items():
        if name in names:
            good[name] &= holds(names[name], value)
    right = [name for name, fine in good.items() if fine]
    if not right:
        verdict = "does not hold"
    elif len(right) < len(good):
        verdict = f"holds only for {listed(right)}"
    else:
        verdict = "holds"
    return f"{verdict}: {why}" if why else verdict


def span(cells: Cells, figure: str, digits: int) -> str:
    """A figure's numbers over all columns: one number, or the least and the greatest."""
    numbers = [value for (name, _), value in cells.items() if name == figure]
    least, most = (f"{value:.{digits}f}" for value in (min(numbers), max(numbers)))
    return least if least == most else f"{least} to {most}"


def gain(cells: Cells, figure: str, other: str) -> str:
    """What a figure of percent saved says over all columns: saved, or lost."""
    numbers = [value for (name, _), value in cells.items() if name == figure]
    least, most = min(numbers), max(numbers)
    if least >= 0:
        return f"saves {span(cells, figure, 1)} % of {other}"
    if most <= 0:
        losses = f"{-most:.1f}" if most == least else f"{-most:.1f} to {-least:.1f}"
        return f"costs {losses} % more than {other}"
    return f"costs up to {-least:.1f} % more than {other}, or saves up to {most:.1f} %"


def counting(tokenizer: str) -> Callable[[str], int]:
    """Function that counts tokens.

    Raises:
        MissingDependency: the tokenizer is not here.
    """
    return meter.counter(tokenizer).count


def listed(words: Iterable[str]) -> str:
    """Words as in a sentence: ``a, b and c``."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def saved(cost: float, against: float) -> float:
    """Percent saved by ``cost`` against another cost; negative where it costs more."""
    return 100 * (1 - cost / against)


def _numbers(cells: Cells, column: str) -> Callable[[str], float]:
    return lambda figure: cells[figure, column]
