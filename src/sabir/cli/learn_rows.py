"""What `sabir learn` is given: messages with their sources, and fields of the policy."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Final

import click

from sabir import learn as layer
from sabir.errors import EncodeError, SabirError
from sabir.jsontext import loads
from sabir.quantize.quantizer import FALLBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sabir.cli.inputs import Piece
    from sabir.learn import LearnedQuantizer, Low
    from sabir.quantize import Quantized

Row = tuple[str, float | None, str]
"""A message, how sure the quantizer was, if that is known, and who said it."""
AT_ONCE: Final = 500
"""Messages that one transaction logs."""
PATIENCE: Final = 1.0
"""Seconds after which what came in is logged, if it is fewer."""


class Faults:
    """Lines at fault: each is reported, and the others go on."""

    def __init__(self) -> None:
        self._number = 0

    def add(self, line: int, error: SabirError) -> None:
        """Report a line."""
        self._number += 1
        click.echo(f"line {line}: error: {error}", err=True)

    def leave(self) -> None:
        """Leave with exit code 1 if a line was at fault."""
        if self._number:
            click.echo(f"{self._number} line{'s' if self._number > 1 else ''} at fault, not logged", err=True)
            raise click.exceptions.Exit(1)


def rows_of(found: Iterable[Piece], source: str | None, confidence: float | None, faults: Faults, *, jsonl: bool) -> Iterator[Row]:
    """Messages as they come, without those at fault.

    Raises:
        SabirError: the input is one message, and at fault.
    """
    for piece in found:
        try:
            row = _row(piece.text, source, confidence, jsonl=jsonl)
        except SabirError as error:
            if piece.line is None:
                raise
            faults.add(piece.line, error)
        else:
            yield row


def _row(text: str, source: str | None, confidence: float | None, *, jsonl: bool) -> Row:
    """A message with its source and, if it is known, its confidence."""
    row: Any = {"text": text}
    if jsonl:
        row = loads(text)
        if type(row) is not dict or "text" not in row:
            raise SabirError('a row is an object such as {"text": "...", "source": "planner", "confidence": 0.2}')
    who = source if row.get("source") is None else row["source"]
    sure = confidence if row.get("confidence") is None else row["confidence"]
    if who is None:
        raise SabirError('say who said it: "source" in the row, or --source NAME')
    layer.Low(row["text"], 0.0 if sure is None else sure, who).check()
    return row["text"], sure, who


def batches(rows: Iterable[Row], clock: Callable[[], float] = time.monotonic) -> Iterator[list[Row]]:
    """Messages in as many at a time as one transaction logs, and none held back for long; when stopped, what there is."""
    batch: list[Row] = []
    last = clock()
    try:
        for row in rows:
            batch.append(row)
            if len(batch) == AT_ONCE or clock() - last >= PATIENCE:
                yield batch
                batch, last = [], clock()
    except KeyboardInterrupt:
        yield batch
        raise
    if batch:
        yield batch


def judged(batch: Sequence[Row], quantizer: Callable[[], LearnedQuantizer]) -> list[Low]:
    """Messages with their confidence, which the quantizer gives where it is not known."""
    known = {place: sure for place, (_, sure, _) in enumerate(batch) if sure is not None}
    unknown = [place for place in range(len(batch)) if place not in known]
    if unknown:
        used = quantizer()
        answers = used.quantize_all([batch[place][0] for place in unknown])
        known |= {place: _sure(answer, used.threshold) for place, answer in zip(unknown, answers, strict=True)}
    return [layer.Low(text, known[place], who) for place, (text, _, who) in enumerate(batch)]


def _sure(answer: Quantized, threshold: float) -> float:
    """How sure an anchor is; Fallback itself says nothing, however sure."""
    return 0.0 if answer.anchor == FALLBACK and answer.confidence >= threshold else answer.confidence


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
