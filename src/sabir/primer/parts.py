"""What a format's own module brings to its primer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Parts:
    """What fills a primer's text.

    Attributes:
        values: text for each place in the pieces; a piece with an empty one is left out.
        examples: messages to show.
        inline: wire texts in ``values`` that are messages too, where a piece shows them.
        slips: frequent errors: name of the reason, what is wrong, what is right.
    """

    values: dict[str, str]
    examples: list[Any]
    inline: tuple[str, ...] = ()
    slips: list[tuple[str, str, str]] = field(default_factory=list)


@cache
def table(name: str) -> Any:
    """A table of ``sabir.data``."""
    return json.loads(resources.files("sabir.data").joinpath(f"{name}.json").read_text("utf-8"))
