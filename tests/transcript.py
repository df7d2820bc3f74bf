"""Readable transcripts of the command line: `$ command`, then what it prints, then `[exit N]` where N is not 0."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Step:
    """A command and what it must print, standard error included."""

    command: str
    output: str

    def __str__(self) -> str:
        return self.command


def parse(text: str) -> list[Step]:
    """Steps of a transcript; lines before the first command are prose."""
    steps: list[Step] = []
    command: str | None = None
    output: list[str] = []
    for line in [*text.splitlines(), "$ "]:
        if not line.startswith("$ "):
            output.append(line)
            continue
        if command is not None:
            steps.append(Step(command, "\n".join(output).strip("\n")))
        command, output = line[2:], []
    return steps


def run(command: str) -> str:
    """What a shell command prints, in the form of a transcript, with this interpreter's `sabir` first in the path."""
    env = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", COLUMNS="100")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        cwd=ROOT,
        env=env,
        check=False,
        timeout=120,
    )
    shown = (done.stdout + done.stderr).decode().strip("\n")
    lines = "\n".join(line.rstrip() for line in shown.splitlines())
    return f"{lines}\n[exit {done.returncode}]".strip("\n") if done.returncode else lines
