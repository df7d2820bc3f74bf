"""Taking open proposals back: their texts go, their hashes stay, and it is known where the texts are proposed now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select, update

from sabir.store.schema import members, messages, proposals

if TYPE_CHECKING:
    from sqlalchemy import Connection


def supersede(connection: Connection, numbers: Iterable[int]) -> None:
    """Take open proposals back; their texts go with them."""
    for number in numbers:
        connection.execute(update(proposals).where(proposals.c.id == number).values(status="superseded"))
        forget(connection, number)


def forget(connection: Connection, number: int) -> None:
    """Drop the texts behind a proposal; their hashes stay."""
    connection.execute(update(members).where(members.c.proposal == number).values(text=None))
    connection.execute(update(proposals).where(proposals.c.id == number).values(exemplar=""))


def supersede_outlived(connection: Connection, old: int) -> None:
    """Take back the open proposals that were last found before an instant, or hold a text last seen before it."""
    texts = select(messages.c.hash).where(messages.c.last_seen < old)
    asked = (
        select(proposals.c.id)
        .join(members)
        .where(proposals.c.status == "open", or_(proposals.c.at < old, members.c.hash.in_(texts)))
    )
    supersede(connection, sorted(set(connection.execute(asked).scalars())))


def successor(connection: Connection, number: int) -> int | None:
    """The proposal, open or approved, that has most of the texts of another one; None where none has any."""
    other = members.alias()
    asked = (
        select(members.c.proposal)
        .join(other, (other.c.hash == members.c.hash) & (other.c.proposal == number))
        .join(proposals, proposals.c.id == members.c.proposal)
        .where(proposals.c.status.in_(("open", "approved")), proposals.c.id != number)
        .group_by(members.c.proposal)
        .order_by(func.count().desc(), members.c.proposal)
    )
    return connection.execute(asked.limit(1)).scalar_one_or_none()
