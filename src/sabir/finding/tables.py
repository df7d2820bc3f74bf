"""Messages in a Markdown table, cell by cell; a column's head is the label of its cells."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from sabir.errors import Span
from sabir.finding import bare
from sabir.finding.found import DAMAGED, Found, Place, Unsure
from sabir.finding.layout import code_spans
from sabir.finding.segments import Segment
from sabir.finding.setting import Setting

is_row: Final = re.compile(r"[ \t]*+\|.*\|[ \t]*+\Z").match
_ruler = re.compile(r"[ \t]*+\|[ \t|:-]++\Z").match
_pairs = re.compile(r"[ \t]*+[\w.-]+=\S").match
_bar = re.compile(r"\\.|\|").finditer


class Table:
    """The rows of a table, as they come."""

    def __init__(self, setting: Setting, place: Place) -> None:
        self.setting = setting
        self.least = min(place.evidence, 1)
        self.header: list[str] = []

    def end(self) -> None:
        """The table ends: the next row is a head."""
        self.header = []

    def row(self, start: int, text: str, announced: int) -> list[Found]:
        """What a row's cells hold; ``announced`` is the evidence that the text before the table gives."""
        cells = _cells(text)
        if _ruler(text):
            return []
        if not self.header:
            self.header = [text[a:b].strip() for a, b in cells]
        items: list[Found] = []
        for at, (a, b) in enumerate(cells):
            head = self.header[at] if at < len(self.header) else ""
            place = Place("table", evidence=max(self.least, bare.announced(head), announced))
            result = Segment(text[a:b], start + a, place, self.setting).scan()
            after = text[slice(*cells[at + 1])] if at + 1 < len(cells) else ""
            items += [_whole(item, after) for item in (result.other if result.lacking else result.found)]
        return items


def _cells(text: str) -> list[Span]:
    """Spans of a row's cells: between bars that neither a backslash nor a code span takes away."""
    hidden = [(start, end) for start, _, _, end in code_spans(text)]
    bars: list[int] = []
    at = 0
    for found in _bar(text):
        while at < len(hidden) and hidden[at][1] <= found.start():
            at += 1
        if found[0] == "|" and not (at < len(hidden) and hidden[at][0] < found.start()):
            bars.append(found.start())
    return [(a + 1, b) for a, b in pairwise(bars)]


def _whole(item: Found, after: str) -> Found:
    """A packet whose data a table's bar may have cut off is reported."""
    if item.format != "eap" or item.message is None or "|" in item.text or not _pairs(after):
        return item
    reason = "a cell's bar, or the bar before the packet's data? escape it, or use a code span"
    return item.changed(message=None, kind=DAMAGED, error=Unsure(reason, item.text, format="eap"), repairs=())
