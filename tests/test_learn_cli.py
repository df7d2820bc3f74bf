"""`sabir learn` as its users meet it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from learning import TOPICS
from sabir import learn as layer
from sabir.cli import cli, exit_code
from sabir.cli.learn import learn
from sabir.cli.learn_rows import batches
from sabir.cli.progress import progress
from sabir.errors import SabirError
from sabir.learn.vectors import HASHED
from sabir.store import open_store


def run(*args: str, input: str | None = None) -> tuple[int, str, str]:
    """Exit code, output and messages, with the code that `main` gives an error of the library."""
    done = CliRunner().invoke(cli, ["learn", *args], input=input)
    if isinstance(done.exception, SabirError):
        return exit_code(done.exception), done.stdout, f"{done.stderr}{done.exception}"
    if isinstance(done.exception, click.ClickException):
        return done.exception.exit_code, done.stdout, f"{done.stderr}{done.exception.format_message()}"
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A place for a store, known to the commands."""
    path = str(tmp_path / "learn.db")
    monkeypatch.setenv("SABIR_STORE", path)
    return path


@pytest.fixture
def harvest(where: str) -> str:
    """A store with a topic that four sources speak of, and one proposal of it."""
    rows = [json.dumps({"text": text, "source": f"s{place}", "confidence": 0.1}) for place, text in enumerate(TOPICS["harvest"])]
    assert run("log", "--jsonl", "-", input="\n".join(rows))[:2] == (0, "4 seen, 4 logged, 4 of them new\n")
    assert run("propose", "--mode", "keyword", "--embedder", HASHED)[0] == 0
    return where


def test_from_the_log_to_training_pairs(harvest: str) -> None:
    """Every step of the way by command: propose, list, show, approve, quantize, rebuild, export, retire, purge."""
    code, shown, said = run("propose", "--mode", "keyword", "--embedder", HASHED)
    assert (code, said) == (0, "4 texts grouped, 0 left out; 1 proposals, 0 of them new\n")
    assert "open" in shown
    (row,) = [json.loads(line) for line in run("list", "--json")[1].splitlines()]
    name = row["mnemonic"]
    assert (row["number"], row["size"], row["sources"], row["status"]) == (1, 4, 4, "open")
    assert TOPICS["harvest"][3] in run("show", "1")[1]
    assert run("approve", "1")[::2] == (4, "who decides must give a name")
    assert run("approve", "1", "--by", "s1")[0] == 4
    assert run("approve", "1", "--by", "Kim")[:2] == (0, f"0x8000 {name}: {row['canonical']}\n")
    assert json.loads(run("approve", "1", "--by", "Kim", "--json")[1])["index"] == 0x8000
    assert run("approve", "1", "--by", "Lee") == (0, f"0x8000 {name}: {row['canonical']}\n", "proposal 1 was approved before, by Kim\n")
    assert json.loads(run("show", name, "--json")[1])["proposal"]["decided_by"] == "Kim"
    assert run("rebuild", "--embedder", HASHED)[1].startswith("1 anchors indexed; the codebook is sha256:")
    assert [*json.loads(run("rebuild", "--embedder", HASHED, "--json")[1])["radii"]] == [name]
    quantize = ("quantize", "--mode", "keyword", "--embedder", HASHED)
    assert run(*quantize, TOPICS["harvest"][0])[1].startswith(f"{name} ")
    assert json.loads(run(*quantize, "--json", "--lines", "-", input="Verse about the moon\n")[1])["anchor"] == "Fallback"
    assert len(run("export", "--sharegpt")[1].splitlines()) == 4
    book = json.loads(run("export", "--codebook")[1])
    assert book["anchors"][-1]["mnemonic"] == name
    path = Path(harvest).with_name("pairs.jsonl")
    assert run("export", "--sharegpt", "--dst", "farm", "-o", str(path))[:2] == (0, "")
    assert all(f"farm {name}" in line for line in path.read_text().splitlines())
    assert name in run("list", "--anchors")[1]
    assert run("purge", "--source", "s2")[1:] == ("1 texts deleted, 1 sightings\n", f"{name} keeps its texts until it is retired\n")
    assert run("retire", name, "--by", "Kim", "--reason", "over")[1] == f"0x8000 {name} is retired by Kim\n"
    (anchor,) = [json.loads(line) for line in run("list", "--anchors", "--json")[1].splitlines()]
    assert (anchor["retired_by"], anchor["retired_reason"]) == ("Kim", "over")
    assert "(text gone)" in run("show", name)[1]
    assert run("purge", "--source", "s1")[1:] == ("1 texts deleted, 1 sightings\n", "")
    assert json.loads(run("purge", "--all", "--json")[1]) == {"deleted": 2, "sightings": 2, "anchors": []}


def test_rejecting(harvest: str) -> None:
    """A rejection names who and is listed as such."""
    assert run("reject", "1", "--by", "Kim", "--reason", "no")[1] == "proposal 1 is rejected by Kim\n"
    assert json.loads(run("reject", "1", "--by", "Kim", "--json")[1])["reason"] == "no"
    assert [json.loads(line)["number"] for line in run("list", "--status", "rejected", "--json")[1].splitlines()] == [1]
    assert run("approve", "1", "--by", "Kim")[0] == 4
    with open_store(harvest) as store:
        assert layer.own_anchors(store) == []


def test_minting_without_approval(harvest: str) -> None:
    """Where the policy asks for nobody, proposing mints, up to the rate, and says so."""
    assert run("policy", "--set", "approval=false", "--set", "mints_a_day=1", "--by", "Kim")[0] == 0
    assert run("propose", "--mode", "keyword", "--embedder", HASHED)[1].splitlines()[-1].startswith("minted 0x8000 ")
    rows = [json.dumps({"text": text, "source": f"s{place}", "confidence": 0.1}) for place, text in enumerate(TOPICS["certificates"])]
    run("log", "--jsonl", "-", input="\n".join(rows))
    done = json.loads(run("propose", "--mode", "keyword", "--embedder", HASHED, "--json")[1])
    assert (done["minted"], done["stopped"].split(";")[0]) == ([], "1 anchors were minted within 24 hours, of 1 allowed")
    assert "stopped: 1 anchors" in run("propose", "--mode", "keyword", "--embedder", HASHED)[2]


def test_held_back(where: str) -> None:
    """What the policy refuses is said with its reasons, beside the table and in the JSON."""
    run("log", "--lines", "--source", "ann", "--confidence", "0.1", "-", input="\n".join(TOPICS["harvest"]))
    assert "held back: " in (said := run("propose", "--mode", "keyword", "--embedder", HASHED)[2])
    assert "1 source; at least 2 are needed" in said
    assert json.loads(run("propose", "--mode", "keyword", "--embedder", HASHED, "--json")[1])["held_back"][0]["reasons"]


def test_logging(where: str) -> None:
    """The quantizer says how sure it is where nobody does; what it is sure of is not logged."""
    said = [run("log", "--mode", "keyword", "--source", "ann", text)[1] for text in ("Please review the authentication code", "The moon hangs low over sleepy roofs")]
    assert said == ["1 seen, 0 logged, 0 of them new\n", "1 seen, 1 logged, 1 of them new\n"]
    done = json.loads(run("log", "--source", "ann", "--confidence", "0.1", "--json", "mail eve@corp.example")[1])
    assert (done["stored"], done["redacted"]) == (True, {"EMAIL": 1})
    many = "\n".join(f"word {'x' * place}" for place in range(1, 502))
    assert run("log", "--lines", "--source", "ann", "--confidence", "0", "-", input=many)[1] == "501 seen, 501 logged, 501 of them new\n"


def test_policy(where: str) -> None:
    """The policy is shown and changed; a change needs a name."""
    assert run("policy")[0] == 3
    assert run("policy", "--set", "min_sources=4")[0] == 4
    assert "min_sources       4" in run("policy", "--set", "min_sources=4", "--by", "Kim")[1]
    assert json.loads(run("policy", "--json")[1])["min_sources"] == 4


FAULTS: list[tuple[list[str], str | None, int, str]] = [
    (["list", "--store", "/no/such/learn.db"], None, 3, "there is no store"),
    (["log", "hello"], None, 2, "--source NAME"),
    (["log", "--source", "a", ""], None, 1, "text: may not be empty"),
    (["log", "--source", "a"], None, 2, "give the message as TEXT"),
    (["log", "--store", "mysql://x/y", "--source", "a", "x"], None, 1, "SQLite or PostgreSQL"),
    (["policy", "--set", "min_sources", "--by", "Kim"], None, 2, "FIELD=VALUE"),
    (["policy", "--set", "min_sources=few", "--by", "Kim"], None, 2, "FIELD=VALUE"),
    (["policy", "--set", "min_sources=1.2.3", "--by", "Kim"], None, 2, "FIELD=VALUE"),
    (["policy", "--set", "min_sources=0", "--by", "Kim"], None, 1, "min_sources: must be"),
    (["policy", "--set", "colour=1", "--by", "Kim"], None, 1, "a policy has no 'colour' (there are: threshold, keep_days"),
    (["policy", "--set", "min_source=1", "--by", "Kim"], None, 1, "did you mean min_sources?"),
    (["approve", "1", "--by", "Kim", "--mnemonic", ""], None, 1, "a mnemonic is made of"),
    (["approve", "1", "--by", "Kim", "--mnemonic", "42"], None, 1, "a number is no name"),
    (["approve", "9", "--by", "Kim"], None, 1, "there is no proposal 9"),
    (["approve", "9" * 30, "--by", "Kim"], None, 1, "there is no proposal 9"),
    (["show", "9" * 5000], None, 1, "there is no proposal 9"),
    (["show", "Nonsense"], None, 1, 'no anchor "Nonsense"'),
    (["show", "RequestReview"], None, 4, "a core anchor"),
    (["retire", "RequestReview", "--by", "Kim"], None, 4, "a core anchor"),
    (["reject", "1"], None, 4, "must give a name"),
    (["export"], None, 2, "--sharegpt or --codebook"),
    (["export", "--sharegpt", "-o", "/no/such/file"], None, 1, "No such file"),
    (["export", "--sharegpt", "--dst", "two words"], None, 1, "dst"),
    (["quantize"], None, 2, "give the message as TEXT"),
    (["quantize", "--src", "a", "x"], None, 2, "--src needs --to-wire"),
    (["quantize", "--to-wire", "--json", "x"], None, 2, "exclude each other"),
    (["quantize", "--model", "/no/model", "x"], None, 1, "No such file"),
    (["propose", "--model", "/no/model", "--mode", "fitted"], None, 2, "leave --mode out"),
    (["list", "--status", "odd"], None, 2, "odd"),
    (["list", "--status", "open", "--anchors"], None, 2, "leave one out"),
    (["export", "--codebook", "--dst", "ops"], None, 2, "--dst needs --sharegpt"),
]


@pytest.mark.parametrize(("args", "input", "code", "says"), FAULTS, ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None)
def test_faults(harvest: str, args: list[str], input: str | None, code: int, says: str) -> None:
    """Each fault has its exit code and says what is wrong and where."""
    if "two words" in args:
        run("approve", "1", "--by", "Kim")
    found, shown, said = run(*args, input=input)
    assert (found, shown) == (code, "")
    assert says in said


GOOD: str = '{"text": "the moon hangs low", "source": "a", "confidence": 0}'
LINES: list[tuple[str, str]] = [
    ('{"text": 5, "source": "a", "confidence": 0}', "text: must be text"),
    ('{"text": "x", "source": "a", "confidence": 7}', "confidence: must be a number"),
    ('{"text": "x", "source": "a", "confidence": "0.2"}', "confidence: must be a number"),
    ('{"text": 5, "source": "a"}', "text: must be text"),
    ('{"text": "", "source": "a"}', "text: may not be empty"),
    ('{"text": "x", "source": 3}', "source: must be text"),
    ('{"text": "x"}', "say who said it"),
    ('{"text": "x", "source": null}', "say who said it"),
    ('{"source": "a"}', "a row is an object"),
    ("[1]", "a row is an object"),
    ("{", "JSON"),
]


@pytest.mark.parametrize(("line", "says"), LINES)
def test_a_line_at_fault_is_reported_and_the_others_are_logged(where: str, line: str, says: str) -> None:
    """The number of the line and the reason stand on standard error, and the exit code is 1."""
    code, shown, said = run("log", "--jsonl", "-", input=f"{GOOD}\n{line}\n{GOOD}\n")
    assert (code, shown) == (1, "2 seen, 2 logged, 1 of them new\n")
    assert said.startswith("line 2: error: ")
    assert says in said
    assert said.endswith("1 line at fault, not logged\n")


def test_nothing_known_means_the_options(where: str) -> None:
    """A row that leaves the source or the confidence out, or gives null, has those of the call."""
    rows = '{"text": "the moon hangs low", "source": null}\n{"text": "sleepy roofs", "confidence": null}\n'
    done = run("log", "--jsonl", "--source", "ann", "--confidence", "0.9", "-", input=rows)
    assert done[:2] == (0, "2 seen, 0 logged, 0 of them new\n")


@pytest.mark.parametrize("args", [("log", "hello"), ("log", "--source", "a", ""), ("log", "--source", "a", "--file", "/no/such"), ("policy", "--set", "x", "--by", "Kim")])
def test_a_wrong_call_makes_no_store(where: str, args: tuple[str, ...]) -> None:
    """What is wrong with a call is found before anything is written."""
    assert run(*args)[0] in {1, 2}
    assert not Path(where).exists()


def test_what_comes_in_does_not_wait_for_more() -> None:
    """Rows are handed on 500 at once, or when a second has passed; and at once when the user stops."""
    times = iter([0.0, 0.4, 0.9, 1.0, 1.0, 1.1, 1.2])
    a, b, c = rows = [(letter, 0.1, "ann") for letter in "abc"]
    assert [*batches(rows, lambda: next(times))] == [[a, b, c]]
    assert [len(batch) for batch in batches([a] * 1200, lambda: 0.0)] == [500, 500, 200]

    def stopped() -> Iterator[tuple[str, float | None, str]]:
        yield from rows
        raise KeyboardInterrupt

    found = batches(stopped(), lambda: 0.0)
    assert next(found) == [a, b, c]
    with pytest.raises(KeyboardInterrupt):
        next(found)


def test_a_message_with_an_own_anchor_is_read_with_the_exported_codebook(harvest: str) -> None:
    """The whole way: log, propose, approve, quantize, wire, codebook, decode."""
    assert run("approve", "1", "--by", "Kim", "--mnemonic", "RequestForecast")[0] == 0
    quantize = ("quantize", "--mode", "keyword", "--embedder", HASHED, "--to-wire", "--src", "farm", "--dst", "sky")
    code, wire, _ = run(*quantize, "--payload", "full", TOPICS["harvest"][0])
    assert (code, wire) == (0, f'SLIP v1 farm sky RequestForecast "{TOPICS["harvest"][0]}"\n')
    book = Path(harvest).with_name("book.json")
    assert run("export", "--codebook", "-o", str(book))[0] == 0
    done = CliRunner().invoke(cli, ["decode", "--codebook", str(book), wire])
    assert json.loads(done.stdout)["message"]["payload"] == [TOPICS["harvest"][0]]


def test_one_threshold_for_all(where: str) -> None:
    """What the policy lets be logged is what proposing looks at, and what quantizing answers with Fallback."""
    review, calls = "Please review the authentication code", ("--mode", "keyword", "--embedder", HASHED)
    assert run("policy", "--set", "threshold=1", "--by", "Kim")[0] == 0
    assert run("log", *calls, "--source", "ann", review)[1].startswith("1 seen, 1 logged")
    assert run("quantize", *calls, review)[1].startswith("Fallback")
    assert json.loads(run("propose", *calls, "--json")[1])["looked_at"] == 1
    assert run("policy", "--set", "threshold=0.55", "--by", "Kim")[0] == 0
    assert run("quantize", *calls, review)[1].startswith("RequestReview")
    assert json.loads(run("propose", *calls, "--json")[1])["looked_at"] == 0


def test_both_commands_give_an_answer_the_same_form(harvest: str) -> None:
    """`sabir quantize` and `sabir learn quantize` print the same JSON where no own anchor is meant."""
    own = run("quantize", "--mode", "keyword", "--embedder", HASHED, "--json", "Please review auth.py")[1]
    core = CliRunner().invoke(cli, ["quantize", "--mode", "keyword", "--json", "Please review auth.py"]).stdout
    assert own == core
    assert [*json.loads(own)["alternatives"][0]] == ["anchor", "confidence"]


def test_a_model_of_ones_own_judges(where: str, tmp_path: Path) -> None:
    """--model stands in for the shipped quantizer when logging, proposing and quantizing."""
    model = str(tmp_path / "own.bin")
    assert CliRunner().invoke(cli, ["quantize", "fit", "--mode", "keyword", "-o", model, "-"], input='{"text": "Ship it", "anchor": "EvalApprove"}').exit_code == 0
    assert run("log", "--model", model, "--source", "ann", "Sing about the moon")[0] == 0
    assert run("propose", "--model", model, "--embedder", HASHED)[0] == 0
    assert run("quantize", "--model", model, "--embedder", HASHED, "Sing about the moon")[:2] == (0, run("quantize", "--model", model, "Sing about the moon")[1])


def test_long_work_is_shown_on_a_terminal_alone(harvest: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A count goes to standard error while texts are grouped, and is taken away; a pipe gets nothing of it."""
    assert "texts" not in run("rebuild")[2]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress() as done:
        done(3)
    assert "3 texts" in capsys.readouterr().err


def test_the_help_needs_no_database() -> None:
    """Without SQLAlchemy the commands are there, and say what to install when one runs."""
    code = "import sys; sys.modules['sqlalchemy'] = None; from sabir.cli import main; sys.argv[1:] = {!r}; main()"
    for args, wanted, says in ((["learn", "approve", "--help"], 0, "Make an anchor"), (["learn", "list", "--store", "x.db"], 3, "pip install 'sabir[store]'")):
        done = subprocess.run([sys.executable, "-c", code.format(args)], capture_output=True, text=True, check=False)
        assert (done.returncode, says in f"{done.stdout}{done.stderr}") == (wanted, True)


ORDER = ("log", "propose", "list", "approve", "show", "rebuild", "quantize", "export", "reject", "retire", "policy", "purge")
"""Order in which the commands' examples make sense."""


def test_the_examples_of_the_help_texts_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command's help shows calls of it, and all of them, in the order of a user's day, leave with 0."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SABIR_STORE", raising=False)
    monkeypatch.setattr("sabir.learn.vectors.default", lambda: HASHED)
    rows = [{"text": text, "source": f"s{place}", "confidence": 0.1} for texts in TOPICS.values() for place, text in enumerate(texts)]
    Path("low-confidence.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert sorted(ORDER) == sorted(learn.commands)
    for name in ORDER:
        examples = [line.strip() for line in (learn.commands[name].help or "").splitlines() if line.strip().startswith("sabir ")]
        assert all(example.startswith(f"sabir learn {name} ") for example in examples)
        assert examples
        for example in examples:
            _replay(example)
        assert run(name, "--help")[0] == 0


def _replay(example: str) -> None:
    """Run a line as a shell would, with what it reads from a file or hands to another command."""
    first, _, second = example.partition(" | ")
    line, _, file = first.partition(" < ")
    code, shown, said = run(*shlex.split(line)[2:], input=Path(file).read_text("utf-8") if file else None)
    assert code == 0, (example, said)
    if second:
        done = CliRunner().invoke(cli, shlex.split(second)[1:], input=shown)
        assert done.exit_code == 0, (example, done.output)
