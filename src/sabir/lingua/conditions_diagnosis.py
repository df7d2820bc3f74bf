"""What a condition of Agent Lingua is made of, and what is wrong with a text that is none."""

from __future__ import annotations

import re
from typing import Any, Final

from sabir.errors import DecodeError, Span

TYPES: Final = "KFTNS"
"""Karma, followers, text, quantity, status: what is compared."""
OPERATORS: Final = "><=!~"
VALUE: Final = r"(?:(?!;;)[^|\s\x00-\x1f\x7f-\x9f\ud800-\udfff])++"
"""Pattern of a value."""
VALUE_RULE: Final = "may not be empty or hold |, ;;, white space or controls"
MAX_PART_DIGITS: Final = 20
"""Most digits of the numbers of a partition."""

_value = re.compile(VALUE).match
_part = re.compile(r"([0-9]++)/([0-9]++)").fullmatch

Fault = tuple[str, Span]


def no_condition(text: Any) -> DecodeError:
    """What to say of a text that is no condition."""
    if type(text) is not str:
        return DecodeError(f"a condition is text (str), not {type(text).__name__}")
    reason, span = _no_partition(text) if text[:1] == "P" else _no_comparison(text)
    return DecodeError(reason, text, span)


def _no_comparison(text: str) -> Fault:
    end = len(text)
    if text[:1] not in tuple(TYPES):
        return f"a condition starts with its type, one of {' '.join(TYPES)} or P, as in K>100 or P1/3", (0, min(1, end))
    if text[1:2] not in tuple(OPERATORS):
        return f"an operator follows {text[0]}, one of {' '.join(OPERATORS)}, as in {text[0]}=1", (1, min(2, end))
    found = _value(text, 2)
    stop = found.end() if found else 2
    return f"a value {VALUE_RULE}", (stop, min(stop + (2 if text.startswith(";;", stop) else 1), end))


def _no_partition(text: str) -> Fault:
    found = _part(text, 1)
    if found is None:
        return "a partition is which part of how many, such as P1/3", (1, len(text))
    for at in (1, 2):
        if len(found[at]) > MAX_PART_DIGITS:
            return f"a number of more than {MAX_PART_DIGITS} digits", found.span(at)
        if found[at][0] == "0":
            return "parts are counted from 1, without leading zeros", found.span(at)
    return f"there is no part {found[1]} of {found[2]}", found.span()
