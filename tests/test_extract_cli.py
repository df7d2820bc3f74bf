from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PACKET = ">SEC:XSS #ctx4 !9"
CHATTER = f"Sure!\n\n```\n{PACKET}\n```\n\nForm: `SLIP v1 <src> <dst> <anchor>`.\n"


def run(*args: str, input: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run `sabir extract` as a process of its own."""
    done = subprocess.run([sys.executable, "-m", "sabir", "extract", *args], capture_output=True, input=input, check=False)
    return subprocess.CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_line_a_message() -> None:
    """Each message is a line of span, format, repairs and canonical text; templates are named on standard error."""
    done = run(CHATTER)
    assert done.returncode == 0
    assert done.stdout == f"11-28\teap\t-\t{PACKET}\n"
    assert done.stderr == "41-69: template slip: a template: it has places to fill in: SLIP v1 <src> <dst> <anchor>\n"


def test_repairs_are_named_and_the_text_is_canonical() -> None:
    """What was repaired is printed as the protocol writes it, after the repairs' names."""
    done = run("SLIP v1 a b Fallback “two words”")
    assert done.stdout == '0-32\tslip\tsmart-quotes\tSLIP v1 a b Fallback "two words"\n'


def test_json_has_all_there_is_to_know() -> None:
    """With --json each message is an object with span, place, repairs, text and the message itself."""
    done = run("--json", f"Packet: {PACKET}.")
    assert json.loads(done.stdout) == {
        "kind": "message",
        "format": "eap",
        "span": [8, 25],
        "place": "label",
        "repairs": ["trailing-punctuation"],
        "text": PACKET,
        "canonical": PACKET,
        "message": {"direction": "request", "domain": "SEC", "action": "XSS", "target": "#ctx4", "priority": 9, "data": {}},
    }


def test_all_puts_templates_and_damaged_pieces_among_the_data() -> None:
    """With --all nothing is left to standard error."""
    done = run("--all", "--json", CHATTER)
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()] == ["message", "template"]
    assert json.loads(done.stdout.splitlines()[1])["reason"] == "a template: it has places to fill in"
    assert done.stderr == ""
    assert run("--all", CHATTER).stdout.splitlines()[1] == "41-69\tslip\ttemplate\tSLIP v1 <src> <dst> <anchor>"


def test_nothing_found_is_exit_code_1() -> None:
    """As with grep, no message is exit code 1, and says so."""
    done = run("nothing here but sha1")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no message found\n")
    assert run("--strict", "SLIP v1 a b MetaAck.").returncode == 1


def test_formats_are_chosen() -> None:
    """-f limits what is looked for, and may be repeated."""
    text = f"{PACKET}\nSLIP v1 a b MetaAck\n`s4x9`"
    done = run("-f", "slip", "-f", "ait", text)
    assert [line.split("\t")[1] for line in done.stdout.splitlines()] == ["slip", "ait"]


def test_a_signature_stays_on_the_line() -> None:
    """A message of two lines is printed on one."""
    done = run("👽71|@1\n--👽lingua/0.4@a")
    assert done.stdout.endswith("\t👽71|@1\\n--👽lingua/0.4@a\n")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((), 2, "give the text as TEXT, or - for standard input, or --file FILE"),
        (("a", "--file", "b"), 2, "one of them"),
        (("-f", "slap", "a"), 2, "slap"),
        (("--file", "there/is/none"), 3, "there/is/none"),
    ],
)
def test_wrong_use_is_answered(args: tuple[str, ...], code: int, said: str) -> None:
    """Wrong use leaves with the right code and says what would be right."""
    done = run(*args)
    assert done.returncode == code
    assert said in done.stderr


def test_bytes_that_are_no_utf8_are_named(tmp_path: Path) -> None:
    """A file that is no UTF-8 is an error of the input."""
    path = tmp_path / "x.txt"
    path.write_bytes(b"ab\xff")
    done = run("--file", str(path))
    assert done.returncode == 1
    assert "no UTF-8: byte 0xff" in done.stderr
    path.write_text(CHATTER, "utf-8")
    assert run("--file", str(path)).stdout == f"11-28\teap\t-\t{PACKET}\n"


def test_standard_input_is_a_stream() -> None:
    """A message is printed as soon as its line has come, while the input is still open."""
    with subprocess.Popen([sys.executable, "-m", "sabir", "extract", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"Sure:\n{PACKET}\nAnd now I thi".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode() == f"6-23\teap\t-\t{PACKET}\n"
        process.stdin.close()
        assert process.wait() == 0
