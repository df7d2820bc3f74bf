"""Labelled texts: the exemplars that are shipped, and a user's own.

A file holds one JSON object a line: ``{"text": ..., "anchor": ..., "lang": ...}``; other fields are passed over.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from sabir.errors import DecodeError
from sabir.jsontext import loads
from sabir.kinds import lines

if TYPE_CHECKING:
    from collections.abc import Iterable


class Exemplar(msgspec.Struct, frozen=True):
    """A text and the anchor that it stands for; ``lang`` is empty where it is not given."""

    text: str
    anchor: str
    lang: str = ""


def shipped() -> list[Exemplar]:
    """All exemplars of the package, by the names of their files."""
    files = [
        file for file in resources.files("sabir.data").joinpath("exemplars").iterdir() if file.name.endswith(".jsonl")
    ]
    return [row for file in sorted(files, key=lambda file: file.name) for row in read(file.read_text("utf-8"))]


def read(text: str) -> list[Exemplar]:
    """Exemplars of the lines of a text.

    Raises:
        DecodeError: a line is no JSON object with a text and an anchor; it is pointed at.
    """
    return [_row(text, start, line) for start, line in lines(text)]


def distinct(rows: Iterable[Exemplar]) -> list[Exemplar]:
    """The first row of each text."""
    first: dict[str, Exemplar] = {}
    for row in rows:
        first.setdefault(row.text.strip(), row)
    return list(first.values())


def _row(text: str, start: int, line: str) -> Exemplar:
    try:
        data: Any = loads(line)
    except DecodeError as error:
        raise error.moved(text, start) from None
    span = (start, start + len(line))
    if type(data) is not dict:
        raise DecodeError('a row is an object such as {"text": "...", "anchor": "RequestReview"}', text, span)
    for name in ("text", "anchor"):
        if type(data.get(name)) is not str or not data[name].strip():
            raise DecodeError(f'a row needs "{name}", a text that is not blank', text, span)
    lang = data.get("lang", "")
    return Exemplar(data["text"], data["anchor"], lang if type(lang) is str else "")
