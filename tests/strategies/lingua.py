"""Messages of Agent Lingua, with everything in them that could break a text."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from sabir.correspondence import LINGUA_VERBS
from sabir.lingua import LinguaMessage, LinguaRequest, Payload, Signature
from sabir.lingua.conditions import is_condition
from sabir.lingua.message import MARKS, is_details, is_value
from sabir.lingua.tables import default
from strategies.eap import json_values, texts
from strategies.silp import silp_irs

TRAPS: Final = (
    *("👽", "👽73", ";", ";👽", "|", "||", ";;", "%7C", "%3B", "%25", "%", "%0A", "%7c", "$", "r:", "$r:", "j:", "a:b"),
    *("--👽lingua/0.4@agent-lingua", "\n--👽lingua/0.4@agent-lingua", "@1", "#id", "~+1h", "%K>1", "^0", "!E2W", "!E1|x"),
    *(" a", "a ", " ", "\t", "a\n", "\r\n", "\u2028", "\x85", "\xa0", "\x00", "99name", "H", "0", "=", "==", "a=b"),
    *("@verb", "@ir", "@act", "@from", "payload", "t+2h", "+2h", "K>100"),
)
TIMES: Final = ("+30m", "-2h", "*4h", "+1d15h", "=1706889600", "@2024-02-03T15:00+08", "+22w", "-1s", "+1w2d3h4m5s")
CONDITIONS: Final = ("K>100", "F<5", "T~text", "N=3", "N!-4", "S=done", "P1/3", "P3/3", "T=a=b", "K>>", "T~%7C")

WORDS: Final = st.one_of(st.sampled_from(TRAPS), texts(), st.lists(st.sampled_from(TRAPS), max_size=3).map("".join))
"""Texts, often such as mean something in Agent Lingua."""
NAMES: Final = WORDS.filter(lambda text: is_value(text) is not None)
_SEALED: Final = st.sampled_from(["YWJjZGVmZ2hpamts:AAAA", "AA==:AA==", "_-8:AAAA"])


def _codes(table: str) -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(getattr(default(), table).by_code))


def payloads() -> st.SearchStrategy[Payload]:
    """Payloads of every encoding; JSON ones often in the words of the interlingua, or with an IR inside."""
    named = st.dictionaries(
        st.one_of(st.sampled_from(["@verb", "@from", "@to", "@act", "@priority", "@domain", "act", "time", "payload"]), WORDS),
        st.one_of(WORDS, json_values(), st.lists(WORDS, max_size=2), st.sampled_from(sorted(LINGUA_VERBS.values()))),
        max_size=3,
    )
    carried = silp_irs().map(_carried)
    return st.one_of(
        WORDS.map(lambda text: Payload("text", text)),
        WORDS.map(lambda text: Payload("raw", text)),
        WORDS.map(lambda text: Payload("zlib", text)),
        _SEALED.map(lambda text: Payload("encrypted", text)),
        st.one_of(json_values(), named, carried).map(lambda value: Payload("json", value)),
    )


def _carried(ir: Any) -> dict[str, Any]:
    from sabir.silp.canonical import canonical

    return {"@ir": canonical(ir)}


def signatures() -> st.SearchStrategy[Signature]:
    """The usual signature and others."""
    sources = st.one_of(st.sampled_from(["agent-lingua", "https://example.org/spec?a=b@c", "@", "👽"]), NAMES)
    other = st.builds(Signature, st.sampled_from(["0.4", "0.4.0", "1.0-rc.1", "9"]), sources)
    return st.one_of(st.just(Signature()), other)


def requests() -> st.SearchStrategy[LinguaRequest]:
    """Operations with any of their fields."""
    conditions = st.one_of(st.sampled_from(CONDITIONS), NAMES.map("T={}".format).filter(is_condition))
    return st.builds(
        LinguaRequest,
        _codes("domains"),
        _codes("actions"),
        st.one_of(st.none(), _codes("modifiers")),
        st.one_of(st.none(), NAMES),
        st.one_of(st.none(), NAMES),
        st.one_of(st.none(), st.sampled_from(TIMES)),
        st.lists(conditions, max_size=2).map(tuple),
        st.one_of(st.none(), payloads()),
    )


_SIGNED: Final = st.one_of(st.none(), signatures())
_MARKED: Final = st.one_of(st.none(), st.none(), st.sampled_from(MARKS))
_TIME: Final = st.one_of(st.none(), st.sampled_from(TIMES))
_BODY: Final = st.one_of(st.none(), payloads())


def _human(text: str, mark: str | None, signature: Signature | None) -> LinguaMessage | None:
    from sabir.errors import EncodeError

    try:
        return LinguaMessage.human(text.strip(), prefix=mark, signature=signature)
    except EncodeError:  # empty, or ends like a signed message
        return None


def lingua_messages() -> st.SearchStrategy[LinguaMessage]:
    """Messages of all kinds."""
    operations = st.one_of(st.lists(requests(), min_size=1, max_size=1), st.lists(requests(), min_size=2, max_size=3))
    return st.one_of(
        st.builds(
            lambda found, mark, signature: LinguaMessage.request(*found, prefix=mark, signature=signature),
            operations,
            _MARKED,
            _SIGNED,
        ),
        st.builds(
            lambda status, id, time, body, signature: LinguaMessage.response(
                status, id=id, time=time, payload=body, signature=signature
            ),
            _codes("statuses"),
            st.one_of(st.none(), NAMES),
            _TIME,
            _BODY,
            _SIGNED,
        ),
        st.builds(
            lambda type, subtype, time, body, details, signature: LinguaMessage.error(
                type, subtype, time=time, payload=body, details=details, signature=signature
            ),
            _codes("errors"),
            st.one_of(st.none(), _codes("subtypes")),
            _TIME,
            _BODY,
            st.one_of(st.none(), WORDS.filter(lambda text: is_details(text) is not None)),
            _SIGNED,
        ),
        st.builds(_human, WORDS, _MARKED, _SIGNED).filter(lambda message: message is not None),
    )
