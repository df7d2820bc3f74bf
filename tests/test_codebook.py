"""An installation's own anchors, wherever messages are read or written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sabir
from sabir.crossing import crossings, same
from sabir.finding import Stream, survey
from sabir.registry import BY_NAME, FORMATS, READABLE
from sabir.report import Report
from sabir.report.gather import gather
from sabir.slip import decode as decode_slip
from sabir.slip import encode as encode_slip
from sabir.ucr import NO_INDEX, Anchor, Codebook, core
from strategies import MESSAGES
from strategies.slip import ids, marked, payloads

NAMES: Final = ("RequestDeploy", "WaterPlants", "requestreview", "silp", "SLIP", "v1", "1", "MetaX2", "FallbackMeta")
"""Mnemonics of the anchors: with v3's words and without, some that look like other parts of a line."""
RETIRED: Final = Anchor(0x9000, "RequestFreeze", "Request that nothing go live", (3, 4, 0, 6))
BOOK: Final = (
    core()
    .with_extension(*(Anchor(0x8000 + at, name, f"Concept {at}", (3, 4, 0, at % 8)) for at, name in enumerate(NAMES)))
    .with_extension(RETIRED)
    .retire("RequestFreeze")
)
OTHER: Final = core().with_anchor("InformOutage", "Tell of an outage", (1, 4, 0, 7))
"""A codebook without those anchors."""
DEPLOY: Final = "SLIP v1 a b RequestDeploy x"
OTHERS: Final = [format.name for format in READABLE if format.name not in ("slip", "ait")]
"""Formats that hold every SLIP message."""


@st.composite
def own_messages(draw: st.DrawFn) -> sabir.SlipMessage:
    """Messages with an anchor of the codebook that the core lacks, in v1 and, where it has the words, in v3."""
    anchor = BOOK.by_mnemonic(draw(st.sampled_from(NAMES)))
    if anchor.mnemonic in ("RequestDeploy", "MetaX2", "FallbackMeta") and draw(st.booleans()):
        tokens = draw(st.lists(st.text("aZ09", min_size=1, max_size=5), max_size=3))
        return sabir.SlipMessage("a", "b", anchor, tokens, "v3")
    return sabir.SlipMessage(draw(ids()), draw(ids()), anchor, draw(payloads()))


# --- properties ------------------------------------------------------------------------------------------


@given(own_messages())
def test_the_codebook_reads_what_it_writes(message: sabir.SlipMessage) -> None:
    """Text and JSON give the very anchor back; with the core or another codebook both are refused, never guessed at."""
    text, form = sabir.encode(message), sabir.to_json(message)
    for found in (
        sabir.decode(text, codebook=BOOK),
        sabir.decode(text, "slip", codebook=BOOK),
        *sabir.decode_all(text, codebook=BOOK),
        *sabir.decode_all(text, "slip", codebook=BOOK),
        sabir.from_json("slip", form, codebook=BOOK),
        sabir.from_json("slip", json.loads(json.dumps(form)), codebook=BOOK),
    ):
        assert same(found, message)
        assert isinstance(found, sabir.SlipMessage)
        assert found.anchor is message.anchor
    assert sabir.detect(text, codebook=BOOK) == "slip"
    assert sabir.detect(text) is None
    for codebook in (None, OTHER):
        for name in (None, "slip"):
            with pytest.raises(sabir.UnknownAnchor):
                sabir.decode(text, name, codebook=codebook)
        with pytest.raises(sabir.EncodeError, match="has no anchor"):
            sabir.from_json("slip", form, codebook=codebook)


@given(own_messages(), st.sampled_from([" ", "\t"]))
def test_the_quick_and_the_careful_reader_agree(message: sabir.SlipMessage, blank: str) -> None:
    """What is read by its words alone is read by the scanner just so, here by a TAB, which only the scanner takes."""
    text = encode_slip(message)
    found = decode_slip(text.replace(" ", blank, 1), codebook=BOOK)
    assert (found, encode_slip(found)) == (message, text)
    assert found.anchor is message.anchor


@pytest.mark.parametrize("target", OTHERS)
@given(message=own_messages())
def test_there_and_back_under_the_codebook(target: str, message: sabir.SlipMessage) -> None:
    """Any format brings the message back to the letter, with its anchor; without the codebook it is refused by name."""
    there = sabir.translate(message, target)
    assert there == sabir.translate(sabir.encode(message), target, codebook=BOOK)
    assert (there.lossless, there.native) == (True, False)
    assert sabir.translate(there.text, "slip", target, codebook=BOOK).text == sabir.encode(message)
    ir = sabir.to_ir(sabir.decode(there.text, target))
    found = sabir.from_ir(ir, "slip", codebook=BOOK)
    assert isinstance(found, sabir.SlipMessage)
    assert found.anchor is message.anchor
    name = message.anchor.mnemonic
    for codebook, which in ((None, "the core"), (OTHER, "the codebook given")):
        reason = f"^slip would not be read: {which} has no anchor {name}; give the codebook that has it$"
        with pytest.raises(sabir.TranslationError, match=reason):
            sabir.translate(there.text, "slip", target, codebook=codebook)
        with pytest.raises(sabir.TranslationError, match=reason):
            sabir.from_ir(ir, "slip", codebook=codebook, allow_unknown=False)
        kept = sabir.from_ir(ir, "slip", codebook=codebook)
        assert same(kept, message)
        again = sabir.translate(there.text, "slip", target, allow_unknown=True, codebook=codebook)
        assert again.text == sabir.encode(message)


@pytest.mark.parametrize(("b", "c"), [(b, c) for b in OTHERS for c in OTHERS if b != c])
@settings(max_examples=max(20, settings().max_examples // 10))
@given(message=own_messages())
def test_a_longer_way_loses_nothing(b: str, c: str, message: sabir.SlipMessage) -> None:
    """Through two other formats, of which neither needs the codebook."""
    text = sabir.translate(sabir.translate(message, b).text, c, b).text
    assert sabir.translate(text, "slip", c, codebook=BOOK).text == sabir.encode(message)


@pytest.mark.parametrize("name", [format.name for format in READABLE])
@given(data=st.data())
def test_a_codebook_changes_nothing_else(name: str, data: st.DataObject) -> None:
    """Any message of any format goes to SLIP and back as it does without one."""
    message = data.draw(MESSAGES[BY_NAME[name].kind.name].filter(_in_core))
    text = sabir.encode(message, name)
    assert same(sabir.decode(text, name, codebook=BOOK), sabir.decode(text, name))
    there = sabir.translate(message, "slip", name, codebook=BOOK)
    assert there == sabir.translate(message, "slip", name)
    assert same(sabir.decode(sabir.translate(there.text, name, "slip", codebook=BOOK).text, name), message)


def _in_core(message: Any) -> bool:
    return not isinstance(message, sabir.SlipMessage) or message.anchor.index != NO_INDEX


# --- what is said of an unknown anchor -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SLIP v1 a b ⟦RequestDeplyo⟧ x", 'unknown anchor "RequestDeplyo"; did you mean RequestDeploy?'),
        ('SLIP v1 a b ⟦waterplants⟧ "x y"', 'unknown anchor "waterplants"; did you mean WaterPlants?'),
        ("SLIP v1 a b ⟦Request⟧ Deploy x", 'unknown anchor "Request"; v1 has force and object in one word: RequestDeploy'),
        (
            "SLIP v1 a WaterPlants ⟦x⟧ y",
            'unknown anchor "x"; WaterPlants stands where the receiver should: SLIP v1 sender receiver WaterPlants ...',
        ),
        ("SLIP v1 a b ⟦Qqqqqq⟧", 'unknown anchor "Qqqqqq"; see sabir ucr list'),
        ("SLIP v1 a b ⟦RequestFreeze⟧ x", 'unknown anchor "RequestFreeze": 0x9000 is retired'),
        ("SLIP v3 a b ⟦Request Freeze⟧ x", 'unknown anchor "RequestFreeze": 0x9000 is retired'),
        ("SLIP v3 a b ⟦Request Deplyo⟧", 'unknown anchor "RequestDeplyo"; did you mean RequestDeploy? (in v3: Request Deploy)'),
    ],
)
def test_hints_know_the_codebook_in_force(text: str, reason: str) -> None:
    """The closest mnemonics are its own, too, and a retired anchor is called so."""
    plain, span = marked(text)
    for name in (None, "slip"):
        with pytest.raises(sabir.UnknownAnchor) as caught:
            sabir.decode(plain, name, codebook=BOOK)
        assert (caught.value.reason, caught.value.span, caught.value.format) == (reason, span, "slip")


def test_v3_has_an_own_anchor_in_two_words() -> None:
    """Its mnemonic in one word is answered with both."""
    with pytest.raises(sabir.DecodeError, match="v3 has force and object apart: Request Deploy"):
        sabir.decode("SLIP v3 a b RequestDeploy x", codebook=BOOK)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("RequestDeplyo", 'the codebook has no anchor "RequestDeplyo"; did you mean RequestDeploy'),
        ("RequestFreeze", "RequestFreeze (0x9000) is retired"),
    ],
)
def test_hints_for_message_json(name: str, reason: str) -> None:
    """They know the codebook as those for a text do."""
    with pytest.raises(sabir.EncodeError) as caught:
        sabir.from_json("slip", {"src": "a", "dst": "b", "anchor": name}, codebook=BOOK)
    assert caught.value.path == "anchor"
    assert caught.value.reason.startswith(reason)


def test_a_retired_anchor_is_kept_with_its_meaning() -> None:
    """Old messages can be read on request, and nobody translates into one unawares."""
    for text in ("SLIP v1 a b RequestFreeze x", "SLIP v3 a b Request Freeze x"):
        message = sabir.decode(text, allow_unknown=True, codebook=BOOK)
        assert isinstance(message, sabir.SlipMessage)
        assert message.anchor is RETIRED
        assert sabir.explain(message) == "a to b: Request that nothing go live: x"
        there = sabir.translate(message, "eap").text
        with pytest.raises(sabir.TranslationError, match=re.escape("the anchor RequestFreeze (0x9000) is retired")):
            sabir.translate(there, "slip", codebook=BOOK)
        assert sabir.translate(there, "slip", codebook=BOOK, allow_unknown=True).text == text


def test_explaining_an_own_anchor() -> None:
    """By its description, in Japanese beside its name; one that no codebook holds has its name alone."""
    own, unknown = sabir.decode(DEPLOY, codebook=BOOK), sabir.decode(DEPLOY, allow_unknown=True)
    assert sabir.explain(own) == "a to b: Concept 0: x"
    assert sabir.explain(own, "ja") == "a から b へ：RequestDeploy（標準にない概念：Concept 0）：x"
    assert sabir.explain(unknown, "ja") == "a から b へ：RequestDeploy（標準にない概念）：x"


# --- which codebook may be given -------------------------------------------------------------------------

CALLS: Final[dict[str, Callable[[Any], object]]] = {
    "decode": lambda book: sabir.decode("s4x9", codebook=book),
    "decode-slip": lambda book: sabir.decode(DEPLOY, "slip", codebook=book),
    "decode_all": lambda book: sabir.decode_all("s4x9", codebook=book),
    "decode_all-eap": lambda book: sabir.decode_all(">SEC:XSS #ctx4", "eap", codebook=book),
    "detect": lambda book: sabir.detect("s4x9", codebook=book),
    "from_json": lambda book: sabir.from_json("slip", {"src": "a", "dst": "b", "anchor": "MetaAck"}, codebook=book),
    "from_ir": lambda book: sabir.from_ir(sabir.to_ir(sabir.decode("s4x9")), "eap", codebook=book),
    "translate": lambda book: sabir.translate("s4x9", "eap", codebook=book),
    "extract": lambda book: sabir.extract("s4x9", codebook=book),
    "survey": lambda book: survey("s4x9", codebook=book),
    "stream": lambda book: Stream(codebook=book),
    "slip": lambda book: decode_slip("SLIP v1 a b MetaAck", codebook=book),
    "crossings": lambda book: [*crossings("s4x9", BY_NAME["ait"], codebook=book)],
    "report": lambda book: Report([], codebook=book),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_is_no_codebook_for_messages_is_refused(call: Callable[[Any], object]) -> None:
    """By every function alike, whether or not the message at hand has an anchor; the core itself is one."""
    foreign = Codebook("2.0.0", [Anchor(0x8000, "RequestDeploy", "Go", (3, 4, 0, 5))])
    for given_, reason in (
        (foreign, "its core is that of version '2.0.0', and messages are read with version 1.0.0"),
        (Codebook("2.0.0", []), "its core is that of version '2.0.0'"),
        ("book.json", "must be a Codebook, as Codebook.from_json makes one, not 'book.json'"),
        (BOOK.to_json(), "must be a Codebook"),
    ):
        with pytest.raises(sabir.EncodeError) as caught:
            call(given_)
        assert caught.value.path == "codebook"
        assert caught.value.reason.startswith(reason)
    call(BOOK)
    if call is not CALLS["decode-slip"]:
        call(core())
        call(None)


def test_the_core_as_a_codebook_is_no_codebook() -> None:
    """It adds nothing, and says what the core says."""
    for codebook in (None, core(), Codebook.from_json(core().to_json())):
        with pytest.raises(sabir.UnknownAnchor, match="did you mean RequestPlan"):
            sabir.decode(DEPLOY, codebook=codebook)


def test_formats_say_for_themselves_whether_they_have_a_codebook() -> None:
    """One capability of the registry: where a protocol has none, its format is the same under every codebook."""
    assert [format.name for format in FORMATS if format.with_codebook] == ["slip"]
    for format in FORMATS:
        bound = format.under(BOOK)
        assert (bound is format) == (format.name != "slip")
        assert bound.under(OTHER).under(BOOK) is bound
        assert bound.name == format.name
    for read in (BY_NAME["slip"].under(BOOK).decode, lambda text: BY_NAME["slip"].under(BOOK).decode_all(text)[0]):
        assert encode_slip(read(DEPLOY)) == DEPLOY


# --- in prose, in records, in logs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        DEPLOY,
        f"Sure! `{DEPLOY}` is what I send.",
        f"Message: {DEPLOY}\nDone.",
        "I send SLIP v1 a b RequestDeploy. Then I wait.",
        "SLIP v1 a\nb RequestDeploy x",
        "SLIP v3 a b Request Deploy x",
        f'{{"tool": "send", "payload": "{DEPLOY}"}}',
        '{"format": "slip", "message": {"src": "a", "dst": "b", "anchor": "RequestDeploy", "payload": ["x"]}}',
        "SLIP v1 a b RequestDeploy “x”",
    ],
)
def test_messages_in_prose(text: str) -> None:
    """The finder knows the codebook in every place; without it the piece is reported and not read."""
    (found,) = sabir.extract(text, codebook=BOOK)
    assert found.format == "slip"
    assert found.message.anchor is BOOK.by_mnemonic("RequestDeploy")
    assert not sabir.extract(text)
    stream = Stream(codebook=BOOK)
    pieces = [item for char in text for item in stream.feed(char)] + stream.close()
    assert [item.message for item in pieces] == [found.message]


@pytest.mark.parametrize("jobs", [1, 2])
def test_messages_in_a_log(jobs: int) -> None:
    """A report counts them where the codebook is given, in other processes too, and lists them as not read elsewhere."""
    from sabir.logs.entries import Entry

    texts = [DEPLOY, f"Sure: `{DEPLOY}`", "SLIP v1 a b MetaAck"]
    items = [Entry(text, "", "log", line, None, None) for line, text in enumerate(texts, 1)]
    assert gather(items, [], codebook=BOOK, jobs=jobs).formats == {"slip": 3}
    without = gather(items, [], jobs=jobs)
    assert without.formats == {"slip": 1}
    assert sum(without.unread.values()) == 2
    assert all('unknown anchor "RequestDeploy"' in reason for reason in without.unread)


def test_the_check_there_and_back() -> None:
    """With the codebook nothing changes and AIT alone refuses; without it, the text itself is refused."""
    outcomes = {item.target: item.outcome for item in crossings(DEPLOY, BY_NAME["slip"], codebook=BOOK)}
    assert outcomes == {**dict.fromkeys(OTHERS, "carried"), "slip": "native", "ait": "refused"}
    assert outcomes == {item.target: item.outcome for item in crossings(DEPLOY, BY_NAME["slip"], allow_unknown=True)}
    with pytest.raises(sabir.UnknownAnchor):
        [*crossings(DEPLOY, BY_NAME["slip"])]
