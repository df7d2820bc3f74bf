"""Slipstream's primer: ``SLIP v1``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError
from sabir.primer.parts import Parts, table
from sabir.primer.wish import NOBODY, Wish, Word, choose, names
from sabir.slip import SlipMessage, encode
from sabir.slip.wire import token_text
from sabir.ucr import DOMAINS
from sabir.ucr.codebook import Anchor, check_anchor, core

if TYPE_CHECKING:
    from collections.abc import Iterable

_AGENTS: Final = ("planner", "executor")
"""Names for the examples where none are given."""
_LAST: Final = "Fallback"
_ERROR: Final = DOMAINS.index("error")
_INVENTED: Final = "PleaseHandle"
"""An anchor that no codebook has, as a model makes one up."""
_SHOWN: Final = 5
"""Anchors that the full primer shows in messages."""
_TELLING: Final = ("RequestReview", "InformComplete", "AskClarify", "EvalNeedsWork", "ErrorTimeout")
"""Anchors that make good examples, where they are among those to teach."""


def parts(wish: Wish, texts: dict[str, Any]) -> Parts:
    """Anchors, examples and frequent errors."""
    wish.refuse("domains", "has no domains: its anchors say what a message is about")
    words = _words(wish)
    named = wish if wish.agents else Wish(wish.format, wish.size, wish.lang, None, None, _AGENTS)
    shown = _telling(words)[: 1 if wish.brief else _SHOWN]
    examples = [_message(named, turn, word, texts) for turn, word in enumerate(shown)]
    if not wish.brief:
        examples.append(_message(named, len(shown), _word(core().by_mnemonic(_LAST), {}), texts))
    listed = words if wish.anchors is None else [word for word in words if word.name != _LAST]
    return Parts(
        {
            "anchors": " ".join(word.name for word in listed),
            "meanings": "\n".join(f"{word.name}: {word.meaning}" for word in words),
        },
        examples,
        slips=[] if wish.brief else _slips(examples[0], texts["words"]["unfit"]),
    )


def _words(wish: Wish) -> list[Word]:
    """Anchors to teach; Fallback is always one of them."""
    glosses: dict[str, str] = table("ucr-ja") if wish.lang == "ja" else {}
    known = {anchor.mnemonic: _word(anchor, glosses) for anchor in core()}
    if wish.anchors is None:
        return list(known.values())
    for at, item in enumerate(wish.anchors):
        if isinstance(item, Anchor):
            _add(item, f"anchors[{at}]", known, glosses)
    found = choose(names(wish.anchors), "anchors", "slip has no anchor", known)
    return found if known[_LAST] in found else [*found, known[_LAST]]


def _add(anchor: Anchor, path: str, known: dict[str, Word], glosses: dict[str, str]) -> None:
    """Add an anchor of an extended codebook to those that are known.

    Raises:
        EncodeError: it belongs to no codebook, or passes itself off as one of the core.
    """
    check_anchor(anchor, path)
    word = known.setdefault(anchor.mnemonic, _word(anchor, glosses))
    if word.value != anchor:
        raise EncodeError(f"another anchor is called {anchor.mnemonic}", path)


def _word(anchor: Anchor, glosses: dict[str, str]) -> Word:
    return Word(anchor.mnemonic, glosses.get(anchor.mnemonic, anchor.canonical), anchor)


def _telling(words: Iterable[Word]) -> list[Word]:
    """Anchors, those that make good examples first, Fallback only where there is no other."""
    ranks = {name: rank for rank, name in enumerate(_TELLING)}
    found = sorted(words, key=lambda word: ranks.get(word.name, len(ranks)))
    return [word for word in found if word.name != _LAST] or found


def _message(wish: Wish, turn: int, word: Word, texts: dict[str, Any]) -> SlipMessage:
    sender, receiver = (name or NOBODY for name in wish.pair(turn))
    anchor: Anchor = word.value
    return SlipMessage(sender, receiver, anchor, _payload(anchor, texts))


def _payload(anchor: Anchor, texts: dict[str, Any]) -> list[str]:
    """Something that a message of an anchor may say, by what kind of act it is."""
    if anchor.mnemonic == _LAST:
        return [texts["words"]["unfit"]]
    action, _, domain, _ = anchor.coords
    found: list[str] = texts["failure"] if domain == _ERROR else texts["payloads"][action]
    return found


def _slips(message: SlipMessage, text: str) -> list[tuple[str, str, str]]:
    """Frequent errors, made out of an example."""
    right = encode(message)
    sender, receiver, name = token_text(message.src), token_text(message.dst), message.anchor.mnemonic
    fallback = encode(SlipMessage(message.src, message.dst, _LAST, [text]))
    return [
        ("version", right.replace("SLIP v1", "SLIP", 1), right),
        ("receiver", f"SLIP v1 {sender} {name}", f"SLIP v1 {sender} {receiver} {name}"),
        ("anchor", f"SLIP v1 {sender} {receiver} {_INVENTED}", fallback),
        ("quote", fallback.removesuffix('"'), fallback),
    ]
