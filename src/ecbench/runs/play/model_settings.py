"""What the terms of a run say about its models."""

from collections.abc import Mapping
from typing import Any

from ecbench.errors import RunError
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.settings import ModelSettings, Price
from ecbench.runs.terms import SeatTerms, Terms, rules_of
from ecbench.world.model import World

OF_THE_HARNESS = ("supplier", "brief", "window")  # among the options of a model, what is not its provider's business
LETTER_PATIENCE = {"attempt_seconds": 120, "give_up_seconds": 300}  # the template writes what does not come


def agent_settings(seat: SeatTerms) -> ModelSettings:
    return model_settings(seat.agent, seat.model)


def supplier_settings(terms: Terms) -> ModelSettings:
    return model_settings(terms.voice, LETTER_PATIENCE | terms.supplier_options)


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
