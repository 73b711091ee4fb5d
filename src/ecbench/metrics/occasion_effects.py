"""What the public would have asked of a store without a promotion or an event: the demand model, inverted.

Demand is wish x gamma x crowding (`market/demand.py`). The units that a day asked for and its crowding give the wishes.
Each is multiplied by what the occasion changed, and saturated anew. Reputation and rivals stay as they were.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ecbench.market.demand import offer_on, price_response, saturation
from ecbench.market.economy import Capacity
from ecbench.rules import Rules
from ecbench.world.model import Category, Promotion


class Asked(NamedTuple):
    """Units of one SKU that a day asked for, and what its wish is multiplied by without the occasion."""

    category: str
    units: int
    factor: float


def asked_without(asked: Sequence[Asked], crowding: float, capacity: Capacity) -> list[float]:
    """Units that the same day would have asked for, in the order given."""
    wishes = [each.units / crowding for each in asked]  # after the saturation of their categories
    changed = [wish * each.factor for wish, each in zip(wishes, asked, strict=True)]
    if capacity.category is not None:
        for name in {each.category for each in asked}:
            served = sum(wish for wish, each in zip(wishes, asked, strict=True) if each.category == name)
            wanted = sum(wish for wish, each in zip(changed, asked, strict=True) if each.category == name)
            gamma = max(1.0 - served / capacity.category, 1e-9)  # eq:app_saturation, solved for it
            share = saturation(capacity.category, wanted / gamma) / gamma
            changed = [
                wish * share if each.category == name else wish for wish, each in zip(changed, asked, strict=True)
            ]
    whole_store = capacity.store * (1.0 - crowding) / crowding  # with what was not sold, and with rivals
    share = saturation(capacity.store, max(whole_store - sum(wishes), 0.0) + sum(changed))
    return [wish * share for wish in changed]


def without_promotion(
    promotion: Promotion, discount: float, day: date, category: Category, listed: float, reference: float, rules: Rules
) -> float:
    """What a wish is multiplied by without the promotion, at the price without its discount."""
    offer = offer_on(promotion, discount, day, rules)
    with_it = offer.traffic * price_response(category, (1.0 - discount) * listed, reference, offer.boost, rules)
    return price_response(category, listed, reference, 1.0, rules) / with_it if with_it else 1.0
