"""Reads logs: what each file is, then record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from sabir.errors import SabirError
from sabir.logs import columns, files, look, pointer
from sabir.logs.a2a import A2a
from sabir.logs.entries import Entry, Item, Unread, shown
from sabir.logs.giving import Where
from sabir.logs.jsonrecords import Record, records
from sabir.logs.langsmith import LangSmith
from sabir.logs.mcp import Mcp
from sabir.logs.openai import OpenAI
from sabir.logs.otel import Otel
from sabir.logs.plain import Picked
from sabir.logs.shapes import LOOKED_AT, SHAPES, shape_of


class _Taker(Protocol):
    """Takes the texts out of records."""

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a record. Raises `Unusable`."""


class _Reader(_Taker, Protocol):
    """Takes the texts out of records of one shape, and remembers what it has had."""

    def end(self) -> Iterator[Item]:
        """What waited for more."""


_READERS: Final[dict[str, Callable[[], _Reader]]] = {"openai": OpenAI, "a2a": A2a, "mcp": Mcp, "otel": Otel, "langsmith": LangSmith}


def read(
    paths: str | Path | Iterable[str | Path],
    *,
    shape: str | None = None,
    column: str | None = None,
    pointer: str | None = None,
    session: str | None = None,
) -> Iterator[Item]:
    """Texts of logs, what cannot be read of them, and what stands there again. Files may be gzip.

    What was sent is remembered over all files of one shape, by hash and up to `sabir.logs.MAX_REMEMBERED` of each sort; what is
    repeated from longer ago counts as new.

    Args:
        paths: files, read in this order.
        shape: one of `SHAPES`; told by `shape_of` for each file where it is not given. CSV and Parquet hold any of the shapes.
        column: the column, or the top-level member of a JSON object, that holds the text.
        pointer: JSON pointer (RFC 6901) to the text; a step ``*`` is each member. With a column, into the JSON in its cells.
        session: column, top-level member or JSON pointer that names the session.

    Raises:
        SabirError: at once: the arguments contradict each other, or a file is not there, a directory, empty, binary, of no shape
            that can be told, or has no such column, member or place.
        MissingDependency: Parquet without pyarrow.
    """
    wanted = _Wanted(shape, column, pointer, session)
    found = [Path(paths)] if isinstance(paths, (str, Path)) else [Path(path) for path in paths]
    readers: dict[str, _Reader] = {}
    return _items([_plan(path, wanted, readers) for path in found], readers)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The caller's choices."""

    shape: str | None
    column: str | None
    pointer: str | None
    session: str | None

    def __post_init__(self) -> None:
        if self.shape is not None and self.shape not in SHAPES:
            raise SabirError(f"no shape {self.shape!r}; the shapes are {', '.join(SHAPES)}")
        if self.shape in _READERS and (self.column is not None or self.pointer is not None):
            raise SabirError(f"shape {self.shape} knows where its texts stand; name a column or a pointer with shape jsonl, csv or parquet")
        if self.shape == "text" and (self.column, self.pointer, self.session) != (None, None, None):
            raise SabirError("plain text has no columns, members or sessions: a line is a message")

    def steps(self) -> tuple[str | None, ...] | None:
        """Where in a record its session stands."""
        if self.session is None:
            return None
        return pointer.steps(self.session) if self.session.startswith("/") else (self.session,)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to read a file: its records, and who takes texts out of them; nobody, where a line is a text."""

    path: Path
    source: str
    records: Callable[[], Iterator[Record | columns.Row | files.Line | Unread]]
    reader: _Taker | None
    session: tuple[str | None, ...] | None


def _plan(path: Path, wanted: _Wanted, readers: dict[str, _Reader]) -> _Plan:
    source = str(path)
    start = files.sample(path)
    shape = wanted.shape or _told(path, start, wanted)
    holder = _holder(path, start, shape)
    session = wanted.steps()
    if holder == "text":
        return _Plan(path, source, lambda: files.lines(path, source), None, None)
    reader: _Taker | None = readers.setdefault(shape, _READERS[shape]()) if shape in _READERS else None
    if holder == "json":
        if reader is None:
            reader = _picked_json(path, source, start, wanted)
        return _Plan(path, source, lambda: records(path, source, start), reader, session)
    names = columns.parquet_columns(path) if holder == "parquet" else columns.csv_columns(path, start)
    if wanted.session is not None and session is not None and session[0] not in names:
        raise SabirError(f"{source} has no column {session[0]!r} for the session; it has {', '.join(map(repr, names))}")
    if reader is None:
        reader = Picked(wanted.column, wanted.pointer)
        reader.choose(names, source)
    if holder == "parquet":
        return _Plan(path, source, lambda: columns.parquet_rows(path, source, names), reader, session)
    return _Plan(path, source, lambda: columns.csv_rows(path, source, start), reader, session)


def _told(path: Path, start: bytes, wanted: _Wanted) -> str:
    """Shape of a file; where the caller says where the text stands, only what holds it matters."""
    if wanted.column is None and wanted.pointer is None:
        return shape_of(path)
    holder = _holder(path, start, "jsonl")
    return "jsonl" if holder == "json" else holder


def _holder(path: Path, start: bytes, shape: str) -> str:
    """What holds the records: text, json, csv or parquet."""
    if start[:4] == b"PAR1":
        if shape in {"text", "csv"}:
            raise SabirError(f"{path} is Parquet, not {shape}")
        return "parquet"
    if shape == "parquet":
        raise SabirError(f"{path} is no Parquet file")
    if shape in {"text", "csv"}:
        return shape
    return "csv" if {suffix.lower() for suffix in path.suffixes} & {".csv", ".tsv"} else "json"


def _picked_json(path: Path, source: str, start: bytes, wanted: _Wanted) -> Picked:
    """Who takes the texts out of JSON records, tried on the first of them."""
    picked = Picked(wanted.column, wanted.pointer)
    names: dict[str, None] = {}
    for item, _ in zip(records(path, source, start), range(LOOKED_AT), strict=False):
        if isinstance(item, Unread):
            continue
        names.update(dict.fromkeys(item.value if isinstance(item.value, dict) else ()))
        if picked.column is None and picked.pointer is None:
            if isinstance(item.value, dict):
                picked.choose(list(item.value), source)
            return picked
        with suppress(look.Unusable):
            list(picked.take(item.value, Where(source, item.number)))
        if picked.found:
            return picked
    place = picked.pointer if picked.pointer is not None else picked.column
    raise SabirError(f"{source}: nothing at {place!r} in the first {LOOKED_AT} records" + (f"; their members: {', '.join(map(repr, names))}" if names else ""))


# --- record by record ------------------------------------------------------------------------------------


def _items(plans: list[_Plan], readers: dict[str, _Reader]) -> Iterator[Item]:
    for plan in plans:
        for item in plan.records():
            if isinstance(item, Unread):
                yield item
            elif isinstance(item, files.Line):
                if item.text.strip():
                    yield Entry(item.text, "", plan.source, item.number)
            else:
                yield from _texts(item, plan)
    for reader in readers.values():
        yield from reader.end()


def _texts(item: Record | columns.Row, plan: _Plan) -> Iterator[Item]:
    value = item.cells if isinstance(item, columns.Row) else item.value
    session = None
    if plan.session is not None:
        session = next((str(name) for name in pointer.values(value, plan.session) if isinstance(name, (str, int))), None)
    assert plan.reader is not None  # noqa: S101  # lines alone have none
    try:
        yield from plan.reader.take(value, Where(plan.source, item.number, session))
    except look.Unusable as error:
        text = item.text if isinstance(item, Record) else ",".join(map(str, item.cells.values()))
        yield Unread(str(error), plan.source, item.number, shown(text))
