"""The only way in which commands print.

The names of worlds, the messages of servers and merchants, the paths of users may hold any character. None of it is
markup, and characters that would control the terminal are printed as escapes.
"""

import json
import re

import typer

# Control characters other than tabs and line breaks, marks of the writing direction, and lone surrogates.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def harmless(text: str) -> str:
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str, *, err: bool = False) -> None:
    typer.echo(harmless(text), err=err)


def say_json(value: object) -> None:
    """Print JSON; the escapes are valid JSON, so a program reads the original characters."""
    say(json.dumps(value, ensure_ascii=False, indent=2))
