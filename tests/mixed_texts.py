"""Two thousand texts of all sorts, the same on every run: what tokenizers are compared on."""

from __future__ import annotations

import json
import random
from pathlib import Path

TRAFFIC = Path(__file__).parent.parent / "examples" / "traffic.jsonl"

LOOK_SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|fim_prefix|>", "<|begin_of_text|>", "<|eot_id|>", "<s>", "</s>", "<unk>", "<pad>", "<bos>", "<EOT>", "<META>", "<start_of_turn>", "<0x0A>", "[INST]", "<<SYS>>", "<|startoftext|>", "<mask>", "<table>", "</code>", "<unused7>"]

_RANGES = (
    *((0x20, 0x7E),) * 4,
    (0x00, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x4FF),
    (0x590, 0x6FF),
    (0x900, 0x97F),
    (0xE00, 0xE7F),
    (0x1E00, 0x1EFF),
    (0x2000, 0x206F),
    (0x2150, 0x22FF),
    (0x3040, 0x30FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFF00, 0xFFEF),
    (0x1F300, 0x1F9FF),
    (0x10000, 0x10FFFF),
)
_WORDS = ["request", "planner", "SLIP", "v1", "RequestReview", "auth_module", "isn't", "WE'LL", "naïve", "Straße", "don't", "camelCase", "snake_case", "3.14159", "1,000,000", "2026-11-30", "https://example.org/a?b=c&d=%20", "def", "f(x):", "return", "x**2", '{"a":[1,null]}', "日本語", "こんにちは", "привет", "שלום", "مرحبا", "안녕", "👩\u200d👩\u200d👧", "ﬁn", "½", "Ⅳ", "é", "é", "ǅ", "Å"]
_BLANKS = (" ", "  ", "\n", "\r\n", "\n\n\n", "\t", "    ", "\u00a0", "\u3000", "", "\u200b", " \n ", "\x0b", "\x85", "\u2028")
_RUNS = "^=-_ \na0あ👽"


def mixed_texts(number: int = 2000) -> list[str]:
    """Messages of the example traffic, and texts put together from words, blanks, runs and characters of many scripts."""
    chance = random.Random(20_26)  # noqa: S311  # the same texts on every run, nothing secret
    texts = [json.loads(line)["text"] for line in TRAFFIC.read_text("utf-8").splitlines()]
    while len(texts) < number:
        texts.append("".join(_part(chance) for _ in range(chance.randint(0, 12))))
    return texts[:number]


def _part(chance: random.Random) -> str:
    kind = chance.randrange(6)
    if kind == 0:
        return chance.choice(LOOK_SPECIAL)
    if kind == 1:
        return chance.choice(_RUNS) * chance.randint(1, 60)
    if kind == 2:
        low, high = chance.choice(_RANGES)
        return "".join(chr(chance.randint(low, high)) for _ in range(chance.randint(1, 8)))
    return chance.choice(_WORDS) + chance.choice(_BLANKS)
