"""`sabir ucr`: look-ups and sums in Slipstream's codebook, and its exchange as JSON with a hash."""

from __future__ import annotations

import click

from sabir.cli import ucr_books, ucr_files
from sabir.cli.tables import render
from sabir.cli.ucr_words import anchor_of, json_option, level, names, row, show, show_json
from sabir.ucr import DIMENSIONS, Codebook, Role, implausible
from sabir.ucr.anchor import LEVELS


@click.group()
def ucr() -> None:
    """Look things up in Slipstream's codebook, and keep one of your own.

    Its anchors are points with four coordinates, each 0 to 7: action, polarity, domain and urgency.

    Begin a codebook of your own with `sabir ucr export -o FILE`, and name it with --book.

    \b
    Examples:
      sabir ucr list
      sabir ucr show RequestReview
      sabir ucr list --book examples/codebook.json
    """


@ucr.command("list")
@ucr_files.book_option
@click.option("--retired", is_flag=True, help="Those that are retired instead of those in use.")
@json_option
def list_anchors(book: Codebook, *, retired: bool, as_json: bool) -> None:
    """List all anchors with their coordinates in words.

    \b
    Example:
      sabir ucr list --json
    """
    found = book.retired if retired else book.anchors
    if as_json:
        show_json(*found)
        return
    click.echo(render(["index", "mnemonic", *DIMENSIONS, "what"], map(row, found), right=(3, 5)), nl=False)


@ucr.command("show")
@click.argument("name", metavar="NAME_OR_INDEX")
@ucr_files.book_option
@json_option
def show_anchor(name: str, book: Codebook, *, as_json: bool) -> None:
    """Show one anchor, by its mnemonic or its index.

    \b
    Examples:
      sabir ucr show RequestReview
      sabir ucr show 0x0032
    """
    show(anchor_of(book, name), as_json=as_json)


@ucr.command()
@click.argument("action", callback=level)
@click.argument("polarity", callback=level)
@click.argument("domain", callback=level)
@click.argument("urgency", callback=level)
@ucr_files.book_option
@json_option
def nearest(action: int, polarity: int, domain: int, urgency: int, book: Codebook, *, as_json: bool) -> None:
    """Show the anchor nearest to four coordinates; of several, the one of lowest index.

    \b
    Examples:
      sabir ucr nearest 3 4 3 3
      sabir ucr nearest request 4 evaluation 3
    """
    show(book.nearest((action, polarity, domain, urgency)), as_json=as_json)


@ucr.command()
@click.argument("name", metavar="NAME_OR_INDEX")
@click.option("--action", type=int, default=0, help="Levels to go along the actions.")
@click.option("--polarity", type=int, default=0, help="Levels to go along the polarity.")
@click.option("--domain", type=int, default=0, help="Levels to go along the domains.")
@click.option("--urgency", type=int, default=0, help="Levels to go along the urgency.")
@ucr_files.book_option
@json_option
def move(  # noqa: PLR0917  # click passes all by name
    name: str, action: int, polarity: int, domain: int, urgency: int, book: Codebook, *, as_json: bool
) -> None:
    """Show the anchor nearest to the place so many levels away from another one.

    \b
    Example:
      sabir ucr move EvalApprove --polarity -7
    """
    moved = book.move(anchor_of(book, name), action=action, polarity=polarity, domain=domain, urgency=urgency)
    show(moved, as_json=as_json)


@ucr.command()
@click.argument("name", metavar="NAME_OR_INDEX")
@click.option("--actions", default="", callback=names, help="What the sender may do; all by default.")
@click.option("--domains", default="", callback=names, help="What the sender may speak of; all by default.")
@click.option("--urgency", default=str(LEVELS[-1]), show_default=True, callback=level, help="Highest level.")
@ucr_files.book_option
def check(name: str, actions: frozenset[str], domains: frozenset[str], urgency: int, book: Codebook) -> None:
    """Say whether an anchor fits what its sender may say; leave with 1 and the reasons where it does not.

    \b
    Example:
      sabir ucr check EvalApprove --actions evaluate,inform --domains evaluation --urgency 5
    """
    anchor = anchor_of(book, name)
    reasons = implausible(anchor, Role(actions=actions, domains=domains, urgency=urgency))
    for reason in reasons:
        click.echo(reason)
    if reasons:
        raise click.exceptions.Exit(1)
    click.echo(f"{anchor.mnemonic} is plausible")


@ucr.command("hash")
@ucr_files.book_option
def print_hash(book: Codebook) -> None:
    """Print the hash by which two sides find out that their codebooks are the same.

    It is that of the anchors in use.

    \b
    Example:
      sabir ucr hash
    """
    click.echo(book.hash)


@ucr.command()
@click.option(
    "-o", "--out", "--file", metavar="FILE", default="-", help="Write to a file; to standard output if not given."
)
@ucr_files.book_option
def export(out: str, book: Codebook) -> None:
    """Print the codebook as JSON, with its hash.

    \b
    Example:
      sabir ucr export
    """
    ucr_files.write(book, out)


@ucr.command()
@click.argument("path", metavar="FILE")
def verify(path: str) -> None:
    """Check that a codebook's JSON is sound and fits its hash; FILE may be - for standard input.

    \b
    Example:
      sabir ucr export | sabir ucr verify -
    """
    click.echo(f"sound: {ucr_files.summary(ucr_files.read(path))}")


for command in (
    ucr_books.add,
    ucr_books.retire,
    ucr_books.diff_books,
    ucr_books.merge_books,
    ucr_books.import_book,
):
    ucr.add_command(command)
