r"""The grammar of a time of Agent Lingua, and what is wrong with a text that is none (seed, "Time Encoding").

    time     = delay / interval / instant
    delay    = ( "+" / "-" ) amount              ; after, before
    interval = "*" amount                        ; every; not nothing
    instant  = "=" unix / ( "=" / "@" ) iso
    amount   = 1*( digits unit )                 ; units w d h m s, largest first, each at most once
    unix     = [ "-" ] digits [ "." fraction ]   ; seconds since 1970-01-01T00:00Z
    iso      = date [ "T" hh ":" mm [ ":" ss [ "." fraction ] ] [ "Z" / ( "+" / "-" ) hh [ [ ":" ] mm ] ]
    date     = 4DIGIT "-" 2DIGIT "-" 2DIGIT      ; alone, it is midnight

A text fits the grammar however far away its time is; whether one can compute with it is another matter.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, Final

from sabir.errors import DecodeError, Span

MAX_DIGITS: Final = 20
"""Most digits of one number of an amount, and of Unix seconds."""
MAX_FRACTION: Final = 9
"""Most digits after the point of a second; beyond the sixth they are kept and not computed with."""
UNITS: Final = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
"""Seconds of each unit, largest first."""

_AMOUNT: Final = "(?=[0-9])" + "".join(rf"(?:([0-9]{{1,{MAX_DIGITS}}}){unit})?+" for unit in UNITS)
_OFFSET: Final = r"(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?+)?+"

_amount = re.compile(_AMOUNT).fullmatch
_unix = re.compile(rf"=(-?)([0-9]{{1,{MAX_DIGITS}}})(?:\.([0-9]{{1,{MAX_FRACTION}}}))?+").fullmatch
_iso = re.compile(
    r"[=@]([0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}"
    rf"(?:\.[0-9]{{1,{MAX_FRACTION}}})?+)?+{_OFFSET})?+)"
).fullmatch
_parts = re.compile(
    r"([0-9-]{10})(?:T([0-9:]{5,8})(?:\.([0-9]+))?+(?:(Z)|([+-])([0-9]{2}):?([0-9]{2})?+)?+)?+"
).fullmatch

# Most times, for a look at each message; only the calendar can tell of the others.
_plain = re.compile(
    rf"(?:[+-]|\*(?=[0-9wdhm]*[1-9])){_AMOUNT}|=-?[0-9]{{1,{MAX_DIGITS}}}"
    r"|[=@](?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    rf"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?+{_OFFSET})?+"
).fullmatch


def fits(text: str) -> bool:
    """Whether a text is a time."""
    return _plain(text) is not None or unix_of(text) is not None or calendar_of(text) is not None


def seconds_of(text: str) -> int:
    """Seconds of a delay or an interval, without its sign."""
    found = _amount(text, 1)
    assert found is not None  # noqa: S101  # it fits
    return sum(int(number) * size for number, size in zip(found.groups(), UNITS.values(), strict=True) if number)


def unix_of(text: str) -> tuple[int, int] | None:
    """Seconds and microseconds, both with the sign, of an instant by Unix seconds; None for any other text."""
    found = _unix(text)
    if found is None:
        return None
    sign = -1 if found[1] else 1
    return sign * int(found[2]), sign * _micro(found[3])


def calendar_of(text: str) -> datetime | None:
    """Moment of an instant by date and time, naive without an offset; None for any other text."""
    found = _iso(text)
    if found is None:
        return None
    parts = _parts(found[1])
    assert parts is not None  # noqa: S101  # the looser of two patterns
    day, clock, fraction, utc, sign, hours, minutes = parts.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock or '00:00'}")
    except ValueError:  # the calendar has no such day, or the clock no such hour
        return None
    zone = UTC if utc else None
    if sign:
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        zone = timezone(-offset if sign == "-" else offset)
    return moment.replace(microsecond=_micro(fraction), tzinfo=zone)


def _micro(fraction: str | None) -> int:
    return int(fraction[:6].ljust(6, "0")) if fraction else 0


# --- what is wrong ---------------------------------------------------------------------------------------

_piece = re.compile(r"([0-9]*+)(.?)", re.DOTALL).match
_a_date = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").match
_clock = re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?+").match
_fraction = re.compile(r"\.[0-9]*+").match
_number = re.compile(r"-?([0-9]++)(\.[0-9]*+)?+").fullmatch

Fault = tuple[str, Span]


def no_time(text: Any) -> DecodeError:
    """What to say of a text that is no time."""
    if type(text) is not str:
        return DecodeError(f"a time is text (str), not {type(text).__name__}")
    find = _no_amount if text[:1] in ("+", "-", "*") else _no_instant if text[:1] in ("=", "@") else _no_head
    reason, span = find(text)
    return DecodeError(reason, text, span)


def _no_head(text: str) -> Fault:
    reason = "a time starts with + (after), - (before), * (every), = or @ (at), such as +30m, *4h, =1706889600"
    return reason, (0, min(1, len(text)))


def _no_amount(text: str) -> Fault:
    """The first piece of an amount that cannot stand where it does."""
    units, pos = "".join(UNITS), 1
    while pos < len(text):
        found = _piece(text, pos)
        assert found  # noqa: S101  # the pattern matches the empty string
        digits, unit = found.groups()
        if not digits:
            return "a number stands here, such as the 30 of +30m", (pos, pos + 1)
        if len(digits) > MAX_DIGITS:
            return f"a number of more than {MAX_DIGITS} digits", found.span(1)
        if unit not in UNITS:
            return "a number is followed by its unit: w, d, h, m or s", found.span()
        if unit not in units:
            return "units stand largest first, each at most once: w d h m s", found.span()
        units, pos = units[units.index(unit) + 1 :], found.end()
    if pos == 1:
        return f"a number and a unit follow the {text}, such as {text}30m", (0, 1)
    return "an interval is longer than nothing", (1, pos)


def _no_instant(text: str) -> Fault:
    number = _number(text, 1)
    if number is not None:
        return _no_unix(text, number)
    day = _a_date(text, 1)
    if day is None:
        end = text.find("T", 1)
        after = "Unix seconds or a date" if text[0] == "=" else "a date"
        return f"{after} follows the {text[0]}, such as {text[0]}2024-02-03", (1, len(text) if end < 0 else end)
    if not _reads(date, day[0]):
        return "the calendar has no such day in the years 1 to 9999", day.span()
    pos = day.end()
    if text[pos] != "T":
        return "a T stands between date and time, as in 2024-02-03T15:00", (pos, pos + 1)
    return _no_clock(text, pos + 1)


def _no_unix(text: str, number: re.Match[str]) -> Fault:
    if text[0] == "@":
        return f"Unix seconds stand after =, as in =1706889600; after {text[0]} stands a date", (0, 1)
    if len(number[1]) > MAX_DIGITS:
        return f"a number of more than {MAX_DIGITS} digits", number.span(1)
    return f"a fraction of a second has 1 to {MAX_FRACTION} digits", number.span(2)


def _no_clock(text: str, pos: int) -> Fault:
    clock = _clock(text, pos)
    if clock is None:
        return "a time of day is hours and minutes, as in T15:00, with or without seconds", (pos, len(text))
    if not _reads(time, clock[0]):
        return "hours run from 00 to 23, minutes and seconds from 00 to 59", clock.span()
    pos = clock.end()
    fraction = _fraction(text, pos)
    if fraction is not None and clock[0].count(":") == 2:
        if not 1 < len(fraction[0]) <= MAX_FRACTION + 1:
            return f"a fraction of a second has 1 to {MAX_FRACTION} digits", fraction.span()
        pos = fraction.end()
    return "an offset from UTC is Z, +08, +08:00 or +0800, of less than a day", (pos, len(text))


def _reads(kind: type[date | time], text: str) -> bool:
    try:
        kind.fromisoformat(text)
    except ValueError:
        return False
    return True
