"""The command line: lower-case verbs over the library.

Data goes to standard output, everything else to standard error. Exit codes: 0 done; 1 the input is at fault; 2 usage;
3 something is not installed or not there; 4 refused by policy or security.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

import click

from sabir import __version__
from sabir.errors import MissingDependency, PolicyError, SabirError, SecurityError

_COMMANDS: Final = {
    "decode": ("sabir.cli.convert", "Read messages and print them as JSON."),
    "encode": ("sabir.cli.convert", "Write a message's JSON as wire text."),
    "translate": ("sabir.cli.translate", "Turn messages into another format, losing nothing."),
    "detect": ("sabir.cli.inspect", "Say which format a text is in."),
    "validate": ("sabir.cli.inspect", "Check a message and say what is doubtful in it."),
    "explain": ("sabir.cli.inspect", "Say in one line what a message means."),
    "extract": ("sabir.cli.extract", "Find the messages in a model's prose."),
    "compare": ("sabir.cli.compare", "Show one message in every format, with what it costs."),
    "census": ("sabir.cli.census", "Count words in every tokenizer, and find words of one token."),
    "claims": ("sabir.cli.claims", "Measure what the documents claim, and say whether it holds."),
    "tokenizers": ("sabir.cli.tokenizers", "List the tokenizers, fetch and add vocabularies."),
    "report": ("sabir.cli.report", "Say what the traffic in logs costs, now and in each format."),
    "formats": ("sabir.cli.compare", "List the formats."),
    "ucr": ("sabir.cli.ucr", "Look things up in Slipstream's codebook, and keep one of your own."),
    "quantize": ("sabir.cli.quantize", "Find the anchor that plain language stands for."),
    "learn": ("sabir.cli.learn", "Learn new anchors from messages that no anchor says well."),
    "grammar": ("sabir.cli.grammar", "Print the grammar that makes a decoder force valid messages."),
    "prompt": ("sabir.cli.prompt", "Print the instruction that teaches a model a format, and its cost."),
    "completion": ("sabir.cli.completion", "Print the shell completion script."),
}
"""Module and summary of each command; a module is loaded when its command runs, which keeps --help quick."""


class _Lazy(click.Group):
    """A group that loads a command's module only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[cmd_name][0]), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # noqa: PLC0415  # only after a slip

            close = get_close_matches(args[0], _COMMANDS, 1)
            if close and "Did you mean" not in error.message:
                raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from None
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sabir")
def cli() -> None:
    """Read, write, translate and measure the compact messages that LLM agents exchange.

    A TEXT argument may be - for standard input; with --lines, each line of the input is a message.

    \b
    Examples:
      sabir translate --to silp-code 'SLIP v1 planner executor RequestReview auth_module'
      sabir decode --lines - < agents.log
      sabir compare '>SEC:XSS #ctx4 !9'
    """


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Messages are UTF-8 whatever the locale says; line ends stay as they are.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "backslashreplace")
    try:
        code = cli.main(prog_name="sabir", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        code = 2
    except click.ClickException as error:
        error.show()
        code = 3 if isinstance(error, click.FileError) else error.exit_code
    except click.exceptions.Exit as done:
        code = done.exit_code
    except SystemExit:  # click's own way out of a closed pipe, which is the reader's choice
        code = 0
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        code = 130
    except SabirError as error:
        click.echo(f"error: {error}", err=True)
        code = exit_code(error)
    sys.exit(code if isinstance(code, int) else 0)


def exit_code(error: SabirError) -> int:
    """Exit code that stands for an error of the library."""
    if isinstance(error, MissingDependency):
        return 3
    return 4 if isinstance(error, (PolicyError, SecurityError)) else 1
