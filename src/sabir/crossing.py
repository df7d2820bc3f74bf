"""The proof of losslessness, on real messages: there and back again through every format, as text.

`sabir translate --check` runs it over a file; programs may run it over their own traffic before they switch formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sabir import api
from sabir.errors import TranslationError
from sabir.kinds import Format
from sabir.registry import READABLE
from sabir.silp.ir import SilpIR

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook

Outcome = Literal["native", "carried", "refused", "changed"]
"""In the target's own terms; whole in its free-form place; not at all, with a reason; or wrongly, which is a fault."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """What became of one message on its way to one format and back.

    Attributes:
        target: name of the format.
        outcome: how it travelled.
        text: the text in the target format, empty where it was refused.
        reason: why it was refused, or what changed.
    """

    target: str
    outcome: Outcome
    text: str
    reason: str = ""


def crossings(
    text: str,
    source: Format[Any],
    targets: Iterable[Format[Any]] = READABLE,
    *,
    allow_unknown: bool = False,
    codebook: Codebook | None = None,
) -> Iterator[Crossing]:
    """Take a text of one message to each target format and back, as texts.

    Raises:
        DecodeError: the text is no message of its format.
        EncodeError: messages cannot be read with that codebook.
    """
    reader = source.under(codebook)
    message = reader.decode(text, allow_unknown=allow_unknown)
    for target in targets:
        try:
            there = api.translate(message, target.name, source.name, allow_unknown=allow_unknown, codebook=codebook)
            back = api.translate(there.text, source.name, target.name, allow_unknown=allow_unknown, codebook=codebook)
        except TranslationError as error:
            yield Crossing(target.name, "refused", "", str(error))
            continue
        if same(reader.decode(back.text, allow_unknown=allow_unknown), message):
            yield Crossing(target.name, "native" if there.native else "carried", there.text)
        else:
            yield Crossing(target.name, "changed", there.text, f"came back as {back.text}")


def same(a: Any, b: Any) -> bool:
    """Whether two messages are the same: SILP's equivalence for IRs, to the letter for all others."""
    if isinstance(a, SilpIR) and isinstance(b, SilpIR):
        return api.equivalent(a, b)
    return type(a) is type(b) and api.encode(a) == api.encode(b)
