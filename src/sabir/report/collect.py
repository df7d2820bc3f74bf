"""What a log costs, gathered entry by entry in constant memory; parts gathered elsewhere are merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from sabir import meter
from sabir.codebooks import in_force
from sabir.detection import candidates
from sabir.errors import DecodeError
from sabir.finding import Found, survey
from sabir.finding.found import MESSAGE, TEMPLATE, UNMARKED
from sabir.jsontext import dumps
from sabir.logs.entries import Entry, Repeat, Unread
from sabir.registry import BY_NAME, READABLE, kind_of
from sabir.report.forms import texts
from sabir.report.spread import Spread

if TYPE_CHECKING:
    from sabir.meter.counters import Counter as TokenCounter
    from sabir.silp.ir import SilpIR
    from sabir.ucr.codebook import Codebook

JSON: Final = "minified JSON"
"""Baseline beside the formats: the message's JSON."""
FORMS: Final = (*(format.name for format in READABLE), JSON)
MAX_PAIRS: Final = 10_000
"""Pairs of agents that are kept apart; the messages of further ones are counted as of others."""
MAX_SESSIONS: Final = 1_000_000
"""Sessions that are told apart; beyond, the number is a lower bound."""
MAX_SHOWN: Final = 5
"""Pieces that could not be read of which the beginning is kept, for each reason."""
OTHERS: Final = ("(others)", "(others)")
NOBODY: Final = "-"


@dataclass(slots=True)
class Cost:
    """Tokens of messages in one format by one tokenizer.

    Attributes:
        tokens: of the messages that the format can hold.
        now: all tokens of the same messages as they are in the log.
        saved: per cent of the tokens that each message saves; negative where it costs more.
    """

    tokens: Spread = field(default_factory=Spread)
    now: int = 0
    saved: Spread = field(default_factory=Spread)

    def add(self, tokens: int, now: int) -> None:
        """Take a message in."""
        self.tokens.add(tokens)
        self.now += now
        self.saved.add(round(100 * (now - tokens) / now))

    def merge(self, other: Cost) -> None:
        """Take the messages of another in."""
        self.tokens.merge(other.tokens)
        self.now += other.now
        self.saved.merge(other.saved)


@dataclass(slots=True)
class Pair:
    """Messages from one agent to another: how many, their tokens now, and in the format that is cheapest for each."""

    messages: int = 0
    now: int = 0
    best: int = 0

    def merge(self, other: Pair) -> None:
        """Take the messages of another in."""
        self.messages += other.messages
        self.now += other.now
        self.best += other.best


class Report:
    """What the texts of a log cost.

    Args:
        tokenizers: their names; all that are here when not given. The first one decides about pairs and order.
        codebook: an installation's own, for the anchors that the core lacks.

    Raises:
        EncodeError, MissingDependency: as `sabir.meter.counter`; messages cannot be read with that codebook.
    """

    def __init__(self, tokenizers: Iterable[str] | None = None, *, codebook: Codebook | None = None) -> None:
        names = [item.name for item in meter.available()] if tokenizers is None else [*tokenizers]
        self.tokenizers: Final = tuple(names)
        self.codebook: Final = None if codebook is None else in_force(codebook)
        self.entries = 0
        self.messages = 0
        self.characters = 0
        self.text_tokens: dict[str, int] = dict.fromkeys(names, 0)
        self.now: dict[str, Spread] = {name: Spread() for name in names}
        self.costs: dict[tuple[str, str], Cost] = {(name, form): Cost() for name in names for form in FORMS}
        self.formats: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.repairs: Counter[str] = Counter()
        self.pairs: dict[tuple[str, str], Pair] = {}
        self.sessions: set[int] = set()
        self.repeats: dict[str, list[int]] = {}
        self.unread: Counter[str] = Counter()
        self.shown: dict[str, list[tuple[str, int, str]]] = {}
        self.usage = [0, 0]
        self._counters: dict[str, TokenCounter] = {name: meter.counter(name) for name in names}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_counters"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._counters = {}  # a report that came from another process is merged, not added to

    # --- adding

    def add(self, item: Entry | Unread | Repeat) -> None:
        """Take in what a reader of logs gave."""
        if isinstance(item, Entry):
            self._add_entry(item)
        elif isinstance(item, Repeat):
            found = self.repeats.setdefault(item.kind, [0, 0])
            found[0] += 1
            found[1] += len(item.text)
        else:
            self._unread(item.reason, item.source, item.line, item.shown)

    def add_text(self, text: str, *, session: str = "", sender: str | None = None, receiver: str | None = None) -> None:
        """Take in one text that was sent once."""
        self.add(Entry(text, session, "", self.entries + 1, sender, receiver))

    def _add_entry(self, entry: Entry) -> None:
        if entry.usage is not None:
            self.usage[0] += entry.usage.input
            self.usage[1] += entry.usage.output
        if not entry.text:  # a usage that stands alone
            return
        self.entries += 1
        self.characters += len(entry.text)
        if entry.session and len(self.sessions) < MAX_SESSIONS:
            self.sessions.add(_number(entry.session))
        counts = {name: counter.count(entry.text) for name, counter in self._counters.items()}
        for name, count in counts.items():
            self.text_tokens[name] += count
        for found in _pieces(entry.text, self.codebook):
            if found.kind == MESSAGE:
                self._add_message(found, entry, counts)
            else:
                piece = entry.text[slice(*found.span)]
                reason = f"a template of {found.format}" if found.kind == TEMPLATE else f"{found.format}: {found.reason}"
                self._unread(reason, entry.source, entry.line, piece)

    def _add_message(self, found: Found, entry: Entry, counts: dict[str, int]) -> None:
        self.messages += 1
        self.formats[found.format] += 1
        self.repairs.update(found.repairs)
        ir, forms = texts(found.message, BY_NAME[found.format])
        kind = kind_of(found.message)
        assert kind is not None  # noqa: S101  # the finder gives messages
        forms[JSON] = dumps(kind.to_json(found.message))
        self.refused.update(form for form, text in forms.items() if text is None)
        wire = entry.text[slice(*found.span)]
        for name, counter in self._counters.items():
            now = counts[name] if wire == entry.text else counter.count(wire)
            self.now[name].add(now)
            counted = {wire: now}
            for form, text in forms.items():
                if text is not None:
                    if text not in counted:
                        counted[text] = counter.count(text)
                    self.costs[name, form].add(counted[text], now)
            if name == self.tokenizers[0]:
                self._add_pair(_pair(ir, entry), now, min(counted.values()))

    def _add_pair(self, names: tuple[str, str], now: int, best: int) -> None:
        if names not in self.pairs and len(self.pairs) >= MAX_PAIRS:
            names = OTHERS
        self.pairs.setdefault(names, Pair()).merge(Pair(1, now, best))

    def _unread(self, reason: str, source: str, line: int, shown: str) -> None:
        self.unread[reason] += 1
        kept = self.shown.setdefault(reason, [])
        if len(kept) < MAX_SHOWN:
            kept.append((source, line, shown[:80]))

    # --- merging

    def merge(self, other: Report) -> None:
        """Take in what another report gathered with the same tokenizers."""
        for name in ("entries", "messages", "characters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for counts in ("formats", "refused", "repairs", "unread"):
            getattr(self, counts).update(getattr(other, counts))
        for name in self.tokenizers:
            self.text_tokens[name] += other.text_tokens[name]
            self.now[name].merge(other.now[name])
        for key, cost in other.costs.items():
            self.costs[key].merge(cost)
        for names, pair in other.pairs.items():
            known = names if names in self.pairs or len(self.pairs) < MAX_PAIRS else OTHERS
            self.pairs.setdefault(known, Pair()).merge(pair)
        self.sessions |= other.sessions
        self.usage = [mine + its for mine, its in zip(self.usage, other.usage, strict=True)]
        for kind, (count, size) in other.repeats.items():
            found = self.repeats.setdefault(kind, [0, 0])
            found[0] += count
            found[1] += size
        for reason, kept in other.shown.items():
            self.shown[reason] = sorted([*self.shown.get(reason, []), *kept], key=lambda place: place[:2])[:MAX_SHOWN]


def _pieces(text: str, codebook: Codebook | None) -> list[Found]:
    """What the finder finds; a text that is one message with a marker of its own, from end to end, needs no finder.

    Where the others count, only the finder can say.
    """
    stripped = text.strip()
    marked = [format for format in candidates(stripped) if format.name not in UNMARKED]
    if len(marked) == 1:
        try:
            message = marked[0].under(codebook).decode(stripped)
        except DecodeError:
            return survey(text, codebook=codebook)
        start = len(text) - len(text.lstrip())
        return [Found(marked[0].name, message, stripped, (start, start + len(stripped)))]
    return survey(text, codebook=codebook)


def _pair(ir: SilpIR, entry: Entry) -> tuple[str, str]:
    """Sender and receiver: as the message says, else as the log does."""
    sender = ir.meta.__pydantic_extra__.get("sender")
    told = sender if isinstance(sender, str) else None
    return told or entry.sender or NOBODY, ir.meta.next_agent or entry.receiver or NOBODY


def _number(session: str) -> int:
    """A number that stands for a session in every process."""
    return int.from_bytes(blake2b(session.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
