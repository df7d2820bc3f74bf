"""Encode and decode of every format: microseconds, and the ratio to `orjson.loads` of a 120-byte document in the same run.

    python bench/codec.py [--repeats 15]

Beside each ratio stands the protocol's own reference (its microseconds over the 0.41 that orjson took on that machine) and
whether the bar is met: decode in at most half of the reference's ratio; encode in at most the reference's on medium and
large messages, and under one microsecond of that machine (2.44 times orjson) on small ones. Baseline and cell are timed in
turns, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import statistics
import timeit
from typing import TYPE_CHECKING, Any

import msgspec
import orjson

import sabir

if TYPE_CHECKING:
    from collections.abc import Callable

ORJSON_THERE = 0.41
"""Microseconds that `orjson.loads` took where the references were measured."""
DOCUMENT = (
    b'{"intent":"!CANCEL","act":"flight","action_email":["zhangsan"],'
    b'"constraints":[{"type":"loc","value":"Beijing","x":1}]}'
)
SILP = (
    "cancel(flight)",
    "if loc(me,Beijing,t+1am): cancel(flight); email(zhangsan)",
    "if budget<=500 and rating>=4.0 and !rain(t+1): book(hotel,downtown,t+5); email(zhangsan) else: search(hostel@suburb); notify(boss@office1)",
)
SLIP = (
    "SLIP v1 planner executor MetaAck",
    "SLIP v1 planner executor RequestReview auth_module security urgent",
    "SLIP v1 devops sre Fallback check the pod logs of the cluster for OOMKilled events since nine and restart what failed so far",
)
SLIP_V3 = (
    "SLIP v3 planner executor Meta Ack",
    "SLIP v3 planner executor Request Review auth security urgent",
    "SLIP v3 devops sre Request Task check the pod logs of the cluster for OOMKilled events since nine and restart what failed so",
)
EAP = (
    ">SEC:XSS #ctx4 !9",
    '>SEC:XSS #ctx4 !9 | payload="<script>" line=42 fixed=false',
    '<SEC:VUL #ctx4 !7 | file=src/app.py line=42 fixed=false score=0.75 note="needs a second look" by=scanner',
)
AIT = ("s4x9", "s5x9 s5q9 r5f9", "s5x9 s5q9 r5f9 d6v7 r6f8 s6a8")
# format, messages, the reference's microseconds for encode and decode (small, medium, large), where it is known
ROWS: tuple[tuple[str, str, tuple[str, ...], tuple[float, ...] | None, tuple[float, ...] | None], ...] = (
    ("silp-code", "silp-code", SILP, (0.6, 3.7, 10.2), (8.0, 17.2, 36.5)),
    ("silp-json", "silp-json", SILP, (2.1, 4.3, 9.8), (5.6, 8.6, 16.1)),
    ("silp-ir", "silp-ir", SILP, None, None),
    ("slip v1", "slip", SLIP, (0.12, 0.18, 0.26), (0.83, 1.24, 2.25)),
    ("slip v3", "slip", SLIP_V3, (0.58, 1.20, 3.30), (1.91, 2.45, 4.80)),
    ("eap", "eap", EAP, (0.15, 1.24, 2.96), (2.80, 5.94, 11.7)),
    ("eap-unicode", "eap-unicode", EAP, None, None),
    ("ait", "ait", AIT, (1.2, 1.3, 1.4), (2.2, 2.1, 2.1)),
)
SIZES = ("small", "medium", "large")


def measure(work: Callable[[], Any], repeats: int) -> tuple[float, float]:
    """Microseconds of one call, and the ratio to the baseline: medians over pairs of runs."""
    loops = max(200, int(0.004 / max(1e-7, timeit.timeit(work, number=50) / 50)))
    times, ratios = [], []
    for _ in range(repeats):
        base = timeit.timeit(lambda: orjson.loads(DOCUMENT), number=5_000) / 5_000
        cell = timeit.timeit(work, number=loops) / loops
        times.append(cell * 1e6)
        ratios.append(cell / base)
    return statistics.median(times), statistics.median(ratios)


def bar(kind: str, size: str, reference: float | None) -> float | None:
    """Highest ratio that is good enough."""
    if reference is None:
        return None
    if kind == "decode":
        return reference / ORJSON_THERE / 2
    return 1 / ORJSON_THERE if size == "small" else reference / ORJSON_THERE


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15, help="pairs of runs a cell")
    repeats = parser.parse_args().repeats
    assert len(SILP[2]) == 138
    print(f"{'format':12} {'':7} {'size':7} {'us':>8} {'x orjson':>9} {'bar':>7}  met")
    for label, name, texts, encodes, decodes in ROWS:
        for at, size in enumerate(SIZES):
            message = sabir.decode(texts[at]) if name not in ("slip",) else sabir.decode(texts[at], "slip")
            text = sabir.encode(message, name)
            cells = (
                ("encode", lambda m=message, f=name: sabir.encode(m, f), encodes),
                ("decode", lambda t=text, f=name: sabir.decode(t, f), decodes),
            )
            for kind, work, references in cells:
                microseconds, ratio = measure(work, repeats)
                limit = bar(kind, size, references[at] if references else None)
                met = "" if limit is None else "yes" if ratio <= limit else "NO"
                shown = "" if limit is None else f"{limit:.2f}"
                print(f"{label:12} {kind:7} {size:7} {microseconds:8.2f} {ratio:9.2f} {shown:>7}  {met}")
    for name, work in (
        ("orjson.loads", lambda: orjson.loads(DOCUMENT)),
        ("msgspec", lambda d=msgspec.json.Decoder(): d.decode(DOCUMENT)),
    ):
        microseconds, ratio = measure(work, repeats)
        print(f"{name:20} {'120 B':7} {microseconds:8.2f} {ratio:9.2f}")


if __name__ == "__main__":
    main()
