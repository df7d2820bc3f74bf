"""Computing with times of Agent Lingua: no argument and no number makes it fail but with this library's errors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sabir.errors import DecodeError, EncodeError
from sabir.lingua.times_grammar import UNITS, seconds_of

_SECOND: Final = timedelta(seconds=1)


def duration(text: str) -> timedelta:
    """Duration of a delay or an interval, negative after ``-``."""
    seconds = seconds_of(text)
    try:
        return timedelta(seconds=-seconds if text[0] == "-" else seconds)
    except OverflowError:
        raise too_far(text, "longer than can be computed with (999,999,999 days)") from None


def moved(moment: datetime, delta: timedelta, text: str, times: int = 1) -> datetime:
    """``moment`` and so many ``delta``, in its own zone; by way of UTC, since a zone's clock may jump in between."""
    try:
        total = delta * times
        if not total or moment.utcoffset() is None:
            return moment + total
        return (moment.astimezone(UTC) + total).astimezone(moment.tzinfo)
    except OverflowError:
        raise too_far(text, f"leads from {moment} to outside the years 1 to 9999") from None


def passed(start: datetime, end: datetime) -> timedelta:
    """Time that elapses between two moments, whatever their zones."""
    offsets = end.utcoffset(), start.utcoffset()
    clocks = end.replace(tzinfo=None) - start.replace(tzinfo=None)
    if offsets == (None, None):
        return clocks
    if offsets[0] is None or offsets[1] is None:
        raise EncodeError("after and start must both have an offset, or neither", "after")
    return clocks - (offsets[0] - offsets[1])


def too_far(text: str, reason: str) -> DecodeError:
    """What to say of a time that fits the grammar and cannot be computed with."""
    return DecodeError(reason, text, code="decode_failed")


def moment_of(value: Any, path: str) -> datetime:
    """The argument itself, if it is a moment."""
    if not isinstance(value, datetime):
        raise EncodeError(f"must be a datetime, not {type(value).__name__}", path)
    return value


def whole_seconds(delta: Any) -> int:
    """Seconds of a duration that has no fraction of one."""
    if not isinstance(delta, timedelta):
        raise EncodeError(f"must be a timedelta, not {type(delta).__name__}", "time")
    if delta % _SECOND:
        raise EncodeError(f"must be whole seconds, not {delta}", "time")
    return delta // _SECOND


def amount(seconds: int) -> str:
    """Amount in the largest units: ``1d15h`` for 140,400 seconds."""
    pieces: list[str] = []
    for unit, size in UNITS.items():
        number, seconds = divmod(seconds, size)
        pieces += [f"{number}{unit}"] if number else []
    return "".join(pieces) or "0s"


def offset_text(offset: timedelta | None) -> str:
    """Offset from UTC as an instant has it: ``+08``, ``-05:30``, ``Z``, nothing for a naive one."""
    if not offset:
        return "" if offset is None else "Z"
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    return f"{'-' if offset < timedelta() else '+'}{hours:02}{f':{minutes:02}' if minutes else ''}"
