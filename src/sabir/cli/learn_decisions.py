"""`sabir learn list`, `show`, `approve`, `reject` and `retire`: what is proposed, and what somebody decides."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from sabir import learn as layer
from sabir.cli.learn_options import by_option, existing, json_option, reason_option, store_option
from sabir.cli.learn_rows import number_of
from sabir.cli.learn_shown import anchor_json, anchor_table, print_rows, proposal_json, proposal_table, short
from sabir.cli.quantize_options import given
from sabir.jsontext import dumps


@click.command("list")
@store_option
@click.option("--status", type=click.Choice(["open", "superseded", "approved", "rejected", "all"]), default="open", show_default=True, help="Which proposals.")
@click.option("--anchors", "show_anchors", is_flag=True, help="List this installation's anchors instead.")
@json_option
def list_all(where: str, status: Any, *, show_anchors: bool, as_json: bool) -> None:
    """List proposals, or the anchors that they became.

    \b
    Examples:
      sabir learn list --store learn.db
      sabir learn list --store learn.db --anchors --json
    """
    if show_anchors and given("status"):
        raise click.UsageError("--status is of proposals, --anchors lists anchors: leave one out")
    with existing(where) as store:
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


@click.command()
@store_option
@click.argument("name", metavar="NUMBER_OR_MNEMONIC")
@json_option
def show(where: str, name: str, *, as_json: bool) -> None:
    """Show a proposal with its texts, or where an anchor comes from.

    \b
    Examples:
      sabir learn show --store learn.db 1
      sabir learn show --store learn.db RequestRotation --json
    """
    shown: dict[str, Any] = {}
    with existing(where) as store:
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


@click.command()
@store_option
@click.argument("number", type=int)
@by_option
@click.option("--mnemonic", help="Another name than the proposed one.")
@click.option("--canonical", help="Another description than the proposed one.")
@json_option
def approve(where: str, number: int, by: str | None, mnemonic: str | None, canonical: str | None, *, as_json: bool) -> None:
    """Make an anchor of a proposal; leave with 4 where the policy refuses.

    Run sabir learn rebuild afterwards, else the anchor's texts are embedded anew whenever the index is used.

    \b
    Examples:
      sabir learn approve --store learn.db 1 --by Kim
      sabir learn approve --store learn.db 2 --by Kim --mnemonic RequestRotation
    """
    from sabir.learn.redaction import normalised  # noqa: PLC0415  # slow to load, and the help needs it not

    with existing(where) as store:
        anchor = layer.approve(store, number, by, mnemonic=mnemonic, canonical=canonical)
        decided_by = layer.detail(store, number)[0].decided_by
    if by and decided_by != normalised(by):
        click.echo(f"proposal {number} was approved before, by {decided_by}", err=True)
    if as_json:
        click.echo(dumps({"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "coords": list(anchor.coords)}))
    else:
        click.echo(f"0x{anchor.index:04X} {anchor.mnemonic}: {anchor.canonical}")


@click.command()
@store_option
@click.argument("number", type=int)
@by_option
@reason_option
@json_option
def reject(where: str, number: int, by: str | None, reason: str, *, as_json: bool) -> None:
    """Decide that a proposal becomes no anchor; its texts are deleted and not proposed again.

    \b
    Example:
      sabir learn reject --store learn.db 3 --by Kim --reason 'two things in one'
    """
    with existing(where) as store:
        proposal = layer.reject(store, number, by or "", reason)
    click.echo(dumps(proposal_json(proposal)) if as_json else f"proposal {number} is rejected by {proposal.decided_by}")


@click.command()
@store_option
@click.argument("mnemonic")
@by_option
@reason_option
@json_option
def retire(where: str, mnemonic: str, by: str | None, reason: str, *, as_json: bool) -> None:
    """Take an anchor out of use. Its index and name are never given to another one.

    \b
    Example:
      sabir learn retire --store learn.db RequestRotation --by Kim --reason 'nobody asks any more'
    """
    with existing(where) as store:
        anchor = layer.retire(store, mnemonic, by or "", reason)
    click.echo(dumps(anchor_json(anchor)) if as_json else f"0x{anchor.anchor.index:04X} {mnemonic} is retired by {anchor.retired_by}")
