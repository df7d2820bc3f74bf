"""What redaction misses, and what it takes that is no secret.

    python bench/redaction.py [--tries 2000] [--seed 1] [FILE.jsonl ...]

Secrets are made up by `tests/made_secrets.py`. A secret counts as missed if eight characters of it in a row are still
there, a labelled one if four are. Ordinary texts are the package's exemplars, the names and paths in Python's standard
library, this checkout's paths, made-up names of many forms, and what the files given hold as ``text`` and ``wire``.
Exit code 1 says that a known form or a labelled secret was missed, or that a word of the exemplars was lost.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from random import Random
from typing import Final

from sabir.learn import redact
from timing import table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from made_secrets import ALPHABETS, FORMED, PLACES, drawn, labelled, left, ordinary, split

SIZES: Final = (12, 14, 16, 18, 19, 20, 22, 24, 28, 32, 40, 64)
HOSTILE: Final = (
    "a",
    "A",
    "7",
    "/",
    "-",
    "\n",
    " ",
    "=",
    "@",
    ":",
    "aB3-",
    "a\n",
    "語",
    "sk-",
    "password=",
    "%2B",
    "a1",
    '"',
    "eyJ.",
    "AC",
)
"""What a megabyte of is timed."""


def missed(lot: Random, alphabet: str, size: int, tries: int) -> float:
    """Per cent of keys without a label that stay."""
    count = 0
    for _ in range(tries):
        key = drawn(lot, alphabet, size)
        count += left(key, redact(lot.choice(PLACES).format(key)).text)
    return 100 * count / tries


def known(lot: Random, tries: int) -> tuple[Counter[str], Counter[str]]:
    """How often each known form stays whole in some place, and split at a line end."""
    whole: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for name, made in FORMED.items():
        for _ in range(tries):
            secret = made(lot)
            whole[name] += left(secret, redact(lot.choice(PLACES).format(secret)).text)
            broken[name] += left(
                secret.replace("\n", ""), redact(f"use {split(lot, secret)} now").text.replace("\n", "")
            )
    return whole, broken


def library() -> set[str]:
    """Names and paths in the standard library."""
    found: set[str] = set()
    for file in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if not {"test", "tests", "site-packages"}.intersection(file.parts):
            found.add(str(file))
            found.update(re.findall(r"[A-Za-z_][\w./-]*", file.read_text("utf-8", errors="replace"), re.ASCII))
    return found


def texts(files: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Ordinary texts, by where they come from."""
    root = Path(str(resources.files("sabir.data").joinpath("exemplars")))
    lines = [line for file in sorted(root.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    yield "exemplars", [json.loads(line)["text"] for line in lines]
    for file in files:
        rows = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
        yield Path(file).name, [row[field] for row in rows for field in ("text", "wire") if field in row]
    yield "made-up ordinary names", ordinary()
    here = Path(__file__).parent.parent
    yield (
        "paths of this checkout",
        [
            str(file.relative_to(here))
            for part in ("src", "tests", "docs", "bench")
            for file in (here / part).rglob("*")
        ],
    )
    yield "names of the standard library", sorted(library())


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="JSON lines of ordinary texts")
    parser.add_argument("--tries", type=int, default=2000, help="keys of each alphabet and length")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lot, bad = Random(options.seed), False  # noqa: S311  # the same secrets every time

    print("Keys without a label that are missed, in per cent, by length\n")
    rows = [
        [name, *(f"{missed(lot, members, size, options.tries):.2f}" for size in SIZES)]
        for name, members in ALPHABETS.items()
    ]
    print(table([":drawn from", *map(str, SIZES)], rows))

    tries = max(20, options.tries // 20)
    whole, broken = known(lot, tries)
    bad |= whole.total() > 0
    print(
        f"\nKnown forms: {whole.total()} of {tries * len(FORMED):,} missed {dict(+whole)}; split at a line end {broken.total():,}: {dict(broken.most_common(9))}"
    )
    places: Counter[str] = Counter()
    for _ in range(tries):
        for place, text, secret in labelled(lot):
            places[place] += left(secret, redact(text).text, 4)
    bad |= places.total() > 0
    print(f"Labelled: {places.total()} of {tries * len(places):,} missed {dict(+places)}\n")

    lines = []
    for name, found in texts(options.files):
        lost = [text for text in found if redact(text).found]
        bad |= name == "exemplars" and bool(lost)
        lines.append(
            [name, f"{len(found):,}", str(len(lost)), " ".join(lost[:2])[:90].replace("|", "\\|").replace("\n", " ")]
        )
    print(table([":ordinary texts", "number", "changed", ":such as"], lines))

    print("\nMilliseconds for a megabyte of one thing, and how many times that of a tenth\n")
    times = [[f"`{unit!r}`", *_growth(unit)] for unit in HOSTILE]
    print(table([":unit", "ms", "times"], times))
    return int(bad)


def _growth(unit: str) -> tuple[str, str]:
    taken = []
    for size in (100_000, 1_000_000):
        text = unit * (size // len(unit))
        start = time.process_time()
        redact(text)
        taken.append(time.process_time() - start)
    return f"{taken[1] * 1000:.0f}", f"{taken[1] / max(taken[0], 1e-4):.1f}"


if __name__ == "__main__":
    sys.exit(main())
