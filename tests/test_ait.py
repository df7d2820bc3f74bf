"""AIT: the tape as text, its dictionary, and its ways to the IR and to EAP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import interlingua
from sabir.eap import AIT, EAP, AitDictionary, AitPacket, AitTape, ait, decode, interpret_ait
from sabir.eap.dictionary import Entry, default
from sabir.errors import DecodeError, EncodeError, TranslationError
from sabir.silp.canonical import canonical
from sabir.silp.ir import NO_REQ_ID, SilpIR
from sabir.silp.ir_json import ir_from_json
from strategies.eap import ait_tapes

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors/ait.json").read_text("utf-8"))
FOUR = [("s", "security", "SEC"), ("4", "forecast", "F4")]
ODD = AitDictionary.of([Entry(*row) for row in FOUR], [Entry("x", "xss", "XSS"), Entry("y", "y2k", "Y2K")])


def ir_of(form: dict[str, Any]) -> SilpIR:
    """IR of its canonical form."""
    return ir_from_json({**form, "meta": {**form.get("meta", {}), "req_id": NO_REQ_ID}})


# --- text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: str(case["id"]))
def test_vectors(case: dict[str, Any]) -> None:
    """Each text is its message and comes back, or is refused with the error class named."""
    if "error" in case:
        with pytest.raises(DecodeError) as caught:
            ait.decode(case["text"])
        assert type(caught.value).__name__ == case["error"]
        return
    tape = ait.decode(case["text"])
    assert ait.to_json(tape) == case["message"]
    assert ait.from_json(case["message"]) == tape
    assert ait.encode(tape) == case["text"]


@given(ait_tapes(), st.sampled_from([" ", "  ", "\t", " \t "]))
def test_tapes_come_back(tape: AitTape, gap: str) -> None:
    """decode(encode(t)) == t, with any blanks between and around, and in the JSON form."""
    text = ait.encode(tape)
    assert ait.decode(text) == tape
    assert ait.decode(gap + text.replace(" ", gap) + "\n") == tape
    assert ait.from_json(ait.to_json(tape)) == tape
    assert hash(ait.decode(text)) == hash(tape)


def test_the_codes_of_the_document() -> None:
    """The default dictionary holds the codes of the tape and of EAP as they are published."""
    assert {(e.code, e.eap) for e in default().domains.entries} == {
        ("s", "SEC"), ("d", "DAT"), ("r", "REF"), ("p", "PRED"), ("g", "SGE"), ("n", "NST"), ("o", "OBS")
    }  # fmt: skip
    assert {(e.code, e.value, e.eap) for e in default().actions.entries} == {
        ("x", "xss", "XSS"), ("m", "summarize", "SUM"), ("f", "fix", "FIX"), ("a", "audit", "AUDIT"),
        ("b", "branch", "BRANCH"), ("q", "query", "QUERY"), ("u", "update", "UPDATE"),
        ("v", "validate", "VALIDATE"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "span", "code", "reason"),
    [
        ("", (0, 0), "invalid_syntax", 'a tape has one or more packets of four characters, such as "s4x9"'),
        (" \t", (2, 2), "invalid_syntax", "a tape has one or more packets"),
        ("yuh1", (0, 1), "decode_failed", 'packet 1: "y" is no domain; there are s security, d data'),
        (" s4x9 s4z9", (8, 9), "decode_failed", 'packet 2: "z" is no action; there are x xss, m summarize'),
        ("s4x9  s4x0", (9, 10), "invalid_syntax", 'packet 2: "0" is no priority: one digit from 1 to 9'),
        ("s4xa", (3, 4), "invalid_syntax", '"a" is no priority'),
        ("s-x9", (1, 2), "invalid_syntax", '"-" is no target: one of 0-9 a-z, which is 0 to 35'),
        ("s٣x9", (1, 2), "invalid_syntax", "is no target"),
        ("s4x٣", (3, 4), "invalid_syntax", "is no priority"),
        ("sNf7", (0, 4), "invalid_syntax", 'a tape is written in lower case: "snf7"'),
        ("yp r5", (0, 2), "invalid_syntax", "2 characters where a packet has four: domain, target, action"),
        ("s4x9 s", (5, 6), "invalid_syntax", "packet 2: 1 character where"),
        ("s4x95", (0, 5), "invalid_syntax", "5 characters where"),
        ("d8r6|e=rr", (0, 9), "invalid_syntax", "a packet carries no data, only domain, target"),
        ("s4x9\nd2m5", (0, 9), "invalid_syntax", "a tape stands on one line; decode_all reads a tape a line"),
        ("s4x9\xa0d2m5", (0, 9), "invalid_syntax", "9 characters where"),
        ("\udc00", (0, 1), "invalid_syntax", "lone surrogate"),
    ],
)
def test_near_misses(text: str, span: tuple[int, int], code: str, reason: str) -> None:
    """Each fault names its packet, its character and what would be right."""
    with pytest.raises(DecodeError) as caught:
        ait.decode(text)
    assert reason in caught.value.reason
    assert reason in str(caught.value)
    assert (caught.value.span, caught.value.code, caught.value.format) == (span, code, "ait")
    assert caught.value.text == text


@given(st.text(st.sampled_from("s4x9dm5 \n\tAZ-|é"), max_size=20))
def test_only_decode_errors_leave(text: str) -> None:
    """Whatever a text holds, it is a tape or a DecodeError with a span inside it."""
    try:
        tape = ait.decode(text)
    except DecodeError as caught:
        start, end = caught.span
    else:
        start, end = 0, len(text)
        assert ait.decode(ait.encode(tape)) == tape
    assert 0 <= start <= end <= len(text)


def test_a_long_tape_is_read_and_refused_at_its_end() -> None:
    """Fifty thousand packets are answered at once, good or with a fault in the last."""
    text = "s4x9 " * 50_000
    assert len(ait.decode(text).packets) == 50_000
    with pytest.raises(DecodeError, match="packet 50001"):
        ait.decode(text + "zzzz")


# --- messages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        (("security", 36, "xss", 9), "target"),
        (("security", -1, "xss", 9), "target"),
        (("security", True, "xss", 9), "target"),
        (("security", "4", "xss", 9), "target"),
        (("security", 4, "xss", 0), "priority"),
        (("security", 4, "xss", 10), "priority"),
        (("security", 4, "xss", None), "priority"),
        ((5, 4, "xss", 9), "domain"),
        (("security", 4, None, 9), "action"),
    ],
)
def test_what_a_packet_refuses(fields: tuple[Any, ...], path: str) -> None:
    """An illegal field is an EncodeError with its path."""
    with pytest.raises(EncodeError) as caught:
        AitPacket(*fields)
    assert caught.value.path == path


def test_what_a_tape_refuses() -> None:
    """A tape has packets, one at least, in a tuple."""
    packet = AitPacket("security", 4, "xss", 9)
    for packets in ((), [packet], None):
        with pytest.raises(EncodeError, match="a tuple of one or more packets"):
            AitTape(packets)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(EncodeError, match=r"packets\[1\]: must be a packet, not str"):
        AitTape((packet, "s4x9"))  # type: ignore[arg-type]  # the point of the test


def test_words_that_the_dictionary_lacks_cannot_be_written() -> None:
    """Encoding names the word, what is close to it, and what there is."""
    with pytest.raises(EncodeError, match="did you mean security") as caught:
        ait.encode(AitTape((AitPacket("data", 0, "fix", 1), AitPacket("securty", 0, "fix", 1))))
    assert caught.value.path == "packets[1].domain"
    with pytest.raises(EncodeError, match="no 'dance'; there are x xss") as caught:
        ait.encode(AitTape((AitPacket("data", 0, "dance", 1),)))
    assert caught.value.path == "packets[0].action"


PACKET = {"domain": "data", "target": 1, "action": "fix", "priority": 5}


@pytest.mark.parametrize(
    ("form", "path", "reason"),
    [
        (None, "", 'a tape is an object of one list, "packets"'),
        ({"packets": [], "x": 1}, "", "a tape is an object of one list"),
        ({"packets": {}}, "packets", "must be a list"),
        ({"packets": []}, "packets", "one or more packets"),
        ({"packets": [5]}, "packets[0]", "must be an object, not int"),
        ({"packets": [PACKET, {**PACKET, "x": 1}]}, "packets[1].x", "no such field"),
        ({"packets": [{"domain": "data"}]}, "packets[0].target", "missing"),
        ({"packets": [{**PACKET, "target": 36}]}, "packets[0].target", "from 0 to 35, not 36"),
        ({"packets": [{**PACKET, "domain": "x"}]}, "packets[0].domain", "the dictionary has no 'x'"),
    ],
)
def test_what_the_json_form_refuses(form: Any, path: str, reason: str) -> None:
    """Unknown, missing and illegal fields are named."""
    with pytest.raises(EncodeError) as caught:
        ait.from_json(form)
    assert caught.value.path == path
    assert reason in caught.value.reason


# --- the dictionary --------------------------------------------------------------------------------------

ROW = {"code": "s", "value": "security", "eap": "SEC"}


def two(**change: str) -> dict[str, Any]:
    """A dictionary of two domains, the second changed."""
    second = {"code": "d", "value": "data", "eap": "DAT"} | change
    return {"domains": [ROW, second], "actions": [{"code": "x", "value": "xss", "eap": "XSS"}]}


@pytest.mark.parametrize(
    ("form", "path", "reason"),
    [
        ([], "", 'an object of two lists, "domains" and "actions"'),
        ({"domains": []}, "", "an object of two lists"),
        ({"domains": {}, "actions": []}, "domains", "must be a list"),
        ({"domains": [], "actions": []}, "domains", "must have an entry"),
        ({"domains": [5], "actions": []}, "domains[0]", "must be an object of three texts"),
        ({"domains": [{"code": "s"}], "actions": []}, "domains[0]", "must be an object of three texts"),
        ({"domains": [ROW | {"eap": None}], "actions": []}, "domains[0]", "must be an object of three texts"),
        (two(code="s"), "domains[1].code", "'s' stands for security already"),
        (two(value="security"), "domains[1].value", "'security' stands for security already"),
        (two(eap="SEC"), "domains[1].eap", "'SEC' stands for security already"),
        (two(code="dd"), "domains[1].code", "must be one of a-z 0-9, not 'dd'"),
        (two(code="D"), "domains[1].code", "must be one of a-z 0-9"),
        (two(code=""), "domains[1].code", "must be one of a-z 0-9"),
        (two(value="Data"), "domains[1].value", "must be a-z, then any of"),
        (two(eap="D"), "domains[1].eap", "a code of EAP"),
        (two(eap="DATA_BASE"), "domains[1].eap", "a code of EAP"),
    ],
)
def test_ambiguous_dictionaries_are_refused(form: Any, path: str, reason: str) -> None:
    """One character each, no code twice, no value twice, and codes that EAP has."""
    with pytest.raises(EncodeError) as caught:
        AitDictionary.from_json(form)
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_a_dictionary_can_be_replaced(tmp_path: Path) -> None:
    """A dictionary of one's own is read from a file and used for text, JSON and translation."""
    file = tmp_path / "own.json"
    file.write_text(json.dumps(two(code="4", value="quarter", eap="Q4")), "utf-8")
    own = AitDictionary.from_file(file)
    tape = ait.decode("44x9 s0x1", dictionary=own)
    assert ait.to_json(tape)["packets"][0] == {
        "domain": "quarter",
        "target": 4,
        "action": "xss",
        "priority": 9,
    }
    assert ait.encode(tape, own) == "44x9 s0x1"
    assert ait.from_json(ait.to_json(tape), own) == tape
    kind = interpret_ait.kind(own)
    ir, route = interlingua.to_ir(tape, kind)
    assert route == "native"
    assert interlingua.from_ir(ir, kind)[0] == tape
    with pytest.raises(EncodeError, match="no 'quarter'"):
        ait.from_json(ait.to_json(tape))
    with pytest.raises(DecodeError, match='"4" is no domain'):
        ait.decode("44x9")


@pytest.mark.parametrize("content", [b"{", b"\xff"])
def test_a_file_that_is_no_dictionary(tmp_path: Path, content: bytes) -> None:
    """A broken file is an EncodeError that names it."""
    file = tmp_path / "own.json"
    file.write_bytes(content)
    with pytest.raises(EncodeError, match=r"own\.json is no JSON"):
        AitDictionary.from_file(file)


# --- the IR and EAP --------------------------------------------------------------------------------------


@given(ait_tapes())
def test_tapes_come_back_from_the_ir(tape: AitTape) -> None:
    """AIT -> IR -> AIT is the identity, natively, and so is the way by EAP."""
    ir, route = interlingua.to_ir(tape, AIT)
    assert route == "native"
    SilpIR.model_validate(ir.model_dump(exclude_none=True))
    assert interlingua.from_ir(ir, AIT) == (tape, "native")
    packet = interlingua.from_ir(ir, EAP)[0]
    back = interlingua.to_ir(decode(packet.to_ascii()), EAP)[0]
    assert interlingua.from_ir(back, AIT)[0] == tape


def test_what_a_tape_says() -> None:
    """The first packet is the message's own, each further one an entity with domain and priority."""
    assert canonical(interlingua.to_ir(ait.decode("s5x9 s5q9 r5x8"), AIT)[0]) == {
        "intent": "!XSS",
        "entities": [
            {"id": "act", "value": "ctx5"},
            {"id": "act", "value": "ctx5", "action": "!QUERY", "domain": "SEC", "priority": 9},
            {"id": "act", "value": "ctx5", "domain": "REF", "priority": 8},
        ],
        "meta": {"priority": 9, "direction": "request", "domain": "SEC"},
    }


@given(
    st.sampled_from(["SEC", "DAT", "SYS", "PRED"]), st.sampled_from(["XSS", "SUM", "DO"]), st.integers(0, 40)
)
def test_a_tape_of_one_packet_is_that_eap_packet(domain: str, action: str, number: int) -> None:
    """EAP -> AIT -> EAP is the identity where the tape has the words, else a refusal."""
    packet = decode(f">{domain}:{action} #ctx{number} !5")
    ir = interlingua.to_ir(packet, EAP)[0]
    if domain != "SYS" and action != "DO" and number <= 35:
        tape, route = interlingua.from_ir(ir, AIT)
        assert route == "native"
        assert interlingua.from_ir(interlingua.to_ir(tape, AIT)[0], EAP) == (packet, "native")
    else:
        with pytest.raises(TranslationError):
            interlingua.from_ir(ir, AIT)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (">SEC:XSS #ctx4 !9 | a=1", "it has data (a), and a tape carries none"),
        ("<SEC:XSS #ctx4 !9", "it is a response, and a tape holds requests alone"),
        ("=SEC:XSS #ctx4 !9", "it is a sync"),
        (">SEC:XSS #ctx4", "it states no priority, and every packet of a tape has one"),
        (
            ">SYS:FIX #ctx4 !5",
            "the dictionary has no domain for SYS; it has SEC, DAT, REF, PRED, SGE, NST, OBS",
        ),
        (">SEC:SQL #ctx4 !5", "the dictionary has no action for SQL; it has XSS, SUM"),
        (">SEC:XSS #ctx36 !5", "target #ctx36 is over 35"),
        (">SEC:XSS #ctx999999 !5", "target #ctx999999 is over 35"),
        (">SEC:XSS #ctx04 !5", "target #ctx04 is no number of a context, #ctx0 to #ctx35"),
        (">SEC:FIX #prev !7", "target #prev is no number"),
        (">SEC:FIX #ctx-3 !7", "target #ctx-3 is no number"),
        (">SEC:FIX #- !7", "it has no target"),
        (">SEC:FIX #- !7 | a=1", "it has data (a) and no target"),
        (">SEC:X5 #ctx4 !9", "it holds a whole eap message that no tape can say"),
        (
            ">SEC:XSS #ctx4 !9 | @from=ops",
            "it has meta.sender, and a tape says direction, domain and priority alone",
        ),
        (">GEN:CANCEL #ctx4 !9", "the dictionary has no domain for GEN"),
    ],
)
def test_packets_that_no_tape_says(text: str, reason: str) -> None:
    """A packet that a tape cannot say in full is refused with the reason, never cut."""
    ir = interlingua.to_ir(decode(text), EAP)[0]
    with pytest.raises(TranslationError) as caught:
        interlingua.from_ir(ir, AIT)
    assert f"ait cannot hold this message: {reason}" in str(caught.value)


FIRST = {"id": "act", "value": "ctx4"}
META = {"direction": "request", "domain": "SEC", "priority": 9}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"constraints": [{"type": "a", "value": "b"}]}, "it has constraints, and a tape has none"),
        ({"alternatives": [{"action": "!FIX"}]}, "it has alternatives, and a tape has none"),
        ({"silp": "v2"}, "it is of another SILP version"),
        ({"version": "x"}, "it is of another SILP version"),
        ({"meta": {**META, "session_id": "ab"}}, "it has meta.session_id"),
        ({"meta": {**META, "confidence": 0.5}}, "it has meta.confidence"),
        ({"meta": {**META, "priority": 10}}, "priority 10 is not 1 to 9"),
        ({"meta": {**META, "priority": -1}}, "priority -1 is not 1 to 9"),
        ({"meta": {**META, "domain": 5}}, "the dictionary has no domain for 5"),
        ({"meta": {"domain": "SEC", "priority": 9}}, "a tape would say more, such as its direction"),
        ({"entities": [{**FIRST, "note": 1}]}, "it has data (act) and no target"),
        ({"entities": [{**FIRST, "action": "!FIX"}]}, "it has data (act) and no target"),
        ({"entities": [FIRST, FIRST]}, "it has data (act), and a tape carries none"),
        ({"entities": [FIRST, {**FIRST, "domain": "SEC", "priority": 0}]}, "priority 0 is not 1 to 9"),
        ({"entities": [FIRST, {**FIRST, "domain": "SEC", "priority": "9"}]}, "priority 9 is not 1 to 9"),
        ({"entities": [FIRST, {**FIRST, "domain": "SYS", "priority": 9}]}, "no domain for SYS"),
        (
            {"entities": [FIRST, {**FIRST, "action": "!GO", "domain": "SEC", "priority": 9}]},
            "no action for GO",
        ),
    ],
)
def test_irs_that_no_tape_says(change: dict[str, Any], reason: str) -> None:
    """The reason names the part of the IR that the tape has no room for."""
    with pytest.raises(TranslationError) as caught:
        interlingua.from_ir(ir_of({"intent": "!XSS", "entities": [FIRST], "meta": META} | change), AIT)
    assert reason in str(caught.value)


def test_actions_that_are_no_action_codes_are_sealed() -> None:
    """A dictionary may name EAP actions that no IR can; such a tape travels whole."""
    kind = interpret_ait.kind(ODD)
    for text, intent in (("s4y9", "!YK"), ("s4x9 44y1", "!XSS")):
        tape = ait.decode(text, dictionary=ODD)
        ir, route = interlingua.to_ir(tape, kind)
        assert (route, ir.intent) == ("sealed", intent)
        assert canonical(ir)["meta"] == {"priority": 9, "ait": {"wire": text}}
        assert interlingua.from_ir(ir, kind) == (tape, "native")
