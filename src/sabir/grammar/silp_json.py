"""Grammars of SILP's two JSON forms: compact JSON, its members in the order in which they are written.

Left out: besides what `sabir.grammar.silp_parts` names, slots whose id is no name of ``A-Z a-z 0-9 _ . -`` with a letter or an
underscore first, more than one of a first letter (``act`` and ``time`` apart) and in another order than the alphabet's or its
reverse; several secondary actions of a first letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabir.errors import EncodeError
from sabir.grammar import signs
from sabir.grammar.silp_parts import conditions, fallbacks, meta, routing, string, string_or_list, verb, verbs
from sabir.grammar.tree import ROOT, Grammar, all_of, alt, chars, listed, many, opt, seq, some_of, word
from sabir.jsontext import quote
from sabir.silp.json_frontend import ACTION, RESERVED

if TYPE_CHECKING:
    from sabir.grammar.tree import Node
    from sabir.grammar.vocabulary import Vocabulary

USUAL = ("act", "time")
"""Slots that stand first."""


def json(vocabulary: Vocabulary) -> Grammar:
    """Grammar of the JSON frontend: ``{"intent":"!START","act":"hike"}``."""
    grammar = Grammar("SILP, JSON frontend")
    value = grammar.rule("value", string_or_list(string(grammar)))
    slots: list[Node] = [seq(f',"{name}":', value) for name in USUAL]
    slots += [*_slots(grammar, vocabulary, value), _secondary(grammar, vocabulary)]
    parts: list[Node] = [
        conditions(grammar),
        fallbacks(grammar, vocabulary),
        seq(',"ir":{', routing(grammar, vocabulary), "}"),
    ]
    grammar.rule(
        ROOT,
        seq(
            '{"intent":"!', verb(grammar, vocabulary), '"', all_of(grammar, "part", [*slots, *parts]), "}",
        ),
    )  # fmt: skip
    return grammar


def slot_names(vocabulary: Vocabulary) -> list[str]:
    """Slots given, but those that stand first anyway.

    Raises:
        EncodeError: one of them is none.
    """
    found = [name for name in vocabulary.keys or () if name not in USUAL]
    for name in found:
        if name in RESERVED or name == "ir" or name.startswith(ACTION):
            raise EncodeError(f"{name} is no slot: the JSON frontend has another use for it", "keys")
    return found


def _slots(grammar: Grammar, vocabulary: Vocabulary, value: Node) -> list[Node]:
    if vocabulary.keys is not None:
        return [seq(f",{quote(name)}:", value) for name in slot_names(vocabulary)]
    never = (*USUAL, *RESERVED, "ir")
    pairs: list[Node] = []
    for at, first in enumerate(signs.by_first(signs.ASCII_LETTERS | chars("_")), 1):
        name = word(chars(first), signs.NAME, never=never, never_begins=ACTION)
        key = grammar.token(f"key-{at}", seq(',"', name, '":'))
        pairs.append(grammar.rule(f"slot-{at}", seq(key, value)))
    return [grammar.rule("slots", signs.distinct(grammar, "slots", pairs))]


def _secondary(grammar: Grammar, vocabulary: Vocabulary) -> Node:
    """Arguments of secondary actions."""
    values = seq("[", listed(string(grammar), ","), "]")
    given = verbs(vocabulary)
    if given is not None:
        return some_of(grammar, "actions", [seq(f',"{ACTION}{code.lower()}":', values) for code in given])
    rest = signs.LOWER | chars("_")
    pairs: list[Node] = []
    for at, first in enumerate(signs.by_first(signs.LOWER), 1):
        key = grammar.token(f"action-{at}", seq(f',"{ACTION}{first}', many(rest), '":'))
        pairs.append(grammar.rule(f"second-{at}", seq(key, values)))
    return grammar.rule("actions", signs.distinct(grammar, "actions", pairs))


def ir(vocabulary: Vocabulary) -> Grammar:
    """Grammar of the IR as JSON: ``{"intent":"!START","meta":{"req_id":"0c89bb58"}}``."""
    grammar = Grammar("SILP, the IR as JSON")
    text, code = string(grammar), verb(grammar, vocabulary)
    id: Node = text
    if vocabulary.keys is not None:
        names = [quote(name) for name in dict.fromkeys((*USUAL, *vocabulary.keys))]
        id = grammar.token("id", alt(*sorted(names, reverse=True)))
    entity = grammar.rule("entity", seq('{"id":', id, ',"value":', text, opt(',"action":"!', code, '"'), "}"))
    entities = seq(',"entities":[', listed(entity, ","), "]")
    parts = [entities, conditions(grammar), fallbacks(grammar, vocabulary)]
    head = seq('{"intent":"!', code, '"', all_of(grammar, "part", parts))
    req_id = grammar.token("req-id", many(signs.DIGITS | chars("abcdef"), 8, 8))
    grammar.rule(ROOT, seq(head, ',"meta":{"req_id":"', req_id, '"', _meta(grammar, vocabulary), "}}"))
    return grammar


def _meta(grammar: Grammar, vocabulary: Vocabulary) -> Node:
    """Members of ``meta`` after ``req_id``, in the order of the class and then of the extra fields."""
    members = meta(grammar, vocabulary)
    members["out"] = seq('"out":', string(grammar))
    order = ("session_id", "priority", "confidence", "seq", "out", "next_agent", "sender", "direction", "domain")
    return all_of(grammar, "meta", [seq(",", members[name]) for name in order])
