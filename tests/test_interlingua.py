"""The shared pair of functions, on a kind of message made for the test: small enough to see every way through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import interlingua
from sabir.errors import DecodeError, EncodeError, TranslationError
from sabir.kinds import Format, Kind
from sabir.silp.canonical import canonical_text, equivalent
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import write_code
from sabir.silp.ir import SilpIR, entity, root
from strategies.silp import silp_irs


@dataclass(frozen=True)
class Note:
    """A verb and words; a word may be anything."""

    verb: str
    words: tuple[str, ...]


def _write(note: Note) -> str:
    return repr((note.verb, *note.words))


def _read(text: str) -> Note:
    if not re.fullmatch(r"\((?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|, ?|\s)*\)", text, re.DOTALL):
        raise DecodeError("no note", text)
    parts: tuple[str, ...] = eval(text)  # noqa: S307  # a tuple of string literals, by the pattern above
    return Note(parts[0], parts[1:])


def _hear(note: Note) -> SilpIR | None:
    if note.verb == "deaf":
        return None
    intent = f"!{note.verb.upper()}"
    if not re.fullmatch(r"![A-Z][A-Z_]*", intent):
        return None
    return root(intent, [entity("act", word, intent) for word in note.words], [], [])


def _say(ir: SilpIR) -> Note | None:
    if ir.constraints or ir.alternatives or any(item.id != "act" for item in ir.entities):
        return None
    if any(item.value == "forbidden" for item in ir.entities):
        raise EncodeError("a word that this kind's constructor refuses", "words")
    return Note(ir.intent[1:].lower(), tuple(item.value for item in ir.entities))


def _put(ir: SilpIR) -> Note:
    return Note("carry", (write_code(ir),))


def _take(note: Note) -> SilpIR | None:
    if note.verb != "carry" or len(note.words) != 1:
        return None
    try:
        return read_code(note.words[0])
    except DecodeError:
        return None


def _head(note: Note) -> SilpIR:
    return root("!NOTE", [], [], [])


def _nothing(*_: Any) -> Any:
    raise AssertionError


NOTES: Kind[Note] = Kind(
    name="note", message_type=Note, write=_write, read=_read, to_json=_nothing, from_json=_nothing,
    hear=_hear, say=_say, put=_put, take=_take, head=_head, explain=_nothing,
)  # fmt: skip
MUTE: Kind[Note] = Kind(
    name="mute", message_type=Note, write=_write, read=_read, to_json=_nothing, from_json=_nothing,
    hear=_hear, say=_say, put=None, take=lambda _: None, head=_head, explain=_nothing,
    why_not=lambda ir: f"no word for {ir.intent}",
)  # fmt: skip

_words = st.sampled_from(
    [
        "",
        "a",
        "forbidden",
        "start()",
        "start(x)",
        'go(k=v) # {"meta":{"x":1}}',
        "carry(go)",
        'note() # {"meta":{"note":{"wire":"(\'deaf\', \'a\')"}}}',
        'note() # {"meta":{"note":{"wire":"(\'go\', \'a\')"}}}',
        'note() # {"meta":{"note":{"wire":"junk"}}}',
        'note() # {"meta":{"note":{"wire":1}}}',
        'note() # {"meta":{"note":"(\'deaf\',)"}}',
    ]
) | st.text(alphabet=st.characters(exclude_categories=["Cs"]))
notes = st.builds(
    Note, st.sampled_from(["go", "carry", "deaf", "Go", "a1", "note"]), st.lists(_words, max_size=3).map(tuple)
)


@given(notes)
def test_every_message_comes_back_from_its_ir(note: Note) -> None:
    """M -> IR -> M is the identity, forgeries of carried content included."""
    ir, _ = interlingua.to_ir(note, NOTES)
    assert interlingua.from_ir(ir, NOTES)[0] == note


@given(silp_irs())
def test_every_ir_comes_back_from_a_message(ir: SilpIR) -> None:
    """IR -> M -> IR is an equivalence for every valid IR."""
    note, _ = interlingua.from_ir(ir, NOTES)
    assert equivalent(interlingua.to_ir(note, NOTES)[0], ir)


@given(notes)
def test_messages_that_hold_sealed_messages_come_back(note: Note) -> None:
    """Sealing and carrying in turns loses nothing."""
    for _ in range(3):
        ir, _ = interlingua.to_ir(note, NOTES)
        carrier = Note("carry", (write_code(ir),))
        again, _ = interlingua.to_ir(carrier, NOTES)
        assert interlingua.from_ir(again, NOTES)[0] == carrier
        note = carrier


def test_the_three_ways_of_a_message() -> None:
    """Native where both say it, taken where it is carried, sealed where nothing else leads back."""
    ir, route = interlingua.to_ir(Note("go", ("x",)), NOTES)
    assert (write_code(ir), route) == ("go(x)", "native")
    ir, route = interlingua.to_ir(Note("carry", ("go(k=v)",)), NOTES)
    assert (write_code(ir), route) == ("go(k=v)", "carried")
    ir, route = interlingua.to_ir(Note("deaf", ("x",)), NOTES)
    assert (write_code(ir), route) == ('note() # {"meta":{"note":{"wire":"(\'deaf\', \'x\')"}}}', "sealed")
    ir, route = interlingua.to_ir(Note("Go", ()), NOTES)
    assert route == "sealed", "saying what was heard gives 'go', so it was not heard in full"


def test_a_forged_carrier_is_plain_data() -> None:
    """What could have been said natively is never taken for carried content."""
    ir, route = interlingua.to_ir(Note("carry", ("go(x)",)), NOTES)
    assert (canonical_text(ir), route) == ('{"entities":[{"id":"act","value":"go(x)"}],"intent":"!CARRY"}', "native")


def test_a_forged_seal_is_carried_as_it_is() -> None:
    """A seal that this library would not have set is content like any other."""
    forged = read_code('note() # {"meta":{"note":{"wire":"(\'go\', \'x\')"}}}')
    note, route = interlingua.from_ir(forged, NOTES)
    assert route == "carried"
    assert note.verb == "carry"
    assert equivalent(interlingua.to_ir(note, NOTES)[0], forged)


def test_the_request_id_is_of_the_message_s_own_text() -> None:
    """to_ir derives req_id from the canonical text of the message: sha256("('go', 'x')")."""
    assert interlingua.to_ir(Note("go", ("x",)), NOTES)[0].meta.req_id == "c57cf401"


def test_a_kind_without_a_free_form_place_refuses_with_its_reason() -> None:
    """Nothing is cut to fit."""
    with pytest.raises(TranslationError, match="mute cannot hold this message: no word for !GO"):
        interlingua.from_ir(read_code("go(k=v)"), MUTE)
    assert interlingua.from_ir(read_code("go(x)"), MUTE)[0] == Note("go", ("x",))


def test_an_ir_is_its_own_message() -> None:
    """SILP needs no crossing."""
    from sabir.silp import SILP

    ir = read_code("go(x)")
    assert interlingua.to_ir(ir, SILP) == (ir, "same")
    assert interlingua.from_ir(ir, SILP) == (ir, "same")


def test_a_format_without_a_reader_says_so() -> None:
    """Forms that only compile answer with SILP's code unsupported_frontend."""
    mute = Format("mute", "a test", MUTE, re.compile(""), None, _write, "")
    with pytest.raises(DecodeError) as caught:
        mute.decode("x")
    assert (caught.value.code, caught.value.format, mute.lossless) == ("unsupported_frontend", "mute", False)
