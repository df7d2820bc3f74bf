"""`sabir extract`: the messages in a model's prose, as they come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from sabir import api
from sabir.cli.codebook import codebook_option
from sabir.cli.inputs import READ_CHOICE
from sabir.errors import DecodeError, SabirError, printable
from sabir.finding import Found, Stream
from sabir.jsontext import dumps

if TYPE_CHECKING:
    from sabir.ucr import Codebook

_CHUNK: Final = 1 << 16
"""Bytes that are asked for at once; what has come is worked on without waiting for more."""


@click.command()
@click.argument("text", required=False)
@click.option("--file", "path", type=click.Path(path_type=Path), help="Read the input from a file.")
@click.option("-f", "--format", "formats", type=READ_CHOICE, multiple=True, help="Look for this format alone; may be repeated.")
@click.option("--strict", is_flag=True, help="Find, and repair nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a message.")
@click.option("--all", "everything", is_flag=True, help="Templates and damaged pieces among the data, not as warnings.")
@codebook_option
def extract(
    text: str | None,
    path: Path | None,
    formats: tuple[str, ...],
    codebook: Codebook | None,
    *,
    strict: bool,
    as_json: bool,
    everything: bool,
) -> None:
    """Find the messages in a model's prose, and print each on a line: span, format, repairs, message.

    Standard input (-) is read as it comes, and each message is printed as soon as it is complete. Templates and pieces
    that are damaged, or could mean more than one message, are named on standard error. Exit code 1 says that no message
    was found.

    \b
    Examples:
      sabir extract 'Sure! Packet: >SEC:XSS #ctx4 !9. Anything else?'
      echo 'SLIP: SLIP v1 dev qa RequestReview auth' | sabir extract --json -
    """
    if (text is None) == (path is None):
        raise click.UsageError("give the text as TEXT, or - for standard input, or --file FILE: one of them")
    count = 0
    stream = Stream(strict=strict, formats=formats or None, survey=True, codebook=codebook)
    for found in _found(stream, text, path):
        count += found.message is not None
        if found.message is None and not everything:
            click.echo(f"{_place(found)}: {found.kind} {found.format}: {printable(found.reason)}: {_shown(found.text)}", err=True)
        else:
            click.echo(dumps(_form(found)) if as_json else _line(found))
            sys.stdout.flush()
    if not count:
        click.echo("no message found", err=True)
        raise click.exceptions.Exit(1)


def _found(stream: Stream, text: str | None, path: Path | None) -> Iterator[Found]:
    if text is not None and text != "-":
        yield from stream.feed(text)
    else:
        name = "standard input" if path is None else str(path)
        try:
            with cast("BufferedReader", sys.stdin.buffer) if path is None else path.open("rb") as source:
                while data := source.read1(_CHUNK):
                    yield from stream.feed(data)
            yield from stream.close()
        except OSError as error:
            raise click.FileError(name, error.strerror or "cannot be read") from None
        except DecodeError as error:
            raise SabirError(f"{name} is {error.reason}") from None
        return
    yield from stream.close()


def _place(found: Found) -> str:
    return f"{found.span[0]}-{found.span[1]}"


def _line(found: Found) -> str:
    if found.message is None:
        return "\t".join((_place(found), found.format, found.kind, _shown(found.text)))
    text = api.encode(found.message, found.format)
    return "\t".join((_place(found), found.format, ",".join(found.repairs) or "-", _shown(text)))


def _shown(text: str) -> str:
    """A text on one line; a signature's line end is shown as an escape."""
    return printable(text.replace("\n", "\\n"))


def _form(found: Found) -> dict[str, object]:
    form: dict[str, object] = {
        "kind": found.kind,
        "format": found.format,
        "span": list(found.span),
        "place": found.place,
        "repairs": list(found.repairs),
        "text": found.text,
    }
    if found.message is None:
        return form | {"reason": found.reason}
    return form | {"canonical": api.encode(found.message, found.format), "message": api.to_json(found.message)}
