"""What stands at each index of a codebook that was ever given: the view by which two codebooks are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sabir.ucr import anchor as anchors
from sabir.ucr.anchor import Anchor, hexadecimal
from sabir.ucr.exchange import anchor_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.ucr.codebook import Codebook


@dataclass(frozen=True, slots=True)
class Entry:
    """One index that was given.

    Attributes:
        index: where it stands.
        anchor: what stands there; None where the index is vacated.
        retired: whether the anchor is not to be used any more.
    """

    index: int
    anchor: Anchor | None
    retired: bool = False

    def __str__(self) -> str:
        if self.anchor is None:
            return f"{hexadecimal(self.index)} (vacated)"
        return f"{hexadecimal(self.index)} {self.anchor.mnemonic}{' (retired)' if self.retired else ''}"

    def to_json(self) -> dict[str, Any]:
        """JSON form: that of the anchor and ``retired``, or the index alone."""
        return {"index": self.index} if self.anchor is None else anchor_json(self.anchor) | {"retired": self.retired}


def entries(book: Codebook) -> list[Entry]:
    """All entries of a codebook, the core's included, sorted by index."""
    found = [Entry(anchor.index, anchor) for anchor in book.anchors]
    found += [Entry(anchor.index, anchor, retired=True) for anchor in book.retired]
    found += [Entry(index, None) for index in book.vacated]
    return sorted(found, key=lambda entry: entry.index)


def named(found: Iterable[Entry]) -> dict[str, Entry]:
    """Entries by their anchors' mnemonics."""
    return {entry.anchor.mnemonic: entry for entry in found if entry.anchor is not None}


def differing(a: Entry, b: Entry) -> tuple[str, ...]:
    """Names of the fields in which the anchors of two entries differ, and ``retired`` if one alone is."""
    fields = anchors.differing(a.anchor, b.anchor)
    return (*fields, "retired") if a.retired != b.retired else fields
