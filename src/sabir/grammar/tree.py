"""The model that all notations are printed from: a small tree of what may stand in a text.

    node = Literal / Chars / Seq / Alt / Repeat / Ref

A `Grammar` is a table of named trees. Some of its rules are tokens: they refer to other tokens alone, and begin and
end where a lexer that takes the longest match begins and ends them. Nesting is bounded, so that whatever a grammar gives is
within the decoders' limits; only the rules of `sabir.grammar.base64` refer to themselves, to go on, never to nest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LAST: Final = 0x10FFFF
"""Highest code point."""

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set.

    Attributes:
        ranges: first and last code point of each run, in order, no two of them touching.
    """

    ranges: tuple[Range, ...]

    def __or__(self, other: Chars) -> Chars:
        return _of((*self.ranges, *other.ranges))

    def __sub__(self, other: Chars) -> Chars:
        return (self.complement() | other).complement()

    def __contains__(self, char: str) -> bool:
        return any(low <= ord(char) <= high for low, high in self.ranges)

    def complement(self) -> Chars:
        """All other code points."""
        found: list[Range] = []
        start = 0
        for low, high in self.ranges:
            if low > start:
                found.append((start, low - 1))
            start = high + 1
        if start <= LAST:
            found.append((start, LAST))
        return Chars(tuple(found))


@dataclass(frozen=True, slots=True)
class Literal:
    """A fixed text, not empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Seq:
    """One node after another; nothing at all where there are none."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of two or more nodes."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node so many times; ``most`` is None where there is no limit."""

    item: Node
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Ref:
    """Whatever the rule of a name says."""

    name: str


Node: TypeAlias = Chars | Literal | Seq | Alt | Repeat | Ref


@dataclass(slots=True)
class Grammar:
    """Rules by name; names are made of ``a-z 0-9 -``.

    Attributes:
        title: what the grammar is of, for the first line of the printed text.
        rules: trees, each after the rules that it refers to; the whole text is the last one, `ROOT`.
        tokens: names of the rules that are tokens.
    """

    title: str
    rules: dict[str, Node] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)

    def rule(self, name: str, node: Node) -> Ref:
        """Add a rule and refer to it."""
        self.rules[name] = node
        return Ref(name)

    def token(self, name: str, node: Node) -> Ref:
        """Add a rule that is a token, and refer to it."""
        self.tokens.add(name)
        return self.rule(name, node)


ROOT: Final = "root"


def references(node: Node) -> Iterator[str]:
    """Names of the rules that a node refers to."""
    if isinstance(node, Ref):
        yield node.name
    elif isinstance(node, (Seq, Alt)):
        for item in node.items:
            yield from references(item)
    elif isinstance(node, Repeat):
        yield from references(node.item)


# --- making trees ----------------------------------------------------------------------------------------


def _of(ranges: Iterable[Range]) -> Chars:
    found: list[Range] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return Chars(tuple(found))


def chars(text: str) -> Chars:
    """Set of the characters of a text."""
    return _of((ord(char), ord(char)) for char in text)


def runs(*pairs: str) -> Chars:
    """Set of runs, each given by its first and its last character."""
    return _of((ord(pair[0]), ord(pair[1])) for pair in pairs)


def seq(*items: Node | str) -> Node:
    """One after another; a string stands for itself."""
    found: list[Node] = []
    for item in map(_node, items):
        if isinstance(item, Seq):
            found += item.items
        elif isinstance(item, Literal) and found and isinstance(found[-1], Literal):
            found[-1] = Literal(found[-1].text + item.text)
        else:
            found.append(item)
    return found[0] if len(found) == 1 else Seq(tuple(found))


def alt(*items: Node | str) -> Node:
    """One of them."""
    found: list[Node] = []
    for item in map(_node, items):
        found += item.items if isinstance(item, Alt) else [item]
    return found[0] if len(found) == 1 else Alt(tuple(found))


def words(texts: Iterable[str]) -> Node:
    """One of some texts; none before a longer one that it begins, since some engines take the first that fits."""
    return alt(*sorted(dict.fromkeys(texts), key=lambda text: (-len(text), text)))


def opt(*items: Node | str) -> Node:
    """All of them or nothing."""
    return Repeat(seq(*items), 0, 1)


def many(item: Node | str, least: int = 0, most: int | None = None) -> Node:
    """A node ``least`` times or more, ``most`` times or less."""
    return Repeat(_node(item), least, most)


def listed(item: Node, between: str, least: int = 1) -> Node:
    """A list of ``least`` items or more, 1 or 2, with something between them."""
    return seq(item, many(seq(between, item), least - 1))


def _node(item: Node | str) -> Node:
    return Literal(item) if isinstance(item, str) else item


def word(first: Chars, rest: Chars, *, never: Iterable[str] = (), never_begins: str | None = None) -> Node:
    """A word, except certain ones and those that begin in a certain way.

    At each character at most one branch goes on, so that the longest match is the one that every engine finds.
    """
    forbidden = tuple(dict.fromkeys(never))
    return _word_after(first, rest, forbidden, never_begins, at_start=True)


def _word_after(
    allowed: Chars, rest: Chars, never: tuple[str, ...], begins: str | None, *, at_start: bool = False
) -> Node:
    """What of a word may follow a beginning, given what the beginning must not be continued with."""
    heads = sorted({text[0] for text in (*never, *([begins] if begins else [])) if text and text[0] in allowed})
    branches: list[Node] = []
    if others := (allowed - chars("".join(heads))).ranges:
        branches.append(seq(Chars(others), many(rest)))
    for head in heads:
        tails = tuple(text[1:] for text in never if text[:1] == head)
        tail = begins[1:] if begins and begins[0] == head else None
        if tail == "":
            continue
        branches.append(seq(head, _word_after(rest, rest, tails, tail) if tails or tail else many(rest)))
    body = alt(*branches)
    return body if at_start or "" in never else Repeat(body, 0, 1)


def all_of(grammar: Grammar, name: str, items: list[Node]) -> Node:
    """Any of some nodes, or none, in their order; a rule for each, since some engines unfold what is optional."""
    tail: Node = Seq(())
    for place, item in reversed(list(enumerate(items, 1))):
        tail = grammar.rule(f"{name}-{place}", seq(opt(item), tail))
    return tail


def some_of(grammar: Grammar, name: str, items: list[Node], between: str = "") -> Node:
    """One or more of some nodes, each at most once, in their order: which is how no key comes twice."""
    glue = [Literal(between)] if between else []
    tail: Node = Seq(())
    found: list[Node] = []
    for place, item in reversed(list(enumerate(items, 1))):
        found.append(seq(item, tail))
        if place > 1:
            tail = grammar.rule(f"{name}-{place}", seq(opt(*glue, item), tail))
    return alt(*reversed(found))
