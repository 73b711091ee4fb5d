"""Operations execution: what came back and why, and what was shipped in time (app:metrics_d5)."""

from collections import Counter
from typing import Any, NamedTuple

from ecbench.market.books import Books, Parcel
from ecbench.metrics.estimators import share, yuan
from ecbench.rules import SPEEDS, Rules
from ecbench.sums import ordered_sum


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


def return_management(books: Books, rules: Rules) -> dict[str, Any]:
    """The published channels and `controllable_return_rate_corrected`.

    The published speed channel is always zero; the corrected rate compares with reference price and standard freight.
    """
    expected = expected_returns(books.sent, rules)
    shipped = expected.units
    return {
        **_units(books),
        "refund_loss_total": yuan(books.refund_loss),
        "shipping_loss_on_returns": yuan(books.freight_loss),
        "units_shipped": shipped,
        "exp_return_rate": share(expected.total, shipped),
        "exp_return_rate_natural": share(expected.natural, shipped),
        "exp_return_rate_from_pricing": share(expected.pricing, shipped),
        "exp_return_rate_from_ship_speed": share(expected.speed, shipped),
        "exp_return_rate_from_defective_fraud": share(expected.defective, shipped),
        "controllable_return_rate": share(expected.pricing + expected.speed, shipped),
        "controllable_return_rate_corrected": share(expected.controllable_vs_standard, shipped),
        "ship_speed_counts": speed_counts(books.sent),
    }


def fulfilment_quality(books: Books) -> dict[str, Any]:
    """On time means shipped at all: an order that misses its deadline is cancelled (eq:e5_ontime)."""
    return {
        "orders_sold": books.shipment_count,
        "orders_shipped": len(books.sent),
        "orders_cancelled": books.orders_cancelled,
        "on_time_ship_rate": share(len(books.sent), books.shipment_count),
        **_units(books),
        "ship_speed_counts": speed_counts(books.sent),
    }


def _units(books: Books) -> dict[str, float]:
    sold = sum(stock.sold for stock in books.stock.values())
    returned = sum(stock.returned for stock in books.stock.values())
    return {"units_sold": sold, "units_returned": returned, "realized_return_rate": share(returned, sold)}


def speed_counts(sent: list[Parcel]) -> dict[str, int]:
    counts = Counter(parcel.speed for parcel in sent)
    return {speed: counts[speed] for speed in SPEEDS}
