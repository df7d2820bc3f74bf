"""JSON objects in a text, found in one pass, however they are cut into pieces.

The scanner knows brackets, strings and what else may stand in JSON, in the spellings that models use; it does not check more.
An object breaks off where something stands that JSON never holds outside of strings, where a line ends inside of a string, and
at `MAX_OBJECT`. Only LF ends a line: U+2028 in a string is a character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from sabir.errors import Span

MAX_OBJECT: Final = 1 << 20
"""Longest JSON object that is looked for, in code points."""
MAX_DEPTH: Final = 256
"""Deepest nesting that is followed."""

_CLOSERS: Final = {'"': '"', "'": "'", "“": "”“", "”": "”", "„": "“”", "＂": "＂"}
_inside = {quote: re.compile(rf"[^{closers}\\]*+").match for quote, closers in _CLOSERS.items()}
_plain = re.compile(r"[ \t\r\n\u3000,，0-9.+\-a-zA-Z]*+").match
_WORDS: Final = frozenset("truefalsnTFNoIityE0123456789.+-eE")
_word_fault = re.compile(r"[^truefalsnTFNoIityE0-9.+\- \t\r\n\u3000,，]").search


@dataclass(slots=True)
class Piece:
    """An object: its span, its own strings and which of them are keys."""

    start: int
    end: int | None = None
    depth: int = 0
    keys: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class Scanner:
    """Reads one object and what is in it, piece by piece; positions are of the input."""

    start: int
    at: int = 0
    state: str = "open"
    """``open``, ``closed`` or ``broken``."""
    objects: list[Piece] = field(default_factory=list)
    strings: list[tuple[Span, bool]] = field(default_factory=list)
    """Contents of the strings, and whether each is a value."""
    parts: list[str] = field(default_factory=list)
    quoted: bool = False
    """Whether Markdown's quote marks stand before its lines."""
    _stack: list[Piece | None] = field(default_factory=list)
    _quote: str = ""
    _from: int = 0
    _escape: bool = False
    _fresh: bool = True
    _line_start: bool = False

    def __post_init__(self) -> None:
        self.at = self.start

    @property
    def text(self) -> str:
        """What has been taken in."""
        return "".join(self.parts)

    def feed(self, part: str, start: int = 0) -> int:
        """Take in a part from ``start`` on; the position up to which it belongs to the object, its end while that is open."""
        base = self.at - start
        pos = start
        while pos < len(part) and self.state == "open":
            pos = self._string(part, pos, base) if self._quote else self._outside(part, pos, base)
            if base + pos - self.start > MAX_OBJECT:
                pos, self.state = self.start + MAX_OBJECT - base, "broken"
        self.parts.append(part[start:pos])
        self.at = base + pos
        return pos

    def line_end(self) -> None:
        """The line ends: a string that is open breaks the object."""
        if self._quote:
            self.state = "broken"
            return
        self.parts.append("\n")
        self.at += 1
        self._line_start = True

    def _outside(self, part: str, pos: int, base: int) -> int:
        char = part[pos]
        if self._line_start and not char.isspace():
            self._line_start = False
            if char == ">" and self.quoted:
                return pos + 1
        if char in "{[｛［":
            self._open(char, base + pos)
        elif char in "}]｝］":
            self._close(base + pos + 1)
        elif char in _CLOSERS:
            self._quote, self._from, self._escape = char, base + pos + 1, False
        elif char in ":：":
            self._key()
        elif char.isspace() and char != "\u3000":
            return pos + 1
        else:
            end = _run(part, pos)
            if end == pos or (self._fresh and part[pos:end].strip(" \t\r")):
                self.state = "broken"
            return end
        if char in "]｝］}":
            self._fresh = False
        elif char not in "{｛":
            self._fresh = self._fresh and char == "["
        return pos + 1

    def _open(self, char: str, at: int) -> None:
        if self._fresh and self._stack and char in "{｛" and self._stack[-1] is not None:
            self.state = "broken"  # an object as a key
            return
        if len(self._stack) >= MAX_DEPTH:
            self.state = "broken"
            return
        piece = Piece(at, depth=len(self._stack)) if char in "{｛" else None
        self._stack.append(piece)
        if piece:
            self.objects.append(piece)
        self._fresh = piece is not None

    def _close(self, end: int) -> None:
        piece = self._stack.pop()
        if piece:
            piece.end = end
        if not self._stack:
            self.state = "closed"

    def _key(self) -> None:
        if self._stack and self._stack[-1] and self.strings:
            span, _ = self.strings[-1]
            self.strings[-1] = (span, False)
            self._stack[-1].keys.append(span)

    def _string(self, part: str, pos: int, base: int) -> int:
        if self._escape:
            self._escape = False
            return pos + 1
        found = _inside[self._quote](part, pos)
        assert found  # noqa: S101  # the pattern matches the empty string
        pos = found.end()
        if pos == len(part):
            return pos
        if part[pos] == "\\":
            self._escape = True
            return pos + 1
        self.strings.append(((self._from, base + pos), True))
        self._quote, self._fresh = "", False
        return pos + 1


def _run(part: str, pos: int) -> int:
    """End of a run of numbers, constants, commas and blanks; ``pos`` itself where none stands there."""
    found = _plain(part, pos)
    assert found  # noqa: S101  # the pattern matches the empty string
    fault = _word_fault(part, pos, found.end())
    return pos if fault and fault.start() == pos else fault.start() if fault else found.end()
