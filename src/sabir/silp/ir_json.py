"""The IR as JSON, format ``silp-ir`` (draft, section 3.9; silp.md, "Tables the seed text lost")."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from typing import Any, Final

from sabir.errors import DecodeError, EncodeError, UnsupportedVersion
from sabir.jsontext import check_value, dumps, loads, received, span_of
from sabir.silp.checks import action_codes, dotted
from sabir.silp.fields import Fault, fill, is_version, need, refuse_verbs
from sabir.silp.ir import IR_VERSION, VERSION, Alternative, Constraint, Entity, Meta, SilpIR, new_req_id, root

BROKEN: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a writer meets in an IR that was built or changed past the checks of its class."""
_NONE = object()
_DEFAULTS = {name: field.default for name, field in Meta.model_fields.items() if not field.is_required()}
_LISTS = (("entities", Entity), ("constraints", Constraint), ("alternatives", Alternative))


def schema() -> dict[str, Any]:
    """The IR's normative JSON Schema (3.9, draft 2020-12) with descriptions; a new copy each time."""
    text = resources.files("sabir.data").joinpath("silp-ir.schema.json").read_text("utf-8")
    return json.loads(text)  # type: ignore[no-any-return]  # a schema is an object


# --- reading ---------------------------------------------------------------------------------------------


def read_ir(text: str, *, strict: bool = False, allow_unknown: bool = False) -> SilpIR:  # noqa: ARG001  # see Reader
    """IR of its JSON text.

    Args:
        text: the JSON object.
        strict: refuse action codes that are not approved (3.8).
        allow_unknown: without effect; SILP has no codebook.

    Raises:
        DecodeError: broken JSON is ``invalid_syntax``; JSON that the schema refuses is ``decode_failed``.
        UnsupportedVersion: ``silp`` names another version than v1.
    """
    stripped = received(text, "silp-ir")
    try:
        return _build(loads(stripped), strict=strict)
    except (Fault, DecodeError) as fault:
        raise failed(fault, text, stripped, "silp-ir") from None


def _build(data: Any, *, strict: bool) -> SilpIR:
    need(data, "the IR")
    refuse_version(data)
    need(data, "the IR", "intent", "meta")
    ir = root("", [], [], [])
    fill(ir, data)
    if "req_id" not in data["meta"]:
        raise Fault('meta needs "req_id", 8 lower-case hex digits', "meta")
    if strict:
        refuse_verbs(action_codes(ir))
    return ir


def failed(fault: Fault | DecodeError, text: str, stripped: str, format: str) -> DecodeError:
    """What to raise for a fault in a JSON text: an error whose span is one of the text as received."""
    error = fault if isinstance(fault, DecodeError) else _located(fault, stripped)
    error.format = format
    return error.moved(text, len(text) - len(text.lstrip()))


def _located(fault: Fault, text: str) -> DecodeError:
    kind = UnsupportedVersion if fault.code == "unsupported_version" else DecodeError
    return kind(fault.reason, text, span_of(text, fault.path), code=fault.code)


def refuse_version(fields: dict[str, Any]) -> None:
    """Refuse another version of SILP before anything else is looked at.

    Raises:
        Fault: code ``unsupported_version``.
    """
    version = fields.get("silp", VERSION)
    if version != VERSION and type(version) is str and is_version(version):
        reason = f"SILP {version} is unknown; this library speaks {VERSION}"
        raise Fault(reason, "silp", code="unsupported_version")


def ir_from_json(data: Any) -> SilpIR:
    """IR of its JSON form. A missing ``meta`` or ``meta.req_id`` is filled in, the id at random (3.6).

    Raises:
        EncodeError: with the path of what the schema refuses.
    """
    ir = root("", [], [], [], new_req_id())
    try:
        need(data, "the IR", "intent")
        fill(ir, data, vet=True)
    except Fault as fault:
        raise EncodeError(fault.reason, dotted(fault.path) + fault.tail) from None
    return ir


def carried_ir(form: Any) -> SilpIR | None:
    """IR of an object that another format's message carries, read as a text would be; None for anything else.

    The result shares nothing with ``form``. A request id is not carried.
    """
    ir = root("", [], [], [])
    try:
        need(form, "the IR", "intent")
        fill(ir, form, vet=True)
    except Fault:
        return None
    return ir


# --- writing ---------------------------------------------------------------------------------------------


def write_ir(ir: SilpIR, *, carry_req_id: bool = True) -> str:  # noqa: ARG001  # req_id is part of the format
    """Compact JSON of an IR, exact in every field; what holds its default is left out.

    Raises:
        EncodeError: the IR is of another version, or was built past the checks of its class.
    """
    try:
        refuse_to_write(ir)
        values = ir.__dict__
        found = {} if values["version"] == IR_VERSION else {"version": values["version"]}
        found["intent"] = values["intent"]
        for name, kind in _LISTS:
            if values[name]:
                found[name] = _parts(values[name], kind, name)
        meta = _members(values["meta"], Meta, "meta", None)
        found["meta"] = {name: value for name, value in meta.items() if _DEFAULTS.get(name, _NONE) != value}
        return dumps(found)
    except BROKEN as error:
        raise unwritable(ir, error) from None


def ir_to_json(ir: SilpIR) -> dict[str, Any]:
    """JSON form of an IR in the schema's order: defaults written out, absent optional fields left out.

    Raises:
        EncodeError: with the path of a part of another class, or of an extra field that is no JSON value.
    """
    _of_class(ir, SilpIR, "", None)
    values = ir.__dict__
    for name in SilpIR.model_fields:
        if name not in values:
            raise EncodeError("missing: the IR was made without the checks of its class", name)
    found: dict[str, Any] = {name: values[name] for name in ("silp", "version", "intent")}
    for name, kind in _LISTS:
        found[name] = _parts(values[name], kind, name)
    found["meta"] = _members(values["meta"], Meta, "meta", None)
    return deepcopy(found)


def _parts(parts: list[Any], kind: type[Any], name: str) -> list[dict[str, Any]]:
    _of_class(parts, list, name, None)
    return [_members(part, kind, name, at) for at, part in enumerate(parts)]


def _members(part: Any, kind: type[Any], name: str, at: int | None) -> dict[str, Any]:
    """Fields of a part that are not absent, and its extra fields."""
    _of_class(part, kind, name, at)
    found = {field: value for field, value in part.__dict__.items() if value is not None}
    for field, value in part.__pydantic_extra__.items():
        check_value(value, f"{_path(name, at)}.{field}")
        found[field] = value
    return found


def _of_class(part: Any, kind: type[Any], name: str, at: int | None) -> None:
    if not isinstance(part, kind):
        raise EncodeError(f"must be of class {kind.__name__}, not {type(part).__name__}", _path(name, at))


def _path(name: str, at: int | None) -> str:
    return name if at is None else f"{name}[{at}]"


def refuse_to_write(ir: SilpIR) -> None:
    """Refuse a version that no reader here would take back.

    Raises:
        EncodeError: with the path.
    """
    if ir.silp != VERSION:
        raise EncodeError(f"this library writes SILP {VERSION}, not {ir.silp}", "silp")


def unwritable(ir: Any, error: Exception) -> EncodeError:
    """What to raise for an IR that broke a writer: it was built past the checks of its class."""
    try:
        ir_from_json(ir_to_json(ir))
    except EncodeError as found:
        return found
    except BROKEN:
        pass
    if isinstance(error, EncodeError):
        return error
    return EncodeError(f"this IR was made without the checks of its class: {type(error).__name__}: {error}")
