"""How a line is laid out: what stands before its text, its code spans, and pieces whose end is marked."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from sabir.errors import DecodeError
from sabir.finding.repairs import outside_strings
from sabir.jsontext import read_string

FRAME: Final = re.compile(
    r"(?:[ \t]|>(?=[ \t]|>[A-Z ]|$)|[-*+•◦▪‣·・●○](?=[ \t])|\d{1,3}[.)](?=[ \t])|\(\d{1,3}\)(?=[ \t])|[a-zA-Z][.)](?=[ \t])"
    r"|\[[ xX]\](?=[ \t])|\#{1,6}(?=[ \t])|(?:->|=>|-->|==>)(?=[ \t]|[A-Z>◤◢▰👽])"
    r"|(?![◤◢▰👽📦⚡])[\u2190-\u21ff\u2460-\u24ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d])*+"
)
"""What may stand before the text of a line: blanks, quote marks, bullets, numbers, headings, arrows, symbols."""
Span4 = tuple[int, int, int, int]
"""Start of a code span, of its content, the content's end, the span's end."""

MAX_WRAPS: Final = 3
"""Most layers of emphasis and quotes around a piece that are taken off."""
_PAIRS: Final = (("**", "**"), ("__", "__"), ("*", "*"), ('"', '"'), ("“", "”"), ("'", "'"), ("「", "」"))
_CLOSING: Final = {"'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "「": "」", "『": "』", "＂": "＂"}
_BRACKETS: Final = {"(": ")", "（": "）", "[": "]"}
_AFTER_STRING: Final = " \t.,;:!?)]}>…。、」"
_ticks = re.compile("`+")
_after = re.compile(r"[\s.,;:!?)\]}…。、，；：！？）」』*_<|`\"'”]|\Z").match


def code_spans(text: str) -> list[Span4]:
    """Code spans of a line, as Markdown pairs its backticks."""
    runs = [found.span() for found in _ticks.finditer(text)]
    places: dict[int, list[int]] = {}
    for at, (start, end) in enumerate(runs):
        places.setdefault(end - start, []).append(at)
    spans: list[Span4] = []
    at = 0
    while at < len(runs):
        start, inner = runs[at]
        same = places[inner - start]
        after = bisect_left(same, at + 1)
        if after < len(same):
            close, end = runs[same[after]]
            spans.append((start, inner, close, end))
            at = same[after]
        at += 1
    return spans


def masked(text: str, spans: list[Span4]) -> str:
    """The text with its code spans blanked."""
    parts: list[str] = []
    at = 0
    for start, _, _, end in spans:
        parts += (text[at:start], "\x00" * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def trim(text: str, lo: int, hi: int) -> tuple[int, int]:
    """Bounds without blanks."""
    piece = text[lo:hi]
    return lo + len(piece) - len(piece.lstrip()), lo + len(piece.rstrip())


def stripped(text: str, lo: int, hi: int) -> tuple[int, int]:
    """Bounds without blanks, and without emphasis and quotes that stand on both sides."""
    lo, hi = trim(text, lo, hi)
    for _ in range(MAX_WRAPS):
        for opening, closing in _PAIRS:
            if text.startswith(opening, lo) and text.endswith(closing, lo + len(opening), hi):
                lo, hi = trim(text, lo + len(opening), hi - len(closing))
        if text.startswith(("**", "__"), lo) and text.find(text[lo : lo + 2], lo + 2, hi) < 0:
            lo, hi = trim(text, lo + 2, hi)  # emphasis that ends with the label
    return lo, hi


# --- pieces whose end is marked --------------------------------------------------------------------------


def enclosed(text: str, masked: str, at: int, end: int) -> tuple[int, str] | None:
    """End, before ``end``, and text of a piece whose end is marked by what stands before ``at``; quotes are `in_quotes`'."""
    before = text[max(0, at - 2) : at]
    structure = outside_strings(masked[at:end])
    if (closing := _CLOSING.get(before[-1:])) is not None:
        stop = structure.find(closing)
        while stop > 0 and closing == "'" and not _after(structure, stop + 1):  # an apostrophe
            stop = structure.find(closing, stop + 1)
    elif before[-1:] in _BRACKETS:
        stop = _balanced(structure, before[-1], _BRACKETS[before[-1]])
    elif before[-1:] == ">":
        stop = len(structure[: max(0, structure.find("</"))].rstrip())
    else:
        stop = _emphasised(structure, before)
    return (at + stop, text[at : at + stop]) if stop > 0 else None


def is_enclosed(text: str, at: int) -> bool:
    """Whether something stands before ``at`` that may mark an end."""
    sign = text[at - 1 : at]
    return at > 0 and (sign in _CLOSING or sign in _BRACKETS or sign in ">*_")


def _balanced(structure: str, opening: str, closing: str) -> int:
    """Where the bracket closes that has been opened before; -1 where it does not."""
    depth = 1
    for found in re.finditer(f"[{re.escape(opening + closing)}]", structure):
        depth += 1 if found[0] == opening else -1
        if not depth:
            return found.start()
    return -1


def _emphasised(structure: str, before: str) -> int:
    sign = before if before in ("**", "__") else before[-1]
    stop = structure.find(sign) if len(sign) > 1 else structure.rstrip(" .").rfind(sign)
    return stop if stop > 0 and _after(structure, stop + len(sign)) else 0


def in_quotes(text: str, at: int) -> tuple[int, str] | None:
    """End and content of a piece between double quotes: a JSON string, or plain text that has quotes of its own inside."""
    try:
        content, end = read_string(text, at - 1)
    except DecodeError:
        return None
    if end == len(text) or text[end] in _AFTER_STRING:
        return end - 1, content
    last = len(text.rstrip(" \t.,;"))
    if last > end and text[last - 1] == '"':
        return last - 1, text[at : last - 1]
    return None
