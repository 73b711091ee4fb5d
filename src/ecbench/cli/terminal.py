"""The only way in which commands print, and their exit codes: no text is markup or controls the terminal."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from math import isfinite
from typing import Any, NoReturn

import click

from ecbench.agent_text import escaped
from ecbench.redaction import redacted

FAILED = 1  # an agent or a model failed, or a replay differs from the record
BAD_INPUT = 2  # the same code that the option parser uses
BUDGET = 3  # a limit on dollars, hours or tokens is reached; a larger one lets the run continue
INTERRUPTED = 130  # stopped by a signal; as shells report a program that Ctrl-C ended


def harmless(text: str) -> str:
    """The text without known secrets, and without characters that would control the terminal or are not shown."""
    return escaped(redacted(text))


def say(text: str, *, err: bool = False) -> None:
    """Print a line. The stream is named, since click would choose another encoding for one that lacks characters."""
    click.echo(harmless(text), file=sys.stderr if err else sys.stdout)


def print_parts(parts: Iterable[Any]) -> None:
    """Print lines as they are, texts wrapped, and tables."""
    for part in parts:
        if isinstance(part, str):
            say(part)
        else:
            import_module("ecbench.cli.table_printing").plain_console().print(part)


def say_json(facts: object) -> None:
    """Print the JSON object of a command; the escapes are valid JSON: a program reads the original characters."""
    say(json.dumps(_plain(facts), ensure_ascii=False, indent=2))


def _plain(value: Any) -> Any:
    """As JSON has it: a record is an object, bytes are hexadecimal, an infinity is null, a date or a path is a text."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif hasattr(value, "__struct_fields__"):
        value = import_module("msgspec").to_builtins(value)  # without what is the default, where files leave it out
    elif names := getattr(value, "__dataclass_fields__", None):
        value = {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, str | int) else str(value)


def listed(*lists: tuple[str, list[str]]) -> Iterator[str]:
    """Lines under headings; a list without lines has no heading."""
    for heading, lines in lists:
        if lines:
            yield f"\n{heading}:"
            yield from (f"- {line}" for line in lines)


@contextmanager
def printing_aside(wanted: bool) -> Iterator[None]:
    """While JSON is to be the only output, what others print goes to stderr, programs that they start included."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(own, 1)
        os.close(own)


def leave(code: int) -> NoReturn:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)
