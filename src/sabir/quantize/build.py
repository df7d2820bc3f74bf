"""Trains the models that are shipped: ``python -m sabir.quantize.build`` after a change to exemplars, cues or rules."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Final

from sabir.quantize.exemplars import distinct, shipped
from sabir.quantize.linear import LinearModel
from sabir.quantize.quantizer import fingerprint
from sabir.quantize.training import train
from sabir.quantize.vector import VectorModel

TRUST: Final = 0.82
"""The shipped models' `Calibration.trust`; a model that was fitted to a user's own texts has 1."""


def models() -> dict[str, bytes]:
    """Content of each shipped model, by the name of its file."""
    rows, mark = distinct(shipped()), fingerprint()
    short, full = train(rows, with_pieces=False), train(rows, with_pieces=True)
    doubted = [replace(table, calibration=replace(table.calibration, trust=TRUST)) for table in (short, full)]
    return {
        "quantize-keyword.json": LinearModel.of(doubted[0], mark).dump(),
        "quantize-fitted.json": LinearModel.of(doubted[1], mark).dump(),
        "quantize-vector.npz": VectorModel.of(rows, fingerprint=mark).dump(),
    }


def main() -> None:
    """Write the models into the package's data."""
    for name, content in models().items():
        Path(str(resources.files("sabir.data").joinpath(name))).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")  # noqa: T201  # it is a script


if __name__ == "__main__":
    main()
