"""The table of model-like outputs as cases, and what the finder gives in the table's form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sabir
from sabir.finding import Found

TABLE = Path(__file__).parent / "extraction"
LOOKALIKES = "lookalikes"
REPORTED = "reported"

Row = tuple[str, str, str, tuple[str, ...]]
"""Format, canonical text, piece of the input, names of the repairs."""


@dataclass(frozen=True)
class Case:
    """One output, the messages that it holds, and the templates and damaged pieces."""

    file: str
    id: str
    text: str
    found: tuple[Row, ...]
    reported: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        return f"{self.file}-{self.id}"


def cases() -> list[Case]:
    """All cases of the table; a text of several lines stands there as a list."""
    return [_case(path.stem, item) for path in sorted(TABLE.glob("*.json")) for item in json.loads(path.read_text("utf-8"))]


def _case(file: str, item: dict[str, Any]) -> Case:
    assert item.keys() <= {"id", "text", "found", "reported"}
    text = item["text"] if isinstance(item["text"], str) else "\n".join(item["text"])
    found = tuple(
        (row["format"], row["want"], row.get("piece", row["want"]), tuple(row.get("repairs", ()))) for row in item.get("found", ())
    )
    reported = tuple((row["kind"], row["format"], row["piece"]) for row in item.get("reported", ()))
    return Case(file, item["id"], text, found, reported)


_goes_on = re.compile(r"^\s*$|^[ \t>]*(?:[-*+][ \t]+|[0-9]{1,3}[.)][ \t]+)?(?:```|~~~)|^[ \t>]*[*_`]*(?:--|—|–)👽lingua/", re.MULTILINE).search


def is_one(message: Any) -> bool:
    """Whether the finder can tell where a message ends: human language ends with its paragraph, at a fence and at a signature."""
    return getattr(message, "kind", "") != "human" or not _goes_on(message.text)


def rows(text: str, found: Iterable[Found]) -> tuple[Row, ...]:
    """The messages that were found, in the table's form."""
    return tuple(
        (item.format, sabir.encode(item.message, item.format), text[slice(*item.span)], item.repairs)
        for item in found
        if item.kind == "message"
    )


def reports(text: str, found: Iterable[Found]) -> tuple[tuple[str, str, str], ...]:
    """What was reported and not read, in the table's form."""
    return tuple((item.kind, item.format, text[slice(*item.span)]) for item in found if item.kind != "message")
