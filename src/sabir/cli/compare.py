"""`sabir compare` and `sabir formats`: one message in every format with its cost, and what formats there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sabir import api, detection, meter
from sabir.cli.inputs import READ_CHOICE, pieces, text_input
from sabir.cli.tables import render
from sabir.errors import SabirError
from sabir.jsontext import dumps
from sabir.registry import FORMATS

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class _Row:
    """One way to say the message. ``how`` is native, carried, baseline or the reason why it cannot be said."""

    name: str
    text: str
    lossless: bool
    how: str

    def tokens(self) -> dict[str, int]:
        return {item.name: meter.count(self.text, item.name) for item in meter.available()}


@click.command()
@text_input
@click.option("-f", "--format", "format", type=READ_CHOICE, help="Format of the input; found by itself if not given.")
@click.option("--natural", help="The sentence that a person would have written instead, as a baseline.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
def compare(
    text: str | None, path: Path | None, format: str | None, natural: str | None, *, lines: bool, as_json: bool
) -> None:
    """Show one message in every format with characters, UTF-8 bytes and, where a tokenizer is installed, tokens.

    The baselines are its minified JSON and a plain sentence. The cheapest form from which the message comes back is
    marked with a star; where a baseline is cheaper, the table shows it.

    \b
    Example:
      sabir compare '>SEC:XSS #ctx4 !9' --natural 'Please check context 4 for XSS, top priority.'
    """
    if lines:
        raise click.UsageError("compare takes one message")
    piece = next(pieces(text, path, lines=False))
    found, message = detection.read(piece.text, format)
    rows = _rows(message, found.name, natural)
    if as_json:
        for row in rows:
            click.echo(dumps(_record(row)))
        return
    click.echo(_table(rows), nl=False)


def _rows(message: Any, source: str, natural: str | None) -> list[_Row]:
    rows = []
    for target in FORMATS:
        try:
            done = api.translate(message, target.name, source)
        except SabirError as error:
            rows.append(_Row(target.name, "", lossless=False, how=str(error)))
            continue
        how = "itself" if target.name == source else "native" if done.native else "carried"
        rows.append(_Row(target.name, done.text, done.lossless, how if done.lossless else "one way"))
    rows.append(_Row("minified JSON", dumps(api.to_json(message)), lossless=False, how="baseline"))
    sentence = natural if natural is not None else api.explain(message)
    rows.append(_Row("plain sentence", sentence, lossless=False, how="baseline" if natural else "baseline, ours"))
    return rows


def _record(row: _Row) -> dict[str, Any]:
    return {
        "format": row.name,
        "text": row.text or None,
        "lossless": row.lossless,
        "how": row.how,
        "characters": len(row.text),
        "bytes": len(row.text.encode()),
        "tokens": row.tokens() if row.text else {},
    }


def _table(rows: list[_Row]) -> str:
    tokenizers = [item.name for item in meter.available()]
    costs = {row.name: row.tokens() for row in rows if row.text}
    first = tokenizers[0] if tokenizers else None
    whole = [row for row in rows if row.lossless]
    best = min(whole, key=lambda row: (costs[row.name][first] if first else 0, len(row.text))).name if whole else None
    body = [
        [
            f"{row.name} *" if row.name == best else row.name,
            *([str(len(row.text)), str(len(row.text.encode()))] if row.text else ["-", "-"]),
            *(str(costs[row.name][name]) if row.text else "-" for name in tokenizers),
            *([row.how, row.text] if row.text else ["refused", row.how]),
        ]
        for row in rows
    ]
    table = render(["format", "chars", "bytes", *tokenizers, "how", "text"], body, right=range(1, 3 + len(tokenizers)))
    return table + "".join(f"{note}\n" for note in _notes(best))


def _notes(best: str | None) -> list[str]:
    notes = [f"* cheapest form from which the message comes back: {best}"] if best else []
    tokenizers = meter.available()
    if not tokenizers:
        return [*notes, "no tokenizer installed, so tokens are not counted: pip install 'sabir[meter]'"]
    return notes + [f"{item.name}: {item.vocabulary}, sha256 {item.sha256[:12]}" for item in tokenizers]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a format.")
def formats(*, as_json: bool) -> None:
    """List the formats: what they are, whether they come back from text, and an example.

    \b
    Example:
      sabir formats --json
    """
    if as_json:
        for item in FORMATS:
            click.echo(
                dumps({"name": item.name, "title": item.title, "lossless": item.lossless, "example": item.example})
            )
        return
    body = [[item.name, item.title, "yes" if item.lossless else "compiles only", item.example] for item in FORMATS]
    click.echo(render(["format", "what", "lossless", "example"], body), nl=False)
