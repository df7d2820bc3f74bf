"""Options of the commands that quantize: which quantizer, and the message that it writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from sabir import quantize as library
from sabir.cli.inputs import F
from sabir.errors import DecodeError, SabirError

if TYPE_CHECKING:
    from sabir.quantize import Quantized, Quantizer

mode_option = click.option("--mode", type=click.Choice(library.MODES), default="auto", show_default=True, help="How the anchor is found.")
model_option = click.option("--model", type=click.Path(path_type=Path), help="Use a model that sabir quantize fit wrote; it has its own mode.")


def wire_options(function: F) -> F:
    """Give a command the options of the message that it writes."""
    for decorate in (
        click.option("--payload", type=click.Choice(library.FORMS), default="short", show_default=True, help="With --to-wire: what of the text travels along."),
        click.option("--dst", default="-", show_default=True, help="With --to-wire: who receives."),
        click.option("--src", default="-", show_default=True, help="With --to-wire: who sends."),
        click.option("--to-wire", is_flag=True, help="Print a SLIP message."),
    ):
        function = decorate(function)
    return function


def check_wire(*, to_wire: bool, as_json: bool) -> None:
    """Refuse options of the message where none is written.

    Raises:
        click.UsageError: naming what does not go together.
    """
    if to_wire and as_json:
        raise click.UsageError("--to-wire and --json exclude each other")
    for name in ("src", "dst", "payload"):
        if given(name) and not to_wire:
            raise click.UsageError(f"--{name} needs --to-wire")


def given(name: str) -> bool:
    """Whether a parameter of the running command was given, and is no default."""
    return click.get_current_context().get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def quantizer_of(mode: Any, model: Path | None, threshold: float = library.THRESHOLD, embedder: str | None = None) -> Quantizer:
    """The quantizer that the options name.

    Raises:
        click.UsageError: a mode is named beside a model, which has one.
        click.FileError: the model's file cannot be read.
        SabirError: it holds no model; the file is named.
    """
    if model is None:
        return library.Quantizer(mode, threshold, embedder=embedder)
    if given("mode"):
        raise click.UsageError("--model has the mode that it was made for: leave --mode out")
    try:
        return library.Quantizer.load(model, threshold, embedder=embedder)
    except OSError as error:
        raise click.FileError(str(model), error.strerror or "cannot be read") from None
    except DecodeError as error:
        raise SabirError(f"{model}: {error.reason}") from None


def answer_json(answer: Quantized) -> dict[str, object]:
    """JSON form of an answer."""
    others = [{"anchor": name, "confidence": round(sure, 4)} for name, sure in answer.alternatives]
    return {"anchor": answer.anchor, "confidence": round(answer.confidence, 4), "alternatives": others, "mode": answer.mode}
