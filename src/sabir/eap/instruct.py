"""Packets of rough instructions, in English or Japanese (seed, "CLI"; eap.md, "encode").

One table, ``data/eap-instructions.json``, holds all rules for both languages. Here is how they are applied:

* A rule ``sets`` fields where one of its terms stands in the text. Of the rules for a field the heaviest
  wins, then the one that stands first in the text, then the longest term.
* The rule that wins the action also wins the other fields that it sets, and sets none where it does not win;
  so a greeting is a greeting as a whole.
* A condition ("if it fails, ...") is no part of the task: action and priority are looked for outside of it.
  Only where nothing else tells an action, a domain or a target does the whole text count.
* A field that no rule sets has the ``usual`` value of its domain, then of its action, then the ``fallback``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from sabir.eap.packet import EapPacket
from sabir.errors import EncodeError

SYSTEM_PROMPT: Final = """\
You speak EAP, and nothing but EAP: every answer consists of valid EAP packets.
Leave out greetings, explanations and any other prose.
Write the ASCII form for transport; use the Unicode form only when you are asked to display packets.

Ask:    >DOMAIN:ACTION #target !priority | key=value key=value
Answer: <DOMAIN:STATUS #target | key=value
Inform: =DOMAIN:STATUS #target | key=value

DOMAIN is 2 to 8 of A-Z 0-9, ACTION and STATUS are 2 to 16 of A-Z 0-9 _.
A target is a context pointer such as #ctx4.
Priority is 1 to 9; leave it out, like the data, when there is nothing to say.
Quote a value that holds spaces, quotes or | as a JSON string: note="two words".
"""
"""System prompt for an agent that speaks EAP; the same rules as in the seed's template."""

MAX_INSTRUCTION: Final = 20_000
"""Longest instruction, in code points."""
_KANJI: Final = {char: number for number, char in enumerate("〇一二三四五六七八九")} | {"零": 0}
_UNITS: Final = {"十": 10, "百": 100}
_AFTER_KANJI: Final = "番個件回目全内中前"
"""Kanji that may follow a numeral; another makes the two a word, such as 一覧."""
_SENTENCE: Final = re.compile(r"[^.;!?。！？\n]*+[.;!?。！？\n]?+")
_CLAUSE: Final = re.compile(r"[^、,]*+[、,]?+")


@dataclass(frozen=True, slots=True)
class _Rule:
    sets: dict[str, Any]
    usual: dict[str, Any]
    weight: int
    terms: re.Pattern[str]

    def tells(self, field: str) -> bool:
        """Whether the rule may win a field; one that sets an action is a rule for actions first of all."""
        return field in self.sets and (field == "action" or "action" not in self.sets)


@dataclass(frozen=True, slots=True)
class _Table:
    rules: tuple[_Rule, ...]
    fallback: dict[str, Any]
    numbers: dict[str, int]
    condition_en: re.Pattern[str]
    condition_ja: re.Pattern[str]
    courtesy: re.Pattern[str]


def from_instruction(text: str) -> EapPacket:
    """Packet of a rough instruction; ``>GEN:DO #ctx0 !5`` where no rule fits.

    Raises:
        EncodeError: the argument is no string, or longer than `MAX_INSTRUCTION`.
    """
    if not isinstance(text, str):
        raise EncodeError(f"an instruction is text (str), not {type(text).__name__}")
    if len(text) > MAX_INSTRUCTION:
        raise EncodeError(f"an instruction has at most {MAX_INSTRUCTION} characters, not {len(text)}")
    whole = _normal(text)
    task = _unconditional(whole)
    if _winner("action", task) is None:
        task = whole
    action = _winner("action", task)
    found = dict(action.fields) if action else {}
    for field, scopes in (("domain", (task, whole)), ("target", (task, whole)), ("priority", (task,))):
        if field not in found:
            hit = next((hit for scope in scopes if (hit := _winner(field, scope))), None)
            found |= {field: hit.fields[field]} if hit else {}
    return EapPacket(**_completed(found, action))


def _completed(found: dict[str, Any], action: _Hit | None) -> dict[str, Any]:
    """All fields: those found, then what is usual for them, then the fallback."""
    table = _table()
    by_action = action.usual if action else {}
    domain = found.get("domain", by_action.get("domain"))
    own = [rule.usual for rule in table.rules if rule.sets == {"domain": domain} and rule.usual]
    by_domain = own[0] if own else {}
    return {**table.fallback, **by_action, **by_domain, **found}


# --- matching --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Hit:
    """A rule that fits, with its number filled in."""

    rank: tuple[int, int, int]
    fields: dict[str, Any]
    usual: dict[str, Any]


def _winner(field: str, text: str) -> _Hit | None:
    """The best of the rules that set a field and fit a text."""
    hits = (_hit(rule, text) for rule in _table().rules if rule.tells(field))
    return max(filter(None, hits), key=lambda hit: hit.rank, default=None)


def _hit(rule: _Rule, text: str) -> _Hit | None:
    found = rule.terms.search(text)
    if found is None:
        return None
    fields = dict(rule.sets)
    for name, value in rule.sets.items():
        if type(value) is str and "{n}" in value:
            number = _number(next(group for key, group in found.groupdict().items() if group))
            fields[name] = value.replace("{n}", str(number)) if name == "target" else number
    if not 1 <= fields.get("priority", 1) <= 9:
        return None
    return _Hit((rule.weight, -found.start(), len(found[0])), fields, rule.usual)


def _number(word: str) -> int:
    """Value of digits, of an English number word or of kanji numerals under 1000."""
    if word.isdecimal():
        return int(word)
    if word in _table().numbers:
        return _table().numbers[word]
    total, digit = 0, 0
    for char in word:
        if char in _UNITS:
            total += (digit or 1) * _UNITS[char]
            digit = 0
        else:
            digit = digit * 10 + _KANJI[char]
    return total + digit


def _normal(text: str) -> str:
    """Text in lower case, full-width forms made plain, each run of white space one blank or line end."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"\s++", lambda run: "\n" if "\n" in run[0] else " ", plain)


def _unconditional(text: str) -> str:
    """Text without its conditions: English ones to the end of the sentence, Japanese ones by the clause."""
    return "".join(
        clause[0]
        for sentence in _SENTENCE.finditer(text)
        for clause in _CLAUSE.finditer(_before_condition(sentence[0]))
        if not _table().condition_ja.search(_table().courtesy.sub("", clause[0]))
    )


def _before_condition(sentence: str) -> str:
    polite = [found.span() for found in _table().courtesy.finditer(sentence)]
    for found in _table().condition_en.finditer(sentence):
        if not any(start <= found.start() < end for start, end in polite):
            return sentence[: found.start()]
    return sentence


# --- the table -------------------------------------------------------------------------------------------


@cache
def _table() -> _Table:
    data = json.loads(resources.files("sabir.data").joinpath("eap-instructions.json").read_text("utf-8"))
    conditions, numbers = data["conditions"], data["numbers"]
    return _Table(
        tuple(
            _Rule(row["sets"], row.get("usual", {}), row["weight"], _compiled(row["en"], row["ja"], numbers))
            for row in data["rules"]
        ),
        data["fallback"],
        numbers,
        _compiled(conditions["en"], [], numbers),
        _compiled([], conditions["ja"], numbers),
        _compiled(conditions["courtesies"]["en"], conditions["courtesies"]["ja"], numbers),
    )


def _compiled(english: list[str], japanese: list[str], numbers: dict[str, int]) -> re.Pattern[str]:
    """One pattern of many terms.

    A term is a regular expression with two shorthands: ``*`` is the rest of an English word, ``{n}`` a
    number. English terms are whole words; a Japanese letter may stand beside one, so look-arounds say where
    it ends.
    """
    words = "|".join(sorted(numbers, key=len, reverse=True))
    kanji = "".join([*_KANJI, *_UNITS])
    digits = r"(?<![0-9])[0-9]{1,9}(?![0-9])"
    numerals = rf"(?<![{kanji}])[{kanji}]{{1,7}}(?=[{_AFTER_KANJI}]|[^一-龯]|\Z)"
    number = f"{digits}|{words}|{numerals}"
    terms = [rf"(?<![a-z0-9]){term.replace('*', '[a-z]*+')}(?![a-z0-9])" for term in english] + japanese
    terms.sort(key=len, reverse=True)
    filled = (term.replace("{n}", f"(?P<n{at}>{number})") for at, term in enumerate(terms))
    return re.compile("|".join(filled))
