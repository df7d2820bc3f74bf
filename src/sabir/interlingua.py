"""From any message to the IR and back without loss: the one pair of functions behind every translation.

A kind brings four partial functions: `hear` and `say` for what both sides can say in their own terms, `put` and `take`
for an IR carried whole in a free-form place. Nothing is trusted but what this library would have written itself:

* a message is a *carrier* only if putting what was taken from it gives the same message, and that IR could travel
  in no better way;
* it is *spoken* only if saying what was heard gives the same message;
* else its content is plain data, and the whole message goes into the IR as ``meta.<kind> = {"wire": text}``.

So no value can imitate carried content, no name is reserved, and a mapping can grow without endangering losslessness.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar, cast

from sabir.errors import DecodeError, EncodeError, TranslationError
from sabir.kinds import Kind
from sabir.silp.canonical import canonical_text, equivalent, req_id_of
from sabir.silp.ir import SilpIR
from sabir.silp.ir_json import BROKEN, unwritable

M = TypeVar("M")
Route = Literal["same", "native", "carried", "sealed"]
"""How content crossed: as the IR itself, in the other side's terms, whole in a free-form place, whole in the IR."""


def to_ir(message: M, kind: Kind[M]) -> tuple[SilpIR, Route]:
    """IR of a message and the way it went; ``req_id`` is derived from the message's canonical text."""
    if isinstance(message, SilpIR):
        return message, "same"
    ir, route = _interpret(message, kind)
    ir.meta.__dict__["req_id"] = req_id_of(kind.write(message))
    return ir, route


def from_ir(ir: SilpIR, kind: Kind[M], *, known: str | None = None) -> tuple[M, Route]:
    """Message of an IR in a kind, and the way it went.

    Args:
        ir: what to say.
        kind: the kind of message.
        known: the IR's canonical text, for who has it already.

    Raises:
        TranslationError: the kind cannot say the IR and has no place to carry it.
        EncodeError: the IR was built past the checks of its class.
    """
    if kind.message_type is SilpIR:
        return cast("M", ir), "same"
    try:
        return _made(ir, kind, known)
    except BROKEN as error:
        raise unwritable(ir, error) from None


def _made(ir: SilpIR, kind: Kind[M], known: str | None) -> tuple[M, Route]:
    message = _native(ir, kind, known)
    if message is not None:
        return message, "native"
    if kind.put is None:
        raise TranslationError(f"{kind.name} cannot hold this message: {kind.why_not(ir)}")
    return kind.put(ir), "carried"


def _interpret(message: M, kind: Kind[M]) -> tuple[SilpIR, Route]:
    """What a message means, by the first of the three ways that leads back to it."""
    if (taken := _taken(message, kind)) is not None:
        return taken, "carried"
    heard = kind.hear(message)
    if heard is not None and _same(_said(heard, kind), message, kind):
        return heard, "native"
    return _seal(message, kind), "sealed"


def _native(ir: SilpIR, kind: Kind[M], known: str | None = None) -> M | None:
    """Message of an IR that needs no carrying: one that the IR holds sealed, or one that says it."""
    opened = _opened(ir, kind)
    if opened is not None:
        return opened
    said = _said(ir, kind)
    if said is None or _taken(said, kind) is not None:
        return None
    heard = kind.hear(said)
    return said if heard is not None and canonical_text(heard) == (known or canonical_text(ir)) else None


def _taken(message: M, kind: Kind[M]) -> SilpIR | None:
    """IR that a message carries, if this library would have carried it just so."""
    if kind.put is None or (ir := kind.take(message)) is None:
        return None
    return ir if _same(kind.put(ir), message, kind) and _native(ir, kind) is None else None


def _said(ir: SilpIR, kind: Kind[M]) -> M | None:
    try:
        return kind.say(ir)
    except EncodeError:  # a value that this kind's constructor refuses
        return None


def _seal(message: M, kind: Kind[M]) -> SilpIR:
    """IR with the whole message inside, under a head that stands for it."""
    ir = kind.head(message)
    ir.meta.__pydantic_extra__[kind.name] = {"wire": kind.write(message)}
    return ir


def _opened(ir: SilpIR, kind: Kind[M]) -> M | None:
    """Message that an IR holds sealed, if sealing it again gives that IR."""
    sealed: Any = ir.meta.__pydantic_extra__.get(kind.name)
    if type(sealed) is not dict or sealed.keys() != {"wire"} or type(sealed["wire"]) is not str:
        return None
    try:
        message = kind.read(sealed["wire"])
    except DecodeError:
        return None
    again, route = _interpret(message, kind)
    return message if route == "sealed" and equivalent(again, ir) else None


def _same(a: M | None, b: M, kind: Kind[M]) -> bool:
    """Equality to the letter: in types and orders too, which == passes over in 1 == True and in mappings."""
    return a is not None and kind.write(a) == kind.write(b)
