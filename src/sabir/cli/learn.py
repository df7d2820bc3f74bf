"""`sabir learn`: the extension layer, from the log of what no anchor says to an anchor that somebody approved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from sabir import learn as layer
from sabir.cli.inputs import pieces
from sabir.cli.learn_rows import batches, change, judged, number_of, row_of
from sabir.cli.learn_shown import anchor_json, anchor_table, print_rows, proposal_json, proposal_table, short
from sabir.jsontext import dumps
from sabir.quantize import MODES, Mode, Quantizer
from sabir.store import open_store

if TYPE_CHECKING:
    from sabir.store.engine import Store

_store = click.option("--store", "where", metavar="PATH_OR_URL", envvar="SABIR_STORE", required=True, help="SQLite file or postgresql:// URL; or SABIR_STORE.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Machine output.")
_by = click.option("--by", metavar="NAME", help="Who decides.")
_reason = click.option("--reason", default="", help="Why.")
_mode = click.option("--mode", type=click.Choice(MODES), default="auto", show_default=True, help="How the quantizer finds core anchors.")
_embedder = click.option("--embedder", metavar="NAME", help="Whose vectors are used; the best that is installed if not given.")


@contextmanager
def _existing(where: str) -> Iterator[Store]:
    """A store that is there already."""
    with open_store(where, create=False) as store:
        yield store


@click.group()
def learn() -> None:
    """Learn new anchors from messages that the codebook does not say well.

    Messages are logged without their secrets, grouped, and proposed; a proposal becomes an anchor when somebody approves it.

    \b
    Examples:
      sabir learn log --store learn.db --source planner 'Rotate the certificates of the gateway'
      sabir learn propose --store learn.db
      sabir learn approve --store learn.db 1 --by Kim
    """


@learn.command()
@_store
@click.argument("text", required=False)
@click.option("--file", "path", type=click.Path(path_type=Path), help="Read the input from a file.")
@click.option("--lines", is_flag=True, help="Each line of the input is a message.")
@click.option("--jsonl", is_flag=True, help='Each line is {"text": ..., "source": ..., "confidence": ...}; the last two may be missing.')
@click.option("--source", help="Who said it.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How sure the quantizer was; found out if not given.")
@_mode
@_embedder
@_as_json
def log(  # noqa: PLR0917  # click passes all by name
    where: str,
    text: str | None,
    path: Path | None,
    source: str | None,
    confidence: float | None,
    mode: Mode,
    embedder: str | None,
    *,
    lines: bool,
    jsonl: bool,
    as_json: bool,
) -> None:
    """Log messages whose confidence is below the policy's threshold; keys, tokens and addresses are taken out first.

    \b
    Examples:
      sabir learn log --store learn.db --source planner 'Rotate the certificates of the gateway'
      sabir learn log --store learn.db --jsonl - < low-confidence.jsonl
    """
    given = pieces(text, path, lines=lines or jsonl)
    rows = ((piece.line, row_of(piece.text, piece.line, source, confidence, jsonl=jsonl)) for piece in given)
    seen = kept = fresh = 0
    with open_store(where) as store:
        for batch in batches(rows):
            for done in layer.record_all(store, judged(store, mode, embedder, batch)):
                seen, kept, fresh = seen + 1, kept + done.stored, fresh + done.new
                if as_json:
                    click.echo(dumps(asdict(done)))
    if not as_json:
        click.echo(f"{seen} seen, {kept} logged, {fresh} of them new")


@learn.command()
@_store
@_mode
@_embedder
@_as_json
def propose(where: str, mode: Mode, embedder: str | None, *, as_json: bool) -> None:
    """Group what is logged, and propose the groups that the policy lets pass.

    Where the policy asks for nobody's approval, they become anchors at once.

    \b
    Example:
      sabir learn propose --store learn.db
    """
    with _existing(where) as store:
        run = layer.propose(store, layer.load(store, Quantizer(mode), embedder), embedder)
        minted, stopped = layer.approve_open(store)
    if as_json:
        head = {"looked_at": run.looked_at, "said": run.said, "new": list(run.new)}
        held = [{"exemplar": exemplar, "reasons": list(reasons)} for exemplar, reasons in run.held_back]
        anchors = [anchor.mnemonic for anchor in minted]
        click.echo(dumps({**head, "open": [proposal_json(item) for item in run.open], "held_back": held, "minted": anchors, "stopped": stopped}))
        return
    click.echo(f"{run.looked_at} texts grouped, {run.said} left out; {len(run.open)} proposals, {len(run.new)} of them new", err=True)
    proposal_table(run.open)
    for exemplar, reasons in run.held_back:
        click.echo(f"held back: {short(exemplar)}: {'; '.join(reasons)}", err=True)
    for anchor in minted:
        click.echo(f"minted 0x{anchor.index:04X} {anchor.mnemonic}")
    if stopped:
        click.echo(f"stopped: {stopped}", err=True)


@learn.command("list")
@_store
@click.option("--status", type=click.Choice(["open", "superseded", "approved", "rejected", "all"]), default="open", show_default=True, help="Which proposals.")
@click.option("--anchors", "show_anchors", is_flag=True, help="List this installation's anchors instead.")
@_as_json
def list_all(where: str, status: Any, *, show_anchors: bool, as_json: bool) -> None:
    """List proposals, or the anchors that they became.

    \b
    Examples:
      sabir learn list --store learn.db
      sabir learn list --store learn.db --anchors --json
    """
    with _existing(where) as store:
        found = layer.list_all(store, None if status == "all" else status)
        anchors = layer.own_anchors(store) if show_anchors else []
    if show_anchors:
        rows = [anchor_json(item) for item in anchors]
        if as_json:
            print_rows(rows)
        else:
            anchor_table(rows)
    elif as_json:
        print_rows([proposal_json(item) for item in found])
    else:
        proposal_table(found)


@learn.command()
@_store
@click.argument("name", metavar="NUMBER_OR_MNEMONIC")
@_as_json
def show(where: str, name: str, *, as_json: bool) -> None:
    """Show a proposal with its texts, or where an anchor comes from.

    \b
    Examples:
      sabir learn show --store learn.db 1
      sabir learn show --store learn.db RequestRotation --json
    """
    shown: dict[str, Any] = {}
    with _existing(where) as store:
        if name.isdecimal() and name.isascii():
            number = number_of(name)
        else:
            anchor = layer.provenance(store, name).own
            number, shown["anchor"] = anchor.proposal, anchor_json(anchor)
        proposal, members = layer.detail(store, number)
        shown |= {"proposal": proposal_json(proposal), "members": [asdict(member) for member in members]}
    if as_json:
        click.echo(dumps(shown))
        return
    for part in ("anchor", "proposal"):
        for field, value in shown.get(part, {}).items():
            click.echo(f"{field:<15} {value if isinstance(value, str) else dumps(value)}")
    for member in shown["members"]:
        click.echo(f"{member['hash'][:12]}  {', '.join(member['sources'])}: {short(member['text'] or '(text gone)')}")


@learn.command()
@_store
@click.argument("number", type=int)
@_by
@click.option("--mnemonic", help="Another name than the proposed one.")
@click.option("--canonical", help="Another description than the proposed one.")
@_as_json
def approve(where: str, number: int, by: str | None, mnemonic: str | None, canonical: str | None, *, as_json: bool) -> None:
    """Make an anchor of a proposal; leave with 4 where the policy refuses.

    Run sabir learn rebuild afterwards, else the index is made anew whenever it is used.

    \b
    Examples:
      sabir learn approve --store learn.db 1 --by Kim
      sabir learn approve --store learn.db 2 --by Kim --mnemonic RequestRotation
    """
    with _existing(where) as store:
        anchor = layer.approve(store, number, by, mnemonic=mnemonic, canonical=canonical)
    if as_json:
        click.echo(dumps({"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "coords": list(anchor.coords)}))
    else:
        click.echo(f"0x{anchor.index:04X} {anchor.mnemonic}: {anchor.canonical}")


@learn.command()
@_store
@click.argument("number", type=int)
@_by
@_reason
@_as_json
def reject(where: str, number: int, by: str | None, reason: str, *, as_json: bool) -> None:
    """Decide that a proposal becomes no anchor; its texts are deleted and not proposed again.

    \b
    Example:
      sabir learn reject --store learn.db 3 --by Kim --reason 'two things in one'
    """
    with _existing(where) as store:
        proposal = layer.reject(store, number, by or "", reason)
    click.echo(dumps(proposal_json(proposal)) if as_json else f"proposal {number} is rejected by {proposal.decided_by}")


@learn.command()
@_store
@click.argument("mnemonic")
@_by
@_reason
@_as_json
def retire(where: str, mnemonic: str, by: str | None, reason: str, *, as_json: bool) -> None:
    """Take an anchor out of use. Its index and name are never given to another one.

    \b
    Example:
      sabir learn retire --store learn.db RequestRotation --by Kim --reason 'nobody asks any more'
    """
    with _existing(where) as store:
        anchor = layer.retire(store, mnemonic, by or "", reason)
    click.echo(dumps(anchor_json(anchor)) if as_json else f"0x{anchor.anchor.index:04X} {mnemonic} is retired by {anchor.retired_by}")


@learn.command()
@_store
@_embedder
@_as_json
def rebuild(where: str, embedder: str | None, *, as_json: bool) -> None:
    """Make the vector index of the anchors anew, as after a change of the embedder.

    \b
    Example:
      sabir learn rebuild --store learn.db
    """
    with _existing(where) as store:
        places = layer.rebuild(store, embedder)
        book = layer.codebook(store)
    if as_json:
        radii = {book.by_index(place.index).mnemonic: place.radius for place in places}
        click.echo(dumps({"anchors": len(places), "radii": radii, "hash": book.hash}))
    else:
        click.echo(f"{len(places)} anchors indexed; the codebook is {book.hash}")


@learn.command()
@_store
@click.argument("text", required=False)
@click.option("--file", "path", type=click.Path(path_type=Path), help="Read the input from a file.")
@click.option("--lines", is_flag=True, help="Each line of the input is a text.")
@_mode
@_embedder
@_as_json
def quantize(where: str, text: str | None, path: Path | None, mode: Mode, embedder: str | None, *, lines: bool, as_json: bool) -> None:
    """Find the anchor of a text among the core's and this installation's own.

    \b
    Example:
      sabir learn quantize --store learn.db 'Rotate the certificates of the gateway'
    """
    with _existing(where) as store:
        quantizer = layer.load(store, Quantizer(mode), embedder)
    for piece in pieces(text, path, lines=lines):
        answer = quantizer.quantize(piece.text)
        click.echo(dumps(msgspec.to_builtins(answer)) if as_json else f"{answer.anchor} {answer.confidence:.2f} ({answer.mode})")


@learn.command()
@_store
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
    with _existing(where) as store:
        lines = [dumps(item) for item in layer.sharegpt(store, dst)] if sharegpt else [dumps(layer.codebook(store).to_json())]
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_bytes(text.encode())
    except OSError as error:
        raise click.FileError(str(output), error.strerror or "cannot be written") from None


@learn.command()
@_store
@click.option("--source", help="Delete all that this source said, too.")
@click.option("--all", "everything", is_flag=True, help="Delete the whole log.")
@_as_json
def purge(where: str, source: str | None, *, everything: bool, as_json: bool) -> None:
    """Delete what is older than the policy keeps; anchors and decisions stay.

    \b
    Examples:
      sabir learn purge --store learn.db
      sabir learn purge --store learn.db --source intruder
    """
    with _existing(where) as store:
        deleted = layer.purge(store, source=source, everything=everything)
    click.echo(dumps({"deleted": deleted}) if as_json else f"{deleted} texts deleted")


@learn.command()
@_store
@click.option("--set", "changes", metavar="FIELD=VALUE", multiple=True, help="Change a field; may be given several times.")
@_by
@_as_json
def policy(where: str, changes: tuple[str, ...], by: str | None, *, as_json: bool) -> None:
    """Show the policy of a store, or change it under your name.

    \b
    Examples:
      sabir learn policy --store learn.db
      sabir learn policy --store learn.db --set min_sources=3 --set mints_a_day=2 --by Kim
    """
    with open_store(where, create=bool(changes)) as store:
        new = dict(map(change, changes))
        found = layer.change(store, by or "", new) if new else layer.policy_of(store)
    fields = msgspec.to_builtins(found)
    if as_json:
        click.echo(dumps(fields))
        return
    for field, value in fields.items():
        click.echo(f"{field:<17} {dumps(value)}")
