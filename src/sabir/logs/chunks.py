"""Answers that come in pieces: put together, with nothing between the pieces."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

MAX_OPEN: Final = 1000
"""Answers that are open at once; of more, the one begun first is taken as it stands."""
MAX_OPEN_TEXT: Final = 8 * 1024 * 1024
"""Characters of one answer; a longer one is taken in parts of about this size."""


@dataclass(slots=True)
class Open:
    """An answer that is not complete yet."""

    about: Any
    parts: list[str] = field(default_factory=list)
    size: int = 0

    def text(self) -> str:
        """What came so far."""
        return "".join(self.parts)


class Pieces:
    """Open answers by a key of theirs."""

    def __init__(self) -> None:
        self._open: dict[tuple[Hashable, ...], Open] = {}

    def add(self, key: tuple[Hashable, ...], text: str, about: Any) -> Iterator[Open]:
        """Take a piece in; gives answers that are taken as they stand because a limit is reached."""
        found = self._open.setdefault(key, Open(about))
        found.parts.append(text)
        found.size += len(text)
        if found.size > MAX_OPEN_TEXT:
            yield self._open.pop(key)
        elif len(self._open) > MAX_OPEN:
            yield self._open.pop(next(iter(self._open)))

    def take(self, key: tuple[Hashable, ...]) -> Iterator[Open]:
        """The answer of a key, which is complete."""
        if key in self._open:
            yield self._open.pop(key)

    def take_all(self, first: Hashable) -> Iterator[Open]:
        """The answers whose keys begin with ``first``."""
        for key in [key for key in self._open if key[0] == first]:
            yield self._open.pop(key)

    def rest(self) -> Iterator[Open]:
        """All that is open, oldest first."""
        while self._open:
            yield self._open.pop(next(iter(self._open)))
