"""Declare commands as functions: arguments are their first parameters, options are those that are keyword-only.

A type is an annotation; `Annotated[int, RANGE]` is a number within a range. The help is the docstring. Its section
`Options:` has an entry for each parameter: its name, the names of the option if they are others, what its value is
called, and its help. Parameters without an entry are those of `options.SHARED`. A parameter that is a dataclass is a
group of options that several commands share. A command that returns a `CommandResult` takes --json.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import wraps
from pathlib import Path
from textwrap import dedent
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from ecbench.cli.options import SHARED
from ecbench.cli.terminal import leave, print_parts, say_json
from ecbench.ranges import Range, quoted

SECTION = re.compile(r"\n\s*Options:\n")
ENTRY = re.compile(r"^(\w+)((?: --?[\w/-]+)*)(?: (\S+))?: (.+)$")


class CommandResult(NamedTuple):
    """What a command found: as the JSON object of --json, and as lines and tables."""

    facts: Any  # a mapping or a record
    text: Iterable[Any]  # read only if it is printed
    code: int = 0


class HelpEntry(NamedTuple):
    """What help says about a parameter."""

    names: list[str]
    metavar: str | None
    help: str


class Number(click.ParamType[float, Any]):
    """A number within a range; everything else is refused with the bounds."""

    name = "number"

    def __init__(self, kind: type[int] | type[float], within: Range) -> None:
        self._kind, self._within = kind, within

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number: float | None = self._kind(value)
        except (ValueError, OverflowError):
            number = None
        if number is None or number not in self._within:
            self.fail(f"{value:.60} is not {self._within}" if isinstance(value, str) else quoted(value), param, ctx)
        return number


def command(function: Callable[..., CommandResult | None], name: str | None = None) -> click.Command:
    """The command that a function declares."""
    params = list(_parameters(function))
    answers = get_type_hints(function)["return"] is CommandResult
    if answers and "as_json" not in {each.name for each in params}:
        params.append(_parameter("as_json", bool, SHARED_ENTRIES["as_json"], False, is_option=True))

    @wraps(function)
    def call(**values: Any) -> None:
        answer = function(**_gathered(function, values))
        if answer is None:
            return
        if values["as_json"]:
            say_json(answer.facts)
        else:
            print_parts(answer.text)
        if answer.code:
            leave(answer.code)

    usual = "" if function.__name__.startswith("_") else function.__name__.rstrip("_").replace("_", "-")
    text = SECTION.split(inspect.getdoc(function) or "")[0].strip()
    return click.Command(
        name or usual, callback=call, help=text, params=params, context_settings={"show_default": True}
    )


def group(name: str, help: str, *commands: click.Command) -> click.Group:
    """A command that consists of others."""
    return click.Group(name, help=help, commands=commands, no_args_is_help=True)


def _entries(text: str) -> dict[str, HelpEntry]:
    """The entries of a section, which begin at its margin and continue with an indent."""
    found: dict[str, HelpEntry] = {}
    for entry in re.split(r"\n(?=\S)", dedent(text)):
        if match := ENTRY.fullmatch(" ".join(entry.split())):
            name, flags, metavar, help = match.groups()
            found[name] = HelpEntry(flags.split() or [f"--{name.replace('_', '-')}"], metavar, help)
    return found


SHARED_ENTRIES = _entries(SHARED)


def _parameters(declared: Callable[..., Any]) -> Iterator[click.Parameter]:
    _, *section = SECTION.split(inspect.getdoc(declared) or "")
    entries, hints = SHARED_ENTRIES | _entries("\n".join(section)), get_type_hints(declared, include_extras=True)
    for name, parameter in inspect.signature(declared).parameters.items():
        if is_dataclass(hints[name]):
            yield from _parameters(hints[name])
        else:
            is_option = parameter.kind is inspect.Parameter.KEYWORD_ONLY
            yield _parameter(name, hints[name], entries[name], parameter.default, is_option=is_option)


def _gathered(declared: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(declared)
    return {
        name: hints[name](**_gathered(hints[name], values)) if is_dataclass(hints[name]) else values[name]
        for name in inspect.signature(declared).parameters
    }


def _parameter(name: str, hint: Any, entry: HelpEntry, default: Any, *, is_option: bool) -> click.Parameter:
    """None if nothing is given; several values are a list."""
    if NoneType in get_args(hint):
        hint = next(each for each in get_args(hint) if each is not NoneType)
    several = get_origin(hint) is list
    hint = get_args(hint)[0] if several else hint
    kind, extra = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    settings = {
        "help": entry.help,
        "metavar": entry.metavar or ("N" if isinstance(extra, Range) else None),
        "type": _click_type(kind, extra),
        "required": default is inspect.Parameter.empty,
        "envvar": extra if isinstance(extra, str) else None,
        "callback": _checked,
    }
    if default not in (inspect.Parameter.empty, None):
        settings["default"] = default
    if not is_option:
        return click.Argument([name], nargs=-1 if several else 1, **settings)
    if kind is bool:
        return click.Option([name, *entry.names], is_flag=True, help=entry.help, default=default)
    return click.Option([name, *entry.names], multiple=several, **settings)


def _checked(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Several values as a list. An empty text, as an unset variable of a shell gives it, is refused."""
    values = value if isinstance(value, tuple) else (value,)
    given = ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
    if given and any(isinstance(each, str) and not each.strip() for each in values):
        raise click.BadParameter("it is empty; leave it out, or give a value", ctx, param)
    return (list(value) or None) if isinstance(value, tuple) else value


def _click_type(kind: Any, extra: Any) -> Any:
    if isinstance(extra, Range):
        return Number(kind, extra)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    return click.Path(path_type=Path) if kind is Path else kind
