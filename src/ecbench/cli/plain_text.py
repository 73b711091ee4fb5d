"""Data is data: the only way in which commands print.

The names of worlds, the messages of servers and merchants, the paths of users may hold anything. None of it is taken
for markup, and what a terminal would obey rather than show is written as an escape.
"""

import json
import re
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

# Control characters but for tabs and line breaks, what turns the direction of writing, and halves of surrogate pairs.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def harmless(text: str) -> str:
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str, *, err: bool = False) -> None:
    typer.echo(harmless(text), err=err)


def say_json(value: object) -> None:
    """The escapes are JSON's own, so that a machine reads what was meant."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def plain_console(*, stderr: bool = False) -> "Console":
    """A console that shows every text as it is, in tables and titles too."""
    from rich.console import Console
    from rich.text import Text

    class PlainConsole(Console):
        def render_str(self, text: str, **look: Any) -> Text:
            return super().render_str(harmless(text), **look)

    return PlainConsole(stderr=stderr, markup=False, emoji=False, highlight=False)
