"""`sabir detect`, `validate` and `explain`: what a text is, whether it is right, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sabir import api, detection
from sabir.cli.codebook import codebook_option
from sabir.cli.inputs import Piece, each, format_option, pieces, text_input
from sabir.errors import DecodeError
from sabir.jsontext import dumps
from sabir.silp import SilpIR, check

if TYPE_CHECKING:
    from pathlib import Path

    from sabir.ucr import Codebook


@click.command()
@text_input
@codebook_option
def detect(text: str | None, path: Path | None, codebook: Codebook | None, *, lines: bool) -> None:
    """Print the name of the one format that reads a text; else say which came closest and why not.

    \b
    Example:
      sabir detect 's4x9'
    """

    def work(piece: Piece) -> None:
        click.echo(detection.read_all(piece.text, codebook=codebook)[0].name)

    each(work, pieces(text, path, lines=lines))


@click.command()
@text_input
@format_option
@click.option("--strict", is_flag=True, help="Refuse what is only doubtful, too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a message.")
@codebook_option
def validate(
    text: str | None,
    path: Path | None,
    format: str | None,
    codebook: Codebook | None,
    *,
    lines: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Check a message: its format, whether it is written as this library would write it, and what is doubtful.

    \b
    Example:
      sabir validate 'switch_tool(browser)'
    """
    faulty = False

    def work(piece: Piece) -> None:
        nonlocal faulty
        report = _report(piece.text, format, codebook, strict=strict)
        faulty = faulty or not report["valid"]
        click.echo(dumps(report) if as_json else _lines(report))

    each(work, pieces(text, path, lines=lines))
    if faulty:
        raise click.exceptions.Exit(1)


def _report(text: str, format: str | None, codebook: Codebook | None, *, strict: bool) -> dict[str, object]:
    try:
        found, message = detection.read(text, format, codebook=codebook)
    except DecodeError as error:
        return {
            "valid": False,
            "format": error.format,
            "code": error.code,
            "error": error.reason,
            "line": error.line,
            "column": error.column,
            "shown": str(error),
        }
    name = found.name
    doubts = [{"rule": item.rule, "text": item.text} for item in check(message)] if isinstance(message, SilpIR) else []
    try:
        api.decode(text, name, strict=True, codebook=codebook)
    except DecodeError as error:
        doubts = doubts or [{"rule": "strict", "text": error.reason}]
    canonical = api.encode(message, name)
    if canonical != text.strip():
        doubts.append({"rule": "canonical", "text": f"would be written {canonical}"})
    return {"valid": not (strict and doubts), "format": name, "doubts": doubts}


def _lines(report: dict[str, object]) -> str:
    if "error" in report:
        return f"invalid: {report['shown']}"
    head = f"{'valid' if report['valid'] else 'refused'}: {report['format']}"
    doubts: list[dict[str, str]] = report["doubts"]  # type: ignore[assignment]  # built above
    return "\n".join([head, *(f"  {item['rule']}: {item['text']}" for item in doubts)])


@click.command()
@text_input
@format_option
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of the line.")
@codebook_option
def explain(
    text: str | None, path: Path | None, format: str | None, lang: str, codebook: Codebook | None, *, lines: bool
) -> None:
    """Say in one line, in English or Japanese, what a message means.

    \b
    Example:
      sabir explain --lang ja '>SEC:XSS #ctx4 !9'
    """

    def work(piece: Piece) -> None:
        for message in detection.read_all(piece.text, format, codebook=codebook)[1]:
            click.echo(api.explain(message, lang))

    each(work, pieces(text, path, lines=lines))
