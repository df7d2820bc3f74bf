"""The linear models of keyword and fitted mode, in plain Python with nothing but the core installed.

A feature's weights, one byte an anchor, stand side by side in one large integer, each in a lane of 32 bits. Adding up
the features of a text is then a sum of some thirty integers, whatever the number of anchors.
"""

from __future__ import annotations

import base64
import itertools
import math
import struct
import sys
import zlib
from array import array
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from sabir.errors import DecodeError
from sabir.quantize.calibration import Calibration
from sabir.quantize.features import VERSION, phrases, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        self._unpack: Final = struct.Struct(f"={size + 1}I")
        lanes = array("I", list(weights.translate(_FROM_SIGNED)))
        self._find: Final = {
            feature: self._packed(lanes[at * size : (at + 1) * size], square)
            for at, (feature, square) in enumerate(zip(file.features, file.squares, strict=True))
        }.get
        self._strange: Final = self._packed(array("I", [_MIDDLE]) * size, file.strange)

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
        """Score of each anchor, as `Calibration.best` takes it."""
        found = phrases(text)
        if self.mode == "fitted":
            found |= pieces(text)
        total = sum(map(self._find, found, itertools.repeat(self._strange)))
        *sums, squares = self._unpack.unpack(total.to_bytes(self._unpack.size, sys.byteorder))
        part = self._scale / (math.sqrt(squares / _UNIT) or 1.0)
        zero = _MIDDLE * len(found) * part
        return [lane * part - zero + bias for lane, bias in zip(sums, self._bias, strict=True)]

    def score_all(self, texts: Sequence[str]) -> Iterable[list[float]]:
        """Scores of many texts, each when it is asked for."""
        return map(self.score, texts)

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
