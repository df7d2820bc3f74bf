"""SILP's JSON frontend (draft, section 4.2; silp.md, contradictions 10 to 12)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import MAX_VALUE_DEPTH
from sabir.silp import Alternative, Constraint, Entity, Meta, SilpIR, equivalent
from sabir.silp.ir_json import read_ir, write_ir
from sabir.silp.json_frontend import read_json, write_json
from strategies.silp import plain_irs, silp_irs
from vectors_of import cases, hold


def ir(intent: str = "!START", **fields: Any) -> SilpIR:
    """An IR with the metadata given, or none but a request id."""
    fields.setdefault("meta", {})
    fields["meta"] = {"req_id": "a1b2c3d4", **fields["meta"]}
    return SilpIR.model_validate({"intent": intent, **fields})


def act(value: str, action: str | None = None, id: str = "act") -> dict[str, Any]:
    """An entity in its JSON form."""
    return {"id": id, "value": value, **({"action": action} if action else {})}


@pytest.mark.parametrize("case", cases("silp-json"))
def test_conformance(case: dict[str, Any]) -> None:
    """The published cases hold."""
    hold("silp-json", case)


# --- what is written -------------------------------------------------------------------------------------

WRITTEN: tuple[tuple[str, SilpIR, str], ...] = (
    ("intent alone", ir(), '{"intent":"!START"}'),
    ("one argument", ir(entities=[act("hike")]), '{"intent":"!START","act":"hike"}'),
    ("action equal to the intent", ir(entities=[act("hike", "!START")]), '{"intent":"!START","act":"hike"}'),
    (
        "neighbours with one id",
        ir("!BOOK", entities=[act("hotel"), act("downtown"), act("t+5", id="time")]),
        '{"intent":"!BOOK","act":["hotel","downtown"],"time":"t+5"}',
    ),
    (
        "three neighbours",
        ir(entities=[act("a"), act("b"), act("c")]),
        '{"intent":"!START","act":["a","b","c"]}',
    ),
    (
        "secondary actions",
        ir("!CANCEL", entities=[act("flight"), act("zhangsan", "!EMAIL"), act("lisi", "!EMAIL"), act("x", "!A_B")]),
        '{"intent":"!CANCEL","act":"flight","action_email":["zhangsan","lisi"],"action_a_b":["x"]}',
    ),
    (
        "secondary before primary",
        ir("!BOOK", entities=[act("a", "!EMAIL"), act("b")]),
        '{"intent":"!BOOK","action_email":["a"],"act":"b"}',
    ),
    (
        "a verb the ABNF does not have maps back too",
        ir(entities=[act("x", "!A__B_")]),
        '{"intent":"!START","action_a__b_":["x"]}',
    ),
    (
        "constraints: extras after the fields, subject and operator first, then by name",
        ir(constraints=[{"unit": "EUR", "operator": "<=", "a": 1.0, "subject": "me", "value": "5", "type": "budget"}]),
        '{"intent":"!START","constraints":[{"type":"budget","value":"5","subject":"me","operator":"<=","a":1,"unit":"EUR"}]}',
    ),
    (
        "alternatives with extras",
        ir(alternatives=[{"cost": {"b": 1, "a": [2.0]}, "location": "x", "action": "!A"}]),
        '{"intent":"!START","alternatives":[{"action":"!A","location":"x","cost":{"a":[2],"b":1}}]}',
    ),
    (
        "metadata",
        ir(meta={"seq": ["!A"], "priority": 2, "confidence": 0.5, "z": 1, "sender": "a"}),
        '{"intent":"!START","ir":{"meta":{"confidence":0.5,"priority":2,"sender":"a","seq":["!A"],"z":1}}}',
    ),
    (
        "out values that mean nothing",
        ir(meta={"out": "code"}),
        '{"intent":"!START"}',
    ),
    (
        "out values that are kept",
        ir(meta={"out": "xml"}),
        '{"intent":"!START","ir":{"meta":{"out":"xml"}}}',
    ),
    (
        "another version of the IR and of SILP",
        ir(version="ir-v0.2", silp="v2", entities=[act("hike")]),
        '{"intent":"!START","act":"hike","ir":{"silp":"v2","version":"ir-v0.2"}}',
    ),
    (
        "an entity with an extra field: no slots at all",
        ir(entities=[act("a"), {**act("b"), "unit": "km"}]),
        '{"intent":"!START","ir":{"entities":[{"id":"act","value":"a"},{"id":"act","unit":"km","value":"b"}]}}',
    ),
    (
        "an id that comes back",
        ir(entities=[act("a"), act("b", id="x"), act("c")]),
        '{"intent":"!START","ir":{"entities":[{"id":"act","value":"a"},{"id":"x","value":"b"},{"id":"act","value":"c"}]}}',
    ),
    (
        "a secondary action that comes back",
        ir("!BOOK", entities=[act("a", "!EMAIL"), act("b"), act("c", "!EMAIL")]),
        (
            '{"intent":"!BOOK","ir":{"entities":[{"action":"!EMAIL","id":"act","value":"a"},{"id":"act","value":"b"},'
            '{"action":"!EMAIL","id":"act","value":"c"}]}}'
        ),
    ),
    (
        "a keyword of a secondary action",
        ir(entities=[act("zhangsan", "!EMAIL", "to")]),
        '{"intent":"!START","ir":{"entities":[{"action":"!EMAIL","id":"to","value":"zhangsan"}]}}',
    ),
    *(
        (
            f"the reserved id {id}",
            ir(entities=[act("x", id=id)]),
            f'{{"intent":"!START","ir":{{"entities":[{{"id":"{id}","value":"x"}}]}}}}',
        )
        for id in ("intent", "constraints", "alternatives", "action_email", "action_")
    ),
    ("the id ir", ir(entities=[act("x", id="ir")]), '{"intent":"!START","ir":"x"}'),
    ("the id ir, twice", ir(entities=[act("x", id="ir"), act("y", id="ir")]), '{"intent":"!START","ir":["x","y"]}'),
    (
        "the id ir where the slot is needed",
        ir(entities=[act("x", id="ir")], meta={"priority": 1}),
        '{"intent":"!START","ir":{"entities":[{"id":"ir","value":"x"}],"meta":{"priority":1}}}',
    ),
    (
        "ids that only the IR's own root has",
        ir(entities=[act("a", id="silp"), act("b", id="meta"), act("c", id="entities"), act("d", id="")]),
        '{"intent":"!START","silp":"a","meta":"b","entities":"c","":"d"}',
    ),
    (
        "non-ASCII raw, what nobody sees escaped",
        ir(entities=[act('文章 "é"\n\u200b\u2028\x7f😀', id="é\u202e")]),
        '{"intent":"!START","é\\u202e":"文章 \\"é\\"\\n\\u200b\\u2028\\u007f😀"}',
    ),
)


@pytest.mark.parametrize(("message", "text"), [case[1:] for case in WRITTEN], ids=[case[0] for case in WRITTEN])
def test_what_is_written(message: SilpIR, text: str) -> None:
    """An IR has just this text, and the text means that IR."""
    assert write_json(message) == text
    assert equivalent(read_json(text), message)


def test_the_request_id_is_carried_where_it_is_asked_for() -> None:
    """`carry_req_id` puts it into the slot "ir", and reading takes it from there."""
    text = write_json(ir(entities=[act("hike")], meta={"priority": 2}), carry_req_id=True)
    assert text == '{"intent":"!START","act":"hike","ir":{"meta":{"priority":2,"req_id":"a1b2c3d4"}}}'
    assert read_json(text).meta.req_id == "a1b2c3d4"
    assert read_json(text).meta.priority == 2


def test_the_request_id_is_derived_from_the_text() -> None:
    """It is the beginning of the text's SHA-256, outer white space stripped (4.6)."""
    text = '{"intent":"!CANCEL","act":"flight"}'
    assert hashlib.sha256(text.encode()).hexdigest().startswith(read_json(f" {text}\n").meta.req_id)
    assert len(read_json(text).meta.req_id) == 8


def test_decoded_entities_name_their_action() -> None:
    """An entity says what it is an argument of, also where the text leaves the intent out."""
    slots = read_json('{"intent":"!START","act":"hike","action_email":["bob"]}')
    assert [item.action for item in slots.entities] == ["!START", "!EMAIL"]
    whole = read_json('{"intent":"!START","ir":{"entities":[{"id":"a","value":"b"}]}}')
    assert [item.action for item in whole.entities] == ["!START"]


# --- what is read ----------------------------------------------------------------------------------------


def test_white_space_and_order_are_free() -> None:
    """JSON may be laid out as it likes; the order of the slots is that of the entities."""
    found = read_json('\n{ "constraints" : [ ] ,\t"b" : "2" , "intent" : "!START", "a" : [ "1" ] }\r\n')
    assert [(item.id, item.value) for item in found.entities] == [("b", "2"), ("a", "1")]


def test_a_field_said_twice_alike_is_read() -> None:
    """What "ir" repeats without contradicting is no fault."""
    found = read_json('{"intent":"!START","act":"a","ir":{"intent":"!START","entities":[{"id":"act","value":"a"}]}}')
    assert [(item.id, item.value, item.action) for item in found.entities] == [("act", "a", "!START")]


# text, code, piece at fault, words of the reason
REFUSED: tuple[tuple[str, str, str, str], ...] = (
    ("", "invalid_syntax", "", "JSON"),
    ("   ", "invalid_syntax", "", "JSON"),
    ('"x"', "decode_failed", '"x"', "a message is a JSON object, not a string"),
    ("null", "decode_failed", "null", "not null"),
    ("[]", "decode_failed", "[]", "not an array"),
    ("{}", "decode_failed", "{}", 'needs "intent"'),
    ('{"intent":null}', "decode_failed", "null", "the intent is an action code"),
    ('{"intent":["!START"]}', "decode_failed", '["!START"]', "the intent is an action code"),
    ('{"intent":"!start"}', "decode_failed", '"!start"', "the intent is an action code"),
    ('{"intent":"!START\\n"}', "decode_failed", '"!START\\n"', "the intent is an action code"),
    ('{"intent":"!START" "act":"x"}', "invalid_syntax", '"', "JSON"),
    ('{"intent":"!START","act":"x","act":"y"}', "invalid_syntax", '"act"', "stands twice"),
    ('{"intent":"!START","act":null}', "decode_failed", "null", "must be a string or an array of strings, not null"),
    ('{"intent":"!START","act":true}', "decode_failed", "true", "not a boolean"),
    ('{"intent":"!START","act":1.5}', "decode_failed", "1.5", "not a number"),
    ('{"intent":"!START","act":{}}', "decode_failed", "{}", "not an object"),
    ('{"intent":"!START","act":[]}', "decode_failed", "[]", "at least one string"),
    ('{"intent":"!START","act":["a",["b"]]}', "decode_failed", '["b"]', "and this is an array"),
    ('{"intent":"!START","act":["a",true]}', "decode_failed", "true", "and this is a boolean"),
    ('{"intent":"!START","action_email":"bob"}', "decode_failed", '"bob"', "action_email must be an array of strings"),
    ('{"intent":"!START","action_email":[]}', "decode_failed", "[]", "at least one string"),
    ('{"intent":"!START","action_Email":["bob"]}', "decode_failed", '["bob"]', "names no action"),
    ('{"intent":"!START","action_":["bob"]}', "decode_failed", '["bob"]', "names no action"),
    ('{"intent":"!START","action__x":["bob"]}', "decode_failed", '["bob"]', "names no action"),
    ('{"intent":"!START","constraints":"rain"}', "decode_failed", '"rain"', "must be an array of objects"),
    ('{"intent":"!START","constraints":{}}', "decode_failed", "{}", "must be an array of objects"),
    ('{"intent":"!START","constraints":["rain"]}', "decode_failed", '"rain"', "a constraint is an object"),
    ('{"intent":"!START","constraints":[{"type":"a"}]}', "decode_failed", '{"type":"a"}', 'needs "value"'),
    (
        '{"intent":"!START","constraints":[{"type":"a","value":"b","time":null}]}',
        "decode_failed",
        "null",
        "must be a string, not null",
    ),
    ('{"intent":"!START","alternatives":[{"action":"go"}]}', "decode_failed", '"go"', "an action code is !"),
    ('{"intent":"!START","alternatives":[{"target":"a"}]}', "decode_failed", '{"target":"a"}', 'needs "action"'),
    ('{"intent":"!START","meta":{"req_id":"a1b2"}}', "decode_failed", '{"req_id":"a1b2"}', "format silp-ir"),
    ('{"intent":"!START","meta":{}}', "decode_failed", "{}", "meta must be a string"),
    ('{"intent":"!START","ir":{"x":1}}', "decode_failed", "1", "the IR has no such field"),
    ('{"intent":"!START","ir":{"meta":{"priority":true}}}', "decode_failed", "true", "must be a whole number"),
    ('{"intent":"!START","ir":{"meta":{"req_id":"xyz1"}}}', "decode_failed", '"xyz1"', "4 to 8 lower-case hex digits"),
    ('{"intent":"!START","ir":{"intent":"!STOP"}}', "decode_failed", '"!STOP"', '"ir" contradicts the intent'),
    (
        '{"intent":"!START","act":"a","ir":{"entities":[]}}',
        "decode_failed",
        "[]",
        '"ir" contradicts the entities',
    ),
    (
        '{"intent":"!START","constraints":[],"ir":{"constraints":[{"type":"a","value":"b"}]}}',
        "decode_failed",
        '[{"type":"a","value":"b"}]',
        '"ir" contradicts the constraints',
    ),
    (
        (
            '{"intent":"!A","constraints":[{"type":"a","value":"b","n":1}],'
            '"ir":{"constraints":[{"type":"a","value":"b","n":true}]}}'
        ),
        "decode_failed",
        '[{"type":"a","value":"b","n":true}]',
        '"ir" contradicts the constraints',
    ),
    ('{"intent":"!START","act":"\\ud83d"}', "invalid_syntax", "\\ud83d", "surrogate"),
    ('{"intent":"!START","ir":{"meta":{"x":NaN}}}', "invalid_syntax", "NaN", "JSON"),
)


@pytest.mark.parametrize(("text", "code", "piece", "reason"), REFUSED, ids=[case[0][:60] for case in REFUSED])
def test_what_is_refused(text: str, code: str, piece: str, reason: str) -> None:
    """A text that is no message says where and why, and what would be right."""
    padded = f" \n{text}\t"
    with pytest.raises(DecodeError) as caught:
        read_json(padded)
    error = caught.value
    assert error.code == code
    assert reason in error.reason
    assert error.text == padded
    assert error.format == "silp-json"
    start, end = error.span
    assert 0 <= start <= end <= len(padded)
    if piece:
        assert padded[start:end] == piece


def test_strict_reading_refuses_unapproved_verbs_where_they_stand() -> None:
    """Intent, secondary actions, fallbacks, whole entities and the sequence are all held to the whitelist."""
    for text, piece in (
        ('{"intent":"!FLY"}', '"!FLY"'),
        ('{"intent":"!START","action_fly":["a"]}', '["a"]'),
        ('{"intent":"!START","alternatives":[{"action":"!START"},{"action":"!FLY"}]}', '"!FLY"'),
        ('{"intent":"!START","ir":{"entities":[{"id":"a","value":"b","action":"!ESCALATE"}]}}', '"!ESCALATE"'),
        ('{"intent":"!START","ir":{"meta":{"seq":["!START","!SWITCH_TOOL","parallel"]}}}', '"!SWITCH_TOOL"'),
    ):
        read_json(text)
        with pytest.raises(DecodeError, match="strict: ") as caught:
            read_json(text, strict=True)
        assert text[slice(*caught.value.span)] == piece
        assert caught.value.code == "decode_failed"
        assert "!CANCEL !START !EMAIL" in caught.value.reason
    assert read_json('{"intent":"!START","action_email":["a"]}', strict=True).intent == "!START"


def test_depth_of_extra_fields_is_limited_where_they_stand() -> None:
    """An extra field nests as deep as a message can hold and write, and no deeper."""
    deep = "[" * MAX_VALUE_DEPTH + "]" * MAX_VALUE_DEPTH
    for text in (
        '{{"intent":"!A","ir":{{"meta":{{"x":{}}}}}}}',
        '{{"intent":"!A","ir":{{"entities":[{{"id":"a","value":"b","x":{}}}]}}}}',
        '{{"intent":"!A","constraints":[{{"type":"a","value":"b","x":{}}}]}}',
        '{{"intent":"!A","alternatives":[{{"action":"!A","x":{}}}]}}',
    ):
        message = read_json(text.format(deep))
        assert equivalent(read_json(write_json(message)), message)
        with pytest.raises(DecodeError, match="nested deeper") as caught:
            read_json(text.format(f"[{deep}]"))
        assert text.format(f"[{deep}]")[slice(*caught.value.span)] == f"[{deep}]"


# --- losslessness ----------------------------------------------------------------------------------------


@given(silp_irs())
def test_every_ir_comes_back(message: SilpIR) -> None:
    """decode(compile(ir)) is equivalent to ir (4.6), its text is always the same, and no text of silp-ir."""
    text = write_json(message)
    again = read_json(text)
    assert equivalent(again, message)
    assert write_json(again) == text
    carried = write_json(message, carry_req_id=True)
    assert read_json(carried).meta.req_id == message.meta.req_id
    for form, reader in ((carried, read_ir), (write_ir(message), read_json)):
        with pytest.raises(DecodeError):
            reader(form)


@given(plain_irs())
def test_plain_slots_have_no_rest(message: SilpIR) -> None:
    """An IR whose ids each stand in one run of slots needs no slot "ir"."""
    keys = [item.id if item.action in (None, message.intent) else f"action_{item.action}" for item in message.entities]
    runs = [key for at, key in enumerate(keys) if key != keys[at - 1] or at == 0]
    reserved = ("intent", "constraints", "alternatives")
    ids = [item.id for item in message.entities]
    secondary = [item.id for item in message.entities if item.action not in (None, message.intent)]
    if (
        len(set(runs)) == len(runs)
        and not any(id in reserved or id.startswith("action_") for id in ids)
        and all(id == "act" for id in secondary)
    ):
        assert type(json.loads(write_json(message)).get("ir")) is not dict


# --- faults of the caller --------------------------------------------------------------------------------


def built(**fields: Any) -> SilpIR:
    """An IR that went past the checks of its class."""
    values = {"intent": "!START", "entities": [], "constraints": [], "alternatives": [], "meta": Meta(req_id="abcd")}
    return SilpIR.model_construct(**{**values, **fields})


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("start()", ""),
        (None, ""),
        (built(entities=["x"]), "entities[0]"),
        (built(constraints=5), "constraints"),
        (built(constraints=[Entity(id="a", value="b")]), "constraints[0]"),
        (built(entities=[Entity.model_construct(id="a", value="\ud83d", action=None)]), "entities[0].value"),
        (built(alternatives=[Alternative.model_construct(action="!A", target=object(), location=None)]), ""),
        (built(meta={"req_id": "abcd"}), "meta"),
    ],
)
def test_an_ir_built_past_its_checks_is_refused_with_the_path(message: Any, path: str) -> None:
    """The encoder raises `EncodeError` and nothing else."""
    with pytest.raises(EncodeError) as caught:
        write_json(message)
    assert caught.value.path.startswith(path)


def test_an_extra_field_made_unwritable_later_is_refused() -> None:
    """What JSON cannot say is not written as something else."""
    entity, constraint = Entity(id="a", value="b"), Constraint(type="a", value="b")
    fallback, meta = Alternative(action="!A"), Meta(req_id="abcd")
    for part in (entity, constraint, fallback, meta):
        part.__pydantic_extra__["x"] = [float("nan")]
    for fields in ({"entities": [entity]}, {"constraints": [constraint]}, {"alternatives": [fallback]}, {"meta": meta}):
        with pytest.raises(EncodeError, match="nan"):
            write_json(built(**fields))
