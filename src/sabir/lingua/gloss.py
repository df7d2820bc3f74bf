"""What a message of Agent Lingua says, in one line for a person, in English or Japanese; its words are the tables'.

Text from a message appears with its invisible characters escaped, so that the line stays one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.errors import printable
from sabir.jsontext import dumps
from sabir.lingua.tables import Tables, default

if TYPE_CHECKING:
    from sabir.lingua.message import LinguaMessage, LinguaRequest
    from sabir.lingua.payload import Payload

_PHRASES: Final = {
    "en": {
        "request": "Request",
        "?": "Query",
        "!": "Urgent request",
        "response": "Response",
        "error": "Error",
        "human": "In human language",
        "colon": ": ",
        "comma": ", ",
        "stop": ".",
        "then": "; then ",
        "to": "to {}",
        "about": "about {}",
        "time": "time {}",
        "if": "if {}",
        "with": "with {}",
        "encrypted": "an encrypted payload",
    },
    "ja": {
        "request": "依頼",
        "?": "照会",
        "!": "至急の依頼",
        "response": "応答",
        "error": "エラー",
        "human": "人の言葉",
        "colon": "：",
        "comma": "、",
        "stop": "。",
        "then": "；続いて",
        "to": "宛先 {}",
        "about": "対象 {}",
        "time": "時刻 {}",
        "if": "条件 {}",
        "with": "内容 {}",
        "encrypted": "暗号化された内容",
    },
}


def explain(message: LinguaMessage, lang: str, tables: Tables | None = None) -> str:
    """One line for a message; ``lang`` is "en" or "ja".

    ``👽42|@H|~+1d15h|$bWVldGluZw==`` is "Request: schedule, create, to the human, time +1d15h, with meeting."
    """
    words = _PHRASES[lang]
    known = tables or default()
    if message.kind == "request":
        parts = words["then"].join(_operation(request, lang, known) for request in message.requests)
    else:
        parts = words["comma"].join(_answer(message, lang, known))
    named = words[message.prefix or message.kind] if message.kind != "human" else words["human"]
    return printable(f"{named}{words['colon']}{parts}{words['stop']}")


def _operation(request: LinguaRequest, lang: str, tables: Tables) -> str:
    words = _PHRASES[lang]
    found = [tables.domains.by_code[request.domain].meaning(lang), tables.actions.by_code[request.action].meaning(lang)]
    if request.modifier is not None:
        found.append(tables.modifiers.by_code[request.modifier].meaning(lang))
    if request.target is not None:
        target = tables.target(request.target)
        found.append(words["to"].format(target.meaning(lang) if target else request.target))
    if request.id is not None:
        found.append(words["about"].format(request.id))
    if request.time is not None:
        found.append(words["time"].format(request.time))
    found += [words["if"].format(condition) for condition in request.conditions]
    return words["comma"].join([*found, *_payload(request.payload, lang)])


def _answer(message: LinguaMessage, lang: str, tables: Tables) -> list[str]:
    words = _PHRASES[lang]
    found: list[str] = []
    if message.status is not None:
        found.append(tables.statuses.by_code[message.status].meaning(lang))
    if message.type is not None:
        found.append(tables.errors.by_code[message.type].meaning(lang))
    if message.subtype is not None:
        found.append(tables.subtypes.by_code[message.subtype].meaning(lang))
    if message.id is not None:
        found.append(words["about"].format(message.id))
    if message.time is not None:
        found.append(words["time"].format(message.time))
    found += _payload(message.payload, lang)
    return found + [text for text in (message.details, message.text) if text is not None]


def _payload(payload: Payload | None, lang: str) -> list[str]:
    if payload is None:
        return []
    words = _PHRASES[lang]
    if payload.encoding == "encrypted":
        return [words["encrypted"]]
    return [words["with"].format(dumps(payload.value) if payload.encoding == "json" else payload.value)]
