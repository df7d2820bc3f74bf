"""`sabir report` as a user meets it: tables, JSON, prices, scales, and every kind of file that is at fault."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from transcript import ROOT, run

TRAFFIC = "examples/traffic.jsonl --pointer /text --session conversation --tokenizer gpt-4o"


def said(command: str) -> dict[str, Any]:
    """What `sabir report --json` says."""
    found: dict[str, Any] = json.loads(run(f"sabir report --json {command}"))
    return found


def test_the_table_shows_losses_money_and_break_even() -> None:
    """One line a form; a form that costs more is negative, and its primer is never earned."""
    shown = run(f"sabir report {TRAFFIC} --per-day 1000 --agents 3")
    lines = {line.split("  ")[0]: line for line in shown.splitlines()}
    assert "never" in lines["lingua"]
    assert "-" in lines["minified JSON"]
    assert "$" in lines["as it is"]
    assert "gpt-4o at $2.5 and $10 a million read and written (2026-06)" in shown
    assert "a year: 1,000 messages a day, 3 agents" in shown


def test_processes_share_the_work_and_change_nothing() -> None:
    """The same report with one process and with two."""
    assert said(f"{TRAFFIC} --jobs 2") == said(TRAFFIC)


def test_prices_of_ones_own_come_first(tmp_path: Path) -> None:
    """An option beats a file, a file beats the default."""
    file = tmp_path / "prices.json"
    file.write_text('{"gpt-4o": {"input": 1, "output": 1}}', "utf-8")
    assert said(f"{TRAFFIC} --prices {file}")["tokenizers"][0]["price"]["as_of"] == "yours"
    price = said(f"{TRAFFIC} --prices {file} --price gpt-4o=3/4")["tokenizers"][0]["price"]
    assert (price["input"], price["output"]) == (3, 4)


def test_a_preset_scale_can_be_changed() -> None:
    """The paper's deployment, with another number of messages."""
    assert said(f"{TRAFFIC} --scale startup")["scale"] == {"agents": 10, "per_day": 500}
    assert said(f"{TRAFFIC} --scale startup --per-day 7")["scale"] == {"agents": 10, "per_day": 7}
    assert said(TRAFFIC)["scale"] is None


@pytest.mark.parametrize(
    ("options", "code", "word"),
    [
        ("--agents 5", 2, "needs --per-day or --scale"),
        ("--price gpt-4o", 2, "gpt-4o=2.50/10"),
        ("--price gpt-4o=x", 2, "no amount"),
        ("--prices /no/such/file", 3, "No such file"),
        ("--tokenizer gpt-44", 2, "did you mean"),
        ("--shape weird", 2, "jsonl"),
        ("--html /no/such/folder/out.html", 3, "No such file"),
        ("--html .", 3, "is a directory"),
    ],
)
def test_a_wrong_option_is_named(options: str, code: int, word: str) -> None:
    """With what would be right, and the exit code for usage or for what is not there."""
    shown = run(f"sabir report {TRAFFIC} {options}")
    assert shown.endswith(f"[exit {code}]")
    assert word in shown


def test_files_at_fault(tmp_path: Path) -> None:
    """Empty, binary, truncated, a directory, none at all, a wrong column: a message and the right exit code, no traceback."""
    whole = (ROOT / "examples" / "traffic.jsonl").read_bytes()
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "binary.jsonl").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "cut.jsonl").write_bytes(whole[:5000])
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(whole)[:2000])
    (tmp_path / "good.jsonl.gz").write_bytes(gzip.compress(whole))
    (tmp_path / "table.csv").write_text("a,b\n1,2\n", "utf-8")
    for name, options, code, word in (
        ("empty.jsonl", "", 1, "empty"),
        ("binary.jsonl", "", 1, "binary"),
        ("", "", 1, "directory"),
        ("missing.jsonl", "", 3, "no such file"),
        ("table.csv", "--column text", 1, "text"),
    ):
        shown = run(f"sabir report {tmp_path / name} {options} --tokenizer gpt-4o")
        assert "Traceback" not in shown
        assert shown.endswith(f"[exit {code}]"), shown
        assert word in shown
    for name, why in (("cut.jsonl", "JSON"), ("cut.jsonl.gz", "gzip data are cut off")):
        cut = run(f"sabir report {tmp_path / name} --pointer /text --tokenizer gpt-4o")
        assert "not read: 1:" in cut
        assert why in cut
        assert "[exit" not in cut
    good = json.loads(run(f"sabir report {tmp_path}/good.jsonl.gz --pointer /text --tokenizer gpt-4o --json"))
    assert good["entries"] == 280


def test_a_log_without_messages_has_no_shares(tmp_path: Path) -> None:
    """Prose is counted as text; nothing in it that only looks like a message counts as one."""
    file = tmp_path / "prose.txt"
    file.write_text("The hash is sha1, at 12:30 the switch(x) went off.\nPayslip v1 is ready.\n", "utf-8")
    found = json.loads(run(f"sabir report {file} --shape text --tokenizer gpt-4o --json"))
    assert found["messages"] == 0
    assert found["tokenizers"][0]["text_tokens"] > 0
    assert all(form["saved"] is None for form in found["tokenizers"][0]["forms"])
