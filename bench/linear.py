"""Whether decoding time grows in step with the input, whatever the input.

    python bench/linear.py [--largest 1000000] [--only slip]

Runs of awkward characters, from 1,000 to 1,000,000 of them, stand where each format lets text stand: alone, in an
argument, in a string, after a closed message. What is timed is decoding and, where the text is refused, printing
the error, in processor time, which a busy machine does not stretch. Every place is timed up to 100,000 characters,
the slowest place of each kind of run at 1,000,000 too, and that one is shown.

A tenfold input takes ten times as long where growth is linear and a hundred times where it is quadratic; linear is
what stays at or under fifteen, when timed again if need be, or takes under 2 ms. What outgrows the processor's caches
takes one step of twice the time; so a tenfold that took longer is judged by the text of twice its size, which takes
twice as long where growth is linear and four times where it is quadratic. Exit code 1 says that something did not pass.
"""

from __future__ import annotations

import argparse
import functools
import gc
import itertools
import sys
import time
from typing import TYPE_CHECKING, Final

import sabir
from timing import conditions, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
WIDE: Final = 100_000
"""Largest size for which every place is timed."""
LIMIT: Final = 15.0
"""Growth for a tenfold input that still counts as linear."""
DOUBLED: Final = 3.0
"""Growth for a doubled input that still counts as linear."""
NOISE: Final = 2e-3
"""Seconds under which a time is too short for its growth to mean anything."""
TOO_LONG: Final = 5.0
"""Seconds that the next size may take by the growth so far; beyond, it is left out."""
ATTEMPTS: Final = 3


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda size: (piece * (size // len(piece) + 1))[:size]


RUNS: Final[dict[str, Callable[[int], str]]] = {
    "spaces": _repeated(" "),
    "spaces, then x": lambda size: " " * (size - 1) + "x",
    "words": _repeated("ab "),
    "long token": _repeated("a"),
    "wide token": _repeated("語"),
    "digits": _repeated("7"),
    "digits and dots": _repeated("1.5e"),
    'quotes "': _repeated('"'),
    "quotes '": _repeated("'"),
    'strings ""': _repeated('"" '),
    "backslashes": _repeated("\\"),
    "escapes": _repeated("\\u0041"),
    "surrogates": _repeated("\\ud83d"),
    "(": _repeated("("),
    ")": _repeated(")"),
    "[": _repeated("["),
    "[]": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "{": _repeated("{"),
    'objects {"a":': lambda size: '{"a":' * (size // 6) + "1" + "}" * (size // 6),
    "list of lists": lambda size: "[" + "[]," * (size // 3) + "1]",
    "semicolons": _repeated(";"),
    "calls": _repeated("a(b); "),
    "arguments": _repeated("a=1,"),
    "commas": _repeated(","),
    "and": _repeated("a and "),
    "constraints": _repeated("a(b) and "),
    "operators": _repeated("<=>"),
    "else": _repeated(" else "),
    "arrows": _repeated("a -> "),
    "hashes": _repeated("# "),
    "bars": _repeated("| "),
    "equals": _repeated("="),
    "pairs": lambda size: " ".join(f"k{at}=1" for at in range(size // 8)),
    "pairs, bare": lambda size: " ".join(f"k{at}" for at in range(size // 6)),
    "same key": _repeated("k=1 "),
    "packets": _repeated(">AB:CD #e "),
    "packets, Unicode": _repeated("◤AB::CD ➔ 📦[#e] "),
    "arrows of Unicode": _repeated("➔"),
    "tape": _repeated("s4x9 "),
    "line ends": _repeated("\n"),
    "lines": _repeated("s4x9\n"),
    "commented lines": _repeated("a() # {}\n"),
    "zero width": _repeated("\u200b"),
    "combining": _repeated("\u0301"),
    "fields": _repeated("|@a"),
    "conditions": _repeated("|%K>1"),
    "operations": _repeated(";;👽71"),
    "signatures": _repeated("\n--👽lingua/0.4@a"),
    "mixed": _repeated("(\"' \\[{;,=#|"),
}

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "silp-code": (
        "{}",
        "start({})",
        'start("{}")',
        "start(a={})",
        "if {}: start()",
        "if a<{}: start()",
        "if a({}): start()",
        "start(){}",
        "start(); {}",
        "start() else: {}",
        "start() else: stop({})",
        "start() # {}",
        'start() # {{"meta":{{"x":{}}}}}',
        "start() -> {}",
    ),
    "silp-json": (
        "{}",
        '{{"intent":"!START","act":{}}}',
        '{{"intent":"!START","act":"{}"}}',
        '{{"intent":"!START"{}',
        '{{"intent":"!START","constraints":[{}]}}',
        '{{"intent":"!START","ir":{{"meta":{{"x":{}}}}}}}',
        '{{"intent":"!START"}}{}',
    ),
    "silp-ir": (
        "{}",
        '{{"intent":"!START","meta":{{"req_id":"0c89bb58","x":{}}}}}',
        '{{"intent":"!START","meta":{{"req_id":"0c89bb58","x":"{}"}}}}',
        '{{"intent":"!START","entities":[{}],"meta":{{"req_id":"0c89bb58"}}}}',
        '{{"intent":"!START","meta":{{"req_id":"0c89bb58"}}}}{}',
    ),
    "slip": (
        "{}",
        "SLIP v1 a b MetaAck {}",
        'SLIP v1 a b MetaAck "{}"',
        'SLIP v1 a b MetaAck "{}',
        "SLIP{}",
        "SLIP v1 {}",
        "SLIP v1 a b {}",
        "SLIP v3 a b Meta Ack {}",
    ),
    "eap": (
        "{}",
        ">SEC:XSS #c | {}",
        ">SEC:XSS #c | a={}",
        '>SEC:XSS #c | a="{}"',
        ">SEC:XSS #c | a='{}'",
        ">SEC:XSS #c | {}=1",
        ">{}",
        ">SEC:XSS{}",
        ">SEC:XSS #{}",
        '>SEC:XSS #"{}"',
        ">SEC:XSS #c {}",
    ),
    "eap-unicode": (
        "{}",
        "◤SEC::XSS ➔ 📦[#c] ⁝ {}",
        "◤SEC::XSS ➔ 📦[#c] ⁝ a={}",
        '◤SEC::XSS ➔ 📦[#c] ⁝ a="{}"',
        "◤SEC::XSS{}",
        "◤SEC::XSS ➔ 📦[#{}]",
        "◤SEC::XSS ➔ 📦[#c]{}",
    ),
    "ait": ("{}", "s4x9 {}", "s4x9{}"),
    "lingua": (
        "{}",
        "👽73|@{}",
        "👽73|$r:{}",
        "👽73|${}",
        "👽73|$j:{}",
        "👽73|{}",
        "👽73|~+{}",
        "👽73|%T={}",
        "👽73|%{}",
        "👽{}",
        "👽 {}",
        "!E1|{}",
        "^0|#{}",
        "👽73\n--👽lingua/{}",
        "👽73\n{}",
    ),
}
"""Where the runs stand in each format's texts."""
ANYWHERE: Final = ("{}", *(place for places in PLACES.values() for place in places[1:3]))
"""Where they stand for decoders that take every format."""


class Curve:
    """The times of one kind of run in one place, by size."""

    def __init__(self, read: Callable[[str], object], name: str, run: str, place: str) -> None:
        self.read = read
        self.name = name
        self.run = run
        self.place = place
        self.seconds: list[float] = []
        self.doubled = float("inf")

    def extend(self, top: int) -> None:
        """Time the sizes up to ``top`` that have not been timed, as long as they will not take too long."""
        for size in SIZES[len(self.seconds) :]:
            if size > top or (len(self.seconds) > 1 and self.seconds[-1] ** 2 / self.seconds[-2] > TOO_LONG):
                break
            self.seconds.append(self._time(size))
            for _ in range(ATTEMPTS):
                if self.growth() <= LIMIT:
                    break
                self.seconds[-1] = min(self.seconds[-1], self._time(size))
            else:
                self.doubled = min(self._time(2 * size) / self._time(size) for _ in range(ATTEMPTS))
                break

    def linear(self) -> bool:
        """Whether its times grow in step with the size."""
        return self.growth() <= LIMIT or self.doubled <= DOUBLED

    def growth(self) -> float:
        """Largest growth for a tenfold size between times that are long enough to tell."""
        pairs = itertools.pairwise(self.seconds)
        return max((after / max(before, NOISE / 10) for before, after in pairs if after > NOISE), default=0.0)

    def _time(self, size: int) -> float:
        """Seconds that a text takes, with the printing of its error; the best of a few."""
        text = self.place.format(RUNS[self.run](size))
        best = float("inf")
        for _ in range(5 if size < WIDE else 2):
            start = time.process_time()
            try:
                self.read(text)
            except sabir.DecodeError as error:
                str(error)
            best = min(best, time.process_time() - start)
            if best > 0.2:
                break
        return best


def readers() -> Iterator[tuple[str, Callable[[str], object], tuple[str, ...]]]:
    """What is timed, and in which places: each format's decoder, detection, and the decoder of several messages."""
    for name, places in PLACES.items():
        yield name, functools.partial(sabir.decode, format=name), places
    yield "detect", sabir.detect, ANYWHERE
    yield "decode_all", sabir.decode_all, ANYWHERE


def slowest(name: str, read: Callable[[str], object], places: tuple[str, ...], top: int) -> Iterator[Curve]:
    """For each run the place that takes longest, and all others that are not linear."""
    for run in RUNS:
        curves = [Curve(read, name, run, place) for place in places]
        for curve in curves:
            curve.extend(min(top, WIDE))
        curves.sort(key=lambda curve: (len(curve.seconds), -curve.seconds[-1]))
        curves[0].extend(top)
        yield curves[0]
        yield from (curve for curve in curves[1:] if not curve.linear())
        gc.collect()


def main() -> int:
    """Print the table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--largest", "--up-to", type=int, default=SIZES[-1], help="largest size")
    parser.add_argument("--only", default="", help="only what begins so: a format, detect, decode_all")
    options = parser.parse_args()
    gc.disable()
    shown: list[Curve] = []
    for name, read, places in readers():
        if name.startswith(options.only):
            shown += slowest(name, read, places, options.largest)
    sizes = [size for size in SIZES if size <= options.largest]
    head = (":decoder", ":run", ":place", *(f"{size:,}" for size in sizes), "growth", ":verdict")
    print(conditions())
    print(table(head, [_line(curve, len(sizes)) for curve in shown]))
    linear = sum(curve.linear() for curve in shown)
    meaning = f"at most {LIMIT:.0f} times the time for ten times the text, or {DOUBLED:.0f} times for twice"
    print(f"milliseconds; {linear} of {len(shown)} are linear: {meaning}")
    return 0 if linear == len(shown) else 1


def _line(curve: Curve, sizes: int) -> list[str]:
    times = [f"{seconds * 1e3:.2f}" for seconds in curve.seconds]
    growth = curve.growth()
    return [
        curve.name,
        curve.run.replace("|", "\\|"),
        f"`{curve.place.format('…')}`".replace("|", "\\|"),
        *times,
        *["-"] * (sizes - len(times)),
        f"{growth:.1f}" if growth else "",
        "linear" if curve.linear() else "NOT LINEAR",
    ]


if __name__ == "__main__":
    sys.exit(main())
