from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError
from sabir.lingua.times import Delay, Instant, Interval, Time, from_silp, is_time, parse, to_silp
from sabir.lingua.times_grammar import MAX_DIGITS, MAX_FRACTION, UNITS
from sabir.silp.words import is_time_ref

NOON = datetime(2024, 2, 3, 12, 0, tzinfo=UTC)
CHINA = timezone(timedelta(hours=8))
_any: Any = None


class Jumping(tzinfo):
    """A zone whose clock jumps from 02:00 to 03:00 on 2024-03-31, as in Central Europe."""

    def utcoffset(self, moment: datetime | None) -> timedelta:
        """One hour, two in summer."""
        return timedelta(hours=1) + self.dst(moment)

    def dst(self, moment: datetime | None) -> timedelta:
        """An hour, once the zone's own clock has jumped."""
        summer = moment is not None and moment.replace(tzinfo=None) >= naive(2024, 3, 31, 3)
        return timedelta(hours=1 if summer else 0)

    def tzname(self, moment: datetime | None) -> str:
        """Name, by the season."""
        return "summer" if self.dst(moment) else "winter"

    def fromutc(self, moment: datetime) -> datetime:
        """Clock of the zone at 01:00 UTC and after: two hours ahead."""
        summer = moment.replace(tzinfo=None) >= naive(2024, 3, 31, 1)
        return moment + timedelta(hours=2 if summer else 1)


class Broken(tzinfo):
    """A zone that knows no offset, which Python takes for none."""

    def utcoffset(self, _: datetime | None) -> None:
        """None, as the class says."""
        return

    dst = utcoffset
    tzname = utcoffset


def naive(*parts: int) -> datetime:
    """A moment without an offset."""
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001  # that is the point


seconds = st.one_of(st.integers(0, 10**7), st.integers(0, 10**10), st.sampled_from([1, 59, 60, 604_799, 604_800]))
zones = st.one_of(st.none(), st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes))))
moments = st.datetimes(timezones=zones)
amounts = st.lists(
    st.tuples(st.sampled_from("wdhms"), st.integers(0, 10**6), st.sampled_from(["", "0"])), min_size=1, max_size=5
).map(
    lambda found: "".join(
        f"{zero}{number}{unit}"
        for unit in UNITS
        for known, number, zero in [*{u: (u, n, z) for u, n, z in found}.values()]
        if known == unit
    )
)
noise = st.one_of(
    st.text("+-*=@0129wdhmsTZ:. t|", max_size=14),
    st.from_regex(
        r"[=@][0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,10})?)?([+-][0-9]{1,4}|Z)?)?",
        fullmatch=True,
    ),
    st.text(max_size=6),
)


# --- reading ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("+30m", Delay),
        ("-2h", Delay),
        ("+1d15h", Delay),
        ("+1w2d3h4m5s", Delay),
        ("+007m", Delay),
        ("-0s", Delay),
        ("*4h", Interval),
        ("*1d0h", Interval),
        ("=1706889600", Instant),
        ("=-1.5", Instant),
        ("=2024", Instant),
        ("@2024-02-03T15:00+08", Instant),
        ("=2024-02-03T15:00:01.25Z", Instant),
        ("@2024-02-29", Instant),
        ("@2024-02-03T15:00-0530", Instant),
        ("@2024-02-03T15:00+05:45", Instant),
    ],
)
def test_a_time_is_read_by_its_sign_and_keeps_its_text(text: str, kind: type[Time]) -> None:
    """Every form of the document and of ISO 8601 is read, and written again to the letter."""
    time = parse(text)
    assert type(time) is kind
    assert (time.text, str(time)) == (text, text)
    assert is_time(text)
    assert time == kind(text)
    assert time != kind("+1s" if kind is Delay else "*1s" if kind is Interval else "=0")


@pytest.mark.parametrize(
    ("text", "reason", "span"),
    [
        ("", "a time starts with + (after)", (0, 0)),
        ("3pm", "a time starts with + (after)", (0, 1)),
        ("30m", "a time starts with + (after)", (0, 1)),
        ("t+1", "a time starts with + (after)", (0, 1)),
        ("+", "a number and a unit follow the +, such as +30m", (0, 1)),
        ("*", "a number and a unit follow the *, such as *30m", (0, 1)),
        ("+m", "a number stands here, such as the 30 of +30m", (1, 2)),
        ("+1dh", "a number stands here", (3, 4)),
        ("+1d15", "a number is followed by its unit: w, d, h, m or s", (3, 5)),
        ("+30M", "a number is followed by its unit", (1, 4)),
        ("+30\n", "a number is followed by its unit", (1, 4)),
        ("+3 0m", "a number is followed by its unit", (1, 3)),
        ("+1.5h", "a number is followed by its unit", (1, 3)),
        ("+15h1d", "units stand largest first, each at most once: w d h m s", (4, 6)),
        ("+1h1h", "units stand largest first", (3, 5)),
        ("+٣h", "a number stands here", (1, 2)),
        (f"+1d{'9' * (MAX_DIGITS + 1)}h", f"a number of more than {MAX_DIGITS} digits", (3, 4 + MAX_DIGITS)),
        ("*0h0s", "an interval is longer than nothing", (1, 5)),
        ("=", "Unix seconds or a date follows the =, such as =2024-02-03", (1, 1)),
        ("=soon", "Unix seconds or a date follows the =", (1, 5)),
        ("@20240203T1500", "a date follows the @, such as @2024-02-03", (1, 9)),
        ("@10000-01-01", "a date follows the @", (1, 12)),
        ("@1706889600", "Unix seconds stand after =", (0, 1)),
        (f"=-{'9' * 21}", f"a number of more than {MAX_DIGITS} digits", (2, 23)),
        ("=1.", f"a fraction of a second has 1 to {MAX_FRACTION} digits", (2, 3)),
        ("=1.1234567890", "a fraction of a second has 1 to 9 digits", (2, 13)),
        ("@2023-02-29", "the calendar has no such day in the years 1 to 9999", (1, 11)),
        ("@0000-01-01", "the calendar has no such day", (1, 11)),
        ("@2024-02-03 15:00", "a T stands between date and time", (11, 12)),
        ("@2024-02-03Z", "a T stands between date and time", (11, 12)),
        ("@2024-02-03T", "a time of day is hours and minutes", (12, 12)),
        ("@2024-02-03T15", "a time of day is hours and minutes", (12, 14)),
        ("@2024-02-03T24:00", "hours run from 00 to 23, minutes and seconds from 00 to 59", (12, 17)),
        ("@2024-02-03T23:59:60Z", "hours run from 00 to 23", (12, 20)),
        ("@2024-02-03T15:00:00.Z", "a fraction of a second has 1 to 9 digits", (20, 21)),
        ("@2024-02-03T15:00:00.1234567890Z", "a fraction of a second has 1 to 9 digits", (20, 31)),
        ("@2024-02-03T15:00.5Z", "an offset from UTC is Z, +08, +08:00 or +0800", (17, 20)),
        ("@2024-02-03T15:00+8", "an offset from UTC is", (17, 19)),
        ("@2024-02-03T15:00+24", "an offset from UTC is", (17, 20)),
        ("@2024-02-03T15:00:00.5+08:60", "an offset from UTC is", (22, 28)),
        ("@2024-02-03T15:00Z\n", "an offset from UTC is", (17, 19)),
    ],
)
def test_what_is_no_time_is_refused_by_name_and_place(text: str, reason: str, span: tuple[int, int]) -> None:
    """Each refusal says what is wrong, where, and what would be right."""
    assert not is_time(text)
    with pytest.raises(DecodeError) as caught:
        parse(text)
    error = caught.value
    assert error.reason.startswith(reason)
    assert (error.span, error.text, error.code) == (span, text, "invalid_syntax")


def test_what_is_no_text_is_no_time() -> None:
    """A number or nothing is refused, not computed with."""
    for value in (None, 30, b"+30m", timedelta(1)):
        odd: Any = value
        assert not is_time(odd)
        with pytest.raises(DecodeError, match="a time is text"):
            parse(odd)


@given(
    st.sampled_from(["0000", "0001", "1900", "2000", "2023", "2024", "9999"]),
    *[st.integers(0, most) for most in (13, 32, 25, 61)],
)
def test_the_calendar_decides_of_days_and_hours(year: str, month: int, day: int, hour: int, minute: int) -> None:
    """What Python's calendar refuses is refused, and nothing else."""
    text = f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        assert not is_time(f"@{text}")
    else:
        assert Instant(f"@{text}").moment == moment


@given(noise)
def test_quick_test_and_reader_agree_and_nothing_else_is_raised(text: str) -> None:
    """A text is a time if and only if it is read; the span of the error lies in the text."""
    try:
        time = parse(text)
    except DecodeError as error:
        assert not is_time(text)
        assert 0 <= error.span[0] <= error.span[1] <= len(text)
        assert str(error)
    else:
        assert is_time(text)
        assert time.text == text


@pytest.mark.parametrize("text", ["9" * 10**6, "1s" * 10**6, "+" + "9" * 10**6, "=" + "1" * 10**6, "@" + "-" * 10**6])
def test_long_texts_are_refused_at_once(text: str) -> None:
    """A million characters cost one look."""
    with pytest.raises(DecodeError):
        parse(text)


# --- delays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("delta", "text"),
    [
        (timedelta(days=1, hours=15), "+1d15h"),
        (timedelta(minutes=30), "+30m"),
        (timedelta(hours=-2), "-2h"),
        (timedelta(hours=24), "+1d"),
        (timedelta(days=15, seconds=61), "+2w1d1m1s"),
        (timedelta(), "+0s"),
        (timedelta(days=999_999_999, seconds=86_399), "+142857142w5d23h59m59s"),
        (timedelta.min, "-142857142w5d"),
    ],
)
def test_a_duration_has_one_canonical_text(delta: timedelta, text: str) -> None:
    """Units are as large as they can be, largest first."""
    assert Delay.of(delta).text == text
    assert Delay.of(delta).delta == delta


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("+1d15h", datetime(2024, 2, 5, 3, 0, tzinfo=UTC)),
        ("-2h", datetime(2024, 2, 3, 10, 0, tzinfo=UTC)),
        ("+4w", datetime(2024, 3, 2, 12, 0, tzinfo=UTC)),
        ("+90m0s", datetime(2024, 2, 3, 13, 30, tzinfo=UTC)),
        ("-0s", NOON),
    ],
)
def test_a_delay_counts_from_now(text: str, then: datetime) -> None:
    """After and before a moment, in its own zone."""
    assert Delay(text).at(NOON) == then
    there = Delay(text).at(NOON.astimezone(CHINA))
    assert there == then
    assert there.utcoffset() == timedelta(hours=8)
    assert Delay(text).at(NOON.replace(tzinfo=None)) == then.replace(tzinfo=None)


def test_a_delay_is_time_that_elapses() -> None:
    """Over the jump of a clock, an hour is an hour and a day 24."""
    before = datetime(2024, 3, 31, 1, 30, tzinfo=Jumping())
    after = Delay("+1h").at(before)
    assert after.replace(tzinfo=None) == naive(2024, 3, 31, 3, 30)
    assert after.astimezone(UTC) - before.astimezone(UTC) == timedelta(hours=1)
    assert Delay("+1d").at(before).replace(tzinfo=None) == naive(2024, 4, 1, 2, 30)


@given(seconds, st.booleans())
def test_durations_survive_the_text(count: int, before: bool) -> None:  # noqa: FBT001  # drawn
    """Of a duration, through the text, the same duration."""
    delta = timedelta(seconds=-count if before else count)
    delay = parse(Delay.of(delta).text)
    assert isinstance(delay, Delay)
    assert delay.delta == delta
    assert Delay.of(delay.delta) == delay


@given(amounts)
def test_an_amount_is_the_sum_of_its_units(text: str) -> None:
    """As added up by hand, leading zeros or none."""
    digits, total = "", timedelta()
    for char in text:
        if char.isdigit():
            digits += char
        else:
            total += timedelta(seconds=int(digits) * {"w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1}[char])
            digits = ""
    assert Delay(f"+{text}").delta == total
    assert Delay(f"-{text}").delta == -total
    if total:
        assert Interval(f"*{text}").period == total


# --- intervals -------------------------------------------------------------------------------------------


def test_an_interval_comes_again() -> None:
    """The start is the first occurrence; the next is later than a moment, never that moment."""
    every = Interval("*4h")
    assert every == Interval.of(timedelta(hours=4))
    assert list(every.occurrences(NOON, 3)) == [NOON, NOON + timedelta(hours=4), NOON + timedelta(hours=8)]
    assert list(every.occurrences(NOON, 0)) == []
    for passed, wanted in ((-500, 0), (-1, 0), (0, 240), (1, 240), (239, 240), (240, 480), (600, 720)):
        after = NOON + timedelta(minutes=passed)
        assert every.next(after, NOON) == NOON + timedelta(minutes=wanted)
        assert every.next(after.replace(tzinfo=None), NOON.replace(tzinfo=None)) == (
            NOON.replace(tzinfo=None) + timedelta(minutes=wanted)
        )


def test_the_next_occurrence_minds_zones() -> None:
    """Elapsed time counts, whichever clocks tell it."""
    start = datetime(2024, 3, 31, 1, 30, tzinfo=Jumping())
    assert list(Interval("*1h").occurrences(start, 2))[1].replace(tzinfo=None) == naive(2024, 3, 31, 3, 30)
    found = Interval("*1h").next(start.astimezone(UTC) + timedelta(minutes=59), start)
    assert found.astimezone(UTC) - start.astimezone(UTC) == timedelta(hours=1)
    extremes = datetime.min.replace(tzinfo=CHINA), datetime.max.replace(tzinfo=timezone(-timedelta(hours=8)))
    assert Interval("*1s").next(extremes[0], extremes[1]) == extremes[1]


@given(st.integers(1, 10**6), st.integers(-(10**9), 10**9))
def test_the_next_occurrence_is_the_first_that_is_later(period: int, passed: int) -> None:
    """It is of the series and later; the one before is not, or there is none."""
    every, after = Interval.of(timedelta(seconds=period)), NOON + timedelta(seconds=passed)
    found = every.next(after, NOON)
    steps, rest = divmod(found - NOON, every.period)
    assert not rest
    assert steps >= 0
    assert found > after
    assert steps == 0 or found - every.period <= after


# --- instants --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("=1706889600", datetime(2024, 2, 2, 16, 0, tzinfo=UTC)),
        ("=0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("=-1.5", datetime(1969, 12, 31, 23, 59, 58, 500_000, tzinfo=UTC)),
        ("=1.123456789", datetime(1970, 1, 1, 0, 0, 1, 123_456, tzinfo=UTC)),
        ("@2024-02-03T15:00+08", datetime(2024, 2, 3, 15, 0, tzinfo=CHINA)),
        ("@2024-02-03T15:00Z", datetime(2024, 2, 3, 15, 0, tzinfo=UTC)),
        ("=2024-02-03T15:00-0530", datetime(2024, 2, 3, 15, 0, tzinfo=timezone(-timedelta(hours=5, minutes=30)))),
        ("@2024-02-03T15:00:07.5", naive(2024, 2, 3, 15, 0, 7, 500_000)),
        ("@2024-02-03", naive(2024, 2, 3)),
    ],
)
def test_an_instant_is_a_moment(text: str, moment: datetime) -> None:
    """By Unix seconds or by the calendar, with the offset that is written."""
    found = Instant(text).moment
    assert found == moment
    assert found.utcoffset() == moment.utcoffset()
    assert Instant(text).at(NOON.astimezone(CHINA)) == (moment if moment.tzinfo else moment.replace(tzinfo=CHINA))
    assert Instant(text).at(naive(2000, 1, 1)) == moment


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2024, 2, 3, 15, 0, tzinfo=CHINA), "@2024-02-03T15:00+08"),
        (datetime(2024, 2, 3, 15, 0, 30, tzinfo=UTC), "@2024-02-03T15:00:30Z"),
        (
            datetime(2024, 2, 3, 15, 0, 0, 250_000, tzinfo=timezone(-timedelta(minutes=90))),
            "@2024-02-03T15:00:00.25-01:30",
        ),
        (naive(987, 2, 3), "@0987-02-03T00:00"),
        (datetime(2024, 2, 3, tzinfo=Broken()), "@2024-02-03T00:00"),
    ],
)
def test_a_moment_has_one_canonical_text(moment: datetime, text: str) -> None:
    """Seconds, fractions and minutes of the offset only where there are any."""
    assert Instant.of(moment).text == text


@given(moments)
def test_moments_survive_the_text(moment: datetime) -> None:
    """Of a moment, through the text, the same moment with the same offset."""
    instant = parse(Instant.of(moment).text)
    assert isinstance(instant, Instant)
    assert instant.moment == moment
    assert instant.moment.utcoffset() == moment.utcoffset()
    assert Instant.of(instant.moment) == instant


@given(st.integers(-62_135_596_800, 253_402_300_799))
def test_unix_seconds_of_the_years_1_to_9999_are_moments(count: int) -> None:
    """The moment so many seconds after 1970, and not one second further."""
    assert Instant.of_unix(count).moment == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=count)
    assert Instant.of_unix(253_402_300_799).moment == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert Instant.of_unix(-62_135_596_800).moment == datetime(1, 1, 1, tzinfo=UTC)


# --- too far ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("compute", "text", "reason"),
    [
        (lambda: Delay("+99999999999999999999w").delta, "+99999999999999999999w", "longer than can be computed with"),
        (
            lambda: Delay("-99999999999999999999w").at(NOON),
            "-99999999999999999999w",
            "longer than can be computed with",
        ),
        (lambda: Delay("-142857142w6d1s").delta, "-142857142w6d1s", "longer than can be computed with"),
        (
            lambda: Interval("*99999999999999999999s").period,
            "*99999999999999999999s",
            "longer than can be computed with",
        ),
        (lambda: Delay("+8000000d").at(NOON), "+8000000d", "leads from 2024-02-03 12:00:00+00:00 to outside the years"),
        (lambda: Delay("-2025w").at(naive(1, 2, 3)), "-2025w", "leads from 0001-02-03 00:00:00 to outside the years"),
        (lambda: Delay("+1s").at(datetime.max.replace(tzinfo=CHINA)), "+1s", "leads from 9999-12-31"),
        (lambda: Interval("*1d").next(naive(9999, 12, 31), naive(9999, 12, 30)), "*1d", "leads from 9999-12-30"),
        (lambda: list(Interval("*400000w").occurrences(NOON, 5)), "*400000w", "leads from 2024-02-03"),
        (lambda: list(Interval("*140000000w").occurrences(NOON, 9)), "*140000000w", "leads from 2024-02-03"),
        (
            lambda: Instant("=1706889600000").moment,
            "=1706889600000",
            "these Unix seconds lie outside the years 1 to 9999; are they milliseconds?",
        ),
        (
            lambda: Instant("=-99999999999999999999").at(NOON),
            "=-99999999999999999999",
            "these Unix seconds lie outside",
        ),
        (lambda: Instant("=253402300800").moment, "=253402300800", "these Unix seconds lie outside"),
    ],
)
def test_what_is_too_far_is_an_error_when_it_is_computed(compute: Any, text: str, reason: str) -> None:
    """Such a time can be read and sent on; computing with it is a clear error, never Python's own."""
    assert is_time(text)
    with pytest.raises(DecodeError) as caught:
        compute()
    assert caught.value.reason.startswith(reason)
    assert (caught.value.text, caught.value.code) == (text, "decode_failed")


@given(
    st.one_of(amounts, st.integers(0, 10**MAX_DIGITS - 1).map(lambda count: f"{count}h")),
    st.sampled_from("+-*="),
    st.one_of(moments, st.sampled_from([naive(1, 1, 1), naive(9999, 12, 31, 23, 59, 59)])),
)
def test_computing_raises_nothing_of_pythons_own(amount: str, sign: str, moment: datetime) -> None:
    """Whatever the number and the moment, the result is a moment or a `DecodeError`."""
    text = f"={amount.rstrip('wdhms')}" if sign == "=" else sign + amount
    if not is_time(text):
        return
    time = parse(text)
    try:
        if isinstance(time, Interval):
            assert time.next(moment, moment) > moment
        else:
            assert isinstance(time.at(moment), datetime)
    except DecodeError as error:
        assert error.code == "decode_failed"


# --- making ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "path", "reason"),
    [
        (lambda: Delay("*4h"), "time", "must be a delay"),
        (lambda: Delay("+4h\n"), "time", "must be a delay"),
        (lambda: Interval("+4h"), "time", "must be an interval"),
        (lambda: Interval("*0s"), "time", "must be an interval"),
        (lambda: Interval(""), "time", "must be an interval"),
        (lambda: Instant("+4h"), "time", "must be an instant"),
        (lambda: Instant("@2024-02-30"), "time", "must be an instant"),
        (lambda: Instant(_any), "time", "must be an instant"),
        (lambda: Delay.of(timedelta(seconds=1.5)), "time", "must be whole seconds, not 0:00:01.5"),
        (lambda: Delay.of(timedelta.max), "time", "must be whole seconds"),
        (lambda: Delay.of(_any), "time", "must be a timedelta, not NoneType"),
        (lambda: Interval.of(timedelta()), "time", "an interval is longer than nothing"),
        (lambda: Interval.of(-timedelta(1)), "time", "an interval is longer than nothing"),
        (lambda: Instant.of(_any), "time", "must be a datetime, not NoneType"),
        (
            lambda: Instant.of(datetime(2024, 1, 1, tzinfo=timezone(timedelta(seconds=3208)))),
            "time",
            "an offset is whole minutes",
        ),
        (lambda: Instant.of_unix(10**20), "time", "must be a whole number of at most 20 digits"),
        (lambda: Instant.of_unix(True), "time", "must be a whole number"),
        (lambda: Delay("+1h").at(_any), "now", "must be a datetime, not NoneType"),
        (lambda: Instant("=1").at(_any), "now", "must be a datetime"),
        (lambda: Interval("*1h").occurrences(_any, 1), "start", "must be a datetime"),
        (lambda: Interval("*1h").occurrences(NOON, -1), "count", "must be a whole number, 0 or more, not -1"),
        (lambda: Interval("*1h").occurrences(NOON, _any), "count", "must be a whole number"),
        (lambda: Interval("*1h").next(_any, NOON), "after", "must be a datetime"),
        (lambda: Interval("*1h").next(NOON, _any), "start", "must be a datetime"),
        (lambda: Interval("*1h").next(NOON, naive(2024, 1, 1)), "after", "after and start must both have an offset"),
        (lambda: Interval("*1h").next(naive(2024, 1, 1), NOON), "after", "after and start must both have an offset"),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(make: Any, path: str, reason: str) -> None:
    """A wrong argument is an `EncodeError` with its name."""
    with pytest.raises(EncodeError) as caught:
        make()
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


# --- SILP ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reference"), [("+2h", "t+2h"), ("-22w", "t-22w"), ("+05m", "t+05m"), ("-0s", "t-0s")]
)
def test_a_delay_in_one_unit_is_a_time_reference_of_silp(text: str, reference: str) -> None:
    """Both say the same number of the same unit."""
    assert is_time_ref(reference)
    assert to_silp(text) == reference
    assert from_silp(reference) == text


@pytest.mark.parametrize("text", ["+1d15h", "*4h", "=1706889600", "@2024-02-03T15:00+08", "3pm", "", "+2h\n"])
def test_what_silp_cannot_say_is_none(text: str) -> None:
    """A time reference of SILP has one unit, and no instants or intervals."""
    assert to_silp(text) is None


@pytest.mark.parametrize(
    "reference", ["t+1", "t+5", "t+1am", "t+1pm", "t-22", "now", "", "t+2h\n", "t+٣h", f"t+{'9' * 21}h"]
)
def test_what_agent_lingua_cannot_say_is_none(reference: str) -> None:
    """A number without a unit, and half days, have no counterpart."""
    assert from_silp(reference) is None


@given(st.one_of(noise, st.from_regex(r"t?[+-][0-9]{1,3}([wdhms]|am|pm)?", fullmatch=True)))
def test_the_two_conversions_are_exact_inverses(text: str) -> None:
    """What one gives, the other takes back, and it is a time or a time reference."""
    reference, time = to_silp(text), from_silp(text)
    if reference is not None:
        assert is_time(text)
        assert is_time_ref(reference)
        assert from_silp(reference) == text
    if time is not None:
        assert is_time_ref(text)
        assert is_time(time)
        assert to_silp(time) == text
