"""SLIP messages, with everything in them that could break a line."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from sabir.slip import SlipMessage, unknown_anchor
from sabir.ucr import core
from strategies.silp import values

_BODIES: Final = ("SEC:XSS", "GEN:DO", "#ctx4", "!9", "a=1", 'note="two words"', "#-", '#"a b"', "x=1.0", "@from=a", "ir={}")
_CARRIED: Final = ("silp", "cancel(flight)", 'x() # {"meta":{"sender":"a"}}', "request_review(a)", "xss(a)")


def ids() -> st.SearchStrategy[str]:
    """Legal ids, those that look like something else often."""
    looks = ["-", "planner", "SLIP", "v1", '"', '"a"', "\\", "a:b", "é北", "a\u200bb", "Fallback", "silp"]
    return st.one_of(st.sampled_from(looks), st.text('ab"\\-_.:#|', min_size=1, max_size=4))


def payloads() -> st.SearchStrategy[list[str]]:
    """Payloads of any strings, forged carriers and EAP bodies among them."""
    token = st.one_of(values(), st.sampled_from(_BODIES), st.sampled_from(_CARRIED))
    body = st.tuples(st.just("SEC:XSS"), st.sampled_from(["#ctx4", "#-"]), st.lists(st.sampled_from(_BODIES), max_size=2))
    return st.one_of(
        st.lists(token, max_size=4),
        body.map(lambda parts: [parts[0], parts[1], *parts[2]]),
        st.tuples(st.just("silp"), st.sampled_from(_CARRIED)).map(list),
    )


@st.composite
def v3_messages(draw: st.DrawFn) -> SlipMessage:
    """Messages within the limits of v3."""
    names = [anchor.mnemonic for anchor in core() if anchor.mnemonic != "Defer"]
    anchor = draw(st.sampled_from(names))
    most = 16 if anchor == "Fallback" else 30
    token = st.text("aZ09", min_size=1, max_size=most)
    sizes = (1, 1) if anchor == "Fallback" else (0, 4)
    payload = draw(st.lists(token, min_size=sizes[0], max_size=sizes[1]))
    name = st.text("aZ09", min_size=1, max_size=20)
    return SlipMessage(draw(name), draw(name), anchor, payload, "v3")  # type: ignore[arg-type]  # takes a mnemonic


def slip_messages() -> st.SearchStrategy[SlipMessage]:
    """Any message: v1 and v3, core anchors and such as the codebook lacks."""
    known = st.sampled_from(list(core()))
    strange = st.sampled_from(["Foo", "Foo2Bar", "foo-bar", "ø", "SLIP", "1"]).map(unknown_anchor)
    anchors = st.one_of(known, known, known, strange)
    return st.one_of(st.builds(SlipMessage, ids(), ids(), anchors, payloads()), v3_messages())
