"""EAP as text, in both forms: vectors, near misses with their spans, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.eap import EapPacket, decode, decode_all, decode_all_unicode, decode_unicode
from sabir.eap.packet import from_json, to_json
from sabir.eap.values import MAX_DATA_DEPTH
from sabir.errors import DecodeError
from sabir.jsontext import MAX_TEXT
from strategies.eap import TRAPS, eap_packets, keys, texts

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = Path(__file__).parent / "vectors"
READERS = {"eap": decode, "eap-unicode": decode_unicode}
WRITERS = {"eap": EapPacket.to_ascii, "eap-unicode": EapPacket.to_unicode}
HEAD = ">DAT:SUM #ctx1 | "


def cases(error: bool) -> list[Any]:  # noqa: FBT001  # told apart by one word at the call
    """Vectors of both forms that decode, or that do not."""
    return [
        pytest.param(name, case, id=f"{name}-{case['id']}")
        for name in READERS
        for case in json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        if ("error" in case) is error
    ]


@pytest.mark.parametrize(("name", "case"), cases(error=False))
def test_vectors_that_decode(name: str, case: dict[str, Any]) -> None:
    """The text is the message, and the message is written as the canonical text."""
    packet = READERS[name](case["text"])
    assert dumped(to_json(packet)) == dumped(case["message"])
    assert from_json(case["message"]) == packet
    assert WRITERS[name](packet) == case.get("canonical", case["text"])


@pytest.mark.parametrize(("name", "case"), cases(error=True))
def test_vectors_that_do_not_decode(name: str, case: dict[str, Any]) -> None:
    """The text is refused with the error class that the vector names."""
    with pytest.raises(DecodeError) as caught:
        READERS[name](case["text"])
    assert type(caught.value).__name__ == case["error"]


def fault(read: Callable[[str], object], text: str) -> DecodeError | None:
    """The error that a decoder raises of a text, if it raises one."""
    try:
        read(text)
    except DecodeError as error:
        return error
    return None


def dumped(form: Any) -> str:
    """JSON text, in which 1, 1.0 and true differ and the order counts."""
    return json.dumps(form, ensure_ascii=False)


# --- lossless --------------------------------------------------------------------------------------------


@given(eap_packets(), st.sampled_from(["", " ", "\n", "\t ", "\r\n", "\u2003", "\xa0"]))
def test_nothing_is_lost(packet: EapPacket, blank: str) -> None:
    """decode(encode(p)) == p in both forms, with blanks around it, and one packet has one text."""
    for name, read in READERS.items():
        text = WRITERS[name](packet)
        assert read(blank + text + blank, strict=True) == packet
        assert WRITERS[name](read(text)) == text


@given(st.lists(eap_packets(), min_size=1, max_size=4), st.sampled_from([" ", "\n", "\r\n", " \t ", "\n\n"]))
def test_several_packets_in_a_text(packets: list[EapPacket], gap: str) -> None:
    """All come back in order from decode_all, however separated, and decode refuses more than one."""
    for name, read_all in (("eap", decode_all), ("eap-unicode", decode_all_unicode)):
        text = gap.join(WRITERS[name](packet) for packet in packets)
        assert read_all(text) == packets
        if len(packets) > 1:
            with pytest.raises(DecodeError, match="a second packet starts here; decode_all") as caught:
                READERS[name](text)
            assert caught.value.span == (len(WRITERS[name](packets[0]) + gap), len(text))


@given(st.text(st.sampled_from("><=:!|#\"'\\{}[], \n\tSECX19ab◤➔📦⚡⁝\ufe0f\u200b“.-"), max_size=40))
def test_only_decode_errors_leave(text: str) -> None:
    """Whatever a text holds, it is a packet or a DecodeError with a span inside it."""
    for piece in (text, HEAD + text, ">SEC:XSS " + text, "◤SEC::XSS ➔ 📦[#a] ⁝ " + text):
        for read in (decode, decode_unicode, decode_all, decode_all_unicode):
            if error := fault(read, piece):
                start, end = error.span
                assert 0 <= start <= end <= len(piece)
                assert error.text == piece
                assert error.reason
                assert str(error).isprintable() or "\n" in str(error)


@pytest.mark.parametrize("value", [".75", "+4915550100", "1.10", "007", "2e3", "1_000", "0x1F", *TRAPS])
def test_strings_stay_strings(value: str) -> None:
    """A string that looks like something else comes back as itself, in both forms."""
    packet = EapPacket.request(domain="DAT", action="SUM", target="#a", data={"v": value, "w": [value]})
    assert decode(packet.to_ascii()).data == {"v": value, "w": [value]}
    assert decode_unicode(packet.to_unicode()).data == {"v": value, "w": [value]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("19000000000000000001", 19000000000000000001),
        ("18446744073709551617", 18446744073709551617),
        ("-0", 0),
        ("-12", -12),
        ("0.5", 0.5),
        ("-0.0", -0.0),
        ("100.0", 100.0),
        ("1E2", 100.0),
        ("1e+16", 1e16),
        ("2.5e-3", 0.0025),
        ("true", True),
        ("false", False),
        ("null", None),
        ("True", "True"),
        ("NaN", "NaN"),
        ("01", "01"),
        ("1.", "1."),
        (".5", ".5"),
        ("+1", "+1"),
        ("1e", "1e"),
        ("-", "-"),
        ("٣", "٣"),
        ("a=b", "a=b"),
        ("fix,else=next", "fix,else=next"),
        ("src/app.py:12#L3", "src/app.py:12#L3"),
        (">SEC:SQL", ">SEC:SQL"),
        ("!9", "!9"),
        ("don’t", "don’t"),
        ('""', ""),
        ('"\\u00e9\\ud83d\\udc7d\\n"', "é👽\n"),
        ("''", ""),
        ("'say \"hi\"'", 'say "hi"'),
        ("'it\\'s'", "it's"),
        ("'a\\\\b\\n\\\"'", 'a\\b\n"'),
        ('{"x": [1, true,\n null]}', {"x": [1, True, None]}),
        ("[]", []),
    ],
)
def test_values(text: str, value: Any) -> None:
    """Each spelling is read with its type."""
    for packet in (decode(f"{HEAD}v={text} w=1"), decode_unicode(f"◤DAT::SUM ➔ 📦[#ctx1] ⁝ v={text} w=1")):
        assert dumped(packet.data) == dumped({"v": value, "w": 1})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("abc", "abc"),
        ("a.b/c:d#e-f_9", "a.b/c:d#e-f_9"),
        ("a,b", '"a,b"'),
        ("a b", '"a b"'),
        ("1", '"1"'),
        ("null", '"null"'),
        ("", '""'),
        ("é", '"é"'),
        ("\u200b", '"\\u200b"'),
        ("\u202e\x7f\x85", '"\\u202e\\u007f\\u0085"'),
        ("\n\t", '"\\n\\t"'),
        ("\xa0", '"\xa0"'),
        (1e16, "1e16"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (10**20, "100000000000000000000"),
        (True, "true"),
        (None, "null"),
        ({"a": ["\u2028", 1.0]}, '{"a":["\\u2028",1.0]}'),
    ],
)
def test_spellings(value: Any, text: str) -> None:
    """Each value is written in one way."""
    packet = EapPacket.request(domain="DAT", action="SUM", target="#ctx1", data={"v": value})
    assert packet.to_ascii() == f"{HEAD}v={text}"


@pytest.mark.parametrize(
    ("target", "ascii"),
    [
        ("#ctx4", "#ctx4"),
        ("#a.b:c-d_e", "#a.b:c-d_e"),
        ("#北京 4", '#"北京 4"'),
        ('#"', '#"\\""'),
        ("#a/b", '#"a/b"'),
        ("##", '#"#"'),
        ("# ", '#" "'),
        ("#\u200b", '#"\\u200b"'),
        ("#[", '#"["'),
    ],
)
def test_targets(target: str, ascii: str) -> None:
    """ASCII quotes any target but the plainest, Unicode writes all as they are; both come back."""
    packet = EapPacket.sync(domain="SYS", action="OK", target=target, priority=1)
    assert packet.to_ascii() == f"=SYS:OK {ascii} !1"
    assert packet.to_unicode() == f"▰SYS::OK ➔ 📦[{target}] ⚡1"
    assert decode(packet.to_ascii()) == decode_unicode(packet.to_unicode()) == packet


def test_a_quoted_target_may_be_a_plain_one() -> None:
    """A target that need not be quoted is read quoted too, and written bare."""
    assert decode('>SEC:XSS #"ctx4" !9').to_ascii() == ">SEC:XSS #ctx4 !9"


@pytest.mark.parametrize(
    "text",
    [
        ">SEC:XSS\t #ctx4 \t!9|a=1",
        ">SEC:XSS #ctx4 !9 |a=1",
        "\n>SEC:XSS #ctx4 !9\t|\ta=1\r\n",
        "\u2003>SEC:XSS #ctx4 !9 | a=1\xa0",
    ],
)
def test_blanks_are_free(text: str) -> None:
    """Any run of spaces and tabs separates, and the bar needs none."""
    assert decode(text).to_ascii() == ">SEC:XSS #ctx4 !9 | a=1"


@pytest.mark.parametrize(
    "text",
    [
        "◤SEC::XSS➔📦[#ctx4]⚡9⁝a=1",
        "◤SEC::XSS ➔\ufe0f 📦\ufe0f[#ctx4] ⚡️9 ⁝ a=1",
        "◤SEC::XSS\t➔  📦[#ctx4]  ⚡9\t⁝ a=1",
    ],
)
def test_unicode_blanks_and_variants_are_free(text: str) -> None:
    """The Unicode form's signs separate by themselves, and may ask for colour."""
    assert decode_unicode(text).to_unicode() == "◤SEC::XSS ➔ 📦[#ctx4] ⚡9 ⁝ a=1"


@given(keys(), texts())
def test_keys_that_look_like_a_head(key: str, value: str) -> None:
    """With its =, any legal key is a key, whatever it looks like."""
    packet = EapPacket.request(domain="DAT", action="SUM", target="#a", data={key: value, "z": 1})
    assert decode(packet.to_ascii()) == packet
    assert decode_unicode(packet.to_unicode()) == packet


def test_bare_keys_are_true() -> None:
    """A bare key means true, wherever it stands."""
    assert decode(f"{HEAD}a b=1 c!").data == {"a": True, "b": 1, "c!": True}
    assert decode_all(f"{HEAD}a\n=SYS:OK #c")[0].data == {"a": True}


def test_strict_refuses_wide_words_alone() -> None:
    """Strict holds bare words to those that are written bare."""
    assert decode(f"{HEAD}on_err=retry,report").data == {"on_err": "retry,report"}
    with pytest.raises(DecodeError, match="quote it") as caught:
        decode(f"{HEAD}on_err=retry,report", strict=True)
    assert caught.value.span == (24, 36)
    assert decode(f"{HEAD}a=1e+16 b='x' c", strict=True).data == {"a": 1e16, "b": "x", "c": True}


def test_an_empty_text_has_no_packets() -> None:
    """decode_all of nothing is nothing."""
    assert decode_all("") == decode_all(" \n ") == decode_all_unicode("") == []


# --- near misses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "span", "reason"),
    [
        ("", (0, 0), "a packet starts with > (request), < (response) or = (sync)"),
        ("  ", (2, 2), "a packet starts with"),
        ("please check", (0, 6), "a packet starts with"),
        ("◤SEC::XSS ➔ 📦[#a]", (0, 9), "this is EAP's Unicode form: read it as eap-unicode"),
        (">", (1, 1), "a domain is 2 to 8 of A-Z 0-9"),
        (">S:XSS #a", (1, 2), "a domain is 2 to 8 of A-Z 0-9"),
        (" >sec:XSS #a", (2, 5), 'a domain is 2 to 8 of A-Z 0-9: write "SEC"'),
        (">SECURITY1:XSS #a", (1, 10), "a domain is 2 to 8"),
        (">SEC", (4, 4), ": stands between domain and action in the ASCII form"),
        (">SEC::XSS #a", (4, 6), ": stands between domain and action in the ASCII form"),
        (">SEC:", (5, 5), "an action is 2 to 16 of A-Z 0-9 _"),
        (">SEC:xss #a", (5, 8), 'write "XSS"'),
        (">SEC:X #a", (5, 6), "an action is 2 to 16"),
        (">SEC:XSS", (8, 8), "no target: write a context pointer such as #ctx0"),
        (">SEC:XSS !9", (9, 11), "no target"),
        (">SEC:XSS#a", (8, 9), "a blank stands before the target"),
        (">SEC:XSS # a", (9, 10), "a target is # and A-Z a-z 0-9 _ . : -, or # and a quoted string"),
        (">SEC:XSS #北京", (9, 12), "a target is #"),
        (
            ">SEC:XSS #a/b",
            (11, 12),
            'a target with other characters than A-Z a-z 0-9 _ . : - is quoted: #"a b"',
        ),
        ('>SEC:XSS #"a', (10, 11), 'no closing quote: this " opens a string'),
        ('>SEC:XSS #"a\nb"', (12, 13), "control character"),
        ('>SEC:XSS #""', (9, 12), "a target has one or more characters, none of them ] or a control"),
        ('>SEC:XSS #"]"', (9, 13), "none of them ]"),
        ('>SEC:XSS #"\\ud800"', (11, 17), "lone surrogate"),
        (">SEC:XSS #a !0", (12, 14), "a priority is one digit from 1 to 9, as in !5"),
        ("\t>SEC:XSS #a !10", (13, 16), "a priority is one digit"),
        (">SEC:XSS #a ! 9", (12, 13), "a priority is one digit"),
        (">SEC:XSS #a !9 !8", (15, 17), "a priority stands once, right after the target"),
        (">SEC:XSS #a foo", (12, 15), "after the target stands a priority, | and data, or nothing"),
        (">SEC:XSS #a |", (12, 13), "no data after the |: leave it out"),
        (">SEC:XSS #a | \n=SYS:OK #b", (12, 13), "no data after the |"),
        (">SEC:XSS #a | >SEC:SQL #b", (12, 13), "no data after the |"),
        (">SEC:XSS #a\n!9", (12, 14), "a packet stands on one line, and here starts no other"),
        (">SEC:XSS #a | a=1\r\nb=2", (19, 22), "a packet stands on one line"),
        (">SEC:XSS #a | a=1 >SEC:SQL", (18, 26), "a second packet starts here"),
        (">SEC:XSS #a ◤SEC::SQL ➔ 📦[#b]", (12, 21), "all of a text are in one form"),
        (f"{HEAD}a=1 ◤SEC::SQL", (21, 30), "a packet of another form, or with a fault"),
        (
            f"{HEAD}a=1 !9",
            (21, 23),
            "a priority stands before the data; a key of that name is written !9=true",
        ),
        (f"{HEAD}#b", (17, 19), "a target stands before the data"),
        (f"{HEAD}📦[#b", (17, 21), "a target stands before the data"),
        (f"{HEAD}a=1 a=2", (21, 22), 'key "a" stands twice'),
        (f"{HEAD}ab=1 ab", (22, 24), 'key "ab" stands twice'),
        (f"{HEAD}a=", (19, 19), 'no value after the =; an empty string is ""'),
        (f"{HEAD}a= b=1", (19, 20), "no value after the ="),
        (f"{HEAD}a=|", (19, 20), "a value that starts so is quoted"),
        (f"{HEAD}a=\x00", (19, 20), "a value that starts so is quoted"),
        (f"{HEAD}=1", (17, 18), "a key stands right before its ="),
        (f"{HEAD}a =1", (19, 20), "a key stands right before its ="),
        (f"{HEAD}a=1 | b=2", (21, 22), "| stands once, before the data"),
        (f'{HEAD}"x"', (17, 18), "a string belongs to a key"),
        (f"{HEAD}a=1 \xa0b=2", (21, 22), "data are key=value pairs, separated by spaces or tabs"),
        (f"{HEAD}a=1\xa0b=2", (20, 21), "pairs are separated by spaces or tabs"),
        (f"{HEAD}a=b\x01", (20, 21), "pairs are separated by spaces or tabs"),
        (f'{HEAD}a=b"c"', (20, 21), '" inside a bare word: quote the whole value'),
        (f"{HEAD}a=b|c", (20, 21), "| inside a bare word: quote the whole value"),
        (f"{HEAD}a=it's", (21, 22), "' inside a bare word: quote the whole value"),
        (f'{HEAD}a="b"c', (22, 23), "a space or tab stands between two pairs"),
        (f"{HEAD}a='b'c", (22, 23), "a space or tab stands between two pairs"),
        (f"{HEAD}a='it's", (23, 24), "a space or tab stands between two pairs"),
        (f"{HEAD}a=[1]b", (22, 23), "a space or tab stands between two pairs"),
        (f"{HEAD}a=“b”", (19, 20), '“ is a typographic quote; a value is quoted with "'),
        (f"{HEAD}a=‘b’", (19, 20), "‘ is a typographic quote; a value is quoted with '"),
        (f'{HEAD}a="1', (19, 20), 'no closing quote: this " opens a string'),
        (f'{HEAD}a="x\ty"', (21, 22), "a control character inside a quoted string must be escaped"),
        (f'{HEAD}a="\\q"', (20, 22), "bad escape in a quoted string"),
        (f'{HEAD}a="\\udc00"', (20, 26), "lone surrogate"),
        (f"{HEAD}a='1", (19, 20), "no closing quote: this ' opens a string"),
        (f"{HEAD}a='\\'", (19, 20), "no closing quote: this ' opens a string"),
        (f"{HEAD}a='x\ny'", (21, 22), "a control character inside a quoted string must be escaped"),
        (f"{HEAD}a='x\\q'", (21, 23), "bad escape in a quoted string"),
        (f"{HEAD}a='x\\u12'", (21, 23), "bad escape in a quoted string"),
        (f"{HEAD}a='\\ud800'", (19, 27), "lone surrogate"),
        (f"{HEAD}a=1e999", (19, 24), "a number beyond the range of a float: quote it"),
        (f"{HEAD}a=-{'9' * 4301}", (19, 4321), "an integer of more than 4300 digits: quote it"),
        (f'{HEAD}a={{"b":1', (25, 25), "JSON: expecting ',' delimiter"),
        (f'{HEAD}a={{"b":1,"b":2}}', (26, 29), 'key "b" stands twice in one object'),
        (f"{HEAD}a=[NaN]", (20, 23), "NaN is no JSON value"),
        (f"{HEAD}a={'[' * 137}{']' * 137}", (19, 293), "JSON nested deeper than 136"),
        ("\ud800>SEC:XSS #a", (0, 1), "lone surrogate"),
    ],
)
def test_near_misses(text: str, span: tuple[int, int], reason: str) -> None:
    """Each fault is refused where it is, with what would be right."""
    with pytest.raises(DecodeError) as caught:
        decode(text)
    assert reason in caught.value.reason
    assert caught.value.span == span
    assert caught.value.text == text
    assert caught.value.format == "eap"
    assert caught.value.code == "invalid_syntax"


@pytest.mark.parametrize(
    ("text", "span", "reason"),
    [
        ("SEC::XSS", (0, 8), "a packet starts with ◤ (request), ◢ (response) or ▰ (sync)"),
        (">SEC:XSS #a", (0, 8), "this is EAP's ASCII form: read it as eap"),
        ("◤SEC:XSS ➔ 📦[#a]", (4, 5), ":: stands between domain and action in the Unicode form"),
        ("◤sec::XSS", (1, 4), 'write "SEC"'),
        ("◤SEC::X", (6, 7), "an action is 2 to 16"),
        ("◤SEC::XSS 📦[#a]", (10, 15), "➔ stands between action and target"),
        ("◤SEC::XSS ➔ [#a]", (12, 16), "no target: write a context pointer such as 📦[#ctx0]"),
        ("◤SEC::XSS ➔", (11, 11), "no target"),
        ("◤SEC::XSS ➔ 📦#a", (12, 15), "no target"),
        ("◤SEC::XSS ➔ 📦[#a", (13, 14), "no closing ]: the 📦[ opens a target"),
        ("◤SEC::XSS ➔ 📦[#a\n]", (13, 14), "no closing ]"),
        ("◤SEC::XSS ➔ 📦[a]", (14, 15), "a target is # and one or more characters other than ] and controls"),
        ("◤SEC::XSS ➔ 📦[#]", (14, 15), "a target is #"),
        ("◤SEC::XSS ➔ 📦[#\t]", (14, 16), "a target is #"),
        ("◤SEC::XSS ➔ 📦[#a] ⚡0", (18, 20), "a priority is one digit from 1 to 9"),
        ("◤SEC::XSS ➔ 📦[#a] ⚡10", (18, 21), "a priority is one digit from 1 to 9"),
        ("◤SEC::XSS ➔ 📦[#a] | a=1", (18, 19), "after the target stands a priority, ⁝ and data, or nothing"),
        ("◤SEC::XSS ➔ 📦[#a] ⁝", (18, 19), "no data after the ⁝"),
        ("◤SEC::XSS ➔ 📦[#a] ⁝ ⚡9", (20, 22), "a priority stands before the data"),
        ("◤SEC::XSS ➔ 📦[#a] ⁝ ⚡\ufe0f9", (20, 23), "a priority stands before the data"),
        ("◤SEC::XSS ➔ 📦[#a] ⁝ 📦\ufe0f[#b]", (20, 26), "a target stands before the data"),
        ("◤SEC::XSS ➔ 📦[#a] ⁝ a=1⁝b=2", (23, 24), "⁝ inside a bare word"),
        ("◤SEC::XSS ➔ 📦[#a]◤SEC::SQL ➔ 📦[#b]", (17, 26), "blanks or line ends separate packets"),
        ("◤SEC::XSS ➔ 📦[#a] ▰SYS::OK ➔ 📦[#b]", (18, 34), "a second packet starts here"),
    ],
)
def test_unicode_near_misses(text: str, span: tuple[int, int], reason: str) -> None:
    """The same for the Unicode form."""
    with pytest.raises(DecodeError) as caught:
        decode_unicode(text)
    assert reason in caught.value.reason
    assert caught.value.span == span
    assert caught.value.format == "eap-unicode"


def test_an_error_in_a_later_packet_points_there() -> None:
    """decode_all's spans are in the whole text, with line and column."""
    text = " >SEC:XSS #a !9\n>SEC:SQL #b !99"
    with pytest.raises(DecodeError) as caught:
        decode_all(text)
    assert (caught.value.span, caught.value.line, caught.value.column) == ((28, 31), 2, 13)
    with pytest.raises(DecodeError) as caught:
        decode_all_unicode("◤SEC::XSS ➔ 📦[#a] x")
    assert caught.value.format == "eap-unicode"


def test_what_is_no_text_is_refused() -> None:
    """No string, and a text beyond the limit, are DecodeErrors too."""
    with pytest.raises(DecodeError, match=r"a message is text \(str\), not bytes"):
        decode(b">SEC:XSS #a")  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(DecodeError, match="longer than"):
        decode(">" * (MAX_TEXT + 1))


def test_the_deepest_value_comes_back() -> None:
    """A value at the limit of depth is written and read."""
    value: Any = 1
    for _ in range(MAX_DATA_DEPTH):
        value = [value]
    packet = EapPacket.request(domain="DAT", action="SUM", target="#a", data={"v": value})
    assert decode(packet.to_ascii()) == packet


@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "\t",
        "a ",
        '"',
        "'",
        "\\",
        "a=1 ",
        "[",
        "{",
        "=",
        ">",
        ">SEC:XSS #a ",
        "!",
        "é",
        '"\\',
        "'\\",
        "⁝",
    ],
)
def test_long_runs_end(unit: str) -> None:
    """Two hundred thousand characters of anything are answered at once; quadratic work would not end."""
    run = unit * (200_000 // len(unit))
    for text in (
        run,
        ">SEC:XSS " + run,
        HEAD + run,
        f'{HEAD}a="{run}',
        f"{HEAD}a='{run}",
        f"{HEAD}a={run}",
        f"{HEAD}{run}=1",
    ):
        for read in (decode, decode_all):
            error = fault(read, text)
            assert error is None or error.span[1] <= len(text)
