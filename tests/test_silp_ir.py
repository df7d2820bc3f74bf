"""The IR: its classes, its JSON form and the format silp-ir (draft, section 3)."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from sabir.errors import DecodeError, EncodeError, UnsupportedVersion
from sabir.jsontext import MAX_VALUE_DEPTH
from sabir.silp import Alternative, Constraint, Entity, Meta, SilpIR, equivalent
from sabir.silp.ir import alternative, constraint, entity, new_req_id, root
from sabir.silp.ir_json import ir_from_json, ir_to_json, read_ir, write_ir
from strategies.silp import silp_irs
from vectors_of import cases, hold

SMALL = '{"intent":"!START","meta":{"req_id":"a1b2c3d4"}}'


@pytest.mark.parametrize("case", cases("silp-ir"))
def test_conformance(case: dict[str, Any]) -> None:
    """The published cases hold."""
    hold("silp-ir", case)


# --- silp-ir ---------------------------------------------------------------------------------------------


@given(silp_irs())
def test_every_ir_comes_back_exactly(message: SilpIR) -> None:
    """decode(encode(m)) == m in every field and type, and its JSON form is valid and gives it back too."""
    text = write_ir(message)
    again = read_ir(text)
    assert again == message
    assert repr(again.meta.__pydantic_extra__) == repr(message.meta.__pydantic_extra__)
    assert again.meta.req_id == message.meta.req_id
    assert write_ir(again) == text
    assert ir_from_json(ir_to_json(message)) == message
    assert ir_from_json(json.loads(text)) == message


def test_defaults_are_left_out_and_the_order_is_the_schemas() -> None:
    """The text is compact and holds nothing but what differs from the defaults, and the request id."""
    message = SilpIR.model_validate(
        {
            "meta": {"x": 1, "out": "code", "req_id": "a1b2c3d4", "priority": 0, "confidence": 1, "seq": []},
            "alternatives": [{"location": "indoor", "action": "!START", "target": None}],
            "entities": [{"unit": "km", "action": "!START", "value": "hike", "id": "act"}],
            "constraints": [],
            "intent": "!START",
            "version": "ir-v0.1",
            "silp": "v1",
        }
    )
    assert write_ir(message) == (
        '{"intent":"!START","entities":[{"id":"act","value":"hike","action":"!START","unit":"km"}],'
        '"alternatives":[{"action":"!START","location":"indoor"}],"meta":{"req_id":"a1b2c3d4","out":"code","x":1}}'
    )


def test_the_json_form_writes_defaults_out() -> None:
    """Defaults stand in the JSON form, absent optional fields do not."""
    message = read_ir('{"intent":"!START","entities":[{"id":"act","value":"hike"}],"meta":{"req_id":"a1b2c3d4"}}')
    assert list(ir_to_json(message).items()) == [
        ("silp", "v1"),
        ("version", "ir-v0.1"),
        ("intent", "!START"),
        ("entities", [{"id": "act", "value": "hike"}]),
        ("constraints", []),
        ("alternatives", []),
        ("meta", {"req_id": "a1b2c3d4", "priority": 0, "confidence": 1.0, "seq": [], "out": "natural"}),
    ]


def test_a_missing_request_id_is_filled_in_by_from_json_alone() -> None:
    """`ir_from_json` draws 8 hex digits at random (3.6); the decoder refuses."""
    for data in ({"intent": "!START"}, {"intent": "!START", "meta": {"priority": 2}}):
        first, second = ir_from_json(data), ir_from_json(data)
        assert re.fullmatch("[a-f0-9]{8}", first.meta.req_id)
        assert first.meta.req_id != second.meta.req_id
        assert equivalent(first, second)
        with pytest.raises(DecodeError, match="needs"):
            read_ir(json.dumps(data))
    assert re.fullmatch("[a-f0-9]{8}", new_req_id())


def test_numbers_are_read_as_the_schema_sees_them() -> None:
    """2.0 is an integer to JSON Schema; a whole confidence is a number; big integers stay whole."""
    text = '{"intent":"!A","meta":{"req_id":"abcd","priority":2.0,"confidence":1,"n":19000000000000000001}}'
    meta = read_ir(text).meta
    assert (meta.priority, type(meta.priority)) == (2, int)
    assert (meta.confidence, type(meta.confidence)) == (1.0, float)
    assert meta.__pydantic_extra__ == {"n": 19000000000000000001}
    negative = read_ir('{"intent":"!A","meta":{"req_id":"abcd","priority":-123456789012345678901}}').meta
    assert negative.priority == -123456789012345678901


def test_extra_fields_hold_any_json_value() -> None:
    """Null among them: only the fields of the schema know no null."""
    text = (
        '{"intent":"!A","entities":[{"id":"a","value":"b","x":null}],"constraints":[{"type":"a","value":"b",'
        '"subject":null,"y":[1,{"z":false}]}],"meta":{"req_id":"abcd","sender":{"a":1.0}}}'
    )
    assert write_ir(read_ir(text)) == text


# text, piece at fault, words of the reason
REFUSED: tuple[tuple[str, str, str], ...] = (
    ("[]", "[]", "the IR is a JSON object, not an array"),
    ("1", "1", "not a number"),
    ("{}", "{}", 'needs "intent"'),
    ('{"intent":"!A"}', '{"intent":"!A"}', 'needs "meta"'),
    ('{"meta":{"req_id":"abcd"}}', '{"meta":{"req_id":"abcd"}}', 'needs "intent"'),
    ('{"intent":"!A","meta":{}}', "{}", 'needs "req_id"'),
    ('{"intent":"!A","meta":null}', "null", "must be an object, not null"),
    ('{"intent":"!A","meta":[]}', "[]", "must be an object, not an array"),
    ('{"intent":"!a","meta":{"req_id":"abcd"}}', '"!a"', "an action code is ! and an upper-case verb"),
    ('{"intent":"!","meta":{"req_id":"abcd"}}', '"!"', "an action code is"),
    ('{"intent":"!_A","meta":{"req_id":"abcd"}}', '"!_A"', "an action code is"),
    ('{"intent":"!A1","meta":{"req_id":"abcd"}}', '"!A1"', "an action code is"),
    ('{"intent":"!Ä","meta":{"req_id":"abcd"}}', '"!Ä"', "an action code is"),
    ('{"intent":"!A\\n","meta":{"req_id":"abcd"}}', '"!A\\n"', "an action code is"),
    ('{"intent":5,"meta":{"req_id":"abcd"}}', "5", "must be a string, not a number"),
    ('{"silp":1,"intent":"!A","meta":{"req_id":"abcd"}}', "1", "must be a string, not a number"),
    ('{"silp":"1","intent":"!A","meta":{"req_id":"abcd"}}', '"1"', "a version is v and digits"),
    ('{"silp":null,"intent":"!A","meta":{"req_id":"abcd"}}', "null", "must be a string, not null"),
    ('{"version":null,"intent":"!A","meta":{"req_id":"abcd"}}', "null", "must be a string, not null"),
    ('{"entities":null,"intent":"!A","meta":{"req_id":"abcd"}}', "null", "must be an array of objects, not null"),
    ('{"entities":{},"intent":"!A","meta":{"req_id":"abcd"}}', "{}", "must be an array of objects, not an object"),
    ('{"entities":[1],"intent":"!A","meta":{"req_id":"abcd"}}', "1", "an entity is an object, not a number"),
    ('{"entities":[{"id":"a"}],"intent":"!A","meta":{"req_id":"abcd"}}', '{"id":"a"}', 'an entity needs "value"'),
    ('{"entities":[{"value":"a"}],"intent":"!A","meta":{"req_id":"abcd"}}', '{"value":"a"}', 'needs "id"'),
    ('{"entities":[{"id":"a","value":1}],"intent":"!A","meta":{"req_id":"abcd"}}', "1", "must be a string"),
    ('{"entities":[{"id":null,"value":"b"}],"intent":"!A","meta":{"req_id":"abcd"}}', "null", "not null"),
    ('{"entities":[{"id":"a","value":"b","action":null}],"intent":"!A","meta":{"req_id":"abcd"}}', "null", "not null"),
    ('{"entities":[{"id":"a","value":"b","action":"x"}],"intent":"!A","meta":{"req_id":"abcd"}}', '"x"', "action code"),
    ('{"constraints":[{"type":"a"}],"intent":"!A","meta":{"req_id":"abcd"}}', '{"type":"a"}', 'needs "value"'),
    ('{"constraints":[{"type":"a","value":true}],"intent":"!A","meta":{"req_id":"abcd"}}', "true", "not a boolean"),
    ('{"alternatives":[{}],"intent":"!A","meta":{"req_id":"abcd"}}', "{}", 'an alternative needs "action"'),
    ('{"alternatives":[{"action":"!A","target":[]}],"intent":"!A","meta":{"req_id":"abcd"}}', "[]", "not an array"),
    ('{"intent":"!A","meta":{"req_id":"abc"}}', '"abc"', "4 to 8 lower-case hex digits"),
    ('{"intent":"!A","meta":{"req_id":"ABCD"}}', '"ABCD"', "4 to 8 lower-case hex digits"),
    ('{"intent":"!A","meta":{"req_id":"abcd\\n"}}', '"abcd\\n"', "4 to 8 lower-case hex digits"),
    ('{"intent":"!A","meta":{"req_id":"abcdef012"}}', '"abcdef012"', "4 to 8 lower-case hex digits"),
    ('{"intent":"!A","meta":{"req_id":"abcd","priority":"1"}}', '"1"', "must be a whole number, not a string"),
    ('{"intent":"!A","meta":{"req_id":"abcd","priority":true}}', "true", "must be a whole number, not a boolean"),
    ('{"intent":"!A","meta":{"req_id":"abcd","priority":1.5}}', "1.5", "must be a whole number"),
    ('{"intent":"!A","meta":{"req_id":"abcd","priority":null}}', "null", "must be a whole number, not null"),
    ('{"intent":"!A","meta":{"req_id":"abcd","confidence":true}}', "true", "must be a number, not a boolean"),
    ('{"intent":"!A","meta":{"req_id":"abcd","confidence":-0.1}}', "-0.1", "between 0 and 1"),
    ('{"intent":"!A","meta":{"req_id":"abcd","confidence":1.0000001}}', "1.0000001", "between 0 and 1"),
    ('{"intent":"!A","meta":{"req_id":"abcd","seq":"!A"}}', '"!A"', "must be an array of strings"),
    ('{"intent":"!A","meta":{"req_id":"abcd","seq":["!A",null]}}', "null", "must be a string, not null"),
    ('{"intent":"!A","meta":{"req_id":"abcd","out":0}}', "0", "must be a string"),
    ('{"intent":"!A","meta":{"req_id":"abcd","session_id":null}}', "null", "must be a string, not null"),
    ('{"intent":"!A","meta":{"req_id":"abcd","next_agent":[]}}', "[]", "must be a string"),
    ('{"intent":"!A","action":"!B","meta":{"req_id":"abcd"}}', '"!B"', "the IR has no such field (there are: silp,"),
)


@pytest.mark.parametrize(("text", "piece", "reason"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_the_schema_refuses(text: str, piece: str, reason: str) -> None:
    """A fault has its code, the value at fault as its span, and a reason; from_json names it by its path."""
    padded = f"\n  {text} "
    with pytest.raises(DecodeError) as caught:
        read_ir(padded)
    error = caught.value
    assert type(error) is DecodeError
    assert (error.code, error.format, error.text) == ("decode_failed", "silp-ir", padded)
    assert padded[slice(*error.span)] == piece
    assert reason in error.reason
    data = json.loads(text)
    if 'needs "req_id"' in reason or 'needs "meta"' in reason:
        ir_from_json(data)
        return
    with pytest.raises(EncodeError) as made:
        ir_from_json(data)
    assert reason in made.value.reason


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", (0, 0)),
        ("{", (1, 1)),
        ('{"intent":"!A","intent":"!B"}', (15, 23)),
        ("{'a':1}", (1, 2)),
        (f"{SMALL}x", (48, 49)),
    ],
)
def test_broken_json_is_invalid_syntax(text: str, span: tuple[int, int]) -> None:
    """What is no JSON text at all has the other code, and its span lies in the text."""
    with pytest.raises(DecodeError) as caught:
        read_ir(text)
    assert (caught.value.code, caught.value.span) == ("invalid_syntax", span)


def test_another_version_is_refused_before_anything_else() -> None:
    """A newer document may look different, so its version is what is reported."""
    for text in ('{"silp":"v2"}', '{"silp":"v10","intent":7,"meta":{"req_id":"abcd"}}', '{"silp":"v01","new":1}'):
        with pytest.raises(UnsupportedVersion, match="speaks v1") as caught:
            read_ir(text)
        assert caught.value.code == "unsupported_version"
        assert text[slice(*caught.value.span)] == re.findall('"v[0-9]+"', text)[0]
    with pytest.raises(EncodeError, match="writes SILP v1, not v2") as made:
        write_ir(ir_from_json({"silp": "v2", "intent": "!A"}))
    assert made.value.path == "silp"


def test_strict_reading_holds_to_the_whitelist() -> None:
    """Unapproved verbs are refused where they stand, with those that are allowed."""
    text = SMALL.replace('"meta"', '"alternatives":[{"action":"!START"},{"action":"!FLY"}],"meta"')
    assert read_ir(SMALL, strict=True).intent == "!START"
    assert read_ir(text).alternatives[1].action == "!FLY"
    with pytest.raises(DecodeError, match="strict: !FLY is no approved verb") as caught:
        read_ir(text, strict=True)
    assert text[slice(*caught.value.span)] == '"!FLY"'


@pytest.mark.parametrize(
    ("data", "path", "reason"),
    [
        ({"intent": "!A", "entities": [{"id": "a", "value": "b"}, {"id": "a", "value": 5}]}, "entities[1].value", "str"),
        ({"intent": "!A", "entities": [{"id": "a", "value": "b", "x": {1: 2}}]}, "entities[0].x (a key)", "text"),
        ({"intent": "!A", "meta": {"x": [1, {"y": float("inf")}]}}, "meta.x[1].y", "no JSON number"),
        ({"intent": "!A", "meta": {"x": (1, 2)}}, "meta.x", "not tuple"),
        ({"intent": "!A", "meta": {5: 1}}, "meta (a key)", "must be text, not int"),
        ({"intent": "!A", "constraints": [{"type": "\ud83d", "value": ""}]}, "constraints[0].type", "lone surrogate"),
        ({"intent": "!A", "meta": {"seq": ["\udc00"]}}, "meta.seq[0]", "lone surrogate"),
        ({"intent": "!A", "meta": {"priority": 10**5000}}, "meta.priority", "more than 4300 digits"),
        ({"intent": "!A", "meta": {"confidence": float("nan")}}, "meta.confidence", "between 0 and 1"),
        ({"intent": "!A", "version": "\ud83d"}, "version", "lone surrogate"),
        ({"intent": "!A", None: 1}, "None", "no such field"),
        ("!A", "", "the IR is a JSON object, not a string"),
        (None, "", "not null"),
        ({}, "", 'needs "intent"'),
    ],
)
def test_from_json_names_the_path(data: Any, path: str, reason: str) -> None:
    """What is no message is an `EncodeError` with its path, whatever Python object it is."""
    with pytest.raises(EncodeError) as caught:
        ir_from_json(data)
    assert (caught.value.path, reason in caught.value.reason) == (path, True)


def test_from_json_shares_nothing_with_its_argument() -> None:
    """Changing the data later leaves the message as it was."""
    data: dict[str, Any] = {
        "intent": "!A",
        "entities": [{"id": "a", "value": "b", "x": [1]}],
        "meta": {"seq": ["!A"], "y": {"z": 1}, "req_id": "abcd"},
    }
    message = ir_from_json(data)
    text = write_ir(message)
    data["entities"][0]["x"].append(2)
    data["meta"]["seq"].append("!B")
    data["meta"]["y"]["z"] = 2
    form = ir_to_json(message)
    form["entities"][0]["x"].append(3)
    form["meta"]["seq"].append("!C")
    assert write_ir(message) == text


def test_depth_of_extra_fields_is_limited_alike_in_both_ways() -> None:
    """An extra field nests as deep as a message can hold."""
    deep: Any = 1
    for _ in range(MAX_VALUE_DEPTH):
        deep = [deep]
    for place in ("entities", "meta"):
        part = {"x": deep} if place == "meta" else [{"id": "a", "value": "b", "x": deep}]
        message = ir_from_json({"intent": "!A", place: part})
        assert read_ir(write_ir(message)) == message
        worse: Any = {"x": [deep]} if place == "meta" else [{"id": "a", "value": "b", "x": [deep]}]
        with pytest.raises(EncodeError, match="nested deeper"):
            ir_from_json({"intent": "!A", place: worse})
        meta = worse if place == "meta" else {}
        with pytest.raises(DecodeError, match="nested deeper") as caught:
            read_ir(json.dumps({"intent": "!A", place: worse, "meta": {"req_id": "abcd", **meta}}))
        assert caught.value.text[slice(*caught.value.span)] == json.dumps([deep])


# --- the classes -----------------------------------------------------------------------------------------


def test_null_stands_for_absent_in_python() -> None:
    """Models that fill in a structured output write null; it is the default, on construction and assignment."""
    message = SilpIR.model_validate(
        {
            "silp": None,
            "version": None,
            "intent": "!A",
            "entities": [{"id": "a", "value": "b", "action": None}],
            "constraints": [{"type": "a", "value": "b", "time": None, "subject": None, "operator": "<"}],
            "alternatives": None,
            "meta": {
                "req_id": "abcd",
                **dict.fromkeys(("session_id", "priority", "confidence", "seq", "out", "next_agent")),
            },
        }
    )
    bare = {"id": "a", "value": "b"}
    same = {"intent": "!A", "entities": [bare], "constraints": [{"type": "a", "value": "b", "operator": "<"}]}
    assert message == ir_from_json({**same, "meta": {"req_id": "abcd"}})
    message.meta.seq = None  # type: ignore[assignment]  # null for the default
    message.constraints[0].operator = None  # type: ignore[attr-defined]  # an extra field
    assert message.meta.seq == []
    assert message.constraints[0].__pydantic_extra__ == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"intent": "START"},
        {"intent": "!A", "x": 1},
        {"intent": "!A", "silp": "1"},
        {"intent": "!A", "meta": {"req_id": "xyz1"}},
        {"intent": "!A", "meta": {"req_id": "abcd", "priority": True}},
        {"intent": "!A", "meta": {"req_id": "abcd", "priority": "1"}},
        {"intent": "!A", "meta": {"req_id": "abcd", "confidence": 2}},
        {"intent": "!A", "meta": {"req_id": "abcd", "confidence": "0.5"}},
        {"intent": "!A", "meta": {"req_id": "abcd", "x": float("nan")}},
        {"intent": "!A", "meta": {"req_id": "abcd", "x": object()}},
        {"intent": "!A", "meta": {"req_id": "abcd", "x": "\ud83d"}},
        {"intent": "!A", "entities": [{"id": "a", "value": 1}]},
        {"intent": "!A", "entities": [{"id": "a", "value": "\ud83d"}]},
        {"intent": "!A\n"},
    ],
)
def test_the_constructor_checks(fields: dict[str, Any]) -> None:
    """The classes refuse what no text can carry and coerce nothing."""
    with pytest.raises(ValidationError):
        SilpIR.model_validate({"meta": {"req_id": "abcd"}, **fields})


def test_assignment_is_checked() -> None:
    """A field keeps its form for the life of the object, an extra field its values."""
    message = ir_from_json({"intent": "!A"})
    with pytest.raises(ValidationError):
        message.intent = "a"
    with pytest.raises(ValidationError):
        message.meta.confidence = 1.5
    with pytest.raises(ValidationError):
        message.meta.note = float("inf")  # type: ignore[attr-defined]  # an extra field
    message.meta.note = "x"  # type: ignore[attr-defined]  # an extra field
    assert message.meta.__pydantic_extra__ == {"note": "x"}


def unchecked() -> SilpIR:
    """One of everything, built without validation."""
    return root(
        "!A",
        [entity("a", "b"), entity("act", "c", "!B", {"x": 1})],
        [constraint("t", "v", "t+1", {"operator": "<"})],
        [alternative("!C", "d", "e", {"y": [1]})],
        "a1b2c3d4",
        {"sender": "s"},
        priority=3,
    )


def test_what_is_built_without_validation_is_a_whole_object() -> None:
    """It equals the validated one, and copies, pickles, dumps and assigns as that does."""
    message = unchecked()
    checked = SilpIR.model_validate(
        {
            "intent": "!A",
            "entities": [{"id": "a", "value": "b"}, {"id": "act", "value": "c", "action": "!B", "x": 1}],
            "constraints": [{"type": "t", "value": "v", "time": "t+1", "operator": "<"}],
            "alternatives": [{"action": "!C", "target": "d", "location": "e", "y": [1]}],
            "meta": {"req_id": "a1b2c3d4", "priority": 3, "sender": "s"},
        }
    )
    assert message == checked
    assert message.model_dump() == checked.model_dump()
    assert message.model_dump_json() == checked.model_dump_json()
    assert pickle.loads(pickle.dumps(message)) == message  # noqa: S301  # our own pickle
    assert copy.deepcopy(message) == copy.copy(message) == message.model_copy(deep=True) == message
    assert repr(message) == repr(checked)


def test_what_is_built_without_validation_shares_nothing() -> None:
    """Assigning to one object leaves the others, and what is built later, alone."""
    first, second = unchecked(), unchecked()
    first.entities[0].unit = "km"  # type: ignore[attr-defined]  # an extra field
    first.meta.note = "x"  # type: ignore[attr-defined]  # an extra field
    first.meta.seq.append("!A")
    first.meta.priority = 9
    assert "unit" in first.entities[0].model_fields_set
    for message in (second, unchecked()):
        assert message.entities[0].model_fields_set == {"id", "value", "action"}
        assert message.entities[0].__pydantic_extra__ == {}
        assert message.meta.model_fields_set.isdisjoint({"note"})
        assert (message.meta.seq, message.meta.priority, message.meta.__pydantic_extra__) == ([], 3, {"sender": "s"})


def test_the_builders_know_the_classes() -> None:
    """Every field of a class is one of its builder's, in order, with its default."""
    for made, kind in (
        (entity("a", "b"), Entity),
        (constraint("a", "b"), Constraint),
        (alternative("!A"), Alternative),
        (root("!A", [], [], []), SilpIR),
        (root("!A", [], [], []).meta, Meta),
    ):
        assert list(made.__dict__) == list(kind.model_fields)
        for name, field in kind.model_fields.items():
            if not field.is_required():
                assert made.__dict__[name] == field.default
