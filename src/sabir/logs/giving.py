"""From what a shape found to what the reader gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sabir.logs.conversation import Message, Told
from sabir.logs.entries import Entry, Item, Repeat, Usage


class Where(NamedTuple):
    """Where a record stands, and the session that the caller's choice of a member gives it."""

    source: str
    line: int
    session: str | None = None

    @property
    def place(self) -> str:
        """Name of a conversation that begins here."""
        return f"{self.source}:{self.line}"

    def of(self, session: str | None) -> Where:
        """The same place in a session."""
        return self._replace(session=session)


def given(told: Iterable[Told], session: str, where: Where, usage: Usage | None = None) -> Iterator[Item]:
    """Entries and repeats; a usage goes with the first new answer, or by itself where there is none."""
    for message, repeat, answer in told:
        if not message.text:
            continue
        if repeat is not None:
            yield Repeat(repeat, message.text, where.source, where.line)
            continue
        yield entry(message, session, where, usage if answer else None)
        if answer:
            usage = None
    if usage is not None:
        yield Entry("", session, where.source, where.line, usage=usage)


def entry(message: Message, session: str, where: Where, usage: Usage | None = None) -> Entry:
    """Entry of a message."""
    return Entry(message.text, session, where.source, where.line, message.sender, message.receiver, message.role, usage)
