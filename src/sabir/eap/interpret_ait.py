"""AIT and the interlingua: what a tape says as SILP's IR, and back.

Its first packet is heard as the EAP packet that it stands for, ``s4x9`` as ``>SEC:XSS #ctx4 !9``. Each
further one is an entity ``act`` with an action of its own, and its domain and priority as extra fields. A
tape carries nothing else, so an IR that says more is refused.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sabir.correspondence import eap_action_of, intent_of_eap_action
from sabir.eap import ait
from sabir.eap.ait import MAX_TARGET, AitPacket, AitTape
from sabir.eap.dictionary import AitDictionary, default
from sabir.eap.interpret import intent_like, is_intent, routed, routing
from sabir.errors import EncodeError
from sabir.kinds import Format, Kind
from sabir.silp.canonical import canonical_meta
from sabir.silp.ir import IR_VERSION, VERSION, Entity, SilpIR, entity, root

if TYPE_CHECKING:
    from sabir.eap.dictionary import Entry, Table

_SAID: Final = {"direction", "domain", "priority"}
"""Fields of ``meta`` that a tape says."""
_is_context: Final = re.compile(r"ctx(0|[1-9][0-9]*+)").fullmatch


def hear(tape: AitTape, dictionary: AitDictionary) -> SilpIR | None:
    """IR of a tape in the IR's own terms; None where one of its actions is no action code."""
    heard = [_heard(packet, dictionary) for packet in tape.packets]
    if not all(is_intent(item.action or "") for item in heard):
        return None
    first, intent = tape.packets[0], heard[0].action or ""
    entities = [entity("act", heard[0].value, intent), *heard[1:]]
    extra = routing("request", dictionary.domains.of_value(first.domain).eap, intent)
    return root(intent, entities, [], [], extra=extra, priority=first.priority)


def _heard(packet: AitPacket, dictionary: AitDictionary) -> Entity:
    """A packet as an entity with its own domain and priority.

    Raises:
        EncodeError: the dictionary lacks a word of the packet.
    """
    domain = dictionary.domains.of_value(packet.domain)
    action = dictionary.actions.of_value(packet.action)
    extra = {"domain": domain.eap, "priority": packet.priority}
    return entity("act", f"ctx{packet.target}", intent_of_eap_action(action.eap), extra)


def say(ir: SilpIR, dictionary: AitDictionary) -> AitTape:
    """Tape that says an IR.

    Raises:
        EncodeError: it cannot, with the reason.
    """
    _check_frame(ir)
    direction, domain = routed(ir.meta.__pydantic_extra__, ir.intent)
    if direction != "request":
        raise EncodeError(f"it is a {direction}, and a tape holds requests alone")
    entry = _entry(domain, dictionary.domains, "domain")
    action = _entry(eap_action_of(ir.intent), dictionary.actions, "action")
    if not ir.meta.priority:
        raise EncodeError("it states no priority, and every packet of a tape has one")
    if not ir.entities:
        raise EncodeError("it has no target")
    target = _target(ir.entities[0], ir.intent)
    first = AitPacket(entry.value, target, action.value, _priority(ir.meta.priority))
    return AitTape((first, *(_said(item, ir.intent, dictionary) for item in ir.entities[1:])))


def _check_frame(ir: SilpIR) -> None:
    """Refuse what no packet of a tape could say."""
    if ir.constraints:
        raise EncodeError("it has constraints, and a tape has none")
    if ir.alternatives:
        raise EncodeError("it has alternatives, and a tape has none")
    if (ir.silp, ir.version) != (VERSION, IR_VERSION):
        raise EncodeError("it is of another SILP version")
    for name, value in canonical_meta(ir.meta).items():
        if type(value) is dict and value.keys() == {"wire"}:
            raise EncodeError(f"it holds a whole {name} message that no tape can say")
        if name not in _SAID:
            raise EncodeError(f"it has meta.{name}, and a tape says direction, domain and priority alone")


def _said(item: Entity, intent: str, dictionary: AitDictionary) -> AitPacket:
    """Further packet of a tape, of the entity that says it."""
    extra = item.__pydantic_extra__
    if item.id != "act" or extra.keys() != {"domain", "priority"}:
        raise EncodeError(f"it has data ({item.id}), and a tape carries none")
    domain = _entry(extra["domain"], dictionary.domains, "domain")
    action = _entry(eap_action_of(item.action or intent), dictionary.actions, "action")
    return AitPacket(domain.value, _context(item.value), action.value, _priority(extra["priority"]))


def _target(item: Entity, intent: str) -> int:
    if item.id != "act" or item.action not in (None, intent) or item.__pydantic_extra__:
        raise EncodeError(f"it has data ({item.id}) and no target")
    return _context(item.value)


def _context(text: str) -> int:
    found = _is_context(text)
    if not found:
        raise EncodeError(f"target #{text} is no number of a context, #ctx0 to #ctx{MAX_TARGET}")
    if len(found[1]) > 2 or int(found[1]) > MAX_TARGET:
        raise EncodeError(f"target #{text} is over {MAX_TARGET}")
    return int(found[1])


def _priority(number: Any) -> int:
    if type(number) is not int or not 1 <= number <= 9:
        raise EncodeError(f"priority {number} is not 1 to 9")
    return number


def _entry(eap: Any, table: Table, name: str) -> Entry:
    """Entry for an EAP code."""
    found = table.by_eap.get(eap) if type(eap) is str else None
    if found is None:
        raise EncodeError(f"the dictionary has no {name} for {eap}; it has {', '.join(table.by_eap)}")
    return found


def why_not(ir: SilpIR, dictionary: AitDictionary) -> str:
    """Why no tape says an IR."""
    try:
        say(ir, dictionary)
    except EncodeError as error:
        return error.reason
    return "a tape would say more, such as its direction"


def head(tape: AitTape) -> SilpIR:
    """IR whose intent stands for a tape that is carried whole."""
    first = tape.packets[0]
    intent = intent_like(first.action.upper())
    return root(intent, [entity("act", f"ctx{first.target}", intent)], [], [], priority=first.priority)


def _explain(tape: AitTape, lang: str, dictionary: AitDictionary) -> str:
    from sabir.eap.gloss import explain_tape  # noqa: PLC0415  # its names are only needed here

    return explain_tape(tape, lang, dictionary)


def kind(dictionary: AitDictionary) -> Kind[AitTape]:
    """AIT by a dictionary of one's own."""
    return Kind(
        name="ait",
        message_type=AitTape,
        write=partial(ait.encode, dictionary=dictionary),
        read=partial(ait.decode, dictionary=dictionary),
        to_json=ait.to_json,
        from_json=partial(ait.from_json, dictionary=dictionary),
        hear=partial(hear, dictionary=dictionary),
        say=partial(say, dictionary=dictionary),
        put=None,
        take=lambda _: None,
        head=head,
        explain=partial(_explain, dictionary=dictionary),
        why_not=partial(why_not, dictionary=dictionary),
    )


AIT: Final = kind(default())
"""AIT's tapes, by the default dictionary."""

FORMATS: Final[tuple[Format[AitTape], ...]] = (
    Format(
        name="ait",
        title="AIT tape, four characters an instruction",
        kind=AIT,
        marker=re.compile(r"(?:[a-z0-9]{4}(?:[ \t\r\n]++|\Z))++\Z"),
        read=ait.decode,
        write=ait.encode,
        example="s4x9 s5m3",
    ),
)
