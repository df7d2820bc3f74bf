"""A text line by line: fences, tables, announcements, and what a line's neighbours say about it.

Only LF and CR LF end a line. What is found is given in the order of the text; a piece whose standing hangs on what comes next
(the fence's other lines, a signature, the rest of a wrapped line) holds back what follows until it is decided.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Final

from sabir.finding import bare
from sabir.finding.found import MESSAGE, Found, Place
from sabir.finding.human import Standing
from sabir.finding.joining import cut_short, is_said, rejoined, signed
from sabir.finding.neighbours import (
    begins_anew,
    breaks_off,
    is_apart,
    is_comment,
    is_fence,
    is_heading,
    is_item,
    is_signature,
    left_open,
)
from sabir.finding.objects import Scanner
from sabir.finding.segments import Segment
from sabir.finding.setting import Result, Setting
from sabir.finding.tables import Table, is_row

MAX_LINE: Final = 1 << 20
"""Longest line that is looked at, in code points; a longer one is passed over."""
MAX_HELD: Final = 1000
"""Most lines of a fence that wait for its other lines; with so many messages it is a fence of messages."""

_PLAIN_TAGS: Final = frozenset(
    ("", "text", "txt", "plain", "plaintext", "none", "message", "messages", "msg", "output", "packet", "packets", "log", "md", "markdown")
)
_NAMED_TAGS: Final = frozenset(("ait", "silp", "silp-code", "slip", "eap", "lingua", "agent-lingua", "tape", "slipstream", "sabir"))


@dataclass(slots=True)
class _Slot:
    """What a place of the text gave, and whether that may still change."""

    items: list[Found]
    open: bool = False
    other: list[Found] = field(default_factory=list)
    """What it holds if its items do not count."""


@dataclass(slots=True)
class _Fence:
    sign: str
    evidence: int
    held: list[_Slot] = field(default_factory=list)
    spoiled: bool = False


class Document:
    """A text, taken in line by line, and what was found in it."""

    def __init__(self, setting: Setting, *, place: Place, sole: bool = True) -> None:
        self.setting = setting
        self.place = place
        self.may_be_sole = sole
        self._slots: deque[_Slot] = deque()
        self._fence: _Fence | None = None
        self._announced = 0
        self._table = Table(setting, place)
        self._last = ""
        self._near = False
        self._seen = False
        self._sole: _Slot | None = None
        self._wait: tuple[str, _Slot, Found] | None = None
        """Why a slot waits for the next line (``code``, ``signature``, ``human``, ``wrapped``), and the piece in question."""
        self._gap = False
        """Whether a blank line stands behind what waits."""
        self._end = "\n"
        self._only = False

    def taken(self) -> list[Found]:
        """What has been decided since the last call."""
        found: list[Found] = []
        while self._slots and not self._slots[0].open:
            found += self._slots.popleft().items
        return found

    def add(self, items: list[Found]) -> None:
        """Add what an object that began a line gave."""
        if items:
            self._slots.append(_Slot(items))

    def place_of_objects(self) -> Place:
        """Where an object stands that begins a line."""
        return Place("fence", literal=True) if self._fence else self.place

    def note(self) -> None:
        """Something stands here: nothing waits for its line any more, and no line is all of the text."""
        self._decide("", blank=False)
        self._drop_sole()
        self._seen = True

    def standing(self, text: str) -> Standing | None:
        """How a line stands that begins a text in human language; None where none is looked for."""
        evidence = self._fence.evidence if self._fence else max(self.place.evidence, self._announced)
        if "lingua" not in self.setting.formats or evidence < 0 or (self._wait and self._wait[0] == "wrapped"):
            return None
        self._decide(text, blank=False)
        name = "fence" if self._fence else self.place.name
        sole = self.may_be_sole and not self._seen
        return Standing(self.setting, self._fence is not None, evidence, not self._seen, sole, name)

    def say(self, found: Found, last: str) -> None:
        """Add a text in human language, whose lines end with ``last``."""
        self._drop_sole()
        self._table.end()
        slot = _Slot([found])
        self._slots.append(slot)
        if self._fence and self._fence.evidence < 3 and found.kind == MESSAGE:
            self._hold_in(self._fence, slot)
        self._last, self._near, self._seen = last, True, True

    def line(self, start: int, text: str, done: int = 0, end: str = "\n") -> Scanner | None:
        """Take in a line without its ``end``, of which ``done`` characters have been read; an object may stay open there."""
        blank = not text.strip()
        if self._wait and self._decide(text, blank=blank, start=start):
            return None
        if is_signature(text):  # of no message that is known; what it holds is none either
            if self._fence:
                self._fence.spoiled = True
            return None
        self._end = end
        if blank:
            self._table.end()
            self._near = False
            return None
        self._drop_sole()
        scanner = None
        if not done and (mark := is_fence(text)) and self._fences(mark):
            pass
        elif self._fence:
            scanner = self._fenced(start, text, done)
        elif not done and is_row(text):
            items = self._table.row(start, text, self._announced)
            self._slots.append(_Slot(items))
        else:
            self._table.end()
            scanner = self._prose(start, text, done)
        self._last, self._near, self._seen = text, True, True
        return scanner

    def end(self) -> None:
        """The text ends: all that waits is decided."""
        self._decide("", blank=True, end=True)
        self._wait = None
        if self._fence:
            self._close()
        for slot in self._slots:
            slot.open = False

    # --- prose

    def _prose(self, start: int, text: str, done: int) -> Scanner | None:
        place = replace(self.place, evidence=max(self.place.evidence, self._announced) if self.place.evidence >= 0 else -1)
        result = Segment(text, start, place, self.setting, done=done).scan()
        slot = _Slot(result.found)
        self._slots.append(slot)
        if result.bare and result.lacking:
            self._alone(slot, result)
        elif result.bare and place.evidence < 2 and result.found[0].format == "silp-code":
            if self._near and (bare.is_code(self._last) or (bare.is_indented(text) and not bare.is_call(self._last))):
                slot.items = []
            else:
                self._hold("code", slot, result.found[0])
        elif result.found or result.cut:
            self._may_go_on(slot, result, text, start)
        self._announce(text, result)
        return result.scanner

    def _alone(self, slot: _Slot, result: Result) -> None:
        """A line that counts only if it is all of the text, or, in human language, if a signature follows."""
        slot.other = result.other
        if slot.items[0].format == "lingua":
            self._only = not self._seen and self.may_be_sole
            self._hold("human", slot, slot.items[0])
        elif self._seen or not self.may_be_sole:
            slot.items = slot.other
        else:
            slot.open, self._sole = True, slot

    def _drop_sole(self) -> None:
        if self._sole:
            self._sole.items, self._sole.open, self._sole = self._sole.other, False, None

    def _announce(self, text: str, result: Result) -> None:
        bare_text = text.strip().strip("*_ \t#")
        if bare_text.endswith((":", "：")) or is_heading(text):
            self._announced = bare.announced(bare_text)
        elif not result.found and not is_item(text) and not result.scanner:
            self._announced = 0

    # --- what the next line decides

    def _hold(self, why: str, slot: _Slot, last: Found) -> None:
        slot.open = True
        self._wait = (why, slot, last)
        self._gap = False

    def _may_go_on(self, slot: _Slot, result: Result, text: str, start: int) -> None:
        """Hold the last piece of a line if the next line may belong to it."""
        last = result.cut or slot.items[-1]
        if last.span[1] < start + len(text.rstrip(" \t\r*_`\"'”.")):
            return
        if last.format == "lingua" and last.message is not None and "\n" not in last.text:
            self._hold("signature", slot, last)
        elif "closing-quote" in last.repairs:
            slot.other = [item for item in slot.items if item is not last] + [left_open(last, text, start)]
            self._hold("string", slot, last)
        elif last.message is None and last.place != "sentence" and not self.setting.strict and breaks_off(last):
            self._hold("wrapped", slot, last)

    def _decide(self, text: str, *, blank: bool, start: int = 0, end: bool = False) -> bool:
        """Let a line decide what waits for it; whether it is used up by that."""
        if not self._wait:
            return False
        why, slot, last = self._wait
        if why in ("signature", "human") and blank and not end:
            self._gap = True
            return False
        self._wait = None
        used = False
        if why == "code" and not blank and bare.is_code(text) and not bare.is_call(text):
            slot.items = []
        elif why in ("signature", "human") and (found := is_signature(text)):
            used = self._replace(slot, last, signed(last, found, start, self._end, self.setting))
            slot.items = slot.items if used or why == "signature" else slot.other
        elif why == "signature" and is_said(last) and not (blank or self._gap or is_apart(text)):
            slot.items[-1] = cut_short(last)
        elif (why == "human" and not (end and self._only)) or (why == "string" and not blank and not begins_anew(text)):
            slot.items = slot.other
        elif why == "wrapped" and not blank:
            used = self._replace(slot, last, rejoined(last, text, start, self.setting))
        slot.open = bool(self._fence and slot in self._fence.held)
        if used:
            self._drop_sole()
            self._last = text
        return used

    def _replace(self, slot: _Slot, last: Found, whole: Found | None) -> bool:
        """Put a piece that was read with its next line in its place; whether it was."""
        if whole:
            slot.items = [*(item for item in slot.items if item is not last), whole]
        return whole is not None

    # --- fences

    def _fences(self, mark: re.Match[str]) -> bool:
        """Open or close a fence; whether the line is its mark."""
        sign, tag = mark[1], mark[2].strip()
        if self._fence:
            if sign[0] != self._fence.sign[0] or len(sign) < len(self._fence.sign) or tag:
                return False
            self._close()
            return True
        name = tag.split()[0].lower() if tag else ""
        evidence = 3 if name in _NAMED_TAGS else max(1, self._announced) if name in _PLAIN_TAGS else -1
        self._fence = _Fence(sign, evidence)
        return True

    def _close(self) -> None:
        fence, self._fence = self._fence, None
        for slot in fence.held if fence else ():
            slot.items = [] if fence and fence.spoiled else slot.items
            slot.open = False

    def _fenced(self, start: int, text: str, done: int) -> Scanner | None:
        fence = self._fence
        assert fence  # noqa: S101  # asked before
        place = Place("fence", literal=True, evidence=fence.evidence)
        result = Segment(text, start, place, self.setting, done=done).scan()
        slot = _Slot(result.found)
        self._slots.append(slot)
        if result.bare and fence.evidence < 3:
            if result.lacking or fence.spoiled:
                slot.items, fence.spoiled = result.other, True
            else:
                self._hold_in(fence, slot)
        elif result.found or result.cut:
            self._may_go_on(slot, result, text, start)
        elif not result.scanner and not done and not is_comment(text):
            fence.spoiled = True
        return result.scanner

    def _hold_in(self, fence: _Fence, slot: _Slot) -> None:
        if len(fence.held) < MAX_HELD:
            slot.open = True
            fence.held.append(slot)
