r"""The tree in three notations: GBNF, Lark and one regular expression.

Only what all engines read alike is used: ``\xNN`` and ``\uNNNN`` for what cannot be seen, in GBNF for signs in sets too, elsewhere
a backslash before a sign. No look-around, no class such as ``\w``, no flag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.errors import EncodeError
from sabir.grammar.tree import LAST, ROOT, Alt, Chars, Literal, Ref, Repeat, Seq, references

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabir.grammar.tree import Grammar, Node

MAX_REGEX: Final = 64_000
"""Longest regular expression; a grammar whose rules, put into each other, give a longer one has none."""

_PLAIN: Final = frozenset(" !\"#$%&'()*+,.:;<=>?@_`{|}~")
"""Signs that mean themselves in a set, in every engine. (Two of one kind in a row, which some take for more, never come.)"""
_SIGNS: Final = frozenset("\\.^$*+?()[]{}|/")
"""Signs that mean something outside of a set."""
_COUNTS: Final = {(0, 1): "?", (0, None): "*", (1, None): "+"}
_escaped = re.compile(r'[\n\r\t"\\]')
_MESSAGE: Final = "message"
"""Name in GBNF of the rule that is the whole text."""
_SHORT: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "\\": r"\\"}


class TooLong(EncodeError):
    """A grammar that is no regular expression of a reasonable length."""


# --- pieces ----------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return '"' + _escaped.sub(lambda found: _SHORT[found[0]], text) + '"'


def _set(item: Chars, escaped: Callable[[str], str]) -> str:
    """A set in brackets, told by what it lacks where it goes up to the last code point."""
    negated = item.ranges[-1][1] == LAST
    ranges = item.complement().ranges if negated else item.ranges
    return f"[{'^' * negated}{''.join(_run(run, escaped) for run in ranges)}]"


def _run(run: tuple[int, int], escaped: Callable[[str], str]) -> str:
    low, high = (_in_set(chr(code), escaped) for code in run)
    if run[0] == run[1]:
        return low
    return f"{low}{'-' * (run[1] > run[0] + 1)}{high}"


def _in_set(char: str, escaped: Callable[[str], str]) -> str:
    if char.isprintable():
        return char if not char.isascii() or char.isalnum() or char in _PLAIN else escaped(char)
    return _by_code(char)


def _by_code(char: str) -> str:
    return f"\\x{ord(char):02X}" if char < "\u0100" else f"\\u{ord(char):04X}"


def _by_backslash(char: str) -> str:
    return f"\\{char}"


def _count(item: Repeat) -> str:
    least, most = item.least, item.most
    if short := _COUNTS.get((least, most)):
        return short
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


# --- a regular expression ---------------------------------------------------------------------------------


def regex(grammar: Grammar) -> str:
    """The whole grammar as one regular expression, without anchors.

    Raises:
        TooLong: it would be longer than `MAX_REGEX`.
    """
    written = _Regexes(grammar)
    for name in grammar.rules:
        if len(written.add(name)) > MAX_REGEX:
            raise TooLong(f"which would be longer than {MAX_REGEX} characters")
    return written.texts[ROOT]


class _Regexes:
    """Regular expressions of a grammar's rules, each written once."""

    def __init__(self, grammar: Grammar) -> None:
        self.rules = grammar.rules
        self.texts: dict[str, str] = {}

    def add(self, name: str) -> str:
        """Write a rule; those that it refers to have been written."""
        text = self.texts[name] = self.of(self.rules[name])
        return text

    def of(self, node: Node) -> str:
        """Regular expression of a node."""
        if isinstance(node, Literal):
            return "".join(_outside(char) for char in node.text)
        if isinstance(node, Chars):
            return _set(node, _by_backslash)
        if isinstance(node, Ref):
            return self.texts[node.name]
        if isinstance(node, Seq):
            return "".join(self.grouped(item) if isinstance(item, (Alt, Ref)) else self.of(item) for item in node.items)
        if isinstance(node, Alt):
            return "|".join(map(self.of, node.items))
        return f"{self.grouped(node.item, whole=True)}{_count(node)}"

    def grouped(self, node: Node, *, whole: bool = False) -> str:
        """A node as a part of a sequence or, with ``whole``, as what is repeated."""
        text = self.of(node)
        target = node
        while isinstance(target, Ref):
            target = self.rules[target.name]
        if isinstance(target, Chars) or (isinstance(target, Literal) and len(target.text) == 1):
            return text
        return f"(?:{text})" if whole or isinstance(target, Alt) else text


def _outside(char: str) -> str:
    return f"\\{char}" if char in _SIGNS else {"\n": r"\n"}.get(char, char)


# --- rules -----------------------------------------------------------------------------------------------


def gbnf(grammar: Grammar) -> str:
    """The grammar in GBNF, the notation of llama.cpp.

    The root is one rule, which engines with a lexer of their own take as one token, and so need not cut.
    """
    return _printed(grammar, _Gbnf(), "# ", " ::= ", f"{ROOT} ::= {_MESSAGE}")


def lark(grammar: Grammar) -> str:
    """The grammar in Lark's notation, tokens as terminals: for llguidance and for the package lark."""
    return _printed(grammar, _Lark(grammar), "// ", ": ", "")


def _printed(grammar: Grammar, form: _Gbnf, comment: str, sign: str, first: str) -> str:
    bodies = {name: form.body(name, node) for name, node in grammar.rules.items()}
    # The whole text first, as a reader wants it.
    shown = [f"{form.name(name)}{sign}{body}" for name, body in reversed(bodies.items()) if body]
    return "\n".join([f"{comment}{grammar.title}", *([first] if first else []), *shown]) + "\n"


class _Gbnf:
    """How a grammar's rules are written in GBNF."""

    def name(self, name: str) -> str:
        """Name of a rule."""
        return _MESSAGE if name == ROOT else name

    def body(self, name: str, node: Node) -> str:  # noqa: ARG002  # Lark's form looks at the name
        """What a rule says."""
        return self.of(node)

    def of(self, node: Node) -> str:
        """Text of a node."""
        if isinstance(node, Literal):
            return _quoted(node.text)
        if isinstance(node, Chars):
            return _set(node, _by_code)
        if isinstance(node, Ref):
            return self.name(node.name)
        if isinstance(node, Seq):
            return " ".join(f"({self.of(item)})" if isinstance(item, Alt) else self.of(item) for item in node.items)
        if isinstance(node, Alt):
            return " | ".join(map(self.of, node.items))
        inner = self.of(node.item)
        if isinstance(node.item, (Alt, Seq, Repeat)):
            inner = f"({inner})"
        return inner + _count(node)


class _Lark(_Gbnf):
    """How a grammar's rules are written in Lark's notation: a token as one regular expression, in capitals."""

    def __init__(self, grammar: Grammar) -> None:
        self.tokens = grammar.tokens
        self.regexes = _Regexes(grammar)
        others = [node for name, node in grammar.rules.items() if name not in self.tokens]
        self.shown = {name for node in others for name in references(node)}

    def name(self, name: str) -> str:
        flat = "start" if name == ROOT else name.replace("-", "_")
        return flat.upper() if name in self.tokens else flat

    def body(self, name: str, node: Node) -> str:
        if name not in self.tokens:
            return self.of(node)
        pattern = self.regexes.add(name)
        return f"/{pattern}/" if name in self.shown else ""

    def of(self, node: Node) -> str:
        return f"/{_set(node, _by_backslash)}/" if isinstance(node, Chars) else super().of(node)
