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
_WORD: Final = re.compile(
    r"[a-z]+?(?=n't(?![a-z]))|n't(?![a-z])|'(?:re|ll|ve|m|d|s)(?![a-z])|[a-z]+|[0-9]+(?:[.,:/-][0-9]+)*|[?!:;%]"
)
_APART: Final = {
    "n't": "not", "'re": "are", "'ll": "will", "'ve": "have", "'m": "am", "'d": "would", "ca": "can", "wo": "will",
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
    return [_APART.get(word) or ("0" if word[0] in "0123456789" else word) for word in _WORD.findall(text)]


def phrases(text: str) -> tuple[set[str], list[frozenset[str]]]:
    """Features of a text without its pieces, and for each cue that was found the anchors that it speaks for."""
    text = plain(text)
    found: set[str] = set()
    heard: list[frozenset[str]] = []
    _latin(words(text), found, heard)
    if not text.isascii():
        for run in _RUN.findall(text):
            _japanese(run, found, heard)
    return found, heard


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


def _latin(found_words: list[str], found: set[str], heard: list[frozenset[str]]) -> None:
    cues = table()
    count = len(found_words)
    if not count:
        return
    found.update(found_words)
    pairs = [f"{a} {b}" for a, b in itertools.pairwise(found_words)]
    found.update(pairs)
    for length in (1, 2, 3):
        head = "^" + " ".join(found_words[:length])
        found.add(head)
        if anchors := cues.english.get(head):
            heard.append(anchors)
    found.add("$" + found_words[-1])
    for at, word in enumerate(found_words):
        if anchors := cues.english.get(word):
            heard.append(anchors)
        if word in cues.triggers:
            _second(word, found_words[at + 1 : at + 1 + REACH], found, heard)
    for at, pair in enumerate(pairs):
        if anchors := cues.english.get(pair):
            heard.append(anchors)
        if pair in cues.triggers:
            _second(pair, found_words[at + 2 : at + 2 + REACH], found, heard)
        if pair in cues.longer:
            for end in range(at + 3, min(at + _LONGEST_CUE, count) + 1):
                phrase = " ".join(found_words[at:end])
                if anchors := cues.english.get(phrase):
                    found.add(phrase)
                    heard.append(anchors)
                if phrase in cues.triggers:
                    _second(phrase, found_words[end : end + REACH], found, heard)


def _second(first: str, after: list[str], found: set[str], heard: list[frozenset[str]]) -> None:
    """Cues whose first part was found, and whose second part may be among the words after it."""
    seconds = table().triggers[first]
    for candidate in itertools.chain(after, [f"{a} {b}" for a, b in itertools.pairwise(after)]):
        if anchors := seconds.get(candidate):
            found.add(f"{first}~{candidate}")
            heard.append(anchors)


def _japanese(run: str, found: set[str], heard: list[frozenset[str]]) -> None:
    cues = table()
    bounded = f"^{run}$"
    found.update([bounded[at : at + n] for n in range(1, _LONGEST_GRAM + 1) for at in range(len(bounded) - n + 1)])
    for at in range(len(run)):
        if run[at : at + 2] in cues.starts:
            for end in range(at + 1, min(at + _LONGEST_JAPANESE_CUE, len(run)) + 1):
                if anchors := cues.japanese.get(run[at:end]):
                    found.add(run[at:end])
                    heard.append(anchors)
        elif anchors := cues.japanese.get(run[at]):
            heard.append(anchors)


# --- cues ------------------------------------------------------------------------------------------------


class Cues:
    """The table of cues, ready to be looked up.

    Attributes:
        english: anchors of a phrase; "^" before one that opens the text.
        longer: the first two words of every phrase of three or four.
        triggers: first part of a cue in two parts, second part, anchors.
        japanese: anchors of a Japanese cue.
        starts: the first two characters of every Japanese cue of two or more.
    """

    def __init__(self, data: dict[str, dict[str, list[str]]]) -> None:
        english: dict[str, set[str]] = {}
        triggers: dict[str, dict[str, set[str]]] = {}
        japanese: dict[str, set[str]] = {}
        for anchor, cues in data.items():
            for cue in cues["ja"]:
                japanese.setdefault(plain(cue), set()).add(anchor)
            for cue in cues["en"]:
                mark = "^" if cue.startswith("^") else ""
                first, gap, second = cue.removeprefix("^").partition(" .. ")
                for one in _spelt(first):
                    if not gap:
                        english.setdefault(mark + one, set()).add(anchor)
                    for two in _spelt(second) if gap else ():
                        triggers.setdefault(one, {}).setdefault(two, set()).add(anchor)
        self.english: Final = _frozen(english)
        self.triggers: Final = {one: _frozen(seconds) for one, seconds in triggers.items()}
        self.longer: Final = {" ".join(p.split(" ")[:2]) for p in (*english, *triggers) if p.count(" ") > 1}
        self.japanese: Final = _frozen(japanese)
        self.starts: Final = {cue[:2] for cue in japanese if len(cue) > 1}


def _spelt(phrase: str) -> list[str]:
    """A phrase in every way that its alternatives allow, as the words of a text are written."""
    ways = itertools.product(*(word.split("|") for word in phrase.split(" ")))
    return [" ".join(words(plain(" ".join(way)))) for way in ways]


def _frozen(table: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {phrase: frozenset(anchors) for phrase, anchors in table.items()}


@functools.cache
def table() -> Cues:
    """Cues of the package."""
    return Cues(json.loads(resources.files("sabir.data").joinpath("quantize-cues.json").read_text("utf-8"))["cues"])
