"""Operations execution: what came back and why, and what was shipped in time (app:metrics_d5).

Expected rates divide by units shipped, realized ones by units sold, each denominator floored at 1.
"""

from typing import Any

from ecbench.market.books import Fulfilment
from ecbench.metrics.figures import share, yuan


def return_management(tally: Fulfilment) -> dict[str, Any]:
    """The published channels, and `controllable_return_rate_corrected`, which published result files do not hold.

    The published speed channel compares a shipment with itself and comes out at zero (the paper says so under
    "What the tier channel records"); the corrected one compares it with the same shipment sent by standard freight.
    """
    shipped = tally.units_shipped
    return {
        "units_sold": tally.units_sold,
        "units_returned": tally.units_returned,
        "realized_return_rate": share(tally.units_returned, tally.units_sold),
        "refund_loss_total": yuan(tally.refund_loss),
        "shipping_loss_on_returns": yuan(tally.freight_loss),
        "units_shipped": shipped,
        "exp_return_rate": share(tally.expected, shipped),
        "exp_return_rate_natural": share(tally.expected_natural, shipped),
        "exp_return_rate_from_pricing": share(tally.expected_pricing, shipped),
        "exp_return_rate_from_ship_speed": share(tally.expected_speed, shipped),
        "exp_return_rate_from_defective_fraud": share(tally.expected_defective, shipped),
        "controllable_return_rate": share(tally.expected_pricing + tally.expected_speed, shipped),
        "controllable_return_rate_corrected": share(tally.expected_pricing + tally.expected_speed_vs_standard, shipped),
        "ship_speed_counts": dict(tally.by_speed),
    }


def fulfilment_quality(tally: Fulfilment) -> dict[str, Any]:
    """On time means shipped at all: an order that misses its deadline is cancelled (eq:e5_ontime)."""
    return {
        "orders_sold": tally.orders_sold,
        "orders_shipped": tally.orders_shipped,
        "orders_cancelled": tally.orders_cancelled,
        "on_time_ship_rate": share(tally.orders_shipped, tally.orders_sold),
        "units_sold": tally.units_sold,
        "units_returned": tally.units_returned,
        "realized_return_rate": share(tally.units_returned, tally.units_sold),
        "ship_speed_counts": dict(tally.by_speed),
    }
