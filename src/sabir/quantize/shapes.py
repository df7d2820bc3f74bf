"""What fitted mode sees of a sentence's build: its clauses, and what is left when the content words are taken out.

    shape    = "@1" word of the first clause / "@2" word of a later one / "@2^" head of a later clause
             / "@#" number of clauses / "@$" last token / "@&" endings / "@_" frame
    clause   = what stands between marks and dashes; head: its first word, or first two
    endings  = two or three tokens on end, of each content word only its ending ("_ing", "_ed", "_")
    frame    = two or three tokens on end, each run of content words one "_"

A content word is one that is not among the English function words of quantize-words.json. A text with Japanese has no
shapes: what Latin words stand in it are names.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, Final

from sabir.quantize.features import apart, is_japanese, plain
from sabir.quantize.wordlists import wordlists

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_CLAUSES: Final = 4
_TOKEN: Final = re.compile(
    r"[a-z]+|[0-9]+(?:[.,:/-][0-9]+)*|[?!:;%,]|\.(?=[ \n]|\Z)|(?<= )[-–—]+(?= )|[–—]|'s(?![a-z])"
)
_MARKS: Final = frozenset("?!:;,.-–—")
_ENDING: Final = re.compile(r"(?:ing|ed|tion|ly|s)\Z")


def shapes(text: str) -> set[str]:
    """Shapes of a text."""
    text = plain(text)
    if is_japanese(text):
        return set()
    tokens = ["0" if token[0] in "0123456789" else token for token in _TOKEN.findall(apart(text))]
    if not tokens:
        return set()
    return {"@$" + tokens[-1], *_clauses(tokens), *_spans("@&", _endings(tokens)), *_spans("@_", _frame(tokens))}


def _clauses(tokens: list[str]) -> set[str]:
    clauses: list[list[str]] = [[]]
    for token in tokens:
        if token[0] in _MARKS:
            clauses.append([])
        else:
            clauses[-1].append(token)
    first, *later = [clause for clause in clauses if clause] or [[]]
    found = {f"@#{min(_MOST_CLAUSES, 1 + len(later))}"}
    found.update(["@1" + word for word in first])
    for clause in later:
        found.update(["@2" + word for word in clause])
        found.update(("@2^" + clause[0], "@2^" + " ".join(clause[:2])))
    return found


def _endings(tokens: list[str]) -> list[str]:
    return [token if _bare(token) else _ending(token) for token in tokens]


@functools.lru_cache(4096)
def _ending(word: str) -> str:
    ending = _ENDING.search(word)
    return "_" + (ending[0] if ending else "")


def _frame(tokens: list[str]) -> list[str]:
    frame = [token if _bare(token) else "_" for token in tokens]
    return [word for at, word in enumerate(frame) if word != "_" or not at or frame[at - 1] != "_"]


def _bare(token: str) -> bool:
    """Whether a token is kept as it is: no content word."""
    return token in _function_words() or not token.isalpha()


def _spans(mark: str, row: list[str]) -> Iterable[str]:
    row = ["<", *row, ">"]
    first = [mark + token for token in row]
    pairs, triples = zip(first, row[1:]), zip(first, row[1:], row[2:])  # noqa: B905  # the quickest way
    return itertools.chain(map(" ".join, pairs), map(" ".join, triples))


@functools.cache
def _function_words() -> frozenset[str]:
    return frozenset(["not", *[word for word in wordlists()["function_words"]["en"] if word.isalpha()]])
