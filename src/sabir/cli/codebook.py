"""The option --codebook, by which a command knows an installation's own anchors."""

from __future__ import annotations

import click

from sabir.cli import ucr_files
from sabir.cli.inputs import F
from sabir.codebooks import in_force
from sabir.errors import EncodeError, SabirError
from sabir.ucr import Codebook


def codebook_option(function: F) -> F:
    """Give a command the option --codebook; None where it is not given."""
    return click.option(
        "--codebook",
        metavar="FILE",
        callback=_codebook,
        help="SLIP: a codebook's JSON, for anchors of your own; the core alone if not given.",
    )(function)


def _codebook(_: click.Context, parameter: click.Parameter, value: str | None) -> Codebook | None:  # noqa: ARG001  # click's signature
    """Codebook of a file.

    Raises:
        click.BadParameter: standard input is given, which is the messages'.
        click.FileError, SabirError: as `read`.
    """
    if value == "-":
        raise click.BadParameter("a codebook is a file; standard input is for the messages")
    return None if value is None else read(value)


def read(name: str) -> Codebook:
    """Codebook of a file, for reading messages.

    Raises:
        click.FileError: the file cannot be read.
        SabirError: it holds no codebook, or one that messages cannot be read with; the file is named.
    """
    try:
        return in_force(ucr_files.load(name))
    except EncodeError as error:
        raise SabirError(f"{name}: {error.reason}") from None
