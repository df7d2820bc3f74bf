"""From scores to probabilities that come true: of the answers given with 0.8, eight in ten are right.

The scores become probabilities by a softmax with one factor; then the best one's probability is moved along a line in
log-odds. The three numbers are found on texts that the model did not see, and held in the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from importlib import import_module
from math import exp, log
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DOUBT: Final = {"keyword": 0.4, "fitted": 0.3, "vector": 0.6}
"""Log-odds that the model of each mode is less sure than the shipped exemplars would have it. Their texts come from
elsewhere, and other people draw the lines between anchors elsewhere, too; a model that was fitted to enough of its user's
own texts has no such doubt. The numbers lie between what suits short everyday sentences and what suits public data with
another's labels."""
ENOUGH: Final = 100
"""A user's own texts from which on they say alone how sure an answer is."""
_STEPS: Final = 40
_NEVER: Final = 1e-6
"""No answer is surer than one minus this."""
_MOST: Final = 30.0
_FAR: Final = 600.0
"""Scores below this can be put into the exponential function as they are; a file may hold anything."""
_LARGEST: Final = 1000.0
_SAMPLE: Final = 20
"""Scores among which a bound for the best of all is looked for: with these, the quickest of those tried."""
_BLOCK: Final = 512
"""Rows of an array that are worked on at once."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers that make probabilities of scores.

    Attributes:
        sharpness: factor of the scores before the softmax.
        slope, shift: line that the best one's log-odds are moved along.
    """

    sharpness: float = 1.0
    slope: float = 1.0
    shift: float = 0.0

    @property
    def sound(self) -> bool:
        """Whether its numbers are such as `calibrate` finds."""
        return 0 < self.sharpness <= _LARGEST and 0 < self.slope <= _LARGEST and abs(self.shift) <= _LARGEST

    def less_sure(self, doubt: float) -> Calibration:
        """The same with ``doubt`` taken from the log-odds of the best one."""
        return replace(self, shift=self.shift - doubt)

    def best(self, scores: Sequence[float], most: int) -> list[tuple[int, float]]:
        """The ``most`` best places of the scores, which `sharpness` has multiplied, with their probabilities, best first."""
        least = sorted(scores[:_SAMPLE])[-most:][0]  # so many are as good, so that the best ones are among those
        places = [at for at, score in enumerate(scores) if score >= least]
        return self._sure(scores, sorted(places, key=scores.__getitem__, reverse=True)[:most])

    def best_all(self, rows: Any, most: int) -> Iterator[list[tuple[int, float]]]:
        """`best` of each row of scores; where they are an array, numpy finds the places."""
        if not hasattr(rows, "argmax"):
            yield from [self.best(scores, most) for scores in rows]
            return
        for block in [rows[at : at + _BLOCK] for at in range(0, len(rows), _BLOCK)]:
            left = block.copy()
            order = []
            for _ in range(min(most, block.shape[1])):
                places = left.argmax(1)
                order.append(places.tolist())
                left[range(len(left)), places] = -math.inf
            yield from map(self._sure, block.tolist(), zip(*order, strict=True))

    def _sure(self, scores: Sequence[float], order: Sequence[int]) -> list[tuple[int, float]]:
        """The best places of the scores, best first, with their probabilities."""
        first, *others = order
        top = scores[first]
        weights = list(map(exp, scores)) if -_MOST < top < _FAR else [exp(score - top) for score in scores]
        total = sum(weights)
        raw = weights[first] / total
        sure = moved(raw, self.slope, self.shift)
        part = (1.0 - sure) / max(_NEVER, 1.0 - raw) / total
        return [(first, sure), *[(at, min(sure, weights[at] * part)) for at in others]]


def moved(probability: float, slope: float, shift: float) -> float:
    """A probability moved along a line in log-odds."""
    if not _NEVER <= probability <= 1 - _NEVER:
        probability = min(1 - _NEVER, max(_NEVER, probability))
    odds = slope * log(probability / (1 - probability)) + shift
    if not -_MOST <= odds <= _MOST:
        odds = min(_MOST, max(-_MOST, odds))
    return 1 / (1 + exp(-odds))


def calibrate(scores: Any, labels: Any) -> Calibration:
    """The calibration under which the right answers of held-out texts are likeliest (arrays of numpy)."""
    np = import_module("numpy")
    sharpness = _sharpness(scores, labels, np)
    scaled = (scores - scores.max(1, keepdims=True)) * sharpness
    best = np.clip(1 / np.exp(scaled).sum(1), _NEVER, 1 - _NEVER)
    slope, shift = _line(np.log(best / (1 - best)), (scores.argmax(1) == labels).astype(float), np)
    return Calibration(sharpness, slope, shift)


def _sharpness(scores: Any, labels: Any, np: Any) -> float:
    """Golden section over the logarithm: the loss has one valley."""

    def loss(logarithm: float) -> float:
        scaled = (scores - scores.max(1, keepdims=True)) * math.exp(logarithm)
        return float((np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(labels)), labels]).mean())

    low, high = -2.0, 5.0
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(_STEPS):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return math.exp((low + high) / 2)


def _line(odds: Any, right: Any, np: Any) -> tuple[float, float]:
    """Logistic regression of one variable by Newton's steps; a light pull towards the line that changes nothing."""
    line = np.array([1.0, 0.0])
    inputs = np.stack([odds, np.ones_like(odds)], 1)
    for _ in range(_STEPS):
        sure = 1 / (1 + np.exp(-np.clip(inputs @ line, -_MOST, _MOST)))
        slope = inputs.T @ (right - sure) - (line - np.array([1.0, 0.0]))
        bend = (inputs * (sure * (1 - sure))[:, None]).T @ inputs + np.eye(2)
        line = line + np.linalg.solve(bend, slope)
    return float(max(0.05, line[0])), float(line[1])
