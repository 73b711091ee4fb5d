"""Why a script can beat the paper's models: what `haggler` and `steady` do otherwise, and where their money comes from.

    python benchmarks/scripts.py                    print the tables
    python benchmarks/scripts.py docs/validity.md   put them into the page too, between their marks

One year of each on the default world, in some seconds.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.market.ledger import FREIGHT, PROCUREMENT, REFUNDS, REVENUE, SALVAGE, STORAGE
from ecbench.metrics.measures import measured_year
from ecbench.metrics.published import published_models
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant

MERCHANTS = ("haggler", "steady")
FIGURES = (
    ("final_assets", "Final assets", "¥{:,.0f}"),
    ("tool_calls", "Tool calls", "{:,.0f}"),
    ("deals", "Deals with suppliers", "{:,.0f}"),
    ("rounds_to_deal", "Turns of a deal", "{:.1f}"),
    ("cse_plus", "CSE+", "{:.3f}"),
    ("bad_spend_percent", "Spent on cheats", "{:.1f}%"),
    ("bargaining_percent", "Calls that bargain", "{:.1f}%"),
    ("waiting_percent", "Calls that wait for the next day", "{:.1f}%"),
    ("peak_units", "Most units held", "{:,.0f}"),
    ("refund_loss", "Refunds", "¥{:,.0f}"),
)
FLOWS = (
    (REVENUE, "Revenue"),
    (PROCUREMENT, "Purchases"),
    (REFUNDS, "Refunds"),
    (FREIGHT, "Freight"),
    (STORAGE, "Storage"),
    (SALVAGE, "Stock sold off"),
)


class Played(NamedTuple):
    figures: dict[str, float | None]
    flows: dict[str, float]  # yuan, by channel
    products: int  # sold at all
    price_ratio: float  # of what was shipped, over reference prices
    assets: Sequence[float | None]  # at the end of each quarter


def play(name: str) -> Played:
    year = Episode(load_world("default"))
    merchant = begin_play(get_merchant(name), year)
    by_tool: Counter[str] = Counter()
    turns, calls = 0, next(merchant)
    try:
        while not year.done:
            turns += 1
            by_tool.update(call["name"] for call in calls)
            calls = merchant.send([json.loads(reply) for reply in year.act(calls)])
    except StopIteration:
        pass
    year.finish()
    report = year.report()
    books, run = year.account.books, {"turns": turns, "tool_calls": by_tool.total(), "calls_by_tool": by_tool}
    sent = [parcel.goods for parcel in books.sent]
    return Played(
        figures=measured_year(report | {"run": run}),
        flows=dict(books.purse.totals),
        products=sum(stock.sold > 0 for stock in books.stock.values()),
        price_ratio=sum(g.gross for g in sent) / sum(g.quantity * g.product.reference_price for g in sent),
        assets=report["diagnostics"]["liquidity"]["assets_by_quarter"],
    )


def habits_table(years: Sequence[Played]) -> str:
    models = published_models()
    rows = []
    for name, title, form in FIGURES:
        cells = [_shown(year.figures[name], form) for year in years]
        cells += [form.format(models[0][name]), form.format(median(model[name] for model in models))]
        rows.append([title, *cells])
    return markdown_table(["", *(f"`{name}`" for name in MERCHANTS), models[0].name, "Median model"], rows)


def money_table(years: Sequence[Played]) -> str:
    rows = [[title, *(f"¥{year.flows[channel]:,.0f}" for year in years)] for channel, title in FLOWS]
    rows.append(["Products sold", *(f"{year.products:,}" for year in years)])
    rows.append(["Price over reference price", *(f"{year.price_ratio:.2f}" for year in years)])
    rows += [
        [f"Assets after quarter {quarter}", *(_shown(year.assets[quarter - 1], "¥{:,.0f}") for year in years)]
        for quarter in range(1, 5)
    ]
    return markdown_table(["", *(f"`{name}`" for name in MERCHANTS)], rows)


def _shown(value: float | None, form: str) -> str:
    return "none" if value is None else form.format(value)


def main() -> None:
    years = [play(name) for name in MERCHANTS]
    publish("scripts", f"{habits_table(years)}\n\n{money_table(years)}".replace("¥-", "-¥"), sys.argv[1:])


if __name__ == "__main__":
    main()
