"""What the primers cost: tokens of every format, size and language, in every tokenizer that is installed.

    python bench/primers.py [--agents planner,executor] [--tokenizers gpt-4o,gpt-4]

The vocabulary is the whole one of each format. The last column is what the brief primer of a format costs in English when
it teaches two words alone. Nothing is timed; the counts are the same on every machine.
"""

from __future__ import annotations

import argparse
from typing import Final

from sabir import meter
from sabir.primer import FORMATS, LANGUAGES, SIZES, primer

FEW: Final = {
    "silp-code": ["book", "email"],
    "silp-ir": ["book", "email"],
    "silp-json": ["book", "email"],
    "slip": ["RequestReview", "InformComplete"],
    "eap": ["XSS", "VUL"],
    "eap-unicode": ["XSS", "VUL"],
    "ait": ["XSS", "FIX"],
    "lingua": ["GET", "PST"],
}
"""Two words of each format."""
NO_AGENTS: Final = {"ait"}
"""Formats that have no place for a name."""


def row(format: str, tokenizer: str, agents: list[str] | None) -> list[int]:
    """Tokens of each size and language, then those of the brief primer of two words."""
    named = None if format in NO_AGENTS else agents
    kinds = [(size, lang) for size in SIZES for lang in LANGUAGES]
    found = [meter.count(primer(format, size=size, lang=lang, agents=named), tokenizer) for size, lang in kinds]
    return [*found, meter.count(primer(format, anchors=FEW.get(format), agents=named), tokenizer)]


def main() -> None:
    """Print a table for each tokenizer."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--agents", help="names of agents, with commas between them")
    parser.add_argument("--tokenizers", help="names of tokenizers, with commas between them; all that are installed if not given")
    options = parser.parse_args()
    installed = {item.name: item for item in meter.available()}
    wanted = options.tokenizers.split(",") if options.tokenizers else list(installed)
    if not wanted or not installed.keys() >= {*wanted}:
        parser.error(f"installed are: {', '.join(installed) or 'none; pip install sabir[meter]'}")
    heads = [f"{size} {lang}" for size in SIZES for lang in LANGUAGES]
    for name in wanted:
        print(f"{name}: {installed[name].vocabulary}, sha256 {installed[name].sha256[:12]}\n")
        print("| format |", " | ".join([*heads, "two words"]), "|")
        print("|---|" + "---:|" * (len(heads) + 1))
        for format in FORMATS:
            cells = row(format, name, options.agents.split(",") if options.agents else None)
            print(f"| {format} |", " | ".join(map(str, cells)), "|")
        print()


if __name__ == "__main__":
    main()
