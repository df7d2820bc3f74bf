"""Whether letters and digits look drawn by lot: what they would cost as names and words, and what as a draw.

What a piece (letters and digits without a break) costs as a name is told by two tables, in bits: how names go on in
lower case, upper case or digits, and which letter follows two others. As a draw every character costs the same: the
binary logarithm of the smallest usual alphabet that has them all. What a draw costs less is the evidence for it. The
tables come from names in programs and words of 37 languages (`bench/redaction_table.py`). Time is linear in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import groupby
from math import log2
from typing import Final

LOWER, UPPER, DIGIT, EDGE = range(4)
"""Kinds of characters; `EDGE` stands before a piece."""
SHAPES: Final = 4**5
"""Entries of the first table: three kinds before, how often digits met letters (3 or more are 3), the kind that follows."""
LETTERS: Final = 27 * 27 * 26
"""Entries of the second table: two letters before (0: none in this word), the letter that follows."""
STEP: Final = 4
"""Parts of a bit in which the tables count."""
FIRST: Final = 48
"""Code of the character that says 0 in the tables."""

_KINDS: Final = bytes(
    DIGIT if 48 <= code <= 57 else UPPER if 65 <= code <= 90 else LOWER if 97 <= code <= 122 else EDGE
    for code in range(256)
)
_ALPHABETS: Final = tuple(
    (re.compile(f"[{members}]*+"), log2(size))
    for members, size in (
        ("0-9a-f", 16),
        ("0-9A-F", 16),
        ("a-z", 26),
        ("A-Z2-7", 32),
        ("a-z2-7", 32),
        ("a-z0-9", 36),
        ("A-Z0-9", 36),
        ("A-Za-z", 52),
        ("A-Za-z0-9", 62),
    )
)
"""What keys are drawn from, the smallest first, and the bits that a character costs."""
_TEN: Final = log2(10)
"""Bits of a digit."""
_MIXED: Final = 6.0
"""Bits of a character of base64, whose signs divide a key into pieces."""
_SIGN: Final = 2.0
_LINE: Final = 24.0
"""Bits that are lost where two pieces are taken as one key: over a sign, over a line end."""
_CONTINUED: Final = 1.0
"""Bits of a character that goes on with a row: ``aaaa``, ``abcd``, ``4321``."""
_DISTINCT: Final = 6
"""Distinct characters that a key has at least."""

SHORTEST: Final = 12
"""Characters of the shortest key that is looked for."""
_SHORTEST_HEX: Final = 16
"""The same for digits and letters to f: short names of commits are no secrets."""
_SHORTEST_JOINED: Final = 17
"""The same for keys with signs in them: longer than what a cluster puts behind the names of its programs."""
_LONG: Final = 20
"""Characters of a key that is to be found for certain; only such a one may hold signs."""
_ENOUGH: Final = 14.0
_ENOUGH_JOINED: Final = 24.0
"""Bits of evidence that make a key of `_LONG` characters, in one piece or in several."""
_SHORTER: Final = 5.0
"""Bits more that it takes for each character fewer: among short words more are odd."""

_RUN: Final = re.compile(r"[A-Za-z0-9]++(?:(?:(?:%2[BFbf]|[+/_-]){1,3}+|\\?\n[ \t]{0,16}+)[A-Za-z0-9]++)*+")
_PIECE: Final = re.compile(r"(?P<line>\\?\n[ \t]*+)?(?:%2[BFbf]|[+/_-])*+(?P<piece>[A-Za-z0-9]++)")
_PLAIN: Final = re.compile(r"[A-Z]?[a-z]{3,}+|[A-Z]{4,}+|[0-9]{4,}+")
_ODD: Final = 6.0
"""A piece of this form counts as a word in a key if it has less evidence than this; beside a key it stays if it has as much against."""
_PADDING: Final = re.compile("(?:=|%3[Dd]){0,2}")
_HEX: Final = re.compile("[0-9a-f]*+|[0-9A-F]*+")


@cache
def _tables() -> tuple[list[float], list[float]]:
    data = json.loads(resources.files("sabir.data").joinpath("redaction.json").read_text("utf-8"))
    shapes, letters = ([(ord(char) - FIRST) / STEP for char in data[name]] for name in ("shapes", "letters"))
    return shapes, letters


def steps(piece: str) -> Iterator[tuple[int, int]]:
    """For each character of a piece its place in the first table, and in the second, or -1 where it is no letter."""
    shape, met, before = EDGE * 21, 0, 0
    for code in piece.encode():
        kind, last = _KINDS[code], shape & 3
        place = (shape << 2 | met) << 2 | kind
        shape = (shape << 2 | kind) & 63
        if (kind == DIGIT) != (last == DIGIT) and last != EDGE:
            met = min(3, met + 1)
        if kind == DIGIT:
            yield place, -1
            continue
        if last >= DIGIT or (kind == UPPER and last == LOWER):
            before = 0
        letter = (code | 32) - 97
        yield place, before * 26 + letter
        before = before % 27 * 27 + letter + 1


def cost(piece: str) -> float:
    """Bits that a piece costs as a name or a word."""
    shapes, letters = _tables()
    total, last, step = 0.0, 0, 2
    for code, (shape, letter) in zip(piece.encode(), steps(piece), strict=True):
        bits = shapes[shape] + (letters[letter] if letter >= 0 else _TEN)
        if code - last == step and -1 <= step <= 1:
            bits = min(bits, _CONTINUED)
        total += bits
        last, step = code, code - last
    return total


def evidence(piece: str) -> float:
    """Bits that a piece costs less as a draw than as a name; below 0 where it looks written."""
    return cost(piece) - len(piece) * next(bits for members, bits in _ALPHABETS if members.fullmatch(piece))


def keys(text: str) -> Iterator[tuple[int, int]]:
    """Where a text holds what looks like a key, from left to right: start and end, with the padding."""
    for run in _RUN.finditer(text):
        if run.end() - run.start() < SHORTEST:
            continue
        found = list(_PIECE.finditer(text, *run.span()))
        secret = _secret([piece["piece"] for piece in found], [piece["line"] is not None for piece in found])
        for is_secret, group in groupby(zip(secret, found, strict=True), key=lambda pair: pair[0]):
            if is_secret:
                stretch = [piece for _, piece in group]
                end = stretch[-1].end()
                padding = _PADDING.match(text, end)
                yield stretch[0].start("piece"), padding.end() if padding else end


def _secret(pieces: list[str], breaks: list[bool]) -> list[bool]:
    """For each piece of a run whether it is a key, or part of one, or stands beside one and is no plain word."""
    secret = [_single(piece) for piece in pieces]
    bits = [cost(piece) - _MIXED * len(piece) for piece in pieces]
    plain = [bit < _ODD and _PLAIN.fullmatch(piece) is not None for bit, piece in zip(bits, pieces, strict=True)]
    for first, last in _joined(pieces, breaks, plain, bits):
        secret[first : last + 1] = [True] * (last + 1 - first)
    for order in (range(1, len(pieces)), range(len(pieces) - 2, -1, -1)):
        for at in order:
            beside = at - order.step
            if secret[beside] and not (plain[at] and bits[at] < -_ODD) and not breaks[max(at, beside)]:
                secret[at] = True
    return secret


def _single(piece: str) -> bool:
    """Whether a piece is a key by itself."""
    piece = piece.removeprefix("0x")
    size = len(piece)
    if size < SHORTEST or len({*piece}) < _DISTINCT:
        return False
    if _HEX.fullmatch(piece):
        if size < _SHORTEST_HEX:
            return False
        if size >= _LONG:
            return not piece.isdigit() and not piece.isalpha()
    return evidence(piece) >= _ENOUGH + _SHORTER * max(0, _LONG - size)


def _joined(pieces: list[str], breaks: list[bool], plain: list[bool], bits: list[float]) -> Iterator[tuple[int, int]]:
    """The stretches of pieces that are keys together, by the first and the last of each.

    A stretch is where evidence adds up most, with the pieces around it that are no plain words.
    """
    total = best = 0.0
    start = first = top = 0
    for at in range(len(pieces) + 1):
        over = at == len(pieces)
        total -= _LINE if not over and breaks[at] else _SIGN
        if over or total <= 0 or total < best - _ENOUGH_JOINED:
            if best >= _ENOUGH_JOINED:
                while first > start and not plain[first - 1] and not breaks[first]:
                    first -= 1
                while top + 1 < len(pieces) and not plain[top + 1] and not breaks[top + 1]:
                    top += 1
                if _is_long(pieces[first : top + 1]):
                    yield first, top
                start = top + 1
            total, best, first = 0.0, 0.0, at
        if not over:
            total += min(bits[at], 0.0) if plain[at] else bits[at]
            if total > best:
                best, top = total, at


def _is_long(pieces: list[str]) -> bool:
    """Whether pieces with a sign between them are long enough, and not always the same characters."""
    joined = "-".join(pieces)
    return len(joined) >= _SHORTEST_JOINED and len({*joined}) >= _DISTINCT
