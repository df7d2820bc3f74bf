"""Bare words of the code frontend (silp.md, "settled to the character").

    bare-word = 1*( letter / mark / decimal-digit / "_" / "." / "+" / "-" / "*" / "/" / "%" / "$" / "&" / "~" )
                ; Unicode L, M and Nd; none of the lower-case keywords if and else then
    time-ref  = "t" ( "+" / "-" ) 1*ASCII-DIGIT [ "am" / "pm" / "s" / "m" / "h" / "d" / "w" ]
    name      = ( ASCII-LETTER / "_" ) *( ASCII-LETTER / ASCII-DIGIT / "_" )
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from sabir.jsontext import quote

KEYWORDS: Final = frozenset({"if", "and", "else", "then"})
WORD: Final = r"[A-Za-z0-9_.+\-*/%$&~]++"
"""Pattern of an ASCII bare word; of a keyword too."""
BARE: Final = r"[A-Za-z0-9_.+\-*/%$&~\u0080-\U0010ffff]++"
"""Pattern of a run that is a bare word if it is no keyword and `outside_word` finds nothing in it."""

_ascii_word = re.compile(WORD).fullmatch
is_time_ref: Final = re.compile(r"t[+-][0-9]++(?:am|pm|[smhdw])?+").fullmatch
is_name: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+").fullmatch


def is_word(text: str) -> bool:
    """Whether ``text`` may stand bare."""
    if text in KEYWORDS:
        return False
    if text.isascii():
        return _ascii_word(text) is not None
    return outside_word(text) < 0


def _in_word(char: str) -> bool:
    if char.isascii():
        return _ascii_word(char) is not None
    category = unicodedata.category(char)
    return category[0] in "LM" or category == "Nd"


def outside_word(text: str) -> int:
    """Position of the first character of ``text`` that no bare word holds, or -1."""
    if text.isalpha():  # the common case: letters alone
        return -1
    return next((at for at, char in enumerate(text) if not _in_word(char)), -1)


def term(text: str) -> str:
    """``text`` bare where it may be, else as a JSON string literal."""
    return text if is_word(text) else quote(text)
