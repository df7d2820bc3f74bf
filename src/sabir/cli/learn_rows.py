"""What `sabir learn` is given: messages with their sources, and fields of the policy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import click

from sabir import learn as layer
from sabir.errors import EncodeError, SabirError
from sabir.jsontext import loads
from sabir.quantize import Mode, Quantizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabir.learn import LearnedQuantizer, Low
    from sabir.store.engine import Store

Row = tuple[int | None, dict[str, Any]]
"""Number of a line, and a message of it."""
AT_ONCE: Final = 500
"""Messages that one transaction logs."""


def row_of(text: str, line: int | None, source: str | None, confidence: float | None, *, jsonl: bool) -> dict[str, Any]:
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


def batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Messages in as many at a time as one transaction logs."""
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def judged(store: Store, mode: Mode, embedder: str | None, batch: list[Row]) -> list[Low]:
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


def number_of(name: str) -> int:
    """Number of a proposal.

    Raises:
        EncodeError: it is longer than any.
    """
    if len(name) > 9:
        raise EncodeError(f"there is no proposal {name[:40]}", "proposal")
    return int(name)


def change(item: str) -> tuple[str, Any]:
    """A field of the policy and its value, which is JSON."""
    field, sign, value = item.partition("=")
    if not sign or not re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?|true|false|null", value):
        raise click.UsageError(f"--set takes FIELD=VALUE with a number, true, false or null, not {item!r}")
    return field, loads(value)
