"""What a report costs: messages a second, the tokenizer's share of the time, memory on a long log.

    python bench/report.py [--messages 100000] [--tokenizers gpt-4o,gpt-4] [--gigabytes 0]

The log is made of the example traffic, each message with a number of its own so that no two are alike, and written to a
temporary file. The share is the time inside the tokenizers' own counting of all the time that reading, finding,
translating and counting take; counting is the floor. With `--gigabytes` a log of that size is read in a process of its
own, and the largest memory it ever took is shown. Times are processor times.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sabir import logs, meter
from sabir.report import Report
from timing import conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

TRAFFIC: Final = Path(__file__).parent.parent / "examples" / "traffic.jsonl"


def records(count: int) -> Iterator[dict[str, Any]]:
    """So many records of the example traffic's messages, each with a number of its own."""
    rng = random.Random(1)  # noqa: S311  # no secret depends on it
    found = [json.loads(line) for line in TRAFFIC.read_text("utf-8").split("\n") if line]
    usual = [record for record in found if record["format"] in ("slip", "eap")]
    for number in range(count):
        record = rng.choice(usual)
        text = record["text"]
        if record["format"] == "slip":
            text = f"{text} run_{number}"
        elif " | " in text:
            text = f"{text} run={number}"
        else:
            text = f"{text} | run={number}"
        yield {"text": text, "session": f"s{number // 20}"}


class Timed:
    """A counter that knows how long it counted."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.seconds = 0.0

    def count(self, text: str) -> int:
        """Tokens of a text."""
        start = time.process_time()
        found: int = self.inner.count(text)
        self.seconds += time.process_time() - start
        return found


def speed(path: Path, names: list[str]) -> None:
    """Print messages a second and the tokenizers' share."""
    report = Report(names)
    timed = {name: Timed(meter.counter(name)) for name in names}
    report._counters = timed  # type: ignore[assignment]  # noqa: SLF001  # the only way to look inside
    start = time.process_time()
    for item in logs.read([path], pointer="/text", session="session"):
        report.add(item)
    seconds = time.process_time() - start
    inside = sum(item.seconds for item in timed.values())
    print(f"{report.messages:,} messages in {report.entries:,} texts, {len(names)} tokenizers ({', '.join(names)})")
    print(f"{report.messages / seconds:,.0f} messages a second; {inside / seconds:.0%} of the time in the tokenizers")


def memory(gigabytes: float, folder: Path) -> None:
    """Print the largest memory of a process that reads a log of that size."""
    path = folder / "long.jsonl"
    piece = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records(50_000))
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < gigabytes * 1e9:
            file.write(piece)
    start = time.time()
    command = [sys.executable, "-m", "sabir", "report", str(path), "--pointer", "/text", "--session", "session", "--tokenizer", "gpt-4o", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603  # our own command line
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    said = json.loads(done.stdout)
    print(f"{path.stat().st_size / 1e9:.2f} GB, {said['messages']:,} messages: {largest:.0f} MiB at most, {time.time() - start:.0f} s")


def main() -> None:
    """Measure."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--tokenizers", default="gpt-4o")
    parser.add_argument("--gigabytes", type=float, default=0)
    options = parser.parse_args()
    print(conditions())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for record in records(options.messages):
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        speed(path, options.tokenizers.split(","))
        if options.gigabytes:
            memory(options.gigabytes, Path(folder))


if __name__ == "__main__":
    main()
