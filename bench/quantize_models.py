"""Trains the quantizer's shipped models anew and writes them into the package's data.

    python bench/quantize_models.py

Needed after every change to the exemplars, the cues or the rules of the features; a test says so. Takes a minute or
two, most of it for the embeddings.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from sabir.quantize.build import models


def main() -> None:
    """Write the models."""
    for name, content in models().items():
        Path(str(resources.files("sabir.data").joinpath(name))).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
