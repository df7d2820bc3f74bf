"""Every format inside of every place of every format that holds free text: one message comes out, the outer one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from extraction_of import is_one
from sabir.eap import EapPacket
from sabir.errors import EncodeError
from sabir.finding import Stream, survey
from sabir.lingua import LinguaMessage, LinguaRequest, Payload, Signature
from sabir.registry import READABLE
from sabir.silp.ir_json import ir_from_json
from sabir.slip import SlipMessage
from strategies import MESSAGES

INNER: Final = {
    "slip": "SLIP v1 a b MetaAck",
    "slip-quoted": 'SLIP v1 a b InformStatus "all green"',
    "eap": ">SEC:XSS #ctx4 !9",
    "eap-data": "<SEC:VUL #ctx4 | line=42",
    "eap-unicode": "◤SEC::XSS ➔ 📦[#ctx4]",
    "silp-code": "start(hike)",
    "silp-json": '{"intent":"!DO","act":"it"}',
    "silp-json-short": '{"intent":"!DO"}',
    "silp-ir": '{"intent":"!DO","meta":{"req_id":"00000000"}}',
    "envelope": '{"format":"slip","message":{"src":"a","dst":"b","anchor":"MetaAck","payload":[]}}',
    "ait": "s4x9",
    "ait-tape": "s4x9 s5x1",
    "lingua": "👽71|@1|#p9",
    "lingua-short": "👽71|@1",
    "lingua-error": "!E2W|~+5m",
    "lingua-human": "👽 hello",
    "lingua-signed": "👽71|@1\n--👽lingua/0.4@a",
    "lingua-human-signed": "👽 a\nb\n--👽lingua/0.4@a",
    "code-span": "`s4x9`",
    "fenced": "```\ns4x9\n```",
    "labelled": "AIT: s4x9",
    "table": "| AIT |\n|---|\n| s4x9 |",
    "lines": 'SLIP v1 a b MetaAck\n>SEC:XSS #ctx4 !9\n{\n "intent": "!DO"\n}',
    "cut-open": 'x {"intent":"!DO","act":"',
    "several": 'Use >SEC:XSS #ctx4 !9 and "SLIP v1 a b MetaAck".',
}
"""Messages as texts, alone and as prose shows them."""


def _ir(**fields: Any) -> Any:
    return ir_from_json({"intent": "!SEND", "meta": {"req_id": "0a1b2c3d"}, **fields})


PLACES: Final[dict[str, tuple[Callable[[str], Any], tuple[str, ...]]]] = {
    "silp-argument": (lambda text: _ir(entities=[{"id": "act", "value": text}]), ("silp-code", "silp-json", "silp-ir")),
    "silp-time": (lambda text: _ir(entities=[{"id": "time", "value": text}]), ("silp-code", "silp-json", "silp-ir")),
    "silp-condition": (lambda text: _ir(constraints=[{"type": "rain", "value": text}]), ("silp-code", "silp-json", "silp-ir")),
    "silp-target": (lambda text: _ir(alternatives=[{"action": "!STOP", "target": text}]), ("silp-code", "silp-json", "silp-ir")),
    "silp-agent": (lambda text: _ir(meta={"req_id": "0a1b2c3d", "next_agent": text}), ("silp-code", "silp-json", "silp-ir")),
    "silp-extra": (lambda text: _ir(entities=[{"id": "a", "value": "b", "x": {text: [text]}}]), ("silp-code", "silp-json", "silp-ir")),
    "slip-payload": (lambda text: SlipMessage("a", "b", "InformStatus", ("x", text, "y")), ("slip",)),
    "slip-last": (lambda text: SlipMessage("a", "b", "InformStatus", (text,)), ("slip",)),
    "slip-agent": (lambda text: SlipMessage(text, text, "InformStatus"), ("slip",)),
    "eap-value": (lambda text: EapPacket("request", "SEC", "LOG", "#a", data={"x": text, "y": 1}), ("eap", "eap-unicode")),
    "eap-nested": (lambda text: EapPacket("request", "SEC", "LOG", "#a", data={"x": [{text: text}]}), ("eap", "eap-unicode")),
    "eap-target": (lambda text: EapPacket("request", "SEC", "LOG", f"#{text}"), ("eap", "eap-unicode")),
    "lingua-text": (lambda text: LinguaMessage.request(LinguaRequest("7", "3", payload=Payload("text", text))), ("lingua",)),
    "lingua-raw": (lambda text: LinguaMessage.request(LinguaRequest("7", "3", payload=Payload("raw", text))), ("lingua",)),
    "lingua-target": (lambda text: LinguaMessage.request(LinguaRequest("7", "3", target=text)), ("lingua",)),
    "lingua-id": (lambda text: LinguaMessage.response("0", id=text), ("lingua",)),
    "lingua-details": (lambda text: LinguaMessage.error("1", details=text), ("lingua",)),
    "lingua-source": (lambda text: LinguaMessage.request(LinguaRequest("7", "3"), signature=Signature("0.4", text)), ("lingua",)),
    "human-source": (lambda text: LinguaMessage.human("a", signature=Signature("0.4", text)), ("lingua",)),
    "human-lines-source": (lambda text: LinguaMessage.human("a\nb", signature=Signature("0.4", text)), ("lingua",)),
    "human-line": (LinguaMessage.human, ("lingua",)),
    "human-first": (lambda text: LinguaMessage.human(f"{text}\nb"), ("lingua",)),
    "human-last": (lambda text: LinguaMessage.human(f"a\n{text}"), ("lingua",)),
    "human-inside": (lambda text: LinguaMessage.human(f"a\nb {text} c\nd"), ("lingua",)),
    "human-first-signed": (lambda text: LinguaMessage.human(f"{text}\nb", signature=Signature()), ("lingua",)),
    "human-last-signed": (lambda text: LinguaMessage.human(f"a\n{text}", signature=Signature()), ("lingua",)),
    "human-inside-signed": (lambda text: LinguaMessage.human(f"a\nb {text} c\nd", signature=Signature()), ("lingua",)),
}
"""Places that take any text, or many: how a message is made that holds one there, and in which formats it can be said."""

AROUND: Final = {
    "alone": "MESSAGE",
    "paragraph": "Sure, here it is.\n\nMESSAGE\n\nAnything else?",
    "fence": "Sure:\n\n```\nMESSAGE\n```\n",
    "announced": "In Agent Lingua:\nMESSAGE\n\nThat is all.",
    "labelled": "Sent in Lingua: MESSAGE\n\nThat is all.",
    "tagged": "```sabir\nMESSAGE\n```",
}
"""What may stand around a message that has lines of its own."""

_apart = re.compile(r"\n[ \t]*(?:[-*+•][ \t]|[0-9]{1,3}[.)][ \t]|#{1,6}[ \t]|\*\*|__|[*_]*[\w ]{1,24}[*_]*[:：])").search


def said(place: str, inner: str) -> list[tuple[str, str, Any]]:
    """Formats, texts and messages in which a place holds a text, JSON also over several lines; none where it cannot."""
    make, formats = PLACES[place]
    found: list[tuple[str, str, Any]] = []
    for format in formats:
        try:
            message = make(inner)
            text = sabir.encode(message, format)
        except EncodeError:
            continue
        if not is_one(message):
            continue
        found.append((format, text, message))
        if format in ("silp-json", "silp-ir"):
            found.append((format, json.dumps(json.loads(text), indent=2, ensure_ascii=False), message))
    return found


def is_prose(message: Any, around: str) -> bool:
    """Whether a message in human language counts as prose there, or in part.

    In prose, 👽 without a signature is an ornament; behind a label, a line that is set apart (a label, an item, a heading) is the
    page's next.
    """
    if getattr(message, "kind", "") != "human":
        return False
    return message.signature is None if around == "paragraph" else around == "labelled" and _apart(message.text) is not None


def is_ornament(message: Any) -> bool:
    """Whether 👽 stands in human language without a signature, so that the first one may be as much of an ornament."""
    return getattr(message, "kind", "") == "human" and message.signature is None and "👽" in message.text


def check(format: str, text: str, message: Any, around: str) -> None:
    """Assert that the finder gives a message or a report, and nothing of what it holds, whatever the cuts."""
    whole = AROUND[around].replace("MESSAGE", text)
    for strict in (False, True):
        found = survey(whole, strict=strict)
        given = [(item.format, sabir.encode(item.message, item.format)) for item in found if item.kind == "message"]
        assert given in ([], [(format, sabir.encode(message, format))])
        assert given or found or around != "alone" or is_ornament(message), "what is not read is reported"
        stream = Stream(strict=strict, survey=True)
        assert [item for char in whole for item in stream.feed(char)] + stream.close() == found


CASES: Final = [(place, inner) for place, inner in product(PLACES, INNER) if said(place, INNER[inner])]


def test_most_places_hold_most_messages() -> None:
    """The table is no empty one: each place takes several of the texts, and each text stands in several places."""
    assert all(sum(case[0] == place for case in CASES) >= 4 for place in PLACES)
    assert all(sum(case[1] == inner for case in CASES) >= 8 for inner in INNER)


@pytest.mark.parametrize(("place", "inner"), CASES)
def test_a_message_in_a_message_stays_in_it(place: str, inner: str) -> None:
    """Whatever a message holds, and wherever it stands, the finder gives it or a report, and nothing of what it holds."""
    for (format, text, message), around in product(said(place, INNER[inner]), AROUND):
        if not is_prose(message, around):
            check(format, text, message, around)


@pytest.mark.parametrize("place", PLACES)
@given(data=st.data())
def test_any_message_in_a_message_stays_in_it(place: str, data: st.DataObject) -> None:
    """The same for any message of any format, as it is written, with a few characters of prose around it inside."""
    format = data.draw(st.sampled_from(READABLE))
    text = format.write(data.draw(MESSAGES[format.kind.name]))
    before, after = (data.draw(st.sampled_from(["", "", "x ", "`", "\n", "AIT: ", "(", '"'])) for _ in range(2))
    around = data.draw(st.sampled_from([*AROUND]))
    for name, outer, message in said(place, f"{before}{text}{after}".strip()):
        if not is_prose(message, around) and not (place == "slip-agent" and '"' in outer):  # see the next test
            check(name, outer, message, around)


@pytest.mark.xfail(strict=True, reason="a quotation mark at the end of an agent's name can hide the line from the finder")
def test_an_agent_with_a_quotation_mark() -> None:
    """Known to fail: the line is neither read nor reported, and nothing of it comes out."""
    name = '^0|$8J+RvQ=="'
    message = SlipMessage(name, name, "InformStatus")
    check("slip", sabir.encode(message), message, "alone")


@pytest.mark.parametrize("inner", INNER)
def test_runs_of_messages_give_each_and_no_more(inner: str) -> None:
    """Packets, and signed texts in human language, one after the other, are found one by one; what they hold is not."""
    packet = EapPacket("request", "SEC", "LOG", "#a", data={"x": INNER[inner], "y": 1})
    runs = ["\n".join([sabir.encode(packet, "eap")] * 3)]
    spoken = LinguaMessage.human(f"a {INNER[inner]}\nb", signature=Signature())
    if is_one(spoken):
        runs.append("\n".join([sabir.encode(spoken, "lingua")] * 3))
    for run in runs:
        found = survey(run)
        assert [item.kind for item in found] == ["message"] * 3
        assert "\n".join(sabir.encode(item.message, item.format) for item in found) == run
