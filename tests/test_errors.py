from __future__ import annotations

import pickle

import pytest

from sabir.errors import DecodeError, EncodeError, TranslationError, UnknownAnchor, printable


def test_caret_stands_under_the_span() -> None:
    """The printed error shows the line at fault with carets under the span."""
    error = DecodeError("what is this?", "one two three", (4, 7), format="slip")
    assert str(error) == "slip: what is this?\n  one two three\n      ^^^"


def test_line_and_column_count_from_one_and_only_lf_ends_a_line() -> None:
    """U+2028 ends no line; LF does."""
    error = DecodeError("bad", "a\u2028b\ncd", (5, 6))
    assert (error.line, error.column) == (2, 2)
    assert str(error).splitlines()[1] == "  cd"


def test_wide_and_combining_characters_keep_the_caret_in_its_column() -> None:
    """A wide character takes two columns, a combining mark none."""
    error = DecodeError("bad", "北e\u0301x", (3, 4))
    assert str(error).splitlines()[2] == "     ^"


def test_long_lines_are_cut_to_a_window() -> None:
    """A fault in a long line is shown with its surroundings only, and the carets stay inside them."""
    error = DecodeError("bad", "a" * 500 + "X" * 500, (500, 1000))
    shown, carets = str(error).splitlines()[1:]
    assert len(shown) < 90
    assert shown.startswith("  …")
    assert shown.endswith("…")
    assert carets.strip() == "^" * (shown.count("X"))


@pytest.mark.parametrize("text", ["\ud83d", "a\x00\x1b[31m", "\u202eabc", "\u200b"])
def test_printing_never_fails_and_shows_what_is_invisible(text: str) -> None:
    """Lone surrogates, controls and invisible characters are printed as escapes."""
    shown = str(DecodeError(f"bad {text}", text, (0, 1), format="x"))
    shown.encode()
    assert "\\u" in shown
    for char in text:
        assert char.isprintable() == (char in shown)


def test_errors_cross_process_borders_whole() -> None:
    """A pickled error keeps its class, span and text."""
    error = UnknownAnchor("unknown anchor", "SLIP v1 a b Foo", (12, 15), format="slip", code="decode_failed")
    error.closest = ("Fallback",)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert type(again) is UnknownAnchor
    assert (str(again), again.span, again.closest, again.code) == (str(error), (12, 15), ("Fallback",), "decode_failed")


def test_moved_error_points_into_the_longer_text() -> None:
    """An error in one line of a text is given with its place in the whole text."""
    error = DecodeError("bad", "cd", (1, 2)).moved("ab\ncd", 3)
    assert (error.span, error.line, error.column) == ((4, 5), 2, 2)


def test_paths_and_reasons_are_printed_plainly() -> None:
    """Encode errors begin with their path; translation errors are their reason."""
    assert str(EncodeError("must be text", "data.a")) == "data.a: must be text"
    assert str(EncodeError("must be text")) == "must be text"
    assert str(TranslationError("no place for \u200b")) == "no place for \\u200b"
    assert printable("a b é 北") == "a b é 北"
