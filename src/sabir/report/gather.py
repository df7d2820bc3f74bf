"""A log into a report, by one process or by several."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from sabir.report.collect import Report

if TYPE_CHECKING:
    from sabir.logs.entries import Item
    from sabir.ucr.codebook import Codebook

BATCH: Final = 500
"""Entries that a process is given at once."""
AHEAD: Final = 3
"""Batches that wait for each process, which bounds memory."""


def gather(
    items: Iterable[Item],
    tokenizers: Iterable[str] | None = None,
    *,
    codebook: Codebook | None = None,
    jobs: int = 1,
    done: Callable[[int], object] = lambda _: None,
) -> Report:
    """Report of what a reader of logs gives.

    Args:
        items: entries, and what could not be read or is a repeat.
        tokenizers: their names; all that are here when not given.
        codebook: an installation's own, for the anchors that the core lacks.
        jobs: processes to share the work.
        done: called now and then with the number of items taken in since the last call.

    Raises:
        EncodeError, MissingDependency: as `Report`; and what ``items`` raises.
    """
    report = Report(tokenizers, codebook=codebook)
    if jobs < 2:
        for batch in _batches(items):
            _add(report, batch)
            done(len(batch))
        return report
    # Spawned processes share no locks or threads with this one.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[Future[Report], int]] = deque()
        for batch in _batches(items):
            waiting.append((pool.submit(_part, report.tokenizers, codebook, batch), len(batch)))
            if len(waiting) >= AHEAD * jobs:
                _take(report, waiting, done)
        while waiting:
            _take(report, waiting, done)
    return report


def _take(report: Report, waiting: deque[tuple[Future[Report], int]], done: Callable[[int], object]) -> None:
    future, size = waiting.popleft()
    report.merge(future.result())
    done(size)


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch


def _part(tokenizers: tuple[str, ...], codebook: Codebook | None, batch: list[Item]) -> Report:
    report = Report(tokenizers, codebook=codebook)
    _add(report, batch)
    return report


def _add(report: Report, batch: list[Item]) -> None:
    for item in batch:
        report.add(item)
