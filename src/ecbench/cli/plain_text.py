"""The only way in which commands print.

The names of worlds, the messages of servers and merchants, the paths of users may hold any character. None of it is
markup, and characters that would control the terminal are printed as escapes.
"""

import json

import typer

from ecbench.hidden_characters import escaped
from ecbench.redaction import redacted


def harmless(text: str) -> str:
    """The text without known secrets, and without characters that would control the terminal or are not shown."""
    return escaped(redacted(text))


def say(text: str, *, err: bool = False) -> None:
    typer.echo(harmless(text), err=err)


def say_json(value: object, *, indent: int | None = 2) -> None:
    """Print JSON, on one line without `indent`; the escapes are valid JSON: a program reads the original characters."""
    say(json.dumps(value, ensure_ascii=False, indent=indent))
