"""What the finder gives: a message, or a piece that looks like one and is not read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self

from sabir.errors import DecodeError, Span

Kind = Literal["message", "template", "damaged"]

MESSAGE: Final[Kind] = "message"
TEMPLATE: Final[Kind] = "template"
DAMAGED: Final[Kind] = "damaged"


UNMARKED: Final = ("silp-code", "ait")
"""Formats whose texts have no marker of their own, and look like other things."""


class Unsure(DecodeError):
    """A piece that could mean more than one message, or more than the message."""


@dataclass(frozen=True, slots=True)
class Found:
    """One piece of a text.

    Attributes:
        format: name of its format.
        message: the message; None for what is only reported.
        text: what was decoded, after repairs; without repairs it is the piece itself.
        span: where the piece stands in the input, in code points, without what only surrounds it (a fence, quotes,
            a list's bullet, a label).
        repairs: names of the repairs made, as in `sabir.finding.repairs`, in the order in which they were made.
        kind: ``message``; ``template`` for a form with places to fill in; ``damaged`` for a piece with a message's
            marker that does not decode, or that could mean more than one message.
        place: where it stood: ``line``, ``label``, ``quotes``, ``code``, ``fence``, ``table``, ``sentence`` or ``json``.
        error: why a damaged piece was not read; its span is one of ``text``.
    """

    format: str
    message: Any
    text: str
    span: Span
    repairs: tuple[str, ...] = ()
    kind: Kind = MESSAGE
    place: str = "line"
    error: DecodeError | None = field(default=None, compare=False)

    @property
    def reason(self) -> str:
        """Why the piece was not read, in words; empty for a message."""
        return self.error.reason if self.error else ""

    def changed(self, **fields: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **fields)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece stands, and what that says about it.

    Attributes:
        name: as in `Found.place`.
        exact: both of its ends are marked, so that nothing of the prose can be in it.
        literal: Markdown escapes nothing there (a code span, a fence, a JSON string).
        evidence: how sure it is that a message is meant, for formats without a marker: 0 not at all, 1 it stands
            alone, 2 the text announces a message, 3 the text names the format, or says nothing else.
        inside: a sentence goes on around it.
    """

    name: str
    exact: bool = False
    literal: bool = False
    evidence: int = 0
    inside: bool = False
