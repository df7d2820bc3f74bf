from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import dumps
from sabir.silp.canonical import canonical, canonical_text, equivalent
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import plain, write_code
from sabir.silp.ir import Alternative, Constraint, Entity, Meta, SilpIR
from sabir.silp.words import BARE, is_word, outside_word
from strategies.silp import TRAPS, VALUES, plain_irs, silp_irs
from vectors_of import cases, hold

ALPHABET = "abif then else and with()[],;:=<>!@#\"'\\->{}t+1 \tx.北é½\u200b\u3000（，\n\r"
WORDS = ("if ", "and ", "then ", " else: ", "else ", "start(", "a", "t+1", ")", ",", ";", ": ", "!", "<=", " -> ", " with ", '"', " # {}")


def ir_of(**fields: Any) -> SilpIR:
    """A valid IR with these fields."""
    return SilpIR.model_validate({"intent": "!START", "meta": {"req_id": "abcd"}, **fields})


@pytest.mark.parametrize("case", cases("silp-code"))
def test_vectors(case: dict[str, Any]) -> None:
    """The published cases of the code frontend."""
    hold("silp-code", case)


# --- whatever the message --------------------------------------------------------------------------------


@given(silp_irs(later=True))
def test_every_valid_ir_survives(ir: SilpIR) -> None:
    """decode(compile(ir)) is equivalent to ir for every valid IR (4.6), and equivalent IRs have one text."""
    text = write_code(ir)
    again = read_code(text)
    assert canonical_text(again) == canonical_text(ir)
    assert write_code(again) == text
    assert "\n" not in text
    assert "\r" not in text


@given(silp_irs(later=True))
def test_a_carried_request_id_survives(ir: SilpIR) -> None:
    """With carry_req_id the IR comes back with its own id."""
    again = read_code(write_code(ir, carry_req_id=True))
    assert equivalent(again, ir)
    assert again.meta.req_id == ir.meta.req_id


@given(silp_irs(later=True))
def test_what_is_decoded_is_valid(ir: SilpIR) -> None:
    """Decoding builds without validation what validation takes as it is, but for the null that a model means as absent."""
    again = read_code(write_code(ir))
    form = again.model_dump()
    checked = SilpIR.model_validate(form).model_dump()
    for part in form["constraints"]:
        for name in ("subject", "operator"):
            if name in part and part[name] is None:
                del part[name]
    assert checked == form
    assert all(entity.action is not None for entity in again.entities)


@given(plain_irs())
def test_what_the_call_syntax_can_say_needs_no_comment(ir: SilpIR) -> None:
    """IRs without extras and metadata are written in the plain grammar alone."""
    assert write_code(ir) == plain(ir)[0]
    assert plain(ir)[1] == {}


@given(silp_irs(later=True))
def test_the_comment_holds_the_fields_that_the_call_does_not_give_back(ir: SilpIR) -> None:
    """Each is the canonical IR's whole field, keys sorted, and no field is there that the plain text gives back."""
    text, left = plain(ir)
    wanted = canonical(ir)
    said = canonical(read_code(text))
    names = {name for name in wanted if wanted[name] != said.get(name)}
    assert {name for name in left if name in names} == {name for name in names if name not in ("silp", "version", "meta")}
    comment = {name: wanted[name] for name in wanted if name in names or name in left}
    assert write_code(ir) == (f"{text} # {dumps(comment, sort_keys=True)}" if comment else text)


@given(silp_irs(), st.data())
def test_no_value_changes_any_other_field(ir: SilpIR, data: st.DataObject) -> None:
    """Whatever a value, id, type, target or name holds, every other field decodes as before (injection)."""
    form = ir.model_dump(exclude_none=True)
    slots = [
        (name, at, field)
        for name in ("entities", "constraints", "alternatives")
        for at, item in enumerate(form[name])
        for field in item
        if field != "action" and isinstance(item[field], str)
    ]
    if slots:
        name, at, field = data.draw(st.sampled_from(slots))
        form[name][at][field] = data.draw(VALUES)
    changed = SilpIR.model_validate(form)
    assert canonical_text(read_code(write_code(changed))) == canonical_text(changed)


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_in_every_place_at_once(trap: str) -> None:
    """One hostile text as id, value, name, time, subject, target and location of an IR comes back in each of them."""
    ir = ir_of(
        entities=[{"id": "act", "value": trap}, {"id": trap, "value": trap, "action": "!EMAIL"}, {"id": "time", "value": trap}],
        constraints=[
            {"type": "loc", "value": trap},
            {"type": "loc", "value": trap, "subject": trap},
            {"type": "loc", "value": trap, "subject": trap, "time": trap},
            {"type": "loc", "value": trap, "time": "t+1"},
            {"type": "loc", "value": trap, "operator": "<=", "time": trap},
            {"type": "!rain", "value": "true", "time": trap},
        ],
        alternatives=[
            {"action": "!A", "target": trap, "location": trap},
            {"action": "!A", "location": trap},
            {"action": "!A", "target": trap},
        ],
    )
    text = write_code(ir)
    assert plain(ir) == (text, {})
    assert canonical(read_code(text)) == canonical(ir)


@given(st.one_of(st.text(ALPHABET, max_size=60), st.lists(st.sampled_from(WORDS), max_size=20).map("".join)))
@example("start(a) # {")
@example('if a("')
def test_whatever_the_text_the_decoder_raises_decode_error_alone(text: str) -> None:
    """Raw text decodes, and then survives, or is refused with a span inside of it."""
    try:
        ir = read_code(text)
    except DecodeError as error:
        start, end = error.span
        assert 0 <= start <= end <= len(text)  # both ways are right
        assert str(error)  # as above
        return
    assert equivalent(read_code(write_code(ir)), ir)


# --- spelling --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  start( hike )  ", "start(hike)"),
        ("start \t(\thike\t)", "start(hike)"),
        ("translate( src = a ,tgt=b )", "translate(src=a,tgt=b)"),
        ("start(a, b,  c)", "start(a,b,c)"),
        ("if  budget <= 500  and !rain( t+1 ) then book( hotel )", "if budget<=500 and !rain(t+1): book(hotel)"),
        ("if !  rain : go(a)", "if !rain: go(a)"),
        ("start(a) ;email( b ) else start(c@d) ; start( loc = e )", "start(a); email(b) else: start(c@d); start(loc=e)"),
        ("start(a)else:stop()", "start(a) else: stop()"),
        ("start( ) else: stop( )", "start() else: stop()"),
        ("start(a) else : stop( x @ y )", "start(a) else: stop(x@y)"),
        ("if price < 100 ,t+2: book(x)", "if price<100, t+2: book(x)"),
        ("if price<100,t+2: book(x)", "if price<100, t+2: book(x)"),
        ("if price<100, noon: book(x)", "if price<100, noon: book(x)"),
        ("start(act=hike)", "start(hike)"),
        ("cancel(time=t+1pm)", "cancel(t+1pm)"),
        ("cancel(time=noon)", "cancel(time=noon)"),
        ('cancel(act="t+1pm")', 'cancel("t+1pm")'),
        ('start("hike")', "start(hike)"),
        ('start("\\u0068ike")', "start(hike)"),
        ('start(when="t+1")', "start(when=t+1)"),
        ('start("a key"="a value")', 'start("a key"="a value")'),
        ('start(""="")', 'start(""="")'),
        ("start(hike) # {}", "start(hike)"),
        ("start(hike)#{}", "start(hike)"),
        ('start(hike) # { "meta" : {"priority": 0, "out":"code"} }', "start(hike)"),
        ('start(hike) # {"meta":{"confidence":1,"seq":[]}}', "start(hike)"),
        ('start(hike) # {"silp":"v1","version":"ir-v0.1"}', "start(hike)"),
        (
            'start(x) # {"entities":[{"id":"act","value":"x","unit":2.0}]}',
            'start(x) # {"entities":[{"id":"act","unit":2,"value":"x"}]}',
        ),
        ('start(x) # {"entities":[{"id":"act","value":"x","action":"!START"}]}', "start(x)"),
        ("if loc(a,t+1): go(b)", "if loc(a,t+1): go(b)"),
        ('if loc(a,"t+1"): go(b)', 'if loc(a,"t+1"): go(b)'),
        ("if loc(t+1): go(b)", "if loc(t+1): go(b)"),
        ("if loc(a,b,c): go(d)", "if loc(a,b,c): go(d)"),
        ('if loc("a b","c d","e f"): go(d)', 'if loc("a b","c d","e f"): go(d)'),
        ("if loc(a,t+1,t+2): go(b)", "if loc(a,t+1,t+2): go(b)"),
        ("if x=1: go(d)", "if x=1: go(d)"),
        ("if x=-1: go(d)", "if x=-1: go(d)"),
        ('if x<"=1": go(d)', 'if x<"=1": go(d)'),
        ("if x!=y: go(d)", "if x!=y: go(d)"),
        ("if BUDGET>5: go(d)", "if BUDGET>5: go(d)"),
        ("if android(a) and iffy(b): go(d)", "if android(a) and iffy(b): go(d)"),
        ("ifx(a)", "ifx(a)"),
        ("if(a)", "if(a)"),
        ("start(a); if(b) else: else(c)", "start(a); if(b) else: else(c)"),
        ("a__b_(c)", "a__b_(c)"),
        ("translate(文章,tgt=en,étude)", "translate(文章,tgt=en,étude)"),
        ("if 地(a): go(b)", None),
        ("book(); email(a); email(b)", "book(); email(a,b)"),
        ("book(a); book(b)", "book(a,b)"),
    ],
)
def test_lenient_spellings(text: str, canonical: str | None) -> None:
    """Blanks, quotes and names that could be left out are read; one spelling is written."""
    if canonical is None:
        with pytest.raises(DecodeError):
            read_code(text)
        return
    ir = read_code(text)
    assert write_code(ir) == canonical
    assert equivalent(read_code(canonical), ir)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "start()"),
        ({"entities": [{"id": "act", "value": ""}]}, 'start("")'),
        ({"entities": [{"id": "time", "value": "t+1"}, {"id": "time", "value": "noon"}]}, "start(t+1,time=noon)"),
        ({"entities": [{"id": "act", "value": "a", "action": "!EMAIL"}]}, "start(); email(a)"),
        ({"entities": [{"id": "loc", "value": "x"}]}, "start(loc=x)"),
        ({"entities": [{"id": "act", "value": "a\u2028\u200b\x7f\x85"}]}, 'start("a\\u2028\\u200b\\u007f\\u0085")'),
        ({"entities": [{"id": "act", "value": "naïve café"}]}, 'start("naïve café")'),
        ({"constraints": [{"type": "a-b", "value": "c"}]}, 'start() # {"constraints":[{"type":"a-b","value":"c"}]}'),
        (
            {"constraints": [{"type": "!rain", "value": "no", "time": "t+1"}]},
            'if !rain(t+1): start() # {"constraints":[{"time":"t+1","type":"!rain","value":"no"}]}',
        ),
        (
            {"constraints": [{"type": "!rain", "value": "true", "subject": "me"}]},
            'if !rain: start() # {"constraints":[{"subject":"me","type":"!rain","value":"true"}]}',
        ),
        (
            {"constraints": [{"type": "loc", "value": "a", "time": "noon"}]},
            'if loc(a): start() # {"constraints":[{"time":"noon","type":"loc","value":"a"}]}',
        ),
        (
            {"constraints": [{"type": "loc", "value": "a", "subject": "me", "operator": "<"}]},
            'if loc(me,a): start() # {"constraints":[{"operator":"<","subject":"me","type":"loc","value":"a"}]}',
        ),
        (
            {"constraints": [{"type": "x", "value": "a", "operator": "in"}, {"type": "y", "value": "b"}]},
            'if x(a) and y(b): start() # {"constraints":[{"operator":"in","type":"x","value":"a"},{"type":"y","value":"b"}]}',
        ),
        (
            {"alternatives": [{"action": "!STOP", "why": None}]},
            'start() else: stop() # {"alternatives":[{"action":"!STOP","why":null}]}',
        ),
        (
            {"entities": [{"id": "act", "value": "a", "unit": "km", "action": "!START"}]},
            'start(a) # {"entities":[{"id":"act","unit":"km","value":"a"}]}',
        ),
        (
            {"meta": {"req_id": "abcd", "priority": 2, "out": "xml", "n": 1e22, "next_agent": "b"}},
            'start() # {"meta":{"n":10000000000000000000000,"next_agent":"b","out":"xml","priority":2}}',
        ),
        ({"silp": "v9", "version": "x"}, 'start() # {"silp":"v9","version":"x"}'),
    ],
)
def test_what_is_written(fields: dict[str, Any], text: str) -> None:
    """What the call can say it says; a field that it cannot give back stands whole in the comment as well."""
    ir = ir_of(**fields)
    assert write_code(ir) == text
    assert canonical(read_code(text)) == canonical(ir)


def test_two_arguments_of_a_condition() -> None:
    """An unquoted time reference is the time; a quoted one is the value of a subject."""
    timed = read_code("if loc(a,t+1): go(b)").constraints[0]
    assert (timed.value, timed.time, timed.__pydantic_extra__) == ("a", "t+1", {})
    quoted = read_code('if loc(a,"t+1"): go(b)').constraints[0]
    assert (quoted.value, quoted.time, quoted.__pydantic_extra__) == ("t+1", None, {"subject": "a"})


def test_a_time_reference_is_the_time_in_calls_alone() -> None:
    """Bare in a call it fills the slot time, quoted the slot act; in a fallback it is a target (contradiction 5)."""
    ir = read_code('cancel(t+1pm,"t+1pm",at=t+1pm,t+1x) else: stop(t+1@t-2)')
    assert [(e.id, e.value) for e in ir.entities] == [("time", "t+1pm"), ("act", "t+1pm"), ("at", "t+1pm"), ("act", "t+1x")]
    assert (ir.alternatives[0].target, ir.alternatives[0].location) == ("t+1", "t-2")


def test_the_arrow_form_is_a_sequence() -> None:
    """A step without arguments lives in seq alone; with names the condition (contradiction 8)."""
    ir = read_code('fetch(data) -> process -> email(to=me) with "time out" # {"meta":{"priority":2}}')
    assert ir.meta.seq == ["!FETCH", "!PROCESS", "!EMAIL"]
    assert [(e.id, e.value, e.action) for e in ir.entities] == [("act", "data", "!FETCH"), ("to", "me", "!EMAIL")]
    assert [(c.type, c.value) for c in ir.constraints] == [("time out", "true")]
    assert ir.meta.priority == 2
    assert equivalent(read_code(write_code(ir)), ir)


def test_the_arrow_form_with_condition_and_fallback() -> None:
    """It stands where actions stand, blanks or none around its arrows."""
    ir = read_code("if a>b: fetch()->process()-> with_care(x)with c else stop()")
    assert ir.meta.seq == ["!FETCH", "!PROCESS", "!WITH_CARE"]
    assert [c.type for c in ir.constraints] == ["a", "c"]
    assert [a.action for a in ir.alternatives] == ["!STOP"]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        *(("a", True), ("a.b+c-d*e/f%g$h&i~j_k", True), ("文章", True), ("e\u0301", True), ("٣", True), ("", False)),
        *(("½", False), ("²", False), ("Ⅷ", False), ("a b", False), ("a\u00a0b", False), ("😀", False), ("if", False)),
        *(("If", True), ("t+1", True), ("a,b", False), ("a\u200bb", False), ("ª", True), ("a\ufe0f", True)),
        *(("文,章", False), ("文-章", True), ("文\u3000", False), ("＿", False), ("ａ", True), ("\U0001d54f", True)),
    ],
)
def test_bare_words(text: str, bare: bool) -> None:  # noqa: FBT001  # a table's column
    """Letters, marks and decimal digits of any script and twelve signs; no keyword."""
    assert is_word(text) is bare
    ir = ir_of(entities=[{"id": "act", "value": text}])
    assert (write_code(ir) == f"start({text})") is (bare and text != "t+1")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_bare_word_fits_the_superset_pattern(text: str) -> None:
    """The pattern by which the reader takes words takes all of them, and what it takes is split at the same place."""
    if is_word(text):
        assert re.fullmatch(BARE, text)
    at = outside_word(text)
    assert at == -1 or not is_word(text)
    assert at <= 0 or outside_word(text[:at]) == -1


# --- identities, strictness, limits ----------------------------------------------------------------------


def test_request_ids() -> None:
    """The id is derived from the text as received, comment included, outer white space stripped; a carried one wins."""
    text = 'start() # {"meta":{"priority":2}}'
    assert read_code(f" {text}\n").meta.req_id == hashlib.sha256(text.encode()).hexdigest()[:8]
    assert read_code("start()").meta.req_id == "0c89bb58"
    assert read_code('start() # {"meta":{"req_id":"abcd"}}').meta.req_id == "abcd"
    assert write_code(ir_of(), carry_req_id=True) == 'start() # {"meta":{"req_id":"abcd"}}'


def test_strict_reading_takes_approved_verbs() -> None:
    """Every approved verb in every place where a verb may stand."""
    read_code("if xss(a): start(a); email(b) else: route(c)", strict=True)
    read_code("fetch(a) -> process -> email(b)", strict=True)
    read_code('start(xss,"xss(") # {"meta":{"seq":["parallel","!EMAIL"]}}', strict=True)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("switch_tool(b)", "switch_tool"),
        ("switch_tool( b )", "switch_tool"),
        ("start(a); xss(b)", "xss"),
        ('start(xss); start("xss("); xss(b)', "xss(b)"),
        ("if xss(a): xss(b)", "xss(b)"),
        ("start(a) else: xss(b)", "xss"),
        ('start(a) else: xss("b c")', "xss"),
        ("fetch(a) -> xss", "xss"),
        ("fetch(a) -> xss(b)", "xss"),
        ('start() # {"meta":{"seq":["!START","!XSS"]}}', '"!XSS"'),
    ],
)
def test_strict_reading_refuses_verbs_that_are_not_approved(text: str, piece: str) -> None:
    """The whitelist is advisory unless strict; then the verb is marked and the approved ones are named."""
    read_code(text)
    with pytest.raises(DecodeError, match=r"strict: .*!SWITCH") as caught:
        read_code(text, strict=True)
    error = caught.value
    assert error.span[0] == text.rindex(piece)
    assert error.code == "decode_failed"


def test_models_changed_past_their_checks_are_encode_errors() -> None:
    """Lists can be changed; what no longer fits is named with its path, not raised as anything else."""
    ir = read_code("start(a)")
    ir.entities.append({"id": "x"})  # type: ignore[arg-type]
    with pytest.raises(EncodeError) as caught:
        write_code(ir)
    assert caught.value.path == "entities[1]"
    ir = read_code("if a>b: start(a)")
    ir.constraints[0].__dict__["value"] = None
    with pytest.raises(EncodeError, match=r"constraints\[0\]"):
        write_code(ir)


@pytest.mark.parametrize("kind", [Entity, Constraint, Alternative])
def test_parts_in_the_wrong_list_are_encode_errors(kind: type[Any]) -> None:
    """A part of another class is refused, wherever it stands."""
    part: dict[type[Any], Any] = {Entity: Entity(id="a", value="b"), Constraint: Constraint(type="a", value="b"), Alternative: Alternative(action="!A")}
    for name in ("entities", "constraints", "alternatives"):
        ir = read_code("if a>b: start(a) else: stop()")
        items = getattr(ir, name)
        if isinstance(items[0], kind):
            continue
        items.append(part[kind])
        with pytest.raises(EncodeError) as caught:
            write_code(ir)
        assert caught.value.path == f"{name}[1]"


@pytest.mark.parametrize(
    ("extra", "path"),
    [
        (float("nan"), "entities[0].x"),
        ({"a": [object()]}, "entities[0].x.a[0]"),
        ("\ud800", "entities[0].x"),
        ([1 << 15_000], "entities[0].x[0]"),
        ({1: 2}, "entities[0].x (a key)"),
    ],
)
def test_extra_fields_changed_to_what_no_text_can_carry(extra: Any, path: str) -> None:
    """What JSON cannot say is refused with its path."""
    ir = read_code('start(a) # {"entities":[{"id":"act","value":"a","x":1}]}')
    ir.entities[0].__pydantic_extra__["x"] = extra
    with pytest.raises(EncodeError) as caught:
        write_code(ir)
    assert caught.value.path == path


def test_extra_fields_that_nest_too_deep_or_hold_themselves() -> None:
    """Depth is refused by its limit, not by the interpreter's."""
    endless: list[Any] = []
    endless.append(endless)
    for name in ("entities", "constraints", "alternatives", "meta"):
        ir = read_code("if a>b: start(a) else: stop()")
        part = ir.meta if name == "meta" else getattr(ir, name)[0]
        for depth, right in ((128, True), (129, False)):
            value: Any = 1
            for _ in range(depth):
                value = [value]
            part.__pydantic_extra__["x"] = value
            if right:
                assert canonical(read_code(write_code(ir))) == canonical(ir)
            else:
                with pytest.raises(EncodeError, match="nested deeper than 1"):
                    write_code(ir)
        part.__pydantic_extra__["x"] = endless
        with pytest.raises(EncodeError):
            write_code(ir)


def test_what_is_no_ir_is_an_encode_error() -> None:
    """Anything else, and a model made without its checks, is refused."""
    things: list[Any] = [None, "start()", 5, {}, Meta(req_id="abcd"), SilpIR.model_construct(intent="!START")]
    for thing in things:
        with pytest.raises(EncodeError):
            write_code(thing)


def test_no_text_holds_a_lone_surrogate() -> None:
    """Not even of a model made without its checks."""
    ir = ir_of()
    ir.entities.append(Entity.model_construct(id="act", value="\ud800"))
    with pytest.raises(EncodeError, match="lone surrogate"):
        write_code(ir)
