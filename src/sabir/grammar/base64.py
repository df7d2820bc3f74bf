"""A grammar of texts in base64: whatever the base64 of a text that fits a tree may be, and nothing else.

Base64 cuts bytes into pieces of six bits, so that a grammar of it has to know how far a character has come. The tree becomes an
automaton over the bytes of UTF-8, and that one an automaton over the digits of base64, one rule a state. Its rules are the
only ones that refer to themselves.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from sabir.grammar.tree import Alt, Chars, Literal, Ref, Repeat, Seq, alt, chars, opt, seq

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabir.grammar.tree import Grammar, Node

DIGITS: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_NOWHERE: Final = -1
_SURROGATES: Final = (0xD800, 0xDFFF)
_ENDS_OF_LENGTHS: Final = (0x7F, 0x7FF, 0xFFFF)

Bytes = tuple[tuple[int, int], ...]
"""First and last value of each byte of some characters."""
State = tuple[int, tuple[int, ...], bool]
"""Digits read of a group of four; where each value of the bits still to come leads to; whether the text may end here."""


def base64_of(grammar: Grammar, name: str, inner: Grammar, node: Node) -> Ref:
    """Add rules for the base64 of the texts of a tree, whose rules are those of ``inner``, and refer to the first."""
    rows, ends = _least(*_deterministic(_Nfa(inner, node)))
    start: State = (0, (0,), ends[0])
    numbers = {start: 1}
    waiting = [start]
    ways: list[dict[State, str]] = []
    for state in waiting:  # grows as it goes
        signs: dict[State, str] = {}
        for digit, sign in enumerate(DIGITS):
            after = _step(rows, ends, state, digit)
            if after is not None:
                signs[after] = signs.get(after, "") + sign
        for after in [each for each in signs if each not in numbers]:
            numbers[after] = len(numbers) + 1
            waiting.append(after)
        ways.append(signs)
    last = {state for state, signs in zip(waiting, ways, strict=True) if not signs and not state[0]}
    for state, signs in reversed(list(zip(waiting, ways, strict=True))):
        if state not in last:
            branches = [
                chars(sign) if after in last else seq(chars(sign), Ref(f"{name}-{numbers[after]}"))
                for after, sign in signs.items()
            ]
            grammar.rule(f"{name}-{numbers[state]}", _body(state, branches))
    return Ref(f"{name}-1")


def _body(state: State, branches: list[Node]) -> Node:
    digits, _, ends = state
    if not ends:
        return alt(*branches)
    return alt(*branches, "=" * (4 - digits)) if digits else opt(alt(*branches))


def _step(rows: list[list[int]], ends: list[bool], state: State, digit: int) -> State | None:
    """State after one more digit. A byte ends in the second, the third and the fourth digit of four."""
    digits, targets, _ = state
    if digits == 0:
        row = rows[targets[0]]
        found = tuple(row[digit * 4 : digit * 4 + 4])
        return None if set(found) == {_NOWHERE} else (1, found, False)
    left = 2 * digits  # bits of the digit that belong to the next byte come after these
    kept = 6 - left
    reached = targets[digit >> kept]
    if reached == _NOWHERE:
        return None
    if digits == 3:
        return 0, (reached,), ends[reached]
    rest = (digit & (1 << kept) - 1) << 8 - kept
    found = tuple(rows[reached][rest : rest + (1 << 8 - kept)])
    may_end = not rest and ends[reached]
    return None if set(found) == {_NOWHERE} and not may_end else (digits + 1, found, may_end)


# --- automata over bytes ---------------------------------------------------------------------------------


class _Nfa:
    """States of a tree, from `start` to `end`: edges by bytes, and free steps."""

    def __init__(self, grammar: Grammar, node: Node) -> None:
        self.rules = grammar.rules
        self.edges: list[list[tuple[int, int, int]]] = []
        self.free: list[list[int]] = []
        self.start = self.state()
        self.end = self.add(node, self.start)

    def state(self) -> int:
        """A new state."""
        self.edges.append([])
        self.free.append([])
        return len(self.edges) - 1

    def add(self, node: Node, start: int) -> int:
        """Add a node that begins in a state, and give the state in which it ends."""
        if isinstance(node, Literal):
            for byte in node.text.encode():
                start = self.by_bytes(start, ((byte, byte),))
            return start
        if isinstance(node, Ref):
            return self.add(self.rules[node.name], start)
        if isinstance(node, Seq):
            for item in node.items:
                start = self.add(item, start)
            return start
        if isinstance(node, Repeat):
            return self.repeat(node, start)
        end = self.state()
        branches = [self.add(item, start) for item in node.items] if isinstance(node, Alt) else self.of_set(node, start)
        for branch in branches:
            self.free[branch].append(end)
        return end

    def of_set(self, node: Chars, start: int) -> list[int]:
        """Ends of the characters of a set."""
        return [self.by_bytes(start, each) for low, high in node.ranges for each in utf8(low, high)]

    def by_bytes(self, start: int, values: Bytes) -> int:
        """State after some bytes."""
        for low, high in values:
            after = self.state()
            self.edges[start].append((low, high, after))
            start = after
        return start

    def repeat(self, node: Repeat, start: int) -> int:
        """Copies of a node, the last of which goes round where there is no limit."""
        for _ in range(node.least):
            start = self.add(node.item, start)
        if node.most is None:
            turn = self.state()
            self.free[start].append(turn)
            self.free[self.add(node.item, turn)].append(turn)
            return turn
        end = self.state()
        for _ in range(node.most - node.least):
            self.free[start].append(end)
            start = self.add(node.item, start)
        self.free[start].append(end)
        return end

    def closed(self, states: set[int]) -> frozenset[int]:
        """States, and those that free steps lead to."""
        waiting = list(states)
        for state in waiting:
            fresh = [each for each in self.free[state] if each not in states]
            states.update(fresh)
            waiting += fresh
        return frozenset(states)


def utf8(low: int, high: int) -> Iterator[Bytes]:
    """Values of the bytes of the characters from one code point to another, in as many runs as it takes."""
    if low <= _SURROGATES[1] and high >= _SURROGATES[0]:
        for first, last in ((low, _SURROGATES[0] - 1), (_SURROGATES[1] + 1, high)):
            if first <= last:
                yield from utf8(first, last)
        return
    for cut in _cuts(low, high):
        yield from utf8(low, cut)
        yield from utf8(cut + 1, high)
        return
    yield tuple(zip(chr(low).encode(), chr(high).encode(), strict=True))


def _cuts(low: int, high: int) -> Iterator[int]:
    """Where a run has to be cut in two, if anywhere, so that each byte of it has a run of its own."""
    yield from (end for end in _ENDS_OF_LENGTHS if low <= end < high)
    for bits in (6, 12, 18):
        block = (1 << bits) - 1
        if high > 0x7F and low & ~block != high & ~block:
            if low & block:
                yield low | block
            if high & block != block:
                yield (high & ~block) - 1


def _deterministic(nfa: _Nfa) -> tuple[list[list[int]], list[bool]]:
    """Rows of a deterministic automaton, a target for each byte, and which states are ends. It starts in state 0."""
    first = nfa.closed({nfa.start})
    numbers = {first: 0}
    waiting = [first]
    rows: list[list[int]] = []
    for states in waiting:  # grows as it goes
        targets: list[set[int]] = [set() for _ in range(256)]
        for state in states:
            for low, high, after in nfa.edges[state]:
                for byte in range(low, high + 1):
                    targets[byte].add(after)
        row: list[int] = []
        for found in targets:
            after_all = nfa.closed(found)
            if after_all and after_all not in numbers:
                numbers[after_all] = len(numbers)
                waiting.append(after_all)
            row.append(numbers[after_all] if after_all else _NOWHERE)
        rows.append(row)
    return rows, [nfa.end in states for states in waiting]


def _least(rows: list[list[int]], ends: list[bool]) -> tuple[list[list[int]], list[bool]]:
    """The same automaton with no two states that do the same; state 0 stays the first."""
    kinds = [int(end != ends[0]) for end in ends]
    while True:
        numbers: dict[tuple[int, ...], int] = {}
        fresh = [
            numbers.setdefault((kind, *(_NOWHERE if to == _NOWHERE else kinds[to] for to in row)), len(numbers))
            for kind, row in zip(kinds, rows, strict=True)
        ]
        done = len(numbers) == len(set(kinds))
        kinds = fresh
        if done:
            break
    one_of = {kind: state for state, kind in reversed(list(enumerate(kinds)))}
    order = sorted(one_of)
    return (
        [[_NOWHERE if to == _NOWHERE else kinds[to] for to in rows[one_of[kind]]] for kind in order],
        [ends[one_of[kind]] for kind in order],
    )
