"""What an anchor does not say: the words of a text that travel as payload.

The short form leaves out function words, the words that the anchor itself stands for, and punctuation. Nothing else
is left out, so whatever looks like a fact stays: identifiers, numbers, paths, quoted strings, names, and every "not".
"""

from __future__ import annotations

import functools
import re
from typing import Any, Final, Literal

from sabir.errors import EncodeError
from sabir.quantize.wordlists import wordlists

Form = Literal["short", "facts", "full", "none"]
FORMS: Final[tuple[Form, ...]] = ("short", "facts", "full", "none")
"""``short``: all words that the anchor does not carry; ``facts``: identifiers, numbers, paths, quoted strings and names
alone; ``full``: the whole text as one token; ``none``: nothing."""

LONGEST_QUOTE: Final = 300
"""Characters that may stand between two quotation marks; a mark without its partner is no quotation."""

_KANA: Final = "\u3041-\u309f"
_KATAKANA: Final = "\u30a0-\u30ff"
_WIDE: Final = "\u30a0-\u30ff\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f"
_PIECE: Final = re.compile(
    # a quotation; ' opens one only where no word runs into it
    rf'"(?P<a>[^"\n]{{1,{LONGEST_QUOTE}}})"|“(?P<b>[^”\n]{{1,{LONGEST_QUOTE}}})”|`(?P<c>[^`\n]{{1,{LONGEST_QUOTE}}})`'
    rf"|「(?P<d>[^」\n]{{1,{LONGEST_QUOTE}}})」|『(?P<e>[^』\n]{{1,{LONGEST_QUOTE}}})』"
    rf"|(?<!\w)'(?P<f>[^'\n]{{1,{LONGEST_QUOTE}}})'(?!\w)"
    rf"|(?P<japanese>[{_WIDE}{_KANA}]+)"
    # any other word, with the counter of a number ("3件") or katakana ("DBサーバー")
    rf"|(?P<word>[^\s{_WIDE}{_KANA}、。！？「」『』“”・（）()\[\]{{}}\"`'‘’][^\s{_WIDE}{_KANA}、。！？「」『』“”・（）]*+(?:(?<=[0-9])[{_WIDE}]|[{_KATAKANA}]*))"
)
_JAPANESE: Final = re.compile(rf"(?P<head>[{_WIDE}]*)(?P<tail>[{_KANA}]*)")
"""A Japanese word: a head without hiragana, and the hiragana after it."""
_EDGES: Final = ".,;:!?)]}\"'`’*…—–"
"""Punctuation that is no part of the word before it."""
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}
_FACT: Final = re.compile(r"\A-|[0-9_/\\@#$%=+&^|~<>°€£¥\uff10-\uff19]|\w[.:]\w|[^\W_][A-Z]")
_AT_START: Final = re.compile(r"(?:\A|[.!?:;\n])[\s\"'“(—–-]*\Z")
_FIRST_PERSON: Final = frozenset({"i", "i'm", "i've", "i'd", "i'll"})
_TURNING: Final = frozenset(
    [
        "not",
        "no",
        "never",
        "without",
        "don't",
        "doesn't",
        "didn't",
        "can't",
        "cannot",
        "couldn't",
        "won't",
        "wouldn't",
        "isn't",
        "aren't",
        "wasn't",
        "shouldn't",
    ]
)
"""Words that turn a meaning round: they stay, whatever a table says."""


def payload_of(text: str, anchor: str, form: Form = "short") -> tuple[str, ...]:
    """Payload tokens for what ``anchor``, a mnemonic, does not say of ``text``.

    Raises:
        EncodeError: there is no such form.
    """
    if form not in FORMS:
        raise EncodeError(f'there is no form "{form}" (there are: {", ".join(FORMS)})', "payload")
    if form == "none":
        return ()
    if form == "full":
        return (text.strip(),) if text.strip() else ()
    return tuple([token for match in _PIECE.finditer(text) for token in _kept(text, match, anchor, form) if token])


def _kept(text: str, match: re.Match[str], anchor: str, form: Form) -> list[str]:
    """What stays of a piece of the text."""
    kind = match.lastgroup or ""
    if kind == "japanese":
        rest = _phrases(anchor).sub(" ", match[0])
        return [_japanese(word, anchor, form) for word in _JAPANESE.finditer(rest)]
    if kind != "word":
        return [match[kind].strip()]
    return [_other(text, match, anchor, form)]


def _other(text: str, match: re.Match[str], anchor: str, form: Form) -> str:
    """A word of any other script; nothing where the anchor carries it."""
    word = _bare(match[0])
    if not word or _FACT.search(word):
        return word
    lower = word.lower().replace("’", "'")
    named = word[0].isupper() and lower not in _FIRST_PERSON
    if named and not _AT_START.search(text, max(0, match.start() - 8), match.start()):
        return word
    if form == "facts":
        return word if named and lower not in _ordinary() else ""
    return "" if lower in _dropped(anchor) else word


def _japanese(word: re.Match[str], anchor: str, form: Form) -> str:
    """A Japanese word, with its ending where the ending is more than grammar; nothing where the anchor carries it."""
    head, tail = word["head"], word["tail"]
    if _FACT.search(head):
        return head
    if form == "facts" or _carried(anchor)(word[0]):
        return ""
    return head if head and _carried("")(tail) else word[0]


def _bare(piece: str) -> str:
    """A word without the punctuation around it; a bracket that closes one of its own stays."""
    word = piece.lstrip("—–*‘’")
    while word and word[-1] in _EDGES and _BRACKETS.get(word[-1], "\0") not in word:
        word = word[:-1]
    return "" if word == "-" else word


# --- tables ----------------------------------------------------------------------------------------------


@functools.cache
def _dropped(anchor: str) -> frozenset[str]:
    """English words that say no more than the anchor."""
    table = wordlists()
    return frozenset([*table["function_words"]["en"], *table["carried"].get(anchor, {"en": []})["en"]]) - _TURNING


@functools.cache
def _ordinary() -> frozenset[str]:
    """English words that are no names though they stand first, with a capital letter."""
    table = wordlists()
    carried = [word for words in table["carried"].values() for word in words["en"]]
    return frozenset([*table["function_words"]["en"], *table["openers"], *carried])


def _pieces(anchor: str) -> list[str]:
    """Japanese grammar and what the anchor says, longest first."""
    table = wordlists()
    pieces = {*table["function_words"]["ja"], *table["carried"].get(anchor, {"ja": []})["ja"]}
    return sorted(pieces, key=lambda piece: (-len(piece), piece))


@functools.cache
def _carried(anchor: str) -> Any:
    """Test whether a Japanese word is made of grammar and of what the anchor says, and of nothing else.

    The longest piece is taken and never given back, so the time is linear.
    """
    return re.compile(f"(?:{'|'.join(map(re.escape, _pieces(anchor)))})++").fullmatch


@functools.cache
def _phrases(anchor: str) -> re.Pattern[str]:
    """Phrases that run over the border between two words, such as お願いします."""
    across = re.compile(f"[{_KANA}][{_WIDE}]|[{_WIDE}][{_KANA}]").search
    return re.compile("|".join(re.escape(piece) for piece in _pieces(anchor) if across(piece)))
