"""JSON as the protocols use it: strict reading with spans, compact writing, string literals.

Stricter than `json`: a repeated key, a lone surrogate, NaN and infinities, a number beyond a float's range,
an integer over `MAX_INT_DIGITS` digits and nesting over `MAX_TEXT_DEPTH` are errors that say where.
Writing is compact, non-ASCII stays raw, and what a person cannot see is escaped (silp.md, "Bare word").
"""

from __future__ import annotations

import json
import math
import re
import sys
from json.decoder import scanstring as _scanstring  # type: ignore[attr-defined]  # not in typeshed
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec

from sabir.errors import DecodeError, EncodeError, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT: Final = 16 * 1024 * 1024
"""Longest text a decoder takes, in code points."""
MAX_TEXT_DEPTH: Final = 192
"""Deepest nesting of JSON read from a text."""
MAX_VALUE_DEPTH: Final = 128
"""Deepest nesting of a JSON value inside a message; lower, since carrying a message adds levels."""
MAX_INT_DIGITS: Final = 4300
"""Most digits of an integer, read or written."""
UNREADABLE: Final = "integer of more digits than this interpreter reads"

JsonPath = tuple[str | int, ...]

# Controls (C0, DEL, C1), line and paragraph separators, bidirectional and zero-width characters.
_HIDDEN = r"\x00-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_SPECIAL = re.compile(f'["\\\\{_HIDDEN}]')
_HIDDEN_ONLY = re.compile(f"[{_HIDDEN}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*+"(?P<colon>[ \t\n\r]*+:)?|[][{}]|-?(?:NaN|Infinity)|-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?', re.DOTALL
)
_BLANK = re.compile(r"[ \t\n\r]*+")

_decode_fast = msgspec.json.Decoder().decode
_encode_fast = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode


# --- reading ---------------------------------------------------------------------------------------------


def loads(text: str) -> Any:
    """Value of a whole JSON text.

    Raises:
        DecodeError: code ``invalid_syntax``, with the span at fault.
    """
    size = len(text)
    if size <= 2 * MAX_TEXT_DEPTH or (size <= MAX_INT_DIGITS and not nests_deeper(text, MAX_TEXT_DEPTH)):
        # What the fast decoder reads and writes back to the letter has no repeated key and nothing else we refuse.
        try:
            value = _decode_fast(text)
            if _encode_fast(value) == text.encode():
                return value
        except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
            pass  # the careful reader finds the span
    value, end = read_value(text, _skip(text, 0))
    end = _skip(text, end)
    if end != len(text):
        raise DecodeError("text after the end of the JSON value", text, (end, len(text)))
    return value


def nests_deeper(text: str, depth: int) -> bool:
    """Whether a JSON text may nest deeper than ``depth``; only a careful look can tell for sure."""
    return len(text) > 2 * depth and text.count("{") + text.count("[") > depth


def read_value(text: str, pos: int) -> tuple[Any, int]:
    """JSON value that starts at ``pos`` and the position after it.

    Raises:
        DecodeError: code ``invalid_syntax``, with the span at fault.
    """
    try:
        value, end = _careful.raw_decode(text, pos)
    except json.JSONDecodeError as error:
        span = (error.pos, min(error.pos + 1, len(text)))
        raise DecodeError(f"JSON: {error.msg[0].lower()}{error.msg[1:]}", text, span) from None
    except (_Refused, RecursionError, ValueError) as error:
        reason = str(error) if isinstance(error, _Refused) else f"JSON nested deeper than {MAX_TEXT_DEPTH}"
        raise DecodeError(reason, text, next(_culprits(text, pos), (pos, pos + 1))) from None
    _check_depth(text, pos, end)
    _check_surrogates(text, pos, end)
    return value, end


def read_string(text: str, pos: int) -> tuple[str, int]:
    """JSON string literal whose opening quote stands at ``pos``, and the position after its closing quote.

    Raises:
        DecodeError: no closing quote, a bad escape, a raw control character or a lone surrogate.
    """
    try:
        value, end = _scanstring(text, pos + 1, True)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated"):
            raise DecodeError('no closing quote: this " opens a string', text, (pos, pos + 1)) from None
        if "control character" in error.msg:
            raise DecodeError(
                "a control character inside a quoted string must be escaped", text, (error.pos, error.pos + 1)
            ) from None
        raise DecodeError(
            r"bad escape in a quoted string; JSON's are \" \\ \/ \b \f \n \r \t \uXXXX", text, (error.pos, error.pos + 2)
        ) from None
    if end - pos - 2 != len(value):
        _check_surrogates(text, pos, end)
    return value, end


def received(text: str, format: str) -> str:
    """``text`` without outer white space, refused where no decoder may look at it at all.

    Raises:
        DecodeError: the argument is no string, is longer than `MAX_TEXT`, or holds a lone surrogate.
    """
    if not isinstance(text, str):
        raise DecodeError(f"a message is text (str), not {type(text).__name__}", format=format)
    if len(text) > MAX_TEXT:
        raise DecodeError(f"text longer than {MAX_TEXT} characters", text, (MAX_TEXT, len(text)), format=format)
    if not text.isascii() and (found := _SURROGATE.search(text)):
        raise DecodeError("lone surrogate: no character", text, found.span(), format=format)
    return text.strip()


def span_of(text: str, path: JsonPath, start: int = 0) -> Span:
    """Span of the value at ``path`` in a JSON text that `loads` accepts; of the nearest parent where it is absent."""
    pos = _skip(text, start)
    for step in path:
        found = next((at for name, at in _members(text, pos) if name == step), None)
        if found is None:
            break
        pos = found
    return pos, _careful.raw_decode(text, pos)[1]


def _members(text: str, pos: int) -> list[tuple[str | int, int]]:
    """Name and position of each member of the object or array at ``pos``; empty for anything else."""
    opening, found = text[pos], list[tuple[str | int, int]]()
    if opening not in "{[":
        return found
    pos = _skip(text, pos + 1)
    while text[pos] not in "}]":
        name: str | int = len(found)
        if opening == "{":
            name, pos = _scanstring(text, pos + 1, True)
            pos = _skip(text, _skip(text, pos) + 1)
        found.append((name, pos))
        pos = _skip(text, _careful.raw_decode(text, pos)[1])
        if text[pos] == ",":
            pos = _skip(text, pos + 1)
    return found


class _Refused(Exception):  # never leaves this module
    """Carries a reason out of a hook of the JSON scanner, which knows no position."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen = set[str]()
        name = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"key {json.dumps(name, ensure_ascii=False)} stands twice in one object")
    return found


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Refused(f"number {digits[:40]} is beyond the range of a float")
    return number


def _int(digits: str) -> int:
    if len(digits) > MAX_INT_DIGITS + (digits[0] == "-"):
        raise _Refused(f"integer of more than {MAX_INT_DIGITS} digits")
    try:
        return int(digits)
    except ValueError:  # the interpreter's own limit may be lower
        raise _Refused(UNREADABLE) from None


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no JSON value")


_careful = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant)


def _culprits(text: str, pos: int) -> Iterator[Span]:
    """Spans of what a hook of the scanner refuses, found by walking the tokens once."""
    keys: list[set[str]] = []
    for token in _TOKEN.finditer(text, pos):  # pragma: no branch  # the first span ends the walk
        piece = token[0]
        if piece in "{[":
            keys.append(set())
            if len(keys) > MAX_TEXT_DEPTH:
                yield token.span()
        elif piece in "}]":
            keys.pop()
        elif token["colon"]:
            name = _scanstring(text, token.start() + 1, True)[0]
            if name in keys[-1]:
                yield token.start(), token.start("colon")
            keys[-1].add(name)
        elif piece[0] != '"' and not _is_number(piece):
            yield token.span()


def _is_number(piece: str) -> bool:
    digits = piece.lstrip("-")
    if digits.isdigit():
        return len(digits) <= min(MAX_INT_DIGITS, sys.get_int_max_str_digits() or MAX_INT_DIGITS)
    return digits[0].isdigit() and math.isfinite(float(piece))


def _check_depth(text: str, pos: int, end: int) -> None:
    if text.count("{", pos, end) + text.count("[", pos, end) <= MAX_TEXT_DEPTH:
        return
    depth = 0
    for token in _TOKEN.finditer(text, pos, end):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MAX_TEXT_DEPTH:
            raise DecodeError(f"JSON nested deeper than {MAX_TEXT_DEPTH}", text, token.span())


_ESCAPED_PAIR = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|u[dD][c-fC-F][0-9a-fA-F]{2}|.)")


def _check_surrogates(text: str, pos: int, end: int) -> None:
    """Refuse an escaped lone surrogate between ``pos`` and ``end``."""
    if text.find("\\u", pos, end) < 0:
        return
    for escape in _ESCAPED_PAIR.finditer(text, pos, end):
        if len(escape[0]) == 6:
            raise DecodeError(f"lone surrogate {escape[0]}: half of a character", text, escape.span())


def _skip(text: str, pos: int) -> int:
    match = _BLANK.match(text, pos)
    assert match  # noqa: S101  # the pattern matches the empty string
    return match.end()


# --- writing ---------------------------------------------------------------------------------------------


class Unprintable(EncodeError, ValueError):
    """An integer that Python does not print; a ValueError, too, so that writers can look for its place."""


def quote(text: str) -> str:
    """JSON string literal of ``text``: non-ASCII raw, controls and invisible characters escaped."""
    if _SPECIAL.search(text) is None:
        return f'"{text}"'
    return f'"{_SPECIAL.sub(_escape, text)}"'


def dumps(value: Any, *, sort_keys: bool = False) -> str:
    """Compact JSON of a value that `check_value` accepts.

    Keys keep their order unless ``sort_keys``; integers are written in full, non-ASCII raw, invisible characters
    escaped.

    Raises:
        EncodeError: an integer has more digits than the interpreter was told to write.
    """
    try:
        text = (_encode_sorted if sort_keys else _encode_fast)(value).decode()
    except ValueError:  # the interpreter's own limit may be lower than ours
        raise Unprintable("an integer of more digits than this interpreter writes") from None
    if text.isascii() and "\x7f" not in text:
        return text
    return _HIDDEN_ONLY.sub(_escape, text)


def check_value(value: Any, path: str = "", *, depth: int = MAX_VALUE_DEPTH) -> None:
    """Refuse what no format here can carry as a JSON value.

    Raises:
        EncodeError: with the path of a value that is no JSON value, NaN or infinite, a lone surrogate,
            an integer of more than `MAX_INT_DIGITS` digits, or nested deeper than ``depth``.
    """
    _check(value, path, depth, depth)


def _check(value: Any, path: str, depth: int, limit: int) -> None:
    kind = type(value)
    if kind is str:
        check_text(value, path)
    elif kind is int:
        check_int(value, path)
    elif kind is float:
        if not math.isfinite(value):
            raise EncodeError(f"{value} is no JSON number", path)
    elif kind is dict or kind is list:
        if depth == 0:
            raise EncodeError(f"nested deeper than {limit}", path)
        for name, item in value.items() if kind is dict else enumerate(value):
            if kind is dict:
                check_text(name, f"{path} (a key)")
            _check(item, f"{path}.{name}" if kind is dict else f"{path}[{name}]", depth - 1, limit)
    elif not (value is None or kind is bool):
        raise EncodeError(f"a value is a JSON value, not {kind.__name__}", path)


def check_text(text: Any, path: str) -> None:
    """Refuse what is no string or holds a lone surrogate.

    Raises:
        EncodeError: with ``path``.
    """
    if type(text) is not str:
        raise EncodeError(f"must be text, not {type(text).__name__}", path)
    if not text.isascii() and (found := _SURROGATE.search(text)):
        raise EncodeError(f"lone surrogate at character {found.start()}", path)


def check_int(number: int, path: str) -> None:
    """Refuse an integer that readers would refuse for its length.

    Raises:
        EncodeError: with ``path``.
    """
    if number.bit_length() > 14_000 and abs(number) >= 10**MAX_INT_DIGITS:
        raise EncodeError(f"integer of more than {MAX_INT_DIGITS} digits", path)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT.get(char) or f"\\u{ord(char):04x}"
