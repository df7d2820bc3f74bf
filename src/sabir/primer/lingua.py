"""Agent Lingua's primer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError
from sabir.lingua.message import LinguaMessage, LinguaRequest, Signature
from sabir.lingua.payload import Payload
from sabir.lingua.tables import EXTENSIBLE, Table, default
from sabir.lingua.write import encode
from sabir.primer.parts import Parts
from sabir.primer.wish import Wish, Word, choose, glossed, names, turns

if TYPE_CHECKING:
    from sabir.lingua.tables import Entry

_WELL: Final = (("1", "3"), ("4", "2"), ("7", "6"), ("2", "1"), ("2", "B"))
"""Domains and actions that make good examples together, where both are among those to teach."""
_SHOWN: Final = 5
"""Operations that the full primer shows."""
_SEALED: Final = ("7", "8")
"""Modifiers of payloads that no model can write: encrypted and compressed."""
_HUMAN: Final = "H"
_ID: Final = "task-17"


def parts(wish: Wish, texts: dict[str, Any]) -> Parts:
    """Tables, examples and frequent errors."""
    tables = default()
    domains = _words(wish, tables.domains, "domains", wish.domains, "lingua has no domain")
    actions = _words(wish, tables.actions, "anchors", wish.anchors, "lingua has no action")
    modifiers = [entry for entry in tables.modifiers.entries if entry.code not in _SEALED]
    words: dict[str, str] = texts["words"]
    messages = _requests(wish, words, _heads(domains, actions))
    unfit = encode(LinguaMessage.human(words["unfit"]))
    return Parts(
        {
            "domains": glossed(domains, wish.lang),
            "actions": glossed(actions, wish.lang),
            "modifiers": _glossed(modifiers, wish.lang),
            "statuses": _glossed(tables.statuses.entries, wish.lang),
            "errors": _glossed(tables.errors.entries, wish.lang),
            "subtypes": _glossed(tables.subtypes.entries, wish.lang),
            "targets": _glossed([entry for entry in tables.targets.entries if entry.code in "HAS0"], wish.lang),
            "unfit": unfit,
            "signature": str(Signature()),
        },
        messages[:1] if wish.brief else [*messages, *_answers(words)],
        (unfit,),
        [] if wish.brief else _slips(messages[0], words["text"]),
    )


def _words(wish: Wish, entries: Table, path: str, given: Any, noun: str) -> list[Word]:
    """Entries to teach, each called by its code or its name; the one kept for extensions may get a meaning."""
    words = [_word(entry, wish.lang) for entry in entries.entries]
    if given is None:
        return words
    open_code = EXTENSIBLE[entries.title]

    def own(name: str, meaning: str, where: str) -> Word:
        if name != open_code:
            raise EncodeError(f"only {open_code} is kept for extensions, not {name!r}", where)
        return Word(name, meaning)

    by_code = {word.name: word for word in words}
    known = {name: by_code[entry.code] for entry in entries.entries for name in (entry.name, entry.code)}
    return choose(names(given), path, noun, known, own)


def _word(entry: Entry, lang: str) -> Word:
    return Word(entry.code, entry.meaning(lang))


def _glossed(entries: Any, lang: str) -> str:
    return glossed([_word(entry, lang) for entry in entries], lang)


def _heads(domains: list[Word], actions: list[Word]) -> list[tuple[str, str]]:
    """Codes for the examples: those that go well together, then all, each in its turn."""
    codes = {word.name for word in domains}, {word.name for word in actions}
    found = [head for head in _WELL if head[0] in codes[0] and head[1] in codes[1]]
    count = max(len(domains), len(actions))
    found += zip((word.name for word in turns(domains, count)), (word.name for word in turns(actions, count)), strict=True)
    return turns(found, _SHOWN)


def _requests(wish: Wish, words: dict[str, str], heads: list[tuple[str, str]]) -> list[LinguaMessage]:
    """Requests that show one field after the other."""
    targets = [_target(wish, turn) for turn in range(_SHOWN)]
    fields: tuple[dict[str, Any], ...] = (
        {"modifier": "1", "target": targets[0], "payload": Payload("raw", words["text"])},
        {"target": targets[1], "time": "+1d15h", "payload": Payload("raw", words["meeting"])},
        {"target": targets[2], "conditions": ("N>100", "S=open")},
        {"target": targets[3], "id": _ID},
        {"target": targets[4], "id": _ID},
    )
    operations = [LinguaRequest(*head, **given) for head, given in zip(heads, fields, strict=True)]
    compound = LinguaMessage.request(*operations[3:])
    return [*(LinguaMessage.request(operation) for operation in operations[:4]), compound]


def _target(wish: Wish, turn: int) -> str:
    """Whom an example is for: the agent whose turn it is, or the human."""
    if not wish.agents:
        return _HUMAN
    target = wish.agents[(turn + 1) % len(wish.agents)]
    try:
        LinguaRequest("0", "0", target=target)
    except EncodeError as error:
        raise EncodeError(error.reason, f"agents[{wish.agents.index(target)}]") from None
    return target


def _answers(words: dict[str, str]) -> list[LinguaMessage]:
    return [
        LinguaMessage.response("0", id=_ID, payload=Payload("raw", words["answer"])),
        LinguaMessage.error("5", time="+30m"),
        LinguaMessage.error("2", "W", details=words["denied"]),
    ]


def _slips(message: LinguaMessage, text: str) -> list[tuple[str, str, str]]:
    """Frequent errors, made out of an example."""
    request = message.requests[0]
    bare = encode(LinguaMessage.request(LinguaRequest(request.domain, request.action, target=request.target)))
    head = bare[: bare.index("|")]
    noted = encode(LinguaMessage.request(LinguaRequest(request.domain, request.action, payload=Payload("raw", text))))
    barred = encode(LinguaMessage.request(LinguaRequest(request.domain, request.action, payload=Payload("raw", "a|#b|#c"))))
    return [
        ("marker", bare[1:], bare),
        ("code", bare.replace(head, f"{head[0]}Z{head[2]}"), bare),
        ("prefix", noted.replace("$r:", "$"), noted),
        ("bar", f"{head}|$r:a|#b|#c", barred),
        ("twice", f"{bare}|@H", bare),
    ]
