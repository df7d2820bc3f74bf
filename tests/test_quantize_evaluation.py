"""Figures of a quantizer, worked out by hand on a few answers, and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sabir.cli import cli, exit_code
from sabir.errors import EncodeError, SabirError
from sabir.quantize import Exemplar, Mode, Quantized, Quantizer, distinct, quantizer, read, shipped
from sabir.quantize.evaluation import Bin, cross_judge, evaluate, judge, page, plot
from sabir.ucr import core

EVERYDAY = Path(__file__).parents[1] / "bench" / "everyday.jsonl"
PUBLIC = Path(__file__).parents[2] / "shared" / "data" / "slip-intents-dev.jsonl"
ANSWERS = [
    Quantized("Accept", 0.95, (), "keyword"),
    Quantized("Accept", 0.85, (("Reject", 0.1),), "keyword"),
    Quantized("Fallback", 0.35, (("Reject", 0.35),), "keyword"),  # below the threshold
    Quantized("Fallback", 0.75, (("Reject", 0.1),), "keyword"),  # surely no anchor
]
ANCHORS = ["Accept", "Reject", "Reject", "Fallback"]
ROWS = "".join(
    json.dumps({"text": f"{verb} number {n}", "anchor": anchor}) + "\n"
    for verb, anchor in (("please review", "RequestReview"), ("stop now", "MetaAbort"))
    for n in range(5)
)


def test_figures() -> None:
    """Each figure as it comes out by hand."""
    found = judge(ANSWERS, ANCHORS, 0.55, core())
    assert (found.mode, found.texts, found.top1) == ("keyword", 4, 0.75)
    assert found.macro == pytest.approx((1 + 0.5 + 1) / 3)
    assert found.by_action == {"commit": (pytest.approx(2 / 3), 3), "meta": (1, 1)}
    assert found.coverage == 0.75
    assert found.precision == pytest.approx(2 / 3)
    assert found.surest == pytest.approx(2 / 3)
    assert found.bins == (
        Bin(0.3, 0.4, 1, 0.35, 1),
        Bin(0.7, 0.8, 1, 0.75, 1),
        Bin(0.8, 0.9, 1, 0.85, 0),
        Bin(0.9, 1.0, 1, 0.95, 1),
    )
    assert found.error == pytest.approx((0.65 + 0.25 + 0.85 + 0.05) / 4)
    assert found.confusion == {
        ("Accept", "Accept"): 1,
        ("Reject", "Accept"): 1,
        ("Reject", "Reject"): 1,
        ("Fallback", "Fallback"): 1,
    }
    assert json.loads(json.dumps(found.to_json()))["confusion"][2] == {
        "right": "Reject",
        "answered": "Accept",
        "texts": 1,
    }


def test_nothing_is_sure_enough() -> None:
    """Where no answer reaches the threshold, coverage and precision are zero."""
    found = judge(ANSWERS, ANCHORS, 1, core())
    assert (found.coverage, found.precision) == (0, 0)


def test_plot_and_page() -> None:
    """Half of the texts that should be Reject stand in the column of Accept; the page gives the numbers."""
    found = judge(ANSWERS, ANCHORS, 0.55, core())
    assert plot(found).splitlines() == [
        "right anchor           answered",
        "                       000",
        "                       012",
        "00 Accept              █  ",
        "01 Fallback             █ ",
        "02 Reject              ▒ ▒",
    ]
    shown = page(found)
    assert shown.count("<td") == 9
    assert '<td style="background:rgba(20,90,200,0.55)">1</td>' in shown
    assert "75.0% of 4 texts" in shown


def test_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row is judged by a model that did not see it; too few rows and none are refused."""
    monkeypatch.setattr(quantizer, "shipped", list)
    rows = [Exemplar(row["text"], row["anchor"]) for row in map(json.loads, ROWS.splitlines())]
    found = cross_judge(Quantizer("keyword"), rows, 5)
    assert (found.texts, found.top1) == (10, 1)
    with pytest.raises(EncodeError, match="5 folds need as many texts, not 2"):
        cross_judge(Quantizer("keyword"), rows[:2], 5)
    with pytest.raises(EncodeError, match="nothing to judge"):
        evaluate(Quantizer("keyword"), [])


# --- command line ----------------------------------------------------------------------------------------


def quantize(*args: str, input: str | None = None) -> tuple[int, str]:
    """Exit code and output of `sabir quantize`, with the code that `main` gives an error of the library."""
    done = CliRunner().invoke(cli, ["quantize", *args], input=input)
    if isinstance(done.exception, SabirError):
        return exit_code(done.exception), str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def test_text() -> None:
    """A text, standard input or lines; for a person, as JSON, or as a SLIP message."""
    code, shown = quantize("Please review it")
    assert (code, shown.split()[0]) == (0, "RequestReview")
    found = [
        json.loads(line)
        for line in quantize("--json", "--lines", "-", input="Please review it\n\nStop now!\n")[1].splitlines()
    ]
    assert [item["anchor"] for item in found] == ["RequestReview", "MetaAbort"]
    assert quantize("--to-wire", "--src", "a", "--dst", "b", "Please review x.py") == (
        0,
        "SLIP v1 a b RequestReview x.py\n",
    )
    assert quantize("--to-wire", "--threshold", "1", "--payload", "none", "Hm") == (0, "SLIP v1 - - Fallback Hm\n")


def test_slips() -> None:
    """Faults of usage leave with 2, faults of the input with 1, what is not there with 3."""
    assert quantize()[0] == 2
    assert quantize("--mode", "x", "a")[0] == 2
    assert quantize("--json", "--to-wire", "a")[0] == 2
    assert quantize("--to-wire", "--src", "a b", "Please review it")[0] == 1
    assert quantize("--model", "/nowhere", "a")[0] in {1, 3}
    assert quantize("eval", "-", input="")[0] == 1
    assert quantize("eval", "-", input="{}")[0] == 1
    assert quantize("eval", "--folds", "2", "--model", "x", "-", input=ROWS)[0] == 2


def test_fit_and_eval(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A model is fitted, used and judged; the figures stand in a table, as JSON, as a plot and on a page."""
    monkeypatch.setattr(quantizer, "shipped", list)
    (tmp_path / "rows.jsonl").write_text(ROWS, "utf-8")
    rows, model = str(tmp_path / "rows.jsonl"), str(tmp_path / "model.json")
    code, shown = quantize("fit", rows, "--mode", "keyword", "-o", model)
    assert (code, "keyword model of 10 texts, 2 anchors" in shown) == (0, True)
    assert quantize("--model", model, "please review number 9")[1].startswith("RequestReview")
    assert quantize("fit", rows, "-o", str(tmp_path / "no" / "model"))[0] == 1
    (tmp_path / "model.bad").write_bytes(b"x")
    assert quantize("--model", str(tmp_path / "model.bad"), "a")[0] == 1
    code, shown = quantize("eval", "--model", model, "--plot", "--html", str(tmp_path / "page.html"), rows)
    assert code == 0
    assert "top-1" in shown
    assert "01 RequestReview        █" in shown
    assert "100.0% of 10 texts" in (tmp_path / "page.html").read_text("utf-8")
    found = json.loads(quantize("eval", "--mode", "keyword", "--folds", "5", "--json", rows)[1])
    assert (found["top1"], found["texts"]) == (1, 10)


def test_eval_shows_all_modes_side_by_side() -> None:
    """Without a mode, the table has a column for each."""
    shown = quantize("eval", "-", input=ROWS)[1]
    assert shown.split()[:3] == ["keyword", "fitted", "vector"]


# --- the shipped models ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "english", "japanese"), [("keyword", 0.75, 0.65), ("fitted", 0.80, 0.68)])
def test_the_shipped_models_on_everyday_sentences(mode: Mode, english: float, japanese: float) -> None:
    """Short sentences that nobody trained or tuned on; the bars lie some points under what was measured."""
    rows = read(EVERYDAY.read_text("utf-8"))
    assert not {row.text for row in rows} & {row.text for row in shipped()}
    for lang, bar in (("en", english), ("ja", japanese)):
        found = evaluate(Quantizer(mode), [row for row in rows if row.lang == lang])
        assert found.top1 >= bar
        assert found.precision >= 0.9


@pytest.mark.skipif(not PUBLIC.exists(), reason="the public data is not here")
@pytest.mark.parametrize(("mode", "bar"), [("keyword", 0.45), ("fitted", 0.60)])
def test_the_shipped_models_on_the_public_data(mode: Mode, bar: float) -> None:
    """None of its rows is in training; the reference quantizer is right on 33 in 100, and calibration is 0.10 at most."""
    found = evaluate(Quantizer(mode), distinct(read(PUBLIC.read_text("utf-8"))))
    assert found.top1 >= bar
    assert found.error <= 0.10
