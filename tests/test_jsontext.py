from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import jsontext
from sabir.errors import DecodeError, EncodeError

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**18, max_value=10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def typed(value: Any) -> str:
    """A value with its types: 1, 1.0 and true differ."""
    return repr(value)


@given(values)
def test_what_is_written_is_read_back_to_the_type(value: Any) -> None:
    """Dumps and loads are inverse for every JSON value."""
    assert typed(jsontext.loads(jsontext.dumps(value))) == typed(value)


@given(values)
def test_other_spellings_are_read_as_the_standard_library_reads_them(value: Any) -> None:
    """Blanks and escapes change nothing."""
    assert typed(jsontext.loads(json.dumps(value, indent=2))) == typed(value)


@given(texts)
def test_a_quoted_string_is_read_back_and_hides_nothing(text: str) -> None:
    """Quote gives a JSON literal without controls, bidirectional or zero-width characters."""
    literal = jsontext.quote(text)
    assert jsontext.read_string(f"x{literal}y", 1) == (text, len(literal) + 1)
    assert json.loads(literal) == text
    assert not set(literal) & set("\x00\n\x7f\x85\u200b\u200e\u2028\u202e\u2066\ufeff")


@pytest.mark.parametrize(
    ("text", "reason", "span"),
    [
        ('{"a":1,"a":2}', 'key "a" stands twice in one object', (7, 10)),
        ('{"x":{"b":1, "c":{"d":1,"d":2}}}', 'key "d" stands twice in one object', (24, 27)),
        ('[{"a":1},{"a":1,"\\u0061":2}]', 'key "a" stands twice in one object', (16, 24)),
        ('"\\ud83d"', "lone surrogate \\ud83d: half of a character", (1, 7)),
        ('["ok","\\udc7d"]', "lone surrogate \\udc7d: half of a character", (7, 13)),
        ('"\\ud83d\\ud83d\\udc7d"', "lone surrogate \\ud83d: half of a character", (1, 7)),
        ("[1,NaN]", "NaN is no JSON value", (3, 6)),
        ("[-Infinity]", "-Infinity is no JSON value", (1, 10)),
        ("[1e999]", "number 1e999 is beyond the range of a float", (1, 6)),
        (f'{{"n":{"9" * 400},"a":1,"a":2}}', 'key "a" stands twice in one object', (412, 415)),
        ("[1e400e]", "number 1e400 is beyond the range of a float", (1, 6)),
        ("[1e999-2.]", "number 1e999 is beyond the range of a float", (1, 6)),
        ("1 2", "text after the end of the JSON value", (2, 3)),
        ("", "JSON: expecting value", (0, 0)),
        ("{'a':1}", "JSON: expecting property name enclosed in double quotes", (1, 2)),
        ("[1,]", "JSON: expecting value", (3, 4)),
    ],
)
def test_refused_texts_name_the_reason_and_the_place(text: str, reason: str, span: tuple[int, int]) -> None:
    """Each refusal says what is wrong and where."""
    with pytest.raises(DecodeError) as caught:
        jsontext.loads(text)
    assert (caught.value.reason, caught.value.span, caught.value.code) == (reason, span, "invalid_syntax")


def test_surrogate_pairs_become_one_character() -> None:
    """An escaped pair is one code point, beside an escaped backslash that looks like one."""
    assert jsontext.loads('"\\ud83d\\udc7d ok"') == "👽 ok"
    assert jsontext.loads('"\\\\ud83d"') == "\\ud83d"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [193, 5_000, 100_000])
def test_deep_nesting_is_refused_by_name(opening: str, depth: int) -> None:
    """Nesting beyond the limit is a clear error, however deep, closed or not."""
    closing = "]" if opening == "[" else "}"
    for text in (opening * depth, opening * depth + "1" + closing * depth):
        with pytest.raises(DecodeError, match=r"nested deeper than 192|expecting"):
            jsontext.loads(text)


def test_nesting_up_to_the_limit_is_read() -> None:
    """The named limit itself is allowed, in width as well."""
    depth = jsontext.MAX_TEXT_DEPTH
    assert jsontext.loads("[" * depth + "]" * depth)
    assert jsontext.loads("[" + ",".join(["[]"] * 1000) + "]") == [[]] * 1000


@pytest.mark.parametrize("spaces", ["", " "])
def test_integers_are_exact_up_to_the_limit_whatever_the_interpreter_allows(spaces: str) -> None:
    """4,300 digits are read and written in full, one more is refused, even where the interpreter has no limit."""
    digits = "9" * jsontext.MAX_INT_DIGITS
    assert jsontext.dumps(jsontext.loads(spaces + digits)) == digits
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        for text in (f"[{digits}9]", f"[-{digits}9]"):
            with pytest.raises(DecodeError, match="integer of more than 4300 digits") as caught:
                jsontext.loads(text)
            assert caught.value.span == (1, len(text) - 1)
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("number", [19000000000000000001, 18446744073709551617, -(2**63) - 1, 2**64])
def test_big_integers_stay_exact(number: int) -> None:
    """No integer passes through a float."""
    assert jsontext.loads(f'{{"n":{number}}}') == {"n": number}
    assert jsontext.loads(f'{{ "n" : {number} }}') == {"n": number}
    assert jsontext.dumps({"n": number}) == f'{{"n":{number}}}'


@pytest.mark.parametrize(
    ("literal", "reason", "span"),
    [
        ('"abc', 'no closing quote: this " opens a string', (0, 1)),
        ('"a\nb"', "a control character inside a quoted string must be escaped", (2, 3)),
        ('"\\x"', r"bad escape in a quoted string; JSON's are \" \\ \/ \b \f \n \r \t \uXXXX", (1, 3)),
        ('"\\ud83d"', "lone surrogate \\ud83d: half of a character", (1, 7)),
    ],
)
def test_string_literals_at_fault(literal: str, reason: str, span: tuple[int, int]) -> None:
    """A string literal alone gives the same kind of error."""
    with pytest.raises(DecodeError) as caught:
        jsontext.read_string(literal, 0)
    assert (caught.value.reason, caught.value.span) == (reason, span)


def test_received_strips_and_refuses() -> None:
    """Outer white space goes; no text, too long a text and lone surrogates are refused."""
    assert jsontext.received(" \n a b\u2028", "slip") == "a b"
    with pytest.raises(DecodeError, match="not bytes"):
        jsontext.received(b"x", "slip")  # type: ignore[arg-type]
    with pytest.raises(DecodeError, match="longer than"):
        jsontext.received("x" * (jsontext.MAX_TEXT + 1), "slip")
    with pytest.raises(DecodeError, match="lone surrogate") as caught:
        jsontext.received("a \udc80", "slip")
    assert caught.value.span == (2, 3)


_ARRAY = '[1, 22,{"c" :3}]'
_OBJECT = f'{{"a":1 , "b": {_ARRAY}}}'


@pytest.mark.parametrize(
    ("path", "piece"),
    [((), _OBJECT), (("a",), "1"), (("b", 1), "22"), (("b", 2, "c"), "3"), (("zz",), _OBJECT), (("b", 9), _ARRAY), (("a", "x"), "1")],
)
def test_span_of_a_path(path: tuple[str | int, ...], piece: str) -> None:
    """The value at a path is found; of an absent one, the nearest parent."""
    text = f" {_OBJECT}"
    start, end = jsontext.span_of(text, path)
    assert text[start:end] == piece


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ({"a": [1, float("nan")]}, "x.a[1]", "nan is no JSON number"),
        ({"a": float("inf")}, "x.a", "inf is no JSON number"),
        ({"a": "\ud800"}, "x.a", "lone surrogate at character 0"),
        ({"\ud800": 1}, "x (a key)", "lone surrogate at character 0"),
        ({1: 2}, "x (a key)", "must be text, not int"),
        ((1,), "x", "a value is a JSON value, not tuple"),
    ],
)
def test_values_that_no_text_carries(value: Any, path: str, reason: str) -> None:
    """check_value names the path and the reason."""
    with pytest.raises(EncodeError) as caught:
        jsontext.check_value(value, "x")
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_value_depth_is_limited() -> None:
    """A value nested to the limit passes, one level more does not."""
    value: Any = 1
    for _ in range(jsontext.MAX_VALUE_DEPTH):
        value = [value]
    jsontext.check_value(value)
    with pytest.raises(EncodeError, match="nested deeper than 128"):
        jsontext.check_value([value])


def test_integers_too_long_to_be_read_are_not_written() -> None:
    """One digit more than the limit is refused before anything is written."""
    jsontext.check_value(10**4300 - 1)
    with pytest.raises(EncodeError, match="x: integer of more than 4300 digits"):
        jsontext.check_value(-(10**4300), "x")


def test_an_interpreter_that_reads_fewer_digits_is_no_crash() -> None:
    """Where the interpreter's own limit is lower than ours, the integer is refused as an integer."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        with pytest.raises(DecodeError, match="integer of more digits than this interpreter reads") as caught:
            jsontext.loads(f"[ {'9' * 700}]")
    finally:
        sys.set_int_max_str_digits(before)
    assert caught.value.span == (2, 702)
