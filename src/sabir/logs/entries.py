"""What a log gives: texts that were sent, what could not be read, and what stands there again."""

from __future__ import annotations

from dataclasses import dataclass

from sabir.errors import printable

MAX_SHOWN = 80
"""Characters of a faulty line that are shown."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the log states them, of one call: a running total comes as what was added to it."""

    input: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One text that one side sent once.

    Attributes:
        text: the text; empty where a usage stands in the log with no new text of its own.
        session: the conversation, as the log names it or, where it names none but can be followed, as ``file:line`` of
            its beginning; empty where there is none.
        source: the file, as it was named.
        line: its line from 1; the record's number in CSV, in Parquet and in JSON that is not written a value a line.
        sender, receiver: names of the two sides, where the log has them.
        role: ``system``, ``user``, ``assistant`` or ``tool``; as the log says it where it is none of these.
        usage: tokens of the call that gave the text, if the log states them; on its first text alone.
    """

    text: str
    session: str
    source: str
    line: int
    sender: str | None = None
    receiver: str | None = None
    role: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read, why, and its first characters in printable form."""

    reason: str
    source: str
    line: int
    shown: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A text that stands in the log again and is not counted.

    Kinds: ``resent history`` (a request repeats the conversation so far), ``history`` (a task echoes its messages), ``snapshot``
    (a task, span or answer given again as it stood later), ``parent span`` (a span repeats what its children, or its parents,
    hold), ``second copy`` (the same payload twice, the same record twice), ``received`` (one agent's answer as another's input).
    """

    kind: str
    text: str
    source: str
    line: int


Item = Entry | Unread | Repeat


def shown(text: str | bytes) -> str:
    """First characters of a line, such that printing them never fails."""
    if isinstance(text, bytes):
        text = text[: 4 * MAX_SHOWN].decode("utf-8", "backslashreplace")
    return printable(text[:MAX_SHOWN]) + ("…" if len(text) > MAX_SHOWN else "")
