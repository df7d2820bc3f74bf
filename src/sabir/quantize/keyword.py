"""Keyword mode: weighted phrases and cues, in plain Python with nothing but the core installed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from sabir.errors import DecodeError
from sabir.quantize.calibration import Calibration
from sabir.quantize.features import VERSION, phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabir.quantize.training import Table

NAME: Final = "sabir-quantize-keyword"
KEPT: Final = 8
"""Weights of a feature that are kept: the largest ones, for and against."""
_UNIT: Final = 1000
"""Weights stand in the file in thousandths."""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The model as it is stored."""

    format: str
    version: int
    fingerprint: str
    anchors: list[str]
    calibration: Calibration
    strange: float
    bias: list[float]
    features: list[str]
    squares: list[int]
    columns: list[list[int]]
    weights: list[list[int]]


class KeywordModel:
    """A linear model of a few weights a feature."""

    mode: Final = "keyword"

    def __init__(self, file: _File) -> None:
        self._file: Final = file
        self.anchors: Final = tuple(file.anchors)
        self.calibration: Final = file.calibration
        self.fingerprint: Final = file.fingerprint
        columns = [tuple(row) for row in file.columns]
        weights = [tuple([weight / _UNIT for weight in row]) for row in file.weights]
        self._find: Final = {
            feature: (square / _UNIT, *pair)
            for feature, square, *pair in zip(file.features, file.squares, columns, weights, strict=True)
        }.get

    @classmethod
    def of(cls, table: Table, fingerprint: str = "") -> KeywordModel:
        """The model of a trained table; features without a weight of note are left out."""
        rows = table.rows.tolist()
        chosen = [sorted(range(len(row)), key=lambda at, row=row: -abs(row[at]))[:KEPT] for row in rows]  # type: ignore[misc]
        kept = [sorted(at for at in places if round(row[at] * _UNIT)) for row, places in zip(rows, chosen, strict=True)]
        return cls(
            _File(
                NAME,
                VERSION,
                fingerprint,
                list(table.anchors),
                table.calibration,
                float(table.strange),
                [round(float(bias), 4) for bias in table.bias],
                list(table.features),
                [round(float(square) * _UNIT) for square in table.squares],
                kept,
                [[round(row[at] * _UNIT) for at in places] for row, places in zip(rows, kept, strict=True)],
            )
        )

    def score(self, text: str) -> list[float]:
        """Score of each anchor."""
        find = self._find
        found = phrases(text)
        rows = [row for row in map(find, found) if row]
        squares = self._file.strange * (len(found) - len(rows))
        sums = [0.0] * len(self.anchors)
        for square, columns, weights in rows:
            squares += square
            for column, weight in zip(columns, weights, strict=True):
                sums[column] += weight
        length = math.sqrt(squares) or 1.0
        return [total / length + bias for total, bias in zip(sums, self._file.bias, strict=True)]

    def score_all(self, texts: Sequence[str]) -> list[list[float]]:
        """Scores of many texts."""
        score = self.score
        return [score(text) for text in texts]

    def dump(self) -> bytes:
        """The model as JSON."""
        return msgspec.json.encode(self._file) + b"\n"

    @classmethod
    def parse(cls, data: bytes) -> KeywordModel:
        """The model of its JSON.

        Raises:
            DecodeError: the data is none, is damaged, or was made by other rules.
        """
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DecodeError(f"no keyword model, or a damaged one: {error}", code="decode_failed") from None
        if reason := _fault(file):
            raise DecodeError(f"no keyword model, or a damaged one: {reason}", code="decode_failed")
        return cls(file)


def _fault(file: _File) -> str:
    """What is wrong with a file whose types are right; nothing if it is sound."""
    if file.format != NAME:
        return f'its format is "{file.format[:40]}", not "{NAME}"'
    if file.version != VERSION:
        return f"version {file.version} of the rules, not {VERSION}; train it anew"
    if len({len(file.features), len(file.squares), len(file.columns), len(file.weights)}) > 1:
        return "its tables differ in length"
    if any([len(columns) != len(row) for columns, row in zip(file.columns, file.weights, strict=True)]):
        return "a row has as many weights as columns"
    size = len(file.anchors)
    if size < 2 or len(file.bias) != size:
        return "two anchors at least are needed, with a bias each"
    if any([not 0 <= column < size for row in file.columns for column in row]):
        return "a column has no anchor"
    if min(file.squares, default=0) < 0 or not file.strange >= 0:
        return "a square is negative"
    return ""
