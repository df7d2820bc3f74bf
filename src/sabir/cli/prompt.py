"""`sabir prompt`: the instruction that teaches a model a format, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sabir import meter
from sabir.cli.codebook import read
from sabir.errors import EncodeError
from sabir.jsontext import dumps
from sabir.primer import FORMATS, LANGUAGES, SIZES, primer

if TYPE_CHECKING:
    from sabir.ucr import Anchor, Codebook


def _names(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    """Names with commas between them."""
    return None if value is None else [name.strip() for name in value.split(",") if name.strip()]


@click.command()
@click.argument("format", type=click.Choice(FORMATS))
@click.option("--size", type=click.Choice(SIZES), default="brief", show_default=True, help="The shortest, or with meanings, edge cases and errors.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the instruction.")
@click.option("--anchors", metavar="NAMES", callback=_names, help="Teach these anchors, verbs or actions alone; commas between.")
@click.option("--domains", metavar="NAMES", callback=_names, help="Teach these domains alone; commas between.")
@click.option("--agents", metavar="NAMES", callback=_names, help="Names of agents for the examples; commas between.")
@click.option("--codebook", type=click.Path(path_type=Path), help="SLIP: a codebook's JSON, for anchors of your own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with the tokens.")
def prompt(  # noqa: PLR0917  # click passes all by name
    format: str,
    size: str,
    lang: str,
    anchors: list[str] | None,
    domains: list[str] | None,
    agents: list[str] | None,
    codebook: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print the instruction that teaches a model a format, and its cost.

    The cost in tokens goes to standard error.

    Core anchors name SILP's verbs and EAP's actions, too. A verb, action or EAP domain of your own is NAME=meaning.

    \b
    Examples:
      sabir prompt slip --anchors RequestReview,InformComplete --agents planner,executor
      sabir prompt eap --size full --lang ja --domains SEC,PAY=payments
    """
    book = None if codebook is None else _read(codebook, format)
    try:
        own = anchors if book is None else _of_codebook(book, anchors)
        text = primer(format, size=size, lang=lang, anchors=own, domains=domains, agents=agents)
    except EncodeError as error:
        raise click.UsageError(str(error)) from None
    tokens = {item.name: meter.count(text, item.name) for item in meter.available()}
    if as_json:
        click.echo(dumps({"format": format, "size": size, "lang": lang, "text": text, "tokens": tokens}))
    else:
        click.echo(text, nl=False)
    for item in meter.available():
        click.echo(f"{item.name}: {tokens[item.name]} tokens ({item.vocabulary}, sha256 {item.sha256[:12]})", err=True)
    if not tokens:
        click.echo("no tokenizer installed, so tokens are not counted: pip install 'sabir[meter]'", err=True)


def _read(path: Path, format: str) -> Codebook:
    """Codebook of a file.

    Raises:
        click.UsageError: the format has no codebook.
        click.FileError, SabirError: as `read`.
    """
    if format != "slip":
        raise click.UsageError(f"{format} has no codebook; --codebook is for slip")
    return read(str(path))


def _of_codebook(book: Codebook, names: list[str] | None) -> list[Anchor]:
    """The anchors that are named, all where none are.

    Raises:
        EncodeError: one is not in the codebook; the closest are named.
    """
    return list(book) if names is None else [book.by_mnemonic(name) for name in names]
