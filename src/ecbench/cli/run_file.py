"""Run files: all that a run can be given, in TOML, from a shipped file, or from the manifest of another run.

Options are read into the same type. What comes later wins: `ecbench run paper gpt-5.5 --agent provider/model`.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import reduce
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, get_args
from urllib.parse import urlsplit

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

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
from ecbench.runs.manifest import refuse_secrets
from ecbench.runs.play.agents import refuse_external
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.json_values import typed
from ecbench.runs.terms import read_overrides, within
from ecbench.world.load import load_world
from ecbench.world.release import is_release_catalog

LARGEST_FILE = 1 << 20  # bytes
SHIPPED = files("ecbench.cli") / "run_files"

Table = dict[str, Any]


class ModelTable(Struct, frozen=True, omit_defaults=True):
    """What we know of the options of a model; every other key is an argument of its provider."""

    base_url: str | None = None
    effort: Effort | None = None
    extra_body: Table | None = None
    max_tokens: Annotated[int, within(MAX_TOKENS)] | None = None
    price: str | None = None
    brief: str | None = None  # another job description; {days} and {stake} are filled in
    window: int | str | dict[str, int] | None = None
    calls: CallStyle | None = None
    attempt_seconds: Annotated[int, within(SECONDS)] | None = None
    give_up_seconds: Annotated[int, within(SECONDS)] | None = None


class RunFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a run file states. None: nothing."""

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
    set: Table | None = None
    policy: str | Table | None = None  # house rules: the name of a policy, a file, or the rules themselves
    brief_style: BriefStyle | None = None
    model: Table | None = None
    supplier: Table | None = None  # its `model` is the name, the rest as in `model`
    budget: BudgetLimits | None = None
    jobs: Annotated[int, within(JOBS)] | None = None
    executor: str | None = None
    doctor: bool | None = None

    def over(self, earlier: "RunFile") -> "RunFile":
        """The earlier one with what this one states. Raises RunError for what one fixes and the other states."""
        own = _stated(self)
        for fixing, other in ((earlier, own), (self, _stated(earlier))):
            if changed := [key for key in dict.fromkeys(fixing.fixed) if _differs(key, other, asdict(fixing))]:
                names = ", ".join(f"--{key}" if "." not in key else key for key in changed)
                title = fixing.title or "the run file"
                raise RunError(f"{title} fixes {names}; leave that out, or write a run file of your own")
        for name in ("set", "model", "supplier"):
            if name in own:
                own[name] = {**(getattr(earlier, name) or {}), **own[name]}
        if "budget" in own:
            own["budget"] = own["budget"].over(earlier.budget)
        if "world" in own and "world_ids" not in own:
            own["world_ids"] = None
        return replace(earlier, **own | {"fixed": earlier.fixed + self.fixed})

    def refuse(self, why: str, *keys: str) -> None:
        """Raise RunError if one of the keys is stated."""
        if stated := [key for key in keys if getattr(self, key) is not None]:
            raise RunError(f"{', '.join(stated)}: {why}")


def _stated(given: RunFile) -> Table:
    return {name: value for name, value in asdict(given).items() if value not in (None, "", ())}


def _differs(key: str, own: Table, fixed: Mapping[str, Any]) -> bool:
    for part in key.split("."):
        if not isinstance(own, Mapping) or part not in own:
            return False
        own, fixed = own[part], (fixed or {}).get(part)  # type: ignore[assignment]
    if key == "world" and isinstance(own, str) and own != fixed:
        return not is_release_catalog(load_world(own))
    return own != fixed


def read_settings(
    game: GameOptions, model: ModelOptions | None = None, supplier: SupplierOptions | None = None, **others: Any
) -> tuple[RunFile, dict[str, str]]:
    """What files and options state together, and the names of the shipped files among them, for the manifest."""
    found, labels = [], dict[str, str]()
    for name in game.files or ():
        read = _named(name)
        found.append(read)
        if name in shipped_names():
            labels["protocol" if read.fixed else "preset"] = name
    stated = {name: getattr(game, name) for name in ("world", "days", "stake", "rules", "policy", "brief_style")}
    given = RunFile(**stated, **others)
    merged = reduce(lambda earlier, later: later.over(earlier), [*found, given], RunFile())
    overrides = read_overrides(game.settings, merged.rules or DEFAULT_SET) if game.settings else None
    tables = RunFile(
        set=overrides,
        model=model_table(model) if model else None,
        supplier=supplier_table(supplier) if supplier else None,
    )
    return tables.over(merged), labels


def shipped_names() -> list[str]:
    """The run files of the package: the paper's protocol, and the eighteen models of its table."""
    return sorted(each.name.removesuffix(".toml") for each in SHIPPED.iterdir() if each.name.endswith(".toml"))


def shipped(name: str) -> RunFile:
    """One of them."""
    return _parsed((SHIPPED / f"{name}.toml").read_text(encoding="utf-8"), name)


def _named(name: str) -> RunFile:
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


def _parsed(content: str, location: str) -> RunFile:
    try:
        read = tomllib.loads(content)
        if is_too_deep(read, DEEPEST_AROUND):
            raise ValueError(f"nested more than {DEEPEST_AROUND} deep")
        _refuse_unknown(read, RunFile, "a run file has")
        if isinstance(limits := read.get("budget"), dict):
            _refuse_unknown(limits, BudgetLimits, "a budget limits", "budget: ")
        stated = typed(read, RunFile)
        if unknown := [key for key in stated.fixed if key.split(".")[0] not in RunFile.__struct_fields__]:
            raise ValueError(f"fixed: there is no key {quoted(unknown[0])}")
        return stated
    except RecursionError as problem:
        raise RunError(f"{location}: brackets or keys are nested too deep") from problem
    except ValueError as problem:
        raise RunError(f"{location}: {problem}") from problem


def _refuse_unknown(table: Table, known: type[Struct], has: str, prefix: str = "") -> None:
    fields = known.__struct_fields__
    if unknown := [key for key in table if key not in fields]:
        advice = near_miss(unknown[0], fields, f"{has} {', '.join(fields)}")
        raise ValueError(f"{prefix}there is no key {quoted(unknown[0])}; {advice}")


def _of_run(folder: Path) -> RunFile:
    """A recorded run as a run file, which repeats it. Raises RunError if only another command can."""
    manifest = open_run(folder).manifest
    if manifest.shared:
        seats = ",".join(seat.agent for seat in manifest.seats)
        raise RunError(f"{folder} is an arena; repeat it with ecbench arena --seats {seats}")
    if manifest.fork:
        raise RunError(f"{folder} is a {manifest.fork.label}; repeat it with ecbench fork")
    if manifest.stopping or any(world.year for world in manifest.worlds):
        raise RunError(f"{folder} is a run of a season; repeat it with ecbench season play")
    [seat] = manifest.seats
    refuse_external(seat.transport)
    own = dict(seat.model)
    supplier = dict(own.pop("supplier", {}))
    if manifest.model_voice:
        supplier = {"model": manifest.voice, **supplier.pop("model_args", {}), **supplier}
    return RunFile(
        agent=seat.agent,
        world=[world.source for world in manifest.worlds],
        world_ids=[world.id for world in manifest.worlds],
        episodes=manifest.episodes // len(manifest.worlds),
        days=manifest.days,
        stake=manifest.stake,
        max_turns=manifest.max_turns,
        rules=manifest.rule_set,
        set=manifest.rules or None,
        policy=manifest.policy or None,
        brief_style=manifest.brief_style,
        model={**own.pop("model_args", {}), **own} or None,
        supplier=supplier or None,
        budget=manifest.budget,
    )


def model_table(given: ModelOptions) -> Table | None:
    """-M and --window as the table `[model]`."""
    table = dict(_assignment("-M", text) for text in given.arguments or ())
    return {**table, "window": given.window} if given.window else table or None


def supplier_table(given: SupplierOptions) -> Table | None:
    """--supplier-model and --supplier-M as the table `[supplier]`."""
    table = dict(_assignment("--supplier-M", text) for text in given.supplier_arguments or ())
    return {"model": given.supplier_model, **table} if given.supplier_model else table or None


def _assignment(flag: str, text: str) -> tuple[str, Any]:
    """key=value; the value is JSON or plain text, or @FILE contains it."""
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or not name.isidentifier():
        example = "dollars=20" if flag == "--budget" else "effort=high"
        raise RunError(f"{flag} {quoted(text)}: write it as key=value, such as {flag} {example}")
    if value.startswith("@"):
        value = _content(f"{flag} {name}", Path(value[1:]))
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        read = value
    return name, read


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
    for key, value in table.items():
        try:
            _check(key, value)
        except ValueError as problem:
            raise RunError(f"{flag} {key}={quoted(value)}: {str(problem).removeprefix(f'{key}: ')}") from problem
    options = ({"model_args": arguments} if arguments else {}) | known
    if "window" in known:
        options["window"] = window_terms(known["window"])
    refuse_secrets(options)
    return options


def _check(key: str, value: Any) -> None:
    """Raises ValueError for a value that its option does not take, or that no manifest could hold."""
    if is_too_deep(value, DEEPEST_AROUND):
        raise ValueError(f"it is nested more than {DEEPEST_AROUND} deep")
    try:
        json.dumps(value, allow_nan=False)  # TOML has dates and infinities, and Python's reader of JSON takes NaN
    except (ValueError, TypeError) as problem:
        raise ValueError("it holds a value that JSON does not have") from problem
    if key == "effort" and value not in (known := get_args(Effort)):
        raise ValueError(f"there are {', '.join(known)}")
    if key in ModelTable.__struct_fields__:
        typed({key: value}, ModelTable)
    if key == "price":
        Price.parse(value)
    elif key == "brief" and not value.strip():
        raise ValueError("the job description is empty")
    elif key == "base_url":
        _check_address(value)


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("write it with its scheme, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise ValueError("the name or password in it would be written into the run folder; leave it out")


def window_terms(window: int | str | Mapping[str, int]) -> Table:
    """The context policy as a run records it. Raises RunError."""
    try:
        if isinstance(window, int | str):
            return ContextPolicy.parse(str(window)).to_json()
        return ContextPolicy.stated(window).to_json()
    except ValueError as problem:
        raise RunError(f"--{problem}") from problem


def read_limits(given: Sequence[str] | None) -> BudgetLimits:
    """--budget dollars=20, tokens=5000000 or hours=8. Raises RunError."""
    stated = dict(_assignment("--budget", text) for text in given or ())
    if unknown := [name for name in stated if name not in BudgetLimits.__struct_fields__]:
        raise RunError(f"--budget {unknown[0]}: a budget limits {', '.join(BudgetLimits.__struct_fields__)}")
    try:
        return typed(stated, BudgetLimits)
    except ValueError as problem:
        raise RunError(f"--budget {problem}") from problem
