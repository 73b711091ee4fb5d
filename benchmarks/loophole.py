"""A search for loopholes: random and evolved programs of calls, played over short years under `fair`.

    python benchmarks/loophole.py --years 2000 --state search.json                    play so many years, and print
    python benchmarks/loophole.py --years 0 --state search.json docs/studies.md      write the table of what was played

A program is a list of genes, each a call with numbers that runs on some days. One population may do everything. Two
never ship, so that they cannot earn from customers: money beyond the stake would be a loophole, and so would more
salvage and closing value than the purchases have cost, by which the third is bred. The state file holds all of them and
is written after every generation, so that a search can be stopped and continued.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish
from offer_letters import offer_letter

from ecbench import Episode, load_world
from ecbench.market.calendar import is_running, starts_within
from ecbench.market.ledger import PROCUREMENT, SALVAGE
from ecbench.players.driver import play_year
from ecbench.players.merchants.protocol import Call, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.model import Product, World

RULES, SALT, DAYS = "fair", "8d1f6c3a5b7e9024", 60
SURVIVORS, CHILDREN = 24, 48  # of a population, in a generation
FEWEST_GENES, MOST_GENES = 4, 16
NUMBERS = 7  # of a gene, each from 0 to 1
PER_LETTER, MOST_GOODS = 12, 25
LEAST_BOUGHT = 1_000.0  # yuan, below which money back says nothing


class Gene(NamedTuple):
    action: str
    first: int  # day
    last: int
    every: int  # days
    numbers: tuple[float, ...]


Program = tuple[Gene, ...]


@cache
def world() -> World:
    return replace(load_world("default"), salt=SALT)


def picked(values: Sequence[Any], number: float) -> Any:
    return values[min(len(values) - 1, int(number * len(values)))]


def ratio_of(number: float) -> float:
    """Of the reference price: half of all numbers lie between 0.4 and 6, the others reach from 1e-9 to 1e6."""
    if number < 0.5:
        return float(0.4 * 15 ** (number * 2))
    return float(10 ** (-9 + 15 * (number - 0.5) * 2))


def open_one(_year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    yield call("open_store", store_type=picked(world().store_types, numbers[0]).id, store_name="A store")


def close_one(year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    if year.account.books.trading:
        store = picked(year.account.books.trading, numbers[0])
        yield call("close_store", store_id=store.id, liquidate=numbers[1] < 0.5)


def buy(year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    """Some goods of a category of an open store, from any of its suppliers, as one line or as many for each SKU."""
    if not year.account.books.trading:
        return
    category = picked(picked(year.account.books.trading, numbers[0]).type.categories, (numbers[0] * 97) % 1)
    goods = sorted(world().products_by_category[category], key=lambda product: product.reference_price)
    count = 1 + int(numbers[1] * min(MOST_GOODS, len(goods) - 1))
    chosen: list[Product] = goods[:count] if numbers[2] < 0.5 else goods[-count:]
    units, lines = int(10 ** (3.5 * numbers[4])), 10 if numbers[6] > 0.9 else 1
    supplier = picked(world().suppliers_by_category[category], numbers[5])
    ratio = 0.3 + 1.3 * numbers[3]
    offers = [
        (product.sku, round(ratio * product.reference_price, 2), max(1, units // lines))
        for product in chosen
        for _ in range(lines)
    ]
    for first in range(0, len(offers), PER_LETTER):
        yield offer_letter(supplier.email, offers[first : first + PER_LETTER])


def put_out(year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    for store in year.account.books.trading:
        plan = [
            {
                "product_id": sku,
                "quantity": max(1, int(held.free * numbers[1])),
                "retail_price": ratio_of(numbers[0]) * held.product.reference_price,
            }
            for sku, held in year.account.books.stock.items()
            if held.free and held.product.category in store.type.categories
        ]
        if plan:
            yield call("publish_to_store", store_id=store.id, plan=plan)


def price(year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    for store in year.account.books.trading:
        prices = [
            {"product_id": sku, "price": ratio_of(numbers[0]) * listing.stock.product.reference_price}
            for sku, listing in store.shelf.items()
        ]
        if prices:
            yield call("set_prices", store_id=store.id, prices=prices)


def take_back(year: Episode, _numbers: Sequence[float]) -> Iterator[Call]:
    for store in year.account.books.trading:
        items = [{"product_id": sku, "quantity": held.quantity} for sku, held in store.shelf.items() if held.quantity]
        if items:
            yield call("return_to_warehouse", store_id=store.id, items=items)


def promote(year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    today = year.account.market.date
    sales = [sale for sale in world().promotions if is_running(sale, today) or starts_within(sale, today, 30)]
    for store in year.account.books.trading if sales else []:
        discount = round(0.05 + 0.45 * numbers[1], 2)
        yield call(
            "join_promotion", store_id=store.id, event_name=picked(sales, numbers[0]).name, discount_rate=discount
        )


def ship(_year: Episode, numbers: Sequence[float]) -> Iterator[Call]:
    yield call("ship_orders", action="ship", speed=picked(("slow", "standard", "fast"), numbers[0]))


ACTIONS: dict[str, Callable[[Episode, Sequence[float]], Iterator[Call]]] = {
    "open": open_one,
    "close": close_one,
    "buy": buy,
    "publish": put_out,
    "price": price,
    "take back": take_back,
    "promote": promote,
    "ship": ship,
}
Measure = Callable[[Episode], float]


def final_money(year: Episode) -> float:
    return year.bank + year.wallet


def money_back(year: Episode) -> float:
    """What salvage and goods at the end brought, over the purchases."""
    totals = year.account.books.purse.totals
    return totals[SALVAGE] / max(LEAST_BOUGHT, -totals[PROCUREMENT])


_UNSHIPPED = tuple(name for name in ACTIONS if name != "ship")
POPULATIONS: dict[str, tuple[tuple[str, ...], Measure]] = {
    "all calls": (tuple(ACTIONS), final_money),
    "no shipping": (_UNSHIPPED, final_money),
    "no shipping, bred by money back": (_UNSHIPPED, money_back),
}


def played(program: Program, measure: Measure = final_money) -> float:
    """What the program ends with, or another measure of its year."""
    year = Episode(world(), rules=RULES, days=DAYS)
    while not year.done:
        day = year.day
        for gene in program:
            if gene.first <= day <= gene.last and (day - gene.first) % gene.every == 0:
                calls = list(ACTIONS[gene.action](year, gene.numbers))
                if calls:
                    year.act(calls)
        year.act([call("withdraw"), call("wait_for_next_day")])
    year.finish()
    return measure(year)


def random_gene(rng: Random, actions: Sequence[str]) -> Gene:
    first = 0 if rng.random() < 0.5 else rng.randrange(DAYS)
    last = first if rng.random() < 0.3 else DAYS
    return Gene(rng.choice(actions), first, last, rng.choice((1, 1, 2, 3, 7, 14)), numbers(rng))


def numbers(rng: Random) -> tuple[float, ...]:
    return tuple(round(rng.random(), 4) for _ in range(NUMBERS))


def random_program(rng: Random, actions: Sequence[str]) -> Program:
    """Begins with what every business needs: a store, goods and a shelf."""
    needed = [Gene("open", 0, 0, 1, numbers(rng)), Gene("buy", 0, DAYS, rng.choice((3, 7, 100)), numbers(rng))]
    needed += [Gene("publish", 1, DAYS, 1, numbers(rng))]
    needed += [Gene("ship", 1, DAYS, 1, numbers(rng))] if "ship" in actions else []
    return (*needed, *(random_gene(rng, actions) for _ in range(rng.randrange(1, FEWEST_GENES + 4))))


def known_tricks() -> list[Program]:
    """The quirks' list as programs: stock revalued and sold off, dear prices, sales at raised prices, hoarding."""
    kinds = [store_type.id for store_type in world().store_types]
    hardware = (kinds.index("auto_hardware") + 0.5) / len(kinds)
    beauty = (kinds.index("beauty") + 0.5) / len(kinds)

    def gene(action: str, first: int, last: int, every: int, *held: float) -> Gene:
        return Gene(action, first, last, every, (*held, *[0.5] * (NUMBERS - len(held))))

    dear_unit, sold_off = gene("buy", 9, 9, 1, 0.3, 0.0, 0.2, 0.92, 0.0, 0.1), gene("close", 20, 20, 1, 0.0, 0.0)
    cheap_units = gene("buy", 0, 0, 1, 0.3, 0.0, 0.2, 0.55, 0.54, 0.4)
    trade = [gene("buy", 0, DAYS - 20, 5, 0.7, 0.4, 0.9, 0.55, 0.2, 0.3), gene("ship", 1, DAYS, 1, 0.5)]
    return [
        (gene("open", 0, 0, 1, hardware), cheap_units, dear_unit, gene("publish", 1, 19, 1, 0.5, 1.0), sold_off),
        (gene("open", 0, 0, 1, beauty), *trade, gene("publish", 1, DAYS, 1, 0.45, 1.0)),
        (gene("open", 0, 0, 1, beauty), *trade, gene("publish", 1, DAYS, 1, 0.3, 1.0), gene("promote", 0, DAYS, 1)),
        (gene("open", 0, 0, 1, beauty), gene("buy", DAYS - 3, DAYS, 1, 0.7, 1.0, 0.9, 0.2, 0.5, 0.3)),
    ]


def child(rng: Random, parents: Sequence[Program], actions: Sequence[str]) -> Program:
    """One parent's genes, some of another's, and a change or two."""
    genes = list(rng.choice(parents))
    if rng.random() < 0.4:
        other = rng.choice(parents)
        genes[rng.randrange(len(genes)) :] = other[rng.randrange(len(other)) :]
    for _ in range(rng.randrange(1, 4)):
        place, way = rng.randrange(len(genes)), rng.random()
        if way < 0.2 and len(genes) < MOST_GENES:
            genes.insert(place, random_gene(rng, actions))
        elif way < 0.35 and len(genes) > FEWEST_GENES:
            del genes[place]
        elif way < 0.5:
            genes[place] = random_gene(rng, actions)
        else:
            genes[place] = nudged(rng, genes[place])
    return tuple(genes[:MOST_GENES])


def nudged(rng: Random, gene: Gene) -> Gene:
    moved = list(gene.numbers)
    place = rng.randrange(NUMBERS)
    moved[place] = round(min(1.0, max(0.0, moved[place] + rng.gauss(0, 0.1))), 4)
    first = gene.first if rng.random() < 0.7 else max(0, min(DAYS - 1, gene.first + rng.randrange(-3, 4)))
    return gene._replace(numbers=tuple(moved), first=first, last=max(first, gene.last))


class State:
    """The populations, best first, and how many years have been played."""

    def __init__(self, path: Path) -> None:
        self.path, self.years, self.best = path, 0, {name: list[tuple[float, Program]]() for name in POPULATIONS}
        if path.exists():
            held = json.loads(path.read_text(encoding="utf-8"))
            self.years = held["years"]
            self.best |= {name: [(money, read(genes)) for money, genes in each] for name, each in held["best"].items()}

    def save(self) -> None:
        self.path.write_text(json.dumps({"years": self.years, "best": self.best}), encoding="utf-8")


def read(genes: Sequence[Any]) -> Program:
    return tuple(Gene(action, first, last, every, tuple(held)) for action, first, last, every, held in genes)


def search(state: State, years: int, jobs: int) -> None:
    """A first generation of random programs, then children of the best and a few new random ones."""
    end = state.years + years
    with ProcessPoolExecutor(jobs) as pool:
        while state.years < end:
            for name, (actions, measure) in POPULATIONS.items():
                rng, best = Random(f"{name}{state.years}"), state.best[name]
                parents = [program for _, program in best] or known_tricks()
                fresh = [random_program(rng, actions) for _ in range(CHILDREN // 4)] + ([] if best else parents)
                born = [child(rng, parents, actions) for _ in range(CHILDREN - len(fresh))]
                allowed = [tuple(gene for gene in program if gene.action in actions) for program in (*fresh, *born)]
                tried = list(dict.fromkeys(allowed))
                found = [
                    *best,
                    *zip(pool.map(partial(played, measure=measure), tried, chunksize=4), tried, strict=True),
                ]
                state.best[name] = sorted(found, key=lambda each: -each[0])[:SURVIVORS]
                state.years += len(tried)
            state.save()
            print(state.years, *(f"{name}: {each[0][0]:,.2f}" for name, each in state.best.items()), flush=True)


def section(state: State) -> str:
    insider = Episode(world(), rules=RULES, days=DAYS)
    play_year(get_merchant("insider", days=DAYS), insider)
    most, stake = insider.bank + insider.wallet, insider.account.rules.stake
    rows = [["`insider`", f"¥{most:,.0f}", "100%", ""]]
    for name, best in state.best.items():
        money, program = best[0]
        if POPULATIONS[name][1] is money_back:
            rows.append([f"best program, {name}", f"{money:.1%} of purchases", "", ""])
            continue
        actions = ", ".join(dict.fromkeys(gene.action for gene in program))
        rows.append([f"best program, {name}", f"¥{money:,.0f}", f"{(money - stake) / (most - stake):.1%}", actions])
    head = ["Who", f"After {DAYS} days", "Gain, of the insider's", "What the program does"]
    played_by = (
        f"{state.years:,} programs, each played for {DAYS} days under `{RULES}` on the default world with a salt"
    )
    return f"{played_by}, from a stake of ¥{stake:,.0f}.\n\n{markdown_table(head, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Search for loopholes.")
    parser.add_argument("pages", nargs="*", help="pages to write the table into")
    parser.add_argument("--years", type=int, default=1_000, help="short years to play")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--state", type=Path, default=Path("search.json"), help="file to continue from")
    asked = parser.parse_args()
    state = State(asked.state)
    search(state, asked.years, asked.jobs)
    publish("search", section(state), asked.pages)


if __name__ == "__main__":
    main()
