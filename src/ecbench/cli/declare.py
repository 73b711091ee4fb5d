"""Declare commands as functions: `Annotated[int, option("--days", ...)]` is an option, `argument` an argument.

A parameter that is a dataclass is a group of options that several commands share; the command receives it as one
object. Help appears in half the time that a library takes which reads the annotations through pydantic.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from datetime import datetime
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from ecbench.ranges import Range, quoted

Check = Callable[[Any], Any]
"""Returns the value of an option as the command receives it; raises click.BadParameter."""

MODEL_KEYS = ("base-url", "effort", "extra-body", "max-tokens", "price")

RENAMED_OPTIONS: dict[str, str] = {
    "--suite": "--season SEASON",
    "--report": "the command `ecbench report RUN`",
    "--protocol": "a run file: ecbench run paper",
    "--preset": "a run file: ecbench run NAME (see `ecbench list models`)",
    "--presets": "a run file: ecbench run FILE.toml",
    "--model-arg": "-M KEY=VALUE",
    "--supplier-model-arg": "--supplier-M KEY=VALUE",
    "--prices": "-M price=IN,OUT, or the key price in a run file",
    "--brief": "-M brief=@FILE, or the key model.brief of a run file",
    "--max-turns": "the key max_turns of a run file",
    "--max-dollars": "--budget dollars=N",
    "--max-hours": "--budget hours=N",
    "--max-tokens-total": "--budget tokens=N",
    **{
        f"--{prefix}{name}": f"{flag} {name.replace('-', '_')}=VALUE"
        for prefix, flag in (("", "-M"), ("supplier-", "--supplier-M"))
        for name in (*MODEL_KEYS, "cache-ttl", "attempt-seconds", "give-up-seconds")
    },
}
"""Former options of any command, and what they are called now."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What an annotation says about an option, or about an argument if `names` is empty."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]
    within: Range | None = None
    check: Check | None = None


def option(
    *names: str,
    help: str,
    metavar: str | None = None,
    within: Range | None = None,
    check: Check | None = None,
    **settings: Any,
) -> Declared:
    """Declare an option. `within` is the range of a number; the settings are those of click."""
    return Declared(names, {"help": help, "metavar": metavar or ("N" if within else None), **settings}, within, check)


def argument(metavar: str, help: str) -> Declared:
    """Declare an argument, which has no name on the command line."""
    return Declared((), {"help": help, "metavar": metavar})


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


class Command(click.Command):
    """A command that answers a former option with the present one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            if now := RENAMED_OPTIONS.get(unknown.option_name):
                raise click.UsageError(f"{unknown.option_name} is now {now}", ctx) from unknown
            raise


def command(function: Callable[..., None], name: str | None = None) -> click.Command:
    """The command that a function declares: its parameters, and its docstring as the help."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {each: hint for each, hint in hints.items() if is_dataclass(hint)}
    fields = {each: get_type_hints(group, include_extras=True) for each, group in groups.items()}

    @wraps(function)
    def call(**values: Any) -> None:
        for each, group in groups.items():
            values[each] = group(**{field: values.pop(field) for field in fields[each]})
        function(**values)

    usual = "" if function.__name__.startswith("_") else function.__name__.rstrip("_").replace("_", "-")
    return Command(
        name or usual,
        callback=call,
        help=inspect.getdoc(function),
        params=list(_parameters(function, hints)),
        context_settings={"show_default": True},
    )


def group(name: str, help: str, *commands: click.Command) -> click.Group:
    """A command that consists of others."""
    return click.Group(name, help=help, commands=commands, no_args_is_help=True)


def _parameters(declared: Callable[..., Any], hints: Mapping[str, Any]) -> Iterator[click.Parameter]:
    for name, parameter in inspect.signature(declared).parameters.items():
        hint = hints[name]
        if isinstance(hint, type) and is_dataclass(hint):
            yield from _parameters(hint, get_type_hints(hint, include_extras=True))
        else:
            kind, said = get_args(hint)[:2]
            yield _parameter(name, kind, said, parameter.default)


def _parameter(name: str, hint: Any, said: Declared, default: Any) -> click.Parameter:
    kind = next(each for each in get_args(hint) if each is not NoneType) if _is_optional(hint) else hint
    several = get_origin(kind) is list
    kind = get_args(kind)[0] if several else kind
    required = default is inspect.Parameter.empty
    settings = {name: value for name, value in said.settings.items() if value is not None}
    settings |= {
        "type": _click_type(kind, said.within),
        "required": required,
        "callback": _callback(said.check, several),
    }
    if not required and default is not None:
        settings["default"] = default
    if not said.names:
        return click.Argument([name], nargs=-1 if several else 1, **settings)
    if kind is bool:
        settings = {each: value for each, value in settings.items() if each not in ("type", "metavar")}
        return click.Option([name, *said.names], is_flag=True, **settings)
    return click.Option([name, *said.names], multiple=several, **settings)


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)


def _click_type(kind: Any, within: Range | None) -> Any:
    if within is not None:
        return Number(kind, within)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is datetime:
        return click.DateTime(["%Y-%m-%d"])
    return click.Path(path_type=Path) if kind is Path else kind


def _callback(check: Check | None, several: bool) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """None if nothing is given; several values are a list."""

    def checked(_: click.Context, __: click.Parameter, value: Any) -> Any:
        if several:
            value = list(value) or None
        return value if check is None or value is None else check(value)

    return checked
