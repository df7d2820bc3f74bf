"""Logs in every shape, by small files of each; what is not read is said."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from sabir.errors import MissingDependency, SabirError
from sabir.logs import MAX_RECORD, SHAPES, Entry, Item, Repeat, Unread, Usage, read, shape_of

SAMPLES = Path(__file__).parent / "logs"


def entries(items: Iterator[Item]) -> list[Entry]:
    """The entries alone."""
    return [item for item in items if isinstance(item, Entry)]


def texts(items: Iterator[Item]) -> list[str]:
    """Texts of the entries."""
    return [item.text for item in entries(items)]


def write(path: Path, *records: Any) -> Path:
    """A file with a JSON value a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


# --- the samples -----------------------------------------------------------------------------------------

SHAPE = {
    "plain.txt": "text",
    "table.csv": "csv",
    "openai.jsonl": "openai",
    "a2a.jsonl": "a2a",
    "mcp.jsonl": "mcp",
    "otel.json": "otel",
    "langsmith.jsonl": "langsmith",
}


@pytest.mark.parametrize(("name", "shape"), SHAPE.items())
def test_shape_is_told_from_the_file(name: str, shape: str) -> None:
    """Each sample's shape is recognised."""
    assert shape_of(SAMPLES / name) == shape


@pytest.mark.parametrize(("name", "shape"), SHAPE.items())
def test_gzip_is_read_like_the_file_itself(name: str, shape: str, tmp_path: Path) -> None:
    """A compressed file gives what the plain one gives, and its shape is recognised."""
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress((SAMPLES / name).read_bytes()))
    assert shape_of(packed) == shape
    assert texts(read(packed)) == texts(read(SAMPLES / name))


def told(name: str) -> list[tuple[str, str, str]]:
    """Each item of a sample in short: the session or the kind of repeat, who it is from, and the text."""
    found = []
    for item in read(SAMPLES / name):
        assert not isinstance(item, Unread)
        found.append((item.session, item.role or "", item.text) if isinstance(item, Entry) else (f"({item.kind})", "", item.text))
    return found


def test_openai_log() -> None:
    """Each request's history is resent, and a conversation that begins anew is a session of its own."""
    one, other = f"{SAMPLES / 'openai.jsonl'}:1", f"{SAMPLES / 'openai.jsonl'}:3"
    review = "SLIP v1 planner executor RequestReview auth_module"
    assert told("openai.jsonl") == [
        (one, "system", "You plan the release."),
        (one, "user", "Start."),
        (one, "assistant", review),
        ("(resent history)", "", "You plan the release."),
        ("(resent history)", "", "Start."),
        ("(resent history)", "", review),
        (one, "user", "Go on."),
        (one, "assistant", "SLIP v1 planner executor InformComplete auth_module"),
        (other, "system", "You plan the release."),
        (other, "user", "Another matter."),
        (other, "assistant", '{"target":"#ctx4","pin":"004213"}'),
    ]
    assert [item.usage for item in entries(read(SAMPLES / "openai.jsonl")) if item.usage] == [Usage(20, 9), Usage(40, 8), Usage(18, 12)]


def test_a2a_log() -> None:
    """Parts are joined with nothing between, chunks too; history, snapshots and the copy in a data part are named."""
    wire = "SLIP v1 ops qa InformComplete build_42"
    assert told("a2a.jsonl") == [
        ("ctx-1", "user", wire),
        ("(history)", "", wire),
        ("ctx-1", "assistant", "grade=100.0"),
        ("(history)", "", wire),
        ("(snapshot)", "", "grade=100.0"),
        ("ctx-1", "user", "s4x9"),
        ("(second copy)", "", '{"wire":"s4x9"}'),
        ("ctx-1", "user", '{"n":19000000000000000001}'),
        ("ctx-1", "assistant", ">OBS:UPDATE #ctx2 !4"),
        ("ctx-1", "assistant", "Done."),
    ]


def test_mcp_log() -> None:
    """Digits stay text, structured content that says the same is a second copy, and descriptions are no messages."""
    assert told("mcp.jsonl") == [
        ("", "assistant", "update(user_7,field=pin,new_value=004213)"),
        ("", "assistant", '{"pin":"004213"}'),
        ("", "tool", "done(user_7)"),
        ("(second copy)", "", '{"result":"done(user_7)"}'),
        ("", "assistant", '{"query":"open tickets"}'),
        ("", "tool", '{\n  "count": 2,\n  "first": "T-1"\n}'),
        ("(second copy)", "", '{"count":2,"first":"T-1"}'),
    ]


def test_otel_export() -> None:
    """A parent span with its children's messages and usage adds nothing to them."""
    assert told("otel.json") == [
        ("conv-7", "system", "You check."),
        ("conv-7", "user", "Check auth_module."),
        ("conv-7", "assistant", ">SEC:XSS #ctx4 !9"),
        ("(resent history)", "", "You check."),
        ("(resent history)", "", "Check auth_module."),
        ("(resent history)", "", ">SEC:XSS #ctx4 !9"),
        ("conv-7", "user", "And in words?"),
        ("conv-7", "assistant", "Two findings."),
        ("(parent span)", "", "Check auth_module."),
        ("(parent span)", "", "Two findings."),
    ]
    assert [item.usage for item in entries(read(SAMPLES / "otel.json")) if item.usage] == [Usage(30, 10), Usage(50, 5)]


def test_langsmith_export() -> None:
    """A chain that comes before its model's run is told from it; the project is no session, a tool's run no message."""
    assert told("langsmith.jsonl") == [
        ("thread-9", "user", "Check auth_module."),
        ("thread-9", "assistant", "Two findings."),
        ("thread-9", "system", "You check."),
        ("(parent span)", "", "Check auth_module."),
        ("(parent span)", "", "Two findings."),
    ]
    assert [item.usage for item in entries(read(SAMPLES / "langsmith.jsonl")) if item.usage] == [Usage(80, 15)]


def test_plain_text_is_a_message_a_line() -> None:
    """Blank lines are none."""
    assert [(item.line, item.text) for item in entries(read(SAMPLES / "plain.txt"))] == [
        (1, "SLIP v1 planner executor RequestReview auth_module"),
        (3, ">SEC:XSS #ctx4 !9"),
    ]


def test_csv_has_its_text_in_a_column() -> None:
    """Quotes and line ends inside a cell are kept, and the columns of well-known names say who and where."""
    assert [(item.text, item.session, item.sender, item.line) for item in entries(read(SAMPLES / "table.csv"))] == [
        ('SLIP v1 planner executor Accept "T-1"', "a", "planner", 1),
        ("two\nlines", "b", "executor", 2),
    ]
    assert texts(read(SAMPLES / "table.csv", column="sender", session="id")) == ["planner", "executor"]


def test_pointer_with_a_star_is_each_member() -> None:
    """Every member's text is a message; U+2028 and U+0085 end no line, and an empty array is no fault."""
    found = list(read(SAMPLES / "members.jsonl", pointer="/payload/parts/*/t"))
    assert [(item.session, item.line, item.text) for item in found if isinstance(item, Entry)] == [
        ("a", 1, "s4x9"),
        ("a", 1, "P2"),
        ("b", 3, "one\u2028two\u0085three"),
    ]
    assert len(found) == 3


def test_parquet_is_read_by_column(tmp_path: Path) -> None:
    """A Parquet file gives its column, row by row, with a pointer into the JSON in it, or in a shape by name."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "log.parquet"
    rows = {"text": ["s4x9", None, "P2"], "n": [1, 2, 3], "session": ["a", "a", "b"], "raw": ['{"t":"x"}', "{", '{"t":"007"}']}
    parquet.write_table(pyarrow.table(rows), path)
    assert shape_of(path) == "parquet"
    assert [(item.text, item.session, item.line) for item in entries(read(path))] == [("s4x9", "a", 1), ("P2", "b", 3)]
    found = list(read(path, column="raw", pointer="/t"))
    assert texts(iter(found)) == ["x", "007"]
    assert [item.reason for item in found if isinstance(item, Unread)] == ["column raw: no JSON, JSON: expecting property name enclosed in double quotes"]
    assert {item.reason for item in read(path, column="n") if isinstance(item, Unread)} == {"no text but a number where the text should be"}
    for fault, wanted in (({"column": "nix"}, "no column 'nix'; it has 'text', 'n', 'session', 'raw'"), ({"shape": "csv"}, "is Parquet, not csv")):
        with pytest.raises(SabirError, match=wanted):
            read(path, **fault)
    messages = tmp_path / "messages.parquet"
    parquet.write_table(pyarrow.table({"messages": [json.dumps([{"role": "user", "content": "hello"}])]}), messages)
    assert texts(read(messages, shape="openai")) == ["hello"]
    whole = path.read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SabirError, match="is no whole Parquet file"):
        read(tmp_path / "cut.parquet", column="text")
    broken = bytearray(whole)
    broken[4:60] = b"\xff" * 56
    (tmp_path / "broken.parquet").write_bytes(broken)
    last = list(read(tmp_path / "broken.parquet", column="text"))[-1]
    assert isinstance(last, Unread)
    assert last.reason.startswith("the Parquet data are damaged here; what follows cannot be read (")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing optional package is an error of its own class."""
    path = tmp_path / "log.parquet"
    path.write_bytes(b"PAR1....PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependency, match=r"pip install 'sabir\[batch\]'"):
        read(path)


def test_pyarrow_is_not_loaded_before_it_is_needed() -> None:
    """Reading other shapes loads no optional package."""
    code = f"import sys; from sabir.logs import read; list(read({str(SAMPLES / 'openai.jsonl')!r})); print('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"


# --- files at fault --------------------------------------------------------------------------------------

WHOLE_FILES = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "png.jsonl": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x00", "is binary; logs are UTF-8 text"),
    "utf16.csv": ("text\nhello".encode("utf-16"), "is UTF-16, logs are read as UTF-8: iconv -f UTF-16"),
    "noise.gz": (b"\x1f\x8b\x08\x00" + bytes(20), "is damaged gzip data"),
    "unknown": (b"hello\nthere\n", "nothing tells what this file is; say which shape it has: text, jsonl, csv"),
    "broken.jsonl": (b'{"a": \n{"b": \n', "none of its first records can be read as JSON with texts; line 1: "),
    "names.jsonl": (b'{"a": 1, "b": "x"}\n', "no column has a name that says it holds the text; name one of 'a', 'b'"),
    "several.csv": (b"text,message\na,b\n", r"several columns may hold the text \('text', 'message'\); name one of 'text', 'message'"),
    "quote.csv": (b'"text\na\n', "the first row of a CSV file names its columns; this one cannot be read"),
}


@pytest.mark.parametrize(("name", "case"), WHOLE_FILES.items())
def test_file_at_fault_is_refused_at_once(name: str, case: tuple[bytes, str], tmp_path: Path) -> None:
    """The error names the file and what would be right, before anything is read."""
    path = tmp_path / name
    path.write_bytes(case[0])
    with pytest.raises(SabirError, match=case[1]) as error:
        read([SAMPLES / "plain.txt", path])
    assert str(path) in str(error.value)


def test_directory_and_absent_file_are_refused(tmp_path: Path) -> None:
    """Neither is read as an empty log."""
    with pytest.raises(SabirError, match=r"is a directory: name its files, such as .*\*\.jsonl"):
        read(tmp_path)
    with pytest.raises(SabirError, match=r"absent cannot be read: No such file"):
        read(tmp_path / "absent")


def test_two_shapes_in_one_file_are_not_guessed(tmp_path: Path) -> None:
    """The message names both, where they stand, and the choices."""
    path = write(tmp_path / "both.jsonl", {"role": "user", "content": "x"}, {"run_type": "llm", "inputs": {}})
    with pytest.raises(SabirError, match=r"several shapes \(openai at 1, langsmith at 2\); say which one to read: text, jsonl"):
        shape_of(path)
    assert texts(read(path, shape="openai")) == ["x"]


ARGUMENTS: list[tuple[dict[str, str], str]] = [
    ({"shape": "xml"}, f"no shape 'xml'; the shapes are {', '.join(SHAPES)}"),
    ({"shape": "openai", "pointer": "/a"}, "shape openai knows where its texts stand"),
    ({"shape": "text", "column": "a"}, "plain text has no columns"),
    ({"shape": "parquet"}, "is no Parquet file"),
    ({"pointer": "a/b"}, r"JSON pointer 'a/b' must begin with /, such as /a/b"),
    ({"pointer": "/a~3"}, r"~ at character 2 must be followed by 0"),
    ({"pointer": "/nowhere"}, r"nothing at '/nowhere' in the first 50 records; their members: 'session_id', 'payload'"),
    ({"column": "nix"}, r"nothing at 'nix' in the first 50 records"),
]


@pytest.mark.parametrize(("arguments", "reason"), ARGUMENTS)
def test_arguments_that_cannot_be_met_are_refused(arguments: dict[str, str], reason: str) -> None:
    """A wrong column, pointer or shape is said at once."""
    with pytest.raises(SabirError, match=reason):
        read(SAMPLES / "members.jsonl", **arguments)


def test_wrong_session_column_is_refused() -> None:
    """The columns that are there are named."""
    with pytest.raises(SabirError, match="no column 'nix' for the session; it has 'id', 'session', 'sender', 'text'"):
        read(SAMPLES / "table.csv", session="nix")


# --- records at fault ------------------------------------------------------------------------------------

GOOD = b'{"text": "s4x9"}'
RECORDS = {
    "broken": (GOOD + b"\n{nonsense}\n" + GOOD + b"\n", 2, "JSON: expecting property name"),
    "cut off": (GOOD + b"\n" + GOOD + b'\n{"text": "s4', 3, "the last line, perhaps cut off: "),
    "NUL": (GOOD + b"\n\0" + b" " * 80 + b"\n" + GOOD, 2, "NUL bytes: no text"),
    "not UTF-8": (GOOD + b'\n{"text": "\xff"}\n' + GOOD, 2, "not UTF-8: byte 0xff at position 10 of the line"),
    "lone surrogate": (GOOD + b'\n{"text": "\\ud83d"}\n' + GOOD, 2, "lone surrogate"),
    "a key twice": (GOOD + b'\n{"text": "a", "text": "b"}\n' + GOOD, 2, 'key "text" stands twice'),
    "no such member": (GOOD + b'\n{"n": 1}\n' + GOOD, 2, "nothing at text"),
    "a number": (GOOD + b'\n{"text": 4213}\n' + GOOD, 2, "no text but a number where the text should be"),
    "a boolean": (GOOD + b'\n{"text": true}\n' + GOOD, 2, "no text but a boolean where the text should be"),
    "the first": (b"{nonsense}\n" + GOOD + b"\n" + GOOD, 1, "JSON: expecting property name"),
    "no object": (GOOD + b"\n17\n" + GOOD, 2, "a JSON number, no object"),
    "too long": (GOOD + b'\n{"text": "' + b"x" * (MAX_RECORD + 200_000) + b'"}\n' + GOOD, 2, f"a line longer than {MAX_RECORD} bytes"),
}


@pytest.mark.parametrize("case", RECORDS.values(), ids=RECORDS)
def test_record_at_fault_is_named_and_the_others_are_read(case: tuple[bytes, int, str], tmp_path: Path) -> None:
    """One record that cannot be read costs no other, and what is shown of it prints."""
    data, line, reason = case
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    found = list(read(path))
    unread = [item for item in found if isinstance(item, Unread)]
    assert texts(iter(found)) == ["s4x9", "s4x9"]
    assert [item.line for item in unread] == [line]
    assert unread[0].reason.startswith(reason)
    assert len(unread[0].shown) <= 600
    assert unread[0].shown.isprintable()


def test_text_that_is_empty_or_null_is_no_message(tmp_path: Path) -> None:
    """Neither counts, and neither is a fault."""
    path = write(tmp_path / "log.jsonl", {"text": "a"}, {"text": ""}, {"text": None}, {"text": {"pin": "004213"}})
    found = list(read(path))
    assert found == [Entry("a", "", str(path), 1), Entry('{"pin":"004213"}', "", str(path), 4)]


def test_lines_that_are_json_strings_are_texts(tmp_path: Path) -> None:
    """A JSON string is a message by itself, with blank lines, CR LF and a byte order mark left out."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'\xef\xbb\xbf"a"\r\n\r\n"b\\u2028"\r\n')
    assert texts(read(path)) == ["a", "b\u2028"]


@pytest.mark.parametrize("cut", range(20, 80, 7))
def test_gzip_that_is_cut_off_gives_what_it_has(cut: int, tmp_path: Path) -> None:
    """What was read before the end counts, and the rest is named."""
    lines = b"".join(b"line %d of many\n" % number for number in range(40_000))
    packed = gzip.compress(lines)
    path = tmp_path / "log.txt.gz"
    path.write_bytes(packed[: len(packed) * cut // 100])
    found = list(read(path))
    assert isinstance(found[-1], Unread)
    assert found[-1].reason.startswith("the gzip data are cut off or damaged here; what follows cannot be read")
    assert 0 < len(found) - 1 < 40_000
    assert texts(iter(found)) == [f"line {number} of many" for number in range(len(found) - 1)]


def test_small_gzip_that_is_cut_off_is_recognised(tmp_path: Path) -> None:
    """A file whose very first block is cut is still read as far as it goes."""
    packed = gzip.compress(b"".join(json.dumps({"role": "user", "content": str(n**9)}).encode() + b"\n" for n in range(200)))
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    found = list(read(path))
    assert len(texts(iter(found))) > 50
    assert isinstance(found[-1], Unread)


CSV_FAULTS = {
    "cells": (b"text,n\na,1\nb\nc,3\n", 2, "1 cells where the first row names 2 columns"),
    "quotes": (b'text,n\na,1\n"b"x,2\nc,3\n', 2, "no CSV: ',' expected after '\"'"),
    "not UTF-8": (b"text,n\na,1\n\xff" + b"b" * 80 + b",2\nc,3\n", 2, "not UTF-8"),
    "NUL": (b"text,n\na,1\nb\0,2\nc,3\n", 2, "NUL bytes: no text"),
}


@pytest.mark.parametrize("case", CSV_FAULTS.values(), ids=CSV_FAULTS)
def test_row_at_fault_is_named_and_the_others_are_read(case: tuple[bytes, int, str], tmp_path: Path) -> None:
    """The same for CSV."""
    path = tmp_path / "log.csv"
    path.write_bytes(case[0])
    found = list(read(path))
    unread = [item for item in found if isinstance(item, Unread)]
    assert texts(iter(found)) == ["a", "c"]
    assert [(item.line, item.reason) for item in unread] == [(case[1], case[2])]


def test_csv_cells_may_be_long_and_its_signs_others(tmp_path: Path) -> None:
    """A cell beyond the csv module's own limit is read, and semicolons, bars and tabs part cells too."""
    for name, sign in (("a.csv", ","), ("b.csv", ";"), ("c.csv", "|"), ("d.tsv", "\t")):
        path = tmp_path / name
        path.write_text(f"n{sign}text\n\n1{sign}{'x' * 200_000}\n", encoding="utf-8")
        assert [len(text) for text in texts(read(path))] == [200_000]


def test_csv_that_is_cut_off_says_so(tmp_path: Path) -> None:
    """A quote that never closes is a fault of its row; a cut gzip is one of the file."""
    path = tmp_path / "log.csv"
    path.write_bytes(b'text,n\na,1\n"b')
    found = list(read(path))
    assert texts(iter(found)) == ["a"]
    assert isinstance(found[1], Unread)
    assert found[1].reason == "no CSV: unexpected end of data"
    packed = gzip.compress(b"text\n" + b"".join(b"line %d of many\n" % number for number in range(40_000)))
    path = tmp_path / "log.csv.gz"
    path.write_bytes(packed[: len(packed) // 2])
    last = list(read(path))[-1]
    assert isinstance(last, Unread)
    assert last.reason.startswith("the gzip data are cut off or damaged here")


def test_file_that_fails_while_it_is_read_is_an_error_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk's fault is said with the file's name."""

    class Failing:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self, _: int) -> bytes:
            raise OSError(5, "Input/output error")

        def readline(self, _: int) -> bytes:
            raise OSError(5, "Input/output error")

    items = read(SAMPLES / "plain.txt")
    monkeypatch.setattr("sabir.logs.files.opened", lambda _: Failing())
    with pytest.raises(SabirError, match=r"plain.txt cannot be read: Input/output error"):
        list(items)
    with pytest.raises(SabirError, match=r"plain.txt cannot be read: Input/output error"):
        read(SAMPLES / "plain.txt")


def test_repeats_over_several_files_are_found(tmp_path: Path) -> None:
    """A log that was rotated goes on, and the same file given twice counts once."""
    again = tmp_path / "again.jsonl"
    again.write_bytes((SAMPLES / "openai.jsonl").read_bytes())
    found = [item for item in read([SAMPLES / "openai.jsonl", again]) if item.source == str(again)]
    assert {item.kind for item in found if isinstance(item, Repeat)} == {"second copy"}
    assert not [item for item in found if isinstance(item, Entry)]
