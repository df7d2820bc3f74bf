"""Codebooks of anchors: what is in use, what never may be again, and what can be computed with them.

A codebook holds the core of its version and an installation's own anchors from 0x8000 on. An anchor can be retired;
neither its index nor its mnemonic is ever given to another one (slipstream.md, "Extension layer").
"""

from __future__ import annotations

import difflib
import functools
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.ucr import exchange
from sabir.ucr.anchor import (
    DIMENSIONS,
    EXTENSION,
    LAST,
    LEVELS,
    NO_INDEX,
    Anchor,
    Coords,
    check_anchor,
    check_index,
    distance,
    hexadecimal,
    index_of,
    published,
)
from sabir.ucr.places import nearest_everywhere, place_of
from sabir.ucr.soundness import Taken, check_core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "DIMENSIONS",
    "EXTENSION",
    "LAST",
    "LEVELS",
    "NO_INDEX",
    "Anchor",
    "Codebook",
    "Coords",
    "check_anchor",
    "core",
]

_SHOWN: Final = 64
"""Characters of a wrong name that are compared and shown."""


class Codebook:
    """A set of anchors with its look-ups. Immutable; every change gives a new one.

    Look-ups, sums and the iteration see what is in use alone.

    Attributes:
        version: of the core. The core of the version that this library knows is locked.
        anchors: what is in use, sorted by index.
        retired: own anchors that are not to be used any more, sorted by index.
        vacated: own indices without an anchor that are never given again: `merge` put their anchors elsewhere.
        find: anchor in use of a mnemonic, or None.

    Raises:
        EncodeError: an anchor is at fault, an index or mnemonic stands twice, or the core is not the version's.
    """

    version: str
    anchors: tuple[Anchor, ...]
    retired: tuple[Anchor, ...]
    vacated: frozenset[int]
    find: Callable[[str], Anchor | None]
    _by_index: dict[int, Anchor]
    _by_mnemonic: dict[str, Anchor]

    def __init__(
        self, version: str, anchors: Iterable[Anchor], retired: Iterable[Anchor] = (), vacated: Iterable[int] = ()
    ) -> None:
        check_text(version, "version")
        used, past, left = tuple(anchors), tuple(retired), tuple(vacated)
        taken = Taken()
        for place, anchor in enumerate(used):
            taken.take(anchor, f"anchors[{place}]")
        check_core(version, used)
        for place, anchor in enumerate(past):
            taken.take(anchor, f"retired[{place}]", own=True)
        for place, index in enumerate(left):
            taken.vacate(index, f"vacated[{place}]")
        self._set(version, tuple(sorted(used, key=index_of)), tuple(sorted(past, key=index_of)), frozenset(left))

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
        if type(other) is not Codebook:
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

    # --- growth ---

    @functools.cached_property
    def next_index(self) -> int:
        """Lowest index from 0x8000 on that was never given.

        Raises:
            EncodeError: all are given.
        """
        for index in range(EXTENSION, LAST + 1):
            if index not in self._by_index and index not in self._spent:
                return index
        raise EncodeError(f"all indices from {hexadecimal(EXTENSION)} on are in use or retired", "index")

    def with_anchor(self, mnemonic: str, canonical: str, coords: Coords, *, index: int | None = None) -> Codebook:
        """This codebook and one anchor of its own, at `next_index` unless an index is given.

        The time grows with the codebook; many at once are a matter of `with_extension`.

        Raises:
            EncodeError: with the path, as ``mnemonic``, of what is wrong or was ever given to another anchor.
        """
        at = self.next_index if index is None else index
        check_index(at, "index")
        return self._with((Anchor(at, mnemonic, canonical, coords, at < EXTENSION),), lambda _: "")

    def with_extension(self, *anchors: Anchor) -> Codebook:
        """This codebook and more anchors, in the extension range alone.

        Raises:
            EncodeError: an index is of the core range or was ever given, or a mnemonic was.
        """
        return self._with(anchors, lambda place: f"anchors[{place}]")

    def _with(self, added: tuple[Anchor, ...], path: Callable[[int], str]) -> Codebook:
        taken = Taken()
        taken.indices.update(self._by_index | dict.fromkeys(self.vacated) | {a.index: a for a in self.retired})
        taken.names.update(self._by_mnemonic | self._past)
        for place, anchor in enumerate(added):
            taken.take(anchor, path(place), own=True)
        # Sorting what is sorted but for its end takes linear time.
        return self._made(tuple(sorted((*self.anchors, *added), key=index_of)), self.retired)

    def retire(self, mnemonic: str) -> Codebook:
        """This codebook with one of its own anchors retired.

        Raises:
            EncodeError: there is none, it is retired already, or it is one of the core.
        """
        anchor = self.by_mnemonic(mnemonic)
        if anchor.is_core:
            raise EncodeError(f"{mnemonic} cannot be retired: the core is immutable", "anchor")
        kept = tuple([other for other in self.anchors if other is not anchor])
        return self._made(kept, tuple(sorted((*self.retired, anchor), key=index_of)))

    def _made(self, anchors: tuple[Anchor, ...], retired: tuple[Anchor, ...]) -> Codebook:
        made = Codebook.__new__(Codebook)
        made._set(self.version, anchors, retired, self.vacated)  # noqa: SLF001  # of the same class
        return made

    # --- exchange ---

    def to_json(self) -> dict[str, Any]:
        """JSON form of the codebook, with its hash, and with what is retired and vacated where anything is."""
        return exchange.to_json(self)

    @classmethod
    def from_json(cls, data: Any) -> Codebook:
        """Codebook of its JSON form.

        Raises:
            EncodeError: with the path of what is wrong; a hash is not that of what stands there, or the core is
                not the one of its version.
        """
        form = exchange.read(data)
        found = cls(
            form.version, map(exchange.anchor_of, form.anchors), map(exchange.anchor_of, form.retired), form.vacated
        )
        exchange.check_hashes(form, found)  # last: what is wrong with a row says more
        return found


@functools.cache
def core() -> Codebook:
    """The 46 core anchors of UCR 1.0.0."""
    return Codebook(*published())
