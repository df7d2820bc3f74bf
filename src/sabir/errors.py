"""Every error that leaves the library, split by who is at fault.

    SabirError
      DecodeError            a text that was received
        UnknownAnchor          names an anchor the codebook lacks
        UnsupportedVersion     speaks a version this library does not
      EncodeError            a message that somebody tried to make or write
      TranslationError       a message that a target format cannot hold in full
      SecurityError          a seal, key or signature
      PolicyError            a message that a policy refuses
      MissingDependency      an optional package that is not installed
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, Self

Span = tuple[int, int]
"""Start and end of a piece of text, in code points, end excluded."""

ErrorCode = Literal[
    "invalid_syntax",
    "decode_failed",
    "unsupported_version",
    "unsupported_frontend",
    "timeout",
    "session_expired",
]
"""SILP's payload-decode error codes (draft, section 5.1), used for every format."""

MAX_REASON = 500
"""Characters of the longest reason; of a longer one the middle is left out."""
_WINDOW = 76
"""Columns of the text that an error shows around its span."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class SabirError(Exception):
    """Base of all errors that this library raises on purpose."""


class DecodeError(SabirError):
    """A received text that is no message of the format it was read as.

    Attributes:
        reason: what is wrong and, where it can be said, what would be right.
        format: the format that read the text, or None while it was being detected.
        text: the whole text as received.
        span: the piece at fault, in code points of ``text``.
        code: SILP's error code (section 5.1); ``invalid_syntax`` where the grammar is broken,
            ``decode_failed`` where the text is well-formed and still means nothing.
        line, column: where the span starts, both from 1; only LF ends a line.
    """

    def __init__(
        self,
        reason: str,
        text: str = "",
        span: Span | None = None,
        *,
        code: ErrorCode = "invalid_syntax",
        format: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = _brief(reason)
        self.text = text
        self.span = (0, len(text)) if span is None else span
        self.code = code
        self.format = format

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.__dict__)

    def moved(self, text: str, offset: int) -> Self:
        """This error as one of a longer ``text`` in which its own text starts at ``offset``."""
        self.text = text
        self.span = (self.span[0] + offset, self.span[1] + offset)
        return self

    @property
    def line(self) -> int:
        """Line of the span's start, from 1."""
        return self.text.count("\n", 0, self.span[0]) + 1

    @property
    def column(self) -> int:
        """Column of the span's start in its line, from 1, in code points."""
        return self.span[0] - self.text.rfind("\n", 0, self.span[0])

    def __str__(self) -> str:
        head = printable(f"{self.format}: {self.reason}" if self.format else self.reason)
        return f"{head}\n{self._excerpt()}" if self.text else head

    def _excerpt(self) -> str:
        """The line at fault, cut to a window, with carets under the span."""
        start, end = self.span
        begin = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", start)
        stop = len(self.text) if stop < 0 else stop
        left = max(begin, start - _WINDOW // 2)
        right = min(stop, left + _WINDOW)
        before = ("…" if left > begin else "") + printable(self.text[left:start])
        marked = printable(self.text[start : min(max(end, start), right)])
        after = printable(self.text[min(max(end, start), right) : right]) + ("…" if right < stop else "")
        return f"  {before}{marked}{after}\n  {' ' * _columns(before)}{'^' * max(1, _columns(marked))}"


class UnknownAnchor(DecodeError):
    """A SLIP line with an anchor that the codebook lacks; ``closest`` holds its nearest mnemonics."""

    closest: tuple[str, ...] = ()
    name: str = ""


class UnsupportedVersion(DecodeError):
    """A text in a version of its protocol that this library does not speak."""


class EncodeError(SabirError):
    """A message that cannot be made or written, with the path of the value at fault.

    ``path`` is written as in the message's JSON form, ``entities[0].value``; empty for the whole message.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason, path)
        self.reason = _brief(reason)
        self.path = path

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.reason}" if self.path else self.reason)


class TranslationError(SabirError):
    """A message that the target format cannot hold in full, with the reason."""

    def __str__(self) -> str:
        return printable(super().__str__())


class SecurityError(SabirError):
    """A seal, key, signature or counter that does not hold."""


class PolicyError(SabirError):
    """A well-formed message that a policy refuses."""


class MissingDependency(SabirError):
    """An optional package that a call needs and that is not installed; the text says how to install it."""


def printable(text: str) -> str:
    """``text`` with controls, invisible characters and lone surrogates as escapes, so that printing never fails."""
    return _UNPRINTABLE.sub(_escape, text)


def shown(value: object) -> str:
    """A value of any type for an error's text; showing it never fails."""
    try:
        return _brief(repr(value))
    except (ValueError, RecursionError):  # an integer too long to print, a value too deep
        return f"a value of type {type(value).__name__} that cannot be printed"


def _brief(text: str) -> str:
    return text if len(text) <= MAX_REASON else f"{text[: MAX_REASON - 150]} … {text[-140:]}"


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _columns(text: str) -> int:
    """Terminal columns that ``text`` takes: two for wide characters, none for combining marks."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _rebuild(kind: type[DecodeError], state: dict[str, object]) -> DecodeError:
    """Rebuild a pickled error, so that it crosses process borders whole."""
    error = kind.__new__(kind)
    error.__dict__.update(state)
    error.args = (state["reason"],)
    return error
