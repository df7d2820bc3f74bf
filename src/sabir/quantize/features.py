"""What the models look at: words and short phrases of a text, Japanese character n-grams, and hand-made cues.

    feature  = word / word word / "^" head / "$" last / cue / gram / piece
    word     = Latin word, contractions taken apart ("can't" is "can", "not"); "0" for any number; one of ? ! : ; %
    head     = the first one, two or three words
    cue      = a phrase of up to four words of quantize-cues.json, or a phrase, "~" and a phrase within six words
    gram     = one to three characters of a Japanese run between "^" and "$", or a Japanese cue
    piece    = "#" and three to five letters of a word between blanks, or "=" and the word without its ending

Everything here is plain Python, linear in the text, and the same for every model.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
import unicodedata
from importlib import resources
from typing import Final

VERSION: Final = 1
"""Version of these rules. A model holds the one it was trained under."""
LONGEST: Final = 4_000
"""Characters of a text that are looked at. What somebody wants stands at the front."""
REACH: Final = 6
"""Words after the first part of a cue within which its second part may end."""

_LONGEST_CUE: Final = 4
_LONGEST_GRAM: Final = 3
_LONGEST_JAPANESE_CUE: Final = 8
_LONGEST_WORD: Final = 40
_PIECES: Final = (3, 4, 5)
_WORD: Final = re.compile(r"[a-z]+|[0-9]+(?:[.,:/-][0-9]+)*|[?!:;%]|'s(?![a-z])")
_CONTRACTION: Final = re.compile(r"(?<![a-z])(?:can|won)'t(?![a-z])|(?<=[a-z])(?:n't|'(?:re|ll|ve|m|d))(?![a-z])")
_APART: Final = {
    "n't": " not", "can't": "can not", "won't": "will not", "'re": " are", "'ll": " will", "'ve": " have", "'m": " am",
    "'d": " would",
}  # fmt: skip
_has_digit: Final = re.compile("[0-9]").search
_RUN: Final = re.compile("[\u3005\u3040-\u30ff\u3400-\u9fff]+")
_ENDING: Final = re.compile(r"(?:ing|ed|es|s|ly|d)\Z")


def plain(text: str) -> str:
    """``text`` in lower case and compatibility form, cut at `LONGEST` characters."""
    text = text[:LONGEST]
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).lower().replace("’", "'")[:LONGEST]


def words(text: str) -> list[str]:
    """Words of a `plain` text."""
    if "'" in text:
        text = _CONTRACTION.sub(lambda match: _APART[match[0]], text)
    found: list[str] = _WORD.findall(text)
    if _has_digit(text):
        return ["0" if word[0] in "0123456789" else word for word in found]
    return found


def phrases(text: str) -> set[str]:
    """Features of a text without its pieces."""
    text = plain(text)
    found = _latin(words(text))
    if not text.isascii():
        for run in _RUN.findall(text):
            found.update(_japanese(run))
    return found


def pieces(text: str) -> set[str]:
    """Letter n-grams and stems of the Latin words of a text."""
    found: set[str] = set()
    for word in set(words(plain(text))):
        if word[0].isalpha():
            word = word[:_LONGEST_WORD]  # noqa: PLW2901  # cut once
            found.add("=" + (_ENDING.sub("", word) if len(word) > 4 else word))
            padded = f" {word} "
            found.update(["#" + padded[at : at + n] for n in _PIECES for at in range(len(padded) - n + 1)])
    return found


def _latin(found: list[str]) -> set[str]:
    if not found:
        return set()
    cues = table()
    pairs = list(map(" ".join, itertools.pairwise(found)))
    features = {*found, *pairs}
    firsts = [first for first in cues.firsts & features if not cues.triggers[first].isdisjoint(features)]
    opening = [pair for pair in cues.pairs & features if not cues.opens[pair].isdisjoint(found)]
    features.update(("^" + found[0], "^" + " ".join(found[:2]), "^" + " ".join(found[:3]), "$" + found[-1]))
    for first in firsts:
        width = first.count(" ") + 1
        for at in _places(first, pairs if width > 1 else found):
            features.update(_second(first, found[at + width : at + width + REACH]))
    for pair in opening:
        thirds = cues.opens[pair]
        for at in _places(pair, pairs):
            if found[at + 2 : at + 3] and found[at + 2] in thirds:
                features.update(_longer(found[at : at + _LONGEST_CUE + REACH]))
    return features


def _places(item: str, row: list[str]) -> list[int]:
    return [at for at, other in enumerate(row) if other == item] if row.count(item) > 1 else [row.index(item)]


def _longer(found: list[str]) -> list[str]:
    """Cues of three words and more at the front of ``found``, and those whose first part is one."""
    cues = table()
    features = []
    for length in range(3, min(_LONGEST_CUE, len(found)) + 1):
        phrase = " ".join(found[:length])
        if phrase in cues.anchors:
            features.append(phrase)
        if phrase in cues.triggers:
            features += _second(phrase, found[length : length + REACH])
    return features


def _second(first: str, after: list[str]) -> list[str]:
    """Cues whose first part was found, and whose second part may be among the words after it."""
    seconds = table().triggers[first].intersection((*after, *map(" ".join, itertools.pairwise(after))))
    return [f"{first}~{second}" for second in seconds]


def _japanese(run: str) -> set[str]:
    cues = table()
    bounded = f"^{run}$"
    features = {bounded[at : at + n] for n in range(1, _LONGEST_GRAM + 1) for at in range(len(bounded) - n + 1)}
    for at in range(len(run) - _LONGEST_GRAM):
        if run[at : at + _LONGEST_GRAM] in cues.starts:
            ends = range(at + _LONGEST_GRAM + 1, min(at + _LONGEST_JAPANESE_CUE, len(run)) + 1)
            features.update([run[at:end] for end in ends if run[at:end] in cues.anchors])
    return features


# --- cues ------------------------------------------------------------------------------------------------


class Cues:
    """The table of cues, ready to be looked up.

    Attributes:
        anchors: the anchors that a cue speaks for, by the feature that it is.
        triggers: first part of a cue in two parts, and the second parts.
        opens: the first two words of every phrase or first part of more, and the third words.
        firsts, pairs: the keys of the two.
        starts: the first three characters of every Japanese cue of more.
    """

    def __init__(self, data: dict[str, dict[str, list[str]]]) -> None:
        anchors: dict[str, set[str]] = {}
        triggers: dict[str, set[str]] = {}
        for anchor, cues in data.items():
            for cue in cues["ja"]:
                anchors.setdefault(plain(cue), set()).add(anchor)
            for first, second in [parts for cue in cues["en"] for parts in _parts(cue)]:
                anchors.setdefault(f"{first}~{second}" if second else first, set()).add(anchor)
                if second:
                    triggers.setdefault(first, set()).add(second)
        self.anchors: Final = {feature: tuple(sorted(names)) for feature, names in sorted(anchors.items())}
        self.triggers: Final = triggers
        self.opens: Final[dict[str, set[str]]] = {}
        for phrase in (*anchors, *triggers):
            parts = phrase.partition("~")[0].split(" ")
            if len(parts) > 2:
                self.opens.setdefault(" ".join(parts[:2]), set()).add(parts[2])
        self.firsts: Final = frozenset(triggers)
        self.pairs: Final = frozenset(self.opens)
        self.starts: Final = {cue[:_LONGEST_GRAM] for cue in anchors if not cue.isascii() and len(cue) > _LONGEST_GRAM}


def _parts(cue: str) -> list[tuple[str, str]]:
    """First and second part of a cue, in every way that its alternatives allow; a cue of one part has no second."""
    mark = "^" if cue.startswith("^") else ""
    first, gap, second = cue.removeprefix("^").partition(" .. ")
    return [(mark + one, two) for one in _spelt(first) for two in (_spelt(second) if gap else [""])]


def _spelt(phrase: str) -> list[str]:
    """A phrase in every way that its alternatives allow, as the words of a text are written."""
    ways = itertools.product(*(word.split("|") for word in phrase.split(" ")))
    return [" ".join(words(plain(" ".join(way)))) for way in ways]


@functools.cache
def table() -> Cues:
    """Cues of the package."""
    return Cues(json.loads(source())["cues"])


def source() -> str:
    """The file of the cues, as it stands."""
    return resources.files("sabir.data").joinpath("quantize-cues.json").read_text("utf-8")
