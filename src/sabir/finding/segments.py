"""Messages in one line, or in one cell or code span of it.

A message that begins the segment, or follows a label, may go on to its end; one in quotes, a code span, emphasis, brackets
or a pair of tags ends with them; one inside of a sentence is read only where its end is sure. Nothing inside of what
has been read as a message is looked at again, so no value can smuggle out a second one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from dataclasses import replace
from typing import Final

from sabir.errors import DecodeError
from sabir.finding import bare, jsonpieces
from sabir.finding.found import DAMAGED, MESSAGE, Found, Place, Unsure
from sabir.finding.marks import Mark, mark_at, marks, templates
from sabir.finding.objects import Scanner
from sabir.finding.reading import read
from sabir.finding.repairs import outside_strings
from sabir.finding.setting import Result, Setting
from sabir.jsontext import read_string
from sabir.slip.limits import FORCES
from sabir.ucr.codebook import core

FRAME: Final = re.compile(
    r"(?:[ \t]|>(?=[ \t]|>[A-Z ]|$)|[-*+•◦▪‣·●○](?=[ \t])|\d{1,3}[.)](?=[ \t])|\(\d{1,3}\)(?=[ \t])|[a-zA-Z][.)](?=[ \t])"
    r"|\[[ xX]\](?=[ \t])|\#{1,6}(?=[ \t])|(?:->|=>|-->|==>)(?=[ \t]|[A-Z>◤◢▰👽])"
    r"|(?![◤◢▰👽📦⚡])[\u2190-\u21ff\u2460-\u24ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d])*+"
)
"""What may stand before the text of a line: blanks, quote marks, bullets, numbers, headings, arrows, symbols."""
LABELLED: Final = (":", "：", "→", "➜", "⇒", "->", "=>", "—", "–", "=")
_EMPHASIS: Final = " \t*_~`\"'“”‘’「『(（["
_ticks = re.compile("`+")
_after = re.compile(r"[\s.,;:!?)\]}…。、，；：！？）」』*_<|`\"'”]|\Z").match
_joint = re.compile(r"\A[\s.,;/&+]*+(?:(?:and|then)[\s,]++){0,2}\Z")
_label = re.compile(r"[:：]")
_CLOSING: Final = {"'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "「": "」", "『": "』", "＂": "＂"}


def code_spans(text: str) -> list[tuple[int, int, int, int]]:
    """Code spans of a line: start, start of the content, its end, end."""
    runs = [found.span() for found in _ticks.finditer(text)]
    places: dict[int, list[int]] = {}
    for at, (start, end) in enumerate(runs):
        places.setdefault(end - start, []).append(at)
    spans: list[tuple[int, int, int, int]] = []
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


class Segment:
    """A line, a cell or the content of a code span, and its place in the input."""

    def __init__(self, text: str, start: int, place: Place, setting: Setting, *, done: int = 0) -> None:
        self.text = text
        self.start = start
        self.place = place
        self.setting = setting
        self.done = done
        self.spans = [] if place.name == "code" else code_spans(text)
        self.masked = _masked(text, self.spans)
        frame = FRAME.match(text)
        self.body = max(done, frame.end() if frame else 0)
        self.found: list[Found] = []
        self.cut: Found | None = None
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
        rest = self._marks() if first is None or self._has_marks() else Result([])
        if first:
            first.other = rest.found
            return first
        return rest

    def _has_marks(self) -> bool:
        return next(marks(self.masked, formats=self.setting.formats), None) is not None

    def _marks(self) -> Result:
        formats = self.setting.formats
        known = [*marks(self.masked, self.done, formats=formats), *templates(self.masked, formats)]
        body = self.body + len(self.masked[self.body :]) - len(self.masked[self.body :].lstrip("*_\"'“"))
        for at in (body, len(self.masked) - len(self.masked.lstrip())):  # a quote mark may be the packet's own sign
            if (first := mark_at(self.masked, at, formats)) and not self.done:
                known.append(first)
        waiting = sorted({mark.start: mark for mark in known if mark.start >= self.done}.values(), key=lambda mark: mark.start)
        spans = deque(self.spans)
        pos, at, size = self.done, 0, len(self.text)
        while True:
            while at < len(waiting) and waiting[at].start < pos:
                at += 1
            while spans and spans[0][0] < pos:
                spans.popleft()
            mark = waiting[at].start if at < len(waiting) else size
            span = spans[0][0] if spans else size
            brace = self.masked.find("{", pos)
            brace = size if brace < 0 else brace
            nearest = min(mark, brace, span)
            if nearest == size:
                break
            if nearest == mark:
                limit = waiting[at + 1].start if at + 1 < len(waiting) else size
                pos = self._marked(waiting[at], limit)
            elif nearest == brace:
                scanner = Scanner(self.start + brace, quoted=">" in self.text[: self.body])
                pos = max(brace + 1, brace + scanner.feed(self.text[brace:]))
                if scanner.state == "open":
                    return Result(self.found, scanner)
                self.found += jsonpieces.found(scanner, self.place, self.setting)
            else:
                pos = spans[0][3]
                self._code_span(spans[0])
        if self.found or self.done or self.cut:
            return Result(self.found, cut=self.cut)
        return self._bare()

    # --- with a marker

    def _marked(self, mark: Mark, limit: int) -> int:
        """Read what begins at a marker; the position up to which it reaches."""
        if (enclosed := self._enclosed(mark.start)) is not None:
            end, text, place = enclosed
            found = read(text, self.start + mark.start, mark.format, place, strict=self.setting.strict)
            if text != self.text[mark.start : end]:
                found = found.changed(span=(self.start + mark.start, self.start + end), repairs=("json-string", *found.repairs))
            self._keep(found, place)
            return end
        lead = self.masked[self.body : mark.start].rstrip(_EMPHASIS)
        if self.open_to:
            lead = _joint.sub("", self.masked[self.open_to : mark.start].rstrip(_EMPHASIS))
        if not lead or lead.endswith(LABELLED):
            place = self.place if not lead else replace(self.place, name="label" if self.place.name == "line" else self.place.name)
            whole = self._read(mark, len(self.text), place)
            if whole.kind == DAMAGED and limit < len(self.text) and not isinstance(whole.error, Unsure):
                part = self._read(mark, self._before(limit), replace(place, inside=mark.format in ("slip", "lingua")))
                if part.kind == MESSAGE:
                    whole = part
            self._keep(whole, place)
            self.open_to = whole.span[1] - self.start if whole.kind == MESSAGE else 0
            return max(whole.span[1] - self.start, mark.start + 1)
        place = replace(self.place, name="sentence" if self.place.name in ("line", "label") else self.place.name, inside=True)
        found = self._read(mark, self._before(limit), place)
        self._keep(found, place)
        return max(found.span[1] - self.start, mark.start + 1)

    def _before(self, limit: int) -> int:
        """End of what stands before the next marker and its label."""
        return limit if limit == len(self.text) else len(self.masked[:limit].rstrip(" \t*_`\"'“(（["))

    def _read(self, mark: Mark, end: int, place: Place) -> Found:
        return read(self.text[mark.start : end], self.start + mark.start, mark.format, place, strict=self.setting.strict)

    def _keep(self, found: Found, place: Place) -> None:
        """Keep what is a message or was meant as one; a mere mention of a format is neither."""
        if found.kind != DAMAGED or _meant(found, place):
            self.found.append(found)
        elif found.format == "slip" and not place.inside and not place.exact and 3 <= len(found.text.split()) < 6:
            self.cut = found

    def _enclosed(self, at: int) -> tuple[int, str, Place] | None:
        """End, text and place of a piece whose end is marked by what stands before it."""
        before, masked = self.text[max(0, at - 3) : at], self.masked
        place = replace(self.place, name="quotes" if self.place.name in ("line", "label") else self.place.name, exact=True)
        if at == 0:
            return None
        if before.endswith('"'):
            return self._in_quotes(at, place)
        structure = outside_strings(masked[at:])
        if (closing := _CLOSING.get(before[-1:])) is not None:
            return self._up_to(structure, closing, at, place)
        if before[-1:] in ("(", "（", "["):
            end = structure.find({"(": ")", "（": "）", "[": "]"}[before[-1]])
            if end > 0 and "(" not in structure[:end] and "[" not in structure[:end]:
                return at + end, self.text[at : at + end], place
            return None
        if before.endswith(">") and (end := structure.find("</")) > 0:
            return at + len(structure[:end].rstrip()), self.text[at : at + end].rstrip(), place
        for sign in ("**", "__", "*", "_"):
            if before.endswith(sign):
                end = structure.find(sign) if len(sign) > 1 else structure.rstrip(" .").rfind(sign)
                if end > 0 and _after(structure, end + len(sign)):
                    return at + end, self.text[at : at + end], replace(place, name=self.place.name)
                return None
        return None

    def _up_to(self, structure: str, closing: str, at: int, place: Place) -> tuple[int, str, Place] | None:
        end = structure.find(closing)
        while end > 0 and closing == "'" and not _after(structure, end + 1):  # an apostrophe
            end = structure.find(closing, end + 1)
        return (at + end, self.text[at : at + end], place) if end > 0 else None

    def _in_quotes(self, at: int, place: Place) -> tuple[int, str, Place] | None:
        """A piece between double quotes: a JSON string, or plain text that has quotes of its own inside."""
        try:
            content, end = read_string(self.text, at - 1)
        except DecodeError:
            return None
        if end == len(self.text) or self.text[end] in " \t.,;:!?)]}>…。、」":
            return end - 1, content, replace(place, literal=True)
        last = len(self.text.rstrip(" \t.,;"))
        if last > end and self.text[last - 1] == '"':
            return last - 1, self.text[at : last - 1], place
        return None

    # --- code spans and what has no marker

    def _code_span(self, span: tuple[int, int, int, int]) -> None:
        start, inner, close, end = span
        content = self.text[inner:close]
        a = inner + len(content) - len(content.lstrip())
        content = content.strip()
        place = replace(self.place, name="code" if self.place.name != "table" else "table", exact=True, literal=True)
        if (mark := mark_at(content, 0, self.setting.formats)) is not None:
            self._keep(read(content, self.start + a, mark.format, place, strict=self.setting.strict), place)
            return
        if any(True for _ in marks(content, formats=self.setting.formats)) or "{" in content or any(
            True for _ in templates(content, self.setting.formats)
        ):
            result = Segment(content, self.start + a, replace(place, name="code", exact=False), self.setting).scan()
            self.found += result.found
            return
        wanted = bare.candidate(content, self.setting.formats)
        alone = not (self.text[self.body : start] + self.text[end:]).strip(" \t.,;*_:|")
        if wanted and not alone and self._evidence(content, start, end, wanted[0]) >= wanted[1]:
            self._bare_at(content, self.start + a, wanted[0], place)

    def _evidence(self, content: str, start: int, end: int, format: str) -> int:
        """Evidence for a code span with prose around it."""
        before, after = self.text[self.body : start], self.text[end:]
        if not 0 < self.place.evidence < 2:
            return self.place.evidence
        if before.rstrip(" \t*_").endswith((":", "：")):
            return max(1, bare.announced(before))
        if not before.strip(" \t*_") and re.match(r"[ \t*_]*(?:[:：–—-])", after):  # a list of terms and their meanings
            return 0
        return bare.in_sentence(content, format, before, after)

    def _bare_at(self, text: str, start: int, format: str, place: Place) -> bool:
        """Keep a piece without a marker; whether it is a message or a template."""
        found = read(text, start, format, place, strict=self.setting.strict)
        good = found.kind != DAMAGED
        if good or (place.evidence >= 3 and format == "silp-code" and _is_call(text)):
            self.found.append(found)
        return good

    def _whole(self) -> Result | None:
        """The message without a marker that is all of the segment."""
        if self.done or self.place.evidence <= 0:
            return None
        lo, hi = self._stripped(self.body, len(self.text))
        content, place = self.text[lo:hi], self.place
        if self.spans and self.spans[0][0] == lo and not self.text[self.spans[0][3] : hi].strip(" \t.,;"):
            lo, close = _trim(self.text, *self.spans[0][1:3])
            content = self.text[lo:close]
            name = "code" if place.name in ("line", "label") else place.name
            place = replace(place, name=name, exact=True, literal=True)
        wanted = bare.candidate(content, self.setting.formats)
        if not wanted:
            return None
        if self._bare_at(content, self.start + lo, wanted[0], place):
            return Result(self.found, bare=True, lacking=wanted[1] > place.evidence)
        return Result(self.found) if self.found and not self._has_marks() else None

    def _bare(self) -> Result:
        """A message without a marker that follows a label."""
        if self.place.evidence >= 0:
            self._after_label()
        return Result(self.found)

    def _after_label(self) -> None:
        before = self.body
        for colon in [*_label.finditer(self.masked, self.body)][:8]:
            label = self.text[before : colon.start()]
            evidence = bare.announced(label) if len(label) < 120 else 0
            before = colon.end()
            lo, hi = self._stripped(colon.end(), len(self.text))
            wanted = bare.candidate(self.text[lo:hi], self.setting.formats) if evidence else None
            if wanted and evidence >= wanted[1]:
                name = "label" if self.place.name == "line" else self.place.name
                self._bare_at(self.text[lo:hi], self.start + lo, wanted[0], replace(self.place, name=name, evidence=evidence))
                break

    def _stripped(self, lo: int, hi: int) -> tuple[int, int]:
        """Bounds without blanks, and without emphasis and quotes that stand on both sides."""
        text = self.text
        lo, hi = _trim(text, lo, hi)
        changed = True
        while changed and hi - lo > 1:
            changed = False
            for opening, closing in (("**", "**"), ("__", "__"), ("*", "*"), ('"', '"'), ("“", "”"), ("'", "'"), ("「", "」")):
                if text.startswith(opening, lo) and text.endswith(closing, lo + len(opening), hi):
                    lo, hi = _trim(text, lo + len(opening), hi - len(closing))
                    changed = True
            while text.startswith(("**", "__"), lo) and text[lo : lo + 2] not in text[lo + 2 : hi]:
                lo, hi = _trim(text, lo + 2, hi)  # emphasis that ends with the label
        return lo, hi


def _trim(text: str, lo: int, hi: int) -> tuple[int, int]:
    piece = text[lo:hi]
    return lo + len(piece) - len(piece.lstrip()), lo + len(piece.rstrip())


_is_call = re.compile(r"[a-z_]+[(（]|if\s+\S").match


def _masked(text: str, spans: list[tuple[int, int, int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, _, _, end in spans:
        parts += (text[at:start], "\x00" * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def _meant(found: Found, place: Place) -> bool:
    """Whether a piece that does not decode was meant as a message, and is not a mention of its format."""
    masked = outside_strings(found.text)
    if found.format == "slip":
        words = masked.split()
        if len(words) < 5:
            return False
        name = words[4].strip(".,;:!?…。、，()[]*_`\"'“”")
        return name in core() or name.startswith(FORCES) or name == "Defer" or bool(name[:1].isupper() and core().closest(name))
    if found.format == "eap":
        return not place.inside or re.search(r"(?<!\S)[!！][1-9]|[|｜]", masked) is not None
    return found.format != "lingua" or "|" in masked

