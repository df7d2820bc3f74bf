"""What every command's arguments have in common: where the text comes from, and line by line work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from sabir.errors import SabirError
from sabir.registry import FORMATS, READABLE, TAILS

F = TypeVar("F", bound=Callable[..., Any])

READ_CHOICE = click.Choice([format.name for format in READABLE])
_BOM = "\ufeff"
"""What some programs put in front of a file; it is none of the text."""
WRITE_CHOICE = click.Choice([format.name for format in FORMATS])


@dataclass(frozen=True, slots=True)
class Piece:
    """One text to work on, and the number of its line where the input is read line by line."""

    text: str
    line: int | None = None


def text_input(function: F) -> F:
    """Give a command the argument TEXT and the options --file and --lines."""
    for decorate in (
        click.option("--lines", is_flag=True, help="Each line of the input is a message; a signature belongs to the line before."),
        click.option("--file", "path", type=click.Path(path_type=Path), help="Read the input from a file."),
        click.argument("text", required=False),
    ):
        function = decorate(function)
    return function


def format_option(function: F) -> F:
    """Give a command the option --format, the format of its input."""
    return click.option("-f", "--format", "format", type=READ_CHOICE, help="Format of the input; found by itself if not given.")(function)


def pieces(text: str | None, path: Path | None, *, lines: bool) -> Iterator[Piece]:
    """The texts to work on.

    Raises:
        click.UsageError: none or two inputs are named.
        click.FileError: the file cannot be read.
    """
    if (text is None) == (path is None):
        raise click.UsageError("give the message as TEXT, or - for standard input, or --file FILE: one of them")
    if not lines:
        yield Piece(_whole(text, path))
        return
    held: Piece | None = None
    for number, line in enumerate(_lines(text, path), 1):
        stripped = line.removesuffix("\n").removesuffix("\r")
        if held is not None:
            if any(tail.fullmatch(stripped.strip()) for tail in TAILS):
                yield Piece(f"{held.text}\n{stripped}", held.line)
                held = None
                continue
            yield held
            held = None
        if not stripped.strip():
            continue
        # Only a message that may go on waits for the next line, so that a pipe stays live.
        if _may_go_on(stripped):
            held = Piece(stripped, number)
        else:
            yield Piece(stripped, number)
    if held is not None:
        yield held


def _may_go_on(line: str) -> bool:
    return any(format.tail is not None and format.marker.match(line.lstrip()) for format in READABLE)


def each(work: Callable[[Piece], None], found: Iterator[Piece]) -> None:
    """Do the work on every piece; a line at fault is reported with its number, and the others go on.

    Leaves with exit code 1 if a line was at fault.
    """
    failed = 0
    for piece in found:
        if piece.line is None:
            work(piece)
            continue
        try:
            work(piece)
        except SabirError as error:
            failed += 1
            click.echo(f"line {piece.line}: error: {error}", err=True)
    if failed:
        click.echo(f"{failed} line{'s' if failed > 1 else ''} at fault", err=True)
        raise click.exceptions.Exit(1)


def _whole(text: str | None, path: Path | None) -> str:
    if text == "-":
        return _decoded(sys.stdin.buffer.read(), "standard input").removeprefix(_BOM)
    if path is None:
        return text or ""
    try:
        return _decoded(path.read_bytes(), str(path)).removeprefix(_BOM)
    except OSError as error:
        raise click.FileError(str(path), error.strerror or "cannot be read") from None


def _lines(text: str | None, path: Path | None) -> Iterator[str]:
    """Lines as they come, so that a long input takes constant memory. Only LF ends one."""
    if text is not None and text != "-":
        yield from text.split("\n")
        return
    name = "standard input" if path is None else str(path)
    try:
        stream = sys.stdin.buffer if path is None else path.open("rb")
        with stream:
            for number, line in enumerate(stream):
                yield _decoded(line, name) if number else _decoded(line, name).removeprefix(_BOM)
    except OSError as error:
        raise click.FileError(name, error.strerror or "cannot be read") from None


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SabirError(f"{name} is not UTF-8: byte 0x{data[error.start]:02x} at position {error.start}") from None
