"""What a packet or a tape says, in one line for a person, in English or Japanese; all words are data.

A code that the data lack stands for itself. Text from a message appears with its invisible characters
escaped, so that the line stays one.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from sabir.eap import values
from sabir.eap.packet import EapPacket
from sabir.errors import printable

if TYPE_CHECKING:
    from sabir.eap.ait import AitTape
    from sabir.eap.dictionary import AitDictionary

_context: Final = re.compile(r"#ctx(-?)(\d+)", re.ASCII).fullmatch
_UNTARGETED: Final = "#-"


def explain(packet: EapPacket, lang: str) -> str:
    """One sentence for a packet; ``lang`` is ``en`` or ``ja``.

    ``<SEC:VUL #ctx4 | line=42 fixed=false`` is
    "Response, security: vulnerable, context 4; line 42, not fixed."
    """
    phrases = _words(lang, "phrases")
    pairs = [_pair(key, value, phrases) for key, value in packet.data.items()]
    frame = phrases["untargeted" if packet.target == _UNTARGETED else "sentence"]
    return frame.format(
        direction=_words(lang, "directions")[packet.direction],
        domain=_words(lang, "domains").get(packet.domain, packet.domain),
        action=_words(lang, "actions").get(packet.action, packet.action),
        target=_target(packet.target, lang),
        priority=phrases["priority"].format(packet.priority) if packet.priority else "",
        data=phrases["data"].format(phrases["between"].join(pairs)) if pairs else "",
    )


def explain_tape(tape: AitTape, lang: str, dictionary: AitDictionary) -> str:
    """One line for a tape: a sentence for each packet, in their order."""
    return _words(lang, "phrases")["then"].join(
        explain(
            EapPacket(
                "request",
                dictionary.domains.of_value(packet.domain).eap,
                dictionary.actions.of_value(packet.action).eap,
                f"#ctx{packet.target}",
                packet.priority,
            ),
            lang,
        )
        for packet in tape.packets
    )


@cache
def _words(lang: str, table: str) -> dict[str, str]:
    """Words of one table in one language, by code."""
    return {code: names[lang] for code, names in _names()[table].items()}


@cache
def _names() -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = json.loads(
        resources.files("sabir.data").joinpath("eap-names.json").read_text("utf-8")
    )
    return found


def _target(target: str, lang: str) -> str:
    numbered = _context(target)
    if numbered:
        return _words(lang, "phrases")["ago" if numbered[1] else "context"].format(numbered[2])
    return _words(lang, "targets").get(target[1:]) or printable(target)


def _pair(key: str, value: Any, phrases: dict[str, str]) -> str:
    text = values.write(value)
    if type(value) is str:
        shown = value if value.isprintable() and value else text
        return phrases["pair"].format(key=printable(key), value=shown)
    return phrases.get(text, phrases["pair"]).format(key=printable(key), value=text)
