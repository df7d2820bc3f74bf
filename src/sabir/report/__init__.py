"""What the traffic in a log costs, and what it would cost in each format.

    >>> from sabir.report import Report, summary
    >>> report = Report(["gpt-4o"])
    >>> report.add_text("Here it is: SLIP v1 dev qa RequestReview auth_module", session="s1")
    >>> report.messages, report.now["gpt-4o"].total
    (1, 11)

`Report` gathers, `summary` says it in plain values, `sabir.report.prices` and `sabir.report.money` turn tokens to dollars.
"""

from __future__ import annotations

from sabir.report.collect import FORMS, Cost, Pair, Report
from sabir.report.money import SCALES, Scale, Year
from sabir.report.prices import Price
from sabir.report.spread import Spread
from sabir.report.summary import summary

__all__ = ["FORMS", "SCALES", "Cost", "Pair", "Price", "Report", "Scale", "Spread", "Year", "summary"]
