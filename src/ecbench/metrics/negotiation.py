"""Negotiation quality: how much of each bargaining range the buyer kept (app:metrics_d1)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ecbench.metrics.estimators import Report, figure, mean_or_null, mean_or_zero, yuan
from ecbench.metrics.labels import SCAMS
from ecbench.sums import ordered_sum
from ecbench.suppliers.records import Session
from ecbench.suppliers.sessions import Pair
from ecbench.world.supplier_kinds import HONEST


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
        family=(session.template if session.honest else "adversarial").capitalize(),  # as every scam bargains
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
        "supplier_type": "good" if session.honest else "bad",
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


def value_extraction(scores: Sequence[SessionScore]) -> dict[str, float | None]:
    """The headline rates; null without a session to form them from, except the share of critical violations."""
    honest = [s for s in scores if s.honest]
    deals = [s for s in honest if s.agreed]
    fraudulent = [s for s in scores if not s.honest]
    critical = [bool(s.session.critical_violations) for s in scores]
    best = ordered_sum(s.range for s in honest)
    return {
        "AGR+": mean_or_null([s.agreed for s in honest]),
        "SE+": mean_or_null([s.efficiency for s in honest]),
        "CSE+": mean_or_null([s.efficiency for s in deals]),
        "AbsSE+": mean_or_null([s.utility for s in honest]),
        "AbsCSE+": mean_or_null([s.utility for s in deals]),
        "FAGR-": mean_or_null([s.agreed for s in fraudulent]),
        "CritViol": mean_or_zero(critical),
        "%Oracle": figure(100 * ordered_sum(s.utility for s in honest) / best, 2) if best > 0 else None,  # eq:d1_oracle
    }


def average_efficiency(scores: Sequence[SessionScore]) -> float:
    return mean_or_zero([s.efficiency for s in scores if s.agreed])


def by_supplier_type(scores: Sequence[SessionScore]) -> dict[str, dict[str, float]]:
    groups = {name: [s for s in scores if s.honest == honest] for name, honest in (("good", True), ("bad", False))}
    return {name: {"negotiations": len(group), **_deals(group)} for name, group in groups.items()}


def group_by_family(scores: Sequence[SessionScore]) -> dict[str, list[SessionScore]]:
    """Families in order of their first session."""
    families: dict[str, list[SessionScore]] = {}
    for scored in scores:
        families.setdefault(scored.family, []).append(scored)
    return families


def by_family(scores: Sequence[SessionScore]) -> dict[str, dict[str, float]]:
    return {name: {"count": len(group), **_deals(group)} for name, group in group_by_family(scores).items()}


def _deals(scores: Sequence[SessionScore]) -> dict[str, float]:
    return {"deals": sum(s.agreed for s in scores), "avg_efficiency": average_efficiency(scores)}


def deal_counts(scores: Sequence[SessionScore]) -> dict[str, Any]:
    """Counts and money over both kinds of supplier; 0 without a deal."""
    deals = [s for s in scores if s.agreed]
    return {
        "total_negotiations": len(scores),
        "total_deals": len(deals),
        "total_rejections": len(scores) - len(deals),
        "avg_surplus_efficiency": average_efficiency(deals),
        "avg_rounds_to_deal": mean_or_zero([s.session.turns for s in deals], 2),
        "total_money_saved_vs_initial": yuan(ordered_sum(s.saved for s in deals)),
        "total_violations": {
            "critical": sum(len(s.session.critical_violations) for s in scores),
            "secondary": sum(len(s.session.secondary_violations) for s in scores),
        },
    }


def quality(scores: Sequence[SessionScore], learning: dict[str, Any] | None) -> dict[str, Any]:
    """The dimension at a glance; every field is null where no session was concluded."""
    rates = value_extraction(scores)
    counts = deal_counts(scores)
    return {
        "SE+": rates["SE+"],
        "CSE+": rates["CSE+"],
        "%Oracle": rates["%Oracle"],
        "AGR+": rates["AGR+"],
        "avg_rounds_to_deal": counts["avg_rounds_to_deal"] if scores else None,
        "total_money_saved_vs_initial": counts["total_money_saved_vs_initial"] if scores else None,
        "learning_speed": learning,
    }


def unfinished(scores: Sequence[SessionScore], still_open: Sequence[Pair]) -> dict[str, Any]:
    """Sessions without a deal: how many each side ended, and how many were left open."""
    enders = [s.session.closed_by for s in scores if not s.agreed]
    return {
        "ended_by_agent": enders.count("AgentReject"),
        "ended_by_supplier": enders.count("SupplierReject"),
        "abandoned_honest": sum(pair.supplier.honest for pair in still_open),
        "abandoned_fraudulent": sum(not pair.supplier.honest for pair in still_open),
    }


def by_counterpart(scores: Sequence[SessionScore]) -> dict[str, dict[str, Any]]:
    """Honest suppliers by template and fraudulent ones by scam (fig:family_heatmap, tab:presets); all are listed."""
    honest = [s for s in scores if s.honest]
    fraudulent = [s for s in scores if not s.honest]
    return {
        "honest": {name: _dealings([s for s in honest if s.session.template == name]) for name in HONEST},
        "fraudulent": {name: _dealings([s for s in fraudulent if s.session.scam == name]) for name in SCAMS},
    }


def _dealings(scores: Sequence[SessionScore]) -> dict[str, Any]:
    """Sums beside the mean, so that several years can be pooled."""
    deals = [s for s in scores if s.agreed]
    return {
        "sessions": len(scores),
        "deals": len(deals),
        "surplus_sum": figure(ordered_sum(s.efficiency for s in deals)),
        "surplus": mean_or_null([s.efficiency for s in deals]),
        "turns": mean_or_null([s.session.turns for s in deals]),
    }


class Dealings(NamedTuple):
    """With one kind of supplier, over the years of a run; every deal weighs alike."""

    sessions: int
    deals: int
    surplus: float | None  # None without a deal
    turns: float | None


def pooled(reports: Sequence[Report]) -> dict[str, dict[str, Dealings]]:
    """The years of a run together."""
    years = [report["diagnostics"]["by_counterpart"] for report in reports]
    kinds = {"honest": tuple(HONEST), "fraudulent": SCAMS}
    return {
        honesty: {name: _together([year[honesty][name] for year in years]) for name in names}
        for honesty, names in kinds.items()
    }


def _together(years: Sequence[dict[str, Any]]) -> Dealings:
    sessions, deals = (sum(year[count] for year in years) for count in ("sessions", "deals"))
    if not deals:
        return Dealings(sessions, 0, None, None)
    surplus = ordered_sum([year["surplus_sum"] for year in years]) / deals
    turns = ordered_sum([(year["turns"] or 0.0) * year["deals"] for year in years]) / deals
    return Dealings(sessions, deals, surplus, turns)
