"""Grammar of AIT, by the default dictionary. Nothing is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabir.eap.ait import DIGITS
from sabir.eap.dictionary import default
from sabir.grammar.tree import ROOT, Grammar, chars, listed, runs, seq
from sabir.grammar.vocabulary import among

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.eap.dictionary import Table
    from sabir.grammar.vocabulary import Vocabulary


def ait(vocabulary: Vocabulary) -> Grammar:
    """Grammar of a tape: ``s4x9 d1m5``."""
    grammar = Grammar("AIT")
    dictionary = default()
    domains = _codes("domains", vocabulary.domains, dictionary.domains)
    actions = _codes("actions", vocabulary.actions, dictionary.actions)
    packet = grammar.token("packet", seq(chars(domains), chars(DIGITS), chars(actions), runs("19")))
    grammar.rule(ROOT, listed(packet, " "))
    return grammar


def _codes(path: str, given: Iterable[str] | None, table: Table) -> str:
    """Characters of the entries, which may be named by EAP's code or by their value."""
    known = {name: entry.code for entry in table.entries for name in (entry.eap, entry.value)}
    return "".join(among(path, given, known))
