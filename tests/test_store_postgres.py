"""The same with a real PostgreSQL server, started here for the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert, text

import scenarios
from sabir.errors import MissingDependency, SabirError
from sabir.store import engine, open_store
from sabir.store.schema import METADATA, about


def _binary(name: str) -> str | None:
    """A program of the server: on the path, or where Debian puts it."""
    own = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(own[-1]) if own else None)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """URL of a server without a database of ours; it listens on a socket in a folder of its own."""
    initdb, postgres = _binary("initdb"), _binary("postgres")
    if initdb is None or postgres is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is not installed here, and these tests may not be left out")
        pytest.skip("PostgreSQL is not installed here (apt-get install postgresql)")
    # The server refuses to run as root.
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="sabir-pg-"))
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    made = [initdb, "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]
    subprocess.run(made, user=user, cwd=folder, check=True, capture_output=True)
    command = [postgres, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60"]
    process = subprocess.Popen(command, user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"postgresql://postgres@/postgres?host={folder}"
        _wait(url, process)
        yield url
    finally:
        process.send_signal(signal.SIGINT)  # ends connections, too
        process.wait(timeout=30)
        shutil.rmtree(folder)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        assert process.poll() is None, "the server ended"
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)
        else:
            return


@pytest.fixture
def where(server: str, request: pytest.FixtureRequest) -> str:
    """URL of a new database."""
    name = f"db{abs(hash(request.node.name)) % 10**9}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/postgres?", f"/{name}?")


@pytest.mark.parametrize(
    "scenario",
    [scenarios.lifecycle, scenarios.two_approve_the_same, scenarios.many_approve_all, scenarios.many_record, scenarios.writers_are_killed],
    ids=lambda scenario: str(scenario.__name__),
)
def test_in_postgresql(where: str, scenario: Callable[[str], None]) -> None:
    """What must hold in every database holds in a server."""
    scenario(where)


def test_a_store_is_made_and_found_again(where: str) -> None:
    """Without leave to make one there is none; then its tables are there, by the short name of the scheme, too."""
    with pytest.raises(MissingDependency, match="there is no store in postgresql"):
        open_store(where, create=False)
    open_store(where).close()
    with open_store(where.replace("postgresql:", "postgres:"), create=False) as store, store.read() as connection:
        found = connection.execute(text("SELECT tablename FROM pg_tables WHERE tablename LIKE 'sabir%'")).scalars().all()
        store.compact()
    assert sorted(found) == sorted(table.name for table in METADATA.sorted_tables)


def test_writers_wait_for_each_other_and_readers_do_not(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that is not given back is an error that says so; a reader sees the state before."""
    with open_store(where) as first:
        monkeypatch.setattr(engine, "PATIENCE", 1.0)
        with open_store(where) as second, first.write() as connection:
            connection.execute(insert(about).values(name="mark", value="x"))
            with pytest.raises(SabirError, match="busy: others have been writing"), second.write():
                pass
            with second.read() as reader:
                assert reader.execute(text("SELECT count(*) FROM sabir_about")).scalar_one() == 2


def test_a_reader_sees_one_state(where: str) -> None:
    """What is written while a reader reads does not come into its sight."""
    with open_store(where) as store, store.read() as reader:
        before = reader.execute(text("SELECT count(*) FROM sabir_about")).scalar_one()
        with store.write() as connection:
            connection.execute(insert(about).values(name="mark", value="x"))
        assert reader.execute(text("SELECT count(*) FROM sabir_about")).scalar_one() == before


def test_a_server_without_the_database(server: str) -> None:
    """A database that is not there is named."""
    with pytest.raises(SabirError, match='database "nowhere" does not exist'):
        open_store(server.replace("/postgres?", "/nowhere?"))
