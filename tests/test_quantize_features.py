"""What the quantizer's models look at in a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.quantize.features import Cues, phrases, pieces, plain, table, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I can't, we won't, they don't.", "i can not we will not they do not"),
        ("We’re sure it's 3.5%, isn't it?", "we are sure it 's 0 % is not it ?"),
        ("Set 'dark mode' in config_v2", "set dark mode in config v 0"),
        ("", ""),
    ],
)
def test_words(text: str, found: str) -> None:
    """Contractions are taken apart, numbers are one word, quotation marks are none."""
    assert " ".join(words(plain(text))) == found


APART = {
    "can't": "can not", "won't": "will not", "n't": " not", "'re": " are", "'ll": " will", "'ve": " have",
    "'m": " am", "'d": " would",
}  # fmt: skip


@given(st.text(st.sampled_from("acnotwsldmre019'’.,:;/-?!% SCｎ１あ\n\x00é")))
def test_words_are_what_their_rules_say(text: str) -> None:
    """The rules, one regular expression each: a contraction, then a word, a number, a mark or 's."""
    text = plain(text)
    apart = re.sub(
        "(?<![a-z])(?:can|won)'t(?![a-z])|(?<=[a-z])(?:n't|'(?:re|ll|ve|m|d))(?![a-z])",
        lambda match: APART[match[0]],
        text,
    )
    found = re.findall("[a-z]+|[0-9]+(?:[.,:/-][0-9]+)*|[?!:;%]|'s(?![a-z])", apart)
    assert words(text) == ["0" if word[0].isdigit() else word for word in found]


def test_phrases_of_a_short_text() -> None:
    """Words, pairs, heads of one to three words, and the last word."""
    found = phrases("zorb blax 7")
    assert found == {"zorb", "blax", "0", "zorb blax", "blax 0", "^zorb", "^zorb blax", "^zorb blax 0", "$0"}
    assert phrases("...") == set()


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("it is on hold", "on hold"),
        ("I am not sure which to take", "not sure which"),
        ("we cannot go, we can not even start until noon", "can not~until"),
        ("I would like to leave early if that is fine", "i would like to~if"),
        ("Send it on Monday or at the latest Tuesday", "at the latest"),
        ("at the door, or at the latest at the", "at the latest"),
    ],
)
def test_cues(text: str, cue: str) -> None:
    """A phrase of up to four words of the table is found, and two phrases of one cue with a gap between them."""
    assert cue in table().anchors
    assert cue in phrases(text)


def test_cues_in_two_parts() -> None:
    """The second part ends within six words after the first; parts may have several words."""
    assert "please~plan" in phrases("please make us a good plan")
    assert "please~plan" not in phrases("please make us a very very good plan")


def test_japanese() -> None:
    """Up to three characters between the ends of a run, and longer cues whole."""
    found = phrases("認識を合わせ")
    assert {"^認識", "認識を", "わせ$", "認識を合わせ"} <= found
    assert "認識を合" not in found


def test_pieces() -> None:
    """Three to five letters of each word between blanks, and the word without its ending."""
    assert pieces("sending 3") == {
        "=send",
        *("# se", "#sen", "#end", "#ndi", "#din", "#ing", "#ng "),
        *("# sen", "#send", "#endi", "#ndin", "#ding", "#ing "),
        *("# send", "#sendi", "#endin", "#nding", "#ding "),
    }
    assert pieces("buses") >= {"=bus"}
    assert pieces("3 ?") == set()


def test_table_of_cues() -> None:
    """Alternatives are spelt out; a gap makes a trigger; a cue may speak for several anchors."""
    cues = Cues(
        {
            "Accept": {"en": ["^yes|sure we can", "i|we will take .. into account"], "ja": ["はい"]},
            "Reject": {"en": ["sure"], "ja": ["はい"]},
        }
    )
    assert cues.anchors == {
        "^sure we can": ("Accept",),
        "^yes we can": ("Accept",),
        "i will take~into account": ("Accept",),
        "sure": ("Reject",),
        "we will take~into account": ("Accept",),
        "はい": ("Accept", "Reject"),
    }
    assert cues.triggers == {"i will take": {"into account"}, "we will take": {"into account"}}
    assert cues.opens["i will"] == {"take"}
    assert cues.after["i will"] == (None, {"take"})
    assert "^sure we" not in cues.after


def test_every_cue_can_be_found() -> None:
    """A cue at the head of a text has three words at most and one part; no other has more than four words in a part."""
    for cue in [cue for cue in table().anchors if cue.isascii()]:
        first, _, second = cue.partition("~")
        if first.startswith("^"):
            assert second == ""
            assert len(first.split(" ")) <= 3
        assert len(first.split(" ")) <= 4
        assert len(second.split(" ")) <= 2
