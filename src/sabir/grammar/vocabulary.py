"""What a project narrows a grammar to, checked: which anchors, domains, agents, actions and keys there are."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabir.errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


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
        EncodeError: a list is empty (only ``keys`` may be), or is no list of texts.
    """
    words = {name: None if each is None else _words(name, each) for name, each in given.items()}
    return Vocabulary(**words, flat=flat)


def _words(name: str, given: Iterable[str]) -> tuple[str, ...]:
    found = () if isinstance(given, (str, bytes)) else tuple(dict.fromkeys(given))
    if isinstance(given, (str, bytes)) or not all(type(word) is str for word in found):
        raise EncodeError("must be a list of texts", name)
    if not found and name != "keys":
        raise EncodeError("must have one word at the least", name)
    return found


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
