"""Deleting on request: what is too old, what one source said, or all of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from sabir.jsontext import check_text
from sabir.learn import log, proposals
from sabir.learn.anchors import own
from sabir.learn.instants import Clock, microseconds, utc_now
from sabir.learn.policy import current
from sabir.learn.retention import held, retain
from sabir.learn.superseding import supersede
from sabir.store.schema import messages, sightings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sabir.store.engine import Store


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did.

    Attributes:
        texts: texts that were deleted.
        sightings: what was deleted of who said which text; others may have said the same text, which then stays.
        anchors: mnemonics of the anchors in use whose texts the source said, or all with texts where everything was to
            go. They keep their texts until they are retired.
    """

    texts: int
    sightings: int
    anchors: tuple[str, ...] = ()


def purge(store: Store, *, source: str | None = None, everything: bool = False, clock: Clock = utc_now) -> Purged:
    """Delete what is older than the policy keeps, and besides what one source said, or all.

    Open proposals that rest on what goes are superseded. Anchors and what was decided stay.

    Raises:
        EncodeError: the source is no text.
        SabirError: the store fails.
    """
    if source is not None:
        check_text(source, "source")
    with store.write() as connection:
        before = _held(connection)
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
        texts, seen = (was - left for was, left in zip(before, _held(connection), strict=True))
        kept = [
            item.anchor.mnemonic
            for item in own(connection)
            if item.retired_at is None and (everything or _said(connection, item.proposal, name))
        ]
    store.compact()
    return Purged(texts, seen, tuple(kept))


def _held(connection: Connection) -> tuple[int, int]:
    """Number of texts in the log, and of sightings."""
    return held(connection)[0], connection.execute(select(func.count()).select_from(sightings)).scalar_one()


def _said(connection: Connection, number: int, source: str | None) -> bool:
    """Whether a source said any of the texts behind a proposal."""
    return any([source in member.sources for member in proposals.members_of(connection, number)])
