"""The option --codebook, in processes as a person starts them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import pytest

from sabir.cli import _COMMANDS, cli
from sabir.learn.vectors import HASHED
from transcript import ROOT, Step, parse, run

TRANSCRIPT: Final = (Path(__file__).parent / "transcripts" / "codebook.txt").read_text("utf-8")
BOOK: Final = str(ROOT / "examples" / "codebook.json")
"""RequestDeploy and InformOutage; RequestFreeze is retired."""
DEPLOY: Final = "SLIP v1 dev ops RequestDeploy build_42"
FORM: Final = {"version": "v1", "src": "dev", "dst": "ops", "anchor": "RequestDeploy", "payload": ["build_42"]}


def sabir(*args: str, input: str | None = None) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command line as a process of its own."""
    data = None if input is None else input.encode()
    done = subprocess.run([sys.executable, "-m", "sabir", *args], capture_output=True, input=data, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("step", parse(TRANSCRIPT), ids=str)
def test_what_a_person_sees(step: Step) -> None:
    """Own anchors are read and written, and every way to go wrong is answered with what would be right."""
    assert run(step.command) == step.output


def test_the_commands_that_read_messages_have_the_option() -> None:
    """And its help text is the same in all of them."""
    readers = ("decode", "encode", "translate", "detect", "validate", "explain", "extract", "compare", "report")
    for name in readers:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        (option,) = [item for item in command.params if item.name == "codebook"]
        assert isinstance(option, click.Option)
        assert option.help == "SLIP: a codebook's JSON, for anchors of your own; the core alone if not given."
    assert {*readers} < {*_COMMANDS}


def test_json_and_back_in_a_pipe() -> None:
    """What decode prints, encode takes, line by line, each with the codebook; a line of JSON without it is at fault."""
    code, printed, said = sabir("decode", "--lines", "--codebook", BOOK, "-", input=f"{DEPLOY}\ns4x9\n")
    assert (code, said) == (0, "")
    assert [json.loads(line)["format"] for line in printed.splitlines()] == ["slip", "ait"]
    assert json.loads(printed.splitlines()[0])["message"] == FORM
    assert sabir("encode", "--lines", "--codebook", BOOK, "-", input=printed) == (0, f"{DEPLOY}\ns4x9\n", "")
    code, written, said = sabir("encode", "--lines", "-", input=printed)
    assert (code, written) == (1, "s4x9\n")
    assert said.startswith('line 1: error: anchor: the codebook has no anchor "RequestDeploy"')


@pytest.mark.parametrize("target", ["silp-code", "silp-ir", "silp-json", "eap", "eap-unicode", "lingua"])
def test_into_every_format_and_back(target: str) -> None:
    """The line comes back where the codebook is given, and is refused by name where it is not."""
    code, there, said = sabir("translate", "--to", target, "--codebook", BOOK, DEPLOY)
    assert (code, said) == (0, "")
    assert sabir("translate", "--to", "slip", "--codebook", BOOK, "-", input=there) == (0, f"{DEPLOY}\n", "")
    reason = "error: slip would not be read: the core has no anchor RequestDeploy; give the codebook that has it\n"
    assert sabir("translate", "--to", "slip", "-", input=there) == (1, "", reason)
    assert sabir("translate", "--to", "slip", "--allow-unknown", "-", input=there) == (0, f"{DEPLOY}\n", "")


def test_the_check_there_and_back() -> None:
    """A file is proved without loss, records included."""
    record = json.dumps({"text": DEPLOY})
    code, table, said = sabir(
        "translate", "--to", "all", "--check", "--records", "--json", "--codebook", BOOK, "-", input=f"{record}\n"
    )
    assert (code, said) == (0, "")
    row = json.loads(table)
    assert (row["format"], row["messages"], row["lossless"]) == ("slip", 1, True)
    assert row["to"]["eap"] == {"carried": 1}
    assert sabir("translate", "--to", "all", "--check", "--records", "-", input=f"{record}\n")[0] == 1


def test_messages_in_prose_and_in_logs(tmp_path: Path) -> None:
    """Extract and report find them, the latter in several processes too."""
    text = f"Sure! `{DEPLOY}` it is."
    code, found, _ = sabir("extract", "--json", "--codebook", BOOK, text)
    assert (code, json.loads(found)["message"]) == (0, FORM)
    assert sabir("extract", text)[0] == 1
    log = tmp_path / "log.txt"
    log.write_text(f"{text}\n", "utf-8")
    for jobs in ("1", "2"):
        code, printed, _ = sabir("report", "--json", "--codebook", BOOK, "--jobs", jobs, "--shape", "text", str(log))
        assert (code, json.loads(printed)["formats"]) == (0, {"slip": 1})


def test_a_codebook_of_another_core(tmp_path: Path) -> None:
    """A core that differs is refused with its row; so is a core of another version, and a hash that does not fit."""
    whole = json.loads(Path(BOOK).read_text("utf-8"))
    moved = json.loads(json.dumps(whole))
    moved["anchors"][0]["coords"] = [7, 7, 7, 7]
    for name, data, reason in (
        ("moved", moved, "anchors[0]: 0x0001 ObserveState differs in coords from the core of version 1.0.0, which never changes"),
        ("other", {**moved, "version": "2.0.0"}, "hash: does not fit: it says "),
        ("hash", {**whole, "hash": f"sha256:{'0' * 64}"}, "hash: does not fit: it says "),
        ("rows", {**whole, "anchors": "none"}, "anchors: expected `array`, got `str`"),
    ):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data), "utf-8")
        for command in ("decode", "validate", "detect"):
            code, printed, said = sabir(command, "--codebook", str(path), DEPLOY)
            assert (code, printed) == (1, "")
            assert said.startswith(f"error: {path}: {reason}")
    foreign = tmp_path / "foreign.json"
    exported = sabir("ucr", "export", "--book", BOOK)[1].replace('"version":"1.0.0"', '"version":"2.0.0"')
    foreign.write_text(exported, "utf-8")
    assert sabir("decode", "--codebook", str(foreign), DEPLOY) == (
        1,
        "",
        f"error: {foreign}: its core is that of version '2.0.0', and messages are read with version 1.0.0\n",
    )


def test_an_anchor_from_the_log_to_the_wire(tmp_path: Path) -> None:
    """What `sabir learn approve` minted is exported, and used in messages that others read with the export."""
    store, book = str(tmp_path / "learn.db"), tmp_path / "book.json"
    texts = (
        "Forecast the wheat harvest of the northern fields",
        "A forecast of the wheat harvest in the northern fields is wanted",
        "How will the wheat harvest in the northern fields be, any forecast",
        "Wheat harvest forecast for the northern fields",
    )
    rows = [json.dumps({"text": text, "source": f"s{at}", "confidence": 0.1}) for at, text in enumerate(texts)]
    assert sabir("learn", "log", "--store", store, "--jsonl", "-", input="\n".join(rows))[0] == 0
    assert sabir("learn", "propose", "--store", store, "--mode", "keyword", "--embedder", HASHED)[0] == 0
    code, minted, _ = sabir("learn", "approve", "--store", store, "1", "--by", "Kim", "--json")
    name = json.loads(minted)["mnemonic"]
    book.write_text(sabir("learn", "export", "--store", store, "--codebook")[1], "utf-8")
    wire = f"SLIP v1 farm office {name} north"
    assert sabir("decode", wire)[0] == 1
    code, printed, _ = sabir("decode", "--codebook", str(book), wire)
    assert (code, json.loads(printed)["message"]["anchor"]) == (0, name)
    assert sabir("encode", "--codebook", str(book), "-", input=printed)[:2] == (0, f"{wire}\n")
    there = sabir("translate", "--to", "lingua", "--codebook", str(book), wire)[1]
    assert sabir("translate", "--to", "slip", "--codebook", str(book), "-", input=there)[:2] == (0, f"{wire}\n")
