"""`sabir report`: what the traffic in a log costs, and what it would cost in each format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sabir import logs
from sabir.cli.codebook import codebook_option
from sabir.cli.compare import named
from sabir.cli.progress import progress
from sabir.cli.tables import render
from sabir.errors import EncodeError, MissingDependency, SabirError, printable
from sabir.files import write_whole
from sabir.jsontext import dumps
from sabir.report import SCALES, Price, Scale, summary
from sabir.report.gather import gather
from sabir.report.prices import from_file, with_own

if TYPE_CHECKING:
    from sabir.ucr import Codebook


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--shape", type=click.Choice(logs.SHAPES), help="What the files are; found by itself if not given.")
@click.option("--column", help="Column of a CSV or Parquet file, or field of a JSON line, that holds the text.")
@click.option("--pointer", help="JSON pointer to the text, such as /params/text; * stands for each.")
@click.option("--session", help="Column, field or pointer that tells sessions apart.")
@click.option("--tokenizer", "tokenizers", multiple=True, help="Count in this one; repeatable. All that are here if not given.")
@click.option("--price", "given", multiple=True, metavar="NAME=IN/OUT", help="Dollars for a million tokens read and written; repeatable.")
@click.option("--prices", "table", type=click.Path(path_type=Path), help="A JSON file of prices, by tokenizer.")
@click.option("--per-day", type=click.IntRange(1), help="Messages a day, all agents together, for the year ahead.")
@click.option("--agents", type=click.IntRange(1), help="Agents that must learn the format.")
@click.option("--scale", type=click.Choice([*SCALES]), help="A deployment of the Slipstream paper, for both.")
@click.option("--readers", type=click.IntRange(0), default=1, show_default=True, help="Agents that read each message.")
@click.option("--primer", "size", type=click.Choice(["brief", "full"]), default="brief", show_default=True, help="Which instruction is counted.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to share the work.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page for a browser, too.")
@codebook_option
def report(  # noqa: PLR0917  # click gives options by name
    files: tuple[Path, ...],
    shape: str | None,
    column: str | None,
    pointer: str | None,
    session: str | None,
    tokenizers: tuple[str, ...],
    given: tuple[str, ...],
    table: Path | None,
    per_day: int | None,
    agents: int | None,
    scale: str | None,
    readers: int,
    size: str,
    jobs: int,
    html: Path | None,
    codebook: Codebook | None,
    *,
    as_json: bool,
) -> None:
    """Say what the messages in logs cost, now and in each format: tokens, money, break-even with the primer.

    Logs are JSON lines, CSV or Parquet (with --column or --pointer), OpenAI chat logs, JSON-RPC of A2A or MCP, spans of LangSmith or
    OpenTelemetry, or plain text. Messages are found in the texts as `sabir extract` finds them; what stands in a log twice is counted once,
    and named. Where a format costs more, the table says so.

    \b
    Examples:
      sabir report examples/traffic.jsonl --pointer /text --session conversation
      sabir report examples/traffic.jsonl --pointer /text --per-day 5000 --agents 50 --json
    """
    counted = named(tokenizers) if tokenizers else None
    prices = _prices(given, table)
    wanted = _scale(scale, per_day, agents)
    for path in files:
        if not path.exists():
            raise click.FileError(str(path), "there is no such file")
    if html is not None and html.is_dir():
        raise click.FileError(str(html), "is a directory")
    items = logs.read(files, shape=shape, column=column, pointer=pointer, session=session)
    with progress() as done:
        found = gather(items, counted, codebook=codebook, jobs=min(jobs, 4 * (os.cpu_count() or 1)), done=done)
    said = summary(found, prices=prices, scale=wanted, readers=readers, size=size)
    if html is not None:
        _write_page(html, said)
    if as_json:
        click.echo(dumps(said))
    else:
        click.echo(_text(said), nl=False)
    if not found.entries:
        raise SabirError("there is no text in " + ", ".join(map(str, files)))


def _prices(given: tuple[str, ...], table: Path | None) -> dict[str, Price]:
    try:
        prices = {} if table is None else from_file(table)
        return {**with_own(()), **prices, **{item.tokenizer: item for item in with_own(given).values() if item.as_of == "yours"}}
    except EncodeError as error:
        raise click.BadParameter(str(error), param_hint="--price") from None
    except OSError as error:
        raise click.FileError(str(table), error.strerror or "cannot be read") from None


def _scale(name: str | None, per_day: int | None, agents: int | None) -> Scale | None:
    base = SCALES[name] if name else None
    if base is None and per_day is None:
        if agents is not None:
            raise click.UsageError("--agents needs --per-day or --scale")
        return None
    return Scale(agents or (base.agents if base else 1), per_day or (base.per_day if base else 0))


def _write_page(path: Path, said: dict[str, Any]) -> None:
    try:
        from sabir.report.page import page  # noqa: PLC0415  # needs the extra
    except ImportError as error:
        raise MissingDependency("--html needs the extra report: pip install 'sabir[report]'") from error
    try:
        write_whole(path, page(said).encode())
    except OSError as error:
        raise click.FileError(str(path), error.strerror or "cannot be written") from None


# --- the terminal ----------------------------------------------------------------------------------------


def _text(said: dict[str, Any]) -> str:
    pieces = [_head(said)]
    pieces += [_table(item, said["scale"]) for item in said["tokenizers"]]
    if not said["tokenizers"]:
        pieces.append("no tokenizer installed, so tokens are not counted: pip install 'sabir[meter]'\n")
    pieces += [_notes(said), _unread(said)]
    return "\n".join(piece for piece in pieces if piece)


def _head(said: dict[str, Any]) -> str:
    formats = ", ".join(f"{count:,} {name}" for name, count in said["formats"].items())
    lines = [f"{said['messages']:,} messages in {said['entries']:,} texts" + (f" of {said['sessions']:,} sessions" if said["sessions"] else "")]
    if formats:
        lines.append(f"formats: {formats}")
    if said["repairs"]:
        lines.append("repairs: " + ", ".join(f"{count:,} {name}" for name, count in said["repairs"].items()))
    for kind, found in said["repeats"].items():
        lines.append(f"not counted again: {found['texts']:,} texts, {found['characters']:,} characters ({kind})")
    if said["usage"]:
        lines.append(f"usage that the log states: {said['usage']['input']:,} tokens read, {said['usage']['output']:,} written")
    return "".join(f"{printable(line)}\n" for line in lines)


def _table(item: dict[str, Any], scale: dict[str, int] | None) -> str:
    price = item["price"]
    now = item["now"]
    head = ["format", "messages", "tokens", "mean", "median", "p95", "saved", "median", "cost", "primer", "break-even"]
    if scale:
        head.append("a year saves")
    body = [["as it is", f"{item['forms'][0]['held'] + item['forms'][0]['refused']:,}", *_tokens(now), "-", "-", _money(item["cost_now"]), "-", "-", *(["-"] if scale else [])]]
    body += [_line(form, scale) for form in item["forms"]]
    paid = f"; {price['model']} at ${price['input']:g} and ${price['output']:g} a million read and written ({price['as_of']})" if price else "; no price: --price"
    title = f"{item['name']}: {item['vocabulary']}, sha256 {item['sha256'][:12]}{paid}\nall texts: {item['text_tokens']:,} tokens\n"
    return title + render(head, body, right=range(1, len(head)))


def _line(form: dict[str, Any], scale: dict[str, int] | None) -> list[str]:
    return [
        form["form"],
        f"{form['held']:,}",
        *_tokens(form["tokens"]),
        _part(form["saved"]),
        "-" if form["saved_median"] is None else f"{form['saved_median']:+d}%",
        _money(form["cost"]),
        "-" if form["primer"] is None else f"{form['primer']:,}",
        _even(form),
        *([_money(form["year"]["saved"]) if form["year"] else "-"] if scale else []),
    ]


def _tokens(spread: dict[str, Any]) -> list[str]:
    if spread["mean"] is None:
        return ["-"] * 4
    return [f"{spread['total']:,}", f"{spread['mean']:.2f}", str(spread["median"]), str(spread["p95"])]


def _part(share: float | None) -> str:
    return "-" if share is None else f"{share:+.1%}"


def _money(dollars: float | None) -> str:
    if dollars is None:
        return "-"
    return f"${dollars:,.2f}" if abs(dollars) >= 1 else f"${dollars:.6f}"


def _even(form: dict[str, Any]) -> str:
    if form["primer"] is None or not form["held"]:
        return "-"
    return "never" if form["break_even"] is None else f"{form['break_even']:,}"


def _notes(said: dict[str, Any]) -> str:
    if not said["messages"]:
        return ""
    lines = [
        "saved: part of the tokens of the same messages as they are; negative is a loss. Refused messages are left out of both.",
        f"cost: each message written once and read by {said['readers']}. break-even: messages until the primer, read once, is earned.",
    ]
    if said["scale"]:
        lines.append(f"a year: {said['scale']['per_day']:,} messages a day, {said['scale']['agents']:,} agents that read the primer once a day.")
    return "".join(f"{line}\n" for line in lines)


def _unread(said: dict[str, Any]) -> str:
    lines = []
    for item in said["unread"]:
        lines.append(f"not read: {item['count']:,}: {item['reason']}")
        lines += [f"  {first['source']}:{first['line']}: {first['shown']}" for first in item["first"][:2]]
    return "".join(f"{printable(line)}\n" for line in lines)
