"""One piece of a text, read: as it stands, else with the repairs that are sure, else reported.

The repairs are tried in their order, each on what the ones before it gave, and after each the places where the message may
end. A repair that changed nothing of what was read in the end is not listed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import DecodeError
from sabir.finding.ends import PUNCTUATION, doubt, ends
from sabir.finding.found import DAMAGED, TEMPLATE, Found, Place, Unsure
from sabir.finding.marks import marks
from sabir.finding.repairs import CUTS, REPAIRS, Edit, apply, before, needed, outside_strings
from sabir.registry import BY_NAME
from sabir.slip.limits import FORCES

if TYPE_CHECKING:
    from sabir.finding.setting import Setting
    from sabir.ucr.codebook import Codebook

ALL: Final = frozenset(BY_NAME)
_PLACE: Final = (
    r"(?:<[A-Za-z][\w .|/-]*+>|\{\{?[A-Za-z_][\w .]*+\}?\}|\$\{\w++\}|\.\.\.\]?|…"
    r"|\[(?:payload|args?|data|tokens?|params?|values?|options?|target|priority|\.\.\.|…)[^\]\s]*+\]?)"
)
_place_token = re.compile(rf"(?<![^\s=#!@:(,]){_PLACE}(?![^\s:),.;])").search
_WORDS: Final = {"src", "dst", "source", "destination", "sender", "receiver", "recipient", "from", "to", "agent"}
_eap_words = re.compile(r"[><=◤◢▰](?:DOMAIN|DOM|DOMN|XXX)::?|[><=◤◢▰]\w+::?(?:ACTION|ACT|VERB)\b").match
_silp_words = re.compile(r"[(,=][ \t]*+(?:\.\.\.|…|<[a-z][\w -]*+>)[ \t]*+[),]").search
_lingua_words = re.compile(r"[?!]?(?:👽|\^)[\[<{]|[|][@#~%$][\[<{][A-Za-z]").search


def read(text: str, start: int, format: str, place: Place, setting: Setting) -> Found:
    """What a piece is that starts at ``start`` of the input and has a marker of a format."""
    piece = text if format == "lingua" and ("$r:" in text or text[:2] == "!E") else text.rstrip()  # raw text keeps its blanks
    if template := is_template(piece, format):
        error = DecodeError(template, piece, format=format)
        return Found(format, None, piece, (start, start + len(piece)), (), TEMPLATE, place.name, error)
    return _Attempt(piece, start, format, place, setting.codebook).run(strict=setting.strict)


@dataclass(slots=True)
class _Attempt:
    """The way from a piece to a message."""

    piece: str
    start: int
    format: str
    place: Place
    codebook: Codebook
    fault: DecodeError | None = None

    def run(self, *, strict: bool) -> Found:
        steps: list[tuple[str, list[Edit]]] = []
        text = self.piece
        if found := self.whole(text, steps):
            return found
        if (self.place.inside or not strict) and (found := self.cut(text, steps)):
            return found
        if not strict:
            for name, repair in REPAIRS.items():
                if self.fits(name) and (edits := repair(text, self.format)):
                    text = apply(text, edits)
                    steps.append((name, edits))
                    if found := self.whole(text, steps) or self.cut(text, steps):
                        return found
        assert self.fault  # noqa: S101  # the first attempt has failed
        piece = self.piece
        span = self.start, self.start + len(piece)
        return Found(self.format, None, piece, span, (), DAMAGED, self.place.name, self.fault)

    def fits(self, name: str) -> bool:
        """Whether a repair is one of the piece's place."""
        if name == "markdown-escapes":
            return not self.place.literal
        if name == "cell-bars":
            return self.place.literal and self.place.name == "table"
        return name != "closing-quote" or not self.place.inside

    def whole(self, text: str, steps: list[tuple[str, list[Edit]]]) -> Found | None:
        """The piece as one message, if it is one for sure; inside of a sentence, only where it must end there."""
        if self.place.inside and next(ends(text, self.format, self.codebook), 0) != len(text):
            self.failed(self.unsure(text))
            return None
        return self.decoded(text, len(text), steps, ())

    def unsure(self, text: str) -> DecodeError:
        """Why a piece inside of a sentence is not read."""
        try:
            BY_NAME[self.format].under(self.codebook).decode(text)
        except DecodeError as error:
            return error
        reason = "nothing marks where this message ends: put it in a code span, in quotes or on a line of its own"
        return Unsure(reason, text, code="decode_failed", format=self.format)

    def cut(self, text: str, steps: list[tuple[str, list[Edit]]]) -> Found | None:
        """The beginning of the piece as a message, where it ends for sure."""
        if self.place.exact:
            return None
        for end in ends(text, self.format, self.codebook):
            tail = text[end:].strip()
            name = CUTS[1] if tail.strip(PUNCTUATION + "\"'”’*_`") else CUTS[0]
            cut = (name,) if tail and not self.place.inside else ()
            if isinstance(self.fault, Unsure) and name == CUTS[0]:
                continue  # with the sign it decodes, too: the sign may belong to the value
            if end < len(text) and (found := self.decoded(text[:end], end, steps, cut, ended=True)):
                return found
        return None

    def decoded(
        self, text: str, end: int, steps: list[tuple[str, list[Edit]]], cut: tuple[str, ...], *, ended: bool = False
    ) -> Found | None:
        if needed(text, self.format, literal=self.place.literal):
            reason = "marks of a page or a typographer stand at the edges of values"
            self.failed(Unsure(reason, text, code="decode_failed", format=self.format))
            return None
        try:
            message = BY_NAME[self.format].under(self.codebook).decode(text)
        except DecodeError as error:
            self.failed(error)
            return None
        if not self.place.exact and not ended and (reason := self.doubtful(text)):
            self.failed(Unsure(reason, text, code="decode_failed", format=self.format))
            return None
        made, stop = _traced(steps, end)
        span = self.start, self.start + stop
        return Found(self.format, message, text, span, (*made, *cut), place=self.place.name)

    def doubtful(self, text: str) -> str:
        if self.format == "slip" and next(marks(outside_strings(text), 1, formats=ALL), None):
            return "another message begins in its payload: quote it, or give each a line"
        return doubt(text, self.format, fenced=self.place.name == "fence")

    def failed(self, error: DecodeError) -> None:
        """Keep the first fault: it is one of the piece as it stands."""
        if self.fault is None:
            self.fault = error


def _traced(steps: list[tuple[str, list[Edit]]], end: int) -> tuple[list[str], int]:
    """Names of the repairs that touched what ends at ``end``, and where that end was in the piece."""
    made: list[str] = []
    for name, edits in reversed(steps):
        end_before = before(end, edits)
        if any(edit.start <= end_before if name == "closing-quote" else edit.start < end_before for edit in edits):
            made.append(name)
        end = end_before
    return made[::-1], end


def is_template(text: str, format: str) -> str:
    """Why a text is a form to fill in and no message; empty where it is none."""
    masked = outside_strings(text)
    found = _place_token(masked)
    if format == "slip":
        words = masked.split()[2:5]
        named = len(words) == 3 and (
            words[2].strip("<>[]{}").lower() in ("anchor", "force", "intent")
            or (words[0].lower() in _WORDS and words[1].lower() in _WORDS)
        )
        return _FORM if named or found else ""
    if format in ("eap", "eap-unicode"):
        return _FORM if found or _eap_words(masked) else ""
    if format == "silp-code":
        return _FORM if _silp_words(masked) else ""
    return _FORM if format == "lingua" and _lingua_words(text.split("\n", 1)[0]) else ""


def has_anchor(text: str, codebook: Codebook) -> bool:
    """Whether an anchor stands in a SLIP text where one must, whatever sign follows it."""
    words = text.split(None, 6)
    if len(words) > 5 and words[1] == "v3":
        return words[4] in FORCES
    return len(words) > 4 and words[4].rstrip(PUNCTUATION) in codebook


def is_meant(found: Found, place: Place, codebook: Codebook) -> bool:
    """Whether a piece that does not decode was meant as a message, and is not a mention of its format."""
    masked = outside_strings(found.text)
    if found.format == "slip":
        words = masked.split(None, 5)
        if len(words) < 5:
            return False
        name = words[4].strip(".,;:!?…。、，()[]*_`\"'“”")
        return name in codebook or name.startswith((*FORCES, "Defer")) or bool(name[:1].isupper() and codebook.closest(name))
    if found.format == "eap":
        return not place.inside or re.search(r"(?<!\S)[!！][1-9]|[|｜]", masked) is not None
    return found.format != "lingua" or "|" in masked


_FORM: Final = "a template: it has places to fill in"


def value_of(name: str, data: Any) -> str:
    """Why a JSON object is a template of a message; empty where it is none."""
    words = {"!VERB", "!ACTION", "!ACTION_CODE", "!INTENT"}
    if data.get("intent") in words or re.fullmatch(r"!?[<{\[].*", str(data.get("intent", "")), re.DOTALL):
        return _FORM
    slots = [value for key, value in data.items() if key != "intent" and type(value) is str]
    return _FORM if name != "silp-ir" and any(re.fullmatch(r"<[A-Za-z][\w .|/-]*+>|\.\.\.|…", slot) for slot in slots) else ""
