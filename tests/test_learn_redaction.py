"""What the log may not hold, and what it must keep."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import EncodeError
from sabir.jsontext import MAX_TEXT
from sabir.learn import redact
from sabir.learn.redaction import PATTERNS, normalised

# Made-up values in the shapes that the services document, put together here so that no scanner takes them for real ones.
_A = "abcDEF1234567890"
SECRETS = [
    ("mail alice.o@example.co.jp now", "mail [EMAIL] now"),
    ("<bob+tag@sub.example.org>, ok", "<[EMAIL]>, ok"),
    ("see alice%40example.com", "see [EMAIL]"),
    ("alice (at) example (dot) com", "[EMAIL]"),
    ("alice [AT] example.com", "[EMAIL]"),
    ("Ａｌｉｃｅ＠ｅｘａｍｐｌｅ．ｃｏｍ に送る", "[EMAIL] に送る"),
    ("連絡先はalice@example.jp。", "[EMAIL]。"),
    (f"use sk-proj-{_A} please", "use [KEY] please"),
    (f"s\u200bk-\u2060proj-{_A}", "[KEY]"),
    ("AKIA" + "IOSFODNN7EXAMPLE", "[KEY]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [SECRET]"),
    (f"gh{'p'}_{_A}{_A}", "[KEY]"),
    (f"github_pat_{_A}_{_A}", "[KEY]"),
    (f"glpat-{_A}", "[KEY]"),
    (f"xox{'b'}-1234-{_A}", "[KEY]"),
    (f"sk{'_live_'}{_A}", "[KEY]"),
    (f"AIza{_A}{_A}", "[KEY]"),
    (f"hf_{_A}", "[KEY]"),
    (f"123456789:{_A}{_A}", "[KEY]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[TOKEN]"),
    ("Bearer 8d1f-22", "Bearer 8d1f-22"),
    ("Bearer 8d1f22a9", "Bearer [TOKEN]"),
    ("curl -H 'Authorization: Token abc' x", "curl -H 'Authorization: [TOKEN]' x"),
    ('{"Authorization": "Basic eA==", "x": 1}', '{"Authorization": [TOKEN]", "x": 1}'),
    ("DB_PASSWORD='hunter two' run", "DB_PASSWORD=[SECRET] run"),
    ('{"password": "a\\"b", "x": 1}', '{"password": [SECRET], "x": 1}'),
    ('password="unclosed and more', "password=[SECRET] and more"),
    ("client-secret: s3cr3t; next", "client-secret: [SECRET]; next"),
    ("the password is hunter2 today", "the password is [SECRET] today"),
    ("token: abc", "token: [SECRET]"),
    ("パスワードはhunter2です", "パスワードは[SECRET]です"),
    ("run --token abc --all", "run --token [SECRET] --all"),
    ("curl -u bob:pw https://x", "curl -u [SECRET] https://x"),
    ("https://x/y?sig=aGk%3D&n=1", "https://x/y?sig=[SECRET]&n=1"),
    ("postgres://bob:s3/cr@t@db:5432/x", "postgres://[CREDENTIALS]@db:5432/x"),
    ("https://token@example/x", "https://[CREDENTIALS]@example/x"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- after", "[KEY] after"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "[KEY]"),
    ("commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904", "commit [KEY]"),
    ("id 550e8400-e29b-41d4-a716-446655440000", "id [KEY]"),
    ("raw Xk9fQ2mZ7pLw3RtV8sBd then", "raw [KEY] then"),
    ("raw 1x2y3z4q5w6e7r8t9y0u then", "raw [KEY] then"),
    ("raw Xk9fQ2mZ7p/w3RtV8sBd+Jh5GcN1yWq4zTx6Km== then", "raw [KEY] then"),
]


@pytest.mark.parametrize(("text", "stored"), SECRETS)
def test_secrets_are_replaced_by_their_kind(text: str, stored: str) -> None:
    """Each kind of secret goes, in its usual places and disguises, and what stands around it stays."""
    assert redact(text).text == stored


KEPT = [
    "https://host:8080/@user",
    "react@18.2.0 and @dataclass",
    "tokens: 1200, max_tokens=4096",
    "basic functionality works, bearer of news",
    "feature/JIRA-1234-Add-OAuth2-Login-For-Admin-Users",
    "src/components/Button2/RequestReviewOfAuthModule2.tsx",
    "RequestReviewOfAuthModule2WithPartials",
    "authentication_service_configuration_file",
    "20241130103000123456 is a number",
    f"{'x' * 40} and {'xy1' * 20} and {'-=' * 30}",
    "本番DBのパスワードを変えてください",
    "SLIP v1 planner executor RequestReview auth_module",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_secret_stays(text: str) -> None:
    """Names, paths, counts and prose about secrets are kept to the letter."""
    assert redact(text).text == text
    assert redact(text).found == {}


def test_found_counts_each_kind() -> None:
    """The kinds that were replaced are counted, not what they were."""
    assert redact("a@example.com, b@example.com, password=x").found == {"EMAIL": 2, "SECRET": 1}


def test_text_drawn_by_lot_is_found() -> None:
    """Of 1,000 unlabelled random keys of 32 letters and digits, no more than one in ten slips through."""
    lot = random.Random(7)  # noqa: S311  # the same keys every time
    keys = ["".join(lot.choices(string.ascii_letters + string.digits, k=32)) for _ in range(1000)]
    assert sum(redact(f"use {key} here").text != "use [KEY] here" for key in keys) <= 100


def test_normal_form() -> None:
    """Text is stored in NFKC with LF and without what cannot be seen; half a character is refused."""
    assert normalised("\ufeff a\r\nb\u2028c\x00\u202e ｄ ") == "a\nb\nc d"
    with pytest.raises(EncodeError, match="lone surrogate"):
        redact("\ud83d")
    with pytest.raises(EncodeError, match="longer than"):
        redact("a" * (MAX_TEXT + 1))


_FRAGMENTS = [text for text, _ in SECRETS] + KEPT + ["=", ":", "password", "token=", "@", "://", '"', "'", "\\", " ", "\n", "[EMAIL]", "Bearer "]


@given(st.lists(st.one_of(st.sampled_from(_FRAGMENTS), st.text(max_size=8)), max_size=6).map("".join))
def test_redaction_is_stable(text: str) -> None:
    """Whatever is put together, what was redacted once holds nothing more to redact but what its marks joined."""
    once = redact(text)
    assert redact(once.text).text.count("[") <= once.text.count("[") + 1
    assert "alice.o@example.co.jp" not in once.text


@given(st.text(string.ascii_lowercase, min_size=1, max_size=12), st.sampled_from(["", " ", ",", "(", '"', "<", "は"]), st.text(max_size=20))
def test_addresses_never_survive(name: str, before: str, after: str) -> None:
    """An address goes wherever it stands, whatever stands around it."""
    assert f"{name}@example.com" not in redact(f"{before}{name}@example.com {after}").text


UNITS = ["a@", "a.", "eyJa.", "sk-", 'password="', "a://b:", "bearer ", "a@a.", "x (at) ", "a%40", "aA1", "-u a", '\\"', "-----BEGIN PRIVATE KEY-----", "token "]


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear(unit: str) -> None:
    """A hundred thousand characters of what starts a pattern over and over take seconds at most; squares would take hours."""
    text = unit * (100_000 // len(unit))
    start = time.perf_counter()
    redact(text)
    assert time.perf_counter() - start < 10


def test_every_pattern_is_used() -> None:
    """No pattern stands in the table for nothing: each replaces something in the cases above."""
    for pattern in PATTERNS:
        group = "secret" if "secret" in pattern.expression.groupindex else 0
        texts = [normalised(text) for text, _ in SECRETS]
        hits = [match[group] for text in texts for match in pattern.expression.finditer(text)]
        assert any(pattern.accept(hit) for hit in hits if hit), pattern
