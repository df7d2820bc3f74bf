from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sabir
from sabir import api, detection, meter, registry
from sabir.crossing import crossings, same
from sabir.errors import DecodeError, EncodeError, TranslationError
from sabir.jsontext import MAX_TEXT
from sabir.silp import SILP

VECTORS = Path(__file__).parent / "vectors"
TRANSLATE: list[dict[str, Any]] = json.loads((VECTORS / "translate.json").read_text("utf-8"))


@pytest.mark.parametrize("case", TRANSLATE, ids=lambda case: case["id"])
def test_translation_vectors(case: dict[str, Any]) -> None:
    """The published cases of translation, native or refused."""
    if "error" in case:
        with pytest.raises(getattr(sabir, case["error"])):
            sabir.translate(case["text"], case["target"], case["source"])
        return
    done = sabir.translate(case["text"], case["target"], case["source"])
    assert (done.text, done.native, done.lossless) == (case["want"], case["native"], True)
    assert (done.source, done.target) == (case["source"], case["target"])
    assert sabir.translate(case["text"], case["target"]) == done, "the source is found by itself"


def test_names_are_those_of_the_design() -> None:
    """Every public name can be reached, and dir() and __all__ agree."""
    for name in sabir.__all__:
        assert getattr(sabir, name) is not None
        assert name in dir(sabir)
    assert [f.name for f in sabir.formats()] == [
        "silp-code", "silp-ir", "silp-json", "slip", "eap", "eap-unicode", "ait", "lingua", "silp-natural", "silp-nl-json",
        "silp-llmlingua2",
    ]  # fmt: skip
    assert [f.name for f in sabir.formats() if not f.lossless] == ["silp-natural", "silp-nl-json", "silp-llmlingua2"]
    with pytest.raises(AttributeError, match="nothing"):
        _ = sabir.nothing


def test_import_loads_no_optional_package() -> None:
    """A fresh interpreter that uses the core has loaded none of the extras."""
    code = (
        "import sys, sabir; sabir.translate('s4x9', 'silp-code'); "
        "print([m for m in ('quicktok', 'rich', 'click', 'tiktoken', 'numpy', 'llmlingua', 'torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_message_is_written_in_its_own_format_unless_another_is_named() -> None:
    """Own formats: silp-code, slip, eap, ait; another type's format is refused with the way to go."""
    packet = sabir.decode(">SEC:XSS #ctx4 !9")
    assert sabir.encode(packet) == ">SEC:XSS #ctx4 !9"
    assert sabir.encode(packet, "eap-unicode") == "◤SEC::XSS ➔ 📦[#ctx4] ⚡9"
    with pytest.raises(EncodeError, match="a EapPacket is not written as slip: translate it"):
        sabir.encode(packet, "slip")
    with pytest.raises(EncodeError, match='no format "eep"; did you mean eap'):
        sabir.encode(packet, "eep")
    with pytest.raises(EncodeError, match="dict is no message"):
        sabir.encode({})  # type: ignore[arg-type]


def test_request_ids_are_carried_only_when_asked() -> None:
    """carry_req_id writes the id where the format has a place for it, and translation does not carry it."""
    ir = sabir.decode("start()")
    assert isinstance(ir, sabir.SilpIR)
    assert ir.meta.req_id == "0c89bb58"
    for name in ("silp-code", "silp-json", "silp-ir"):
        again = sabir.decode(sabir.encode(ir, name, carry_req_id=True), name)
        assert isinstance(again, sabir.SilpIR)
        assert again.meta.req_id == "0c89bb58"
    assert sabir.encode(ir, carry_req_id=True) == 'start() # {"meta":{"req_id":"0c89bb58"}}'
    packet = sabir.decode(">SEC:XSS #ctx4 !9")
    assert sabir.encode(packet, carry_req_id=True) == ">SEC:XSS #ctx4 !9"
    # printf '%s' '>SEC:XSS #ctx4 !9' | sha256sum
    assert sabir.to_ir(packet).meta.req_id == "c8e7d60b"


@pytest.mark.parametrize(
    "call",
    [
        lambda: sabir.decode("start()", "silpcode"),
        lambda: sabir.decode_all("start()", "silpcode"),
        lambda: sabir.translate("start()", "slip", "silpcode"),
    ],
)
def test_unknown_source_formats_are_decode_errors(call: Any) -> None:
    """A format that does not exist is named with the nearest one."""
    with pytest.raises(DecodeError, match='no format "silpcode"; did you mean silp-code') as caught:
        call()
    assert caught.value.code == "unsupported_frontend"


def test_unknown_target_formats() -> None:
    """The same for targets and JSON forms, in the class of the call."""
    with pytest.raises(TranslationError, match='no format "slyp"; did you mean slip'):
        sabir.translate("start()", "slyp")
    with pytest.raises(TranslationError, match='no format "zzz" '):
        sabir.from_ir(sabir.to_ir(sabir.decode("start()")), "zzz")
    with pytest.raises(EncodeError, match="no format"):
        sabir.from_json("zzz", {})


def test_compiled_forms_do_not_decode_and_are_not_lossless() -> None:
    """silp-natural answers with SILP's own code; a translation into it says that it does not come back."""
    with pytest.raises(DecodeError) as caught:
        sabir.decode("Start.", "silp-natural")
    assert caught.value.code == "unsupported_frontend"
    done = sabir.translate("if !rain(t+1): start(hike) else start(cards@indoor)", "silp-natural")
    assert done.text == "If not rain at t+1, start hike otherwise start cards at indoor."
    assert not done.lossless


def test_several_messages_in_a_text() -> None:
    """EAP packets share a line; other formats take a line each; formats may be mixed when they are found by themselves."""
    packets = sabir.decode_all(">SEC:XSS #ctx5 !9 >SEC:SQL #ctx5 !9\n>REF:FIX #ctx5 !9", "eap")
    assert [sabir.encode(p) for p in packets] == [">SEC:XSS #ctx5 !9", ">SEC:SQL #ctx5 !9", ">REF:FIX #ctx5 !9"]
    mixed = sabir.decode_all("start()\r\n\n>SEC:XSS #ctx5 =SYS:OK #ctx0\ns4x9\n")
    assert [sabir.encode(m) for m in mixed] == ["start()", ">SEC:XSS #ctx5", "=SYS:OK #ctx0", "s4x9"]
    with pytest.raises(DecodeError, match="decode_all"):
        sabir.decode(">SEC:XSS #ctx5 =SYS:OK #ctx0", "eap")


def test_a_fault_in_one_line_points_into_the_whole_text() -> None:
    """Line, column and span are those of the text that was given."""
    text = "start()\nstart(\n"
    for name in (None, "silp-code"):
        with pytest.raises(DecodeError) as caught:
            sabir.decode_all(text, name)
        assert (caught.value.line, caught.value.text) == (2, text)


def test_only_lf_and_crlf_end_a_line() -> None:
    """U+2028, U+2029 and U+0085 inside a value end no message."""
    for char in "\u2028\u2029\u0085":
        [message] = sabir.decode_all(f'SLIP v1 a b Fallback "x{char}y"', "slip")
        assert isinstance(message, sabir.SlipMessage)
        assert message.payload == (f"x{char}y",)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("start(hike)", "silp-code"),
        ("fetch(data) -> process", "silp-code"),
        ('{"intent":"!START","meta":{"req_id":"a1b2c3d4"}}', "silp-ir"),
        ('{"intent":"!START","act":"hike"}', "silp-json"),
        ('{"intent":"!START","meta":"x"}', "silp-json"),
        ("SLIP v1 a b MetaAck", "slip"),
        ("SLIP v3 a b Request Review", "slip"),
        (">SEC:XSS #ctx4", "eap"),
        (">SEC:XSS #ctx5 !9 >SEC:SQL #ctx5 !9", "eap"),
        ("◤SEC::XSS ➔ 📦[#ctx4]", "eap-unicode"),
        ("s4x9 s5q9", "ait"),
        ("please check ctx4 for xss", None),
        ("", None),
        ("{}", None),
        ('{"sender":"a","content":{"request":"x"}}', None),
        ("SLIP v1 a b RequestReveiw", None),
        ("> quoted mail", None),
        ("Payslip v1 a b MetaAck", None),
    ],
)
def test_detection(text: str, format: str | None) -> None:
    """One format reads the text, or none does."""
    assert sabir.detect(text) == format
    assert sabir.detect(f"  {text}\n") == format


def test_detection_says_what_came_closest() -> None:
    """Decode without a format raises the error of the format that got furthest."""
    with pytest.raises(sabir.UnknownAnchor) as caught:
        sabir.decode("SLIP v1 alice bob RequestReveiw")
    assert caught.value.format == "slip"
    with pytest.raises(DecodeError, match=r"^no format reads this text \(tried: silp-code, .*ait, lingua\)"):
        sabir.decode("¿?")


def test_two_readings_are_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Detection never guesses: a text that two formats read is refused."""
    slip = registry.BY_NAME["slip"]
    twin = type(slip)("twin", "a second reader of SLIP", slip.kind, re.compile("SLIP"), slip.read, slip.write, "")
    monkeypatch.setattr(detection, "READABLE", (*registry.READABLE, twin))
    for call in (sabir.detect, sabir.decode):
        with pytest.raises(DecodeError, match="this text reads as slip and twin: name the format"):
            call("SLIP v1 a b MetaAck")


def test_types_survive_every_other_format() -> None:
    """Six types of EAP data come back from each format: str, str, str, float, bool, none; big integers exactly."""
    for text in (
        '>OBS:UPDATE #ctx2 !4 | grade="100.0" ok="true" nil="null" n=100.0 t=true z=null',
        ">DAT:UPDATE #ctx1 !5 | n=19000000000000000001 m=18446744073709551617",
    ):
        for format in registry.READABLE:
            if format.name != "ait":
                there = sabir.translate(text, format.name)
                assert sabir.translate(there.text, "eap", format.name).text == text


def test_token_counts_of_known_texts() -> None:
    """Counts of the four published spellings of one message, and of long runs."""
    assert [meter.count(t) for t in (">SEC:XSS #ctx4 !9", "◤SEC::XSS ➔ 📦[#ctx4] ⚡9", "s4x9")] == [9, 17, 4]
    assert [meter.count(char * 200_000) for char in "^="] == [25_000, 3_125]
    assert [meter.count(char * 200_000, "gpt-4") for char in "^="] == [50_000, 3_125]


def test_what_no_decoder_takes_is_not_written() -> None:
    """A text beyond the limit is refused where it is made, as where it is read."""
    longest = sabir.SlipMessage("a", "b", "Fallback", ["x" * (MAX_TEXT - len("SLIP v1 a b Fallback "))])
    assert sabir.decode(sabir.encode(longest)) == longest
    over = sabir.SlipMessage("aa", "b", "Fallback", longest.payload)
    for name in (None, "slip"):
        with pytest.raises(EncodeError, match="longer than 16777216 characters"):
            sabir.encode(over, name)
    with pytest.raises(TranslationError, match="longer than 16777216 characters"):
        sabir.translate(longest, "eap")


@pytest.mark.parametrize("name", [[], {}, 5, 10**5000, b"slip"], ids=["list", "dict", "number", "giant", "bytes"])
def test_a_format_that_is_no_name_is_refused(name: Any) -> None:
    """Whatever is given for a format's name, the error is the function's own."""
    message = sabir.decode("s4x9")
    calls: list[tuple[Any, type[Exception]]] = [
        (lambda: sabir.decode("s4x9", name), DecodeError),
        (lambda: sabir.decode_all("s4x9", name), DecodeError),
        (lambda: sabir.encode(message, name), EncodeError),
        (lambda: sabir.from_json(name, {}), EncodeError),
        (lambda: sabir.translate("s4x9", name), TranslationError),
        (lambda: sabir.translate("s4x9", "eap", name), DecodeError),
        (lambda: sabir.from_ir(sabir.to_ir(message), name), TranslationError),
    ]
    for call, error in calls:
        with pytest.raises(error, match="a format is named by text"):
            call()


def test_equivalence_of_a_broken_ir_is_refused_with_its_path() -> None:
    """Whichever side was built past the checks of its class, and only that side."""
    sound = sabir.to_ir(sabir.decode("start(hike)"))
    broken = sabir.to_ir(sabir.decode("start(hike)"))
    broken.entities.append(5)  # type: ignore[arg-type]  # the point of the test
    for pair in ((sound, broken), (broken, sound)):
        with pytest.raises(EncodeError, match=r"entities\[1\]"):
            sabir.equivalent(*pair)


def test_what_even_the_json_form_breaks_on_is_refused() -> None:
    """An entity without its slot for extra fields has no JSON form; who needs it says so in an error of the library."""
    ir = sabir.to_ir(sabir.decode("start(hike)"))
    object.__setattr__(ir.entities[0], "__pydantic_extra__", None)
    for name in ("silp-ir", "silp-natural"):
        with pytest.raises(EncodeError, match="without the checks of its class"):
            sabir.encode(ir, name)
    with pytest.raises(EncodeError, match="without the checks of its class"):
        sabir.from_ir(ir, "eap")


def test_a_sound_ir_that_python_does_not_print_says_why() -> None:
    """Where the interpreter writes fewer digits than an extra field has, that is the reason, in SILP's writers too."""
    ir = sabir.from_json("silp-ir", {"intent": "!A", "meta": {"req_id": "abcd", "x": 10**1000}})
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        for name in ("silp-ir", "silp-json", "silp-code"):
            with pytest.raises(EncodeError, match="more digits than this interpreter writes"):
                sabir.encode(ir, name)
    finally:
        sys.set_int_max_str_digits(before)


def test_explain_takes_two_languages() -> None:
    """Another language is an error, not English."""
    with pytest.raises(EncodeError, match='no language "fr"'):
        sabir.explain(sabir.decode("s4x9"), "fr")


def test_equivalence_is_public() -> None:
    """An action equal to the intent and no action are the same IR."""
    a = sabir.from_json("silp-ir", {"intent": "!START", "entities": [{"id": "act", "value": "x"}]})
    assert sabir.equivalent(a, sabir.decode("start(x)"))  # type: ignore[arg-type]
    assert api.equivalent is sabir.equivalent


@pytest.mark.parametrize(
    ("text", "format", "reason"),
    [
        ("Start(hike)", "silp-code", "lower case: start("),
        ("$ start(hike)", "silp-code", "prompt sign"),
        ("S4X9", "ait", "lower case"),
        ("slip v1 a b MetaAck", "slip", "capitals"),
        ("$ SLIP v1 a b MetaAck", "slip", "prompt sign"),
        ("> SEC:XSS #ctx4", None, "eap came closest"),
        ("  ", None, "the text is empty"),
    ],
)
def test_a_slip_is_answered_by_the_format_it_was_meant_for(text: str, format: str | None, reason: str) -> None:
    """Another case and a pasted prompt sign do not hide which format was meant."""
    with pytest.raises(DecodeError, match=re.escape(reason)) as caught:
        sabir.decode(text)
    assert caught.value.format == format


def test_strict_decoding_reaches_the_format() -> None:
    """Strict and allow_unknown are passed on, with and without a format named."""
    for format in (None, "silp-code"):
        with pytest.raises(DecodeError, match="strict"):
            sabir.decode("xss(ctx4)", format, strict=True)
    for name in (None, "slip"):
        kept = sabir.decode("SLIP v1 a b Foo", name, allow_unknown=True)
        assert sabir.encode(kept) == "SLIP v1 a b Foo"


def test_a_crossing_that_changes_a_message_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check compares what came back, and says what it was."""
    real = api.translate

    def broken(text: Any, to: str, format: str | None = None, **anchors: Any) -> api.Translation:
        done = real(text, to, format, **anchors)
        return done if to != "ait" else api.Translation("s5x9", done.source, done.target, lossless=True, native=True)

    monkeypatch.setattr(api, "translate", broken)
    [crossing] = crossings("s4x9", registry.BY_NAME["ait"], [registry.BY_NAME["eap"]])
    assert (crossing.outcome, crossing.reason) == ("changed", "came back as s5x9")
    assert not same(sabir.decode("s4x9"), sabir.decode("start()"))


def test_silp_is_the_interlingua_itself() -> None:
    """For SILP, every one of the functions between message and IR is the identity."""
    ir = sabir.decode("start(hike)")
    assert isinstance(ir, sabir.SilpIR)
    assert SILP.put is not None
    for function in (SILP.hear, SILP.say, SILP.put, SILP.take, SILP.head):
        assert function(ir) is ir


def test_an_ir_with_a_priority_too_long_to_read_is_refused() -> None:
    """The model holds no integer that no reader takes, and a broken model is an EncodeError in every frontend."""
    with pytest.raises(ValueError, match="more than 4300 digits"):
        sabir.Meta(req_id="abcd", priority=10**4300)
    ir = sabir.decode("start(hike)")
    assert isinstance(ir, sabir.SilpIR)
    ir.entities.append(5)  # type: ignore[arg-type]
    for format in ("silp-code", "silp-json", "silp-ir"):
        with pytest.raises(EncodeError, match="entities"):
            sabir.encode(ir, format)
    gutted = sabir.decode("start(hike)")
    del gutted.__dict__["intent"]
    with pytest.raises(EncodeError, match="made without the checks of its class"):
        sabir.encode(gutted, "silp-ir")
