"""Packets as text, in both forms of EAP. What each means stands in `sabir.eap.wire`.

One packet has one text: the canonical spelling is the only one written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sabir.eap.values import write, write_string
from sabir.jsontext import quote

if TYPE_CHECKING:
    from sabir.eap.packet import EapPacket

BARE_TARGET: Final = r"#[A-Za-z0-9_.:-]++"
"""Pattern of a target that the ASCII form writes bare."""
ASCII_SIGNS: Final = {"request": ">", "response": "<", "sync": "="}
UNICODE_SIGNS: Final = {"request": "◤", "response": "◢", "sync": "▰"}

_is_bare_target = re.compile(BARE_TARGET).fullmatch


_SMALL: Final = 10**600
"""Integers below this in size print whatever the interpreter was told; its limit is never under 640 digits."""


def ascii(packet: EapPacket) -> str:
    """Text of a packet in the ASCII form, its canonical one: ``>SEC:XSS #ctx4 !9 | line=42``."""
    target, priority = packet.target, packet.priority
    if not _is_bare_target(target):
        target = "#" + quote(target[1:])
    text = f"{ASCII_SIGNS[packet.direction]}{packet.domain}:{packet.action} {target}"
    if priority is not None:
        text = f"{text} !{priority}"
    return _with_data(text, "|", packet.data) if packet.data else text


def unicode(packet: EapPacket) -> str:
    """Text of a packet in the Unicode form: ``◤SEC::XSS ➔ 📦[#ctx4] ⚡9 ⁝ line=42``."""
    text = f"{UNICODE_SIGNS[packet.direction]}{packet.domain}::{packet.action} ➔ 📦[{packet.target}]"
    if packet.priority is not None:
        text = f"{text} ⚡{packet.priority}"
    return _with_data(text, "⁝", packet.data) if packet.data else text


def _with_data(head: str, bar: str, data: dict[str, Any]) -> str:
    """A head and its data. The commonest types are told apart here: a call less for each pair."""
    parts = [head, bar]
    add = parts.append
    for key, value in data.items():
        kind = type(value)
        if kind is str:
            add(f"{key}={write_string(value)}")
        elif kind is bool:
            add(f"{key}=true" if value else f"{key}=false")
        elif kind is int:
            add(f"{key}={value if -_SMALL < value < _SMALL else write(value)}")
        else:
            add(f"{key}={write(value)}")
    return " ".join(parts)
