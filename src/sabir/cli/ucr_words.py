"""Anchors, indices and levels as a person writes and reads them at `sabir ucr`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

from sabir.jsontext import dumps
from sabir.ucr import ACTIONS, DIMENSIONS, DOMAINS
from sabir.ucr.anchor import LEVELS, hexadecimal

if TYPE_CHECKING:
    from sabir.ucr import Anchor, Codebook
    from sabir.ucr.anchor import Coords

_is_index = re.compile(r"0[xX][0-9A-Fa-f]{1,8}|[0-9]{1,8}").fullmatch
WORDS: Final[dict[str, tuple[str, ...]]] = {"action": ACTIONS, "domain": DOMAINS}
"""Dimensions whose levels have names."""

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object an anchor.")


def level(_: click.Context, parameter: click.Parameter, value: str) -> int:
    """Level of the dimension that a parameter is named after: 0 to 7, or its name where levels have names."""
    return _level(str(parameter.name), value)


def place(_: click.Context, parameter: click.Parameter, value: str) -> Coords:  # noqa: ARG001  # click's signature
    """Four levels with commas between them, each a number or a name."""
    levels = [piece.strip() for piece in value.split(",")]
    if len(levels) != len(DIMENSIONS):
        raise click.BadParameter(f"{value!r} is not four levels with commas between: {','.join(DIMENSIONS)}")
    action, polarity, domain, urgency = map(_level, DIMENSIONS, levels)
    return action, polarity, domain, urgency


def index(_: click.Context, parameter: click.Parameter, value: str | None) -> int | None:  # noqa: ARG001  # click's signature
    """An index, decimal or hexadecimal."""
    if value is not None and not _is_index(value):
        raise click.BadParameter(f"{value!r} is no index: decimal, or hexadecimal as 0x8000")
    return None if value is None else _index(value)


def names(_: click.Context, parameter: click.Parameter, value: str) -> frozenset[str]:  # noqa: ARG001  # click's signature
    """Names with commas between them."""
    return frozenset(name.strip() for name in value.split(",") if name.strip())


def anchor_of(book: Codebook, name: str) -> Anchor:
    """Anchor of a mnemonic or an index, decimal or hexadecimal.

    Raises:
        EncodeError: there is none.
    """
    if name in book or not _is_index(name):  # a mnemonic may be made of digits
        return book.by_mnemonic(name)
    return book.by_index(_index(name))


def row(anchor: Anchor) -> list[str]:
    """Cells of an anchor, coordinates by name where levels have names."""
    return [hexadecimal(anchor.index), anchor.mnemonic, *_in_words(anchor), anchor.canonical]


def show(anchor: Anchor, *, as_json: bool, err: bool = False) -> None:
    """Print one anchor with its place."""
    if as_json:
        show_json(anchor)
        return
    click.echo(f"{hexadecimal(anchor.index)} {anchor.mnemonic}: {anchor.canonical}", err=err)
    for name, at, word in zip(DIMENSIONS, anchor.coords, _in_words(anchor), strict=True):
        click.echo(f"  {name:<8} {at}{f' {word}' if name in WORDS else ''}", err=err)


def show_json(*anchors: Anchor) -> None:
    """Print anchors as JSON, one a line."""
    for anchor in anchors:
        coords = dict(zip(DIMENSIONS, anchor.coords, strict=True))
        named = {"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical}
        click.echo(dumps({**named, **coords}))


def _level(dimension: str, value: str) -> int:
    words = WORDS.get(dimension, ())
    if value in words:
        return words.index(value)
    if value in {str(at) for at in LEVELS}:
        return int(value)
    others = f", or one of {', '.join(words)}" if words else ""
    raise click.BadParameter(f"{value!r} is no level: 0 to {LEVELS[-1]}{others}")


def _index(value: str) -> int:
    return int(value, 16 if value[:2] in ("0x", "0X") else 10)


def _in_words(anchor: Anchor) -> list[str]:
    pairs = zip(DIMENSIONS, anchor.coords, strict=True)
    return [WORDS[name][at] if name in WORDS else str(at) for name, at in pairs]
