"""The tables of Agent Lingua as data: domains, actions, modifiers, statuses, errors and targets (seed, "Domain Encoding" and on).

The codes of domains, actions, modifiers, statuses and errors are fixed by the protocol, so that every message can be
read without knowing who extended what. An installation gives its own meaning to what is reserved for extensions,
domain F and action F, and adds targets, such as its own submolts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Self

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import check_text, loads

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAMES: Final = ("domains", "actions", "modifiers", "statuses", "errors", "subtypes", "targets")
EXTENSIBLE: Final = {"domains": "F", "actions": "F"}
"""The one code of a table whose meaning an installation may set; targets may be added freely."""
_FIELDS: Final = ("code", "name", "en", "ja")
_is_code = re.compile(r"[^|;\s\x00-\x1f\x7f-\x9f]+").fullmatch


@dataclass(frozen=True, slots=True)
class Entry:
    """One code of a table.

    Attributes:
        code: what stands in a message.
        name: its short name, as in the protocol's document.
        en, ja: what it means, in English and Japanese.
    """

    code: str
    name: str
    en: str
    ja: str

    def meaning(self, lang: str) -> str:
        """What it means, in "en" or "ja"."""
        return self.ja if lang == "ja" else self.en


@dataclass(frozen=True, slots=True)
class Table:
    """Entries by code and by name.

    Raises:
        EncodeError: a code or a name stands twice, or an entry is malformed.
    """

    title: str
    entries: tuple[Entry, ...]
    by_code: dict[str, Entry] = field(init=False, repr=False, compare=False)
    by_name: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for at, entry in enumerate(self.entries):
            for name in _FIELDS:
                check_text(getattr(entry, name), f"{self.title}[{at}].{name}")
            if not _is_code(entry.code):
                raise EncodeError("a code holds no | ; white space or control, and is not empty", f"{self.title}[{at}].code")
        object.__setattr__(self, "by_code", self._index("code"))
        object.__setattr__(self, "by_name", self._index("name"))

    def _index(self, column: str) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for at, entry in enumerate(self.entries):
            word = getattr(entry, column)
            if word in found:
                raise EncodeError(f"{word!r} stands twice", f"{self.title}[{at}].{column}")
            found[word] = entry
        return found

    def __str__(self) -> str:
        """Codes and names, for error texts: ``0 SYS, 1 MSG``."""
        return ", ".join(f"{entry.code} {entry.name}" for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of an installation."""

    domains: Table
    actions: Table
    modifiers: Table
    statuses: Table
    errors: Table
    subtypes: Table
    targets: Table

    def extended(
        self, *, domain: Entry | None = None, action: Entry | None = None, targets: Iterable[Entry] = ()
    ) -> Self:
        """These tables with the installation's own meaning of domain F and action F, and with more targets.

        Raises:
            EncodeError: another domain or action than F, or a target whose code or name is taken.
        """
        return replace(
            self,
            domains=_with(self.domains, domain),
            actions=_with(self.actions, action),
            targets=Table("targets", (*self.targets.entries, *targets)),
        )

    def extended_by_file(self, path: Path) -> Self:
        """These tables with what a JSON file adds: ``{"domain": {...}, "action": {...}, "targets": [{...}]}``.

        Each entry is an object of "code", "name" and, if wanted, "en" and "ja", which default to the name.

        Raises:
            EncodeError: with the path of what is wrong.
            OSError: the file cannot be read.
        """
        try:
            form = loads(path.read_text("utf-8"))
        except (DecodeError, UnicodeDecodeError) as error:
            raise EncodeError(f"{path} is no JSON: {error}") from None
        if type(form) is not dict or not form.keys() <= {"domain", "action", "targets"}:
            raise EncodeError('an extension is an object of "domain", "action" and "targets", each as wanted')
        more = form.get("targets", [])
        if type(more) is not list:
            raise EncodeError("must be a list", "targets")
        return self.extended(
            domain=_entry(form["domain"], "domain") if "domain" in form else None,
            action=_entry(form["action"], "action") if "action" in form else None,
            targets=[_entry(item, f"targets[{at}]") for at, item in enumerate(more)],
        )

    def target(self, code: str) -> Entry | None:
        """Entry of a target, ``99name`` being the submolt of that name; None for any other name."""
        known = self.targets.by_code.get(code)
        if known is None and code[:2] == "99" and len(code) > 2:
            return Entry(code, code[2:], code[2:], code[2:])
        return known


def _with(table: Table, entry: Entry | None) -> Table:
    if entry is None:
        return table
    if entry.code != EXTENSIBLE[table.title]:
        reason = f"only {EXTENSIBLE[table.title]} is reserved for extensions, not {entry.code!r}"
        raise EncodeError(reason, f"{table.title}.code")
    return Table(table.title, tuple(entry if known.code == entry.code else known for known in table.entries))


def _entry(form: Any, path: str) -> Entry:
    if type(form) is not dict or not {"code", "name"} <= form.keys() <= {*_FIELDS}:
        raise EncodeError('must be an object of "code" and "name" and, if wanted, "en" and "ja"', path)
    name: Any = form["name"]
    return Entry(form["code"], name, form.get("en", name), form.get("ja", name))


@cache
def _published() -> dict[str, Any]:
    text = resources.files("sabir.data").joinpath("lingua.json").read_text("utf-8")
    return loads(text)  # type: ignore[no-any-return]  # our own table is an object


@cache
def default() -> Tables:
    """The tables of the protocol's document."""
    form = _published()
    return Tables(**{name: Table(name, tuple(Entry(**row) for row in form[name])) for name in NAMES})


VERSION: Final[str] = _published()["version"]
"""The version of Agent Lingua that this library speaks, as signatures state it."""
SOURCE: Final[str] = _published()["source"]
"""Shorthand of the protocol's canonical document."""
