"""Slipstream and the interlingua: what a message says as SILP's IR, and back (design, "One idea").

    SLIP v1 planner executor RequestReview auth_module

is ``request_review(auth_module)`` with sender planner and next_agent executor in ``meta``. An EAP packet is
said by its body under an anchor that heads it: ``SLIP v1 - - RequestReview SEC:XSS #ctx4 !9``. Any other IR
is carried whole, as two payload tokens: the label ``silp`` and the text of the code frontend.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources
from typing import Any, Final

from sabir.correspondence import DIRECTIONS, ROWS, URGENCY, direction_of, row_of_anchor, row_of_intent
from sabir.eap import EAP, values
from sabir.eap import wire as eap_wire
from sabir.eap import write as eap_write
from sabir.eap.packet import EapPacket
from sabir.errors import DecodeError, EncodeError, printable
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import write_code
from sabir.silp.ir import Entity, SilpIR, entity, root
from sabir.slip.message import SlipMessage, is_name
from sabir.slip.wire import decode, token_text
from sabir.ucr.anchor import hexadecimal
from sabir.ucr.codebook import NO_INDEX, Anchor, Codebook, core

NOBODY: Final = "-"
"""Sender or receiver of a message whose IR names none."""
LABEL: Final = "silp"
"""Payload token before the code of an IR that is carried whole."""
VERSION: Final = "slip_version"
"""Extra field of ``meta`` that says the version of a message that is not v1."""

_is_body = re.compile(r"[A-Z0-9]{2,8}:[A-Z0-9_]{2,16}").fullmatch
_is_priority = re.compile(r"![1-9]").fullmatch
_FALLBACK: Final = "!FALLBACK"
_UNGLOSSED: Final = "標準にない概念"


# --- hear and say ----------------------------------------------------------------------------------------


def hear(message: SlipMessage) -> SilpIR | None:
    """IR of a message in the IR's own terms; None where its anchor is not of the core."""
    row = row_of_anchor(message.anchor.mnemonic)
    if row is None:
        return None
    ir = _hear_body(message, row.direction) if message.version == "v1" else None
    if ir is None:
        intent = f"!{row.verb}"
        arguments = [entity("act", token, intent) for token in message.payload]
        ir = _route(root(intent, arguments, [], []), message)
    return ir


def _route(ir: SilpIR, message: SlipMessage) -> SilpIR:
    """Set sender, receiver and version of a message in an IR that nobody else holds."""
    if message.src != NOBODY:
        ir.meta.__pydantic_extra__["sender"] = message.src
    if message.dst != NOBODY:
        ir.meta.__dict__["next_agent"] = message.dst
    if message.version != "v1":
        ir.meta.__pydantic_extra__[VERSION] = message.version
    return ir


def _hear_body(message: SlipMessage, direction: str) -> SilpIR | None:
    """IR of the EAP packet whose body the payload is, if `say` would have written just that message."""
    tokens = message.payload
    if len(tokens) < 2 or not _is_body(tokens[0]) or tokens[1][:1] != "#":
        return None
    data = 3 if len(tokens) > 2 and _is_priority(tokens[2]) else 2
    text = eap_write.ASCII_SIGNS[direction] + " ".join(tokens[:data])
    if len(tokens) > data:
        text = f"{text} | {' '.join(tokens[data:])}"
    try:
        ir = EAP.hear(eap_wire.decode(text))
        if ir is not None and say(_route(ir, message)) == message:
            return ir
    except (DecodeError, EncodeError):  # a payload like any other
        pass
    return None


def say(ir: SilpIR) -> SlipMessage | None:
    """Message that says an IR in SLIP's own terms, if there is one."""
    extra = ir.meta.__pydantic_extra__
    sender: Any = extra.get("sender", NOBODY)  # the constructor refuses what is no name
    version: Any = extra.get(VERSION, "v1")
    receiver = NOBODY if ir.meta.next_agent is None else ir.meta.next_agent
    row = row_of_intent(ir.intent)
    if row is not None and row.same and not ir.constraints and not ir.alternatives and "domain" not in extra:
        if all(_is_plain(item, ir.intent) for item in ir.entities):
            tokens = [item.value for item in ir.entities]
            return SlipMessage(sender, receiver, row.anchor, tokens, version)
        return None
    if "domain" not in extra:
        return None
    packet = EAP.say(_without(ir, "sender", "next_agent"))
    if packet is None:
        return None
    return SlipMessage(sender, receiver, fit(ir), _body(packet), version)


def _is_plain(item: Entity, intent: str) -> bool:
    return item.id == "act" and item.action in (None, intent) and not item.__pydantic_extra__


def _body(packet: EapPacket) -> list[str]:
    """Tokens of a packet after its sign, a token for each part of the head and each pair."""
    head = eap_write.ascii(EapPacket(packet.direction, packet.domain, packet.action, packet.target))
    code, target = head[1:].split(" ", 1)
    tokens = [code, target]
    if packet.priority is not None:
        tokens.append(f"!{packet.priority}")
    return [*tokens, *(f"{key}={values.write(value)}" for key, value in packet.data.items())]


def _without(ir: SilpIR, *names: str) -> SilpIR:
    """A copy of an IR without some fields of its metadata."""
    meta = ir.meta.model_copy()
    kept = {name: value for name, value in ir.meta.__pydantic_extra__.items() if name not in names}
    object.__setattr__(meta, "__pydantic_extra__", kept)
    if "next_agent" in names:
        meta.__dict__["next_agent"] = None
    copy = ir.model_copy()
    copy.__dict__["meta"] = meta
    return copy


# --- headings --------------------------------------------------------------------------------------------


def fit(ir: SilpIR) -> Anchor:
    """Anchor that heads an IR: of the IR's direction, and its verb's own where there is one."""
    direction = ir.meta.__pydantic_extra__.get("direction")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        direction = direction_of(ir.intent)
    row = row_of_intent(ir.intent)
    if row is not None and row.direction == direction:
        return core().by_mnemonic(row.anchor)
    urgency = URGENCY.get(ir.meta.priority, URGENCY[0])
    return core().nearest((*DIRECTIONS[direction], urgency), _headings(direction))


@functools.cache
def _headings(direction: str) -> tuple[Anchor, ...]:
    """Anchors that head what has no anchor of its own: of the direction, and of its very speech act.

    An order under ``AskStatus``, which urgency alone could make the nearest, would read as a question.
    """
    act = DIRECTIONS[direction][0]
    rows = [row for row in ROWS if row.same and row.direction == direction and f"!{row.verb}" != _FALLBACK]
    anchors = [core().by_mnemonic(row.anchor) for row in rows]
    return tuple([anchor for anchor in anchors if anchor.coords[0] == act])


# --- put and take ----------------------------------------------------------------------------------------


def put(ir: SilpIR) -> SlipMessage:
    """Message that carries an IR whole, under an anchor that fits it."""
    sender = ir.meta.__pydantic_extra__.get("sender")
    src = sender if _may_route(sender) else NOBODY
    dst = ir.meta.next_agent if _may_route(ir.meta.next_agent) else NOBODY
    names = [name for name, value in (("sender", src), ("next_agent", dst)) if value != NOBODY]
    return SlipMessage(str(src), str(dst), fit(ir), (LABEL, write_code(_without(ir, *names))))


def _may_route(name: Any) -> bool:
    return isinstance(name, str) and name != NOBODY and is_name(name) is not None


def take(message: SlipMessage) -> SilpIR | None:
    """IR that a message carries whole, if it does."""
    if len(message.payload) != 2 or message.payload[0] != LABEL or message.version != "v1":
        return None
    try:
        ir = read_code(message.payload[1])
    except DecodeError:
        return None
    return _route(ir, message)


def head(message: SlipMessage) -> SilpIR:
    """IR whose intent and routing stand for a message that is carried whole."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", message.anchor.mnemonic).upper()
    verb = re.sub("[^A-Z_]", "", words).strip("_")
    return _route(root(f"!{verb}" if verb else _FALLBACK, [], [], []), message)


# --- explaining ------------------------------------------------------------------------------------------


def explain(message: SlipMessage, lang: str) -> str:
    """One line for a person: who tells whom what, with which parameters."""
    words = [token_text(token) for token in message.payload]
    anchor = message.anchor
    if lang == "ja":
        own = _UNGLOSSED if anchor.index == NO_INDEX else f"{_UNGLOSSED}：{anchor.canonical}"
        meaning = _glosses().get(anchor.mnemonic, f"{anchor.mnemonic}（{own}）")
        tail = f"：{'、'.join(words)}" if words else ""
        return printable(f"{message.src} から {message.dst} へ：{meaning}{tail}")
    tail = f": {', '.join(words)}" if words else ""
    return printable(f"{message.src} to {message.dst}: {anchor.canonical}{tail}")


@functools.cache
def _glosses() -> dict[str, str]:
    """What each core anchor means, in Japanese."""
    text = resources.files("sabir.data").joinpath("ucr-ja.json").read_text("utf-8")
    return json.loads(text)  # type: ignore[no-any-return]  # our own table


# --- under a codebook ------------------------------------------------------------------------------------


def parse(text: str, *, codebook: Codebook | None = None) -> SlipMessage:
    """Message of a canonical text, unknown anchors included; as the interlingua reads what it sealed."""
    return decode(text, allow_unknown=True, codebook=codebook)


def lacks(message: SlipMessage, *, codebook: Codebook | None = None) -> str:
    """Why a reader with this codebook, the core if none is given, would refuse a message; empty where it would not.

    Only a message that an IR holds whole can have an anchor that the reader does not know.
    """
    book = core() if codebook is None else codebook
    name = message.anchor.mnemonic
    if name in book:
        return ""
    if past := book.find_retired(name):
        return f"the anchor {name} ({hexadecimal(past.index)}) is retired"
    which = "the core" if codebook is None else "the codebook given"
    return f"{which} has no anchor {name}; give the codebook that has it"
