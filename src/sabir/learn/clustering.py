"""Groups of texts that say the same thing: k-means, with k = n // min_cluster_size (seed, section 5.2).

Each source has one vote in a centroid, however many texts it gives, so a flood pulls no group its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import MissingDependency
from sabir.learn.vectors import Progress, cohesive, numpy, unit

if TYPE_CHECKING:
    from sabir.learn.log import Text
    from sabir.learn.policy import Policy

MOST: Final = 3_000
"""Texts that one run groups, of all sources in turn."""
MOST_OF_ONE: Final = 500
"""Texts of one source among them."""
_STARTS: Final = 2
"""Starts of k-means, of which the best is kept; groups that one cuts badly are joined afterwards."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts close to each other.

    Attributes:
        texts: its texts, sorted by hash.
        exemplar: the text nearest to the centroid.
        centroid: of length one; each source counts the same.
        size: sightings: a text counts once for each of its sources.
        sources: distinct sources.
        share: of the sightings, what the busiest source has.
        cohesion: mean cosine between two of its texts; 1 for a single text.
    """

    texts: tuple[Text, ...]
    exemplar: str
    centroid: Any
    size: int
    sources: int
    share: float
    cohesion: float


def in_turn(texts: Sequence[Text]) -> list[Text]:
    """Texts in the order in which a run looks at them: each source has its turn, however many texts the others give.

    Of one source, what most say comes first, then the latest.
    """
    turns: Counter[str] = Counter()
    turn: dict[str, int] = {}
    ordered = sorted(texts, key=lambda text: (-len(text.sources), -text.last_seen, text.hash))
    for text in ordered:
        turn[text.hash] = min(turns[source] for source in text.sources)
        turns.update(text.sources.keys())
    return sorted(ordered, key=lambda text: turn[text.hash])


def chosen(texts: Iterable[Text]) -> list[Text]:
    """The first texts that a run groups, sorted by hash, so that the same log gives the same groups."""
    number: Counter[str] = Counter()
    found: list[Text] = []
    for text in texts:
        if any(number[source] < MOST_OF_ONE for source in text.sources):
            number.update(text.sources.keys())
            found.append(text)
            if len(found) == MOST:
                break
    return sorted(found, key=lambda text: text.hash)


def clusters(texts: Sequence[Text], embedder: str, policy: Policy, progress: Progress = lambda _: None) -> list[Cluster]:
    """Groups of the texts without what fits none, the largest first; they need not fulfil the policy.

    ``progress`` is told how many texts more have their vectors, which takes the longest.

    Raises:
        MissingDependency: numpy, scikit-learn or the embedder's package is not installed.
    """
    if not texts:
        return []
    vectors = unit(embedder, [text.text for text in texts], progress)
    labels = _k_means(vectors, [len(text.sources) for text in texts], max(1, len(texts) // policy.min_cluster_size))
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(label, []).append(place)
    least = cohesive(embedder) if policy.min_cohesion is None else policy.min_cohesion
    kept = (_trimmed(group, vectors, least) for group in _merged(list(groups.values()), vectors, least))
    found = [cluster_of([texts[place] for place in group], vectors[group]) for group in kept]
    return sorted(found, key=lambda cluster: (-cluster.size, cluster.texts[0].hash))


def cluster_of(texts: Sequence[Text], vectors: Any) -> Cluster:
    """The group of some texts and their vectors."""
    centroid = centroid_of(texts, vectors)
    number = Counter(source for text in texts for source in text.sources)
    size = number.total()
    return Cluster(
        texts=tuple(texts),
        exemplar=texts[int((vectors @ centroid).argmax())].text,
        centroid=centroid,
        size=size,
        sources=len(number),
        share=max(number.values()) / size,
        cohesion=_cohesion(vectors),
    )


def centroid_of(texts: Sequence[Text], vectors: Any) -> Any:
    """Mean of the means of each source, of length one."""
    np = numpy()
    own: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        for source in text.sources:
            own.setdefault(source, []).append(place)
    mean = np.mean([vectors[places].mean(0) for _, places in sorted(own.items())], axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)


def _k_means(vectors: Any, weights: Sequence[int], k: int) -> list[int]:
    try:
        from sklearn.cluster import KMeans  # type: ignore[import-untyped]  # noqa: PLC0415  # optional, and slow to load
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # noqa: PLC0415  # comes with it
    except ImportError:
        raise MissingDependency("clustering needs scikit-learn: pip install 'sabir[quantize]'") from None
    k = min(k, len(numpy().unique(vectors.round(6), axis=0)))
    with threadpool_limits(1):  # the same sums on every machine; and threads that wait for each other are far slower
        fitted = KMeans(k, n_init=_STARTS, random_state=0).fit(vectors, sample_weight=weights)
    labels: list[int] = fitted.labels_.tolist()
    return labels


def _merged(groups: list[list[int]], vectors: Any, least: float) -> list[list[int]]:
    """Groups of which no two are as close to each other as the texts of one group are.

    k is a guess: it cuts a thing that many say into several groups, and a flood of other texts makes it cut finer. So the
    two groups whose texts have the largest mean cosine are joined, again and again, while it is large enough.
    """
    np = numpy()
    groups = [list(group) for group in groups]
    sums = np.array([vectors[group].sum(0) for group in groups])
    sizes = np.array([len(group) for group in groups], dtype=float)
    close = (sums @ sums.T) / np.outer(sizes, sizes)
    np.fill_diagonal(close, -np.inf)
    while len(groups) > 1:
        one, other = sorted(divmod(int(close.argmax()), len(groups)))
        if close[one, other] < least:
            break
        groups[one] += groups.pop(other)
        # the mean over both parts, weighted by their sizes
        row = (close[one] * sizes[one] + close[other] * sizes[other]) / (sizes[one] + sizes[other])
        sizes[one] += sizes[other]
        close[one] = close[:, one] = row
        close[one, one] = -np.inf
        close = np.delete(np.delete(close, other, 0), other, 1)
        sizes = np.delete(sizes, other)
    return [sorted(group) for group in groups]


def _trimmed(group: list[int], vectors: Any, least: float) -> list[int]:
    """A group without the texts that are far from the others; k-means has to put every text somewhere."""
    group = list(group)
    while len(group) > 1:
        own = vectors[group]
        near = (own @ own.sum(0) - 1) / (len(group) - 1)
        worst = int(near.argmin())
        if near[worst] >= least:
            break
        del group[worst]
    return group


def _cohesion(vectors: Any) -> float:
    number = len(vectors)
    if number == 1:
        return 1.0
    total = vectors.sum(0)
    return round(float((total @ total - number) / (number * (number - 1))), 4)
