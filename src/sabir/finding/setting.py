"""What holds for a whole text, and what one segment of it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sabir.finding.found import Found
from sabir.finding.objects import Scanner
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for a whole text.

    Attributes:
        strict: find, and repair nothing.
        formats: names of the formats to look for.
        within: finds what a JSON string holds, given its content, the evidence that its key gives, and the setting.
        depth: how many JSON strings stand around the text.
        codebook: whose anchors are known.
    """

    strict: bool
    formats: frozenset[str]
    within: Callable[[str, int, Setting], list[Found]]
    depth: int = 0
    codebook: Codebook = field(default_factory=core)


@dataclass(slots=True)
class Result:
    """What a segment held, and an object that is still open at its end."""

    found: list[Found]
    scanner: Scanner | None = None
    bare: bool = False
    """Whether it is one message without a marker that stands alone."""
    lacking: bool = False
    """Whether that one counts only if the whole text says nothing else."""
    other: list[Found] = field(default_factory=list)
    """What stands in its place if it does not count."""
    cut: Found | None = None
    """The head of a SLIP message that the end of the line cut off."""
