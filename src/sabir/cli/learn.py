"""`sabir learn`: the extension layer, from the log of what no anchor says to an anchor that somebody approved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
import msgspec

from sabir import learn as layer
from sabir.cli.inputs import pieces
from sabir.cli.tables import render
from sabir.errors import EncodeError, SabirError
from sabir.jsontext import dumps, loads
from sabir.learn.instants import iso
from sabir.quantize import MODES, Mode, Quantizer
from sabir.store import open_store

if TYPE_CHECKING:
    from sabir.learn import LearnedQuantizer, Low, Proposal
    from sabir.store.engine import Store

F = TypeVar("F", bound=Callable[..., Any])

_AT_ONCE: Final = 500
"""Messages that one transaction logs."""

_store = click.option("--store", "where", metavar="PATH_OR_URL", envvar="SABIR_STORE", required=True, help="SQLite file or postgresql:// URL; or SABIR_STORE.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Machine output.")
_by = click.option("--by", metavar="NAME", help="Who decides.")
_reason = click.option("--reason", default="", help="Why.")
_mode = click.option("--mode", type=click.Choice(MODES), default="auto", show_default=True, help="How the quantizer finds core anchors.")
_embedder = click.option("--embedder", metavar="NAME", help="Whose vectors are used; the best that is installed if not given.")


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
    rows = ((piece.line, _row(piece.text, piece.line, source, confidence, jsonl=jsonl)) for piece in given)
    seen = kept = fresh = 0
    with open_store(where) as store:
        for batch in _batches(rows):
            for done in layer.record_all(store, _judged(store, mode, embedder, batch)):
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
        click.echo(dumps({**head, "open": [_proposal(item) for item in run.open], "held_back": held, "minted": anchors, "stopped": stopped}))
        return
    click.echo(f"{run.looked_at} texts grouped, {run.said} left out; {len(run.open)} proposals, {len(run.new)} of them new", err=True)
    _table(run.open)
    for exemplar, reasons in run.held_back:
        click.echo(f"held back: {_short(exemplar)}: {'; '.join(reasons)}", err=True)
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
        rows = [_anchor(item) for item in anchors]
        if as_json:
            _print(rows)
        else:
            head = ["index", "mnemonic", "canonical", "proposal", "minted", "retired"]
            body = [[f"0x{row['index']:04X}", *(str(row[name] or "") for name in ("mnemonic", "canonical", "proposal", "minted_at", "retired_at"))] for row in rows]
            click.echo(render(head, body), nl=False)
    elif as_json:
        _print([_proposal(item) for item in found])
    else:
        _table(found)


@learn.command()
@_store
@click.argument("name", metavar="NUMBER_OR_MNEMONIC")
@_as_json
def show(where: str, name: str, *, as_json: bool) -> None:
    """Show a proposal with its texts, or where an anchor comes from.

    \b
    Examples:
      sabir learn show --store learn.db 1
      sabir learn show --store learn.db RequestCertificates --json
    """
    shown: dict[str, Any] = {}
    with _existing(where) as store:
        if name.isdecimal() and name.isascii():
            number = _number(name)
        else:
            anchor = layer.provenance(store, name).own
            number, shown["anchor"] = anchor.proposal, _anchor(anchor)
        proposal, members = layer.detail(store, number)
        shown |= {"proposal": _proposal(proposal), "members": [asdict(member) for member in members]}
    if as_json:
        click.echo(dumps(shown))
        return
    for part in ("anchor", "proposal"):
        for field, value in shown.get(part, {}).items():
            click.echo(f"{field:<15} {value if isinstance(value, str) else dumps(value)}")
    for member in shown["members"]:
        click.echo(f"{member['hash'][:12]}  {', '.join(member['sources'])}: {_short(member['text'] or '(text gone)')}")


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
    click.echo(dumps(_proposal(proposal)) if as_json else f"proposal {number} is rejected by {proposal.decided_by}")


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
      sabir learn retire --store learn.db RequestCertificates --by Kim --reason 'nobody asks any more'
    """
    with _existing(where) as store:
        anchor = layer.retire(store, mnemonic, by or "", reason)
    click.echo(dumps(_anchor(anchor)) if as_json else f"0x{anchor.anchor.index:04X} {mnemonic} is retired by {anchor.retired_by}")


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
        new = dict(map(_change, changes))
        found = layer.change(store, by or "", new) if new else layer.policy_of(store)
    fields = msgspec.to_builtins(found)
    if as_json:
        click.echo(dumps(fields))
        return
    for field, value in fields.items():
        click.echo(f"{field:<17} {dumps(value)}")


# --- input -----------------------------------------------------------------------------------------------


@contextmanager
def _existing(where: str) -> Iterator[Store]:
    """A store that is there already."""
    with open_store(where, create=False) as store:
        yield store


def _row(text: str, line: int | None, source: str | None, confidence: float | None, *, jsonl: bool) -> dict[str, Any]:
    """A message with its source and, if it is known, its confidence."""
    row: dict[str, Any] = {"text": text}
    at = "" if line is None else f"line {line}: "
    if jsonl:
        try:
            row = loads(text)
        except SabirError as error:
            raise SabirError(f"{at}{error}") from None
        if type(row) is not dict or "text" not in row:
            raise SabirError(f'{at}a row is an object such as {{"text": "...", "source": "planner", "confidence": 0.2}}')
    row.setdefault("source", source)
    row.setdefault("confidence", confidence)
    if row["source"] is None:
        raise click.UsageError(f"{at}say who said it: --source NAME" + (', or "source" in the row' if jsonl else ""))
    return row


def _batches(rows: Iterator[tuple[int | None, dict[str, Any]]]) -> Iterator[list[tuple[int | None, dict[str, Any]]]]:
    batch: list[tuple[int | None, dict[str, Any]]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _judged(store: Store, mode: Mode, embedder: str | None, batch: list[tuple[int | None, dict[str, Any]]]) -> list[Low]:
    """Messages with their confidence, which the quantizer gives where it is not known."""
    quantizer: LearnedQuantizer | None = None
    found: list[Low] = []
    for line, row in batch:
        sure = row["confidence"]
        try:
            layer.Low(row["text"], 0.0 if sure is None else sure, row["source"]).check()
            if sure is None:
                quantizer = quantizer or layer.load(store, Quantizer(mode), embedder)
                answer = quantizer.quantize(row["text"])
                sure = 0.0 if answer.anchor == "Fallback" and answer.confidence >= quantizer.threshold else answer.confidence
        except EncodeError as error:
            raise SabirError(str(error) if line is None else f"line {line}: {error}") from None
        found.append(layer.Low(row["text"], sure, row["source"]))
    return found


def _number(name: str) -> int:
    if len(name) > 9:
        raise EncodeError(f"there is no proposal {name[:40]}", "proposal")
    return int(name)


def _change(item: str) -> tuple[str, Any]:
    """A field of the policy and its value, which is JSON."""
    field, sign, value = item.partition("=")
    if not sign or not re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?|true|false|null", value):
        raise click.UsageError(f"--set takes FIELD=VALUE with a number, true, false or null, not {item!r}")
    return field, loads(value)


# --- output ----------------------------------------------------------------------------------------------


def _proposal(item: Proposal) -> dict[str, Any]:
    fields = asdict(item) | {"coords": list(item.coords), "near": [list(pair) for pair in item.near], "at": iso(item.at)}
    return fields | {"decided_at": None if item.decided_at is None else iso(item.decided_at)}


def _anchor(item: layer.Own) -> dict[str, Any]:
    anchor = item.anchor
    named = {"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "coords": list(anchor.coords)}
    retired = {"retired_at": None if item.retired_at is None else iso(item.retired_at), "retired_by": item.retired_by, "retired_reason": item.retired_reason}
    return named | {"proposal": item.proposal, "minted_at": iso(item.minted_at)} | retired


def _table(found: tuple[Proposal, ...]) -> None:
    head = ["proposal", "status", "mnemonic", "size", "sources", "cohesion", "near", "exemplar"]
    body = [
        [str(item.number), item.status, item.mnemonic, str(item.size), str(item.sources), f"{item.cohesion:.2f}", item.near[0][0] if item.near else "", _short(item.exemplar)]
        for item in found
    ]
    click.echo(render(head, body, right=(0, 3, 4, 5)), nl=False)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        click.echo(dumps(row))
