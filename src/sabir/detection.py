"""Which format a text is in, without being told and without guessing (design, "Public API").

Each format has a marker, a cheap pattern that its texts must begin with. The formats whose marker fits really read the
text; one success is the answer, two are an error that names both.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

from sabir.errors import DecodeError
from sabir.jsontext import received
from sabir.kinds import Format
from sabir.registry import FORMATS, READABLE, named

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook


class Ambiguous(DecodeError):
    """A text that more than one format reads."""


def candidates(text: str) -> list[Format[Any]]:
    """Formats whose marker fits the beginning of a text."""
    stripped = received(text, "detection")
    return [format for format in READABLE if format.marker.match(stripped)]


def read(
    text: str,
    format: str | None = None,
    *,
    strict: bool = False,
    allow_unknown: bool = False,
    codebook: Codebook | None = None,
) -> tuple[Format[Any], Any]:
    """The format named, or without a name the only one that reads a text, and the message.

    Raises:
        DecodeError: no format reads it (the error of the one that came closest), or more than one does.
        EncodeError: messages cannot be read with that codebook.
    """

    def reading(known: Format[Any]) -> Any:
        return known.under(codebook).decode(text, strict=strict, allow_unknown=allow_unknown)

    return _only(text, format, reading)


def read_all(
    text: str, format: str | None = None, *, codebook: Codebook | None = None
) -> tuple[Format[Any], list[Any]]:
    """As `read`, for a text that may hold several messages where its format has a way to say so."""
    return _only(text, format, lambda known: _several(known.under(codebook), text))


def _several(format: Format[Any], text: str) -> list[Any]:
    return format.decode_all(text) if format.read_all else [format.decode(text)]


def _only(text: str, name: str | None, reading: Any) -> tuple[Format[Any], Any]:
    if name is not None:
        known = named(name, text)
        return known, reading(known)
    found: list[tuple[Format[Any], Any]] = []
    failed: list[DecodeError] = []
    for format in candidates(text):
        try:
            found.append((format, reading(format)))
        except DecodeError as error:
            failed.append(error)
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(format.name for format, _ in found)
        raise Ambiguous(f"this text reads as {names}: name the format", text)
    if failed:
        raise max(failed, key=lambda error: error.span[0])
    raise _closest(text, reading)


def _closest(text: str, reading: Any) -> DecodeError:
    """What to say of a text that has no format's marker: the error of the one it was most likely meant for."""
    stripped = text.strip()
    if not stripped:
        return DecodeError("the text is empty", text)
    meant = [format for format in READABLE if _loosened(format.marker.pattern).match(stripped)]
    errors: list[DecodeError] = []
    for format in meant or READABLE:
        try:
            reading(format)
        except DecodeError as error:
            errors.append(error)
    best = max(errors, key=lambda error: error.span[0])
    if meant:
        return best
    if best.span[0] == 0:
        names = ", ".join(format.name for format in FORMATS if format.read)
        return DecodeError(f"no format reads this text (tried: {names})", text)
    best.reason = f"no format reads this text; {best.format} came closest: {best.reason}"
    best.format = None
    return best


@functools.cache
def _loosened(marker: str) -> re.Pattern[str]:
    """A marker whatever its case and after a pasted prompt sign: what a slip makes of it."""
    return re.compile(rf"(?:[>$%#❯»]+\s+)?(?:{marker})", re.IGNORECASE)
