"""What is remembered of what was read: bounded, the oldest is forgotten first."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice
from typing import Final, Generic, TypeVar

from sabir.logs.entries import Usage

V = TypeVar("V")

MAX_REMEMBERED: Final = 50_000
"""Most texts, ids and spans of each sort that are remembered, by hash. Beyond it the eighth that was not met for longest is forgotten:
a repeat of that counts as new. A conversation that goes on is met with each request, so this bounds how many go on at once."""


class Memory(Generic[V]):
    """Values by the hash of a key; a collision of 64-bit hashes is as likely as nothing."""

    def __init__(self, limit: int = MAX_REMEMBERED) -> None:
        self._kept: dict[int, V] = {}
        self._limit = limit

    def get(self, key: Hashable) -> V | None:
        """The value, or None; it is the youngest now."""
        at = hash(key)
        value = self._kept.pop(at, None)
        if value is not None:
            self._kept[at] = value
        return value

    def put(self, key: Hashable, value: V) -> None:
        """Remember a value, and forget the oldest beyond the limit."""
        at = hash(key)
        self._kept.pop(at, None)
        self._kept[at] = value
        if len(self._kept) > self._limit:
            # An eighth at once: finding the first member of a dict is slow after each deletion at its front.
            for old in list(islice(self._kept, max(1, self._limit // 8))):
                del self._kept[old]

    def forget(self, key: Hashable) -> None:
        """Remember it no longer."""
        self._kept.pop(hash(key), None)

    def first(self, key: Hashable, value: V) -> V | None:
        """The value that was there; where there was none, remember this one."""
        found = self.get(key)
        if found is None:
            self.put(key, value)
        return found


class Meter:
    """Turns running totals into what was added."""

    def __init__(self) -> None:
        self._last: Memory[Usage] = Memory()

    def of_call(self, id: str, usage: Usage) -> Usage | None:
        """Tokens that a call's usage adds to what this call stated before; None for nothing."""
        last = self._last.get(("call", id)) or Usage()
        most = Usage(max(last.input, usage.input), max(last.output, usage.output))
        self._last.put(("call", id), most)
        return _added(last, most)

    def of_session(self, session: str, usage: Usage) -> Usage | None:
        """Tokens that a session's running total adds; a total that falls has begun anew."""
        last = self._last.get(("session", session)) or Usage()
        self._last.put(("session", session), usage)
        if usage.input < last.input or usage.output < last.output:
            last = Usage()
        return _added(last, usage)


def _added(last: Usage, now: Usage) -> Usage | None:
    found = Usage(now.input - last.input, now.output - last.output)
    return found if found != Usage() else None
