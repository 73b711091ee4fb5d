"""Run files: all that a run can be given, in TOML, from a shipped file, or from the manifest of another run."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args
from urllib.parse import urlsplit

from msgspec import Meta, Struct, to_builtins

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.cli.options import GameOptions, ModelOptions, SupplierOptions
from ecbench.errors import RunError
from ecbench.gate import is_too_deep
from ecbench.harness.brief import BriefStyle
from ecbench.harness.context import ContextPolicy
from ecbench.harness.settings import CallStyle, Effort, Price
from ecbench.players.merchants.registry import merchant_names
from ecbench.ranges import DAYS, EPISODES, JOBS, MAX_TOKENS, SECONDS, STAKE, TURNS, near_miss, quoted
from ecbench.rules import DEFAULT_SET
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import MANIFEST, open_run
from ecbench.runs.manifest import Manifest, refuse_secrets
from ecbench.runs.play.agents import refuse_external
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.json_values import typed
from ecbench.runs.terms import rules_with, within
from ecbench.world.load import load_world
from ecbench.world.release import is_release_catalog

LARGEST_FILE = 1 << 20  # bytes
SHIPPED = files("ecbench.cli") / "run_files"

Kind = TypeVar("Kind")
Table = dict[str, Any]


class ModelTable(Struct, frozen=True):
    """What we know of the options of a model; every other key is an argument of its provider."""

    base_url: str | None = None
    effort: str | None = None
    extra_body: Table | None = None
    max_tokens: Annotated[int, within(MAX_TOKENS)] | None = None
    price: str | None = None
    brief: str | None = None  # another job description; {days} and {stake} are filled in
    window: int | str | dict[str, int] | None = None
    calls: CallStyle | None = None
    attempt_seconds: Annotated[int, within(SECONDS)] | None = None
    give_up_seconds: Annotated[int, within(SECONDS)] | None = None

    def __post_init__(self) -> None:
        if self.base_url is not None:
            _check_address(self.base_url)
        if self.effort is not None and self.effort not in (known := get_args(Effort)):
            raise ValueError(f"effort {quoted(self.effort)}: there are {', '.join(known)}")
        if self.price is not None:
            Price.parse(self.price)
        if self.brief is not None and not self.brief.strip():
            raise ValueError("brief: the job description is empty")


class RunFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What run files and options state together. None: nothing."""

    title: str = ""
    fixed: tuple[str, ...] = ()  # keys that nothing later may change
    agent: str | None = None
    world: str | list[str] | None = None
    world_ids: list[str] | None = None  # of a run that is repeated
    episodes: Annotated[int, within(EPISODES)] | None = None
    days: Annotated[int, within(DAYS)] | None = None
    stake: Annotated[float, Meta(ge=STAKE.least, le=STAKE.most)] | None = None
    max_turns: Annotated[int, within(TURNS)] | None = None
    rules: str | None = None
    set: Table = {}
    policy: str | Table | None = None  # house rules: the name of a policy, a file, or the rules themselves
    brief_style: BriefStyle = "neutral"
    model: Table = {}
    supplier: Table = {}  # its `model` is the name, the rest as in `model`
    budget: BudgetLimits | None = None
    jobs: Annotated[int, within(JOBS)] = 1
    executor: str | None = None
    doctor: bool = True


TABLES = ("set", "model", "supplier", "budget")
"""The keys of which a later table changes only what it states."""


def read_settings(
    game: GameOptions,
    model: ModelOptions | None = None,
    supplier: SupplierOptions | None = None,
    *,
    refused: Sequence[str] = (),
    why: str = "",
    earlier: Table | None = None,
    **others: Any,
) -> tuple[RunFile, dict[str, str]]:
    """What files and options state together, and the names of the shipped files among them, for the manifest.

    `refused` are keys without an effect here, for the reason `why`; `earlier` comes before all.
    """
    tables = [_named(name) for name in game.files or ()]
    shipped_ones = [(table, name) for table, name in zip(tables, game.files or ()) if name in shipped_names()]
    labels = {"protocol" if "fixed" in table else "preset": name for table, name in shipped_ones}
    options = {name: getattr(game, name) for name in ("world", "days", "stake", "rules", "policy", "brief_style")}
    tables.append({name: value for name, value in (options | others).items() if value is not None})
    if model is not None:
        tables.append({"model": model_table(model)})
    if supplier is not None:
        named = {"model": supplier.supplier_model} if supplier.supplier_model else {}
        tables.append({"supplier": named | _assigned("--supplier-M", supplier.supplier_arguments)})
    if game.settings:
        rules = next((table["rules"] for table in reversed(tables) if "rules" in table), DEFAULT_SET)
        tables.append({"set": read_overrides(game.settings, rules)})
    stated = merged(tables)
    if without_effect := [key for key in refused if key in stated]:
        raise RunError(f"{', '.join(without_effect)}: {why}")
    return typed(merged([earlier or {}, stated]), RunFile), labels


def merged(tables: Iterable[Table]) -> Table:
    """All of them in one. Raises RunError if one fixes what another states."""
    whole: Table = {}
    for own in tables:
        for fixing, other in ((whole, own), (own, whole)):
            if changed := [key for key in fixing.get("fixed", ()) if _differs(key, other, fixing)]:
                names = ", ".join(f"--{key}" if "." not in key else key for key in dict.fromkeys(changed))
                title = fixing.get("title", "the run file")
                raise RunError(f"{title} fixes {names}; leave that out, or write a run file of your own")
        fixed = [*whole.get("fixed", ()), *own.get("fixed", ())]
        if "world" in own:
            whole.pop("world_ids", None)
        for key, value in own.items():
            whole[key] = {**whole.get(key, {}), **value} if key in TABLES else value
        whole["fixed"] = fixed
    return whole


def _differs(key: str, own: Table, fixed: Mapping[str, Any]) -> bool:
    for part in key.split("."):
        if not isinstance(own, Mapping) or part not in own:
            return False
        own, fixed = own[part], (fixed or {}).get(part)  # type: ignore[assignment]
    if key == "world" and isinstance(own, str) and own != fixed:
        return not is_release_catalog(load_world(own))
    return own != fixed


def shipped_names() -> list[str]:
    """The run files of the package: the paper's protocol, and the eighteen models of its table."""
    return sorted(each.name.removesuffix(".toml") for each in SHIPPED.iterdir() if each.name.endswith(".toml"))


def shipped(name: str) -> Table:
    """One of them."""
    return _parsed((SHIPPED / f"{name}.toml").read_text(encoding="utf-8"), name)


def _named(name: str) -> Table:
    if name in shipped_names():
        return shipped(name)
    path = Path(name)
    if (path / MANIFEST).exists() or path.name == MANIFEST:
        return _of_run(path if path.is_dir() else path.parent)
    if not path.exists():
        if name in merchant_names() or ("/" in name and path.suffix != ".toml"):
            raise RunError(f"{name} is not a run file; an agent is given with --agent {name}")
        advice = near_miss(name, shipped_names(), "`ecbench list models` names the shipped ones")
        raise RunError(f"{name}: there is no such run file; {advice}")
    return _parsed(_content("a run file", path), name)


def _parsed(content: str, location: str) -> Table:
    try:
        read = tomllib.loads(content)
        if is_too_deep(read, DEEPEST_AROUND):
            raise ValueError(f"nested more than {DEEPEST_AROUND} deep")
        stated = _known(read, RunFile)
        if unknown := [key for key in stated.fixed if key.split(".")[0] not in RunFile.__struct_fields__]:
            raise ValueError(f"fixed: there is no key {quoted(unknown[0])}")
    except RecursionError as problem:
        raise RunError(f"{location}: brackets or keys are nested too deep") from problem
    except ValueError as problem:
        raise RunError(f"{location}: {problem}") from problem
    return read


def _known(table: Table, kind: type[Kind]) -> Kind:
    fields = kind.__struct_fields__  # type: ignore[attr-defined]
    if unknown := [key for key in table if key not in fields]:
        advice = near_miss(unknown[0], fields, f"there are {', '.join(fields)}")
        raise ValueError(f"there is no key {quoted(unknown[0])}; {advice}")
    return typed(table, kind)


def _of_run(folder: Path) -> Table:
    """A recorded run as a run file, which repeats it. Raises RunError if only another command can."""
    manifest = open_run(folder).manifest
    of_a_season = manifest.stopping or any(world.year for world in manifest.worlds)
    if command := "arena" if manifest.shared else "fork" if manifest.fork else "season play" if of_a_season else "":
        raise RunError(f"{folder} was made by `ecbench {command}`; repeat it with that command")
    refuse_external(manifest.seats[0].transport)
    return table_of(manifest) | {
        "episodes": manifest.episodes // len(manifest.worlds),
        "budget": to_builtins(manifest.budget) if manifest.budget else {},
    }


def table_of(manifest: Manifest) -> Table:
    """The terms of a run with one seat as a run file states them."""
    [seat] = manifest.seats
    own = dict(seat.model)
    supplier = dict(own.pop("supplier", {}))
    if manifest.model_voice:
        supplier = {"model": manifest.voice, **supplier.pop("model_args", {}), **supplier}
    return {
        "agent": seat.agent,
        "world": [world.source for world in manifest.worlds],
        "world_ids": [world.id for world in manifest.worlds],
        "days": manifest.days,
        "stake": manifest.stake,
        "max_turns": manifest.max_turns,
        "rules": manifest.rule_set,
        "set": manifest.rules,
        "policy": manifest.policy,
        "brief_style": manifest.brief_style,
        "model": {**own.pop("model_args", {}), **own},
        "supplier": supplier,
    }


def model_table(given: ModelOptions) -> Table:
    """-M and --window as the table `[model]`."""
    table = _assigned("-M", given.arguments)
    return {**table, "window": given.window} if given.window else table


def _assigned(flag: str, given: Sequence[str] | None) -> Table:
    """Each KEY=VALUE; a value is JSON or plain text, or @FILE contains it."""
    table: Table = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise RunError(f"{flag} {quoted(text)}: write it as KEY=VALUE")
        if value.startswith("@"):
            value = _content(f"{flag} {name}", Path(value[1:]))
        try:
            table[name] = json.loads(value)
        except (ValueError, RecursionError):
            table[name] = value
    return table


def _content(what: str, path: Path) -> str:
    try:
        return read_file(path, LARGEST_FILE).decode()
    except OSError as error:
        raise RunError(f"{what}: {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RunError(f"{what}: {path} is not UTF-8 text") from error


def model_options(flag: str, table: Mapping[str, Any]) -> Table:
    """The options of a model as a run records them. Raises RunError for one that cannot be read."""
    known = {key: value for key, value in table.items() if key in ModelTable.__struct_fields__}
    arguments = {key: value for key, value in table.items() if key not in known}
    try:
        for key, value in table.items():
            if is_too_deep(value, DEEPEST_AROUND):
                raise ValueError(f"{key} is nested more than {DEEPEST_AROUND} deep")
            if not _is_json(value):
                raise ValueError(f"{key}={quoted(value)}: it holds a value that JSON does not have")
        typed(known, ModelTable)
    except ValueError as problem:
        raise RunError(f"{flag} {problem}") from problem
    options = ({"model_args": arguments} if arguments else {}) | known
    if "window" in known:
        options["window"] = window_terms(known["window"])
    refuse_secrets(options)
    return options


def _is_json(value: Any) -> bool:
    """TOML has dates and infinities, and Python's reader of JSON takes NaN."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError):
        return False
    return True


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise ValueError(f"base_url={quoted(url)}: write it with its scheme, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise ValueError("base_url: the name or password in it would be written into the run folder; leave it out")


def window_terms(window: int | str | Mapping[str, int]) -> Table:
    """The context policy as a run records it. Raises RunError."""
    try:
        return ContextPolicy.parse(window).to_json()
    except ValueError as problem:
        raise RunError(f"--{problem}") from problem


def read_assignments(flag: str, given: Sequence[str] | None, kind: type[Kind]) -> Kind:
    """Options such as --budget dollars=20. Raises RunError for what is not of this kind."""
    try:
        return _known(_assigned(flag, given), kind)
    except ValueError as problem:
        raise RunError(f"{flag}: {problem}") from problem


def read_limits(given: Sequence[str] | None) -> BudgetLimits:
    """--budget dollars=20, tokens=5000000 or hours=8. Raises RunError."""
    return read_assignments("--budget", given, BudgetLimits)


def read_overrides(given: Sequence[str] | None, rules: str = DEFAULT_SET) -> Table:
    """--set KEY=VALUE, to come on top of the named rules; a table may be given in part. Raises RunError."""
    overrides = _assigned("--set", given)
    rules_with(overrides, rules)
    return overrides
