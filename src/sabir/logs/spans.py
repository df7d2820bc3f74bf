"""Trees of spans, in which a parent repeats what its children hold.

Spans come in any order. A text that a span and one of its ancestors both hold was sent once; so were the tokens that both state.
Spans of one trace that stand beside each other repeat nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sabir.logs.entries import Usage
from sabir.logs.memory import Memory

PARENT: Final = "parent span"
MAX_DEPTH: Final = 64
"""Steps from a span towards its root that are followed."""
MAX_HOLDERS: Final = 256
"""Spans of one trace that are remembered as holders of the same text."""


@dataclass(slots=True)
class _Span:
    """What is known of a span."""

    parent: str | None
    counted: bool = False
    """Its usage was counted."""
    below: bool = False
    """The usage of one of its descendants was counted."""


@dataclass(slots=True)
class _Held:
    """Copies of a text that a span holds: how many, and how many of these its ancestors and its descendants hold too."""

    span: str
    count: int = 0
    above: int = 0
    below: int = 0


class Trees:
    """Spans of all traces."""

    def __init__(self) -> None:
        self._spans: Memory[_Span] = Memory()
        self._held: Memory[list[_Held]] = Memory()

    def link(self, trace: str, span: str, parent: str | None) -> None:
        """Say whose child a span is."""
        known = self._spans.first((trace, span), _Span(parent))
        if known is not None and known.parent is None:
            known.parent = parent
        found = self._spans.get((trace, span))
        if found is not None and found.below:  # of a child that came first
            self._mark(trace, span)

    def holds(self, trace: str, span: str, text: str) -> str | None:
        """Note that a span holds one more copy of a text; the kind of repeat if that copy is an ancestor's or a descendant's."""
        key = (trace, text)
        holders = self._held.get(key) or []
        own = next((item for item in holders if item.span == span), None)
        if own is None:
            own = _Held(span)
            holders = [*holders[-MAX_HOLDERS:], own]
        self._held.put(key, holders)
        own.count += 1
        others = {item.span: item for item in holders if item is not own}
        if not others:
            return None
        for ancestor in self._above(trace, span):
            found = others.get(ancestor)
            if found is not None and found.below < found.count:
                found.below += 1
                own.above += 1
                return PARENT
        for found in others.values():
            if found.above < found.count and span in self._above(trace, found.span):
                found.above += 1
                own.below += 1
                return PARENT
        return None

    def usage(self, trace: str, span: str, usage: Usage | None) -> Usage | None:
        """The usage that a span states, unless it was counted with an ancestor or a descendant."""
        own = self._spans.get((trace, span))
        if usage is None or own is None or own.below:
            return None
        for ancestor in self._above(trace, span):
            known = self._spans.get((trace, ancestor))
            if known is not None and known.counted:
                return None
        own.counted = True
        self._mark(trace, span)
        return usage

    def _mark(self, trace: str, span: str) -> None:
        """Tell the ancestors of a span that usage below them was counted."""
        for ancestor in self._above(trace, span):
            known = self._spans.get((trace, ancestor))
            if known is None:
                known = _Span(None)
                self._spans.put((trace, ancestor), known)
            if known.below:
                return
            known.below = True

    def _above(self, trace: str, span: str) -> Iterator[str]:
        """Ancestors of a span, as far as they are known."""
        for _ in range(MAX_DEPTH):
            known = self._spans.get((trace, span))
            if known is None or known.parent is None:
                return
            span = known.parent
            yield span
