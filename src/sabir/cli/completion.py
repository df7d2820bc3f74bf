"""`sabir completion`: the script that makes a shell complete commands, options and format names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:
      sabir completion bash >> ~/.bashrc
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  # the choice above names click's own shells
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "sabir", "_SABIR_COMPLETE").source())
