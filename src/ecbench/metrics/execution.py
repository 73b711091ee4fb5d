"""Operations execution: what came back and why, and what was shipped in time (app:metrics_d5).

Expected rates divide by units shipped, realized ones by units sold, each denominator floored at 1.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ecbench.market.books import Books, Parcel
from ecbench.metrics.rounding import figure, share, yuan
from ecbench.rules import SPEEDS, Rules
from ecbench.sums import ordered_sum


@dataclass(slots=True)
class Fulfilment:
    """What was sold, sent, cancelled and returned."""

    orders_sold: int = 0
    orders_cancelled: int = 0
    units_sold: int = 0
    units_returned: int = 0
    refund_loss: float = 0.0
    freight_loss: float = 0.0
    sent: list[Parcel] = field(default_factory=list)


def fulfilment_of(books: Books) -> Fulfilment:
    return Fulfilment(
        orders_sold=books.shipment_count,
        orders_cancelled=books.orders_cancelled,
        units_sold=sum(stock.sold for stock in books.stock.values()),
        units_returned=sum(stock.returned for stock in books.stock.values()),
        refund_loss=books.refund_loss,
        freight_loss=books.freight_loss,
        sent=books.sent,
    )


class ExpectedReturns(NamedTuple):
    """Units expected back, split into the channels that raise the rate (eq:e5_accrual)."""

    units: int = 0
    total: float = 0.0
    natural: float = 0.0
    defective: float = 0.0
    pricing: float = 0.0
    speed: float = 0.0
    controllable_vs_standard: float = 0.0  # pricing and speed together, against the same goods sent by standard freight


def expected_returns(sent: list[Parcel], rules: Rules) -> ExpectedReturns:
    """Over all parcels, which recur, in the order in which they were sent."""
    expected = {parcel: expected_of(parcel, rules) for parcel in set(sent)}
    columns = zip(*map(expected.__getitem__, sent), strict=True)
    return ExpectedReturns._make(map(ordered_sum, columns)) if sent else ExpectedReturns()


def expected_of(parcel: Parcel, rules: Rules) -> ExpectedReturns:
    """Each layer is carried forward under the shipment's own speed and the same cap (eq:e5_carry)."""
    cap, units, rates = rules.return_cap, parcel.goods.quantity, parcel.goods.rates
    factor = rules.speed_return_factor[parcel.speed]
    natural, blended, priced, final = (min(cap, rate * factor) for rate in rates)
    return ExpectedReturns(
        units=units,
        total=units * final,
        natural=units * natural,
        defective=units * max(0.0, blended - natural),
        pricing=units * (priced - blended),
        speed=units * (final - priced),
        controllable_vs_standard=units * (final - min(cap, rates.blended)),
    )


def return_management(fulfilment: Fulfilment, rules: Rules) -> dict[str, Any]:
    """The published channels, and `controllable_return_rate_corrected`, which published result files do not hold.

    The published speed channel compares a shipment with itself and is always zero (the paper says so under
    "What the tier channel records"); the corrected rate compares it with the same goods at the reference price,
    sent by standard freight.
    """
    expected = expected_returns(fulfilment.sent, rules)
    shipped = expected.units
    return {
        "units_sold": fulfilment.units_sold,
        "units_returned": fulfilment.units_returned,
        "realized_return_rate": share(fulfilment.units_returned, fulfilment.units_sold),
        "refund_loss_total": yuan(fulfilment.refund_loss),
        "shipping_loss_on_returns": yuan(fulfilment.freight_loss),
        "units_shipped": shipped,
        "exp_return_rate": share(expected.total, shipped),
        "exp_return_rate_natural": share(expected.natural, shipped),
        "exp_return_rate_from_pricing": share(expected.pricing, shipped),
        "exp_return_rate_from_ship_speed": share(expected.speed, shipped),
        "exp_return_rate_from_defective_fraud": share(expected.defective, shipped),
        "controllable_return_rate": share(expected.pricing + expected.speed, shipped),
        "controllable_return_rate_corrected": share(expected.controllable_vs_standard, shipped),
        "ship_speed_counts": speed_counts(fulfilment.sent),
    }


def fulfilment_quality(fulfilment: Fulfilment) -> dict[str, Any]:
    """On time means shipped at all: an order that misses its deadline is cancelled (eq:e5_ontime)."""
    by_speed = speed_counts(fulfilment.sent)
    shipped = sum(by_speed.values())
    return {
        "orders_sold": fulfilment.orders_sold,
        "orders_shipped": shipped,
        "orders_cancelled": fulfilment.orders_cancelled,
        "on_time_ship_rate": share(shipped, fulfilment.orders_sold),
        "units_sold": fulfilment.units_sold,
        "units_returned": fulfilment.units_returned,
        "realized_return_rate": share(fulfilment.units_returned, fulfilment.units_sold),
        "ship_speed_counts": by_speed,
    }


def speed_counts(sent: list[Parcel]) -> dict[str, int]:
    counts = dict.fromkeys(SPEEDS, 0)
    for parcel in sent:
        counts[parcel.speed] += 1
    return counts


def fast_share(sent: list[Parcel]) -> float | None:
    """Of the shipments, not of their units; null where nothing was sent, so that such a year enters no mean."""
    counts = speed_counts(sent)
    shipped = sum(counts.values())
    return figure(counts["fast"] / shipped) if shipped else None
