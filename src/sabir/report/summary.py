"""A report as plain values, for ``--json``, for the tables on the terminal and for the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sabir import meter
from sabir.report.collect import FORMS, JSON, Cost, Report
from sabir.report.money import Scale, break_even, primer_tokens, year

if TYPE_CHECKING:
    from sabir.report.prices import Price
    from sabir.report.spread import Spread

MAX_PAIRS_SHOWN: Final = 20
"""Pairs of agents in a summary, those with most tokens first."""


class _Terms(NamedTuple):
    """What figures are reckoned with."""

    prices: Mapping[str, Price]
    scale: Scale | None
    readers: int
    size: str


def summary(
    report: Report,
    *,
    prices: Mapping[str, Price],
    scale: Scale | None = None,
    readers: int = 1,
    size: str = "brief",
) -> dict[str, Any]:
    """Everything that a report says, as JSON values.

    Args:
        report: what was gathered.
        prices: by tokenizer; one without a price has no money.
        scale: how much is sent in the year to project to; no projection without one.
        readers: agents that read each message.
        size: which primer is counted, ``brief`` or ``full``.
    """
    terms = _Terms(prices, scale, readers, size)
    return {
        "entries": report.entries,
        "messages": report.messages,
        "characters": report.characters,
        "sessions": len(report.sessions),
        "formats": dict(report.formats.most_common()),
        "repairs": dict(report.repairs.most_common()),
        "repeats": {kind: {"texts": count, "characters": size} for kind, (count, size) in report.repeats.items()},
        "unread": [
            {
                "reason": reason,
                "count": count,
                "first": [{"source": at[0], "line": at[1], "shown": at[2]} for at in report.shown[reason]],
            }
            for reason, count in report.unread.most_common()
        ],
        "usage": {"input": report.usage[0], "output": report.usage[1]} if any(report.usage) else None,
        "readers": readers,
        "primer": size,
        "scale": {"agents": scale.agents, "per_day": scale.per_day} if scale else None,
        "tokenizers": [_tokenizer(report, name, terms) for name in report.tokenizers],
        "pairs": _pairs(report),
    }


def _tokenizer(report: Report, name: str, terms: _Terms) -> dict[str, Any]:
    item, aside = meter.resolve(name)
    price = terms.prices.get(name)
    now = report.now[name]
    return {
        "name": name,
        "vocabulary": item.vocabulary,
        "sha256": item.sha256,
        "note": aside or None,
        "text_tokens": report.text_tokens[name],
        "now": _spread(now),
        "price": price
        and {"model": price.model, "input": price.input, "output": price.output, "as_of": price.as_of},
        "cost_now": price and price.of_message(now.total, terms.readers),
        "forms": [_form(report, name, form, terms) for form in FORMS],
    }


def _form(report: Report, name: str, form: str, terms: _Terms) -> dict[str, Any]:
    price, scale = terms.prices.get(name), terms.scale
    cost = report.costs[name, form]
    taught = primer_tokens(form, name, terms.size)
    found: dict[str, Any] = {
        "form": form,
        "lossless": form != JSON,
        "held": cost.tokens.count,
        "refused": report.refused[form],
        "tokens": _spread(cost.tokens),
        "tokens_now": cost.now,
        "saved": _share(cost),
        "saved_median": cost.saved.quantile(0.5),
        "saved_p5": cost.saved.quantile(0.05),
        "saved_p95": cost.saved.quantile(0.95),
        "saved_classes": cost.saved.classes(),
        "cost": price and price.of_message(cost.tokens.total, terms.readers),
        "primer": taught,
        "break_even": None if taught is None else break_even(cost, taught),
        "year": None,
    }
    if scale is not None and (projected := year(cost, taught or 0, scale, price, readers=terms.readers)) is not None:
        found["year"] = {
            "now_tokens": projected.now_tokens,
            "tokens": projected.tokens,
            "primer_tokens": projected.primer_tokens,
            "now": projected.now,
            "cost": projected.cost,
            "saved": projected.saved,
        }
    return found


def _share(cost: Cost) -> float | None:
    """Part of all tokens that a form saves; negative where it costs more."""
    return (cost.now - cost.tokens.total) / cost.now if cost.now else None


def _spread(spread: Spread) -> dict[str, Any]:
    return {
        "total": spread.total,
        "mean": spread.mean,
        "median": spread.quantile(0.5),
        "p95": spread.quantile(0.95),
    }


def _pairs(report: Report) -> list[dict[str, Any]]:
    largest = sorted(report.pairs.items(), key=lambda item: (-item[1].now, item[0]))
    return [
        {"sender": names[0], "receiver": names[1], "messages": pair.messages, "tokens": pair.now, "best": pair.best}
        for names, pair in largest[:MAX_PAIRS_SHOWN]
    ]
