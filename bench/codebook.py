"""How the codebook's operations grow with the number of anchors.

    python bench/codebook.py [--repeats 5] [--sizes 46,300,3000,30000]

Codebooks of the core and so many anchors in all are built, with places drawn by chance; then each operation is timed in
processor time: microseconds a call. "first nearest" is that of a codebook just made, which works out all 4,096 places
at once; "scan" is the same question answered by comparing all anchors. The last column is the growth from the last
size but one to the last, as a share of the growth in anchors: 1 is linear, below is better, and over 1.5 is a fault.
Growth is not judged where a call takes under 50 microseconds. Exit code 1 says that there was a fault.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sabir.jsontext import dumps, loads
from sabir.ucr import EXTENSION, Anchor, Codebook, core, diff, merge
from timing import conditions, measure, table

if TYPE_CHECKING:
    from collections.abc import Callable

FAULT: Final = 1.5
"""Growth, as a share of the growth in anchors, from which on it is not linear."""
TOO_SHORT: Final = 50.0
"""Microseconds under which growth means nothing."""
NEAR_WORDS: Final = ("Request", "Inform", "Ask", "Deploy", "Review", "Ledger", "Invoice", "Outage", "Rollback", "Page")


def book_of(size: int) -> Codebook:
    """A codebook of so many anchors, the core included."""
    dice = Random(20240203)  # noqa: S311  # a seed, no secret
    own = []
    for at in range(size - len(core())):
        name = f"{dice.choice(NEAR_WORDS)}{dice.choice(NEAR_WORDS)}{at}"
        place = (dice.randrange(8), dice.randrange(8), dice.randrange(8), dice.randrange(8))
        own.append(Anchor(EXTENSION + at, name, f"What {name} stands for, in words", place))
    return core().with_extension(*own)


def fresh(book: Codebook) -> Codebook:
    """The same codebook with nothing worked out yet."""
    return Codebook(book.version, book.anchors)


def operations(book: Codebook) -> dict[str, Callable[[], Any]]:
    """Calls to time on one codebook."""
    last = book.anchors[-1]
    text = dumps(book.to_json())
    own = book.anchors[len(core()) :]
    half = core().with_extension(*own[: len(own) // 2])
    other = book.retire(last.mnemonic) if own else book
    place = (5, 1, 3, 6)
    return {
        "build": lambda: fresh(book),
        "first nearest": lambda: fresh(book).nearest(place),
        "nearest": lambda: book.nearest(place),
        "nearest, scan": lambda: book.nearest(place, book.anchors),
        "move": lambda: book.move(last, polarity=-3, urgency=1),
        "find": lambda: book.find(last.mnemonic),
        "by_index": lambda: book.by_index(last.index),
        "closest": lambda: book.closest("RequestDeplay"),
        "with_anchor": lambda: book.with_anchor("New", "x", place),
        "retire": lambda: book.retire(last.mnemonic) if own else None,
        "build, hash": lambda: fresh(book).hash,
        "export": lambda: dumps(book.to_json()),
        "import": lambda: Codebook.from_json(loads(text)),
        "diff": lambda: diff(book, other),
        "merge": lambda: merge(book, half),
        "merge, conflict": lambda: merge(book, other, prefer="mine"),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="samples of each figure")
    parser.add_argument("--sizes", default="46,300,3000,30000", help="anchors, with commas between; the core has 46")
    options = parser.parse_args()
    sizes = [max(len(core()), int(size)) for size in options.sizes.split(",")]
    figures: dict[str, list[float]] = {}
    for size in sizes:
        for name, call in operations(book_of(size)).items():
            figures.setdefault(name, []).append(measure(call, repeats=options.repeats).microseconds)
    print(conditions())
    rows, faults = [], 0
    for name, found in figures.items():
        share = found[-1] / found[-2] / (sizes[-1] / sizes[-2]) if len(found) > 1 else 0.0
        fault = found[-1] > TOO_SHORT and share > FAULT
        faults += fault
        rows.append([name, *[f"{figure:,.1f}" for figure in found], f"{share:.2f}{' FAULT' if fault else ''}"])
    print(table([":operation", *[f"{size:,}" for size in sizes], "growth"], rows))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
