"""The canonical IR, its hash, and what is equivalent (silp.md, "Canonical IR" and contradictions 9 and 10)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import EncodeError
from sabir.silp import SilpIR, canonical_text, equivalent, ir_hash
from sabir.silp.canonical import by_value, canonical, req_id_of
from strategies.silp import silp_irs


def ir(**fields: Any) -> SilpIR:
    """An IR of the intent !START unless another is given."""
    meta = {"req_id": "a1b2c3d4", **fields.pop("meta", {})}
    return SilpIR.model_validate({"intent": "!START", **fields, "meta": meta})


def hike(**extra: Any) -> dict[str, Any]:
    """The argument of the draft's first example."""
    return {"id": "act", "value": "hike", **extra}


# --- the canonical form ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (ir(), '{"intent":"!START"}'),
        (ir(entities=[hike(action="!START")]), '{"entities":[{"id":"act","value":"hike"}],"intent":"!START"}'),
        (
            ir(entities=[hike(action="!EMAIL")]),
            '{"entities":[{"action":"!EMAIL","id":"act","value":"hike"}],"intent":"!START"}',
        ),
        (ir(silp="v1", version="ir-v0.1", constraints=[], alternatives=[]), '{"intent":"!START"}'),
        (ir(silp="v2", version="x"), '{"intent":"!START","silp":"v2","version":"x"}'),
        (
            ir(meta={"priority": 0, "confidence": 1.0, "seq": [], "out": "natural", "session_id": None}),
            '{"intent":"!START"}',
        ),
        (ir(meta={"out": "code"}), '{"intent":"!START"}'),
        (ir(meta={"out": "json"}), '{"intent":"!START"}'),
        (ir(meta={"out": "xml"}), '{"intent":"!START","meta":{"out":"xml"}}'),
        (ir(meta={"confidence": 0}), '{"intent":"!START","meta":{"confidence":0}}'),
        (ir(meta={"confidence": -0.0}), '{"intent":"!START","meta":{"confidence":0}}'),
        (ir(meta={"priority": 2.0}), '{"intent":"!START","meta":{"priority":2}}'),
        (
            ir(meta={"z": {"b": [1.0, {"d": 2.5, "c": -0.0}], "a": None}, "a": True}),
            '{"intent":"!START","meta":{"a":true,"z":{"a":null,"b":[1,{"c":0,"d":2.5}]}}}',
        ),
        (
            ir(constraints=[{"value": "5", "type": "b", "operator": "<", "time": None}]),
            '{"constraints":[{"operator":"<","type":"b","value":"5"}],"intent":"!START"}',
        ),
        (
            ir(alternatives=[{"location": "in", "action": "!START"}]),
            '{"alternatives":[{"action":"!START","location":"in"}],"intent":"!START"}',
        ),
        (ir(meta={"n": 19000000000000000001}), '{"intent":"!START","meta":{"n":19000000000000000001}}'),
        (ir(meta={"x": 1e20}), '{"intent":"!START","meta":{"x":100000000000000000000}}'),
    ],
)
def test_the_canonical_text(message: SilpIR, text: str) -> None:
    """Defaults, the request id and what repeats the intent are dropped; keys are sorted; numbers stand by value."""
    assert canonical_text(message) == text
    assert json.loads(text) == canonical(message)


def test_by_value_keeps_types_apart_that_json_keeps_apart() -> None:
    """1.0 becomes 1; true, "1" and 1.5 stay what they are, also inside."""
    found = by_value({"a": [1.0, True, "1", 1.5, None, {"b": -2.0}]})
    assert [type(item) for item in found["a"]] == [int, bool, str, float, type(None), dict]
    assert found == {"a": [1, True, "1", 1.5, None, {"b": -2}]}


@given(silp_irs())
def test_the_canonical_form_is_a_copy(message: SilpIR) -> None:
    """Changing it leaves the message as it was, and an IR is equivalent to itself copied."""
    text = canonical_text(message)
    found = canonical(message)
    for value in list(found.values()):
        if isinstance(value, list):
            for item in value:
                item.clear()
            value.clear()
    found.get("meta", {}).clear()
    assert canonical_text(message) == text
    assert equivalent(message, message.model_copy(deep=True))


# --- equivalence -----------------------------------------------------------------------------------------

SAME: tuple[tuple[str, SilpIR, SilpIR], ...] = (
    ("the request id", ir(), ir(meta={"req_id": "ffff"})),
    ("action equal to the intent", ir(entities=[hike()]), ir(entities=[hike(action="!START")])),
    ("defaults written out", ir(), ir(silp="v1", entities=[], meta={"priority": 0, "confidence": 1, "out": "natural"})),
    ("out natural and code", ir(meta={"out": "natural"}), ir(meta={"out": "code"})),
    ("out json and code", ir(meta={"out": "json"}), ir(meta={"out": "code"})),
    ("1 and 1.0", ir(meta={"x": 1}), ir(meta={"x": 1.0})),
    ("1 and 1.0 deep inside", ir(entities=[hike(x=[{"y": 1}])]), ir(entities=[hike(x=[{"y": 1.0}])])),
    ("0 and -0.0", ir(meta={"x": 0}), ir(meta={"x": -0.0})),
    ("the order of keys", ir(meta={"a": 1, "b": {"c": 1, "d": 2}}), ir(meta={"b": {"d": 2, "c": 1}, "a": 1})),
    ("null for absent in Python", ir(entities=[hike()]), ir(entities=[hike(action=None)])),
)
DIFFERENT: tuple[tuple[str, SilpIR, SilpIR], ...] = (
    ("the intent", ir(), ir(intent="!STOP")),
    ("true and 1", ir(meta={"x": True}), ir(meta={"x": 1})),
    ("false and 0", ir(meta={"x": False}), ir(meta={"x": 0})),
    ("1 and its text", ir(meta={"x": 1}), ir(meta={"x": "1"})),
    ("null and absent in an extra", ir(meta={"x": None}), ir()),
    ("an empty list and absent in an extra", ir(meta={"x": []}), ir()),
    ("big neighbours", ir(meta={"x": 2**63}), ir(meta={"x": 2**63 + 1})),
    ("the order of entities", ir(entities=[hike(), hike(x=1)]), ir(entities=[hike(x=1), hike()])),
    ("the order of constraints",
     ir(constraints=[{"type": "a", "value": "1"}, {"type": "b", "value": "1"}]),
     ir(constraints=[{"type": "b", "value": "1"}, {"type": "a", "value": "1"}])),
    ("an entity twice", ir(entities=[hike()]), ir(entities=[hike(), hike()])),
    ("another action", ir(entities=[hike()]), ir(entities=[hike(action="!EMAIL")])),
    ("an empty time and none", ir(constraints=[{"type": "a", "value": "1", "time": ""}]),
     ir(constraints=[{"type": "a", "value": "1"}])),
    ("an out value of one's own", ir(meta={"out": "natural"}), ir(meta={"out": "xml"})),
    ("an empty out value", ir(meta={"out": "natural"}), ir(meta={"out": ""})),
    ("the version", ir(), ir(version="ir-v0.2")),
    ("composed and decomposed letters", ir(meta={"x": "é"}), ir(meta={"x": "e\u0301"})),
)  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_what_is_equivalent(a: SilpIR, b: SilpIR) -> None:
    """These mean the same, and have one hash."""
    assert equivalent(a, b)
    assert equivalent(b, a)
    assert ir_hash(a) == ir_hash(b)


@pytest.mark.parametrize(("a", "b"), [case[1:] for case in DIFFERENT], ids=[case[0] for case in DIFFERENT])
def test_what_is_not_equivalent(a: SilpIR, b: SilpIR) -> None:
    """These do not mean the same."""
    assert not equivalent(a, b)
    assert not equivalent(b, a)


# --- the hash --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "digest"),
    [
        (ir(), "077d9c1bab9945b2a7a30c58bc5023ceae820edfddfd27075c3042742aa890d0"),
        (
            ir(entities=[hike(action="!START")], meta={"priority": 2, "out": "code"}),
            "561fea3c60e19f6025ccb63762eaee6ef1596bacb591fc82861a2c7dae276143",
        ),
    ],
)
def test_known_hashes(message: SilpIR, digest: str) -> None:
    """Taken with sha256sum from the canonical text written by hand."""
    assert ir_hash(message) == digest


@pytest.mark.parametrize(
    ("extra", "text"),
    [
        # Numbers as ECMAScript prints them (RFC 8785, 3.2.2.3 and appendix B).
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (333333333.33333329, "333333333.3333333"),
        (4.50, "4.5"),
        (2e-3, "0.002"),
        (0.1 + 0.2, "0.30000000000000004"),
        (5e-324, "5e-324"),
        (9007199254740991, "9007199254740991"),
        (-9007199254740991.0, "-9007199254740991"),
        (-0.0, "0"),
        # Strings: the two-letter escapes, lower-case hex, and nothing else escaped (3.2.2.2).
        ('€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ("\x7f\u2028\u200b😀", '"\x7f\u2028\u200b😀"'),
        # Keys in the order of their UTF-16 code units (3.2.3): U+1F600 is D83D DE00, before U+FB33.
        (
            {"€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\x80": 6, "ö": 7},
            '{"\\r":2,"1":4,"\x80":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
        ),
        ([None, True, False, [], {}], "[null,true,false,[],{}]"),
    ],
)
def test_the_hash_is_over_rfc_8785(extra: Any, text: str) -> None:
    """The hash is that of the canonical JSON as the standard spells it."""
    whole = f'{{"intent":"!START","meta":{{"x":{text}}}}}'
    assert ir_hash(ir(meta={"x": extra})) == hashlib.sha256(whole.encode()).hexdigest()


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**64, 1e22, 19000000000000000001])
def test_an_integer_that_rfc_8785_cannot_carry_is_refused(number: float) -> None:
    """It is not rounded: the error says why there is no hash. The canonical text has it in full."""
    for message in (
        ir(meta={"x": number}),
        ir(entities=[hike(x=[{"y": number}])]),
        ir(meta={"priority": int(number)}),
    ):
        with pytest.raises(EncodeError, match="no integer beyond 2\\^53"):
            ir_hash(message)
        assert str(int(number)) in canonical_text(message)
    assert ir_hash(ir(meta={"x": 2**53 - 1})) == ir_hash(ir(meta={"x": float(2**53 - 1)}))


@given(silp_irs(), silp_irs())
def test_equal_hashes_are_equivalence(a: SilpIR, b: SilpIR) -> None:
    """Two IRs have one hash exactly where they are equivalent."""
    try:
        hashes = ir_hash(a), ir_hash(b)
    except EncodeError:
        return
    assert (hashes[0] == hashes[1]) is equivalent(a, b)


# --- request ids -----------------------------------------------------------------------------------------


def test_request_ids_of_texts() -> None:
    """The first 8 hex digits of the text's SHA-256, outer white space stripped; "start()" is the published case."""
    assert req_id_of("start()") == "0c89bb58"
    assert req_id_of(" \n start()\t\u00a0") == "0c89bb58"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_request_ids_are_request_ids(text: str) -> None:
    """Every text has one that the schema takes."""
    assert SilpIR.model_validate({"intent": "!A", "meta": {"req_id": req_id_of(text)}}).meta.req_id == req_id_of(text)


def test_what_was_built_past_the_checks_has_no_hash() -> None:
    """The hash raises `EncodeError` and nothing else."""
    values: list[Any] = [float("nan"), "\ud83d", object()]
    for value in values:
        message = ir()
        message.meta.__pydantic_extra__["x"] = value
        with pytest.raises(EncodeError, match="has no hash"):
            ir_hash(message)
