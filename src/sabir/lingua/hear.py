"""What a message of Agent Lingua says in the IR's own terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sabir.correspondence import LINGUA_DOMAINS, LINGUA_URGENT, LINGUA_VERBS, direction_of_lingua
from sabir.eap.interpret import DEFAULT_DOMAIN, is_intent, routing, slot
from sabir.lingua.conditions import to_constraint
from sabir.lingua.names import BODY, MODIFIERS, NAMES, OTHER_DOMAIN, SPOKEN
from sabir.lingua.times import to_silp
from sabir.silp.ir import Constraint, SilpIR, constraint, entity, root

if TYPE_CHECKING:
    from sabir.lingua.message import LinguaMessage, LinguaRequest
    from sabir.lingua.payload import Payload


class _Unsaid(Exception):  # never leaves this module
    """What is being read has no place in the IR's own terms."""


class _Content(NamedTuple):
    """What a payload says by names of ours, its named values, and its encoding where that is not implied."""

    said: dict[str, Any]
    slots: list[tuple[str, Any]]
    encoding: str | None


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
    content = _opened(request.payload)
    said = content.said
    intent = _intent(request.action, said)
    direction = direction_of_lingua(request.action)
    domain = LINGUA_DOMAINS[request.domain] if request.domain != OTHER_DOMAIN else said.get("@domain", "EXT")
    extra = routing(direction, domain, intent)
    priority = said.get("@priority", LINGUA_URGENT.get(request.modifier or "", 0))
    if request.modifier is not None and request.modifier not in LINGUA_URGENT:
        extra["modifier"] = MODIFIERS.by_code[request.modifier].name
    first = [] if request.id is None else [request.id]
    ir = _heard(intent, first, request.time, content, extra)
    ir.constraints.extend(_constraint(text) for text in request.conditions)
    ir.meta.__dict__.update(priority=priority, next_agent=request.target or said.get("@to"))
    return ir


def _hear_answer(message: LinguaMessage) -> SilpIR:
    content = _opened(message.payload)
    said = content.said
    code = code_of(message)
    intent = _intent(code, said)
    extra = routing(direction_of_lingua(code), said.get("@domain", DEFAULT_DOMAIN), intent)
    if message.subtype is not None:
        extra["subtype"] = message.subtype
    first = [text for text in (message.id, message.details) if text is not None]
    ir = _heard(intent, first, message.time, content, extra)
    ir.meta.__dict__.update(priority=said.get("@priority", 0), next_agent=said.get("@to"))
    return ir


def _heard(intent: str, first: list[str], time: str | None, content: _Content, extra: dict[str, Any]) -> SilpIR:
    """What requests and answers have in common."""
    if "@from" in content.said:
        extra["sender"] = content.said["@from"]
    if content.encoding is not None:
        extra["encoding"] = content.encoding
    entities = [entity("act", text, intent) for text in (*first, *content.said.get("@act", ()))]
    if time is not None:
        entities.append(entity("time", to_silp(time) or time, intent))
    entities += [slot(name, value, intent) for name, value in content.slots]
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


def _opened(payload: Payload | None) -> _Content:
    if payload is None:
        return _Content({}, [], None)
    value = payload.value
    if payload.encoding == "json" and type(value) is dict and value:
        said = {name: item for name, item in value.items() if name in NAMES}
        if any(type(item) is not NAMES[name] for name, item in said.items()):
            raise _Unsaid
        if any(type(text) is not str for text in said.get("@act", ())):
            raise _Unsaid
        return _Content(said, [(name, item) for name, item in value.items() if name not in said], None)
    implied = payload.encoding == ("text" if type(value) is str else "json")
    return _Content({}, [(BODY, value)], None if implied else payload.encoding)


def _marked(ir: SilpIR, message: LinguaMessage) -> SilpIR:
    """Set prefix and signature of a message in an IR that nobody else holds."""
    extra = ir.meta.__pydantic_extra__
    if message.prefix is not None:
        extra["prefix"] = message.prefix
    if message.signature is not None:
        extra["signature"] = f"{message.signature.version}@{message.signature.source}"
    return ir


def code_of(message: LinguaMessage) -> str:
    """Code of a response or an error, as `sabir.correspondence` knows it."""
    return f"^{message.status}" if message.kind == "response" else f"!E{message.type}"
