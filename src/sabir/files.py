"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Put a file in the place of another one, or make it; on any fault, nothing has changed.

    A link stays a link, and a file keeps its permissions. What is no file, a device or a pipe, is written to.

    Raises:
        OSError: it cannot be written.
    """
    target = Path(os.path.realpath(path))
    exists = target.exists()
    if exists and not target.is_file():
        target.write_bytes(data)
        return
    if exists and not os.access(target, os.W_OK):  # a rename would not ask
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
        if exists:
            temporary.chmod(target.stat().st_mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
