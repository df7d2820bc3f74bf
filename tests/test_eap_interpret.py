"""EAP and the IR: what is said in its own terms, what travels whole, and that all of it comes back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import interlingua
from sabir.eap import EAP, EapPacket, decode
from sabir.eap.interpret import head, hear, put, say, take
from sabir.eap.values import MAX_DATA_DEPTH
from sabir.jsontext import MAX_VALUE_DEPTH
from sabir.silp.canonical import canonical, equivalent
from sabir.silp.ir import NO_REQ_ID, SilpIR
from sabir.silp.ir_json import ir_from_json
from strategies.eap import eap_packets, json_values, texts

VERBS = ["!CANCEL", "!XSS", "!META_ACK", "!PROPOSE_ALTERNATIVE", "!A", "!B_", "!" + "LONG_" * 5]


def ir_of(form: dict[str, Any]) -> SilpIR:
    """IR of its canonical form."""
    return ir_from_json({**form, "meta": {**form.get("meta", {}), "req_id": NO_REQ_ID}})


@st.composite
def irs(draw: st.DrawFn) -> SilpIR:
    """IRs, near to what EAP can say more often than not."""
    intents = st.sampled_from(VERBS)
    typed = st.fixed_dictionaries(
        {}, optional={"type": st.sampled_from(["int", "float", "bool", "null", "json", "x", 5])}
    )
    extras = st.one_of(st.just({}), typed, st.dictionaries(texts(), json_values(), max_size=2))
    values = st.one_of(
        texts(), st.sampled_from(["1", "1.0", "01", "true", "null", "[1]", "{}", "1e400", "[1, 2]"])
    )
    entity = st.builds(
        lambda name, value, action, extra: {
            **extra,
            "id": name,
            "value": value,
            **({"action": action} if action else {}),
        },
        st.one_of(st.sampled_from(["act", "act", "time", "@from", "@to", "ir", "k"]), texts()),
        values,
        st.one_of(st.none(), st.none(), intents),
        extras,
    )
    meta = st.fixed_dictionaries(
        {},
        optional={
            "priority": st.sampled_from([0, 1, 9, 10, -3]),
            "direction": st.sampled_from(["request", "response", "sync", "x", 5]),
            "domain": st.sampled_from(["SEC", "GEN", "sec", "TOOLONGFORIT", None]),
            "sender": st.one_of(texts(), st.just(5)),
            "next_agent": texts(),
            "session_id": texts(),
            "note": json_values(),
            "eap": st.sampled_from(
                [{"wire": ">SEC:XSS #a"}, {"wire": "x"}, {"wire": ">SEC:X5 #a"}, {"wire": 5}]
            ),
        },
    )
    form: dict[str, Any] = {"intent": draw(intents), "meta": draw(meta)}
    form["entities"] = draw(st.lists(entity, max_size=3))
    if draw(st.integers(0, 4)) == 0:
        form["constraints"] = [{"type": draw(texts()), "value": draw(texts())}]
    if draw(st.integers(0, 4)) == 0:
        form["alternatives"] = [{"action": draw(intents), "target": draw(texts())}]
    return ir_of(form)


@given(eap_packets())
def test_packets_come_back_from_the_ir(packet: EapPacket) -> None:
    """EAP -> IR -> EAP is the identity, and the IR is valid."""
    ir, _ = interlingua.to_ir(packet, EAP)
    SilpIR.model_validate(ir.model_dump(exclude_none=True))
    assert interlingua.from_ir(ir, EAP)[0] == packet


@pytest.mark.parametrize(
    ("pairs", "extra"),
    [
        ("a=1 @modifier=silent @from=ops", {"modifier": "silent", "sender": "ops"}),
        ("@b=1 @c=x @d=y", {"c": "x", "d": "y"}),  # a number is no such field, and ends the row
        ("@d=x @c=y", {"c": "y"}),  # names descend
        ("@c=x a=1", {}),
        ("@priority=x", {}),
        ("@direction=x", {}),
        ("@from=x @a=y", {"a": "y"}),
        ("c@d=x", {}),
    ],
)
def test_text_in_the_metadata_ends_a_packet_by_name(pairs: str, extra: dict[str, str]) -> None:
    """The last pairs whose keys begin with @, in the order of their names, are extra fields of meta."""
    packet = decode(f">GEN:CANCEL #x | {pairs}")
    ir, route = interlingua.to_ir(packet, EAP)
    assert route == "native"
    assert ir.meta.model_extra == extra
    assert interlingua.from_ir(ir, EAP)[0] == packet


@pytest.mark.parametrize("name", ["subject", "operator", "unit"])
def test_a_null_in_the_extra_fields_comes_back(name: str) -> None:
    """A packet carries an IR as it is read from a text: null is a value of an extra field, whatever its name."""
    ir = ir_of({"intent": "!START", "constraints": [{"type": "loc", "value": "x", name: None}]})
    again = interlingua.to_ir(decode(put(ir).to_ascii()), EAP)[0]
    assert canonical(again)["constraints"] == [{"type": "loc", "value": "x", name: None}]


@given(irs())
def test_irs_come_back_from_packets(ir: SilpIR) -> None:
    """IR -> EAP -> IR is equivalent, through text as well."""
    packet, _ = interlingua.from_ir(ir, EAP)
    assert equivalent(interlingua.to_ir(decode(packet.to_ascii()), EAP)[0], ir)


@given(irs())
def test_a_packet_carries_any_ir_under_a_fitting_head(ir: SilpIR) -> None:
    """Put is total, take gives the IR back, and what means the same is carried in the same words."""
    packet = put(ir)
    taken = take(packet)
    assert taken is not None
    assert equivalent(taken, ir)
    assert put(taken) == packet


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (
            ">SEC:XSS #ctx4 !9",
            {
                "intent": "!XSS",
                "entities": [{"id": "act", "value": "ctx4"}],
                "meta": {"priority": 9, "direction": "request", "domain": "SEC"},
            },
        ),
        (">GEN:CANCEL #flight", {"intent": "!CANCEL", "entities": [{"id": "act", "value": "flight"}]}),
        (">GEN:CANCEL #-", {"intent": "!CANCEL"}),
        ("=GEN:META_ACK #-", {"intent": "!META_ACK"}),
        (">GEN:META_ACK #-", {"intent": "!META_ACK", "meta": {"direction": "request", "domain": "GEN"}}),
        (
            ">GEN:PROPOSE_ALT #a",
            {"intent": "!PROPOSE_ALTERNATIVE", "entities": [{"id": "act", "value": "a"}]},
        ),
        (
            '<SEC:VUL #ctx4 | line=42 r=1.0 fixed=false z=null j=[1,{}] s=42x t="42"',
            {
                "intent": "!VUL",
                "entities": [
                    {"id": "act", "value": "ctx4"},
                    {"id": "line", "value": "42", "type": "int"},
                    {"id": "r", "value": "1.0", "type": "float"},
                    {"id": "fixed", "value": "false", "type": "bool"},
                    {"id": "z", "value": "null", "type": "null"},
                    {"id": "j", "value": "[1,{}]", "type": "json"},
                    {"id": "s", "value": "42x"},
                    {"id": "t", "value": "42"},
                ],
                "meta": {"direction": "response", "domain": "SEC"},
            },
        ),
        (
            '>GEN:DO #- | a=1 @from=ops @to="x y"',
            {
                "intent": "!DO",
                "entities": [{"id": "a", "value": "1", "type": "int"}],
                "meta": {"sender": "ops", "next_agent": "x y"},
            },
        ),
        (">GEN:DO #- | @to=qa", {"intent": "!DO", "meta": {"next_agent": "qa"}}),
        (
            ">GEN:DO #- | @from=5",
            {"intent": "!DO", "entities": [{"id": "@from", "value": "5", "type": "int"}]},
        ),
        (
            ">GEN:DO #- | @to=qa a=b",
            {"intent": "!DO", "entities": [{"id": "@to", "value": "qa"}, {"id": "a", "value": "b"}]},
        ),
        (
            ">GEN:DO #- | @to=qa @from=ops",
            {"intent": "!DO", "entities": [{"id": "@to", "value": "qa"}], "meta": {"sender": "ops"}},
        ),
    ],
)
def test_what_a_packet_says(text: str, form: dict[str, Any]) -> None:
    """A packet is heard as this IR, and the IR is said as that packet."""
    packet = decode(text)
    ir, route = interlingua.to_ir(packet, EAP)
    assert (canonical(ir), route) == (form, "native")
    assert interlingua.from_ir(ir_of(form), EAP) == (packet, "native")


@pytest.mark.parametrize("action", ["X5", "_X", "5A", "42", "__"])
def test_actions_that_are_no_action_codes_are_sealed(action: str) -> None:
    """What has no action code travels whole in meta.eap, under a readable head."""
    packet = EapPacket.request(domain="SEC", action=action, target="#ctx4", priority=9, data={"a": 1})
    assert hear(packet) is None
    ir, route = interlingua.to_ir(packet, EAP)
    assert route == "sealed"
    assert canonical(ir)["meta"]["eap"] == {"wire": packet.to_ascii()}
    assert interlingua.from_ir(ir, EAP) == (packet, "native")


@pytest.mark.parametrize(
    ("action", "intent"),
    [("X5", "!X"), ("_X_5Y", "!X_Y"), ("42", "!DO"), ("ACCEPT_COND", "!ACCEPT_WITH_CONDITION")],
)
def test_heads_are_readable(action: str, intent: str) -> None:
    """The head of a sealed packet keeps intent, target, priority and routing as far as they can be said."""
    made = head(EapPacket.sync(domain="SEC", action=action, target="#ctx4", priority=2))
    assert canonical(made) == {
        "intent": intent,
        "entities": [{"id": "act", "value": "ctx4"}],
        "meta": {"priority": 2, "direction": "sync", "domain": "SEC"},
    }
    assert head(EapPacket.sync(domain="SEC", action=action, target="#-")).entities == []


def test_positional_arguments() -> None:
    """The first positional argument is the target, the second a pair named act; three are one too many."""
    first, second = {"id": "act", "value": "a"}, {"id": "act", "value": "b"}
    two = ir_of({"intent": "!DO", "entities": [first, second]})
    assert interlingua.from_ir(two, EAP) == (decode(">GEN:DO #a | act=b"), "native")
    assert (
        interlingua.from_ir(ir_of({"intent": "!DO", "entities": [first, second, first]}), EAP)[1] == "carried"
    )
    assert interlingua.to_ir(decode(">GEN:DO #- | act=b"), EAP)[1] == "sealed"


@pytest.mark.parametrize(
    "form",
    [
        {"intent": "!DO", "constraints": [{"type": "rain", "value": "true"}]},
        {"intent": "!DO", "alternatives": [{"action": "!CANCEL"}]},
        {"intent": "!DO", "silp": "v2"},
        {"intent": "!DO", "version": "ir-v9"},
        {"intent": "!DO", "entities": [{"id": "act", "value": "a", "action": "!CANCEL"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "a", "action": "!CANCEL"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "x"}, {"id": "a", "value": "x"}]},
        {"intent": "!DO", "entities": [{"id": "a b", "value": "x"}]},
        {"intent": "!DO", "entities": [{"id": "act", "value": "]"}]},
        {"intent": "!DO", "entities": [{"id": "act", "value": ""}]},
        {"intent": "!DO", "entities": [{"id": "act", "value": "-"}]},
        {"intent": "!DO", "entities": [{"id": "act", "value": "a", "note": 1}]},
        {"intent": "!DO", "entities": [{"id": "act", "value": "1", "type": "int"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "1", "type": "whole"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "1", "type": ["int"]}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "01", "type": "int"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "x", "type": "int"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "1", "type": "float"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "nan", "type": "float"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "yes", "type": "bool"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "", "type": "null"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "[1, 2]", "type": "json"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": "[", "type": "json"}]},
        {"intent": "!DO", "entities": [{"id": "a", "value": '"x"', "type": "json"}]},
        {"intent": "!DO", "meta": {"priority": 10}},
        {"intent": "!DO", "meta": {"priority": -1}},
        {"intent": "!DO", "meta": {"confidence": 0.5}},
        {"intent": "!DO", "meta": {"seq": ["!A"]}},
        {"intent": "!DO", "meta": {"out": "xml"}},
        {"intent": "!DO", "meta": {"session_id": "ab"}},
        {"intent": "!DO", "meta": {"note": 1}},
        {"intent": "!DO", "meta": {"sender": 5}},
        {"intent": "!DO", "meta": {"domain": "SEC"}},
        {"intent": "!DO", "meta": {"direction": "sync"}},
        {"intent": "!DO", "meta": {"direction": "request", "domain": "GEN"}},
        {"intent": "!DO", "meta": {"direction": "request", "domain": "sec"}},
        {"intent": "!DO", "meta": {"direction": "request", "domain": 5}},
        {"intent": "!DO", "meta": {"direction": "ask", "domain": "SEC"}},
        {"intent": "!DO", "entities": [{"id": "@from", "value": "x"}], "meta": {"sender": "x"}},
        {"intent": "!DO", "entities": [{"id": "@to", "value": "x"}]},
        {"intent": "!A"},
        {"intent": "!A_VERB_OF_MORE_THAN_SIXTEEN"},
        {"intent": "!ACCEPT_COND"},
    ],
)
def test_what_eap_cannot_say_is_carried(form: dict[str, Any]) -> None:
    """An IR with anything that EAP has no words for travels whole, and comes back."""
    packet, route = interlingua.from_ir(ir_of(form), EAP)
    assert route == "carried"
    assert list(packet.data) == ["ir"]
    back, route = interlingua.to_ir(packet, EAP)
    assert (canonical(back), route) == (form, "carried")


def test_say_is_none_or_an_encode_error_for_what_it_cannot_say() -> None:
    """Say leaves the verdict to hear, and gives None where it has no words at all."""
    assert say(ir_of({"intent": "!DO", "constraints": [{"type": "a", "value": "b"}]})) is None
    assert say(ir_of({"intent": "!DO", "meta": {"domain": "SEC"}})) == decode(">SEC:DO #-")


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (
            {"intent": "!CANCEL", "meta": {"note": 1}},
            '>GEN:CANCEL #- | ir={"intent":"!CANCEL","meta":{"note":1}}',
        ),
        (
            {
                "intent": "!VUL",
                "entities": [{"id": "x", "value": "y"}, {"id": "act", "value": "a b"}],
                "meta": {"priority": 3, "domain": "SEC"},
            },
            (
                '<SEC:VUL #"a b" !3 | ir={"entities":[{"id":"x","value":"y"},{"id":"act","value":"a b"}],'
                '"intent":"!VUL","meta":{"domain":"SEC","priority":3}}'
            ),
        ),
        (
            {"intent": "!A", "meta": {"priority": 12, "domain": "x", "direction": "sync"}},
            '=GEN:DO #- | ir={"intent":"!A","meta":{"direction":"sync","domain":"x","priority":12}}',
        ),
        (
            {"intent": "!A_VERB_OF_MORE_THAN_SIXTEEN", "meta": {"direction": "up", "r": 1.0}},
            (
                '>GEN:A_VERB_OF_MORE_T #- | ir={"intent":"!A_VERB_OF_MORE_THAN_SIXTEEN",'
                '"meta":{"direction":"up","r":1}}'
            ),
        ),
        (
            {"intent": "!ASK_FOR_THE_DOG_AND_CAT", "entities": [{"id": "act", "value": "]"}]},
            (
                '>GEN:ASK_FOR_THE_DOG #- | ir={"entities":[{"id":"act","value":"]"}],'
                '"intent":"!ASK_FOR_THE_DOG_AND_CAT"}'
            ),
        ),
    ],
)
def test_carried_texts(form: dict[str, Any], text: str) -> None:
    """The head says what a head can say; the IR is canonical, keys sorted, numbers by value."""
    assert put(ir_of(form)).to_ascii() == text


@pytest.mark.parametrize(
    "text",
    [
        '>GEN:CANCEL #- | ir={"meta":{"note":1},"intent":"!CANCEL"}',
        '>GEN:CANCEL #- | ir={"intent":"!CANCEL","meta":{"note":1.0}}',
        '>GEN:CANCEL #- | ir={"intent":"!CANCEL","meta":{"note":1,"req_id":"00000000"}}',
        '>GEN:CANCEL #- | ir={"intent":"!CANCEL"}',
        '>GEN:START #- | ir={"intent":"!CANCEL","meta":{"note":1}}',
        '>GEN:CANCEL #- | ir="{\\"intent\\":\\"!CANCEL\\",\\"meta\\":{\\"note\\":1}}"',
        '>GEN:CANCEL #- | ir={"intent":"cancel"}',
        '>GEN:CANCEL #- | ir={"intent":"!CANCEL","meta":[]}',
        ">GEN:CANCEL #- | ir=[1]",
        '>GEN:CANCEL #- | ir={"intent":"!CANCEL","meta":{"note":1}} x=1',
    ],
)
def test_forged_carriers_are_plain_data(text: str) -> None:
    """Only what would have been carried just so is taken; the rest is a packet with a pair named ir."""
    packet = decode(text)
    ir, route = interlingua.to_ir(packet, EAP)
    assert route == "native"
    assert "ir" in [item.id for item in ir.entities]
    assert interlingua.from_ir(ir, EAP)[0] == packet


def test_the_deepest_ir_is_carried() -> None:
    """An extra field at the limit of depth fits into a packet, and comes back from its text."""
    deep: Any = 1
    for _ in range(MAX_VALUE_DEPTH):
        deep = [deep]
    form = {"intent": "!DO", "entities": [{"id": "act", "value": "a", "x": deep}], "meta": {"y": deep}}
    packet, route = interlingua.from_ir(ir_of(form), EAP)
    assert route == "carried"
    assert equivalent(interlingua.to_ir(decode(packet.to_ascii()), EAP)[0], ir_of(form))
    for _ in range(MAX_VALUE_DEPTH, MAX_DATA_DEPTH):
        deep = [deep]
    packet = EapPacket.request(
        domain="GEN", action="DO", target="#-", data={"ir": {"intent": "!DO", "x": deep[0]}}
    )
    assert take(packet) is None
    assert interlingua.from_ir(interlingua.to_ir(packet, EAP)[0], EAP)[0] == packet


def test_deep_data_come_back_from_the_ir() -> None:
    """Data deeper than an IR's own fields travel as text."""
    deep: Any = 1
    for _ in range(MAX_DATA_DEPTH):
        deep = {"a": deep}
    packet = EapPacket.request(domain="GEN", action="DO", target="#-", data={"v": deep})
    ir, route = interlingua.to_ir(packet, EAP)
    assert route == "native"
    assert interlingua.from_ir(ir, EAP)[0] == packet
