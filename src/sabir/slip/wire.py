r"""SLIP v1 as text (seed, section 3.1; slipstream.md, "Wire").

    message = "SLIP" 1*blank "v1" 1*blank src 1*blank dst 1*blank anchor *( 1*blank token )
    src     = dst = anchor = token        ; whose content is not empty and holds no white space or control
    token   = JSON string                 ; a token that begins with a quote
            / 1*( character other than SP, TAB, CR and LF )
    blank   = SP / TAB

Written are single spaces, and a token bare where it would be read unchanged and holds no white space or
control. The narrow profile, held to by ``strict``: ids and payload tokens of ``A-Za-z0-9._-``, an anchor of
``A-Za-z0-9``; one quoted string may be the whole payload.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.codebooks import in_force
from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import MAX_TEXT, quote, read_string, received
from sabir.slip import diagnosis, v3
from sabir.slip.diagnosis import FIELDS
from sabir.slip.message import NAME_RULE, SlipMessage, is_name, kept_anchor, known_anchor, unchecked
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook

_HEAD: Final = len(FIELDS)
"""Tokens of a text before its payload."""
_token = re.compile(r"[ \t]*+([^ \t]++)").match
_bare = re.compile(r"(?!\")[^\s\x00-\x1f\x7f-\x9f]++").fullmatch
_narrow = re.compile(r"[A-Za-z0-9._-]+").fullmatch
_known = core().find

Token = tuple[str, int, int]
"""A token's content, and where the token starts and ends."""


# --- reading ---------------------------------------------------------------------------------------------


def decode(
    text: str, /, *, strict: bool = False, allow_unknown: bool = False, codebook: Codebook | None = None
) -> SlipMessage:
    """The message of a text in v1 or v3.

    Args:
        text: one line; outer white space is ignored.
        strict: hold it to the narrow profile.
        allow_unknown: keep an anchor that the codebook lacks or has retired.
        codebook: look for anchors that the core lacks in this one.

    Raises:
        DecodeError: with the span at fault.
        UnknownAnchor: with the closest mnemonics.
        UnsupportedVersion: neither v1 nor v3.
        EncodeError: messages cannot be read with that codebook.
    """
    if codebook is not None:
        in_force(codebook)
    # The common case. In printable text the only white space is SP, so each token is what stands between.
    if text.__class__ is str and not strict and text.isprintable() and len(text) <= MAX_TEXT:
        if '"' in text:
            message = _quoted(text, codebook)
            if message is not None:
                return message
        else:
            words = text.split()
            if len(words) >= _HEAD and words[0] == "SLIP":
                if words[1] == "v1":
                    anchor = _known(words[4])
                    if anchor is None and codebook is not None:
                        anchor = codebook.find(words[4])
                    if anchor is not None:
                        src, dst = words[2], words[3]
                        del words[:_HEAD]
                        return unchecked(src, dst, anchor, tuple(words), "v1", True)
                elif words[1] == "v3" and (message := v3.quick(text, words)) is not None:
                    return message
    return _careful(text, codebook or core(), strict=strict, allow_unknown=allow_unknown)


def _quoted(text: str, codebook: Codebook | None) -> SlipMessage | None:
    """Message of a printable text with a quote, where it plainly is one with quotes in its payload alone."""
    at = text.index('"')
    words = text[:at].split()
    if text[at - 1] != " " or len(words) < _HEAD or words[0] != "SLIP" or words[1] != "v1":
        return None
    anchor = _known(words[4])
    if anchor is None and codebook is not None:
        anchor = codebook.find(words[4])
    if anchor is None:
        return None
    try:
        tokens = _tokens(text.rstrip(), at)
    except DecodeError:
        return None  # the careful way finds its place
    payload = (*words[_HEAD:], *[token for token, _, _ in tokens])
    return unchecked(words[2], words[3], anchor, payload, "v1", False)


def _careful(text: str, book: Codebook, *, strict: bool, allow_unknown: bool) -> SlipMessage:
    body = received(text, "slip")
    try:
        tokens = _tokens(_one_line(body), 0)
        if (fault := diagnosis.head(body, tokens)) is not None:
            raise fault
        reader = v3.read if tokens[1][0] == "v3" else _read
        message = reader(body, tokens, book, allow_unknown=allow_unknown)
        if strict:
            _hold_to_profile(body, tokens)
    except DecodeError as error:
        error.format = "slip"
        raise error.moved(text, len(text) - len(text.lstrip())) from None
    return message


def _one_line(body: str) -> str:
    for sign in "\n\r":
        if (at := body.find(sign)) >= 0:
            reason = "a message is one line; inside a string, a line end is \\n"
            raise DecodeError(reason, body, (at, at + 1))
    return body


def _tokens(body: str, pos: int) -> list[Token]:
    """Tokens of a text from a position on."""
    found: list[Token] = []
    while match := _token(body, pos):
        start, pos = match.span(1)
        if body[start] != '"':
            found.append((match[1], start, pos))
            continue
        value, pos = read_string(body, start)
        if pos < len(body) and body[pos] not in " \t":
            reason = 'a blank must follow the closing quote; a " inside a string is written \\"'
            raise DecodeError(reason, body, (pos, pos + 1))
        found.append((value, start, pos))
    return found


def _read(body: str, tokens: list[Token], book: Codebook, *, allow_unknown: bool) -> SlipMessage:
    """Message of the tokens of a v1 text."""
    for at in (2, 3):
        name, start, end = tokens[at]
        if not is_name(name):
            raise DecodeError(f"{FIELDS[at]} {NAME_RULE}", body, (start, end))
    name, start, end = tokens[4]
    anchor = known_anchor(name, book)
    if anchor is None:
        if not allow_unknown:
            after = tokens[_HEAD][0] if len(tokens) > _HEAD else ""
            before = tokens[_HEAD - 2][0]
            raise diagnosis.no_anchor(name, book, body, (start, end), before=before, after=after)
        try:
            anchor = kept_anchor(name, book)
        except EncodeError as error:
            raise DecodeError(error.reason, body, (start, end)) from None
    payload = tuple([token for token, _, _ in tokens[_HEAD:]])
    return unchecked(tokens[2][0], tokens[3][0], anchor, payload, "v1", False)


def _hold_to_profile(body: str, tokens: list[Token]) -> None:
    """Refuse the first token outside of the narrow profile."""
    for at, (token, start, end) in enumerate(tokens):
        quoted = body[start] == '"'
        if quoted and at == _HEAD == len(tokens) - 1:
            continue
        if quoted or not _narrow(token) or (at == _HEAD - 1 and not token.isalnum()):
            noun = FIELDS[at] if at < _HEAD else f"payload token {at - _HEAD + 1}"
            allowed = "A-Z a-z 0-9" if at == _HEAD - 1 else "A-Z a-z 0-9 . _ -"
            aside = " (one quoted string may be the whole payload)" if at >= _HEAD else ""
            raise DecodeError(f"strict: {noun} may hold {allowed} alone{aside}", body, (start, end))


# --- writing ---------------------------------------------------------------------------------------------


def encode(message: SlipMessage) -> str:
    """Text of a message, in its own version."""
    if message.version != "v1":
        return v3.write(message)
    payload = message.payload
    head = f"{message.src} {message.dst} {message.anchor.mnemonic}"
    if not message._bare:  # noqa: SLF001  # the constructor's or the decoder's word to this function alone
        payload = tuple([token_text(token) for token in payload])
        if '"' in head:  # else nothing in it needs quotes: names hold no white space or controls
            names = (message.src, message.dst, message.anchor.mnemonic)
            head = " ".join([token_text(name) for name in names])
    return f"SLIP v1 {head} {' '.join(payload)}" if payload else f"SLIP v1 {head}"


def token_text(token: str) -> str:
    """A token bare where it may be, else as a JSON string literal."""
    return token if _bare(token) else quote(token)
