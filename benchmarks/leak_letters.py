"""What every supplier of a world shows to a stranger: its entry in the directory, its catalog, its letters, its quotes.

Three strangers write. One asks what there is and makes no offer. One bids a tenth of the reference price for three
goods, three times: no supplier accepts that or walks away so early, so each letter counters three times. One makes the
same bid once, for ten goods.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ecbench import Episode
from ecbench.market.marketplace import Account
from ecbench.suppliers.catalog import CatalogRow, catalog_of
from ecbench.suppliers.conversation import Response, converse
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Scene, TemplateVoice
from ecbench.suppliers.voices.letters import tone_of
from ecbench.world.model import Product, Supplier, World

BID = 0.1  # of the reference price
GOODS = 3
MANY_GOODS = 10
ROUNDS = 3
SEARCHES = 3
ASKING = "Hello, we run several online stores. What do you have, and on what terms?"
BIDDING = "Here is what we would pay."
_FIGURE = re.compile(r"¥?\d[\d,]*(?:\.\d+)?%?")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*|#")


@dataclass(frozen=True, slots=True)
class Bargain:
    """Quotes for some goods, over their reference prices."""

    references: Sequence[float]  # in yuan
    openings: Sequence[float]  # of the catalog, one for each of the goods
    quotes: Sequence[Sequence[float]]  # of each round, one for each of the goods


@dataclass(frozen=True, slots=True)
class Seen:
    """One supplier, as far as a merchant can see it before any goods arrive, and what it hides."""

    world: int  # its seed
    supplier: Supplier
    places: Sequence[float]  # in three searches for suppliers of its category, from 0 to 1
    catalog_size: int
    opening_quote: float  # over reference, on average
    weekly_supply: int  # units; 0 where there is no limit
    first_letter: Sequence[str]  # words
    letters: Sequence[Sequence[str]]  # words of the bargaining letters
    lengths: Sequence[int]  # characters of the first letter, without the catalog, and of the bargaining letters
    tones: Sequence[str]  # in which the counter-offers are worded
    bargain: Bargain  # three rounds over three goods
    wide_bargain: Bargain  # one round over ten goods


class Overheard(TemplateVoice):
    """Speaks as ever, and keeps the tone of every counter-offer."""

    def __init__(self) -> None:
        self.tones: list[str] = []

    def reply(self, scene: Scene) -> str:
        self.tones += [tone_of(scene, answer) for answer in scene.answers if answer.verdict == "Offer"]
        return super().reply(scene)


def look_at(world: World, rules: str) -> list[Seen]:
    year = Episode(world, rules=rules)
    places = _places(year)
    return [_look_at_one(year.account, supplier, places[supplier.name]) for supplier in world.suppliers]


def _places(year: Episode) -> dict[str, list[float]]:
    """Where each supplier stands among those of its category."""
    places: dict[str, list[float]] = {}
    for category in year.world.category_by_name:
        for _ in range(SEARCHES):
            [reply] = year.act([{"name": "supplier_search", "arguments": {"category": category}}])
            rows = json.loads(reply)["results"]
            for place, row in enumerate(rows):
                places.setdefault(row["supplier_name"], []).append(place / len(rows))
    return places


def _look_at_one(account: Account, supplier: Supplier, places: Sequence[float]) -> Seen:
    voice = Overheard()
    catalog = catalog_of(account.economy, supplier)
    rows = catalog.rows
    goods = _spread(rows, GOODS)
    asked = converse(SupplierDesk(), account, voice, supplier, ASKING)
    desk, content = SupplierDesk(), _bids(goods)
    answers = [converse(desk, account, voice, supplier, content) for _ in range(ROUNDS)]
    tones = tuple(voice.tones)
    many = _spread(rows, MANY_GOODS)
    wide = converse(SupplierDesk(), account, voice, supplier, _bids(many))
    return Seen(
        world=account.world.seed,
        supplier=supplier,
        places=places,
        catalog_size=len(rows),
        opening_quote=sum(row.opening_quote / row.product.reference_price for row in rows) / len(rows),
        weekly_supply=catalog.weekly_supply,
        first_letter=words(asked.reply, supplier, [row.product for row in rows]),
        letters=[words(response.reply, supplier, [row.product for row in goods]) for response in answers],
        lengths=[len(prose(response.reply)) for response in (asked, *answers)],
        tones=tones,
        bargain=Bargain(_references(goods), _openings(goods), [_quotes(response) for response in answers]),
        wide_bargain=Bargain(_references(many), _openings(many), [_quotes(wide)]),
    )


def _spread(rows: Sequence[CatalogRow], count: int) -> Sequence[CatalogRow]:
    """Rows from all over the catalog."""
    return rows[:: max(1, len(rows) // count)][:count]


def _references(goods: Sequence[CatalogRow]) -> list[float]:
    return [row.product.reference_price for row in goods]


def _openings(goods: Sequence[CatalogRow]) -> list[float]:
    return [row.opening_quote / row.product.reference_price for row in goods]


def _bids(goods: Sequence[CatalogRow]) -> str:
    bids = [
        {
            "action": "offer",
            "sku_id": row.product.sku,
            "price": round(BID * row.product.reference_price, 2),
            "quantity": 10,
        }
        for row in goods
    ]
    return f"{BIDDING}\n```negotiate\n{json.dumps(bids)}\n```"


def _quotes(response: Response) -> list[float]:
    return [
        answer.price / answer.product.reference_price
        for answer in response.answers
        if answer.price is not None and answer.product is not None
    ]


def prose(letter: str) -> str:
    """A letter without its catalog rows."""
    return "\n".join(line for line in letter.split("\n") if not line.startswith("- "))


def words(letter: str, supplier: Supplier, goods: Sequence[Product]) -> list[str]:
    """The words of a letter, small. Catalog rows and the supplier's name are left out, goods and category are called
    just that, and every figure is a `#`: what is sold and quoted is another matter than how it is said."""
    said = prose(letter).replace(supplier.name, "").replace(supplier.category, "category")
    for item in goods:
        if item.title in said:
            said = said.replace(f"({item.sku})", "").replace(item.title, "goods")
    return _WORD.findall(_FIGURE.sub(" # ", said.lower()))
