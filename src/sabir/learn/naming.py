"""Mnemonics and coordinates for a group of texts.

A mnemonic is made like those of the core: what is done, then what it is about, in words of the texts. It is ASCII letters
and digits only, so a text cannot smuggle anything into it.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from sabir import meter
from sabir.quantize.payload import payload_of
from sabir.quantize.quantizer import FALLBACK
from sabir.ucr import ACTIONS, core

if TYPE_CHECKING:
    from sabir.learn.log import Text
    from sabir.quantize.quantizer import Quantized
    from sabir.ucr.codebook import Coords

Near = tuple[tuple[str, float], ...]
"""Core anchors around a group, with weights that sum up to 1, the heaviest first."""

LONGEST: Final = 48
"""Characters of a mnemonic."""
_AROUND: Final = 3
_TOPICS: Final = 4
_COMMON: Final = 0.6
"""Share of a group's texts that a single word has to stand in to name the group alone."""
_RELATING: Final = frozenset(
    {"about", "across", "after", "against", "before", "between", "during", "into", "our", "over", "their", "through", "under", "using", "various", "versus", "via", "when", "which", "while", "with", "within"}
)
"""Words that say nothing without the words around them."""
_TOKENIZER: Final = "gpt-4o"
_PREFIX: Final = {action: action.capitalize() for action in ACTIONS} | {"evaluate": "Eval"}
_WORD: Final = re.compile(r"[A-Za-z]{3,16}")
_MARK: Final = re.compile(r"\[[A-Z]+\]")


def around(answers: Iterable[Quantized]) -> Near:
    """Core anchors that the quantizer sees behind the texts of a group, whatever it was not sure of."""
    weight: defaultdict[str, float] = defaultdict(float)
    for answer in answers:
        for mnemonic, sure in ((answer.anchor, answer.confidence), *answer.alternatives):
            if mnemonic != FALLBACK and (anchor := core().find(mnemonic)) is not None:
                weight[anchor.mnemonic] += sure
    best = sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:_AROUND]
    total = sum(sure for _, sure in best)
    return tuple((mnemonic, round(sure / total, 4)) for mnemonic, sure in best) if total else ()


def coords_of(near: Near) -> Coords:
    """Coordinates inferred from the core anchors around: most votes where levels are names, the mean where they are degrees."""
    if not near:
        return core().by_mnemonic(FALLBACK).coords
    places = [(core().by_mnemonic(mnemonic).coords, weight) for mnemonic, weight in near]
    total = sum(weight for _, weight in places)
    action, polarity, domain, urgency = zip(*(coords for coords, _ in places), strict=True)
    weights = [weight / total for _, weight in places]
    return _voted(action, weights), _mean(polarity, weights), _voted(domain, weights), _mean(urgency, weights)


class Everywhere:
    """How many of all texts hold a word that their anchor does not say, counted once for each anchor."""

    def __init__(self, texts: Sequence[Text]) -> None:
        self._texts: Final = texts
        self._counts: Final[dict[str, Counter[str]]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def of(self, anchor: str) -> Counter[str]:
        """The number of texts by word."""
        if anchor not in self._counts:
            self._counts[anchor] = Counter(word for text in self._texts for word in {*_words(text.text, anchor)})
        return self._counts[anchor]


def topics_of(texts: Sequence[Text], others: Everywhere, near: Near) -> list[tuple[str, float]]:
    """Words that a group is about and the share of its texts that hold them, those that tell it from the others first."""
    anchor = near[0][0] if near else FALLBACK
    own = [_words(text.text, anchor) for text in texts]
    everywhere = others.of(anchor)
    inside = Counter(word for words in own for word in {*words})
    first = {word: place for words in reversed(own) for place, word in enumerate(words)}
    telling = {word: number * math.log(1 + len(others) / (1 + everywhere[word])) for word, number in inside.items()}
    best = sorted(telling, key=lambda word: (-telling[word], first[word], word))[:_TOPICS]
    return [(word, inside[word] / len(texts)) for word in best]


def mnemonic_for(coords: Coords, topics: Sequence[tuple[str, float]], taken: Callable[[str], bool]) -> str:
    """A mnemonic that is not taken and costs few tokens."""
    prefix = _PREFIX[ACTIONS[coords[0]]]
    alone = [word for word, share in topics if share >= _COMMON]
    pairs = [f"{a.capitalize()}{b.capitalize()}" for a, b in itertools.combinations([word for word, _ in topics], 2)]
    rounds = ([word.capitalize() for word in alone], pairs, [word.capitalize() for word, _ in topics])
    for endings in rounds:
        free = [name for ending in endings if len(name := f"{prefix}{ending}") <= LONGEST and not taken(name)]
        if free:
            costs = {name: _cost(name) for name in free}
            return next(name for name in free if costs[name] <= min(costs.values()) + 1)  # the most telling of the cheap
    return next(name for name in _numbered(f"{prefix}{alone[0].capitalize() if alone else 'Topic'}") if not taken(name))


def canonical_for(coords: Coords, topics: Sequence[tuple[str, float]]) -> str:
    """A description in words that stand in the mnemonic's place; it holds no sentence of anybody's."""
    words = ", ".join(word for word, _ in topics) or "what the log's texts have in common"
    return f"{ACTIONS[coords[0]].capitalize()}, about: {words}"


def _voted(levels: Sequence[int], weights: Sequence[float]) -> int:
    count: defaultdict[int, float] = defaultdict(float)
    for level, weight in zip(levels, weights, strict=True):
        count[level] += weight
    return max(sorted(count), key=count.__getitem__)


def _mean(levels: Sequence[int], weights: Sequence[float]) -> int:
    """Mean, with halves rounded up."""
    return math.floor(sum(level * weight for level, weight in zip(levels, weights, strict=True)) + 0.5)


def _words(text: str, anchor: str) -> list[str]:
    """Words of a text that its anchor does not say, in lower case."""
    tokens = payload_of(_MARK.sub(" ", text), anchor)
    words = [word.lower() for token in tokens if token.isascii() for word in _WORD.findall(token)]
    return [word for word in words if word not in _RELATING]


def _numbered(name: str) -> Iterator[str]:
    return (f"{name}{number}" for number in itertools.count(1))


def _cost(mnemonic: str) -> int:
    """Tokens of a mnemonic on the wire, or its length where no tokenizer is installed."""
    if meter.missing(meter.resolve(_TOKENIZER)[0]) is None:
        return meter.count(f" {mnemonic}", _TOKENIZER)
    return len(mnemonic)
