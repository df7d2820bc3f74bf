"""The models that are shipped, trained anew; ``python bench/quantize_models.py`` writes them into the package."""

from __future__ import annotations

from dataclasses import replace

from sabir.quantize.calibration import DOUBT
from sabir.quantize.exemplars import distinct, shipped
from sabir.quantize.linear import LinearModel
from sabir.quantize.quantizer import fingerprint
from sabir.quantize.training import train
from sabir.quantize.vector import VectorModel


def models() -> dict[str, bytes]:
    """Content of each shipped model, by the name of its file."""
    rows, mark = distinct(shipped()), fingerprint()
    content = {}
    for mode in ("keyword", "fitted"):
        table = train(rows, with_pieces=mode == "fitted")
        table = replace(table, calibration=table.calibration.less_sure(DOUBT[mode]))
        content[f"quantize-{mode}.json"] = LinearModel.of(table, mark).dump()
    content["quantize-vector.npz"] = VectorModel.of(rows, fingerprint=mark, doubt=DOUBT["vector"]).dump()
    return content
