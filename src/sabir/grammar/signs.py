r"""Sets of characters, and the JSON that the formats share.

JSON is bounded: integers of `INT_DIGITS` digits, fractions of `FRACTION_DIGITS`, no exponents; lists hold scalars, objects
hold scalars and lists. Keys of one object stand in the order of the alphabet and begin with different characters, which
is how no key comes twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.grammar.tree import Chars, alt, chars, listed, many, opt, runs, seq, some_of, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.grammar.tree import Grammar, Node

INT_DIGITS: Final = 15
"""Most digits of an integer, which every JSON reader keeps exact."""
FLOAT_DIGITS: Final = 10
"""Most digits before the point of a number with a fraction."""
FRACTION_DIGITS: Final = 4
"""Most digits after it, so that the shortest way to write the number is the one given."""

DIGITS: Final = runs("09")
LOWER: Final = runs("az")
ASCII_LETTERS: Final = runs("AZ", "az")
ALNUM: Final = ASCII_LETTERS | DIGITS
NAME: Final = ALNUM | chars("_.-")
"""Characters of an agent's name and of a key."""
LETTERS: Final = runs(
    "\u00c0\u00d6", "\u00d8\u00f6", "\u00f8\u024f",  # Latin
    "\u0370\u0373", "\u0388\u038a", "\u038e\u03a1", "\u03a3\u03f5",  # Greek
    "\u03f7\u0481", "\u048a\u052f",  # Cyrillic
    "\u0531\u0556", "\u0561\u0587", "\u05d0\u05ea",  # Armenian, Hebrew
    "\u0620\u0669", "\u0671\u06d3",  # Arabic
    "\u0900\u0963", "\u0966\u096f", "\u0e01\u0e3a", "\u0e40\u0e4e",  # Devanagari, Thai
    "\u1e00\u1f15", "\u3005\u3006", "\u3041\u3096", "\u30a1\u30fa", "\u30fc\u30fe",  # Latin and Greek again, kana
    "\u3400\u4dbf", "\u4e00\u9fff", "\uac00\ud7a3",  # Chinese characters, Hangul
)  # fmt: skip
"""Letters beyond ASCII that a bare word may have here: the large alphabets, of SILP's L, M and Nd. Others are quoted."""

CONTROLS: Final = runs("\x00\x1f", "\x7f\x9f")
# As `sabir.jsontext` escapes them, but for U+061C, which one engine's reader of GBNF has no way to take.
HIDDEN: Final = runs("\u180e\u180e", "\u200b\u200f", "\u2028\u202e", "\u2060\u206f", "\ufeff\ufeff")
SPACES: Final = chars(" \xa0\u1680\u202f\u205f\u3000") | runs("\u2000\u200a")
"""White space that stands raw in a string."""
SEEN: Final = (CONTROLS | HIDDEN | chars('"\\')).complement()
"""Characters that stand raw in a JSON string."""

_HEX: Final = DIGITS | runs("af")
_CONTROL_ESCAPE: Final = alt(
    chars("bfnrt"),
    seq("u00", alt(seq("0", runs("07") | chars("bef")), seq("1", _HEX), "7f", seq(chars("89"), _HEX))),
)
_HIDDEN_ESCAPE: Final = seq(
    "u",
    alt(
        "061c",
        "180e",
        "feff",
        seq("20", alt(seq("0", runs("bf")), seq("2", chars("89") | runs("ae")), seq("6", _HEX))),
    ),
)
_SIGN_ESCAPE: Final = chars('"\\')
VISIBLE_ESCAPE: Final = seq("\\", alt(_SIGN_ESCAPE, _HIDDEN_ESCAPE))
"""An escape that stands for no control."""
ESCAPE: Final = seq("\\", alt(_SIGN_ESCAPE, _CONTROL_ESCAPE, _HIDDEN_ESCAPE))
"""An escape in a string: those that are written, and no other."""
STRING: Final = seq('"', many(alt(SEEN, ESCAPE)), '"')
"""Any JSON string."""

_WHOLE: Final = alt("0", seq(runs("19"), many(DIGITS, 0, FLOAT_DIGITS - 1)))
_FRACTION: Final = seq(many(DIGITS, 0, FRACTION_DIGITS - 1), runs("19"))
INTEGER: Final = alt(seq(opt("-"), runs("19"), many(DIGITS, 0, INT_DIGITS - 1)), "0")
NUMBER: Final = alt(seq(opt("-"), _WHOLE, ".", _FRACTION), INTEGER)
"""A number by value: a whole one has no fraction."""
TYPED_NUMBER: Final = alt(seq(opt("-"), _WHOLE, ".", alt(_FRACTION, "0")), INTEGER)
"""A number where 1.0 is another than 1."""
CONSTANTS: Final = words(["true", "false", "null"])


def quoted(
    bare: Chars, *, raw: Chars = SEEN, escape: Node = ESCAPE, also: Iterable[Node] = (), empty: bool = True
) -> Node:
    """A JSON string that could not stand bare.

    Args:
        bare: characters of a bare word; any other, and any escape, makes the quotes needed.
        raw: characters that stand raw in the string.
        escape: escapes in it.
        also: texts that need the quotes for another reason.
        empty: whether the empty text is one.
    """
    others = raw - bare
    odd = alt(others, escape)
    inner = alt(seq(many(raw - others), odd, many(alt(raw, escape))), *also)
    return seq('"', opt(inner) if empty else inner, '"')


def by_first(firsts: Chars) -> list[str]:
    """Characters of a small set, each of which begins one key."""
    return [chr(code) for low, high in firsts.ranges for code in range(low, high + 1)]


def distinct(grammar: Grammar, name: str, pairs: list[Node], *, both_ways: bool = True) -> Node:
    """One or more pairs, each at most once, in their order or, with ``both_ways``, in the reverse order."""
    forward = some_of(grammar, f"{name}-up", pairs)
    return alt(forward, some_of(grammar, f"{name}-down", pairs[::-1])) if both_ways else forward


def json_value(grammar: Grammar) -> tuple[Node, Node]:
    """A list of scalars and an object of scalars and such lists, as JSON."""
    scalar = grammar.rule(
        "scalar",
        alt(
            grammar.token("string", STRING),
            grammar.token("number", TYPED_NUMBER),
            grammar.token("constant", CONSTANTS),
        ),
    )
    array = grammar.rule("list", seq("[", opt(listed(scalar, ",")), "]"))
    members: list[Node] = [
        grammar.rule(
            f"member-{at}", seq(grammar.token(f"name-{at}", seq(f'"{first}', many(NAME), '":')), alt(scalar, array))
        )
        for at, first in enumerate(by_first(ASCII_LETTERS | chars("_")), 1)
    ]
    return array, grammar.rule("object", seq("{", opt(some_of(grammar, "members", members, ",")), "}"))
