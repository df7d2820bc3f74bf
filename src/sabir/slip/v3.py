"""SLIP v3, the form that today's peers speak (slipstream.md, "Wire").

    message = "SLIP" "v3" src dst force object *token       ; separated by blanks
    src     = dst = 1*20( A-Z / a-z / 0-9 )
    token   = 1*30( A-Z / a-z / 0-9 )                       ; at most 20
    Fallback Generic takes one token of at most 16, a reference to text that is kept elsewhere

An anchor is a force and an object: ``RequestReview`` is ``Request Review``; ``Accept``, ``Reject`` and
``Fallback`` have the object ``Generic``. What v3 cannot hold is refused when the message is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.errors import DecodeError, EncodeError
from sabir.slip.diagnosis import no_anchor, no_force, too_short
from sabir.slip.limits import (
    FORCES,
    MAX_ID,
    MAX_REFERENCE,
    MAX_TOKENS,
    WORDS,
    check_limits,
    is_plain,
    is_word,
    joined,
    split,
)
from sabir.slip.message import kept_anchor, known_anchor, unchecked
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.errors import Span
    from sabir.slip.message import SlipMessage
    from sabir.ucr.codebook import Codebook

    Token = tuple[str, int, int]

__all__ = ["FORCES", "joined", "quick", "read", "split", "write"]

_HEAD: Final = 6
"""Words of a text before its payload."""
_anchors: Final = {words: core().by_mnemonic(name) for name, words in WORDS.items()}


# --- reading and writing ---------------------------------------------------------------------------------


def quick(text: str, words: list[str]) -> SlipMessage | None:
    """Message of the words of a text, where it plainly is one: the common case."""
    if not _HEAD <= len(words) <= _HEAD + MAX_TOKENS or not is_plain(text):
        return None
    anchor = _anchors.get((words[4], words[5]))
    src, dst = words[2], words[3]
    if anchor is None or len(src) > MAX_ID or len(dst) > MAX_ID:
        return None
    del words[:_HEAD]
    if anchor.mnemonic == "Fallback" and (len(words) != 1 or len(words[0]) > MAX_REFERENCE):
        return None
    return unchecked(src, dst, anchor, tuple(words), "v3", True)


def read(body: str, tokens: list[Token], book: Codebook, *, allow_unknown: bool) -> SlipMessage:
    """Message of the tokens of a v3 text.

    Raises:
        DecodeError: with the span at fault.
    """
    for _, start, end in tokens:
        if body[start] == '"':
            raise DecodeError("v3 has no quoted strings; v1 has", body, (start, end))
    force, start, end = tokens[4]
    if force not in FORCES:
        raise no_force(force, FORCES, split(force) if force in book else None, body, (start, end))
    if len(tokens) < _HEAD:
        raise too_short(body, len(tokens), "v3")
    object, _, end = tokens[5]
    if not is_word(object):
        raise DecodeError("an object is made of A-Z a-z 0-9 alone", body, tokens[5][1:])
    name = joined(force, object)
    anchor = known_anchor(name, book)
    if anchor is None:
        if not allow_unknown:
            raise no_anchor(name, book, body, (start, end), apart=split)
        anchor = kept_anchor(name, book)
    payload = tuple([token for token, _, _ in tokens[_HEAD:]])
    message = unchecked(tokens[2][0], tokens[3][0], anchor, payload, "v3", False)
    try:
        check_limits(message)
    except EncodeError as error:
        raise DecodeError(error.reason, body, _span(body, tokens, error.path)) from None
    return message


def _span(body: str, tokens: list[Token], path: str) -> Span:
    """Span of the field that a path of `check_limits` names."""
    if path == "payload":
        return (tokens[_HEAD][1], len(body)) if len(tokens) > _HEAD else (len(body) - 1, len(body))
    place = {"src": 2, "dst": 3}.get(path)
    if place is None:
        place = _HEAD + int(path.removeprefix("payload[").removesuffix("]"))
    return tokens[place][1:]


def write(message: SlipMessage) -> str:
    """Text of a v3 message."""
    words = WORDS.get(message.anchor.mnemonic) or split(message.anchor.mnemonic)
    assert words is not None  # noqa: S101  # the constructor has checked it
    return " ".join(("SLIP v3", message.src, message.dst, *words, *message.payload))
