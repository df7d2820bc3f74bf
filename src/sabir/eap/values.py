r"""Data values of EAP, read and written (eap.md, "values").

    value  = "true" / "false" / "null" / number / string / json / single / word
    number = JSON integer or float literal
    string = JSON string literal
    json   = JSON object or array
    single = "'" *( character other than "'", "\" and controls / JSON escape / "\'" ) "'"
    word   = 1*( character other than white space, controls, '"' "'" "|" "⁝" )   ; a string

Written are all but the single-quoted, and of words the narrow ones alone: ``A-Za-z0-9_.:/#-`` that read as no
other type. So every value keeps its type.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import (
    MAX_INT_DIGITS,
    MAX_VALUE_DEPTH,
    UNREADABLE,
    check_text,
    check_value,
    dumps,
    quote,
    read_string,
    read_value,
)

MAX_DATA_DEPTH: Final = MAX_VALUE_DEPTH + 8
"""Deepest nesting of a data value: a whole IR, with the deepest values it may hold, fits into one."""
NARROW: Final = r"[A-Za-z0-9_.:/#-]++"
"""Pattern of the words that are written bare."""
CONSTANTS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_TYPED: Final = "-0123456789tfn"
"""Characters with which a number or a constant may start."""

_is_number = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?").fullmatch
_is_integer = re.compile(r"-?(?:0|[1-9][0-9]*+)").fullmatch
_word = re.compile(r"[^\s\x00-\x1f\"'|⁝]++").match
_is_narrow = re.compile(NARROW).fullmatch
_plain = re.compile(rf"({NARROW})|[ !#-\[\]-~]*+").fullmatch  # a narrow word, or what needs quotes and no escapes
_single = re.compile(r"'((?:[^'\\\x00-\x1f]|\\[\s\S])*+)'").match
_raw_control = re.compile(r"(?:[^'\\\x00-\x1f]|\\[^\x00-\x1f])*+\\?([\x00-\x1f])").match
_ESCAPE = re.compile(r"\\(?P<good>'|[\"\\/bfnrt]|u[0-9a-fA-F]{4})?|(?P<double>\")")
_SMART: Final = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"}


# --- reading ---------------------------------------------------------------------------------------------


def read(text: str, pos: int, *, strict: bool = False) -> tuple[Any, int]:
    """Data value at ``pos`` and the position after it; ``strict`` refuses a word that is not narrow.

    Raises:
        DecodeError: with the span at fault.
    """
    first = text[pos : pos + 1]
    if first == '"':
        return read_string(text, pos)
    if first == "'":
        return _read_single(text, pos)
    if first in ("{", "["):
        return _read_json(text, pos)
    if first in _SMART:
        reason = f"{first} is a typographic quote; a value is quoted with {_SMART[first]}"
        raise DecodeError(reason, text, (pos, pos + 1))
    found = _word(text, pos)
    if found is None:
        reason = 'no value after the =; an empty string is ""'
        if first.strip(" \t\r\n"):
            reason = "a value that starts so is quoted"
        raise DecodeError(reason, text, (pos, pos + 1))
    if strict and not _is_narrow(found[0]) and not _is_number(found[0]):
        reason = "a bare word is made of A-Z a-z 0-9 _ . : / # - alone: quote it"
        raise DecodeError(reason, text, found.span())
    return meaning(found[0], text, pos), found.end()


def meaning(word: str, text: str, pos: int) -> Any:
    """Value of the bare ``word`` at ``pos``: a constant, a number, else the string itself.

    Raises:
        DecodeError: a number beyond the range of a float or of more than `MAX_INT_DIGITS` digits.
    """
    if word in CONSTANTS:
        return CONSTANTS[word]
    if word[0] not in "-0123456789" or not _is_number(word):
        return word
    span = pos, pos + len(word)
    if not _is_integer(word):
        number = float(word)
        if math.isinf(number):
            raise DecodeError("a number beyond the range of a float: quote it", text, span)
        return number
    if len(word) > MAX_INT_DIGITS + (word[0] == "-"):
        raise DecodeError(f"an integer of more than {MAX_INT_DIGITS} digits: quote it", text, span)
    try:
        return int(word)
    except ValueError:  # the interpreter's own limit may be lower
        raise DecodeError(f"an {UNREADABLE}: quote it", text, span) from None


def _read_json(text: str, pos: int) -> tuple[Any, int]:
    value, end = read_value(text, pos)
    try:
        check_value(value, depth=MAX_DATA_DEPTH)
    except EncodeError as error:
        raise DecodeError(f"JSON {error.reason}", text, (pos, end)) from None
    return value, end


def _read_single(text: str, pos: int) -> tuple[str, int]:
    """Single-quoted string, read as the JSON string literal that says the same."""
    found = _single(text, pos)
    if found is None:
        raise DecodeError(*_unclosed(text, pos))
    inner = found[1]
    if '"' not in inner and "\\" not in inner:
        return inner, found.end()
    for escape in _ESCAPE.finditer(inner):
        if escape["good"] is None and escape["double"] is None:
            at = found.start(1) + escape.start()
            raise DecodeError("bad escape in a quoted string", text, (at, at + 2))
    literal = '"' + _ESCAPE.sub(_as_double, inner) + '"'
    try:
        return read_string(literal, 0)[0], found.end()
    except DecodeError as error:
        raise DecodeError(error.reason, text, found.span()) from None


def _as_double(escape: re.Match[str]) -> str:
    return "'" if escape["good"] == "'" else '\\"' if escape["double"] else escape[0]


def _unclosed(text: str, pos: int) -> tuple[str, str, tuple[int, int]]:
    """Why the single quote at ``pos`` opens no string."""
    control = _raw_control(text, pos + 1)
    if control:
        return "a control character inside a quoted string must be escaped", text, control.span(1)
    return "no closing quote: this ' opens a string", text, (pos, pos + 1)


# --- writing ---------------------------------------------------------------------------------------------


def write(value: Any) -> str:
    """Text of a value that `check` accepts; equal texts are equal values, in types and orders too."""
    kind = type(value)
    if kind is str:
        return write_string(value)
    if kind is bool:
        return "true" if value else "false"
    return dumps(value)


def write_string(value: str) -> str:
    """Text of a string: bare if it is a narrow word that reads as nothing else, else quoted."""
    plain = _plain(value)
    if plain is None:
        return quote(value)
    if plain.lastindex and (value[0] not in _TYPED or not (value in CONSTANTS or _is_number(value))):
        return value
    return f'"{value}"'


def check(value: Any, path: str) -> None:
    """Refuse what is no data value.

    Raises:
        EncodeError: with ``path``, or the path inside it.
    """
    if type(value) is str:
        check_text(value, path)
    else:
        check_value(value, path, depth=MAX_DATA_DEPTH)
