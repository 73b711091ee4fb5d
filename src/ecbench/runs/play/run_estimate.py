"""What the models of a run may take, before it is played."""

from collections import Counter
from collections.abc import Iterable

from ecbench.harness.cost_estimate import CostEstimate, estimate_letters, estimate_year
from ecbench.runs.play.model_settings import agent_settings, context_policy, supplier_settings
from ecbench.runs.terms import Terms


def estimate_run(terms: Terms, days: Iterable[int]) -> CostEstimate | None:
    """For episodes of so many days each, all seats and the suppliers' letters; None where no model plays."""
    seats = [seat for seat in terms.seats if seat.asks_model]
    if not seats and not terms.model_voice:
        return None
    total = CostEstimate()
    for length, episodes in Counter(days).items():
        year = CostEstimate()
        for own in seats:
            year += estimate_year(agent_settings(own), context_policy(own), length)
        if terms.model_voice:
            year += estimate_letters(supplier_settings(terms), length)
        total += year.times(episodes)
    return total
