"""Primers from their texts, the protocols' tables and examples made here."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError
from sabir.primer.wish import LANGUAGES, Wish, wish
from sabir.registry import BY_NAME, READABLE, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.primer.parts import Parts
    from sabir.ucr.codebook import Anchor

_TEXTS: Final = resources.files("sabir.data").joinpath("primers")

FORMATS: Final = tuple(
    format.name for format in READABLE if _TEXTS.joinpath(f"{format.kind.name}.{LANGUAGES[0]}.toml").is_file()
)
"""Formats that have a primer: those of a protocol that has texts, and a module here of its kind's name."""

_place = re.compile(r"⟨([a-z_]+)⟩")


@dataclass(frozen=True, slots=True)
class Primer:
    """A primer and the messages in it.

    Attributes:
        text: the prompt, which ends in one line end.
        examples: wire texts that it shows as right.
        slips: those that it shows as wrong, each with what is right in its place.
    """

    text: str
    examples: tuple[str, ...]
    slips: tuple[tuple[str, str], ...]


def primer(
    format: str,
    *,
    size: str = "brief",
    lang: str = "en",
    anchors: Iterable[str | Anchor] | None = None,
    domains: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
) -> str:
    """An instruction that teaches a model to write a format.

    Args:
        format: one of `FORMATS`.
        size: ``brief``, the shortest that has every rule; ``full``, with meanings, edge cases and frequent errors.
        lang: ``en`` or ``ja``.
        anchors: what messages may be about, all of the format's words if not given: SLIP's anchors, of an extended
            codebook too, SILP's verbs, EAP's and AIT's actions. The names of core anchors stand for SILP's verbs and
            EAP's actions too. ``NAME=meaning`` is a verb or action of the project's own, where the format is open.
        domains: EAP's and AIT's domains, likewise.
        agents: names of agents for the examples.

    Raises:
        EncodeError: with the name of the argument at fault; an unknown word's closest is named.
    """
    return build(format, size=size, lang=lang, anchors=anchors, domains=domains, agents=agents).text


def build(
    format: str,
    *,
    size: str = "brief",
    lang: str = "en",
    anchors: Iterable[str | Anchor] | None = None,
    domains: Iterable[str] | None = None,
    agents: Iterable[str] | None = None,
) -> Primer:
    """A primer and the messages in it; as `primer`.

    Raises:
        EncodeError: as `primer`.
    """
    if format not in FORMATS:
        known = tuple(BY_NAME[name] for name in FORMATS)
        raise EncodeError(unknown(format, known), "format")
    wanted = wish(format, size, lang, anchors, domains, agents)
    protocol = BY_NAME[format].kind.name
    texts = _texts(protocol, lang)
    parts: Parts = import_module(f"sabir.primer.{protocol}").parts(wanted, texts)
    return _primer(wanted, texts, parts)


def pieces(format: str, size: str, lang: str) -> dict[str, str]:
    """Pieces of a primer by their names, before anything is filled in."""
    found: dict[str, str] = _texts(BY_NAME[format].kind.name, lang)[format][size]
    return found


def _primer(wanted: Wish, texts: dict[str, Any], parts: Parts) -> Primer:
    format = BY_NAME[wanted.format]
    shown = [(message, format.write(message)) for message in parts.examples]
    explain = format.kind.explain
    slips = [] if wanted.brief else _slips(texts, parts, wanted, shown[0][1])
    values = {
        "agents": " ".join(wanted.agents),
        "examples": "\n".join(text if wanted.brief else f"{text}\n  {explain(message, wanted.lang)}" for message, text in shown),
        "slips": "\n".join(f"{why}\n  × {wrong}\n  ○ {right}" for why, wrong, right in slips),
        **parts.values,
    }
    lines = [_filled(piece, values) for piece in texts[wanted.format][wanted.size].values()]
    whole = "\n".join(line for line in lines if line is not None) + "\n"
    return Primer(
        whole,
        (*(text for _, text in shown), *(text for text in parts.inline if text in whole)),
        tuple((wrong, right) for _, wrong, right in slips),
    )


def _slips(texts: dict[str, Any], parts: Parts, wanted: Wish, example: str) -> list[tuple[str, str, str]]:
    """Why, wrong and right of each frequent error; one that these words cannot show is left out."""
    common = _texts("common", wanted.lang)
    prose = (common["slips"]["prose"], common["words"]["chat"] + example, example)
    whys: dict[str, str] = texts[wanted.format]["slips"]
    return [prose] + [(whys[name], wrong, right) for name, wrong, right in parts.slips if wrong != right]


def _filled(piece: str, values: dict[str, str]) -> str | None:
    """A piece with its places filled; None where one of them is empty, since the piece is about nothing then."""
    if any(not values[name] for name in _place.findall(piece)):
        return None
    return _place.sub(lambda found: values[found[1]], piece)


@cache
def _texts(protocol: str, lang: str) -> dict[str, Any]:
    return tomllib.loads(_TEXTS.joinpath(f"{protocol}.{lang}.toml").read_text("utf-8"))
