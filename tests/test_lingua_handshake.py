from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError, SecurityError
from sabir.lingua.handshake import (
    LEVELS,
    PSK,
    SUITES,
    X25519,
    Accept,
    Capabilities,
    End,
    Learning,
    Offer,
    Query,
    Reject,
    Step,
    confirm,
    key_bytes,
    negotiate,
    read,
)
from sabir.lingua.message import LinguaMessage, Signature
from sabir.lingua.wire import decode
from sabir.lingua.write import encode

_any: Any = None
SPEC = "https://clawhub.ai/xiwan/agent-linguo"
SIGNATURE = "\n--👽lingua/0.4@agent-lingua"
DER = "302a300506032b656e032100"


def key(number: int) -> str:
    """A public key in base64: 32 times the same byte."""
    return base64.b64encode(bytes([number]) * 32).decode()


MY_KEY, THEIR_KEY = key(1), key(2)
HINT = "sha256:8a7b3c"
MINE = Offer(("1", "7", "A"), ("E", "B"), (X25519,), MY_KEY)
THEIRS = Offer(("7", "1", "2"), ("P", "B", "E"), (PSK, X25519), THEIR_KEY, HINT)
ENCRYPTED = Accept("0.4.0", ("1", "7"), "E", X25519, MY_KEY, "s123456", "SHA256:8a7b")


def of_json(head: str, content: str) -> LinguaMessage:
    """Message of a wire text with a JSON payload, made without the code under test."""
    return decode(f"{head}|$j:{base64.b64encode(content.encode()).decode()}")


def json_of(message: LinguaMessage) -> tuple[str, dict[str, Any]]:
    """Head of a message's text, and the JSON behind it, read without the code under test."""
    head, rest = encode(message).split("|$j:")
    return head, json.loads(base64.b64decode(rest.split("\n")[0]))


# --- the messages ----------------------------------------------------------------------------------------


def test_an_offer_is_written_as_the_document_has_it() -> None:
    """Domain 0, action 9, JSON and the signature; crypto and key with level E alone."""
    text = encode(Offer(("1", "7", "A"), ("P", "B"), spec="clawhub.ai/xiwan/agent-linguo").message())
    content = (
        '{"protocol":"agent-lingua","version":"0.4.0","spec":"clawhub.ai/xiwan/agent-linguo",'
        '"capabilities":["1","7","A"],"security":["P","B"]}'
    )
    assert text == f"👽09|$j:{base64.b64encode(content.encode()).decode()}{SIGNATURE}"
    assert json_of(THEIRS.message(None, target="agent-b")) == (
        "👽09|@agent-b",
        {
            "protocol": "agent-lingua",
            "version": "0.4.0",
            "spec": SPEC,
            "capabilities": ["7", "1", "2"],
            "security": ["P", "B", "E"],
            "crypto": ["PSK+AES-GCM", "X25519+AES-GCM"],
            "pubkey": THEIR_KEY,
            "pskHint": HINT,
        },
    )


@pytest.mark.parametrize(
    ("step", "head", "content"),
    [
        (
            Accept("0.4.0", ("1", "7"), "B"),
            "^0",
            {"accepted": True, "version": "0.4.0", "capabilities": ["1", "7"], "security": "B"},
        ),
        (
            ENCRYPTED,
            "^0",
            {
                "accepted": True,
                "version": "0.4.0",
                "capabilities": ["1", "7"],
                "security": "E",
                "crypto": "X25519+AES-GCM",
                "pubkey": MY_KEY,
                "session": "s123456",
                "fingerprint": "SHA256:8a7b",
            },
        ),
        (Learning(), "^2", {"accepted": False, "learning": True}),
        (Reject("encryption required"), "^A", {"reason": "encryption required"}),
        (
            Capabilities(("1", "7", "A"), ("P", "B"), "0.4.0"),
            "^0",
            {"capabilities": ["1", "7", "A"], "security": ["P", "B"], "version": "0.4.0"},
        ),
    ],
)
def test_answers_are_written_as_the_document_has_them(step: Any, head: str, content: dict[str, Any]) -> None:
    """Status and JSON, keys in the document's order, nothing that says nothing."""
    found = json_of(step.message())
    assert found == (head, content)
    assert [*found[1]] == [*content]
    assert encode(step.message()).endswith(SIGNATURE)


def test_a_query_and_an_end_are_bare_requests() -> None:
    """They have no payload; the signature may be left out or be another."""
    assert encode(Query("agent-b").message(None)) == "👽06|@agent-b"
    assert encode(End("s123456").message()) == f"👽08|#s123456{SIGNATURE}"
    assert encode(End("s1").message(Signature("0.4", "me"))) == "👽08|#s1\n--👽lingua/0.4@me"


def some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    """Some of these, in any order."""
    return st.lists(st.sampled_from(values), unique=True).map(tuple)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
domains = some(tuple("0123456789ABCDEF"))
levels = some(LEVELS)
versions = st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){0,2}", fullmatch=True)
hints = st.from_regex(r"sha256:[0-9a-f]{4,8}", fullmatch=True)
sessions = st.from_regex(r"[a-z0-9#@;é]{1,8}", fullmatch=True).filter(lambda text: ";;" not in text and text[-1] != ";")
maybe_hints = st.one_of(st.none(), st.sampled_from([HINT, "sha256:8a7b", "sha256:ffff"]))
offers = st.builds(
    Offer,
    domains,
    levels,
    some(SUITES),
    st.one_of(st.none(), st.sampled_from([key(3), key(4)])),
    maybe_hints,
    st.sampled_from(["0.4.0", "0.4", "0.3.9", "1"]),
)
complete = offers.filter(
    lambda offer: (
        ("E" not in offer.security or bool(offer.crypto))
        and (X25519 not in offer.crypto or offer.pubkey is not None)
        and (PSK not in offer.crypto or offer.psk_hint is not None)
    )
)
accepts = st.one_of(
    st.builds(
        Accept,
        versions,
        domains,
        st.sampled_from("BP"),
        session=st.one_of(st.none(), sessions),
        note=st.one_of(st.none(), texts),
    ),
    st.builds(
        Accept,
        versions,
        domains,
        st.just("E"),
        st.just(X25519),
        st.just(key(5)),
        sessions,
        st.sampled_from([None, "SHA256:8a7b"]),
    ),
    st.builds(Accept, versions, domains, st.just("E"), st.just(PSK), session=sessions),
)
steps = st.one_of(
    complete,
    accepts,
    st.just(Learning()),
    st.builds(Reject, texts),
    st.builds(Query, sessions),
    st.builds(Capabilities, domains, levels, st.one_of(st.none(), versions), some(SUITES)),
    st.builds(End, sessions),
)


@given(steps, st.sampled_from([None, Signature()]))
def test_every_step_survives_its_text(step: Step, signature: Signature | None) -> None:
    """Written, sent, decoded and read, it is the same."""
    message = decode(encode(step.message(signature)))
    assert message == step.message(signature)
    assert read(message) == step


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("👽06|@agent-b", Query("agent-b")),
        ("?👽061|@agent-b", Query("agent-b")),
        ("👽08|#s1", End("s1")),
        ("^A", Reject("")),
        ("^A|$bm8=", Reject("no")),
        ("^A|$r:no%7C", Reject("no|")),
        ("^A|$e:AAAA:AAAA", Reject("")),
    ],
)
def test_steps_are_read_from_plain_texts(text: str, step: Step) -> None:
    """A rejection is one whatever it says; prefix and modifier change nothing."""
    assert read(decode(text)) == step


@pytest.mark.parametrize(
    ("head", "content", "step"),
    [
        (
            "👽09",
            '{"protocol":"agent-lingua","version":"0.5","capabilities":["1","Z","1"],"security":["Q","B"],"crypto":"X25519+AES-GCM","pubkey":null,"more":1}',
            Offer(("1",), ("B",), (X25519,), version="0.5"),
        ),
        (
            "👽09|@me|#7",
            '{"protocol":"agent-lingua","version":"0.4.0","capabilities":[],"security":["P","B","E"]}',
            Offer((), ("P", "B", "E")),
        ),
        (
            "^0",
            '{"accepted":true,"version":"0.4.0","security":"B","crypto":null,"note":"encryption not supported"}',
            Accept("0.4.0", (), "B", note="encryption not supported"),
        ),
        (
            "^0",
            f'{{"accepted":true,"version":"0.4.0","security":"P","crypto":"{X25519}","pubkey":"x","fingerprint":"x"}}',
            Accept("0.4.0", (), "P"),
        ),
        ("^0|#8", '{"capabilities":["1"],"security":["B"]}', Capabilities(("1",), ("B",))),
        ("^2", '{"accepted":false,"learning":true,"eta":3}', Learning()),
        ("^A", '{"accepted":false,"reason":"busy"}', Reject("busy")),
        ("^A", "{}", Reject("")),
    ],
)
def test_what_a_later_version_may_add_is_passed_over(head: str, content: str, step: Step) -> None:
    """Unknown fields, domains, levels and suites, repeats and null are no reason to refuse."""
    assert read(of_json(head, content)) == step


@pytest.mark.parametrize(
    "text",
    [
        "👽 hello",
        "!E1",
        "👽73|@1",
        "👽06",
        "👽06|@a|#1",
        "👽06|@a|$r:x",
        "👽06|@a|%K>1",
        "👽06|@a|~+1h",
        "👽08",
        "👽08|@a|#s1",
        "👽06|@a;;👽08|#s1",
        "^0",
        "^0|$r:ok",
        "^0|$j:W10=",
        "^0|$j:eyJyZXN1bHQiOjEwMH0=",
        "^2",
        "^2|$j:e30=",
        "^9",
    ],
)
def test_ordinary_messages_are_no_part_of_it(text: str) -> None:
    """They give None, not an error."""
    assert read(decode(text)) is None


def test_an_ordinary_answer_may_have_fields_of_the_same_name() -> None:
    """Only two lists are the answer to a query."""
    assert read(of_json("^0", '{"capabilities":"all","security":["B"]}')) is None


OFFER = '{"protocol":"agent-lingua","version":"0.4.0","capabilities":["1"],"security":["B"]}'


@pytest.mark.parametrize(
    ("head", "content", "reason", "piece"),
    [
        ("👽09", '{"version":"0.4.0"}', "protocol: missing", '{"version":"0.4.0"}'),
        ("👽09", OFFER.replace("agent-lingua", "silp"), 'protocol: must be "agent-lingua"', '"silp"'),
        ("👽09", OFFER.replace('"agent-lingua"', "1"), 'protocol: must be "agent-lingua"', "1"),
        ("👽09", OFFER.replace('"0.4.0"', "null"), "version: missing", "null"),
        ("👽09", OFFER.replace("0.4.0", "four"), "version: must be numbers with points between", '"four"'),
        ("👽09", OFFER.replace('"0.4.0"', "0.4"), "version: must be text, not float", "0.4"),
        ("👽09", OFFER.replace('"capabilities":["1"],', ""), "capabilities: missing", None),
        ("👽09", OFFER.replace('["1"]', '"1"'), "capabilities: must be a list of texts", '"1"'),
        ("👽09", OFFER.replace('["1"]', '["Z",7]'), "capabilities[1]: must be a text, and not empty", "7"),
        ("👽09", OFFER.replace('["B"]', '["B",""]'), "security[1]: must be a text, and not empty", '""'),
        ("👽09", OFFER.replace("}", ',"crypto":{}}'), "crypto: must be a list of texts", "{}"),
        ("👽09", OFFER.replace("}", ',"pubkey":"MCowBQ..."}'), "pubkey: must be an X25519 public key", '"MCowBQ..."'),
        ("👽09", OFFER.replace("}", ',"pskHint":"8a7b"}'), "pskHint: must be sha256: and 4 to 64 hex digits", '"8a7b"'),
        ("👽09", OFFER.replace("}", ',"spec":[]}'), "spec: must be text, not list", "[]"),
        ("^0", '{"accepted":false}', "accepted: must be true", "false"),
        ("^0", '{"accepted":1}', "accepted: must be true", "1"),
        ("^0", '{"accepted":true}', "version: missing", None),
        ("^0", '{"accepted":true,"version":"0.4.0"}', "security: missing", None),
        (
            "^0",
            '{"accepted":true,"version":"0.4.0","security":"X"}',
            "security: must be one of E, B, P, not 'X'",
            '"X"',
        ),
        ("^0", '{"accepted":true,"version":"0.4.0","security":["B"]}', "security: must be one of E, B, P", '["B"]'),
        ("^0", '{"accepted":true,"version":"0.4.0","security":"E"}', "crypto: missing", None),
        (
            "^0",
            '{"accepted":true,"version":"0.4.0","security":"E","crypto":"ROT13"}',
            "crypto: must be one of X25519+AES-GCM",
            '"ROT13"',
        ),
        (
            "^0",
            f'{{"accepted":true,"version":"0.4.0","security":"E","crypto":"{PSK}"}}',
            "session: missing, and level E needs it",
            None,
        ),
        (
            "^0",
            f'{{"accepted":true,"version":"0.4.0","security":"E","crypto":"{X25519}","session":"s1"}}',
            "pubkey: missing, and suite X25519+AES-GCM needs it",
            None,
        ),
        (
            "^0",
            '{"accepted":true,"version":"0.4.0","security":"B","session":"a b"}',
            "session: may not be empty or hold |, ;;, white space or controls",
            '"a b"',
        ),
        ("^0", '{"capabilities":["1",null],"security":["B"]}', "capabilities[1]: must be a text", "null"),
        ("^0", '{"capabilities":["1"],"security":["B"],"version":true}', "version: must be text, not bool", "true"),
        ("^2", '{"learning":true}', "accepted: missing", '{"learning":true}'),
        ("^2", '{"accepted":true,"learning":true}', "accepted: must be false", "true"),
        ("^2", '{"accepted":false,"learning":"yes"}', "learning: must be true", '"yes"'),
        ("^A", '{"reason":{"code":5}}', "reason: must be text, not dict", '{"code":5}'),
    ],
)
def test_malformed_content_is_refused_by_field_and_place(
    head: str, content: str, reason: str, piece: str | None
) -> None:
    """The error shows the payload's JSON and points at the value; at the whole where something is missing."""
    with pytest.raises(DecodeError) as caught:
        read(of_json(head, content))
    error = caught.value
    assert error.reason.startswith(reason)
    assert (error.text, error.code) == (content, "decode_failed")
    assert content[slice(*error.span)] == (content if piece is None else piece)


@pytest.mark.parametrize("text", ["👽09", "👽09|$r:x", "👽09|$j:W10=", "👽09;;👽06|@a", "👽73|@1;;👽09"])
def test_an_offer_without_its_object_is_refused(text: str) -> None:
    """An offer is one operation with a JSON object."""
    with pytest.raises(DecodeError, match="an offer") as caught:
        read(decode(text))
    assert (caught.value.text, caught.value.code) == (text, "decode_failed")


json_leaves = st.one_of(st.none(), st.booleans(), st.integers(), texts, st.lists(texts, max_size=2), st.just({}))


@given(
    st.sampled_from(["👽09", "^0", "^2", "^A"]),
    st.dictionaries(
        st.sampled_from(
            [
                "protocol",
                "version",
                "capabilities",
                "security",
                "crypto",
                "pubkey",
                "pskHint",
                "accepted",
                "session",
                "learning",
                "reason",
            ]
        ),
        st.one_of(json_leaves, st.sampled_from(["agent-lingua", "0.4.0", True, "E", ["E"], X25519])),
    ),
)
def test_reading_raises_decode_errors_alone(head: str, content: dict[str, Any]) -> None:
    """Whatever the content; and what is read can be read again from what it writes, if it is complete."""
    try:
        step = read(of_json(head, json.dumps(content)))
    except DecodeError as error:
        assert 0 <= error.span[0] <= error.span[1] <= len(error.text)
        return
    if step is not None:
        try:
            message = step.message()
        except EncodeError:
            assert isinstance(step, Offer)
        else:
            assert read(message) == step


# --- making ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "path", "reason"),
    [
        (
            lambda: Offer(("1", "Z")),
            "capabilities[1]",
            "must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, A, B, C, D, E, F, not 'Z'",
        ),
        (lambda: Offer(("1", "1")), "capabilities[1]", "1 stands twice"),
        (lambda: Offer("17"), "capabilities", "must be a list of codes, not str"),  # type: ignore[arg-type]
        (lambda: Offer((), ("X",)), "security[0]", "must be one of E, B, P, not 'X'"),
        (lambda: Offer((), ("B",), ("AES",)), "crypto[0]", "must be one of X25519+AES-GCM, PSK+AES-GCM"),
        (lambda: Offer((), version="v1"), "version", "must be numbers with points between"),
        (lambda: Offer((), version="0.4.0\n"), "version", "must be numbers with points between"),
        (lambda: Offer((), pubkey="AAAA"), "pubkey", "must be an X25519 public key in base64"),
        (lambda: Offer((), psk_hint="sha256:xyz"), "psk_hint", "must be sha256:"),
        (lambda: Offer((), ("E",)).message(), "crypto", "level E needs a suite: X25519+AES-GCM or PSK+AES-GCM"),
        (lambda: Offer((), ("E",), (X25519,)).message(), "pubkey", "missing, and suite X25519+AES-GCM needs it"),
        (lambda: Offer((), ("E",), (PSK,)).message(), "psk_hint", "missing, and suite PSK+AES-GCM needs it"),
        (lambda: Offer(()).message(target="a b"), "target", "may not be empty or hold"),
        (lambda: Accept("0.4.0", (), "X"), "security", "must be one of E, B, P"),
        (lambda: Accept("0.4.0", (), "B", X25519), "crypto", "level B has none"),
        (lambda: Accept("0.4.0", (), "P", pubkey=MY_KEY), "pubkey", "level P has none"),
        (lambda: Accept("0.4.0", (), "E", X25519, MY_KEY), "session", "missing, and level E needs it"),
        (lambda: Accept("0.4.0", (), "E", X25519, "AAAA", "s1"), "pubkey", "must be an X25519 public key"),
        (lambda: Accept("0.4.0", (), "E", X25519, MY_KEY, "s1", "8a7b"), "fingerprint", "must be SHA256:"),
        (lambda: Accept("0.4.0", (), "B", session="a|b"), "session", "may not be empty or hold |"),
        (lambda: Accept("0.4.0", (), "B", note="\ud800"), "note", "lone surrogate"),
        (lambda: Reject(_any), "reason", "must be text, not NoneType"),
        (lambda: Query("").message(), "target", "may not be empty"),
        (lambda: End(""), "session", "may not be empty"),
        (lambda: Capabilities(("1",), ("B",), "?"), "version", "must be numbers with points between"),
    ],
)
def test_what_cannot_be_made_is_refused_by_field(make: Any, path: str, reason: str) -> None:
    """Each rule by the name of the field."""
    with pytest.raises(EncodeError) as caught:
        make()
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


def test_lists_become_tuples() -> None:
    """So that what is frozen cannot change."""
    made: Any = Offer(["1"], ["B"])  # type: ignore[arg-type]
    assert (made.capabilities, made.security) == (("1",), ("B",))


def test_a_key_is_read_in_every_form_of_base64() -> None:
    """Bare or in DER, with padding or without, URL-safe too; other keys and lengths are none."""
    raw = bytes(range(220, 252))
    forms = [base64.b64encode(raw), base64.urlsafe_b64encode(raw), base64.b64encode(raw).rstrip(b"=")]
    forms.append(base64.b64encode(bytes.fromhex(DER) + raw))
    for form in forms:
        assert key_bytes(form.decode()) == raw
    ed25519 = base64.b64encode(bytes.fromhex(DER.replace("2b656e", "2b6570")) + raw).decode()
    for wrong in (
        ed25519,
        key(1)[:-2],
        base64.b64encode(raw[:31]).decode(),
        "A",
        "",
        "é" * 43,
        f"{key(1)}\n",
        "A" * 10**6,
    ):
        with pytest.raises(EncodeError, match="must be an X25519 public key"):
            key_bytes(wrong)


# --- negotiation -----------------------------------------------------------------------------------------


def test_the_highest_level_of_both_is_taken() -> None:
    """E over B over P, whatever either side prefers, and the domains of both in the table's order."""
    answer = negotiate(MINE, THEIRS, session="s123456", fingerprint="SHA256:8a7b")
    assert answer == ENCRYPTED
    plain = negotiate(Offer(("A", "7", "1"), ("P", "B")), Offer(("7", "A"), ("P", "B")))
    assert plain == Accept("0.4.0", ("7", "A"), "B")
    assert negotiate(Offer(("1",), ("P",)), Offer(("1",), ("B", "P"))) == Accept("0.4.0", ("1",), "P")


@pytest.mark.parametrize(
    ("mine", "theirs", "suite"),
    [
        (Offer(("1",), ("E",), SUITES, MY_KEY, HINT), THEIRS, X25519),
        (Offer(("1",), ("E",), (PSK,), MY_KEY, HINT), THEIRS, PSK),
        (Offer(("1",), ("E",), (PSK,), None, "sha256:8A7B3CFF"), THEIRS, PSK),
        (Offer(("1",), ("E",), (PSK,), None, "sha256:8a7b"), THEIRS, PSK),
        (Offer(("1",), ("E",), (PSK,), None, "sha256:8a7c"), THEIRS, None),
        (Offer(("1",), ("E",), (PSK,)), THEIRS, None),
        (Offer(("1",), ("E",), (X25519,)), THEIRS, None),
        (Offer(("1",), ("E",), SUITES, None, HINT), THEIRS, PSK),
        (Offer(("1",), ("E",)), THEIRS, None),
    ],
)
def test_a_suite_needs_what_belongs_to_it_on_both_sides(mine: Offer, theirs: Offer, suite: str | None) -> None:
    """Both keys, or hints of which one begins like the other; fresh keys come first."""
    answer = negotiate(mine, theirs, session="s1", fingerprint="SHA256:8a7b")
    if suite is None:
        assert isinstance(answer, Reject)
        assert answer.reason.startswith("no common level of security: no suite with its key on both sides")
    else:
        assert isinstance(answer, Accept)
        assert (answer.security, answer.crypto, answer.session) == ("E", suite, "s1")
        assert (answer.pubkey, answer.fingerprint) == ((MY_KEY, "SHA256:8a7b") if suite == X25519 else (None, None))


@pytest.mark.parametrize(
    ("mine", "theirs", "note"),
    [
        (Offer(("1",), ("B",)), THEIRS, "encryption not supported here"),
        (MINE, Offer(("1",), ("B",)), None),
        (
            Offer(("1",), ("B", "E")),
            THEIRS,
            "no suite with its key on both sides: none here, PSK+AES-GCM X25519+AES-GCM there",
        ),
    ],
)
def test_a_peer_that_could_encrypt_is_told_why_not(mine: Offer, theirs: Offer, note: str | None) -> None:
    """A lower level than the other side offered is never without a word."""
    answer = negotiate(mine, theirs)
    assert isinstance(answer, Accept)
    assert (answer.security, answer.note) == ("B", note)


@pytest.mark.parametrize(
    ("mine", "theirs", "reason"),
    [
        (Offer(("1",)), Offer(("1",), version="0.3.9"), "no common version: 0.4.0 here, 0.3.9 there"),
        (Offer(("1",)), Offer(("2", "7")), "no common capabilities"),
        (Offer(()), Offer(()), "no common capabilities"),
        (Offer(("1",), ("B",)), Offer(("1",), ("P",)), "no common level of security: B here, P there"),
        (Offer(("1",), ()), Offer(("1",), ("E", "P")), "no common level of security: none here, E P there"),
    ],
)
def test_what_cannot_be_agreed_on_is_rejected_with_the_reason(mine: Offer, theirs: Offer, reason: str) -> None:
    """Version, capabilities, level: the first that is missing is named, with both sides' own."""
    assert negotiate(mine, theirs) == Reject(reason)


@pytest.mark.parametrize(
    ("mine", "more", "theirs", "version"),
    [
        ("0.4.0", (), "0.4.0", "0.4.0"),
        ("0.4.0", (), "0.4", "0.4.0"),
        ("0.4", (), "0.4.0", "0.4"),
        ("0.4.0", (), "0.10", "0.4.0"),
        ("0.10", (), "0.4.0", None),
        ("0.10", ("0.3", "0.4.1", "0.2"), "0.4.0", "0.3"),
        ("0.10", ("0.3", "0.4.0"), "0.4.0", "0.4.0"),
        ("1", ("0",), "0.9", "0"),
        ("0.3", ("0.4",), "0.4", "0.3"),
    ],
)
def test_the_version_is_the_highest_that_both_speak(
    mine: str, more: tuple[str, ...], theirs: str, version: str | None
) -> None:
    """By its numbers, not its letters; an agent speaks what came before its own, as the protocol demands."""
    answer = negotiate(Offer(("1",), version=mine), Offer(("1",), version=theirs), versions=more)
    assert (answer.version if isinstance(answer, Accept) else None) == version


@pytest.mark.parametrize(
    ("mine", "theirs", "require", "reason"),
    [
        (
            Offer(("1",), ("B",)),
            THEIRS,
            "E",
            "level E is required, and only level B can be had: encryption not supported here",
        ),
        (
            MINE,
            Offer(("1",), ("P", "B")),
            "E",
            "level E is required, and only level B can be had: encryption not supported there",
        ),
        (
            MINE,
            Offer(("1",), ("B", "E"), (PSK,), None, HINT),
            "E",
            "level E is required, and only level B can be had: no suite",
        ),
        (MINE, Offer(("1",), ("E",)), "E", "level E is required, and only no level can be had: no suite with its key"),
        (
            Offer(("1",), ("B", "P")),
            Offer(("1",), ("P",)),
            "B",
            "level B is required, and only level P can be had: B P here, P there",
        ),
    ],
)
def test_a_level_that_is_demanded_is_never_lowered(mine: Offer, theirs: Offer, require: str, reason: str) -> None:
    """The caller gets an error with the reason, not a lower level."""
    with pytest.raises(SecurityError) as caught:
        negotiate(mine, theirs, require=require, session="s1", fingerprint="SHA256:8a7b")
    assert str(caught.value).startswith(reason)


def test_a_level_that_is_demanded_and_can_be_had_changes_nothing() -> None:
    """The demand is a floor."""
    assert negotiate(MINE, THEIRS, require="E", session="s123456", fingerprint="SHA256:8a7b") == ENCRYPTED
    assert negotiate(MINE, THEIRS, require="P", session="s123456", fingerprint="SHA256:8a7b") == ENCRYPTED


def test_an_offer_that_comes_back_is_an_attack() -> None:
    """The own public key, in whatever form, is nobody else's; without level E it does not matter."""
    der = base64.b64encode(bytes.fromhex(DER) + bytes([1]) * 32).decode()
    for pubkey in (MY_KEY, der):
        with pytest.raises(SecurityError, match="this agent's own"):
            negotiate(MINE, Offer(("1",), ("E",), (X25519,), pubkey), session="s1", fingerprint="SHA256:8a7b")
        with pytest.raises(SecurityError, match="this agent's own"):
            confirm(MINE, Accept("0.4.0", ("1",), "E", X25519, pubkey, "s1"))
    assert isinstance(negotiate(MINE, Offer(("1",), ("B",), (X25519,), MY_KEY)), Accept)


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        ({"require": "L2"}, "require", "must be one of E, B, P, not 'L2'"),
        ({"versions": ["0.4", "new"]}, "version", "must be numbers with points between"),
        ({"fingerprint": "SHA256:8a7b"}, "session", "missing, and level E needs it"),
        ({"session": "s1"}, "fingerprint", "missing, and suite X25519+AES-GCM needs it"),
    ],
)
def test_what_level_e_needs_is_asked_for(given: dict[str, Any], path: str, reason: str) -> None:
    """Session and fingerprint come from the caller."""
    with pytest.raises(EncodeError) as caught:
        negotiate(MINE, THEIRS, **given)
    assert (caught.value.path, caught.value.reason[: len(reason)]) == (path, reason)


@given(offers, offers)
def test_both_sides_come_to_the_same(one: Offer, other: Offer) -> None:
    """Capabilities, level and suite do not depend on who answers; nor does the version, where both write it alike."""
    given: dict[str, Any] = {"session": "s1", "fingerprint": "SHA256:8a7b", "versions": ("0.4.0", "0.3.9", "0")}
    try:
        here = negotiate(one, other, **given)
    except SecurityError:
        with pytest.raises(SecurityError):
            negotiate(other, one, **given)
        return
    there = negotiate(other, one, **given)
    if isinstance(here, Accept):
        assert isinstance(there, Accept)
        assert (here.capabilities, here.security, here.crypto) == (there.capabilities, there.security, there.crypto)
        lower = min([one, other], key=lambda offer: [int(number) for number in offer.version.split(".")])
        if lower.version != "0.4":
            assert here.version == there.version == lower.version
        assert set(here.capabilities) == {*one.capabilities} & {*other.capabilities}
        assert confirm(other, here, versions=given["versions"]) is here
    else:
        assert isinstance(there, Reject)


@given(offers, offers, st.sampled_from(LEVELS))
def test_no_demand_is_ever_answered_with_less(one: Offer, other: Offer, require: str) -> None:
    """An accept has the level that is demanded or a higher one, and it is on both lists."""
    try:
        answer = negotiate(one, other, require=require, session="s1", fingerprint="SHA256:8a7b")
    except SecurityError:
        return
    if isinstance(answer, Accept):
        assert "PBE".index(answer.security) >= "PBE".index(require)
        assert answer.security in one.security
        assert answer.security in other.security


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Accept("0.3", ("1",), "B"), "version 0.3 was not offered"),
        (Accept("0.5", ("1",), "B"), "version 0.5 was not offered"),
        (Accept("0.5.0.0", ("1",), "B"), "version 0.5.0.0 was not offered"),
        (Accept("0.4.0", ("1", "2"), "B"), "capability 2 was not offered"),
        (Accept("0.4.0", ("1",), "P"), "level P was not offered"),
        (Accept("0.4.0", ("1",), "E", PSK, session="s1"), "suite PSK+AES-GCM was not offered"),
    ],
)
def test_an_answer_keeps_to_the_offer(answer: Accept, reason: str) -> None:
    """What was not offered cannot be accepted."""
    with pytest.raises(DecodeError) as caught:
        confirm(MINE, answer, versions=["0.5"])
    assert (caught.value.reason, caught.value.code) == (reason, "decode_failed")
    assert read(decode(caught.value.text)) == answer


def test_an_answer_that_fits_is_confirmed() -> None:
    """By level, suite and version, those the caller speaks besides included; a demand holds here, too."""
    good = Accept("0.4", ("1",), "E", X25519, THEIR_KEY, "s1")
    assert confirm(MINE, good, require="E") is good
    assert confirm(MINE, Accept("0.3", (), "B"), versions=("0.3.0",)).version == "0.3"
    with pytest.raises(SecurityError, match="level E is required, and only level B can be had: not today"):
        confirm(MINE, Accept("0.4.0", ("1",), "B", note="not today"), require="E")
    with pytest.raises(SecurityError, match="the other agent chose so"):
        confirm(MINE, Accept("0.4.0", ("1",), "B"), require="E")
    with pytest.raises(EncodeError, match="require: must be one of"):
        confirm(MINE, good, require="e")
