r"""Conditions of Agent Lingua as values to test with (seed, "Condition Encoding"; agent-lingua.md, "Condition").

    condition  = comparison / partition
    comparison = ( "K" / "F" / "T" / "N" / "S" ) ( ">" / "<" / "=" / "!" / "~" ) value
    partition  = "P" part "/" parts              ; numbers from 1, without leading zeros, part <= parts
    value      = 1*( character other than "|", white space and controls )   ; no ";;" inside

Karma, followers and quantity are numbers, and compare exactly: 0.1 is one tenth. Text and status are equal or not to
the letter, or contain. A text that fits the grammar may still be no test, such as ``K>many`` or ``T>a``: then testing, not
reading, raises.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from sabir.errors import DecodeError, EncodeError, shown
from sabir.jsontext import MAX_INT_DIGITS, check_int, check_text
from sabir.lingua.conditions_diagnosis import MAX_PART_DIGITS, OPERATORS, TYPES, VALUE, VALUE_RULE, no_condition

if TYPE_CHECKING:
    from collections.abc import Iterable

FIELDS: Final = {"K": "karma", "F": "followers", "T": "text", "N": "quantity", "S": "status", "P": "id"}
"""Field of a record that a condition of each type looks at; a caller may name others."""
NUMERIC: Final = "KFN"
"""Types that compare numbers."""
SILP_OPERATORS: Final = {">": ">", "<": "<", "=": "=", "!": "!=", "~": None}
"""Operator of a SILP constraint for each operator; what contains is a call, ``text(word)``."""
PARTITION: Final = "partition"
"""Type of a SILP constraint that is a partition."""

_fits = re.compile(rf"([{TYPES}])([{OPERATORS}])({VALUE})").fullmatch
_partition = re.compile(rf"P([1-9][0-9]{{0,{MAX_PART_DIGITS - 1}}})/([1-9][0-9]{{0,{MAX_PART_DIGITS - 1}}})").fullmatch
_value = re.compile(VALUE).fullmatch
_number = re.compile(r"[+-]?+[0-9]++(?:\.[0-9]++)?+").fullmatch
_SILP_TYPES: Final = {name: letter for letter, name in FIELDS.items() if letter != "P"}
_LINGUA_OPERATORS: Final = {silp: lingua for lingua, silp in SILP_OPERATORS.items()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field against a value: ``K>100``, ``T~hello``, ``S!done``.

    Attributes:
        type: K karma, F followers, T text, N quantity, S status.
        operator: ``> < =``, ``!`` not equal, ``~`` contains.
        value: what to compare with, as it stands in the message.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    type: str
    operator: str
    value: str

    def __post_init__(self) -> None:
        if self.type not in tuple(TYPES):
            raise EncodeError(f"must be one of {' '.join(TYPES)}, not {shown(self.type)}", "type")
        if self.operator not in tuple(OPERATORS):
            raise EncodeError(f"must be one of {' '.join(OPERATORS)}, not {shown(self.operator)}", "operator")
        check_text(self.value, "value")
        if not _value(self.value):
            raise EncodeError(VALUE_RULE, "value")

    @classmethod
    def of(cls, type: str, operator: str, value: str | float | Decimal) -> Self:
        """Comparison with a number, written in full (``K>1000`` for 1e3), or with a text.

        Raises:
            EncodeError: as the constructor, or the number is not finite or takes more than `MAX_INT_DIGITS` digits.
        """
        return cls(type, operator, value if isinstance(value, str) else _spelled(_exact(value, "value")))

    @property
    def text(self) -> str:
        """The wire text after ``%``."""
        return f"{self.type}{self.operator}{self.value}"

    def test(
        self, record: Mapping[str, Any], fields: Mapping[str, str] = FIELDS, *, missing: bool | None = None
    ) -> bool:
        """Whether a record meets the condition.

        Args:
            record: values by field; numbers for K, F and N, texts for T, texts or whole numbers for S.
            fields: field of each type, where it is not that of `FIELDS`.
            missing: the answer for a record without the field, or with None in it; None makes that an error.

        Raises:
            EncodeError: the field is missing, or of another type, with its name as path.
            DecodeError: ``decode_failed``; the condition is no test.
        """
        self._check_sense()
        field, value = _field(self.type, record, fields, missing=missing)
        if value is None:
            return missing is True
        if self.type in NUMERIC:
            number, limit = _exact(value, field), Decimal(self.value)
            return {">": number > limit, "<": number < limit, "=": number == limit, "!": number != limit}[self.operator]
        if self.type == "S" and type(value) is int:
            value = str(Decimal(value))  # not by way of int, which has a limit of digits
        check_text(value, field)
        return self.value in value if self.operator == "~" else (self.value == value) is (self.operator == "=")

    def _check_sense(self) -> None:
        """Refuse what fits the grammar and is no test."""
        allowed = "><=!" if self.type in NUMERIC else "=!~"
        if self.operator not in allowed:
            kind = "numbers" if self.type in NUMERIC else "texts"
            reason = f"{self.type} compares {kind}: its operators are {' '.join(allowed)}"
            raise DecodeError(reason, self.text, (1, 2), code="decode_failed")
        if self.type in NUMERIC and (not _number(self.value) or len(self.value) > MAX_INT_DIGITS + 2):
            reason = f"{self.type} compares with a number, such as 100, -3 or 2.5, of at most {MAX_INT_DIGITS} digits"
            raise DecodeError(reason, self.text, (2, len(self.text)), code="decode_failed")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Partition:
    """One of so many parts of a set (``P1/3``), so that agents share it without talking.

    Attributes:
        part: which part, from 1.
        parts: how many there are.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    part: int
    parts: int

    def __post_init__(self) -> None:
        for path, number in (("part", self.part), ("parts", self.parts)):
            if type(number) is not int or not 0 < number < 10**MAX_PART_DIGITS:
                raise EncodeError(f"must be a whole number from 1, of at most {MAX_PART_DIGITS} digits", path)
        if self.part > self.parts:
            raise EncodeError(f"there is no part {self.part} of {self.parts}", "part")

    @property
    def text(self) -> str:
        """The wire text after ``%``."""
        return f"P{self.part}/{self.parts}"

    def holds(self, key: int | str) -> bool:
        """Whether an item is in this part; each item is in exactly one of all parts.

        A number is the item's place, from 0: parts take turns. A text is its id: the SHA-256 of its UTF-8, as a
        number, stands for a place, so that all agents agree whatever the order of the items.

        Raises:
            EncodeError: it is neither, or a negative number.
        """
        if type(key) is int:
            if key < 0:
                raise EncodeError("a place is counted from 0", "id")
            place = key
        else:
            check_text(key, "id")
            place = int.from_bytes(hashlib.sha256(str(key).encode()).digest(), "big")
        return place % self.parts == self.part - 1

    def test(
        self, record: Mapping[str, Any], fields: Mapping[str, str] = FIELDS, *, missing: bool | None = None
    ) -> bool:
        """Whether a record, by its field ``id``, is in this part; arguments and errors as `Comparison.test`."""
        value = _field("P", record, fields, missing=missing)[1]
        return missing is True if value is None else self.holds(value)

    def __str__(self) -> str:
        return self.text


Condition: TypeAlias = Comparison | Partition
"""A condition of either kind."""


# --- reading ---------------------------------------------------------------------------------------------


def parse(text: str) -> Condition:
    """Condition of the text after ``%``.

    Raises:
        DecodeError: ``invalid_syntax``, with the span of the piece at fault.
    """
    if not is_condition(text):
        raise no_condition(text)
    found = _fits(text)
    if found is not None:
        return Comparison(*found.groups())
    part, parts = text[1:].split("/")
    return Partition(int(part), int(parts))


def is_condition(text: Any) -> bool:
    """Whether `parse` reads this."""
    if type(text) is not str:
        return False
    if _fits(text):
        return True
    partition = _partition(text)
    return partition is not None and int(partition[1]) <= int(partition[2])


def meets(
    record: Mapping[str, Any],
    conditions: Iterable[str],
    fields: Mapping[str, str] = FIELDS,
    *,
    missing: bool | None = None,
) -> bool:
    """Whether a record meets all of a request's conditions; arguments and errors as `parse` and `Comparison.test`."""
    tests = [parse(text) for text in conditions]
    return all([condition.test(record, fields, missing=missing) for condition in tests])


# --- SILP ------------------------------------------------------------------------------------------------


def to_constraint(text: str) -> tuple[str, str | None, str] | None:
    """Type, operator and value of a SILP constraint for a condition, or None for what is no condition.

    ``K>100`` is ``karma>100``, ``S!done`` is ``status!=done``, ``T~hello`` is ``text(hello)`` and ``P1/3`` is
    ``partition(1/3)``.
    """
    if not is_condition(text):
        return None
    found = _fits(text)
    if found is None:
        return PARTITION, None, text[1:]
    return FIELDS[found[1]], SILP_OPERATORS[found[2]], found[3]


def from_constraint(type: str, operator: str | None, value: str) -> str | None:
    """Condition for a SILP constraint, or None where Agent Lingua cannot say it: the inverse of `to_constraint`."""
    if type == PARTITION:
        text = f"P{value}" if operator is None else ""
    elif type in _SILP_TYPES and operator in _LINGUA_OPERATORS:
        text = f"{_SILP_TYPES[type]}{_LINGUA_OPERATORS[operator]}{value}"
    else:
        return None
    return text if is_condition(text) else None


# --- records ---------------------------------------------------------------------------------------------


def _field(type: str, record: Mapping[str, Any], fields: Mapping[str, str], *, missing: bool | None) -> tuple[str, Any]:
    """Name and value of the field that a type looks at."""
    if not isinstance(record, Mapping):
        raise EncodeError(f"a record is a mapping, not {record.__class__.__name__}")
    field = fields.get(type, FIELDS[type])
    value = record.get(field)
    if value is None and missing is None:
        there = ", ".join(str(name) for name in record) or "none"
        raise EncodeError(f"the record has no such field, which {type} looks at (there are: {there})", field)
    return field, value


def _exact(value: Any, path: str) -> Decimal:
    """A number to the digit; a float is the shortest decimal that reads as it."""
    if type(value) is int:
        check_int(value, path)
        return Decimal(value)
    if type(value) is float and math.isfinite(value):
        return Decimal(repr(value))
    if isinstance(value, Decimal) and value.is_finite():
        return value
    raise EncodeError(f"must be a finite number, not {value!r:.60}", path)


def _spelled(number: Decimal) -> str:
    """A number in full, without an exponent and without zeros that say nothing."""
    if not number:
        return "0"
    exponent = int(number.as_tuple().exponent)  # it is finite
    if max(number.adjusted(), 0) + 1 + max(-exponent, 0) > MAX_INT_DIGITS:
        raise EncodeError(f"a number of more than {MAX_INT_DIGITS} digits when written in full", "value")
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
