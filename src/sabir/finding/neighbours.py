"""What kind of line one is, and whether it can belong to the line before."""

from __future__ import annotations

import re
from typing import Final

from sabir.finding.found import DAMAGED, UNMARKED, Found, Unsure
from sabir.registry import READABLE

is_fence: Final = re.compile(r"[ \t>]*+(?:[-*+][ \t]++|\d{1,3}[.)][ \t]++)?(`{3,}|~{3,})[ \t]*+([^`\n]*+)\Z").match
is_comment: Final = re.compile(r"[ \t]*+(?:#|//|--[ \t]|;)").match
is_heading: Final = re.compile(r"[ \t]*+(?:#{1,6}[ \t]|(\*\*|__)[^*_]++\1[ \t]*+\Z)").match
is_item: Final = re.compile(r"[ \t]*+(?:[-*+•]|\d{1,3}[.)])[ \t]").match
is_signature: Final = re.compile(r"[ \t>]*+([*_`]*+)((?:--|—|–)👽lingua/[^\s@]++@\S+?)\1[ \t]*+\Z").match
_label = re.compile(r"[ \t]*+[*_]*+[\w ]{1,24}[*_]*+[:：]").match
_dangling = re.compile(r"[|⁝➔｜]\ufe0f?[ \t]*+\Z").search


def is_apart(line: str) -> bool:
    """Whether a page sets a line apart from the one before: an item, a heading, a fence, a label."""
    return bool(is_fence(line) or is_heading(line) or is_item(line) or _label(line))


def begins_anew(line: str) -> bool:
    """Whether a line is no going on of the one before: it is set apart, or a message."""
    return is_apart(line) or any(format.marker.match(line.lstrip()) for format in READABLE if format.name not in UNMARKED)


def left_open(found: Found, line: str, start: int) -> Found:
    """A piece whose closing quote is missing, as it stands; its string may go on in the next line."""
    begin, end = found.span
    piece = line[begin - start : end - start]
    at = max(piece.rfind('"'), 0)
    error = Unsure("does the string go on in the next line? close its quote", piece, (at, at + 1), format=found.format)
    return found.changed(message=None, text=piece, repairs=(), kind=DAMAGED, error=error)


def breaks_off(found: Found) -> bool:
    """Whether a piece ends where its format wants more: a packet after its bar, a SLIP message inside of its head."""
    if found.format == "slip":
        words = found.text.split(None, 6)
        return len(words) < (6 if words[1:2] == ["v3"] else 5)
    return _dangling(found.text) is not None
