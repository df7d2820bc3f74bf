"""The anchor nearest to each place of a codebook's space, worked out for all places at once.

The four dimensions have eight levels each, so there are 4,096 places whatever the number of anchors. The
distance along all dimensions is the sum of the distances along each, so one sweep forth and back along every
dimension is enough: it hands on the best anchor of the neighbour, one level further away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from sabir.ucr.anchor import DIMENSIONS, LAST, LEVELS, Anchor, Coords

_SIZE: Final = len(LEVELS)
_PLANE: Final = _SIZE ** (len(DIMENSIONS) - 1)
_STEP: Final = LAST + 1
"""What one level of distance adds to a rank. A rank is distance times this, plus index: the least is wanted."""
_NONE: Final = _STEP * 1000


def place_of(coords: Sequence[int]) -> int:
    """Number of a place; levels beyond the ends count as the ends, which changes no anchor's rank."""
    found = 0
    for level in coords:
        found = found * _SIZE + min(LEVELS[-1], max(LEVELS[0], level))
    return found


def nearest_everywhere(anchors: Iterable[Anchor]) -> tuple[int, ...]:
    """For each place, in the order of `place_of`, the index of the anchor nearest to it; of several, the lowest."""
    first = dict[Coords, int]()
    for anchor in anchors:
        held = first.get(anchor.coords)
        if held is None or anchor.index < held:
            first[anchor.coords] = anchor.index
    ranks = [_NONE] * _SIZE * _PLANE
    for coords, index in first.items():
        ranks[place_of(coords)] = index
    for _ in DIMENSIONS:
        ranks = _swept(ranks)
    return tuple([rank % _STEP for rank in ranks])


def _swept(ranks: list[int]) -> list[int]:
    """Ranks after a sweep along the first dimension, which becomes the last one: after four, all are as before."""
    planes = [ranks[at : at + _PLANE] for at in range(0, len(ranks), _PLANE)]
    for ahead in (1, -1):
        order = planes[::ahead]
        for before, plane in pairwise(order):
            plane[:] = map(min, plane, [rank + _STEP for rank in before])
    return [rank for line in zip(*planes, strict=True) for rank in line]
