"""What the terms of a run say about its models, and what they may take."""

from collections.abc import Iterable, Mapping
from typing import Any

from ecbench.errors import RunError
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.cost_estimate import CostEstimate, estimate_letters, estimate_year
from ecbench.harness.settings import ModelSettings, Price
from ecbench.house_rules import house_rules
from ecbench.runs.terms import SeatTerms, Terms, rules_of
from ecbench.world.model import World

OF_THE_HARNESS = ("supplier", "brief", "window")  # among the options of a model, what is not its provider's business
LETTER_PATIENCE = {"attempt_seconds": 120, "give_up_seconds": 300}  # the template writes what does not come


def agent_settings(seat: SeatTerms) -> ModelSettings | None:
    """The model that our turn loop asks for this seat; None if it asks none."""
    return model_settings(seat.agent, seat.model) if seat.asks_model else None


def supplier_settings(terms: Terms) -> ModelSettings | None:
    """The model that writes the suppliers' letters; None if templates do."""
    return model_settings(terms.voice, LETTER_PATIENCE | terms.supplier_options) if terms.model_voice else None


def models_of(terms: Terms) -> list[ModelSettings]:
    """Every model that is asked under these terms: one for each seat, and the suppliers'."""
    return [each for each in (*map(agent_settings, terms.seats), supplier_settings(terms)) if each is not None]


def context_policy(seat: SeatTerms) -> ContextPolicy:
    return recorded_policy(seat.agent, seat.model.get("window", {}))


def recorded_policy(agent: str, window: Mapping[str, int]) -> ContextPolicy:
    """The context policy that a run records for an agent, in its terms or in a turn."""
    try:
        return ContextPolicy(**window)
    except TypeError as problem:
        raise RunError(f"{agent}: the window of the run cannot be read ({problem})") from problem


def brief_of(terms: Terms, seat: int, world: World, turns_before: int = 0) -> Brief:
    """The terms as the agent reads them; it has the turns that a fork has not used up."""
    brief = Brief(
        days=terms.days,
        stake=terms.stake,
        max_turns=terms.turn_limit(seat) - turns_before,
        policy=context_policy(terms.seats[seat]),
        rules=rules_of(terms),
        rivals=terms.shared,
        house=house_rules(terms.policy),
        style=terms.brief_style,
        wording=terms.seats[seat].model.get("brief"),
    )
    return brief.on(world)


def model_settings(name: str, options: Mapping[str, Any]) -> ModelSettings:
    """From the options as a run records them, a price as `IN,OUT`; what is not the provider's business is left out."""
    known = {name: value for name, value in options.items() if name not in OF_THE_HARNESS}
    price = known.pop("price", None)
    try:
        return ModelSettings(name, price=Price.parse(price) if price else None, **known)
    except (TypeError, ValueError) as problem:
        raise RunError(f"{name}: {problem}") from problem


def estimate_run(terms: Terms, days: Iterable[int]) -> CostEstimate | None:
    """What the models of all seats and of the suppliers may take in episodes of these days; None if no model plays."""
    if not models_of(terms):
        return None
    total, suppliers = CostEstimate(), supplier_settings(terms)
    for length in days:
        for seat in terms.seats:
            if model := agent_settings(seat):
                total += estimate_year(model, context_policy(seat), length)
        if suppliers:
            total += estimate_letters(suppliers, length)
    return total
