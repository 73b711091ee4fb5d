"""Shelves that draw nobody: the market passes over them, and a review must not."""

from pathlib import Path

from ecbench import Episode
from ecbench.market.purchasing import buy
from ecbench.review.bill.evenings import watch_evenings
from ecbench.world.load import load_world

WAIT = {"name": "wait_for_next_day", "arguments": {}}


def test_an_evening_has_a_wish_for_every_listing_also_where_there_is_none(small_world: Path) -> None:
    year = Episode(load_world(small_world), days=60)
    evenings = watch_evenings(year.account)
    kettle = year.world.products[2]
    year.act([{"name": "open_store", "arguments": {"store_type": "pots", "store_name": "Dear"}}])
    buy(year.account, supplier="Tin Works", product=kettle, quantity=1, unit_price=100.0)
    while kettle.sku not in year.account.books.stock:
        year.act([WAIT])
    [store] = year.account.books.trading
    plan = [{"product_id": kettle.sku, "quantity": 1, "retail_price": 1e6}]
    year.act([{"name": "publish_to_store", "arguments": {"store_id": store.id, "plan": plan}}])
    for _ in range(3):
        year.act([WAIT])
    assert evenings
    notes = [note for evening in evenings for note in evening.shelves]
    assert notes[-1].quantities == (1,) and notes[-1].claims == (0.0,)
    assert all(len(note.claims) == len(note.quantities) == len(note.goods) for note in notes)
