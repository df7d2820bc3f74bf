"""Agent Lingua's human language: the one message whose text may have several lines, and where it ends.

    block = line that begins with "👽" and a blank, *( line ), [ signature ]

The first signature line ends it for sure, and all before it is said in it. Without one it ends with its paragraph: at a blank
line, at the end of its fence or of the text; a Markdown fence is never part of it. Behind a blank line it goes on only up to a
signature, and only if nothing else in between is a message. What is said unsigned counts where the place speaks for a message,
as it does for one line: in a fence, behind a label that names the format, or as all of the text. Where another message stands
in it, or 👽 may be an ornament and the signature the next message's, there are two readings: then it is reported, and nothing
in it comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from sabir.finding.bare import AROUND, announced
from sabir.finding.found import DAMAGED, MESSAGE, Found, Place, Unsure
from sabir.finding.layout import FRAME
from sabir.finding.neighbours import begins_anew, is_apart, is_fence, is_item, is_signature
from sabir.finding.reading import read
from sabir.lingua.message import SIGNATURE

if TYPE_CHECKING:
    from sabir.finding.setting import Setting

MAX_SPOKEN: Final = 1 << 20
"""Longest text that waits for its signature, in code points; a longer one is read as prose."""
SURE: Final = 3
"""Evidence that a text in prose needs, as `sabir.finding.bare` counts it."""
_begins = re.compile(r"[?!]?👽[^\S\r\n]+\S").match
_labelled = re.compile(rf"[^:：👽]{{1,{AROUND}}}[:：][ \t*_]*+(?=[?!]?👽[^\S\r\n]+\S)").match
_signs = re.compile(SIGNATURE).fullmatch
_bullet = re.compile(r"[-*+•◦▪‣·・●○0-9a-zA-Z]").search

_TWO: Final = "a message in human language that holds another, or prose with an ornament? sign it, or give each a fence of its own"
_WHOSE: Final = "does the signature end the text that begins with 👽, or the message on the line before? put a blank line between them"
_INDENTED: Final = "do the blanks before its lines belong to the list or to the text? put the message in a fence"
_STRICT: Final = "it has to be repaired to be read: marks of a quotation before its lines, or a dash for the signature's two hyphens"


class Line(NamedTuple):
    """A line without its end, where it starts, and its end."""

    start: int
    text: str
    end: str


def begins(line: str) -> bool:
    """Whether a line begins a text in human language, alone or behind a label that names the format."""
    return _start(line) is not None


def _start(line: str) -> tuple[int, int] | None:
    """Where a text in human language begins in a line, and the label before it; a heading is one line, whatever it says."""
    frame = FRAME.match(line)
    at = frame.end() if frame else 0
    if "#" in line[:at]:
        return None
    if _begins(line, at):
        return at, at
    label = _labelled(line, at)
    if label is None or any(label[0].count(sign) % 2 for sign in ("**", "__", "*")):  # emphasis that does not end with the label
        return None
    return (label.end(), at) if announced(label[0]) >= SURE else None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a text in human language stands.

    Attributes:
        setting: the text's.
        fenced: whether in a fence.
        evidence: how sure the place makes it that a message is meant, as in `Place`.
        first: whether nothing stands before it.
        sole: whether it counts if nothing stands behind it either.
        place: name of the place.
    """

    setting: Setting
    fenced: bool
    evidence: int
    first: bool
    sole: bool
    place: str


class Verdict(NamedTuple):
    """What a block is, if anything, and how many of its lines that takes."""

    found: Found | None
    used: int


@dataclass(slots=True)
class Spoken:
    """Lines that may be one text in human language, as they come."""

    standing: Standing
    inner: Callable[[str], list[Found]]
    """Finds what stands in lines of prose."""
    lines: list[Line] = field(default_factory=list)
    sign: re.Match[str] | None = None
    """The signature, if the last line is one."""
    _bodies: list[str] = field(default_factory=list)
    """The lines without what stands before them: a bullet, quote marks."""
    _size: int = 0
    _depth: int = 0
    _marks: str = " \t"
    """What may stand before the signature."""
    _item: bool = False
    _label: bool = False
    _paragraph: int = 0
    """Lines before the first blank one; 0 while there is none."""

    def take(self, line: Line) -> bool:
        """Take in a line; whether it may belong to the text."""
        if self._size + len(line.text) > MAX_SPOKEN:
            return False
        sign = _signed(line.text) if self.lines else None
        body = sign[2] if sign else self._unquoted(line.text) if self.lines else self._first(line.text)
        if not sign and self.lines:
            if body is None or (body.strip() and self._ends(body)):
                return False
            if not body.strip() and not self._paragraph:
                self._paragraph = len(self.lines)
        self.sign = sign
        self.lines.append(line)
        self._bodies.append(body or "")
        self._size += len(line.text) + len(line.end)
        return True

    def _first(self, text: str) -> str:
        start = _start(text)
        assert start  # noqa: S101  # asked before
        before = text[: start[1]]
        self._label = start[0] > start[1]
        self._depth, self._item = before.count(">"), _bullet(before) is not None
        self._marks = " \t>" if self._depth else " \t"
        return text[start[0] :]

    def _unquoted(self, text: str) -> str | None:
        """A line without the quote marks that stand before the first one; None where it lacks them."""
        if not text.strip():
            return ""
        found = re.match(rf"(?:[ \t]*+>[ \t]?){{{self._depth}}}", text)
        return text[found.end() :] if found else None

    def _ends(self, body: str) -> bool:
        """Whether a line that is no signature cannot belong to the text."""
        if is_fence(body) or (self._item and is_item(body)) or (self._label and is_apart(body)):
            return True
        waits = not self.standing.fenced and (self.standing.first or self._sure())
        return self._paragraph > 0 and (not waits or begins_anew(body))

    def _sure(self) -> bool:
        """Whether the place speaks for a message."""
        return self._label or self.standing.evidence >= (1 if self.standing.fenced else SURE)

    # --- what the lines are

    def verdict(self, *, end: bool) -> Verdict:
        """What the lines are; ``end`` says that the text ends with them."""
        if self.sign:
            found = self._signed(self.sign)
            return Verdict(found, len(self.lines) if found else 0)
        used = self._paragraph or len(self.lines)
        standing = self.standing
        sure = self._sure()
        alone = end and standing.first and not self._label and not standing.fenced and not any(body.strip() for body in self._bodies[used:])
        if not (alone or (sure and used > 1)):  # a line is read as one
            return Verdict(None, 0)
        if used == 1 and standing.sole:
            return Verdict(self._read(1, None), 1)
        if self._inside(0, used) or (sure and any(map(begins, self._bodies[1:used]))):
            return Verdict(self._report(used, _TWO), used)
        if not sure and not (standing.sole and sum(body.count("👽") for body in self._bodies) == 1):
            return Verdict(None, 0)
        return Verdict(self._read(used, None), used)

    def _signed(self, sign: re.Match[str]) -> Found | None:
        last = len(self.lines) - 1
        said = next(at for at in range(last, 0, -1) if self._bodies[at - 1].strip())
        if 0 < self._paragraph < said:
            return None if self._inside(0, said) else self._read(said, sign)
        if any(item.format == "lingua" and item.message.signature for item in self._inside(1, last + 1)):
            return self._report(last + 1, _WHOSE)
        return self._read(said, sign)

    def _inside(self, start: int, stop: int) -> list[Found]:
        """The messages that the lines would hold if they were prose."""
        return [item for item in self.inner("\n".join(self._bodies[start:stop])) if item.kind == MESSAGE]

    def _read(self, stop: int, sign: re.Match[str] | None) -> Found:
        """The first lines as one message, with its signature."""
        if self._item and any(body[:1] in (" ", "\t") for body in self._bodies[1:stop]):
            return self._report(stop, _INDENTED)
        start, end = self._span(stop, sign)
        repairs = ["quote-markers"] if self._depth and (sign or stop > 1) else []
        repairs += ["signature-line"] if sign and (sign[0].strip(self._marks) != sign[2] or sign[2][0] != "-") else []
        text = self._slice(start, end)
        if repairs:
            text = self._joined(self._bodies[:stop]).rstrip()
            text += f"{self.lines[stop - 1].end}--{sign[2].lstrip('-—–')}" if sign else ""
        if repairs and self.standing.setting.strict:
            return self._report(stop, _STRICT)
        whole = read(text, start, "lingua", Place(self._place(), exact=True, literal=True), self.standing.setting)
        return whole.changed(span=(start, end), repairs=tuple(repairs))

    def _report(self, stop: int, reason: str) -> Found:
        start, end = self._span(stop, None)
        text = self._slice(start, end)
        error = Unsure(reason, text, code="decode_failed", format="lingua")
        return Found("lingua", None, text, (start, end), (), DAMAGED, self._place(), error)

    def _place(self) -> str:
        return "label" if self._label and self.standing.place == "line" else self.standing.place

    def _span(self, stop: int, sign: re.Match[str] | None) -> tuple[int, int]:
        """Where the first lines stand, or all with the signature."""
        first, last = self.lines[0], self.lines[-1 if sign else stop - 1]
        start = first.start + len(first.text) - len(self._bodies[0])
        return start, last.start + (sign.end(2) if sign else len(last.text.rstrip()))

    def _slice(self, start: int, end: int) -> str:
        base = self.lines[0].start
        return self._joined([line.text for line in self.lines])[start - base : end - base]

    def _joined(self, parts: list[str]) -> str:
        return "".join(f"{part}{line.end}" for part, line in zip(parts, self.lines, strict=False))


def _signed(text: str) -> re.Match[str] | None:
    """The signature that a line is."""
    found = is_signature(text)
    return found if found and _signs(f"--{found[2].lstrip('-—–')}") else None
