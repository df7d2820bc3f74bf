"""The Universal Concept Reference: anchors and what can be computed with them (seed, 2; slipstream.md, UCR).

An anchor is a point with four coordinates, each 0 to 7: action, polarity, domain, urgency. Indices below
0x8000 are the core, the same everywhere within a version; those from 0x8000 on are an installation's own.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DIMENSIONS: Final = ("action", "polarity", "domain", "urgency")
LEVELS: Final = range(8)
EXTENSION: Final = 0x8000
"""First index of the extension range."""
LAST: Final = 0xFFFF
NO_INDEX: Final = -1
"""Index of an anchor that no codebook holds."""

_SHOWN: Final = 64
"""Characters of a wrong name that are compared and shown."""

_is_mnemonic = re.compile(r"[A-Za-z0-9]+").fullmatch
_has_control = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]").search
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
    """A set of anchors with its look-ups. Immutable; `with_extension` gives a larger one.

    Raises:
        EncodeError: an anchor is at fault, or an index or mnemonic stands twice.
    """

    def __init__(self, version: str, anchors: Iterable[Anchor]) -> None:
        check_text(version, "version")
        given = tuple(anchors)
        self._by_index: dict[int, Anchor] = {}
        self._by_mnemonic: dict[str, Anchor] = {}
        for place, anchor in enumerate(given):
            check_anchor(anchor, f"anchors[{place}]")
            if anchor.index in self._by_index:
                raise EncodeError(f"index 0x{anchor.index:04X} stands twice", f"anchors[{place}].index")
            if anchor.mnemonic in self._by_mnemonic:
                raise EncodeError(f"mnemonic {anchor.mnemonic} stands twice", f"anchors[{place}].mnemonic")
            self._by_index[anchor.index] = anchor
            self._by_mnemonic[anchor.mnemonic] = anchor
        self.version: Final = version
        self.anchors: Final = tuple(sorted(given, key=lambda anchor: anchor.index))
        self.find: Final = self._by_mnemonic.get
        """Anchor of a mnemonic, or None."""

    def __len__(self) -> int:
        return len(self.anchors)

    def __iter__(self) -> Iterator[Anchor]:
        return iter(self.anchors)

    def __contains__(self, mnemonic: object) -> bool:
        return type(mnemonic) is str and mnemonic in self._by_mnemonic

    def by_index(self, index: int) -> Anchor:
        """Anchor of an index.

        Raises:
            EncodeError: there is none.
        """
        anchor = self._by_index.get(index) if type(index) is int else None
        if anchor is None:
            shown = f"0x{index:04X}" if type(index) is int and 0 <= index <= LAST else repr(index)
            raise EncodeError(f"the codebook has no index {shown}", "index")
        return anchor

    def by_mnemonic(self, mnemonic: str) -> Anchor:
        """Anchor of a mnemonic.

        Raises:
            EncodeError: there is none; the nearest ones are named.
        """
        check_text(mnemonic, "anchor")
        anchor = self._by_mnemonic.get(mnemonic)
        if anchor is None:
            close = self.closest(mnemonic)
            guess = f"; did you mean {' or '.join(close)}?" if close else ""
            raise EncodeError(f'the codebook has no anchor "{mnemonic[:_SHOWN]}"{guess}', "anchor")
        return anchor

    def closest(self, name: str, most: int = 3) -> tuple[str, ...]:
        """Mnemonics nearest to ``name`` in spelling, in any case, best first; none where all are far."""
        lower = {anchor.mnemonic.lower(): anchor.mnemonic for anchor in self.anchors}
        close = difflib.get_close_matches(name[:_SHOWN].lower(), lower, most, 0.6)
        return tuple([lower[word] for word in close])

    def nearest(self, coords: Iterable[int], among: Iterable[Anchor] | None = None) -> Anchor:
        """Anchor at the smallest Manhattan distance from ``coords``; of several, the one of lowest index.

        Raises:
            EncodeError: the coordinates are not four whole numbers, or ``among`` is empty.
        """
        point = tuple(coords)
        if len(point) != len(DIMENSIONS) or any(type(at) is not int for at in point):
            reason = f"four whole numbers ({', '.join(DIMENSIONS)}) are needed, not {point}"
            raise EncodeError(reason, "coords")
        candidates = self.anchors if among is None else tuple(among)
        if not candidates:
            raise EncodeError("there is no anchor to choose from", "among")
        return min(candidates, key=lambda anchor: (_distance(anchor.coords, point), anchor.index))

    def move(
        self, anchor: Anchor, *, action: int = 0, polarity: int = 0, domain: int = 0, urgency: int = 0
    ) -> Anchor:
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
        moved = (at + step for at, step in zip(anchor.coords, steps.values(), strict=True))
        return self.nearest(min(LEVELS[-1], max(LEVELS[0], at)) for at in moved)

    @functools.cached_property
    def hash(self) -> str:
        """``sha256:`` and the hash of the lines ``index|mnemonic|canonical|coords`` (slipstream.md, UCR)."""
        lines = [f"{a.index}|{a.mnemonic}|{a.canonical}|{','.join(map(str, a.coords))}" for a in self.anchors]
        text = "\n".join(lines)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def with_extension(self, *anchors: Anchor) -> Codebook:
        """This codebook and more anchors, in the extension range alone.

        Raises:
            EncodeError: an index is of the core range or taken, or a mnemonic is taken.
        """
        indices, names = {**self._by_index}, {*self._by_mnemonic}
        for place, anchor in enumerate(anchors):
            check_anchor(anchor, f"anchors[{place}]")
            if anchor.is_core:
                reason = f"an extension's index is 0x{EXTENSION:04X} to 0x{LAST:04X}; the core is immutable"
                raise EncodeError(reason, f"anchors[{place}].index")
            if holder := indices.get(anchor.index):
                reason = f"index 0x{anchor.index:04X} is taken by {holder.mnemonic}"
                raise EncodeError(reason, f"anchors[{place}].index")
            if anchor.mnemonic in names:
                raise EncodeError(f"mnemonic {anchor.mnemonic} is taken", f"anchors[{place}].mnemonic")
            indices[anchor.index] = anchor
            names.add(anchor.mnemonic)
        return Codebook(self.version, (*self.anchors, *anchors))

    def to_json(self) -> dict[str, Any]:
        """JSON form of the codebook, with its hash."""
        form = [
            {"index": a.index, "mnemonic": a.mnemonic, "canonical": a.canonical, "coords": list(a.coords)}
            for a in self.anchors
        ]
        return {"version": self.version, "hash": self.hash, "anchors": form}

    @classmethod
    def from_json(cls, data: Any) -> Codebook:
        """Codebook of its JSON form.

        Raises:
            EncodeError: with the path of what is wrong; the hash is not that of the anchors, or the core is
                not the one of its version.
        """
        try:
            form = msgspec.convert(data, _Form)
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$.")
            raise EncodeError(f"{reason[0].lower()}{reason[1:]}", path.rstrip("`")) from None
        found = cls(
            form.version,
            (Anchor(a.index, a.mnemonic, a.canonical, a.coords, a.index < EXTENSION) for a in form.anchors),
        )
        if form.hash != found.hash:
            raise EncodeError(f"does not fit: it says {form.hash}, the anchors give {found.hash}", "hash")
        if found.version == core().version and tuple(a for a in found if a.is_core) != core().anchors:
            reason = f"these are not the core anchors of version {found.version}, which never change"
            raise EncodeError(reason, "anchors")
        return found


class _FormAnchor(msgspec.Struct, forbid_unknown_fields=True):
    index: int
    mnemonic: str
    canonical: str
    coords: Coords


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    version: str
    anchors: list[_FormAnchor]
    hash: str


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


def check_anchor(anchor: Any, path: str) -> None:
    """Refuse what is no anchor of a codebook.

    Raises:
        EncodeError: with ``path`` and the field at fault.
    """
    if not isinstance(anchor, Anchor):
        raise EncodeError(f"must be an anchor, not {type(anchor).__name__}", path)
    if type(anchor.index) is not int or not 0 <= anchor.index <= LAST:
        raise EncodeError(f"an index is 0 to 0x{LAST:04X}, not {anchor.index!r}", f"{path}.index")
    if type(anchor.mnemonic) is not str or not _is_mnemonic(anchor.mnemonic):
        raise EncodeError("a mnemonic is made of A-Z a-z 0-9", f"{path}.mnemonic")
    check_text(anchor.canonical, f"{path}.canonical")
    if "|" in anchor.canonical or _has_control(anchor.canonical):
        raise EncodeError("a description is one line without controls and without |", f"{path}.canonical")
    if not _is_point(anchor.coords):
        reason = f"coordinates are a tuple of four levels 0 to 7, not {anchor.coords!r}"
        raise EncodeError(reason, f"{path}.coords")
    if anchor.is_core is not (anchor.index < EXTENSION):
        raise EncodeError("the core is what has an index below 0x8000", f"{path}.is_core")


def _is_point(coords: Any) -> bool:
    if type(coords) is not tuple or len(coords) != len(DIMENSIONS):
        return False
    return all(type(level) is int and level in LEVELS for level in coords)
