"""Training data: think-quantize-transmit pairs from what was approved (seed, section 3.2).

One conversation a text, in the ShareGPT form that tools for fine-tuning read: a person's turn with the thought, a model's turn
that names the anchor with its coordinates and writes the message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sabir.learn import proposals
from sabir.learn.anchors import own
from sabir.quantize.payload import payload_of
from sabir.slip import slip
from sabir.slip.message import is_name
from sabir.ucr import ACTIONS, DOMAINS

if TYPE_CHECKING:
    from sabir.learn.anchors import Own
    from sabir.store.engine import Store
    from sabir.ucr import Anchor

Conversation = dict[str, list[dict[str, str]]]


def sharegpt(store: Store, dst: str = "-") -> Iterator[Conversation]:
    """Conversations for the texts behind all anchors in use, by index and hash: the same history gives the same ones.

    Args:
        store: where the history is.
        dst: receiver of the messages; the sender is the source that said the text most often.

    Raises:
        EncodeError: ``dst`` cannot stand on the wire.
        SabirError: the store fails.
    """
    with store.read() as connection:
        used = [item for item in own(connection) if item.retired_at is None]
        texts = {item.proposal: proposals.members_of(connection, item.proposal) for item in used}
    for item in used:
        for member in texts[item.proposal]:
            yield _conversation(item, member.text or "", _speaker(member.sources), dst)


def _conversation(item: Own, text: str, src: str, dst: str) -> Conversation:
    anchor = item.anchor
    wire = slip(src, dst, anchor, payload_of(text, anchor.mnemonic))
    answer = f"THINK: {' '.join(text.split())}\nQUANTIZE: {_place(anchor)} -> {anchor.mnemonic}\nTRANSMIT: {wire}"
    return {"conversations": [{"from": "human", "value": text}, {"from": "gpt", "value": answer}]}


def _place(anchor: Anchor) -> str:
    action, polarity, domain, urgency = anchor.coords
    return f"action={ACTIONS[action]} polarity={polarity} domain={DOMAINS[domain]} urgency={urgency}"


def _speaker(sources: dict[str, int]) -> str:
    """The source that said a text most often, where its name can stand on the wire."""
    best: Any = min(sources, key=lambda source: (-sources[source], source), default="-")
    return best if is_name(best) else "-"
