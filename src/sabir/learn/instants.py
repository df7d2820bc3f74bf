"""Instants as the store keeps them, and the clock that gives them. Everything that asks for the time takes a clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

Clock = Callable[[], datetime]
"""Gives the time, with its zone."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
DAY: Final = 86_400_000_000
"""Microseconds of a day."""


def utc_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


def microseconds(instant: datetime) -> int:
    """Whole microseconds since 1970 in UTC."""
    return (instant - _EPOCH) // _MICROSECOND


def iso(at: int) -> str:
    """An instant of the store as ISO 8601, in UTC."""
    return (_EPOCH + at * _MICROSECOND).isoformat().replace("+00:00", "Z")
