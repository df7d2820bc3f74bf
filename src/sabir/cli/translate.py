"""`sabir translate`: messages into another format, and the check that nothing is lost on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from sabir import api, detection
from sabir.cli.codebook import codebook_option
from sabir.cli.inputs import READ_CHOICE, Piece, each, pieces, text_input
from sabir.crossing import Crossing, crossings
from sabir.errors import DecodeError, SabirError
from sabir.jsontext import dumps, loads
from sabir.registry import BY_NAME, FORMATS, READABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sabir.kinds import Format
    from sabir.ucr import Codebook


@click.command()
@text_input
@click.option("-f", "--format", "format", type=READ_CHOICE, help="Format of the input; found by itself if not given.")
@click.option("-t", "--to", "to", required=True, type=click.Choice([*(f.name for f in FORMATS), "all"]), help="Target format, or all.")
@click.option("--records", is_flag=True, help='Each line is a JSON object with a "text" and, if it is known, its "format".')
@click.option("--check", is_flag=True, help="Translate every message there and back and print what travelled how.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a translation, or the check's table as JSON.")
@click.option("--allow-unknown", is_flag=True, help="Keep a SLIP anchor that the codebook lacks.")
@codebook_option
def translate(
    text: str | None,
    path: Path | None,
    format: str | None,
    to: str,
    codebook: Codebook | None,
    *,
    lines: bool,
    records: bool,
    check: bool,
    as_json: bool,
    allow_unknown: bool,
) -> None:
    """Turn messages into another format. Nothing is lost; what a format cannot hold in full is refused with the reason.

    \b
    Examples:
      sabir translate --to eap s4x9
      sabir translate --to eap --codebook examples/codebook.json 'SLIP v1 dev ops RequestDeploy build_42'
      sabir translate --to all --check --records --file examples/traffic.jsonl
    """
    targets = list(READABLE) if to == "all" else [BY_NAME[to]]
    found = pieces(text, path, lines=lines or records)
    anchors: _Anchors = {"allow_unknown": allow_unknown, "codebook": codebook}
    if check:
        _check(found, format, targets, records=records, as_json=as_json, **anchors)
        return
    each(lambda piece: _translate(piece, format, targets, records=records, as_json=as_json, **anchors), found)


class _Anchors(TypedDict):
    """Which anchors are read and written."""

    allow_unknown: bool
    codebook: Codebook | None


def _translate(
    piece: Piece,
    format: str | None,
    targets: list[Format[Any]],
    *,
    records: bool,
    as_json: bool,
    **anchors: Unpack[_Anchors],
) -> None:
    if records:
        source, text = _record(piece.text, format)
        if source in _OTHER:
            return
    else:
        source, text = format, piece.text
    found, message = detection.read(text, source, **anchors)
    name = found.name
    for target in targets:
        if len(targets) > 1 and target.name == name:
            continue
        try:
            done = api.translate(message, target.name, name, **anchors)
        except SabirError as error:
            if len(targets) == 1:
                raise
            click.echo(f"{target.name}: {error}", err=True)
            continue
        if as_json:
            click.echo(dumps({"text": done.text, "source": done.source, "target": done.target, "lossless": done.lossless, "native": done.native}))
        else:
            click.echo(f"{target.name}\t{done.text}" if len(targets) > 1 else done.text)


_OTHER = {"json", "prose"}
"""Formats that a record may name and that are no message format: kept in a log for comparison, counted apart."""


def _record(line: str, format: str | None) -> tuple[str | None, str]:
    """Format, if it is stated, and text of a record.

    Raises:
        DecodeError: the line is no JSON object with a text.
    """
    data = loads(line)
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise DecodeError('a record is a JSON object with a string "text"', line)
    source = format or data.get("format")
    if source is not None and source not in BY_NAME and source not in _OTHER:
        raise DecodeError(f'unknown "format" {source!r} in a record', line)
    return source, data["text"]


@dataclass
class _Row:
    """What was seen of one source format."""

    messages: int = 0
    characters: int = 0
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, text: str, found: Iterable[Crossing]) -> list[Crossing]:
        """Count a message; returns the crossings that changed it."""
        self.messages += 1
        self.characters += len(text)
        changed = []
        for crossing in found:
            self.outcomes.setdefault(crossing.target, Counter())[crossing.outcome] += 1
            if crossing.outcome == "changed":
                changed.append(crossing)
        return changed


def _check(
    found: Iterator[Piece],
    format: str | None,
    targets: list[Format[Any]],
    *,
    records: bool,
    as_json: bool,
    **anchors: Unpack[_Anchors],
) -> None:
    rows: dict[str, _Row] = {}
    faults = 0

    def work(piece: Piece) -> None:
        nonlocal faults
        source, text = _record(piece.text, format) if records else (format, piece.text)
        if source in _OTHER:
            rows.setdefault(source, _Row()).add(text, ())
            return
        name = source or detection.read(text, **anchors)[0].name
        changed = rows.setdefault(name, _Row()).add(text, crossings(text, BY_NAME[name], targets, **anchors))
        faults += bool(changed)
        for crossing in changed:
            click.echo(f"changed on the way to {crossing.target}: {text}\n  {crossing.reason}", err=True)

    try:
        each(work, found)
    finally:
        order = [*(format.name for format in READABLE), *sorted(_OTHER)]
        ordered = {name: rows[name] for name in order if name in rows}
        names = [target.name for target in targets]
        click.echo(_as_json(ordered) if as_json else _as_table(ordered, names), nl=False)
    if faults:
        raise click.exceptions.Exit(1)


def _lossless(row: _Row) -> bool:
    return not any(counts["changed"] for counts in row.outcomes.values())


def _as_json(rows: dict[str, _Row]) -> str:
    return "".join(
        dumps(
            {
                "format": name,
                "messages": row.messages,
                "characters": row.characters,
                "lossless": _lossless(row) if row.outcomes else None,
                "to": {target: dict(counts) for target, counts in row.outcomes.items()},
            }
        )
        + "\n"
        for name, row in rows.items()
    )


def _as_table(rows: dict[str, _Row], targets: list[str]) -> str:
    """The table for a person: how many messages of each format reached each target natively, carried (c) or not (r)."""
    from sabir.cli.tables import render  # noqa: PLC0415  # rich is loaded for tables alone

    head = ["format", "messages", "characters", "lossless", *(f"to {name}" for name in targets)]
    body = [
        [
            name,
            str(row.messages),
            str(row.characters),
            ("yes" if _lossless(row) else "NO") if row.outcomes else "no message",
            *(_cell(row.outcomes.get(target)) for target in targets),
        ]
        for name, row in rows.items()
    ]
    legend = "12 said in the target's own terms, 3c carried whole, 2r refused with a reason, 1! changed (a fault)\n"
    return render(head, body, right=range(1, 3)) + legend


def _cell(counts: Counter[str] | None) -> str:
    if not counts:
        return ""
    marks = {"native": "", "carried": "c", "refused": "r", "changed": "!"}
    return " ".join(f"{counts[outcome]}{mark}" for outcome, mark in marks.items() if counts[outcome])
