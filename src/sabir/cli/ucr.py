"""`sabir ucr`: look-ups and sums in Slipstream's codebook, and its exchange as JSON with a hash."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from sabir.cli.inputs import pieces
from sabir.cli.tables import render
from sabir.jsontext import dumps, loads
from sabir.ucr import ACTIONS, DIMENSIONS, DOMAINS, Codebook, Role, core, implausible
from sabir.ucr.codebook import LEVELS

if TYPE_CHECKING:
    from sabir.ucr import Anchor

_is_index = re.compile(r"0[xX][0-9A-Fa-f]{1,8}|[0-9]{1,8}").fullmatch
_WORDS: Final[dict[str, tuple[str, ...]]] = {"action": ACTIONS, "domain": DOMAINS}
"""Dimensions whose levels have names."""


def _level(_: click.Context, parameter: click.Parameter, value: str) -> int:
    """Level of the dimension that a parameter is named after: 0 to 7, or its name where levels have names."""
    words = _WORDS.get(str(parameter.name), ())
    if value in words:
        return words.index(value)
    if value in {str(level) for level in LEVELS}:
        return int(value)
    names = f", or one of {', '.join(words)}" if words else ""
    raise click.BadParameter(f"{value!r} is no level: 0 to {LEVELS[-1]}{names}")


def _names(_: click.Context, parameter: click.Parameter, value: str) -> frozenset[str]:  # noqa: ARG001  # click's signature
    """Names with commas between them."""
    return frozenset(name.strip() for name in value.split(",") if name.strip())


_as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object an anchor.")


@click.group()
def ucr() -> None:
    """Look things up in Slipstream's codebook.

    Its anchors are points with four coordinates, each 0 to 7: action, polarity, domain and urgency.

    \b
    Examples:
      sabir ucr list
      sabir ucr show RequestReview
    """


@ucr.command("list")
@_as_json
def list_anchors(*, as_json: bool) -> None:
    """List all anchors with their coordinates in words.

    \b
    Example:
      sabir ucr list --json
    """
    if as_json:
        _print_json(*core())
        return
    body = [[_index(a), a.mnemonic, *_in_words(a), a.canonical] for a in core()]
    click.echo(render(["index", "mnemonic", *DIMENSIONS, "what"], body, right=(3, 5)), nl=False)


@ucr.command()
@click.argument("name", metavar="NAME_OR_INDEX")
@_as_json
def show(name: str, *, as_json: bool) -> None:
    """Show one anchor, by its mnemonic or its index.

    \b
    Examples:
      sabir ucr show RequestReview
      sabir ucr show 0x0032
    """
    _print(_anchor(name), as_json=as_json)


@ucr.command()
@click.argument("action", callback=_level)
@click.argument("polarity", callback=_level)
@click.argument("domain", callback=_level)
@click.argument("urgency", callback=_level)
@_as_json
def nearest(action: int, polarity: int, domain: int, urgency: int, *, as_json: bool) -> None:
    """Show the anchor nearest to four coordinates; of several, the one of lowest index.

    \b
    Examples:
      sabir ucr nearest 3 4 3 3
      sabir ucr nearest request 4 evaluation 3
    """
    _print(core().nearest((action, polarity, domain, urgency)), as_json=as_json)


@ucr.command()
@click.argument("name", metavar="NAME_OR_INDEX")
@click.option("--action", type=int, default=0, help="Levels to go along the actions.")
@click.option("--polarity", type=int, default=0, help="Levels to go along the polarity.")
@click.option("--domain", type=int, default=0, help="Levels to go along the domains.")
@click.option("--urgency", type=int, default=0, help="Levels to go along the urgency.")
@_as_json
def move(name: str, action: int, polarity: int, domain: int, urgency: int, *, as_json: bool) -> None:
    """Show the anchor nearest to the place so many levels away from another one.

    \b
    Example:
      sabir ucr move EvalApprove --polarity -7
    """
    moved = core().move(_anchor(name), action=action, polarity=polarity, domain=domain, urgency=urgency)
    _print(moved, as_json=as_json)


@ucr.command()
@click.argument("name", metavar="NAME_OR_INDEX")
@click.option("--actions", default="", callback=_names, help="What the sender may do; all by default.")
@click.option("--domains", default="", callback=_names, help="What the sender may speak of; all by default.")
@click.option("--urgency", default=str(LEVELS[-1]), show_default=True, callback=_level, help="Highest level.")
def check(name: str, actions: frozenset[str], domains: frozenset[str], urgency: int) -> None:
    """Say whether an anchor fits what its sender may say; leave with 1 and the reasons where it does not.

    \b
    Example:
      sabir ucr check EvalApprove --actions evaluate,inform --domains evaluation --urgency 5
    """
    anchor = _anchor(name)
    reasons = implausible(anchor, Role(actions=actions, domains=domains, urgency=urgency))
    for reason in reasons:
        click.echo(reason)
    if reasons:
        raise click.exceptions.Exit(1)
    click.echo(f"{anchor.mnemonic} is plausible")


@ucr.command("hash")
def print_hash() -> None:
    """Print the hash by which two sides find out that their codebooks are the same.

    \b
    Example:
      sabir ucr hash
    """
    click.echo(core().hash)


@ucr.command()
@click.option("--file", "path", type=click.Path(path_type=Path), help="Write to a file.")
def export(path: Path | None) -> None:
    """Print the codebook as JSON, with its hash.

    \b
    Example:
      sabir ucr export
    """
    text = f"{dumps(core().to_json())}\n"
    if path is None:
        click.echo(text, nl=False)
        return
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise click.FileError(str(path), error.strerror or "cannot be written") from None


@ucr.command()
@click.argument("path", metavar="FILE")
def verify(path: str) -> None:
    """Check that a codebook's JSON is sound and fits its hash; FILE may be - for standard input.

    \b
    Example:
      sabir ucr export | sabir ucr verify -
    """
    source = (path, None) if path == "-" else (None, Path(path))
    found = Codebook.from_json(loads(next(pieces(*source, lines=False)).text))
    own = sum(not anchor.is_core for anchor in found)
    extensions = f"{own} extension{'' if own == 1 else 's'}"
    click.echo(f"sound: version {found.version}, {len(found)} anchors, {extensions}, {found.hash}")


def _anchor(name: str) -> Anchor:
    """Anchor of a mnemonic or an index, decimal or hexadecimal.

    Raises:
        EncodeError: there is none.
    """
    if _is_index(name):
        return core().by_index(int(name, 16 if name[:2] in ("0x", "0X") else 10))
    return core().by_mnemonic(name)


def _index(anchor: Anchor) -> str:
    return f"0x{anchor.index:04X}"


def _in_words(anchor: Anchor) -> list[str]:
    """Coordinates, by name where levels have names."""
    pairs = zip(DIMENSIONS, anchor.coords, strict=True)
    return [_WORDS[name][level] if name in _WORDS else str(level) for name, level in pairs]


def _print(anchor: Anchor, *, as_json: bool) -> None:
    if as_json:
        _print_json(anchor)
        return
    click.echo(f"{_index(anchor)} {anchor.mnemonic}: {anchor.canonical}")
    for name, level, word in zip(DIMENSIONS, anchor.coords, _in_words(anchor), strict=True):
        click.echo(f"  {name:<8} {level}{f' {word}' if name in _WORDS else ''}")


def _print_json(*anchors: Anchor) -> None:
    for anchor in anchors:
        place = dict(zip(DIMENSIONS, anchor.coords, strict=True))
        named = {"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical}
        click.echo(dumps({**named, **place}))
