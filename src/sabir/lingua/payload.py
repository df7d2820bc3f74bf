r"""Payloads of Agent Lingua, read and written (seed, "Payload Encoding"; agent-lingua.md, "Message grammar").

    payload   = base64 / "j:" base64 / "z:" base64 / "r:" raw / "e:" sealed
    base64    = *( A-Z a-z 0-9 "+" "/" ) [ padding ]     ; read too: "-" and "_" for "+" and "/", no padding
    raw       = *( escape / character other than "|", LF and CR )
    escape    = "%7C" / "%3B" / "%0A" / "%0D" / "%25"    ; any other "%" stands for itself
    sealed    = base64 ":" base64                        ; nonce, ciphertext and tag; kept as it is

Nothing inside is trusted: what is no base64, no UTF-8, no JSON or too large is an error at its place.
"""

from __future__ import annotations

import base64
import re
import zlib
from copy import deepcopy
from typing import Any, Final, Literal, get_args

import msgspec

from sabir.errors import DecodeError, EncodeError, Span, shown
from sabir.jsontext import MAX_VALUE_DEPTH, check_text, check_value, dumps, loads

Encoding = Literal["text", "json", "zlib", "raw", "encrypted"]

ENCODINGS: Final[tuple[Encoding, ...]] = get_args(Encoding)
PREFIXES: Final[dict[Encoding, str]] = {"text": "", "json": "j:", "zlib": "z:", "raw": "r:", "encrypted": "e:"}
MAX_INFLATED: Final = 1024 * 1024
"""Most bytes of text that a compressed payload may hold."""
MAX_PAYLOAD_DEPTH: Final = MAX_VALUE_DEPTH + 8
"""Deepest nesting of a JSON payload: a whole IR, with the deepest values it may hold, fits into one."""
ESCAPES: Final = {"|": "%7C", ";": "%3B", "\n": "%0A", "\r": "%0D", "%": "%25"}
"""How raw text spells what has a meaning in a message."""

_UNESCAPED: Final = {escape: char for char, escape in ESCAPES.items()}
_special = re.compile(r"[|;\n\r%]").sub
_escape = re.compile("|".join(ESCAPES.values())).sub
_is_base64 = re.compile(r"[A-Za-z0-9+/_-]*+={0,2}").fullmatch
_bad_base64 = re.compile(r"[A-Za-z0-9+/_-]*+=?(?:=(?=\Z))?").match
_is_sealed = re.compile(r"[A-Za-z0-9+/_-]++={0,2}:[A-Za-z0-9+/_-]++={0,2}").fullmatch
_STANDARD: Final = str.maketrans("-_", "+/")


class Payload(msgspec.Struct, frozen=True, eq=False):
    """What a message carries. Immutable; a JSON value is its own copy, not to be changed.

    Two payloads are equal if they are to the letter: 1, 1.0 and true differ, and so do keys in another order.

    Attributes:
        encoding: ``text``, ``json``, ``zlib`` (compressed text), ``raw`` (text for debugging) or ``encrypted``.
        value: text; for ``json`` any JSON value; for ``encrypted`` nonce and ciphertext in base64, with ``:`` between.

    Raises:
        EncodeError: from the constructor.
    """

    encoding: Encoding
    value: Any

    def __post_init__(self) -> None:
        if self.encoding not in ENCODINGS:
            raise EncodeError(f"must be {', '.join(ENCODINGS)}, not {shown(self.encoding)}", "encoding")
        if self.encoding == "json":
            check_value(self.value, "value", depth=MAX_PAYLOAD_DEPTH)
            if type(self.value) in (dict, list):
                msgspec.structs.force_setattr(self, "value", deepcopy(self.value))
            return
        check_text(self.value, "value")
        if self.encoding == "encrypted" and not _is_sealed(self.value):
            raise EncodeError("must be two pieces of base64 with : between, nonce and ciphertext", "value")
        if self.encoding == "zlib" and len(self.value.encode()) > MAX_INFLATED:
            raise EncodeError(f"compressed text of more than {MAX_INFLATED} bytes", "value")

    def __eq__(self, other: object) -> bool:
        if type(other) is not Payload:
            return NotImplemented
        return self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other  # a struct's own != is by identity

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, str]:
        return self.encoding, dumps(self.value) if self.encoding == "json" else self.value


def read(text: str, start: int, end: int, *, max_inflated: int = MAX_INFLATED) -> Payload:
    """Payload of a piece of a text, what stands after ``$``.

    Raises:
        DecodeError: with a span in ``text``.
    """
    prefix = text[start : start + 2]
    encoding: Encoding = next((name for name, sign in PREFIXES.items() if sign == prefix and sign), "text")
    inner = start + len(PREFIXES[encoding])
    piece = text[inner:end]
    if encoding == "text" and prefix[1:] == ":":
        known = ", ".join(sign for sign in PREFIXES.values() if sign)
        raise DecodeError(f'no payload prefix "{prefix}" (there are: {known}, none for base64 text)', text, (start, start + 2))
    if encoding == "raw":
        return Payload("raw", unescape(piece))
    if encoding == "encrypted":
        if not _is_sealed(piece):
            raise DecodeError("an encrypted payload is nonce and ciphertext in base64, with : between", text, (inner, end))
        return Payload("encrypted", piece)
    data = _bytes(piece, text, (inner, end))
    if encoding == "zlib":
        data = _inflated(data, max_inflated, text, (inner, end))
    content = _utf8(data, text, (inner, end))
    return Payload(encoding, content) if encoding != "json" else _json(content, text, (inner, end))


def write(payload: Payload) -> str:
    """Text of a payload, as it stands after ``$``."""
    encoding, value = payload.encoding, payload.value
    prefix = PREFIXES[encoding]
    if encoding == "raw":
        return prefix + escape(value)
    if encoding == "encrypted":
        return f"{prefix}{value}"
    data: bytes = (dumps(value) if encoding == "json" else value).encode()
    if encoding == "zlib":
        data = zlib.compress(data, 9)
    return prefix + base64.b64encode(data).decode()


def escape(text: str) -> str:
    """Raw text with the five escapes."""
    return _special(lambda match: ESCAPES[match[0]], text)


def unescape(text: str) -> str:
    """What raw text with escapes stands for."""
    return _escape(lambda match: _UNESCAPED[match[0]], text)


# --- inside ----------------------------------------------------------------------------------------------


def _bytes(piece: str, text: str, span: Span) -> bytes:
    if not _is_base64(piece):
        match = _bad_base64(piece)
        at = span[0] + (match.end() if match else 0)
        raise DecodeError("no base64: it has A-Z a-z 0-9 + / and = at the end alone", text, (at, at + 1))
    digits = piece.rstrip("=").translate(_STANDARD)
    padding = -len(digits) % 4
    if padding == 3:
        raise DecodeError("base64 that lost its end: no text has this length", text, span)
    if (given := len(piece) - len(digits)) and given != padding:
        raise DecodeError(f"base64 of this length ends in {'=' * padding or 'no ='}", text, (span[1] - given, span[1]))
    data = base64.b64decode(digits + "=" * padding)
    if base64.b64encode(data).decode().rstrip("=") != digits:
        raise DecodeError("base64 whose last character stands for no byte in full", text, (span[1] - given - 1, span[1]))
    return data


def _inflated(data: bytes, limit: int, text: str, span: Span) -> bytes:
    machine = zlib.decompressobj()
    try:
        found = machine.decompress(data, limit + 1)
    except zlib.error:
        raise DecodeError("no zlib data inside the base64", text, span) from None
    if len(found) > limit:
        raise DecodeError(f"a compressed payload of more than {limit} bytes", text, span)
    if not machine.eof:
        raise DecodeError("zlib data that lost its end", text, span)
    if machine.unused_data:
        raise DecodeError("something stands after the zlib data inside the base64", text, span)
    return found


def _utf8(data: bytes, text: str, span: Span) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        reason = f"no UTF-8 text inside: byte 0x{data[error.start]:02x} at position {error.start}"
        raise DecodeError(reason, text, span) from None


def _json(content: str, text: str, span: Span) -> Payload:
    try:
        return Payload("json", loads(content))
    except DecodeError as error:
        reason = f"inside the base64, at character {error.span[0]}: {error.reason}"
    except EncodeError as error:
        reason = f"inside the base64: {error}"
    raise DecodeError(reason, text, span)
