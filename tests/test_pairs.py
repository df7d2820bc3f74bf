"""Losslessness: every format by itself, and every ordered pair of formats."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sabir
from sabir.crossing import same
from sabir.registry import FORMATS, READABLE
from strategies import MESSAGES

PAIRS = [(a.name, b.name) for a in READABLE for b in READABLE if a is not b]


def test_every_kind_has_a_strategy() -> None:
    """No kind of message escapes the properties below."""
    assert set(MESSAGES) == {format.kind.name for format in FORMATS}


@pytest.mark.parametrize("name", [format.name for format in READABLE])
@given(data=st.data())
def test_what_is_encoded_decodes_to_the_same_message(name: str, data: st.DataObject) -> None:
    """decode(encode(m)) == m for every message, and encoding that again gives the same text."""
    message = data.draw(MESSAGES[_kind(name)])
    text = sabir.encode(message, name)
    again = sabir.decode(text, name, allow_unknown=True)
    assert same(again, message)
    assert sabir.encode(again, name) == text


@pytest.mark.parametrize("name", [format.name for format in READABLE])
@given(data=st.data())
def test_the_json_form_gives_the_same_message(name: str, data: st.DataObject) -> None:
    """from_json(to_json(m)) == m, through JSON text as well."""
    message = data.draw(MESSAGES[_kind(name)].filter(_in_codebook))
    from sabir.jsontext import dumps, loads

    form = sabir.to_json(message)
    assert same(sabir.from_json(name, form), message)
    assert same(sabir.from_json(name, loads(dumps(form))), message)


@pytest.mark.parametrize(("a", "b"), PAIRS)
@settings(max_examples=max(50, settings().max_examples // 4))
@given(data=st.data())
def test_there_and_back_gives_the_same_message(a: str, b: str, data: st.DataObject) -> None:
    """A -> B -> A is the identity, as texts; a target that cannot hold the message refuses and says why."""
    message = data.draw(MESSAGES[_kind(a)].filter(_in_codebook))
    try:
        there = sabir.translate(message, b, a)
    except sabir.TranslationError as error:
        assert b == "ait"
        assert "cannot hold this message: " in str(error)
        return
    assert there.lossless
    back = sabir.translate(there.text, a, b)
    assert same(sabir.decode(back.text, a), message)


@pytest.mark.parametrize("name", [format.name for format in READABLE])
@given(data=st.data())
def test_detection_finds_the_format(name: str, data: st.DataObject) -> None:
    """What a format writes is read by that format alone."""
    message = data.draw(MESSAGES[_kind(name)].filter(_in_codebook))
    assert sabir.detect(sabir.encode(message, name)) == name


@pytest.mark.parametrize("kind", list(MESSAGES))
@given(data=st.data())
def test_every_message_can_be_explained_in_one_line(kind: str, data: st.DataObject) -> None:
    """The line for a person is one line in both languages, whatever the message holds."""
    message = data.draw(MESSAGES[kind])
    for lang in ("en", "ja"):
        line = sabir.explain(message, lang)
        assert line.strip()
        assert "\n" not in line
        assert "\r" not in line


def _kind(name: str) -> str:
    return next(format.kind.name for format in READABLE if format.name == name)


def _in_codebook(message: Any) -> bool:
    """Without SLIP messages whose anchor only allow_unknown keeps."""
    return not isinstance(message, sabir.SlipMessage) or message.anchor.index >= 0
