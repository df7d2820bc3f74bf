"""The vector index of this installation's anchors, and a quantizer that knows them.

Core anchors come first: an own anchor is asked for only where the core gives no answer that is sure enough. So whatever is
learned, no text that a core anchor says well ever goes to another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, select

from sabir.learn import proposals, vectors
from sabir.learn.anchors import book_of, own
from sabir.learn.clustering import centroid_of
from sabir.learn.log import Text
from sabir.learn.policy import current
from sabir.quantize.quantizer import FALLBACK, RUNNERS_UP, Quantized, Quantizer
from sabir.store.schema import centroids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from sabir.learn.anchors import Own
    from sabir.store.engine import Store
    from sabir.ucr import Codebook

MODE: Final = "learned"
"""Mode of the answers that come from an own anchor."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an own anchor is among the vectors: its centroid, and the least cosine to it that counts as inside."""

    index: int
    centroid: Any
    radius: float


class LearnedQuantizer:
    """A quantizer with this installation's own anchors behind the core's; it stands in wherever a `Quantizer` does.

    Attributes:
        codebook: core and own anchors.
        threshold: confidence below which the answer is Fallback.
    """

    def __init__(self, core: Quantizer, codebook: Codebook, places: Sequence[Place], embedder: str) -> None:
        self._core: Final = core
        self._embedder: Final = embedder
        self._names: Final = [codebook.by_index(place.index).mnemonic for place in places]
        self._places: Final = tuple(places)
        self.codebook: Final = codebook
        self.threshold: Final = core.threshold

    @property
    def anchors(self) -> tuple[str, ...]:
        """Mnemonics that it can answer with."""
        return (*self._core.anchors, *self._names)

    def quantize(self, text: str) -> Quantized:
        """The anchor of one text.

        Raises:
            EncodeError: it is no text.
        """
        return self.quantize_all([text])[0]

    def quantize_all(self, texts: Iterable[str]) -> list[Quantized]:
        """The anchors of many texts, in their order.

        Raises:
            EncodeError: one of them is no text.
        """
        given = list(texts)
        answers = self._core.quantize_all(given)
        open_ones = [place for place, answer in enumerate(answers) if answer.anchor == FALLBACK]
        if self._places and open_ones:
            np = vectors.numpy()
            found = vectors.unit(self._embedder, [given[place] for place in open_ones])
            cosines = found @ np.stack([place.centroid for place in self._places]).T
            for place, row in zip(open_ones, cosines.tolist(), strict=True):
                answers[place] = self._with_own(answers[place], row)
        return answers

    def _with_own(self, answer: Quantized, cosines: Sequence[float]) -> Quantized:
        """The answer where the core has none: the own anchor inside whose radius the text is most."""
        sure = [_confidence(cosine, place.radius, self.threshold) for cosine, place in zip(cosines, self._places, strict=True)]
        best = max(range(len(sure)), key=lambda at: (sure[at], -at))
        if cosines[best] < self._places[best].radius:
            return answer
        others = [(name, own) for at, (name, own) in enumerate(zip(self._names, sure, strict=True)) if at != best]
        beside = sorted([*others, *answer.alternatives], key=lambda item: -item[1])[:RUNNERS_UP]
        return Quantized(self._names[best], sure[best], tuple(beside), MODE)


def rebuild(store: Store, embedder: str | None = None, *, progress: vectors.Progress = lambda _: None) -> tuple[Place, ...]:
    """Make the index of an embedder anew from the texts behind the anchors; the same anchors give the same index.

    ``progress`` is told how many texts more are done.

    Raises:
        MissingDependency: numpy or the embedder's package is not installed.
        SabirError: the store fails.
    """
    name = embedder or vectors.default()
    while True:
        with store.read() as connection:
            used, texts = _texts(connection)
        places = _places(used, texts, name, progress)
        with store.write() as connection:
            if _in_use(connection) != used:
                continue  # an anchor was minted or retired meanwhile
            connection.execute(delete(centroids).where(centroids.c.embedder == name))
            for place in places:
                row = {"index": place.index, "embedder": name, "radius": place.radius}
                connection.execute(centroids.insert(), {**row, "vector": place.centroid.astype("<f4").tobytes()})
        return places


def load(store: Store, quantizer: Quantizer | None = None, embedder: str | None = None) -> LearnedQuantizer:
    """A quantizer with the anchors of a store. Anchors that the index lacks are placed on the spot, and not stored.

    Args:
        store: where the anchors are.
        quantizer: for the core's anchors; by default the best that is installed, with the policy's threshold.
        embedder: whose vectors are used; the best that is installed by default.

    Raises:
        MissingDependency: numpy or the embedder's package is not installed, and there are own anchors.
        SabirError: the store fails.
    """
    name = embedder or vectors.default()
    with store.read() as connection:
        threshold = current(connection)[0].threshold
        found = own(connection)
        used, texts = _texts(connection)
        stored = _stored(connection, name)
    known = {place.index for place in stored}
    missing = _places([item for item in used if item.anchor.index not in known], texts, name)
    places = sorted((*stored, *missing), key=lambda place: place.index)
    return LearnedQuantizer(quantizer or Quantizer(threshold=threshold), book_of(found), places, name)


def _in_use(connection: Connection) -> list[Own]:
    return [item for item in own(connection) if item.retired_at is None]


def _stored(connection: Connection, embedder: str) -> tuple[Place, ...]:
    asked = select(centroids.c.index.label("at"), centroids.c.vector, centroids.c.radius)
    rows = connection.execute(asked.where(centroids.c.embedder == embedder).order_by(centroids.c.index))
    return tuple([Place(row.at, _vector(row.vector), row.radius) for row in rows])


def _texts(connection: Connection) -> tuple[list[Own], dict[int, list[Text]]]:
    """Anchors in use, and the texts behind each."""
    used = _in_use(connection)
    texts: dict[int, list[Text]] = {}
    for item in used:
        behind = proposals.members_of(connection, item.proposal)
        texts[item.anchor.index] = [Text(member.hash, member.text or "", member.sources, 0) for member in behind]
    return used, texts


def _places(
    used: Sequence[Own], texts: dict[int, list[Text]], embedder: str, progress: vectors.Progress = lambda _: None
) -> tuple[Place, ...]:
    every = [text for item in used for text in texts[item.anchor.index]]
    if not every:
        return ()
    rows = vectors.unit(embedder, [text.text for text in every], progress)
    places: list[Place] = []
    start = 0
    for item in used:
        behind = texts[item.anchor.index]
        part = rows[start : start + len(behind)]
        start += len(behind)
        places.append(Place(item.anchor.index, centroid_of(behind, part), _radius(part, embedder)))
    return tuple(places)


def _radius(part: Any, embedder: str) -> float:
    """Cosine that texts of the group typically have to the centroid of the others, less one standard deviation.

    Texts that were not seen are as far from the centroid as each of these from that of the others.
    """
    least = vectors.cohesive(embedder)
    if len(part) < 2:
        return least
    np = vectors.numpy()
    without = part.sum(0) - part
    lengths = np.maximum(np.linalg.norm(without, axis=1, keepdims=True), 1e-12)
    cosines = (part * (without / lengths)).sum(1)
    return round(max(least, float(cosines.mean() - cosines.std())), 4)


def _confidence(cosine: float, radius: float, threshold: float) -> float:
    """Confidence of an own anchor: the threshold at the radius, 1 at the centroid, 0 where nothing is alike."""
    if cosine >= radius:
        return min(1.0, threshold + (1 - threshold) * (cosine - radius) / max(1 - radius, 1e-12))
    return max(0.0, threshold * cosine / radius)


def _vector(data: bytes) -> Any:
    return vectors.numpy().frombuffer(data, dtype="<f4").astype("float64")
