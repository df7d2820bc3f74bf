"""Grammars of SLIP, v1 and v3.

Left out of v1: agents' names outside of the cheap-token profile, which the wire allows, and anchors that the codebook
lacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.grammar import signs
from sabir.grammar.tree import ROOT, Chars, Grammar, alt, chars, many, opt, seq, words
from sabir.grammar.vocabulary import among, fitting
from sabir.slip.limits import MAX_ID, MAX_REFERENCE, MAX_TOKEN, MAX_TOKENS, WORDS, is_word
from sabir.slip.message import NAME_RULE, is_name
from sabir.slip.wire import token_text
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.grammar.tree import Node
    from sabir.grammar.vocabulary import Vocabulary

BARE: Final[Chars] = (signs.CONTROLS | signs.HIDDEN | signs.SPACES | chars("\u2028\u2029")).complement()
"""Characters of a bare token; the first is no quote."""


def v1(vocabulary: Vocabulary) -> Grammar:
    """Grammar of SLIP v1: ``SLIP v1 planner executor RequestReview auth_module``."""
    grammar = Grammar("SLIP v1")
    known = {anchor.mnemonic: anchor.mnemonic for anchor in core()}
    anchor = grammar.token("anchor", words(among("anchors", vocabulary.anchors, known)))
    agent = grammar.token("agent", _agents(vocabulary))
    plain = grammar.token("plain", seq(BARE - chars('"'), many(BARE)))
    text = grammar.token("quoted", signs.quoted(BARE))
    token = grammar.rule("payload", seq(" ", alt(plain, text)))
    grammar.rule(ROOT, seq("SLIP v1 ", agent, " ", agent, " ", anchor, many(token)))
    return grammar


def _agents(vocabulary: Vocabulary) -> Node:
    if vocabulary.agents is None:
        return many(signs.NAME, 1)
    names = fitting("agents", vocabulary.agents, is_name, f"an agent's name {NAME_RULE}")
    return words(map(token_text, names))


def v3(vocabulary: Vocabulary) -> Grammar:
    """Grammar of SLIP v3: ``SLIP v3 planner executor Request Review auth``."""
    grammar = Grammar("SLIP v3")
    known = {name: " ".join(pair) for name, pair in WORDS.items()}
    pairs = among("anchors", vocabulary.anchors, known)
    agent = grammar.token("agent", _short_agents(vocabulary))
    payload = seq(" ", many(signs.ALNUM, 1, MAX_TOKEN))
    bodies: list[Node] = []
    if plain := [pair for pair in pairs if pair != known["Fallback"]]:
        tokens = grammar.token("tokens", many(payload, 1, MAX_TOKENS))
        bodies.append(seq(grammar.token("anchor", words(plain)), opt(tokens)))
    if known["Fallback"] in pairs:
        reference = grammar.token("reference", many(signs.ALNUM, 1, MAX_REFERENCE))
        bodies.append(seq(f"{known['Fallback']} ", reference))
    grammar.rule(ROOT, seq("SLIP v3 ", agent, " ", agent, " ", alt(*bodies)))
    return grammar


def _short_agents(vocabulary: Vocabulary) -> Node:
    if vocabulary.agents is None:
        return many(signs.ALNUM, 1, MAX_ID)
    rule = f"in v3 an agent's name is 1 to {MAX_ID} of A-Z a-z 0-9"
    return words(fitting("agents", vocabulary.agents, lambda name: len(name) <= MAX_ID and is_word(name), rule))
