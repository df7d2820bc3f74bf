"""Which words are one token everywhere: a table of words by tokenizers, and nearby words that are better.

Names of agents, anchors and verbs are said again and again; each that is one token in every tokenizer saves tokens
wherever it is said.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sabir import meter
from sabir.errors import MissingDependency, SabirError
from sabir.meter.counters import Counter

MAX_WORD: Final = 64
"""Longest word, in characters, for which others near it are looked for."""

_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_is_plain: Final = re.compile(r"[A-Za-z][a-z]{2,31}").fullmatch
_BEFORE: Final = "a"
"""What stands before a word that is counted after a space: one token in every vocabulary."""


@dataclass(frozen=True, slots=True)
class Row:
    """A word in every tokenizer of a census.

    Attributes:
        word: the word as given.
        tokens: its number of tokens, by the tokenizer's name.
        round_trips: whether its tokens decode to it; None where a tokenizer does not show its tokens.
    """

    word: str
    tokens: dict[str, int]
    round_trips: dict[str, bool | None]

    @property
    def single(self) -> bool:
        """Whether the word is one token in every tokenizer."""
        return all(number == 1 for number in self.tokens.values())


def census(words: Iterable[str], tokenizers: Iterable[str] | None = None, *, spaced: bool = False) -> list[Row]:
    """Tokens of each word in each tokenizer.

    Args:
        words: the words, each counted once.
        tokenizers: names of tokenizers; all that are available when not given.
        spaced: count each word as after a space, in the middle of a line.

    Raises:
        MissingDependency: a tokenizer that was named is not here, or none is.
        EncodeError: there is no such tokenizer, or a word holds a lone surrogate.
    """
    counters = _counters(tokenizers)
    return [
        Row(
            word,
            {name: _tokens(word, item, spaced=spaced) for name, item in counters.items()},
            {name: _round_trip(word, item) for name, item in counters.items()},
        )
        for word in dict.fromkeys(words)
    ]


def suggest(word: str, tokenizers: Iterable[str] | None = None, *, limit: int = 3, spaced: bool = False) -> list[str]:
    """Words near a word that are one token in every tokenizer, nearest first.

    First its own parts, then words with its beginning or with few other letters. They come from the vocabularies themselves, in small letters, or with a capital where ``word`` begins with one.

    Raises:
        MissingDependency, EncodeError: as `census`.
    """
    counters = _counters(tokenizers)
    found: list[str] = []
    for candidate in _near(unicodedata.normalize("NFKC", word[:MAX_WORD]), _vocabulary(tuple(counters.values()))):
        if len(found) >= limit:
            break
        if candidate != word and all(_tokens(candidate, item, spaced=spaced) == 1 for item in counters.values()):
            found.append(candidate)
    return found


def _counters(names: Iterable[str] | None) -> Mapping[str, Counter]:
    counters = {name: meter.counter(name) for name in (names or [item.name for item in meter.available()])}
    if not counters:
        raise MissingDependency("no tokenizer is here to count with: pip install 'sabir[meter]'")
    return counters


def _tokens(word: str, counter: Counter, *, spaced: bool) -> int:
    return counter.count(f"{_BEFORE} {word}") - counter.count(_BEFORE) if spaced else counter.count(word)


def _round_trip(word: str, counter: Counter) -> bool | None:
    try:
        return counter.decode(counter.encode(word)) == word
    except SabirError:  # a counter that only counts
        return None


@functools.lru_cache(maxsize=4)
def _vocabulary(counters: tuple[Counter, ...]) -> frozenset[str]:
    """Plain words among the tokens of the first counter that shows them; whether others have them is looked up later."""
    for counter in counters:
        words = {piece.removeprefix(" ") for piece in counter.words() if isinstance(piece, str)}
        if words:
            return frozenset(filter(_is_plain, words))
    return frozenset()


def _near(word: str, vocabulary: frozenset[str]) -> list[str]:
    """Words of a vocabulary that are near a word, nearest first."""
    capital = word[:1].isupper()
    parts = [part.capitalize() if capital else part.lower() for part in _PART.findall(word)]
    whole = "".join(parts).capitalize() if capital else "".join(parts)
    ranked: dict[str, int] = {}
    for candidate in vocabulary:
        if candidate[0].isupper() is not capital:
            continue
        if candidate in parts:
            ranked[candidate] = -MAX_WORD - len(candidate)
        elif (score := _distance(whole, candidate)) is not None:
            ranked[candidate] = score
    return sorted(ranked, key=lambda candidate: (ranked[candidate], candidate))


def _distance(word: str, other: str) -> int | None:
    """How far two words are apart, less for a common beginning; None for words that are not near at all."""
    if word[:1] != other[:1]:
        return None
    common = _beginning(word, other)
    stem = common >= 4 or (common == 3 and len(word) <= 6)
    if not stem and abs(len(word) - len(other)) > 2:
        return None
    edits = _edits(word, other)
    return edits - common if stem or edits <= 2 else None


def _beginning(word: str, other: str) -> int:
    """Number of letters with which both words begin."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(word), len(other)))


def _edits(word: str, other: str) -> int:
    """Letters to insert, remove or change to get from one word to another."""
    row: list[int] = [*range(len(other) + 1)]
    for place, letter in enumerate(word, 1):
        before, row[0] = row[0], place
        for column, against in enumerate(other, 1):
            cost = min(row[column] + 1, row[column - 1] + 1, before + (letter != against))
            before, row[column] = row[column], cost
    return row[-1]
