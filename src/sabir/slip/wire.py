r"""SLIP v1 as text (seed, section 3.1; slipstream.md, "Wire").

    message = "SLIP" 1*blank "v1" 1*blank src 1*blank dst 1*blank anchor *( 1*blank token )
    token   = JSON string / 1*( character other than SP and TAB )    ; the second does not begin with a quote
    blank   = SP / TAB

src and dst are tokens, too. Written are single spaces, and a token bare where it holds no white space or control. The narrow
profile, held to by `strict`: ids and tokens of ``A-Za-z0-9._-``, or one quoted string as the whole payload.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from sabir.errors import DecodeError, EncodeError, UnknownAnchor, UnsupportedVersion
from sabir.jsontext import MAX_TEXT, quote, read_string, received
from sabir.slip import v3
from sabir.slip.message import SlipMessage, unchecked, unknown_anchor
from sabir.ucr.codebook import Anchor, core

FIELDS: Final = ("SLIP", "the version", "the sender", "the receiver", "the anchor")
_token = re.compile(r"[ \t]*+([^ \t]++)").match
_bare = re.compile(r"(?!\")[^\s\x00-\x1f\x7f-\x9f]++").fullmatch
_narrow = re.compile(r"[A-Za-z0-9._-]+").fullmatch
_prompt = re.compile(r"[>$%#❯»]+[ \t]*(?=slip\b)", re.IGNORECASE).match
_known = core().find
_new = msgspec.StructMeta.__call__  # as `unchecked`, a call less

Token = tuple[str, int, int]
"""A token's text, and where it starts and ends."""


# --- reading ---------------------------------------------------------------------------------------------


def decode(text: str, /, *, strict: bool = False, allow_unknown: bool = False) -> SlipMessage:
    """The message of a text in v1 or v3.

    Args:
        text: one line; outer white space is ignored.
        strict: hold it to the narrow profile.
        allow_unknown: keep an anchor that the codebook lacks.

    Raises:
        DecodeError: with the span at fault.
        UnknownAnchor: with the closest mnemonics.
        UnsupportedVersion: neither v1 nor v3.
    """
    if not strict and type(text) is str and text.isprintable() and '"' not in text and len(text) <= MAX_TEXT:
        # The common case: no quotes, and the only white space is SP, so that a token is what stands between.
        parts = text.split()
        if len(parts) > 4 and parts[0] == "SLIP":
            if parts[1] == "v1":
                anchor = _known(parts[4])
                if anchor is not None:
                    return _new(SlipMessage, parts[2], parts[3], anchor, tuple(parts[5:]))  # type: ignore[no-any-return]
            elif parts[1] == "v3" and (message := v3.read_plain(parts)) is not None:
                return message
    body = received(text, "slip")
    try:
        return _careful(body, strict=strict, allow_unknown=allow_unknown)
    except DecodeError as error:
        error.format = "slip"
        raise error.moved(text, len(text) - len(text.lstrip())) from None


def _careful(body: str, *, strict: bool, allow_unknown: bool) -> SlipMessage:
    for sign in "\n\r":
        if (at := body.find(sign)) >= 0:
            raise DecodeError("a message is one line; inside a string, a line end is \\n", body, (at, at + 1))
    tokens = _tokens(body)
    _head(body, tokens)
    if tokens[1][0] == "v3":
        message = v3.read(body, tokens, allow_unknown=allow_unknown)
    else:
        for at in (2, 3):
            _check_id(body, tokens[at], FIELDS[at])
        anchor = _anchor(body, tokens[4], allow_unknown=allow_unknown)
        payload = tuple([token for token, _, _ in tokens[5:]])
        message = unchecked(tokens[2][0], tokens[3][0], anchor, payload, "v1")
    if strict:
        _hold_to_profile(body, tokens)
    return message


def _tokens(body: str) -> list[Token]:
    found: list[Token] = []
    pos = 0
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


def _head(body: str, tokens: list[Token]) -> None:
    """Refuse what has not all five fields of a message, in its place."""
    first = tokens[0] if tokens else ("", 0, 0)
    if first[0] != "SLIP" or body[first[1]] == '"':
        if found := _prompt(body):
            raise DecodeError("a prompt sign was pasted with the message: leave it out", body, found.span())
        hint = ": write it in capitals" if first[0].upper() == "SLIP" else ""
        raise DecodeError(f"a message begins with SLIP{hint}", body, first[1:])
    if len(tokens) > 1 and tokens[1][0] not in ("v1", "v3"):
        version, start, end = tokens[1]
        reason = f"version {version} is unknown; v1 and v3 are read"
        if re.fullmatch(r"[vV]?[0-9.]+", version):
            raise UnsupportedVersion(reason, body, (start, end), code="unsupported_version")
        raise DecodeError("the version is missing after SLIP: SLIP v1 ...", body, (start, end))
    if len(tokens) < len(FIELDS):
        missing = ", ".join(FIELDS[len(tokens) :])
        reason = f"the text ends too early; missing: {missing} (SLIP v1 sender receiver Anchor payload...)"
        raise DecodeError(reason, body, (max(0, len(body) - 1), len(body)))


def _check_id(body: str, token: Token, noun: str) -> None:
    name, start, end = token
    if not _bare(name.replace('"', "x")):
        raise DecodeError(f"{noun} may not be empty or hold white space or controls", body, (start, end))


def _anchor(body: str, token: Token, *, allow_unknown: bool) -> Anchor:
    name, start, end = token
    anchor = _known(name)
    if anchor is not None and body[start] != '"':
        return anchor
    if allow_unknown:
        try:
            return unknown_anchor(name)
        except EncodeError as error:
            raise DecodeError(error.reason, body, (start, end)) from None
    raise no_anchor(name, body, (start, end))


def no_anchor(name: str, body: str, span: tuple[int, int]) -> UnknownAnchor:
    """The error for a name that the codebook lacks."""
    closest = core().closest(name)
    guess = f"; did you mean {closest[0]}?" if closest else "; see sabir ucr list"
    error = UnknownAnchor(f"unknown anchor {name[:64]}{guess}", body, span, code="decode_failed")
    error.name, error.closest = name, closest
    return error


def _hold_to_profile(body: str, tokens: list[Token]) -> None:
    """Refuse the first token outside of the narrow profile."""
    for at, (token, start, end) in enumerate(tokens):
        quoted = body[start] == '"'
        if at >= len(FIELDS) and quoted and len(tokens) == len(FIELDS) + 1:
            continue
        if quoted or not _narrow(token):
            noun = FIELDS[at] if at < len(FIELDS) else f"payload token {at - len(FIELDS) + 1}"
            reason = f"strict: {noun} is outside of A-Z a-z 0-9 . _ - (one quoted string may be the whole payload)"
            raise DecodeError(reason, body, (start, end))


# --- writing ---------------------------------------------------------------------------------------------


def encode(message: SlipMessage) -> str:
    """Text of a message, in its own version."""
    if message.version != "v1":
        return v3.write(message)
    src, dst, payload = message.src, message.dst, message.payload
    if src[0] == '"' or dst[0] == '"':
        src, dst = token_text(src), token_text(dst)
    head = f"SLIP v1 {src} {dst} {message.anchor.mnemonic}"
    if not payload:
        return head
    joined = " ".join(payload)
    if '"' not in joined and joined.isprintable() and joined.count(" ") == len(payload) - 1 and "" not in payload:
        return f"{head} {joined}"  # no token needs quotes: the only blanks are those just set
    return f"{head} {' '.join([token_text(token) for token in payload])}"


def token_text(token: str) -> str:
    """A token bare where it may be, else as a JSON string literal."""
    return token if _bare(token) else quote(token)
