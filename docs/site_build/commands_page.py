"""Every command with its help and its options, as the program itself declares them."""

import inspect
import re
from collections.abc import Iterator

import click

from ecbench.cli.program import NAMES, command_called


def commands_block() -> str:
    return "\n\n".join(section for name in NAMES for section in _sections(f"ecbench {name}", command_called(name)))


def _sections(path: str, command: click.Command) -> Iterator[str]:
    """A command's section, then those of its subcommands."""
    yield "\n\n".join([f"## {path}", _help(command), *_tables(command)])
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from _sections(f"{path} {name}", subcommand)


def _help(command: click.Command) -> str:
    return _marked(inspect.cleandoc(command.help or "").replace("\b\n", ""))


def _marked(text: str) -> str:
    """Help as Markdown: options that are not marked as code yet are, and no text is taken for a tag of HTML."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"(?<![\w-])--[a-z][\w-]*", r"`\g<0>`", part.replace("<", "&lt;")) for part in parts[::2]]
    return "`".join(parts)


def _tables(command: click.Command) -> Iterator[str]:
    context = command.make_context("ecbench", [], resilient_parsing=True)
    for kind in ("argument", "option"):
        records = [each.get_help_record(context) for each in command.params if each.param_type_name == kind]
        rows = [_row(*record) for record in records if record is not None]
        if rows:
            yield "\n".join("| " + " | ".join(cells) + " |" for cells in ([kind, "meaning"], ["---", "---"], *rows))


def _row(names: str, meaning: str) -> list[str]:
    plain = names.partition(" <")[0]  # an argument's record ends with its type in Python
    return ["`" + plain.replace("|", "\\|") + "`", _marked(" ".join(meaning.split())).replace("|", "\\|")]
