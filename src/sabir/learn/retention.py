"""Keeping the log within its limits of age, number and size.

Where it is full, the source with the most texts loses its oldest ones first, so a flood drives out nobody else's.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from sabir.learn.instants import DAY
from sabir.learn.superseding import supersede_outlived
from sabir.store.schema import messages, sightings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from sabir.learn.policy import Policy

_ROOM: Final = 20
"""A twentieth of a full log is made free at once, so that a flood does not make every record slow."""
_AT_ONCE: Final = 500
"""Rows that one statement deletes."""


@dataclass(frozen=True, slots=True)
class _Row:
    place: int
    size: int
    sources: tuple[str, ...]


def held(connection: Connection) -> tuple[int, int]:
    """Number of texts in the log, and their bytes."""
    asked = select(func.count(), func.coalesce(func.sum(messages.c.bytes), 0)).select_from(messages)
    count, size = connection.execute(asked).one()
    return int(count), int(size)


def retain(connection: Connection, policy: Policy, now: int) -> None:
    """Delete what is too old, also where open proposals hold it, and what is too much."""
    old = now - policy.keep_days * DAY
    supersede_outlived(connection, old)
    connection.execute(delete(sightings).where(sightings.c.last_seen < old))
    connection.execute(delete(messages).where(messages.c.last_seen < old))
    count, size = held(connection)
    if count <= policy.keep_messages and size <= policy.keep_bytes:
        return
    most = policy.keep_messages - policy.keep_messages // _ROOM
    most_bytes = policy.keep_bytes - policy.keep_bytes // _ROOM
    places = _surplus(_rows(connection), count - most, size - most_bytes)
    for start in range(0, len(places), _AT_ONCE):
        connection.execute(delete(messages).where(messages.c.id.in_(places[start : start + _AT_ONCE])))


def _rows(connection: Connection) -> list[_Row]:
    """All texts, the oldest first."""
    asked = select(messages.c.id, messages.c.bytes, sightings.c.source).join(sightings)
    sizes: dict[int, int] = {}
    sources: defaultdict[int, list[str]] = defaultdict(list)
    for row in connection.execute(asked.order_by(messages.c.last_seen, messages.c.id)):
        sizes[row.id] = row.bytes
        sources[row.id].append(row.source)
    return [_Row(place, size, tuple(sources[place])) for place, size in sizes.items()]


def _surplus(rows: Sequence[_Row], count: int, size: int) -> list[int]:
    """Which texts go so that ``count`` texts and ``size`` bytes less remain: the oldest of whoever has the most."""
    own: defaultdict[str, deque[_Row]] = defaultdict(deque)
    for row in rows:
        for source in row.sources:
            own[source].append(row)
    number = Counter({source: len(texts) for source, texts in own.items()})
    queue = [(-have, source) for source, have in number.items()]
    heapq.heapify(queue)
    gone: dict[int, None] = {}
    while (count > 0 or size > 0) and queue:
        have, source = heapq.heappop(queue)
        if -have == number[source]:  # else some of its texts have gone since, as those of another source
            row = next(text for text in iter(own[source].popleft, None) if text.place not in gone)
            gone[row.place] = None
            count, size = count - 1, size - row.size
            number.subtract(row.sources)
        if number[source]:
            heapq.heappush(queue, (-number[source], source))
    return list(gone)
