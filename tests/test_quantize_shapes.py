"""What fitted mode sees of a sentence's build."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.quantize.shapes import shapes

if TYPE_CHECKING:
    from collections.abc import Collection


def kind(found: Collection[str], mark: str) -> set[str]:
    """Shapes of one mark, without it."""
    return {shape.removeprefix(mark) for shape in found if shape.startswith(mark)}


def test_all_shapes_of_a_short_text() -> None:
    """Worked out by hand: "we" and "the" are function words, "tested" and "build" are content words."""
    assert shapes("We tested the build") == {
        *("@#1", "@$build"),
        *("@1we", "@1tested", "@1the", "@1build"),
        *("@&< we", "@&we _ed", "@&_ed the", "@&the _", "@&_ >"),
        *("@&< we _ed", "@&we _ed the", "@&_ed the _", "@&the _ >"),
        *("@_< we", "@_we _", "@__ the", "@_the _", "@__ >"),
        *("@_< we _", "@_we _ the", "@__ the _", "@_the _ >"),
    }


def test_clauses() -> None:
    """Marks and dashes part clauses; later ones have heads; their number stops at four."""
    found = shapes("Blocked - the key expired, can you renew it?")
    assert kind(found, "@1") == {"blocked"}
    assert kind(found, "@2") >= {"the", "key", "expired", "can", "you", "renew", "it"}
    assert kind(found, "@2^") == {"the", "the key", "can", "can you"}
    assert {"@#3", "@$?"} <= found
    assert "@#4" in shapes("one; two; three; four; five; six")
    assert kind(shapes("Red – blue—green"), "@2^") == {"blue", "green"}
    assert kind(shapes("a well-known v1.2 file.txt"), "@2") == set()


@pytest.mark.parametrize(
    ("text", "endings"),
    [
        ("running", "< _ing >"),
        ("deployed", "< _ed >"),
        ("migration", "< _tion >"),
        ("quickly", "< _ly >"),
        ("servers", "< _s >"),
        ("disk", "< _ >"),
        ("97.5", "< 0 >"),
        ("the", "< the >"),
        ("can't", "can not >"),
    ],
)
def test_endings(text: str, endings: str) -> None:
    """Function words, numbers and marks stay; of a content word only its ending does."""
    assert endings in kind(shapes(text), "@&")


def test_frames() -> None:
    """A run of content words is one blank, however long."""
    short, long = shapes("Please check disk usage"), shapes("Please check primary database server disk usage today")
    assert kind(short, "@_") == kind(long, "@_") == {"< please", "please _", "_ >", "< please _", "please _ >"}


@pytest.mark.parametrize("text", ["", "...", "-- !", "サーバーの CPU を確認してください", "日本語"])
def test_texts_without_words(text: str) -> None:
    """Marks alone have a number of clauses and an end; a text with Japanese has no shapes."""
    found = shapes(text)
    assert found == set() or kind(found, "@1") == kind(found, "@2") == set()


@given(st.text(st.sampled_from("ab the not is .,;:?!-–—'0１éあ\n")))
def test_every_shape_has_its_mark(text: str) -> None:
    """No shape is taken for a word or a piece, whatever the text."""
    assert all(shape.startswith("@") and len(shape) > 1 for shape in shapes(text))
