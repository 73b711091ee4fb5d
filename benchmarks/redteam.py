"""Every known exploit as a merchant, under `paper` and `fair`, against the same merchant without it; and what a seat of
an arena can do to another that it wants to harm.

    python benchmarks/redteam.py                   print the tables
    python benchmarks/redteam.py docs/studies.md   put them into the page too, between its marks

A gain is the mean over fresh worlds of the logarithm of final assets, exploit less plain shop, as a percentage.
Exploits that read hidden state know what the source code and a public world reveal. Options: --jobs 2. It takes ten
minutes of one core.
"""

from collections.abc import Iterator
from functools import cache
from math import exp, log
from statistics import fmean
from typing import Any, NamedTuple

from attacks import ATTACKS, STARVATION, attack
from doc_tables import in_processes, markdown_table, options_of, publish
from shops import Buyer, Change, Changed, Make, bargain, before_night, haggler, offers_to
from shortcuts import FloorHaggler, KernelHaggler

from ecbench import Episode, load_world
from ecbench.market.calendar import is_running
from ecbench.players.driver import play_year
from ecbench.players.merchants.corner_shop import PLAIN
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Call, Merchant, Play, Reply, Routine, call
from ecbench.players.merchants.supplier_letters import clause
from ecbench.quantiles import mean_interval
from ecbench.tools.catalog import WAIT

RULES = ("paper", "fair")
SEEDS, SALT = range(4401, 4405), "8d" * 16
DISCOUNT = 0.30
PROBES = tuple(share / 100 for share in range(20, 90, 3))  # of the reference price, in one letter
DEAR_CATEGORY = "Hardware & Tools"  # its store serves thousands of customers a day
REVALUED, ROUNDS = 3_000, 2  # cheap units of a round
SHARE_OF_BANK = 0.8  # for the one dear unit
NEARLY_NOTHING, UNSALEABLE = 1e-4, 1e9  # yuan
PATIENCE = 60  # days, or letters, before an attempt counts as failed
VICTIMS = ("first-quote", "haggler", "steady")


def raise_prices(year: Episode) -> Iterator[Call]:
    """Join a promotion after raising prices by what the discount takes off."""
    account = year.account
    today = account.market.date
    running = [one for one in account.world.promotions if is_running(one, today)]
    price = PLAIN.price / (1 - DISCOUNT if running else 1)
    for store in account.books.trading:
        if running and (store.enrolment is None or store.enrolment.promotion is not running[0]):
            yield call("join_promotion", store_id=store.id, event_name=running[0].name, discount_rate=DISCOUNT)
        listed = [each for each in store.shelf.values() if each.quantity]
        if listed:
            plan = [{"product_id": each.sku, "price": price * each.stock.product.reference_price} for each in listed]
            yield call("set_prices", store_id=store.id, prices=plan)


def probes(_year: Episode) -> Merchant:
    """Bids for no unit, dozens in one letter, tell what a supplier accepts; then that is bid."""

    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        accepted = dict[str, tuple[float, int]]()
        for sku, units in wants.items():
            bids = [clause("offer", sku, round(share * own.reference(sku), 2), 0) for share in PROBES]
            reply, _ = yield from own.write(address, bids)
            answers = reply.get("negotiation_responses", ())
            agreed = [row["agreed_price"] for row in answers if row.get("decision") == "Accept"]
            if agreed:
                accepted[sku] = min(agreed), units
        if not accepted:
            return (yield from bargain(own, address, wants))
        offers = [clause("offer", sku, *bid) for sku, bid in accepted.items()]
        return bool((yield from own.write(address, offers))[1])

    return Buyer(buy)


class Revaluer:
    """Revalued stock: the one way to make money that has nothing to do with customers.

    A SKU's cost is the mean over the units at hand. Units that were sold and not shipped are away, and take over
    whatever the mean has become when their orders are cancelled. Selling off a store then pays a tenth of that for each
    of them. Suppliers known to be honest only spare the play some letters; nothing else here is hidden from an agent.
    """

    def play_knowing(self, year: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year = year
        self.product = min(year.world.products_by_category[DEAR_CATEGORY], key=lambda product: product.reference_price)
        supply = year.account.rules.weekly_supply
        for _ in range(ROUNDS):
            yield from self.play_round(supply // 4 if supply else REVALUED)

    def play_round(self, units: int) -> Routine[None]:
        """As many cheap units as a supplier delivers at once, and one dear one."""
        world, reference = self.year.world, self.product.reference_price
        kind = world.category_by_name[DEAR_CATEGORY].store_type
        honest = [seller.email for seller in world.suppliers_by_category[DEAR_CATEGORY] if seller.honest]
        store = (yield from self.ask("open_store", store_type=kind, store_name="Loophole"))["store_id"]
        yield from self.order(honest[0], reference, units)
        for _ in range(PATIENCE):
            if self.units("physical") >= units:
                break
            yield from self.ask(WAIT)
        before = self.units("delivered")
        highest = self.year.account.rules.highest_bid * reference
        yield from self.order(honest[1], round(min(self.year.bank * SHARE_OF_BANK, highest), 2), 1)
        for _ in range(PATIENCE):
            if self.units("delivered") > before:
                break
            yield from self.publish(store, NEARLY_NOTHING)  # and never ship
            yield from self.ask(WAIT)
        for _ in range(PATIENCE):
            if self.units("physical") >= units:
                break
            yield from self.ask(WAIT)
        yield from self.publish(store, UNSALEABLE)
        yield from self.ask("close_store", store_id=store, liquidate=True)

    def ask(self, tool: str, **arguments: Any) -> Routine[Reply]:
        [reply] = yield [call(tool, **arguments)]
        return reply

    def order(self, address: str, price: float, quantity: int) -> Routine[None]:
        for _ in range(PATIENCE):
            [reply] = yield [offers_to(address, {self.product.sku: (price, quantity)})]
            if reply.get("order_confirmed"):
                return

    def units(self, which: str) -> int:
        stock = self.year.account.books.stock.get(self.product.sku)
        return int(getattr(stock, which)) if stock else 0

    def publish(self, store: str, price: float) -> Routine[None]:
        if free := self.units("free"):
            plan = [{"product_id": self.product.sku, "quantity": free, "retail_price": price}]
            yield from self.ask("publish_to_store", store_id=store, plan=plan)


class Exploit(NamedTuple):
    make: Make = haggler
    change: Change = lambda _year, calls: calls
    world: str = ""  # if it is played on this one alone


EXPLOITS = {
    "Revalued stock: one dear unit lifts the salvage of cheap ones, on `default`": Exploit(
        lambda _year: Revaluer(), world="default"
    ),
    "Probe: dozens of bids for no unit in one letter find floors": Exploit(probes),
    "Floors as 2 x opening - reference": Exploit(lambda _year: FloorHaggler()),
    "Kernels computed from names, which tell cheats and floors": Exploit(lambda _year: KernelHaggler()),
    "Promotions joined at raised prices": Exploit(change=before_night(raise_prices)),
}
STARVED = "Starvation: small orders close a rival's suppliers (what the rival, `haggler`, gains)"


@cache
def ends_with(make: Make, change: Change, rules: str, world: str) -> float:
    year = Episode(load_world(world), rules=rules)
    play_year(Changed(make, change), year)
    return max(1.0, year.bank + year.wallet)


def gain(name: str, rules: str, seed: int) -> float:
    """The logarithm of what the exploit ends with over what the shop without it does."""
    world = f"seed-{seed}:{SALT}"
    if name == STARVED:
        harm = attack(world, "haggler", STARVATION, rules)
        return log(max(1.0, harm.after) / harm.before)
    exploit = EXPLOITS[name]
    own = ends_with(exploit.make, exploit.change, rules, exploit.world or world)
    return log(own / ends_with(haggler, Exploit().change, rules, exploit.world or world))


def shown(gaps: list[float]) -> str:
    if fmean(gaps) > log(10):
        return f"{exp(fmean(gaps)):,.0f} times"
    mean, low, high = (
        f"{100 * (exp(value) - 1):+.0f}" for value in (fmean(gaps), *(mean_interval(gaps) or (0.0, 0.0)))
    )
    return f"{mean}%" if low == high else f"{mean}% ({low} to {high})"


def exploits_table(jobs: int) -> str:
    tasks = [(name, rules, seed) for name in (*EXPLOITS, STARVED) for rules in RULES for seed in SEEDS]
    gains = dict(zip(tasks, in_processes(gain, tasks, jobs), strict=True))
    table = [
        [name, *(shown([gains[name, rules, seed] for seed in SEEDS]) for rules in RULES)]
        for name in (*EXPLOITS, STARVED)
    ]
    head = ["Gain of an exploit (95% interval)", *(f"`{name}`" for name in RULES)]
    return f"{len(SEEDS)} fresh worlds, seeds {SEEDS[0]} to {SEEDS[-1]}.\n\n{markdown_table(head, table)}"


def attacks_table(jobs: int) -> str:
    tasks = [("default", victim, name, "paper") for name in ATTACKS for victim in VICTIMS]
    table = []
    for (_, victim, name, _), harm in zip(tasks, in_processes(attack, tasks, jobs), strict=True):
        amounts = (f"{amount / 1e6:.2f}" for amount in (harm.before, harm.after, harm.cost))
        table.append([name, f"`{victim}`", *amounts, harm.ending or ""])
    head = ("Attack", "Victim", "Undisturbed, ¥ million", "Attacked", "Cost to the attacker",
            "The victim's year ended by")  # fmt: skip
    return markdown_table(head, table)


def main() -> None:
    options = options_of(__doc__, jobs=2)
    publish("redteam", exploits_table(options.jobs), options.pages)
    publish("spite", attacks_table(options.jobs), options.pages)


if __name__ == "__main__":
    main()
