"""What every supplier of a world shows to a stranger: its entry in the directory, its catalog, its letters, its quotes.

Two strangers write. One asks what there is and makes no offer. The other bids a tenth of the reference price for three
goods, three times: nobody takes that, and nobody walks away so early, so each letter counters three times.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ecbench import Episode
from ecbench.market.marketplace import Account
from ecbench.suppliers.catalog import catalog_of
from ecbench.suppliers.conversation import Response, converse
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Scene, TemplateVoice
from ecbench.suppliers.voices.tone import tone_of
from ecbench.world.model import Product, Supplier, World

BID = 0.1  # of the reference price
GOODS = 3
ROUNDS = 3
ASKING = "Hello, we run several online stores. What do you have, and on what terms?"
BIDDING = "Here is what we would pay."
_FIGURE = re.compile(r"¥?\d[\d,]*(?:\.\d+)?%?")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*|#")


@dataclass(frozen=True, slots=True)
class Seen:
    """One supplier, as far as a merchant can see it before any goods arrive, and what it hides."""

    supplier: Supplier
    catalog_size: int
    lead_days: float  # advertised, on average
    opening_quote: float  # over reference, on average
    first_letter: Sequence[str]  # words
    letters: Sequence[Sequence[str]]  # words of the bargaining letters
    tones: Sequence[str]  # in which the counter-offers are worded
    quotes: Sequence[Sequence[float]]  # over reference: of each round, one for each of the goods


class Overheard(TemplateVoice):
    """Speaks as ever, and keeps the tone of every counter-offer."""

    def __init__(self) -> None:
        self.tones: list[str] = []

    def reply(self, scene: Scene) -> str:
        self.tones += [tone_of(scene, answer) for answer in scene.answers if answer.verdict == "Offer"]
        return super().reply(scene)


def look_at(world: World) -> list[Seen]:
    account = Episode(world).account
    return [_look_at_one(account, supplier) for supplier in world.suppliers]


def _look_at_one(account: Account, supplier: Supplier) -> Seen:
    voice = Overheard()
    rows = catalog_of(account.world, supplier).rows
    goods = [row.product for row in rows[:: max(1, len(rows) // GOODS)]][:GOODS]
    asked = converse(SupplierDesk(), account, voice, supplier, ASKING)
    desk, content = SupplierDesk(), _bids(goods)
    answers = [converse(desk, account, voice, supplier, content) for _ in range(ROUNDS)]
    lead = [sum(map(int, re.findall(r"\d+", row.delivery))) / 2 for row in rows]
    return Seen(
        supplier=supplier,
        catalog_size=len(rows),
        lead_days=sum(lead) / len(rows),
        opening_quote=sum(row.opening_quote / row.product.reference_price for row in rows) / len(rows),
        first_letter=words(asked.reply, supplier, [row.product for row in rows]),
        letters=[words(response.reply, supplier, goods) for response in answers],
        tones=voice.tones,
        quotes=[_quotes(response) for response in answers],
    )


def _bids(goods: Sequence[Product]) -> str:
    bids = [
        {"action": "offer", "sku_id": item.sku, "price": round(BID * item.reference_price, 2), "quantity": 10}
        for item in goods
    ]
    return f"{BIDDING}\n```negotiate\n{json.dumps(bids)}\n```"


def _quotes(response: Response) -> list[float]:
    return [
        answer.price / answer.product.reference_price
        for answer in response.answers
        if answer.price is not None and answer.product is not None
    ]


def words(letter: str, supplier: Supplier, goods: Sequence[Product]) -> list[str]:
    """The words of a letter, small. Catalog rows and the supplier's name are left out, goods and category are called
    just that, and every figure is a `#`: what is sold and quoted is another matter than how it is said."""
    prose = "\n".join(line for line in letter.split("\n") if not line.startswith("- "))
    prose = prose.replace(supplier.name, "").replace(supplier.category, "category")
    for item in goods:
        if item.title in prose:
            prose = prose.replace(f"({item.sku})", "").replace(item.title, "goods")
    return _WORD.findall(_FIGURE.sub(" # ", prose.lower()))
