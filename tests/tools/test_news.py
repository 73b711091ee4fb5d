"""The news of mornings in words: every kind of notice, and how long it may be."""

from datetime import date
from types import MappingProxyType

from ecbench.market.filed import PurchaseOrder
from ecbench.market.journal import (
    DayNews,
    EventBegan,
    GoodsDelivered,
    IdleCharged,
    News,
    OrdersCancelled,
    PromotionAnnounced,
)
from ecbench.tools.batch import notifications
from ecbench.world.fields import MonthDay
from ecbench.world.model import Event, Product, Promotion


def notice(news: News) -> tuple[str, str]:
    """Its kind and its words, on the eighth of January."""
    [day] = notifications([DayNews(date(2026, 1, 8), 7, [news])])
    assert (day["date"], day["day"]) == ("2026-01-08", 7)
    assert isinstance(day["news"], list)
    [item] = day["news"]
    return item["type"], item["content"]


def event(news: str) -> EventBegan:
    return EventBegan(Event("Fog", MonthDay(1, 8), 1, MappingProxyType({}), 1.0, None, news))


def bought(title: str, delivered: int) -> PurchaseOrder:
    product = Product("a1", "Pots", "Ato", title, "Small", 100.0, 0.1)
    return PurchaseOrder(1, 0, 480, "North Pots", product, 9, 1.0, 9.0, delivered, False, 480)


def test_news_end_after_two_hundred_characters() -> None:
    assert notice(event("a" * 200)) == ("event", "a" * 200)
    assert notice(event("a" * 199 + "bc")) == ("event", "a" * 199 + "b")
    assert len(notice(GoodsDelivered(tuple([bought("A pot", 9)] * 20)))[1]) == 200


def test_a_delivery_says_what_came_and_not_what_was_ordered() -> None:
    delivered = GoodsDelivered((bought("Clay pot", 6), bought("t" * 61, 2)))
    words = f"Delivered to your warehouse: 6 x Clay pot from North Pots; 2 x {'t' * 60} from North Pots"
    assert notice(delivered) == ("delivery", words)


def test_cancelled_orders_are_counted_in_words_that_fit_their_number() -> None:
    rest = "not shipped in time and cancelled; the units are back in the warehouse."
    assert notice(OrdersCancelled(1, 0.0)) == ("fulfilment", f"1 order was {rest}")
    assert notice(OrdersCancelled(2, 0.0)) == ("fulfilment", f"2 orders were {rest}")
    assert notice(OrdersCancelled(2, 1234.5))[1] == f"2 orders were {rest} The platform charged a fee of ¥1,234.50."


def test_an_idle_charge_and_a_promotion_have_a_kind_of_their_own() -> None:
    assert notice(IdleCharged(1_000.0))[0] == "penalty"
    assert "¥1,000 " in notice(IdleCharged(1_000.0))[1]
    kind, words = notice(PromotionAnnounced(Promotion("Spring Days", ((MonthDay(3, 4), MonthDay(3, 8)),), 2.5, 1.8)))
    assert kind == "promotion" and "Spring Days" in words
    assert not any(sign.isdigit() for sign in words), "neither its dates nor its size"
