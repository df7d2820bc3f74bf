"""The comment that ends a text in the code frontend: root fields that the call syntax does not give back in full.

    comment = "#" JSON-object        ; of root fields of the canonical IR
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.errors import DecodeError
from sabir.jsontext import MAX_VALUE_DEPTH, loads, span_of
from sabir.silp.checks import action_codes
from sabir.silp.code_writer import plain
from sabir.silp.fields import Fault, fill, refuse_verbs

if TYPE_CHECKING:
    from sabir.errors import Span
    from sabir.silp.code_terms import Cursor
    from sabir.silp.ir import SilpIR

_ROOT: Final = ("silp", "version", "entities", "constraints", "alternatives", "meta")
_SHOWN: Final = ("entities", "constraints", "alternatives")
_WANTED: Final = "after # stands a JSON object of the fields that the call cannot say, nothing else"


def comment(cursor: Cursor, ir: SilpIR) -> None:
    """Put the fields of the comment at the cursor into the IR of the text before it.

    Raises:
        DecodeError: ``invalid_syntax``: it is no such object, or says something else than the text before it.
    """
    text, sign = cursor.text, cursor.pos
    start = cursor.skip(sign + 1)
    data = _object(text, sign, start)
    before, seq = plain(ir)[0], ir.meta.seq
    try:
        _fill(ir, data, deep=text.count("{", start) + text.count("[", start) > MAX_VALUE_DEPTH)
    except Fault as fault:
        raise DecodeError(fault.reason, text, span_of(text, fault.path, start)) from None
    for item in ir.entities:
        item.__dict__["action"] = item.action or ir.intent
    if any(name in data for name in _SHOWN) and (shown := plain(ir)[0]) != before:
        raise DecodeError(f"the comment contradicts the text before it, which would read: {shown}", text, (sign, len(text)))
    if seq and ir.meta.seq != seq:
        raise DecodeError("the comment contradicts the sequence before it", text, span_of(text, ("meta", "seq"), start))
    if cursor.strict:
        _refuse_verbs(ir, text, start)


def _fill(ir: SilpIR, data: dict[str, Any], *, deep: bool) -> None:
    for name in data:
        if name not in _ROOT:
            raise Fault(f"a comment has no {name} (but: {', '.join(_ROOT)})", name)
    fill(ir, data, vet=deep)


def _refuse_verbs(ir: SilpIR, text: str, start: int) -> None:
    """Refuse unapproved verbs in ``meta.seq``; those of the calls have been looked at."""
    try:
        refuse_verbs(pair for pair in action_codes(ir) if pair[0][0] == "meta")
    except Fault as fault:
        raise DecodeError(fault.reason, text, span_of(text, fault.path, start), code=fault.code) from None


def _object(text: str, sign: int, start: int) -> dict[str, Any]:
    """The JSON object that the comment must be."""
    span: Span = start, len(text)
    if text.startswith(("{", "[", '"'), start):
        try:
            data = loads(text[start:])
        except DecodeError as error:
            raise error.moved(text, start) from None
        if type(data) is dict:
            return data
    else:
        span = sign, len(text)
    raise DecodeError(_WANTED, text, span)
