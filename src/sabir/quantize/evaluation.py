"""How good a quantizer is on labelled texts: accuracy, coverage, calibration and confusions."""

from __future__ import annotations

import hashlib
import html
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError
from sabir.quantize.quantizer import FALLBACK
from sabir.ucr import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sabir.quantize.exemplars import Exemplar
    from sabir.quantize.quantizer import Quantized, Quantizer
    from sabir.ucr import Codebook

BINS: Final = 10
SHADES: Final = " ·░▒▓█"
"""Cells of the confusion plot, from none to all of a row's texts."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence: how many, their mean confidence, and the share that is right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures of a quantizer on labelled texts.

    Attributes:
        mode: the mode.
        texts: how many texts.
        top1: share whose best anchor is the right one, whatever the threshold.
        macro: mean over the anchors of the share of their texts that is right.
        by_action: share that is right among the texts of each action, and how many they are.
        threshold, coverage, precision: share of the texts whose best anchor reaches the threshold, and the share of
            those that is right; 0 where none does.
        surest: share that is right of the three quarters with the highest confidence.
        error: expected calibration error: mean distance of confidence and share right over the bins, by their size.
        bins: the reliability table; bins without a text are left out.
        confusion: right anchor, answered anchor, texts.
    """

    mode: str
    texts: int
    top1: float
    macro: float
    by_action: dict[str, tuple[float, int]]
    threshold: float
    coverage: float
    precision: float
    surest: float
    error: float
    bins: tuple[Bin, ...]
    confusion: dict[tuple[str, str], int]

    def to_json(self) -> dict[str, Any]:
        """The figures as a JSON value."""
        return {
            "mode": self.mode,
            "texts": self.texts,
            "top1": self.top1,
            "macro": self.macro,
            "by_action": {name: {"right": right, "texts": texts} for name, (right, texts) in self.by_action.items()},
            "threshold": self.threshold,
            "coverage": self.coverage,
            "precision": self.precision,
            "surest_three_quarters": self.surest,
            "calibration_error": self.error,
            "reliability": [
                {"from": b.low, "to": b.high, "texts": b.count, "confidence": b.confidence, "right": b.right}
                for b in self.bins
            ],
            "confusion": [{"right": r, "answered": a, "texts": n} for (r, a), n in sorted(self.confusion.items())],
        }


def evaluate(quantizer: Quantizer, rows: Sequence[Exemplar]) -> Evaluation:
    """Figures of a quantizer on rows that it was not trained on.

    Raises:
        EncodeError: there is no row, or the codebook lacks a row's anchor.
    """
    answers = quantizer.quantize_all([row.text for row in rows])
    return judge(answers, [row.anchor for row in rows], quantizer.threshold, quantizer.codebook)


def cross_judge(quantizer: Quantizer, rows: Sequence[Exemplar], folds: int) -> Evaluation:
    """Figures of models that are fitted to the other folds and judged on each, in turn.

    ``rows`` should be distinct, so that no text stands on both sides. The quantizer's own model is left as it is.

    Raises:
        EncodeError: there are fewer rows than folds, or as `Quantizer.fit`.
        MissingDependency: as `Quantizer.fit`.
    """
    if len(rows) < folds:
        raise EncodeError(f"{folds} folds need as many texts, not {len(rows)}", "rows")
    order = sorted(range(len(rows)), key=lambda at: (rows[at].anchor, _mark(rows[at].text)))
    answers: dict[int, Quantized] = {}
    for fold in range(folds):
        judged = order[fold::folds]
        held = set(judged)
        left = [row for at, row in enumerate(rows) if at not in held]
        fitted = quantizer.fresh().fit([row.text for row in left], [row.anchor for row in left])
        answers.update(zip(judged, fitted.quantize_all([rows[at].text for at in judged]), strict=True))
    in_order = [answers[at] for at in range(len(rows))]
    return judge(in_order, [row.anchor for row in rows], quantizer.threshold, quantizer.codebook)


def _mark(text: str) -> bytes:
    """A hash, so that the folds are the same in every run and have nothing to do with the order of the rows."""
    return hashlib.sha256(text.encode()).digest()


def judge(answers: Sequence[Quantized], anchors: Sequence[str], threshold: float, codebook: Codebook) -> Evaluation:
    """Figures of answers that are known already; otherwise as `evaluate`."""
    if not answers:
        raise EncodeError("there is nothing to judge", "rows")
    actions = {name: ACTIONS[codebook.by_mnemonic(name).coords[0]] for name in set(anchors)}
    guesses = [best(answer) for answer in answers]
    sure = [answer.confidence for answer in answers]
    right = [guess == anchor for guess, anchor in zip(guesses, anchors, strict=True)]
    covered = [ok for ok, confidence in zip(right, sure, strict=True) if confidence >= threshold]
    ranked = [ok for _, ok in sorted(zip(sure, right, strict=True), key=lambda pair: -pair[0])]
    bins = _bins(sure, right)
    by_anchor = _shares(zip(anchors, right, strict=True))
    return Evaluation(
        mode=answers[0].mode,
        texts=len(answers),
        top1=_mean(right),
        macro=_mean([share for share, _ in by_anchor.values()]),
        by_action=_shares((actions[anchor], ok) for anchor, ok in zip(anchors, right, strict=True)),
        threshold=threshold,
        coverage=len(covered) / len(answers),
        precision=_mean(covered),
        surest=_mean(ranked[: max(1, len(ranked) * 3 // 4)]),
        error=sum(abs(b.confidence - b.right) * b.count for b in bins) / len(answers),
        bins=bins,
        confusion=dict(Counter(zip(anchors, guesses, strict=True))),
    )


def best(answer: Quantized) -> str:
    """The anchor that an answer holds for likeliest, below the threshold, too."""
    if answer.anchor == FALLBACK and answer.alternatives and answer.alternatives[0][1] == answer.confidence:
        return answer.alternatives[0][0]
    return answer.anchor


def _bins(sure: Sequence[float], right: Sequence[bool]) -> tuple[Bin, ...]:
    place = [min(BINS - 1, int(confidence * BINS)) for confidence in sure]
    found = []
    for at in sorted(set(place)):
        inside = [number for number, here in enumerate(place) if here == at]
        confidence, share = _mean([sure[n] for n in inside]), _mean([right[n] for n in inside])
        found.append(Bin(at / BINS, (at + 1) / BINS, len(inside), confidence, share))
    return tuple(found)


def _shares(pairs: Iterable[tuple[str, bool]]) -> dict[str, tuple[float, int]]:
    """Share that is right and number of texts, by name."""
    groups: dict[str, list[bool]] = {}
    for name, ok in pairs:
        groups.setdefault(name, []).append(ok)
    return {name: (_mean(group), len(group)) for name, group in sorted(groups.items())}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


# --- confusion plot --------------------------------------------------------------------------------------


def plot(evaluation: Evaluation) -> str:
    """Confusions for a terminal: a row for each right anchor, a column for each answer, both numbered alike."""
    names = _names(evaluation)
    totals = _totals(evaluation)
    numbers = [f"{at:02d}" for at in range(len(names))]
    lines = [f"{'right anchor':<22} answered"]
    lines += [f"{'':<22} {''.join(number[digit] for number in numbers)}" for digit in (0, 1)]
    for number, name in zip(numbers, names, strict=True):
        cells = [_shade(evaluation.confusion.get((name, other), 0), totals[name]) for other in names]
        lines.append(f"{number} {name:<19} {''.join(cells)}")
    return "\n".join(lines) + "\n"


def page(evaluation: Evaluation) -> str:
    """Confusions as one HTML page without scripts, each cell with its number of texts."""
    names = _names(evaluation)
    totals = _totals(evaluation)
    head = "".join(f"<th><span>{html.escape(name)}</span></th>" for name in names)
    body = []
    for name in names:
        cells = [_cell(evaluation.confusion.get((name, other), 0), totals[name]) for other in names]
        body.append(f"<tr><th>{html.escape(name)}</th>{''.join(cells)}</tr>")
    title = f"{evaluation.mode}: {evaluation.top1:.1%} of {evaluation.texts} texts right"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Confusions</title><style>{_STYLE}</style>'
        f"<h1>{html.escape(title)}</h1><p>Rows: the right anchor. Columns: the answer.</p>"
        f"<table><tr><th></th>{head}</tr>{''.join(body)}</table></html>\n"
    )


_STYLE: Final = (
    "body{font:14px sans-serif}table{border-collapse:collapse}td{width:1.7em;height:1.7em;text-align:center;"
    "border:1px solid #ddd}th{text-align:right;font-weight:normal;padding:0 .4em}"
    "th span{writing-mode:vertical-rl;transform:rotate(180deg)}"
)


def _names(evaluation: Evaluation) -> list[str]:
    return sorted({name for pair in evaluation.confusion for name in pair})


def _totals(evaluation: Evaluation) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (name, _), count in evaluation.confusion.items():
        totals[name] += count
    return totals


def _shade(count: int, total: int) -> str:
    return SHADES[0] if not count else SHADES[min(len(SHADES) - 1, 1 + int(count / total * (len(SHADES) - 1)))]


def _cell(count: int, total: int) -> str:
    if not count:
        return "<td></td>"
    return f'<td style="background:rgba(20,90,200,{0.1 + 0.9 * count / total:.2f})">{count}</td>'
