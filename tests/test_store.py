from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text

from sabir.errors import MissingDependency, SabirError
from sabir.store import engine, migrate, open_store
from sabir.store.schema import METADATA, about


def test_a_store_is_made_and_found_again(tmp_path: Path) -> None:
    """A path is a SQLite file, for its owner alone, and what is written is there when it is opened again, by path or URL."""
    path = tmp_path / "learn.db"
    with open_store(path) as store, store.write() as connection:
        connection.execute(insert(about).values(name="mark", value="x"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for where in (str(path), f"sqlite:///{path}"):
        with open_store(where, create=False) as store, store.read() as connection:
            assert connection.execute(select(about.c.value).where(about.c.name == "mark")).scalar_one() == "x"
            assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    """A transaction that ends in an error is as if it had not begun."""
    with open_store(tmp_path / "learn.db") as store:
        with contextlib.suppress(ZeroDivisionError), store.write() as connection:
            connection.execute(insert(about).values(name="mark", value="x"))
            raise ZeroDivisionError
        with store.read() as connection:
            assert connection.execute(select(about.c.name).order_by(about.c.name)).scalars().all() == ["salt", "schema"]


def test_deleted_text_is_gone_from_the_files(tmp_path: Path) -> None:
    """After compacting, no file of the store holds what was deleted."""
    with open_store(tmp_path / "learn.db") as store:
        with store.write() as connection:
            connection.execute(insert(about).values(name="mark", value="harpsichord" * 500))
        with store.write() as connection:
            connection.execute(about.delete().where(about.c.name == "mark"))
        store.compact()
        assert [file.name for file in tmp_path.iterdir() if b"harpsichord" in file.read_bytes()] == []


@pytest.mark.parametrize(
    ("where", "error", "says"),
    [
        ("", SabirError, "is no path"),
        ("a\0b", SabirError, "is no path"),
        ("://", SabirError, "no URL of a database"),
        ("postgresql://h:port/x", SabirError, "no URL of a database"),
        ("mysql://x/y", SabirError, "SQLite or PostgreSQL, not mysql"),
        ("sqlite://", SabirError, "give SQLite a file"),
        ("sqlite:///:memory:", SabirError, "give SQLite a file"),
        ("sqlite:///learn.db?mode=ro", SabirError, "takes no options, and these were given: mode"),
        ("/no/such/folder/learn.db", MissingDependency, "there is no folder /no/such/folder"),
        ("/dev/null/learn.db", SabirError, "Not a directory"),
        ("postgresql://kim@127.0.0.1:1/x", MissingDependency, "Connection refused"),
        ("postgresql://kim@nohost.invalid/x", MissingDependency, "nohost.invalid"),
    ],
)
def test_places_that_are_none(where: str, error: type[SabirError], says: str) -> None:
    """What cannot be a store is an error that says what would be one."""
    with pytest.raises(error, match=says):
        open_store(where)


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    """Without leave to make one, a missing file and an empty database are no store, and nothing is made."""
    path = tmp_path / "learn.db"
    with pytest.raises(MissingDependency, match="there is no store"):
        open_store(path, create=False)
    assert not path.exists()
    sqlite3.connect(path).close()
    path.touch()
    with pytest.raises(MissingDependency, match="there is no store"):
        open_store(path, create=False)


def test_other_files_are_no_store(tmp_path: Path) -> None:
    """A file that is no database is refused and not touched."""
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 100)
    with pytest.raises(SabirError, match="not a database"):
        open_store(path)
    assert path.read_text() == "dear diary, " * 100


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("postgres://kim:hush@127.0.0.1:1/x", "kim:***@127.0.0.1:1"),
        ("postgres://kim:hu%40sh@127.0.0.1:1/x", "kim:***@127.0.0.1:1"),
        ("postgresql://kim@127.0.0.1:1/x?password=hush&sslmode=prefer", "kim@127.0.0.1:1/x?sslmode=prefer"),
        ("postgresql://kim@127.0.0.1:1/x?sslpassword=hush", "kim@127.0.0.1:1/x:"),
        ("postgresql://kim:pass@hush@127.0.0.1:1/x", "an @ in a password is written %40"),
        ("mysql://kim:hush@127.0.0.1/x", "SQLite or PostgreSQL"),
    ],
)
def test_errors_hide_the_password(where: str, says: str) -> None:
    """A server that does not answer is named without its password, wherever in the URL that stands."""
    with pytest.raises(SabirError) as caught:
        open_store(where)
    assert "hu" not in str(caught.value)
    assert says in str(caught.value)


def test_packages_that_are_missing(tmp_path: Path) -> None:
    """Without SQLAlchemy, or without PostgreSQL's driver, the error says what to install; importing stays quiet."""
    blocked = "import sys; sys.modules[{!r}] = None\nimport sabir.store, sabir.learn\nfrom sabir.errors import MissingDependency\n"
    asked = "try:\n    {}\nexcept MissingDependency as error:\n    print(error)\n"
    for package, work, says in (
        ("sqlalchemy", f"sabir.store.open_store({str(tmp_path / 'x')!r})", "a store needs sqlalchemy: pip install 'sabir[store]'"),
        ("sqlalchemy", "sabir.learn.record", "sabir.learn.record needs sqlalchemy: pip install 'sabir[store]'"),
        ("psycopg", "sabir.store.open_store('postgresql://x/y')", "postgresql+psycopg needs psycopg: pip install 'sabir[store]'"),
    ):
        code = blocked.format(package) + asked.format(work)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == says


@pytest.mark.parametrize(("package", "where"), [("sabir.store.engine", "x.db"), ("psycopg", "postgresql://x/y")])
def test_packages_that_are_missing_here(monkeypatch: pytest.MonkeyPatch, package: str, where: str) -> None:
    """The same without a process of its own."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependency, match=rf"needs {package}: pip install 'sabir\[store\]'"):
        open_store(where)


def test_importing_the_library_loads_no_database() -> None:
    """Neither `import sabir` nor the packages of the layer load SQLAlchemy, numpy or scikit-learn."""
    code = "import sys, sabir, sabir.store, sabir.learn; print([m for m in ('sqlalchemy', 'numpy', 'sklearn') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- schema ----------------------------------------------------------------------------------------------


def test_upgrade_takes_the_missing_steps_alone(tmp_path: Path) -> None:
    """A store of version 1 takes step 2, once; its version says so, and this library refuses it from then on."""
    taken: list[int] = []
    path = tmp_path / "learn.db"
    steps = (*migrate.STEPS, lambda _: taken.append(2))
    with open_store(path) as store:
        for _ in range(2):
            with store.write() as connection:
                if not taken:
                    migrate.upgrade(connection, steps)
        assert taken == [2]
    with pytest.raises(SabirError, match="has schema 2, made by a later version; this one knows 1"):
        open_store(path)


def test_a_step_that_fails_changes_nothing(tmp_path: Path) -> None:
    """A step and its record are one transaction."""

    def broken(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half (x INTEGER)"))
        raise ZeroDivisionError

    with open_store(tmp_path / "learn.db") as store:
        with pytest.raises(ZeroDivisionError), store.write() as connection:
            migrate.upgrade(connection, (*migrate.STEPS, broken))
        with store.read() as connection:
            assert migrate.version(connection) == 1
            assert "half" not in connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()


def test_a_damaged_version(tmp_path: Path) -> None:
    """A store without a version is damaged, and that is said."""
    with open_store(tmp_path / "learn.db") as store, store.write() as connection:
        connection.execute(about.delete())
    with pytest.raises(SabirError, match="damaged"):
        open_store(tmp_path / "learn.db")


def test_the_schema_of_a_new_store_is_that_of_the_tables(tmp_path: Path) -> None:
    """A new store has all tables with all columns."""
    with open_store(tmp_path / "learn.db") as store, store.read() as connection:
        for table in METADATA.sorted_tables:
            found = [row[1] for row in connection.execute(text(f"PRAGMA table_info({table.name})"))]
            assert found == [column.name for column in table.columns]


# --- several at once -------------------------------------------------------------------------------------


def test_many_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes it; the others find it made."""
    path = tmp_path / "learn.db"

    def salt(_: int) -> str:
        with open_store(path) as store, store.read() as connection:
            return str(connection.execute(select(about.c.value).where(about.c.name == "salt")).scalar_one())

    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(salt, range(16))}) == 1


def test_a_writer_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that is not given back is an error that says so, for transactions and for compacting; readers go on."""
    with open_store(tmp_path / "learn.db") as first:
        monkeypatch.setattr(engine, "PATIENCE", 0.1)
        with open_store(tmp_path / "learn.db") as second, first.write() as connection:
            connection.execute(insert(about).values(name="mark", value="x"))
            with pytest.raises(SabirError, match="busy: others have been writing"), second.write():
                pass
            with second.read() as reader:
                assert reader.execute(select(about.c.name).where(about.c.name == "mark")).first() is None


def test_changing_the_mode_waits_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite does not wait by itself to change the journal's mode; we do, and give up with the same words."""
    path = tmp_path / "learn.db"
    monkeypatch.setattr(engine, "PATIENCE", 0.2)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("CREATE TABLE others (x)")
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(SabirError, match="busy: others have been writing"):
            open_store(path)
    finally:
        other.close()
    open_store(path).close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    """A store that one may only read is an error for who wants to write."""
    path = tmp_path / "learn.db"
    open_store(path).close()
    path.chmod(0o400)
    with open_store(path) as store, pytest.raises(SabirError, match="readonly"), store.write():
        pass
