"""The dictionary of AIT: which character stands for which domain or action, and which code of EAP (eap.md).

It is data and can be replaced. It is checked for ambiguity: each table has no code, value or EAP code twice.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Self

from sabir.eap.packet import ACTION, DOMAIN
from sabir.errors import DecodeError, EncodeError, shown
from sabir.jsontext import loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_IS_EAP: Final = {"domains": re.compile(DOMAIN).fullmatch, "actions": re.compile(ACTION).fullmatch}
_FIELDS: Final = {"code", "value", "eap"}
_is_code = re.compile(r"[a-z0-9]").fullmatch
_is_value = re.compile(r"[a-z][a-z0-9_-]*+").fullmatch


@dataclass(frozen=True, slots=True)
class Entry:
    """One domain or action.

    Attributes:
        code: its character on the tape, ``a-z`` or ``0-9``.
        value: its name in a message, such as ``security``.
        eap: its code in EAP, such as ``SEC``.
    """

    code: str
    value: str
    eap: str


@dataclass(frozen=True, slots=True)
class Table:
    """Entries of one table by each of the things they are called.

    Raises:
        EncodeError: the table is empty, an entry is malformed, or a name stands for two entries.
    """

    name: str
    entries: tuple[Entry, ...]
    by_code: dict[str, Entry] = field(init=False, repr=False, compare=False)
    by_value: dict[str, Entry] = field(init=False, repr=False, compare=False)
    by_eap: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.entries:
            raise EncodeError("must have an entry", self.name)
        for column, fits, rule in (
            ("code", _is_code, "one of a-z 0-9"),
            ("value", _is_value, "a-z, then any of a-z 0-9 _ -"),
            ("eap", _IS_EAP[self.name], "a code of EAP, such as SEC"),
        ):
            object.__setattr__(self, f"by_{column}", self._index(column, fits, rule))

    def _index(self, column: str, fits: Callable[[str], object], rule: str) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for at, entry in enumerate(self.entries):
            word, path = getattr(entry, column), f"{self.name}[{at}].{column}"
            if not fits(word):
                raise EncodeError(f"must be {rule}, not {shown(word)}", path)
            if word in found:
                raise EncodeError(f"{shown(word)} stands for {found[word].value} already", path)
            found[word] = entry
        return found

    def of_value(self, value: str) -> Entry:
        """Entry of a value.

        Raises:
            EncodeError: the table lacks it; the text names what there is.
        """
        found = self.by_value.get(value)
        if found is None:
            close = difflib.get_close_matches(value.lower(), self.by_value, 1)
            guess = f" (did you mean {close[0]}?)" if close else ""
            raise EncodeError(f"the dictionary has no {value!r}{guess}; there are {self}", self.name)
        return found

    def __str__(self) -> str:
        """Codes and values, for error texts: ``s security, d data``."""
        return ", ".join(f"{entry.code} {entry.value}" for entry in self.entries)


@dataclass(frozen=True, slots=True)
class AitDictionary:
    """The two tables that give a tape its meaning.

    Raises:
        EncodeError: from `of` and the like, with the path of a malformed or ambiguous entry.
    """

    domains: Table
    actions: Table
    packets: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Packets read so far, by their four characters: at most 36 * 9 for each pair of domain and action."""

    @classmethod
    def of(cls, domains: Iterable[Entry], actions: Iterable[Entry]) -> Self:
        """Dictionary of two lists of entries."""
        return cls(Table("domains", tuple(domains)), Table("actions", tuple(actions)))

    @classmethod
    def from_json(cls, form: Any) -> Self:
        """Dictionary of its JSON form: ``{"domains": [{"code", "value", "eap"}...], "actions": [...]}``.

        Raises:
            EncodeError: with the path of what is wrong.
        """
        if type(form) is not dict or form.keys() != _IS_EAP.keys():
            raise EncodeError('a dictionary is an object of two lists, "domains" and "actions"')
        return cls.of(_entries(form["domains"], "domains"), _entries(form["actions"], "actions"))

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Dictionary of a JSON file in UTF-8.

        Raises:
            EncodeError: it is no JSON, or no dictionary.
            OSError: it cannot be read.
        """
        try:
            return cls.from_json(loads(path.read_text("utf-8")))
        except (DecodeError, UnicodeDecodeError) as error:
            raise EncodeError(f"{path} is no JSON: {error}") from None


@cache
def default() -> AitDictionary:
    """The dictionary of AIT's own document."""
    return AitDictionary.from_json(
        loads(resources.files("sabir.data").joinpath("ait-dictionary.json").read_text("utf-8"))
    )


def _entries(rows: Any, table: str) -> list[Entry]:
    if type(rows) is not list:
        raise EncodeError("must be a list", table)
    for at, row in enumerate(rows):
        texts = type(row) is dict and all(type(item) is str for item in row.values())
        if not texts or row.keys() != _FIELDS:
            raise EncodeError('must be an object of three texts, "code", "value" and "eap"', f"{table}[{at}]")
    return [Entry(**row) for row in rows]

