"""A piece read again with the next line: its signature, or the rest of a wrapped line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sabir.finding.found import DAMAGED, MESSAGE, Found, Place, Unsure
from sabir.finding.layout import FRAME
from sabir.finding.reading import has_anchor, read

if TYPE_CHECKING:
    from sabir.finding.setting import Setting


def signed(last: Found, sign: re.Match[str], start: int, end: str, setting: Setting) -> Found | None:
    """A message of Agent Lingua with its signature, whose line begins at ``start``; ``end`` is the end of its own line."""
    begin, stop = start + sign.start(2), start + sign.end(2)
    apart = begin - last.span[1] != len(end)
    text = sign[2]
    if is_said(last) and not text.startswith("--"):  # with a dash it would be one more line of what is said
        text, apart = f"--{text[1:]}", True
    joint = "\n" if apart else end
    whole = read(f"{last.text}{joint}{text}", last.span[0], "lingua", Place(last.place, literal=True), setting)
    if whole.message is None or (setting.strict and apart):
        return None
    repairs = dict.fromkeys((*last.repairs, *(["signature-line"] if apart else []), *whole.repairs))
    return whole.changed(span=(last.span[0], stop), repairs=tuple(repairs))


def is_said(found: Found) -> bool:
    """Whether a piece is human language that nothing but its line ends."""
    return getattr(found.message, "kind", "") == "human" and found.place not in ("code", "quotes", "table") and "\n" not in found.text


def cut_short(found: Found) -> Found:
    """Human language with a line behind it that may belong to it."""
    error = Unsure("does the text go on in the next line? put the message in a fence", found.text, format=found.format)
    return found.changed(message=None, repairs=(), kind=DAMAGED, error=error)


def rejoined(last: Found, text: str, start: int, setting: Setting) -> Found | None:
    """A piece that broke off between two tokens with the line that follows it."""
    frame = FRAME.match(text)
    begin = frame.end() if frame else 0
    joined = f"{last.text} {text[begin:].rstrip()}"
    if last.format == "slip" and not has_anchor(joined, setting.codebook):
        return None
    whole = read(joined, last.span[0], last.format, Place(last.place), replace(setting, strict=False))
    if whole.kind != MESSAGE and not isinstance(whole.error, Unsure):
        return None
    end = start + begin + whole.span[1] - last.span[0] - len(last.text) - 1
    return whole.changed(span=(last.span[0], end), repairs=("rejoined", *whole.repairs))
