"""The linear models of keyword and fitted mode, in plain Python with nothing but the core installed.

A feature's weights, one byte an anchor, stand side by side in one large integer, each in a lane of its own. Adding up
the features of a text is then a sum of some thirty integers, whatever the number of anchors. The lanes are as narrow as
the features of nearly every text allow; a text of more is added up in parts.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import itertools
import math
import struct
import sys
import zlib
from array import array
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from sabir.errors import DecodeError
from sabir.quantize.calibration import Calibration
from sabir.quantize.features import SHORTEST, VERSION, parts, phrases, pieces, word_pieces
from sabir.quantize.shapes import shapes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sabir.quantize.training import Table

NAME: Final = "sabir-quantize-linear"
MAX_BYTES: Final = 64_000_000
"""Unpacked size of the weights of a model file that is read."""
_MIDDLE: Final = 128
"""A weight of zero, as it stands in a lane."""
_UNIT: Final = 100
"""Squares stand in hundredths."""
_MOST_SQUARE: Final = 50_000
"""A square's limit, so that those of a whole text fit into a lane."""
_MOST_NUMBER: Final = 1e6
_MOST_FEATURES: Final = {"H": 0xFFFF // 0xFF, "I": 0xFFFFFFFF // 0xFF}
"""Features that a lane can add up, by its code of `struct`."""
_WORDS: Final = 2048
"""Words whose pieces are kept, with their sum."""
_FEW_WORDS: Final = 64
"""Words of a text up to which each is compared with all before it."""
_MARKS: Final = 2048
"""Bits that stand for the shortest pieces, so that most words need not be compared."""
_NONE: Final = frozenset[str]()
_Word = tuple[int, tuple[str, ...], int]
"""Marks of the shortest pieces of a word, all its pieces, and their sum."""
_BLOCK: Final = 512
"""Texts of a batch that are worked on at once."""
_FEW: Final = 32
"""Texts of a batch below which numpy takes longer than it saves."""
_MANY: Final = 1_000
"""Texts asked for in batches after which it is worth while to load numpy, which takes as long as thousands of texts."""
_LOWEST: Final = 0x80
"""A weight of -128, which no model has: in a lane it would be zero."""
_FROM_SIGNED: Final = bytes((byte + _MIDDLE) % 256 for byte in range(256))


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The model as it is stored: JSON, the weights packed and in base 64."""

    format: str
    version: int
    mode: Literal["keyword", "fitted"]
    fingerprint: str
    anchors: list[str]
    calibration: Calibration
    bias: list[float]
    scale: float
    strange: int
    squares: list[int]
    features: list[str]
    weights: str


class LinearModel:
    """Weights of features for anchors.

    Raises:
        DecodeError: the stored model is damaged, or was made under other rules.
    """

    def __init__(self, file: _File) -> None:
        if reason := _fault(file):
            raise _damaged(reason)
        weights = _unpacked(file)
        size = len(file.anchors)
        self._file: Final = file
        self.mode: Final = file.mode
        self.anchors: Final = tuple(file.anchors)
        self.calibration: Final = file.calibration
        self.fingerprint: Final = file.fingerprint
        self._scale: Final = file.scale * file.calibration.sharpness
        self._bias: Final = [bias * file.calibration.sharpness for bias in file.bias]
        self._lanes: Final = "H" if file.mode == "keyword" else "I"
        self._most: Final = _MOST_FEATURES[self._lanes]
        self._row: Final = struct.Struct(f"={size}{self._lanes}I")
        lanes = array(self._lanes, list(weights.translate(_FROM_SIGNED)))
        self._find: Final = {
            feature: self._packed(lanes[at * size : (at + 1) * size], square)
            for at, (feature, square) in enumerate(zip(file.features, file.squares, strict=True))
        }.get
        self._strange: Final = self._packed(array(self._lanes, [_MIDDLE]) * size, file.strange)
        self._asked: float = 0
        self._word: Final = functools.lru_cache(_WORDS)(self._pieces)

    def _packed(self, lanes: array[int], square: int) -> int:
        return int.from_bytes(lanes.tobytes() + struct.pack("=I", square), sys.byteorder)

    @classmethod
    def of(cls, table: Table, fingerprint: str = "") -> LinearModel:
        """The model of a trained table."""
        scale = max(float(abs(table.rows).max()), 1e-9) / (_MIDDLE - 1)
        whole: Any = (table.rows / scale).round().astype("int8")
        packed = base64.b64encode(zlib.compress(whole.tobytes(), 9)).decode()
        return cls(
            _File(
                NAME,
                VERSION,
                "fitted" if table.pieces else "keyword",
                fingerprint,
                list(table.anchors),
                table.calibration,
                [float(bias) for bias in table.bias],
                scale,
                round(table.strange * _UNIT),
                [round(float(square) * _UNIT) for square in table.squares],
                list(table.features),
                packed,
            )
        )

    def score(self, text: str) -> list[float]:
        """Score of each anchor, as `Calibration.best` takes it: all of them more by one number, since lanes have no sign."""
        total, count = self._total(text)
        if count <= self._most:
            row: Sequence[int] = self._row.unpack(total.to_bytes(self._row.size, sys.byteorder))
        else:
            row = self._long(text)
        part = self._scale / (math.sqrt(row[-1] / _UNIT) or 1.0)
        return [part * lane + bias for bias, lane in zip(self._bias, row)]  # noqa: B905  # the square is left over

    def score_all(self, texts: Sequence[str]) -> Any:
        """Scores of many texts, row by row, the same as one by one: an array, where numpy is worth it."""
        np = self._numpy(len(texts))
        if np is None:
            return map(self.score, texts)
        scores = np.empty((len(texts), len(self.anchors)))
        for start in range(0, len(texts), _BLOCK):
            scores[start : start + _BLOCK] = self._scores(texts[start : start + _BLOCK], np)
        return scores

    def _numpy(self, count: int) -> Any:
        """The package, if so many texts are worth it: it is loaded, or batches have been asked for before."""
        if count < _FEW:
            return None
        if self._asked >= _MANY and "numpy" not in sys.modules:
            with contextlib.suppress(ImportError):
                import_module("numpy")
            self._asked = -math.inf  # tried once
        self._asked += count
        return sys.modules.get("numpy")

    def _scores(self, texts: Sequence[str], np: Any) -> Any:
        """`score` of texts, operation by operation."""
        sums = list(map(self._total, texts))
        rows = np.frombuffer(
            b"".join([total.to_bytes(self._row.size, sys.byteorder) for total, _ in sums]),
            np.dtype([("lanes", self._lanes, len(self.anchors)), ("square", "I")]),
        )
        counts = np.array([count for _, count in sums])
        lengths = np.sqrt(rows["square"] / _UNIT)
        lengths[lengths == 0] = 1.0
        parts = self._scale / lengths
        scores = rows["lanes"] * parts[:, None] + np.array(self._bias)
        for at in np.flatnonzero(counts > self._most):
            scores[at] = self.score(texts[at])
        return scores

    def _total(self, text: str) -> tuple[int, int]:
        """Sum of the features of a text, which says nothing if there are more than `_most`, and their number."""
        words, found = parts(text)
        if self.mode == "keyword":
            return self._sum(found), len(found)
        found |= shapes(text)
        distinct = set(words)
        if len(distinct) > _FEW_WORDS:
            found |= pieces(text)
            return self._sum(found), len(found)
        total, count, seen = self._sum(found), len(found), 0
        before: list[_Word] = []
        twice: list[str] = []
        for word in map(self._word, distinct):
            marks, own, weight = word
            if seen & marks:  # what two words have counts once
                twice += _NONE.union(*[others for other, others, _ in before if other & marks]).intersection(own)
            total += weight
            count += len(own)
            seen |= marks
            before.append(word)
        return total - self._sum(twice), count - len(twice)

    def _sum(self, found: Collection[str]) -> int:
        known = list(filter(None, map(self._find, found)))  # none is zero
        return sum(known, self._strange * (len(found) - len(known)))

    def _pieces(self, word: str) -> _Word:
        found = word_pieces(word)
        marks = 0
        for piece in found:
            if len(piece) <= SHORTEST:
                marks |= 1 << hash(piece) % _MARKS
        return marks, tuple(found), self._sum(found)

    def _long(self, text: str) -> list[int]:
        """Row of a text of keyword mode that has more features than a lane can add up."""
        rest = iter(phrases(text))
        rows = []
        while chunk := tuple(itertools.islice(rest, self._most)):
            rows.append(self._row.unpack(self._sum(chunk).to_bytes(self._row.size, sys.byteorder)))
        return list(map(sum, zip(*rows, strict=True)))

    def dump(self) -> bytes:
        """The model as JSON."""
        return msgspec.json.encode(self._file) + b"\n"

    @classmethod
    def parse(cls, data: bytes) -> LinearModel:
        """The model of its JSON.

        Raises:
            DecodeError: the data is none, is damaged, or was made under other rules.
        """
        try:
            file = msgspec.json.decode(data, type=_File)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _damaged(str(error)) from None
        return cls(file)


def _damaged(reason: str) -> DecodeError:
    return DecodeError(f"no model of the quantizer, or a damaged one: {reason}", code="decode_failed")


def _unpacked(file: _File) -> bytes:
    """Weights of a file, row by row."""
    wanted = len(file.features) * len(file.anchors)
    try:
        unpacking = zlib.decompressobj()
        weights = unpacking.decompress(base64.b64decode(file.weights, validate=True), wanted + 1)
    except (ValueError, zlib.error) as error:
        raise _damaged(f"weights: {error}") from None
    if len(weights) != wanted or not unpacking.eof:
        raise _damaged(f"weights: {wanted} are needed")
    if _LOWEST in weights:
        raise _damaged("weights: one is -127 to 127")
    return weights


def _fault(file: _File) -> str:
    """What is wrong with a file whose types are right; nothing if it is sound."""
    size, features = len(file.anchors), len(file.features)
    if file.format != NAME:
        return f'its format is "{file.format[:40]}", not "{NAME}"'
    if file.version != VERSION:
        return f"it was made under version {file.version} of the rules, not {VERSION}; train it anew"
    if size < 2 or len(set(file.anchors)) != size or len(file.bias) != size:
        return "two anchors at least are needed, each once, with a bias"
    if len(file.squares) != features or len(set(file.features)) != features:
        return "each feature stands once and has one square"
    if not all([0 <= square <= _MOST_SQUARE for square in (*file.squares, file.strange)]):
        return f"a square is 0 to {_MOST_SQUARE}"
    if not file.calibration.sound or not all([abs(number) <= _MOST_NUMBER for number in (file.scale, *file.bias)]):
        return f"a number is beyond {_MOST_NUMBER:g}"
    if features * size > MAX_BYTES:
        return f"more than {MAX_BYTES:,} weights"
    return ""
