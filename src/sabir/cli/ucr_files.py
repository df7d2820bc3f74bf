"""Codebooks in files: read with a word on what is wrong where, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import click

from sabir.cli.inputs import F, pieces
from sabir.errors import SabirError
from sabir.files import write_whole
from sabir.jsontext import dumps, loads
from sabir.ucr import Codebook, core


def book_option(function: F) -> F:
    """Give a command the option --book, which reads a codebook; the core if it is not given."""
    return click.option(
        "--book",
        metavar="FILE",
        callback=_book,
        help="A codebook's JSON, or - for standard input; the core if not given.",
    )(function)


def _book(_: click.Context, parameter: click.Parameter, value: str | None) -> Codebook:  # noqa: ARG001  # click's signature
    return core() if value is None else read(value)


def read(name: str) -> Codebook:
    """Codebook of a file, or with ``-`` of standard input; what cannot be told of its core is said.

    Raises:
        click.FileError: the file cannot be read.
        SabirError: it holds no codebook; the file is named.
    """
    book = load(name)
    if book.version != core().version:
        click.echo(f"note: {shown(name)} is of version {book.version}, whose core is not known here", err=True)
    return book


def load(name: str) -> Codebook:
    """As `read`, and nothing is said of its core."""
    source = (name, None) if name == "-" else (None, Path(name))
    text = next(pieces(*source, lines=False)).text
    try:
        return Codebook.from_json(loads(text))
    except SabirError as error:
        raise SabirError(f"{shown(name)}: {error}") from None


def read_two(one: str, two: str) -> tuple[Codebook, Codebook]:
    """Codebooks of two files, of which one may be standard input.

    Raises:
        click.UsageError: both are.
    """
    if one == two == "-":
        raise click.UsageError("one codebook alone can come from standard input")
    return read(one), read(two)


def shown(name: str) -> str:
    """Name of a file in what is said about it."""
    return "standard input" if name == "-" else name


def summary(book: Codebook) -> str:
    """Version, numbers and hash of a codebook in one line."""
    extensions = f"{len(book.own)} extension{'' if len(book.own) == 1 else 's'}"
    retired = f", {len(book.retired)} retired" if book.retired else ""
    return f"version {book.version}, {len(book)} anchors, {extensions}{retired}, {book.hash}"


def write(book: Codebook, name: str) -> None:
    """Write a codebook to a file, or with ``-`` to standard output.

    Raises:
        click.FileError: the file cannot be written; it is then as it was.
    """
    text = f"{dumps(book.to_json())}\n"
    if name == "-":
        click.echo(text, nl=False)
        return
    replace(name, text.encode())


@contextlib.contextmanager
def changing(name: str) -> Iterator[None]:
    """While a codebook's file is read, changed and written, others that change one in its folder wait.

    The folder is locked, since the file is another one after each change. Where a system or a file system knows no such
    lock, nothing is; nor for standard output, where the next of a pipe may wait for us.
    """
    if name == "-":
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl  # noqa: PLC0415  # not on every system

            folder = os.open(Path(os.path.realpath(name)).parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def replace(name: str, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        click.FileError: the file cannot be written; it is then as it was.
    """
    try:
        write_whole(name, data)
    except OSError as error:
        raise click.FileError(name, error.strerror or "cannot be written") from None
