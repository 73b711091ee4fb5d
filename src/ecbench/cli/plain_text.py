"""Data is data: the only way in which commands print.

The names of worlds, the messages of servers and merchants, the paths of users may hold anything. None of it is taken
for markup, and what a terminal would obey rather than show is written as an escape.
"""

import json
import re

import typer

# Control characters but for tabs and line breaks, what turns the direction of writing, and halves of surrogate pairs.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def harmless(text: str) -> str:
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str, *, err: bool = False) -> None:
    typer.echo(harmless(text), err=err)


def say_json(value: object) -> None:
    """The escapes are JSON's own, so that a machine reads what was meant."""
    say(json.dumps(value, ensure_ascii=False, indent=2))
