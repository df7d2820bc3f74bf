"""What SILP's three grammars share: verbs, metadata, and the JSON of conditions and fallbacks.

Left out of each: extra fields other than ``sender``, ``direction``, ``domain`` (of ``meta``), ``subject`` and ``operator`` (of
conditions); a priority other than 1 to 9; a confidence of 0; ``meta.out``; another ``version``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.eap.packet import DIRECTIONS
from sabir.grammar import signs
from sabir.grammar.eap import domains
from sabir.grammar.tree import alt, chars, listed, many, opt, runs, seq, some_of, words
from sabir.grammar.vocabulary import fitting
from sabir.jsontext import quote
from sabir.silp.code_writer import OPERATORS
from sabir.silp.fields import is_action_code

if TYPE_CHECKING:
    from sabir.grammar.tree import Grammar, Node, Ref
    from sabir.grammar.vocabulary import Vocabulary

_CODE_RULE: Final = "an action is an upper-case verb of A-Z and _, with or without a ! before it"
NAMES: Final = ("confidence", "direction", "domain", "next_agent", "priority", "sender", "seq", "session_id")
"""Fields of ``meta``, as they stand in canonical JSON."""


def verbs(vocabulary: Vocabulary) -> list[str] | None:
    """Action codes given, without their ``!``; None where any may stand."""
    if vocabulary.actions is None:
        return None
    given = [code.removeprefix("!") for code in vocabulary.actions]
    return fitting("actions", given, lambda code: is_action_code(f"!{code}"), _CODE_RULE)


def verb(grammar: Grammar, vocabulary: Vocabulary) -> Ref:
    """An action code without its ``!``."""
    given = verbs(vocabulary)
    upper = runs("AZ")
    return grammar.token("verb", seq(upper, many(upper | chars("_"))) if given is None else words(given))


def string(grammar: Grammar) -> Ref:
    """Any JSON string."""
    return grammar.token("string", signs.STRING)


def agent(grammar: Grammar, vocabulary: Vocabulary) -> Ref:
    """A JSON string that names an agent."""
    given = vocabulary.agents
    return string(grammar) if given is None else grammar.token("agent", words(map(quote, given)))


def meta(grammar: Grammar, vocabulary: Vocabulary) -> dict[str, Node]:
    """Members of ``meta`` by name, `NAMES`."""
    fraction = seq("0.", many(signs.DIGITS, 0, signs.FRACTION_DIGITS - 1), runs("19"))
    values: dict[str, Node] = {
        "confidence": grammar.token("confidence", fraction),
        "direction": grammar.token("direction", words(map(quote, DIRECTIONS))),
        "domain": grammar.token("domain", words(map(quote, domains(vocabulary)))),
        "next_agent": agent(grammar, vocabulary),
        "priority": grammar.token("priority", runs("19")),
        "sender": agent(grammar, vocabulary),
        "seq": seq('["!', listed(verb(grammar, vocabulary), '","!'), '"]'),
        "session_id": grammar.token("session", seq('"', many(signs.LOWER | signs.DIGITS, 2, 2), '"')),
    }
    return {name: seq(f'"{name}":', values[name]) for name in NAMES}


def routing(grammar: Grammar, vocabulary: Vocabulary) -> Ref:
    """The canonical ``meta`` of what a call cannot say, an object with a member at the least."""
    members = list(meta(grammar, vocabulary).values())
    return grammar.rule("meta", seq('"meta":{', some_of(grammar, "meta", members, ","), "}"))


def conditions(grammar: Grammar) -> Ref:
    """The member ``constraints``, with the comma before it."""
    text = string(grammar)
    operator = grammar.token("operator", seq('"', words(OPERATORS), '"'))
    fields = ('{"type":', text, ',"value":', text, opt(',"time":', text))
    condition = grammar.rule("condition", seq(*fields, opt(',"subject":', text), opt(',"operator":', operator), "}"))
    return grammar.rule("conditions", seq(',"constraints":[', listed(condition, ","), "]"))


def fallbacks(grammar: Grammar, vocabulary: Vocabulary) -> Ref:
    """The member ``alternatives``, with the comma before it."""
    text = string(grammar)
    code = seq('{"action":"!', verb(grammar, vocabulary), '"')
    fallback = grammar.rule("fallback", seq(code, opt(',"target":', text), opt(',"location":', text), "}"))
    return grammar.rule("fallbacks", seq(',"alternatives":[', listed(fallback, ","), "]"))


def string_or_list(text: Node) -> Node:
    """A string, or a list of two or more."""
    return alt(text, seq("[", listed(text, ",", 2), "]"))
