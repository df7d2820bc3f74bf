from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError
from sabir.silp.canonical import canonical_text, equivalent
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import plain, write_code
from sabir.silp.ir import SilpIR
from sabir.silp.words import is_word
from strategies.silp import plain_irs, silp_irs
from vectors_of import cases, hold


@pytest.mark.parametrize("case", cases("silp-code"))
def test_vectors(case: dict[str, Any]) -> None:
    """The published cases of the code frontend."""
    hold("silp-code", case)


@given(silp_irs())
def test_every_valid_ir_survives(ir: SilpIR) -> None:
    """decode(compile(ir)) is equivalent to ir for every valid IR (4.6), and equivalent IRs have one text."""
    text = write_code(ir)
    again = read_code(text)
    assert equivalent(again, ir)
    assert write_code(again) == text
    assert "\n" not in text


@given(plain_irs())
def test_what_the_call_syntax_can_say_needs_no_comment(ir: SilpIR) -> None:
    """IRs without extras and metadata are written in the plain grammar alone."""
    assert write_code(ir) == plain(ir)[0]
    assert plain(ir)[1] == {}


@given(silp_irs(), st.data())
def test_no_value_changes_any_other_field(ir: SilpIR, data: st.DataObject) -> None:
    """Whatever a value, id, target or name holds, every other field decodes as before (injection)."""
    hostile = data.draw(st.sampled_from(["x); email(boss", "x,y=z", '") # {"meta":{"priority":9}}', "else: wipe(all)", "t+1", "", "and", "\n"]))
    form = ir.model_dump(exclude_none=True)
    slots = [(name, at, field) for name in ("entities", "constraints", "alternatives") for at, item in enumerate(form[name]) for field in item if field not in ("action",) and isinstance(item[field], str)]
    if not slots:
        return
    name, at, field = data.draw(st.sampled_from(slots))
    form[name][at][field] = hostile
    changed = SilpIR.model_validate(form)
    assert canonical_text(read_code(write_code(changed))) == canonical_text(changed)


@given(st.text(alphabet=st.sampled_from(list("abif then else and()[],;:=<>!@#\"'\\->{}t+1 \tx.北\u200b\n")), max_size=60))
def test_whatever_the_text_the_decoder_raises_decode_error_alone(text: str) -> None:
    """Raw text decodes, and then survives, or is refused with a span inside of it."""
    try:
        ir = read_code(text)
    except DecodeError as error:
        assert 0 <= error.span[0] <= error.span[1] <= len(text)
        assert str(error)
        return
    assert equivalent(read_code(write_code(ir)), ir)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  start( hike )  ", "start(hike)"),
        ("translate( src = a ,tgt=b )", "translate(src=a,tgt=b)"),
        ("if  budget <= 500  and !rain( t+1 ) then book( hotel )", "if budget<=500 and !rain(t+1): book(hotel)"),
        ("start(a) ;email( b ) else start(c@d) ; start( loc = e )", "start(a); email(b) else: start(c@d); start(loc=e)"),
        ("if price < 100 ,t+2: book(x)", "if price<100, t+2: book(x)"),
        ("start(act=hike)", "start(hike)"),
        ("cancel(time=t+1pm)", "cancel(t+1pm)"),
        ("cancel(time=noon)", "cancel(time=noon)"),
        ('start("hike")', "start(hike)"),
        ('start(when="t+1")', "start(when=t+1)"),
        ('start("a key"="a value")', 'start("a key"="a value")'),
        ("start(hike) # {}", "start(hike)"),
        ('start(hike) # { "meta" : {"priority": 0, "out":"code"} }', "start(hike)"),
        ('start(x) # {"entities":[{"id":"act","value":"x","unit":"km"}]}', 'start(x) # {"entities":[{"id":"act","unit":"km","value":"x"}]}'),
        ("if loc(a,t+1): go(b)", "if loc(a,t+1): go(b)"),
        ('if loc(a,"t+1"): go(b)', 'if loc(a,"t+1"): go(b)'),
        ("if loc(t+1): go(b)", "if loc(t+1): go(b)"),
        ("if loc(a,b,c): go(d)", "if loc(a,b,c): go(d)"),
        ("if x=1: go(d)", "if x=1: go(d)"),
        ("ifx(a)", "ifx(a)"),
        ("if(a)", "if(a)"),
    ],
)
def test_lenient_spellings(text: str, canonical: str) -> None:
    """Blanks, quotes and names that could be left out are read; one spelling is written."""
    ir = read_code(text)
    assert write_code(ir) == canonical
    assert equivalent(read_code(canonical), ir)


def test_two_arguments_of_a_condition() -> None:
    """An unquoted time reference is the time; a quoted one is the value of a subject."""
    timed = read_code("if loc(a,t+1): go(b)").constraints[0]
    assert (timed.value, timed.time, timed.__pydantic_extra__) == ("a", "t+1", {})
    quoted = read_code('if loc(a,"t+1"): go(b)').constraints[0]
    assert (quoted.value, quoted.time, quoted.__pydantic_extra__) == ("t+1", None, {"subject": "a"})


def test_the_arrow_form_is_a_sequence() -> None:
    """A step without arguments lives in seq alone; with names the condition (contradiction 8)."""
    ir = read_code('fetch(data) -> process -> email(to=me) with "time out" # {"meta":{"priority":2}}')
    assert ir.meta.seq == ["!FETCH", "!PROCESS", "!EMAIL"]
    assert [(e.id, e.value, e.action) for e in ir.entities] == [("act", "data", "!FETCH"), ("to", "me", "!EMAIL")]
    assert [(c.type, c.value) for c in ir.constraints] == [("time out", "true")]
    assert ir.meta.priority == 2
    assert equivalent(read_code(write_code(ir)), ir)


def test_request_ids() -> None:
    """The id is derived from the text as received, comment included, outer white space stripped; a carried one wins."""
    text = 'start() # {"meta":{"priority":2}}'
    assert read_code(f" {text}\n").meta.req_id == hashlib.sha256(text.encode()).hexdigest()[:8]
    assert read_code("start()").meta.req_id == "0c89bb58"
    assert read_code('start() # {"meta":{"req_id":"abcd"}}').meta.req_id == "abcd"


def test_an_unknown_version_is_kept() -> None:
    """Every valid IR survives, of a later version too."""
    ir = SilpIR.model_validate({"silp": "v9", "version": "x", "intent": "!START", "meta": {"req_id": "abcd"}})
    assert write_code(ir) == 'start() # {"silp":"v9","version":"x"}'
    assert equivalent(read_code(write_code(ir)), ir)


@pytest.mark.parametrize(
    ("text", "piece", "reason"),
    [
        ("start(hike", "(", "no closing parenthesis"),
        ("start(hike,", "(", "no closing parenthesis"),
        ("start(a; email(b)", ";", "quote the argument"),
        ('start("hike)', '"', "no closing quote"),
        ("Start(hike)", "Start", "lower case: start("),
        ("!START(hike)", "START", "lower case: start("),
        ("start2(hike)", "start2", "no function name"),
        ("start(“hike”)", "“", 'quoted with "'),
        ("start('hike')", "'", 'quoted with ", not with'),
        ("start（hike）", "start（hike）", "a call must stand here"),
        ("start(hike，bike)", "，", "full-width: write ,"),
        ("start(else)", "else", 'quote it, "else"'),
        ("start(if=x)", "if", 'quote it, "if"'),
        ("start(x=then)", "then", 'quote it, "then"'),
        ("if a(b): if c(d): go(e)", "if", "once"),
        ("if a(b) and if c(d): go(e)", "if", "once"),
        ("start(hike) else", "", "must stand"),
        ("start(hike) else:", "", "must stand"),
        ("start(two words)", "w", "a comma is missing, or quotes"),
        ('start("a""b")', '"b', "a comma is missing, or quotes"),
        ("start(hike) # soon", "# soon", "JSON object"),
        ("start(hike) # [1]", "[1]", "JSON object"),
        ('start(hike) # {"intent":"!STOP"}', '"!STOP"', "a comment has no intent"),
        ('start(hike) # {"meta":{"priority":"x"}}', '"x"', "whole number, not a string"),
        ('start(hike) # {"meta":{"next_agent":null}}', "null", "must be a string, not null"),
        ('start(hike) # {"meta":1', "", "JSON: expecting"),
        ('start(hike) # {"entities":[{"id":"act","value":"bomb"}]}', "#", "contradicts"),
        ('if a(b): go(c) # {"constraints":[]}', "#", "contradicts"),
        ("start(hike) bike", "bike", "text after the end"),
        ("start(hike))", ")", "closes nothing"),
        ("start(a), email(b)", ",", "separated by ;"),
        ("start(,b)", ",", "missing before ,"),
        ("start(a,,b)", ",b", "missing before ,"),
        ("start(a,)", ")", "missing before )"),
        ("start(x=)", ")", "missing before )"),
        ("start(x=y=z)", "=z", "a second ="),
        ("start(a(b))", "(b", "calls do not nest"),
        ("start(a@b)", "@", "quote the argument"),
        ("start(a|b)", "|", "quote the argument"),
        ("start(½)", "½", "U+00BD VULGAR FRACTION ONE HALF"),
        ("> start(hike)", "> ", "prompt sign"),
        ("$ start(hike)", "$ ", "prompt sign"),
        (">>> start(hike)", ">>> ", "prompt sign"),
        ("start(a);", ";", "must stand"),
        ("start(a);;email(b)", ";e", "a call must stand here"),
        ("if a: go(b)", "a", "a alone is no condition"),
        ("if : go(b)", ":", "a condition must stand here"),
        ("if !rain>3: go(b)", ">", "takes no operator"),
        ("if !rain(a,b): go(c)", "!rain(a,b)", "one argument, its time"),
        ("if loc(a,b,c,d): go(e)", "loc(a,b,c,d)", "one to three arguments"),
        ("if loc(a=b): go(e)", "=", "no = here"),
        ("if loc(): go(e)", ")", "missing before )"),
        ("if a>b", "b", "has no end"),
        ("if a>b or c>d: go(e)", "or", "joined with and alone"),
        ("if a>: go(e)", ":", "quote the argument"),
        ("if a>b c: go(e)", "c", "several words is quoted"),
        ("if", "f", "a condition must stand"),
        ("if ", "f", "a condition must stand"),
        ("if a>b: ", ":", "must stand"),
        ("start(a) else: start(b=c)", "b=", "target@location"),
        ("start(a) else: start(b,c)", ",", "quote the argument"),
        ("start(a) else: start(b@", "(", "no closing parenthesis"),
        ("fetch(a) -> ", ">", "must stand"),
        ("fetch(a) -> 1", "1", "a call must stand here"),
        ("fetch -> go(a)", "fetch", "a call must stand here"),
        ("start(a\nb)", "\n", "one line"),
        ("start(a)\r\nstart(b)", "\r", "one line"),
    ],
)
def test_malformed_texts(text: str, piece: str, reason: str) -> None:
    """Each fault names its reason and marks its place, and what would be right."""
    with pytest.raises(DecodeError) as caught:
        read_code(text)
    error = caught.value
    assert reason in error.reason
    start = error.span[0]
    assert text[start:].startswith(piece), (error.span, error.reason)
    assert error.code == "invalid_syntax"


def test_a_secondary_action_without_arguments_has_no_ir() -> None:
    """Well-formed, but nothing could hold it: decode_failed."""
    with pytest.raises(DecodeError) as caught:
        read_code("start(hike); email()")
    assert (caught.value.code, caught.value.span) == ("decode_failed", (13, 20))


def test_strict_reading_refuses_verbs_that_are_not_approved() -> None:
    """The whitelist is advisory unless strict; then the verb is marked and the approved ones are named."""
    read_code("start(a); email(b) else: route(c)", strict=True)
    for text, piece in (("switch_tool(b)", "switch_tool"), ("start(a); xss(b)", "xss"), ("start(a) else: xss(b)", "xss")):
        with pytest.raises(DecodeError, match="!SWITCH") as caught:
            read_code(text, strict=True)
        start, end = caught.value.span
        assert (text[start:end], caught.value.code) == (piece, "decode_failed")


def test_spans_are_those_of_the_text_as_received() -> None:
    """Leading white space does not shift the caret."""
    with pytest.raises(DecodeError) as caught:
        read_code("  \tstart(a|b)")
    assert caught.value.span == (10, 11)


def test_deep_and_large_comments_are_refused_by_name() -> None:
    """Nesting in extras is limited, and so are digits."""
    deep = "[" * 150 + "]" * 150
    with pytest.raises(DecodeError, match="nested deeper than 128"):
        read_code(f'start() # {{"meta":{{"x":{deep}}}}}')
    with pytest.raises(DecodeError, match="more than 4300 digits"):
        read_code(f'start() # {{"meta":{{"x":{"9" * 4301}}}}}')


def test_models_built_past_their_checks_are_encode_errors() -> None:
    """Lists can be changed; what no longer fits is named with its path, not raised as anything else."""
    ir = read_code("start(a)")
    ir.entities.append({"id": "x"})  # type: ignore[arg-type]
    with pytest.raises(EncodeError, match="entities"):
        write_code(ir)
    ir = read_code("if a>b: start(a)")
    ir.constraints[0].__dict__["value"] = None
    with pytest.raises(EncodeError, match=r"constraints\[0\]"):
        write_code(ir)


@pytest.mark.parametrize(
    ("text", "bare"),
    [("a", True), ("a.b+c-d*e/f%g$h&i~j_k", True), ("文章", True), ("e\u0301", True), ("٣", True), ("", False),
     ("½", False), ("²", False), ("Ⅷ", False), ("a b", False), ("a\u00a0b", False), ("😀", False), ("if", False),
     ("If", True), ("t+1", True), ("a,b", False), ("a\u200bb", False)],
)  # fmt: skip
def test_bare_words(text: str, bare: bool) -> None:  # noqa: FBT001  # a table's column
    """Letters, marks and decimal digits of any script and twelve signs; no keyword."""
    assert is_word(text) is bare
