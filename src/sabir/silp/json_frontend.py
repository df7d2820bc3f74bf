"""SILP's JSON frontend, format ``silp-json`` (draft, section 4.2; silp.md, contradictions 10 to 12).

::

    message = { "intent": code, *slot, ["constraints": [*object]], ["alternatives": [*object]], ["ir": object] }
    slot    = id: string                 ; an entity of the intent
            / id: [1*string]             ; several with one id, next to each other
            / "action_" fn: [1*string]   ; `act` entities of a secondary action
    "ir"    = the root fields of the canonical IR that the rest does not give back, each whole

Slots stand in the order of the entities. Where they cannot say the entities (one has extra fields or a reserved
id, a secondary one an id other than `act`, or a key would come twice) all entities are in "ir" and there are no
slots, so that nothing is said twice. A text that says a field twice, and differently, is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import DecodeError
from sabir.jsontext import MAX_VALUE_DEPTH, check_value, dumps, loads, received
from sabir.silp.canonical import by_value, canonical, canonical_meta, part, req_id_of
from sabir.silp.checks import action_codes
from sabir.silp.fields import Fault, fill, is_action_code, json_type, parts_of, refuse_verbs
from sabir.silp.ir import IR_VERSION, VERSION, Alternative, Constraint, Entity, SilpIR, entity, root
from sabir.silp.ir_json import BROKEN, failed, unwritable
from sabir.silp.verbs import APPROVED

if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView

    from sabir.jsontext import JsonPath

ACTION: Final = "action_"
"""Beginning of a key whose array holds the `act` entities of a secondary action."""
RESERVED: Final = frozenset({"intent", "constraints", "alternatives"})
"""Keys that are no slots; `ACTION` is reserved as a beginning, ``ir`` only where its value is an object."""

# Approved codes are found sooner than matched or made.
_VERBS: Final = frozenset(APPROVED)
_ACTIONS: Final = {ACTION + code[1:].lower(): code for code in APPROVED}
_LEVELS: Final = {"entities": 2, "meta": 1}
"""Levels of nesting between a root field and the extra fields in it."""
_CONSTRAINT: Final = ("type", "value", "time")
_ALTERNATIVE: Final = ("action", "target", "location")
_USUAL: Final = {"subject": 0, "operator": 1}
_is_fn = re.compile(r"[a-z][a-z_]*+").fullmatch


# --- reading ---------------------------------------------------------------------------------------------


def read_json(text: str, *, strict: bool = False, allow_unknown: bool = False) -> SilpIR:  # noqa: ARG001  # Reader
    """IR of a text in the JSON frontend; ``req_id`` is derived from the text unless the text carries it.

    Args:
        text: the JSON object.
        strict: refuse action codes that are not approved (3.8).
        allow_unknown: without effect; SILP has no codebook.

    Raises:
        DecodeError: broken JSON is ``invalid_syntax``; a key or value that has no place is ``decode_failed``.
    """
    stripped = received(text, "silp-json")
    try:
        return _build(loads(stripped), stripped, strict)
    except (Fault, DecodeError) as fault:
        raise failed(fault, text, stripped, "silp-json") from None


def _build(data: Any, text: str, strict: bool) -> SilpIR:  # noqa: FBT001  # private
    intent = data.get("intent") if type(data) is dict else None
    if type(intent) is not str or not (intent in _VERBS or is_action_code(intent)):
        raise _no_intent(data)
    entities: list[Entity] = []
    constraints: list[Constraint] = []
    alternatives: list[Alternative] = []
    rest: dict[str, Any] | None = None
    for name, value in data.items():
        if type(value) is str and name not in RESERVED and name[:7] != ACTION:
            entities.append(entity(name, value, intent))
        elif name == "constraints":
            constraints = parts_of(value, name)
        elif name == "alternatives":
            alternatives = parts_of(value, name)
        elif type(value) is list:
            _add(entities, name, value, intent)
        elif name == "ir" and type(value) is dict:
            rest = value
        elif name != "intent":
            raise _misplaced(name, value)
    ir = root(intent, entities, constraints, alternatives, req_id_of(text))
    if rest is not None:
        _complete(ir, rest, data.keys())
    if strict:
        refuse_verbs(_text_paths(ir, rest or {}))
    return ir


def _add(entities: list[Entity], name: str, values: list[Any], intent: str) -> None:
    """Add the entities of a slot that holds an array."""
    id, action = name, intent
    if name[:7] == ACTION:
        id, action = "act", _ACTIONS.get(name) or _secondary(name)
    if not values:
        raise Fault(f"{name} is empty: an array here holds at least one string", name)
    for value in values:
        if type(value) is not str:
            reason = f"{name} must be an array of strings, and this is {json_type(value)}"
            raise Fault(reason, name, values.index(value))
        entities.append(entity(id, value, action))


def _no_intent(data: Any) -> Fault:
    if type(data) is not dict:
        return Fault(f"a message is a JSON object, not {json_type(data)}")
    if "intent" not in data:
        return Fault('a message needs "intent", an action code such as "!CANCEL"')
    return Fault("the intent is an action code, ! and an upper-case verb, such as !CANCEL", "intent")


def _misplaced(name: str, value: Any) -> Fault:
    """What is wrong with a value that is neither a string nor an array where it should be."""
    wanted = "an array of strings" if name[:7] == ACTION else "a string or an array of strings"
    whole = name == "meta" and type(value) is dict and "req_id" in value
    hint = "; with meta.req_id it is the IR itself, format silp-ir" if whole else ""
    return Fault(f"{name} must be {wanted}, not {json_type(value)}{hint}", name)


def _secondary(name: str) -> str:
    fn = name[len(ACTION) :]
    if not _is_fn(fn):
        raise Fault(f"{name} names no action: after {ACTION} stands a lower-case verb, such as email", name)
    return f"!{fn.upper()}"


def _complete(ir: SilpIR, rest: dict[str, Any], keys: KeysView[str]) -> None:
    """Set the fields of an IR that stand in "ir"; those that other keys have set must say the same."""
    given = RESERVED & keys | ({"entities"} if ir.entities else set())
    before = canonical(ir)
    try:
        fill(ir, rest)
    except Fault as fault:
        raise fault.under("ir") from None
    after = canonical(ir)
    for name in rest:
        if name in given and dumps(before.get(name), sort_keys=True) != dumps(after.get(name), sort_keys=True):
            raise Fault(f'"ir" contradicts the {name} given outside of it: say them once', "ir", name)
    for item in ir.entities:
        item.__dict__["action"] = item.action or ir.intent


def _text_paths(ir: SilpIR, rest: dict[str, Any]) -> Iterator[tuple[JsonPath, str]]:
    """Action codes of a message with their paths in its text."""
    for path, code in action_codes(ir):
        if path[0] in rest:
            yield ("ir", *path), code
        elif path[0] == "entities":
            yield (ACTION + code[1:].lower(),), code
        else:
            yield path, code


# --- writing ---------------------------------------------------------------------------------------------


def write_json(ir: SilpIR, *, carry_req_id: bool = False) -> str:
    """Text of an IR in the JSON frontend; equivalent IRs have the same text.

    Args:
        ir: any valid IR.
        carry_req_id: write ``req_id`` too, into "ir".

    Raises:
        EncodeError: the IR was built past the checks of its class.
    """
    try:
        return _written(ir, carry_req_id)
    except BROKEN as error:
        raise unwritable(ir, error) from None


def _written(ir: SilpIR, carry_req_id: bool) -> str:  # noqa: FBT001  # private
    values = ir.__dict__
    intent, entities = values["intent"], values["entities"]
    rest = _rest(values, carry_req_id)
    found: dict[str, Any] = {"intent": intent}
    if entities and not _add_slots(found, entities, intent, not rest):
        found = {"intent": intent}
        rest["entities"] = [part(item, drop_action=intent) for item in entities]
    if constraints := values["constraints"]:
        found["constraints"] = [
            _object(item, _CONSTRAINT, f"constraints[{at}]") for at, item in enumerate(constraints)
        ]
    if alternatives := values["alternatives"]:
        found["alternatives"] = [
            _object(item, _ALTERNATIVE, f"alternatives[{at}]") for at, item in enumerate(alternatives)
        ]
    if rest:
        for name, value in rest.items():
            check_value(value, name, depth=MAX_VALUE_DEPTH + _LEVELS.get(name, 0))
        found["ir"] = _settled(rest)
    return dumps(found)


def _rest(values: dict[str, Any], carry_req_id: bool) -> dict[str, Any]:  # noqa: FBT001  # private
    """Canonical root fields that have no slot."""
    found: dict[str, Any] = {}
    if values["silp"] != VERSION:
        found["silp"] = values["silp"]
    if values["version"] != IR_VERSION:
        found["version"] = values["version"]
    if meta := canonical_meta(values["meta"]):
        found["meta"] = meta
    if carry_req_id:
        found["meta"] = {**meta, "req_id": values["meta"].req_id}
    return found


def _add_slots(found: dict[str, Any], entities: list[Entity], intent: str, ir_is_free: bool) -> bool:  # noqa: FBT001  # private
    """Add the slots of the entities to ``found``; False where slots cannot say them."""
    last = None
    for item in entities:
        if item.__pydantic_extra__:
            return False
        values = item.__dict__
        key, action = values["id"], values["action"]
        if action is None or action == intent:
            if key in RESERVED or key[:7] == ACTION or (key == "ir" and not ir_is_free):
                return False
            if key not in found:
                found[key] = values["value"]
            elif key != last:
                return False
            elif type(found[key]) is str:
                found[key] = [found[key], values["value"]]
            else:
                found[key].append(values["value"])
        elif key != "act":
            return False
        else:
            key = ACTION + action[1:].lower()
            if key != last and key in found:
                return False
            found.setdefault(key, []).append(values["value"])
        last = key
    return True


def _object(item: Any, names: tuple[str, ...], path: str) -> dict[str, Any]:
    """A constraint or alternative: its own fields, then ``subject`` and ``operator``, then the rest by name."""
    values = item.__dict__
    found = {name: values[name] for name in names if values[name] is not None}
    extra = item.__pydantic_extra__
    if extra:
        for name in sorted(extra, key=lambda name: (_USUAL.get(name, 2), name)):
            value = extra[name]
            if type(value) is not str:
                check_value(value, f"{path}.{name}")
                value = _settled(value)
            found[name] = value
    return found


def _settled(value: Any) -> Any:
    """A JSON value by value and with sorted keys, so that equal ones are written alike."""
    kind = type(value)
    if kind is dict:
        return {name: _settled(value[name]) for name in sorted(value)}
    if kind is list:
        return [_settled(item) for item in value]
    return by_value(value)
