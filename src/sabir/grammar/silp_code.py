"""Grammar of SILP's code frontend: the canonical spelling.

Left out: besides what `sabir.grammar.silp_parts` names, bare words with letters of small alphabets (they are quoted), and comments
on anything but ``meta``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.grammar import signs
from sabir.grammar.silp_parts import routing, verbs
from sabir.grammar.tree import ROOT, Grammar, alt, chars, listed, many, opt, seq, word, words
from sabir.silp.code_writer import OPERATORS
from sabir.silp.words import KEYWORDS, term

if TYPE_CHECKING:
    from sabir.grammar.tree import Node, Ref
    from sabir.grammar.vocabulary import Vocabulary

_BARE: Final = signs.ALNUM | chars("_.+-*/%$&~") | signs.LETTERS
_TIME: Final = seq("t", chars("+-"), many(signs.DIGITS, 1), opt(alt("am", "pm", chars("smhdw"))))
_KEYWORDS: Final = words(KEYWORDS)


def code(vocabulary: Vocabulary) -> Grammar:
    """Grammar of the code frontend: ``if budget<=500: book(hotel) else: book(hostel)``."""
    grammar = Grammar("SILP, code frontend")
    given = verbs(vocabulary)
    function: Node = seq(signs.LOWER, many(signs.LOWER | chars("_")))
    call = grammar.token("function", function if given is None else words(verb.lower() for verb in given))
    text = _term(grammar)
    first, later = _calls(grammar, vocabulary, call, text)
    grammar.rule(
        ROOT,
        seq(
            opt("if ", listed(_condition(grammar, text), " and "), ": "),
            first,
            many(seq("; ", later)),
            opt(" else: ", listed(_fallback(grammar, call, text), "; ")),
            opt(" # {", routing(grammar, vocabulary), "}"),
        ),
    )
    return grammar


def _term(grammar: Grammar) -> Ref:
    bare = grammar.token("bare", word(_BARE, _BARE, never=KEYWORDS))
    return grammar.rule("term", alt(bare, grammar.token("quoted", signs.quoted(_BARE, also=[_KEYWORDS]))))


def _untimed(grammar: Grammar) -> Ref:
    """A term where a bare time reference is a time and one in quotes is none."""
    quoted = grammar.token("quoted-untimed", signs.quoted(_BARE, also=[_KEYWORDS, _TIME]))
    return grammar.rule("untimed", alt(grammar.token("bare", word(_BARE, _BARE, never=KEYWORDS)), quoted))


def _calls(grammar: Grammar, vocabulary: Vocabulary, call: Ref, text: Ref) -> tuple[Node, Node]:
    """The first call, which may be empty, and a later one, which may not."""
    positional = _untimed(grammar)
    name: Node = text
    if vocabulary.keys is not None:
        name = grammar.token("key", words(map(term, vocabulary.keys))) if vocabulary.keys else seq()
    named = [] if vocabulary.keys == () else [seq(name, "=", text)]
    argument = grammar.rule("argument", alt(positional, *named))
    arguments = grammar.rule("arguments", listed(argument, ","))
    return seq(call, "(", opt(arguments), ")"), seq(call, "(", arguments, ")")


def _condition(grammar: Grammar, text: Ref) -> Ref:
    letters = signs.ASCII_LETTERS | chars("_")
    name = grammar.token("name", word(letters, letters | signs.DIGITS, never=KEYWORDS))
    operator = grammar.token("operator", words(OPERATORS))
    time = grammar.token("time", _TIME)
    compared = seq(name, operator, text, opt(", ", text))
    # One: the value. Two: value and time, or subject and value. Three: subject, value and time.
    inner = seq(text, opt(",", alt(time, seq(_untimed(grammar)), seq(text, ",", text))))
    return grammar.rule("condition", alt(seq("!", name, opt("(", text, ")")), compared, seq(name, "(", inner, ")")))


def _fallback(grammar: Grammar, call: Ref, text: Ref) -> Ref:
    inner = alt(seq(text, opt("@", text)), seq("loc=", text))
    return grammar.rule("fallback", seq(call, "(", opt(inner), ")"))
