"""Measuring a claim with what is here: the tokenizers, the corpora, the packages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from sabir import meter
from sabir.claims.claim import MODELS, Cells, Claim, Source, columns_of, listed
from sabir.claims.corpus import PUBLISHED, Corpus

_TOKENIZERS: Final = {item.name: item for item in meter.TOKENIZERS}


@dataclass(frozen=True, slots=True)
class Result:
    """A claim and what was measured of it.

    Attributes:
        claim: the claim.
        corpus: name of what it was measured on.
        sha256: its hash; empty where it is not here and not published.
        cells: the numbers, rounded as shown.
        absent: columns that cannot be measured here, with what would bring them.
    """

    claim: Claim
    corpus: str
    sha256: str
    cells: Cells
    absent: dict[str, str]

    @property
    def verdict(self) -> str:
        """The verdict that the cells give: begins with holds, does not hold, holds only or not measured here."""
        claim = self.claim
        if not self.cells:
            return f"not measured here ({claim.unmeasured or listed(dict.fromkeys(self.absent.values()))})"
        measured, verdict = len(columns_of(self.cells)), claim.verdict(self.cells)
        return (
            verdict if measured == len(claim.columns) else f"{verdict} ({measured} of {len(claim.columns)} tokenizers)"
        )


def measure(claim: Claim, corpora: Mapping[Source, Corpus]) -> Result:
    """What can be measured of a claim here.

    Args:
        claim: the claim.
        corpora: texts by their kind; a claim on others is not measured.

    Raises:
        SabirError: a text of a corpus is none of its format, or a vocabulary is damaged.
    """
    corpus = corpora.get(claim.source)
    absent = _absent(claim, corpus)
    names = {figure.name: figure for figure in claim.figures}
    cells: Cells = {}
    for column in claim.columns:
        if column not in absent:
            found = claim.measure(corpus.data if corpus else None, column)
            cells |= {(name, column): float(names[name].shown(found[name])) for name in names if name in found}
    name, sha256 = _identity(claim, corpus)
    return Result(claim, name, sha256, cells, absent)


def _absent(claim: Claim, corpus: Corpus | None) -> dict[str, str]:
    """Columns that cannot be measured here, and why."""
    if claim.source in PUBLISHED and corpus is None:
        return dict.fromkeys(claim.columns, f"--corpus {PUBLISHED[claim.source].name}")
    if claim.package and not find_spec(claim.package):
        return dict.fromkeys(claim.columns, "pip install 'sabir[meter]'")
    missing = {column: meter.missing(_TOKENIZERS[column]) for column in claim.columns if column in MODELS}
    return {column: command for column, command in missing.items() if command is not None}


def _identity(claim: Claim, corpus: Corpus | None) -> tuple[str, str]:
    """Name and hash of the texts that a claim is measured on."""
    if corpus is not None:
        return corpus.name, corpus.sha256
    if claim.source in PUBLISHED:
        return PUBLISHED[claim.source].name, PUBLISHED[claim.source].sha256
    return "the claim's own texts", claim.texts_hash if claim.texts else ""
