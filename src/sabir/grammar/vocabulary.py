"""What a project narrows a grammar to, checked: which anchors, domains, agents, actions and keys there are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabir.errors import EncodeError
from sabir.jsontext import check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words to which a grammar is narrowed; None where it is not.

    Attributes:
        anchors: mnemonics of SLIP's codebook.
        domains: codes of EAP, AIT or Agent Lingua.
        agents: names of senders and receivers.
        actions: verbs of SILP, action codes of the others.
        keys: names of data: EAP's keys, SILP's slots; none at all where it is empty.
        flat: whether the grammar is to be one regular expression, and data are scalars for that.
    """

    anchors: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None
    keys: tuple[str, ...] | None = None
    flat: bool = False


def of(given: Mapping[str, Iterable[str] | None], *, flat: bool = False) -> Vocabulary:
    """Vocabulary of lists of words, each word once.

    Raises:
        EncodeError: a list is empty (only ``keys`` may be), or is no list of texts that can be seen.
    """
    words = {name: None if each is None else _words(name, each) for name, each in given.items()}
    return Vocabulary(**words, flat=flat)


def _words(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise EncodeError("must be a list of texts", name)
    found = list(given)
    for word in found:
        check_text(word, name)
        if not word.isprintable():
            raise EncodeError(f"{word!r} holds a character that cannot be seen", name)
    if not found and name != "keys":
        raise EncodeError("must have one word at the least", name)
    return tuple(dict.fromkeys(found))


def among(path: str, given: Iterable[str] | None, known: Mapping[str, str], hint: str = "") -> list[str]:
    """What the words given stand for in a table of all that there are; all of it where none are given.

    Raises:
        EncodeError: the table lacks one; the closest are named.
    """
    if given is None:
        return list(dict.fromkeys(known.values()))
    return list(dict.fromkeys(_found(path, word, known, hint) for word in given))


def _found(path: str, word: str, known: Mapping[str, str], hint: str) -> str:
    found = known.get(word)
    if found is None:
        folded = {name.lower(): name for name in known}
        close = [folded[name] for name in difflib.get_close_matches(word.lower(), folded, 3)]
        guess = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"
        raise EncodeError(f'no {path[:-1]} "{word}"; {guess}{hint}', path)
    return found


def fitting(path: str, given: Iterable[str], fits: Callable[[str], object], rule: str) -> list[str]:
    """Words that must be of a form.

    Raises:
        EncodeError: one is not; ``rule`` says what the form is.
    """
    found = list(given)
    for word in found:
        if not fits(word):
            raise EncodeError(f"{word!r} is none: {rule}", path)
    return found
