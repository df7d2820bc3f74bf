"""Agent Lingua and the interlingua: what a message says as SILP's IR, and back (design, "One idea").

    👽EF1|@qa|#ctx4|~+2h|%K>100|$j:…      where … is {"@verb":"XSS","line":42} in base64

is ``xss(ctx4, t+2h, line=42)`` under the constraint ``karma>100``, with priority 9, domain SEC and next_agent qa in
``meta``. A code stands for its own verb (action 6 for ``!SEARCH``, ``^0`` for ``!INFORM_COMPLETE``); another verb goes
under the code that heads it and is stated as ``@verb``. Domain 1 is the unsaid default. Named arguments are the payload's JSON; what the fields cannot
hold stands there under names that begin with ``@``. Modifiers, prefix and signature are extra fields of ``meta``.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sabir.correspondence import (
    LINGUA_DOMAINS,
    LINGUA_URGENT,
    LINGUA_VERBS,
    direction_of,
    direction_of_lingua,
    lingua_code_of,
)
from sabir.eap.interpret import DEFAULT_DOMAIN, is_intent, routed, routing, slot, value_of
from sabir.eap.packet import DIRECTIONS
from sabir.errors import EncodeError
from sabir.jsontext import dumps, loads
from sabir.kinds import Format, Kind
from sabir.lingua import forms, wire
from sabir.lingua.conditions import from_constraint, to_constraint
from sabir.lingua.gloss import explain
from sabir.lingua.message import MARKER, LinguaMessage, LinguaRequest, Signature, is_details, is_spoken, is_value
from sabir.lingua.payload import Payload
from sabir.lingua.tables import default
from sabir.lingua.times import from_silp, is_time, to_silp
from sabir.silp.canonical import canonical_text
from sabir.silp.ir import Constraint, Entity, SilpIR, constraint, entity, root
from sabir.silp.ir_json import carried_ir

CARRIED: Final = "@ir"
"""Name under which a payload carries an IR whole."""
BODY: Final = "payload"
"""Argument that stands for a payload that is no JSON object."""
SPOKEN: Final = "!FALLBACK"
"""Intent of human language."""
OTHER_DOMAIN: Final = "F"

_domain_codes: Final = {domain: code for code, domain in LINGUA_DOMAINS.items()}
_modifiers: Final = default().modifiers
_URGENT: Final = {priority: code for code, priority in LINGUA_URGENT.items()}
_EXTRAS: Final = frozenset({"direction", "domain", "sender", "modifier", "prefix", "signature", "encoding", "subtype"})
_SPOKEN_EXTRAS: Final = frozenset({"prefix", "signature"})
_TYPES: Final[dict[str, type]] = {"@verb": str, "@domain": str, "@priority": int, "@from": str, "@to": str, "@act": list}
"""Names in a payload that say what the fields cannot hold, in their order."""


class _Unsaid(Exception):  # never leaves this module
    """What is being read or said has no place on the other side."""


# --- hear ------------------------------------------------------------------------------------------------


def hear(message: LinguaMessage) -> SilpIR | None:
    """IR of a message in the IR's own terms; None for compound ones and for payloads of no sense here."""
    if message.kind == "human":
        ir = root(SPOKEN, [entity("act", message.text or "", SPOKEN)], [], [])
        return _marked(ir, message)
    if len(message.requests) > 1:
        return None
    try:
        return _marked(_hear_request(message.requests[0]) if message.requests else _hear_answer(message), message)
    except _Unsaid:
        return None


def _hear_request(request: LinguaRequest) -> SilpIR:
    said, slots, encoding = _opened(request.payload)
    intent = _intent(request.action, said)
    direction = direction_of_lingua(request.action)
    domain = LINGUA_DOMAINS[request.domain] if request.domain != OTHER_DOMAIN else said.get("@domain", "EXT")
    extra = routing(direction, domain, intent)
    priority = said.get("@priority", LINGUA_URGENT.get(request.modifier or "", 0))
    if request.modifier is not None and request.modifier not in LINGUA_URGENT:
        extra["modifier"] = _modifiers.by_code[request.modifier].name
    first = [] if request.id is None else [request.id]
    ir = _heard(intent, first, request.time, said, slots, extra, encoding)
    ir.constraints.extend(_constraint(text) for text in request.conditions)
    ir.meta.__dict__.update(priority=priority, next_agent=request.target if request.target else said.get("@to"))
    return ir


def _hear_answer(message: LinguaMessage) -> SilpIR:
    said, slots, encoding = _opened(message.payload)
    code = _code_of(message)
    intent = _intent(code, said)
    extra = routing(direction_of_lingua(code), said.get("@domain", DEFAULT_DOMAIN), intent)
    if message.subtype is not None:
        extra["subtype"] = message.subtype
    first = [text for text in (message.id, message.details) if text is not None]
    ir = _heard(intent, first, message.time, said, slots, extra, encoding)
    ir.meta.__dict__.update(priority=said.get("@priority", 0), next_agent=said.get("@to"))
    return ir


def _heard(
    intent: str,
    first: list[str],
    time: str | None,
    said: dict[str, Any],
    slots: list[tuple[str, Any]],
    extra: dict[str, Any],
    encoding: str | None,
) -> SilpIR:
    """What requests and answers have in common."""
    if "@from" in said:
        extra["sender"] = said["@from"]
    if encoding is not None:
        extra["encoding"] = encoding
    entities = [entity("act", text, intent) for text in (*first, *said.get("@act", ()))]
    if time is not None:
        entities.append(entity("time", to_silp(time) or time, intent))
    entities += [slot(name, value, intent) for name, value in slots]
    return root(intent, entities, [], [], extra=extra)


def _intent(code: str, said: dict[str, Any]) -> str:
    intent = f"!{said.get('@verb', LINGUA_VERBS[code])}"
    if not is_intent(intent):
        raise _Unsaid
    return intent


def _constraint(text: str) -> Constraint:
    found = to_constraint(text)
    assert found  # noqa: S101  # every condition that a message holds has one
    kind, operator, value = found
    return constraint(kind, value, None, {} if operator is None else {"operator": operator})


def _opened(payload: Payload | None) -> tuple[dict[str, Any], list[tuple[str, Any]], str | None]:
    """What a payload says by names of ours, its named values, and its encoding where that is not implied."""
    if payload is None:
        return {}, [], None
    value = payload.value
    if payload.encoding == "json" and type(value) is dict and value:
        said = {name: item for name, item in value.items() if name in _TYPES}
        if any(type(item) is not _TYPES[name] for name, item in said.items()):
            raise _Unsaid
        if any(type(text) is not str for text in said.get("@act", ())):
            raise _Unsaid
        return said, [(name, item) for name, item in value.items() if name not in said], None
    implied = payload.encoding == ("text" if type(value) is str else "json")
    return {}, [(BODY, value)], None if implied else payload.encoding


def _marked(ir: SilpIR, message: LinguaMessage) -> SilpIR:
    """Set prefix and signature of a message in an IR that nobody else holds."""
    extra = ir.meta.__pydantic_extra__
    if message.prefix is not None:
        extra["prefix"] = message.prefix
    if message.signature is not None:
        extra["signature"] = f"{message.signature.version}@{message.signature.source}"
    return ir


def _code_of(message: LinguaMessage) -> str:
    return f"^{message.status}" if message.kind == "response" else f"!E{message.type}"


# --- say -------------------------------------------------------------------------------------------------


def say(ir: SilpIR) -> LinguaMessage | None:
    """Message that says an IR in Agent Lingua's own terms, if there is one; what it leaves unsaid, `hear` shows.

    Raises:
        EncodeError: a part of the IR is none of a message.
    """
    extra = ir.meta.__pydantic_extra__
    if ir.alternatives or not extra.keys() <= _EXTRAS:
        return None
    direction, domain = routed(extra, ir.intent)
    if direction not in DIRECTIONS:
        return None
    prefix: Any = extra.get("prefix")  # the constructor refuses what is none
    signature = _signature(extra.get("signature"))
    if ir.intent == SPOKEN and len(_leading(ir.entities)) == len(ir.entities) == 1 and extra.keys() <= _SPOKEN_EXTRAS:
        spoken = value_of(ir.entities[0], SPOKEN)
        if is_spoken(spoken) and ir.meta.next_agent is None:
            return LinguaMessage.human(spoken, prefix=prefix, signature=signature)
    code = lingua_code_of(ir.intent, direction)
    parts = _Parts(ir, code)
    if direction == "response":
        if prefix is not None or ir.constraints or "modifier" in extra:
            return None
        return _say_answer(code, domain, parts, signature)
    request = _say_request(code, domain, parts, extra.get("modifier"))
    return LinguaMessage.request(request, prefix=prefix, signature=signature)


class _Parts:
    """An IR's entities and metadata, sorted by where a message has a place for them."""

    def __init__(self, ir: SilpIR, code: str) -> None:
        self.ir = ir
        self.said: dict[str, Any] = {}
        if ir.intent[1:] != LINGUA_VERBS[code]:
            self.said["@verb"] = ir.intent[1:]
        if "sender" in ir.meta.__pydantic_extra__:
            self.said["@from"] = ir.meta.__pydantic_extra__["sender"]
        rest = list(ir.entities)
        self.acts = [value_of(rest.pop(0), ir.intent) for _ in _leading(rest)]
        self.time = _time(rest[0]) if rest and rest[0].id == "time" else None
        if self.time is not None:
            del rest[0]
        self.slots = {item.id: value_of(item, ir.intent) for item in rest}

    def first(self, fits: Any) -> str | None:
        """The first positional argument, taken off, where a field may hold it."""
        return self.acts.pop(0) if self.acts and fits(self.acts[0]) else None

    def priority(self, stated: int = 0) -> None:
        """Say the priority unless it is stated already."""
        if self.ir.meta.priority != stated:
            self.said["@priority"] = self.ir.meta.priority

    def payload(self) -> Payload | None:
        """The payload, of what has found no other place."""
        encoding: Any = self.ir.meta.__pydantic_extra__.get("encoding")
        if self.acts:
            self.said["@act"] = self.acts
        if not self.said and self.slots.keys() == {BODY}:
            value = self.slots[BODY]
            return Payload(encoding or ("text" if type(value) is str else "json"), value)
        content = {name: self.said[name] for name in _TYPES if name in self.said} | self.slots
        return Payload("json", content) if content else None


def _leading(entities: list[Entity]) -> list[Entity]:
    """The positional arguments at the beginning; one of a type is a slot that has their name."""
    count = next((at for at, item in enumerate(entities) if item.id != "act" or item.__pydantic_extra__), len(entities))
    return entities[:count]


def _time(item: Entity) -> str | None:
    """Time of an entity, in Agent Lingua's spelling; None for what only SILP can say."""
    if item.__pydantic_extra__:
        return None
    return from_silp(item.value) or (item.value if is_time(item.value) else None)


def _say_request(code: str, domain: Any, parts: _Parts, modifier: Any) -> LinguaRequest:
    meta = parts.ir.meta
    number = _domain_codes.get(domain, OTHER_DOMAIN)
    if number == OTHER_DOMAIN and domain != LINGUA_DOMAINS[OTHER_DOMAIN]:
        parts.said["@domain"] = domain
    if modifier is not None:
        known = _modifiers.by_name.get(modifier)
        modifier = known.code if known else modifier  # the constructor refuses what is none
    else:
        modifier = _URGENT.get(meta.priority)
    parts.priority(LINGUA_URGENT.get(modifier or "", 0))
    target = meta.next_agent
    if target is not None and not is_value(target):
        parts.said["@to"], target = target, None
    conditions = tuple([_condition(item) for item in parts.ir.constraints])
    first = parts.first(is_value)
    return LinguaRequest(number, code, modifier, target, first, parts.time, conditions, parts.payload())


def _condition(item: Constraint) -> str:
    extra = item.__pydantic_extra__
    operator: Any = extra.get("operator")
    text = from_constraint(item.type, operator, item.value) if item.time is None and extra.keys() <= {"operator"} else None
    if text is None:
        raise EncodeError("no condition of Agent Lingua", "constraints")
    return text


def _say_answer(code: str, domain: Any, parts: _Parts, signature: Signature | None) -> LinguaMessage:
    meta = parts.ir.meta
    if domain != DEFAULT_DOMAIN:
        parts.said["@domain"] = domain
    parts.priority()
    if meta.next_agent is not None:
        parts.said["@to"] = meta.next_agent
    subtype: Any = meta.__pydantic_extra__.get("subtype")
    if code[0] == "^":
        first = parts.first(is_value)
        return LinguaMessage(
            "response",
            status=code[1:],
            subtype=subtype,
            id=first,
            time=parts.time,
            payload=parts.payload(),
            signature=signature,
        )
    first = parts.first(is_details)
    return LinguaMessage.error(
        code[2:], subtype, time=parts.time, details=first, payload=parts.payload(), signature=signature
    )


def _signature(text: Any) -> Signature | None:
    if type(text) is not str:
        return None  # an extra field of another sense, which `hear` will not show
    version, _, source = text.partition("@")
    return Signature(version, source)


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
    number = _domain_codes.get(domain, OTHER_DOMAIN) if isinstance(domain, str) else OTHER_DOMAIN
    target = ir.meta.next_agent if ir.meta.next_agent and is_value(ir.meta.next_agent) else None
    request = LinguaRequest(number, code, _URGENT.get(ir.meta.priority), target, id, payload=payload)
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
    code = message.requests[0].action if message.requests else _code_of(message)
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
    write=wire.encode,
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
        write=wire.encode,
        example="👽42|@H|~+1d15h|$bWVldGluZw==",
    ),
)
