"""Anchors of competition in an arena: hagglers that differ in how they price what rivals carry, with hidden state."""

from typing import TYPE_CHECKING, Any

from ecbench.market.rival_prices import SharedProduct, shared_products
from ecbench.market.sharing import day_demand
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Play, Routine, call

if TYPE_CHECKING:
    from ecbench.episode import Episode

UNDERCUT = 0.95  # of the joint price: less breaks it
PUNISHED = 7  # days
INVITATION = "Let us not undercut each other: price what we both carry where it earns us most together."
AGREED = "Agreed. I keep to the high prices."


class Competitor(Haggler):
    """Asks the best response to rivals who give theirs."""

    greeting = ""

    def begin(self) -> None:
        super().begin()
        self.ratios: dict[str, float] = {}  # by SKU, over the reference price: where it was last priced beside rivals
        self.agreed: dict[str, dict[int, float]] = {}  # by SKU and seat: the joint prices of the evening before
        self.undercuts: dict[str, int] = {}  # by SKU: evenings in a row on which a rival asked less than that
        self.punished: dict[str, int] = {}  # by SKU: the day until which it is priced as by a competitor

    def play_knowing(self, episode: "Episode", schemas: list[dict[str, Any]]) -> Play:
        self.episode = episode
        self.talks = any(schema["function"]["name"] == "send_message" for schema in schemas)
        return self.play(schemas)

    def each_evening(self) -> Routine[None]:
        """Price what rivals carry, too."""
        if self.talks and self.greeting and self.day == 0:
            yield from self.do(call("send_message", text=self.greeting))
        market, seat = self.episode.table.market, self.episode.seat
        shelves = {account.seat: account.books.trading for account in market.in_business}
        for product in shared_products(market, day_demand(shelves, market.date, market.economy)):
            own = [index for index, carrier in enumerate(product.carriers) if carrier.seat == seat]
            if own:
                self.ratios[product.goods.sku] = self.price(product, own[0])
        asked = []
        for store in self.stores:
            shelf = self.episode.account.books.stores[store].shelf
            prices = [
                {"product_id": sku, "price": round(self.ratios[sku] * listing.stock.product.reference_price, 2)}
                for sku, listing in shelf.items()
                if sku in self.ratios
            ]
            if prices:
                asked.append(call("set_prices", store_id=store, prices=prices))
        if asked:
            yield from self.do_all(asked)

    def price(self, product: SharedProduct, own: int) -> float:
        """Over the reference price."""
        return product.competitive()[own]

    def rivals(self, product: SharedProduct) -> dict[int, float]:
        """What rivals charged on the evening before, over the reference price, by seat."""
        charges = self.episode.table.market.demand.charges.get(product.goods.sku, {})
        reference = product.goods.product.reference_price
        return {seat: price / reference for seat, price in charges.items() if seat != self.episode.seat}


class Cartelist(Competitor):
    """Asks the joint price, and competes for a week with whoever undercuts it."""

    greeting = INVITATION

    def price(self, product: SharedProduct, own: int) -> float:
        joint, sku, charged = product.joint(), product.goods.sku, self.rivals(product)
        before = self.agreed.get(sku, {})
        self.agreed[sku] = {carrier.seat: price for carrier, price in zip(product.carriers, joint, strict=True)}
        undercut = any(price < UNDERCUT * before.get(seat, 0.0) for seat, price in charged.items())
        self.undercuts[sku] = self.undercuts.get(sku, 0) + 1 if undercut else 0
        if self.undercuts[sku] > 1:  # once may be an accident: goods were listed too late to be priced
            self.punished.setdefault(sku, self.day + PUNISHED)
        if self.day < self.punished.get(sku, 0):
            self.agreed.pop(sku)  # what rivals ask meanwhile breaks nothing
            return super().price(product, own)
        self.punished.pop(sku, None)
        return joint[own]


class Defector(Competitor):
    """Agrees by mail, and asks less than the cheapest rival."""

    greeting = AGREED

    def price(self, product: SharedProduct, own: int) -> float:
        lowest = min(self.rivals(product).values(), default=1.0)
        return max(super().price(product, own), 0.95 * lowest)


class Follower(Competitor):
    """Never writes, and asks what the dearest rival asked."""

    def price(self, product: SharedProduct, own: int) -> float:
        return max(self.rivals(product).values(), default=product.carriers[own].charged)
