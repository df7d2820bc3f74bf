"""`sabir decode` and `sabir encode`: wire text to JSON and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sabir import api, detection
from sabir.cli.codebook import codebook_option
from sabir.cli.inputs import WRITE_CHOICE, Piece, each, format_option, pieces, text_input
from sabir.errors import EncodeError
from sabir.jsontext import dumps, loads

if TYPE_CHECKING:
    from pathlib import Path

    from sabir.ucr import Codebook


@click.command()
@text_input
@format_option
@click.option("--strict", is_flag=True, help="Hold SLIP to its cheap-token profile and SILP to its approved verbs.")
@click.option("--allow-unknown", is_flag=True, help="Keep a SLIP anchor that the codebook lacks.")
@codebook_option
def decode(
    text: str | None,
    path: Path | None,
    format: str | None,
    codebook: Codebook | None,
    *,
    lines: bool,
    strict: bool,
    allow_unknown: bool,
) -> None:
    """Read messages and print each as one JSON object: {"format": ..., "message": {...}}.

    \b
    Examples:
      sabir decode '<SEC:VUL #ctx4 | line=42 fixed=false'
      sabir decode --codebook examples/codebook.json 'SLIP v1 dev ops RequestDeploy build_42'
    """

    def work(piece: Piece) -> None:
        if strict or allow_unknown:
            found, message = detection.read(
                piece.text, format, strict=strict, allow_unknown=allow_unknown, codebook=codebook
            )
            messages = [message]
        else:  # a format with a way to hold several in a text may do so
            found, messages = detection.read_all(piece.text, format, codebook=codebook)
        for item in messages:
            click.echo(dumps({"format": found.name, "message": api.to_json(item)}))

    each(work, pieces(text, path, lines=lines))


@click.command()
@text_input
@click.option("-f", "--format", "format", type=WRITE_CHOICE, help="Format to write; the one named in the JSON if not given.")
@click.option("--carry-req-id", is_flag=True, help="Write a SILP message's req_id too.")
@click.option("--instruction", is_flag=True, help="TEXT is a rough instruction in English or Japanese; write an EAP packet.")
@codebook_option
def encode(
    text: str | None,
    path: Path | None,
    format: str | None,
    codebook: Codebook | None,
    *,
    lines: bool,
    carry_req_id: bool,
    instruction: bool,
) -> None:
    """Write a message's JSON, as `sabir decode` prints it or bare, as wire text.

    \b
    Examples:
      sabir encode -f slip '{"src":"dev","dst":"qa","anchor":"RequestReview","payload":["auth"]}'
      sabir encode --instruction 'Please check context 4 for XSS, top priority'
    """

    def work(piece: Piece) -> None:
        source, message = ("eap", _instruction(piece.text)) if instruction else _message(piece.text, format, codebook)
        click.echo(api.encode(message, format or source, carry_req_id=carry_req_id))

    if instruction and format not in (None, "eap", "eap-unicode"):
        raise click.UsageError("--instruction writes EAP: use it with -f eap or -f eap-unicode")
    each(work, pieces(text, path, lines=lines))


def _instruction(text: str) -> Any:
    from sabir.eap.instruct import from_instruction  # noqa: PLC0415  # its table is only needed here

    return from_instruction(text)


def _message(text: str, format: str | None, codebook: Codebook | None) -> tuple[str, Any]:
    """Format and message of ``{"format": ..., "message": ...}`` or, with a format named, of a bare message."""
    data = loads(text)
    named = isinstance(data, dict) and data.keys() == {"format", "message"}
    source = data["format"] if named else format
    if source is None:
        raise EncodeError('which format? name it with -f, or wrap the message in {"format": ..., "message": ...}')
    if type(source) is not str:
        raise EncodeError("must be the name of a format", "format")
    return source, api.from_json(source, data["message"] if named else data, codebook=codebook)
