"""Makes the tables anew by which the redaction tells names and words from keys, and writes them into the package's data.

    python bench/redaction_table.py

What is counted: the names in Python's standard library, each once, the words of the exemplars, and the words of the
locale data in the `babel` package (names of languages, places, currencies, units), each once. Only frequencies of three
letters, and of kinds of characters, are kept. Needs `babel`; takes half a minute.
"""

from __future__ import annotations

import json
import re
import sysconfig
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import resources
from itertools import product
from math import log2, sqrt
from pathlib import Path
from typing import Any, Final

from babel import localedata

from sabir.learn.likelihood import FIRST, LETTERS, SHAPES, STEP, steps

LANGUAGES: Final = ["af", "bs", "ca", "cs", "cy", "da", "de", "eo", "es", "et", "eu", "fi", "fil", "fr", "ga", "gl", "hr", "hu", "id", "is", "it", "lt", "lv", "ms", "nb", "nl", "pl", "pt", "ro", "sk", "sl", "sq", "sr_Latn", "sv", "sw", "tr", "vi"]
"""Written in Latin letters, and rich in words that English has not."""
PRIOR: Final = (4.0, 5.0)
"""How many observations of the coarser table count as much as one's own, for kinds and for letters."""
OWN: Final = (1.0, 0.5)
"""What a name of a program and a word of a language count."""
MEETINGS: Final = re.compile("(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")


def names() -> Iterator[str]:
    """The names and paths in the standard library that do not look like data."""
    root = Path(sysconfig.get_paths()["stdlib"])
    found: set[str] = set()
    for file in sorted(root.rglob("*.py")):
        if not {"test", "tests", "site-packages", "idle_test"}.intersection(file.relative_to(root).parts):
            found.update(re.findall(r"[A-Za-z_][\w./-]*", file.read_text("utf-8", errors="replace"), re.ASCII))
    for name in sorted(found):
        pieces = re.findall("[A-Za-z0-9]+", name)
        if len(name) < 60 and all(len(MEETINGS.findall(piece)) < 4 for piece in pieces):
            yield from pieces


def words() -> set[str]:
    """The words of the locale data, as they are and without accents."""
    found: set[str] = set()
    for language in LANGUAGES:
        for text in _texts(localedata.load(language)):
            plain = "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
            found.update(
                word.lower() for word in re.findall("[A-Za-z]{4,}", f"{unicodedata.normalize('NFC', text)} {plain}")
            )
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def exemplars() -> Counter[str]:
    """The pieces of the exemplars."""
    found: Counter[str] = Counter()
    for file in sorted(Path(str(resources.files("sabir.data").joinpath("exemplars"))).glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            found.update(re.findall("[A-Za-z0-9]+", json.loads(line)["text"]))
    return found


def counted() -> tuple[list[float], list[float]]:
    """How often each entry of the two tables was seen."""
    weights: Counter[str] = Counter()
    seen = Counter(names())
    weights.update({piece: sqrt(count) * OWN[0] for piece, count in seen.items()})
    weights.update({piece: sqrt(count) * OWN[0] for piece, count in exemplars().items()})
    weights.update(dict.fromkeys(words(), OWN[1]))
    shapes, letters = [0.0] * SHAPES, [0.0] * LETTERS
    for piece, weight in weights.items():
        for shape, letter in steps(piece):
            shapes[shape] += weight
            if letter >= 0:
                letters[letter] += weight
    return shapes, letters


def shape_bits(seen: list[float]) -> Iterator[float]:
    """The cost of each kind, from the last kind alone to three kinds and the number of meetings."""

    def total(a: Iterable[int], b: Iterable[int], c: int, met: Iterable[int]) -> list[float]:
        keys = [((x * 4 + y) * 4 + c) * 4 + m for x, y, m in product(a, b, met)]
        return [sum(seen[key * 4 + kind] for key in keys) for kind in range(4)]

    every = range(4)
    for a, b, c, met in product(every, repeat=4):
        chances = [0.25] * 4
        for counts in (
            total(every, every, c, every),
            total(every, every, c, [met]),
            total(every, [b], c, [met]),
            total([a], [b], c, [met]),
        ):
            whole = sum(counts) + PRIOR[0]
            chances = [(count + PRIOR[0] * chance) / whole for count, chance in zip(counts, chances, strict=True)]
        yield from (-log2(chance) for chance in chances)


def letter_bits(seen: list[float]) -> Iterator[float]:
    """The cost of each letter, from the letter alone to what two letters before it say."""
    one = [sum(seen[letter::26]) for letter in range(26)]
    two = [[sum(seen[(a * 27 + b) * 26 + letter] for a in range(27)) for letter in range(26)] for b in range(27)]
    for a, b in product(range(27), repeat=2):
        chances = [1 / 26] * 26
        three = seen[(a * 27 + b) * 26 :][:26]
        for counts in (one, two[b], three):
            whole = sum(counts) + PRIOR[1]
            chances = [(count + PRIOR[1] * chance) / whole for count, chance in zip(counts, chances, strict=True)]
        yield from (-log2(chance) for chance in chances)


def main() -> None:
    """Write the tables."""
    shapes, letters = counted()
    data = {
        name: "".join(chr(FIRST + min(78, round(bit * STEP))) for bit in bits)
        for name, bits in (("shapes", shape_bits(shapes)), ("letters", letter_bits(letters)))
    }
    target = Path(str(resources.files("sabir.data").joinpath("redaction.json")))
    target.write_text(json.dumps(data) + "\n", "utf-8")
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
