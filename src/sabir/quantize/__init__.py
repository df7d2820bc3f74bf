"""From plain language to a Slipstream anchor and its payload (slipstream.md, "Quantizer")."""

from sabir.quantize.exemplars import Exemplar, distinct, read, shipped
from sabir.quantize.payload import FORMS, payload_of
from sabir.quantize.quantizer import MODES, THRESHOLD, Mode, Quantized, Quantizer
from sabir.quantize.sending import think_quantize_transmit, transmit

__all__ = [
    "FORMS",
    "MODES",
    "THRESHOLD",
    "Exemplar",
    "Mode",
    "Quantized",
    "Quantizer",
    "distinct",
    "payload_of",
    "read",
    "shipped",
    "think_quantize_transmit",
    "transmit",
]
