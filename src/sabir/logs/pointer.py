"""JSON pointers (RFC 6901), with ``*`` for each member of an array or object.

    pointer = *( "/" step )
    step    = "*" / name           ; in a name "~1" is a slash, "~0" a tilde; "~2" is a star that is no "each"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from sabir.errors import SabirError

EACH: Final = None
"""The step ``*``."""
_index = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch
_bad_escape = re.compile(r"~(?![012])").search


def steps(pointer: str) -> tuple[str | None, ...]:
    """Steps of a pointer.

    Raises:
        SabirError: it does not begin with a slash, or a tilde stands before something other than 0, 1 and 2.
    """
    if pointer and not pointer.startswith("/"):
        raise SabirError(f"JSON pointer {pointer!r} must begin with /, such as /{pointer}")
    if found := _bad_escape(pointer):
        raise SabirError(f"JSON pointer {pointer!r}: ~ at character {found.start()} must be followed by 0 (for ~), 1 (for /) or 2 (for *)")
    return tuple(EACH if step == "*" else _name(step) for step in pointer.split("/")[1:])


def _name(step: str) -> str:
    return step.replace("~2", "*").replace("~1", "/").replace("~0", "~")


def values(value: Any, path: tuple[str | None, ...]) -> Iterator[Any]:
    """Values at a path; none where it points nowhere."""
    if not path:
        yield value
        return
    step, rest = path[0], path[1:]
    if step is EACH:
        members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for member in members:
            yield from values(member, rest)
    elif isinstance(value, dict):
        if step in value:
            yield from values(value[step], rest)
    elif isinstance(value, list) and _index(step) and int(step) < len(value):
        yield from values(value[int(step)], rest)
