"""JSON values of a file of any size: one a line, or one large array or values over several lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sabir.errors import DecodeError
from sabir.jsontext import loads, read_value
from sabir.logs.entries import MAX_SHOWN, Unread, shown
from sabir.logs.files import BOM, GZIP_ERRORS, MAX_RECORD, SAMPLE, Line, lines, opened

_SPACE = " \t\n\r"


class Record(NamedTuple):
    """A JSON value and where it stands."""

    number: int
    value: Any
    text: str
    """Its first characters, for messages."""


def records(path: Path, source: str, start: bytes) -> Iterator[Record | Unread]:
    """JSON values of a file that begins with ``start``. Members of an array are records of their own.

    Raises:
        SabirError: as `sabir.logs.files.opened`.
    """
    return _of_lines(path, source) if a_value_a_line(start) else _of_whole(path, source)


def a_value_a_line(start: bytes) -> bool:
    """Whether a file that begins so has a value a line.

    It has not where it is one array, or where no line among the first is a value by itself.
    """
    begun = [line for piece in start.removeprefix(BOM).split(b"\n") if (line := piece.strip())]
    if not begun or begun[0][:1] not in b"[{":
        return True
    if begun[0][:1] == b"[":
        return len(begun) > 1 and _is_value(begun[0])
    return len(begun) == 1 or any(len(line) > 2 and line[:1] == b"{" and _is_value(line) for line in begun)


def _is_value(data: bytes) -> bool:
    try:
        loads(data.decode())
    except (UnicodeDecodeError, DecodeError):
        return False
    return True


def _of_lines(path: Path, source: str) -> Iterator[Record | Unread]:
    for line in lines(path, source):
        if isinstance(line, Unread):
            yield line
        elif line.text.strip(_SPACE):
            yield from _of_line(line, source)


def _of_line(line: Line, source: str) -> Iterator[Record | Unread]:
    try:
        value = loads(line.text)
    except DecodeError as error:
        cut = "" if line.ended else "the last line, perhaps cut off: "
        yield Unread(f"{cut}{error.reason} (character {error.span[0] + 1})", source, line.number, shown(line.text))
        return
    yield from _members(value, line.number, line.text)


def _members(value: Any, number: int, text: str) -> Iterator[Record]:
    for member in value if isinstance(value, list) else (value,):
        yield Record(number, member, text)


def _of_whole(path: Path, source: str) -> Iterator[Record | Unread]:
    """Values one after the other, or members of one array, whatever lines they take."""
    with opened(path) as stream:
        text = _Window(stream)
        number, inside = 0, text.take("[")
        while True:
            if inside and number:
                text.take(",")
            if inside and text.take("]"):
                inside = False
            if text.at_end():
                if inside or text.damage:
                    yield Unread(text.damage or "the file is cut off: its array is not closed", source, number + 1, "")
                return
            number += 1
            first = text.shown()
            try:
                value = text.value()
            except DecodeError as error:
                yield Unread(_why(error, text), source, number, shown(text.shown()))
                return
            except UnicodeEncodeError:
                yield Unread("not UTF-8", source, number, shown(text.shown()))
                text.past_value()
                continue
            yield from _members(value, number, first)


def _why(error: DecodeError, text: _Window) -> str:
    if text.left() > MAX_RECORD:
        return (
            f"one JSON value of more than {MAX_RECORD} characters, or a broken one; write a record a line, "
            "such as: jq -c '.resourceSpans[]' export.json > export.jsonl"
        )
    if text.damage:
        return text.damage
    place = error.span[0] - text.pos + 1
    return f"{error.reason} (character {place} of the record); the rest cannot be read, since no line end parts records here"


class _Window:
    """The part of a file's text that is needed now."""

    def __init__(self, stream: BinaryIO) -> None:
        self.pos = 0
        self.damage = ""
        self._kept = ""
        self._end = 0
        self._stream = stream
        self._half = b""
        self._more = True
        self._fill(SAMPLE)
        self._kept = self._kept.removeprefix("\ufeff")

    def left(self) -> int:
        """Characters that are here from the present place on."""
        return len(self._kept) - self.pos

    def shown(self) -> str:
        """The next few characters."""
        return self._kept[self.pos : self.pos + MAX_SHOWN + 1]

    def take(self, sign: str) -> bool:
        """Go past white space and a sign, if it stands here."""
        here = not self.at_end() and self._kept[self.pos] == sign
        self.pos += here
        return here

    def at_end(self) -> bool:
        """Whether nothing but white space is left; goes past it."""
        while True:
            while self.pos < len(self._kept) and self._kept[self.pos] in _SPACE:
                self.pos += 1
            if self.pos < len(self._kept) or not self._more:
                return self.pos == len(self._kept)
            self._fill(SAMPLE)

    def value(self) -> Any:
        """The value that stands here; goes past it. More of the file is read, twice as much each time, until it is whole.

        Raises:
            DecodeError: it is broken, cut off or longer than `MAX_RECORD`.
            UnicodeEncodeError: it is not UTF-8; `past_value` goes past it.
        """
        while True:
            try:
                value, self._end = read_value(self._kept, self.pos)
                if self._end < len(self._kept) or not self._more:
                    break
            except DecodeError:
                if not self._more or self.left() > MAX_RECORD:
                    raise
            self._fill(max(SAMPLE, self.left()))
        self._kept[self.pos : self._end].encode()
        self.past_value()
        return value

    def past_value(self) -> None:
        """Go past the value that was read last."""
        self.pos = self._end

    def _fill(self, size: int) -> None:
        """Read on, and let go of what lies behind."""
        try:
            data = self._stream.read(size)
        except GZIP_ERRORS as error:
            data, self.damage = b"", f"the gzip data are cut off or damaged ({error})"
        self._more = bool(data)
        data = self._half + data
        end = _whole_characters(data) if self._more else len(data)
        self._half = data[end:]
        # What is not UTF-8 comes as lone surrogates, so that only the value that holds it is lost.
        self._kept = self._kept[self.pos :] + data[:end].decode("utf-8", "surrogateescape")
        self.pos = 0


def _whole_characters(data: bytes) -> int:
    """Where the last character begins that may go on in the next piece; the end, where none does."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte >= 0xC0:
            return len(data) - back
        if byte < 0x80:
            break
    return len(data)
