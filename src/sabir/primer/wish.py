"""What somebody wants a primer for, and the words that it is to teach."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.ucr.codebook import Anchor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SIZES: Final = ("brief", "full")
LANGUAGES: Final = ("en", "ja")
NOBODY: Final = "-"
"""Stands for no agent in Slipstream."""
_SHOWN: Final = 64
"""Characters of a wrong name that a reason shows."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a format's vocabulary.

    Attributes:
        name: as it stands in a text of the format.
        meaning: what it means, in the primer's language.
        value: what the protocol's own table holds for it.
        is_own: whether the project has given it this meaning, which nobody else can know.
    """

    name: str
    meaning: str
    value: Any = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """A request for a primer, checked but for its words, which the format's own module looks up.

    Attributes:
        format: name of the format.
        size, lang: of `SIZES` and `LANGUAGES`.
        anchors, domains: the words to teach; None for all.
        agents: names for the examples, in their order; none where nobody is named.
    """

    format: str
    size: str
    lang: str
    anchors: tuple[str | Anchor, ...] | None
    domains: tuple[str, ...] | None
    agents: tuple[str, ...]

    @property
    def brief(self) -> bool:
        """Whether the shortest primer is wanted."""
        return self.size == "brief"

    def pair(self, turn: int) -> tuple[str | None, str | None]:
        """Sender and receiver of an example, each agent in its turn; None for nobody."""
        if not self.agents:
            return None, None
        sender = self.agents[turn % len(self.agents)]
        return sender, self.agents[(turn + 1) % len(self.agents)] if len(self.agents) > 1 else None

    def routed(self, turn: int, sender: str, receiver: str) -> dict[str, Any]:
        """The pair of an example under two keys; nobody is left out."""
        return {key: name for key, name in zip((sender, receiver), self.pair(turn), strict=True) if name is not None}

    def refuse(self, name: str, reason: str) -> None:
        """Refuse an argument that the format has no place for, where it is given.

        Raises:
            EncodeError: it is given.
        """
        if getattr(self, name):
            raise EncodeError(f"{self.format} {reason}", name)


def wish(format: str, size: str, lang: str, anchors: Any, domains: Any, agents: Any) -> Wish:  # noqa: PLR0917  # made in one place
    """A `Wish` of arguments that nobody has checked.

    Raises:
        EncodeError: with the name of the argument at fault.
    """
    for name, value, among in (("size", size, SIZES), ("lang", lang, LANGUAGES)):
        if value not in among:
            raise EncodeError(f"must be {' or '.join(among)}, not {value!r}", name)
    named = _listed(agents, "agents")
    for at, agent in enumerate(named or ()):
        check_text(agent, f"agents[{at}]")
        if not agent.isprintable() or " " in agent or not agent:
            raise EncodeError("an agent's name may not be empty or hold white space or what cannot be seen", f"agents[{at}]")
        if agent == NOBODY:
            raise EncodeError(f"{NOBODY} stands for nobody and is no agent's name", f"agents[{at}]")
    return Wish(format, size, lang, _listed(anchors, "anchors"), _listed(domains, "domains"), named or ())


def _listed(given: Any, path: str) -> tuple[Any, ...] | None:
    """What is given, each once, in its order.

    Raises:
        EncodeError: it is no list, or an empty one.
    """
    if given is None:
        return None
    if isinstance(given, (str, bytes, Anchor)):
        raise EncodeError(f"must be a list of names, not one {type(given).__name__}", path)
    try:
        found = tuple(dict.fromkeys(given))
    except TypeError:
        raise EncodeError("must be a list of names", path) from None
    if not found:
        raise EncodeError("name one at least, or leave them out", path)
    return found


def names(given: Iterable[Any]) -> list[Any]:
    """Names given for words; an anchor of a codebook stands for its mnemonic."""
    return [item.mnemonic if isinstance(item, Anchor) else item for item in given]


def choose(
    given: Iterable[Any],
    path: str,
    noun: str,
    known: Mapping[str, Word],
    own: Callable[[str, str, str], Word] | None = None,
) -> list[Word]:
    """The words that are meant by the names given, each once.

    Args:
        given: names, or ``NAME=meaning`` for a word of a project's own.
        path: the argument's name, for errors.
        noun: what a word is called here, with the format's name: "slip has no anchor".
        known: words by each name that they are called.
        own: makes a word of name, meaning and path; None where the vocabulary is closed.

    Raises:
        EncodeError: a name is unknown; the closest one is named.
    """
    found: dict[str, Word] = {}
    for at, name in enumerate(given):
        where = f"{path}[{at}]"
        check_text(name, where)
        word = known.get(name)
        if word is None:
            head, sign, meaning = name.partition("=")
            if not sign or own is None:
                raise EncodeError(_unknown(name, noun, known, is_open=own is not None), where)
            word = own(head.strip(), _meaning(meaning, where), where)
        found.setdefault(word.name, word)
    return list(found.values())


def _meaning(text: str, path: str) -> str:
    meaning = text.strip()
    if not meaning or not meaning.isprintable():
        raise EncodeError("a meaning is a few words on one line: NAME=meaning", path)
    return meaning


def _unknown(name: str, noun: str, known: Mapping[str, Word], *, is_open: bool) -> str:
    """What to say of a name that the vocabulary lacks."""
    lower = {word.lower(): word for word in reversed(list(known))}
    close = difflib.get_close_matches(name[:_SHOWN].lower(), lower, 1, 0.5)
    names = ", ".join(dict.fromkeys(word.name for word in known.values()))
    guess = f"; did you mean {lower[close[0]]}?" if close else f" (there are: {names})"
    own = " One of your own is written NAME=meaning" if is_open else ""
    return f'{noun} "{name[:_SHOWN]}"{guess}{own}'


def usual(names: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Codes of a table, without those that mean in English what an earlier one means."""
    found: dict[str, str] = {}
    for code, meaning in names.items():
        found.setdefault(meaning["en"], code)
    return list(found.values())


def listed(words: Iterable[Word]) -> str:
    """Words without their meanings, but for those that nobody else can know."""
    return " ".join(f"{word.name} ({word.meaning})" if word.is_own else word.name for word in words)


def glossed(words: Iterable[Word], lang: str) -> str:
    """Words with their meanings, in one line."""
    return ("、" if lang == "ja" else ", ").join(f"{word.name} {word.meaning}" for word in words)


def turns(items: list[T], count: int) -> list[T]:
    """So many items, from the beginning again where there are fewer."""
    return [items[at % len(items)] for at in range(count)]
