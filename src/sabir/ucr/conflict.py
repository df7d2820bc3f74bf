"""What keeps two installations' extensions from being merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from sabir.ucr.anchor import hexadecimal, likenesses
from sabir.ucr.entries import Entry, differing, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ConflictKind = Literal["index", "moved", "meaning", "retired", "alike"]
KINDS: Final[dict[ConflictKind, str]] = {
    "index": "one index, two anchors, or vacated on one side",
    "moved": "one mnemonic, two indices",
    "meaning": "one mnemonic, two descriptions or places",
    "retired": "retired on one side, in use on the other",
    "alike": "two mnemonics that can be taken for each other",
}
"""Kinds of conflicts, and what each is."""
RENUMBERING: Final = frozenset[ConflictKind]({"index", "moved"})
"""Kinds that other indices settle."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing that two sides do not agree on.

    Attributes:
        kind: one of `KINDS`.
        mine, theirs: what stands on each side.
    """

    kind: ConflictKind
    mine: Entry
    theirs: Entry

    def __str__(self) -> str:
        name = _name(self.mine)
        if self.kind == "index":
            return f"{hexadecimal(self.mine.index)} is {_holder(self.mine)} in mine, {_holder(self.theirs)} in theirs"
        if self.kind == "moved":
            indices = [hexadecimal(entry.index) for entry in (self.mine, self.theirs)]
            return f"{name} is {indices[0]} in mine, {indices[1]} in theirs"
        if self.kind == "meaning":
            fields = [field for field in differing(self.mine, self.theirs) if field in _MEANING]
            pairs = [
                f"{field} {getattr(self.mine.anchor, field)!r} in mine, {getattr(self.theirs.anchor, field)!r} in theirs"
                for field in fields
            ]
            return f"{name} has {'; '.join(pairs)}"
        if self.kind == "alike":
            return f"{_holder(self.mine)} in mine looks like {_holder(self.theirs)} in theirs"
        sides = ("mine", "theirs") if self.mine.retired else ("theirs", "mine")
        return f"{name} is retired in {sides[0]}, in use in {sides[1]}"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"kind": self.kind, "mine": self.mine.to_json(), "theirs": self.theirs.to_json(), "text": str(self)}


_MEANING: Final = ("canonical", "coords")


def conflicts(mine: Sequence[Entry], theirs: Sequence[Entry], lookalikes: Iterable[tuple[Entry, Entry]]) -> list[Conflict]:
    """All conflicts of two sides' entries, sorted by my index, then by theirs."""
    found = [conflict for pair in _pairs(mine, theirs) for conflict in _of(*pair)]
    found += [Conflict("alike", *pair) for pair in lookalikes]
    order = list(KINDS)
    return sorted(found, key=lambda one: (one.mine.index, one.theirs.index, order.index(one.kind)))


def alike(mine: Sequence[Entry], theirs: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Entries with two mnemonics that can be taken for each other, each pair once; but not where both sides have both."""
    here, there = named(mine), named(theirs)
    looks: dict[str, set[str]] = {}
    for name in there:
        for key in likenesses(name):
            looks.setdefault(key, set()).add(name)
    pairs = {(one, other) for one in here for key in likenesses(one) for other in looks.get(key, ())}
    return [(here[one], there[other]) for one, other in pairs if one != other and (one not in there or other not in here)]


def _name(entry: Entry) -> str:
    return entry.anchor.mnemonic if entry.anchor else ""


def _pairs(mine: Sequence[Entry], theirs: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Entries with one index or one mnemonic, each pair once."""
    at, called = {entry.index: entry for entry in theirs}, named(theirs)
    pairs = [(entry, at[entry.index]) for entry in mine if entry.index in at]
    names = [(entry, called[name]) for name, entry in named(mine).items() if name in called]
    return [*pairs, *[pair for pair in names if pair[0].index != pair[1].index]]


def _of(mine: Entry, theirs: Entry) -> list[Conflict]:
    if mine == theirs:
        return []
    if mine.anchor is None or theirs.anchor is None or mine.anchor.mnemonic != theirs.anchor.mnemonic:
        return [Conflict("index", mine, theirs)]
    fields = differing(mine, theirs)
    kinds: list[tuple[ConflictKind, bool]] = [
        ("moved", "index" in fields),
        ("meaning", any(field in _MEANING for field in fields)),
        ("retired", "retired" in fields),
    ]
    return [Conflict(kind, mine, theirs) for kind, holds in kinds if holds]


def _holder(entry: Entry) -> str:
    return "vacated" if entry.anchor is None else str(entry).partition(" ")[2]
