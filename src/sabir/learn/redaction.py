"""What may not be stored: keys, tokens, passwords, e-mail addresses, numbers of cards and accounts, each replaced by its kind in brackets.

Better one word too many than one secret. Text is normalised first (NFKC, nothing invisible), so that full-width or
zero-width characters hide nothing. Then come the forms that are known (`patterns`), then what looks drawn by lot
(`likelihood`), and all again until nothing more is found, so that redacting a text twice changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

from sabir.errors import EncodeError
from sabir.jsontext import MAX_TEXT, check_text
from sabir.learn.likelihood import keys
from sabir.learn.patterns import PATTERNS, Pattern


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may be stored.

    Attributes:
        text: normalised, with secrets replaced.
        found: how many of each kind were replaced.
    """

    text: str
    found: dict[str, int]


KINDS: Final = ("KEY", "CREDENTIALS", "TOKEN", "SECRET", "EMAIL", "CARD", "IBAN")
_MARKS: Final = {kind: chr(at) for at, kind in enumerate(KINDS, 1)}
"""What stands for a kind while more is looked for: a control, which no text in normal form holds."""
_SHOWN: Final = {ord(mark): f"[{kind}]" for kind, mark in _MARKS.items()}
_MARKED: Final = re.compile(rf"\[({'|'.join(KINDS)})\]")
_NOTHING: Final = "".join(_MARKS.values()) + "\"'`\\「」()[]{}<>,;:.=!? \t\n"
"""What a value may be made of that holds no secret, as it was replaced."""
_ROUNDS: Final = 10
"""Rounds after which a text that still has something to hide is hidden whole."""

_HIDDEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Controls but for tab and line feed, and whatever else takes no room on a page."""


def normalised(text: str, path: str = "text") -> str:
    """A text in normal form (NFKC), with LF at line ends and without invisible characters.

    Raises:
        EncodeError: it is no text, holds a lone surrogate or is longer than `MAX_TEXT`.
    """
    check_text(text, path)
    if len(text) > MAX_TEXT:
        raise EncodeError(f"longer than {MAX_TEXT} characters", path)
    visible = _HIDDEN.sub("", text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n"))
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", visible)).strip()


def redact(text: str, path: str = "text") -> Redacted:
    """A text with its secrets replaced, as it may be stored.

    Raises:
        EncodeError: as `normalised`.
    """
    clean = _MARKED.sub(lambda match: _MARKS[match[1]], normalised(text, path))
    found: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        before = clean
        for pattern in PATTERNS:
            clean = pattern.expression.sub(lambda match, pattern=pattern: _replaced(match, pattern, found), clean)  # type: ignore[misc]  # mypy infers no type for the default
        clean = _without_keys(clean, found)
        if clean == before:
            return Redacted(clean.translate(_SHOWN), dict(found))
    return Redacted("[SECRET]", {"SECRET": 1})


def _replaced(match: re.Match[str], pattern: Pattern, found: Counter[str]) -> str:
    group: int | str = match.lastgroup or 0
    secret, start = match[group], match.start()
    if not secret.strip(_NOTHING) or not pattern.accept(secret):
        return match[0]
    found[pattern.kind] += 1
    return f"{match[0][: match.start(group) - start]}{_MARKS[pattern.kind]}{match[0][match.end(group) - start :]}"


def _without_keys(text: str, found: Counter[str]) -> str:
    """The text without what looks drawn by lot."""
    pieces: list[str] = []
    after = 0
    for start, end in keys(text):
        pieces += [text[after:start], _MARKS["KEY"]]
        after = end
        found["KEY"] += 1
    return "".join([*pieces, text[after:]])
