"""What holds of SLIP across its readers, its ways into the interlingua, and copies of a message."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import interlingua
from sabir.correspondence import DIRECTIONS, direction_of, row_of_anchor
from sabir.eap import EAP, EapPacket
from sabir.errors import DecodeError, EncodeError
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import write_code
from sabir.silp.ir import root
from sabir.slip import FORMATS, SLIP, SlipMessage, decode, encode, unknown_anchor, wire
from sabir.slip.interpret import fit
from sabir.slip.v3 import FORCES
from sabir.ucr import NO_INDEX, core
from strategies.eap import eap_packets
from strategies.silp import verbs
from strategies.slip import EXTENSION_ANCHOR, extension_messages, marked, payloads, slip_messages

if TYPE_CHECKING:
    from collections.abc import Callable

# --- readers ---------------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *("SLIP", "v1", "v3", "a", "-", "MetaAck", "Meta", "Ack", "Fallback", "Generic", "Request", "Foo"),
        *("", "\t", "\n", "\u2028", "\xa0", '"', '""', '"x y"', '"\\u0041"', '"\\ud83d"', "\\", "\x00"),
        *("é", "👽", "x" * 31, "#ctx4", "silp", "\udc80"),
    ]
)
_BODIES = st.sampled_from(["v1 a b MetaAck", "v1 a b Fallback", "v3 a b Meta Ack", "v3 a b Fallback Generic", ""])


@given(_BODIES, st.lists(_PIECES, max_size=24))
def test_the_quick_ways_read_what_the_careful_one_reads(head: str, pieces: list[str]) -> None:
    """The fast paths never differ from the scanner, neither in the message nor in the error."""
    text = " ".join(["SLIP", head, *pieces])
    careful = _outcome(lambda: wire._careful(text, core(), strict=False, allow_unknown=False))
    quick = _outcome(lambda: decode(text))
    if isinstance(careful, SlipMessage):
        assert quick == careful
        assert isinstance(quick, SlipMessage)
        assert encode(quick) == encode(careful)
    else:
        assert isinstance(quick, DecodeError)
        assert (quick.reason, quick.span, quick.text) == (careful.reason, careful.span, careful.text)


def _outcome(read: Callable[[], SlipMessage]) -> SlipMessage | DecodeError:
    """The message that reading gives, or the error that it raises."""
    try:
        return read()
    except DecodeError as error:
        return error


@given(payloads())
def test_made_and_read_messages_have_one_text(payload: list[str]) -> None:
    """What a message was made from, and whether it was found to be bare, does not show in its text."""
    made = SlipMessage("a", "b", "Fallback", payload)
    text = encode(made)
    assert encode(decode(text)) == text
    assert encode(wire._careful(text, core(), strict=False, allow_unknown=False)) == text
    assert decode(f" \r\n{text}\u2028 \n") == made


_OWN = "(an anchor of your own needs its codebook)"
_SHIFTED = "RequestReview stands where the receiver should: SLIP v1 sender receiver RequestReview ..."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SLIP v1 alice RequestReview ⟦auth⟧ now", f'"auth"; {_SHIFTED}'),
        ("SLIP v3 a b ⟦Request Reveiw⟧", '"RequestReveiw"; did you mean RequestReview? (in v3: Request Review)'),
        ("SLIP v3 a b ⟦Accept Later⟧ x", f'"AcceptLater"; did you mean Accept? (in v3: Accept Generic) {_OWN}'),
        ("SLIP v1 a b ⟦RequestDeploy⟧ x", f'"RequestDeploy"; did you mean RequestPlan? {_OWN}'),
        ("SLIP v1 a b ⟦Qqqqqq⟧", f'"Qqqqqq"; see sabir ucr list {_OWN}'),
        ("SLIP v1 a b ⟦EvalAprove⟧", '"EvalAprove"; did you mean EvalApprove?'),
    ],
)
def test_an_unknown_anchor_says_what_would_be_right(text: str, reason: str) -> None:
    """A field that is missing before the anchor, and v3's own spelling of the closest one."""
    plain, span = marked(text)
    with pytest.raises(DecodeError) as caught:
        decode(plain)
    assert (caught.value.reason, caught.value.span) == (f"unknown anchor {reason}", span)


def test_no_force_is_the_beginning_of_another() -> None:
    """So that a mnemonic has one force at most, and v3 one reading."""
    assert not [(a, b) for a in FORCES for b in FORCES if a != b and b.startswith(a)]


def test_the_format_reads_its_own_example() -> None:
    """The registry's example is of the format, and its marker fits no longer word."""
    [format] = FORMATS
    assert format.marker.match(format.example)
    assert format.write(format.decode(format.example)) == format.example
    assert not format.marker.match("SLIPPER v1 a b MetaAck")


# --- what may be made ------------------------------------------------------------------------------------

_TOKENS = st.sampled_from(["", " ", "x", "x y", "x ", "\n", "é", "a_b", '"', "\u200b", "x" * 30, "x" * 31, "\udc80", 5])
_NAMES = st.sampled_from(["a", "-", "", "a b", " a", "a" * 20, "a" * 21, '"', "é", "\xa0", "\x00", "\udc80", None])


@given(_NAMES, _NAMES, st.lists(_TOKENS, max_size=22), st.sampled_from(["v1", "v3"]))
def test_what_may_be_made_is_what_the_rules_say(src: Any, dst: Any, payload: list[Any], version: str) -> None:
    """The constructor's quick way lets nothing pass that token by token would be refused, and refuses no more."""

    def fits(token: Any, pattern: str) -> bool:
        return isinstance(token, str) and re.fullmatch(pattern, token) is not None

    name, token = (r"[A-Za-z0-9]{1,20}", r"[A-Za-z0-9]{1,30}")
    if version == "v1":
        name, token = (r"[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+", r"[^\ud800-\udfff]*")
    legal = fits(src, name) and fits(dst, name) and all(fits(item, token) for item in payload)
    legal = legal and (version == "v1" or len(payload) <= 20)
    if not legal:
        with pytest.raises(EncodeError):
            SlipMessage(src, dst, "MetaAck", payload, version)
        return
    message = SlipMessage(src, dst, "MetaAck", payload, version)
    assert decode(encode(message)) == message
    assert (message.src, message.dst, message.payload) == (src, dst, tuple(payload))


@given(st.sampled_from(["a", "a" * 20]), st.lists(st.sampled_from(["x", "", "x y", "x" * 30]), max_size=4))
def test_a_v3_token_is_one_word(agent: str, payload: list[str]) -> None:
    """An empty token or two words in one would come back as another payload, so neither can be made."""
    if all(token and " " not in token for token in payload):
        assert decode(encode(SlipMessage(agent, agent, "MetaAck", payload, "v3"))).payload == tuple(payload)
    else:
        with pytest.raises(EncodeError, match=r"payload\[[0-3]\]: in v3 a token is made of"):
            SlipMessage(agent, agent, "MetaAck", payload, "v3")


# --- copies ----------------------------------------------------------------------------------------------


@given(slip_messages() | extension_messages())
def test_copies_are_equal(message: SlipMessage) -> None:
    """Copying, pickling and replacing nothing give an equal message with the same hash and the same text."""
    pickled = pickle.loads(pickle.dumps(message))  # noqa: S301  # our own bytes
    for other in (copy.copy(message), copy.deepcopy(message), pickled, message.replace()):
        assert other == message
        assert not other != message  # noqa: SIM202  # != is a method of its own
        assert hash(other) == hash(message)
        assert encode(other) == encode(message)


def test_messages_are_equal_if_they_have_the_same_text() -> None:
    """What an installation's codebook adds to a name is no part of the message."""
    known = SlipMessage("a", "b", EXTENSION_ANCHOR)
    unknown = SlipMessage("a", "b", unknown_anchor("RequestDeploy"))
    assert known == unknown
    assert hash(known) == hash(unknown)
    assert known.anchor != unknown.anchor


# --- ways into the interlingua ---------------------------------------------------------------------------


@given(slip_messages() | extension_messages())
def test_only_what_the_core_lacks_is_sealed(message: SlipMessage) -> None:
    """No message with a core anchor has to be sealed; all others are, whatever they seem to carry; all come back."""
    ir, route = interlingua.to_ir(message, SLIP)
    assert (route == "sealed") == (not message.anchor.is_core)
    assert interlingua.from_ir(ir, SLIP)[0] == message


@given(eap_packets())
def test_a_packet_with_a_domain_of_its_own_is_native(packet: EapPacket) -> None:
    """EAP -> SLIP -> EAP gives the packet; it is carried only where EAP itself or an agent's name is the reason."""
    ir, heard = interlingua.to_ir(packet, EAP)
    message, said = interlingua.from_ir(ir, SLIP)
    again, _ = interlingua.to_ir(decode(encode(message)), SLIP)
    assert interlingua.from_ir(again, EAP)[0] == packet
    routed = any(key in ("@from", "@to") for key in packet.data)
    if heard == "native" and "domain" in ir.meta.__pydantic_extra__ and not routed:
        assert said == "native"


def test_arguments_that_look_like_a_packet_s_body_are_carried() -> None:
    """Said in SLIP's own terms they would come back as a packet."""
    for head, code in (
        ("- -", 'request_review("SEC:XSS","#ctx4")'),
        ("a -", 'request_review("SEC:XSS","#ctx4") # {"meta":{"sender":"a"}}'),
    ):
        text = f'SLIP v1 {head} RequestReview silp request_review("SEC:XSS","#ctx4")'
        message, route = interlingua.from_ir(read_code(code), SLIP)
        assert (encode(message), route) == (text, "carried")
        ir, route = interlingua.to_ir(decode(text), SLIP)
        assert (write_code(ir), route) == (code, "carried")


@pytest.mark.parametrize(
    ("name", "intent"),
    [
        ("DeployBuild2Now", "!DEPLOY_BUILD_NOW"),
        ("HTTPError", "!HTTPERROR"),
        ("foo-bar", "!FOOBAR"),
        ("_x_", "!X"),
        ("ø", "!FALLBACK"),
        ('"', "!FALLBACK"),
    ],
)
def test_a_sealed_message_stands_under_the_letters_of_its_anchor(name: str, intent: str) -> None:
    """Whatever the name, the head is a valid intent."""
    anchor = unknown_anchor(name)
    assert anchor.index == NO_INDEX
    ir, route = interlingua.to_ir(SlipMessage("a", "b", anchor), SLIP)
    assert (ir.intent, route) == (intent, "sealed")


# --- headings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "anchor"),
    [
        ("xss(x)", "RequestReview"),
        ("frobnicate(x)", "RequestTask"),
        *((f'frobnicate(x) # {{"meta":{{"priority":{level}}}}}', "RequestTask") for level in (1, 2, 3, 4, 9, -5, 99)),
        ('frobnicate(x) # {"meta":{"direction":"response"}}', "InformStatus"),
        ('frobnicate(x) # {"meta":{"direction":"sync"}}', "MetaSync"),
        ('frobnicate(x) # {"meta":{"direction":"sync","priority":9}}', "MetaEscalate"),
        ('xss(x) # {"meta":{"direction":"response"}}', "InformStatus"),
        ('xss(x) # {"meta":{"direction":"sideways"}}', "RequestReview"),
        ('fallback(x) # {"meta":{"direction":"sync"}}', "MetaSync"),
        ("fallback(x)", "Fallback"),
    ],
)
def test_headings(code: str, anchor: str) -> None:
    """The verb's own anchor where its direction is the IR's, else the nearest of that direction's very act.

    A request without an anchor is never headed by a question, however small its urgency.
    """
    assert fit(read_code(code)).mnemonic == anchor


@given(verbs(), st.sampled_from([*DIRECTIONS, "up", None, 5]), st.integers(-1, 10))
def test_a_heading_never_says_another_direction(intent: str, direction: Any, priority: int) -> None:
    """The heading's row has the direction of the IR, and only !FALLBACK is headed by Fallback."""
    ir = root(intent, [], [], [], extra={"direction": direction}, priority=priority)
    anchor = fit(ir)
    row = row_of_anchor(anchor.mnemonic)
    assert row is not None
    assert row.direction == (direction if direction in DIRECTIONS else direction_of(intent))
    assert anchor.mnemonic != "Fallback" or intent == "!FALLBACK"
