"""One codebook of two installations' extensions; nothing is renumbered or dropped without being listed.

Without conflicts the result is the union. With conflicts there is no result, unless a resolution is asked for:

* ``renumber``: that side gives way wherever indices clash. An anchor that both have takes the other side's index, one
  that only this side has takes the next free one. This settles no conflict of meaning or of retirement.
* ``prefer``: that side's anchors stand as they are; those of the other side that clash with them are dropped.
* both: indices go by ``renumber``, meaning and retirement by ``prefer``.

An index that either side ever gave and that holds nothing in the result is vacated: it is never given again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec

from sabir.errors import EncodeError
from sabir.ucr.anchor import EXTENSION, LAST, hexadecimal
from sabir.ucr.codebook import Codebook
from sabir.ucr.conflict import RENUMBERING, Conflict, alike, conflicts
from sabir.ucr.entries import Entry, differing, entries, named

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

Side = Literal["mine", "theirs"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)
EffectKind = Literal["renumbered", "dropped", "overruled"]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a merge did to one entry of one side.

    Attributes:
        kind: ``overruled`` where description, coordinates or retirement are now the other side's, or where an index
            that this side had vacated is held by an anchor of the other side.
        side: whose entry it was.
        before, after: the entry on that side and in the result; ``after`` is None where it was dropped.
    """

    kind: EffectKind
    side: Side
    before: Entry
    after: Entry | None

    def __str__(self) -> str:
        said = f"{self.side} {self.kind}: {self.before}"
        if self.after is None:
            return said
        if self.kind == "renumbered":
            return f"{said}; now {hexadecimal(self.after.index)}"
        return f"{said}; now {self.after} as in {_other(self.side)}"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        after = self.after and self.after.to_json()
        return {"kind": self.kind, "side": self.side, "before": self.before.to_json(), "after": after}


@dataclass(frozen=True, slots=True)
class Merged:
    """Outcome of a merge.

    Attributes:
        book: the merged codebook; None where conflicts are unresolved.
        conflicts: all that were found.
        unresolved: those of them that the resolution does not settle.
        effects: what the resolution did to each side's entries.
    """

    book: Codebook | None
    conflicts: tuple[Conflict, ...] = ()
    unresolved: tuple[Conflict, ...] = ()
    effects: tuple[Effect, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON form, without the codebook itself."""
        return {
            "merged": self.book is not None,
            "hash": self.book and self.book.hash,
            "conflicts": [one.to_json() for one in self.conflicts],
            "unresolved": [one.to_json() for one in self.unresolved],
            "effects": [one.to_json() for one in self.effects],
        }


def merge(mine: Codebook, theirs: Codebook, *, prefer: Side | None = None, renumber: Side | None = None) -> Merged:
    """Merge two installations' extensions of one core.

    Raises:
        EncodeError: their cores are not the same, no index is left to renumber to, or a side has another name.
    """
    for name, side in (("prefer", prefer), ("renumber", renumber)):
        if side not in (None, *SIDES):
            raise EncodeError(f"must be {' or '.join(SIDES)}, not {side!r}", name)
    _check_cores(mine, theirs)
    sides = {"mine": _own(mine), "theirs": _own(theirs)}
    lookalikes = alike(entries(mine), entries(theirs))
    found = tuple(conflicts(sides["mine"], sides["theirs"], lookalikes))
    settled = RENUMBERING if renumber else frozenset()
    unresolved = () if prefer else tuple(one for one in found if one.kind not in settled)
    if unresolved:
        return Merged(None, found, unresolved)
    holder: Side = _other(renumber) if renumber else prefer or "mine"
    held, yielding = sides[holder], sides[_other(holder)]
    if prefer:
        held, yielding = (_without(side, lookalikes, named(sides[prefer])) for side in (held, yielding))
    result = _resolved(held, yielding, yielding_means=prefer == _other(holder), renumber=renumber is not None)
    effects = [effect for side in SIDES for effect in _effects(side, sides[side], result)]
    return Merged(_book(mine, result), found, (), tuple(effects))


def _resolved(
    held: Sequence[Entry], yielding: Sequence[Entry], *, yielding_means: bool, renumber: bool
) -> dict[int, Entry]:
    """Entries by index of which ``held`` keep theirs.

    Args:
        held: entries that stay where they are.
        yielding: entries that give way.
        yielding_means: whether an anchor that both have means what it does among those that yield.
        renumber: whether anchors without a place get another one; else they are dropped.
    """
    given = {entry.index for entry in (*held, *yielding)}
    result = {entry.index: entry for entry in held if entry.anchor}
    kept, closed = named(held), {entry.index for entry in held}
    homeless: list[Entry] = []
    for entry in yielding:
        if entry.anchor is None:
            continue
        twin = kept.get(entry.anchor.mnemonic)
        if twin is not None:
            if yielding_means:
                result[twin.index] = _at(entry, twin.index)
        elif entry.index in closed:
            homeless.append(entry)
        else:
            result[entry.index] = entry
    if renumber:
        free = (index for index in range(EXTENSION, LAST + 1) if index not in given)
        for entry in homeless:
            if (index := next(free, None)) is None:
                raise EncodeError(f"no index is left to give to {entry}", "index")
            result[index] = _at(entry, index)
    return {index: Entry(index, None) for index in given} | result


def _without(own: Sequence[Entry], lookalikes: Iterable[tuple[Entry, Entry]], preferred: Container[str]) -> list[Entry]:
    """Entries with those vacated whose mnemonics the preferred side lacks and can take for others."""
    names = {entry.anchor.mnemonic for pair in lookalikes for entry in pair if entry.anchor}
    gone = {name for name in names if name not in preferred}
    return [Entry(entry.index, None) if entry.anchor and entry.anchor.mnemonic in gone else entry for entry in own]


def _effects(side: Side, own: Sequence[Entry], result: dict[int, Entry]) -> list[Effect]:
    now = named(result.values())
    found: list[Effect] = []
    for entry in own:
        if entry.anchor is None:
            if result[entry.index].anchor is not None:
                found.append(Effect("overruled", side, entry, result[entry.index]))
            continue
        after = now.get(entry.anchor.mnemonic)
        if after is None:
            found.append(Effect("dropped", side, entry, None))
            continue
        fields = differing(entry, after)
        if "index" in fields:
            found.append(Effect("renumbered", side, entry, after))
        if any(field != "index" for field in fields):
            found.append(Effect("overruled", side, entry, after))
    return found


def _book(like: Codebook, result: dict[int, Entry]) -> Codebook:
    core = [anchor for anchor in like.anchors if anchor.is_core]
    anchors = [(entry.anchor, entry.retired) for entry in result.values() if entry.anchor]
    return Codebook(
        like.version,
        [*core, *[anchor for anchor, retired in anchors if not retired]],
        [anchor for anchor, retired in anchors if retired],
        [entry.index for entry in result.values() if entry.anchor is None],
    )


def _own(book: Codebook) -> list[Entry]:
    return [entry for entry in entries(book) if entry.index >= EXTENSION]


def _at(entry: Entry, index: int) -> Entry:
    assert entry.anchor is not None  # noqa: S101  # a vacated index moves nowhere
    return Entry(index, msgspec.structs.replace(entry.anchor, index=index), entry.retired)


def _other(side: Side) -> Side:
    return "theirs" if side == "mine" else "mine"


def _check_cores(mine: Codebook, theirs: Codebook) -> None:
    """Refuse two codebooks whose cores differ.

    Raises:
        EncodeError: with what differs.
    """
    if mine.version != theirs.version:
        reason = f"{mine.version} in mine, {theirs.version} in theirs: only extensions of one core can be merged"
        raise EncodeError(reason, "version")
    cores = [{anchor for anchor in book.anchors if anchor.is_core} for book in (mine, theirs)]
    if differ := cores[0] ^ cores[1]:
        anchor = min(differ, key=lambda anchor: anchor.index)
        reason = f"{hexadecimal(anchor.index)} {anchor.mnemonic} of the core is not the same in mine and in theirs"
        raise EncodeError(reason, "anchors")
