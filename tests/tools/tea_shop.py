"""A tea shop whose books are set by hand, so that every figure of a reply can be worked out."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from ecbench.episode import Episode
from ecbench.market.books import DaySales, Store
from ecbench.market.sales import sold_goods
from ecbench.market.stock import list_units, receive, stock_of
from ecbench.market.storefronts import open_store
from ecbench.world.load import load_world

LONG = "A tea of " + "leaves " * 12  # 93 characters


class TeaShop:
    """Thirty packets of tea in the warehouse, of which twelve are listed, and four sold yesterday."""

    def __init__(self, folder: Path) -> None:
        world = load_world(folder)
        tea, *rest = world.products
        self.year = Episode(replace(world, products=(replace(tea, title=LONG), *rest)), stake=1_000.0)
        account = self.year.account
        self.books = account.books
        self.store: Store = open_store(account, account.world.store_type_by_id["tea"], "Leaf")
        self.tea = stock_of(account, account.world.product_by_sku["a1"])
        receive(self.books, self.tea, "Hill Farm", 20, 5.0, defective=False, today=1)
        receive(self.books, self.tea, "Valley", 10, 8.0, defective=False, today=2)
        list_units(self.store, self.tea, 12, 12.5)
        self.goods = sold_goods(account.economy)[self.tea.goods.priced[12.5, 0.0]][4]
        self.store.shelf["a1"].quantity -= 4
        self.tea.sold += 4
        self.sales = DaySales(self.store.id, date(2025, 12, 31), 4, 3, [self.goods])
        self.books.pending = [self.sales]
        self.store.sold_yesterday = self.sales

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What it answers, but for the time and the reminder that a poor merchant gets."""
        [text] = self.year.act([{"name": tool, "arguments": arguments}])
        reply: dict[str, Any] = json.loads(text)
        del reply["current_time"]
        reply.pop("balance_reminder", None)
        return reply
