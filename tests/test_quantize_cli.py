"""`sabir quantize` with calls that are wrong, and files that cannot be written."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sabir.cli import cli, exit_code
from sabir.errors import MissingDependency, SabirError

ROW = '{"text": "Ship it", "anchor": "EvalApprove"}'


def run(*args: str, input: str | None = None) -> tuple[int, str]:
    """Exit code, and what is said, with the code that `main` gives an error of the library."""
    done = CliRunner().invoke(cli, ["quantize", *args], input=input)
    if isinstance(done.exception, SabirError):
        return exit_code(done.exception), str(done.exception)
    if isinstance(done.exception, click.ClickException):
        return done.exception.exit_code, done.exception.format_message()
    return done.exit_code, done.output


USAGE: list[tuple[list[str], str]] = [
    (["evl", "rows.jsonl"], "Did you mean 'eval'?"),
    (["fitt", "-o", "model.json", "rows.jsonl"], "Did you mean 'fit'?"),
    (["text", "evl", "rows.jsonl"], "Did you mean 'eval'?"),
    (["Please", "review"], "unexpected extra argument"),
    ([], "Usage:"),
    (["--jsno", "a"], "Did you mean '--json'?"),
    (["--src", "a", "Ship it"], "--src needs --to-wire"),
    (["--dst", "a", "Ship it"], "--dst needs --to-wire"),
    (["--payload", "full", "Ship it"], "--payload needs --to-wire"),
    (["--embedder", "e5", "Ship it"], "--embedder is for --mode vector, not for auto"),
    (["fit", "--mode", "fitted", "--embedder", "e5", "-o", "m", "-"], "--embedder is for --mode vector, not for fitted"),
    (["eval", "--mode", "keyword", "--embedder", "e5", "-"], "--embedder is for --mode vector, not for keyword"),
    (["--mode", "keyword", "--model", "m", "Ship it"], "leave --mode out"),
    (["eval", "--mode", "keyword", "--model", "m", "-"], "leave --mode out"),
]


@pytest.mark.parametrize(("args", "says"), USAGE)
def test_a_wrong_call_is_refused_and_nothing_that_was_asked_for_is_passed_over(args: list[str], says: str) -> None:
    """It leaves with 2 and says what would be right."""
    code, said = run(*args, input=ROW)
    assert code == 2
    assert says in said


@pytest.mark.parametrize("place", ["model", "page"])
def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Where the place is full, what stood there before still stands, and nothing is left behind."""
    target = tmp_path / place
    target.write_text("as it was", "utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    args = ["fit", "--mode", "keyword", "-o"] if place == "model" else ["eval", "--mode", "keyword", "--html"]
    code, said = run(*args, str(target), "-", input=ROW)
    assert code == 1  # which `main` makes 3
    assert "No space left on device" in said
    assert [(path.name, path.read_text("utf-8")) for path in tmp_path.iterdir()] == [(place, "as it was")]


LABELLED: list[tuple[str, str]] = [
    (f'{ROW}\n\n{{"text": "a"}}\n', 'standard input, line 3: a row needs "anchor"'),
    (f"{ROW}\nnot JSON\n", "standard input, line 2: "),
    (f'{ROW}\n["a"]', "standard input, line 2: a row is an object"),
    ("\n", "standard input: there is no labelled text in it"),
]


@pytest.mark.parametrize(("rows", "says"), LABELLED)
def test_a_labelled_text_at_fault_is_named_by_its_line(rows: str, says: str) -> None:
    """In a file of thousands nobody finds it otherwise."""
    for command in (("eval", "--mode", "keyword", "-"), ("fit", "--mode", "keyword", "-o", "never-made", "-")):
        code, said = run(*command, input=rows)
        assert code == 1
        assert said.startswith(says)


def test_a_mode_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out, with the reason, where all were asked for, and an error where it was asked for alone."""

    def missing(*args: object, **options: object) -> None:
        raise MissingDependency(f"no package for {args} {options}")

    monkeypatch.setattr("sabir.cli.quantize.quantizer_of", missing)
    code, said = run("eval", "--json", "-", input=ROW)
    assert code == 0
    assert [line.partition(":")[0] for line in said.splitlines()] == ["keyword", "fitted", "vector"]
    assert run("eval", "-", input=ROW)[0] == 0
    assert run("eval", "--mode", "fitted", "-", input=ROW)[0] == 3
