"""Where the reader of the code frontend stands in a text, and how it reads a term there.

    term = bare-word / JSON string
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from sabir.errors import DecodeError, ErrorCode
from sabir.jsontext import read_string
from sabir.silp import code_diagnosis as diagnosis
from sabir.silp.words import BARE, KEYWORDS, outside_word

BLANK: Final = r"[ \t]*+"
"""Pattern of what may stand between any two tokens."""
ENDED: Final = r"(?![A-Za-z0-9_])"
"""Pattern that holds after a keyword."""

Match = re.Match[str]
Term = tuple[str, bool, int]
"""A term's text, whether it stood bare, and the position after it and the blanks behind it."""

_bare = re.compile(rf"({BARE}){BLANK}").match
_blank = re.compile(BLANK).match


class Cursor:
    """A text and the position up to which it has been read, blanks included."""

    __slots__ = ("ascii", "pos", "strict", "text")

    def __init__(self, text: str, strict: bool) -> None:  # noqa: FBT001  # made in one place
        self.text = text
        self.pos = 0
        self.strict = strict
        self.ascii = text.isascii()

    def term(self, pos: int, noun: str, opening: Match | None = None) -> Term:
        """The term at ``pos``; ``noun`` and the parenthesis that opened its call are for errors."""
        text = self.text
        if text.startswith('"', pos):
            value, end = read_string(text, pos)
            return value, False, self.skip(end)
        found = _bare(text, pos)
        if found is None:
            raise diagnosis.no_term(text, pos, noun, opening)
        self.vet(found, 1)
        return found[1], True, found.end()

    def vet(self, found: Match, group: int) -> None:
        """Refuse what the superset pattern took for a bare word and is none."""
        word = found[group]
        if word is None:
            return
        if word in KEYWORDS:
            self.fail(f'{word} is a keyword: quote it, "{word}"', *found.span(group))
        if not self.ascii and (at := outside_word(word)) >= 0:
            raise diagnosis.odd_character(self.text, found.start(group) + at)

    def skip(self, pos: int) -> int:
        """Position after the blanks at ``pos``."""
        found = _blank(self.text, pos)
        assert found  # noqa: S101  # the pattern matches the empty string
        return found.end()

    def fail(self, reason: str, start: int, end: int, code: ErrorCode = "invalid_syntax") -> NoReturn:
        """Refuse the text for what stands between two positions."""
        raise DecodeError(reason, self.text, (start, end), code=code)
