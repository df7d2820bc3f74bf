"""SILP's code frontend, written (draft, section 4.1; silp.md, "The code frontend, settled to the character").

What the call syntax can say, it says; the root fields that it cannot give back in full travel in one trailing comment,
each whole and canonical. Which those are is decided by cheap tests on each piece while printing; property tests prove
that printing and parsing agree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sabir.jsontext import MAX_VALUE_DEPTH, check_text, check_value, dumps, quote
from sabir.silp.canonical import canonical_meta, part
from sabir.silp.ir import IR_VERSION, VERSION, SilpIR
from sabir.silp.ir_json import BROKEN, unwritable
from sabir.silp.words import KEYWORDS, is_name, is_time_ref, term

if TYPE_CHECKING:
    from sabir.silp.ir import Alternative, Constraint, Entity

OPERATORS: Final = ("<=", ">=", "==", "!=", "<", ">", "=")
"""Operators of a constraint, longest first."""

# A positional argument that may stand bare: an ASCII word, no keyword and no time reference.
_plain_act = re.compile(
    r"(?!(?:if|and|else|then|t[+-][0-9]++(?:am|pm|[smhdw])?)\Z)[A-Za-z0-9_.+\-*/%$&~]++"
).fullmatch
_operators: Final = frozenset(OPERATORS)
_LEVELS: Final = {"entities": 2, "constraints": 2, "alternatives": 2, "meta": 1}
"""Levels of nesting around the value of an extra field in each root field."""


def write_code(ir: SilpIR, *, carry_req_id: bool = False) -> str:
    """Text of an IR in the code frontend; equivalent IRs have the same text.

    Args:
        ir: any valid IR.
        carry_req_id: write ``req_id`` too, into the comment.

    Raises:
        EncodeError: the IR was built past the checks of its class.
    """
    try:
        text, left = plain(ir)
        values = ir.__dict__
        if values["silp"] != VERSION:
            left["silp"] = values["silp"]
        if values["version"] != IR_VERSION:
            left["version"] = values["version"]
        if meta := canonical_meta(values["meta"]):
            left["meta"] = meta
        if carry_req_id:
            left["meta"] = {**meta, "req_id": ir.meta.req_id}
        if left:
            for name, value in left.items():
                check_value(value, name, depth=MAX_VALUE_DEPTH + _LEVELS.get(name, 0))
            text = f"{text} # {dumps(left, sort_keys=True)}"
    except BROKEN as error:
        raise unwritable(ir, error) from None
    if not text.isascii():
        check_text(text, "")
    return text


def plain(ir: SilpIR) -> tuple[str, dict[str, Any]]:
    """What the call syntax says of an IR, and the fields of it, canonical, that this does not give back in full."""
    values = ir.__dict__
    left: dict[str, Any] = {}
    text = _actions(values["intent"], values["entities"], left)
    if constraints := values["constraints"]:
        text = _conditions(constraints, left) + text
    if alternatives := values["alternatives"]:
        text = f"{text} else: {'; '.join([_alternative(item) for item in alternatives])}"
        if any(item.__pydantic_extra__ for item in alternatives):
            left["alternatives"] = [part(item) for item in alternatives]
    return text, left


def _conditions(constraints: list[Constraint], left: dict[str, Any]) -> str:
    """Text of the constraints, up to the action; those that it does not give back in full are put into ``left``."""
    shown, whole = [], True
    for item in constraints:
        piece, full = _constraint(item)
        whole = whole and full
        if piece:
            shown.append(piece)
    if not whole:
        left["constraints"] = [part(item) for item in constraints]
    return f"if {' and '.join(shown)}: " if shown else ""


def _actions(intent: str, entities: list[Entity], left: dict[str, Any]) -> str:
    """Text of the calls; entities that it does not give back in full are put into ``left``.

    Each run of neighbouring entities with one action is one call; the first call is the intent, empty if need be.
    """
    current, whole = intent, True
    calls: list[str] = []
    arguments: list[str] = []
    for item in entities:
        values = item.__dict__
        action = values["action"] or intent
        if action != current:
            calls.append(f"{current[1:].lower()}({','.join(arguments)})")
            current, arguments = action, []
        id, value = values["id"], values["value"]
        if id != "act":
            value = _named(id, value)
        elif not value.isidentifier() or value in KEYWORDS or not value.isascii():  # the cheap test first
            value = value if _plain_act(value) else quote(value) if is_time_ref(value) else term(value)
        arguments.append(value)
        if item.__pydantic_extra__:
            whole = False
    if not whole:
        left["entities"] = [part(item, drop_action=intent) for item in entities]
    last = f"{current[1:].lower()}({','.join(arguments)})"
    return f"{'; '.join(calls)}; {last}" if calls else last


def _named(id: str, value: str) -> str:
    """An argument that is not `act`."""
    return value if id == "time" and is_time_ref(value) else f"{term(id)}={term(value)}"


def _constraint(item: Constraint) -> tuple[str | None, bool]:
    """Text of a constraint, or None where it has none, and whether the text gives it back in full."""
    values, extra = item.__dict__, item.__pydantic_extra__
    type, value, time = values["type"], values["value"], values["time"]
    negated = type[:1] == "!"
    name = type[1:] if negated else type
    if not is_name(name) or name in KEYWORDS:
        return None, False
    if negated:
        return (f"!{name}" if time is None else f"!{name}({term(time)})"), value == "true" and not extra
    subject, operator = extra.get("subject"), extra.get("operator")
    if "subject" not in extra and operator.__class__ is str and operator in _operators:
        tail = "" if time is None else f", {term(time)}"
        return f"{name}{operator}{term(value)}{tail}", len(extra) == 1
    if isinstance(subject, str):
        if time is None:
            second = quote(value) if is_time_ref(value) else term(value)
            return f"{name}({term(subject)},{second})", len(extra) == 1
        return f"{name}({term(subject)},{term(value)},{term(time)})", len(extra) == 1
    if time is None:
        return f"{name}({term(value)})", not extra
    if is_time_ref(time):
        return f"{name}({term(value)},{time})", not extra
    return f"{name}({term(value)})", False


def _alternative(item: Alternative) -> str:
    values = item.__dict__
    target, location = values["target"], values["location"]
    if target is None:
        inside = "" if location is None else f"loc={term(location)}"
    else:
        inside = term(target) if location is None else f"{term(target)}@{term(location)}"
    return f"{values['action'][1:].lower()}({inside})"
