"""Several writers at once and writers that die, with SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import scenarios


@pytest.mark.parametrize(
    "scenario",
    [scenarios.lifecycle, scenarios.two_approve_the_same, scenarios.many_approve_all, scenarios.many_record, scenarios.writers_are_killed],
    ids=lambda scenario: str(scenario.__name__),
)
def test_in_sqlite(tmp_path: Path, scenario: Callable[[str], None]) -> None:
    """What must hold in every database holds in a file, whose pages are whole afterwards."""
    path = tmp_path / "learn.db"
    scenario(str(path))
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    finally:
        connection.close()
