"""`sabir quantize`: from plain language to a Slipstream anchor, and how good that is."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sabir import quantize as library
from sabir.cli.inputs import Piece, each, pieces, text_input
from sabir.cli.quantize_options import (
    answer_json,
    check_wire,
    given,
    mode_option,
    model_option,
    quantizer_of,
    wire_options,
)
from sabir.cli.tables import render
from sabir.cli.ucr_files import replace, shown
from sabir.errors import DecodeError, EncodeError, MissingDependency, SabirError
from sabir.jsontext import dumps
from sabir.quantize import evaluation, sending

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sabir.quantize import Exemplar, Quantized
    from sabir.quantize.evaluation import Evaluation

_threshold = click.option(
    "--threshold", type=click.FloatRange(0, 1), default=library.THRESHOLD, show_default=True, help="Confidence below which the answer is Fallback."
)  # fmt: skip
_embedder = click.option("--embedder", metavar="NAME", help="Vector mode: a model of sentence-transformers.")


class _TextOrCommand(click.Group):
    """A group whose first argument may be a text instead of a command's name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["text", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_TextOrCommand)
def quantize() -> None:
    """Find the Slipstream anchor that a text in plain language stands for.

    Its options for a TEXT are those of the command text, whose name can be left out.

    \b
    Examples:
      sabir quantize 'Please review the authentication code'
      sabir quantize --to-wire --src dev --dst reviewer 'Please review auth.py'
      sabir quantize eval --mode keyword - <<< '{"text": "Looks good, ship it", "anchor": "EvalApprove"}'
    """


class _Text(click.Command):
    """The command text, which is asked where a command's name is mistyped, too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            close = get_close_matches(first, quantize.commands, 1)
            if not close or "Did you mean" in error.message:
                raise
            raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from None


@quantize.command("text", cls=_Text)
@text_input
@mode_option
@model_option
@_threshold
@_embedder
@wire_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a text.")
def of_text(  # noqa: PLR0917  # click passes all by name
    text: str | None,
    path: Path | None,
    mode: library.Mode,
    model: Path | None,
    threshold: float,
    embedder: str | None,
    src: str,
    dst: str,
    payload: Any,
    *,
    lines: bool,
    to_wire: bool,
    as_json: bool,
) -> None:
    """Print the anchor of a text, its confidence and the runners-up; or a SLIP message.

    \b
    Examples:
      sabir quantize 'Please review the authentication code'
      sabir quantize --json --lines - <<< 'Are we done yet?'
      sabir quantize --to-wire --src dev --dst reviewer 'auth.pyのレビューをお願いします'
    """
    check_wire(to_wire=to_wire, as_json=as_json)
    _check_embedder(mode, model)
    found = pieces(text, path, lines=lines)
    quantizer = quantizer_of(mode, model, threshold, embedder)

    def work(piece: Piece) -> None:
        answer = quantizer.quantize(piece.text)
        if to_wire:
            click.echo(sending.wire(piece.text, src, dst, answer, quantizer, payload=payload))
        else:
            click.echo(dumps(answer_json(answer)) if as_json else _line(answer))

    each(work, found)


@quantize.command()
@click.argument("path", metavar="FILE")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File of the model.")
@mode_option
@_embedder
def fit(path: str, output: Path, mode: library.Mode, embedder: str | None) -> None:
    """Learn from labelled texts, on top of the shipped exemplars, and write the model to a file.

    FILE holds one JSON object a line, with "text" and "anchor"; it may be - for standard input.

    \b
    Example, with a file of one line:
      sabir quantize fit --mode keyword -o /dev/null - <<< '{"text": "Ship it", "anchor": "EvalApprove"}'
    """
    _check_embedder(mode, None)
    rows = _rows(path)
    quantizer = library.Quantizer(mode, embedder=embedder)
    quantizer.fit([row.text for row in rows], [row.anchor for row in rows])
    replace(str(output), quantizer.model.dump())
    click.echo(f"{output}: {quantizer.mode} model of {len(rows)} texts, {len(quantizer.anchors)} anchors", err=True)


@quantize.command("eval")
@click.argument("path", metavar="FILE")
@click.option("--mode", type=click.Choice((*library.MODES, "all")), default="all", show_default=True, help="All modes side by side, or one.")
@model_option
@_threshold
@_embedder
@click.option("--folds", type=click.IntRange(2, 20), help="Fit on the other folds and judge each fold by that.")
@click.option("--plot", is_flag=True, help="Show the confusions, too.")
@click.option("--html", "page", type=click.Path(path_type=Path), help="Write the confusions of the last mode to a page.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a mode.")
def evaluate(  # noqa: PLR0917  # click passes all by name
    path: str,
    mode: Any,
    model: Path | None,
    threshold: float,
    embedder: str | None,
    folds: int | None,
    page: Path | None,
    *,
    plot: bool,
    as_json: bool,
) -> None:
    """Judge the quantizer on labelled texts: accuracy, coverage, calibration, confusions.

    FILE holds one JSON object a line, with "text" and "anchor"; it may be - for standard input.

    \b
    Examples:
      sabir quantize eval --mode keyword - <<< '{"text": "Looks good, ship it", "anchor": "EvalApprove"}'
      sabir quantize eval --mode fitted --plot - <<< '{"text": "Looks good, ship it", "anchor": "EvalApprove"}'
    """
    if model is not None and folds is not None:
        raise click.UsageError("--folds trains models of its own: leave --model out")
    _check_embedder(mode, model)
    rows = library.distinct(_rows(path))
    done = []
    for name in ("keyword", "fitted", "vector") if mode == "all" and model is None else (mode,):
        try:
            quantizer = quantizer_of("auto" if name == "all" else name, model, threshold, embedder)
            done.append(evaluation.cross_judge(quantizer, rows, folds) if folds else evaluation.evaluate(quantizer, rows))
        except MissingDependency as error:
            if mode != "all":
                raise
            click.echo(f"{name}: {error}", err=True)
    click.echo("".join(f"{dumps(one.to_json())}\n" for one in done) if as_json else _report(done, plot=plot), nl=False)
    if page is not None and done:
        replace(str(page), evaluation.page(done[-1]).encode())


def _check_embedder(mode: str, model: Path | None) -> None:
    """Refuse an embedder that nothing asks.

    Raises:
        click.UsageError: naming the mode.
    """
    if given("embedder") and model is None and mode not in ("vector", "all"):
        raise click.UsageError(f"--embedder is for --mode vector, not for {mode}")


def _rows(path: str) -> list[Exemplar]:
    source = (path, None) if path == "-" else (None, Path(path))
    try:
        rows = library.read(next(pieces(*source, lines=False)).text)
    except DecodeError as error:
        raise SabirError(f"{shown(path)}, line {error.line}: {error}") from None
    if not rows:
        raise EncodeError("there is no labelled text in it", shown(path))
    return rows


def _line(answer: Quantized) -> str:
    others = ", ".join(f"{name} {sure:.2f}" for name, sure in answer.alternatives)
    return f"{answer.anchor} {answer.confidence:.2f} (next: {others})"


def _report(done: Sequence[Evaluation], *, plot: bool) -> str:
    """Tables for a person: the figures side by side, then by action, then the reliability of each mode."""
    if not done:
        return ""
    figures: list[tuple[str, Callable[[Evaluation], str]]] = [
        ("texts", lambda e: str(e.texts)),
        ("top-1", lambda e: f"{e.top1:.1%}"),
        ("macro", lambda e: f"{e.macro:.1%}"),
        (f"coverage at {done[0].threshold:g}", lambda e: f"{e.coverage:.1%}"),
        ("precision there", lambda e: f"{e.precision:.1%}"),
        ("surest three quarters", lambda e: f"{e.surest:.1%}"),
        ("calibration error", lambda e: f"{e.error:.3f}"),
    ]
    body = [[title, *(show(one) for one in done)] for title, show in figures]
    body += [[f"  {action}", *(f"{one.by_action[action][0]:.1%}" for one in done)] for action in done[0].by_action]
    right = tuple(range(1, len(done) + 1))
    parts = [render(["", *(one.mode for one in done)], body, right=right)]
    for one in done:
        table = [[f"{b.low:.1f}-{b.high:.1f}", str(b.count), f"{b.confidence:.2f}", f"{b.right:.2f}"] for b in one.bins]
        parts.append(render([f"{one.mode}: confidence", "texts", "mean", "right"], table, right=(1, 2, 3)))
        if plot:
            parts.append(evaluation.plot(one))
    return "\n".join(parts)
