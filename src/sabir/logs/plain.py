"""Records whose text is named: a line, a column, a member, or a JSON pointer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sabir.errors import DecodeError, SabirError
from sabir.jsontext import dumps, loads
from sabir.logs import look, pointer
from sabir.logs.columns import TEXT_NAMES
from sabir.logs.entries import Entry, Item
from sabir.logs.giving import Where

_SIDES: Final = (("sender", "from", "src"), ("receiver", "to", "dst"), ("role",))
"""Members that name the two sides, and the role."""


class Picked:
    """Takes texts out of records by the caller's choice.

    Args:
        column: column or top-level member that holds the text; found among `TEXT_NAMES` where neither it nor a pointer is given.
        pointer: JSON pointer to the text, into the record or, with a column, into the JSON in its cells.
    """

    def __init__(self, column: str | None, path: str | None) -> None:
        self.column = column
        self.pointer = path
        self._steps = None if path is None else pointer.steps(path)
        self.found = False
        """Whether any record had the text."""

    def choose(self, columns: Sequence[str], source: str) -> None:
        """Settle which column holds the text.

        Raises:
            SabirError: there is no such column, or none is named and not just one of `TEXT_NAMES` is there.
        """
        if self.column is not None:
            if self.column not in columns:
                raise SabirError(f"{source} has no column {self.column!r}; it has {_listed(columns)}")
            return
        fitting = [name for name in TEXT_NAMES if name in columns]
        if len(fitting) != 1:
            why = f"several columns may hold the text ({_listed(fitting)})" if fitting else "no column has a name that says it holds the text"
            raise SabirError(f"{source}: {why}; name one of {_listed(columns)}")
        self.column = fitting[0]

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a record.

        Raises:
            Unusable: there is no text where it should be.
        """
        values = list(self._values(record))
        fault = "" if values or self._empty(record) else f"nothing at {self.pointer if self.pointer is not None else self.column}"
        holder = record if isinstance(record, dict) else {}
        sender, receiver, role = (look.name(holder, *names) for names in _SIDES)
        session = where.session or look.session(holder) or ""
        self.found = self.found or bool(values)
        for value in values:
            if isinstance(value, (dict, list)):
                value = dumps(value)  # noqa: PLW2901  # the JSON is the text
            if isinstance(value, str) and value.strip():
                yield Entry(value, session, where.source, where.line, sender, receiver, role)
            elif value is not None and not isinstance(value, str):
                fault = f"no text but a {look.kind(value)} where the text should be"
        if fault:
            raise look.Unusable(fault)

    def _empty(self, record: Any) -> bool:
        """Whether the pointer's first ``*`` stands for the members of something that has none."""
        if self._steps is None or pointer.EACH not in self._steps:
            return False
        before = self._steps[: self._steps.index(pointer.EACH)]
        return any(value in ([], {}) for holder in self._holders(record) for value in pointer.values(holder, before))

    def _values(self, record: Any) -> Iterator[Any]:
        for holder in self._holders(record):
            yield from pointer.values(holder, self._steps or ())

    def _holders(self, record: Any) -> Iterator[Any]:
        """What the pointer points into: the record, or what stands in the column."""
        value = record
        if self.column is not None:
            if self.column not in look.record(record):
                return
            value = record[self.column]
        if self._steps is not None and self.column is not None and isinstance(value, str):
            try:
                value = loads(value)
            except DecodeError as error:
                raise look.Unusable(f"column {self.column}: no JSON, {error.reason}") from None
        yield value


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
