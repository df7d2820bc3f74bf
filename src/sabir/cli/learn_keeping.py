"""`sabir learn rebuild`, `export`, `purge` and `policy`: what is kept, for how long, and what is made of it."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from sabir import learn as layer
from sabir.cli.learn_options import by_option, embedder_option, existing, json_option, store_option
from sabir.cli.learn_rows import change
from sabir.cli.progress import progress
from sabir.cli.quantize_options import given
from sabir.cli.ucr_files import replace
from sabir.jsontext import dumps
from sabir.store import open_store


@click.command()
@store_option
@embedder_option
@json_option
def rebuild(where: str, embedder: str | None, *, as_json: bool) -> None:
    """Make the vector index of the anchors anew, as after a change of the embedder.

    \b
    Example:
      sabir learn rebuild --store learn.db
    """
    with existing(where) as store:
        with progress() as done:
            places = layer.rebuild(store, embedder, progress=done)
        book = layer.codebook(store)
    if as_json:
        radii = {book.by_index(place.index).mnemonic: place.radius for place in places}
        click.echo(dumps({"anchors": len(places), "radii": radii, "hash": book.hash}))
    else:
        click.echo(f"{len(places)} anchors indexed; the codebook is {book.hash}")


@click.command()
@store_option
@click.option("--sharegpt", is_flag=True, help="Think-quantize-transmit pairs for fine-tuning, a conversation a line.")
@click.option("--codebook", is_flag=True, help="The codebook with this installation's anchors, as JSON with its hash.")
@click.option("--dst", default="-", show_default=True, help="With --sharegpt: who receives the messages.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
def export(where: str, dst: str, output: Path | None, *, sharegpt: bool, codebook: bool) -> None:
    """Print training data from what was approved, or the codebook.

    \b
    Examples:
      sabir learn export --store learn.db --sharegpt -o pairs.jsonl
      sabir learn export --store learn.db --codebook | sabir ucr verify -
    """
    if sharegpt == codebook:
        raise click.UsageError("say what to export: --sharegpt or --codebook")
    if codebook and given("dst"):
        raise click.UsageError("--dst needs --sharegpt")
    with existing(where) as store:
        lines = [dumps(item) for item in layer.sharegpt(store, dst)] if sharegpt else [dumps(layer.codebook(store).to_json())]
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        replace(str(output), text.encode())


@click.command()
@store_option
@click.option("--source", help="Delete all that this source said, too.")
@click.option("--all", "everything", is_flag=True, help="Delete the whole log.")
@json_option
def purge(where: str, source: str | None, *, everything: bool, as_json: bool) -> None:
    """Delete what is older than the policy keeps; anchors and decisions stay.

    An anchor in use keeps the texts it was made of; those that are concerned are named. sabir learn retire deletes them.

    \b
    Examples:
      sabir learn purge --store learn.db
      sabir learn purge --store learn.db --source intruder
    """
    with existing(where) as store:
        done = layer.purge(store, source=source, everything=everything)
    if as_json:
        click.echo(dumps({"deleted": done.texts, "sightings": done.sightings, "anchors": list(done.anchors)}))
        return
    click.echo(f"{done.texts} texts deleted, {done.sightings} sightings")
    for mnemonic in done.anchors:
        click.echo(f"{mnemonic} keeps its texts until it is retired", err=True)


@click.command()
@store_option
@click.option("--set", "changes", metavar="FIELD=VALUE", multiple=True, help="Change a field; may be given several times.")
@by_option
@json_option
def policy(where: str, changes: tuple[str, ...], by: str | None, *, as_json: bool) -> None:
    """Show the policy of a store, or change it under your name.

    \b
    Examples:
      sabir learn policy --store learn.db
      sabir learn policy --store learn.db --set min_sources=3 --set mints_a_day=2 --by Kim
    """
    new = dict(map(change, changes))
    with open_store(where, create=bool(new)) as store:
        found = layer.change(store, by or "", new) if new else layer.policy_of(store)
    fields = msgspec.to_builtins(found)
    if as_json:
        click.echo(dumps(fields))
        return
    for field, value in fields.items():
        click.echo(f"{field:<17} {dumps(value)}")
