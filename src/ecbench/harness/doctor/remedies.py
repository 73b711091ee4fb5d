"""What to change on a server, by its kind."""

import re
from typing import Literal

ServerKind = Literal["llama.cpp", "vLLM", "Ollama", "LM Studio", ""]
"""The program that serves a model; empty where it is not known."""

_TOOLS: dict[ServerKind, str] = {
    "llama.cpp": "start llama-server with --jinja, and with a model whose chat template has tools",
    "vLLM": "start vLLM with --enable-auto-tool-choice --tool-call-parser NAME, the parser for this model",
    "Ollama": "take a model whose template supports tools: `ollama show MODEL` lists the capability tools",
    "LM Studio": "take a model that LM Studio marks for tool use, and load it with its own prompt template",
    "": "switch tool calling on at the server, or take a model that was trained to call tools",
}
_WINDOW: dict[ServerKind, str] = {
    "llama.cpp": "start llama-server with -c {tokens} for each of its slots",
    "vLLM": "start vLLM with --max-model-len {tokens}",
    "Ollama": "start Ollama with OLLAMA_CONTEXT_LENGTH={tokens}",
    "LM Studio": "load the model with a context length of {tokens}",
    "": "",
}
# How servers refuse a request because it has tools; the kind is that of the server that says so.
_REFUSALS: tuple[tuple[re.Pattern[str], ServerKind], ...] = (
    (re.compile(r"--jinja"), "llama.cpp"),
    (re.compile(r"--enable-auto-tool-choice|--tool-call-parser"), "vLLM"),
    (re.compile(r"does not support tools"), "Ollama"),
    (re.compile(r"support (?:for )?(?:tool use|tools|tool calling|function calling)", re.IGNORECASE), ""),
)


def tools_remedy(kind: ServerKind) -> str:
    """What to change where a model does not call tools."""
    return _TOOLS[kind]


def window_remedy(kind: ServerKind, tokens: int) -> str:
    """How the server gets a window of so many tokens; empty where that is not known."""
    return _WINDOW[kind].format(tokens=tokens)


def refused_tools(message: str) -> str:
    """The remedy, if a server's message says that it takes no tools; else empty."""
    return next((_TOOLS[kind] for pattern, kind in _REFUSALS if pattern.search(message)), "")
