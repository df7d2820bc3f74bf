"""Agent Lingua as text: the conformance vectors, the grammar, the payloads, and what an error says."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import DecodeError, EncodeError
from sabir.jsontext import MAX_INT_DIGITS, MAX_TEXT, MAX_VALUE_DEPTH
from sabir.lingua import LinguaMessage, LinguaRequest, Payload, Signature, decode, encode, refusal
from sabir.lingua.forms import from_json, to_json
from sabir.lingua.payload import MAX_INFLATED, MAX_PAYLOAD_DEPTH
from strategies.lingua import lingua_messages
from vectors_of import cases, hold


def b64(data: str | bytes) -> str:
    """Standard base64 of a text or of bytes."""
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def request_of(**fields: Any) -> LinguaMessage:
    """A request of one operation to read from the file system."""
    return LinguaMessage.request(LinguaRequest("2", "1", **fields))


@pytest.mark.parametrize("case", cases("lingua"))
def test_vectors(case: dict[str, Any]) -> None:
    """Each case of the conformance vectors holds."""
    hold("lingua", case)


# --- reading ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("👽73|$dGVzdA==|@1", "👽73|@1|$dGVzdA=="),  # fields in any order
        ("👽76|%P1/3|@1|%K>100", "👽76|@1|%P1/3|%K>100"),  # conditions in their own
        ("  👽73|@1  \n", "👽73|@1"),
        ("👽73|@1 \n--👽lingua/0.4@agent-lingua ", "👽73|@1\n--👽lingua/0.4@agent-lingua"),
        ("👽73|@1\r\n--👽lingua/0.4@agent-lingua\r\n", "👽73|@1\n--👽lingua/0.4@agent-lingua"),
        ("👽73|@1\n\n--👽lingua/9@https://example.org/a@b", "👽73|@1\n--👽lingua/9@https://example.org/a@b"),
        ("👽73|$dGVzdA", "👽73|$dGVzdA=="),  # base64 without padding
        ("👽73|$w6_Dr8Ov", "👽73|$w6/Dr8Ov"),  # URL-safe
        ("👽73|$r:50%|@1", "👽73|@1|$r:50%25"),  # a % that escapes nothing
        ("👽73|$r:a;b%3Bc", "👽73|$r:a%3Bb%3Bc"),
        ("👽\thello", "👽 hello"),
        ("👽\n  hello\nyou  \n", "👽 hello\nyou"),
        ("!👽 hello", None),
        ("👽 hello\n--👽lingua/0.4@a b", None),  # no signature, so it is said
        ("👽 hello\n—👽lingua", None),
        ("👽73|$", None),  # the empty text
        ("👽73|$r:", None),
        ("^0|~+1h|#a", "^0|#a|~+1h"),
        ("!E6X|$r:a|b%3Bc", None),
        ("!E1|a;b", "!E1|a%3Bb"),
        ("!E1|%7C%25", None),
        ("👽71;;👽72", None),
        ("!👽71;;👽72", None),
        ("👽71|@a;;;👽72", None),  # the target ends in a semicolon
        ("👽71|@👽72", None),
    ],
)
def test_what_is_read_and_how_it_is_written(text: str, canonical: str | None) -> None:
    """Order, blanks, padding and escapes are free on input and fixed on output."""
    assert encode(decode(text)) == (canonical or text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("👽13|$r:a ", "a "),
        ("👽13|$r:a \t\r\n", "a \t"),
        ("👽13|$r: a", " a"),
        ("👽13|$r:a \n--👽lingua/0.4@agent-lingua", "a "),
        ("👽13|$r:a\u2028", "a\u2028"),
        ("👽13|$r:%0Aa%0D%0A", "\na\r\n"),
        ("👽13|$r:%257C", "%7C"),
        ("👽13|$r:%7c", "%7c"),
    ],
)
def test_raw_text_keeps_every_character(text: str, value: str) -> None:
    """Blanks at the end of raw text are its own; only the line end after it is not."""
    assert decode(text).requests[0].payload == Payload("raw", value)


def test_a_field_of_ordinary_text_gives_up_its_blanks() -> None:
    """Blanks that end a text are ignored where no raw text claims them."""
    assert decode("👽13|@a  ").requests[0].target == "a"
    assert decode("^0  ").status == "0"
    assert decode("!E1|it broke ").details == "it broke "


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("", "", "the text is empty"),
        ("hello", "h", "a message begins with 👽"),
        ("?^0", "?", "? stands before 👽 alone"),
        ("👽", "", "nothing after 👽"),
        ("👽7", "", "no action"),
        ("👽Z3|@1", "Z", 'no domain "Z"'),
        ("👽e3", "e", "did you mean E?"),
        ("👽7G", "G", 'no action "G"'),
        ("👽73A", "A", 'no modifier "A"'),
        ("👽7312|@1", "2", "after the codes comes |"),
        ("👽73 |@1", " ", 'no modifier " "'),
        ("^", "", "no status"),
        ("^5", "5", 'no status "5"'),
        ("!E", "", "no type of error"),
        ("!E7", "7", 'no type of error "7"'),
        ("!E2Q", "Q", 'no subtype "Q"'),
        ("👽73|", "", "an empty field"),
        ("👽73||@1", "", "an empty field"),
        ("👽73|1", "1", "a field begins with its sign"),
        ("👽73|@", "", "target may not be empty"),
        ("👽73|@a b|#c", " ", "target may not be empty or hold"),
        ("👽73|@a|@b", "@b", "two fields @"),
        ("👽73|#a|#b", "#b", "two fields #"),
        ("👽73|~+1h|~+2h", "~+2h", "two fields ~"),
        ("👽73|$YQ==|$YQ==", "$YQ==", "two fields $"),
        ("^0|@a", "@", "a response has no field @"),
        ("^0|%K>1", "%", "a response has no field %"),
        ("!E1|@a", "@", "an error has no field @"),
        ("!E1|#a", "#", "an error has no field #"),
        ("!E1|%K>1", "%", "an error has no field %"),
        ("!E1|said|~+1h", "~+1h", "details stand last"),
        ("!E6|half|", "", "an empty field"),
        ("👽73|@a;;b", ";;", ";; stands before another 👽"),
        ("👽73|$r:a;;b", ";;", ";; stands before another 👽"),
        ("👽71;;?👽72", "?", "? stands once"),
        ("👽71|@a|$r:b|c", "c", "in raw text, | is %7C"),
        ("👽73|@1\n👽74", "\n", "a message is one line"),
        ("👽73|@1\r👽74", "\r", "a message is one line"),
        ("👽73\n--👽lingua/0.4", "--👽lingua/0.4", "no signature: it is a line such as"),
        ("👽73\n—👽lingua/0.4@a", "—👽lingua/0.4@a", "no signature"),
        ("👽73|~3pm", "3", "a time starts with"),
        ("👽73|%Q>1", "Q", "a condition starts with its type"),
        ("👽73|$k:YQ==", "k:", 'no payload prefix "k:"'),
        ("👽73|$Y!==", "!", "no base64"),
        ("👽73|$YQ=", "=", "base64 of this length ends in =="),
        ("👽73|$YWJj=", "=", "base64 of this length ends in no ="),
        ("👽73|$YWJjZ", "YWJjZ", "lost its end"),
        ("👽73|$YR==", "R==", "stands for no byte in full"),
        ("👽73|$/w==", "/w==", "byte 0xff at position 0"),
        ("👽73|$_-8-", "_-8-", "no UTF-8"),
        ("👽73|$j:e30x", "e30x", "inside the base64, at character 2"),
        ("👽73|$j:", "", "inside the base64"),
        ("👽73|$z:", "", "zlib data that lost its end"),
        ("👽73|$z:YWJj", "YWJj", "no zlib data"),
        ("👽73|$e:abc", "abc", "an encrypted payload is nonce and ciphertext"),
        ("👽 a\n--👽lingua/0.4@x\n--👽lingua/0.4@x", "👽 a\n--👽lingua/0.4@x", "end in a line that reads as a signature"),
        ("👽73|@\ud800", "\ud800", "lone surrogate"),
    ],
)
def test_errors_say_what_and_where(text: str, at: str, reason: str) -> None:
    """The span covers what is at fault, and printing the error works."""
    with pytest.raises(DecodeError) as caught:
        decode(text)
    error = caught.value
    assert error.text[slice(*error.span)] == at
    assert reason in error.reason
    assert error.format == "lingua"
    assert str(error)


def test_strict_wants_a_signature_and_no_raw_text() -> None:
    """The narrow profile is what agents exchange in public."""
    signed = "👽13|@a|$YQ==\n--👽lingua/0.4@agent-lingua"
    assert decode(signed, strict=True) == decode(signed)
    with pytest.raises(DecodeError, match="strict: no signature"):
        decode("👽13|@a", strict=True)
    with pytest.raises(DecodeError, match="strict: raw text") as caught:
        decode("👽13|@a|$r:hello\n--👽lingua/0.4@agent-lingua", strict=True)
    assert caught.value.text[slice(*caught.value.span)] == "r:hello"


def test_an_unknown_code_is_answered_with_our_version() -> None:
    """A parse error that says which version is spoken here, and which character is unknown."""
    with pytest.raises(DecodeError) as caught:
        decode("👽Z3|@1")
    answer = refusal(caught.value, signature=Signature())
    assert (answer.kind, answer.type, answer.signature) == ("error", "1", Signature("0.4", "agent-lingua"))
    assert answer.payload == Payload("json", {"version": "0.4"})
    assert (answer.details or "").startswith('no domain "Z"')
    assert decode(encode(answer)) == answer
    for reason in ("#5", "@x", "two | signs;;\nof it"):
        odd = refusal(DecodeError(reason, "x"))
        assert decode(encode(odd)) == odd
        assert reason in (odd.details or "")


# --- limits ----------------------------------------------------------------------------------------------


def test_a_zip_bomb_is_an_error_at_a_limit() -> None:
    """A payload that inflates beyond the limit is refused without being inflated in full."""
    largest = b"a" * MAX_INFLATED
    message = decode(f"👽13|$z:{b64(zlib.compress(largest))}")
    assert message.requests[0].payload == Payload("zlib", largest.decode())
    bomb = zlib.compressobj(9)
    packed = b"".join(bomb.compress(b"\0" * MAX_INFLATED) for _ in range(200)) + bomb.flush()
    with pytest.raises(DecodeError, match=f"more than {MAX_INFLATED} bytes"):
        decode(f"👽13|$z:{b64(packed)}")
    with pytest.raises(DecodeError, match="more than 3 bytes"):
        decode(f"👽13|$z:{b64(zlib.compress(b'abcd'))}", max_inflated=3)


def test_zlib_data_must_be_whole_and_alone() -> None:
    """Neither a cut stream nor one with something after it is text."""
    packed = zlib.compress(b"hello hello hello")
    for data, reason in ((packed[:-2], "lost its end"), (packed + b"x", "something stands after")):
        with pytest.raises(DecodeError, match=reason):
            decode(f"👽13|$z:{b64(data)}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[" * 200 + "]" * 200, "nested deeper"),
        ("[" * (MAX_PAYLOAD_DEPTH + 2) + "]" * (MAX_PAYLOAD_DEPTH + 2), "nested deeper"),
        ("9" * (MAX_INT_DIGITS + 1), "digits"),
        ('{"a":1,"a":2}', "stands twice"),
        ("NaN", "NaN"),
        ("1e999", "beyond the range"),
        ('"\\ud800"', "lone surrogate"),
        ("{", ""),
    ],
)
def test_json_inside_is_held_to_the_same_limits(content: str, reason: str) -> None:
    """Deep JSON, giant numbers and repeated keys are errors that name the place inside."""
    with pytest.raises(DecodeError, match="inside the base64") as caught:
        decode(f"👽13|$j:{b64(content)}")
    assert reason in caught.value.reason


def test_a_text_beyond_the_limit_is_refused() -> None:
    """As in every format."""
    with pytest.raises(DecodeError, match="longer than"):
        decode("👽13|$r:" + "a" * MAX_TEXT)


def test_big_integers_stay_exact() -> None:
    """Integers beyond 2^53 and 2^64 come back digit by digit, and floats stay floats."""
    value = {"n": 19000000000000000001, "m": 18446744073709551617, "f": 100.0}
    message = request_of(payload=Payload("json", value))
    again = decode(encode(message)).requests[0].payload
    assert again is not None
    assert again.value == value
    assert type(again.value["f"]) is float


# --- messages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: LinguaRequest("Z", "1"), "domain"),
        (lambda: LinguaRequest("1", "G"), "action"),
        (lambda: LinguaRequest("1", "1", "A"), "modifier"),
        (lambda: LinguaRequest("1", "1", target="a b"), "target"),
        (lambda: LinguaRequest("1", "1", target=""), "target"),
        (lambda: LinguaRequest("1", "1", id="a;;b"), "id"),
        (lambda: LinguaRequest("1", "1", id=5), "id"),  # type: ignore[arg-type]  # the point of the test
        (lambda: LinguaRequest("1", "1", time="3pm"), "time"),
        (lambda: LinguaRequest("1", "1", conditions=("K>1", "Q>1")), "conditions[1]"),
        (lambda: LinguaRequest("1", "1", conditions="K>1"), "conditions"),  # type: ignore[arg-type]  # likewise
        (lambda: LinguaRequest("1", "1", payload="x"), "payload"),  # type: ignore[arg-type]  # likewise
        (lambda: Payload("base64", "x"), "encoding"),  # type: ignore[arg-type]  # likewise
        (lambda: Payload("text", 5), "value"),
        (lambda: Payload("text", "\ud800"), "value"),
        (lambda: Payload("json", float("nan")), "value"),
        (lambda: Payload("json", {"a": {1: 2}}), "value.a (a key)"),
        (lambda: Payload("encrypted", "abc"), "value"),
        (lambda: Payload("zlib", "a" * (MAX_INFLATED + 1)), "value"),
        (lambda: Signature("0 4"), "version"),
        (lambda: Signature("0.4", ""), "source"),
        (lambda: LinguaMessage("speech"), "kind"),  # type: ignore[arg-type]  # likewise
        (LinguaMessage.request, "requests"),
        (lambda: LinguaMessage("request", requests=["x"]), "requests[0]"),  # type: ignore[arg-type]  # likewise
        (lambda: LinguaMessage("request", requests=LinguaRequest("1", "1")), "requests"),  # type: ignore[arg-type]  # likewise
        (lambda: request_of().replace(status="0"), "status"),
        (lambda: request_of().replace(prefix="^"), "prefix"),
        (lambda: request_of().replace(signature="x"), "signature"),
        (lambda: LinguaMessage.response("7"), "status"),
        (lambda: LinguaMessage.response("0", id="a|b"), "id"),
        (lambda: LinguaMessage.response("0", time="soon"), "time"),
        (lambda: LinguaMessage.error("9"), "type"),
        (lambda: LinguaMessage.error("2", "Q"), "subtype"),
        (lambda: LinguaMessage.error("2", details=""), "details"),
        (lambda: LinguaMessage.error("2", details="~soon"), "details"),
        (lambda: LinguaMessage.human(""), "text"),
        (lambda: LinguaMessage.human(" a"), "text"),
        (lambda: LinguaMessage.human("a\n--👽lingua/0.4@agent-lingua"), "text"),
        (lambda: LinguaMessage.human("--👽lingua/0.4@agent-lingua"), "text"),
    ],
)
def test_constructors_refuse_what_no_text_can_hold(make: Any, path: str) -> None:
    """With the path of the field at fault."""
    with pytest.raises(EncodeError) as caught:
        make()
    assert caught.value.path == path


def test_a_list_of_conditions_or_operations_is_taken() -> None:
    """Lists, as JSON gives them, become tuples."""
    assert LinguaRequest("7", "6", conditions=["K>1"]).conditions == ("K>1",)  # type: ignore[arg-type]  # the point
    made = LinguaMessage("request", requests=[LinguaRequest("7", "6")])  # type: ignore[arg-type]  # likewise
    assert made == LinguaMessage.request(LinguaRequest("7", "6"))


def test_payloads_are_equal_to_the_letter() -> None:
    """1, 1.0 and true differ; so do keys in another order, and encodings."""
    values: list[Any] = [1, 1.0, True, "1", {"a": 1, "b": 2}, {"b": 2, "a": 1}]
    made = [Payload("json", value) for value in values] + [Payload("text", "1"), Payload("raw", "1")]
    assert len(set(made)) == len(made)
    assert made[0] == Payload("json", 1)
    assert (made[0] != Payload("json", 1)) is False
    assert made[0] != "1"


def test_a_payload_is_its_own_copy() -> None:
    """Changing what it was made of, or its JSON form, changes nothing in it."""
    value = {"a": [1]}
    message = request_of(payload=Payload("json", value))
    value["a"].append(2)
    to_json(message)["requests"][0]["payload"]["value"]["a"].append(3)
    assert encode(message) == "👽21|$j:" + b64('{"a":[1]}')


@given(lingua_messages())
def test_messages_are_hashable_and_equal_by_content(message: LinguaMessage) -> None:
    """A message and its copy are one."""
    again = decode(encode(message))
    assert again == message
    assert hash(again) == hash(message)
    assert message.replace() == message


def test_the_deepest_payload_comes_back() -> None:
    """At the limit of depth."""
    value: Any = "x"
    for _ in range(MAX_PAYLOAD_DEPTH):
        value = [value]
    message = request_of(payload=Payload("json", value))
    assert MAX_PAYLOAD_DEPTH > MAX_VALUE_DEPTH
    assert decode(encode(message)) == message


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_can_be_a_payload(text: str) -> None:
    """In all encodings of text."""
    for encoding in ("text", "raw", "zlib"):
        message = request_of(payload=Payload(encoding, text))
        assert decode(encode(message)) == message


# --- JSON form -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ([], ""),
        ({}, "kind"),
        ({"kind": "x"}, "kind"),
        ({"kind": ["request"]}, "kind"),
        ({"kind": "request"}, "requests"),
        ({"kind": "request", "requests": {}}, "requests"),
        ({"kind": "request", "requests": [5]}, "requests[0]"),
        ({"kind": "request", "requests": [{"domain": "1"}]}, "requests[0].action"),
        ({"kind": "request", "requests": [{"domain": "1", "action": "Z"}]}, "requests[0].action"),
        ({"kind": "request", "requests": [{"domain": "1", "action": "1", "x": 1}]}, "requests[0].x"),
        ({"kind": "request", "requests": [{"domain": "1", "action": "1", "payload": 5}]}, "requests[0].payload"),
        (
            {"kind": "request", "requests": [{"domain": "1", "action": "1", "payload": {"encoding": "text"}}]},
            "requests[0].payload.value",
        ),
        ({"kind": "request", "status": "0"}, "status"),
        ({"kind": "response", "status": "0", "payload": {"encoding": "x", "value": ""}}, "payload.encoding"),
        ({"kind": "response", "status": "0", "signature": "0.4@x"}, "signature"),
        ({"kind": "response", "status": "0", "signature": {"version": " "}}, "signature.version"),
        ({"kind": "human", "text": 5}, "text"),
        ({"kind": "human", "text": "a", "prefix": "+"}, "prefix"),
    ],
)
def test_a_wrong_json_form_is_refused_with_its_path(form: Any, path: str) -> None:
    """Unknown, missing and wrong fields, at every depth."""
    with pytest.raises(EncodeError) as caught:
        from_json(form)
    assert caught.value.path == path


def test_the_json_form_has_all_fields_of_its_kind() -> None:
    """Absent ones as null."""
    assert to_json(decode("^0")) == {
        "kind": "response", "status": "0", "id": None, "time": None, "payload": None, "signature": None,
    }  # fmt: skip
    assert to_json(decode("👽42|@H")) == {
        "kind": "request",
        "prefix": None,
        "requests": [
            {
                "domain": "4", "action": "2", "modifier": None, "target": "H", "id": None, "time": None,
                "conditions": [], "payload": None,
            }
        ],
        "signature": None,
    }  # fmt: skip
