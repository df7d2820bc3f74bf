"""Write the pages that are made from code and data: the table of correspondences and the command line reference.

    python docs/generate.py          write them
    python docs/generate.py --check  leave with 1 where one is out of date
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from sabir.cli import _COMMANDS, cli
from sabir.correspondence import LINGUA_DOMAINS, LINGUA_URGENT, LINGUA_VERBS, ROWS, URGENCY, lingua_code_of

HERE = Path(__file__).parent


def correspondence() -> str:
    """The table of corresponding words, as Markdown."""
    lines = [
        "# What corresponds to what",
        "",
        "Made from `src/sabir/data/correspondence.json`. A row marked `=` is one concept in several spellings: it translates natively both ways. In the other",
        "rows the anchor is the heading that fits best; the verb itself travels in the payload. Likewise for Agent Lingua: a code marked `=` is that very verb, any other",
        "heads it, and the payload says `@verb`. A bare code is an action, `^0` a status, `!E2` an error.",
        "",
        "| SILP | | Slipstream | EAP action | | Agent Lingua | direction |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in ROWS:
        code = lingua_code_of(f"!{r.verb}", r.direction)
        own = "=" if LINGUA_VERBS[code] == r.verb else ""
        anchor = f"{'=' if r.same else ''} | `{r.anchor}`"
        lines.append(f"| `!{r.verb}` | {anchor} | `{r.eap}` | {own} | `{code}` | {r.direction} |")
    lines += [
        "",
        "## Priorities",
        "",
        "SILP's priority 1 to 9 is EAP's; 0 is a message that states none. The UCR urgency chooses among headings where no row names one.",
        "",
        "| SILP | EAP | UCR urgency |",
        "|---|---|---|",
    ]
    lines += [f"| {silp} | {f'!{silp}' if silp else 'none'} | {urgency} |" for silp, urgency in URGENCY.items()]
    lines += [
        "",
        *(f"Agent Lingua's modifier {code} is priority {priority}; others are `@priority`." for code, priority in LINGUA_URGENT.items()),
        "",
        "## Domains",
        "",
        "Domain `GEN` is the unsaid default of SILP and EAP. Any other domain of EAP is `F` with `@domain` in the payload.",
        "",
        "| Agent Lingua | EAP |",
        "|---|---|",
        *(f"| {code} | `{domain}` |" for code, domain in LINGUA_DOMAINS.items()),
    ]
    return "\n".join(lines) + "\n"


def commands() -> str:
    """Help texts of all commands, as Markdown."""
    pieces = ["# Command line", "", "Made from the commands' own help texts.", ""]
    for name, (module, _) in _COMMANDS.items():
        pieces += _help(f"sabir {name}", getattr(import_module(module), name))
    return "\n".join(pieces)


def _help(path: str, command: click.Command) -> list[str]:
    context = click.Context(command, info_name=path, max_content_width=100, terminal_width=100)
    text = command.get_help(context)
    pieces = [f"## {path}", "", "```text", text, "```", ""]
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            pieces += _help(f"{path} {name}", inner)
    return pieces


PAGES = {"correspondence.md": correspondence, "commands.md": commands}


def main() -> int:
    """Write or check the pages; returns the exit code."""
    assert isinstance(cli, click.Group)  # noqa: S101  # the root of what is documented
    stale = []
    for name, make in PAGES.items():
        path, text = HERE / name, make()
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
    verb = "out of date" if "--check" in sys.argv else "written"
    print(f"{verb}: {', '.join(stale)}" if stale else "up to date")  # a script's report
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
