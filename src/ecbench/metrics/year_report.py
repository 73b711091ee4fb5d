"""One year's report: every dimension under the section and field names of published result files."""

from collections.abc import Sequence
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.metrics.anchoring import anchoring
from ecbench.metrics.counterparts import by_counterpart
from ecbench.metrics.daily import orders_voided
from ecbench.metrics.engagement import funnel, supplier_engagement
from ecbench.metrics.execution import fast_share, fulfilment_of, fulfilment_quality, return_management
from ecbench.metrics.fraud import fraud_identification
from ecbench.metrics.learning import learning_speed
from ecbench.metrics.negotiation import (
    by_family,
    by_supplier_type,
    deal_counts,
    opening_quotes_taken,
    quality,
    unfinished,
    value_extraction,
)
from ecbench.metrics.session_scores import SessionScore, score, session_row
from ecbench.metrics.solvency import liquidity, primary_score, profitability, solvency
from ecbench.suppliers.desk import SupplierDesk


def year_report(account: Account, desk: SupplierDesk) -> dict[str, Any]:
    """JSON-ready, and drawn from the books as they stand: a year that is still running can be read too.

    Published result files hold every section but `score` and `diagnostics`, and every field but
    `return_management.controllable_return_rate_corrected`.
    """
    scores = [score(session) for session in desk.sessions]
    learning = learning_speed(scores)
    fulfilment = fulfilment_of(account.books)
    engagement = supplier_engagement(account, desk.contacted)
    return {
        "score": primary_score(account) | solvency(account),
        "profitability": profitability(account),
        "negotiation_quality": quality(scores, learning),
        "fraud_identification": fraud_identification(account),
        "supplier_engagement": engagement,
        "return_management": return_management(fulfilment, account.rules),
        "fulfilment_quality": fulfilment_quality(fulfilment),
        "negotiation": negotiation_summary(account, desk, scores, learning),
        "diagnostics": {
            "by_counterpart": by_counterpart(scores),
            "unfinished": unfinished(scores, desk.open_sessions)
            | {"opening_quotes_taken": len(opening_quotes_taken(scores))},
            "funnel": funnel(engagement),
            "liquidity": liquidity(account),
            "fulfilment": {"fast_share": fast_share(fulfilment.sent), "orders_voided": orders_voided(account)},
        },
    }


def negotiation_summary(
    account: Account, desk: SupplierDesk, scores: Sequence[SessionScore], learning: dict[str, Any] | None
) -> dict[str, Any]:
    """Counts of the desk, aggregates over concluded sessions, and the sessions themselves in filing order."""
    return {
        "total_orders": sum(desk.orders.values()),
        "suppliers_contacted": len(desk.contacted),
        "suppliers_bankrupt": len(account.closed_suppliers),
        "active_unconcluded": desk.active_sessions,
        **deal_counts(scores),
        "terms_bench_metrics": value_extraction(scores),
        "by_supplier_type": by_supplier_type(scores),
        "by_family": by_family(scores),
        "learning_speed": learning,
        "anchoring": anchoring(desk.sessions),
        "per_negotiation": [session_row(scored) for scored in scores],
    }
