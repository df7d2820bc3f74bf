"""The schema's version: each step turns the schema of one version into that of the next.

A step runs in the transaction that records it, so a store is at one version or the other, whoever dies on the way.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sqlalchemy import inspect, select, update

from sabir.errors import SabirError
from sabir.store.schema import METADATA, about

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _first(connection: Connection) -> None:
    """Make the tables of version 1."""
    METADATA.create_all(connection)
    connection.execute(about.insert(), [{"name": "schema", "value": "0"}, {"name": "salt", "value": secrets.token_hex(16)}])


Step = Callable[["Connection"], None]
STEPS: Final[tuple[Step, ...]] = (_first,)
"""Step ``n`` makes version ``n + 1``. A step, once released, never changes."""


def version(connection: Connection) -> int:
    """Version of the schema that a database has; 0 where it has none.

    Raises:
        SabirError: it was made by a later version of this library.
    """
    if not inspect(connection).has_table(about.name):
        return 0
    found = connection.execute(select(about.c.value).where(about.c.name == "schema")).scalar_one_or_none()
    if found is None or not found.isdecimal():
        raise SabirError(f"the table {about.name} is damaged: it holds no version of the schema")
    if int(found) > len(STEPS):
        raise SabirError(f"the store has schema {found}, made by a later version; this one knows {len(STEPS)}")
    return int(found)


def upgrade(connection: Connection, steps: tuple[Step, ...] = STEPS) -> None:
    """Take the steps that a database lacks; the caller holds the write lock and commits."""
    for step in steps[version(connection) :]:
        done = version(connection) + 1
        step(connection)
        connection.execute(update(about).where(about.c.name == "schema").values(value=str(done)))
