"""`sabir learn`: the extension layer, from the log of what no anchor says to an anchor that somebody approved."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from sabir import learn as layer
from sabir.cli import learn_decisions, learn_keeping
from sabir.cli.inputs import Piece, each, pieces, text_input
from sabir.cli.learn_options import embedder_option, existing, json_option, store_option
from sabir.cli.learn_rows import Faults, batches, judged, rows_of
from sabir.cli.learn_shown import proposal_json, proposal_table, short
from sabir.cli.progress import progress
from sabir.cli.quantize_options import answer_json, check_wire, mode_option, model_option, quantizer_of, wire_options
from sabir.jsontext import dumps
from sabir.quantize import Mode, sending
from sabir.store import open_store

_SHOWN: Final = 10
"""Groups that a policy refuses and that are shown to a person."""


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
@store_option
@click.argument("text", required=False)
@click.option("--file", "path", type=click.Path(path_type=Path), help="Read the input from a file.")
@click.option("--lines", is_flag=True, help="Each line of the input is a message.")
@click.option("--jsonl", is_flag=True, help='Each line is {"text": ..., "source": ..., "confidence": ...}; the last two may be missing.')
@click.option("--source", help="Who said it.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How sure the quantizer was; found out if not given.")
@mode_option
@model_option
@embedder_option
@json_option
def log(  # noqa: PLR0917  # click passes all by name
    where: str,
    text: str | None,
    path: Path | None,
    source: str | None,
    confidence: float | None,
    mode: Mode,
    model: Path | None,
    embedder: str | None,
    *,
    lines: bool,
    jsonl: bool,
    as_json: bool,
) -> None:
    """Log messages whose confidence is below the policy's threshold; keys, tokens and addresses are taken out first.

    A line at fault is reported, and the others are logged. From a pipe, messages are stored within a second or with the one that follows.

    \b
    Examples:
      sabir learn log --store learn.db --source planner 'Rotate the certificates of the gateway'
      sabir learn log --store learn.db --jsonl - < low-confidence.jsonl
    """
    if source is None and not jsonl:
        raise click.UsageError("say who said it: --source NAME")
    faults = Faults()
    found = batches(rows_of(pieces(text, path, lines=lines or jsonl), source, confidence, faults, jsonl=jsonl))
    first = next(found, [])  # what is wrong with the call is found before a store is made
    seen = kept = fresh = 0
    with open_store(where) as store:
        core = cache(lambda: quantizer_of(mode, model, layer.policy_of(store).threshold))
        for batch in chain([first], found):
            for done in layer.record_all(store, judged(batch, lambda: layer.load(store, core(), embedder))):
                seen, kept, fresh = seen + 1, kept + done.stored, fresh + done.new
                if as_json:
                    click.echo(dumps(asdict(done)))
    if not as_json:
        click.echo(f"{seen} seen, {kept} logged, {fresh} of them new")
    faults.leave()


@learn.command()
@store_option
@mode_option
@model_option
@embedder_option
@json_option
def propose(where: str, mode: Mode, model: Path | None, embedder: str | None, *, as_json: bool) -> None:
    """Group what is logged, and propose the groups that the policy lets pass.

    Where the policy asks for nobody's approval, they become anchors at once. At most 3,000 texts are grouped, of all sources in turn; with a large embedder that takes
    minutes.

    \b
    Example:
      sabir learn propose --store learn.db
    """
    with existing(where) as store:
        with progress() as done:
            run = layer.propose(store, layer.load(store, quantizer_of(mode, model, layer.policy_of(store).threshold), embedder), embedder, progress=done)
        minted, stopped = layer.approve_open(store)
    if as_json:
        head = {"looked_at": run.looked_at, "said": run.said, "new": list(run.new)}
        held = [{"exemplar": exemplar, "reasons": list(reasons)} for exemplar, reasons in run.held_back]
        anchors = [anchor.mnemonic for anchor in minted]
        click.echo(dumps({**head, "open": [proposal_json(item) for item in run.open], "held_back": held, "minted": anchors, "stopped": stopped}))
        return
    click.echo(f"{run.looked_at} texts grouped, {run.said} left out; {len(run.open)} proposals, {len(run.new)} of them new", err=True)
    proposal_table(run.open)
    for exemplar, reasons in run.held_back[:_SHOWN]:
        click.echo(f"held back: {short(exemplar)}: {'; '.join(reasons)}", err=True)
    if len(run.held_back) > _SHOWN:
        click.echo(f"held back: {len(run.held_back) - _SHOWN} more groups, which --json lists", err=True)
    for anchor in minted:
        click.echo(f"minted 0x{anchor.index:04X} {anchor.mnemonic}")
    if stopped:
        click.echo(f"stopped: {stopped}", err=True)


@learn.command()
@store_option
@text_input
@mode_option
@model_option
@embedder_option
@wire_options
@json_option
def quantize(  # noqa: PLR0917  # click passes all by name
    where: str,
    text: str | None,
    path: Path | None,
    mode: Mode,
    model: Path | None,
    embedder: str | None,
    src: str,
    dst: str,
    payload: Any,
    *,
    lines: bool,
    to_wire: bool,
    as_json: bool,
) -> None:
    """Find the anchor of a text among the core's and this installation's own; or print a SLIP message.

    Who reads a message with an own anchor needs the codebook: sabir learn export --codebook.

    \b
    Examples:
      sabir learn quantize --store learn.db 'Rotate the certificates of the gateway'
      sabir learn quantize --store learn.db --to-wire --src planner --dst ops 'Rotate the certificates of the gateway'
    """
    check_wire(to_wire=to_wire, as_json=as_json)
    found = pieces(text, path, lines=lines)
    with existing(where) as store:
        quantizer = layer.load(store, quantizer_of(mode, model, layer.policy_of(store).threshold), embedder)

    def work(piece: Piece) -> None:
        answer = quantizer.quantize(piece.text)
        if to_wire:
            click.echo(sending.wire(piece.text, src, dst, answer, quantizer, payload=payload))
        else:
            click.echo(dumps(answer_json(answer)) if as_json else f"{answer.anchor} {answer.confidence:.2f} ({answer.mode})")

    each(work, found)


for command in (
    learn_decisions.list_all,
    learn_decisions.show,
    learn_decisions.approve,
    learn_decisions.reject,
    learn_decisions.retire,
    learn_keeping.rebuild,
    learn_keeping.export,
    learn_keeping.purge,
    learn_keeping.policy,
):
    learn.add_command(command)
