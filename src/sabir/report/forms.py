"""The texts of one message in every format that keeps it, made by one way through the IR for each kind."""

from __future__ import annotations

from typing import Any

from sabir import interlingua
from sabir.errors import EncodeError, TranslationError
from sabir.kinds import Format
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
        try:
            if kind.name not in by_kind:
                by_kind[kind.name] = interlingua.from_ir(ir, kind, known=known)[0]
            held = by_kind[kind.name]
            found[format.name] = None if held is None else format.write(held)
        except (TranslationError, EncodeError):
            by_kind[kind.name] = None
            found[format.name] = None
    return ir, found
