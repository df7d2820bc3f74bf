"""`Quantizer`: which anchor a text stands for, and how sure that is."""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import msgspec

from sabir.errors import EncodeError
from sabir.files import write_whole
from sabir.jsontext import check_text
from sabir.quantize import features, vector
from sabir.quantize.calibration import DOUBT, ENOUGH
from sabir.quantize.exemplars import Exemplar, distinct, shipped
from sabir.quantize.linear import LinearModel
from sabir.quantize.training import train
from sabir.quantize.vector import Embedder, VectorModel
from sabir.quantize.wordlists import wordlists
from sabir.ucr.codebook import Codebook, core

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

Mode = Literal["auto", "fitted", "keyword", "vector"]
MODES: Final[tuple[Mode, ...]] = ("auto", "fitted", "keyword", "vector")
BEST: Final = "fitted"
"""What ``auto`` is. Fitted mode runs on the core alone, too, and by bench/quantize.py none is better."""
THRESHOLD: Final = 0.55
"""Confidence below which the answer is Fallback (seed, section 4.1)."""
RUNNERS_UP: Final = 3
FALLBACK: Final = "Fallback"

Model = LinearModel | VectorModel


class Quantized(msgspec.Struct, frozen=True):
    """The answer for one text.

    Attributes:
        anchor: the mnemonic; ``Fallback`` where no anchor reaches the threshold.
        confidence: probability, 0 to 1, that the best anchor is the right one; below the threshold, that of the
            anchor that was not sure enough.
        alternatives: the next best anchors and their probabilities; below the threshold, the best one first.
        mode: the mode that answered.
    """

    anchor: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    mode: str


class Quantizer:
    """Finds the anchor of a text in plain language, English or Japanese.

    Args:
        mode: ``keyword`` (words, phrases and cues), ``fitted`` (pieces of words and shapes of sentences, too: slower and a little better),
            ``vector`` (centroids of embeddings), or ``auto``, the best of what is installed, which is ``fitted``.
        threshold: confidence, 0 to 1, below which the answer is Fallback.
        embedder: for vector mode: a function from texts to vectors, or the name of a model of sentence-transformers;
            the multilingual encoder of the extra ``vector`` by default.
        codebook: the anchors that `fit` may learn; the core by default.

    Raises:
        EncodeError: there is no such mode, or the threshold is no number from 0 to 1.
        MissingDependency: what the mode needs is not installed.
    """

    def __init__(
        self,
        mode: Mode = "auto",
        threshold: float = THRESHOLD,
        *,
        embedder: str | Embedder | None = None,
        codebook: Codebook | None = None,
    ) -> None:
        if mode not in MODES:
            raise EncodeError(f'there is no mode "{mode}" (there are: {", ".join(MODES)})', "mode")
        if type(threshold) not in (int, float) or not 0 <= threshold <= 1:
            raise EncodeError(f"a threshold is a number from 0 to 1, not {threshold!r}", "threshold")
        self.threshold: Final = float(threshold)
        self.codebook: Final = core() if codebook is None else codebook
        self.mode: Final = BEST if mode == "auto" else mode
        self._embedder: Final = embedder
        self._model: Model | None = None
        if self.mode == "vector" and embedder is None and not vector.available():
            vector.resolve(vector.DEFAULT)

    def fresh(self) -> Quantizer:
        """A quantizer of the same settings with the shipped model."""
        return Quantizer(self.mode, self.threshold, embedder=self._embedder, codebook=self.codebook)

    @property
    def model(self) -> Model:
        """The trained model, loaded at first use."""
        if self._model is None:
            self._model = _model(self.mode, self._embedder)
        return self._model

    @property
    def anchors(self) -> tuple[str, ...]:
        """Mnemonics that it can answer with."""
        return self.model.anchors

    def quantize(self, text: str) -> Quantized:
        """The anchor of one text.

        Raises:
            EncodeError: it is no text.
        """
        if type(text) is not str or not text.isascii():
            check_text(text, "text")
        model = self.model
        return self._answer(model.anchors, model.calibration.best(model.score(text), RUNNERS_UP + 1))

    def quantize_all(self, texts: Iterable[str]) -> list[Quantized]:
        """The anchors of many texts, in their order; quicker than one by one.

        Raises:
            EncodeError: one of them is no text.
        """
        given = list(texts)
        for place, text in enumerate(given):
            if type(text) is not str or not text.isascii():
                check_text(text, f"texts[{place}]")
        model = self.model
        rows = model.calibration.best_all(model.score_all(given), RUNNERS_UP + 1)
        return [self._answer(model.anchors, places) for places in rows]

    def fit(self, texts: Sequence[str], anchors: Sequence[str]) -> Self:
        """Learn from labelled texts, on top of the exemplars that are shipped; the model is replaced.

        Raises:
            EncodeError: the lists differ in length, a text is none, or the codebook has no such anchor.
            MissingDependency: scikit-learn, or the embedder of vector mode, is not installed.
        """
        if len(texts) != len(anchors):
            raise EncodeError(f"{len(texts)} texts and {len(anchors)} anchors: one for each is needed", "anchors")
        for place, (text, anchor) in enumerate(zip(texts, anchors, strict=True)):
            check_text(text, f"texts[{place}]")
            self.codebook.by_mnemonic(anchor)
        rows = distinct(Exemplar(text, anchor) for text, anchor in zip(texts, anchors, strict=True))
        if not rows:
            raise EncodeError("there is nothing to learn from", "texts")
        own = {row.text.strip() for row in rows}
        self._model = _trained(
            self.mode, rows, [row for row in shipped() if row.text.strip() not in own], self._embedder
        )
        return self

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: JSON; in vector mode an archive of plain arrays (.npz).

        Raises:
            OSError: the file cannot be written; one that was there is as it was.
        """
        write_whole(path, self.model.dump())

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        threshold: float = THRESHOLD,
        *,
        embedder: str | Embedder | None = None,
        codebook: Codebook | None = None,
    ) -> Self:
        """The quantizer whose model `save` wrote. Nothing in the file is run.

        Raises:
            DecodeError: the file holds no model, or is damaged.
            EncodeError: as the constructor.
            MissingDependency: what its mode needs is not installed.
            OSError: the file cannot be read.
        """
        model = read_model(Path(path).read_bytes(), embedder)
        found = cls(model.mode, threshold, embedder=embedder, codebook=codebook)
        found._model = model  # of its own class
        return found

    def _answer(self, anchors: Sequence[str], places: list[tuple[int, float]]) -> Quantized:
        (first, confidence), *others = [(anchors[at], sure) for at, sure in places]
        if confidence < self.threshold and first != FALLBACK:
            return Quantized(FALLBACK, confidence, ((first, confidence), *others[: RUNNERS_UP - 1]), self.mode)
        return Quantized(first, confidence, tuple(others), self.mode)


def read_model(data: bytes, embedder: str | Embedder | None = None) -> Model:
    """The model of a file's content, whatever its mode.

    Raises:
        DecodeError, MissingDependency: as `Quantizer.load`.
    """
    return VectorModel.parse(data, embedder) if data.startswith(b"PK") else LinearModel.parse(data)


def fingerprint() -> str:
    """Hash of all that the shipped models are trained from: the rules, the words, the cues and the exemplars."""
    words = msgspec.json.encode(wordlists()["function_words"]["en"]).decode()
    parts = [str(features.VERSION), features.source(), words, *(f"{row.anchor}\t{row.text}" for row in shipped())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _shipped(mode: str) -> Any:
    name = {"keyword": "quantize-keyword.json", "fitted": "quantize-fitted.json", "vector": "quantize-vector.npz"}[mode]
    return read_model(resources.files("sabir.data").joinpath(name).read_bytes())


def _model(mode: str, embedder: str | Embedder | None) -> Model:
    """The shipped model of a mode; centroids for another embedder than the default are made on the spot."""
    if embedder is None or mode != "vector":
        model: Model = _shipped(mode)
        return model
    return VectorModel.of(distinct(shipped()), embedder, doubt=DOUBT["vector"])


def _trained(mode: str, rows: Sequence[Exemplar], base: Sequence[Exemplar], embedder: str | Embedder | None) -> Model:
    if mode == "vector":
        taught = {row.anchor for row in rows}
        others = [row for row in base if row.anchor not in taught]
        doubt = DOUBT["vector"] if len(rows) < ENOUGH else 0.0
        return VectorModel.of([*rows, *others], embedder or vector.DEFAULT, doubt=doubt)
    return LinearModel.of(train(rows, base, with_pieces=mode == "fitted"))
