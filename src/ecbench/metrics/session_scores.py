"""One concluded bargaining session, scored. Every aggregate is formed from these rounded figures."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ecbench.metrics.labels import family, honesty
from ecbench.metrics.rounding import figure, mean_or_zero
from ecbench.suppliers.records import Session


class SessionScore(NamedTuple):
    """A session and what it was worth to the buyer, per unit; all zero where the two sides never agreed."""

    session: Session
    agreed: bool
    family: str
    utility: float  # reference price less the agreed price
    efficiency: float  # share of the bargaining range left with the buyer (eq:d1_se_session)
    saved: float  # opening target less the agreed price
    range: float  # what an oracle would have won: the whole bargaining range (eq:d1_oracle)

    @property
    def honest(self) -> bool:
        return self.session.honest

    @property
    def day(self) -> int:
        return self.session.day_concluded


def score(session: Session) -> SessionScore:
    agreed = session.outcome == "Agreement"
    price = session.final_price if agreed else None
    width = session.reference_price - session.floor
    utility = 0.0 if price is None else session.reference_price - price
    saved = 0.0 if price is None else session.opening_target - price
    return SessionScore(
        session=session,
        agreed=agreed,
        family=family(session.template, honest=session.honest),
        utility=figure(utility),
        efficiency=figure(utility / width) if width > 0 else 0.0,
        saved=figure(saved),
        range=max(0.0, width),
    )


def by_day(scores: Sequence[SessionScore]) -> list[SessionScore]:
    """In order of conclusion; sessions of one day keep the order in which they were filed."""
    return sorted(scores, key=lambda s: s.day)


def mean_step(prices: Sequence[float]) -> float:
    """Mean signed difference of consecutive prices of one side; 0 below two prices."""
    return mean_or_zero([after - before for before, after in pairwise(prices)])


def session_row(scored: SessionScore) -> dict[str, Any]:
    """A session as the report lists it."""
    session = scored.session
    return {
        "supplier_name": session.supplier,
        "sku_id": session.sku,
        "supplier_type": honesty(session.honest),
        "supplier_family": scored.family,
        "rounds": session.turns,
        "outcome": session.outcome,
        "final_price": session.final_price,
        "reference_price": session.reference_price,
        "cost_floor": session.floor,
        "initial_offer": session.opening_target,
        "agent_utility": scored.utility,
        "surplus_efficiency": scored.efficiency,
        "money_saved_vs_initial": scored.saved,
        "agent_concession_rate": mean_step(session.agent_prices),
        "supplier_concession_rate": mean_step(session.supplier_prices),
        "critical_violations": list(session.critical_violations),
        "secondary_violations": list(session.secondary_violations),
        "terminated_by": session.closed_by,
        "day_started": session.day_opened,
        "day_concluded": session.day_concluded,
    }
