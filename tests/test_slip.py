from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir.correspondence import direction_of, row_of_anchor
from sabir.errors import DecodeError, EncodeError, UnknownAnchor, UnsupportedVersion
from sabir.interlingua import from_ir, to_ir
from sabir.jsontext import MAX_TEXT
from sabir.silp.canonical import canonical_text
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import write_code
from sabir.slip import SLIP, SlipMessage, decode, encode, interpret, slip, unknown_anchor
from sabir.slip import v3 as v3_form
from sabir.slip.message import from_json, to_json
from sabir.ucr import NO_INDEX, Anchor, Codebook, core
from strategies.silp import silp_irs
from strategies.slip import EXTENSION_ANCHOR, extension_messages, slip_messages, v3_messages
from vectors_of import cases, hold

if TYPE_CHECKING:
    from sabir.silp.ir import SilpIR

TRAFFIC = Path(__file__).parents[2] / "shared" / "data" / "slip-intents-dev.jsonl"
"""Public traffic of 1,530 lines, too large to ship."""
OWN = core().with_extension(EXTENSION_ANCHOR)


@pytest.mark.parametrize("case", cases("slip"))
def test_vectors(case: dict[str, Any]) -> None:
    """The published cases."""
    hold("slip", case)


def test_public_traffic_is_read_and_written_to_the_byte() -> None:
    """Every wire text of the public training set is canonical, and its anchor is the one of its label."""
    if not TRAFFIC.exists():
        pytest.skip("the public data set is not beside the repository")
    rows = [json.loads(line) for line in TRAFFIC.read_text("utf-8").split("\n") if line]
    assert len(rows) == 1530
    for row in rows:
        message = decode(row["wire"])
        assert encode(message) == row["wire"]
        assert message.anchor.mnemonic == row["anchor"]


PIECES = (*'SLIPv13 ab"\\nu-\t\n\r', *("MetaAck", "Meta ", "SLIP v1 ", " a b MetaAck ", "\u2028", "\x00"))
"""What texts are built of that are nearly messages."""


# --- properties ------------------------------------------------------------------------------------------


@given(slip_messages())
def test_every_message_survives(message: SlipMessage) -> None:
    """decode(encode(m)) is m, to the last field; the text is one line, and outer white space does not matter."""
    text = encode(message)
    again = decode(text, allow_unknown=True)
    assert again == message
    assert to_json(again) == to_json(message)
    assert again.anchor == message.anchor
    assert encode(again) == text
    assert decode(f" \t{text}\r\n", allow_unknown=True) == message
    assert not {"\n", "\r", "\u2028", "\u2029", "\x85"} & {*text}
    assert from_json(to_json(message)) == message if message.anchor.index != NO_INDEX else True


@given(slip_messages())
def test_the_quick_and_the_careful_reader_agree(message: SlipMessage) -> None:
    """What the quick way reads, the careful way reads just so: here by a text with TAB, which only the latter takes."""
    text = encode(message)
    careful = decode(text.replace("SLIP v", "SLIP\tv", 1), allow_unknown=True)
    assert careful == decode(text, allow_unknown=True)
    assert encode(careful) == text


@given(extension_messages())
def test_an_installations_own_anchors(message: SlipMessage) -> None:
    """They are read with their codebook; without it, only where unknown ones are allowed, and written alike."""
    text = encode(message)
    assert decode(text, codebook=OWN).anchor is EXTENSION_ANCHOR
    kept = decode(text, allow_unknown=True)
    assert (kept.anchor.index, encode(kept)) == (NO_INDEX, text)
    with pytest.raises(UnknownAnchor) as caught:
        decode(text)
    assert caught.value.name == "RequestDeploy"


def outcome(text: str, *, strict: bool = False) -> SlipMessage | DecodeError:
    """Message of a text, or the error that says why there is none; any other error fails the test."""
    try:
        return decode(text, strict=strict, allow_unknown=True)
    except DecodeError as error:
        return error


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=20).map("".join)))
def test_whatever_the_text_only_decode_errors_leave(text: str) -> None:
    """Raw text is read, and then survives, or is refused with a span inside of it."""
    for strict in (False, True):
        found = outcome(text, strict=strict)
        if isinstance(found, SlipMessage):
            assert decode(encode(found), allow_unknown=True) == found
            continue
        assert 0 <= found.span[0] <= found.span[1] <= len(text)
        assert (found.format, found.text) == ("slip", text)
        assert str(found)


@given(slip_messages(), st.data())
def test_a_broken_line_is_read_or_refused(message: SlipMessage, data: st.DataObject) -> None:
    """Any one character of a line changed, dropped or doubled gives a message that survives, or a DecodeError."""
    text = encode(message)
    at = data.draw(st.integers(0, len(text) - 1))
    piece = data.draw(st.sampled_from(["", " ", '"', "\\", "\n", "\ud800", "x", text[at] * 2]))
    found = outcome(f"{text[:at]}{piece}{text[at + 1 :]}")
    if isinstance(found, SlipMessage):
        assert decode(encode(found), allow_unknown=True) == found


# --- reading ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical", "payload"),
    [
        ("SLIP\tv1\ta \t b\tMetaAck", "SLIP v1 a b MetaAck", ()),
        ('SLIP v1 a b MetaAck "x"', "SLIP v1 a b MetaAck x", ("x",)),
        ('SLIP v1 a b MetaAck x" y', 'SLIP v1 a b MetaAck x" y', ('x"', "y")),
        ("SLIP v1 a b MetaAck x\\n", "SLIP v1 a b MetaAck x\\n", ("x\\n",)),
        ('SLIP v1 a b MetaAck "\\"x"', 'SLIP v1 a b MetaAck "\\"x"', ('"x',)),
        ('SLIP v1 a b MetaAck "a  b" c ""', 'SLIP v1 a b MetaAck "a  b" c ""', ("a  b", "c", "")),
        ('SLIP v1 a b MetaAck c "a b"', 'SLIP v1 a b MetaAck c "a b"', ("c", "a b")),
        ("SLIP v1 a b Fallback 'free text'", "SLIP v1 a b Fallback 'free text'", ("'free", "text'")),
        ("SLIP v1 a b MetaAck x\u00a0y", 'SLIP v1 a b MetaAck "x\u00a0y"', ("x\u00a0y",)),
        ("SLIP v1 a b MetaAck x\x7f", 'SLIP v1 a b MetaAck "x\\u007f"', ("x\x7f",)),
        ("SLIP v1 a b MetaAck 北京 é", "SLIP v1 a b MetaAck 北京 é", ("北京", "é")),
        ("SLIP v1 a b MetaAck |x,=#;->", "SLIP v1 a b MetaAck |x,=#;->", ("|x,=#;->",)),
        ('SLIP v1 "a" "b" "MetaAck" x', "SLIP v1 a b MetaAck x", ("x",)),
        ('SLIP v1 "\\"" "a\\"b" MetaAck', 'SLIP v1 "\\"" a"b MetaAck', ()),
        ("SLIP v1 - - MetaAck", "SLIP v1 - - MetaAck", ()),
        ('SLIP v1 a b MetaAck "\\/\\b\\f\\u00e9"', 'SLIP v1 a b MetaAck "/\\b\\fé"', ("/\b\fé",)),
        ("\ufeffSLIP v1 a b MetaAck", None, ()),
    ],
)
def test_spellings(text: str, canonical: str | None, payload: tuple[str, ...]) -> None:
    """Blanks and quotes that could be left out are read; one spelling is written. A byte order mark is no blank."""
    if canonical is None:
        with pytest.raises(DecodeError, match="a message begins with SLIP"):
            decode(text)
        return
    message = decode(text)
    assert message.payload == payload
    assert encode(message) == canonical
    assert decode(canonical) == message


def test_two_surrogate_escapes_are_one_character() -> None:
    """A pair of escapes is the astral character; a half of one is refused where it stands."""
    message = decode('SLIP v1 a b Fallback "\\ud83d\\udc7d ok"')
    assert message.payload == ("👽 ok",)
    assert len(message.payload[0]) == 4
    assert encode(message) == 'SLIP v1 a b Fallback "👽 ok"'


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85"])
def test_only_lf_and_cr_end_a_line(sign: str) -> None:
    """Other separators are characters of a string, escaped when written."""
    message = decode(f'SLIP v1 a b InformStatus "x{sign}y"')
    assert message.payload == (f"x{sign}y",)
    assert encode(message) == f'SLIP v1 a b InformStatus "x\\u{ord(sign):04x}y"'
    assert decode(encode(message)) == message


HEAD = "SLIP v1 a b "
EARLY = "the text ends too early; missing: "
QUOTE = 'a blank must follow the closing quote; a " inside a string is written \\"'
NAME = "may not be empty or hold white space or controls"
MALFORMED = [
    ("", "", "a message begins with SLIP"),
    ("no", "no", "a message begins with SLIP"),
    ("SLIPv1 a b MetaAck", "SLIPv1", "a message begins with SLIP"),
    ("“SLIP v1 a b MetaAck”", "“SLIP", "a message begins with SLIP"),
    ('"SLIP" v1 a b MetaAck', '"SLIP"', "a message begins with SLIP"),
    ("slip v1 a b MetaAck", "slip", "a message begins with SLIP, in capitals"),
    ("Slip v1", "Slip", "a message begins with SLIP, in capitals"),
    ("> SLIP v1 a b MetaAck", "> ", "a prompt sign was pasted with the message: leave it out"),
    ("$slip v1 a b MetaAck", "$", "a prompt sign was pasted with the message: leave it out"),
    ("SLIP", "P", f"{EARLY}the version, the sender, the receiver, the anchor (SLIP v1 sender"),
    ("SLIP v1", "1", f"{EARLY}the sender, the receiver, the anchor (SLIP v1 sender"),
    ("SLIP v1 a", "a", f"{EARLY}the receiver, the anchor (SLIP v1"),
    ("SLIP v1 a b", "b", f"{EARLY}the anchor (SLIP v1 sender receiver Anchor payload...)"),
    ("SLIP v1 a b\u3000MetaAck", "k", f"{EARLY}the anchor"),
    ("SLIP v2 a b MetaAck", "v2", "version v2 is unknown, v1 and v3 are read"),
    ("SLIP V1 a b MetaAck", "V1", "version V1 is unknown, v1 and v3 are read"),
    ("SLIP v10", "v10", "version v10 is unknown, v1 and v3 are read"),
    ("SLIP a b MetaAck", "a", "version a is unknown, v1 and v3 are read; is it missing? (SLIP v1 ...)"),
    ('SLIP "v1" a b MetaAck', '"v1"', 'version "v1" is unknown, v1 and v3 are read; is it missing?'),
    (f'{HEAD}Fallback "no end', '"', 'no closing quote: this " opens a string'),
    (f'{HEAD}Fallback "x" "', '"', 'no closing quote: this " opens a string'),
    (f'{HEAD}Fallback "x"y', "y", QUOTE),
    (f'{HEAD}Fallback "say "hi""', "h", QUOTE),
    (f'{HEAD}Fallback "x""y"', '"', QUOTE),
    (f'{HEAD}Fallback "x"\u00a0', None, ""),
    (f'{HEAD}Fallback "x"\u00a0y', "\u00a0", QUOTE),
    (rf'{HEAD}Fallback "\q"', r"\q", "bad escape in a quoted string"),
    (rf'{HEAD}Fallback "\x41"', r"\x", "bad escape in a quoted string"),
    (rf'{HEAD}Fallback "\ud83d ok"', r"\ud83d", r"lone surrogate \ud83d"),
    (rf'{HEAD}Fallback "\udc7d\ud83d"', r"\udc7d", r"lone surrogate \udc7d"),
    (f"{HEAD}Fallback \ud83d", "\ud83d", "lone surrogate: no character"),
    (f'{HEAD}Fallback "\ud83d"', "\ud83d", "lone surrogate: no character"),
    ("SLIP v1 a b\nMetaAck", "\n", "a message is one line; inside a string, a line end is \\n"),
    (f'{HEAD}Fallback "x\ny"', "\n", "a message is one line"),
    (f"{HEAD}MetaAck x\r\nSLIP v1 a b MetaAck", "\n", "a message is one line"),
    (f"{HEAD}MetaAck\rx", "\r", "a message is one line"),
    (f'{HEAD}Fallback "x\x01y"', "\x01", "a control character inside a quoted string must be escaped"),
    (f'{HEAD}Fallback "x\ty"', "\t", "a control character inside a quoted string must be escaped"),
    ('SLIP v1 "" b MetaAck', '""', f"the sender {NAME}"),
    ('SLIP v1 a "" MetaAck', '""', f"the receiver {NAME}"),
    ('SLIP v1 "a b" c MetaAck', '"a b"', f"the sender {NAME}"),
    ('SLIP v1 a "x\\ty" MetaAck', '"x\\ty"', f"the receiver {NAME}"),
    ("SLIP v1 a\u00a0b c MetaAck", "a\u00a0b", f"the sender {NAME}"),
    ("SLIP v1 a\x01 b MetaAck", "a\x01", f"the sender {NAME}"),
    (f"{HEAD}metaack", "metaack", 'unknown anchor "metaack"; did you mean MetaAck?'),
    (f"{HEAD}RequestReveiw x", "RequestReveiw", "did you mean RequestReview?"),
    (f"{HEAD}Qqqqqq x", "Qqqqqq", 'unknown anchor "Qqqqqq"; see sabir ucr list'),
    (f"{HEAD}Request Review x", "Request", "v1 has force and object in one word: RequestReview"),
    ("SLIP v1 a MetaAck x", "x", 'unknown anchor "x"; '),
    (f'{HEAD}""', '""', 'unknown anchor ""; see sabir ucr list'),
    (f"{HEAD}MetaAck\u2028x", "MetaAck\u2028x", "did you mean MetaAck?"),
    ("SLIP v3 a b", "b", f"{EARLY}the force, the object (SLIP v3 sender receiver Force Object payload...)"),
    ("SLIP v3 a b Request", "t", f"{EARLY}the object (SLIP v3"),
    ("SLIP v3 a b RequestReview x", "RequestReview", "v3 has force and object apart: Request Review (there are: O"),
    ("SLIP v3 a b Reqest Review", "Reqest", '"Reqest" is no force; did you mean Request? (there are: Observe,'),
    ("SLIP v3 a b Defer Generic", "Defer", '"Defer" is no force (there are: Observe, Inform, Ask'),
    ("SLIP v3 a b Request Reveiw", "Request Reveiw", 'unknown anchor "RequestReveiw"; did you mean Request'),
    ("SLIP v3 a b Meta Qqqqqq", "Meta Qqqqqq", 'unknown anchor "MetaQqqqqq"; see sabir ucr list'),
    ("SLIP v3 a b Accept Later", "Accept Later", 'unknown anchor "AcceptLater"; did you mean Accept'),
    ("SLIP v3 a b Meta A-b", "A-b", "an object is made of A-Z a-z 0-9 alone"),
    ("SLIP v3 a_b b Meta Ack", "a_b", "in v3 an agent's name is made of A-Z a-z 0-9 alone"),
    ("SLIP v3 a - Meta Ack", "-", "in v3 an agent's name is made of A-Z a-z 0-9 alone"),
    (f"SLIP v3 {'a' * 21} b Meta Ack", "a" * 21, "has at most 20 characters, not 21"),
    (f"SLIP v3 a {'b' * 21} Meta Ack", "b" * 21, "has at most 20 characters, not 21"),
    ('SLIP v3 a b Meta Ack "x y"', '"x y"', "v3 has no quoted strings; v1 has"),
    ("SLIP v3 a b Meta Ack x_y", "x_y", "in v3 a token is made of A-Z a-z 0-9 alone"),
    (f"SLIP v3 a b Meta Ack x {'y' * 31}", "y" * 31, "in v3 a token has at most 30 characters, not 31"),
    (f"SLIP v3 a b Meta Ack{' x' * 21}", ("x " * 21).strip(), "v3 takes at most 20 tokens, not 21"),
    ("SLIP v3 a b Fallback Generic", "c", "in v3 Fallback takes one token, a reference to the text, not 0"),
    ("SLIP v3 a b Fallback Generic x y", "x y", "in v3 Fallback takes one token, a reference to the text, not 2"),
    (f"SLIP v3 a b Fallback Generic {'x' * 17}", "x" * 17, "the reference of Fallback has at most 16 characters"),
    ("SLIP v3 a b Fallback Generic é", "é", "the reference of Fallback is made of A-Z a-z 0-9 alone"),
]


@pytest.mark.parametrize(("text", "piece", "reason"), MALFORMED)
@pytest.mark.parametrize("before", ["", " \t\n"])
def test_malformed_lines(before: str, text: str, piece: str | None, reason: str) -> None:
    """What is wrong is named and pointed at, in the text as received, white space before it included."""
    text = before + text
    if piece is None:
        decode(text)  # a near miss that is a message: outer white space, even a no-break space, is ignored
        return
    with pytest.raises(DecodeError) as caught:
        decode(text)
    error = caught.value
    assert reason in error.reason
    assert text[slice(*error.span)] == piece
    assert error.format == "slip"
    assert error.text == text
    str(error).encode()  # printing never fails


def test_classes_and_codes_of_errors() -> None:
    """Unknown anchors and versions are told apart from broken lines."""
    with pytest.raises(UnknownAnchor) as unknown:
        decode("SLIP v1 a b metasinc")
    assert (unknown.value.name, unknown.value.closest[0]) == ("metasinc", "MetaSync")
    assert unknown.value.code == "decode_failed"
    with pytest.raises(UnknownAnchor) as apart:
        decode("SLIP v1 a b Request Review")
    assert apart.value.closest[0] == "RequestReview"
    assert len({*apart.value.closest}) == len(apart.value.closest)
    with pytest.raises(UnsupportedVersion) as version:
        decode("SLIP v2 a b MetaAck")
    assert version.value.code == "unsupported_version"
    with pytest.raises(DecodeError) as broken:
        decode("SLIP v1 a b")
    assert broken.value.code == "invalid_syntax"
    assert str(pickle.loads(pickle.dumps(unknown.value))) == str(unknown.value)  # noqa: S301  # our own bytes


@pytest.mark.parametrize("text", [None, b"SLIP v1 a b MetaAck", 5])
def test_what_is_no_text(text: Any) -> None:
    """A decoder takes text, and says so by the error that it says everything by."""
    with pytest.raises(DecodeError, match=r"a message is text \(str\)"):
        decode(text)


def test_a_text_that_is_too_long() -> None:
    """The limit is a number, not the memory."""
    with pytest.raises(DecodeError, match=f"text longer than {MAX_TEXT}"):
        decode("SLIP v1 a b MetaAck " + "x" * MAX_TEXT)


def test_a_long_line_is_read() -> None:
    """Many tokens, quoted and bare, take their time once."""
    tokens = ["x", "a b", ""] * 20_000
    message = SlipMessage("a", "b", "MetaAck", tokens)
    assert decode(encode(message)) == message


# --- unknown anchors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Foo", "foo-bar", "metaack", "北", "SLIP", '"'])
def test_unknown_anchors_are_kept_on_request(name: str) -> None:
    """The name survives, and says of itself that no codebook holds it."""
    message = SlipMessage("a", "b", unknown_anchor(name), ["x"])
    again = decode(encode(message), allow_unknown=True)
    assert again == message
    assert again.anchor == Anchor(NO_INDEX, name, f"unknown anchor {name}", (0, 0, 0, 0))
    with pytest.raises(UnknownAnchor):
        decode(encode(message))


@pytest.mark.parametrize("name", ['""', '"a b"', "a\u00a0b", "a\x00"])
def test_names_that_no_anchor_could_have(name: str) -> None:
    """Not even on request is a name kept that could not stand on the wire by itself."""
    with pytest.raises(DecodeError, match="an anchor's name may not be empty") as caught:
        decode(f"  SLIP v1 a b {name} x", allow_unknown=True)
    assert caught.value.span == (14, 14 + len(name))


def test_unknown_anchors_of_v3() -> None:
    """Force and object of an unknown anchor come back as they were."""
    message = decode("SLIP v3 a b Request Deploy x", allow_unknown=True)
    assert (message.anchor.mnemonic, message.anchor.index) == ("RequestDeploy", NO_INDEX)
    assert encode(message) == "SLIP v3 a b Request Deploy x"
    assert decode("SLIP v3 a b Request Deploy x", codebook=OWN).anchor is EXTENSION_ANCHOR


def test_the_core_goes_before_a_codebook() -> None:
    """No extension can give a core mnemonic another meaning."""
    launch = Anchor(0x8000, "MetaAck", "Launch", (0, 0, 0, 0))
    with pytest.raises(EncodeError, match="mnemonic MetaAck is taken by"):
        core().with_extension(launch)
    with pytest.raises(EncodeError, match=r"its core is that of version 'x', and messages are read with version 1\.0\.0"):
        decode("SLIP v1 a b MetaAck", codebook=Codebook("x", [launch]))
    copy = Codebook.from_json(json.loads(json.dumps(OWN.to_json())))
    for text in ("SLIP v1 a b MetaAck", "SLIP\tv1 a b MetaAck", 'SLIP v1 a b MetaAck "x y"', "SLIP v3 a b Meta Ack"):
        assert decode(text, codebook=copy).anchor is core().by_mnemonic("MetaAck")


# --- strict ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "piece", "reason"),
    [
        ("SLIP v1 a.b c_d-e MetaAck x.y_z-1 2", None, ""),
        ('SLIP v1 a b Fallback "free text"', None, ""),
        ('SLIP v1 a b Fallback ""', None, ""),
        ("SLIP v3 a b Meta Ack x", None, ""),
        ("SLIP v1 a:b c MetaAck", "a:b", "strict: the sender may hold A-Z a-z 0-9 . _ - alone"),
        ("SLIP v1 a é MetaAck", "é", "strict: the receiver may hold A-Z a-z 0-9 . _ - alone"),
        ('SLIP v1 "a" b MetaAck', '"a"', "strict: the sender may hold"),
        ("SLIP v1 a b Meta-Ack", "Meta-Ack", "strict: the anchor may hold A-Z a-z 0-9 alone"),
        ('SLIP v1 a b "MetaAck"', '"MetaAck"', "strict: the anchor may hold A-Z a-z 0-9 alone"),
        ("SLIP v1 a b RequestTask artifact: x", "artifact:", "strict: payload token 1 may hold A-Z a-z 0-9 . _ -"),
        ("SLIP v1 a b RequestTask x 北", "北", "strict: payload token 2 may hold A-Z a-z 0-9 . _ - alone (one quoted"),
        ('SLIP v1 a b MetaAck x "y z"', '"y z"', "strict: payload token 2 may hold"),
        ('SLIP v1 a b MetaAck "y z" x', '"y z"', "(one quoted string may be the whole payload)"),
        ('SLIP v1 a b MetaAck "x" "y"', '"x"', "strict: payload token 1"),
    ],
)
def test_the_narrow_profile(text: str, piece: str | None, reason: str) -> None:
    """The first token outside of the cheap-token profile is named; without `strict` all of these are messages."""
    decode(text, allow_unknown=True)
    if piece is None:
        assert encode(decode(text, strict=True)) == text
        return
    with pytest.raises(DecodeError) as caught:
        decode(f"  {text}", strict=True, allow_unknown=True)
    assert reason in caught.value.reason
    assert caught.value.text[slice(*caught.value.span)] == piece


# --- v3 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mnemonic", "words"),
    [
        ("RequestReview", ("Request", "Review")),
        ("EvalNeedsWork", ("Eval", "NeedsWork")),
        ("Accept", ("Accept", "Generic")),
        ("Reject", ("Reject", "Generic")),
        ("Fallback", ("Fallback", "Generic")),
        ("AcceptWithCondition", ("Accept", "WithCondition")),
        ("ErrorGeneric", ("Error", "Generic")),
        ("MetaGeneric", ("Meta", "Generic")),
        ("Defer", None),
        ("AcceptGeneric", None),
        ("Request", None),
        ("foo", None),
    ],
)
def test_force_and_object(mnemonic: str, words: tuple[str, str] | None) -> None:
    """An anchor is a force and an object, and the other way round; what is not is None."""
    assert v3_form.split(mnemonic) == words
    if words is not None:
        assert v3_form.joined(*words) == mnemonic


def test_all_core_anchors_but_one_have_their_words_in_v3() -> None:
    """Different anchors have different words, and only Defer has none."""
    words = {anchor.mnemonic: v3_form.split(anchor.mnemonic) for anchor in core()}
    assert [name for name, pair in words.items() if pair is None] == ["Defer"]
    assert len({*words.values()}) == 46
    for name in words:
        if name != "Defer":
            payload = ["ref1"] if name == "Fallback" else []
            text = encode(SlipMessage("a", "b", name, payload, "v3"))
            assert decode(text).anchor.mnemonic == name


@given(v3_messages())
def test_v3_survives_word_for_word(message: SlipMessage) -> None:
    """A v3 text has its force and object apart and nothing quoted."""
    text = encode(message)
    words = text.split(" ")
    assert words[:4] == ["SLIP", "v3", message.src, message.dst]
    assert v3_form.joined(words[4], words[5]) == message.anchor.mnemonic
    assert tuple(words[6:]) == message.payload
    assert decode(text, allow_unknown=True) == message


@pytest.mark.parametrize(
    ("fields", "path", "reason"),
    [
        (("a" * 20, "b" * 20, "MetaAck", ["x" * 30] * 20), None, ""),
        (("a", "b", "Fallback", ["x" * 16]), None, ""),
        (("a" * 21, "b", "MetaAck", []), "src", "at most 20 characters, not 21"),
        (("a", "b" * 21, "MetaAck", []), "dst", "at most 20 characters, not 21"),
        (("-", "b", "MetaAck", []), "src", "A-Z a-z 0-9 alone"),
        (("a", "é", "MetaAck", []), "dst", "A-Z a-z 0-9 alone"),
        (("a", "b", "MetaAck", ["x"] * 21), "payload", "at most 20 tokens, not 21"),
        (("a", "b", "MetaAck", ["x", "y" * 31]), "payload[1]", "at most 30 characters, not 31"),
        (("a", "b", "MetaAck", ["x", "y_"]), "payload[1]", "A-Z a-z 0-9 alone"),
        (("a", "b", "MetaAck", [""]), "payload[0]", "A-Z a-z 0-9 alone"),
        (("a", "b", "Defer", []), "anchor", "Defer has no force and object in v3"),
        (("a", "b", "Fallback", []), "payload", "one token, a reference to the text, not 0"),
        (("a", "b", "Fallback", ["x", "y"]), "payload", "one token, a reference to the text, not 2"),
        (("a", "b", "Fallback", ["x" * 17]), "payload[0]", "at most 16 characters, not 17"),
        (("a", "b", "Fallback", ["x y"]), "payload[0]", "A-Z a-z 0-9 alone"),
    ],
)
def test_limits_of_v3(fields: tuple[str, str, str, list[str]], path: str | None, reason: str) -> None:
    """What v3 cannot hold is refused when the message is made; v1 holds all of it."""
    assert decode(encode(SlipMessage(*fields))).payload == tuple(fields[3])
    if path is None:
        message = SlipMessage(*fields, "v3")
        assert decode(encode(message)) == message
        return
    with pytest.raises(EncodeError) as caught:
        SlipMessage(*fields, "v3")
    assert caught.value.path == path
    assert reason in caught.value.reason


# --- messages --------------------------------------------------------------------------------------------


def test_a_message_and_its_text() -> None:
    """The published example, as an object, a text and in one call."""
    message = SlipMessage("planner", "executor", "RequestReview", ["auth_module"])
    text = "SLIP v1 planner executor RequestReview auth_module"
    assert encode(message) == slip("planner", "executor", "RequestReview", ["auth_module"]) == text
    assert slip("a", "b", core().by_mnemonic("MetaAck")) == "SLIP v1 a b MetaAck"
    assert message.anchor.canonical == "Request review of work"
    assert message.anchor.index == 0x0032
    assert repr(message) == (
        "SlipMessage(src='planner', dst='executor', anchor='RequestReview', payload=('auth_module',), version='v1')"
    )


def test_messages_are_values() -> None:
    """Equal ones have one hash, none can be changed, and a copy with changes is checked like a new one."""
    message = SlipMessage("a", "b", "MetaAck", ["x"])
    assert {message: 1}[decode("SLIP v1 a b MetaAck x")] == 1
    assert message != SlipMessage("a", "b", "MetaAck", ["y"])
    assert message != SlipMessage("a", "b", "MetaAck", ["x"], "v3")
    assert not message != decode("SLIP v1 a b MetaAck x")  # noqa: SIM202  # != has a method of its own
    assert message != "SLIP v1 a b MetaAck x"
    assert message.__eq__("SLIP v1 a b MetaAck x") is NotImplemented
    with pytest.raises(AttributeError):
        message.src = "c"  # type: ignore[misc]  # the fault under test
    assert message.replace(payload=["x y"], dst="c") == SlipMessage("a", "c", "MetaAck", ["x y"])
    assert encode(message.replace(payload=["x y"])) == 'SLIP v1 a b MetaAck "x y"'
    with pytest.raises(EncodeError):
        message.replace(src="")
    assert pickle.loads(pickle.dumps(message)) == message  # noqa: S301  # our own bytes


@pytest.mark.parametrize(
    ("fields", "path", "reason"),
    [
        ({"src": ""}, "src", f"an agent's name {NAME}"),
        ({"src": "a b"}, "src", f"an agent's name {NAME}"),
        ({"src": "a\u2028b"}, "src", f"an agent's name {NAME}"),
        ({"dst": "a\x00"}, "dst", f"an agent's name {NAME}"),
        ({"dst": "\ud800"}, "dst", "lone surrogate at character 0"),
        ({"dst": None}, "dst", "must be text, not NoneType"),
        ({"anchor": "RequestReveiw"}, "anchor", "did you mean RequestReview"),
        ({"anchor": 50}, "anchor", "must be an anchor or its mnemonic, not int"),
        ({"anchor": Anchor(0x8000, "MetaAck", "x", (0, 0, 0, 0))}, "anchor", "MetaAck is a core anchor, and this is"),
        ({"anchor": Anchor(NO_INDEX, "MetaAck", "x", (0, 0, 0, 0))}, "anchor", "not an unknown one"),
        ({"anchor": Anchor(0x8000, "a b", "x", (0, 0, 0, 0))}, "anchor.mnemonic", "A-Z a-z 0-9"),
        ({"anchor": Anchor(0x8000, "A", "x", (0, 0, 0, 9))}, "anchor.coords", "0 to 7"),
        ({"anchor": Anchor(NO_INDEX, "", "x", (0, 0, 0, 0))}, "anchor", f"an anchor's name {NAME}"),
        ({"payload": "x"}, "payload", "must be a list of strings, not one string"),
        ({"payload": b"x"}, "payload", "must be a list of strings, not one string"),
        ({"payload": 5}, "payload", "must be a list of strings, not int"),
        ({"payload": ["x", 5]}, "payload[1]", "must be text, not int"),
        ({"payload": ["\udfff"]}, "payload[0]", "lone surrogate"),
        ({"version": "v2"}, "version", "must be v1 or v3, not 'v2'"),
        ({"version": None}, "version", "must be v1 or v3, not None"),
    ],
)
def test_what_is_no_message(fields: dict[str, Any], path: str, reason: str) -> None:
    """The constructor refuses it, with the path of the field at fault."""
    with pytest.raises(EncodeError) as caught:
        SlipMessage(**{"src": "a", "dst": "b", "anchor": "MetaAck", **fields})
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_equal_anchors_and_any_iterable_are_taken() -> None:
    """A core anchor that was built again is the core's, and a payload may be any iterable of strings."""
    known = core().by_mnemonic("MetaAck")
    again = Anchor(known.index, known.mnemonic, known.canonical, known.coords, is_core=True)
    assert SlipMessage("a", "b", again, iter(["x"])) == SlipMessage("a", "b", known, ("x",))


# --- JSON ------------------------------------------------------------------------------------------------


def test_json_form() -> None:
    """The anchor is its mnemonic; version and payload may be left out."""
    message = SlipMessage("a", "b", "MetaAck", ["x"])
    form = {"version": "v1", "src": "a", "dst": "b", "anchor": "MetaAck", "payload": ["x"]}
    assert to_json(message) == form
    assert from_json(form) == message
    assert from_json({"src": "a", "dst": "b", "anchor": "MetaAck"}) == SlipMessage("a", "b", "MetaAck")


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        ({"src": ...}, "src", "missing"),
        ({"dst": ...}, "dst", "missing"),
        ({"anchor": ...}, "anchor", "missing"),
        ({"more": 1}, "more", "no such field (there are: version, src, dst, anchor, payload)"),
        ({1: 1}, "1", "no such field"),
        ({"anchor": 50}, "anchor", "must be the anchor's mnemonic, not int"),
        ({"anchor": "metaack"}, "anchor", "did you mean MetaAck"),
        ({"payload": "x"}, "payload", "must be a list of strings, not str"),
        ({"payload": None}, "payload", "must be a list of strings, not NoneType"),
        ({"payload": ["x", None]}, "payload[1]", "must be text, not NoneType"),
        ({"version": "v2"}, "version", "must be v1 or v3"),
        ({"version": ["v1"]}, "version", "must be v1 or v3"),
        ({"version": "v3", "src": "a_b"}, "src", "A-Z a-z 0-9 alone"),
    ],
)
def test_what_is_no_json_form(change: dict[Any, Any], path: str, reason: str) -> None:
    """The path of the field at fault is named."""
    form = {"src": "a", "dst": "b", "anchor": "MetaAck", **change}
    with pytest.raises(EncodeError) as caught:
        from_json({name: value for name, value in form.items() if value is not ...})
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_a_json_form_is_an_object() -> None:
    """Anything else is named by its type."""
    with pytest.raises(EncodeError, match="a SLIP message is an object, not list"):
        from_json([])


# --- the interlingua -------------------------------------------------------------------------------------


def code_of(message: SlipMessage) -> str:
    """Code of the IR of a message."""
    return write_code(to_ir(message, SLIP)[0])


def routing(src: str, dst: str) -> str:
    """Metadata of a message's sender and receiver."""
    return f'"next_agent":"{dst}","sender":"{src}"'


@given(slip_messages())
def test_every_message_comes_back_from_the_interlingua(message: SlipMessage) -> None:
    """Whatever way it goes in, it comes out the same, through the text of the code frontend, too."""
    ir, route = to_ir(message, SLIP)
    assert route in ("native", "carried", "sealed")
    again, _ = from_ir(read_code(write_code(ir)), SLIP)
    assert again == message
    assert encode(again) == encode(message)


@given(silp_irs())
def test_every_ir_comes_back_from_slip(ir: SilpIR) -> None:
    """Whatever the IR, there is a v1 line for it, from which it comes back."""
    message, _ = from_ir(ir, SLIP)
    again, _ = to_ir(decode(encode(message), allow_unknown=True), SLIP)
    assert sabir.equivalent(again, ir)


@given(silp_irs())
def test_a_heading_fits(ir: SilpIR) -> None:
    """It has the direction of the IR, and is Fallback, which says nothing, for that very verb alone."""
    anchor = interpret.fit(ir)
    row = row_of_anchor(anchor.mnemonic)
    direction = ir.meta.model_dump().get("direction")
    assert row is not None
    assert row.direction == (direction if direction in ("request", "response", "sync") else direction_of(ir.intent))
    assert (anchor.mnemonic != "Fallback") or ir.intent == "!FALLBACK"


def test_every_core_anchor_is_said_as_its_verb() -> None:
    """An anchor and its row's verb are one word, in both directions, with payload, sender and receiver."""
    for anchor in core():
        row = row_of_anchor(anchor.mnemonic)
        assert row is not None
        message = SlipMessage("planner", "-", anchor, ["x", "a b", ""])
        ir, route = to_ir(message, SLIP)
        assert route == "native"
        assert ir.intent == f"!{row.verb}"
        assert [(item.id, item.value) for item in ir.entities] == [("act", "x"), ("act", "a b"), ("act", "")]
        assert from_ir(ir, SLIP) == (message, "native")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SLIP v1 a b MetaAck", f'meta_ack() # {{"meta":{{{routing("a", "b")}}}}}'),
        ("SLIP v1 - - MetaAck x", "meta_ack(x)"),
        ("SLIP v3 a b Meta Ack x", f'meta_ack(x) # {{"meta":{{{routing("a", "b")},"slip_version":"v3"}}}}'),
        (
            "SLIP v1 - - RequestReview SEC:XSS #ctx4 !9",
            'xss(ctx4) # {"meta":{"direction":"request","domain":"SEC","priority":9}}',
        ),
        (
            "SLIP v1 a b InformComplete SYS:OK #ctx0",
            f'ok(ctx0) # {{"meta":{{"direction":"response","domain":"SYS",{routing("a", "b")}}}}}',
        ),
        ("SLIP v1 - - MetaAck SYS:ACK #ctx1", 'ack(ctx1) # {"meta":{"direction":"sync","domain":"SYS"}}'),
        ("SLIP v1 - - RequestTask silp start(hike)", "start(hike)"),
        ("SLIP v1 a - RequestTask silp start(hike)", 'start(hike) # {"meta":{"sender":"a"}}'),
        ('SLIP v1 - - RequestCancel silp "if a(b): cancel(c)"', "if a(b): cancel(c)"),
    ],
)
def test_native_shapes_and_carried_irs(text: str, code: str) -> None:
    """What a line means, as code, and the line that says it: in SLIP's terms, an EAP body, or carried whole."""
    assert code_of(decode(text)) == code
    assert encode(from_ir(read_code(code), SLIP)[0]) == text


@pytest.mark.parametrize(
    ("packet", "line"),
    [
        (">SEC:XSS #ctx4 !9", "SLIP v1 - - RequestReview SEC:XSS #ctx4 !9"),
        ("<SYS:OK #ctx0", "SLIP v1 - - InformComplete SYS:OK #ctx0"),
        ("=SYS:OK #ctx0", "SLIP v1 - - MetaSync SYS:OK #ctx0"),
        (">FOO:BAR #ctx1", "SLIP v1 - - RequestTask FOO:BAR #ctx1"),
        (">FOO:BAR #ctx1 !1", "SLIP v1 - - RequestTask FOO:BAR #ctx1 !1"),
        ("<FOO:BAR #ctx2", "SLIP v1 - - InformStatus FOO:BAR #ctx2"),
        (">PRC:PROPOSE_ALT #ctx1", "SLIP v1 - - ProposeAlternative PRC:PROPOSE_ALT #ctx1"),
        ("<SEC:XSS #ctx4", "SLIP v1 - - InformStatus SEC:XSS #ctx4"),
        ('>SEC:XSS #ctx4 !9 | a=1.0 b="x y"', 'SLIP v1 - - RequestReview SEC:XSS #ctx4 !9 a=1.0 "b=\\"x y\\""'),
    ],
)
def test_packets_are_bodies_under_a_heading(packet: str, line: str) -> None:
    """A heading of the packet's direction, then its parts as tokens; and the packet comes back."""
    assert sabir.translate(packet, "slip").text == line
    assert sabir.translate(line, "eap").text == packet


@pytest.mark.parametrize(
    "text",
    [
        "SLIP v1 a b RequestTask SEC:XSS #ctx4 !9",  # not the heading that the packet would have
        "SLIP v1 a b MetaAck SEC:XSS #ctx4",  # nor its direction
        "SLIP v1 a b RequestReview SEC:XSS #ctx4 !0",  # no priority
        "SLIP v1 a b RequestReview SEC:XSS #ctx4 x=1 !9",
        "SLIP v1 a b RequestReview SEC:XSS #ctx4 x=1 x=2",
        "SLIP v1 a b RequestReview SEC:XSS #ctx4 x=1.00",
        "SLIP v1 a b RequestReview SEC:XSS #ctx4 |",
        "SLIP v1 a b RequestReview SEC:XSS #",
        "SLIP v1 a b RequestReview SEC:XSS ctx4",
        "SLIP v1 a b RequestReview SEC:XSS",
        "SLIP v1 a b RequestReview sec:xss #ctx4",
        'SLIP v1 a b RequestReview "SEC:XSS #ctx4"',
        "SLIP v1 a b RequestTask silp",
        "SLIP v1 a b RequestTask silp start(hike) x",
        "SLIP v1 a b RequestTask silp start(",
        "SLIP v1 a b RequestCancel silp start(hike)",  # under a heading that its IR would not have
        "SLIP v1 a b RequestTask silp start(\\u0068ike)",
        'SLIP v1 a b MetaAck silp "meta_ack( x )"',
        "SLIP v1 a b MetaAck silp meta_ack(x)",  # which has a better way to travel
        'SLIP v1 a b RequestTask silp "start() # {\\"meta\\":{\\"sender\\":\\"c\\"}}"',
    ],
)
def test_forged_content_stays_plain(text: str) -> None:
    """A payload that only looks like a packet or a carried IR is a payload: each token an argument of the verb."""
    message = decode(text)
    ir, route = to_ir(message, SLIP)
    row = row_of_anchor(message.anchor.mnemonic)
    assert row is not None
    assert route == "native"
    assert ir.intent == f"!{row.verb}"
    assert tuple(item.value for item in ir.entities) == message.payload
    assert encode(from_ir(ir, SLIP)[0]) == text


@pytest.mark.parametrize(
    ("name", "code"), [("Foo2Bar", "!FOO_BAR"), ("1", "!FALLBACK"), ("RequestDeploy", "!REQUEST_DEPLOY")]
)
def test_messages_with_unknown_anchors_go_sealed(name: str, code: str) -> None:
    """They are headed by their own words, carry their text whole, and come back."""
    message = SlipMessage("a", "b", unknown_anchor(name), ["x"])
    ir, route = to_ir(message, SLIP)
    assert (route, ir.intent) == ("sealed", code)
    assert ir.meta.model_dump()["slip"] == {"wire": f"SLIP v1 a b {name} x"}
    assert from_ir(ir, SLIP)[0] == message


@pytest.mark.parametrize(
    "code",
    [
        'meta_ack(x) # {"meta":{"sender":"a b"}}',  # no name of an agent
        'meta_ack(x) # {"meta":{"sender":5}}',
        'meta_ack(x) # {"meta":{"sender":"-"}}',
        'meta_ack(x) # {"meta":{"next_agent":"-"}}',
        'meta_ack(x) # {"meta":{"next_agent":""}}',
        'meta_ack(x) # {"meta":{"slip_version":"v2"}}',
        'meta_ack(x) # {"meta":{"slip_version":"v1"}}',
        'meta_ack("a_b") # {"meta":{"slip_version":"v3"}}',
        'meta_ack(x) # {"meta":{"priority":3}}',
        'meta_ack(x) # {"meta":{"domain":5}}',
        'xss(ctx4) # {"meta":{"direction":"request","domain":"SEC","sender":"a b"}}',
        'xss(ctx4) # {"meta":{"direction":["request"],"domain":"SEC"}}',
        'xss(ctx4) # {"meta":{"direction":"up","domain":"SEC"}}',
        'xss(ctx4) # {"meta":{"direction":"request","domain":"SEC","priority":12}}',
        "meta_ack(x=y)",
        "if a(b): meta_ack(x)",
        "meta_ack(x) else: meta_sync(y)",
    ],
)
def test_irs_that_slip_has_no_words_for_are_carried(code: str) -> None:
    """Metadata, names and parts that a line cannot say take the whole IR into the payload, and come back."""
    ir = read_code(code)
    message, route = from_ir(ir, SLIP)
    assert route == "carried"
    assert message.payload[0] == "silp"
    assert canonical_text(to_ir(message, SLIP)[0]) == canonical_text(ir)


# --- explaining ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        (
            "SLIP v1 planner executor RequestReview auth_module",
            "planner to executor: Request review of work: auth_module",
            "planner から executor へ：レビューの依頼：auth_module",
        ),
        ("SLIP v1 a b MetaAck", "a to b: Received", None),
        ('SLIP v1 a b InformStatus "x y" z ""', 'a to b: Here is the current status: "x y", z, ""', None),
        ("SLIP v1 a b Foo", "a to b: unknown anchor Foo", "a から b へ：Foo（標準にない概念）"),
        ("SLIP v1 a b MetaAck \u200bx", "a to b: Received: \\u200bx", None),
    ],
)
def test_explaining(text: str, en: str, ja: str | None) -> None:
    """Who tells whom what, in a line of either language, that hides nothing."""
    message = decode(text, allow_unknown=True)
    assert interpret.explain(message, "en") == en
    shown = interpret.explain(message, "ja")
    assert shown.startswith("a から b へ：") if ja is None else shown == ja


def test_every_core_anchor_has_a_japanese_gloss() -> None:
    """None falls back to the words for what is not of the core."""
    for anchor in core():
        shown = interpret.explain(SlipMessage("a", "b", anchor), "ja")
        assert "標準にない" not in shown
        assert anchor.mnemonic not in shown
