"""Options that the commands of `sabir learn` share, and the store that they name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sabir.store import open_store

if TYPE_CHECKING:
    from sabir.store.engine import Store

store_option = click.option("--store", "where", metavar="PATH_OR_URL", envvar="SABIR_STORE", required=True, help="SQLite file or postgresql:// URL; or SABIR_STORE.")
json_option = click.option("--json", "as_json", is_flag=True, help="Machine output.")
by_option = click.option("--by", metavar="NAME", help="Who decides.")
reason_option = click.option("--reason", default="", help="Why.")
embedder_option = click.option("--embedder", metavar="NAME", help="Whose vectors are used; the best that is installed if not given.")


@contextmanager
def existing(where: str) -> Iterator[Store]:
    """A store that is there already."""
    with open_store(where, create=False) as store:
        yield store
