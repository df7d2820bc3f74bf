"""SLIP messages, with everything in them that could break a line."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from sabir.slip import SlipMessage, unknown_anchor
from sabir.ucr import Anchor, core
from strategies.silp import values

_BODIES: Final = (
    *("SEC:XSS", "GEN:DO", "#ctx4", "#-", '#"a b"', "!9", "a=1", 'note="two words"', "x=1.0", "a=1 b=2"),
    *("a = 1", "@from=a", "ir={}", "|", "|a=1", "a=1|"),
)
EXTENSION_ANCHOR: Final = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
"""An anchor of an installation's own."""
_CARRIED: Final = ("silp", "cancel(flight)", 'x() # {"meta":{"sender":"a"}}', "request_review(a)", "xss(a)")


def ids() -> st.SearchStrategy[str]:
    """Legal ids, those that look like something else often."""
    looks = ["-", "planner", "SLIP", "v1", '"', '"a"', "\\", "a:b", "é北", "a\u200bb", "Fallback", "silp"]
    return st.one_of(st.sampled_from(looks), st.text('ab"\\-_.:#|', min_size=1, max_size=4))


def payloads() -> st.SearchStrategy[list[str]]:
    """Payloads of any strings, forged carriers and EAP bodies among them."""
    token = st.one_of(values(), st.sampled_from(_BODIES), st.sampled_from(_CARRIED))
    places = st.sampled_from(["#ctx4", "#-", '#"a b"'])
    body = st.tuples(st.just("SEC:XSS"), places, st.lists(st.sampled_from(_BODIES), max_size=3))
    return st.one_of(
        st.lists(token, max_size=4),
        body.map(lambda parts: [parts[0], parts[1], *parts[2]]),
        st.tuples(st.just("silp"), st.sampled_from(_CARRIED)).map(list),
    )


@st.composite
def v3_messages(draw: st.DrawFn) -> SlipMessage:
    """Messages within the limits of v3, of core anchors and such as the codebook lacks."""
    known = st.sampled_from([anchor for anchor in core() if anchor.mnemonic != "Defer"])
    names = ("RequestDeploy", "AcceptLater", "FallbackMeta", "MetaGeneric")
    strange = st.sampled_from(names).map(unknown_anchor)
    anchor = draw(st.one_of(known, known, known, strange))
    most, least, longest = (1, 1, 16) if anchor.mnemonic == "Fallback" else (4, 0, 30)
    token = st.text("aZ09", min_size=1, max_size=longest)
    payload = draw(st.lists(token, min_size=least, max_size=most))
    agent = st.text("aZ09", min_size=1, max_size=20)
    return SlipMessage(draw(agent), draw(agent), anchor, payload, "v3")


def slip_messages() -> st.SearchStrategy[SlipMessage]:
    """Any message: v1 and v3, core anchors and such as no codebook holds."""
    known = st.sampled_from(list(core()))
    names = ("Foo", "Foo2Bar", "foo-bar", "ø", "SLIP", "1", "metaack", "MetaAck!", '"', '"MetaAck"', "silp")
    strange = st.sampled_from(names).map(unknown_anchor)
    anchors = st.one_of(known, known, known, strange)
    return st.one_of(st.builds(SlipMessage, ids(), ids(), anchors, payloads()), v3_messages())


def extension_messages() -> st.SearchStrategy[SlipMessage]:
    """Messages with an installation's own anchor, which only its codebook or `allow_unknown` reads."""
    v3 = st.builds(SlipMessage, st.just("a"), st.just("b"), st.just(EXTENSION_ANCHOR), version=st.just("v3"))
    return st.one_of(st.builds(SlipMessage, ids(), ids(), st.just(EXTENSION_ANCHOR), payloads()), v3)


def marked(text: str) -> tuple[str, tuple[int, int]]:
    """A text without the marks around its span, and the span."""
    start = text.index("⟦")
    return text.replace("⟦", "").replace("⟧", ""), (start, text.index("⟧") - 1)
