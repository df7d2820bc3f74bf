"""The user's own shelf: vocabularies that were fetched once, and tokenizers that the user added.

It is a folder of the user's cache: ``$SABIR_CACHE``, else the system's place for caches. A fetched vocabulary is
``tokenizers/NAME.json``, its reduced form, whose SHA-256 is the pinned one. What the user added is
``tokenizers/added/NAME.json``, a record, and ``NAME.data``, the file itself. Files appear whole or not at all.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from sabir.errors import EncodeError, SabirError
from sabir.files import write_whole
from sabir.meter.catalogue import PATTERNS, TOKENIZERS, Tokenizer, find
from sabir.meter.counters import Counter, JsonFile, SentencePieceFile, TiktokenFile, ranks_of, tiktoken_form
from sabir.meter.reduced import MAX_FILE, reduce

KINDS: Final = ("tokenizer.json", "tiktoken", "sentencepiece", "endpoint")
"""Kinds of tokenizers that a user can add."""
TOKEN_VARIABLE: Final = "SABIR_ENDPOINT_TOKEN"  # noqa: S105  # the name of the variable
"""Environment variable with the bearer token that added services are sent."""

_is_name: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}").fullmatch
_ENDINGS: Final = {".json": "tokenizer.json", ".tiktoken": "tiktoken", ".model": "sentencepiece"}


@dataclass(frozen=True, slots=True)
class Added:
    """Record of a tokenizer that a user added.

    Attributes:
        name: what it is called.
        kind: one of `KINDS`.
        sha256: hash of the vocabulary, or of an endpoint's address.
        pattern: the pattern that splits a text, for ``tiktoken``.
        url: the address, for ``endpoint``.
    """

    name: str
    kind: str
    sha256: str
    pattern: str = ""
    url: str = ""


def directory() -> Path:
    """Folder of the vocabularies in the user's cache. It need not exist."""
    if own := os.environ.get("SABIR_CACHE"):
        return Path(own) / "tokenizers"
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  # Path.home raises where there is none
    if platform.system() == "Windows":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "sabir" / "Cache" / "tokenizers"
    if platform.system() == "Darwin":
        return home / "Library" / "Caches" / "sabir" / "tokenizers"
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else home / ".cache") / "sabir" / "tokenizers"


def fetched(tokenizer: Tokenizer) -> Path | None:
    """File of a fetched vocabulary, if it is there and has the pinned hash."""
    path = directory() / f"{tokenizer.name}.json"
    return path if _hash(path) == tokenizer.sha256 else None


def keep(tokenizer: Tokenizer, small: bytes) -> Path:
    """Put the reduced form of a fetched vocabulary on the shelf. Who calls has checked its hash."""
    return _write(directory() / f"{tokenizer.name}.json", small)


def added() -> dict[str, Added]:
    """What the user added, by name. A record that cannot be read is passed over."""
    found: dict[str, Added] = {}
    for path in sorted((directory() / "added").glob("*.json")):
        with contextlib.suppress(OSError, ValueError, TypeError):
            fields = json.loads(path.read_text("utf-8"))
            record = Added(**fields)
            if record.name == path.stem and record.kind in KINDS and all(type(value) is str for value in fields.values()):
                found[record.name] = record
    return found


def examine(name: str, source: str | Path, *, kind: str | None = None, pattern: str | None = None) -> tuple[Added, bytes]:
    """Record and content of a tokenizer that a user wants to add; nothing is kept yet.

    Args:
        name: 1 to 64 of ``a-z 0-9 . _ -``, that means no other tokenizer.
        source: a ``tokenizer.json``, ``.tiktoken`` or SentencePiece file, or the address of an endpoint.
        kind: one of `KINDS`; told from the source's name when not given.
        pattern: for tiktoken: a name of `PATTERNS` or a regular expression; known for the vocabularies named there.

    Raises:
        EncodeError: the name, kind or pattern will not do.
        SabirError: the file cannot be read or used.
        MissingDependency: the package that reads such files is not installed.
    """
    if not _is_name(name):
        raise EncodeError(f'"{name}" is no name: 1 to 64 of a-z, 0-9, dot, hyphen and underscore', "name")
    if find(name):
        raise EncodeError(f'"{name}" is already the name of a tokenizer here', "name")
    kind = kind or _kind_of(str(source))
    if kind not in KINDS:
        raise EncodeError(f'no kind "{kind}" (there are: {", ".join(KINDS)})', "kind")
    if kind == "endpoint":
        sha256 = _counter(Added(name, kind, "", url=str(source)), b"").sha256
        return Added(name, kind, sha256, url=str(source)), b""
    data = read(Path(source))
    record = Added(name, kind, "", pattern=_pattern(data, pattern) if kind == "tiktoken" else "")
    if kind == "tokenizer.json":
        data = reduce(data)
    elif kind == "tiktoken":
        data = tiktoken_form(ranks_of(data))
    return Added(name, kind, _counter(record, data).sha256, record.pattern), data


def whole(name: str, sha256: str) -> bool:
    """Whether an added tokenizer's file is there with the hash that its record has; an endpoint has none."""
    record = added().get(name)
    return record is not None and (record.kind == "endpoint" or _hash(directory() / "added" / f"{name}.data") == sha256)


def add(record: Added, data: bytes) -> None:
    """Keep what `examine` found. The record comes last, so that it never stands without its file."""
    folder = directory() / "added"
    if record.kind != "endpoint":
        _write(folder / f"{record.name}.data", data)
    _write(folder / f"{record.name}.json", json.dumps(asdict(record)).encode())


def remove(name: str) -> bool:
    """Take a fetched or added tokenizer off the shelf; whether there was one.

    Raises:
        EncodeError: that can be no name of one.
        SabirError: its files cannot be removed.
    """
    if not _is_name(name):
        raise EncodeError(f'"{name}" is no name', "name")
    folder = directory()
    own = folder / "added"
    there = [path for path in (folder / f"{name}.json", own / f"{name}.json", own / f"{name}.data") if path.exists()]
    try:
        for path in there:
            path.unlink()
    except OSError as error:
        raise SabirError(f"{error.filename} cannot be removed: {error.strerror}") from None
    return bool(there)


def counter_of(record: Added) -> Counter:
    """Counter of an added tokenizer.

    Raises:
        SabirError: its file is gone or damaged.
        MissingDependency: the package that reads it is not installed.
    """
    return _counter(record, read(directory() / "added" / f"{record.name}.data") if record.kind != "endpoint" else b"")


def load(path: str | Path, *, kind: str | None = None, pattern: str | None = None) -> Counter:
    """Counter of a vocabulary in a file: a ``tokenizer.json``, a ``.tiktoken`` file or a SentencePiece model.

    Args:
        path: the file.
        kind: as its ending tells, when not given.
        pattern: for tiktoken, as for `examine`.

    Raises:
        EncodeError, SabirError, MissingDependency: as `examine`.
    """
    kind = kind or _kind_of(str(path))
    if kind not in KINDS[:3]:
        raise EncodeError(f'no kind of file "{kind}" (there are: {", ".join(KINDS[:3])})', "kind")
    data = read(Path(path))
    return _counter(Added("", kind, "", _pattern(data, pattern) if kind == "tiktoken" else ""), data)


def read(path: Path) -> bytes:
    """Content of a vocabulary file, of at most `MAX_FILE` bytes and one more.

    Raises:
        SabirError: it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else error
        raise SabirError(f"{path} cannot be read: {reason}") from None


def _counter(record: Added, data: bytes) -> Counter:
    if record.kind == "endpoint":
        from sabir.meter.endpoint import Endpoint  # noqa: PLC0415  # loads an HTTP client

        token = os.environ.get(TOKEN_VARIABLE)
        return Endpoint(record.url, {"Authorization": f"Bearer {token}"} if token else None)
    if record.kind == "tiktoken":
        return TiktokenFile(data, record.pattern)
    return JsonFile(data) if record.kind == "tokenizer.json" else SentencePieceFile(data)


def _kind_of(source: str) -> str:
    if re.match(r"https?://", source):
        return "endpoint"
    kind = next((kind for ending, kind in _ENDINGS.items() if source.lower().endswith(ending)), None)
    if kind is None:
        raise EncodeError(f'say of which kind "{source}" is: one of {", ".join(KINDS)}', "kind")
    return kind


def _pattern(data: bytes, pattern: str | None) -> str:
    """The pattern given, by name or as it is; without one, that of the known vocabulary which the file holds."""
    if pattern is not None:
        return PATTERNS.get(pattern, pattern)
    sha256 = hashlib.sha256(tiktoken_form(ranks_of(data))).hexdigest()
    known = next((item.pattern for item in TOKENIZERS if item.sha256 == sha256 and item.pattern), None)
    if known is None:
        names = ", ".join(PATTERNS)
        raise EncodeError(
            f"a .tiktoken file does not say how a text is split: name one of {names}, or give the regular expression",
            "pattern",
        )
    return PATTERNS[known]


def _write(path: Path, data: bytes) -> Path:
    """Write a file whole or not at all, in a folder that is made if need be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise SabirError(f"{path} cannot be written: {error.strerror}") from None
    return path


def _hash(path: Path) -> str | None:
    """SHA-256 of a file's content; None where there is none. Computed anew only when the file has changed."""
    try:
        state = path.stat()
        return _hash_of(path, state.st_mtime_ns, state.st_size)
    except OSError:
        return None


@functools.lru_cache(maxsize=64)
def _hash_of(path: Path, changed: int, size: int) -> str:  # noqa: ARG001  # they are the state that was hashed
    return hashlib.sha256(path.read_bytes()).hexdigest()
