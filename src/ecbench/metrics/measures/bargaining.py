"""Negotiation quality and learning over the horizon (app:metrics_d1, app:metrics_d6)."""

from ecbench.metrics.estimators import (
    Field,
    Measure,
    Read,
    Report,
    mean,
    mean_of_population,
    ratio,
    stouffer,
    total,
)
from ecbench.metrics.labels import PERSONALITIES, SCAMS
from ecbench.world.supplier_kinds import HONEST, Template

_COUNTERPART = "diagnostics.by_counterpart"
_UNFINISHED = "diagnostics.unfinished"


def _honest_spend(report: Report) -> float | None:
    spend = report.get("fraud_identification", {}).get("spend_by_good_personality")
    return None if spend is None else sum(spend.values())


def _over_scams(field: str) -> Read:
    """A field of the dealings with each scam, added up."""

    def read(report: Report) -> float | None:
        found = [Field(f"{_COUNTERPART}.fraudulent.{scam}.{field}")(report) for scam in SCAMS]
        known = [value for value in found if value is not None]
        return sum(known) if known else None

    return read


def _surplus(template: Template) -> Measure:
    path = f"{_COUNTERPART}.honest.{template}"
    meaning = f"SE of deals with honest {template} suppliers, deals of all years pooled"
    return ratio(
        f"surplus_{template}",
        "share of the range",
        "higher",
        Field(f"{path}.surplus_sum"),
        Field(f"{path}.deals"),
        "fig:family_heatmap",
        meaning,
    )


def _spend(template: Template) -> Measure:
    path = f"fraud_identification.spend_by_good_personality.{PERSONALITIES[template]}"
    meaning = f"paid to honest {template} suppliers, of all that honest ones were paid"
    return ratio(f"spend_{template}_percent", "%", "", Field(path, 100), _honest_spend, "fig:honest_spend", meaning)


NEGOTIATION = (
    mean(
        "se_plus",
        "share of the range",
        "higher",
        "negotiation.terms_bench_metrics.SE+",
        "eq:d1_se_plus, tab:res_d1",
        "SE of honest sessions, 0 without a deal; SE = (reference price - price) / (reference price - floor)",
    ),
    mean(
        "cse_plus",
        "share of the range",
        "higher",
        "negotiation.terms_bench_metrics.CSE+",
        "eq:d1_se_plus, tab:res_d1",
        "SE of honest deals alone: 1 buys at the floor, 0 at the reference price",
    ),
    mean(
        "oracle_percent",
        "%",
        "higher",
        "negotiation.terms_bench_metrics.%Oracle",
        "eq:d1_oracle, tab:res_d1",
        "yuan a unit won in honest sessions, of what closing each at its floor would win",
    ),
    mean(
        "agreement_rate",
        "share of sessions",
        "higher",
        "negotiation.terms_bench_metrics.AGR+",
        "eq:d1_se_plus, tab:res_d1",
        "honest sessions that ended in a deal, of those concluded",
    ),
    mean(
        "rounds_to_deal",
        "turns",
        "",
        "negotiation_quality.avg_rounds_to_deal",
        "tab:res_d1",
        "turns of either side in a deal, the closing one included",
    ),
    mean(
        "deals",
        "deals",
        "",
        "negotiation.total_deals",
        "tab:res_d1",
        "agreements, those with fraudulent suppliers included",
    ),
    mean(
        "money_saved",
        "¥",
        "higher",
        "negotiation_quality.total_money_saved_vs_initial",
        "app:metrics_d1",
        "opening target less price, a unit of each deal",
    ),
    *(_surplus(template) for template in HONEST),
    ratio(
        "surplus_fraudulent",
        "share of the range",
        "higher",
        _over_scams("surplus_sum"),
        _over_scams("deals"),
        "fig:family_heatmap",
        "SE of deals with fraudulent suppliers against the honest floor, deals of all years pooled",
    ),
    *(_spend(template) for template in HONEST),
    mean(
        "abandoned_honest",
        "sessions",
        "lower",
        f"{_UNFINISHED}.abandoned_honest",
        "sec:res_nego",
        "honest sessions still open when the year was over",
    ),
    mean(
        "abandoned_fraudulent",
        "sessions",
        "",
        f"{_UNFINISHED}.abandoned_fraudulent",
        "sec:res_nego",
        "fraudulent sessions still open when the year was over",
    ),
    mean(
        "ended_by_agent",
        "sessions",
        "",
        f"{_UNFINISHED}.ended_by_agent",
        "sec:res_nego",
        "sessions without a deal that the agent ended",
    ),
    mean(
        "ended_by_supplier",
        "sessions",
        "",
        f"{_UNFINISHED}.ended_by_supplier",
        "sec:res_nego",
        "sessions without a deal that the supplier ended",
    ),
    mean(
        "opening_quotes_taken",
        "deals",
        "lower",
        f"{_UNFINISHED}.opening_quotes_taken",
        "tab:failure_modes",
        "honest deals at or above the supplier's opening target",
    ),
)

_ANCHORING = "negotiation.anchoring"
_LEARNING = "negotiation.learning_speed"

LEARNING = (
    mean_of_population(
        "anchor_ratio",
        "times chance",
        "lower",
        f"{_ANCHORING}.anchor_regret_ratio",
        "eq:d6_z, tab:res_d6",
        "AnchorRegret over its mean with each pair's prices reshuffled; 1 is chance",
    ),
    mean_of_population(
        "anchor_regret",
        "share of the range",
        "lower",
        f"{_ANCHORING}.anchor_regret",
        "eq:d6_regret, tab:res_d6",
        "how far a repeat order lies above the pair's best price so far",
    ),
    mean_of_population(
        "anchor_regret_null",
        "share of the range",
        "",
        f"{_ANCHORING}.anchor_regret_null",
        "eq:d6_null, tab:res_d6",
        "AnchorRegret on average over 400 reshuffles",
    ),
    mean_of_population(
        "new_low_rate",
        "share of re-orders",
        "higher",
        f"{_ANCHORING}.new_low_rate",
        "eq:d6_newlow, tab:res_d6",
        "repeat orders more than 0.01 of the range below the pair's best price so far",
    ),
    mean_of_population(
        "new_low_ratio",
        "times chance",
        "higher",
        f"{_ANCHORING}.new_low_rate_ratio",
        "app:metrics_d6",
        "NewLow over its mean with each pair's prices reshuffled",
    ),
    stouffer(
        "anchor_z",
        "z",
        "higher",
        f"{_ANCHORING}.anchor_regret_z",
        "eq:d6_z, tab:res_d6",
        "(null - AnchorRegret) / spread of the null; beyond 1.96 either way is no chance",
    ),
    stouffer(
        "new_low_z",
        "z",
        "higher",
        f"{_ANCHORING}.new_low_rate_z",
        "app:metrics_d6",
        "(NewLow - null) / spread of the null",
    ),
    total(
        "reorders",
        "orders",
        "",
        f"{_ANCHORING}.sample_size.reorders",
        "tab:res_d6",
        "honest deals behind the first of a pair of supplier and SKU",
    ),
    total(
        "repeat_pairs",
        "pairs",
        "",
        f"{_ANCHORING}.sample_size.repeat_pairs",
        "app:metrics_d6",
        "honest pairs of supplier and SKU dealt with at least twice",
    ),
    mean(
        "surplus_half_lift",
        "share of the range",
        "higher",
        f"{_LEARNING}.se_half_lift",
        "eq:d6_halflift, tab:res_d6",
        "SE of the later half of honest sessions less that of the earlier half",
    ),
    mean(
        "surplus_slope_per_day",
        "share of the range a day",
        "higher",
        f"{_LEARNING}.se_slope_per_day",
        "eq:d6_slope, tab:res_d6",
        "least squares of SE on the day",
    ),
    mean(
        "fraud_half_lift",
        "share of sessions",
        "higher",
        f"{_LEARNING}.fraud_avoidance_lift",
        "eq:d6_fraudlift, tab:res_d6",
        "deals with fraudulent suppliers among the earlier half of sessions less those among the later half",
    ),
    mean(
        "agreement_half_lift",
        "share of sessions",
        "higher",
        f"{_LEARNING}.agr_half_lift",
        "app:metrics_d6",
        "AGR+ of the later half less that of the earlier half",
    ),
    mean(
        "rounds_half_improvement",
        "turns",
        "higher",
        f"{_LEARNING}.rounds_half_improvement",
        "app:metrics_d6",
        "turns of an honest deal in the earlier half less those in the later half",
    ),
)
