"""Agents' logs: the texts that were sent, each once, session by session.

Reads plain text, JSON lines, CSV and Parquet with the text in a column or at a JSON pointer, and by name OpenAI chat logs, A2A and MCP
JSON-RPC, OpenTelemetry GenAI spans and LangSmith runs. Memory is constant, whatever the size of a file.

    for item in read("agents.jsonl"):
        match item:
            case Entry(text=text, session=session): ...
            case Unread(reason=reason, line=line): ...
            case Repeat(kind=kind): ...
"""

from sabir.logs.entries import Entry, Item, Repeat, Unread, Usage
from sabir.logs.files import MAX_RECORD
from sabir.logs.memory import MAX_REMEMBERED
from sabir.logs.reading import read
from sabir.logs.shapes import SHAPES, shape_of

__all__ = ["MAX_RECORD", "MAX_REMEMBERED", "SHAPES", "Entry", "Item", "Repeat", "Unread", "Usage", "read", "shape_of"]
