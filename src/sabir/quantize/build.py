"""The models that are shipped, trained anew; ``python bench/quantize_models.py`` writes them into the package."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sabir.quantize.exemplars import distinct, shipped
from sabir.quantize.linear import LinearModel
from sabir.quantize.quantizer import fingerprint
from sabir.quantize.training import Table, train
from sabir.quantize.vector import VectorModel

DOUBT: Final = 0.5
"""Log-odds that the shipped models are less sure than their own exemplars would have it. Their texts come from
elsewhere, and other people draw the lines between anchors elsewhere, too; a model that was fitted to its user's own texts
has no such doubt."""


def models() -> dict[str, bytes]:
    """Content of each shipped model, by the name of its file."""
    rows, mark = distinct(shipped()), fingerprint()
    short, full = train(rows, with_pieces=False), train(rows, with_pieces=True)
    return {
        "quantize-keyword.json": LinearModel.of(doubtful(short), mark).dump(),
        "quantize-fitted.json": LinearModel.of(doubtful(full), mark).dump(),
        "quantize-vector.npz": VectorModel.of(rows, fingerprint=mark).dump(),
    }


def doubtful(table: Table) -> Table:
    """The table with its calibration moved by `DOUBT`."""
    calibration = table.calibration
    return replace(table, calibration=replace(calibration, shift=calibration.shift - DOUBT))
