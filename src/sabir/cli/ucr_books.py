"""`sabir ucr add`, `retire`, `diff`, `merge` and `import`: codebooks with anchors of an installation's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sabir.cli import ucr_files as files
from sabir.cli import ucr_words as words
from sabir.cli.inputs import F
from sabir.cli.tables import render
from sabir.errors import SabirError
from sabir.jsontext import dumps
from sabir.ucr import Codebook, core, diff, merge
from sabir.ucr.anchor import FIELDS
from sabir.ucr.conflict import KINDS, RENUMBERING
from sabir.ucr.merging import SIDES

if TYPE_CHECKING:
    from sabir.ucr import Change, Merged
    from sabir.ucr.anchor import Coords
    from sabir.ucr.merging import Side

_out = click.option(
    "-o", "--out", metavar="FILE", help="Write the codebook here, or - for standard output; over BOOK if not given."
)


def _resolution(function: F) -> F:
    """Give a command the options that settle conflicts."""
    for decorate in (
        click.option(
            "--renumber", type=click.Choice(SIDES), help="Where indices clash, give this side's anchors others."
        ),
        click.option("--prefer", type=click.Choice(SIDES), help="What clashes stands as this side has it."),
    ):
        function = decorate(function)
    return function


@click.command()
@click.argument("book", metavar="BOOK")
@click.argument("mnemonic")
@click.option("--canonical", required=True, metavar="TEXT", help="What it means, in one line.")
@click.option(
    "--coords",
    required=True,
    metavar="A,P,D,U",
    callback=words.place,
    help="Action, polarity, domain and urgency: numbers, or names as in list.",
)
@click.option("--index", callback=words.index, help="Its index; the next one that was never given if not given.")
@_out
def add(book: str, mnemonic: str, canonical: str, coords: Coords, index: int | None, out: str | None) -> None:  # noqa: PLR0917  # click passes all by name
    """Add an anchor of your own to a codebook.

    BOOK is written over, unless it is - for standard input. Begin one with `sabir ucr export -o BOOK`.

    \b
    Example:
      sabir ucr export | sabir ucr add - RequestDeploy --coords request,4,task,5 --canonical 'Put a build live'
    """
    target = out or book
    with files.changing(target):
        grown = _existing(book).with_anchor(mnemonic, canonical, coords, index=index)
        files.write(grown, target)
    words.show(grown.by_mnemonic(mnemonic), as_json=False, err=target == "-")


@click.command()
@click.argument("book", metavar="BOOK")
@click.argument("mnemonic")
@_out
def retire(book: str, mnemonic: str, out: str | None) -> None:
    """Retire an anchor of your own for good.

    Neither its index nor its name is ever given again. BOOK is written over, unless it is - for standard input.

    \b
    Example:
      sabir ucr retire examples/codebook.json RequestDeploy --out -
    """
    target = out or book
    with files.changing(target):
        left = _existing(book).retire(mnemonic)
        files.write(left, target)
    click.echo(f"{mnemonic} is retired; {len(left.own)} of your own are in use", err=target == "-")


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with both hashes and all changes.")
def diff_books(before: str, after: str, *, as_json: bool) -> None:
    """Say what differs between two codebooks.

    Leaves with 0 where nothing does, else with 1; a fault, which leaves with 1 too, prints nothing but the error. A or B may be - for standard input.

    \b
    Example:
      sabir ucr export --book examples/codebook.json | sabir ucr diff - examples/codebook.json
    """
    books = files.read_two(before, after)
    found = diff(*books)
    if as_json:
        click.echo(dumps(found.to_json()))
    else:
        for sign, name, book in zip("-+", (before, after), books, strict=True):
            click.echo(f"{sign} {files.shown(name)}: {files.summary(book)}")
        if found.changes:
            body = [[c.kind, str(c.before or ""), str(c.after or ""), _what(c)] for c in found.changes]
            click.echo(render(["change", "before", "after", "what"], body), nl=False)
        elif not found:
            click.echo("no difference")
    if found:
        raise click.exceptions.Exit(1)


def _what(change: Change) -> str:
    """What differs, old and new."""
    if change.before is None or change.after is None:
        return ""
    old, new = change.before.anchor, change.after.anchor
    shown = [name for name in FIELDS if name in change.fields and name not in ("index", "mnemonic")]
    return "; ".join(f"{name} {_cell(getattr(old, name))} -> {_cell(getattr(new, name))}" for name in shown)


def _cell(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@click.command("merge")
@click.argument("mine", metavar="MINE")
@click.argument("theirs", metavar="THEIRS")
@click.option("-o", "--out", metavar="FILE", help="Write the merged codebook here; to standard output if not given.")
@_resolution
@click.option(
    "--json", "as_json", is_flag=True, help="Print what was found as one JSON object; the codebook goes to --out alone."
)
def merge_books(
    mine: str, theirs: str, out: str | None, prefer: Side | None, renumber: Side | None, *, as_json: bool
) -> None:
    """Merge the extensions of two codebooks.

    Nothing is renumbered or dropped unless you say so: conflicts are listed, and then nothing is written. --renumber settles those of indices, --prefer all, and with both,
    --prefer settles those of meaning and retirement alone. What was renumbered, dropped or overruled is listed.

    \b
    Example:
      sabir ucr merge examples/codebook.json examples/codebook-theirs.json --renumber theirs
    """
    outcome = merge(*files.read_two(mine, theirs), prefer=prefer, renumber=renumber)
    if as_json:
        click.echo(dumps(outcome.to_json()))
    else:
        _report(outcome)
    merged = _settled(outcome)
    if out is not None or not as_json:
        files.write(merged, out or "-")
        click.echo(f"merged: {files.summary(merged)}", err=True)


@click.command("import")
@click.argument("source", metavar="FILE")
@click.option(
    "--into",
    metavar="BOOK",
    help="Your codebook, which is made if it is not there; the core, and the result printed, if not given.",
)
@_resolution
def import_book(source: str, into: str | None, prefer: Side | None, renumber: Side | None) -> None:
    """Take an exported codebook's anchors into your own.

    FILE must fit its hash and may not touch the core. Conflicts are settled as by `sabir ucr merge`, BOOK being mine
    and FILE theirs.

    \b
    Example:
      sabir ucr import examples/codebook.json
    """
    theirs = files.read(source)
    with files.changing(into or "-"):
        mine = files.read(into) if into and Path(into).exists() else core()
        outcome = merge(mine, theirs, prefer=prefer, renumber=renumber)
        _report(outcome)
        merged = _settled(outcome)
        files.write(merged, into or "-")
    click.echo(f"imported: {files.summary(merged)}", err=True)


def _report(outcome: Merged) -> None:
    """Print conflicts and effects to standard error."""
    if outcome.conflicts:
        body = [["" if one in outcome.unresolved else "settled", one.kind, str(one)] for one in outcome.conflicts]
        click.echo(render(["", "conflict", "what"], body), err=True, nl=False)
    for effect in outcome.effects:
        click.echo(str(effect), err=True)


def _settled(outcome: Merged) -> Codebook:
    """The merged codebook.

    Raises:
        SabirError: there are conflicts that nothing settles.
    """
    if outcome.book is not None:
        return outcome.book
    kinds = {one.kind for one in outcome.unresolved}
    number = len(outcome.unresolved)
    some = "one conflict is" if number == 1 else f"{number} conflicts are"
    listed = "; ".join(f"{kind}: {what}" for kind, what in KINDS.items() if kind in kinds)
    ways = "--prefer, with or without --renumber"
    if kinds <= RENUMBERING:
        ways = "--renumber or --prefer"
    elif not kinds & RENUMBERING:
        ways = "--prefer"
    raise SabirError(f"{some} not settled ({listed}), so nothing was written; settle with {ways} mine or theirs")


def _existing(name: str) -> Codebook:
    if name != "-" and not Path(name).exists():
        raise click.FileError(name, f"there is none yet; begin with: sabir ucr export -o {name}")
    return files.read(name)
