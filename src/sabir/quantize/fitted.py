"""Fitted mode: the trained table in full, with pieces of words, in numpy."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from sabir.errors import DecodeError, MissingDependency
from sabir.quantize.calibration import Calibration
from sabir.quantize.features import VERSION, phrases, pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabir.quantize.training import Table

NAME: Final = "sabir-quantize-fitted"
MAX_BYTES: Final = 256_000_000
"""Unpacked size of a model file that is read."""
_DAMAGE: Final = (
    ValueError, KeyError, OSError, EOFError, MemoryError, NotImplementedError, RecursionError,
    struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile,
)  # fmt: skip
"""What the packages raise on an archive that is none."""
H = TypeVar("H")


def numpy() -> Any:
    """The package, loaded when it is needed.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        import numpy as np
    except ImportError:
        raise MissingDependency("this mode needs numpy: pip install 'sabir[quantize]'") from None
    return np


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What a fitted model holds beside its arrays."""

    format: str
    version: int
    fingerprint: str
    anchors: list[str]
    features: list[str]
    calibration: Calibration
    strange: float
    pieces: bool


class FittedModel:
    """A linear model with a weight of each feature for each anchor, held in bytes with one scale an anchor."""

    mode: Final = "fitted"

    def __init__(self, header: Header, arrays: dict[str, Any]) -> None:
        self._header: Final = header
        self._arrays: Final = arrays
        self.anchors: Final = tuple(header.anchors)
        self.calibration: Final = header.calibration
        self.fingerprint: Final = header.fingerprint
        self._place: Final = {feature: at for at, feature in enumerate(header.features)}.get
        self._rows: Final = arrays["rows"]
        self._scale: Final = arrays["scale"]
        self._squares: Final = arrays["squares"]
        self._bias: Final = arrays["bias"]

    @classmethod
    def of(cls, table: Table, fingerprint: str = "") -> FittedModel:
        """The model of a trained table."""
        np = numpy()
        scale = np.maximum(np.abs(table.rows).max(0), 1e-9) / 127
        header = Header(
            NAME,
            VERSION,
            fingerprint,
            list(table.anchors),
            list(table.features),
            table.calibration,
            float(table.strange),
            table.pieces,
        )
        arrays = {
            "rows": np.rint(table.rows / scale).astype(np.int8),
            "scale": scale.astype(np.float32),
            "squares": table.squares.astype(np.float32),
            "bias": table.bias.astype(np.float32),
        }
        return cls(header, arrays)

    def score(self, text: str) -> list[float]:
        """Score of each anchor."""
        return self.score_all([text])[0]

    def score_all(self, texts: Sequence[str]) -> list[list[float]]:
        """Scores of many texts."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> list[float]:
        np = numpy()
        found = phrases(text)
        if self._header.pieces:
            found |= pieces(text)
        places = [at for at in map(self._place, found) if at is not None]
        squares = self._squares[places].sum() + self._header.strange * (len(found) - len(places))
        sums = self._rows[places].sum(0, dtype=np.int32)
        scores: list[float] = (sums * self._scale / (squares**0.5 or 1.0) + self._bias).tolist()
        return scores

    def dump(self) -> bytes:
        """The model as an archive of plain arrays (.npz)."""
        np = numpy()
        header = msgspec.json.encode(self._header)
        out = io.BytesIO()
        np.savez_compressed(out, header=np.frombuffer(header, dtype=np.uint8), **self._arrays)
        return out.getvalue()

    @classmethod
    def parse(cls, data: bytes) -> FittedModel:
        """The model of its archive.

        Raises:
            DecodeError: the data is none, is damaged, or was made by other rules.
        """
        header, arrays = unpack(data, Header, "fitted model")
        if reason := _fault(header, arrays):
            raise DecodeError(f"no fitted model, or a damaged one: {reason}", code="decode_failed")
        return cls(header, arrays)


def unpack(data: bytes, kind: type[H], what: str) -> tuple[H, dict[str, Any]]:
    """Header and arrays of an archive; nothing in it is run.

    Raises:
        DecodeError: it is none, is damaged, or would be larger than `MAX_BYTES`.
    """
    np = numpy()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > MAX_BYTES:
            raise ValueError(f"it unpacks to more than {MAX_BYTES:,} bytes")  # one message for all
        with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
            arrays = {name: loaded[name] for name in loaded.files}
        header = msgspec.json.decode(arrays.pop("header").tobytes(), type=kind)
    except (*_DAMAGE, msgspec.MsgspecError) as error:
        raise DecodeError(f"no {what}, or a damaged one: {error}", code="decode_failed") from None
    return header, arrays


def shaped(arrays: dict[str, Any], shapes: dict[str, tuple[str, tuple[int, ...]]]) -> str:
    """What is wrong with the arrays, given the type and shape that each must have; nothing if they are sound."""
    for name, (kind, shape) in shapes.items():
        array = arrays.get(name)
        if array is None or array.dtype.str[1:] != kind or array.shape != shape:
            return f'"{name}" is no array of {shape}'
        if not numpy().isfinite(array).all():
            return f'"{name}" holds what is no number'
    return ""


def _fault(header: Header, arrays: dict[str, Any]) -> str:
    if header.format != NAME:
        return f'its format is "{header.format[:40]}", not "{NAME}"'
    if header.version != VERSION:
        return f"version {header.version} of the rules, not {VERSION}; train it anew"
    if len(header.anchors) < 2:
        return "two anchors at least are needed"
    size, features = len(header.anchors), len(header.features)
    return shaped(
        arrays,
        {
            "rows": ("i1", (features, size)),
            "scale": ("f4", (size,)),
            "squares": ("f4", (features,)),
            "bias": ("f4", (size,)),
        },
    )
