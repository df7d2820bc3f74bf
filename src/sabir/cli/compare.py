"""`sabir compare` and `sabir formats`: one message in every format with its cost, and what formats there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sabir import api, detection, meter
from sabir.cli.codebook import codebook_option
from sabir.cli.inputs import READ_CHOICE, pieces, text_input
from sabir.cli.tables import render
from sabir.errors import EncodeError, SabirError, printable
from sabir.jsontext import dumps
from sabir.meter.baselines import baselines
from sabir.registry import FORMATS, USUAL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sabir.kinds import Format
    from sabir.ucr import Codebook

SENTENCE = "plain sentence"
BOUNDARY = "│"


@dataclass(frozen=True, slots=True)
class _Row:
    """One way to say the message. ``how`` is native, carried, baseline or the reason why it cannot be said."""

    name: str
    text: str
    lossless: bool
    how: str
    tokens: dict[str, int]


@click.command()
@text_input
@click.option("-f", "--format", "format", type=READ_CHOICE, help="Format of the input; found by itself if not given.")
@click.option("--natural", help="The sentence that a person would have written instead, as a baseline.")
@click.option("--tokenizer", "tokenizers", multiple=True, help="Count in this one, by its or a model's name; repeatable. All that are here if not given.")
@click.option("--tokens", "bounds", is_flag=True, help="Show where the tokens begin, in the first tokenizer.")
@click.option("--all", "every", is_flag=True, help="With silp-llmlingua2, too, whose model of 2 GB is fetched at first use.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@codebook_option
def compare(  # noqa: PLR0917  # click passes all by name
    text: str | None,
    path: Path | None,
    format: str | None,
    natural: str | None,
    tokenizers: tuple[str, ...],
    codebook: Codebook | None,
    *,
    lines: bool,
    bounds: bool,
    every: bool,
    as_json: bool,
) -> None:
    """Show one message in every format with characters, UTF-8 bytes and, where a tokenizer is installed, tokens.

    The baselines are its minified JSON, the same as TOON and in the envelopes of A2A and MCP, and a plain sentence.
    The cheapest form from which the message comes back is marked with a star; the last column of figures says how many more
    or fewer tokens than the sentence each takes.

    \b
    Examples:
      sabir compare '>SEC:XSS #ctx4 !9' --natural 'Please check context 4 for XSS, top priority.'
      sabir compare s4x9 --tokenizer gpt-4o --tokens
    """
    if lines:
        raise click.UsageError("compare takes one message")
    counted = named(tokenizers) if tokenizers else [item.name for item in meter.available()]
    if bounds and not counted:
        raise click.UsageError("--tokens needs a tokenizer: pip install 'sabir[meter]'")
    piece = next(pieces(text, path, lines=False))
    found, message = detection.read(piece.text, format, codebook=codebook)
    rows = _rows(message, found.name, natural, counted, FORMATS if every else USUAL)
    if as_json:
        for row in rows:
            click.echo(dumps(_record(row)))
        return
    click.echo(_table(rows, counted), nl=False)
    if bounds:
        click.echo(_bounds(rows, counted[0]), nl=False)


def named(names: Sequence[str]) -> list[str]:
    """Names of tokenizers that an option gives, each once; a usage error for one that does not exist."""
    for name in names:
        try:
            meter.resolve(name)
        except EncodeError as error:
            raise click.BadParameter(error.reason, param_hint="--tokenizer") from None
    return list(dict.fromkeys(names))


def _rows(
    message: Any, source: str, natural: str | None, tokenizers: Sequence[str], targets: Sequence[Format[Any]]
) -> list[_Row]:
    counters = {name: meter.counter(name) for name in tokenizers}

    def row(name: str, text: str, *, lossless: bool, how: str) -> _Row:
        return _Row(name, text, lossless, how, {each: item.count(text) for each, item in counters.items()} if text else {})

    rows = []
    for target in targets:
        try:
            done = api.translate(message, target.name, source)
        except SabirError as error:
            rows.append(row(target.name, "", lossless=False, how=str(error)))
            continue
        how = "itself" if target.name == source else "native" if done.native else "carried"
        rows.append(row(target.name, done.text, lossless=done.lossless, how=how if done.lossless else "one way"))
    return rows + [row(item.name, item.text, lossless=False, how=item.note) for item in baselines(message, natural)]


def _record(row: _Row) -> dict[str, Any]:
    return {
        "format": row.name,
        "text": row.text or None,
        "lossless": row.lossless,
        "how": row.how,
        "characters": len(row.text),
        "bytes": len(row.text.encode()),
        "tokens": row.tokens,
    }


def _table(rows: list[_Row], tokenizers: list[str]) -> str:
    first = tokenizers[0] if tokenizers else None
    whole = [row for row in rows if row.lossless]
    best = min(whole, key=lambda row: (row.tokens[first] if first else 0, len(row.text))).name if whole else None
    sentence = next(row for row in rows if row.name == SENTENCE)
    body = [
        [
            f"{row.name} *" if row.name == best else row.name,
            *([str(len(row.text)), str(len(row.text.encode()))] if row.text else ["-", "-"]),
            *(str(row.tokens[name]) if row.text else "-" for name in tokenizers),
            *([_against(row, sentence, first)] if first else []),
            *([row.how, row.text] if row.text else ["refused", row.how]),
        ]
        for row in rows
    ]
    head = ["format", "chars", "bytes", *tokenizers, *(["vs sentence"] if first else []), "how", "text"]
    table = render(head, body, right=range(1, len(head) - 2))
    return table + "".join(f"{note}\n" for note in _notes(best, tokenizers))


def _against(row: _Row, sentence: _Row, tokenizer: str) -> str:
    """How many tokens more or fewer than the sentence, in per cent of it."""
    if not row.text or row is sentence:
        return "-"
    base = sentence.tokens[tokenizer]
    return f"{(row.tokens[tokenizer] - base) / base:+.0%}"


def _bounds(rows: list[_Row], tokenizer: str) -> str:
    shown = [f"tokens in {tokenizer}, with {BOUNDARY} between them"]
    for row in rows:
        if row.text:
            found = meter.pieces(row.text, tokenizer)
            texts = [piece if isinstance(piece, str) else f"<{piece.hex(' ')}>" for piece in found]
            shown.append(f"{row.name}: {BOUNDARY.join(printable(text) for text in texts)}")
    return "\n".join(shown) + "\n"


def _notes(best: str | None, tokenizers: list[str]) -> list[str]:
    notes = [f"* cheapest form from which the message comes back: {best}"] if best else []
    if not tokenizers:
        return [*notes, "no tokenizer installed, so tokens are not counted: pip install 'sabir[meter]'"]
    notes.append(f"vs sentence: tokens in {tokenizers[0]} against the plain sentence; + is a loss")
    for name in tokenizers:
        item, aside = meter.resolve(name)
        pinned = f", sha256 {item.sha256[:12]}" if item.sha256 else ""
        notes.append(f"{name}: {item.vocabulary}{pinned}{f'; {aside}' if aside else ''}")
    return notes


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
