"""SLIP v3, the form that today's peers speak (slipstream.md, "Wire").

    message = "SLIP" "v3" src dst force object *token       ; separated by blanks
    src     = dst = 1*20( A-Z / a-z / 0-9 )
    token   = 1*30( A-Z / a-z / 0-9 )                       ; at most 20
    Fallback Generic takes one token of at most 16, a reference to text that is kept elsewhere

An anchor is a force and an object: ``RequestReview`` is ``Request Review``; ``Accept``, ``Reject`` and ``Fallback`` have the
object ``Generic``. What v3 cannot hold is refused when the message is made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.errors import DecodeError, EncodeError
from sabir.slip.message import SlipMessage, unchecked, unknown_anchor
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.ucr.codebook import Anchor

    Token = tuple[str, int, int]

FORCES: Final = (
    "Observe", "Inform", "Ask", "Request", "Propose", "Commit", "Eval", "Meta", "Accept", "Reject", "Error", "Fallback",
)  # fmt: skip
GENERIC: Final = "Generic"
ALONE: Final = frozenset({"Accept", "Reject", "Fallback"})
"""Forces that are an anchor by themselves."""
MAX_ID: Final = 20
MAX_TOKENS: Final = 20
MAX_TOKEN: Final = 30
MAX_REFERENCE: Final = 16

_known = core().find
_alnum = re.compile(r"[A-Za-z0-9]+").fullmatch
_force = re.compile(f"({'|'.join(FORCES)})([A-Za-z0-9]*)").fullmatch


def split(anchor: Anchor) -> tuple[str, str] | None:
    """Force and object of an anchor; None where v3 has no words for it (``Defer``)."""
    if anchor.mnemonic in ALONE:
        return anchor.mnemonic, GENERIC
    found = _force(anchor.mnemonic)
    return (found[1], found[2]) if found and found[2] else None


def joined(force: str, object: str) -> str:
    """Mnemonic of a force and an object."""
    return force if object == GENERIC and force in ALONE else force + object


def check_limits(message: SlipMessage) -> None:
    """Refuse a message that v3 cannot hold.

    Raises:
        EncodeError: with the path and the limit.
    """
    if split(message.anchor) is None:
        raise EncodeError(f"{message.anchor.mnemonic} has no force and object in v3", "anchor")
    for name, value in (("src", message.src), ("dst", message.dst)):
        if reason := _fault(value, MAX_ID):
            raise EncodeError(f"in v3 an id {reason}", name)
    if message.anchor.mnemonic == "Fallback":
        if len(message.payload) != 1 or _fault(message.payload[0], MAX_REFERENCE):
            reason = f"in v3 Fallback takes one reference of at most {MAX_REFERENCE} alphanumerics"
            raise EncodeError(reason, "payload")
        return
    if len(message.payload) > MAX_TOKENS:
        raise EncodeError(f"v3 takes at most {MAX_TOKENS} tokens, not {len(message.payload)}", "payload")
    for place, token in enumerate(message.payload):
        if reason := _fault(token, MAX_TOKEN):
            raise EncodeError(f"in v3 a token {reason}", f"payload[{place}]")


def _fault(text: str, most: int) -> str:
    if not _alnum(text):
        return "is made of A-Z a-z 0-9 alone"
    return f"has at most {most} characters, not {len(text)}" if len(text) > most else ""


def read_plain(parts: list[str]) -> SlipMessage | None:
    """Message of the words of a v3 text if all is in order; else None, and `read` says what is not."""
    if len(parts) < 6 or not _all_alnum("".join(parts[2:])):
        return None
    anchor = _known(joined(parts[4], parts[5]))
    payload = tuple(parts[6:])
    if anchor is None or anchor.mnemonic == "Fallback" or parts[4] not in FORCES:
        return None
    if len(parts[2]) > MAX_ID or len(parts[3]) > MAX_ID or len(payload) > MAX_TOKENS:
        return None
    if payload and max(map(len, payload)) > MAX_TOKEN:
        return None
    return unchecked(parts[2], parts[3], anchor, payload, "v3")


def _all_alnum(text: str) -> bool:
    return text.isascii() and text.isalnum()


def read(body: str, tokens: list[Token], *, allow_unknown: bool) -> SlipMessage:
    """Message of the tokens of a v3 text.

    Raises:
        DecodeError: with the span at fault.
    """
    from sabir.slip.wire import no_anchor  # noqa: PLC0415  # wire builds on this module

    if len(tokens) < 6:
        reason = "the text ends too early; a v3 message needs a force and an object, such as Request Review"
        raise DecodeError(reason, body, (len(body) - 1, len(body)))
    force, start, _ = tokens[4]
    object, _, end = tokens[5]
    if force not in FORCES:
        reason = f"{force} is no force (there are: {', '.join(FORCES)})"
        raise DecodeError(reason, body, tokens[4][1:], code="decode_failed")
    anchor = core().find(joined(force, object))
    if anchor is None:
        if not (allow_unknown and _alnum(object)):
            raise no_anchor(joined(force, object), body, (start, end))
        anchor = unknown_anchor(joined(force, object))
    message = unchecked(tokens[2][0], tokens[3][0], anchor, tuple([token for token, _, _ in tokens[6:]]), "v3")
    try:
        check_limits(message)
    except EncodeError as error:
        raise DecodeError(error.reason, body, _span(tokens, error.path)) from None
    return message


def _span(tokens: list[Token], path: str) -> tuple[int, int]:
    """Span of the field that a path of `check_limits` names."""
    place = {"src": 2, "dst": 3, "payload": -1}.get(path)
    if place is None:
        place = 6 + int(path.removeprefix("payload[").removesuffix("]"))
    return tokens[place][1:]


def write(message: SlipMessage) -> str:
    """Text of a v3 message."""
    words = split(message.anchor)
    assert words is not None  # noqa: S101  # the constructor has checked it
    return " ".join(("SLIP v3", message.src, message.dst, *words, *message.payload))
