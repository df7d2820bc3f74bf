"""What makes a codebook sound: everything stands once, and the core is that of its version."""

from __future__ import annotations

from sabir.errors import EncodeError
from sabir.ucr.anchor import Anchor, check_anchor, check_index, check_own_index, differing, hexadecimal, published


class Taken:
    """What is taken in a codebook under construction."""

    def __init__(self) -> None:
        self.indices: dict[int, Anchor | None] = {}
        self.names: dict[str, Anchor] = {}

    def take(self, anchor: Anchor, path: str, *, own: bool = False) -> None:
        """Take an anchor in.

        Raises:
            EncodeError: it is none, its index or mnemonic is taken, or ``own`` and it is of the core range.
        """
        check_anchor(anchor, path)
        at = f"{path}." if path else ""
        if own:
            check_own_index(anchor.index, f"{at}index")
        self._free(anchor.index, f"{at}index")
        if (holder := self.names.get(anchor.mnemonic)) is not None:
            shown = f"mnemonic {anchor.mnemonic} is taken by {hexadecimal(holder.index)}"
            raise EncodeError(shown, f"{at}mnemonic")
        self.indices[anchor.index] = anchor
        self.names[anchor.mnemonic] = anchor

    def vacate(self, index: int, path: str) -> None:
        """Take an index without an anchor in.

        Raises:
            EncodeError: it is none of the extension range, or taken.
        """
        check_index(index, path)
        check_own_index(index, path)
        self._free(index, path)
        self.indices[index] = None

    def _free(self, index: int, path: str) -> None:
        if index in self.indices:
            holder = self.indices[index]
            by = f"taken by {holder.mnemonic}" if holder else "vacated, and never given again"
            raise EncodeError(f"index {hexadecimal(index)} is {by}", path)


def check_core(version: str, anchors: tuple[Anchor, ...]) -> None:
    """Refuse another core than that of the version, where the version is known.

    Raises:
        EncodeError: with the path of the row at fault.
    """
    known, wanted = published()
    if version != known:
        return
    missing = {anchor.index: anchor for anchor in wanted}
    for place, anchor in enumerate(anchors):
        if anchor.is_core:
            locked = missing.pop(anchor.index, None)
            if locked != anchor:
                shown = f"{hexadecimal(anchor.index)} {anchor.mnemonic}"
                what = "is not of" if locked is None else f"differs in {', '.join(differing(anchor, locked))} from"
                reason = f"{shown} {what} the core of version {version}, which never changes"
                raise EncodeError(reason, f"anchors[{place}]")
    for anchor in missing.values():
        shown = f"{hexadecimal(anchor.index)} {anchor.mnemonic}"
        raise EncodeError(f"{shown} of the core of version {version}, which never changes, is missing", "anchors")
