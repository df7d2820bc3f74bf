"""The page of claims: written from results, read back, and checked for drift.

A check measures again what it can. Numbers that cannot be measured where it runs are taken from the page as they are,
and it says which; everything else on the page, the verdicts included, must be what would be written now.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sabir import meter
from sabir.claims.claim import MODELS, Cells, Claim
from sabir.claims.corpus import PUBLISHED, shipped
from sabir.claims.measuring import Result
from sabir.errors import printable

_NONE: Final = "–"
"""What stands in a cell that was not measured."""

_INTRODUCTION: Final = (
    "What the protocols' documents and the field claim, each with what its words mean, our measurement and the "
    "verdict. "
    "Written by `sabir claims --write docs/claims.md`; `sabir claims --check` finds what has drifted. Verdicts are "
    "worked out "
    "from the figures as shown. A figure that was not measured is not shown."
)

_section = re.compile(r"^### `([^`]+)`$", re.MULTILINE)
_cell = re.compile(r"(?<!\\)\|")
_is_number = re.compile(r"-?[0-9]+(?:\.[0-9]+)?").fullmatch


@dataclass(frozen=True, slots=True)
class Check:
    """How a page compares with what is measured now.

    Attributes:
        differences: lines that differ, as in a unified diff; empty where nothing has drifted.
        skipped: what could not be measured, each with the number of its figures on the page.
    """

    differences: tuple[str, ...]
    skipped: tuple[str, ...]


def markdown(results: Sequence[Result]) -> str:
    """The page, as Markdown."""
    lines = [
        "# Claims, measured",
        "",
        _INTRODUCTION,
        "",
        *_counted_with(results),
        *_counted_on(),
        "## Verdicts",
        "",
        "| claim | whose | quoted | verdict |",
        "|---|---|---|---|",
    ]
    for result in results:
        claim = result.claim
        lines.append(
            _row([f"[{claim.id}](#{claim.id})", f"{claim.document}, {claim.section}", claim.quoted, result.verdict])
        )
    lines += ["", "## Figures", ""]
    for result in results:
        lines += _figures(result)
    return "\n".join(lines).rstrip() + "\n"


def check(text: str, results: Sequence[Result]) -> Check:
    """Compare a page with what is measured now."""
    shown = _read(text)
    skipped: Counter[str] = Counter()
    merged = []
    for result in results:
        theirs = _theirs(result, shown.get(result.claim.id, {}))
        skipped.update(result.absent[column] for _, column in theirs)
        merged.append(replace(result, cells={**result.cells, **theirs}))
    # Cells in the order in which they would have been measured, which the verdicts' texts follow.
    now = markdown([replace(result, cells=_ordered(result.claim, result.cells)) for result in merged])
    differences = difflib.unified_diff(
        text.splitlines(), now.splitlines(), "the page", "measured now", lineterm="", n=0
    )
    return Check(tuple(differences), tuple(f"{number} figures: {how}" for how, number in sorted(skipped.items())))


def _theirs(result: Result, shown: Cells) -> Cells:
    """Columns of a page that cannot be measured here, as far as they are whole."""
    figures = [figure.name for figure in result.claim.figures]
    whole = [column for column in result.absent if all((name, column) in shown for name in figures)]
    return {(name, column): shown[name, column] for column in whole for name in figures}


def _ordered(claim: Claim, cells: Cells) -> Cells:
    keys = ((figure.name, column) for column in claim.columns for figure in claim.figures)
    return {key: cells[key] for key in keys if key in cells}


def _read(text: str) -> dict[str, Cells]:
    """Numbers on a page, by claim."""
    _, *pieces = _section.split(text)
    return {id: _table(body) for id, body in zip(pieces[::2], pieces[1::2], strict=True)}


def _table(body: str) -> Cells:
    rows = [
        [cell.strip().replace("\\|", "|") for cell in _cell.split(line)[1:-1]]
        for line in body.split("\n")
        if line.startswith("|")
    ]
    head = rows[0][2:] if rows else []
    return {
        (row[0], column): float(cell)
        for row in rows[2:]
        for column, cell in zip(head, row[2:], strict=False)
        if _is_number(cell)
    }


def _counted_with(results: Sequence[Result]) -> list[str]:
    used = {column for result in results for _, column in result.cells}
    lines = ["## Counted with", "", "| tokenizer | vocabulary | sha256 | |", "|---|---|---|---|"]
    items = [item for item in meter.TOKENIZERS if item.name in MODELS]
    lines += [_row([item.name, item.vocabulary, f"`{item.sha256}`", item.note]) for item in items if item.name in used]
    left = [item.name for item in items if item.name not in used]
    return [
        *lines,
        "",
        *([f"Not here when this was written, so not counted with: {', '.join(left)}.", ""] if left else []),
    ]


def _counted_on() -> list[str]:
    own = shipped()
    size = f"{len(own.data['messages'])} messages and {len(own.data['tasks'])} tasks"
    return [
        "## Counted on",
        "",
        "| corpus | what it is | sha256 |",
        "|---|---|---|",
        _row([f"`{own.name}`", f"{size} of our own, shipped with the package", f"`{own.sha256}`"]),
        *(_row([f"`{item.name}`", f"{item.about}; not shipped", f"`{item.sha256}`"]) for item in PUBLISHED.values()),
        "",
        "The hash of a claim's own texts is over the texts that were counted, joined by line feeds.",
        "",
    ]


def _figures(result: Result) -> list[str]:
    claim = result.claim
    lines = [
        f"### `{claim.id}`",
        "",
        f"{claim.document}, {claim.section}: {claim.quoted}.",
        "",
        f"- Claim: {claim.words}",
        f"- Meaning: {claim.meaning}",
    ]
    if result.sha256:
        lines.append(f"- Corpus: {result.corpus}, sha256 `{result.sha256}`")
    lines += [f"- Verdict: **{result.verdict}**", ""]
    if claim.figures:
        lines += [_row(["", "quoted", *claim.columns]), _row(["---", "---:", *("---:" for _ in claim.columns)])]
        lines += [_row(row) for row in rows(result)]
        lines.append("")
    return lines


def rows(result: Result) -> Iterable[list[str]]:
    """Rows of a claim's table: the figure, what is quoted, and the numbers by column."""
    for figure in result.claim.figures:
        found = [result.cells.get((figure.name, column)) for column in result.claim.columns]
        yield [figure.name, figure.quoted, *(_NONE if value is None else figure.shown(value) for value in found)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(cell: str) -> str:
    return printable(cell).replace("|", "\\|")
