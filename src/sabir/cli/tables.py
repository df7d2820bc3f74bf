"""Tables for a person. The only place that loads rich."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sabir.errors import printable


def render(head: Sequence[str], body: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> str:
    """A table as text. In a pipe it is as wide as it needs to be; on a terminal long cells are folded."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    aligned = set(right)
    for column, name in enumerate(head):
        table.add_column(name, justify="right" if column in aligned else "left", overflow="fold")
    for row in body:
        table.add_row(*(Text(printable(cell)) for cell in row))
    terminal = sys.stdout.isatty()
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(60, shutil.get_terminal_size().columns) if terminal else 100_000,
        force_terminal=False,
        color_system=None,
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
