"""The Universal Concept Reference: anchors, and what can be computed with them (seed, section 2; slipstream.md, "UCR").

An anchor is a point with four coordinates, each 0 to 7: action, polarity, domain, urgency. Indices below 0x8000 are the
core, the same everywhere within a version; those from 0x8000 on are an installation's own.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Any, Final

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text, dumps

DIMENSIONS: Final = ("action", "polarity", "domain", "urgency")
LEVELS: Final = range(8)
EXTENSION: Final = 0x8000
"""First index of the extension range."""
LAST: Final = 0xFFFF
NO_INDEX: Final = -1
"""Index of an anchor that no codebook holds."""

_is_mnemonic = re.compile(r"[A-Za-z0-9]+").fullmatch
Coords = tuple[int, int, int, int]


class Anchor(msgspec.Struct, frozen=True):
    """One concept of a codebook (seed, section 2.2).

    Attributes:
        index: 0 to 0xFFFF; `NO_INDEX` for a name that the codebook lacks and that was kept on request.
        mnemonic: its word on the wire, such as ``RequestReview``.
        canonical: what it means, in words.
        coords: action, polarity, domain and urgency, each 0 to 7.
        is_core: whether it is one of the immutable core.
    """

    index: int
    mnemonic: str
    canonical: str
    coords: Coords
    is_core: bool = False


class Codebook:
    """A set of anchors with its look-ups. Immutable; `extended` gives a larger one.

    Raises:
        EncodeError: an anchor is at fault, or an index or mnemonic stands twice.
    """

    def __init__(self, version: str, anchors: Iterable[Anchor]) -> None:
        self.version = version
        self.anchors: tuple[Anchor, ...] = tuple(sorted(anchors, key=lambda anchor: anchor.index))
        self._by_index: dict[int, Anchor] = {}
        self._by_mnemonic: dict[str, Anchor] = {}
        for place, anchor in enumerate(self.anchors):
            _check(anchor, f"anchors[{place}]")
            if anchor.index in self._by_index:
                raise EncodeError(f"index 0x{anchor.index:04X} stands twice", f"anchors[{place}].index")
            if anchor.mnemonic in self._by_mnemonic:
                raise EncodeError(f"mnemonic {anchor.mnemonic} stands twice", f"anchors[{place}].mnemonic")
            self._by_index[anchor.index] = anchor
            self._by_mnemonic[anchor.mnemonic] = anchor
        self.find = self._by_mnemonic.get
        """Anchor of a mnemonic, or None."""

    def __len__(self) -> int:
        return len(self.anchors)

    def __iter__(self) -> Iterator[Anchor]:
        return iter(self.anchors)

    def __contains__(self, mnemonic: object) -> bool:
        return mnemonic in self._by_mnemonic

    def by_index(self, index: int) -> Anchor:
        """Anchor of an index.

        Raises:
            EncodeError: there is none.
        """
        anchor = self._by_index.get(index)
        if anchor is None:
            raise EncodeError(f"the codebook has no index {index} (0x{index & 0xFFFF:04X})", "index")
        return anchor

    def by_mnemonic(self, mnemonic: str) -> Anchor:
        """Anchor of a mnemonic.

        Raises:
            EncodeError: there is none; the nearest ones are named.
        """
        anchor = self._by_mnemonic.get(mnemonic)
        if anchor is None:
            close = self.closest(mnemonic)
            guess = f"; did you mean {' or '.join(close)}?" if close else ""
            raise EncodeError(f'the codebook has no anchor "{mnemonic}"{guess}', "anchor")
        return anchor

    def closest(self, name: str, most: int = 3) -> tuple[str, ...]:
        """Mnemonics whose spelling is nearest to ``name``, whatever its case, best first; none where all are far."""
        lower = {anchor.mnemonic.lower(): anchor.mnemonic for anchor in self.anchors}
        return tuple(lower[word] for word in difflib.get_close_matches(name[:64].lower(), lower, most, 0.6))

    def nearest(self, coords: Iterable[int], among: Iterable[Anchor] | None = None) -> Anchor:
        """Anchor at the smallest Manhattan distance from ``coords``; of several, the one of lowest index.

        Raises:
            EncodeError: there are not four coordinates, or ``among`` is empty.
        """
        point = tuple(coords)
        if len(point) != len(DIMENSIONS):
            raise EncodeError(f"four coordinates are needed ({', '.join(DIMENSIONS)}), not {len(point)}", "coords")
        candidates = self.anchors if among is None else tuple(among)
        if not candidates:
            raise EncodeError("there is no anchor to choose from", "among")
        return min(candidates, key=lambda anchor: (_distance(anchor.coords, point), anchor.index))

    def move(self, anchor: Anchor, *, action: int = 0, polarity: int = 0, domain: int = 0, urgency: int = 0) -> Anchor:
        """Semantic arithmetic: the anchor nearest to ``anchor`` moved by so many levels, at most to 0 or 7 (seed, 2.1)."""
        steps = (action, polarity, domain, urgency)
        return self.nearest(min(7, max(0, at + step)) for at, step in zip(anchor.coords, steps, strict=True))

    @property
    def hash(self) -> str:
        """``sha256:`` and the hash of the lines ``index|mnemonic|canonical|coords`` (slipstream.md, "UCR")."""
        lines = (
            f"{a.index}|{a.mnemonic}|{a.canonical}|{','.join(str(level) for level in a.coords)}" for a in self.anchors
        )
        return f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"

    def extended(self, anchors: Iterable[Anchor]) -> Codebook:
        """This codebook and more anchors, in the extension range alone.

        Raises:
            EncodeError: an index is of the core range or taken, or a mnemonic is taken.
        """
        more = tuple(anchors)
        for place, anchor in enumerate(more):
            if anchor.is_core or anchor.index < EXTENSION:
                reason = f"an extension's index is 0x{EXTENSION:04X} to 0x{LAST:04X}; the core is immutable"
                raise EncodeError(reason, f"anchors[{place}].index")
        return Codebook(self.version, (*self.anchors, *more))

    def to_json(self) -> str:
        """The codebook as JSON text, with its hash."""
        form = [
            {"index": a.index, "mnemonic": a.mnemonic, "canonical": a.canonical, "coords": list(a.coords)}
            for a in self.anchors
        ]
        return dumps({"version": self.version, "hash": self.hash, "anchors": form})

    @classmethod
    def from_json(cls, data: Any) -> Codebook:
        """Codebook of the value of `to_json`'s text.

        Raises:
            EncodeError: with the path of what is wrong, or the two hashes where they differ.
        """
        try:
            form = msgspec.convert(data, _Form)
        except msgspec.ValidationError as error:
            raise EncodeError(str(error), "codebook") from None
        found = cls(
            form.version,
            (Anchor(a.index, a.mnemonic, a.canonical, a.coords, a.index < EXTENSION) for a in form.anchors),
        )
        if form.hash is not None and form.hash != found.hash:
            raise EncodeError(f"the hash does not fit: it says {form.hash}, the anchors give {found.hash}", "hash")
        return found


class _FormAnchor(msgspec.Struct, forbid_unknown_fields=True):
    index: int
    mnemonic: str
    canonical: str
    coords: Coords


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    version: str
    anchors: list[_FormAnchor]
    hash: str | None = None


@functools.cache
def core() -> Codebook:
    """The 46 core anchors of UCR 1.0.0."""
    text = resources.files("sabir.data").joinpath("ucr-core.json").read_text("utf-8")
    data = json.loads(text)
    return Codebook(
        data["version"],
        (
            Anchor(int(a["index"], 16), a["mnemonic"], a["canonical"], tuple(a["coords"]), is_core=True)
            for a in data["anchors"]
        ),
    )


def _distance(a: Coords, b: tuple[int, ...]) -> int:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _check(anchor: Anchor, path: str) -> None:
    if type(anchor.index) is not int or not 0 <= anchor.index <= LAST:
        raise EncodeError(f"an index is 0 to 0x{LAST:04X}, not {anchor.index!r}", f"{path}.index")
    if type(anchor.mnemonic) is not str or not _is_mnemonic(anchor.mnemonic):
        raise EncodeError("a mnemonic is made of A-Z a-z 0-9", f"{path}.mnemonic")
    check_text(anchor.canonical, f"{path}.canonical")
    if "\n" in anchor.canonical or "|" in anchor.canonical:
        raise EncodeError("a description holds no line end and no |, which the hash uses", f"{path}.canonical")
    if len(anchor.coords) != len(DIMENSIONS) or any(level not in LEVELS for level in anchor.coords):
        raise EncodeError(f"coordinates are four levels 0 to 7, not {anchor.coords}", f"{path}.coords")
    if anchor.is_core != (anchor.index < EXTENSION):
        raise EncodeError("the core is what has an index below 0x8000", f"{path}.is_core")
