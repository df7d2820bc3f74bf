"""An anchor of the Universal Concept Reference, and the core ones (seed, 2.2; slipstream.md, UCR).

An anchor is a point with four coordinates, each 0 to 7: action, polarity, domain, urgency. Indices below
0x8000 are the core, the same everywhere within a version; those from 0x8000 on are an installation's own.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources
from typing import Any, Final

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text

DIMENSIONS: Final = ("action", "polarity", "domain", "urgency")
LEVELS: Final = range(8)
EXTENSION: Final = 0x8000
"""First index of the extension range."""
LAST: Final = 0xFFFF
NO_INDEX: Final = -1
"""Index of an anchor that no codebook holds."""

Coords = tuple[int, int, int, int]

_LOOKS: Final = str.maketrans("I1O0", "lloo")

_is_mnemonic = re.compile(r"[A-Za-z0-9]+").fullmatch
_has_control = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]").search


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


FIELDS: Final = ("index", "mnemonic", "canonical", "coords")
"""Fields of an anchor that can differ; whether it is core follows from its index."""


def differing(a: Anchor | None, b: Anchor | None) -> tuple[str, ...]:
    """Names of the fields in which two anchors differ; none where both are missing."""
    return tuple([name for name in FIELDS if getattr(a, name, None) != getattr(b, name, None)])


@functools.cache
def published() -> tuple[str, tuple[Anchor, ...]]:
    """Version and core anchors of the UCR that this library comes with, sorted by index."""
    text = resources.files("sabir.data").joinpath("ucr-core.json").read_text("utf-8")
    data = json.loads(text)
    found = [
        Anchor(int(a["index"], 16), a["mnemonic"], a["canonical"], tuple(a["coords"]), is_core=True)
        for a in data["anchors"]
    ]
    return data["version"], tuple(sorted(found, key=index_of))


def likenesses(mnemonic: str) -> set[str]:
    """What a mnemonic can be taken for: in any case, and with I and 1 for l, with 0 for o.

    Two mnemonics that have one of these in common are too much alike to stand in one codebook.
    """
    return {mnemonic.lower(), mnemonic.translate(_LOOKS).lower()}


def index_of(anchor: Anchor) -> int:
    """Index of an anchor, to sort by."""
    return anchor.index


def hexadecimal(index: int) -> str:
    """An index as a person writes it."""
    return f"0x{index:04X}"


def distance(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """Manhattan distance of two places."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def check_anchor(anchor: Any, path: str) -> None:
    """Refuse what is no anchor of a codebook.

    Raises:
        EncodeError: with ``path``, which may be empty, and the field at fault.
    """
    at = f"{path}." if path else ""
    if not isinstance(anchor, Anchor):
        raise EncodeError(f"must be an anchor, not {type(anchor).__name__}", path)
    check_index(anchor.index, f"{at}index")
    if type(anchor.mnemonic) is not str or not _is_mnemonic(anchor.mnemonic):
        raise EncodeError("a mnemonic is made of A-Z a-z 0-9", f"{at}mnemonic")
    check_text(anchor.canonical, f"{at}canonical")
    if "|" in anchor.canonical or _has_control(anchor.canonical):
        raise EncodeError("a description is one line without controls and without |", f"{at}canonical")
    if not _is_point(anchor.coords):
        reason = f"coordinates are a tuple of four levels 0 to 7, not {anchor.coords!r}"
        raise EncodeError(reason, f"{at}coords")
    if anchor.is_core is not (anchor.index < EXTENSION):
        raise EncodeError("the core is what has an index below 0x8000", f"{at}is_core")


def check_index(index: Any, path: str) -> None:
    """Refuse what is no index.

    Raises:
        EncodeError: with ``path``.
    """
    if type(index) is not int or not 0 <= index <= LAST:
        raise EncodeError(f"an index is 0 to {hexadecimal(LAST)}, not {index!r}", path)


def check_own_index(index: int, path: str) -> None:
    """Refuse an index of the core range.

    Raises:
        EncodeError: with ``path``.
    """
    if index < EXTENSION:
        own = f"{hexadecimal(EXTENSION)} to {hexadecimal(LAST)}"
        raise EncodeError(f"an extension's index is {own}; the core is immutable", path)


def _is_point(coords: Any) -> bool:
    if type(coords) is not tuple or len(coords) != len(DIMENSIONS):
        return False
    return all(type(level) is int and level in LEVELS for level in coords)
