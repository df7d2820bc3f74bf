"""The texts of one message in every format that keeps it, made by one way through the IR for each kind."""

from __future__ import annotations

from typing import Any

from sabir import interlingua
from sabir.errors import EncodeError, TranslationError
from sabir.kinds import Format, Kind
from sabir.registry import READABLE
from sabir.silp.canonical import canonical_text
from sabir.silp.ir import SilpIR


def texts(message: Any, source: Format[Any]) -> tuple[SilpIR, dict[str, str | None]]:
    """The message's IR, and its text in every lossless format by name; None where the format cannot hold it."""
    ir, _ = interlingua.to_ir(message, source.kind)
    known = canonical_text(ir)
    by_kind: dict[str, Any] = {source.kind.name: message}
    found: dict[str, str | None] = {}
    for format in READABLE:
        kind = format.kind
        if kind.name not in by_kind:
            by_kind[kind.name] = _held(ir, kind, known)
        found[format.name] = _written(by_kind[kind.name], format)
    return ir, found


def _held(ir: SilpIR, kind: Kind[Any], known: str) -> Any:
    """Message of the IR in a kind, or None."""
    try:
        return interlingua.from_ir(ir, kind, known=known)[0]
    except TranslationError:
        return None


def _written(message: Any, format: Format[Any]) -> str | None:
    """Text of a message in one format of its kind; another of that kind may hold what this one cannot."""
    try:
        return None if message is None else format.write(message)
    except EncodeError:
        return None
