"""The installation's own anchors, as the store holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from sabir.store.schema import anchors
from sabir.ucr import Anchor, Codebook, core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from sabir.store.engine import Store
    from sabir.ucr.codebook import Coords


@dataclass(frozen=True, slots=True)
class Own:
    """An anchor of this installation.

    Attributes:
        anchor: as the codebook has it.
        proposal: number of the proposal that it comes from.
        minted_at, retired_at: microseconds since 1970; not retired where it is None.
        retired_by, retired_reason: who retired it, and why.
    """

    anchor: Anchor
    proposal: int
    minted_at: int
    retired_at: int | None
    retired_by: str | None
    retired_reason: str | None


def own(connection: Connection) -> list[Own]:
    """All anchors that were ever minted, by index."""
    return [_own(row) for row in connection.execute(select(anchors).order_by(anchors.c.index))]


def own_anchors(store: Store) -> list[Own]:
    """All anchors that were ever minted, by index.

    Raises:
        SabirError: the store fails.
    """
    with store.read() as connection:
        return own(connection)


def codebook(store: Store) -> Codebook:
    """The core with this installation's own anchors, and those that are retired.

    Raises:
        SabirError: the store fails.
    """
    with store.read() as connection:
        return book_of(own(connection))


def book_of(found: Sequence[Own]) -> Codebook:
    """Codebook of the core and these anchors."""
    used = [item.anchor for item in found if item.retired_at is None]
    past = [item.anchor for item in found if item.retired_at is not None]
    return Codebook(core().version, (*core(), *used), past)


def coords_text(coords: Coords) -> str:
    """Coordinates as the store keeps them."""
    return ",".join(map(str, coords))


def coords_from(text: str) -> Coords:
    """Coordinates of their text in the store."""
    action, polarity, domain, urgency = map(int, text.split(","))
    return action, polarity, domain, urgency


def _own(row: Row[tuple[object, ...]]) -> Own:
    values = row._mapping  # noqa: SLF001  # SQLAlchemy's documented way to a row's names
    anchor = Anchor(values["index"], values["mnemonic"], values["canonical"], coords_from(values["coords"]))
    names = ("proposal", "minted_at", "retired_at", "retired_by", "retired_reason")
    return Own(anchor, *(values[name] for name in names))
