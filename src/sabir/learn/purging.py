"""Deleting on request: what is too old, what one source said, or all of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete

from sabir.jsontext import check_text
from sabir.learn import log, proposals
from sabir.learn.instants import Clock, microseconds, utc_now
from sabir.learn.policy import current
from sabir.learn.retention import held, retain
from sabir.learn.superseding import supersede
from sabir.store.schema import messages, sightings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sabir.store.engine import Store


def purge(store: Store, *, source: str | None = None, everything: bool = False, clock: Clock = utc_now) -> int:
    """Delete what is older than the policy keeps, and besides what one source said, or all; the number of texts deleted.

    Open proposals that rest on what goes are superseded. Anchors and what was decided stay.

    Raises:
        EncodeError: the source is no text.
        SabirError: the store fails.
    """
    if source is not None:
        check_text(source, "source")
    with store.write() as connection:
        before, _ = held(connection)
        policy, _ = current(connection)
        now = microseconds(clock())
        name = None if source is None else log.source_name(source, log.salt_of(connection))
        if everything:
            connection.execute(delete(messages))
        if name is not None:
            connection.execute(delete(sightings).where(sightings.c.source == name))
            connection.execute(delete(messages).where(messages.c.id.not_in(sightings.select().with_only_columns(sightings.c.message))))
        retain(connection, policy, now)
        resting = [
            proposal.number
            for proposal in proposals.listed(connection, "open")
            if everything or _said(connection, proposal.number, name)
        ]
        supersede(connection, resting)
        deleted = before - held(connection)[0]
    store.compact()
    return deleted


def _said(connection: Connection, number: int, source: str | None) -> bool:
    """Whether a source said any of the texts behind a proposal."""
    return any([source in member.sources for member in proposals.members_of(connection, number)])
