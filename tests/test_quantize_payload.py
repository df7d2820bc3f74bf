"""What travels as payload beside an anchor."""

from __future__ import annotations

import pytest

from sabir.errors import EncodeError
from sabir.quantize.payload import Form, payload_of

SHORT = [
    ("Please review the authentication code for security", "RequestReview", "authentication|code|security"),
    ("We're blocked on the DB migration (ticket OPS-12)", "InformBlocked", "DB|migration|ticket|OPS-12"),
    ('Set "dark mode" in /etc/ui.toml to 12.5%.', "RequestTask", "Set|dark mode|/etc/ui.toml|12.5%"),
    ("Redis is down; Tanaka can't fix it", "InformBlocked", "Redis|down|Tanaka|can't|fix"),
    ("Call foo(a, b) with --force if x > 5", "RequestTask", "Call|foo(a|b|--force|x|>|5"),
    ("Do not deploy build v2.4.1 at 3:30", "RequestTask", "not|deploy|build|v2.4.1|3:30"),
    ("auth.pyのレビューをお願いします", "RequestReview", "auth.py"),
    ("本番DBの「夜間 バッチ」が3件終わりません", "InformBlocked", "本番|DB|夜間 バッチ|3件|終わりません"),
    ("発注書を取り消してください。りんご", "RequestCancel", "発注書|りんご"),
    ("DBサーバーを3台", "RequestResource", "DBサーバー|3台"),
    ("—", "MetaAck", ""),
]


@pytest.mark.parametrize(("text", "anchor", "kept"), SHORT)
def test_short_form(text: str, anchor: str, kept: str) -> None:
    """The short form drops grammar, punctuation and what the anchor says, and nothing else."""
    assert "|".join(payload_of(text, anchor)) == kept


FACTS = [
    ("Please ask Mueller about order 4711 and 'blue ink'", "Mueller|4711|blue ink"),
    ("Please review the code", ""),
    ("Kyoto confirmed. I'm glad.", "Kyoto"),
    ("発注番号A-17を確認してください", "A-17"),
    ("単価は３００円です", "３００円"),
]


@pytest.mark.parametrize(("text", "kept"), FACTS)
def test_facts_form(text: str, kept: str) -> None:
    """The form of facts holds identifiers, numbers, quotations and names alone."""
    assert "|".join(payload_of(text, "RequestReview", "facts")) == kept


def test_other_forms() -> None:
    """The full form is the text as one token, the empty form nothing, and another form is refused."""
    assert payload_of(" Please review a b ", "RequestReview", "full") == ("Please review a b",)
    assert payload_of("  ", "RequestReview", "full") == ()
    assert payload_of("Please review a b", "RequestReview", "none") == ()
    wrong: Form = "brief"  # type: ignore[assignment]  # the fault under test
    with pytest.raises(EncodeError, match="short, facts, full, none"):
        payload_of("x", "Accept", wrong)
