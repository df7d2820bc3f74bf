from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sabir.cli import cli, exit_code
from sabir.errors import SabirError
from sabir.ucr import Anchor, Codebook, core

DEPLOY = core().with_anchor("RequestDeploy", "Put a build live", (3, 4, 0, 5))
SHIP = core().with_anchor("RequestShip", "Send goods", (3, 4, 0, 3))


def ucr(*args: str | Path, input: str | None = None) -> tuple[int, str, str]:
    """Exit code, standard output and error of `sabir ucr`, with the code that `main` gives an error of the library."""
    done = CliRunner().invoke(cli, ["ucr", *map(str, args)], input=input)
    if isinstance(done.exception, SabirError):
        return exit_code(done.exception), done.stdout, f"{done.stderr}error: {done.exception}\n"
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


def text_of(book: Codebook) -> str:
    """A codebook as `export` writes it."""
    return json.dumps(book.to_json(), separators=(",", ":")) + "\n"


def saved(path: Path, book: Codebook) -> Path:
    """A file with a codebook."""
    path.write_text(text_of(book), "utf-8")
    return path


def loaded(path: Path) -> Codebook:
    """The codebook of a file."""
    return Codebook.from_json(json.loads(path.read_text("utf-8")))


# --- look-ups in a codebook of one's own -----------------------------------------------------------------


def test_look_ups_take_a_codebook(tmp_path: Path) -> None:
    """From a file or from standard input, each look-up sees an installation's own anchors."""
    path = saved(tmp_path / "own.json", DEPLOY)
    assert ucr("show", "RequestDeploy", "--book", path)[1].startswith("0x8000 RequestDeploy: Put a build live\n")
    assert ucr("show", "0x8000", "--book", "-", input=text_of(DEPLOY))[1].startswith("0x8000 RequestDeploy")
    assert len(ucr("list", "--book", path)[1].splitlines()) == 2 + 47
    assert json.loads(ucr("nearest", "3", "4", "0", "5", "--book", path, "--json")[1])["index"] == 0x8000
    assert ucr("move", "RequestTask", "--urgency", "1", "--book", path)[1].startswith("0x8000 RequestDeploy")
    assert ucr("check", "RequestDeploy", "--domains", "plan", "--book", path)[:2] == (
        1,
        "RequestDeploy is of domain task; allowed: plan\n",
    )
    assert ucr("hash", "--book", path)[1] == f"{DEPLOY.hash}\n"
    assert ucr("export", "--book", path)[1] == path.read_text("utf-8")


def test_retired_anchors_are_listed_apart(tmp_path: Path) -> None:
    """The list has what is in use, and with --retired what is not; verify counts them."""
    path = saved(tmp_path / "own.json", DEPLOY.retire("RequestDeploy"))
    assert "RequestDeploy" not in ucr("list", "--book", path)[1]
    found = [json.loads(line) for line in ucr("list", "--retired", "--json", "--book", path)[1].splitlines()]
    assert [item["mnemonic"] for item in found] == ["RequestDeploy"]
    assert ucr("verify", path)[1] == f"sound: version 1.0.0, 46 anchors, 0 extensions, 1 retired, {core().hash}\n"
    code, _, said = ucr("show", "RequestDeploy", "--book", path)
    assert (code, said) == (1, "error: anchor: RequestDeploy (0x8000) is retired\n")


def test_a_core_that_is_not_known_is_told(tmp_path: Path) -> None:
    """A codebook of another version is read, with a word that its core could not be compared."""
    path = saved(tmp_path / "own.json", Codebook("2.0.0", []))
    code, shown, said = ucr("verify", path)
    assert (code, shown.partition(",")[0]) == (0, "sound: version 2.0.0")
    assert said == f"note: {path} is of version 2.0.0, whose core is not known here\n"


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (
            lambda form: form["anchors"][3].update(canonical="x"),
            "anchors[3]: 0x0010 InformResult differs in canonical from the core of version 1.0.0, which never changes",
        ),
        (
            lambda form: form["anchors"].pop(4),
            "anchors: 0x0011 InformStatus of the core of version 1.0.0, which never changes, is missing",
        ),
        (
            lambda form: form["anchors"][3].update(index=9),
            "anchors[3]: 0x0009 InformResult is not of the core of version 1.0.0, which never changes",
        ),
        (lambda form: form["anchors"][46].update(canonical="x"), "hash: does not fit: it says sha256:"),
        (lambda form: form["anchors"][46].update(coords=[1, 2, 3]), "anchors[46].coords: "),
    ],
)
def test_an_import_may_not_touch_the_core_or_miss_its_hash(tmp_path: Path, change: Any, answer: str) -> None:
    """The file, the row and the fault are named; nothing is written."""
    form = DEPLOY.to_json()
    change(form)
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(form), "utf-8")
    code, shown, said = ucr("import", path, "--into", tmp_path / "own.json")
    assert (code, shown) == (1, "")
    assert said.startswith(f"error: {path}: {answer}")
    assert not (tmp_path / "own.json").exists()


# --- add and retire --------------------------------------------------------------------------------------


def test_add_and_retire_write_the_book(tmp_path: Path) -> None:
    """Indices are given in order and not again; coordinates are numbers or names."""
    path = tmp_path / "own.json"
    assert ucr("export", "-o", path) == (0, "", "")
    code, shown, _ = ucr(
        "add", path, "RequestDeploy", "--coords", "request, 4,task,5", "--canonical", "Put a build live"
    )
    assert (code, shown.splitlines()[0]) == (0, "0x8000 RequestDeploy: Put a build live")
    assert loaded(path) == DEPLOY
    retired = (0, "RequestDeploy is retired; 0 of your own are in use\n", "")
    assert ucr("retire", path, "RequestDeploy") == retired
    assert loaded(path) == DEPLOY.retire("RequestDeploy")
    assert ucr("add", path, "RequestShip", "--coords", "3,4,0,3", "--canonical", "Send goods")[0] == 0
    assert ucr("add", path, "Page", "--coords", "2,3,4,7", "--canonical", "Call", "--index", "0x9000")[0] == 0
    assert [anchor.index for anchor in loaded(path).own] == [0x8001, 0x9000]


def test_add_and_retire_in_a_pipe(tmp_path: Path) -> None:
    """From standard input to standard output, where nothing else stands; or to another file."""
    arguments = ("RequestDeploy", "--coords", "3,4,0,5", "--canonical", "Put a build live")
    code, shown, said = ucr("add", "-", *arguments, input=text_of(core()))
    assert (code, shown, said.splitlines()[0]) == (0, text_of(DEPLOY), "0x8000 RequestDeploy: Put a build live")
    path, other = saved(tmp_path / "a.json", DEPLOY), tmp_path / "b.json"
    assert ucr("retire", path, "RequestDeploy", "-o", other)[0] == 0
    assert (loaded(path), loaded(other)) == (DEPLOY, DEPLOY.retire("RequestDeploy"))


@pytest.mark.parametrize(
    ("arguments", "code", "answer"),
    [
        (
            ("add", "{}", "MetaAck", "--coords", "1,1,1,1", "--canonical", "x"),
            1,
            "mnemonic: mnemonic MetaAck is taken by 0x0070",
        ),
        (("add", "{}", "A", "--coords", "1,1,1,1", "--canonical", "x", "--index", "8"), 1, "the core is immutable"),
        (
            ("add", "{}", "A", "--coords", "1,1,1,1", "--canonical", "x", "--index", "0x8000"),
            1,
            "taken by RequestDeploy",
        ),
        (
            ("add", "{}", "A", "--coords", "1,1,1,1", "--canonical", "x", "--index", "x"),
            2,
            "'x' is no index: decimal, or",
        ),
        (
            ("add", "{}", "A", "--coords", "1,1,1", "--canonical", "x"),
            2,
            "'1,1,1' is not four levels with commas between",
        ),
        (
            ("add", "{}", "A", "--coords", "1,1,tsk,1", "--canonical", "x"),
            2,
            "'tsk' is no level: 0 to 7, or one of task,",
        ),
        (("add", "{}", "A", "--coords", "1,1,1,1"), 2, "Missing option '--canonical'"),
        (("retire", "{}", "MetaAck"), 1, "MetaAck cannot be retired: the core is immutable"),
        (("retire", "{}", "RequestDeplay"), 1, "did you mean RequestDeploy"),
    ],
)
def test_what_cannot_be_added_or_retired(tmp_path: Path, arguments: tuple[str, ...], code: int, answer: str) -> None:
    """The fault is named, and the codebook is as it was."""
    path = saved(tmp_path / "own.json", DEPLOY)
    found, shown, said = ucr(*[str(path) if word == "{}" else word for word in arguments])
    assert (found, shown) == (code, "")
    assert answer in said
    assert loaded(path) == DEPLOY


def test_a_book_that_is_not_there_yet(tmp_path: Path) -> None:
    """How to begin one is told; `main` gives this kind of error the code 3."""
    path = tmp_path / "own.json"
    code, _, said = ucr("retire", path, "RequestDeploy")
    assert code == 1
    assert f"there is none yet; begin with: sabir ucr export -o {path}" in said.replace("\n", " ")


# --- diff ------------------------------------------------------------------------------------------------


def test_diff_leaves_with_0_where_nothing_differs(tmp_path: Path) -> None:
    """Both are named with their hashes."""
    path = saved(tmp_path / "own.json", DEPLOY)
    code, shown, _ = ucr("diff", path, "-", input=text_of(DEPLOY))
    rest = f"version 1.0.0, 47 anchors, 1 extension, {DEPLOY.hash}"
    assert (code, shown) == (0, f"- {path}: {rest}\n+ standard input: {rest}\nno difference\n")
    code, shown, _ = ucr("diff", path, path, "--json")
    assert code == 0
    assert json.loads(shown)["same"] is True


def test_diff_leaves_with_1_where_something_differs(tmp_path: Path) -> None:
    """A line for each change, with old and new."""
    other = SHIP.with_anchor("RequestDeploy", "Deploy", (3, 4, 0, 5))
    one, two = saved(tmp_path / "one.json", DEPLOY), saved(tmp_path / "two.json", other)
    code, shown, _ = ucr("diff", one, two)
    assert code == 1
    assert [" ".join(line.split()) for line in shown.splitlines()[2:] if "0x" in line] == [
        "added 0x8000 RequestShip",
        "renumbered 0x8000 RequestDeploy 0x8001 RequestDeploy canonical Put a build live -> Deploy",
    ]
    code, shown, _ = ucr("diff", one, two, "--json")
    assert code == 1
    assert [change["kind"] for change in json.loads(shown)["changes"]] == ["added", "renumbered"]
    assert json.loads(shown)["hashes"] == [DEPLOY.hash, other.hash]


def test_diff_tells_versions_and_places_apart(tmp_path: Path) -> None:
    """Another version alone is a difference; coordinates are shown as they are typed."""
    one, two = saved(tmp_path / "one.json", Codebook("2", [])), saved(tmp_path / "two.json", Codebook("3", []))
    code, shown, _ = ucr("diff", one, two)
    assert (code, len(shown.splitlines())) == (1, 2)
    other = core().with_anchor("RequestDeploy", "Put a build live", (3, 4, 0, 6))
    saved(one, DEPLOY)
    saved(two, other)
    assert "coords 3,4,0,5 -> 3,4,0,6" in ucr("diff", one, two)[1]


def test_one_file_alone_can_be_standard_input() -> None:
    """Two are a matter of usage."""
    for command in ("diff", "merge"):
        code, _, said = ucr(command, "-", "-")
        assert code == 2
        assert "one codebook alone can come from standard input" in said


# --- merge and import ------------------------------------------------------------------------------------


def test_merge_writes_the_union(tmp_path: Path) -> None:
    """To standard output, or to a file; what was done is said apart."""
    other = core().with_anchor("RequestShip", "Send goods", (3, 4, 0, 3), index=0x9000)
    one, two = saved(tmp_path / "one.json", DEPLOY), saved(tmp_path / "two.json", other)
    both = DEPLOY.with_extension(*other.own)
    said = f"merged: version 1.0.0, 48 anchors, 2 extensions, {both.hash}\n"
    assert ucr("merge", one, two) == (0, text_of(both), said)
    out = tmp_path / "out.json"
    assert ucr("merge", one, two, "-o", out) == (0, "", said)
    assert loaded(out) == both


def test_merge_lists_conflicts_and_writes_nothing(tmp_path: Path) -> None:
    """Each with its kind and in words, and how to settle them."""
    one, two, out = saved(tmp_path / "a", DEPLOY), saved(tmp_path / "b", SHIP), tmp_path / "out.json"
    code, shown, said = ucr("merge", one, two, "-o", out)
    assert (code, shown) == (1, "")
    assert "index      0x8000 is RequestDeploy in mine, RequestShip in theirs" in said
    assert said.splitlines()[-1] == (
        "error: one conflict is not settled (index: one index, two anchors, or vacated on one side),"
        " so nothing was written; settle with --renumber or --prefer mine or theirs"
    )
    assert not out.exists()
    code, shown, _ = ucr("merge", one, two, "-o", out, "--json")
    assert (code, json.loads(shown)["merged"]) == (1, False)
    assert [one["kind"] for one in json.loads(shown)["conflicts"]] == ["index"]
    assert not out.exists()


@pytest.mark.parametrize(
    ("theirs", "answer"),
    [
        (DEPLOY.retire("RequestDeploy"), "settle with --prefer mine or theirs"),
        (
            SHIP.with_anchor("RequestDeploy", "x", (3, 4, 0, 5)),
            "settle with --prefer, with or without --renumber mine or",
        ),
    ],
)
def test_the_way_to_settle_fits_the_conflicts(tmp_path: Path, theirs: Codebook, answer: str) -> None:
    """Renumbering is only named where it helps."""
    one, two = saved(tmp_path / "a", DEPLOY), saved(tmp_path / "b", theirs)
    assert answer in ucr("merge", one, two)[2]


def test_merge_renumbers_on_request_alone(tmp_path: Path) -> None:
    """And lists what it renumbered."""
    one, two, out = saved(tmp_path / "a", DEPLOY), saved(tmp_path / "b", SHIP), tmp_path / "out.json"
    code, _, said = ucr("merge", one, two, "-o", out, "--renumber", "theirs")
    assert code == 0
    assert "settled   index" in said
    assert "theirs renumbered: 0x8000 RequestShip; now 0x8001\n" in said
    assert loaded(out) == DEPLOY.with_anchor("RequestShip", "Send goods", (3, 4, 0, 3))
    code, shown, said = ucr("merge", one, two, "--json", "--prefer", "theirs")
    assert (code, said) == (0, "")
    assert json.loads(shown)["hash"] == SHIP.hash
    assert [effect["kind"] for effect in json.loads(shown)["effects"]] == ["dropped"]


def test_import_makes_or_grows_the_book(tmp_path: Path) -> None:
    """The first import makes it, the second merges into it, the same again changes nothing."""
    own, theirs = tmp_path / "own.json", saved(tmp_path / "theirs.json", DEPLOY)
    said = f"imported: version 1.0.0, 47 anchors, 1 extension, {DEPLOY.hash}\n"
    assert ucr("import", theirs, "--into", own) == (0, "", said)
    assert ucr("import", theirs, "--into", own) == (0, "", said)
    assert ucr("import", theirs) == (0, text_of(DEPLOY), said)
    assert loaded(own) == DEPLOY
    saved(theirs, SHIP)
    code, _, said = ucr("import", theirs, "--into", own)
    assert (code, loaded(own)) == (1, DEPLOY)
    assert "0x8000 is RequestDeploy in mine, RequestShip in theirs" in said
    assert ucr("import", "-", "--into", own, "--prefer", "theirs", input=text_of(SHIP))[0] == 0
    assert loaded(own) == SHIP


def test_the_example_codebooks_clash_in_one_index() -> None:
    """They are sound, and merging them takes one renumbering."""
    examples = Path(__file__).parent.parent / "examples"
    mine, theirs = examples / "codebook.json", examples / "codebook-theirs.json"
    assert ucr("merge", mine, theirs)[0] == 1
    code, _, said = ucr("merge", mine, theirs, "--renumber", "theirs")
    assert code == 0
    assert [line for line in said.splitlines() if "renumbered" in line] == [
        "theirs renumbered: 0x8000 RequestInvoice; now 0x8003"
    ]


# --- files -----------------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """A link stays a link, the mode stays, and nothing else is left in the directory."""
    path, link = saved(tmp_path / "own.json", DEPLOY), tmp_path / "link.json"
    path.chmod(0o640)
    link.symlink_to(path)
    assert ucr("retire", link, "RequestDeploy")[0] == 0
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert loaded(path) == DEPLOY.retire("RequestDeploy")
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_a_fault_while_writing_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is half-written, and no temporary file stays."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = saved(tmp_path / "own.json", DEPLOY)
    monkeypatch.setattr(os, "fsync", full)
    code, _, said = ucr("retire", path, "RequestDeploy")
    assert code == 1
    assert "No space left on device" in said
    assert loaded(path) == DEPLOY
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename would not ask."""
    path = saved(tmp_path / "own.json", DEPLOY)
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, _, said = ucr("retire", path, "RequestDeploy")
    assert code == 1
    assert "Permission denied" in said
    assert loaded(path) == DEPLOY


def test_a_device_is_written_to_and_a_directory_is_not(tmp_path: Path) -> None:
    """Neither is replaced by a file."""
    assert ucr("export", "-o", "/dev/null") == (0, "", "")
    assert not Path("/dev/null").is_file()
    code, _, said = ucr("export", "-o", tmp_path)
    assert code == 1
    assert "Is a directory" in said


# --- several at once -------------------------------------------------------------------------------------


def test_changes_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    """Of many processes that change one codebook, none undoes another one's change, and each index goes to one anchor."""
    path = saved(tmp_path / "own.json", core())
    theirs = saved(tmp_path / "theirs.json", core().with_anchor("RequestShip", "x", (3, 4, 0, 3), index=0x9000))
    main = "import sys; from sabir.cli import main; sys.argv[0] = 'sabir'; main()"
    add = [["add", str(path), f"RequestNumber{at}", "--coords", "1,1,1,1", "--canonical", "x"] for at in "ABCDEF"]
    calls = [*add, ["import", str(theirs), "--into", str(path)]]
    running = [subprocess.Popen([sys.executable, "-c", main, "ucr", *call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for call in calls]
    said = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 7, said
    book = loaded(path)
    assert [anchor.index for anchor in book.own] == [*range(0x8000, 0x8006), 0x9000]
    for (shown, _), call in zip(said[:6], add, strict=True):
        assert shown.startswith(f"0x{book.by_mnemonic(call[2]).index:04X} {call[2]}: x\n")


def test_without_locks_a_codebook_can_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without them is no reason to refuse."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    path = saved(tmp_path / "own.json", core())
    assert ucr("add", path, "RequestDeploy", "--coords", "3,4,0,5", "--canonical", "Put a build live")[0] == 0
    assert loaded(path) == DEPLOY


def test_a_mnemonic_of_digits_is_found(tmp_path: Path) -> None:
    """By itself, before the index that it spells; the index is found by its hexadecimal form."""
    path = saved(tmp_path / "own.json", core().with_anchor("50", "x", (0, 0, 0, 0)))
    assert ucr("show", "50", "--book", path)[1].startswith("0x8000 50: x\n")
    assert ucr("show", "0x32", "--book", path)[1].startswith("0x0032 RequestReview")
    assert ucr("show", "50")[1].startswith("0x0032 RequestReview")


def test_a_name_that_looks_like_another_one_is_refused(tmp_path: Path) -> None:
    """Nothing is written, and the one that it looks like is named."""
    path = saved(tmp_path / "own.json", core())
    for name in ("requestreview", "EvalAppr0ve"):
        code, _, said = ucr("add", path, name, "--coords", "3,4,0,5", "--canonical", "x")
        assert code == 1
        assert "looks like RequestReview (0x0032)" in said or "looks like EvalApprove (0x0060)" in said
    assert loaded(path) == core()
    theirs = saved(tmp_path / "theirs.json", core().with_extension(Anchor(0x8000, "requestreview", "x", (0, 0, 0, 0))))
    code, _, said = ucr("import", theirs, "--into", path)
    assert (code, loaded(path)) == (1, core())
    assert "RequestReview in mine looks like requestreview in theirs" in said
    assert "settle with --prefer mine or theirs" in said
