"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from sabir.files import write_whole


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    """The content is the new one, permissions stay, and nothing else is left in the folder."""
    path = tmp_path / "model"
    write_whole(path, b"one")
    path.chmod(0o640)
    write_whole(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [item.name for item in tmp_path.iterdir()] == ["model"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What it points to is replaced."""
    (tmp_path / "real").write_bytes(b"one")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"two"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """Nothing is put in its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_fault_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full or the rename fails, the old file is as it was and nothing else is there."""

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "model"
    path.write_bytes(b"one")
    for name in ("os.fsync", "pathlib.Path.replace"):
        with monkeypatch.context() as patch:
            patch.setattr(name, fails)
            with pytest.raises(OSError, match="No space"):
                write_whole(path, b"two")
        assert path.read_bytes() == b"one"
        assert [item.name for item in tmp_path.iterdir()] == ["model"]


def test_a_file_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename would not ask for the file's permission, so it is asked for."""
    path = tmp_path / "model"
    path.write_bytes(b"one")
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(PermissionError):
        write_whole(path, b"two")
    assert path.read_bytes() == b"one"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """It is not made."""
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "model", b"one")
    assert [*tmp_path.iterdir()] == []
