"""Root fields of the IR from JSON values, held to the normative schema (draft, section 3.9).

No null where a field is optional, no boolean for a number, no unknown field at the root, any JSON value in the
extra fields of the parts. Whatever reads an IR from JSON, whole or in part, reads it here.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError, ErrorCode
from sabir.jsontext import JsonPath, check_text, check_value
from sabir.silp.ir import Meta, SilpIR, alternative, constraint, entity
from sabir.silp.verbs import APPROVED, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

is_action_code: Final = re.compile(r"![A-Z][A-Z_]*+").fullmatch
_CODE_FORM = "an action code is ! and an upper-case verb, such as !CANCEL"
is_version: Final = re.compile(r"v[0-9]++").fullmatch
_is_req_id = re.compile(r"[a-f0-9]{4,8}").fullmatch


class Fault(Exception):  # never leaves the package: becomes a DecodeError or an EncodeError
    """A JSON value that is no part of a message, and the path to it from the value that was being read.

    ``tail`` goes on where the path ends, as text.
    """

    def __init__(
        self, reason: str, *path: str | int, code: ErrorCode = "decode_failed", tail: str = ""
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path: JsonPath = path
        self.code = code
        self.tail = tail

    def under(self, *path: str | int) -> Fault:
        """This fault as one of the value that holds its own at ``path``."""
        self.path = path + self.path
        return self


def need(data: Any, noun: str, *names: str) -> None:
    """Refuse what is no JSON object or lacks one of the fields named.

    Raises:
        Fault: with the field.
    """
    if type(data) is not dict:
        raise Fault(f"{noun} is a JSON object, not {json_type(data)}")
    for name in names:
        if name not in data:
            raise Fault(f'{noun} needs "{name}"')


def refuse_verbs(codes: Iterable[tuple[JsonPath, str]]) -> None:
    """Refuse action codes that are not approved, each given with its path (3.8).

    Raises:
        Fault: for the first of them.
    """
    for path, code in codes:
        if reason := refusal(code):
            raise Fault(f"strict: {reason}", *path)


# --- fields ----------------------------------------------------------------------------------------------


def fill(ir: SilpIR, fields: dict[Any, Any], *, vet: bool = False) -> None:
    """Set root fields of an IR from JSON values; of ``meta`` those that are given.

    Args:
        ir: an IR that nobody else holds.
        fields: some or all root fields, in their JSON form.
        vet: copy every value, and check that it is JSON that a message may hold; needed where no text was read.

    Raises:
        Fault: for what the schema refuses.
    """
    for name, value in fields.items():
        if name in _SHAPES:
            ir.__dict__[name] = parts_of(value, name, vet=vet)
        elif name == "meta":
            _fill_meta(ir.meta, value, vet=vet)
        elif name in _ROOT:
            ir.__dict__[name] = _at(name, _ROOT[name], value)
        else:
            raise Fault(f"the IR has no such field (there are: {', '.join(SilpIR.model_fields)})", name)


def _fill_meta(meta: Meta, data: Any, *, vet: bool) -> None:
    if type(data) is not dict:
        raise Fault(f"must be an object, not {json_type(data)}", "meta")
    try:
        for name, value in data.items():
            if name in _META:
                meta.__dict__[name] = _at(name, _META[name], value)
            else:
                meta.__pydantic_extra__[_key(name)] = _at(name, _copied if vet else _carried, value)
    except Fault as fault:
        raise fault.under("meta") from None


def _at(name: Any, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except Fault as fault:
        raise fault.under(name) from None


def _text(value: Any) -> str:
    if type(value) is not str:
        raise Fault(f"must be a string, not {json_type(value)}")
    try:
        check_text(value, "")
    except EncodeError as error:
        raise Fault(error.reason) from None
    return value


def _code(value: Any) -> str:
    return _of_form(value, is_action_code, _CODE_FORM)


def _version(value: Any) -> str:
    return _of_form(value, is_version, "a version is v and digits, such as v1")


def _req_id(value: Any) -> str:
    return _of_form(value, _is_req_id, "a request id is 4 to 8 lower-case hex digits")


def _of_form(value: Any, form: Callable[[str], object], reason: str) -> str:
    if not form(_text(value)):
        raise Fault(reason)
    return value  # type: ignore[no-any-return]  # _text has seen to it


def _priority(value: Any) -> int:
    if type(value) is float and value.is_integer():  # to JSON Schema, 2.0 is an integer
        value = int(value)
    if type(value) is not int:
        raise Fault(f"must be a whole number, not {json_type(value)}")
    return _carried(value)  # type: ignore[no-any-return]  # the same number


def _confidence(value: Any) -> float:
    if type(value) not in (int, float):
        raise Fault(f"must be a number, not {json_type(value)}")
    if not 0 <= value <= 1:
        raise Fault("must lie between 0 and 1")
    return float(value)


def _seq(value: Any) -> list[str]:
    if type(value) is not list:
        raise Fault(f"must be an array of strings, not {json_type(value)}")
    found: list[str] = []
    try:
        for item in value:
            found.append(_text(item))  # noqa: PERF401  # its length tells where a fault is
    except Fault as fault:
        raise fault.under(len(found)) from None
    return found


_ROOT: Final[dict[str, Callable[[Any], str]]] = {"silp": _version, "version": _text, "intent": _code}
_META: Final[dict[str, Callable[[Any], Any]]] = {
    "req_id": _req_id,
    "session_id": _text,
    "priority": _priority,
    "confidence": _confidence,
    "seq": _seq,
    "out": _text,
    "next_agent": _text,
}


# --- parts -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of part: its noun, its fields in order with whether each is required, its makers.

    ``make`` takes the fields and the extra ones; ``add`` makes parts of JSON objects, which it uses up.
    """

    noun: str
    fields: dict[str, bool]
    make: Callable[..., Any]
    add: Callable[[list[Any], list[Any]], None]


def parts_of(value: Any, name: str, *, vet: bool = False) -> list[Any]:
    """Entities, constraints or alternatives of the JSON array that is the root field ``name``; ``vet`` as in `fill`.

    Raises:
        Fault: for what the schema refuses.
    """
    if type(value) is not list:
        raise Fault(f"must be an array of objects, not {json_type(value)}", name)
    shape = _SHAPES[name]
    found: list[Any] = []
    try:
        if vet:
            for item in value:
                found.append(_part(item, shape))  # noqa: PERF401  # its length tells where a fault is
        else:
            shape.add(value, found)
    except Fault as fault:
        raise fault.under(name, len(found)) from None
    return found


def _part(data: Any, shape: _Shape) -> Any:
    """A part of anything at all."""
    if type(data) is not dict:
        raise Fault(f"{shape.noun} is an object, not {json_type(data)}")
    for name, required in shape.fields.items():
        if required and name not in data:
            raise Fault(f'{shape.noun} needs "{name}"')
    values: dict[str, str | None] = dict.fromkeys(shape.fields)
    extra: dict[str, Any] = {}
    for name, value in data.items():
        if name in values:
            values[name] = _at(name, _code if name == "action" else _text, value)
        else:
            extra[_key(name)] = _at(name, _copied, value)
    return shape.make(*values.values(), extra)


# Parts of a JSON text mostly hold strings alone, which one join tells; what is left of the object are the extra
# fields. Whatever is otherwise goes to `_part`.
_only_text: Final = "".join
_OTHERWISE: Final = (KeyError, TypeError)


def _add_entities(items: list[Any], found: list[Any]) -> None:
    for data in items:
        try:
            id, value, action = data["id"], data["value"], data.get("action")
            _only_text(data.values())
        except _OTHERWISE:
            found.append(_part(data, _SHAPES["entities"]))
            continue
        del data["id"], data["value"]
        if action is not None:
            del data["action"]
            if not (action in _approved or is_action_code(action)):
                raise Fault(_CODE_FORM, "action")
        found.append(entity(id, value, action, data))


def _add_constraints(items: list[Any], found: list[Any]) -> None:
    for data in items:
        try:
            kind, value, time = data["type"], data["value"], data.get("time")
            _only_text(data.values())
        except _OTHERWISE:
            found.append(_part(data, _SHAPES["constraints"]))
            continue
        del data["type"], data["value"]
        if time is not None:
            del data["time"]
        found.append(constraint(kind, value, time, data))


def _add_alternatives(items: list[Any], found: list[Any]) -> None:
    for data in items:
        try:
            action, target, location = data["action"], data.get("target"), data.get("location")
            _only_text(data.values())
        except _OTHERWISE:
            found.append(_part(data, _SHAPES["alternatives"]))
            continue
        del data["action"]
        if target is not None:
            del data["target"]
        if location is not None:
            del data["location"]
        if not (action in _approved or is_action_code(action)):
            raise Fault(_CODE_FORM, "action")
        found.append(alternative(action, target, location, data))


_approved: Final = frozenset(APPROVED)  # found sooner than matched
_SHAPES: Final = {
    "entities": _Shape("an entity", {"id": True, "value": True, "action": False}, entity, _add_entities),
    "constraints": _Shape(
        "a constraint", {"type": True, "value": True, "time": False}, constraint, _add_constraints
    ),
    "alternatives": _Shape(
        "an alternative",
        {"action": True, "target": False, "location": False},
        alternative,
        _add_alternatives,
    ),
}


# --- values ----------------------------------------------------------------------------------------------


def _key(name: Any) -> str:
    try:
        check_text(name, " (a key)")
    except EncodeError as error:
        raise Fault(error.reason, tail=error.path) from None
    return name  # type: ignore[no-any-return]  # check_text has seen to it


def _carried(value: Any) -> Any:
    """A value that a message may hold; one that was read from a text may still nest too deep."""
    try:
        check_value(value)
    except EncodeError as error:
        raise Fault(error.reason, tail=error.path) from None
    return value


def _copied(value: Any) -> Any:
    return deepcopy(_carried(value))


def json_type(value: Any) -> str:
    """What JSON calls a value, for error texts."""
    return "null" if value is None else _JSON_TYPES.get(type(value)) or type(value).__name__


_JSON_TYPES: Final = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
}
