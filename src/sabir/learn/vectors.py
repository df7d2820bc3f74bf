"""Vectors of texts: the installed embedder's, or hashed n-grams where there is none."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from sabir.errors import MissingDependency
from sabir.quantize import vector

Progress = Callable[[int], object]
"""Is told how many texts more are done."""
HASHED: Final = "hashed-ngrams-1"
"""Name of the n-grams. Another way to count or hash them gets another number, since stored vectors depend on it."""
DIMENSIONS: Final = 1024
_COHESIVE: Final = {HASHED: 0.3}
_COHESIVE_ELSE: Final = 0.45
"""Mean cosines from which on texts belong together. Of any two messages of agents about software, one in 30 reaches the
first by n-grams, one in 50 the second by the multilingual encoder."""
_AT_ONCE: Final = 128
"""Texts that are embedded between two words on the progress."""
_GRAMS: Final = (3, 4)
_WORD: Final = re.compile(r"[^\W_]++")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def numpy() -> Any:
    """The package numpy.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        import numpy as np  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingDependency("clusters and the index need numpy: pip install 'sabir[quantize]'") from None
    return np


def default() -> str:
    """Name of the best embedder that is installed."""
    return vector.DEFAULT if vector.available() else HASHED


def cohesive(name: str) -> float:
    """Mean cosine, in vectors of this embedder, from which on texts belong together."""
    return _COHESIVE.get(name, _COHESIVE_ELSE)


def unit(name: str, texts: Sequence[str], progress: Progress = lambda _: None) -> Any:
    """Vectors of length one, a row a text; all zeros for a text without words.

    ``progress`` is told, again and again, how many texts more are done.

    Raises:
        MissingDependency: numpy, or the embedder's package, is not installed.
        EncodeError: there is no such embedder, or it gives no vectors.
    """
    np = numpy()
    embed = _hashed if name == HASHED else vector.resolve(name)[0]
    parts: list[Any] = []
    for start in range(0, max(1, len(texts)), _AT_ONCE):
        parts.append(vector.unit(embed, texts[start : start + _AT_ONCE]))
        progress(len(parts[-1]))
    return np.concatenate(parts)


def _hashed(texts: Sequence[str]) -> Any:
    np = numpy()
    found = np.zeros((len(texts), DIMENSIONS))
    for row, text in zip(found, texts, strict=True):
        for feature, times in Counter(_features(text)).items():
            code = zlib.crc32(feature.encode())
            row[code % DIMENSIONS] += (1 if code & 0x8000_0000 else -1) * times**0.5
    return found


def _features(text: str) -> Iterator[str]:
    """Words of four letters and more, which tell what a text is about, and the n-grams that related words share."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if len(word) < 4 and not _WIDE.search(word):
            continue
        yield word
        edged = f"^{word}$"
        for size in _GRAMS:
            for at in range(len(edged) - size + 1):
                yield edged[at : at + size]
