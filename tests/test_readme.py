"""The README is true: every command and every snippet in it is run."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from transcript import ROOT, Step, parse, run

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
STEPS = [step for kind, body in BLOCKS if kind == "console" for step in parse(body)]
SNIPPETS = [body for kind, body in BLOCKS if kind == "python"]
SETUP = [line for kind, body in BLOCKS if kind == "bash" for line in body.splitlines() if line.strip()]


def test_the_readme_has_what_a_stranger_needs() -> None:
    """Commands, snippets and the two command lines stand in the first screen."""
    screen = "\n".join(README.splitlines()[:60])
    assert len(SETUP) == 2
    assert all(line in screen for line in SETUP)
    assert STEPS
    assert SNIPPETS


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_console_blocks_print_what_they_say(step: Step) -> None:
    """Each command prints what stands below it; a line with ... stands for any lines."""
    if "..." not in step.output:
        assert run(step.command) == step.output
        return
    pattern = "\n".join(".*" if line.strip() == "..." else re.escape(line) for line in step.output.splitlines())
    assert re.fullmatch(pattern, run(step.command), re.DOTALL)


@pytest.mark.parametrize("body", SNIPPETS)
def test_python_blocks_print_what_their_comments_say(body: str) -> None:
    """Each snippet runs, and what it prints is what its `# ...` comments after print calls promise."""
    promised = re.findall(r"^ *print\(.*?\)  # (.*)$", body, re.MULTILINE)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(body, "README.md", "exec"), {})  # noqa: S102  # the README's own code
    assert promised
    assert out.getvalue().splitlines() == promised


def test_the_commands_that_set_up_run_what_follows_the_install() -> None:
    """The main command line's last part runs on the corpus and finds nothing changed."""
    job = next(line for line in SETUP if "sabir translate" in line).split("&&")[-1].strip()
    shown = run(job.replace(".venv/bin/", ""))
    assert "[exit" not in shown
    assert "NO" not in shown.split()
    assert "silp-code" in shown
