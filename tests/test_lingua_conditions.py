from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError
from sabir.lingua.conditions import (
    FIELDS,
    SILP_OPERATORS,
    Comparison,
    Partition,
    from_constraint,
    is_condition,
    meets,
    parse,
    to_constraint,
)
from sabir.lingua.conditions_diagnosis import MAX_PART_DIGITS

_any: Any = None
POST = {"id": "post-123", "karma": 100, "followers": 7, "text": "Hello, wide world", "quantity": 2.5, "status": "open"}

words = st.one_of(
    st.sampled_from(["100", "-3", "2.5", "+1", "done", "a;b", ";", "%", "1/3", "=", "!=", "é北", "\u200b", "P1/3"]),
    st.text("aZ09.;~=!<>%/@#$^", min_size=1, max_size=6).filter(lambda text: ";;" not in text),
)
comparisons = st.builds(Comparison, st.sampled_from("KFTNS"), st.sampled_from("><=!~"), words)
partitions = st.integers(1, 10**MAX_PART_DIGITS - 1).flatmap(
    lambda parts: st.builds(Partition, st.integers(1, parts), st.just(parts))
)
conditions = st.one_of(comparisons, partitions)
noise = st.one_of(
    st.text("KFTNSPX><=!~019/.;| ", max_size=7),
    st.from_regex(r"P[0-9]{0,3}/[0-9]{0,3}", fullmatch=True),
    st.text(max_size=5),
)


# --- reading ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("K>100", Comparison("K", ">", "100")),
        ("F<5", Comparison("F", "<", "5")),
        ("N=-2.50", Comparison("N", "=", "-2.50")),
        ("T~hello", Comparison("T", "~", "hello")),
        ("S!done", Comparison("S", "!", "done")),
        ("S==", Comparison("S", "=", "=")),
        ("T~~", Comparison("T", "~", "~")),
        ("T=a;b", Comparison("T", "=", "a;b")),
        ("K>many", Comparison("K", ">", "many")),
        ("P1/3", Partition(1, 3)),
        ("P3/3", Partition(3, 3)),
        (f"P1/{'9' * MAX_PART_DIGITS}", Partition(1, 10**MAX_PART_DIGITS - 1)),
    ],
)
def test_a_condition_is_read_and_written_to_the_letter(text: str, condition: Comparison | Partition) -> None:
    """A type letter, an operator and a value; or which part of how many."""
    assert is_condition(text)
    assert parse(text) == condition
    assert (condition.text, str(condition)) == (text, text)


@pytest.mark.parametrize(
    ("text", "reason", "span"),
    [
        ("", "a condition starts with its type, one of K F T N S or P", (0, 0)),
        ("X>1", "a condition starts with its type", (0, 1)),
        ("karma>1", "a condition starts with its type", (0, 1)),
        ("K", "an operator follows K, one of > < = ! ~, as in K=1", (1, 1)),
        ("K100", "an operator follows K", (1, 2)),
        ("K≥100", "an operator follows K", (1, 2)),
        ("K>", "a value may not be empty or hold |, ;;, white space or controls", (2, 2)),
        ("T=a b", "a value may not be empty", (3, 4)),
        ("T=a\n", "a value may not be empty", (3, 4)),
        ("T=a|b", "a value may not be empty", (3, 4)),
        ("T=a;;b", "a value may not be empty", (3, 5)),
        ("T=\x9f", "a value may not be empty", (2, 3)),
        ("T=\ud800", "a value may not be empty", (2, 3)),
        ("P", "a partition is which part of how many, such as P1/3", (1, 1)),
        ("P=1/3", "a partition is which part of how many", (1, 5)),
        ("P1/3/5", "a partition is which part of how many", (1, 6)),
        ("P٣/3", "a partition is which part of how many", (1, 4)),
        ("P0/3", "parts are counted from 1, without leading zeros", (1, 2)),
        ("P1/03", "parts are counted from 1, without leading zeros", (3, 5)),
        ("P4/3", "there is no part 4 of 3", (1, 4)),
        (
            f"P1/{'9' * (MAX_PART_DIGITS + 1)}",
            f"a number of more than {MAX_PART_DIGITS} digits",
            (3, 4 + MAX_PART_DIGITS),
        ),
    ],
)
def test_what_is_no_condition_is_refused_by_name_and_place(text: str, reason: str, span: tuple[int, int]) -> None:
    """Each refusal says what is wrong, where, and what would be right."""
    assert not is_condition(text)
    with pytest.raises(DecodeError) as caught:
        parse(text)
    error = caught.value
    assert error.reason.startswith(reason)
    assert (error.span, error.text, error.code) == (span, text, "invalid_syntax")


def test_what_is_no_text_is_no_condition() -> None:
    """Another type is refused by name."""
    assert not is_condition(_any)
    with pytest.raises(DecodeError, match="a condition is text"):
        parse(_any)


@given(noise)
def test_quick_test_and_reader_agree_and_nothing_else_is_raised(text: str) -> None:
    """A text is a condition if and only if it is read, and then it is written as it was."""
    try:
        found = parse(text)
    except DecodeError as error:
        assert not is_condition(text)
        assert 0 <= error.span[0] <= error.span[1] <= len(text)
    else:
        assert is_condition(text)
        assert found.text == text


@given(conditions)
def test_what_is_made_is_read_back(condition: Comparison | Partition) -> None:
    """Every condition that the constructors make survives its text."""
    assert parse(condition.text) == condition


@pytest.mark.parametrize("text", ["T=" + "a" * 10**6 + " ", "K>" + "9" * 10**6 + "|", "P" + "1" * 10**6, ";" * 10**6])
def test_long_texts_are_refused_in_one_pass(text: str) -> None:
    """A million characters are no trap."""
    with pytest.raises(DecodeError):
        parse(text)


# --- testing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "record", "holds"),
    [
        ("K>100", {"karma": 101}, True),
        ("K>100", {"karma": 100}, False),
        ("K<100", {"karma": 99.5}, True),
        ("K<100", {"karma": 100}, False),
        ("K=100", {"karma": 100.0}, True),
        ("K!100", {"karma": 100}, False),
        ("K!100", {"karma": -100}, True),
        ("N=0.1", {"quantity": 0.1}, True),
        ("N=0.3", {"quantity": Decimal("0.3")}, True),
        ("N=0.1000000000000000055511151231257827", {"quantity": 0.1}, False),
        ("N>0.30", {"quantity": 0.1 + 0.2}, True),
        ("N=9007199254740993", {"quantity": 9007199254740993}, True),
        ("N=9007199254740993", {"quantity": 9007199254740992}, False),
        ("N=9007199254740993", {"quantity": 9007199254740992.0}, False),
        (f"F>{'9' * 4000}", {"followers": 10**4000}, True),
        ("F=+007", {"followers": 7}, True),
        ("N=-0", {"quantity": 0}, True),
        ("T~wide", POST, True),
        ("T~Wide", POST, False),
        ("T=Hello,", POST, False),
        ("T=x", {"text": "x"}, True),
        ("T!x", {"text": "x"}, False),
        ("T!x", {"text": ""}, True),
        ("S=open", POST, True),
        ("S!open", POST, False),
        ("S~pe", POST, True),
        ("S=404", {"status": 404}, True),
        ("S~40", {"status": 404}, True),
        ("S=0404", {"status": 404}, False),
        ("S=1", {"status": 10**5000}, False),
    ],
)
def test_a_record_meets_a_condition_or_not(text: str, record: dict[str, Any], holds: bool) -> None:  # noqa: FBT001  # a column
    """Numbers compare exactly, texts to the letter."""
    assert parse(text).test(record) is holds


@given(st.integers(), st.integers(-3, 3), st.integers(0, 30))
def test_numbers_compare_as_whole_numbers_do(number: int, off: int, zeros: int) -> None:
    """However large they are, and with zeros after the point or none."""
    value = f"{number}.{'0' * zeros}" if zeros else str(number)
    record = {"karma": number + off}
    assert parse(f"K>{value}").test(record) is (off > 0)
    assert parse(f"K<{value}").test(record) is (off < 0)
    assert parse(f"K={value}").test(record) is (off == 0)
    assert parse(f"K!{value}").test(record) is (off != 0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_number_that_it_is_written_as(number: float) -> None:
    """So 0.1 in a record equals 0.1 in a condition."""
    assert Comparison.of("N", "=", number).test({"quantity": number})
    assert Comparison.of("N", "=", number).value == f"{Decimal(repr(number)):f}".removesuffix(".0").removeprefix(
        "-" if not number else ""
    )


@pytest.mark.parametrize(
    ("text", "span", "reason"),
    [
        ("K~100", (1, 2), "K compares numbers: its operators are > < = !"),
        ("T>a", (1, 2), "T compares texts: its operators are = ! ~"),
        ("S<a", (1, 2), "S compares texts"),
        ("K>many", (2, 6), "K compares with a number, such as 100, -3 or 2.5"),
        ("N>1e3", (2, 5), "N compares with a number"),
        ("F>1,000", (2, 7), "F compares with a number"),
        ("F>٣", (2, 3), "F compares with a number"),
        ("F>" + "9" * 4303, (2, 4305), "F compares with a number"),
    ],
)
def test_a_condition_without_sense_is_an_error_when_it_is_tested(text: str, span: tuple[int, int], reason: str) -> None:
    """Such a condition can be read and sent on; no record is tested by it."""
    assert is_condition(text)
    for record in (POST, {}):
        with pytest.raises(DecodeError) as caught:
            parse(text).test(record, missing=False)
        assert caught.value.reason.startswith(reason)
        assert (caught.value.text, caught.value.span, caught.value.code) == (text, span, "decode_failed")


@pytest.mark.parametrize(
    ("text", "record", "path", "reason"),
    [
        ("K>1", {"text": "x"}, "karma", "the record has no such field, which K looks at (there are: text)"),
        ("K>1", {}, "karma", "the record has no such field, which K looks at (there are: none)"),
        ("K>1", {"karma": None}, "karma", "the record has no such field"),
        ("P1/3", {"key": 1}, "id", "the record has no such field, which P looks at"),
        ("K>1", {"karma": "100"}, "karma", "must be a finite number, not '100'"),
        ("K>1", {"karma": True}, "karma", "must be a finite number, not True"),
        ("K>1", {"karma": float("nan")}, "karma", "must be a finite number"),
        ("K>1", {"karma": Decimal("sNaN")}, "karma", "must be a finite number"),
        ("K>1", {"karma": Decimal("-Infinity")}, "karma", "must be a finite number"),
        ("K>1", {"karma": 10**4300}, "karma", "integer of more than 4300 digits"),
        ("T~a", {"text": 5}, "text", "must be text, not int"),
        ("T~a", {"text": "\ud800"}, "text", "lone surrogate"),
        ("S=1", {"status": True}, "status", "must be text, not bool"),
        ("P1/3", {"id": 1.0}, "id", "must be text, not float"),
        ("P1/3", {"id": -1}, "id", "a place is counted from 0"),
        ("K>1", _any, "", "a record is a mapping, not NoneType"),
    ],
)
def test_a_record_that_cannot_be_tested_is_refused_by_field(text: str, record: Any, path: str, reason: str) -> None:
    """A misspelt field or a wrong type is no quiet False."""
    with pytest.raises(EncodeError) as caught:
        parse(text).test(record)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("text", ["K>1", "T!x", "P1/3"])
@pytest.mark.parametrize("record", [{}, {"karma": None, "text": None, "id": None}])
def test_a_missing_field_may_be_given_an_answer(text: str, record: dict[str, Any]) -> None:
    """As the caller says, for absent fields and for null."""
    assert parse(text).test(record, missing=True) is True
    assert parse(text).test(record, missing=False) is False


def test_fields_may_have_other_names() -> None:
    """Those that are not named keep theirs."""
    assert parse("K>5").test({"score": 6}, {"K": "score"})
    assert parse("S=open").test({"status": "open"}, {"K": "score"})
    assert parse("P1/1").test({"key": "x"}, {"P": "key"})


def test_all_conditions_of_a_request_must_hold() -> None:
    """Conditions add up; none hold for everything; each is read even if an earlier one fails."""
    assert meets(POST, ["K>99", "T~wide", "S=open"])
    assert not meets(POST, ["K>99", "T~wide", "S!open"])
    assert meets(POST, [])
    assert meets({"score": 1}, ["K>0"], {"K": "score"})
    assert not meets({}, ["K>0"], missing=False)
    with pytest.raises(DecodeError):
        meets(POST, ["K>1000", "X"])


# --- partitions ------------------------------------------------------------------------------------------


def test_parts_take_turns_by_place() -> None:
    """The first part of three has places 0, 3, 6; a record's number is such a place."""
    assert [place for place in range(8) if Partition(1, 3).holds(place)] == [0, 3, 6]
    assert [place for place in range(8) if Partition(3, 3).holds(place)] == [2, 5]
    assert Partition(2, 3).test({"id": 4})
    assert not Partition(2, 3).test({"id": 5})


@pytest.mark.parametrize(("key", "part"), [("", 2), ("post-123", 2), ("北京", 2), ("b", 3), ("g", 1)])
def test_ids_are_placed_by_their_hash(key: str, part: int) -> None:
    """SHA-256 of the UTF-8, as a number, modulo three; reckoned with another tool."""
    assert [at for at in (1, 2, 3) if Partition(at, 3).holds(key)] == [part]
    assert Partition(part, 3).test({"id": key})


@given(st.one_of(st.integers(0, 10**30), st.text(st.characters(exclude_categories=["Cs"]))), st.integers(1, 40))
def test_each_item_is_in_exactly_one_part(key: int | str, parts: int) -> None:
    """Parts neither overlap nor leave anything out, and the answer is always the same."""
    found = [part for part in range(1, parts + 1) if Partition(part, parts).holds(key)]
    assert len(found) == 1
    assert Partition(found[0], parts).holds(key)


# --- making ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (100, "100"),
        (-3, "-3"),
        (0.1, "0.1"),
        (1e3, "1000"),
        (-0.0, "0"),
        (1e-7, "0.0000001"),
        (Decimal("1.50"), "1.5"),
        (Decimal("1E+5"), "100000"),
        (Decimal("0E+999999"), "0"),
        (10**60, "1" + "0" * 60),
        (-(10**4299), "-1" + "0" * 4299),
        (Decimal("1E-4299"), "0." + "0" * 4298 + "1"),
        ("many", "many"),
    ],
)
def test_a_number_is_written_in_full(value: Any, text: str) -> None:
    """Without an exponent, and without zeros that say nothing."""
    assert Comparison.of("K", ">", value) == Comparison("K", ">", text)


@pytest.mark.parametrize(
    ("make", "path", "reason"),
    [
        (lambda: Comparison("X", ">", "1"), "type", "must be one of K F T N S, not 'X'"),
        (lambda: Comparison("P", "=", "1"), "type", "must be one of K F T N S"),
        (lambda: Comparison("", ">", "1"), "type", "must be one of"),
        (lambda: Comparison("KF", ">", "1"), "type", "must be one of"),
        (lambda: Comparison("K", ">=", "1"), "operator", "must be one of > < = ! ~, not '>='"),
        (lambda: Comparison("K", _any, "1"), "operator", "must be one of"),
        (lambda: Comparison("T", "=", ""), "value", "may not be empty or hold |, ;;"),
        (lambda: Comparison("T", "=", "a b"), "value", "may not be empty"),
        (lambda: Comparison("T", "=", "a|b"), "value", "may not be empty"),
        (lambda: Comparison("T", "=", "a;;b"), "value", "may not be empty"),
        (lambda: Comparison("T", "=", "\u2028"), "value", "may not be empty"),
        (lambda: Comparison("T", "=", "\ud800"), "value", "lone surrogate"),
        (lambda: Comparison("T", "=", _any), "value", "must be text, not NoneType"),
        (lambda: Comparison.of("K", ">", float("inf")), "value", "must be a finite number"),
        (lambda: Comparison.of("K", ">", True), "value", "must be a finite number"),
        (lambda: Comparison.of("K", ">", Decimal("1E+999999")), "value", "a number of more than 4300 digits"),
        (lambda: Comparison.of("K", ">", Decimal("1E-999999")), "value", "a number of more than 4300 digits"),
        (lambda: Partition(0, 3), "part", "must be a whole number from 1"),
        (lambda: Partition(4, 3), "part", "there is no part 4 of 3"),
        (lambda: Partition(1, 10**MAX_PART_DIGITS), "parts", "must be a whole number from 1, of at most 20 digits"),
        (lambda: Partition(1, True), "parts", "must be a whole number"),
        (lambda: Partition(_any, 1), "part", "must be a whole number"),
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
    ("text", "constraint"),
    [
        ("K>100", ("karma", ">", "100")),
        ("F<5", ("followers", "<", "5")),
        ("N=2.50", ("quantity", "=", "2.50")),
        ("S!done", ("status", "!=", "done")),
        ("T~hello", ("text", None, "hello")),
        ("P1/3", ("partition", None, "1/3")),
    ],
)
def test_a_condition_is_a_constraint_of_silp(text: str, constraint: tuple[str, str | None, str]) -> None:
    """The field's name is the type, the operator is SILP's, what contains is a call."""
    assert to_constraint(text) == constraint
    assert from_constraint(*constraint) == text


@pytest.mark.parametrize(
    ("type", "operator", "value"),
    [
        ("karma", ">=", "100"),
        ("karma", "==", "100"),
        ("karma", "", "100"),
        ("karma", "~", "100"),
        ("karma", ">", ""),
        ("karma", ">", "a b"),
        ("text", None, "a;;b"),
        ("!karma", None, "true"),
        ("id", None, "1/3"),
        ("P", None, "1/3"),
        ("partition", "=", "1/3"),
        ("partition", None, "4/3"),
        ("partition", None, ">1"),
        ("rain", None, "true"),
    ],
)
def test_what_agent_lingua_cannot_say_is_none(type: str, operator: str | None, value: str) -> None:
    """Other operators, names and values have no condition."""
    assert from_constraint(type, operator, value) is None


def test_what_is_no_condition_has_no_constraint() -> None:
    """Nothing is made of a text that is not understood."""
    assert to_constraint("K100") is None
    assert to_constraint("") is None


@given(conditions)
def test_conditions_survive_silp(condition: Comparison | Partition) -> None:
    """Every condition has a constraint, and it leads back."""
    constraint = to_constraint(condition.text)
    assert constraint is not None
    assert from_constraint(*constraint) == condition.text


@given(
    st.one_of(st.sampled_from([*FIELDS.values(), "partition", *FIELDS]), st.text(max_size=3)),
    st.sampled_from([*SILP_OPERATORS.values(), "<=", "==", "~", "!", ""]),
    st.one_of(words, noise),
)
def test_constraints_survive_agent_lingua(type: str, operator: str | None, value: str) -> None:
    """Every constraint that has a condition comes back the same."""
    text = from_constraint(type, operator, value)
    if text is not None:
        assert is_condition(text)
        assert to_constraint(text) == (type, operator, value)
