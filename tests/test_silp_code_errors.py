from __future__ import annotations

import pytest

from sabir.errors import DecodeError
from sabir.silp.code_reader import read_code

# Text, the piece of it that the span marks, what the reason says.
MALFORMED = [
    # calls
    ("", "", "such as start(hike)"),
    ("   ", "", "such as start(hike)"),
    ("start", "start", "start alone is no call: write start()"),
    ("start hike", "start", "a call must stand here"),
    ("please start the hike", "please", "a call must stand here"),
    ("Start(hike)", "Start", "lower case: start("),
    ("START_ALL(hike)", "START_ALL", "lower case: start_all("),
    ("!START(hike)", "START", "lower case: start("),
    ("start2(hike)", "start2", "start2 is no function name"),
    ("_start(hike)", "_start", "_start is no function name"),
    ("os.remove(x)", "os.remove", "os.remove is no function name"),
    ("> start(hike)", "> ", "prompt sign"),
    ("$ start(hike)", "$ ", "prompt sign"),
    (">>> start(hike)", ">>> ", "prompt sign"),
    ("`start(hike)`", "`", "in quotes: leave them out"),
    ('"start(hike)"', '"', "in quotes: leave them out"),
    ("\ufeffstart(hike)", "\ufeff", "U+FEFF ZERO WIDTH NO-BREAK SPACE does not belong here"),
    ("start\u200b(hike)", "\u200b", "U+200B ZERO WIDTH SPACE does not belong here"),
    ("start\u00a0(hike)", "\u00a0", "U+00A0 NO-BREAK SPACE does not belong here"),
    ("ѕtart(hike)", "ѕ", "U+0455 CYRILLIC SMALL LETTER DZE does not belong here"),
    ("(hike)", "(hike)", "a call must stand here"),
    ("start（hike）", "（", "full-width: write ("),
    ("start(a);", ";", "the text ends where a call must stand"),
    ("start(a); ;email(b)", ";", "a call must stand here"),
    ("start(a);;email(b)", ";", "a call must stand here"),
    ("start(a); Email(b)", "Email", "lower case: email("),
    ("start(a), email(b)", ",", "separated by ;"),
    ("start(a) and email(b)", "and", "separated by ;"),
    ("start(a) then email(b)", "then", "separated by ;"),
    ("start(a) email(b)", "email(b)", "text after the end"),
    ("start(hike) bike", "bike", "text after the end"),
    ("start(hike).", ".", "text after the end"),
    ("start(hike))", ")", "closes nothing"),
    ("start(hike)；email(b)", "；", "full-width: write ;"),
    ("start(a)\u2060", "\u2060", "U+2060 WORD JOINER does not belong here"),
    ("start(a\nb)", "\n", "one line"),
    ('start("a\nb")', "\n", "inside a string, a line end is \\n"),
    ("start(a)\r\nstart(b)", "\r", "one line"),
    # arguments
    ("start(hike", "(", "no closing parenthesis"),
    ("start(hike ", "(", "no closing parenthesis"),
    ("start(", "(", "no closing parenthesis"),
    ("start(hike,", "(", "no closing parenthesis"),
    ("start(a=", "(", "no closing parenthesis"),
    ("start(a); email(b", "(b", "no closing parenthesis"),
    ("start(a; email(b)", ";", "no closing parenthesis before the next call"),
    ("start(a else: stop()", "else", "no closing parenthesis before else"),
    ("start(a # {}", "#", "no closing parenthesis before a comment"),
    ('start("hike)', '"', "no closing quote"),
    ('start(a="hike', '"', "no closing quote"),
    ('start("a\\xb")', "\\x", "bad escape"),
    ('start("a\tb")', "\t", "control character"),
    ('start("\\ud83d")', "\\ud83d", "lone surrogate"),
    ("start(“hike”)", "“", 'a string is quoted with "'),
    ("start(a,”hike”)", "”", 'a string is quoted with "'),
    ("start('hike')", "'", 'quoted with ", not with'),
    ("start(it's)", "'", "quote the argument"),
    ("start(hike，bike)", "，", "full-width: write ,"),
    ("start(hike）", "）", "full-width: write )"),
    ("start(a＝b)", "＝", "full-width: write ="),
    ("start(a,\u3000b)", "\u3000", "U+3000 IDEOGRAPHIC SPACE stands in no bare word"),
    ("start(😀)", "😀", "U+1F600 GRINNING FACE stands in no bare word"),
    ("start(½)", "½", "U+00BD VULGAR FRACTION ONE HALF"),
    ("start(a\x00)", "\x00", "U+0000"),
    ("start(else)", "else", 'quote it, "else"'),
    ("start(a,then)", "then", 'quote it, "then"'),
    ("start(if=x)", "if", 'quote it, "if"'),
    ("start( if = x)", "if", 'quote it, "if"'),
    ("start(x=then)", "then", 'quote it, "then"'),
    ("start(x = and )", "and", 'quote it, "and"'),
    ('start("x"=and)', "and", 'quote it, "and"'),
    ("start(two words)", "w", "a comma is missing, or quotes"),
    ('start("a""b")', '"b', "a comma is missing, or quotes"),
    ('start(a"b")', '"b', "a comma is missing, or quotes"),
    ('start("a"b)', "b", "b stands in no bare word"),
    ("start(,b)", ",", "an argument is missing before ,"),
    ("start(a,,b)", ",b", "an argument is missing before ,"),
    ("start(a,)", ")", "an argument is missing before )"),
    ("start(x=)", ")", "a value is missing before )"),
    ("start(x=,y)", ",", "a value is missing before ,"),
    ("start(=x)", "=", "= stands in no bare word"),
    ("start(x=y=z)", "=z", "a second ="),
    ("start(x==y)", "=y", "= stands in no bare word"),
    ("start(a(b))", "(b", "calls do not nest"),
    ("start(a@b)", "@", "quote the argument"),
    ("start(a|b)", "|", "quote the argument"),
    ("start(a:b)", ":", "quote the argument"),
    ("start([a])", "[", "quote the argument"),
    ("start(#1)", "#", "quote the argument"),
    # conditions
    ("if", "f", "a condition must stand"),
    ("if ", "f", "a condition must stand"),
    ("if : go(b)", ":", "a condition must stand here"),
    ("if (a>b): go(c)", "(", "no parentheses around conditions"),
    ("if “a”: go(b)", "“", "typographic quote"),
    ("if ！rain: go(b)", "！", "full-width: write !"),
    ("if a: go(b)", "a", "a alone is no condition: write a(true), a==value or !a"),
    ("if a：go(b)", "：", "full-width: write :"),
    ("if a and b(c): go(d)", "a", "a alone is no condition"),
    ("if and(a): go(b)", "a", "a condition must stand here"),
    ("if a(b): if c(d): go(e)", "if", "once"),
    ("if a(b) and if c(d): go(e)", "if", "once"),
    ("if a(b) and : go(e)", ":", "a condition must stand here"),
    ("if !rain>3: go(b)", ">", "takes no operator"),
    ("if !rain(a,b): go(c)", "!rain(a,b)", "one argument, its time"),
    ("if !rain(): go(c)", ")", "missing before )"),
    ("if loc(a,b,c,d): go(e)", "loc(a,b,c,d)", "one to three arguments"),
    ("if loc(a=b): go(e)", "=", "no = here"),
    ("if loc(a@b): go(e)", "@", "quote the argument"),
    ("if loc(): go(e)", ")", "an argument is missing before )"),
    ("if loc(a,): go(e)", ")", "an argument is missing before )"),
    ("if loc(a,else): go(e)", "else", 'quote it, "else"'),
    ("if loc(a: go(e)", ":", "no closing parenthesis before an action"),
    ("if loc(a and b>c: go(e)", "and", "no closing parenthesis before and"),
    ("if loc(a", "(", "no closing parenthesis"),
    ("if a>b", "b", "has no end"),
    ("if a>b: ", ":", "the text ends where a call must stand"),
    ("if a>b, : go(c)", ":", "quote the argument"),
    ("if a>b,", ",", "the text ends where a time must stand"),
    ("if a>", ">", "the text ends where a value must stand"),
    ("if a>b,c,d: go(c)", ",d", "and, : or then must stand here"),
    ("if a(b)：go(c)", "：", "full-width: write :"),
    ("if a>b or c>d: go(e)", "or", "joined with and alone"),
    ("if a>b && c>d: go(e)", "&& c", "joined with and alone"),
    ("if a>b || c>d: go(e)", "||", "joined with and alone"),
    ("if a>: go(e)", ":", "quote the argument"),
    ("if a=>b: go(e)", ">", "quote the argument"),
    ("if a>b c: go(e)", "c", "several words is quoted"),
    ("if a>b go(e)", "go(e)", "and, : or then must stand here"),
    ("if a>if: go(e)", "if", 'quote it, "if"'),
    ("start(a) if a>b", "if", "the condition stands first"),
    # fallbacks
    ("start(hike) else", "", "the text ends where a call must stand"),
    ("start(hike) else:", ":", "the text ends where a call must stand"),
    ("start(hike) else: # {}", "# {}", "a call must stand here"),
    ("start(a) else: b() else: c()", "else", "else stands once"),
    ("start(a) else: Stop()", "Stop", "lower case: stop("),
    ("start(a) else: start(b=c)", "b=", "target@location"),
    ('start(a) else: start("loc"=c)', '"loc"=', "target@location"),
    ("start(a) else: start(b,c)", ",", "quote the argument"),
    ("start(a) else: start(@c)", "@", "@ stands in no bare word"),
    ("start(a) else: start(b@)", ")", "a location is missing"),
    ("start(a) else: start(loc=)", ")", "a location is missing"),
    ("start(a) else: start(b@c@d)", "@d", "quote the argument"),
    ("start(a) else: start(b@", "(b@", "no closing parenthesis"),
    ("start(a) else: start(b", "(b", "no closing parenthesis"),
    ("start(a) else: start(then)", "then", 'quote it, "then"'),
    ("start(a) else: start(b@if)", "if", 'quote it, "if"'),
    ("start(a) else: start(b);", ";", "the text ends where a call must stand"),
    # sequences
    ("fetch(a) -> ", ">", "the text ends where a call must stand"),
    ("fetch(a) -> 1", "1", "a call must stand here"),
    ("fetch -> go(a)", "fetch", "a call must stand here"),
    ("fetch(a) -> Go", "Go", "a call must stand here"),
    ("fetch(a) -> go(b); go(c)", "; go(c)", "text after the end"),
    ("fetch(a); go(b) -> go(c)", "->", "does not mix with ;"),
    ("fetch(a) with care", "with", "only after a sequence"),
    ("fetch(a) -> go(b) with", "h", "the text ends where a condition must stand"),
    ("fetch(a) -> go(b) with a with b", "with b", "only after a sequence"),
    # comments
    ("start(hike) #", "#", "JSON object"),
    ("start(hike) # soon", "# soon", "JSON object"),
    ("start(hike) # 5", "# 5", "JSON object"),
    ("start(hike) # [1]", "[1]", "JSON object"),
    ('start(hike) # "x"', '"x"', "JSON object"),
    ('start(hike) # {"meta":1', "", "JSON: expecting"),
    ("start(hike) # {'meta':1}", "'meta'", "JSON: expecting"),
    ("start(hike) # {} {}", "{}", "text after the end of the JSON value"),
    ('start(hike) # {"meta":{},"meta":{}}', '"meta":{}}', 'key "meta" stands twice'),
    ('start(hike) # {"meta":{"x":NaN}}', "NaN", "NaN is no JSON value"),
    ('start(hike) # {"meta":{"x":1e999}}', "1e999", "beyond the range of a float"),
    ('start(hike) # {"meta":{"x":"\\udc00"}}', "\\udc00", "lone surrogate"),
    ('start(hike) # {"intent":"!STOP"}', '"!STOP"', "a comment has no intent"),
    ('start(hike) # {"note":5}', "5", "a comment has no note"),
    ('start(hike) # {"meta":1}', "1", "must be an object, not a number"),
    ('start(hike) # {"meta":null}', "null", "must be an object, not null"),
    ('start(hike) # {"meta":{"priority":"x"}}', '"x"', "whole number, not a string"),
    ('start(hike) # {"meta":{"priority":true}}', "true", "whole number, not a boolean"),
    ('start(hike) # {"meta":{"confidence":2}}', "2", "between 0 and 1"),
    ('start(hike) # {"meta":{"seq":["a",1]}}', "1", "must be a string, not a number"),
    ('start(hike) # {"meta":{"req_id":"e5f6g7h8"}}', '"e5f6g7h8"', "hex digits"),
    ('start(hike) # {"meta":{"next_agent":null}}', "null", "must be a string, not null"),
    ('start(hike) # {"silp":"1"}', '"1"', "a version is v and digits"),
    ('start(hike) # {"silp":null}', "null", "must be a string, not null"),
    ('start(hike) # {"entities":{}}', "{}}", "array of objects"),
    ('start(hike) # {"entities":[{"id":"act"}]}', '{"id"', 'needs "value"'),
    ('start(hike) # {"entities":[{"id":"act","value":1}]}', "1", "must be a string, not a number"),
    ('start(hike) # {"entities":[{"id":"act","value":"hike","action":null}]}', "null", "must be a string, not null"),
    ('start(hike) # {"entities":[{"id":"act","value":"hike","action":"stop"}]}', '"stop"', "an action code is"),
    ('if a(b): go(c) # {"constraints":[{"type":"a","value":"b","time":null}]}', "null", "must be a string, not null"),
    # a comment that says something else
    ('start(hike) # {"entities":[{"id":"act","value":"bomb"}]}', "#", "contradicts the text before it"),
    ('start(hike) # {"entities":[{"id":"act","value":"hike","action":"!STOP"}]}', "#", "would read: start(); stop(hike)"),
    ('start() # {"entities":[{"id":"act","value":"bomb"}]}', "#", "contradicts"),
    ('if a(b): go(c) # {"constraints":[]}', "#", "contradicts"),
    ('if a(b): go(c) # {"constraints":[{"type":"a","value":"c"}]}', "#", "contradicts"),
    ('start() # {"alternatives":[{"action":"!STOP"}]}', "#", "contradicts"),
    ('a(x) -> b # {"meta":{"seq":["!B","!A"]}}', '["!B"', "contradicts the sequence before it"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "piece", "reason"), MALFORMED)
def test_malformed_texts(text: str, piece: str, reason: str) -> None:
    """Each fault names its reason and marks its place, and what would be right."""
    with pytest.raises(DecodeError) as caught:
        read_code(text)
    error = caught.value
    assert reason in error.reason
    assert text[error.span[0] :].startswith(piece), (error.span, error.reason)
    assert (error.code, error.format, error.text) == ("invalid_syntax", "silp-code", text)


@pytest.mark.parametrize(("text", "piece", "reason"), MALFORMED)
def test_spans_are_those_of_the_text_as_received(text: str, piece: str, reason: str) -> None:
    """White space around a text shifts the caret with it and changes no reason."""
    with pytest.raises(DecodeError) as caught:
        read_code(f"\u2003\t{text}\n ")
    error = caught.value
    assert reason in error.reason
    start = error.span[0] - 2 if text.strip() else 0
    assert text[start:].startswith(piece)


def test_spans_end_where_the_fault_ends() -> None:
    """A span marks the whole word, value or call that is at fault."""
    for text, piece in [
        ("Start(hike)", "Start"),
        ("start(else)", "else"),
        ("if loc(a,b,c,d): go(e)", "loc(a,b,c,d)"),
        ('start() # {"meta":{"priority":[1,2]}}', "[1,2]"),
        ("start() # soon", "# soon"),
        ("start(hike", "("),
        ("please start", "please"),
    ]:
        with pytest.raises(DecodeError) as caught:
            read_code(text)
        start, end = caught.value.span
        assert text[start:end] == piece


@pytest.mark.parametrize("text", ["start(hike); email()", "start(hike); email( )"])
def test_a_secondary_action_without_arguments_has_no_ir(text: str) -> None:
    """Well-formed, but nothing could hold it: decode_failed."""
    with pytest.raises(DecodeError, match="a secondary action without one has no IR") as caught:
        read_code(text)
    assert (caught.value.code, caught.value.span) == ("decode_failed", (13, len(text)))


def test_deep_and_large_comments_are_refused_by_name() -> None:
    """Nesting and digits are limited, at every depth of the text."""
    for depth, reason in ((129, "nested deeper than 128"), (150, "nested deeper than 128"), (100_000, "nested deeper than 192")):
        deep = "[" * depth + "]" * depth
        for comment in (f'{{"meta":{{"x":{deep}}}}}', f'{{"entities":[{{"id":"act","value":"a","x":{deep}}}]}}'):
            with pytest.raises(DecodeError, match=reason):
                read_code(f"start(a) # {comment}")
    with pytest.raises(DecodeError, match="more than 4300 digits"):
        read_code(f'start() # {{"meta":{{"x":{"9" * 4301}}}}}')
    assert read_code(f'start() # {{"meta":{{"x":{"9" * 4300}}}}}').meta.model_extra == {"x": 10**4300 - 1}


def test_what_is_no_text_is_a_decode_error() -> None:
    """So is a text with a lone surrogate."""
    for thing in (None, b"start()", 5):
        with pytest.raises(DecodeError, match="a message is text"):
            read_code(thing)  # type: ignore[arg-type]
    with pytest.raises(DecodeError, match="lone surrogate") as caught:
        read_code(" start(\ud800)")
    assert caught.value.span == (7, 8)
