from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sabir
from extraction_of import LOOKALIKES, REPORTED, Case, cases, is_one, reports, rows
from sabir.finding import CUTS, JOINTS, MAX_LINE, MAX_OBJECT, REPAIRS, Found, Stream, extract, survey
from sabir.finding.human import MAX_SPOKEN
from sabir.finding.stream import Lines
from sabir.registry import BY_NAME, READABLE
from strategies import MESSAGES

CASES = cases()
PACKET = ">SEC:XSS #ctx4 !9"


def streamed(pieces: list[str] | list[bytes], **options: Any) -> list[Found]:
    """What a stream gives that is fed with pieces, templates and damaged pieces included."""
    stream = Stream(survey=True, **options)
    found = [item for piece in pieces for item in stream.feed(piece)]
    return found + stream.close()


# --- the table -------------------------------------------------------------------------------------------


def test_the_table_is_large_and_says_each_thing_once() -> None:
    """There are at least 150 outputs with messages and 60 look-alikes, in every format, and none stands twice."""
    assert sum(bool(case.found) for case in CASES) >= 150
    assert sum(case.file == LOOKALIKES for case in CASES) >= 60
    assert {row[0] for case in CASES for row in case.found} == {format.name for format in READABLE}
    assert len({str(case) for case in CASES}) == len({case.text for case in CASES}) == len(CASES)
    assert all(not case.found and not case.reported for case in CASES if case.file == LOOKALIKES)
    assert all(case.reported for case in CASES if case.file == REPORTED)
    assert {name for case in CASES for row in case.found for name in row[3]} == {*REPAIRS, *CUTS, *JOINTS}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_text_holds_is_found_with_its_span_and_repairs(case: Case) -> None:
    """Each message is found where it stands, with the value and the repairs that a person would name, and nothing else."""
    for format, want, piece, _ in case.found:
        assert sabir.encode(sabir.decode(want, format), format) == want, "the table holds canonical texts"
        assert piece in case.text
    found = survey(case.text)
    assert rows(case.text, found) == case.found
    assert reports(case.text, found) == case.reported
    assert rows(case.text, sabir.extract(case.text)) == case.found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_any_cut_gives_the_same_messages(case: Case) -> None:
    """A text fed character by character, byte by byte, or in two pieces cut at every byte gives what the whole text gives."""
    wanted = survey(case.text)
    data = case.text.encode()
    assert streamed([*case.text]) == wanted
    assert [item.reason for item in streamed([*case.text])] == [item.reason for item in wanted]
    assert streamed([data[at : at + 1] for at in range(len(data))]) == wanted
    for at in range(1, len(data)):
        assert streamed([data[:at], data[at:]]) == wanted


@given(st.data())
def test_cases_one_after_the_other_are_found_whatever_the_cuts(data: st.DataObject) -> None:
    """A text made of several cases, cut at random, gives the same as in one piece."""
    text = "\n\n".join(case.text for case in data.draw(st.lists(st.sampled_from(CASES), min_size=1, max_size=4)))
    places = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    pieces = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    assert streamed(pieces) == survey(text)


@pytest.mark.parametrize("case", [case for case in CASES if case.found], ids=str)
def test_strict_finds_the_same_and_repairs_nothing(case: Case) -> None:
    """In strict mode the messages without repairs are found as before, and no text is changed."""
    found = [item for item in survey(case.text, strict=True) if item.kind == "message"]
    assert all(not set(item.repairs) & {*REPAIRS, *CUTS, "rejoined", "quote-markers"} for item in found)
    plain = [row for row in case.found if not set(row[3]) & {*REPAIRS, *CUTS, "rejoined", "quote-markers"}]
    assert [row for row in rows(case.text, found) if row in plain] == plain


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_was_decoded_is_the_piece_unless_a_repair_is_named(case: Case) -> None:
    """The text of a message decodes to it; without repairs it is the input's own."""
    for item in survey(case.text):
        piece = case.text[slice(*item.span)]
        if not item.repairs:
            assert item.text == piece
        if item.kind == "message":
            assert item.error is None
            assert item.reason == ""
            assert sabir.encode(sabir.decode(item.text, item.format), item.format) == sabir.encode(item.message, item.format)
        else:
            assert item.message is None
            assert item.error is not None
            assert item.reason == item.error.reason != ""


# --- no value is invented --------------------------------------------------------------------------------


def holds_only(text: str, format: str, *, strict: bool) -> list[Found]:
    """What a message's canonical text holds: that message, or a report, and never another one."""
    found = survey(text, strict=strict)
    messages = [item for item in found if item.kind == "message"]
    assert len(messages) <= 1
    for item in messages:
        assert item.format == format
        if not item.repairs:
            assert sabir.encode(item.message, format) == text
        assert not strict or not item.repairs
    return found


@pytest.mark.parametrize("format", READABLE, ids=lambda format: format.name)
@given(data=st.data())
def test_no_value_smuggles_out_a_second_message(format: sabir.Format[Any], data: st.DataObject) -> None:
    """The text of any message, hostile values included, gives that message or a report; no value of it is one."""
    text = format.write(data.draw(MESSAGES[format.kind.name].filter(is_one)))
    for strict in (False, True):
        holds_only(text, format.name, strict=strict)


@pytest.mark.parametrize("format", ["ait", "silp-code", "silp-ir", "silp-json"])
@given(data=st.data())
def test_formats_without_free_text_are_always_found_alone(format: str, data: st.DataObject) -> None:
    """The canonical text of a tape, a call or an IR, alone, is found to the letter."""
    message = data.draw(MESSAGES[BY_NAME[format].kind.name])
    text = sabir.encode(message, format)
    assert rows(text, survey(text)) == ((format, text, text, ()),)


@given(st.text(max_size=200))
@example('{"intent":"!A","x":')
@example("\ud800 SLIP v1 a b MetaAck \ud800")
@example("\\\n\r\n`` ` ```")
def test_no_text_breaks_the_finder(text: str) -> None:
    """Whatever stands in a text, the finder gives pieces with spans in it, in order."""
    at = 0
    for item in survey(text):
        assert at <= item.span[0] < item.span[1] <= len(text)
        at = item.span[0]


@given(st.lists(st.sampled_from(
    ["SLIP v1 a b MetaAck", " ", "\n", '"', "“", "”", "`", "```", PACKET, " | ", "x=1", "{", "}", '{"intent":"!A"}', "s4x9", "start(a)", "👽71|@1",
     "--👽lingua/0.4@a", "👽 a", "\n\n", "Lingua: ", "\\", "&gt;", "AIT: ", "(", ")", "**", ".", "# ", "- ", "> ", "|", "，", "\r\n", ":"]
), max_size=24).map("".join))  # fmt: skip
def test_pieces_of_messages_in_any_order_keep_the_contract(text: str) -> None:
    """Markers, quotes and fences in any order: spans are in order, unrepaired texts are the input's, cuts change nothing."""
    found = survey(text)
    at = 0
    for item in found:
        assert at <= item.span[0] < item.span[1] <= len(text)
        at = item.span[0]
        if not item.repairs:
            assert item.text == text[slice(*item.span)]
    assert streamed([*text]) == found


# --- the stream ------------------------------------------------------------------------------------------


def test_a_message_is_given_when_its_line_ends() -> None:
    """A line is complete with its LF; what came before is given without waiting for more."""
    stream = Stream()
    assert stream.feed("Sure:\nSLIP v1 a b InformStatus gre") == []
    assert stream.feed("en") == []
    assert [item.text for item in stream.feed("\nAnd")] == ["SLIP v1 a b InformStatus green"]
    assert stream.feed(" more") == []
    assert stream.close() == []


def test_an_object_that_begins_a_line_is_given_with_its_closing_brace() -> None:
    """JSON says itself where it ends, so nothing is waited for; what follows it on the line is read at the line's end."""
    stream = Stream()
    assert stream.feed('Here:\n  {"intent":"!START",\n "act":"hi') == []
    assert [item.message.intent for item in stream.feed('ke"}')] == ["!START"]
    assert stream.feed(" and `s4x9`") == []
    assert [item.text for item in stream.feed("\n")] == ["s4x9"]
    assert stream.close() == []


def test_a_fence_of_calls_is_given_with_its_end() -> None:
    """Calls in a fence without a tag are messages only if the fence holds nothing else."""
    stream = Stream()
    assert stream.feed("```\nstart(hike)\nemail(boss)\n") == []
    assert [item.text for item in stream.feed("```\n")] == ["start(hike)", "email(boss)"]
    stream = Stream()
    assert stream.feed("```\nstart(hike)\nx = 1\n```\n") == []


def test_a_tagged_fence_is_given_line_by_line() -> None:
    """A fence that names its format needs no waiting."""
    stream = Stream()
    assert [item.text for item in stream.feed("```silp\nstart(hike)\n")] == ["start(hike)"]


def test_a_signature_is_waited_for() -> None:
    """A Lingua message is given when the next line is no signature, or with it."""
    stream = Stream()
    assert stream.feed("👽71|@1\n") == []
    assert [item.text for item in stream.feed("--👽lingua/0.4@a\n")] == ["👽71|@1\n--👽lingua/0.4@a"]
    assert stream.feed("👽71|@2\n") == []
    assert [item.text for item in stream.feed("Done.\n")] == ["👽71|@2"]


def test_human_language_is_waited_for_and_given_with_its_signature() -> None:
    """Lines of human language are given with their signature; in prose, what they are not is read at the blank line's end."""
    stream = Stream()
    assert stream.feed("So:\n\n👽 the pump\nis off\n") == []
    assert [item.text for item in stream.feed("--👽lingua/0.4@a\n")] == ["👽 the pump\nis off\n--👽lingua/0.4@a"]
    assert stream.feed("👽 fun:\n>SEC:XSS #ctx4 !9\n\n") == []
    assert [item.text for item in stream.feed("More.\n")] == [PACKET]


def test_human_language_that_is_too_long_is_prose() -> None:
    """Beyond the limit no signature is waited for: the lines are read as they are, and cuts change nothing."""
    lines = "👽 a\n" + f"{'x' * 99}\n" * (MAX_SPOKEN // 100 + 1)
    for more, wanted in ((f"{PACKET}\n", [PACKET]), (f"{'y' * MAX_LINE}z\n{PACKET}\n", [PACKET])):
        text = f"{lines}{more}--👽lingua/0.4@a\n"
        found = survey(text)
        assert [item.text for item in found] == wanted
        assert streamed([text[at : at + 99_991] for at in range(0, len(text), 99_991)]) == found


def test_a_line_that_is_too_long_ends_human_language() -> None:
    """What is passed over cannot be part of a message."""
    assert [item.text for item in survey(f"👽 a\n{PACKET}\n{'y' * MAX_LINE}z\n--👽lingua/0.4@a\n")] == [PACKET]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("> 👽 the pump\n> is off\n> --👽lingua/0.4@a", "marks of a quotation"),
        ("👽 the pump\nis off\n—👽lingua/0.4@a", "a dash for the signature's two hyphens"),
        ("👽 off\n—👽lingua/0.4@a", "a dash for the signature's two hyphens"),
    ],
)
def test_strict_says_what_it_would_have_to_repair_in_human_language(text: str, reason: str) -> None:
    """Without repairs a dash would be one more line, and a quotation's marks would be part of the text: neither is given."""
    (found,) = survey(text, strict=True)
    assert found.kind == "damaged"
    assert reason in found.reason


def test_strict_reads_no_label_as_human_language_with_a_dash() -> None:
    """Behind a label, too, a signature with a dash is none in strict mode, and the text before it is not cut off."""
    assert extract("**👽 off**\n—👽lingua/0.4@a", strict=True) == []


def test_human_language_is_prose_where_it_is_not_looked_for() -> None:
    """With other formats named, its lines hold what any line holds."""
    assert [item.text for item in extract(f"👽 a\n{PACKET}\n--👽lingua/0.4@a", formats=["eap"])] == [PACKET]


def test_spans_count_from_the_start_of_the_stream() -> None:
    """Spans are of all that was fed, in code points."""
    stream = Stream()
    stream.feed("é 👽\n")
    (found,) = stream.feed(f"{PACKET}\n")
    assert found.span == (4, 4 + len(PACKET))


def test_a_line_that_is_too_long_is_passed_over() -> None:
    """Beyond the limit nothing of a line is kept, and the next line is read as ever; cuts change nothing."""
    text = f"{PACKET} {'x' * MAX_LINE}\n{PACKET}\n"
    found = survey(text)
    assert [item.span[0] for item in found] == [len(PACKET) + MAX_LINE + 2]
    assert streamed([text[at : at + 99_991] for at in range(0, len(text), 99_991)]) == found
    stream = Stream()
    for _ in range(30):
        stream.feed("y" * (MAX_LINE // 8))
    assert stream._lines.held() <= 2 * MAX_LINE


def test_an_object_that_is_too_long_is_none() -> None:
    """An object beyond the limit is given up, and what follows is found; cuts change nothing."""
    lines = '"' + "x" * 1000 + '",\n'
    text = '{"a":[\n' + lines * (MAX_OBJECT // len(lines) + 2) + f"{PACKET}\n"
    found = survey(text)
    assert [item.text for item in found] == [PACKET]
    assert streamed([text[at : at + 99_991] for at in range(0, len(text), 99_991)]) == found


def test_bytes_that_are_no_utf8_are_refused() -> None:
    """Bytes are UTF-8, wherever they are cut; others are an error that names the byte."""
    stream = Stream()
    assert stream.feed("é".encode()[:1]) == []
    with pytest.raises(sabir.DecodeError, match="no UTF-8"):
        stream.close()
    with pytest.raises(sabir.DecodeError, match="0xff"):
        Stream().feed(b"ab\xff")
    with pytest.raises(sabir.DecodeError, match="not int"):
        Stream().feed(1)  # type: ignore[arg-type]  # what a caller without types may do


def test_many_lines_of_a_fence_wait_no_longer_than_the_limit() -> None:
    """A fence with a thousand messages is one of messages, so that memory stays bounded."""
    stream = Stream()
    found = stream.feed("```\n" + "s4x9\n" * 1500)
    found += stream.close()
    assert len(found) == 1500


# --- options ---------------------------------------------------------------------------------------------


def test_only_the_named_formats_are_looked_for() -> None:
    """With formats named, all others are prose."""
    text = f"{PACKET}\nSLIP v1 a b MetaAck\n`s4x9`\nstart(hike)\n"
    assert [item.format for item in extract(text, formats=["slip"])] == ["slip"]
    assert [item.format for item in extract(text, formats=["ait", "silp-code"])] == ["ait", "silp-code"]
    assert [item.format for item in extract('{"intent":"!A"}', formats=["silp-ir"])] == []
    assert extract('{"intent":"!A"}', formats=["eap"]) == []
    assert extract('{"format":"slip","message":{}}', formats=["eap"]) == []
    with pytest.raises(sabir.DecodeError, match='no format "slap"; did you mean slip'):
        extract(text, formats=["slap"])


def test_lines_can_be_fed_without_a_stream() -> None:
    """The empty text holds nothing."""
    assert extract("") == []
    assert isinstance(Stream()._lines, Lines)


def test_chunks_of_a_message_are_joined() -> None:
    """Parts of a message as a protocol delivers them, one empty, give one message."""
    assert [item.message.payload for item in streamed(["SLI", "P v1 ops qa In", "formComplete build", "_42", ""])] == [("build_42",)]


# --- the repairs, one by one -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "format", "text", "wanted"),
    [
        ("html-entities", "eap", "&gt;A &amp;amp; B", "> A &amp; B".replace("> ", ">")),
        ("html-entities", "eap", "&gt;A < B", None),
        ("html-entities", "eap", "&gt;A & B", None),
        ("cell-bars", "eap", r"a \| b", "a | b"),
        ("markdown-escapes", "eap", r"\>A\_B \\_ \"", r">A_B \\_ \""),
        ("markdown-escapes", "eap", r"C:\new", None),
        ("full-width", "eap", "＞A", ">A"),
        ("full-width", "eap", '>A | "＝"', None),
        ("full-width", "eap", "＞A | x＝1　y＝2", ">A | x=1 y=2"),
        ("full-width", "slip", "ＳＬＩＰ　ｖ１ a b MetaAck　x　y", "SLIP v1 a b MetaAck x　y"),
        ("full-width", "slip", "SLIP v1 a b MetaAck", None),
        ("full-width", "slip", "é", None),
        ("full-width", "silp-code", "f（a，b）", "f(a,b)"),
        ("full-width", "silp-code", "f(a，b)", None),
        ("full-width", "silp-code", "f(a，c=b)", "f(a,c=b)"),
        ("full-width", "silp-json", '｛"a"："："｝', '{"a":"："}'),
        ("full-width", "ait", "s4x9　s4x9", "s4x9 s4x9"),
        ("full-width", "lingua", "👽71｜", None),
        ("keyword-case", "slip", "slip V3 a", "SLIP v3 a"),
        ("keyword-case", "slip", "SLIP v1 a", None),
        ("keyword-case", "eap", "<ab:C_d #x", "<AB:C_D #x"),
        ("keyword-case", "eap", "<AB:CD #x", None),
        ("keyword-case", "silp-code", "Start(a)", None),
        ("smart-quotes", "slip", "x “a b”", 'x "a b"'),
        ("smart-quotes", "slip", "x “a “b” c”", 'x “a "b" c”'),
        ("smart-quotes", "slip", 'x "a “b” c"', None),
        ("smart-quotes", "slip", "it“s”x", None),
        ("smart-quotes", "slip", 'x "a b”', 'x "a b"'),
        ("smart-quotes", "eap", "x=‘a b’", 'x="a b"'),
        ("smart-quotes", "eap", "x=‘don’t’", None),
        ("trailing-comma", "silp-json", '{"a":",}",}', '{"a":",}"}'),
        ("trailing-comma", "slip", ",}", None),
        ("signature-line", "lingua", "👽71 —👽lingua/0.4@a", "👽71\n--👽lingua/0.4@a"),
        ("signature-line", "lingua", "👽71\n--👽lingua/0.4@a", None),
        ("signature-line", "lingua", "👽71", None),
        ("signature-line", "slip", "a --👽lingua/0.4@a", None),
        ("closing-quote", "slip", 'x "a b', 'x "a b"'),
        ("closing-quote", "slip", 'x"a b', None),
        ("closing-quote", "slip", 'SLIP v3 "a', None),
        ("closing-quote", "slip", 'x "a\\', None),
        ("closing-quote", "slip", 'x "', None),
        ("closing-quote", "slip", 'x "a”', None),
        ("closing-quote", "slip", 'x "a"', None),
        ("closing-quote", "eap", 'x="a b', 'x="a b"'),
        ("closing-quote", "eap", 'x="a b=c', None),
        ("closing-quote", "eap", 'x "a', None),
        ("closing-quote", "silp-code", 'f("a', None),
    ],
)
def test_a_repair_is_made_where_it_is_sure_and_nowhere_else(name: str, format: str, text: str, wanted: str | None) -> None:
    """Each repair, given a text, changes marks alone, or leaves it where its condition does not hold."""
    from sabir.finding.repairs import apply

    edits = REPAIRS[name](text, format)
    assert (apply(text, edits) if edits else None) == wanted


def test_positions_are_traced_through_edits() -> None:
    """A position behind an edit, before it and at it is traced to where it was."""
    from sabir.finding.repairs import Edit, apply, before

    edits = [Edit(1, 4, "x"), Edit(5, 5, "yy")]
    assert apply("abcdefg", edits) == "axeyyfg"
    assert [before(at, edits) for at in (0, 1, 2, 3, 5, 7)] == [0, 1, 4, 5, 5, 7]


def test_many_messages_of_one_line_are_all_found() -> None:
    """However many packets stand on a line, each is found; only for some of them is the whole rest of the line tried."""
    text = " ".join(f">AB:CD #c{at} !{at % 9 + 1}" for at in range(40))
    assert [item.text for item in extract(text)] == [f">AB:CD #c{at} !{at % 9 + 1}" for at in range(40)]
    text = " ".join(f'(">AB:CD #c{at}")' for at in range(40))
    assert len(extract(text)) == 40


def test_a_string_in_a_string_in_a_string_is_looked_into_and_no_deeper() -> None:
    """Tools put JSON into strings; three strings deep a message is found, four deep it is not looked for."""
    from sabir.jsontext import dumps

    text = "SLIP v1 a b MetaAck"
    for depth in range(1, 6):
        text = dumps({"payload": text})
        found = extract(text)
        assert [item.format for item in found] == (["slip"] if depth <= 3 else [])


def test_an_object_that_is_too_deep_is_given_up() -> None:
    """Nesting beyond the limit ends the search, and the text goes on being read."""
    text = '{"a":' * 300 + f"1\n{PACKET}\n"
    assert [item.text for item in extract(text)] == [PACKET]


@pytest.mark.parametrize(
    "text",
    ['{"a":]', '{"a" "b"', '{{"a":1}}', "{'a':'b'", '{"a":1}}', '{"a":tru!', '{:"a"', "{[", '{"a":"b\nc"}', "｛“a”：“b”｝", '{"a":[{]}'],
)
def test_what_is_no_object_gives_nothing_and_breaks_nothing(text: str) -> None:
    """Braces that are no JSON hold no message, and what follows is found."""
    assert survey(text) == []
    assert [item.text for item in extract(f"{text}\n{PACKET}")] == [PACKET]
    assert streamed([*f"{text}\n{PACKET}"]) == survey(f"{text}\n{PACKET}")
