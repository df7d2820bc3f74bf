"""One message in every format with its tokens, and its cheapest form that means the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sabir import api, detection, meter
from sabir.crossing import same
from sabir.errors import EncodeError, SabirError, TranslationError
from sabir.kinds import Format
from sabir.registry import BY_NAME, FORMATS, OWN, READABLE, USUAL, kind_of, unknown

if TYPE_CHECKING:
    from sabir.api import Message
    from sabir.meter.counters import Counter


@dataclass(frozen=True, slots=True)
class Form:
    """A message in one format.

    Attributes:
        format: name of the format.
        text: the message in it; empty where the format cannot hold it.
        lossless: whether the text decodes to the same message; tried out, not taken on trust.
        tokens: number of tokens in each tokenizer, by its name.
        refused: why the format cannot hold the message, else empty.
    """

    format: str
    text: str
    lossless: bool
    tokens: dict[str, int]
    refused: str = ""


def compare(
    message: str | Message, tokenizers: Iterable[str] | None = None, *, among: Iterable[str] | None = None
) -> tuple[Form, ...]:
    """A message in every format, with its tokens in each tokenizer.

    Args:
        message: a wire text of whatever format, or a message.
        tokenizers: their names; all that are available when not given.
        among: names of the formats; when not given, all but silp-llmlingua2, which would load a large model.

    Raises:
        DecodeError: the text is no message.
        EncodeError: there is no such tokenizer or format, or the argument is no message.
        MissingDependency: a tokenizer that was named is not here.
    """
    names = [item.name for item in meter.available()] if tokenizers is None else [*tokenizers]
    counters = {name: meter.counter(name) for name in names}
    source, found = _read(message)
    return tuple(_form(found, source, target, counters) for target in _formats(among, USUAL))


def cheapest(
    message: str | Message, tokenizer: str | Counter = "gpt-4o", *, among: Iterable[str] | None = None
) -> Form:
    """A message in the format that takes the fewest tokens, of those from which the same message comes back.

    Of several equally cheap, the one with fewest characters, then the first of the table of formats. ``tokens`` of the
    result has one entry, under the tokenizer's name ("counter" where a `Counter` was given).

    Raises:
        DecodeError, EncodeError, MissingDependency: as `compare`.
        TranslationError: none of the formats can hold the message without loss.
    """
    name = tokenizer if isinstance(tokenizer, str) else "counter"
    source, found = _read(message)
    counters = {name: meter.counter(tokenizer)}
    forms = [_form(found, source, target, counters) for target in _formats(among, READABLE)]
    whole = [form for form in forms if form.lossless]
    if not whole:
        reasons = "; ".join(f"{form.format}: {form.refused or 'does not come back'}" for form in forms)
        raise TranslationError(f"no format among those holds this message without loss ({reasons})")
    return min(whole, key=lambda form: (form.tokens[name], len(form.text)))


def _read(message: Any) -> tuple[Format[Any], Any]:
    if isinstance(message, str):
        return detection.read(message)
    kind = kind_of(message)
    if kind is None:
        raise EncodeError(f"{type(message).__name__} is no message")
    return OWN[kind.message_type], message


def _formats(among: Iterable[str] | None, all_of_them: tuple[Format[Any], ...]) -> list[Format[Any]]:
    if among is None:
        return [*all_of_them]
    wanted = {*among}
    for name in wanted:
        if name not in BY_NAME:
            raise EncodeError(unknown(name), "among")
    return [format for format in FORMATS if format.name in wanted]


def _form(message: Any, source: Format[Any], target: Format[Any], counters: dict[str, Counter]) -> Form:
    try:
        text = api.translate(message, target.name, source.name).text
    except SabirError as error:
        return Form(target.name, "", lossless=False, tokens={}, refused=str(error))
    tokens = {name: item.count(text) for name, item in counters.items()}
    return Form(target.name, text, _comes_back(text, message, source, target), tokens)


def _comes_back(text: str, message: Any, source: Format[Any], target: Format[Any]) -> bool:
    if target.read is None:
        return False
    try:
        # An anchor that the codebook lacks is the message's own affair, not a loss.
        there = target.decode(text, allow_unknown=True)
        back = api.translate(there, source.name, target.name, allow_unknown=True).text
        return same(source.decode(back, allow_unknown=True), message)
    except SabirError:
        return False
