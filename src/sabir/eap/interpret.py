"""EAP and the interlingua: what a packet says as SILP's IR, and back (design, "One idea").

    >SEC:XSS #ctx4 !9 | line=42 @from=ops @to=qa

is ``xss(ctx4, line=42)`` with priority 9, direction request, domain SEC, sender ops and next_agent qa in
``meta``. Domain GEN in the direction in which its verb is meant is the unsaid default, so that
``>GEN:CANCEL #flight`` is ``cancel(flight)``. A target ``#-`` stands for none. What else ``meta`` says in text ends the
packet, too, by name: ``@modifier=silent`` before ``@from``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sabir.correspondence import direction_of, eap_action_of, intent_of_eap_action
from sabir.eap import packet as packets
from sabir.eap import values, wire, write
from sabir.eap.packet import DIRECTIONS, EapPacket, is_domain, is_target
from sabir.errors import DecodeError, EncodeError, shown
from sabir.jsontext import loads
from sabir.kinds import Format, Kind
from sabir.silp.canonical import canonical_text
from sabir.silp.ir import Entity, Meta, SilpIR, entity, root
from sabir.silp.ir_json import carried_ir

if TYPE_CHECKING:
    from collections.abc import Callable

NO_TARGET: Final = "#-"
"""Target of a packet whose IR has no argument to point at."""
DEFAULT_DOMAIN: Final = "GEN"
DEFAULT_ACTION: Final = "DO"
SENDER: Final = "@from"
RECEIVER: Final = "@to"
SIGN: Final = "@"
"""Begins the keys of pairs that are extra fields of ``meta``."""
CARRIED: Final = "ir"
"""Key under which a packet carries an IR whole, as a JSON object."""

_SAID: Final = frozenset({"direction", "domain", "sender"})
"""Extra fields of ``meta`` that a packet says in its own places."""
_NOT_MORE: Final = frozenset({"from", "to", *_SAID, *Meta.model_fields})
"""Names that no other extra field of ``meta`` has."""
is_intent: Final = re.compile(r"![A-Z][A-Z_]*+").fullmatch
_TYPES: Final[dict[type, str]] = {
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "null",
    list: "json",
    dict: "json",
}
"""What an entity's extra ``type`` says of a data value that is no string."""
_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "int": int,
    "float": float,
    "bool": {"true": True, "false": False}.__getitem__,
    "null": {"null": None}.__getitem__,
    "json": loads,
}


# --- routing, for AIT too --------------------------------------------------------------------------------


def routing(direction: str, domain: str, intent: str) -> dict[str, Any]:
    """Extra fields of ``meta`` that say direction and domain; none where both are what the intent implies."""
    if domain == DEFAULT_DOMAIN and direction == direction_of(intent):
        return {}
    return {"direction": direction, "domain": domain}


def routed(extra: dict[str, Any], intent: str) -> tuple[Any, Any]:
    """Direction and domain that extra fields of ``meta`` say, defaults for the rest; not checked."""
    return extra.get("direction", direction_of(intent)), extra.get("domain", DEFAULT_DOMAIN)


def intent_like(action: str) -> str:
    """The action code closest to an action, and ``!DO`` where it has no letter."""
    intent = intent_of_eap_action(action)
    if is_intent(intent):
        return intent
    return "!" + (re.sub("[^A-Z_]", "", action).lstrip("_") or DEFAULT_ACTION)


# --- hear and say ----------------------------------------------------------------------------------------


def hear(packet: EapPacket) -> SilpIR | None:
    """IR of a packet in the IR's own terms; None where its action is no action code."""
    intent = intent_of_eap_action(packet.action)
    if not is_intent(intent):
        return None
    pairs = list(packet.data.items())
    extra = routing(packet.direction, packet.domain, intent)
    receiver = _last(pairs, RECEIVER)
    sender = _last(pairs, SENDER)
    if sender is not None:
        extra["sender"] = sender
    extra |= _more(pairs)
    entities = [slot(key, value, intent) for key, value in pairs]
    if packet.target != NO_TARGET:
        entities.insert(0, entity("act", packet.target[1:], intent))
    return root(intent, entities, [], [], extra=extra, priority=packet.priority or 0, next_agent=receiver)


def _last(pairs: list[tuple[str, Any]], key: str) -> str | None:
    """Text of the last pair if it has this key; it is taken off then."""
    if pairs and pairs[-1][0] == key and type(pairs[-1][1]) is str:
        return str(pairs.pop()[1])
    return None


def _more(pairs: list[tuple[str, Any]]) -> dict[str, str]:
    """Other extra fields of ``meta``, taken off the end as long as they are text and their names ascend."""
    found: dict[str, str] = {}
    while pairs:
        key, value = pairs[-1]
        name = key.removeprefix(SIGN)
        if name == key or name in _NOT_MORE or type(value) is not str or (found and name >= next(reversed(found))):
            break
        found[name] = value
        pairs.pop()
    return found


def slot(name: str, value: Any, intent: str) -> Entity:
    """Entity of a named JSON value: text as it is, else with its ``type``; `value_of` gives the value back."""
    if type(value) is str:
        return entity(name, value, intent)
    return entity(name, values.write(value), intent, {"type": _TYPES[type(value)]})


def say(ir: SilpIR) -> EapPacket | None:
    """Packet that says an IR in EAP's own terms, if there is one; what it leaves unsaid, `hear` shows.

    Raises:
        EncodeError: a part of the IR is none of a packet.
    """
    extra = ir.meta.__pydantic_extra__
    if ir.constraints or ir.alternatives:
        return None
    entities = ir.entities
    target = NO_TARGET
    if entities and entities[0].id == "act":
        if value_of(entities[0], ir.intent) != entities[0].value:
            return None
        target = "#" + entities[0].value
        entities = entities[1:]
    pairs = [(item.id, value_of(item, ir.intent)) for item in entities]
    pairs += [(SIGN + name, extra[name]) for name in sorted(extra.keys() - _SAID)]
    if "sender" in extra:
        pairs.append((SENDER, extra["sender"]))
    if ir.meta.next_agent is not None:
        pairs.append((RECEIVER, ir.meta.next_agent))
    data = dict(pairs)
    if len(data) != len(pairs):
        return None
    direction, domain = routed(extra, ir.intent)
    return EapPacket(direction, domain, eap_action_of(ir.intent), target, ir.meta.priority or None, data)


def value_of(item: Entity, intent: str) -> Any:
    """JSON value of an entity that `slot` could have made.

    Raises:
        EncodeError: it belongs to a secondary action, has other extras, or is no value of its type.
    """
    extra = item.__pydantic_extra__
    if item.action not in (None, intent) or not extra.keys() <= {"type"}:
        raise EncodeError("a pair is a slot of the intent, with a type at most")
    if not extra:
        return item.value
    kind: Any = extra["type"]
    try:
        return _READERS[kind](item.value)
    except (KeyError, TypeError, ValueError, DecodeError):
        raise EncodeError(f"no value of type {shown(kind)}") from None


# --- put and take ----------------------------------------------------------------------------------------


def put(ir: SilpIR) -> EapPacket:
    """Packet that carries an IR whole, under a head that fits it."""
    direction, domain = routed(ir.meta.__pydantic_extra__, ir.intent)
    priority = ir.meta.priority
    return EapPacket(
        direction if direction in DIRECTIONS else direction_of(ir.intent),
        domain if type(domain) is str and is_domain(domain) else DEFAULT_DOMAIN,
        _action_like(ir.intent),
        _target_like(ir),
        priority if 1 <= priority <= 9 else None,
        {CARRIED: loads(canonical_text(ir))},
    )


def take(packet: EapPacket) -> SilpIR | None:
    """IR that a packet carries whole, if it does."""
    return carried_ir(packet.data.get(CARRIED)) if len(packet.data) == 1 else None


def head(packet: EapPacket) -> SilpIR:
    """IR whose intent, target and routing stand for a packet that is carried whole."""
    intent = intent_like(packet.action)
    pointed = [] if packet.target == NO_TARGET else [entity("act", packet.target[1:], intent)]
    extra = routing(packet.direction, packet.domain, intent)
    return root(intent, pointed, [], [], extra=extra, priority=packet.priority or 0)


def _action_like(intent: str) -> str:
    """The legal action closest to an intent."""
    action = eap_action_of(intent)[:16].rstrip("_")
    return action if len(action) > 1 else DEFAULT_ACTION


def _target_like(ir: SilpIR) -> str:
    """Target that points at the intent's first positional argument, where it can."""
    own = (None, ir.intent)
    first = "#" + next((item.value for item in ir.entities if item.id == "act" and item.action in own), "")
    return first if is_target(first) else NO_TARGET


# --- the formats -----------------------------------------------------------------------------------------


def _explain(packet: EapPacket, lang: str) -> str:
    from sabir.eap.gloss import explain  # noqa: PLC0415  # its names are only needed here

    return explain(packet, lang)


EAP: Final[Kind[EapPacket]] = Kind(
    name="eap",
    message_type=EapPacket,
    write=write.ascii,
    read=wire.decode,
    to_json=packets.to_json,
    from_json=packets.from_json,
    hear=hear,
    say=say,
    put=put,
    take=take,
    head=head,
    explain=_explain,
)
"""EAP's packets; the ASCII form is their canonical text."""

FORMATS: Final[tuple[Format[EapPacket], ...]] = (
    Format(
        name="eap",
        title="EAP, ASCII form for transport",
        kind=EAP,
        marker=re.compile(r"[><=][A-Za-z0-9_]++:"),
        read=wire.decode,
        write=write.ascii,
        example='>SEC:XSS #ctx4 !9 | payload="<script>" line=42',
        read_all=wire.decode_all,
    ),
    Format(
        name="eap-unicode",
        title="EAP, Unicode form for display",
        kind=EAP,
        marker=re.compile("[◤◢▰]"),
        read=wire.decode_unicode,
        write=write.unicode,
        example='◤SEC::XSS ➔ 📦[#ctx4] ⚡9 ⁝ payload="<script>" line=42',
        read_all=wire.decode_all_unicode,
    ),
)
