"""A text in pieces: cut anywhere, it gives the same messages, each as soon as it is complete.

A JSON object that begins a line is complete with its closing brace, every other message with the end of its line; what the next
line decides (a signature, a wrapped line, a call next to code) with that one, and calls and tapes in a fence without a tag with
the fence. Memory is bounded by `MAX_LINE` and `MAX_OBJECT`: a longer line is passed over, a longer object is no object.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sabir.codebooks import in_force
from sabir.errors import DecodeError
from sabir.finding import jsonpieces
from sabir.finding.found import MESSAGE, Found, Place
from sabir.finding.human import Line, Spoken, begins
from sabir.finding.layout import FRAME
from sabir.finding.lines import MAX_LINE, Document
from sabir.finding.objects import Scanner
from sabir.finding.setting import Setting
from sabir.registry import READABLE, named
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook

_LINE: Final = Place("line", evidence=1)


class Lines:
    """Cuts what is fed into lines and objects for a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.pos = 0
        self._start = 0
        self._parts: list[str] = []
        self._size = 0
        self._done = 0
        self._looked = False
        self._scanner: Scanner | None = None
        self._inside: list[tuple[int, str]] = []
        """Lines that belong to an open object, to be read as lines if it breaks off."""
        self._spoken: Spoken | None = None
        self._plain_to = 0
        """Where lines end that have been found to be no text in human language."""

    def whole(self, text: str) -> list[Found]:
        """What a whole text holds."""
        self.feed(text)
        self.close()
        return self.document.taken()

    def held(self) -> int:
        """Characters that are kept."""
        inside = sum(len(line) for _, line in self._inside)
        inside += sum(len(line.text) for line in self._spoken.lines) if self._spoken else 0
        return sum(map(len, self._parts)) + inside + (len(self._scanner.text) if self._scanner else 0)

    def feed(self, text: str) -> None:
        """Take in a piece."""
        at = 0
        while (end := text.find("\n", at)) >= 0:
            self._take(text[at:end])
            self._end_line()
            at = end + 1
        self._take(text[at:])

    def close(self) -> None:
        """The text ends here."""
        if self._size:
            self._end_line(last=True)
        if self._spoken:
            self._settle(end=True)
        if self._scanner:
            self._break()
        self.document.end()

    def _take(self, part: str) -> None:
        if not part:
            return
        before, self._size = self._size, self._size + len(part)
        if self._size <= MAX_LINE:
            self._parts.append(part)
        else:
            self._parts = []
        if self._scanner:
            self._scan(part, before)
        elif not self._looked and not self._spoken and "{" in part and self._size <= MAX_LINE:
            self._look()

    def _look(self) -> None:
        """Whether the line begins with an object."""
        self._looked = True
        line = "".join(self._parts)
        at = line.index("{")
        if FRAME.fullmatch(line, 0, at):
            self._scanner = Scanner(self._start + at, quoted=">" in line[:at])
            self._scan(line[at:], at)

    def _scan(self, part: str, before: int) -> None:
        scanner = self._scanner
        assert scanner  # noqa: S101  # asked before
        used = scanner.feed(part)
        if scanner.state == "closed":
            self._done, self._scanner, self._inside = before + used, None, []
            self._looked = True
            self.document.note()
            self._add(scanner)
        elif scanner.state == "broken":
            self._looked = True
            self._done = before + used if self._break() else 0

    def _add(self, scanner: Scanner) -> bool:
        place = self.document.place_of_objects()
        found = jsonpieces.found(scanner, place, self.document.setting)
        self.document.add(found)
        return bool(found)

    def _break(self) -> bool:
        """The object is none: read its lines as lines; whether something was found in it all the same."""
        scanner, self._scanner = self._scanner, None
        assert scanner  # noqa: S101  # asked before
        found = self._add(scanner)
        lines, self._inside = self._inside, []
        if not found:
            for start, line in lines:
                self.document.line(start, line)  # what it opens anew is the same object
        return found

    def _end_line(self, *, last: bool = False) -> None:
        size, start = self._size, self._start
        line = "".join(self._parts) if size <= MAX_LINE else ""
        done = self._done
        self._parts, self._size, self._done, self._looked = [], 0, 0, False
        self._start = start + size + (not last)
        if self._scanner:
            self._scanner.line_end()
            if self._scanner.state == "open":
                self._inside.append((start, line.removesuffix("\r")))
                return
            done = size if self._break() else 0
        if size > MAX_LINE:
            if self._spoken:
                self._settle()
            self.document.note()
            return
        content = line.removesuffix("\r")
        end = "\n" if content == line else "\r\n"
        if not done and self._speaks(Line(start, content, line[len(content) :] + ("" if last else "\n"))):
            return
        if (scanner := self.document.line(start, content, min(done, len(line)), end)) is not None:
            self._scanner = scanner
            scanner.line_end()
            if scanner.state == "broken":
                self._break()

    def _speaks(self, line: Line) -> bool:
        """Whether a line is taken up by a text in human language, or by what follows one that ends before it."""
        if self._spoken is None:
            if line.start < self._plain_to or not begins(line.text) or (standing := self.document.standing(line.text)) is None:
                return False
            self._spoken = Spoken(standing, self._prose)
            self._spoken.take(line)
        elif not self._spoken.take(line):
            self._settle(line)
        elif self._spoken.sign:
            self._settle()
        return True

    def _prose(self, text: str) -> list[Found]:
        """The messages of lines that are no text in human language."""
        lines = Lines(Document(self.document.setting, place=_LINE, sole=False))
        lines._plain_to = len(text) + 1
        return lines.whole(text)

    def _settle(self, line: Line | None = None, *, end: bool = False) -> None:
        """The text in human language has ended, before a line or with the text: read what it is not as lines."""
        spoken, self._spoken = self._spoken, None
        assert spoken  # noqa: S101  # asked before
        found, used = spoken.verdict(end=end)
        if found:
            self.document.say(found, spoken.lines[used - 1].text)
        again = spoken.lines[used:] + ([line] if line else [])
        after, self._plain_to = self._start, line.start if line else self._start
        self._start = again[0].start if again else after
        for each in again:
            self.feed(f"{each.text}{each.end}")
        if self._size:
            self._end_line(last=True)
        self._start = after


def within(content: str, evidence: int, setting: Setting) -> list[Found]:
    """What the string of a JSON object holds."""
    inner = replace(setting, depth=setting.depth + 1)
    document = Document(inner, place=Place("json", literal=True, evidence=evidence), sole=evidence > 0)
    return Lines(document).whole(content)


class Stream:
    """Finds messages in a text that comes in pieces.

        >>> stream = Stream()
        >>> [found.text for piece in ("Sure: SLIP v1 a b Me", "taAck\\nDone.") for found in stream.feed(piece)]
        ['SLIP v1 a b MetaAck']

    Args:
        strict: find, and repair nothing.
        formats: names of the formats to look for; all that can be read where not given.
        survey: give templates and damaged pieces, too.
        codebook: an installation's own, for the anchors that the core lacks.

    Raises:
        DecodeError: from the constructor, a format that does not exist; from `feed`, bytes that are no UTF-8.
        EncodeError: from the constructor, messages cannot be read with that codebook.
    """

    def __init__(
        self,
        *,
        strict: bool = False,
        formats: Iterable[str] | None = None,
        survey: bool = False,
        codebook: Codebook | None = None,
    ) -> None:
        wanted = [format.name for format in READABLE] if formats is None else [named(name, "").name for name in formats]
        book = core() if codebook is None else in_force(codebook)
        setting = Setting(strict, frozenset(wanted), within, codebook=book)
        self._lines = Lines(Document(setting, place=_LINE))
        self._survey = survey
        self._bytes = codecs.getincrementaldecoder("utf-8")()

    def feed(self, piece: str | bytes) -> list[Found]:
        """What the text holds that is complete with this piece and was not before; spans are of the whole text.

        Raises:
            DecodeError: the piece is neither text nor UTF-8.
        """
        if not isinstance(piece, (str, bytes, bytearray)):
            raise DecodeError(f"a text is text (str) or bytes, not {type(piece).__name__}")
        self._lines.feed(piece if isinstance(piece, str) else self._decoded(piece))
        return self._taken()

    def close(self) -> list[Found]:
        """What is complete because the text ends."""
        self._lines.feed(self._decoded(b"", final=True))
        self._lines.close()
        return self._taken()

    def _taken(self) -> list[Found]:
        return [found for found in self._lines.document.taken() if self._survey or found.kind == MESSAGE]

    def _decoded(self, data: bytes, *, final: bool = False) -> str:
        try:
            return self._bytes.decode(data, final)
        except UnicodeDecodeError as error:
            reason = f"no UTF-8: byte 0x{error.object[error.start]:02x}"
            raise DecodeError(reason, code="invalid_syntax") from None
