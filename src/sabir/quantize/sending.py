"""Think, quantize, transmit: from a sentence to a SLIP message's wire text (seed, section 3.2)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Protocol

from sabir.quantize.payload import payload_of
from sabir.quantize.quantizer import FALLBACK, Quantized, Quantizer
from sabir.slip import slip

if TYPE_CHECKING:
    from sabir.quantize.payload import Form
    from sabir.ucr.codebook import Codebook


class Answering(Protocol):
    """What finds the anchor of a text in a codebook: a `Quantizer`, or the one of `sabir.learn`."""

    @property
    def codebook(self) -> Codebook:
        """The anchors that it answers with."""

    def quantize(self, text: str, /) -> Quantized:
        """The anchor of one text."""


def transmit(text: str, src: str, dst: str, quantizer: Answering | None = None, *, payload: Form = "short") -> str:
    """Wire text of the message that ``text`` means.

    What the anchor does not say travels as payload, in the form that is asked for (`sabir.quantize.payload.FORMS`).
    Where no anchor is sure enough, the message is a Fallback with the whole text.

    Raises:
        EncodeError: ``text`` is no text, an agent's name cannot stand on the wire, or there is no such form.
        MissingDependency: as `Quantizer`.
    """
    used = quantizer or _default()
    return wire(text, src, dst, used.quantize(text), used, payload=payload)


def wire(text: str, src: str, dst: str, answer: Quantized, quantizer: Answering, *, payload: Form = "short") -> str:
    """Wire text for an answer that is known already; otherwise as `transmit`."""
    tokens = payload_of(text, answer.anchor, payload)
    if answer.anchor == FALLBACK:
        tokens = (text,)
    return slip(src, dst, quantizer.codebook.by_mnemonic(answer.anchor), tokens)


@functools.cache
def _default() -> Quantizer:
    return Quantizer()


think_quantize_transmit = transmit
"""The name of `transmit` in the paper."""
