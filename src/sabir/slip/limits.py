"""What v3 can say: anchors as force and object, and how much of everything (slipstream.md, "Wire")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.errors import EncodeError
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.slip.message import SlipMessage

FORCES: Final = (
    "Observe", "Inform", "Ask", "Request", "Propose", "Commit",
    "Eval", "Meta", "Accept", "Reject", "Error", "Fallback",
)  # fmt: skip
GENERIC: Final = "Generic"
ALONE: Final = frozenset({"Accept", "Reject", "Fallback"})
"""Forces that are an anchor by themselves."""
MAX_ID: Final = 20
MAX_TOKENS: Final = 20
MAX_TOKEN: Final = 30
MAX_REFERENCE: Final = 16

is_word: Final = re.compile(r"[A-Za-z0-9]+").fullmatch
_force = re.compile(f"({'|'.join(FORCES)})([A-Za-z0-9]+)").fullmatch
is_plain: Final = re.compile(rf"(?:[A-Za-z0-9]{{1,{MAX_TOKEN}}}+(?: |\Z))++").fullmatch


def split(mnemonic: str) -> tuple[str, str] | None:
    """Force and object of an anchor; None where v3 has no words for it (``Defer``)."""
    if mnemonic in ALONE:
        return mnemonic, GENERIC
    found = _force(mnemonic)
    if found is None or (found[1] in ALONE and found[2] == GENERIC):
        return None
    return found[1], found[2]


def joined(force: str, object: str) -> str:
    """Mnemonic of a force and an object."""
    return force if object == GENERIC and force in ALONE else force + object


WORDS: Final = {anchor.mnemonic: words for anchor in core() if (words := split(anchor.mnemonic))}
"""Force and object of each core anchor that v3 can say."""


def check_limits(message: SlipMessage) -> None:
    """Refuse what v3 cannot hold.

    Raises:
        EncodeError: with the path and the limit.
    """
    mnemonic, src, dst, payload = message.anchor.mnemonic, message.src, message.dst, message.payload
    if mnemonic not in WORDS and split(mnemonic) is None:
        raise EncodeError(f"{mnemonic} has no force and object in v3", "anchor")
    if message._bare and mnemonic != "Fallback":  # noqa: SLF001  # each token is a word of the line, then
        line = " ".join((src, dst, *payload))
        if len(payload) <= MAX_TOKENS and len(src) <= MAX_ID and len(dst) <= MAX_ID and is_plain(line):
            return  # the common case; what follows finds a fault and its place
    for name, value in (("src", src), ("dst", dst)):
        if reason := _fault(value, MAX_ID):
            raise EncodeError(f"in v3 an agent's name {reason}", name)
    if mnemonic == "Fallback":
        if len(payload) != 1:
            reason = f"in v3 Fallback takes one token, a reference to the text, not {len(payload)}"
            raise EncodeError(reason, "payload")
        if reason := _fault(payload[0], MAX_REFERENCE):
            raise EncodeError(f"in v3 the reference of Fallback {reason}", "payload[0]")
        return
    if len(payload) > MAX_TOKENS:
        raise EncodeError(f"v3 takes at most {MAX_TOKENS} tokens, not {len(payload)}", "payload")
    for place, token in enumerate(payload):
        if reason := _fault(token, MAX_TOKEN):
            raise EncodeError(f"in v3 a token {reason}", f"payload[{place}]")


def _fault(text: str, most: int) -> str:
    if not is_word(text):
        return "is made of A-Z a-z 0-9 alone"
    return f"has at most {most} characters, not {len(text)}" if len(text) > most else ""
