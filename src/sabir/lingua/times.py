"""Times of Agent Lingua as values to compute with (seed, "Time Encoding"; agent-lingua.md, "Time").

The text after ``~`` is a delay (``+1d15h``, ``-2h``), an interval (``*4h``) or an instant (``=1706889600``,
``@2024-02-03T15:00+08``); `times_grammar` has the rules. A value keeps its text to the letter and equals another of the
same text. A text that fits may be too large to compute with: then computing, not reading, raises.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from sabir.errors import EncodeError, shown
from sabir.lingua.times_computing import amount, duration, moment_of, moved, offset_text, passed, too_far, whole_seconds
from sabir.lingua.times_grammar import MAX_DIGITS, UNITS, calendar_of, fits, no_time, unix_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_silp_delay = re.compile(rf"t([+-][0-9]{{1,{MAX_DIGITS}}}[{''.join(UNITS)}])").fullmatch
_one_unit = re.compile(rf"[+-][0-9]{{1,{MAX_DIGITS}}}[{''.join(UNITS)}]").fullmatch


@dataclass(frozen=True, slots=True)
class Delay:
    """A time after (``+1d15h``) or before (``-2h``) another.

    Attributes:
        text: the wire text after ``~``.

    Raises:
        EncodeError: the text is no delay.
    """

    text: str

    def __post_init__(self) -> None:
        _check(self.text, ("+", "-"), "a delay, such as +1d15h or -2h")

    @classmethod
    def of(cls, delta: timedelta) -> Self:
        """Delay of a duration in whole seconds, negative for before: ``+1d15h``; of no length, ``+0s``.

        Raises:
            EncodeError: it is no duration, or has a fraction of a second.
        """
        seconds = whole_seconds(delta)
        return cls(f"{'-' if seconds < 0 else '+'}{amount(abs(seconds))}")

    @property
    def delta(self) -> timedelta:
        """The duration, negative for before.

        Raises:
            DecodeError: ``decode_failed``; it is longer than a `timedelta` holds.
        """
        return duration(self.text)

    def at(self, now: datetime) -> datetime:
        """The moment this long after ``now``, in its time zone. What elapses counts: a day is 24 hours.

        Raises:
            DecodeError: ``decode_failed``; the moment lies outside the years 1 to 9999.
            EncodeError: ``now`` is no `datetime`.
        """
        return moved(moment_of(now, "now"), self.delta, self.text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Interval:
    """A time that comes again (``*4h``): a start, the start and one period, and so on.

    Attributes:
        text: the wire text after ``~``.

    Raises:
        EncodeError: the text is no interval, or one of no length.
    """

    text: str

    def __post_init__(self) -> None:
        _check(self.text, ("*",), "an interval of some length, such as *4h")

    @classmethod
    def of(cls, period: timedelta) -> Self:
        """Interval of a period of whole seconds, at least one.

        Raises:
            EncodeError: it is no such duration.
        """
        seconds = whole_seconds(period)
        if seconds <= 0:
            raise EncodeError("an interval is longer than nothing", "time")
        return cls(f"*{amount(seconds)}")

    @property
    def period(self) -> timedelta:
        """Time from one occurrence to the next.

        Raises:
            DecodeError: ``decode_failed``; it is longer than a `timedelta` holds.
        """
        return duration(self.text)

    def occurrences(self, start: datetime, count: int) -> Iterator[datetime]:
        """The first ``count`` moments, ``start`` being the first.

        Raises:
            DecodeError: ``decode_failed``, when one is reached that lies outside the years 1 to 9999.
            EncodeError: ``start`` is no `datetime`, or ``count`` is not 0 or more.
        """
        moment_of(start, "start")
        if type(count) is not int or count < 0:
            raise EncodeError(f"must be a whole number, 0 or more, not {shown(count)}", "count")
        period = self.period
        return (moved(start, period, self.text, times) for times in range(count))

    def next(self, after: datetime, start: datetime) -> datetime:
        """The first moment later than ``after``, which may be ``start`` itself.

        Raises:
            DecodeError: ``decode_failed``; the moment lies outside the years 1 to 9999.
            EncodeError: an argument is no `datetime`, or only one of them has an offset.
        """
        period = self.period
        done = passed(moment_of(start, "start"), moment_of(after, "after")) // period
        return moved(start, period, self.text, max(0, done + 1))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment, by Unix seconds (``=1706889600``) or by date and time (``@2024-02-03T15:00+08``).

    Without an offset it is a naive moment, by the clock of whoever computes with it.

    Attributes:
        text: the wire text after ``~``.

    Raises:
        EncodeError: the text is no instant.
    """

    text: str

    def __post_init__(self) -> None:
        _check(self.text, ("=", "@"), "an instant, such as =1706889600 or @2024-02-03T15:00+08")

    @classmethod
    def of(cls, moment: datetime) -> Self:
        """Instant as a person reads it: ``@2024-02-03T15:00+08``, UTC as ``Z``, a naive one without an offset.

        Raises:
            EncodeError: it is no `datetime`, or its offset has seconds.
        """
        offset = moment_of(moment, "time").utcoffset()
        if offset is not None and offset % timedelta(minutes=1):
            raise EncodeError(f"an offset is whole minutes, not {offset}", "time")
        clock = moment.replace(tzinfo=None).isoformat(timespec="microseconds")
        length = 26 if moment.microsecond else 19 if moment.second else 16
        return cls(f"@{clock[:length].rstrip('0') if length == 26 else clock[:length]}{offset_text(offset)}")

    @classmethod
    def of_unix(cls, seconds: int) -> Self:
        """Instant by seconds since 1970-01-01T00:00Z: ``=1706889600``.

        Raises:
            EncodeError: it is no whole number of at most `MAX_DIGITS` digits.
        """
        if type(seconds) is not int or abs(seconds) >= 10**MAX_DIGITS:
            raise EncodeError(f"must be a whole number of at most {MAX_DIGITS} digits", "time")
        return cls(f"={seconds}")

    @property
    def moment(self) -> datetime:
        """The moment: with its offset, in UTC for Unix seconds, or naive; cut to microseconds.

        Raises:
            DecodeError: ``decode_failed``; Unix seconds outside the years 1 to 9999.
        """
        unix = unix_of(self.text)
        if unix is not None:
            try:
                return _EPOCH + timedelta(seconds=unix[0], microseconds=unix[1])
            except OverflowError:
                hint = "; are they milliseconds?" if 0 < unix[0] < 10**14 else ""
                raise too_far(self.text, f"these Unix seconds lie outside the years 1 to 9999{hint}") from None
        found = calendar_of(self.text)
        assert found is not None  # noqa: S101  # the constructor has read it
        return found

    def at(self, now: datetime) -> datetime:
        """The moment, in the time zone of ``now`` where it has none of its own.

        Raises:
            DecodeError: as `moment`.
            EncodeError: ``now`` is no `datetime`.
        """
        zone, moment = moment_of(now, "now").tzinfo, self.moment
        return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment

    def __str__(self) -> str:
        return self.text


Time: TypeAlias = Delay | Interval | Instant
"""A time of any kind."""


# --- reading ---------------------------------------------------------------------------------------------


def parse(text: str) -> Time:
    """Time of the text after ``~``.

    Raises:
        DecodeError: ``invalid_syntax``, with the span of the piece at fault.
    """
    if not is_time(text):
        raise no_time(text)
    return _KINDS[text[0]](text)


def is_time(text: Any) -> bool:
    """Whether `parse` reads this."""
    return type(text) is str and fits(text)


_KINDS: Final[dict[str, type[Time]]] = {"+": Delay, "-": Delay, "*": Interval, "=": Instant, "@": Instant}


def _check(text: Any, signs: tuple[str, ...], noun: str) -> None:
    if not is_time(text) or text[0] not in signs:
        raise EncodeError(f"must be {noun}, not {text!r:.60}", "time")


# --- SILP ------------------------------------------------------------------------------------------------


def to_silp(text: str) -> str | None:
    """SILP's time reference for a time, ``t+2h`` for ``+2h``; None where SILP cannot say it.

    Both can say a delay in one unit. SILP's ``t+1`` and ``t+1am`` state no unit that Agent Lingua has.
    """
    return f"t{text}" if _one_unit(text) else None


def from_silp(reference: str) -> str | None:
    """Time for a time reference of SILP, ``-22w`` for ``t-22w``; None where Agent Lingua cannot say it."""
    found = _silp_delay(reference)
    return found[1] if found else None
