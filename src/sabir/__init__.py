"""Sabir: read, write, translate and measure the compact messages that LLM agents exchange.

    >>> import sabir
    >>> sabir.translate("SLIP v1 planner executor RequestReview auth_module", "silp-code").text
    'request_review(auth_module) # {"meta":{"next_agent":"executor","sender":"planner"}}'

Names are loaded when they are first used, so that a program pays only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sabir.api import (
        Message,
        Translation,
        decode,
        decode_all,
        detect,
        encode,
        equivalent,
        explain,
        formats,
        from_ir,
        from_json,
        to_ir,
        to_json,
        translate,
    )
    from sabir.eap import AitTape, EapPacket
    from sabir.errors import (
        DecodeError,
        EncodeError,
        MissingDependency,
        PolicyError,
        SabirError,
        SecurityError,
        TranslationError,
        UnknownAnchor,
        UnsupportedVersion,
    )
    from sabir.finding import Found, extract
    from sabir.kinds import Format
    from sabir.lingua import LinguaMessage
    from sabir.silp.ir import Alternative, Constraint, Entity, Meta, SilpIR
    from sabir.slip import SlipMessage

__version__ = "0.1.0"

_API = (
    "Message Translation decode decode_all detect encode equivalent explain formats from_ir from_json to_ir to_json"
    " translate"
)
_ERRORS = (
    "SabirError DecodeError UnknownAnchor UnsupportedVersion EncodeError TranslationError SecurityError PolicyError"
    " MissingDependency"
)
_HOME = {
    **dict.fromkeys(_API.split(), "sabir.api"),
    **dict.fromkeys(_ERRORS.split(), "sabir.errors"),
    **dict.fromkeys(["SilpIR", "Entity", "Constraint", "Alternative", "Meta"], "sabir.silp.ir"),
    **dict.fromkeys(["AitTape", "EapPacket"], "sabir.eap"),
    "Format": "sabir.kinds",
    **dict.fromkeys(["Found", "extract"], "sabir.finding"),
    "LinguaMessage": "sabir.lingua",
    "SlipMessage": "sabir.slip",
}

__all__ = [
    "AitTape",
    "Alternative",
    "Constraint",
    "DecodeError",
    "EapPacket",
    "EncodeError",
    "Entity",
    "Format",
    "Found",
    "LinguaMessage",
    "Message",
    "Meta",
    "MissingDependency",
    "PolicyError",
    "SabirError",
    "SecurityError",
    "SilpIR",
    "SlipMessage",
    "Translation",
    "TranslationError",
    "UnknownAnchor",
    "UnsupportedVersion",
    "decode",
    "decode_all",
    "detect",
    "encode",
    "equivalent",
    "explain",
    "extract",
    "formats",
    "from_ir",
    "from_json",
    "to_ir",
    "to_json",
    "translate",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'sabir' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(home), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
