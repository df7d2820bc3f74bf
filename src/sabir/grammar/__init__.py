"""Grammars for constrained decoding: what forces a model to write messages that decode.

A grammar gives the canonical form that the library writes, on one line and with single spaces, not all that it reads. Every text
of a grammar decodes. Where a format is no language that a grammar of a reasonable size could hold in full (no key twice, no
number too large, no nesting too deep), the grammar is a part of it; what is left out is said in the module of each format.

A grammar in Lark's notation is for llguidance and for the package lark with its Earley parser; one in GBNF for llama.cpp and
XGrammar.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from sabir.errors import EncodeError
from sabir.grammar import ait, eap, lingua, notations, schema, silp_code, silp_json, slip, vocabulary
from sabir.grammar.tree import Grammar
from sabir.grammar.vocabulary import Vocabulary

__all__ = ["FORMATS", "NOTATIONS", "grammar", "tree_of"]

_SILP: Final = ("agents", "actions", "domains", "keys")
_EAP: Final = ("domains", "agents", "actions", "keys")
_NAME_KEYS: Final = ", or name its keys, which may be none"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a format's grammar is made.

    Attributes:
        tree: makes the tree that the grammars are printed from.
        narrows: what it can be narrowed by.
        regular: what else would help where one regular expression is too long.
        schema: makes the JSON Schema where the format is JSON.
    """

    tree: Callable[[Vocabulary], Grammar]
    narrows: tuple[str, ...]
    regular: str = ""
    schema: Callable[[Vocabulary], dict[str, Any]] | None = None


_FORMS: Final = {
    "silp-code": _Form(silp_code.code, _SILP),
    "silp-ir": _Form(silp_json.ir, _SILP, schema=schema.ir),
    "silp-json": _Form(silp_json.json, _SILP, ", or name its actions and its keys, which may be none", schema.json),
    "slip": _Form(slip.v1, ("anchors", "agents")),
    "eap": _Form(eap.ascii, _EAP, _NAME_KEYS),
    "eap-unicode": _Form(eap.unicode, _EAP, _NAME_KEYS),
    "ait": _Form(ait.ait, ("domains", "actions")),
    "lingua": _Form(lingua.lingua, ("domains", "agents", "actions", "keys")),
}
_VERSIONS: Final = {"v1": _FORMS["slip"], "v3": _Form(slip.v3, ("anchors", "agents"))}

FORMATS: Final = tuple(_FORMS)
"""Names of the formats that have a grammar."""
NOTATIONS: Final = ("gbnf", "lark", "regex", "json-schema")
"""Names of the notations."""


def grammar(
    format: str,
    notation: str,
    *,
    anchors: Iterable[str] | None = None,
    domains: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
    actions: Iterable[str] | None = None,
    keys: Iterable[str] | None = None,
    slip_version: str = "v1",
) -> str:
    """Grammar of a format's messages.

    Args:
        format: one of `FORMATS`.
        notation: one of `NOTATIONS`. ``regex`` has no anchors and must match the whole text; ``json-schema`` is the schema of the
            object for SILP's JSON forms, and of a string for the others.
        anchors: mnemonics that SLIP may use.
        domains: codes that EAP, AIT, SILP's ``meta.domain`` and Agent Lingua may use; for EAP and SILP, ``+NAME`` is one of your own.
        agents: names that senders and receivers may have.
        actions: actions (verbs, to SILP) that may stand; SLIP's are its anchors.
        keys: keys of EAP's data and names of SILP's slots, each at most once and in this order; none at all where it is empty.
        slip_version: ``v1`` or ``v3``.

    Raises:
        EncodeError: with the name of the argument at fault: an unknown word (the closest are named), an argument that does not
            apply to the format, or a notation that the format has not.
    """
    if notation not in NOTATIONS:
        raise EncodeError(_unknown(notation, NOTATIONS), "notation")
    form = _form(format, slip_version)
    given = {"anchors": anchors, "domains": domains, "agents": agents, "actions": actions, "keys": keys}
    words = _vocabulary(form, format, given, flat=notation in ("regex", "json-schema"))
    if notation == "json-schema" and form.schema:
        return _dumped(form.schema(words))
    try:
        return _PRINTERS[notation](form.tree(words))
    except notations.TooLong as error:
        reason = f"{format} has no {notation}, {error.reason}: take gbnf or lark{form.regular}"
        raise EncodeError(reason, "notation") from None


def tree_of(format: str, *, slip_version: str = "v1", **given: Iterable[str] | None) -> Grammar:
    """The tree that the grammars of a format are printed from; arguments and errors as `grammar`."""
    form = _form(format, slip_version)
    return form.tree(_vocabulary(form, format, given))


def _vocabulary(
    form: _Form, format: str, given: Mapping[str, Iterable[str] | None], *, flat: bool = False
) -> Vocabulary:
    for name, words in given.items():
        if words is not None and name not in form.narrows:
            raise EncodeError(f"{format} is not narrowed by {name}, but by {' and '.join(form.narrows)}", name)
    return vocabulary.of(given, flat=flat)


def _form(format: str, slip_version: str) -> _Form:
    if format not in _FORMS:
        raise EncodeError(_unknown(format, FORMATS), "format")
    if slip_version not in _VERSIONS:
        raise EncodeError(_unknown(slip_version, tuple(_VERSIONS)), "slip_version")
    return _VERSIONS[slip_version] if format == "slip" else _FORMS[format]


def _unknown(name: object, known: tuple[str, ...]) -> str:
    close = get_close_matches(str(name), known, 1)
    guess = f"; did you mean {close[0]}?" if close else ""
    return f'no "{name}"{guess} (there are: {", ".join(known)})'


def _dumped(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


_PRINTERS: Final[dict[str, Callable[[Grammar], str]]] = {
    "gbnf": notations.gbnf,
    "lark": notations.lark,
    "regex": notations.regex,
    "json-schema": lambda tree: _dumped(schema.pattern(tree)),
}
