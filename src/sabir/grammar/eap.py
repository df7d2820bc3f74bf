"""Grammars of EAP's two forms: the canonical spelling of one packet.

Left out: data keys other than ``A-Z a-z 0-9 _ . -`` with a letter or an underscore first; more than one key that begins with
the same letter, and keys in another order than the alphabet's or its reverse (with ``keys`` those given, each at most once, in
that order); numbers with an exponent and long ones; JSON that is nested more than twice, and in a regular expression all
lists and objects.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from sabir.eap.interpret import RECEIVER, SENDER
from sabir.eap.packet import ACTION, DOMAIN, KEY
from sabir.eap.values import CONSTANTS, write_string
from sabir.eap.write import ASCII_SIGNS, UNICODE_SIGNS
from sabir.errors import EncodeError
from sabir.grammar import signs
from sabir.grammar.tree import ROOT, Grammar, alt, chars, many, opt, runs, seq, some_of, word, words
from sabir.grammar.vocabulary import among, fitting
from sabir.jsontext import loads
from sabir.slip.message import NAME_RULE, is_name

if TYPE_CHECKING:
    from sabir.grammar.tree import Node
    from sabir.grammar.vocabulary import Vocabulary

_NARROW: Final = signs.ALNUM | chars("_.:/#-")
_TARGET: Final = signs.ALNUM | chars("_.:-")
_CODE: Final = runs("AZ", "09")
OWN: Final = "+"
"""Beginning of a domain that is a project's own."""
HINT: Final = f"; a domain of your own is given as {OWN}NAME"
_is_domain = re.compile(DOMAIN).fullmatch
_is_action = re.compile(ACTION).fullmatch
_is_key = re.compile(KEY).fullmatch


def ascii(vocabulary: Vocabulary) -> Grammar:
    """Grammar of the ASCII form: ``>SEC:XSS #ctx4 !9 | line=42``."""
    grammar = Grammar("EAP, ASCII form")
    raw = signs.SEEN - chars("]")
    target = alt(
        grammar.token("target", many(_TARGET, 1)),
        grammar.token("target-quoted", signs.quoted(_TARGET, raw=raw, escape=signs.VISIBLE_ESCAPE, empty=False)),
    )
    head = seq(
        _codes(grammar, vocabulary, "".join(ASCII_SIGNS.values()), ":"), " #", target, opt(" !", _priority(grammar))
    )
    grammar.rule(ROOT, seq(head, _data(grammar, vocabulary, "|")))
    return grammar


def unicode(vocabulary: Vocabulary) -> Grammar:
    """Grammar of the Unicode form: ``◤SEC::XSS ➔ 📦[#ctx4] ⚡9 ⁝ line=42``."""
    grammar = Grammar("EAP, Unicode form")
    target = grammar.token("target", many((signs.CONTROLS | signs.HIDDEN | chars("]")).complement(), 1))
    codes = _codes(grammar, vocabulary, "".join(UNICODE_SIGNS.values()), "::")
    head = seq(codes, " ➔ 📦[#", target, "]", opt(" ⚡", _priority(grammar)))
    grammar.rule(ROOT, seq(head, _data(grammar, vocabulary, "⁝")))
    return grammar


def _priority(grammar: Grammar) -> Node:
    return grammar.token("priority", runs("19"))


def _codes(grammar: Grammar, vocabulary: Vocabulary, directions: str, between: str) -> Node:
    """Direction, domain and action."""
    domain = grammar.token("domain", words(domains(vocabulary)))
    action: Node = many(_CODE | chars("_"), 2, 16)
    if vocabulary.actions is not None:
        action = words(fitting("actions", vocabulary.actions, _is_action, "an action is 2 to 16 of A-Z 0-9 _"))
    return seq(chars(directions), domain, between, grammar.token("action", action))


def domains(vocabulary: Vocabulary) -> list[str]:
    """Codes of the domains: those that have a name, or those given."""
    given = vocabulary.domains
    known = {code: code for code in _named_domains()}
    for name in given or ():
        if name.startswith(OWN) and fitting("domains", [name[1:]], _is_domain, "a domain is 2 to 8 of A-Z 0-9"):
            known[name] = name[1:]
    return among("domains", given, known, HINT)


@cache
def _named_domains() -> tuple[str, ...]:
    return tuple(loads(resources.files("sabir.data").joinpath("eap-names.json").read_text("utf-8"))["domains"])


# --- data ------------------------------------------------------------------------------------------------


def _data(grammar: Grammar, vocabulary: Vocabulary, bar: str) -> Node:
    """The bar and what follows it, or nothing."""
    if vocabulary.keys == ():
        return opt(f" {bar}", _routing(grammar, vocabulary)) if vocabulary.agents else seq()
    value = _value(grammar, flat=vocabulary.flat)
    pairs = _pairs(grammar, vocabulary, value)
    routing = _routing(grammar, vocabulary)
    return opt(f" {bar}", alt(seq(pairs, opt(routing)), routing))


def _routing(grammar: Grammar, vocabulary: Vocabulary) -> Node:
    """Sender and receiver, which stand last."""
    agent = grammar.token("agent", _agents(vocabulary))
    return grammar.rule(
        "routing", some_of(grammar, "routing", [seq(f" {name}=", agent) for name in (SENDER, RECEIVER)])
    )


def _agents(vocabulary: Vocabulary) -> Node:
    if vocabulary.agents is None:
        return word(signs.ASCII_LETTERS | chars("_"), signs.NAME, never=CONSTANTS)
    names = fitting("agents", vocabulary.agents, is_name, f"an agent's name {NAME_RULE}")
    return words(map(write_string, names))


def _pairs(grammar: Grammar, vocabulary: Vocabulary, value: Node) -> Node:
    if vocabulary.keys is not None:
        rule = "a key has no white space and none of = \" ' | ⁝"
        keys = fitting("keys", vocabulary.keys, _is_key, rule)
        if routes := {SENDER, RECEIVER}.intersection(keys):
            raise EncodeError(f"{min(routes)} stands by itself; agents narrows its values", "keys")
        return some_of(grammar, "pairs", [seq(f" {key}=", value) for key in keys])
    pairs: list[Node] = []
    for at, first in enumerate(signs.by_first(signs.ASCII_LETTERS | chars("_")), 1):
        key = grammar.token(f"key-{at}", seq(f" {first}", many(signs.NAME), "="))
        pairs.append(grammar.rule(f"pair-{at}", seq(key, value)))
    return grammar.rule("pairs", signs.distinct(grammar, "pairs", pairs))


def _value(grammar: Grammar, *, flat: bool) -> Node:
    """A value in its canonical spelling, so that it keeps its type."""
    after_digits = signs.ASCII_LETTERS - chars("eE") | chars("_:/#-")
    bare = alt(
        word(signs.ASCII_LETTERS | chars("_.:/#"), _NARROW, never=CONSTANTS),
        seq(many(signs.DIGITS, 1, signs.INT_DIGITS), after_digits, many(_NARROW)),
    )
    typed = alt(signs.TYPED_NUMBER, signs.CONSTANTS)
    scalars = [
        grammar.token("bare", bare),
        grammar.token("number", signs.TYPED_NUMBER),
        grammar.token("constant", signs.CONSTANTS),
        grammar.token("quoted", signs.quoted(_NARROW, also=[typed])),
    ]
    return grammar.rule("value", alt(*scalars, *([] if flat else signs.json_value(grammar))))
