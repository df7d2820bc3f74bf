"""What an IR says in Agent Lingua's own terms."""

from __future__ import annotations

from typing import Any, Final

from sabir.correspondence import LINGUA_DOMAINS, LINGUA_URGENT, LINGUA_VERBS, lingua_code_of
from sabir.eap.interpret import DEFAULT_DOMAIN, routed, value_of
from sabir.eap.packet import DIRECTIONS
from sabir.errors import EncodeError
from sabir.lingua.conditions import from_constraint
from sabir.lingua.message import LinguaMessage, LinguaRequest, Signature, is_details, is_spoken, is_value
from sabir.lingua.names import BODY, DOMAIN_CODES, MODIFIERS, NAMES, OTHER_DOMAIN, SPOKEN, URGENT
from sabir.lingua.payload import Payload
from sabir.lingua.times import from_silp, is_time
from sabir.silp.ir import Constraint, Entity, SilpIR

_EXTRAS: Final = frozenset({"direction", "domain", "sender", "modifier", "prefix", "signature", "encoding", "subtype"})
_SPOKEN_EXTRAS: Final = frozenset({"prefix", "signature"})


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
        content = {name: self.said[name] for name in NAMES if name in self.said} | self.slots
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
    number = DOMAIN_CODES.get(domain, OTHER_DOMAIN)
    if number == OTHER_DOMAIN and domain != LINGUA_DOMAINS[OTHER_DOMAIN]:
        parts.said["@domain"] = domain
    if modifier is not None:
        known = MODIFIERS.by_name.get(modifier)
        modifier = known.code if known else modifier  # the constructor refuses what is none
    else:
        modifier = URGENT.get(meta.priority)
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
