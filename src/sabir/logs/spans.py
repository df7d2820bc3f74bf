"""Trees of spans, in which a parent repeats what its children hold.

Spans come in any order. A text that a span and one of its ancestors both hold was sent once; so were the tokens that both state.
Spans of one trace that stand beside each other repeat nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sabir.logs.entries import Usage
from sabir.logs.memory import Memory

PARENT: Final = "parent span"
MAX_DEPTH: Final = 64
"""Steps from a span towards its root that are followed."""
MAX_HOLDERS: Final = 64
"""Spans of one trace that are remembered as holders of the same text."""


@dataclass(slots=True)
class _Span:
    """What is known of a span."""

    parent: str | None
    counted: bool = False
    """Its usage was counted."""
    below: bool = False
    """The usage of one of its descendants was counted."""


class Trees:
    """Spans of all traces."""

    def __init__(self) -> None:
        self._spans: Memory[_Span] = Memory()
        self._held: Memory[dict[str, int]] = Memory()

    def link(self, trace: str, span: str, parent: str | None) -> None:
        """Say whose child a span is."""
        if parent is not None and span in {parent, *self._above(trace, parent)}:
            parent = None  # a circle has no top
        known = self._spans.first((trace, span), _Span(parent))
        if known is not None and known.parent is None:
            known.parent = parent
        found = self._spans.get((trace, span))
        if found is not None and found.below:  # of a child that came first
            self._mark(trace, span)

    def holds(self, trace: str, span: str, text: str) -> str | None:
        """Note that a span holds one more copy of a text; the kind of repeat if that makes no more of them in the whole trace."""
        key = (trace, text)
        held = self._held.get(key) or {}
        if span not in held and len(held) == MAX_HOLDERS:
            del held[next(iter(held))]
        before = self._sent(trace, held)
        held[span] = held.get(span, 0) + 1
        self._held.put(key, held)
        return PARENT if before and self._sent(trace, held) <= before else None

    def _sent(self, trace: str, held: dict[str, int]) -> int:
        """How often a text was sent: in a span as often as itself holds it, or as often as all below it do, whichever is more."""
        if len(held) < 2:
            return sum(held.values())
        above = {span: next((one for one in self._above(trace, span) if one in held), None) for span in held}
        waiting = Counter(parent for parent in above.values() if parent is not None)
        below = Counter[str]()
        ready = [span for span in held if not waiting[span]]
        total = 0
        while ready:
            span = ready.pop()
            sent, parent = max(held[span], below[span]), above[span]
            if parent is None:
                total += sent
                continue
            below[parent] += sent
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
        return total

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
