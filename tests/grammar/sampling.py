"""Texts drawn from a grammar's tree, the same for the same seed."""

from __future__ import annotations

from functools import cache
from random import Random

from sabir.grammar.tree import ROOT, Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq


def sample(grammar: Grammar, dice: Random) -> str:
    """One text of a grammar."""
    found: list[str] = []
    waiting: list[Node] = [Ref(ROOT)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Literal):
            found.append(node.text)
        elif isinstance(node, Chars):
            found.append(_char(node, dice))
        elif isinstance(node, Ref):
            waiting.append(grammar.rules[node.name])
        elif isinstance(node, Seq):
            waiting += reversed(node.items)
        elif isinstance(node, Alt):
            waiting.append(dice.choice(node.items))
        else:
            waiting += [node.item] * _times(node, dice)
    return "".join(found)


def _times(node: Repeat, dice: Random) -> int:
    if (node.least, node.most) == (0, 1):
        return int(dice.random() < 0.35)
    times = node.least
    while (node.most is None or times < node.most) and dice.random() < 0.6:
        times += 1
    return times


@cache
def _plain(node: Chars) -> str:
    return "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) in node)


def _char(node: Chars, dice: Random) -> str:
    """A character of a set: mostly one that a keyboard has, else any, those at the ends of runs more often."""
    if dice.random() < 0.7 and (plain := _plain(node)):
        return dice.choice(plain)
    while True:
        low, high = dice.choice(node.ranges)
        code = dice.choice((low, high, dice.randint(low, high)))
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code)
