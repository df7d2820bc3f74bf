"""The lists of quantize-words.json: function words, what an anchor says already, words that open a sentence."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def wordlists() -> dict[str, Any]:
    """The lists, as they stand in the file."""
    data: dict[str, Any] = json.loads(resources.files("sabir.data").joinpath("quantize-words.json").read_text("utf-8"))
    return data
