"""The terms that every agent is given in its brief, as figures for a page: minutes of tools, fees, deadlines."""

from dataclasses import dataclass
from typing import Any

from ecbench.harness.brief import BriefStyle, conduct_terms
from ecbench.market.marketplace import Account
from ecbench.tools.catalog import tools_under
from ecbench.tools.statements import STATEMENT_TOOLS


@dataclass(frozen=True, slots=True)
class StatementForm:
    """A tool by which a person states figures."""

    tool: str
    about: str
    fields: dict[str, str]  # what each means, by name


@dataclass(frozen=True, slots=True)
class PlayerTerms:
    """Amounts in yuan, shares between 0 and 1."""

    minutes: dict[str, int]  # of the working day, by tool
    day_minutes: int
    setup_fee: float
    most_stores: int
    commission: float
    escrow_days: int
    ship_deadline_days: int
    freight: dict[str, float]  # standard freight of a unit, by size
    freight_factor: dict[str, float]  # by speed
    storage: dict[str, float]  # of a unit a day, by size
    discounts: tuple[float, float]  # of a promotion: smallest, largest
    idle_charge: float
    idle_grace_days: int
    unpaid_limit: int
    conduct: str  # what the brief says of the platform and the owner; empty unless the rules count conduct
    statements: list[StatementForm]  # likewise


def player_terms(account: Account, style: BriefStyle) -> PlayerTerms:
    rules, conduct = account.rules, account.conduct
    return PlayerTerms(
        minutes={tool.name: tool.minutes for tool in tools_under(rules).values()},
        day_minutes=(rules.closing_hour - rules.opening_hour) * 60,
        setup_fee=rules.setup_fee,
        most_stores=rules.max_stores,
        commission=rules.commission,
        escrow_days=rules.escrow_days,
        ship_deadline_days=rules.ship_deadline_days,
        freight=dict(rules.freight_cost),
        freight_factor=dict(rules.freight_factor),
        storage=dict(rules.storage_rate),
        discounts=(rules.min_discount, rules.max_discount),
        idle_charge=rules.idle_charge,
        idle_grace_days=rules.idle_grace_days,
        unpaid_limit=rules.unpaid_limit,
        conduct=conduct_terms(conduct.house, style) if conduct else "",
        statements=[_form(tool.schema(rules)["function"]) for tool in STATEMENT_TOOLS] if conduct else [],
    )


def _form(schema: dict[str, Any]) -> StatementForm:
    fields = {name: field["description"] for name, field in schema["parameters"]["properties"].items()}
    return StatementForm(schema["name"], schema["description"], fields)
