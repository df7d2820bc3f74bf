"""Messages in one line, or in one cell or code span of it.

A message that begins the segment, or follows a label, may go on to its end; one in quotes, a code span, emphasis, brackets
or a pair of tags ends with them; one inside of a sentence is read only where its end is sure. Nothing inside of what
has been read as a message is looked at again, so no value can smuggle out a second one.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from itertools import chain
from typing import Final

from sabir.finding import bare, jsonpieces
from sabir.finding.found import DAMAGED, MESSAGE, Found, Place, Unsure
from sabir.finding.layout import FRAME, Span4, code_spans, enclosed, in_quotes, is_enclosed, masked, stripped, trim
from sabir.finding.marks import Mark, mark_at, marks, templates
from sabir.finding.objects import Scanner
from sabir.finding.reading import is_meant, read
from sabir.finding.setting import Result, Setting

MAX_TRIES: Final = 16
"""Most markers of one segment for which its whole rest is tried; for others, what stands before the next marker."""
_LABELLED: Final = (":", "：", "→", "➜", "⇒", "->", "=>", "—", "–", "=", "#", "//", "--")
_EMPHASIS: Final = " \t*_~`\"'“”‘’「『(（["
_LEAD: Final = 64
"""Characters before a marker that are looked at."""
_joint = re.compile(r"\A[\s.,;/&+]*+(?:(?:and|then)[\s,]++){0,2}\Z")
_label = re.compile(r"[:：]")
_is_call = re.compile(r"[a-z_]+[(（]|if\s+\S").match


class Segment:
    """A line, a cell or the content of a code span, and its place in the input."""

    def __init__(self, text: str, start: int, place: Place, setting: Setting, *, done: int = 0) -> None:
        self.text = text
        self.start = start
        self.place = place
        self.setting = setting
        self.done = done
        self.spans = [] if place.name == "code" else code_spans(text)
        self.masked = masked(text, self.spans)
        frame = FRAME.match(text)
        self.body = max(done, frame.end() if frame else 0)
        self.found: list[Found] = []
        self.cut: Found | None = None
        self.tries = MAX_TRIES
        self.wall = 0
        """Where quotes around several messages end."""
        self.open_to = 0
        """End of a message that began the segment or followed a label, behind which another may begin."""

    def scan(self) -> Result:
        """All that the segment holds, in order.

        A message without a marker that is all of the segment comes first: what its values hold is no message.
        """
        first = self._whole()
        if first and not first.lacking:
            return first
        self.found = []
        if first is None:
            self._label_first()
            return self._marks()
        if next(marks(self.masked, formats=self.setting.formats), None):
            first.other = self._marks().found
        return first

    def _label_first(self) -> None:
        """Read what follows a label before all markers, so that no marker in its values comes first."""
        if self.done or self.place.evidence < 0:
            return
        self._after_label()
        found, self.found = self.found, []
        if not found or not (found[0].kind == MESSAGE or isinstance(found[0].error, Unsure)):
            return
        start, end = (at - self.start for at in found[0].span)
        earlier = [mark.start for mark in self._waiting()[:1]] + [span[0] for span in self.spans[:1]]
        if start < min(earlier, default=len(self.text)) and "{" not in self.masked[:start]:
            self.found, self.done, self.body = found, end, end

    def _marks(self) -> Result:
        waiting = self._waiting()
        spans = deque(self.spans)
        pos, at, size = self.done, 0, len(self.text)
        while True:
            while at < len(waiting) and waiting[at].start < pos:
                at += 1
            while spans and spans[0][0] < pos:
                spans.popleft()
            mark = waiting[at].start if at < len(waiting) else size
            span = spans[0][0] if spans else size
            brace = self.masked.find("{", pos, min(mark, span))
            if brace >= 0:
                scanner = Scanner(self.start + brace, quoted=">" in self.text[: self.body])
                pos = max(brace + 1, scanner.feed(self.text, brace))
                if scanner.state == "open":
                    return Result(self.found, scanner)
                self.found += jsonpieces.found(scanner, self.place, self.setting)
            elif mark < span:
                pos = self._marked(waiting[at], waiting[at + 1].start if at + 1 < len(waiting) else size)
            elif span < size:
                pos = spans[0][3]
                self._code_span(spans[0])
            else:
                break
        if not (self.found or self.done or self.cut) and self.place.evidence >= 0:
            self._after_label()
        return Result(self.found, cut=self.cut)

    def _waiting(self) -> list[Mark]:
        """Markers in their order; at the start of the segment, in the spellings that are sure only there."""
        formats = self.setting.formats
        found = [*marks(self.masked, self.done, formats=formats), *templates(self.masked, formats)]
        if not self.done:
            rest = self.masked[self.body :]
            emphasised = self.body + len(rest) - len(rest.lstrip("*_\"'“"))
            first = len(self.masked) - len(self.masked.lstrip())  # a quote mark may be the packet's own sign
            found += [mark for at in (emphasised, first) if (mark := mark_at(self.masked, at, formats))]
        by_start = {mark.start: mark for mark in found if mark.start >= self.done}
        return [by_start[at] for at in sorted(by_start)]

    # --- with a marker

    def _marked(self, mark: Mark, limit: int) -> int:
        """Read what begins at a marker; the position up to which it reaches."""
        if (piece := self._enclosed(mark.start, limit)) is not None:
            return self._exact(mark, limit, *piece)
        size = self.wall if mark.start < self.wall else len(self.text)
        limit = min(limit, size)
        lead = self._lead(mark.start)
        opens = not lead or lead.endswith(_LABELLED)
        if opens:
            named = "label" if lead and self.place.name == "line" else self.place.name
            place = replace(self.place, name=named)
            found = self._open(mark, limit, size, place)
            self.open_to = found.span[1] - self.start if found.kind == MESSAGE else 0
        else:
            place = replace(self.place, name="sentence" if self.place.name == "line" else self.place.name, inside=True)
            found = self._read(mark, self._before(mark.start, limit), place)
        self._keep(found, place)
        return max(found.span[1] - self.start, mark.start + 1)

    def _lead(self, at: int) -> str:
        """The end of what stands before a marker: a label, a sentence, or nothing."""
        if self.open_to:
            before = self.masked[self.open_to : at] if at - self.open_to < _LEAD else "x"
            return _joint.sub("", before.rstrip(_EMPHASIS))
        before = self.masked[max(self.body, at - _LEAD) : at]
        return before.rstrip(_EMPHASIS) or ("x" if at - self.body > _LEAD else "")

    def _open(self, mark: Mark, limit: int, size: int, place: Place) -> Found:
        """What begins the segment, or follows a label: up to the segment's end, else to the next marker."""
        whole = None
        if limit == size or self.tries > 0:
            self.tries -= 1
            whole = self._read(mark, size, place)
            if limit == size or whole.kind != DAMAGED or isinstance(whole.error, Unsure):
                return whole
        part = self._read(mark, self._before(mark.start, limit), replace(place, inside=mark.format in ("slip", "lingua")))
        return part if part.kind == MESSAGE or whole is None else whole

    def _before(self, start: int, limit: int) -> int:
        """End of what stands between a marker and the next one with its label."""
        return limit if limit == len(self.text) else start + len(self.masked[start:limit].rstrip(" \t*_`\"'“(（["))

    def _read(self, mark: Mark, end: int, place: Place) -> Found:
        return read(self.text[mark.start : end], self.start + mark.start, mark.format, place, self.setting)

    def _keep(self, found: Found, place: Place) -> None:
        """Keep what is a message or was meant as one; a mere mention of a format is neither."""
        if found.kind != DAMAGED or is_meant(found, place, self.setting.codebook):
            self.found.append(found)
        elif found.format == "slip" and not place.inside and not place.exact and 3 <= len(found.text.split(None, 6)) < 6:
            self.cut = found

    def _enclosed(self, at: int, limit: int) -> tuple[int, str, Place] | None:
        """End, text and place of a piece whose end is marked by what stands before it."""
        place = replace(self.place, name="quotes" if self.place.name == "line" else self.place.name, exact=True)
        if self.text[at - 1 : at] == '"' and at:
            quoted = in_quotes(self.text, at)
            return (*quoted, replace(place, literal=True)) if quoted else None
        if not is_enclosed(self.text, at):
            return None
        piece = enclosed(self.text, self.masked, at, limit)
        if piece is None and limit < len(self.text) and self.tries > 0:
            self.tries -= 1
            piece = enclosed(self.text, self.masked, at, len(self.text))
        if piece and self.text[at - 1] in "*_":
            place = replace(place, name=self.place.name)
        return (*piece, place) if piece else None

    def _exact(self, mark: Mark, limit: int, end: int, text: str, place: Place) -> int:
        """Read a piece with an end of its own; the position up to which it reaches."""
        found = read(text, self.start + mark.start, mark.format, place, self.setting)
        if text != self.text[mark.start : end]:
            found = found.changed(span=(self.start + mark.start, self.start + end), repairs=("json-string", *found.repairs))
        elif found.kind == DAMAGED and mark.start < limit < end:  # several in one pair of quotes
            found = self._read(mark, self._before(mark.start, limit), place)
            self.wall, end = end, found.span[1] - self.start
            self.open_to = end
        self._keep(found, place)
        return end

    # --- code spans and what has no marker

    def _code_span(self, span: Span4) -> None:
        start, inner, close, end = span
        lo, hi = trim(self.text, inner, close)
        content = self.text[lo:hi]
        place = replace(self.place, name="table" if self.place.name == "table" else "code", exact=True, literal=True)
        formats = self.setting.formats
        if (mark := mark_at(content, 0, formats)) is not None:
            found = read(content, self.start + lo, mark.format, place, self.setting)
            several = found.kind == DAMAGED and not isinstance(found.error, Unsure) and next(marks(content, 1, formats=formats), None)
            if not several:
                self._keep(found, place)
                return
        if "{" in content or next(chain(marks(content, formats=formats), templates(content, formats)), None):
            inside = replace(place, name="code", exact=False)
            self.found += Segment(content, self.start + lo, inside, self.setting).scan().found
            return
        alone = len(self.spans) == 1 and not (self.text[self.body : start] + self.text[end:]).strip(" \t.,;*_:|")
        wanted = None if alone else bare.candidate(content, formats, literal=True)
        if wanted:
            evidence = self._evidence(content, start, end, wanted[0])
            if evidence >= wanted[1] and (evidence > 1 or not self._names(content, wanted[0])):
                self._bare_at(content, self.start + lo, wanted[0], place)

    def _evidence(self, content: str, start: int, end: int, format: str) -> int:
        """Evidence for a code span with prose around it."""
        if not 0 < self.place.evidence < 2:
            return self.place.evidence
        before = self.text[max(self.body, start - bare.AROUND) : start]
        after = self.text[end : end + bare.AROUND]
        if before.rstrip(" \t*_").endswith((":", "：")):
            return max(1, bare.announced(before))
        if not before.strip(" \t*_") and re.match(r"[ \t*_]*+[:：–—-]", after):  # a list of terms and their meanings
            return 0
        return bare.in_sentence(content, format, before, after)

    def _bare_at(self, text: str, start: int, format: str, place: Place) -> bool:
        """Keep a piece without a marker; whether it is a message or a template."""
        found = read(text, start, format, place, self.setting)
        good = found.kind != DAMAGED
        if good and place.evidence < 2 and "trailing-commentary" in found.repairs:
            return False  # a call or a code and what it means: a list of terms
        meant = place.evidence >= 3 and (_is_call(text) if format == "silp-code" else bare.is_tape(text))
        if good or meant or _may_be_said(found, place):
            self.found.append(found)
        return good

    def _whole(self) -> Result | None:
        """The message without a marker that is all of the segment."""
        if self.done or self.place.evidence <= 0:
            return None
        lo, hi = stripped(self.text, self.body, len(self.text))
        place = self.place
        if self.spans and self.spans[0][0] == lo and not self.text[self.spans[0][3] : hi].strip(" \t.,;"):
            lo, hi = trim(self.text, *self.spans[0][1:3])
            place = replace(place, name="code" if place.name == "line" else place.name, exact=True, literal=True)
        content = self.text[lo:hi]
        wanted = bare.candidate(content, self.setting.formats, literal=place.literal)
        if not wanted or (place.exact and place.evidence < 2 and self._names(content, wanted[0])):
            return None
        if self._bare_at(content, self.start + lo, wanted[0], place):
            return Result(self.found, bare=True, lacking=wanted[1] > place.evidence)
        return Result(self.found) if self.found else None

    def _names(self, content: str, format: str) -> bool:
        """Whether a call in a code span names a function: it is a heading, or has no arguments."""
        return format == "silp-code" and ("#" in self.text[: self.body] or bare.is_named(content))

    def _after_label(self) -> None:
        """A message without a marker that follows a label."""
        before = self.body
        for colon in [*_label.finditer(self.masked, self.body)][: bare.MAX_LABELS]:
            label = self.text[before : colon.start()]
            evidence = bare.announced(label) if len(label) < bare.AROUND else 0
            before = colon.end()
            lo, hi = stripped(self.text, colon.end(), len(self.text))
            for sign in ("**", "__", "*"):  # emphasis around the label, too
                if self.text.startswith(sign, self.body) and label.count(sign) % 2 and self.text.endswith(sign, lo, hi):
                    hi -= len(sign)
            wanted = bare.candidate(self.text[lo:hi], self.setting.formats) if evidence else None
            if wanted and evidence >= wanted[1]:
                name = "label" if self.place.name == "line" else self.place.name
                self._bare_at(self.text[lo:hi], self.start + lo, wanted[0], replace(self.place, name=name, evidence=evidence))
                break


def _may_be_said(found: Found, place: Place) -> bool:
    """Whether a piece is human language with what may be a remark behind it: then nothing in it is a message."""
    said = found.format == "lingua" and "👽" in found.text[:2] and isinstance(found.error, Unsure)
    return said and place.evidence >= (1 if place.literal else 3)
