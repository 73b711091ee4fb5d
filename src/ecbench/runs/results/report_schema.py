"""What is read of `metrics.json`, and of which type."""

from msgspec import Struct

from ecbench.players.turn import Count, Money


class Profitability(Struct):
    """Of `metrics.json`: the money."""

    initial_balance: Money
    final_balance: Money
    bankrupt: bool


class ScoreRecord(Struct):
    """Of `metrics.json`: what falls and rises."""

    drawdown_over_peak: Money | None


class FraudIdentification(Struct):
    """Of `metrics.json`: what went to cheats."""

    spend_on_bad_supplier_share: Money


class ReturnManagement(Struct):
    """Of `metrics.json`: what came back."""

    controllable_return_rate: Money


class TermsBench(Struct, rename={"cse_plus": "CSE+"}):
    """Of `metrics.json`: how well was bargained."""

    cse_plus: Money | None


class Anchoring(Struct):
    """Of `metrics.json`: repeat orders."""

    anchor_regret_ratio: Money | None


class Negotiation(Struct):
    """Of `metrics.json`: bargaining as a whole."""

    terms_bench_metrics: TermsBench
    anchoring: Anchoring | None


class RetryTotal(Struct):
    """Retried requests of one kind."""

    count: Count
    seconds: Money


class RunSection(Struct):
    """Of `metrics.json`: how the year was played."""

    turns: Count
    tool_calls: Count
    model_seconds: Money
    usage: dict[str, Money]
    supplier_usage: dict[str, Money]
    retries: dict[str, RetryTotal]
    supplier_retries: dict[str, RetryTotal]
    supplier_lines: Count
    supplier_fallbacks: dict[str, Count]


class YearReport(Struct):
    """What the axes of a run and its bill read of `metrics.json`."""

    profitability: Profitability
    score: ScoreRecord
    fraud_identification: FraudIdentification
    return_management: ReturnManagement
    negotiation: Negotiation
    run: RunSection
