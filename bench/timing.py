"""What the benchmarks share: a unit of time that survives a busy machine, and tables.

The unit is one `orjson.loads` of a 120-byte document, timed just before and just after each sample of what is
measured, so that a slow moment slows both and the quotient stands. Time is processor time, which other programs do
not stretch.
"""

from __future__ import annotations

import platform
import statistics
import time
import timeit
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DOCUMENT: Final = (
    b'{"intent":"!CANCEL","act":"flight","action_email":["zhangsan"],'
    b'"constraints":[{"type":"loc","value":"Beijing","x":100}]}'
)
"""The unit's document, 120 bytes: SILP's example of its JSON frontend, cut to length."""
SAMPLE: Final = 0.003
"""Seconds that one sample takes, about."""
_UNIT_LOOPS: Final = 2_000


class Cell(NamedTuple):
    """One figure: microseconds a call, and the same in units (`orjson.loads` of `DOCUMENT`); both medians."""

    microseconds: float
    units: float


def measure(function: Callable[..., Any], *arguments: Any, repeats: int) -> Cell:
    """Time a call, in turns with the unit."""
    names = [f"a{at}" for at in range(len(arguments))]
    scope = {"function": function, **dict(zip(names, arguments, strict=True))}
    timer = timeit.Timer(f"function({', '.join(names)})", timer=time.process_time, globals=scope)
    scope = {"loads": orjson.loads, "document": DOCUMENT}
    unit = timeit.Timer("loads(document)", timer=time.process_time, globals=scope)
    loops = max(1, int(SAMPLE / max(1e-7, min(timer.repeat(3, 20)) / 20)))
    times: list[float] = []
    ratios: list[float] = []
    before = unit.timeit(_UNIT_LOOPS) / _UNIT_LOOPS
    for _ in range(repeats):
        taken = timer.timeit(loops) / loops
        after = unit.timeit(_UNIT_LOOPS) / _UNIT_LOOPS
        times.append(taken * 1e6)
        ratios.append(2 * taken / (before + after))
        before = after
    return Cell(statistics.median(times), statistics.median(ratios))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that also reads well as it stands; a column whose head begins with ":" is set left."""
    left = [name.startswith(":") for name in head]
    lines = [[name.removeprefix(":") for name in head], *map(list, rows)]
    widths = [max(3, *(len(line[at]) for line in lines)) for at in range(len(head))]
    lines.insert(1, [f"{'-' * (width - 1)}{'-' if at else ':'}" for width, at in zip(widths, left, strict=True)])
    return "\n".join(f"| {' | '.join(_set(line, widths, left))} |" for line in lines)


def _set(line: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> list[str]:
    return [
        text.ljust(width) if at_left else text.rjust(width)
        for text, width, at_left in zip(line, widths, left, strict=True)
    ]


def conditions() -> str:
    """One line on what the figures were taken with."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("orjson", "msgspec", "pydantic"))
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}; {packages}"
