"""What the models look at: words and short phrases of a text, Japanese character n-grams, and hand-made cues.

    feature  = word / word word / "^" head / "$" last / cue / gram / piece
    word     = Latin word, contractions taken apart ("can't" is "can", "not"); "0" for any number; one of ? ! : ; %
    head     = the first one, two or three words
    cue      = a phrase of up to four words of quantize-cues.json, or a phrase, "~" and a phrase within six words
    gram     = one to three characters of a Japanese run between "^" and "$", or a Japanese cue
    piece    = "#" and three to five letters of a word between blanks, or "=" and the word without its ending

Of what fitted mode looks at beside them, see `sabir.quantize.shapes`.

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

VERSION: Final = 2
"""Version of these rules. A model holds the one it was trained under."""
LONGEST: Final = 4_000
"""Characters of a text that are looked at. What somebody wants stands at the front."""
REACH: Final = 6
"""Words after the first part of a cue within which its second part may end."""
SHORTEST: Final = 4
"""Characters of the shortest pieces. Words that share a piece share one of no more characters."""

_LONGEST_CUE: Final = 4
_LONGEST_GRAM: Final = 3
_LONGEST_JAPANESE_CUE: Final = 8
_LONGEST_WORD: Final = 40
_PIECES: Final = (3, 4, 5)
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_NUMBER: Final = re.compile("[0-9]+(?:[.,:/-][0-9]+)*")
_MARKS: Final = tuple([(mark, f" {mark} ") for mark in "?!:;%"])
_OWNER: Final = "S"
"""What stands for "'s" on the way: a plain text has no capital."""
_KEPT: Final = bytes(
    [
        ord(letter if letter in "abcdefghijklmnopqrstuvwxyz?!:;%S" else "0" if letter in "0123456789" else " ")
        for letter in map(chr, range(256))
    ]
)
# each branch starts with a letter, which the engine can look for
_CONTRACTION: Final = re.compile(
    "(?:c(?<![a-z]c)an't|w(?<![a-z]w)on't|n(?<=[a-z]n)'t|'(?<=[a-z]')(?:re|ll|ve|m|d))(?![a-z])"
)
_POSSESSIVE: Final = re.compile("'s(?![a-z])")
_APART: Final = {
    "n't": " not", "can't": "can not", "won't": "will not", "'re": " are", "'ll": " will", "'ve": " have", "'m": " am",
    "'d": " would",
}  # fmt: skip
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
    if not text.isascii():
        text = _FOREIGN.sub(" ", text)
    quoted = "'" in text
    if quoted:
        text = _POSSESSIVE.sub(_OWNER, apart(text))
    kept = _kept(text)
    if "0" in kept:
        kept = _kept(_NUMBER.sub(" 0 ", text))
    if quoted:
        kept = kept.replace(_OWNER, " 's ")
    for mark, alone in _MARKS:
        if mark in kept:
            kept = kept.replace(mark, alone)
    return kept.split()


def apart(text: str) -> str:
    """A `plain` text with its contractions taken apart."""
    return _CONTRACTION.sub(lambda match: _APART[match[0]], text) if "'" in text else text


def is_japanese(text: str) -> bool:
    """Whether a `plain` text holds Japanese."""
    return not text.isascii() and _RUN.search(text) is not None


def _kept(text: str) -> str:
    """What words are made of, with a blank for any other character."""
    return text.encode("ascii").translate(_KEPT).decode("ascii")  # a table of bytes takes half the time


def phrases(text: str) -> set[str]:
    """Features of a text without its pieces."""
    return parts(text)[1]


def pieces(text: str) -> set[str]:
    """Letter n-grams and stems of the Latin words of a text."""
    return set[str]().union(*map(word_pieces, set(words(plain(text)))))


def parts(text: str) -> tuple[list[str], set[str]]:
    """Words of a text, and its `phrases`."""
    text = plain(text)
    found = words(text)
    features = _latin(found) if found else set()
    if not text.isascii():
        for run in _RUN.findall(text):
            features.update(_japanese(run))
    return found, features


def word_pieces(word: str) -> frozenset[str]:
    """`pieces` of one word, of which a number and a mark have none."""
    if not word[0].isalpha():
        return frozenset()
    word = word[:_LONGEST_WORD]
    stem = _ENDING.sub("", word) if len(word) > 4 else word
    padded = f" {word} "
    return frozenset(["=" + stem, *["#" + padded[at : at + n] for n in _PIECES for at in range(len(padded) - n + 1)]])


def _latin(found: list[str]) -> set[str]:
    """Words, pairs, heads, the last word and the cues of the words of a text."""
    cues = table()
    pairs = list(map(" ".join, zip(found, found[1:])))  # noqa: B905, RUF007  # the quickest way
    front = "^" + found[0]
    two = "^" + pairs[0] if pairs else front
    features = {*found, *pairs, front, two, f"{two} {found[2]}" if len(found) > 2 else two, "$" + found[-1]}
    for begin in cues.begins & features:
        seconds, following = cues.after[begin]
        if seconds and not seconds.isdisjoint(features):
            width = begin.count(" ") + 1
            for at in _places(begin, pairs if width > 1 else found):
                features.update(_second(begin, found, pairs, at + width))
        if following and not following.isdisjoint(features):
            for at in _places(begin, pairs):
                features.update(_longer(begin, found, pairs, at + 2))
    return features


def _places(item: str, row: list[str]) -> list[int]:
    if row.count(item) == 1:
        return [row.index(item)]
    return [at for at, other in enumerate(row) if other == item]


def _longer(phrase: str, found: list[str], pairs: list[str], at: int) -> list[str]:
    """Cues that are two words and those from a word on, and those whose first part is that."""
    cues = table()
    features = []
    for word in found[at : at + _LONGEST_CUE - 2]:
        if word not in cues.opens.get(phrase, ()):
            break
        at += 1
        phrase = f"{phrase} {word}"
        if phrase in cues.anchors:
            features.append(phrase)
        if phrase in cues.triggers:
            features += _second(phrase, found, pairs, at)
    return features


def _second(first: str, found: list[str], pairs: list[str], at: int) -> list[str]:
    """Cues whose first part ends before a word, and whose second part is among the words from there on."""
    near = found[at : at + REACH] + pairs[at : at + REACH - 1]
    return [f"{first}~{second}" for second in table().triggers[first].intersection(near)]


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
        opens: the first words, two at least, of every phrase or first part of more, and the words that follow.
        after: both of each word or two words that may stand anywhere.
        begins: the keys of it.
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
            for width in range(2, len(parts)):
                self.opens.setdefault(" ".join(parts[:width]), set()).add(parts[width])
        everywhere = [phrase for phrase in (*triggers, *self.opens) if phrase[0] != "^" and phrase.count(" ") < 2]
        self.after: Final = {phrase: (triggers.get(phrase), self.opens.get(phrase)) for phrase in everywhere}
        self.begins: Final = frozenset(self.after)
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
