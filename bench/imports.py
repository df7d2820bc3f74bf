"""What starting costs: importing the library, loading its core, and showing the command line's help.

    python bench/imports.py [--runs 15]

Each figure is the median of fresh processes, in milliseconds from start to end, so Python's own start is in all of
them. The `sabir` that is run is the one installed beside this Python. The commands take turns, so that a slow moment
slows each of them. The limits: `import sabir`, and the core loaded too, at most 50 ms above `import pydantic`;
`sabir --help` under 300 ms. Exit code 1 says that one is missed.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Final

ABOVE: Final = 50.0
"""Milliseconds that the library may take on top of pydantic."""
HELP: Final = 300.0
"""Milliseconds in which the help must stand."""
FEWEST: Final = 11
"""Runs of each command below which a median says too little."""

BASE: Final = "import pydantic"
IMPORT: Final = "import sabir"
CORE: Final = "import sabir; sabir.decode"
"""Loading the core: `import sabir` alone loads names only when they are first used."""
SHOW_HELP: Final = "sabir --help"

COMMANDS: Final[dict[str, list[str]]] = {
    "pass": [sys.executable, "-c", "pass"],
    BASE: [sys.executable, "-c", BASE],
    IMPORT: [sys.executable, "-c", IMPORT],
    CORE: [sys.executable, "-c", CORE],
    SHOW_HELP: [str(Path(sys.executable).with_name("sabir")), "--help"],
}


def once(command: list[str]) -> float:
    """Milliseconds that a process takes from start to end; it must succeed."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # our own commands, listed above
    return (time.perf_counter() - start) * 1e3


def medians(runs: int) -> dict[str, float]:
    """Median milliseconds of each command; a first round, not counted, fills the caches of files and bytecode."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for turn in range(runs + 1):
        for name, command in COMMANDS.items():
            taken = once(command)
            if turn:
                times[name].append(taken)
    return {name: statistics.median(values) for name, values in times.items()}


def verdicts(found: dict[str, float]) -> list[tuple[str, float, float]]:
    """Each limit: what it is about, the milliseconds found, and those allowed."""
    return [
        (f"{IMPORT}, above {BASE}", found[IMPORT] - found[BASE], ABOVE),
        (f"{CORE}, above {BASE}", found[CORE] - found[BASE], ABOVE),
        (SHOW_HELP, found[SHOW_HELP], HELP),
    ]


def main() -> int:
    """Print the medians and whether each limit holds."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--runs", type=int, default=15, help=f"runs of each command, at least {FEWEST}")
    options = parser.parse_args()
    if options.runs < FEWEST:
        parser.error(f"--runs must be at least {FEWEST}: a median of fewer says too little")
    found = medians(options.runs)
    print(f"Python {platform.python_version()}, pydantic {version('pydantic')}; medians of {options.runs} runs")
    print("\n| command | ms |\n| --- | ---: |")
    for name, taken in found.items():
        print(f"| `{name}` | {taken:.1f} |")
    print("\n| limit | ms | at most | met |\n| --- | ---: | ---: | --- |")
    judged = verdicts(found)
    for what, taken, allowed in judged:
        print(f"| {what} | {taken:.1f} | {allowed:.0f} | {'yes' if taken <= allowed else 'NO'} |")
    return 0 if all(taken <= allowed for _, taken, allowed in judged) else 1


if __name__ == "__main__":
    sys.exit(main())
