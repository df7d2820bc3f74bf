"""What differs between two codebooks, anchor by anchor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sabir.ucr.entries import Entry, differing, entries, named

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook

ChangeKind = Literal["added", "removed", "changed", "renumbered", "retired", "restored", "vacated", "unvacated"]


@dataclass(frozen=True, slots=True)
class Change:
    """One anchor, or one vacated index, that is not the same in both.

    Attributes:
        kind: ``renumbered`` is one mnemonic under another index; ``changed`` is other words or coordinates, or another
            mnemonic at an index; ``retired`` and ``restored`` say what became of it and may come with other fields.
        before, after: as it stands in the first and in the second codebook; None where it does not.
        fields: all that differ, of index, mnemonic, canonical, coords and retired.
    """

    kind: ChangeKind
    before: Entry | None
    after: Entry | None
    fields: tuple[str, ...] = ()

    @property
    def index(self) -> int:
        """Index in the second codebook, else in the first."""
        entry = self.after or self.before
        assert entry is not None  # noqa: S101  # a change has one side at least
        return entry.index

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        before, after = (entry and entry.to_json() for entry in (self.before, self.after))
        return {"kind": self.kind, "fields": list(self.fields), "before": before, "after": after}


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs between two codebooks; false where nothing does.

    Attributes:
        versions, hashes, past_hashes: of the first and of the second.
        changes: sorted by index.
    """

    versions: tuple[str, str]
    hashes: tuple[str, str]
    past_hashes: tuple[str, str]
    changes: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(self.changes) or self.versions[0] != self.versions[1]

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "same": not self,
            "versions": list(self.versions),
            "hashes": list(self.hashes),
            "past_hashes": list(self.past_hashes),
            "changes": [change.to_json() for change in self.changes],
        }


def diff(before: Codebook, after: Codebook) -> Difference:
    """What differs between two codebooks: mnemonics are compared first, and what is left by index."""
    old, new = entries(before), entries(after)
    changes = [*_by_mnemonic(named(old), named(new)), *_vacated(before.vacated, after.vacated)]
    return Difference(
        (before.version, after.version),
        (before.hash, after.hash),
        (before.past_hash, after.past_hash),
        tuple(sorted(changes, key=lambda change: (change.index, change.kind))),
    )


def _by_mnemonic(old: dict[str, Entry], new: dict[str, Entry]) -> list[Change]:
    found: list[Change] = []
    for name, was in old.items():
        if name in new and (fields := differing(was, new[name])):
            found.append(Change(_kind(was, fields), was, new[name], fields))
    gone = {entry.index: entry for name, entry in old.items() if name not in new}
    for name, now in new.items():
        if name not in old:
            was_there = gone.pop(now.index, None)
            if was_there is None:
                found.append(Change("added", None, now))
            else:
                found.append(Change("changed", was_there, now, differing(was_there, now)))
    return [*found, *[Change("removed", entry, None) for entry in gone.values()]]


def _kind(was: Entry, fields: tuple[str, ...]) -> ChangeKind:
    if "retired" in fields:
        return "restored" if was.retired else "retired"
    return "renumbered" if "index" in fields else "changed"


def _vacated(old: frozenset[int], new: frozenset[int]) -> list[Change]:
    gone = [Change("unvacated", Entry(index, None), None) for index in old - new]
    return [*gone, *[Change("vacated", None, Entry(index, None)) for index in new - old]]
