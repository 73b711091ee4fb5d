"""Import the data folder of the published release as a world; its Python module is parsed for literals, never run."""

import ast
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ecbench.world.files import Problem, WorldError, read_sheet, read_text
from ecbench.world.model import World
from ecbench.world.world_folder import CATEGORIES, COLUMNS, PRODUCTS, SUPPLIERS, TABLES, build_world, settings_tables

RELEASE = "release"
HEAD = {"name": RELEASE, "seed": 20260122, "start": "2026-01-01", "days": 365, "origin": RELEASE}
PAPERS_COUNTS = (12, 60, 6_886, 576)  # store types, categories, products, suppliers
CONFIG = "store_type_config.py"
DICTIONARIES = ("MARKET_CAPACITY", "PER_STORE_DEMAND_SCALE", "SEASONALITY", "STORE_PLAYBOOK")

TEMPLATES = {
    "Enthusiastic": "expressive",
    "Friendly": "candid",
    "Unpredictable": "stochastic",
    "Professional": "taciturn",
    "Strategic": "strategic",
    "Tough": "adversarial",
    "Adversarial": "adversarial",
}

# The file of each sheet of a world, and its names of our columns in their order; of suppliers one column more.
SHEETS: Mapping[str, tuple[str, list[str]]] = {
    CATEGORIES: (
        "category_params.csv",
        [
            *("category", "store_type", "default_size", "ref_price_min", "ref_price_max", "monthly_sales_min"),
            *("monthly_sales_max", "return_rate_min", "return_rate_max", "return_rate_description"),
            *("elasticity_type", "elasticity_param", "wholesale_ratio", "cost_floor_ratio", "scam_cap_ratio"),
        ],
    ),
    PRODUCTS: (
        "products.csv",
        ["product_id", "category", "brand", "title", "size", "reference_price", "return_rate"],
    ),
    SUPPLIERS: (
        "suppliers.csv",
        [
            *("supplier_id", "supplier_name", "supplier_email", "personality", "fraud_type", "categories_served"),
            *("bankruptcy_threshold", "supplier_type"),
        ],
    ),
}
# What is read of the sheets whose content world.toml has.
RECORDS: Mapping[str, tuple[str, ...]] = {
    "store_types": ("store_type_id", "store_type_name", "tier", "allowed_categories"),
    "events": ("event_name", "start_date", "duration_days", "demand_effects", "supply_effects", "news_content"),
    "promotions": ("event_name", "periods", "max_demand_multiplier", "elasticity_boost"),
}

# The playbook's own words for the keys of the market overview.
PROSE_KEYS: Mapping[str, tuple[str, ...]] = {
    "profit_potential": ("profit_potential", "potential"),
    "advantage": ("advantage", "store_advantage", "advantages"),
    "strengths": ("strengths", "strength", "pros"),
    "challenges": ("challenges", "challenge", "weaknesses", "cons"),
    "operating_tips": ("operating_tips", "tips", "operation_tips"),
}
SINGLE_TEXTS = ("profit_potential", "advantage")


def import_release(folder: str | Path) -> World:
    """The world in a checkout of the release, or in its data folder. Raises WorldError naming all that is missing."""
    root = Path(folder)
    if not root.is_dir():
        reason = "it is a file" if root.exists() else "there is no such folder"
        raise WorldError(f"no release at {str(folder)!r}: {reason}; give the folder of its checkout", ())
    data = "" if (root / CONFIG).is_file() else "data/"
    problems: list[Problem] = []
    files = {name: f"{data}{name}.csv" for name in TABLES}
    tables = settings_tables(_settings(root, data, problems), files, problems)
    for name, (file, names) in SHEETS.items():
        sheet = read_sheet(root, f"{data}{file}", names, problems, more=True)
        if sheet is not None:
            ours = [column.name for column in COLUMNS[name]]
            sheet.rows = [row | dict(zip(ours, map(row.__getitem__, names))) for row in sheet.rows]
            if name == SUPPLIERS:
                sheet.rows = [_supplier(row) for row in sheet.rows]
        tables[name] = sheet
    return build_world(tables, f"{folder} is not a data folder of the release", problems)


def is_release_catalog(world: World) -> bool:
    """Whether a world is, by its stated origin and its counts, the catalog that the paper's models played."""
    counts = tuple(map(len, (world.store_types, world.categories, world.products, world.suppliers)))
    return world.origin == RELEASE and counts == PAPERS_COUNTS


def _supplier(row: dict[str, str]) -> dict[str, str]:
    """Personalities become templates; a supplier is fraudulent by its type and then always adversarial."""
    kind, personality = row["supplier_type"], row["template"]
    template = {"good": TEMPLATES.get(personality, personality), "bad": "adversarial"}.get(kind, kind)
    scam = (row["scam"] or "none") if kind == "bad" else ""
    return row | {"template": template, "scam": scam, "order_limit": row["order_limit"].removesuffix(".0")}


def _settings(root: Path, data: str, problems: list[Problem]) -> dict[str, Any] | None:
    """Store types, events and promotions as world.toml would contain them."""
    config = _dictionaries(root, f"{data}{CONFIG}", problems)
    sheets = {name: read_sheet(root, f"{data}{name}.csv", RECORDS[name], problems, more=True) for name in RECORDS}
    rows = {
        name: [[row[key] for key in RECORDS[name]] for row in sheet.rows] for name, sheet in sheets.items() if sheet
    }
    if config is None or len(rows) < len(RECORDS):
        return None
    return {
        **HEAD,
        "store_types": [_store_type(config, *row) for row in rows["store_types"]],
        "events": [_event(*row) for row in rows["events"]],
        "promotions": [_promotion(*row) for row in rows["promotions"]],
    }


def _store_type(config: dict[str, Any], key: str, name: str, tier: str, categories: str) -> dict[str, Any]:
    facts = {
        "id": key,
        "name": name,
        "tier": tier,
        "capacity": config["MARKET_CAPACITY"].get(key),
        "demand_scale": config["PER_STORE_DEMAND_SCALE"].get(key),
        "seasonality": _months(config["SEASONALITY"].get(key)),
        "categories": [category.strip() for category in categories.split("|") if category.strip()],
    }
    given = {name: value for name, value in facts.items() if value is not None}
    return given | _prose(config["STORE_PLAYBOOK"].get(key))


def _months(season: Any) -> Any:
    return [season[month] for month in sorted(season)] if isinstance(season, dict) else season


def _prose(playbook: Any) -> dict[str, Any]:
    """What the playbook says under a known key; everything else in it is left out."""
    entries = playbook if isinstance(playbook, dict) else {}
    prose: dict[str, Any] = {}
    for key, names in PROSE_KEYS.items():
        text = next((entries[name] for name in names if name in entries), None)
        lines = [text] if isinstance(text, str) else list(text) if isinstance(text, list | tuple) else []
        lines = [line for line in lines if isinstance(line, str) and line]
        if lines:
            prose[key] = " ".join(lines) if key in SINGLE_TEXTS else lines
    return prose


def _event(name: str, start: str, days: str, demand: str, supply: str, news: str) -> dict[str, Any]:
    """The release's `cost_increase` is left out: no rule reads it there, and none does here."""
    effects = _json(supply)
    event = {"name": name, "start": start[-5:], "days": days, "demand": _json(demand), "news": news}
    if not isinstance(effects, dict):
        return event | {"delay": effects, "delayed": effects}
    delayed = effects.get("affected_categories") or []
    event["delay"] = effects.get("delivery_delay_multiplier", 1.0)
    event["delayed"] = "all" if delayed == ["all"] else delayed
    return event


def _promotion(name: str, periods: str, max_demand: str, elasticity_boost: str) -> dict[str, Any]:
    return {
        "name": name,
        "windows": [period.strip().split(":") for period in periods.split("|")],
        "max_demand": max_demand,
        "elasticity_boost": elasticity_boost,
    }


def _json(text: str) -> Any:
    """A JSON value, or the text itself if it is not one; an empty cell is an empty object."""
    try:
        return json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        return text


def _dictionaries(root: Path, file: str, problems: list[Problem]) -> dict[str, Any] | None:
    text = read_text(root, file, problems)
    if text is None:
        return None
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two of what is nested too deep
        problems.append(Problem(file, f"not a Python module: {error}"))
        return None
    found = dict.fromkeys(DICTIONARIES)
    for statement in module.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(target, ast.Name) and target.id in found:
                with suppress(ValueError, TypeError, RecursionError, MemoryError):  # not a literal, or nested too deep
                    found[target.id] = ast.literal_eval(statement.value)
    mistakes = [name for name, value in found.items() if not isinstance(value, dict)]
    problems += [Problem(file, f"{name} must be a dictionary of plain values") for name in mistakes]
    return None if mistakes else found
