"""Agent Lingua 0.4: requests, responses, errors and human language behind 👽, with all payload encodings.

    >>> from sabir.lingua import decode
    >>> request = decode("👽42|@H|~+1d15h|$bWVldGluZw==").requests[0]
    >>> request.target, request.time, request.payload.value
    ('H', '+1d15h', 'meeting')

`sabir.lingua.times` computes with times, `sabir.lingua.conditions` tests conditions, `sabir.lingua.abbreviations` shortens
the keys of JSON, `sabir.lingua.handshake` negotiates, `sabir.lingua.tables` holds the codes.
"""

from __future__ import annotations

from sabir.lingua.interpret import FORMATS, LINGUA
from sabir.lingua.message import LinguaMessage, LinguaRequest, Signature
from sabir.lingua.payload import Payload
from sabir.lingua.refusal import refusal
from sabir.lingua.wire import decode
from sabir.lingua.write import encode

__all__ = ["FORMATS", "LINGUA", "LinguaMessage", "LinguaRequest", "Payload", "Signature", "decode", "encode", "refusal"]
