"""The texts that claims are measured on: the corpus that comes with the package, and files that the user names.

A published corpus is known by the SHA-256 of its file. A file of the same form with other content is measured, too, but
only on the terminal: a page shows known texts alone.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from sabir.claims.claim import Source
from sabir.errors import DecodeError, SabirError
from sabir.jsontext import dumps, loads
from sabir.lingua import wire as lingua
from sabir.slip import wire as slip

MAX_FILE: Final = 64 * 1024 * 1024
"""Largest corpus file, in bytes."""
SHIPPED: Final = "claims-corpus.json"

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Published:
    """A corpus that others published: its file's name, what it is, and the hash it is known by."""

    name: str
    about: str
    sha256: str


PUBLISHED: Final[dict[Source, Published]] = {
    "eap-ait-tasks": Published(
        "eap-ait-tasks.json",
        "the 14 tasks of the benchmark that EAP's document cites, as a JSON array of objects with `natural_ja`, "
        "`natural_en`, `eap_unicode`, `eap_ascii` and `ait`",
        "becea55a52e0101cd0e6673e4429371c8305f90d275505907fa617b6be47518e",
    ),
    "slip-intents-dev": Published(
        "slip-intents-dev.jsonl",
        "1,530 rows of the public training set of Slipstream's author, JSON lines with `text`, `anchor` and `wire`",
        "cd3d0e62dbee6150abf8cb818c733bc4a2b78718d24d7652ae698ac229fb2a1c",
    ),
}

_TASKS: Final = ("natural_ja", "natural_en", "eap_unicode", "eap_ascii", "ait")
_INTENTS: Final = ("text", "wire")
_OWN_TASKS: Final = ("ja", "en", "eap-unicode", "eap", "ait")
_OWN_MESSAGES: Final = ("type", "sentence", "slip", "lingua")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts to count.

    Attributes:
        source: which kind of claims it is for.
        name: the file's name.
        sha256: hash of the file.
        data: for "shipped" an object with ``tasks`` and ``messages``, else the rows.
    """

    source: Source
    name: str
    sha256: str
    data: Any

    @property
    def known(self) -> bool:
        """Whether it is the shipped corpus or a published one, to the letter."""
        published = PUBLISHED.get(self.source)
        return self.sha256 == (published.sha256 if published else shipped().sha256)


@functools.cache
def shipped() -> Corpus:
    """The corpus of this package."""
    data = resources.files("sabir.data").joinpath(SHIPPED).read_bytes()
    return Corpus("shipped", SHIPPED, hashlib.sha256(data).hexdigest(), json.loads(data))


def load(path: Path) -> Corpus:
    """Corpus of a file, which must have the form of one of the three.

    Raises:
        SabirError: it cannot be read, is no JSON, or has another form; the text says which forms there are.
    """
    data = _read(path)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise SabirError(f"{path} is not UTF-8: byte 0x{data[error.start]:02x} at position {error.start}") from None
    source, content = _recognized(path, _content(path, text))
    return Corpus(source, path.name, hashlib.sha256(data).hexdigest(), content)


def minified(value: Any) -> str:
    """JSON as a program sends it: a text as it is, everything else without white space."""
    return value if isinstance(value, str) else dumps(value)


def indented(value: Any) -> str:
    """JSON as documents print it, indented by two."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def mean(count: Callable[[str], int], texts: list[str]) -> float:
    """Mean number of tokens."""
    return sum(map(count, texts)) / len(texts)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else error
        raise SabirError(f"{path} cannot be read: {reason}") from None
    if len(data) > MAX_FILE:
        raise SabirError(f"{path} is larger than {MAX_FILE} bytes")
    return data


def _content(path: Path, text: str) -> Any:
    """One JSON value, or a list of those of each line."""
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        if path.suffix == ".jsonl":
            return [loads(line) for line in lines]
        return loads(text)
    except DecodeError as error:
        raise SabirError(f"{path} is no {'JSON lines' if path.suffix == '.jsonl' else 'JSON'}: {error}") from None


def _recognized(path: Path, content: Any) -> tuple[Source, Any]:
    if _has(content, _TASKS):
        return "eap-ait-tasks", content
    if _has(content, _INTENTS):
        _readable(path, content, "wire", slip.decode)
        return "slip-intents-dev", content
    if isinstance(content, dict) and _is_own(content.get("tasks"), content.get("messages")):
        _readable(path, content["messages"], "lingua", lingua.decode)
        return "shipped", content
    raise SabirError(
        f"{path} is no corpus for claims: it must be a JSON array of tasks ({', '.join(_TASKS)}), "
        f"JSON lines of messages ({', '.join(_INTENTS)}), or an object with tasks ({', '.join(_OWN_TASKS)}, json) "
        f"and messages ({', '.join(_OWN_MESSAGES)}, json)"
    )


def _is_own(tasks: Any, messages: Any) -> bool:
    """Whether these are tasks and messages as in the shipped corpus, each message an object as JSON."""
    return (
        _has(tasks, _OWN_TASKS)
        and _has(messages, _OWN_MESSAGES)
        and all(isinstance(task.get("json"), (dict, list)) for task in tasks)
        and all(isinstance(message.get("json"), dict) for message in messages)
    )


def _readable(path: Path, rows: Rows, field: str, decode: Callable[..., Any]) -> None:
    """Refuse rows with a message that is none, where a claim has to read it and not only to count it."""
    for number, row in enumerate(rows, 1):
        try:
            decode(row[field], allow_unknown=True)
        except DecodeError as error:
            raise SabirError(f'{path}: "{field}" of row {number} is no message: {error}') from None


def _has(rows: Any, fields: tuple[str, ...]) -> bool:
    """Whether these are rows, one at least, that have these fields as texts."""
    return bool(isinstance(rows, list) and rows) and all(
        isinstance(row, dict) and all(isinstance(row.get(field), str) and row[field] for field in fields)
        for row in rows
    )
