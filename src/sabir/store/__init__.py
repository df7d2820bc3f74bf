"""A store that outlives the process: SQLite by default, PostgreSQL by its URL (extra ``store``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabir.errors import MissingDependency

if TYPE_CHECKING:
    from os import PathLike

    from sabir.store.engine import Store

__all__ = ["open_store"]


def open_store(where: str | PathLike[str], *, create: bool = True) -> Store:
    """Store at a path (SQLite) or a URL (``sqlite:///...``, ``postgresql://...``), its schema brought up to date.

    It is a context manager; `Store.close` lets go of its connections.

    Args:
        where: path or URL.
        create: whether a store that is not there is made.

    Raises:
        MissingDependency: SQLAlchemy or the database's driver is not installed, the server cannot be reached or the folder
            is not there, or there is no store and none is to be made.
        SabirError: the store cannot be opened, is no store, or was made by a later version.
    """
    try:
        from sabir.store.engine import connect  # noqa: PLC0415  # loads SQLAlchemy
    except ModuleNotFoundError as error:
        raise MissingDependency(f"a store needs {error.name}: pip install 'sabir[store]'") from None
    return connect(str(where), create=create)
