"""The canonical IR: one form for all IRs that mean the same (silp.md, "Canonical IR").

Equivalence, trailing comments, hashes, locks and carried messages all use it.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import rfc8785

from sabir.errors import EncodeError
from sabir.jsontext import dumps
from sabir.silp.ir import IR_VERSION, VERSION, Meta, SilpIR

DEFAULT_OUT: Final = frozenset({"natural", "code", "json"})
"""Values of ``meta.out`` that are equivalent and never written (silp.md, contradiction 10)."""


def canonical(ir: SilpIR) -> dict[str, Any]:
    """Canonical JSON form of an IR: defaults, ``req_id`` and an ``action`` equal to the intent dropped, numbers by value."""
    found: dict[str, Any] = {"intent": ir.intent}
    if ir.silp != VERSION:
        found["silp"] = ir.silp
    if ir.version != IR_VERSION:
        found["version"] = ir.version
    if ir.entities:
        found["entities"] = [part(item, drop_action=ir.intent) for item in ir.entities]
    if ir.constraints:
        found["constraints"] = [part(item) for item in ir.constraints]
    if ir.alternatives:
        found["alternatives"] = [part(item) for item in ir.alternatives]
    if meta := canonical_meta(ir.meta):
        found["meta"] = meta
    return found


def part(item: Any, *, drop_action: str | None = None) -> dict[str, Any]:
    """Canonical form of an entity, constraint or alternative."""
    found = {name: value for name, value in item.__dict__.items() if value is not None}
    if drop_action is not None and found.get("action") == drop_action:
        del found["action"]
    if item.__pydantic_extra__:
        found.update(by_value(item.__pydantic_extra__))
    return found


def canonical_meta(meta: Meta) -> dict[str, Any]:
    """Canonical form of the metadata, without ``req_id``."""
    values, extra = meta.__dict__, meta.__pydantic_extra__
    found: dict[str, Any] = {}
    if values["session_id"] is not None:
        found["session_id"] = values["session_id"]
    if values["priority"] != 0:
        found["priority"] = values["priority"]
    if values["confidence"] != 1:
        found["confidence"] = by_value(values["confidence"])
    if values["seq"]:
        found["seq"] = list(values["seq"])
    if values["out"] not in DEFAULT_OUT:
        found["out"] = values["out"]
    if values["next_agent"] is not None:
        found["next_agent"] = values["next_agent"]
    if extra:
        found.update(by_value(extra))
    return found


def by_value(value: Any) -> Any:
    """A copy of a JSON value with whole floats as integers, so that 1 and 1.0 are one."""
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() else value
    if kind is dict:
        return {name: by_value(item) for name, item in value.items()}
    if kind is list:
        return [by_value(item) for item in value]
    return value


def canonical_text(ir: SilpIR) -> str:
    """Canonical IR as compact JSON with sorted keys and integers in full."""
    return dumps(canonical(ir), sort_keys=True)


def equivalent(a: SilpIR, b: SilpIR) -> bool:
    """Whether two IRs mean the same: all but ``req_id`` preserved (draft, section 4.6)."""
    return a is b or canonical_text(a) == canonical_text(b)


def ir_hash(ir: SilpIR) -> str:
    """SHA-256, in hex, of the canonical IR as RFC 8785 JSON.

    Raises:
        EncodeError: an extra field holds an integer beyond 2^53, which RFC 8785 cannot carry.
    """
    try:
        return hashlib.sha256(rfc8785.dumps(canonical(ir))).hexdigest()
    except rfc8785.IntegerDomainError as error:
        raise EncodeError(f"RFC 8785 carries no integer beyond 2^53, so this IR has no hash: {error}") from None
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        raise EncodeError(f"this IR was built past the checks of its class and has no hash: {error}") from None


def req_id_of(text: str) -> str:
    """Request id of a received text: first 8 hex digits of its SHA-256, outer white space stripped (4.6)."""
    return hashlib.sha256(text.strip().encode()).hexdigest()[:8]
