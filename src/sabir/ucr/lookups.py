"""What can be looked up in a set of anchors and computed with it: by index, by mnemonic, by place, and the hashes."""

from __future__ import annotations

import difflib
import functools
from typing import TYPE_CHECKING, Final, NoReturn

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.ucr import exchange
from sabir.ucr.anchor import DIMENSIONS, EXTENSION, LAST, NO_INDEX, Anchor, distance, hexadecimal, likenesses
from sabir.ucr.places import nearest_everywhere, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SHOWN: Final = 64
"""Characters of a wrong name that are compared and shown."""


class Anchors:
    """Anchors in use, retired ones and vacated indices, known to be sound. Immutable.

    Attributes: as of `sabir.ucr.codebook.Codebook`.
    """

    version: str
    anchors: tuple[Anchor, ...]
    retired: tuple[Anchor, ...]
    vacated: frozenset[int]
    find: Callable[[str], Anchor | None]
    _by_index: dict[int, Anchor]
    _by_mnemonic: dict[str, Anchor]

    def _set(
        self, version: str, anchors: tuple[Anchor, ...], retired: tuple[Anchor, ...], vacated: frozenset[int]
    ) -> None:
        """Fill in what is known to be sound and sorted."""
        by_mnemonic = {anchor.mnemonic: anchor for anchor in anchors}
        self.__dict__.update(
            version=version,
            anchors=anchors,
            retired=retired,
            vacated=vacated,
            find=by_mnemonic.get,
            _by_index={anchor.index: anchor for anchor in anchors},
            _by_mnemonic=by_mnemonic,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set: a codebook is immutable")

    def __len__(self) -> int:
        return len(self.anchors)

    def __iter__(self) -> Iterator[Anchor]:
        return iter(self.anchors)

    def __contains__(self, mnemonic: object) -> bool:
        return type(mnemonic) is str and mnemonic in self._by_mnemonic

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Anchors) or type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.version, self.hash, self.past_hash))

    def __repr__(self) -> str:
        return f"<Codebook {self.version}: {len(self)} anchors, {len(self.own)} own, {len(self.retired)} retired>"

    def _key(self) -> tuple[object, ...]:
        return self.version, self.anchors, self.retired, self.vacated

    @functools.cached_property
    def own(self) -> tuple[Anchor, ...]:
        """The installation's own anchors in use, sorted by index."""
        return tuple([anchor for anchor in self.anchors if anchor.index >= EXTENSION])

    @functools.cached_property
    def _past(self) -> dict[str, Anchor]:
        return {anchor.mnemonic: anchor for anchor in self.retired}

    @functools.cached_property
    def _spent(self) -> frozenset[int]:
        """Indices that were given away and are no more in use."""
        return self.vacated.union(anchor.index for anchor in self.retired)

    @functools.cached_property
    def _likenesses(self) -> dict[str, Anchor]:
        """Anchors, the retired ones included, by all that their mnemonics can be taken for."""
        return {key: anchor for anchor in (*self.anchors, *self.retired) for key in likenesses(anchor.mnemonic)}

    # --- look-ups ---

    def by_index(self, index: int) -> Anchor:
        """Anchor of an index.

        Raises:
            EncodeError: there is none.
        """
        anchor = self._by_index.get(index) if type(index) is int else None
        if anchor is None:
            shown = hexadecimal(index) if type(index) is int and 0 <= index <= LAST else repr(index)
            was = next((f"; it was {a.mnemonic}, which is retired" for a in self.retired if a.index == index), "")
            raise EncodeError(f"the codebook has no index {shown}{was}", "index")
        return anchor

    def by_mnemonic(self, mnemonic: str) -> Anchor:
        """Anchor of a mnemonic.

        Raises:
            EncodeError: there is none, or it is retired; the nearest ones are named.
        """
        check_text(mnemonic, "anchor")
        anchor = self._by_mnemonic.get(mnemonic)
        if anchor is None:
            if mnemonic in self._past:
                raise EncodeError(f"{mnemonic} ({hexadecimal(self._past[mnemonic].index)}) is retired", "anchor")
            close = self.closest(mnemonic)
            guess = f"; did you mean {' or '.join(close)}?" if close else ""
            raise EncodeError(f'the codebook has no anchor "{mnemonic[:_SHOWN]}"{guess}', "anchor")
        return anchor

    def find_retired(self, mnemonic: str) -> Anchor | None:
        """The retired anchor of a mnemonic, for reading old messages, or None."""
        return self._past.get(mnemonic)

    def find_alike(self, mnemonic: str) -> Anchor | None:
        """The anchor, in use or retired, that this mnemonic names or can be taken for, as by another case; or None."""
        known = self._likenesses
        return next((known[key] for key in sorted(likenesses(mnemonic)) if key in known), None)

    @functools.cached_property
    def _lower(self) -> dict[str, str]:
        return {mnemonic.lower(): mnemonic for mnemonic in self._by_mnemonic}

    def closest(self, name: str, most: int = 3) -> tuple[str, ...]:
        """Mnemonics nearest to ``name`` in spelling, in any case, best first; none where all are far."""
        close = difflib.get_close_matches(name[:_SHOWN].lower(), self._lower, most, 0.6)
        return tuple([self._lower[word] for word in close])

    # --- places ---

    @functools.cached_property
    def _nearest(self) -> tuple[int, ...]:
        return nearest_everywhere(self.anchors)

    def nearest(self, coords: Iterable[int], among: Iterable[Anchor] | None = None) -> Anchor:
        """Anchor at the smallest Manhattan distance from ``coords``; of several, the one of lowest index.

        Raises:
            EncodeError: the coordinates are not four whole numbers, or ``among`` is empty.
        """
        point = tuple(coords)
        if len(point) != len(DIMENSIONS) or any([type(at) is not int for at in point]):
            reason = f"four whole numbers ({', '.join(DIMENSIONS)}) are needed, not {point}"
            raise EncodeError(reason, "coords")
        candidates = self.anchors if among is None else tuple(among)
        if not candidates:
            raise EncodeError("there is no anchor to choose from", "among")
        if among is None:
            return self._by_index[self._nearest[place_of(point)]]
        return min(candidates, key=lambda anchor: (distance(anchor.coords, point), anchor.index))

    def move(self, anchor: Anchor, *, action: int = 0, polarity: int = 0, domain: int = 0, urgency: int = 0) -> Anchor:
        """Semantic arithmetic (seed, 2.1): the anchor nearest to the place so many levels away.

        Raises:
            EncodeError: a step is no whole number, or the anchor has no place, since no codebook holds it.
        """
        if anchor.index == NO_INDEX:
            raise EncodeError(f"{anchor.mnemonic} has no coordinates: no codebook holds it", "anchor")
        steps = {"action": action, "polarity": polarity, "domain": domain, "urgency": urgency}
        for name, step in steps.items():
            if type(step) is not int:
                raise EncodeError(f"a step is a whole number of levels, not {step!r}", name)
        return self.nearest(at + step for at, step in zip(anchor.coords, steps.values(), strict=True))

    # --- hashes ---

    @functools.cached_property
    def hash(self) -> str:
        """``sha256:`` and the hash of the lines ``index|mnemonic|canonical|coords`` (slipstream.md, UCR).

        Of what is in use alone: with one hash, two sides understand each other.
        """
        return exchange.hash_of(self.anchors)

    @functools.cached_property
    def past_hash(self) -> str:
        """The same of what is retired, with a line of the index alone for one vacated."""
        return exchange.hash_of(self.retired, self.vacated)
