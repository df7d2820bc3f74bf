"""What `sabir learn` shows: proposals and anchors, for a person and for a program."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from sabir.cli.tables import render
from sabir.jsontext import dumps
from sabir.learn.instants import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabir.learn import Own, Proposal


def proposal_json(item: Proposal) -> dict[str, Any]:
    """JSON form of a proposal."""
    fields = asdict(item) | {"coords": list(item.coords), "near": [list(pair) for pair in item.near], "at": iso(item.at)}
    return fields | {"decided_at": None if item.decided_at is None else iso(item.decided_at)}


def anchor_json(item: Own) -> dict[str, Any]:
    """JSON form of an anchor."""
    anchor = item.anchor
    named = {"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "coords": list(anchor.coords)}
    retired = {"retired_at": None if item.retired_at is None else iso(item.retired_at), "retired_by": item.retired_by, "retired_reason": item.retired_reason}
    return named | {"proposal": item.proposal, "minted_at": iso(item.minted_at)} | retired


def proposal_table(found: Sequence[Proposal]) -> None:
    """A line a proposal."""
    head = ["proposal", "status", "mnemonic", "size", "sources", "cohesion", "near", "exemplar"]
    body = [
        [str(item.number), item.status, item.mnemonic, str(item.size), str(item.sources), f"{item.cohesion:.2f}", item.near[0][0] if item.near else "", short(item.exemplar)]
        for item in found
    ]
    click.echo(render(head, body, right=(0, 3, 4, 5)), nl=False)


def short(text: str) -> str:
    """The start of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


def print_rows(rows: list[dict[str, Any]]) -> None:
    """One JSON object a line."""
    for row in rows:
        click.echo(dumps(row))


def anchor_table(rows: Sequence[dict[str, Any]]) -> None:
    """A line an anchor."""
    head = ["index", "mnemonic", "canonical", "proposal", "minted", "retired"]
    fields = ("mnemonic", "canonical", "proposal", "minted_at", "retired_at")
    click.echo(render(head, [[f"0x{row['index']:04X}", *(str(row[field] or "") for field in fields)] for row in rows]), nl=False)
