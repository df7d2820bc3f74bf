"""`sabir claims`: what the documents claim, measured, as a table, as JSON or as the page."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from sabir.cli.tables import render
from sabir.errors import SabirError
from sabir.jsontext import dumps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabir.claims import Claim, Corpus, Result

_PAGE: Final = "docs/claims.md"
_SHOWN: Final = 40
"""Lines of difference that a check prints."""


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM]...")
@click.option(
    "--corpus",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Measure on this file, too: published tasks or messages, or texts of yours.",
)
@click.option("--write", "page", type=click.Path(path_type=Path), help="Write the page of claims.")
@click.option(
    "--check",
    type=click.Path(path_type=Path),
    is_flag=False,
    flag_value=Path(_PAGE),
    help=f"Measure again and leave with 1 where the page ({_PAGE}) has drifted.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a claim.")
def claims(
    names: tuple[str, ...], paths: tuple[Path, ...], page: Path | None, check: Path | None, *, as_json: bool
) -> None:
    """Measure the headline figures of the protocols' documents and of the field, and say whether they hold.

    Each claim is measured with the tokenizers that are here (see sabir tokenizers) on a corpus named by its SHA-256.
    With names, the figures of those claims are shown. A corpus of yours has the form of the shipped one: an object with
    tasks (ja, en, json, eap, eap-unicode, ait) and messages (type, sentence, json, slip, lingua).

    \b
    Examples:
      sabir claims
      sabir claims slip-table-6 silp-req-id
      sabir claims --check docs/claims.md
    """
    if bool(page) + bool(check) + as_json > 1:
        raise click.UsageError("--write, --check and --json exclude one another")
    if names and (page or check):
        raise click.UsageError("a page holds all claims: name none")
    chosen, corpora = _chosen(names), _corpora(paths)
    if page or check:
        _known_only(corpora)
    if check:
        text = _text(check)
        _check(text, check, _measured(chosen, corpora))
        return
    results = _measured(chosen, corpora)
    if page:
        _write(page, results)
    elif as_json:
        for result in results:
            click.echo(dumps(_record(result)))
    else:
        click.echo("\n".join(map(_table, results)) if names else _summary(results), nl=False)
    _say_absent(results)


def _chosen(names: tuple[str, ...]) -> Sequence[Claim]:
    from sabir.claims import CLAIMS  # noqa: PLC0415  # only when the command runs

    known = {claim.id: claim for claim in CLAIMS}
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, 2)
            guess = f" Did you mean {' or '.join(close)}?" if close else ""
            raise click.UsageError(f"no claim {name!r}.{guess} There are: {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)] or CLAIMS


def _corpora(paths: tuple[Path, ...]) -> dict[Any, Corpus]:
    from sabir.claims import load, shipped  # noqa: PLC0415  # as above

    corpora = {"shipped": shipped()}
    named: dict[str, Path] = {}
    for path in paths:
        if not path.exists():
            raise click.FileError(str(path), "no such file")
        corpus = load(path)
        if corpus.source in named:
            raise click.UsageError(f"{named[corpus.source]} and {path} are corpora of one kind: give one of them")
        named[corpus.source] = path
        corpora[corpus.source] = corpus
    return corpora


def _known_only(corpora: dict[Any, Corpus]) -> None:
    other = [corpus for corpus in corpora.values() if not corpus.known]
    if other:
        raise SabirError(
            f"{other[0].name} is not the published file (its sha256 is {other[0].sha256}): "
            "the page is for known texts alone"
        )


def _measured(chosen: Sequence[Claim], corpora: dict[Any, Corpus]) -> list[Result]:
    from sabir.claims import measure  # noqa: PLC0415  # as above

    results = []
    terminal = sys.stderr.isatty()
    for number, claim in enumerate(chosen, 1):
        if terminal:
            click.echo(f"\r\x1b[Kmeasuring {number} of {len(chosen)}: {claim.id}", err=True, nl=False)
        results.append(measure(claim, corpora))
    if terminal:
        click.echo("\r\x1b[K", err=True, nl=False)
    return results


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise click.FileError(str(path), error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise SabirError(f"{path} is not UTF-8") from None


def _check(text: str, path: Path, results: list[Result]) -> None:
    from sabir.claims import check  # noqa: PLC0415  # as above

    found = check(text, results)
    for line in found.skipped:
        click.echo(f"skipped, not measurable here: {line}", err=True)
    if not found.differences:
        click.echo(f"{path} is up to date", err=True)
        return
    click.echo("\n".join(found.differences[:_SHOWN]))
    more = len(found.differences) - _SHOWN
    click.echo(
        f"{path} has drifted{f' ({more} more lines differ)' if more > 0 else ''}: sabir claims --write {path}", err=True
    )
    raise click.exceptions.Exit(1)


def _write(path: Path, results: list[Result]) -> None:
    from sabir.claims import markdown  # noqa: PLC0415  # as above

    try:
        path.write_text(markdown(results), "utf-8")
    except OSError as error:
        raise click.FileError(str(path), error.strerror or "cannot be written") from None
    click.echo(f"written: {path}", err=True)


def _record(result: Result) -> dict[str, Any]:
    claim = result.claim
    return {
        "claim": claim.id,
        "document": claim.document,
        "section": claim.section,
        "quoted": claim.quoted,
        "words": claim.words,
        "meaning": claim.meaning,
        "corpus": {"name": result.corpus, "sha256": result.sha256} if result.sha256 else None,
        "figures": [
            {
                "figure": figure.name,
                "quoted": figure.quoted or None,
                "measured": {column: value for (name, column), value in result.cells.items() if name == figure.name},
            }
            for figure in claim.figures
        ],
        "absent": result.absent,
        "verdict": result.verdict,
    }


def _summary(results: list[Result]) -> str:
    body = [
        [result.claim.id, f"{result.claim.document}, {result.claim.section}", result.claim.quoted, result.verdict]
        for result in results
    ]
    return render(["claim", "whose", "quoted", "verdict"], body)


def _table(result: Result) -> str:
    from sabir.claims.page import rows  # noqa: PLC0415  # as above

    claim = result.claim
    corpus = f"corpus: {result.corpus}, sha256 {result.sha256}\n" if result.sha256 else ""
    table = (
        render(["", "quoted", *claim.columns], rows(result), right=range(1, 2 + len(claim.columns)))
        if claim.figures
        else ""
    )
    head = f"{claim.id}: {claim.document}, {claim.section}: {claim.quoted}"
    return f"{head}\n{claim.words}\n{claim.meaning}\n{corpus}{table}verdict: {result.verdict}\n"


def _say_absent(results: list[Result]) -> None:
    """A line on standard error for each thing that would let more be measured."""
    waiting: dict[str, int] = {}
    for result in results:
        for how in dict.fromkeys(result.absent.values()):
            waiting[how] = waiting.get(how, 0) + 1
    for how, number in waiting.items():
        click.echo(f"left out in {number} claim{'s' if number > 1 else ''}: {how}", err=True)
