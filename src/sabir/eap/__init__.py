"""EAP, the Esoteric AI Protocol, in both its forms, and AIT, the tape below it.

    >>> from sabir.eap import EapPacket, decode
    >>> packet = decode('<SEC:VUL #ctx4 | line=42 fixed=false')
    >>> packet.data["line"], packet.to_unicode()
    (42, '◢SEC::VUL ➔ 📦[#ctx4] ⁝ line=42 fixed=false')

`sabir.eap.instruct` makes packets of rough instructions, `sabir.eap.gloss` tells a person what packets say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.eap import interpret, interpret_ait
from sabir.eap.ait import AitPacket, AitTape
from sabir.eap.dictionary import AitDictionary
from sabir.eap.interpret import EAP
from sabir.eap.interpret_ait import AIT
from sabir.eap.packet import EapPacket
from sabir.eap.wire import decode, decode_all, decode_all_unicode, decode_unicode

if TYPE_CHECKING:
    from sabir.kinds import Format

FORMATS: Final[tuple[Format[Any], ...]] = (*interpret.FORMATS, *interpret_ait.FORMATS)

__all__ = [
    "AIT",
    "EAP",
    "FORMATS",
    "AitDictionary",
    "AitPacket",
    "AitTape",
    "EapPacket",
    "decode",
    "decode_all",
    "decode_all_unicode",
    "decode_unicode",
]
