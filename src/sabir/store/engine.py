"""Connections and transactions. One writer at a time, any number of readers, on both databases.

A write transaction takes the lock before it reads, so what it decides on cannot change under it: SQLite by BEGIN
IMMEDIATE, PostgreSQL by an advisory lock. Readers see one state of the whole store.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import sqlalchemy
from sqlalchemy import event, text
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from sabir.errors import MissingDependency, SabirError
from sabir.store import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE: Final = 30.0
"""Seconds that a writer waits for the others."""
_LOCK: Final = 0x5AB12
"""Number of the advisory lock that writers hold in PostgreSQL."""
_WRITE: Final = "sabir_write"
_HARMLESS: Final = frozenset({"host", "port", "user", "dbname", "sslmode", "application_name"})
"""Options of a URL that are shown."""
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Store:
    """A database with the library's tables. Safe to share between threads; a process opens its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine: Final = engine
        self.name: Final = _shown(engine.url)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, and sees one state of the store.

        Raises:
            SabirError: the database fails; so from all that is done in it.
        """
        options: dict[str, Any] = {} if self._sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._transaction(**options) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; it waits until no other one does, and commits at its end or not at all.

        Raises:
            SabirError: the others did not finish within `PATIENCE`, or the database fails.
        """
        with self._transaction(**{_WRITE: True}) as connection:
            if not self._sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection

    def reach(self) -> None:
        """Make a first connection.

        Raises:
            MissingDependency: the server cannot be reached, or lets nobody in.
            SabirError: it is no database.
        """
        try:
            with self._failing():
                self.engine.connect().close()
        except SabirError as error:
            if self._sqlite:
                raise
            raise MissingDependency(str(error)) from error

    def compact(self) -> None:
        """Let the file hold nothing of what was deleted; PostgreSQL sees to that by itself.

        Raises:
            SabirError: the database fails.
        """
        if self._sqlite:
            self._pragma("wal_checkpoint(TRUNCATE)")

    def prepare(self, *, create: bool) -> None:
        """Bring the schema up to date; nothing is written where it is.

        Raises:
            MissingDependency: the database has no schema, and is to get none.
            SabirError: the database fails, or was made by a later version.
        """
        with self.read() as connection:
            found = migrate.version(connection)
        if found == 0 and not create:
            raise MissingDependency(f"there is no store in {self.name}")
        if found == len(migrate.STEPS):
            return
        if self._sqlite:  # the file keeps this mode, in which readers and the writer do not wait for each other
            self._pragma("journal_mode=WAL")
        with self.write() as connection:
            migrate.upgrade(connection)

    @property
    def _sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[Connection]:
        with self._failing(), self.engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    def _pragma(self, pragma: str) -> None:
        """Run a pragma outside of any transaction. SQLite does not wait with these, so we do."""
        end = time.monotonic() + PATIENCE
        with self._failing(), closing(self.engine.raw_connection()) as connection:
            while True:
                try:
                    connection.cursor().execute(f"PRAGMA {pragma}")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode not in _BUSY or time.monotonic() >= end:
                        raise
                    time.sleep(0.02)
                else:
                    return

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turn what a database raises into an error of this library."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise SabirError(f"store {self.name}: {_reason(error)}") from error


def connect(where: str, *, create: bool) -> Store:
    """As `sabir.store.open_store`."""
    url = _url(where)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite:
        _file(url, create=create)
    try:
        engine = sqlalchemy.create_engine(url, connect_args=_arguments(url))
    except ModuleNotFoundError as error:
        raise MissingDependency(f"{url.drivername} needs {error.name}: pip install 'sabir[store]'") from None
    if sqlite:
        _tune(engine)
    store = Store(engine)
    try:
        store.reach()
        store.prepare(create=create)
    except SabirError:
        store.close()
        raise
    return store


def _url(where: str) -> URL:
    if "://" not in where:
        if not where or "\0" in where:
            raise SabirError(f"{where!r} is no path; give a file, or a URL such as postgresql://user@host/database")
        return URL.create("sqlite", database=str(Path(where).absolute()))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise SabirError("this is no URL of a database; it looks like postgresql://user@host/database") from None
    if url.host is not None and "@" in url.host:  # else half of a password would be shown as the host
        raise SabirError("this is no URL of a database: an @ in a password is written %40")
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        raise SabirError(f"a store is SQLite or PostgreSQL, not {url.get_backend_name()}")
    if not url.database or url.database == ":memory:":
        raise SabirError("a store outlives the process; give SQLite a file, as in sqlite:///learn.db")
    if url.query:
        raise SabirError(f"a store in SQLite takes no options, and these were given: {', '.join(sorted(url.query))}")
    return url


def _shown(url: URL) -> str:
    """A URL without what may be secret in it: the password, and options such as ``password`` and ``sslpassword``."""
    return url.set(query={name: value for name, value in url.query.items() if name in _HARMLESS}).render_as_string(hide_password=True)


def _file(url: URL, *, create: bool) -> None:
    """Make the file, for its owner alone; what is logged is nobody else's business."""
    path = Path(str(url.database))
    if path.exists():
        return
    if not create:
        raise MissingDependency(f"there is no store {path}")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except FileNotFoundError:
        raise MissingDependency(f"store {path}: there is no folder {path.parent}") from None
    except OSError as error:
        raise SabirError(f"store {path}: {error.strerror}") from None


def _arguments(url: URL) -> dict[str, Any]:
    if url.get_backend_name() == "sqlite":
        return {"timeout": PATIENCE}
    return {"connect_timeout": int(PATIENCE), "options": f"-c lock_timeout={int(PATIENCE * 1000)}"}


def _tune(engine: Engine) -> None:
    """Make SQLite begin transactions when told to, and keep nothing of what is deleted."""

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN comes too late to lock before reading
        for pragma in ("foreign_keys=ON", "secure_delete=ON", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        kind = "IMMEDIATE" if connection.get_execution_options().get(_WRITE) else "DEFERRED"
        connection.exec_driver_sql(f"BEGIN {kind}")


def _reason(error: Exception) -> str:
    """What a database says, in one line and without the statement and its values."""
    own = error.orig if isinstance(error, DBAPIError) and error.orig else error
    line = (str(own).strip().splitlines() or [type(own).__name__])[0]
    if "locked" in line or "lock timeout" in line:
        return f"busy: others have been writing for {PATIENCE:.0f} seconds"
    return line
