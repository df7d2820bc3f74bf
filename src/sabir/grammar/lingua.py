"""Grammar of Agent Lingua 0.4.

Left out: compressed payloads, which no model writes by hand; JSON payloads unless ``keys`` names the keys of the object, each at most
once and in that order, with scalars as values; names of other characters than ``A-Z a-z 0-9 _ . -``; a fraction of a second, the
29th of February and years before 1000; parts of more than nine; numbers of conditions of more than nine digits; human language of
several lines, or with a ``-`` first. In a regular expression, base64 of text and of JSON are left out, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.grammar import signs
from sabir.grammar.base64 import base64_of
from sabir.grammar.tree import LAST, ROOT, Grammar, Literal, alt, chars, listed, many, opt, runs, seq, some_of, words
from sabir.grammar.vocabulary import among, fitting
from sabir.jsontext import quote
from sabir.lingua.message import MARKER, VALUE_RULE, is_value
from sabir.lingua.payload import ESCAPES
from sabir.lingua.tables import VERSION, default

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.grammar.tree import Node, Ref
    from sabir.grammar.vocabulary import Vocabulary
    from sabir.lingua.tables import Table

_WORD: Final = many(signs.NAME, 1)
_BASE64: Final = signs.ALNUM | chars("+/")
_UNITS: Final = "wdhms"
_RAW: Final = (signs.CONTROLS | signs.HIDDEN | chars("|;%")).complement()
_SIGNS: Final = chars("@#~$")
_PRINTABLE: Final = runs(" ~", f"\x80{chr(LAST)}") | chars("\n\t")
"""Characters of a text in base64."""
_IN_STRING: Final = _PRINTABLE - chars('"\\\n\t') - signs.CONTROLS


def lingua(vocabulary: Vocabulary) -> Grammar:
    """Grammar of Agent Lingua: ``👽42|@H|~+1d15h|$r:meeting``."""
    grammar = Grammar("Agent Lingua")
    payload = grammar.rule("payload", seq("|$", _payload(grammar, vocabulary)))
    time = grammar.rule("time", seq("|~", grammar.token("when", _time())))
    id = grammar.rule("id", seq("|#", grammar.token("word", _WORD)))
    kinds = [
        _request(grammar, vocabulary, id, time, payload),
        seq("^", grammar.token("status", chars("".join(default().statuses.by_code))), opt(id), opt(time), opt(payload)),
        _error(grammar, time, payload),
    ]
    source = grammar.token("source", many(signs.NAME | chars(":/"), 1))
    signature = grammar.rule("signature", seq(f"\n--{MARKER}lingua/{VERSION}@", source))
    grammar.rule(ROOT, seq(alt(*kinds), opt(signature)))
    return grammar


def _codes(path: str, given: Iterable[str] | None, table: Table) -> str:
    """Codes of a table, which may be named by themselves or by their short names."""
    known = {name: entry.code for entry in table.entries for name in (entry.name, entry.code)}
    return "".join(among(path, given, known))


def _request(grammar: Grammar, vocabulary: Vocabulary, id: Ref, time: Ref, payload: Ref) -> Node:
    """Operations or human language, with what may stand before them."""
    tables = default()
    domain = chars(_codes("domains", vocabulary.domains, tables.domains))
    action = chars(_codes("actions", vocabulary.actions, tables.actions))
    codes = grammar.token("codes", seq(domain, action, opt(chars("".join(tables.modifiers.by_code)))))
    target = seq("|@", grammar.token("target", _targets(vocabulary)))
    condition = seq("|%", grammar.token("condition", _condition()))
    operation = grammar.rule(
        "operation", seq(MARKER, codes, opt(target), opt(id), opt(time), many(condition), opt(payload))
    )
    seen = _RAW | chars("|;%")
    spoken = seen - signs.SPACES
    text = grammar.token("text", seq(spoken - chars("-"), opt(many(seen), spoken)))
    return seq(opt(chars("?!")), alt(listed(operation, ";;"), seq(f"{MARKER} ", text)))


def _targets(vocabulary: Vocabulary) -> Node:
    if vocabulary.agents is None:
        return _WORD
    return words(fitting("agents", vocabulary.agents, is_value, f"a target {VALUE_RULE}"))


def _error(grammar: Grammar, time: Ref, payload: Ref) -> Node:
    tables = default()
    codes = seq(chars("".join(tables.errors.by_code)), opt(chars("".join(tables.subtypes.by_code))))
    escape = _escape()
    details = grammar.token("details", seq(alt(_RAW - _SIGNS, escape), many(alt(_RAW, escape))))
    return seq("!E", grammar.token("error", codes), opt(time), opt(payload), opt("|", details))


def _escape() -> Node:
    return words(ESCAPES.values())


# --- fields ----------------------------------------------------------------------------------------------


def _time() -> Node:
    number = seq(runs("19"), many(signs.DIGITS, 0, 3))
    amounts = [
        seq(*(opt(number, later) if later != unit else seq(number, unit) for later in _UNITS[at:]))
        for at, unit in enumerate(_UNITS)
    ]
    seconds = seq("=", runs("19"), many(signs.DIGITS, 0, 11))
    return alt(seq(chars("+-*"), alt(*amounts)), seconds, seq("@", _date(), opt("T", _clock())))


def _date() -> Node:
    """A day that the calendar has."""
    year = seq(runs("19"), many(signs.DIGITS, 3, 3))
    month = alt(seq("0", runs("19")), seq("1", runs("02")))
    early = seq(month, "-", alt(seq("0", runs("19")), seq("1", signs.DIGITS), seq("2", runs("08"))))
    not_february = alt(seq("0", chars("13456789")), seq("1", runs("02")))
    late = seq(not_february, "-", alt("29", "30"))
    last = seq(alt(seq("0", chars("13578")), seq("1", chars("02"))), "-31")
    return seq(year, "-", alt(early, late, last))


def _clock() -> Node:
    hour = alt(seq(chars("01"), signs.DIGITS), seq("2", runs("03")))
    minute = seq(runs("05"), signs.DIGITS)
    offset = alt("Z", seq(chars("+-"), hour, opt(":", minute)))
    return seq(hour, ":", minute, opt(":", minute), opt(offset))


def _condition() -> Node:
    number = seq(opt("-"), alt(seq(runs("19"), many(signs.DIGITS, 0, 8)), "0"))
    parts = [seq(runs(f"1{parts}"), f"/{parts}") for parts in "123456789"]
    return alt(
        seq(chars("KFN"), chars("><=!"), number),
        seq(chars("TS"), chars("=!~"), many(signs.NAME | signs.LETTERS, 1)),
        seq("P", alt(*parts)),
    )


def _payload(grammar: Grammar, vocabulary: Vocabulary) -> Node:
    raw = grammar.token("raw", many(alt(_RAW, _escape()), 1))
    group = seq(_BASE64, _BASE64, _BASE64, _BASE64)
    ending = alt(seq(_BASE64, chars("AQgw"), "=="), seq(_BASE64, _BASE64, chars("AEIMQUYcgkosw048"), "="))
    cipher = alt(seq(many(group, 1), opt(ending)), ending)
    sealed = grammar.token("sealed", seq("e:", many(_BASE64, 16, 16), ":", cipher))
    found: list[Node] = [seq("r:", opt(raw)), sealed]
    if not vocabulary.flat:
        found.append(base64_of(grammar, "text64", grammar, many(_PRINTABLE)))
        if vocabulary.keys:
            found.append(seq("j:", _json(grammar, vocabulary.keys)))
    return alt(*found)


def _json(grammar: Grammar, keys: Iterable[str]) -> Ref:
    """Base64 of an object."""
    inner = Grammar("JSON")
    string = seq('"', many(alt(_IN_STRING, seq("\\", chars('"\\bfnrt')))), '"')
    number = alt(seq(opt("-"), runs("19"), many(signs.DIGITS, 0, 8)), "0")
    value = alt(string, number, signs.CONSTANTS)
    members: list[Node] = [seq(Literal(f"{quote(key)}:"), value) for key in keys]
    return base64_of(grammar, "json64", inner, seq("{", some_of(inner, "members", members, ","), "}"))
