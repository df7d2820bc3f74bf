"""`sabir grammar`: what a constrained decoder needs to force valid messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from sabir.errors import EncodeError
from sabir.grammar import FORMATS, NOTATIONS
from sabir.grammar import grammar as of_format

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

F = TypeVar("F", bound="Callable[..., Any]")


def _names(_: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:  # noqa: ARG001  # click's signature
    """Names with commas between them; None where the option is not given."""
    return None if value is None else [name.strip() for name in value.split(",") if name.strip()]


def _list(option: str, metavar: str, text: str) -> Callable[[F], F]:
    return click.option(option, callback=_names, metavar=metavar, help=text)


@click.command()
@click.argument("format", metavar="FORMAT", type=click.Choice(FORMATS))
@click.option("--as", "notation", type=click.Choice(NOTATIONS), default="gbnf", show_default=True, help="Notation.")
@_list("--anchors", "NAMES", "SLIP: anchors that may be used.")
@_list("--domains", "CODES", "EAP, AIT, SILP, Agent Lingua: domains; +CODE is one of your own in EAP and SILP.")
@_list("--agents", "NAMES", "Senders and receivers that there are.")
@_list("--actions", "NAMES", "EAP, AIT, SILP, Agent Lingua: actions or verbs.")
@_list("--keys", "NAMES", "EAP, SILP, Agent Lingua: keys of the data, in their order; '' for none.")
@click.option("--slip-version", type=click.Choice(["v1", "v3"]), default="v1", show_default=True, help="SLIP: version.")
def grammar(format: str, notation: str, slip_version: str, **lists: list[str] | None) -> None:
    """Print the grammar of a format, by which a constrained decoder forces a model to write messages that decode.

    It gives the canonical form that this library writes, not all that it reads. The lists, with commas between names,
    narrow it to what a project uses.

    \b
    What a grammar leaves out, so that each of its texts decodes:
      silp   extra fields, priorities other than 1 to 9; in JSON, two slots of one first
             letter, unless --keys names them
      eap    two data keys of one first letter, or in no order of the alphabet, unless
             --keys names them; JSON nested more than twice; long numbers
      slip   agents' names outside of A-Z a-z 0-9 . _ -
      lingua JSON payloads, unless --keys names what the object holds; compressed ones

    A regular expression (and a JSON Schema of a string) is there where it is not too long: of slip, ait, silp-ir, lingua
    without base64, and where --keys are given (of silp-json, --actions too) of eap and silp-json.

    \b
    Examples:
      sabir grammar slip --as gbnf --anchors RequestReview,MetaAck --agents planner,executor
      sabir grammar silp-ir --as json-schema --actions SEARCH,UPDATE
      sabir grammar eap --as regex --domains SEC,DAT --keys line,fixed
    """
    try:
        text = of_format(format, notation, slip_version=slip_version, **lists)
    except EncodeError as error:
        option = {"notation": "as"}.get(error.path, error.path.replace("_", "-"))
        raise click.UsageError(f"--{option}: {error.reason}") from None
    click.echo(text.removesuffix("\n"))
