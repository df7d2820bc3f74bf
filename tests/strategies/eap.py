"""Packets of EAP and tapes of AIT, with everything in them that could break a text."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from sabir.correspondence import ROWS
from sabir.eap import AitPacket, AitTape, EapPacket
from sabir.eap.dictionary import default
from sabir.eap.packet import DIRECTIONS, is_target

TRAPS: Final = (
    *("", " ", "  ", "true", "false", "null", "None", "a=b", "a b", '"', "'", '\\"', "\\", "|", "⁝"),
    *("42", "-0", "007", ".75", "+4915550100", "1.10", "2e3", "1e+16", "1_000", "0x1F", "NaN", "Infinity"),
    *("!9", "#ctx4", ">SEC:SQL", ">SEC:XSS #ctx4", "=SYS:OK", "◤SEC::SQL", "📦[#a]", "⚡9", "[", "{", "[1]"),
    *("ir", "@from", "@to", "act", "if", "->", "#", ";", ",", "()", "s4x9", "SLIP v1 a b Fallback", "“a”"),
    *("a\nb", "\r\n", "\t", "\u2028", "\u2029", "\x85", "\xa0", "\u200b", "\u202e", "\ufeff", "\ufe0f"),
    *("\x00", "\x7f", "\x9f", "👽", "北京 4", "\u0308", "\U0010ffff", '{"intent":"!DO"}'),
)

WHOLE: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any text without lone surrogates."""


def texts() -> st.SearchStrategy[str]:
    """Texts, hostile ones often."""
    return st.one_of(st.sampled_from(TRAPS), WHOLE, st.lists(st.sampled_from(TRAPS), max_size=4).map("".join))


def numbers() -> st.SearchStrategy[int | float]:
    """Whole numbers of any size and finite floats."""
    return st.one_of(
        st.integers(),
        st.integers(-(10**60), 10**60),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from([0, -0.0, 1.0, 1e16, 1e22, 5e-324, -1.7e308, 2**53, 2**64, 19000000000000000001]),
    )


def json_values() -> st.SearchStrategy[Any]:
    """JSON values of any shape."""
    leaves = st.one_of(texts(), numbers(), st.booleans(), st.none())
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts(), inner, max_size=3)),
        max_leaves=6,
    )


def keys() -> st.SearchStrategy[str]:
    """Legal keys, those that look like something else often."""
    legal = "abZ09_.:/#-!><⚡📦[]{}@é北\u200b\u202e\x00\x7f"
    looks = ["!9", "#ctx4", ">SEC:SQL", "◤SEC::SQL", "⚡9", "📦[#a]", "ir", "@from", "@to", "act", "time"]
    return st.one_of(st.sampled_from([*looks, "line", "fixed"]), st.text(legal, min_size=1, max_size=5))


def targets() -> st.SearchStrategy[str]:
    """Legal targets."""
    usual = st.sampled_from(["#ctx4", "#ctx0", "#prev", "#ctx-3", "#usr", "#-", "#--", '#"a"', "# ", "##"])
    wild = texts().map("#{}".format).filter(is_target)
    return st.one_of(usual, st.integers(0, 40).map("#ctx{}".format), wild)


def actions() -> st.SearchStrategy[str]:
    """Legal actions: known ones, any, and some with no letter at all."""
    known = st.sampled_from(sorted({row.eap for row in ROWS}))
    return st.one_of(known, st.from_regex(r"[A-Z0-9_]{2,16}", fullmatch=True).filter(str.isascii))


def domains() -> st.SearchStrategy[str]:
    """Legal domains."""
    known = st.sampled_from(["GEN", *(entry.eap for entry in default().domains.entries), "SYS"])
    return st.one_of(known, st.from_regex(r"[A-Z0-9]{2,8}", fullmatch=True).filter(str.isascii))


@st.composite
def eap_packets(draw: st.DrawFn) -> EapPacket:
    """Packets, with routing pairs at their end now and then."""
    pairs = draw(st.dictionaries(keys(), st.one_of(texts(), json_values()), max_size=4))
    routed = draw(st.sampled_from([(), (), ("@from",), ("@to",), ("@from", "@to"), ("@to", "@from")]))
    for key in routed:
        pairs.pop(key, None)
        pairs[key] = draw(texts())
    return EapPacket(
        draw(st.sampled_from(DIRECTIONS)),
        draw(domains()),
        draw(actions()),
        draw(targets()),
        draw(st.one_of(st.none(), st.integers(1, 9))),
        pairs,
    )


def ait_packets() -> st.SearchStrategy[AitPacket]:
    """Packets in the words of the default dictionary."""
    return st.builds(
        AitPacket,
        st.sampled_from([entry.value for entry in default().domains.entries]),
        st.integers(0, 35),
        st.sampled_from([entry.value for entry in default().actions.entries]),
        st.integers(1, 9),
    )


def ait_tapes() -> st.SearchStrategy[AitTape]:
    """Tapes of one to five packets."""
    return st.builds(AitTape, st.lists(ait_packets(), min_size=1, max_size=5).map(tuple))
