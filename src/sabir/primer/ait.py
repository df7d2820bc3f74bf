"""AIT's primer, over its default dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.eap.ait import DIGITS, AitPacket, AitTape, encode
from sabir.eap.dictionary import default
from sabir.primer.parts import Parts, table
from sabir.primer.wish import Wish, Word, choose, glossed, names, turns

if TYPE_CHECKING:
    from sabir.eap.dictionary import Table

_WELL: Final = (("security", "xss"), ("data", "summarize"), ("refactor", "fix"))
"""Domains and actions that make good examples together, where both are among those to teach."""
_NUMBERS: Final = ((4, 9), (7, 5), (10, 3), (35, 1))
"""Targets and priorities of the packets that are shown."""


def parts(wish: Wish, texts: dict[str, Any]) -> Parts:
    """Dictionary, examples and frequent errors."""
    wish.refuse("agents", "names no agents: a packet has four characters, and none is for a name")
    domains = _words(wish, default().domains, "domains", wish.domains, "ait has no domain")
    actions = _words(wish, default().actions, "anchors", wish.anchors, "ait has no action")
    packets = _packets(domains, actions)
    tapes = [AitTape(tuple(packets[:2])), *(AitTape((packet,)) for packet in packets[2:])]
    word = encode(AitTape((packets[0],)))
    return Parts(
        {
            "domains": " ".join(f"{item.name}={item.value.value}" for item in domains),
            "actions": " ".join(f"{item.name}={item.value.value}" for item in actions),
            "domain_meanings": glossed(domains, wish.lang),
            "action_meanings": glossed(actions, wish.lang),
            "unfit": texts["words"]["unfit"],
            "first": word,
            "reading": _reading(wish, texts, packets[0], [*domains, *actions]),
        },
        [] if wish.brief else tapes,
        (word,),
        [] if wish.brief else _slips(word),
    )


def _words(wish: Wish, entries: Table, path: str, given: Any, noun: str) -> list[Word]:
    """Entries to teach; each is called by its character, its name and its code in EAP."""
    rows: dict[str, dict[str, str]] = table("eap-names")[entries.name]
    words = [
        Word(entry.code, entry.value if wish.lang == "en" else rows[entry.eap]["ja"], entry) for entry in entries.entries
    ]
    if given is None:
        return words
    known = {name: word for word in words for name in (word.value.value, word.value.eap, word.name)}
    return choose(names(given), path, noun, known)


def _packets(domains: list[Word], actions: list[Word]) -> list[AitPacket]:
    values = {word.value.value for word in (*domains, *actions)}
    heads = [head for head in _WELL if values.issuperset(head)]
    count = max(len(domains), len(actions))
    heads += zip(
        (word.value.value for word in turns(domains, count)),
        (word.value.value for word in turns(actions, count)),
        strict=True,
    )
    return [
        AitPacket(domain, target, action, priority)
        for (domain, action), (target, priority) in zip(turns(heads, len(_NUMBERS)), _NUMBERS, strict=True)
    ]


def _reading(wish: Wish, texts: dict[str, Any], packet: AitPacket, words: list[Word]) -> str:
    """What a packet says, in the words of the lists beside it."""
    shown = {word.value.value: word.value.value if wish.brief else word.meaning for word in words}
    frame: str = texts["ait"]["reading"][wish.size]
    return frame.format(
        domain=shown[packet.domain], target=packet.target, action=shown[packet.action], priority=packet.priority
    )


def _slips(word: str) -> list[tuple[str, str, str]]:
    """Frequent errors, made out of a packet."""
    domain, target, action, priority = tuple(word)
    return [
        ("case", word.upper(), word),
        ("priority", f"{domain}{target}{action}0", word),
        ("target", f"{domain}{DIGITS.index(target) + 32}{action}{priority}", f"{domain}z{action}{priority}"),
        ("order", f"{domain}{action}{target}{priority}", word),
        ("data", f"{word} line=42", word),
    ]
