from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from sabir.cli import cli, exit_code
from sabir.errors import SabirError
from sabir.ucr import Anchor, core

if TYPE_CHECKING:
    from pathlib import Path

REVIEW = {
    "index": 50,
    "mnemonic": "RequestReview",
    "canonical": "Request review of work",
    "action": 3,
    "polarity": 4,
    "domain": 3,
    "urgency": 3,
}


def ucr(*args: str, input: str | None = None) -> tuple[int, str]:
    """Exit code and output of `sabir ucr`, with the code that `main` gives an error of the library."""
    done = CliRunner().invoke(cli, ["ucr", *args], input=input)
    if isinstance(done.exception, SabirError):
        return exit_code(done.exception), str(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def test_list_is_a_table_of_all_anchors() -> None:
    """A line for each, with index, name, coordinates in words and description."""
    code, shown = ucr("list")
    lines = shown.splitlines()
    assert (code, len(lines)) == (0, 2 + 46)
    assert lines[0].split() == ["index", "mnemonic", "action", "polarity", "domain", "urgency", "what"]
    cells = [" ".join(line.split()) for line in lines]
    assert "0x0032 RequestReview request 4 evaluation 3 Request review of work" in cells


def test_list_as_json() -> None:
    """One object an anchor, in the order of the indices."""
    found = [json.loads(line) for line in ucr("list", "--json")[1].splitlines()]
    assert [item["index"] for item in found] == [anchor.index for anchor in core()]
    assert REVIEW in found


@pytest.mark.parametrize("name", ["RequestReview", "0x0032", "0X32", "50", "050"])
def test_show_takes_a_name_or_an_index(name: str) -> None:
    """Mnemonic, hexadecimal or decimal."""
    assert json.loads(ucr("show", name, "--json")[1]) == REVIEW
    code, shown = ucr("show", name)
    assert code == 0
    assert shown.splitlines() == [
        "0x0032 RequestReview: Request review of work",
        "  action   3 request",
        "  polarity 4",
        "  domain   3 evaluation",
        "  urgency  3",
    ]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("requestreveiw", "did you mean RequestReview or"),
        ("9", "the codebook has no index 0x0009"),
        ("99999999", "the codebook has no index 99999999"),
        ("9" * 5000, 'no anchor "999'),
        ("0x", 'no anchor "0x"'),
    ],
)
def test_show_of_what_is_not_there(name: str, answer: str) -> None:
    """The closest names are told, and the exit code is 1."""
    code, shown = ucr("show", name)
    assert code == 1
    assert answer in shown


@pytest.mark.parametrize(
    ("point", "mnemonic"),
    [
        (("3", "4", "3", "3"), "RequestReview"),
        (("request", "4", "evaluation", "3"), "RequestReview"),
        (("commit", "6", "0", "4"), "CommitTask"),
    ],
)
def test_nearest(point: tuple[str, ...], mnemonic: str) -> None:
    """Levels are numbers, or names where levels have names."""
    assert json.loads(ucr("nearest", *point, "--json")[1])["mnemonic"] == mnemonic


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        (("reqest", "4", "0", "0"), "'reqest' is no level: 0 to 7, or one of observe, inform,"),
        (("3", "8", "0", "0"), "'8' is no level: 0 to 7\n"),
        (("3", "4", "request", "0"), "or one of task, plan,"),
        (("3", "4", "0", "high"), "'high' is no level: 0 to 7\n"),
        (("3", "4", "0"), "Missing argument 'URGENCY'"),
    ],
)
def test_nearest_to_what_is_no_point(point: tuple[str, ...], answer: str) -> None:
    """A slip in the arguments is a matter of usage: exit code 2."""
    code, shown = ucr("nearest", *point)
    assert code == 2
    assert answer in shown


def test_move() -> None:
    """Steps may lead below 0 and above 7, where they end at the last level."""
    assert ucr("move", "EvalApprove", "--polarity", "-7")[1].startswith("0x0061 EvalReject: ")
    shown = ucr("move", "MetaAck", "--polarity=-99", "--urgency=99", "--json")[1]
    assert json.loads(shown)["mnemonic"] == "MetaAbort"
    assert ucr("move", "0x0031", "--action=-1", "--domain=0")[1].startswith("0x0020 AskClarify")
    assert ucr("move", "Nope")[0] == 1


def test_check() -> None:
    """What fits leaves with 0; what does not, with 1 and each reason."""
    role = ("--actions", "evaluate, inform", "--domains", "evaluation,", "--urgency", "5")
    assert ucr("check", "EvalApprove", *role) == (0, "EvalApprove is plausible\n")
    code, shown = ucr("check", "MetaAbort", *role)
    assert code == 1
    assert shown.splitlines() == [
        "MetaAbort is of action meta; allowed: evaluate, inform",
        "MetaAbort is of domain control; allowed: evaluation",
        "MetaAbort has urgency 7; at most 5 is allowed",
    ]
    assert ucr("check", "MetaAbort") == (0, "MetaAbort is plausible\n")


def test_check_of_a_role_that_does_not_exist() -> None:
    """Names of no action are told with those that are; a level that is none is a matter of usage."""
    code, shown = ucr("check", "MetaAck", "--actions", "evaluate,vote")
    assert code == 1
    assert "there is no 'vote' (there are: observe" in shown
    assert ucr("check", "MetaAck", "--urgency", "8")[0] == 2


def test_hash() -> None:
    """The hash is printed alone, to be compared."""
    assert ucr("hash") == (0, f"{core().hash}\n")


def test_what_export_writes_verify_accepts(tmp_path: Path) -> None:
    """To standard output or a file, the JSON is the same, one line, and sound."""
    code, text = ucr("export")
    path = tmp_path / "codebook.json"
    assert (code, text.count("\n")) == (0, 1)
    assert ucr("export", "--file", str(path)) == (0, "")
    assert path.read_text("utf-8") == text
    sound = (0, f"sound: version 1.0.0, 46 anchors, 0 extensions, {core().hash}\n")
    assert ucr("verify", str(path)) == sound
    assert ucr("verify", "-", input=text) == sound


def test_verify_counts_extensions() -> None:
    """An installation's own anchors are told apart."""
    deploy = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
    book = core().with_extension(deploy)
    code, shown = ucr("verify", "-", input=json.dumps(book.to_json()))
    assert (code, shown) == (0, f"sound: version 1.0.0, 47 anchors, 1 extension, {book.hash}\n")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("{", "JSON:"),
        ("[]", "expected `object`"),
        (json.dumps({**core().to_json(), "hash": "sha256:0"}), "hash: does not fit: it says sha256:0"),
    ],
)
def test_verify_of_what_is_not_sound(text: str, answer: str) -> None:
    """The fault is named, and the exit code is 1."""
    code, shown = ucr("verify", "-", input=text)
    assert code == 1
    assert answer in shown


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    """The file is named; `main` gives this kind of error the code 3."""
    nowhere = tmp_path / "none" / "codebook.json"
    for command in (("verify", str(nowhere)), ("export", "--file", str(nowhere))):
        code, shown = ucr(*command)
        assert code == 1
        assert str(nowhere) in shown.replace("\n", "")
