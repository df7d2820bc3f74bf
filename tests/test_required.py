"""What the documents demand of every format alike, and what no test of one protocol would notice.

Most tables run over the registry, so that a new format is held to them without a line here.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import sabir
from sabir.crossing import same
from sabir.eap import AitPacket
from sabir.eap.dictionary import AitDictionary, Entry
from sabir.jsontext import MAX_INT_DIGITS, MAX_TEXT
from sabir.kinds import Format
from sabir.lingua import LinguaMessage, LinguaRequest, Payload, Signature
from sabir.lingua.conditions import is_condition
from sabir.lingua.message import is_details, is_spoken, is_value
from sabir.lingua.tables import default
from sabir.registry import FORMATS, READABLE
from sabir.silp import check
from sabir.silp.canonical import canonical
from strategies import MESSAGES
from strategies.lingua import WORDS
from vectors_of import cases

NAMES: Final = [format.name for format in READABLE]
LOSSLESS: Final = [name for name in NAMES if name != "ait"]
"""The formats that hold every message; a tape refuses what it cannot say."""
TEXTS: Final = {
    format.name: [format.example, *(case.values[0]["text"] for case in cases(format.name))] for format in READABLE
}

every_format = pytest.mark.parametrize("name", NAMES)


def _format(name: str) -> Format[Any]:
    return next(format for format in READABLE if format.name == name)


def _example(name: str) -> sabir.Message:
    return sabir.decode(_format(name).example, name)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


# --- decoders: nothing but DecodeError, in linear time, within limits -------------------------------------------------

PIECES: Final = (
    *(" ", "\t", "\n", "\r", "\x00", "\u2028", "\x85", "\ufeff", "\u200d", "\ufe0f", "é", "０", "👽", "\ud800"),
    *('"', "'", "\\", "|", "#", "!", "%", "$", "@", "~", "=", ",", ";;", ":", "(", ")", "[", "]", "{", "}", "<", "^"),
    *("t+1", "->", "else", "if ", " and ", "; ", ' # {"meta":{', '"ir":{', "action_", "\\ud83d", "\\u0000"),
    *("null", "true", "1e400", "NaN", "9" * 30, "%7C", "$j:", "$z:", "$r:", "⁝", "⚡9", "ir={", "@from=", "v3"),
    "\n--👽lingua/0.4@agent-lingua",
)  # fmt: skip


@st.composite
def broken_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A format and a text that was once of it, with pieces cut out, doubled, and put in."""
    name = draw(st.sampled_from(NAMES))
    text = draw(st.sampled_from(TEXTS[name]))
    for _ in range(draw(st.integers(1, 4))):
        at, size = draw(st.integers(0, len(text))), draw(st.integers(0, 6))
        other = draw(st.sampled_from(TEXTS[draw(st.sampled_from(NAMES))]))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.just(""), st.just(text[at : at + size] * 2), st.just(other)))
        text = text[:at] + piece + text[at + size :]
    return name, text


@given(broken_texts())
def test_a_broken_text_is_a_message_or_a_decode_error(broken: tuple[str, str]) -> None:
    """Whatever a text became, a reader gives a message that survives, or an error that names format, text and span."""
    name, text = broken
    for reader in (name, None):
        try:
            message = sabir.decode(text, reader, allow_unknown=True)
        except sabir.DecodeError as error:
            assert error.text == text
            assert 0 <= error.span[0] <= error.span[1] <= len(text)
            assert error.line >= 1
            assert error.column >= 1
            assert error.reason in str(error).replace("\n", " ") or not error.reason.isprintable()
            assert reader is None or error.format == name
        else:
            again = sabir.encode(message, reader)
            assert same(sabir.decode(again, reader, allow_unknown=True), message)


@every_format
@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\x00", "\ufeff", "{}", "[]", "null", '""', "0", "true", "{", "[[", '"', "(", "#"]
)
def test_what_is_hardly_a_text_is_refused_by_every_reader(name: str, text: str) -> None:
    """Empty texts and bare JSON are DecodeErrors of the format, never a KeyError, TypeError or AttributeError."""
    with pytest.raises(sabir.DecodeError) as caught:
        sabir.decode(text, name)
    assert (caught.value.format, caught.value.text) == (name, text)


@pytest.mark.parametrize("value", [None, 5, b"start()", ["start()"]], ids=["none", "number", "bytes", "list"])
@pytest.mark.parametrize(
    "call",
    [
        *(
            pytest.param(lambda value, name=name: sabir.decode(value, name), id=f"decode-{name}")
            for name in (*NAMES, None)
        ),
        pytest.param(sabir.detect, id="detect"),
        pytest.param(sabir.decode_all, id="decode_all"),
    ],
)
def test_what_is_no_text_at_all_is_refused(call: Callable[[Any], Any], value: Any) -> None:
    """A function that takes a text says so by the error that it says everything by; detection finds no format."""
    if call is sabir.detect:
        assert sabir.detect(value) is None
        return
    with pytest.raises(sabir.DecodeError, match=r"a message is text \(str\)"):
        call(value)


def test_a_finder_of_messages_refuses_what_is_no_text() -> None:
    """Nor does extract let Python's own error pass for what is neither text nor UTF-8."""
    for value in (None, 5, ["start()"]):
        with pytest.raises(sabir.DecodeError):
            sabir.extract(value)  # type: ignore[arg-type]


@every_format
def test_a_text_beyond_the_limit_is_refused_by_every_reader(name: str) -> None:
    """One character more than `MAX_TEXT` is refused before it is read, with the limit as the reason."""
    with pytest.raises(sabir.DecodeError, match=f"longer than {MAX_TEXT} characters") as caught:
        sabir.decode(" " * (MAX_TEXT + 1), name)
    assert caught.value.format == name


JSON_PLACES: Final = {
    "silp-code": 'start() # {"meta":{"x":%s}}',
    "silp-ir": '{"intent":"!START","meta":{"req_id":"abcd","x":%s}}',
    "silp-json": '{"intent":"!START","ir":{"meta":{"x":%s}}}',
    "eap": ">SEC:XSS #ctx4 | x=[%s]",
    "eap-unicode": "◤SEC::XSS ➔ 📦[#ctx4] ⁝ x=[%s]",
}
"""Where a format lets any JSON value stand."""
REFUSED: Final = {
    "NaN": "NaN is no JSON value",
    "Infinity": "Infinity is no JSON value",
    "-Infinity": "-Infinity is no JSON value",
    "1e999": "beyond the range of a float",
    '{"a":1,"a":2}': 'key "a" stands twice in one object',
    '"\\ud800"': "lone surrogate",
    '"\\udc00\\ud800"': "lone surrogate",
    "9" * (MAX_INT_DIGITS + 1): f"integer of more than {MAX_INT_DIGITS} digits",
    "[" * 100_000: "nested",
    "[" * 100_000 + "]" * 100_000: "nested deeper than",
    '{"":' * 100_000: "nested",
}
"""JSON that no format takes, and what is said of it."""


@pytest.mark.parametrize("json", REFUSED, ids=lambda json: json[:16])
@pytest.mark.parametrize("name", [*JSON_PLACES, "lingua"])
def test_json_that_is_refused_everywhere(name: str, json: str) -> None:
    """Half characters, NaN, infinities, repeated keys, giant integers and deep nesting are refused in every format."""
    text = JSON_PLACES[name] % json if name in JSON_PLACES else f"👽73|$j:{_base64(json)}"
    with pytest.raises(sabir.DecodeError) as caught:
        sabir.decode(text, name)
    assert REFUSED[json] in caught.value.reason
    start, end = caught.value.span
    assert text.index("$j:") + 3 <= start if name == "lingua" else start >= text.index(json)
    assert end <= len(text)


@pytest.fixture
def short_integers() -> Iterator[None]:
    """An interpreter that was told to read and write integers of 640 digits at most."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    "text",
    [
        *(JSON_PLACES[name] % ("9" * 1000) for name in JSON_PLACES),
        f"👽73|$j:{_base64('9' * 1000)}",
        f">SEC:XSS #ctx4 | x={'9' * 1000}",
        f"◤SEC::XSS ➔ 📦[#ctx4] ⁝ x={'9' * 1000}",
    ],
    ids=lambda text: text[:20],
)
def test_an_interpreter_that_reads_fewer_digits_crashes_no_reader(text: str, short_integers: None) -> None:
    """Where the interpreter's own limit is lower than ours, the integer is refused, not left to Python's error."""
    with pytest.raises(sabir.DecodeError, match="digits"):
        sabir.decode(text)


@pytest.mark.parametrize(
    "message",
    [
        sabir.EapPacket.request(domain="SEC", action="XSS", target="#ctx4", data={"x": 10**1000}),
        LinguaMessage.request(LinguaRequest("7", "3", payload=Payload("json", 10**1000))),
    ],
    ids=["eap", "lingua"],
)
def test_an_interpreter_that_writes_fewer_digits_crashes_no_writer(
    message: sabir.Message, short_integers: None
) -> None:
    """Such an integer in a message is written in full or is an EncodeError."""
    try:
        text = sabir.encode(message)
    except sabir.EncodeError as error:
        assert "digits" in error.reason
    else:
        sys.set_int_max_str_digits(MAX_INT_DIGITS)
        assert sabir.decode(text) == message


@every_format
@pytest.mark.parametrize(
    "run", [" ", "\t", "a", "0", '"', "'", "\\", "(", "[", "{", "=", ",", ";", "|", "#", "^", "é", "👽", "\u200d"]
)
def test_long_runs_end_in_every_format(name: str, run: str) -> None:
    """Two hundred thousand characters of anything, alone or after a message, are answered at once, and so is the error."""
    for start in ("", f"{_format(name).example} "):
        text = start + run * 200_000
        try:
            message = sabir.decode(text, name)
        except sabir.DecodeError as error:
            assert str(error).startswith(f"{name}: ")
        else:
            assert same(sabir.decode(sabir.encode(message, name), name), message)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("silp-code", "start(" + "é" * 20_000 + "§"),
        ("silp-code", "start(a=b, " + '"' + "a" * 20_000),
        ("silp-code", "a" * 20_000),
        ("silp-code", "if " + "a" * 20_000),
        (
            "silp-code",
            'start(b) # {"entities":[{"id":"act","value":"' + "a" * 20_000 + '"}]}',
        ),
        ("silp-code", "start(b); " + "a" * 20_000 + "()"),
        ("silp-ir", '{"intent":"!START","meta":{"req_id":"' + "a" * 20_000 + '"}}'),
        ("silp-json", '{"intent":"' + "a" * 20_000 + '"}'),
        ("silp-json", '{"intent":"!START","' + "a" * 20_000 + '":5}'),
        ("slip", "SLIP v1 a b " + "a" * 20_000),
        ("slip", "SLIP v" + "1" * 20_000 + " a b MetaAck"),
        ("eap", ">SE" + "c" * 20_000 + ":XSS #ctx4"),
        ("eap", ">SEC:" + "x" * 20_000 + " #ctx4"),
        ("eap", ">SEC:XSS #ctx4 | a=1 " + "#" * 20_000),
        ("eap", ">SEC:XSS #ctx4 | " + f"{'a' * 20_000}=1 " * 2),
        ("eap-unicode", "◤SE" + "c" * 20_000 + "::XSS ➔ 📦[#ctx4]"),
        ("ait", "s4x9 " + "s" * 20_000),
        ("lingua", "👽" + "7" * 20_000),
        ("lingua", "👽73|@" + "a" * 20_000 + " b"),
        ("lingua", "👽73|~+" + "1" * 20_000),
        ("lingua", "👽73|%K?" + "1" * 20_000),
    ],
    ids=lambda value: value[:24],
)
def test_an_error_repeats_no_long_text(name: str, text: str) -> None:
    """A reason has the length of a sentence, and what is shown of the text is a window, however long the fault is."""
    with pytest.raises(sabir.DecodeError) as caught:
        sabir.decode(text, name)
    assert len(caught.value.reason) < 600
    assert len(str(caught.value)) < 2000


PARTS: Final[dict[str, Callable[[int], str]]] = {
    "silp-code calls": lambda size: "book()" + "; email(b)" * size,
    "silp-code conditions": lambda size: "if " + " and ".join(["a(b)"] * size) + ": book()",
    "silp-code fallbacks": lambda size: "book() else: " + "; ".join(["email(b)"] * size),
    "silp-json slots": lambda size: '{"intent":"!BOOK",' + ",".join(f'"k{at}":"v"' for at in range(size)) + "}",
    "silp-ir entities": lambda size: (
        '{"intent":"!BOOK","entities":[' + ",".join(['{"id":"act","value":"v"}'] * size) + '],"meta":{"req_id":"abcd"}}'
    ),
    "slip tokens": lambda size: "SLIP v1 a b MetaAck" + ' x ""' * size,
    "eap pairs": lambda size: ">SEC:XSS #ctx4 |" + "".join(f" k{at}=[1]" for at in range(size)),
    "eap-unicode pairs": lambda size: "◤SEC::XSS ➔ 📦[#ctx4] ⁝" + "".join(f" k{at}='v'" for at in range(size)),
    "ait packets": lambda size: "s4x9 " * size,
    "lingua operations": lambda size: ";;".join(["👽73|@1"] * size),
    "lingua conditions": lambda size: "👽73" + "|%K>1" * size,
}
"""Texts of many parts of one sort, by the format and the sort."""


@pytest.mark.parametrize("sort", PARTS)
def test_many_parts_are_all_read(sort: str) -> None:
    """A text of thousands of parts is a message like any other, and comes back."""
    name, _, _ = sort.partition(" ")
    message = sabir.decode(PARTS[sort](6_000), name)
    assert same(sabir.decode(sabir.encode(message, name), name), message)


SEVERAL: Final[dict[str, Callable[[int], str]]] = {
    "lines": lambda size: "start(a)\n" * size,
    "blank lines": lambda size: "start(a)\n" + " \r\n" * size,
    "packets": lambda size: ">SEC:XSS #ctx4 | a=1 " * size,
    "signed messages": lambda size: "👽73|@1\n--👽lingua/0.4@agent-lingua\n" * size,
    "signatures": lambda size: "👽73|@1" + "\n--👽lingua/0.4@agent-lingua" * size,
    "lines of human language": lambda size: "👽 hello\n" * size,
}
"""Texts of many messages, or of what might be many."""


@pytest.mark.parametrize("sort", SEVERAL)
def test_many_messages_are_read_or_refused(sort: str) -> None:
    """The same for a text of many messages: all of them, or an error whose line is one of the text's."""
    text = SEVERAL[sort](8_000)
    try:
        found = sabir.decode_all(text)
    except sabir.DecodeError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert len(found) >= 1


# --- several messages in a text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lingua", None])
def test_a_signature_line_belongs_to_the_message_before(name: str | None) -> None:
    """decode_all gives a signed message whole; the next line begins the next message."""
    signed = "👽73|@1|$aGk=\n--👽lingua/0.4@agent-lingua\r\n"
    text = f"{signed}👽71|@2\n\n^0|#a\n--👽lingua/0.4@https://example.org/spec\n"
    first, second, third = sabir.decode_all(text, name)
    assert first == LinguaMessage.request(
        LinguaRequest("7", "3", target="1", payload=Payload("text", "hi")), signature=Signature()
    )
    assert second == LinguaMessage.request(LinguaRequest("7", "1", target="2"))
    assert third == LinguaMessage.response("0", id="a", signature=Signature("0.4", "https://example.org/spec"))


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("silp-code", 'start("x%sy")'),
        ("silp-json", '{"intent":"!START","act":"x%sy"}'),
        ("silp-ir", '{"intent":"!START","entities":[{"id":"act","value":"x%sy"}],"meta":{"req_id":"abcd"}}'),
        ("slip", 'SLIP v1 a b RequestTask "x%sy"'),
        ("eap", '>GEN:START #- | note="x%sy"'),
        ("eap-unicode", '◤GEN::START ➔ 📦[#-] ⁝ note="x%sy"'),
    ],
)
def test_only_lf_and_crlf_end_a_line_of_any_format(name: str, text: str, char: str) -> None:
    """Whatever else some call a line end is a character of a value where it may stand raw, and never ends a message."""
    if char < " ":  # a control may not stand raw in a string
        with pytest.raises(sabir.DecodeError, match="control character"):
            sabir.decode_all(text % char, name)
        return
    messages = sabir.decode_all(f"{text % char}\r\n\r\n{text % 'z'}\n", name)
    values = [sabir.to_ir(message).entities[-1].value for message in messages]
    assert values == [f"x{char}y", "xzy"]


# --- messages and their JSON form: nothing but EncodeError ------------------------------------------------------------

ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 1.5, float("nan"), float("inf"), "", "x", "\ud800", "\n", "9" * 400, [], {}, [None], {"a": 1}),
    *((), b"x", {1: 2}, "!START", "v3", "#", "request", ["a"], {"encoding": "json", "value": 1}, {"a": {1: 1}}, "👽"),
)


def _places(form: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    for name, item in items:
        yield from _places(item, (*path, name))


def _put(form: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of a JSON form with another value at a place."""
    form = deepcopy(form)
    if not path:
        return value
    inner = form
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return form


@st.composite
def broken_forms(draw: st.DrawFn) -> tuple[str, Any]:
    """A format and a JSON form that was once of it, with values that may not stand where they do."""
    name = draw(st.sampled_from(NAMES))
    texts = [case.values[0] for case in cases(name)]
    text = draw(st.sampled_from([case["text"] for case in texts if "error" not in case]))
    form: Any = sabir.to_json(sabir.decode(text, name))
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(list(_places(form))))
        if path and draw(st.integers(0, 3)) == 0:
            path = (
                (*path[:-1], draw(st.sampled_from(["x", "", "\ud800", "payload", "silp"])))
                if type(path[-1]) is str
                else path
            )
        form = _put(form, path, deepcopy(draw(st.sampled_from(ODD))))
    return name, form


@given(broken_forms())
def test_a_broken_json_form_is_a_message_or_an_encode_error(broken: tuple[str, Any]) -> None:
    """Whatever a JSON form became, it is a message whose text survives, or an EncodeError that can be printed."""
    name, form = broken
    try:
        message = sabir.from_json(name, form)
    except sabir.EncodeError as error:
        assert str(error).isprintable()
        assert error.reason
    else:
        assert same(sabir.decode(sabir.encode(message), allow_unknown=True), message)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("silp-ir", ("intent",)),
        ("silp-ir", ("meta", "priority")),
        ("silp-ir", ("meta", "confidence")),
        ("slip", ("src",)),
        ("slip", ("payload", 0)),
        ("eap", ("data", "line")),
        ("slip", ("version",)),
        ("eap", ("direction",)),
        ("eap", ("priority",)),
        ("ait", ("packets", 0, "target")),
        ("ait", ("packets", 0, "priority")),
        ("lingua", ("kind",)),
        ("lingua", ("prefix",)),
        ("lingua", ("requests", 0, "payload", "encoding")),
        ("lingua", ("requests", 0, "payload", "value")),
    ],
    ids=lambda value: value if isinstance(value, str) else ".".join(map(str, value)),
)
def test_an_integer_that_cannot_be_printed_is_refused_by_its_path(name: str, path: tuple[Any, ...]) -> None:
    """Whatever field holds it, an integer of more digits than Python prints is an EncodeError with the field's path."""
    form = _put(sabir.to_json(_example(name)), path, 10**MAX_INT_DIGITS)
    with pytest.raises(sabir.EncodeError) as caught:
        sabir.from_json(name, form)
    dotted = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
    assert caught.value.path == dotted
    assert len(str(caught.value)) < 1000


ENDED: Final[dict[str, Callable[[str], object]]] = {
    "slip src": lambda end: sabir.SlipMessage(f"a{end}", "b", "MetaAck"),
    "slip dst": lambda end: sabir.SlipMessage("a", f"b{end}", "MetaAck"),
    "slip anchor": lambda end: sabir.SlipMessage("a", "b", f"MetaAck{end}"),
    "slip version": lambda end: sabir.SlipMessage("a", "b", "MetaAck", (), f"v1{end}"),
    "slip v3 name": lambda end: sabir.SlipMessage(f"a{end}", "b", "MetaAck", (), "v3"),
    "slip v3 token": lambda end: sabir.SlipMessage("a", "b", "MetaAck", (f"x{end}",), "v3"),
    "eap direction": lambda end: sabir.EapPacket(f"request{end}", "SEC", "XSS", "#ctx4"),
    "eap domain": lambda end: sabir.EapPacket("request", f"SEC{end}", "XSS", "#ctx4"),
    "eap action": lambda end: sabir.EapPacket("request", "SEC", f"XSS{end}", "#ctx4"),
    "eap target": lambda end: sabir.EapPacket("request", "SEC", "XSS", f"#ctx4{end}"),
    "eap key": lambda end: sabir.EapPacket("request", "SEC", "XSS", "#ctx4", None, {f"k{end}": 1}),
    "ait code": lambda end: AitDictionary.of([Entry(f"s{end}", "security", "SEC")], [Entry("x", "xss", "XSS")]),
    "ait value": lambda end: AitDictionary.of([Entry("s", f"security{end}", "SEC")], [Entry("x", "xss", "XSS")]),
    "ait eap": lambda end: AitDictionary.of([Entry("s", "security", "SEC")], [Entry("x", "xss", f"XSS{end}")]),
    "ait word": lambda end: sabir.from_json(
        "ait", {"packets": [{"domain": f"data{end}", "target": 1, "action": "fix", "priority": 1}]}
    ),
    "lingua domain": lambda end: LinguaRequest(f"7{end}", "3"),
    "lingua action": lambda end: LinguaRequest("7", f"3{end}"),
    "lingua modifier": lambda end: LinguaRequest("7", "3", f"1{end}"),
    "lingua target": lambda end: LinguaRequest("7", "3", target=f"1{end}"),
    "lingua id": lambda end: LinguaRequest("7", "3", id=f"1{end}"),
    "lingua time": lambda end: LinguaRequest("7", "3", time=f"+1h{end}"),
    "lingua condition": lambda end: LinguaRequest("7", "3", conditions=(f"K>1{end}",)),
    "lingua part": lambda end: LinguaRequest("7", "3", conditions=(f"P1/3{end}",)),
    "lingua prefix": lambda end: LinguaMessage.human("x", prefix=f"?{end}"),
    "lingua status": lambda end: LinguaMessage.response(f"0{end}"),
    "lingua answer id": lambda end: LinguaMessage.response("0", id=f"a{end}"),
    "lingua error": lambda end: LinguaMessage.error(f"2{end}"),
    "lingua subtype": lambda end: LinguaMessage.error("2", f"W{end}"),
    "lingua text": lambda end: LinguaMessage.human(f"x{end}"),
    "lingua version": lambda end: Signature(f"0.4{end}"),
    "lingua source": lambda end: Signature("0.4", f"agent-lingua{end}"),
    "lingua encoding": lambda end: Payload(f"text{end}", "x"),  # type: ignore[arg-type]
    "lingua sealed": lambda end: Payload("encrypted", f"AAAA:AAAA{end}"),
    "silp version": lambda end: sabir.SilpIR(silp=f"v1{end}", intent="!START", meta=sabir.Meta(req_id="abcd")),
    "silp intent": lambda end: sabir.SilpIR(intent=f"!START{end}", meta=sabir.Meta(req_id="abcd")),
    "silp action": lambda end: sabir.Entity(id="act", value="x", action=f"!START{end}"),
    "silp fallback": lambda end: sabir.Alternative(action=f"!START{end}"),
    "silp req_id": lambda end: sabir.Meta(req_id=f"abcd{end}"),
    "silp json form": lambda end: sabir.from_json("silp-ir", {"intent": f"!START{end}"}),
    "silp json req_id": lambda end: sabir.from_json("silp-ir", {"intent": "!START", "meta": {"req_id": f"abcd{end}"}}),
}
"""Every checked field of every constructor, with something behind a legal value."""


@pytest.mark.parametrize("field", ENDED)
def test_no_check_lets_a_trailing_line_end_pass(field: str) -> None:
    """A value that is legal but for the line end behind it is refused; a pattern that ends in $ would let it pass."""
    assert ENDED[field]("")
    for end in ("\n", "\r", "\r\n"):
        with pytest.raises((sabir.EncodeError, ValidationError)):
            ENDED[field](end)


def test_what_is_no_format_is_an_unsupported_frontend() -> None:
    """A peer that names `math`, which was never defined, gets the protocol's own code for it."""
    for name in ("math", "silp-math", ""):
        with pytest.raises(sabir.DecodeError) as caught:
            sabir.decode("start()", name)
        assert caught.value.code == "unsupported_frontend"


# --- the IR past its checks, and of other versions --------------------------------------------------------------------


def _holds_itself(ir: sabir.SilpIR) -> None:
    loop: list[Any] = []
    loop.append(loop)
    ir.meta.__pydantic_extra__["x"] = loop


CHANGES: Final[dict[str, Callable[[sabir.SilpIR], object]]] = {
    "a number for an entity": lambda ir: ir.entities.append(5),  # type: ignore[arg-type]
    "an object for an entity": lambda ir: ir.entities.append({"id": "act", "value": "x"}),  # type: ignore[arg-type]
    "an extra field that holds itself": _holds_itself,
    "an extra field of another type": lambda ir: ir.meta.__pydantic_extra__.update(x=object()),  # type: ignore[call-overload]
    "a giant integer": lambda ir: ir.meta.__pydantic_extra__.update(x=10**MAX_INT_DIGITS),
    "no metadata": lambda ir: ir.__dict__.update(meta=None),
}
"""What a program can do to an IR that its classes do not see."""


@pytest.mark.parametrize("change", CHANGES)
def test_an_ir_changed_past_its_checks_is_refused_by_every_target(change: str) -> None:
    """Translating it is an EncodeError or a TranslationError in every format, as writing it is in SILP's own."""
    for format in FORMATS:
        ir = sabir.to_ir(sabir.decode("if loc(me,Beijing): cancel(flight)"))
        CHANGES[change](ir)
        with pytest.raises((sabir.EncodeError, sabir.TranslationError)):
            sabir.translate(ir, format.name)


def test_an_ir_built_without_its_fields_has_no_json_form() -> None:
    """to_json refuses an IR that was made without validation and lacks a field, with the field's path."""
    for ir, path in (
        (sabir.SilpIR.model_construct(meta=sabir.Meta(req_id="abcd")), "intent"),
        (sabir.SilpIR.model_construct(intent="!START"), "meta"),
    ):
        with pytest.raises(sabir.EncodeError) as caught:
            sabir.to_json(ir)
        assert path in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda message: sabir.from_ir(message, "eap"),
        lambda message: sabir.equivalent(message, message.replace(src="c")),
    ],
    ids=["from_ir", "equivalent"],
)
def test_another_message_is_no_ir(call: Callable[[Any], object]) -> None:
    """A message given where an IR is wanted is an EncodeError that says so."""
    with pytest.raises(sabir.EncodeError, match="SlipMessage"):
        call(sabir.decode("SLIP v1 a b MetaAck"))


def test_a_target_that_cannot_hold_a_version_refuses_as_a_translation() -> None:
    """silp-ir holds no other version of SILP; translating one into it is a TranslationError, as every such refusal."""
    with pytest.raises(sabir.TranslationError, match="v2"):
        sabir.translate('start() # {"silp":"v2"}', "silp-ir")


def test_receivers_ignore_unknown_fields_silently() -> None:
    """Unknown fields of all parts are kept, and no rule has anything to say of them."""
    form = {
        "intent": "!START",
        "entities": [{"id": "act", "value": "hike", "unit": "km"}],
        "constraints": [{"type": "rain", "value": "true", "source": {"station": 7}}],
        "alternatives": [{"action": "!BOOK", "target": "cards", "players": [2, 4]}],
        "meta": {"trace": None, "cost": 0.5},
    }
    ir = sabir.to_ir(sabir.from_json("silp-ir", form))
    assert check(ir) == check(ir, "strict") == []
    for name in LOSSLESS:
        assert canonical(_by_way_of(ir, name)) == form


# --- translation: nothing lost, nothing silently changed --------------------------------------------------------------


def _by_way_of(ir: sabir.SilpIR, name: str) -> sabir.SilpIR:
    """What an IR has become when it went through the text of a format."""
    return sabir.to_ir(sabir.decode(sabir.encode(sabir.from_ir(ir, name), name), name))


def _acts(*values: str) -> list[dict[str, Any]]:
    return [{"id": "act", "value": value} for value in values]


STRUCTURES: Final[dict[str, dict[str, Any]]] = {
    "subject and operator": {
        "constraints": [{"type": "loc", "value": "Beijing", "time": "t+1", "subject": "me", "operator": "<="}]
    },
    "an operator of its own": {"constraints": [{"type": "a", "value": "b", "operator": "=~"}]},
    "ids of secondary entities": {
        "entities": [*_acts("flight"), {"id": "to", "value": "zhangsan", "action": "!EMAIL"}]
    },
    "repeated ids": {
        "entities": [{"id": "to", "value": "a"}, *_acts("x"), {"id": "to", "value": "b"}, {"id": "to", "value": "a"}]
    },
    "the value of a negated constraint": {"constraints": [{"type": "!rain", "value": "heavy", "time": "t+1"}]},
    "all of meta": {
        "meta": {
            "session_id": "a1",
            "priority": -3,
            "confidence": 0.25,
            "seq": ["!START", "parallel", ""],
            "out": "xml",
            "next_agent": "two words",
            "sender": "",
            "trace": [None, {"x": 19000000000000000001}],
        }
    },
    "blanks": {"entities": _acts("", " ", "two  blanks", " outer ", "tab\tline\nreturn\rboth\r\nend")},
    "characters that look alike or cannot be seen": {
        "entities": _acts(
            "é", "e\u0301", "می\u200cخواهم", "👩\u200d🚀", "а", "a\u200b", "\ufeffx", "\u202eabc", "\x00\x7f\x9f"
        )
    },
    "strings that look like numbers": {
        "entities": _acts(
            ".75", "+4915550100", "1.10", "007", "2e3", "1_000", "0x1F", "004213", "-0", "1e999", "true", "null"
        )
    },
    "reserved names": {
        "entities": [
            {"id": id, "value": "v"}
            for id in ("intent", "constraints", "ir", "meta", "action_email", "time", "", "@ir", "@from", "if")
        ]
    },
    "fallbacks": {
        "constraints": [{"type": "rain", "value": "true"}],
        "alternatives": [
            {"action": "!ROUTE"},
            {"action": "!ROUTE", "location": "t+1"},
            {"action": "!ROUTE", "target": "else"},
        ],
    },
}
"""What the protocols' own references lose: parts of an IR, in its canonical form."""


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_no_structure_is_lost_in_any_format(structure: str, name: str) -> None:
    """Each part comes back from the text of every format just as it was, and so does its order."""
    form = {"intent": "!START", **STRUCTURES[structure]}
    ir = sabir.to_ir(sabir.from_json("silp-ir", form))
    assert canonical(_by_way_of(ir, name)) == form


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "<SEC:VUL #ctx4 | line=42 fixed=false",
            {
                "intent": "!VUL",
                "entities": [
                    {"id": "act", "value": "ctx4"},
                    {"id": "line", "value": "42", "type": "int"},
                    {"id": "fixed", "value": "false", "type": "bool"},
                ],
                "meta": {"direction": "response", "domain": "SEC"},
            },
        ),
        (
            ">SYS:FIX #ctx4",
            {"intent": "!FIX", "entities": _acts("ctx4"), "meta": {"direction": "request", "domain": "SYS"}},
        ),
        (
            "=SYS:HLO #usr !1",
            {"intent": "!HLO", "entities": _acts("usr"), "meta": {"direction": "sync", "domain": "SYS", "priority": 1}},
        ),
        ("^0|#abc", {"intent": "!INFORM_COMPLETE", "entities": _acts("abc")}),
        ("!E2W", {"intent": "!ERROR_PERMISSION", "meta": {"subtype": "W"}}),
        ("SLIP v1 - - Defer", {"intent": "!DEFER"}),
        (
            "update(user_7,field=pin,new_value=004213)",
            {
                "intent": "!UPDATE",
                "entities": [*_acts("user_7"), {"id": "field", "value": "pin"}, {"id": "new_value", "value": "004213"}],
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_nothing_changes_silently_on_the_way(text: str, wanted: dict[str, Any]) -> None:
    """In every format a response stays one, an absent priority absent, a domain itself, and text stays text."""
    for name in LOSSLESS:
        there = sabir.translate(text, name)
        assert canonical(sabir.to_ir(sabir.decode(there.text, name))) == wanted


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        (
            "if load(db): inform_complete(build)",
            {
                "eap": "<GEN:INFORM_COMPLETE #build |",
                "slip": "SLIP v1 - - InformComplete silp",
                "lingua": "^0|#build|$j:",
            },
        ),
        (
            "if load(db): meta_sync(build)",
            {"eap": "=GEN:META_SYNC #build |", "slip": "SLIP v1 - - MetaSync silp", "lingua": "👽1C|#build|$j:"},
        ),
        (
            "if load(db): cancel(flight)",
            {"eap": ">GEN:CANCEL #flight |", "slip": "SLIP v1 - - RequestCancel silp", "lingua": "👽14|#flight|$j:"},
        ),
        (
            "if load(db): error_timeout(build)",
            {"eap": "<GEN:ERROR_TIMEOUT #build |", "slip": "SLIP v1 - - ErrorTimeout silp", "lingua": "!E4|$j:"},
        ),
    ],
    ids=["response", "sync", "request", "error"],
)
def test_a_message_that_is_carried_has_a_head_that_means_the_same(text: str, heads: dict[str, str]) -> None:
    """Without opening what is carried, a reader sees who asks or answers, about what, and with which word."""
    for name, head in heads.items():
        done = sabir.translate(text, name)
        assert done.text.startswith(head)
        assert (done.native, done.lossless) == (False, True)


@given(st.sampled_from(sorted(MESSAGES)), st.permutations(LOSSLESS), st.data())
def test_the_way_makes_no_difference(kind: str, way: list[str], data: st.DataObject) -> None:
    """Through all formats in turn, a message has in each the text that the direct way gives, and comes back."""
    message = data.draw(
        MESSAGES[kind].filter(lambda found: not isinstance(found, sabir.SlipMessage) or found.anchor.index >= 0)
    )
    own = sabir.encode(message)
    source = next(format.name for format in READABLE if format.kind.name == kind)
    text, at = own, source
    for name in way:
        text, direct = sabir.translate(text, name, at).text, sabir.translate(own, name, source).text
        assert same(sabir.decode(text, name), sabir.decode(direct, name))
        assert text == direct or name == "silp-ir", "only the request id may differ, and only silp-ir writes it"
        at = name
    assert same(sabir.decode(sabir.translate(text, source, at).text, source), message)


def test_a_sender_that_is_no_name_shifts_no_field_of_slip() -> None:
    """An agent id with a blank is refused by SLIP's constructor, and what an IR says of such a sender is carried."""
    with pytest.raises(sabir.EncodeError, match="src"):
        sabir.SlipMessage("two words", "b", "MetaAck")
    ir = sabir.to_ir(sabir.decode('meta_ack(x) # {"meta":{"next_agent":"b c","sender":"two words"}}'))
    message = sabir.from_ir(ir, "slip")
    assert isinstance(message, sabir.SlipMessage)
    assert (message.src, message.dst, message.anchor.mnemonic, message.payload[0]) == ("-", "-", "MetaAck", "silp")
    assert sabir.equivalent(_by_way_of(ir, "slip"), ir)


@pytest.mark.parametrize("name", LOSSLESS)
def test_big_integers_of_agent_lingua_survive_every_format(name: str) -> None:
    """Integers beyond 2^53 and 2^64 in a payload come back digit by digit, floats as floats."""
    payload = _base64('{"n":19000000000000000001,"m":18446744073709551617,"x":1.0,"y":[1,1.0,true]}')
    text = f"👽72|$j:{payload}"
    assert sabir.translate(sabir.translate(text, name).text, "lingua", name).text == text


# --- Agent Lingua: injection, and the seed's tables in full -----------------------------------------------------------

_PLAIN: Final = {
    "target": "qa",
    "id": "doc-7",
    "time": "+2h",
    "conditions": ("K>100",),
    "payload": Payload("text", "calm"),
}
HOSTILE: Final[dict[str, tuple[st.SearchStrategy[str], Callable[[str], dict[str, Any]]]]] = {
    "target": (WORDS.filter(lambda text: is_value(text) is not None), lambda text: {"target": text}),
    "id": (WORDS.filter(lambda text: is_value(text) is not None), lambda text: {"id": text}),
    "condition": (WORDS.filter(lambda text: is_condition(f"T={text}")), lambda text: {"conditions": (f"T={text}",)}),
    "text": (WORDS, lambda text: {"payload": Payload("text", text)}),
    "raw": (WORDS, lambda text: {"payload": Payload("raw", text)}),
    "zlib": (WORDS, lambda text: {"payload": Payload("zlib", text)}),
    "json": (WORDS, lambda text: {"payload": Payload("json", {"note": text})}),
}
"""Each free field of a request, with the texts that may stand in it."""


@pytest.mark.parametrize("field", HOSTILE)
@given(data=st.data())
def test_one_field_of_agent_lingua(field: str, data: st.DataObject) -> None:
    """Whatever a field of the first operation holds, every other field and the next operation are read as before."""
    texts, place = HOSTILE[field]
    fields = {**_PLAIN, **place(data.draw(texts))}
    message = LinguaMessage.request(
        LinguaRequest("7", "3", "1", **fields), LinguaRequest("4", "2", id="next"), signature=Signature()
    )
    again = sabir.decode(sabir.encode(message), "lingua")
    assert isinstance(again, LinguaMessage)
    first, second = again.requests
    assert {name: getattr(first, name) for name in _PLAIN} == fields
    assert (second, again.signature, len(again.requests)) == (message.requests[1], Signature(), 2)


@given(WORDS.filter(lambda text: is_details(text) is not None), WORDS.map(str.strip).filter(is_spoken))
def test_details_and_human_language_of_agent_lingua(details: str, spoken: str) -> None:
    """What ends an error, and what is said in human language, opens no field and no message of its own."""
    error = LinguaMessage.error(
        "5", time="+30m", payload=Payload("text", "calm"), details=details, signature=Signature()
    )
    human = LinguaMessage.human(spoken, signature=Signature())
    for message in (error, human):
        again = sabir.decode(sabir.encode(message), "lingua")
        assert same(again, message)
        for name in LOSSLESS:
            there = sabir.translate(message, name)
            assert same(sabir.decode(sabir.translate(there.text, "lingua", name).text, "lingua"), message)


def test_the_tables_of_agent_lingua_are_the_seeds() -> None:
    """All codes of the seed's tables, with the short names of domains and actions."""
    tables = default()
    codes = "0123456789ABCDEF"
    domains = "SYS MSG FSX WEB CRN MEM EXC MBK SOC FIN ANA MDA LOC IOT SEC EXT"
    actions = "NOP GET PUT PST DEL UPD QRY SUB USB HSK REJ FWD SYN VFY TRF XTD"
    for table, names in ((tables.domains, domains), (tables.actions, actions)):
        assert {code: entry.name for code, entry in table.by_code.items()} == dict(
            zip(codes, names.split(), strict=True)
        )
    for table, wanted in (
        (tables.modifiers, "0 1 2 3 4 5 6 7 8 9"),
        (tables.statuses, "0 1 2 3 8 9 A"),
        (tables.errors, "0 1 2 3 4 5 6"),
        (tables.subtypes, "R W X"),
        (tables.targets, "0 1 2 3 H A S"),
    ):
        assert set(table.by_code) == set(wanted.split())
    dynamic = tables.target("99name")
    assert dynamic is not None
    assert dynamic.name == "name"


def test_an_agent_lingua_code_of_no_table_is_named_by_its_character() -> None:
    """An unknown domain, action, modifier, status, error or subtype: the span is that one character."""
    for text, at in (("👽G3", 1), ("👽7G", 2), ("👽73A", 3), ("^4", 1), ("!E2Q", 3), ("👽73;;👽7g", 7)):
        with pytest.raises(sabir.DecodeError, match=f'no [a-z ]+ "{text[at]}"') as caught:
            sabir.decode(text, "lingua")
        assert caught.value.span == (at, at + 1)


# --- AIT --------------------------------------------------------------------------------------------------------------


@given(st.sampled_from("rdpgnos"), st.integers(0, 35), st.sampled_from("xmfabquv"), st.integers(1, 9))
def test_a_tape_is_four_characters_by_the_published_codes(domain: str, target: int, action: str, priority: int) -> None:
    """Each packet of the published dictionary is read by its tables, and is its EAP packet."""
    domains = {"s": "SEC", "d": "DAT", "r": "REF", "p": "PRED", "g": "SGE", "n": "NST", "o": "OBS"}
    actions = dict(
        zip("xmfabquv", ["XSS", "SUM", "FIX", "AUDIT", "BRANCH", "QUERY", "UPDATE", "VALIDATE"], strict=True)
    )
    text = f"{domain}{'0123456789abcdefghijklmnopqrstuvwxyz'[target]}{action}{priority}"
    tape = sabir.decode(text, "ait")
    assert isinstance(tape, sabir.AitTape)
    assert (type(tape.packets[0]), tape.packets[0].target, tape.packets[0].priority) == (AitPacket, target, priority)
    there = sabir.translate(text, "eap", "ait")
    assert there.text == f">{domains[domain]}:{actions[action]} #ctx{target} !{priority}"
    assert sabir.translate(there.text, "ait").text == text
