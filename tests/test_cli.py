from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from sabir import cli as cli_package
from sabir.cli import _COMMANDS, cli, exit_code
from sabir.errors import DecodeError, MissingDependency, PolicyError, SecurityError
from transcript import ROOT, Step, parse, run

SLIPS = (Path(__file__).parent / "transcripts" / "slips.txt").read_text("utf-8")


def sabir(*args: str, input: str | bytes | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    data = input.encode() if isinstance(input, str) else input
    done = subprocess.run([sys.executable, "-m", "sabir", *args], capture_output=True, input=data, check=False)
    return subprocess.CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


def inside(*args: str, input: str | None = None) -> Result:
    """Run a command in this process, for what has no exit code of its own."""
    return CliRunner().invoke(cli, list(args), input=input)


@pytest.mark.parametrize("step", parse(SLIPS), ids=str)
def test_slips_of_a_person_get_answers_that_help(step: Step) -> None:
    """A slip is answered with what is wrong, where, and what would be right."""
    assert run(step.command) == step.output


def _commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name, (module, _) in _COMMANDS.items():
        command = getattr(import_module(module), name)
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {inner}", item) for inner, item in command.commands.items()]
    return found


@pytest.mark.parametrize(("path", "command"), _commands(), ids=lambda item: item if isinstance(item, str) else "")
def test_every_help_text_has_an_example_that_runs(path: str, command: click.Command) -> None:
    """Each command's help shows an example, and the example does what it says: it leaves with 0."""
    text = command.help or ""
    assert "Example" in text
    examples = [line.strip() for line in text.splitlines() if line.strip().startswith("sabir ")]
    assert examples
    for example in examples:
        if ">>" not in example and "--store" not in example:  # with a store, tests/test_learn_cli.py runs them in order
            assert "[exit" not in run(example), f"{path}: {example}"
    assert inside(*path.split(), "--help").exit_code == 0


def test_summaries_are_the_first_lines_of_the_help_texts() -> None:
    """The list of commands and the commands themselves do not drift apart: each has a summary of its own."""
    shown = inside("--help").output
    for name, (_, summary) in _COMMANDS.items():
        assert f"{name} " in shown
        assert summary in shown


def test_decode_prints_one_json_object_a_message() -> None:
    """Two packets in a text are two lines, in the message JSON form."""
    done = sabir("decode", ">SEC:XSS #ctx4 !9 =SYS:OK #ctx0")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, "")
    assert first == {
        "format": "eap",
        "message": {
            "direction": "request",
            "domain": "SEC",
            "action": "XSS",
            "target": "#ctx4",
            "priority": 9,
            "data": {},
        },
    }
    assert second["message"]["direction"] == "sync"


@pytest.mark.parametrize("text", ["start(hike)", "SLIP v1 a b MetaAck x", ">SEC:XSS #ctx4 | a=1.0", "◤SEC::XSS ➔ 📦[#ctx4]", "s4x9"])
def test_encode_is_the_inverse_of_decode(text: str) -> None:
    """What decode prints, encode reads from standard input."""
    decoded = sabir("decode", text)
    assert sabir("encode", "-", input=decoded.stdout).stdout == f"{text}\n"


def test_encode_takes_a_bare_message_with_a_format() -> None:
    """A bare message needs -f; without it the answer says so."""
    bare = '{"domain":"sec","action":"xss","direction":"request","target":"#ctx4"}'
    assert sabir("encode", "-f", "eap", bare).stdout == ">SEC:XSS #ctx4\n"
    refused = sabir("encode", bare)
    assert refused.returncode == 1
    assert "name it with -f" in refused.stderr
    unnamed = sabir("encode", '{"format":1,"message":{}}')
    assert (unnamed.returncode, unnamed.stderr) == (1, "error: format: must be the name of a format\n")


def test_instructions_become_packets() -> None:
    """The published example, in Japanese, from the command line."""
    assert sabir("encode", "--instruction", "過去ログ4番のXSSを超ガチで見て").stdout == ">SEC:XSS #ctx4 !9\n"
    assert sabir("encode", "-f", "slip", "--instruction", "x").returncode == 2


def test_lines_go_on_after_a_fault_and_leave_with_one() -> None:
    """Good lines are written, bad ones are named with their number, the exit code is 1."""
    done = sabir("translate", "--to", "eap", "--lines", "-", input="s4x9\nnonsense!\n\nd2m5\r\n")
    assert done.stdout == ">SEC:XSS #ctx4 !9\n>DAT:SUM #ctx2 !5\n"
    assert "line 2: error: " in done.stderr
    assert done.stderr.endswith("1 line at fault\n")
    assert done.returncode == 1


def test_records_name_their_format_and_others_are_counted_apart(tmp_path: Path) -> None:
    """A log of records is translated; plain JSON and prose are passed over; a broken record is a fault."""
    log = tmp_path / "log.jsonl"
    log.write_text('{"text":"s4x9","format":"ait"}\n{"text":"hi","format":"prose"}\n{"text":"start()"}\n', "utf-8")
    done = sabir("translate", "--to", "silp-code", "--records", "--file", str(log))
    assert done.stdout.splitlines() == [
        'xss(ctx4) # {"meta":{"direction":"request","domain":"SEC","priority":9}}',
        "start()",
    ]
    checked = sabir("translate", "--to", "all", "--check", "--json", "--records", "--file", str(log))
    rows = [json.loads(line) for line in checked.stdout.splitlines()]
    assert [(row["format"], row["messages"], row["lossless"]) for row in rows] == [
        ("silp-code", 1, True),
        ("ait", 1, True),
        ("prose", 1, None),
    ]
    for text in ('{"text":1}', "[]", '{"text":"x","format":"zzz"}', "{"):
        log.write_text(text, "utf-8")
        assert sabir("translate", "--to", "eap", "--records", "--file", str(log)).returncode == 1


def test_a_fault_found_by_the_check_leaves_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a message came back changed, the table says NO, the message is shown, and the exit code is 1."""
    from sabir import api

    real = api.translate

    def broken(text: Any, to: str, format: str | None = None, **anchors: Any) -> api.Translation:
        done = real(text, to, format, **anchors)
        return done if to != "ait" else api.Translation("s5x9", done.source, done.target, lossless=True, native=True)

    monkeypatch.setattr(api, "translate", broken)
    done = inside("translate", "--to", "eap", "--check", "s4x9")
    assert done.exit_code == 1
    assert "NO" in done.output
    assert "changed on the way to eap: s4x9" in done.output


def test_translate_to_all_shows_each_format_and_each_refusal() -> None:
    """One line a format with its name; what cannot hold the message says why on standard error."""
    done = sabir("translate", "--to", "all", ">SYS:FIX #ctx4")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [
        "silp-code",
        "silp-ir",
        "silp-json",
        "slip",
        "eap-unicode",
        "lingua",
    ]
    assert done.stderr.startswith("ait: ait cannot hold this message: ")
    assert done.returncode == 0
    assert json.loads(sabir("translate", "--to", "eap", "--json", "s4x9").stdout) == {
        "text": ">SEC:XSS #ctx4 !9",
        "source": "ait",
        "target": "eap",
        "lossless": True,
        "native": True,
    }
    assert sabir("translate", "--to", "ait", ">SYS:FIX #ctx4").returncode == 1


def test_validate_reports_doubts_and_strict_refuses_them() -> None:
    """A verb outside the list is a doubt; with --strict it is refused."""
    done = sabir("validate", "switch_tool(browser)")
    assert done.returncode == 0
    assert done.stdout.startswith("valid: silp-code\n")
    assert "SWITCH" in done.stdout
    assert sabir("validate", "--strict", "switch_tool(browser)").returncode == 1
    broken = sabir("validate", "--json", "start(")
    report = json.loads(broken.stdout)
    assert (broken.returncode, report["valid"], report["code"], report["column"]) == (1, False, "invalid_syntax", 6)
    spaced = json.loads(sabir("validate", "--json", "-f", "silp-code", "start( a )").stdout)
    assert spaced["doubts"] == [{"rule": "canonical", "text": "would be written start(a)"}]


def test_detect_names_the_format_or_leaves_with_one() -> None:
    """The answer is on standard output, the reason of a failure on standard error."""
    assert sabir("detect", "s4x9").stdout == "ait\n"
    done = sabir("detect", "hello")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no format reads this text" in done.stderr


def test_explain_in_both_languages() -> None:
    """One line a message."""
    for lang in ("en", "ja"):
        done = sabir("explain", "--lang", lang, "-f", "eap", "<SEC:VUL #ctx4 | line=42 fixed=false")
        assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    for named in ((), ("-f", "eap")):
        assert len(sabir("explain", *named, "=SYS:OK #a =SYS:OK #b").stdout.splitlines()) == 2


def test_compare_shows_costs_and_losses() -> None:
    """Characters, bytes and tokens of the published message in all formats, and the sentence that is cheaper or not."""
    done = sabir("compare", "--json", ">SEC:XSS #ctx4 !9", "--natural", "Check context 4 for XSS, top priority.")
    rows = {row["format"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["ait"]["tokens"]["gpt-4o"] == 4
    assert rows["eap"]["tokens"]["gpt-4o"] == rows["eap"]["tokens"]["gpt-4"] == 9
    assert rows["eap-unicode"]["tokens"]["gpt-4o"] == 17
    assert (rows["eap"]["characters"], rows["eap"]["bytes"]) == (17, 17)
    assert rows["eap-unicode"]["bytes"] > rows["eap-unicode"]["characters"]
    assert rows["plain sentence"]["how"] == "baseline"
    table = sabir("compare", ">SYS:XSS #ctx4 !9").stdout
    refused = next(line for line in table.splitlines() if line.startswith("ait"))
    cells = refused.split()
    assert set(cells[1 : cells.index("refused")]) == {"-"}
    assert "ait cannot hold this message" in refused
    assert "o200k_base, sha256 446a9538cb6c" in table
    assert "* cheapest form from which the message comes back: " in table
    assert sabir("compare", "--lines", "s4x9").returncode == 2


def test_a_signature_belongs_to_the_line_before() -> None:
    """Line by line, a message of Agent Lingua keeps its signature, and the next line is the next message."""
    signed = "👽71|@a\n--👽lingua/0.4@agent-lingua\n👽72\n\n^0\ns4x9\n--👽lingua/0.4@x\n"
    done = sabir("decode", "--lines", "-", input=signed)
    found = [json.loads(line)["message"] for line in done.stdout.splitlines()]
    assert [message.get("signature") for message in found] == [
        {"version": "0.4", "source": "agent-lingua"}, None, None, None,
    ]  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("line 7: error: ")
    assert len(sabir("decode", "--lines", "-", input="👽71\n--👽lingua/0.4@a").stdout.splitlines()) == 1


def test_compare_sets_every_form_against_the_sentence() -> None:
    """A form with more tokens than the sentence shows its loss; tokens and tokenizers can be chosen."""
    done = sabir("compare", ">SEC:XSS #ctx4 !9", "--natural", "Please check context 4 for XSS, top priority.", "--tokens", "--tokenizer", "gpt-4o")
    lines = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    assert "-67%" in lines["ait *"]  # 4 tokens against 12
    assert "+33%" in lines["slip"]  # 16 against 12
    assert "A2A envelope" in lines
    assert "MCP envelope" in lines
    assert "ait: s│4│x│9" in done.stdout
    assert "cl100k_base" not in done.stdout
    wrong = sabir("compare", "s4x9", "--tokenizer", "gpt-44")
    assert wrong.returncode == 2
    assert "did you mean gpt-4" in wrong.stderr


def test_compare_without_a_tokenizer_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is guessed where nothing can count."""
    from sabir import meter

    monkeypatch.setattr(meter, "find_spec", lambda _: None)
    done = inside("compare", "-f", "ait", "s4x9")
    assert "tokens are not counted: pip install 'sabir[meter]'" in done.output
    assert "gpt-4o" not in done.output


def test_formats_lists_the_registry() -> None:
    """The table and its JSON come from the registry."""
    rows = [json.loads(line) for line in sabir("formats", "--json").stdout.splitlines()]
    assert [row["name"] for row in rows if row["lossless"]] == [
        "silp-code",
        "silp-ir",
        "silp-json",
        "slip",
        "eap",
        "eap-unicode",
        "ait",
        "lingua",
    ]
    assert "compiles only" in sabir("formats").stdout


@pytest.mark.parametrize(
    ("args", "code", "word"),
    [
        (("decode", "--file", "/nowhere/x"), 3, "No such file"),
        (("decode", "--file", "."), 3, "directory"),
        (("decode", "--lines", "--file", "/nowhere/x"), 3, "No such file"),
        (("decode",), 2, "one of them"),
        (("decode", "x", "--file", "y"), 2, "one of them"),
        (("decode", "-f", "slipp", "x"), 2, "slipp"),
        (("transalte", "x"), 2, "Did you mean 'translate'?"),
        (("zzz",), 2, "No such command"),
        (("encode", "{"), 1, "JSON"),
    ],
)
def test_exit_codes(args: tuple[str, ...], code: int, word: str) -> None:
    """1 for the input, 2 for usage, 3 for what is not there; nothing on standard output."""
    done = sabir(*args)
    assert (done.returncode, done.stdout) == (code, "")
    assert word in done.stderr


def test_exit_codes_of_errors() -> None:
    """Missing packages are 3, policy and security 4, the rest 1."""
    assert [exit_code(e) for e in (MissingDependency(""), PolicyError(""), SecurityError(""), DecodeError(""))] == [3, 4, 4, 1]


@pytest.mark.parametrize("lines", [(), ("--lines",)])
def test_bytes_that_are_no_utf8_are_named(lines: tuple[str, ...]) -> None:
    """The byte and its place are said, and nothing is half-written."""
    done = sabir("decode", *lines, "-", input=b"SLIP v1 a b Fallback \xff\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "not UTF-8: byte 0xff at position 21" in done.stderr


def test_messages_are_utf8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """A C locale changes nothing in what is read and written."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    done = sabir("translate", "--to", "eap-unicode", "-", input='>SEC:XSS #"北京 4"')
    assert done.stdout == "◤SEC::XSS ➔ 📦[#北京 4]\n"


def test_a_byte_order_mark_is_none_of_the_text(tmp_path: Path) -> None:
    """Some programs put one in front of a file; inside of a text it stays."""
    marked = tmp_path / "marked"
    marked.write_bytes(b"\xef\xbb\xbfs4x9\ns4x9\n")
    assert sabir("decode", "--lines", "--file", str(marked)).returncode == 0
    assert sabir("explain", "-", input="\ufeffs4x9").stdout == sabir("explain", "s4x9").stdout
    assert sabir("explain", "\ufeffs4x9").returncode == 1
    assert sabir("decode", "--lines", "-", input="s4x9\n\ufeffs4x9").returncode == 1


def test_a_closed_pipe_is_no_fault() -> None:
    """Head may close the pipe early; that is its own choice, and no failure of ours."""
    status = run("bash -c 'yes s4x9 | head -5000 | sabir translate --lines --to eap - | head -1; echo ${PIPESTATUS[2]}'")
    assert status.rstrip("\n") == ">SEC:XSS #ctx4 !9\n0"
    shown = run("yes s4x9 | head -5000 | sabir translate --lines --to eap - | head -1")
    assert shown.splitlines()[0] == ">SEC:XSS #ctx4 !9"
    assert "Traceback" not in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_commands_and_formats(shell: str) -> None:
    """The script is for that shell, and completing a format name lists the formats."""
    assert "_SABIR_COMPLETE" in sabir("completion", shell).stdout
    shown = run("COMP_WORDS='sabir translate --to sil' COMP_CWORD=3 _SABIR_COMPLETE=bash_complete sabir")
    assert "plain,silp-code" in shown


def test_help_is_quick_to_load() -> None:
    """--help loads neither pydantic nor rich nor a protocol."""
    code = (
        "import sys; sys.argv = ['sabir', '--help']\nfrom sabir.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([m for m in ('pydantic', 'rich', 'sabir.silp', 'sabir.eap') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_stopping_by_hand_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An interrupt leaves with 130 and a word, not with a traceback."""

    def stop(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_package.cli, "main", stop)
    with pytest.raises(SystemExit) as left:
        cli_package.main()
    assert left.value.code == 130
    assert capsys.readouterr().err == "stopped\n"


def test_version() -> None:
    """The version is the package's."""
    assert sabir("--version").stdout.startswith("sabir, version ")
    assert (ROOT / "pyproject.toml").read_text("utf-8").count(f'version = "{sabir("--version").stdout.split()[-1]}"') == 1
