"""A codebook as JSON with its hash, and the rule of the hash (slipstream.md, UCR).

    {"version": ..., "hash": ..., "anchors": [{"index", "mnemonic", "canonical", "coords"}, ...]}

Where anything is retired or vacated, ``retired`` (anchors), ``vacated`` (indices) and ``past_hash`` follow.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from sabir.errors import EncodeError
from sabir.ucr.anchor import EXTENSION, Anchor, Coords

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.ucr.codebook import Codebook


class FormAnchor(msgspec.Struct, forbid_unknown_fields=True):
    """One anchor of the JSON form."""

    index: int
    mnemonic: str
    canonical: str
    coords: Coords


class Form(msgspec.Struct, forbid_unknown_fields=True):
    """The JSON form."""

    version: str
    anchors: list[FormAnchor]
    hash: str
    retired: list[FormAnchor] = []
    vacated: list[int] = []
    past_hash: str | None = None


def hash_of(anchors: Iterable[Anchor], vacated: Iterable[int] = ()) -> str:
    """``sha256:`` and the hash of the lines ``index|mnemonic|canonical|coords``, sorted by index.

    A vacated index is a line of its own.
    """
    lines = {a.index: f"{a.index}|{a.mnemonic}|{a.canonical}|{','.join(map(str, a.coords))}" for a in anchors} | {
        index: str(index) for index in vacated
    }
    text = "\n".join([lines[index] for index in sorted(lines)])
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def anchor_json(anchor: Anchor) -> dict[str, Any]:
    """JSON form of one anchor."""
    return {
        "index": anchor.index,
        "mnemonic": anchor.mnemonic,
        "canonical": anchor.canonical,
        "coords": list(anchor.coords),
    }


def to_json(book: Codebook) -> dict[str, Any]:
    """JSON form of a codebook."""
    form: dict[str, Any] = {
        "version": book.version,
        "hash": book.hash,
        "anchors": [anchor_json(a) for a in book.anchors],
    }
    if book.retired or book.vacated:
        form["retired"] = [anchor_json(a) for a in book.retired]
        form["vacated"] = sorted(book.vacated)
        form["past_hash"] = book.past_hash
    return form


def read(data: Any) -> Form:
    """What a JSON form says, by type alone.

    Raises:
        EncodeError: with the path of what is wrong.
    """
    try:
        return msgspec.convert(data, Form)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        raise EncodeError(f"{reason[0].lower()}{reason[1:]}", path.rstrip("`")) from None


def anchor_of(form: FormAnchor) -> Anchor:
    """Anchor of its JSON form."""
    return Anchor(form.index, form.mnemonic, form.canonical, form.coords, form.index < EXTENSION)


def check_hashes(form: Form, book: Codebook) -> None:
    """Refuse a form whose hashes are not those of the codebook it describes.

    Raises:
        EncodeError: with the path of the hash.
    """
    if form.hash != book.hash:
        raise EncodeError(f"does not fit: it says {form.hash}, the anchors give {book.hash}", "hash")
    if form.past_hash is None and not (book.retired or book.vacated):
        return
    if form.past_hash != book.past_hash:
        says = "is missing" if form.past_hash is None else f"does not fit: it says {form.past_hash}"
        raise EncodeError(f"{says}; what is retired and vacated gives {book.past_hash}", "past_hash")
