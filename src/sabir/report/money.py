"""What a report means in money: break-even with the primer, and a year at a given scale.

A message is paid for where it is written (output tokens) and by each agent that reads it (input tokens). A format that
a model does not know costs its primer, too, the instruction of `sabir prompt`, which is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sabir import meter
from sabir.primer import FORMATS, primer

if TYPE_CHECKING:
    from sabir.report.collect import Cost
    from sabir.report.prices import Price

DAYS: Final = 365


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is sent: agents, and messages a day by all of them together."""

    agents: int
    per_day: int


SCALES: Final = {
    "startup": Scale(10, 500),
    "scale-up": Scale(50, 5_000),
    "enterprise": Scale(1_000, 500_000),
}
"""The deployments of the Slipstream paper's Table 7."""


@dataclass(frozen=True, slots=True)
class Year:
    """Tokens and dollars of a year: as it is now, and in a format with its primer.

    ``saved`` is negative where the format costs more. Dollars are None where the tokenizer has no price.
    """

    now_tokens: int
    tokens: int
    primer_tokens: int
    now: float | None
    cost: float | None

    @property
    def saved(self) -> float | None:
        """Dollars that the format saves in the year."""
        return None if self.now is None or self.cost is None else self.now - self.cost


def primer_tokens(form: str, tokenizer: str, size: str = "brief") -> int | None:
    """Tokens of a format's primer; None for what needs none, such as JSON."""
    return meter.count(primer(form, size=size), tokenizer) if form in FORMATS else None


def break_even(cost: Cost, primer: int) -> int | None:
    """Messages after which a format has earned its primer, read once; None where it never does."""
    if not cost.tokens.count:
        return None
    saving = (cost.now - cost.tokens.total) / cost.tokens.count
    return math.ceil(primer / saving) if saving > 0 else None


def year(cost: Cost, primer: int, scale: Scale, price: Price | None, *, readers: int = 1) -> Year | None:
    """A year at a scale, every agent reading the primer once a day; None without a message to judge by."""
    if not cost.tokens.count:
        return None
    messages = scale.per_day * DAYS
    now = cost.now / cost.tokens.count
    then = cost.tokens.total / cost.tokens.count
    taught = primer * scale.agents * DAYS
    if price is None:
        return Year(round(now * messages), round(then * messages), taught, None, None)
    return Year(
        round(now * messages),
        round(then * messages),
        taught,
        price.of_message(now, readers) * messages,
        price.of_message(then, readers) * messages + taught * price.input / 1e6,
    )
