"""Agent Lingua and the interlingua: what a message says as SILP's IR, and back (design, "One idea").

    👽EF1|@qa|#ctx4|~+2h|%K>100|$j:…      where … is {"@verb":"XSS","line":42} in base64

is ``xss(ctx4, t+2h, line=42)`` under the constraint ``karma>100``, with priority 9, domain SEC and next_agent qa in
``meta``. A code stands for its own verb (action 6 for ``!SEARCH``, ``^0`` for ``!INFORM_COMPLETE``); another verb goes
under the code that heads it and is stated as ``@verb``. Domain 1 is the unsaid default. Named arguments are the payload's JSON; what the fields cannot
hold stands there under names that begin with ``@``. Modifiers, prefix and signature are extra fields of ``meta``.
"""

from __future__ import annotations

import re
from typing import Final

from sabir.correspondence import (
    LINGUA_DOMAINS,
    LINGUA_URGENT,
    LINGUA_VERBS,
    direction_of,
    direction_of_lingua,
    lingua_code_of,
)
from sabir.eap.interpret import DEFAULT_DOMAIN, routed, routing
from sabir.eap.packet import DIRECTIONS
from sabir.jsontext import loads
from sabir.kinds import Format, Kind
from sabir.lingua import forms, wire, write
from sabir.lingua.gloss import explain
from sabir.lingua.hear import code_of, hear
from sabir.lingua.message import MARKER, SIGNATURE, LinguaMessage, LinguaRequest, is_details, is_value
from sabir.lingua.names import DOMAIN_CODES, OTHER_DOMAIN, URGENT
from sabir.lingua.payload import Payload
from sabir.lingua.say import say
from sabir.silp.canonical import canonical_text
from sabir.silp.ir import SilpIR, entity, root
from sabir.silp.ir_json import carried_ir

CARRIED: Final = "@ir"
"""Name under which a payload carries an IR whole."""


# --- put and take ----------------------------------------------------------------------------------------


def put(ir: SilpIR) -> LinguaMessage:
    """Message that carries an IR whole, under a head that fits it."""
    direction, domain = routed(ir.meta.__pydantic_extra__, ir.intent)
    if direction not in DIRECTIONS:
        direction = direction_of(ir.intent)
    code = lingua_code_of(ir.intent, direction)
    payload = Payload("json", {CARRIED: loads(canonical_text(ir))})
    first = next((item.value for item in ir.entities if item.id == "act" and item.action in (None, ir.intent)), "")
    if code[0] == "!":
        return LinguaMessage.error(code[2:], payload=payload, details=first if is_details(first) else None)
    id = first if is_value(first) else None
    if code[0] == "^":
        return LinguaMessage.response(code[1:], id=id, payload=payload)
    number = DOMAIN_CODES.get(domain, OTHER_DOMAIN) if isinstance(domain, str) else OTHER_DOMAIN
    target = ir.meta.next_agent if ir.meta.next_agent and is_value(ir.meta.next_agent) else None
    request = LinguaRequest(number, code, URGENT.get(ir.meta.priority), target, id, payload=payload)
    return LinguaMessage.request(request)


def take(message: LinguaMessage) -> SilpIR | None:
    """IR that a message carries whole, if it does."""
    if len(message.requests) > 1:
        return None
    payload = message.requests[0].payload if message.requests else message.payload
    if payload is None or payload.encoding != "json" or type(payload.value) is not dict:
        return None
    return carried_ir(payload.value[CARRIED]) if payload.value.keys() == {CARRIED} else None


def head(message: LinguaMessage) -> SilpIR:
    """IR whose intent and routing stand for a message that is carried whole."""
    code = message.requests[0].action if message.requests else code_of(message)
    intent = f"!{LINGUA_VERBS[code]}"
    domain = LINGUA_DOMAINS[message.requests[0].domain] if message.requests else DEFAULT_DOMAIN
    ir = root(intent, [], [], [], extra=routing(direction_of_lingua(code), domain, intent))
    if message.requests:
        ir.meta.__dict__["next_agent"] = message.requests[0].target
        ir.meta.__dict__["priority"] = LINGUA_URGENT.get(message.requests[0].modifier or "", 0)
    first = message.requests[0].id if message.requests else message.id or message.details
    if first is not None:
        ir.entities.append(entity("act", first, intent))
    return ir


# --- the format ------------------------------------------------------------------------------------------

LINGUA: Final[Kind[LinguaMessage]] = Kind(
    name="lingua",
    message_type=LinguaMessage,
    write=write.encode,
    read=wire.decode,
    to_json=forms.to_json,
    from_json=forms.from_json,
    hear=hear,
    say=say,
    put=put,
    take=take,
    head=head,
    explain=explain,
)

FORMATS: Final[tuple[Format[LinguaMessage], ...]] = (
    Format(
        name="lingua",
        title="Agent Lingua 0.4",
        kind=LINGUA,
        marker=re.compile(rf"[?!]?{MARKER}|\^[0-9A-Z]|!E[0-9]"),
        read=wire.decode,
        write=write.encode,
        example="👽42|@H|~+1d15h|$bWVldGluZw==",
        tail=re.compile(SIGNATURE),
    ),
)
