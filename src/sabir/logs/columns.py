"""Tables: CSV and Parquet, a record a row, the text in a column."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast

from sabir.errors import MissingDependency, SabirError
from sabir.logs.entries import Unread, shown
from sabir.logs.files import BOM, GZIP_ERRORS, MAX_RECORD, opened

TEXT_NAMES: Final = ("text", "message", "content", "wire", "payload", "body", "msg")
"""Columns and members that hold the text, where none is named and one of these alone is there."""
_DELIMITERS: Final = ",;\t|"
_BATCH: Final = 256


class Row(NamedTuple):
    """A row's cells by column."""

    number: int
    cells: dict[str, Any]


def csv_columns(path: Path, start: bytes) -> list[str]:
    """Columns of a CSV file that begins with ``start``.

    Raises:
        SabirError: its first row is no row of names.
    """
    text = start.removeprefix(BOM).decode("utf-8", "replace")
    try:
        head = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(path, start), strict=True))
    except (csv.Error, StopIteration) as error:
        raise SabirError(f"{path}: the first row of a CSV file names its columns; this one cannot be read ({error})") from None
    return head


def delimiter(path: Path, start: bytes) -> str:
    """The sign between a file's cells: a tab by name, else the one its first line has most of."""
    if ".tsv" in path.suffixes:
        return "\t"
    head = start.split(b"\n", 1)[0].decode("utf-8", "replace")
    return max(_DELIMITERS, key=head.count)


def csv_rows(path: Path, source: str, start: bytes) -> Iterator[Row | Unread]:
    """Rows of a CSV file. The process's limit for a field is raised to `MAX_RECORD`.

    Raises:
        SabirError: as `sabir.logs.files.opened`.
    """
    csv.field_size_limit(max(csv.field_size_limit(), MAX_RECORD))
    columns = csv_columns(path, start)
    with opened(path) as stream:
        text = io.TextIOWrapper(cast("Any", stream), "utf-8-sig", "surrogateescape", newline="")
        reader = csv.reader(text, delimiter=delimiter(path, start), strict=True)
        number = -1
        while True:
            number += 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield Unread(f"no CSV: {error}", source, max(number, 1), "")
                continue
            except GZIP_ERRORS as error:
                yield Unread(f"the gzip data are cut off or damaged here; what follows cannot be read ({error})", source, number, "")
                return
            if number and row:
                yield _row(row, columns, source, number)


def _row(row: list[str], columns: Sequence[str], source: str, number: int) -> Row | Unread:
    whole = ",".join(row)
    if len(row) != len(columns):
        return Unread(f"{len(row)} cells where the first row names {len(columns)} columns", source, number, shown(whole))
    if not whole.isascii() and any("\ud800" <= char <= "\udfff" for char in whole):
        return Unread("not UTF-8", source, number, shown(whole))
    if "\0" in whole:
        return Unread("NUL bytes: no text", source, number, shown(whole))
    return Row(number, dict(zip(columns, row, strict=True)))


# --- Parquet ---------------------------------------------------------------------------------------------


def parquet_columns(path: Path) -> list[str]:
    """Columns of a Parquet file.

    Raises:
        SabirError: it is damaged.
        MissingDependency: pyarrow is not installed.
    """
    with opened(path) as stream:
        return list(_parquet(path, stream).schema_arrow.names)


def parquet_rows(path: Path, source: str, columns: Sequence[str]) -> Iterator[Row | Unread]:
    """Rows of a Parquet file, of the columns named.

    Raises:
        SabirError: it is damaged.
        MissingDependency: pyarrow is not installed.
    """
    number = 0
    with opened(path) as stream:
        file = _parquet(path, stream)
        try:
            for batch in file.iter_batches(_BATCH, columns=list(columns), use_threads=False):
                for cells in batch.to_pylist():
                    number += 1
                    yield Row(number, cells)
        except (OSError, ValueError) as error:
            yield Unread(f"the Parquet data are damaged here; what follows cannot be read ({_first_line(error)})", source, number + 1, "")


def _parquet(path: Path, stream: BinaryIO) -> Any:
    try:
        parquet = import_module("pyarrow.parquet")  # optional
    except ModuleNotFoundError:
        raise MissingDependency(f"{path} is Parquet, which pyarrow reads: pip install 'sabir[batch]'") from None
    try:
        return parquet.ParquetFile(stream, buffer_size=1 << 20, pre_buffer=False)
    except (OSError, ValueError) as error:  # pyarrow's ArrowInvalid is a ValueError
        raise SabirError(f"{path} is no whole Parquet file: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
