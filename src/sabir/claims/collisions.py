"""SILP's figures on colliding request ids: by the birthday formula, by simulation, and on ids of real texts."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Mapping
from typing import Any, Final

from sabir.claims.claim import Cells, Claim, Figure
from sabir.silp.canonical import req_id_of

IDS: Final = 1_000
MANY: Final = 100_000
RUNS: Final = 1_000
MANY_RUNS: Final = 100
_SEED: Final = 3_06
"""The section's number; any other would do."""
_WAYS: Final = ("formula", "simulation", "ids of texts")
_DIGITS: Final = (4, 6, 8)
_STATED: Final = {4: ("995", "99.9"), 6: ("1000", ""), 8: ("1000", "")}


def _distinct_name(digits: int) -> str:
    return f"distinct ids of 1,000, {digits} digits"


def _chance_name(digits: int, ids: str = "1,000") -> str:
    return f"chance that any two of {ids} are equal, {digits} digits, %"


_LEAST: Final = "distinct ids of 1,000, 4 digits, fewest in 95 % of runs"
_MOST: Final = "distinct ids of 1,000, 4 digits, most in 95 % of runs"
_MANY: Final = _chance_name(8, "100,000")
_FIGURES: Final = (
    *(
        figure
        for digits, (distinct, chance) in _STATED.items()
        for figure in (Figure(_distinct_name(digits), distinct), Figure(_chance_name(digits), chance, 2))
    ),
    Figure(_LEAST, "", 0),
    Figure(_MOST, "", 0),
    Figure(_MANY, "", 2),
)


def distinct(ids: int, digits: int) -> float:
    """How many different ids are to be expected among so many random ones."""
    space: int = 16**digits
    return -space * math.expm1(ids * math.log1p(-1 / space))


def chance(ids: int, digits: int) -> float:
    """Chance in percent that any two of so many random ids are equal, exactly."""
    space: int = 16**digits
    if ids > space:
        return 100.0
    return -100 * math.expm1(sum(math.log1p(-taken / space) for taken in range(ids)))


def _drawn(source: random.Random, ids: int, digits: int) -> int:
    """How many different ids so many drawn ones are."""
    shift = 32 - 4 * digits
    drawn = struct.unpack(f"<{ids}I", source.randbytes(4 * ids))
    return len({number >> shift for number in drawn} if shift else set(drawn))


def _formula() -> dict[str, float]:
    cells = {_MANY: chance(MANY, 8)}
    for digits in _DIGITS:
        cells |= {_distinct_name(digits): distinct(IDS, digits), _chance_name(digits): chance(IDS, digits)}
    return cells


def _simulation() -> dict[str, float]:
    source = random.Random(_SEED)  # noqa: S311  # no secret: the same numbers in every run
    cells: dict[str, float] = {}
    for digits in _DIGITS:
        runs = sorted(_drawn(source, IDS, digits) for _ in range(RUNS))
        cells |= {
            _distinct_name(digits): sum(runs) / RUNS,
            _chance_name(digits): 100 * sum(run < IDS for run in runs) / RUNS,
        }
        if digits == 4:
            cells |= {_LEAST: runs[RUNS // 40], _MOST: runs[-1 - RUNS // 40]}
    many = [_drawn(source, MANY, 8) for _ in range(MANY_RUNS)]
    return cells | {_MANY: 100 * sum(run < MANY for run in many) / MANY_RUNS}


def _texts() -> dict[str, float]:
    made = [req_id_of(f"fetch(item_{number})") for number in range(IDS)]
    return {_distinct_name(digits): len({one[:digits] for one in made}) for digits in _DIGITS}


def _measure(_data: Any, way: str) -> Mapping[str, float]:
    return {"formula": _formula, "simulation": _simulation, "ids of texts": _texts}[way]()


def _verdict(cells: Cells) -> str:
    likely = cells[_chance_name(4), "formula"], cells[_chance_name(4), "simulation"]
    usual = cells[_LEAST, "simulation"] <= 995 <= cells[_MOST, "simulation"]
    never = all(cells[_distinct_name(digits), "formula"] > 999.5 for digits in (6, 8))
    holds = usual and never and all(99.8 <= value <= 100 for value in likely)
    least, most = (cells[figure, "simulation"] for figure in (_LEAST, _MOST))
    return (
        f"{'holds' if holds else 'does not hold'}: 4 digits give {least:.0f} to {most:.0f} different ids in 95 % of "
        f"runs and collide in {likely[0]:.2f} %; but 8 digits collide, too, among 100,000 in "
        f"{cells[_MANY, 'formula']:.1f} %"
    )


CLAIMS: Final = (
    Claim(
        id="silp-req-id",
        document="SILP",
        section="3.6 and 8.3",
        quoted="995, 1000, 1000; 99.9 %",
        words="Of 1,000 ids, those of 4 hex digits were 995 different ones, those of 6 and 8 digits 1,000; the "
        "chance of a collision with 4 digits is about 99.9 %.",
        meaning=f"Ids drawn at random: by the exact formula; in {RUNS:,} seeded runs, or {MANY_RUNS} for 100,000 ids, "
        "whose chance is good to some 9 points; and those that this library makes of 1,000 different texts, cut to "
        "each length. The draft reports one run; it holds if that is among the middle 95 % of ours.",
        figures=_FIGURES,
        columns=_WAYS,
        measure=_measure,
        verdict=_verdict,
        texts=tuple(f"fetch(item_{number})" for number in range(IDS)),
    ),
)
