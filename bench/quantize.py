"""Figures of the quantizer: accuracy, calibration, speed, memory, and what `transmit` keeps and costs.

    python bench/quantize.py LABELLED.jsonl                all but vector mode's folds
    python bench/quantize.py LABELLED.jsonl --modes keyword,fitted

LABELLED holds one object a line, with "text" and "anchor"; none of its rows is in the shipped models. The exemplars
are judged, too, by models that did not see them, and everyday.jsonl beside this file: short sentences of daily life,
English and Japanese, written by somebody who saw neither the exemplars nor the cues. It is for judging alone: whatever is
learned or tuned on it makes it worthless.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sabir import meter
from sabir.quantize import Quantized, Quantizer, distinct, read, shipped, transmit
from sabir.quantize.calibration import DOUBT
from sabir.quantize.evaluation import Evaluation, cross_judge, evaluate, judge
from sabir.ucr import core

if TYPE_CHECKING:
    from sabir.quantize import Exemplar, Mode

EVERYDAY = Path(__file__).with_name("everyday.jsonl")
FOLDS = 5
TOKENIZER = "o200k_base"
FACT = re.compile(
    r'"[^"\n]+"|(?<!\w)\'[^\'\n]+\'(?!\w)|`[^`\n]+`'  # quoted strings
    r"|(?<![\w/])/?(?:[\w.-]+/)+[\w.-]+"  # paths
    r"|[#@$€]?\w*\d[\w.,:/%-]*"  # numbers and what they are part of
    r"|\b\w+[_.:]\w+(?:[_.:]\w+)*|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\w*"  # identifiers
)
"""What must survive in the wire; written without a look at the rules that decide what is kept."""


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--modes", default="keyword,fitted,vector")
    options = parser.parse_args()
    rows = distinct(read(options.path.read_text("utf-8")))
    exemplars = distinct(shipped())
    everyday = read(EVERYDAY.read_text("utf-8"))
    count = Counter(row.lang for row in exemplars)
    print(f"{len(rows)} labelled texts; {len(exemplars)} exemplars ({count['en']} en, {count['ja']} ja)\n")
    modes: list[Mode] = options.modes.split(",")
    for mode in modes:
        _figures(f"{mode}, shipped", evaluate(Quantizer(mode), rows))
        for lang in ("en", "ja"):
            _figures(f"{mode}, everyday, {lang}", evaluate(Quantizer(mode), [row for row in everyday if row.lang == lang]))
    for mode in [mode for mode in modes if mode != "vector"]:
        _figures(f"{mode}, fitted on {FOLDS - 1}/{FOLDS}", cross_judge(Quantizer(mode), rows, FOLDS))
        _exemplars(mode, exemplars)
    for mode in modes:
        _speed(mode, [row.text for row in rows])
    _wires(rows)


def _figures(title: str, found: Evaluation) -> None:
    print(
        f"{title}: top-1 {found.top1:.1%}, macro {found.macro:.1%}, coverage {found.coverage:.1%}, precision there "
        f"{found.precision:.1%}, surest three quarters {found.surest:.1%}, calibration error {found.error:.3f}"
    )


def _exemplars(mode: Mode, rows: list[Exemplar]) -> None:
    """The shipped recipe on its own exemplars, held out of training fold by fold."""
    from sabir.quantize.calibration import calibrate  # noqa: PLC0415  # needs the extra
    from sabir.quantize.training import held_out  # noqa: PLC0415  # needs the extra

    scores, labels, anchors = held_out(rows, with_pieces=mode == "fitted")
    calibration = calibrate(scores, labels).less_sure(DOUBT[mode])
    answers = []
    for line in (scores * calibration.sharpness).tolist():
        best = [(anchors[at], sure) for at, sure in calibration.best(line, 4)]
        answers.append(Quantized(best[0][0], best[0][1], tuple(best[1:]), mode))
    for lang in ("en", "ja"):
        chosen = [at for at, row in enumerate(rows) if row.lang == lang]
        found = judge([answers[at] for at in chosen], [rows[at].anchor for at in chosen], 0.55, core())
        _figures(f"{mode}, exemplars held out, {lang}", found)


def _speed(mode: Mode, texts: list[str]) -> None:
    """Microseconds a text, medians of the processor's time; the first call and the memory in a process of its own."""
    chosen = texts if mode != "vector" else texts[:100]
    quantizer = Quantizer(mode)
    quantizer.quantize(chosen[0])
    times: dict[str, list[float]] = {"one": [], "batch": []}
    for _ in range(7 if mode != "vector" else 2):
        start = time.process_time()
        for text in chosen:
            quantizer.quantize(text)
        times["one"].append(time.process_time() - start)
        start = time.process_time()
        quantizer.quantize_all(chosen)
        times["batch"].append(time.process_time() - start)
    one, batch = (statistics.median(times[name]) / len(chosen) * 1e6 for name in ("one", "batch"))
    traced = "print(tracemalloc.get_traced_memory()[0] / 1e6)"
    short = ["Please review it"]
    first = _alone(mode, short, "import time; start = time.perf_counter(); ", "print(time.perf_counter() - start)")
    memory, later = (_alone(mode, given, "import tracemalloc; tracemalloc.start(); ", traced) for given in (short, chosen))
    print(
        f"{mode}: {one:.1f} us a text, {batch:.1f} us in a batch ({1 - batch / one:.0%} less), first call {first:.2f} s, "
        f"memory {memory:.1f} MB, after all texts {later:.1f} MB"
    )


def _alone(mode: Mode, texts: list[str], before: str, after: str) -> float:
    """What a fresh process prints that has the package loaded and then quantizes texts, one by one."""
    code = (
        f"import json, sys; from sabir.quantize import Quantizer; texts = json.load(sys.stdin); {before}"
        f"used = Quantizer({mode!r}); [used.quantize(text).anchor for text in texts]; {after}"
    )
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(texts), check=True, capture_output=True, text=True)  # noqa: S603  # our own code
    return float(done.stdout)


def _wires(rows: list[Exemplar]) -> None:
    """What survives in the wire, and what it costs beside the sentence and JSON."""
    quantizer = Quantizer()
    kept = total = 0
    plain, wires, objects = [], [], []
    for row in rows:
        wire = transmit(row.text, "planner", "executor", quantizer)
        facts = [fact.strip("\"'`.,:") for fact in FACT.findall(row.text)]
        total += len(facts)
        kept += sum(fact in wire or json.dumps(fact, ensure_ascii=False)[1:-1] in wire for fact in facts)
        plain.append(row.text)
        wires.append(wire)
        answer = quantizer.quantize(row.text)
        objects.append(json.dumps({"sender": "planner", "recipient": "executor", "message_type": answer.anchor, "content": row.text}, ensure_ascii=False))
    tokens = [statistics.mean(meter.count(text, TOKENIZER) for text in texts) for texts in (wires, plain, objects)]
    print(f"transmit: {kept} of {total} facts survive ({kept / total:.2%})")
    print(f"tokens ({TOKENIZER}): wire {tokens[0]:.1f}, sentence {tokens[1]:.1f}, JSON {tokens[2]:.1f}")


if __name__ == "__main__":
    main()
