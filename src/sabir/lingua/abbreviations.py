"""Short keys of JSON payloads (agent-lingua.md, "JSON payload abbreviations"), reversible for every JSON value.

    written    = short key of a long one
               / "_" key             for a key that is a short key behind any number of "_"
               / key                 for any other

So ``title`` is written ``t``, a key ``t`` is written ``_t`` and ``_t`` is written ``__t``: no two keys are written the same,
and `expand` undoes `abbreviate`. What ``ts`` (Unix seconds), ``dt`` (ISO 8601) and ``du`` (seconds) hold is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Self

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import MAX_TEXT_DEPTH, check_text, check_value, loads

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ESCAPE: Final = "_"
"""Stands before a key that would read as a short one."""


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """A table of short keys.

    Attributes:
        long: long key of each short one.
        short: short key of each long one.

    Raises:
        EncodeError: a key is empty or no text, a short one begins with ``_``, one stands twice, or one is both.
    """

    long: Mapping[str, str]
    short: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.long, Mapping):
            raise EncodeError("a table is an object of short keys with their long ones", "abbreviations")
        object.__setattr__(self, "long", dict(self.long))
        found: dict[str, str] = {}
        for short, long in self.long.items():
            self._check(short, long)
            if long in found:
                raise EncodeError(f"{long!r} is {found[long]!r} already", short)
            found[long] = short
        object.__setattr__(self, "short", found)

    def _check(self, short: Any, long: Any) -> None:
        check_text(short, "abbreviations (a key)")
        check_text(long, short)
        if not short or not long:
            raise EncodeError("a key may not be empty", short)
        if short.startswith(ESCAPE):
            raise EncodeError(f"a short key may not begin with {ESCAPE}, which escapes", short)
        if long.lstrip(ESCAPE) in self.long:
            raise EncodeError(f"{long!r} is a short key, or reads as one that is escaped", short)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Table of a JSON file in UTF-8, an object of short keys with their long ones.

        Raises:
            EncodeError: it is no JSON, or no table.
            OSError: it cannot be read.
        """
        try:
            return cls(loads(path.read_text("utf-8")))
        except (DecodeError, UnicodeDecodeError) as error:
            raise EncodeError(f"{path} is no JSON: {error}") from None

    def write(self, key: str) -> str:
        """A key as it is written."""
        if key.lstrip(ESCAPE) in self.long:
            return ESCAPE + key
        return self.short.get(key, key)

    def read(self, key: str) -> str:
        """The key that is written so."""
        if key.startswith(ESCAPE) and key.lstrip(ESCAPE) in self.long:
            return key[1:]
        return self.long.get(key, key)


@cache
def default() -> Abbreviations:
    """The table of the protocol's document."""
    text = resources.files("sabir.data").joinpath("lingua-abbreviations.json").read_text("utf-8")
    return Abbreviations(loads(text))


def abbreviate(value: Any, table: Abbreviations | None = None) -> Any:
    """A JSON value with short keys at every depth, in the same order; the value itself is not changed.

    Raises:
        EncodeError: it is no JSON value, with the path.
    """
    check_value(value, "value", depth=MAX_TEXT_DEPTH)
    return _renamed(value, (table or default()).write)


def expand(value: Any, table: Abbreviations | None = None) -> Any:
    """A JSON value with long keys at every depth, in the same order: the inverse of `abbreviate`.

    Long keys in it stay as they are, so that values of peers that do not abbreviate can be read, too.

    Raises:
        DecodeError: ``decode_failed``; an object has a key both short and long, which no `abbreviate` gives.
        EncodeError: it is no JSON value, with the path.
    """
    check_value(value, "value", depth=MAX_TEXT_DEPTH)
    return _renamed(value, (table or default()).read)


def _renamed(value: Any, rename: Callable[[str], str]) -> Any:
    if type(value) is list:
        return [_renamed(item, rename) for item in value]
    if type(value) is not dict:
        return value
    found = {rename(key): _renamed(item, rename) for key, item in value.items()}
    if len(found) != len(value):
        raise _twice(value, rename)
    return found


def _twice(value: dict[str, Any], rename: Callable[[str], str]) -> DecodeError:
    """What to say of an object in which two keys mean the same."""
    seen: dict[str, str] = {}
    for key in value:  # pragma: no branch  # two of them meet
        other = seen.setdefault(rename(key), key)
        if other != key:
            break
    return DecodeError(f"keys {other!r} and {key!r} of one object are both {rename(key)!r}", code="decode_failed")
