"""EAP's primers, for the ASCII and the Unicode form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sabir.correspondence import ROWS, direction_of, intent_of_eap_action
from sabir.eap import EapPacket
from sabir.eap.packet import ACTION, DIRECTIONS, DOMAIN
from sabir.errors import EncodeError
from sabir.primer.parts import Parts, table
from sabir.primer.wish import Wish, Word, choose, glossed, listed, names, turns, usual
from sabir.registry import BY_NAME
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from collections.abc import Callable

_is_domain = re.compile(DOMAIN).fullmatch
_is_action = re.compile(ACTION).fullmatch
_UNFIT: Final = ("GEN", "DO")
"""Domain and action of a packet for what no code says."""
_SHOWN: Final = 5
"""Packets that the full primer shows, without the one of `_UNFIT`."""
_PRIORITIES: Final = (9, None, None, 5, 1)
_WELL: Final = (("SEC", "XSS"), ("SEC", "VUL"), ("SYS", "ACK"), ("DAT", "SUM"), ("OBS", "CHK"))
"""Domains and actions that make good examples together, where both are among those to teach."""


def parts(wish: Wish, texts: dict[str, Any]) -> Parts:
    """Domains, actions, examples and frequent errors."""
    domains, actions = _domains(wish), _actions(wish)
    by_direction = {direction: [word for word in actions if word.value == direction] for direction in DIRECTIONS}
    examples = _examples(wish, texts, domains, actions)
    write = BY_NAME[wish.format].write
    unfit = write(EapPacket("request", *_UNFIT, "#ctx0", None, {"note": texts["words"]["unfit"]}))
    values = {"domains": listed(domains), "domain_meanings": glossed(domains, wish.lang), "unfit": unfit}
    for direction, words in by_direction.items():
        values[f"{direction}s"] = listed(words)
        values[f"{direction}_meanings"] = glossed(words, wish.lang)
    slips = [] if wish.brief else _slips(examples[0], write, unicode=wish.format == "eap-unicode")
    return Parts(values, examples[:1] if wish.brief else examples, (unfit,), slips)


def _domains(wish: Wish) -> list[Word]:
    rows: dict[str, dict[str, str]] = table("eap-names")["domains"]
    known = {code: Word(code, meaning[wish.lang]) for code, meaning in rows.items()}
    if wish.domains is None:
        return [known[code] for code in usual(rows)]
    return choose(wish.domains, "domains", f"{wish.format} has no domain", known, _own_domain)


def _actions(wish: Wish) -> list[Word]:
    """Actions to teach, each with the direction in which it is meant; core anchors name actions, too."""
    rows: dict[str, dict[str, str]] = table("eap-names")["actions"]
    known = {code: Word(code, meaning[wish.lang], direction_of(intent_of_eap_action(code))) for code, meaning in rows.items()}
    if wish.anchors is None:
        return [known[code] for code in usual(rows)]
    glosses: dict[str, str] = table("ucr-ja") if wish.lang == "ja" else {a.mnemonic: a.canonical for a in core()}
    for row in ROWS:
        if row.same:
            word = Word(row.eap, glosses[row.anchor], row.direction)
            known.setdefault(row.eap, word)
            known[row.anchor] = word
    return choose(names(wish.anchors), "anchors", f"{wish.format} has no action", known, _own_action)


def _own_domain(name: str, meaning: str, path: str) -> Word:
    if not _is_domain(name):
        raise EncodeError(f"a domain is 2 to 8 of A-Z 0-9, not {name!r}", path)
    return Word(name, meaning, is_own=True)


def _own_action(name: str, meaning: str, path: str) -> Word:
    if not _is_action(name):
        raise EncodeError(f"an action is 2 to 16 of A-Z 0-9 _, not {name!r}", path)
    return Word(name, meaning, "request", is_own=True)


def _examples(wish: Wish, texts: dict[str, Any], domains: list[Word], actions: list[Word]) -> list[EapPacket]:
    """Packets over the words to teach, one in each direction first of all."""
    samples: list[dict[str, Any]] = texts["data"]
    return [
        _packet(wish, turn, action.value, domain, action.name, _PRIORITIES[turn], samples[turn])
        for turn, (domain, action) in enumerate(turns(_heads(domains, actions), _SHOWN))
    ]


def _heads(domains: list[Word], actions: list[Word]) -> list[tuple[str, Word]]:
    """Domains and actions for the examples: those that go well together, then all actions with the domains in turn."""
    codes, by_name = {word.name for word in domains}, {word.name: word for word in actions}
    well = [(domain, by_name[action]) for domain, action in _WELL if domain in codes and action in by_name]
    used = {action.name for _, action in well}
    rest = [word for word in actions if word.name not in used]
    found = well + [(domains[turn % len(domains)].name, word) for turn, word in enumerate(rest)]
    firsts = [next((head for head in found if head[1].value == direction), None) for direction in DIRECTIONS]
    leading = [head for head in firsts if head]
    return leading + [head for head in found if head not in leading]


def _packet(  # noqa: PLR0917  # the packet's fields, in the order of its text
    wish: Wish, turn: int, direction: str, domain: str, action: str, priority: int | None, data: dict[str, Any]
) -> EapPacket:
    """A packet of an example, from and to the agents whose turn it is."""
    routed = wish.routed(turn, "@from", "@to")
    return EapPacket(direction, domain, action, f"#ctx{4 + turn}", priority, {**data, **routed})


def _slips(packet: EapPacket, write: Callable[[Any], str], *, unicode: bool) -> list[tuple[str, str, str]]:
    """Frequent errors, made out of an example."""
    head = write(packet.replace(data={}, priority=None))
    most = write(packet.replace(data={}, priority=9))
    sign, bar = ("⚡", "⁝") if unicode else ("!", "|")
    colon = "::" if unicode else ":"
    code = f"{packet.domain}{colon}{packet.action}"
    noted = write(packet.replace(data={"note": "a b"}, priority=None))
    return [
        ("case", head.replace(code, code.lower()), head),
        ("priority", most.replace(f"{sign}9", f"{sign}10"), most),
        ("order", f'{head} {bar} note="a b" {sign}9', f'{most} {bar} note="a b"'),
        ("quote", noted.replace('"a b"', '"a b'), noted),
        ("target", head.replace(f"📦[{packet.target}]" if unicode else packet.target, "ctx4"), head),
    ]
