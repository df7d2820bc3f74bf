"""How well the grammars hold in the engines that use them.

    python bench/grammars.py [--texts 2000] [--only slip]

For each format, notation and engine: how many canonical vectors are accepted, of all that the grammar is to accept, and how many
near misses are refused. Then for each format: of so many texts drawn from the grammar's tree, how many decode and how many
are as they would be written; of so many that llguidance writes by each notation, choosing among the allowed bytes by
chance, how many decode. Needs the extra ``test``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import sabir
from sabir.grammar import tree_of
from timing import conditions, table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from grammar import engines  # of the tests, found by the path above
from grammar.cases import (
    CASES,
    NAMED,
    NOT_FLAT,
    accepting,
    canonical,
    format_of,
    is_flat,
    keys_for,
    misses,
    ways,
    written,
)
from grammar.sampling import sample


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=2000, help="texts drawn and written for each grammar")
    parser.add_argument("--only", choices=CASES, help="one format")
    options = parser.parse_args()
    cases = [options.only] if options.only else list(CASES)
    print(conditions())
    print(
        table(
            [":format", ":notation", ":engine", "vectors", "near misses"], [row for case in cases for row in held(case)]
        )
    )
    head = [":format", "drawn", "decode", "canonical", "gbnf writes", "lark writes", "schema writes"]
    print(table(head, [made(case, options.texts) for case in cases]))


def held(case: str) -> Iterable[list[str]]:
    """What each engine accepts and refuses."""
    for notation, engine in ways(case):
        texts = [text for id, text in canonical(case) if not (is_flat(case, notation) and (case, id) in NOT_FLAT)]
        wrong = [miss["text"] for miss in misses(case)]
        right = sum(accepting(case, notation, engine, keys_for(case, notation, text))(text) for text in texts)
        refused = sum(not accepting(case, notation, engine, keys_for(case, notation, text))(text) for text in wrong)
        yield [case, notation, engine, f"{right} of {len(texts)}", f"{refused} of {len(wrong)}"]


def made(case: str, number: int) -> list[str]:
    """What texts of a grammar come to."""
    dice = Random(20240203)  # noqa: S311  # a seed, no secret
    tree = tree_of(format_of(case), **NAMED.get(case, {}))
    row = [case, str(number), *counted(case, [sample(tree, dice) for _ in range(number)])]
    for notation in ("gbnf", "lark", "json-schema"):
        if notation == "json-schema" and (is_flat(case, notation) or (notation, "llguidance") not in ways(case)):
            row.append("")
            continue
        start = engines.MATCHERS[notation](written(case, notation))
        row.append(counted(case, [engines.walk(start, dice) for _ in range(number)])[0])
    return row


def counted(case: str, texts: list[str]) -> tuple[str, str]:
    """How many texts decode, and how many are canonical."""
    read = same = 0
    for text in texts:
        try:
            message = sabir.decode(text, format_of(case))
        except sabir.DecodeError:
            continue
        read += 1
        same += sabir.encode(message, format_of(case)) == text
    return str(read), str(same)


if __name__ == "__main__":
    main()
