"""What tokens cost: list prices of one usual model for each tokenizer, with their dates; the user's own come first.

Prices change and differ by provider, so each default says of when it is, and a report names the prices it was made with.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import loads

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

YOURS = "yours"
"""Date of a price that the user gave."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a tokenizer's tokens cost.

    Attributes:
        tokenizer: name of the tokenizer.
        model: whose list price it is.
        input, output: US dollars for a million tokens read and written.
        as_of: month of the list price, or "yours".
    """

    tokenizer: str
    model: str
    input: float
    output: float
    as_of: str

    def of_message(self, tokens: float, readers: int = 1) -> float:
        """US dollars for a message that is written once and read by so many."""
        return tokens * (self.output + readers * self.input) / 1e6


@cache
def defaults() -> dict[str, Price]:
    """List prices by tokenizer; a tokenizer without one has no model of one price."""
    rows = json.loads(resources.files("sabir.data").joinpath("prices.json").read_text("utf-8"))
    return {row["tokenizer"]: Price(**row) for row in rows}


def with_own(given: Iterable[str]) -> dict[str, Price]:
    """The defaults with prices of the user's: ``NAME=INPUT/OUTPUT``, US dollars for a million tokens.

    Raises:
        EncodeError: one is not of that form.
    """
    found = dict(defaults())
    for text in given:
        name, sign, amounts = text.partition("=")
        cells = amounts.split("/")
        if not name or not sign or len(cells) not in (1, 2):
            raise EncodeError(f"must be NAME=INPUT/OUTPUT, such as gpt-4o=2.50/10, not {text!r}", "price")
        numbers = [_amount(cell, text) for cell in cells]
        found[name] = Price(name, name, numbers[0], numbers[-1], YOURS)
    return found


def from_file(path: Path) -> dict[str, Price]:
    """The defaults with those of a JSON file: ``{"gpt-4o": {"input": 2.5, "output": 10}}``.

    Raises:
        EncodeError: the file is none of that form.
        OSError: it cannot be read.
    """
    try:
        form = loads(path.read_text("utf-8"))
    except (DecodeError, UnicodeDecodeError) as error:
        raise EncodeError(f"{path} is no JSON: {error}", "price") from None
    if type(form) is not dict:
        raise EncodeError("a table of prices is an object by tokenizer", "price")
    found = dict(defaults())
    for name, row in form.items():
        if type(row) is not dict or not {"input", "output"} <= row.keys():
            raise EncodeError('a price is an object of "input" and "output"', f"price.{name}")
        amounts = [_number(row[side], f"price.{name}.{side}") for side in ("input", "output")]
        found[name] = Price(name, str(row.get("model", name)), amounts[0], amounts[1], str(row.get("as_of", YOURS)))
    return found


def _amount(cell: str, text: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        raise EncodeError(f"no amount {cell!r} in {text!r}", "price") from None
    return _number(number, "price")


def _number(value: Any, path: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
        raise EncodeError(f"must be dollars for a million tokens, not {value!r}", path)
    return float(value)
