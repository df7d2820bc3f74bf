"""How well messages are found in prose, and whether the time grows in step with the text.

    python bench/finder.py [--largest 1000000]

Precision and recall are of the table in `tests/extraction`, whose right answers were written by hand: a message counts
as found if its format, its canonical text, its place and the repairs are all right. Reports (templates and damaged
pieces) are counted by themselves. Growth is the time for ten times the text, in processor time, for prose that repeats
the table and for lines that repeat one awkward piece; under `LIMIT` it is linear. Exit code 1 says that something was missed,
was found wrongly, or grew faster.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final

from sabir.finding import survey
from timing import conditions, table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from extraction_of import LOOKALIKES, Case, cases, reports, rows

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
LIMIT: Final = 16.0
"""Growth for a tenfold text that still counts as linear."""
NOISE: Final = 0.01
"""Seconds under which a time is too short to tell."""
PIECES: Final = (
    "SLIP v1 a b MetaAck ",
    '"SLIP v1 a b MetaAck" ',
    "SLIP v1 a b ",
    ">SEC:XSS #c !9 ",
    "(>SEC:XSS #c ",
    "👽71|@1 ",
    "AIT: s4x9 ",
    "| s4x9 |\n",
    '{"intent":"!A","x":',
    '{"a":"SLIP v1 a b MetaAck"}, ',
    '{"a',
    "{",
    "`` ` ",
    "“a ",
    "**",
    "(a ",
    "\\_",
    "&gt;",
    "　",
    "a(b); ",
    "a(b)\n",
    "```\n",
    "{\n",
    "SLIP v1 a\n",
    "Packet:\ns4x9\n",
    'Message: send("SLIP v1 a b MetaAck")\n',
    "Lingua: 👽 a\n",
    "👽 a\n",
    "👽 a\n\n",
    "👽 a\nb\n--👽lingua/0.4@a\n",
    "👽 a\n👽71|@1\n--👽lingua/0.4@a\n",
    "> 👽 a\n",
    "👽 a\n{\n",
)


def measured(found: list[Case]) -> tuple[list[list[str]], bool]:
    """A line a file of the table, and whether all is right."""
    lines: list[list[str]] = []
    total: Counter[str] = Counter()
    for file in dict.fromkeys(case.file for case in found):
        count: Counter[str] = Counter()
        for case in (case for case in found if case.file == file):
            pieces = survey(case.text)
            wanted, given = Counter(case.found), Counter(rows(case.text, pieces))
            expected, reported = Counter(case.reported), Counter(reports(case.text, pieces))
            count.update(
                texts=1,
                messages=wanted.total(),
                right=(wanted & given).total(),
                given=given.total(),
                reports=expected.total(),
                reported=(expected & reported).total(),
                stray=(reported - expected).total(),
            )
        total += count
        lines.append(_line(file, count))
    lines.append(_line("all", total))
    return lines, total["right"] == total["messages"] == total["given"] and total["reported"] == total["reports"] and not total["stray"]


def _line(name: str, count: Counter[str]) -> list[str]:
    figures = (count["texts"], count["messages"], count["given"], count["right"])
    precision = f"{count['right'] / count['given']:.3f}" if count["given"] else "-" if name != LOOKALIKES else "none found"
    recall = f"{count['right'] / count['messages']:.3f}" if count["messages"] else "-"
    return [name, *map(str, figures), precision, recall, f"{count['reported']} / {count['reports']}", str(count["stray"])]


def growth(found: list[Case], largest: int) -> tuple[list[list[str]], bool]:
    """A line a kind of text, and whether all are linear."""
    prose = "\n\n".join(case.text for case in found if "```" not in case.text) + "\n"
    lines, linear = [], True
    for piece in (prose, *PIECES):
        name = "the table's texts" if piece is prose else repr(piece).replace("|", "\\|")
        times = [_time((piece * (size // len(piece) + 1))[:size]) for size in SIZES if size <= largest]
        worst = max((b / max(a, NOISE / 10) for a, b in pairwise(times) if b > NOISE), default=0.0)
        linear = linear and worst <= LIMIT
        lines.append([name, *[f"{seconds * 1e3:.1f}" for seconds in times], f"{worst:.1f}", "yes" if worst <= LIMIT else "NO"])
    return lines, linear


def _time(text: str) -> float:
    """Seconds of processor time that a text takes; the best of a few."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        survey(text)
        best = min(best, time.process_time() - start)
        if best > 1:
            break
    gc.collect()
    return best


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="largest text, in characters")
    options = parser.parse_args()
    found = cases()
    lines, right = measured(found)
    print(conditions())
    print(table((":file", "texts", "messages", "found", "right", "precision", "recall", "reports", "stray"), lines))
    sizes = [f"{size:,}" for size in SIZES if size <= options.largest]
    gc.disable()
    grown, linear = growth(found, options.largest)
    print()
    print(table((":text", *sizes, "growth", ":linear"), grown))
    print(f"milliseconds; linear is at most {LIMIT:.0f} times the time for ten times the text")
    return 0 if right and linear else 1


if __name__ == "__main__":
    sys.exit(main())
