"""Codebooks of anchors: what is in use, what never may be again, and what can be computed with them.

A codebook holds the core of its version and an installation's own anchors from 0x8000 on. An anchor can be retired;
neither its index nor its mnemonic is ever given to another one (slipstream.md, "Extension layer").
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

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
    hexadecimal,
    index_of,
    published,
)
from sabir.ucr.lookups import Anchors
from sabir.ucr.soundness import Taken, check_core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


class Codebook(Anchors):
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

        The time grows with the codebook; many at once are a matter of `with_extension`, which takes them as they are.

        Raises:
            EncodeError: with the path, as ``mnemonic``, of what is wrong or was ever given to another anchor; so for a
                mnemonic that can be taken for another one (`find_alike`).
        """
        at = self.next_index if index is None else index
        check_index(at, "index")
        check_anchor(Anchor(at, mnemonic, canonical, coords, at < EXTENSION), "")
        if (other := self.find_alike(mnemonic)) is not None and other.mnemonic != mnemonic:
            reason = f"{mnemonic} looks like {other.mnemonic} ({hexadecimal(other.index)}); give another one"
            raise EncodeError(reason, "mnemonic")
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
