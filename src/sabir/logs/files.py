"""Files of any size as lines, in constant memory. Only LF and CR LF end a line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from sabir.errors import SabirError
from sabir.logs.entries import Unread, shown

MAX_RECORD: Final = 8 * 1024 * 1024
"""Longest line, cell or JSON value, in bytes: a longer line is passed over, a longer value ends a file that is written a value over many lines."""
SAMPLE: Final = 64 * 1024
"""Bytes that are looked at to tell what a file is."""
_MAX_ODD = 0.05
"""Share of characters that no text has, from which on a file is binary."""
GZIP_ERRORS = (EOFError, gzip.BadGzipFile, zlib.error)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line that is text, without its end."""

    number: int
    text: str
    ended: bool
    """Whether LF stands after it."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes; gzip is known by its first two.

    Raises:
        SabirError: it is not there, is a directory, or may not be read.
    """
    if path.is_dir():
        raise SabirError(f"{path} is a directory: name its files, such as {path / '*.jsonl'}")
    try:
        stream = path.open("rb")
    except OSError as error:
        raise SabirError(f"{path} cannot be read: {error.strerror or error}") from None
    with stream:
        packed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        if not packed:
            yield stream
            return
        with gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
            yield cast("BinaryIO", unpacked)


def sample(path: Path) -> bytes:
    """First bytes of a file of text.

    Raises:
        SabirError: as `opened`; also for a file that is empty or binary, which a Parquet file is not.
    """
    try:
        with opened(path) as stream:
            found = stream.read(SAMPLE)
    except GZIP_ERRORS as error:
        found = _readable(path)
        if not found:
            raise SabirError(f"{path} is damaged gzip data: {error}") from None
    except OSError as error:
        raise SabirError(f"{path} cannot be read: {error.strerror or error}") from None
    if found[:4] == b"PAR1":
        return found
    if not found.strip():
        raise SabirError(f"{path} is empty" if len(found) < SAMPLE else f"{path} begins with {SAMPLE} blank bytes")
    if found[:2] in _UTF16:
        raise SabirError(f"{path} is UTF-16, logs are read as UTF-8: iconv -f UTF-16 -t UTF-8 {path}")
    odd = sum(char == "\ufffd" or (char < " " and char not in "\t\n\r\f\v\x1b\b") for char in found.decode("utf-8", "replace"))
    if odd > _MAX_ODD * len(found):
        raise SabirError(f"{path} is binary; logs are UTF-8 text, JSON, CSV or Parquet, each also as gzip")
    return found


def _readable(path: Path) -> bytes:
    """What a damaged gzip file still gives at its beginning."""
    found = b""
    try:
        with opened(path) as stream:
            while len(found) < SAMPLE and (more := stream.read(1)):
                found += more
    except GZIP_ERRORS:
        pass
    return found


def lines(path: Path, source: str) -> Iterator[Line | Unread]:
    """Lines that are text, and those that are none or are too long.

    Raises:
        SabirError: as `opened`.
    """
    number = 0
    with opened(path) as stream:
        while True:
            number += 1
            try:
                data = stream.readline(MAX_RECORD + 1)
                if not data:
                    return
                if len(data) > MAX_RECORD and not data.endswith(b"\n"):
                    _pass_over(stream)
                    yield Unread(f"a line longer than {MAX_RECORD} bytes", source, number, shown(data))
                    continue
            except GZIP_ERRORS as error:
                yield Unread(f"the gzip data are cut off or damaged here; what follows cannot be read ({error})", source, number, "")
                return
            except OSError as error:
                raise SabirError(f"{source} cannot be read: {error.strerror or error}") from None
            yield _line(data.removeprefix(BOM) if number == 1 else data, source, number)


def _pass_over(stream: BinaryIO) -> None:
    """Go to the end of a line that is too long."""
    while (data := stream.readline(SAMPLE)) and not data.endswith(b"\n"):
        pass


def _line(data: bytes, source: str, number: int) -> Line | Unread:
    ended = data.endswith(b"\n")
    body = data.removesuffix(b"\n").removesuffix(b"\r")
    if b"\0" in body:
        return Unread("NUL bytes: no text", source, number, shown(body))
    try:
        return Line(number, body.decode(), ended)
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte 0x{body[error.start]:02x} at position {error.start} of the line"
        return Unread(reason, source, number, shown(body))
