"""The news of mornings in words, as the notifications of a reply."""

from ecbench.market.books import PurchaseOrder
from ecbench.market.marketplace import iso
from ecbench.market.news import DayNews, EventBegan, GoodsDelivered, IdleCharged, News, OrdersCancelled
from ecbench.number_words import amount

NEWS_LENGTH = 200
TITLE_LENGTH = 60


def notifications(days: list[DayNews]) -> list[dict[str, object]]:
    """The notices of some mornings, as a reply carries them."""
    return [{"date": iso(day.date), "day": day.day, "news": [_item(news) for news in day.items]} for day in days]


def _item(news: News) -> dict[str, str]:
    kind, content = _words(news)
    return {"type": kind, "content": content[:NEWS_LENGTH]}


def _words(news: News) -> tuple[str, str]:
    if isinstance(news, GoodsDelivered):
        return "delivery", "Delivered to your warehouse: " + "; ".join([_delivery(order) for order in news.orders])
    if isinstance(news, EventBegan):
        return "event", news.event.news
    if isinstance(news, OrdersCancelled):
        orders = "1 order was" if news.orders == 1 else f"{news.orders} orders were"
        fee = f" The platform charged a fee of ¥{news.fee:,.2f}." if news.fee else ""
        return "fulfilment", f"{orders} not shipped in time and cancelled; the units are back in the warehouse.{fee}"
    if isinstance(news, IdleCharged):
        return "penalty", f"No store is open: an idle charge of ¥{amount(news.amount)} was taken from the bank."
    return "promotion", f"The {news.promotion.name} is open to merchants: join with join_promotion."


def _delivery(order: PurchaseOrder) -> str:
    title = order.product.title[:TITLE_LENGTH] if order.product else ""
    return f"{order.delivered} x {title} from {order.supplier}"
