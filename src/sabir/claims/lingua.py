"""Agent Lingua's claim: 70 % of the tokens of natural language saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from sabir.claims.claim import MODELS, Cells, Claim, Figure, by_column, counting, gain, saved
from sabir.claims.corpus import Rows, mean, minified
from sabir.jsontext import dumps
from sabir.lingua.payload import Payload
from sabir.lingua.wire import decode
from sabir.lingua.write import encode

_QUOTED: Final = 70
_SIGNED: Final = "as the document wants it: base64, signature"
_BARE: Final = "without the signature"
_RAW: Final = "raw text, without the signature"
_PLAIN: Final = "plain sentence"
_FORMS: Final = (_SIGNED, _BARE, _RAW)


def _against(form: str) -> str:
    return f"saved against the sentence, {form}, %"


_FIGURES: Final = (
    Figure(_PLAIN),
    *(Figure(form) for form in _FORMS),
    *(Figure(_against(form), "70") for form in _FORMS),
)

_EXAMPLES: Final = (
    (
        "👽73|@1|$j:eyJ0IjoidGVzdCIsImMiOiJoZWxsbyB3b3JsZCJ9\n--👽lingua/0.4@agent-lingua",
        'Post to general, with the title "test" and the content "hello world".',
    ),
    (
        "👽42|@H|~+1d15h|$bWVldGluZw==\n--👽lingua/0.4@agent-lingua",
        "Remind the human of the meeting in one day and 15 hours.",
    ),
    (
        "👽71|@1|#post-123;;👽79|@1|#post-123|$Z3JlYXQgcG9zdA==\n--👽lingua/0.4@agent-lingua",
        'Upvote post-123 in general, then comment on it "great post".',
    ),
)
"""The document's quick examples, each with the signature that ends every message, and what it says, in our words."""


def _bare(text: str) -> str:
    return encode(replace(decode(text), signature=None))


def _raw(text: str) -> str:
    """A message in its cheapest spelling: payloads as raw text, no signature."""
    message = replace(decode(text), signature=None)
    return encode(
        replace(message, requests=tuple(replace(item, payload=_plain(item.payload)) for item in message.requests))
    )


def _plain(payload: Payload | None) -> Payload | None:
    if payload is None or payload.encoding not in ("text", "json"):
        return payload
    return Payload("raw", payload.value if payload.encoding == "text" else dumps(payload.value))


def _cells(tokenizer: str, pairs: list[tuple[str, str]]) -> dict[str, float]:
    """Figures of messages and of the sentences that say the same."""
    count = counting(tokenizer)
    plain = mean(count, [sentence for _, sentence in pairs])
    ways: dict[str, Callable[[str], str]] = {_SIGNED: str, _BARE: _bare, _RAW: _raw}
    tokens = {form: mean(count, [write(text) for text, _ in pairs]) for form, write in ways.items()}
    return {_PLAIN: plain, **tokens, **{_against(form): saved(cost, plain) for form, cost in tokens.items()}}


def _examples(_data: Any, tokenizer: str) -> Mapping[str, float]:
    return _cells(tokenizer, [*_EXAMPLES])


def _shipped(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    messages = data["messages"]
    json = mean(counting(tokenizer), [minified(row["json"]) for row in messages])
    return _cells(tokenizer, [(row["lingua"], row["sentence"]) for row in messages]) | {"minified JSON": json}


def _verdict(cells: Cells) -> str:
    signed, raw = (gain(cells, _against(form), "the sentence") for form in (_SIGNED, _RAW))
    return by_column(
        cells,
        lambda number: number(_against(_SIGNED)) >= _QUOTED,
        f"as the document wants it, it {signed}; at its cheapest it {raw}",
    )


CLAIMS: Final = (
    Claim(
        id="lingua-examples",
        document="Agent Lingua",
        section="Design principles, 1; quick examples",
        quoted="70 %",
        words="The language saves more than 70 % of the tokens of natural language.",
        meaning="Mean tokens of the document's own three examples against sentences of ours that say the same. Its "
        "rules are kept: payloads in base64, a signature at the end; what it would be without them is "
        "shown, too.",
        figures=_FIGURES,
        columns=MODELS,
        measure=_examples,
        verdict=_verdict,
        texts=tuple(text for pair in _EXAMPLES for text in pair),
    ),
    Claim(
        id="lingua-messages",
        document="Agent Lingua",
        section="Design principles, 1",
        quoted="70 %",
        words="The same claim on everyday messages of agents.",
        meaning="Mean tokens of a message that says the same in each form; its content is JSON with the document's "
        "abbreviations.",
        source="shipped",
        figures=(*_FIGURES, Figure("minified JSON")),
        columns=MODELS,
        measure=_shipped,
        verdict=_verdict,
    ),
)
