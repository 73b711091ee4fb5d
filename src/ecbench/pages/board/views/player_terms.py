"""The terms that every agent is given in its brief, as figures for a page: minutes of tools, fees, deadlines."""

from typing import Any

from ecbench.harness.brief import BriefStyle, conduct_terms
from ecbench.market.marketplace import Account
from ecbench.tools.catalog import tools_under
from ecbench.tools.statements import STATEMENT_TOOLS


def player_terms(account: Account, style: BriefStyle) -> dict[str, Any]:
    """Amounts in yuan, shares between 0 and 1. `conduct` and `statements` are empty unless the rules count conduct."""
    rules, conduct = account.rules, account.conduct
    return {
        "minutes": {tool.name: tool.minutes for tool in tools_under(rules).values()},
        "day_minutes": (rules.closing_hour - rules.opening_hour) * 60,
        "setup_fee": rules.setup_fee,
        "most_stores": rules.max_stores,
        "commission": rules.commission,
        "escrow_days": rules.escrow_days,
        "freight": dict(rules.freight_cost),
        "freight_factor": dict(rules.freight_factor),
        "discounts": (rules.min_discount, rules.max_discount),
        "unpaid_limit": rules.unpaid_limit,
        "conduct": conduct_terms(conduct.house, style) if conduct else "",
        "statements": [_form(tool.schema(rules)["function"]) for tool in STATEMENT_TOOLS] if conduct else [],
    }


def _form(schema: dict[str, Any]) -> dict[str, Any]:
    """A tool by which a person states figures: what it is for, and what each figure means."""
    fields = {name: field["description"] for name, field in schema["parameters"]["properties"].items()}
    return {"tool": schema["name"], "about": schema["description"], "fields": fields}
