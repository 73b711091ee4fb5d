"""Deterministic prose, no network: phrasing is drawn from (supplier, message number).

Scams that show only in the goods borrow the manner of an honest supplier, unless the rules have cheats bargain so.
"""

from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple
from zlib import crc32

from ecbench.formatting import amount
from ecbench.market.cache import FunctionCache
from ecbench.market.draws import name_bits
from ecbench.suppliers.kernel import Sentiment, mood, terms_of
from ecbench.suppliers.records import Decision
from ecbench.suppliers.scams import PRE_DEAL, SCHEMES, STORIES, Story
from ecbench.suppliers.supplier_traits import honest_manner
from ecbench.suppliers.templates import Manner
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice, capitalized, next_bits, phrases, phrases_of
from ecbench.world.model import Product, Supplier, World
from ecbench.world.supplier_kinds import Scam

# House styles. A supplier's is drawn from its name, so it says nothing about how the supplier bargains.
GREETINGS, CLOSINGS = tuple(phrases_of("greeting").values()), tuple(phrases_of("closing").values())
COUNTER, ERRORS = phrases_of("counter"), phrases_of("error")
ACCEPT, REJECT_BY_SUPPLIER = phrases("accept"), phrases("reject by supplier")
REJECT_BY_AGENT, NO_ACTION = phrases("reject by agent"), phrases("no action")
CATALOG_INTRO, WEEKLY_SUPPLY, CLOSURE = phrases("catalog intro"), phrases("weekly supply"), phrases("closure")
SKIMMED = 2_000  # characters of a long message in which a supplier looks for a request
CATALOG_REQUESTS = (
    "catalog",
    "price list",
    "pricelist",
    "product list",
    "list of products",
    "assortment",
    "do you sell",
    "do you offer",
    "do you carry",
    "what products",
    "which products",
    "your products",
    "your range",
    "quotation",
)


def letter_of(scene: Scene) -> str:
    """The supplier's letter."""
    supplier, answers, number = scene.supplier, scene.answers, len(scene.past)
    bits, text, signature = _letterheads[supplier.name, number]
    gap = "\n"
    for answer in answers:
        text += gap + _word(scene, answer, bits)
        bits, gap = next_bits(bits), " "
    shows_catalog = (not answers and number == 0) or _asks_for_catalog(scene.prose[:SKIMMED])
    if not answers and not shows_catalog:
        text += "\n" + NO_ACTION.at(bits)
    if remark := aside(scene):
        text += "\n" + remark
    if shows_catalog and scene.catalog:
        intro = CATALOG_INTRO.at(bits).replace("{category}", supplier.category)
        text = f"{text}\n\n{intro}\n{scene.catalog}\n"
    if (shows_catalog or number == 0) and scene.weekly_supply:
        text += "\n" + WEEKLY_SUPPLY.at(bits).replace("{units}", f"{scene.weekly_supply:,}")
    return text + signature


def _letterhead(key: tuple[str, int]) -> tuple[int, str, str]:
    """Who writes, and how often they have, decides how a letter starts and ends, and the bits that word it."""
    name, number = key
    dice = Dice(f"letter|{name}|{number}")
    style = crc32(name.encode()) % len(GREETINGS)
    greeting, closing = GREETINGS[style].at(dice.throw()), CLOSINGS[style].at(dice.throw())
    return dice.throw(), greeting, f"\n{closing}\n{name}"


_letterheads: FunctionCache[tuple[str, int], tuple[int, str, str]] = FunctionCache(_letterhead, 16_384)


def closure_notice(supplier: Supplier, number: int) -> str:
    return CLOSURE.at(name_bits(f"closure|{supplier.name}|{number}")).replace("{name}", supplier.name)


@lru_cache(maxsize=4096)
def _asks_for_catalog(prose: str) -> bool:
    return any(map(prose.lower().__contains__, CATALOG_REQUESTS))


def _word(scene: Scene, answer: Decision, bits: int) -> str:
    verdict, product, sku = answer.verdict, answer.product, answer.sku[:40]
    if verdict == "Offer":
        phrases = COUNTER[tone_of(scene, answer)]
    elif verdict == "Accept":
        phrases = ACCEPT
    elif verdict == "Reject":
        phrases = REJECT_BY_AGENT if answer.by_agent else REJECT_BY_SUPPLIER
    else:
        phrases = ERRORS[answer.error_code or "unknown_sku"]
    goods = sku if product is None else f"{product.title} ({sku})"
    price = "" if answer.price is None else f"¥{answer.price:,.2f}"
    return phrases.at(bits).replace("{price}", price).replace("{goods}", goods)


_normal = NormalDist()


def tone_of(scene: Scene, answer: Decision) -> Sentiment:
    supplier = scene.supplier
    if not supplier.scam or supplier.scam in PRE_DEAL or scene.economy.rules.honest_manners:
        return answer.tone or "neutral"
    manner = _borrowed_manners(scene.world)[supplier.name]
    if manner.cues != "drawn":
        return mood(manner, 0.0)
    dice = Dice(f"tone|{supplier.name}|{scene.number}|{answer.sku}|{answer.round}")
    return mood(manner, _normal.inv_cdf(dice.share()))


@lru_cache(maxsize=16)
def _borrowed_manners(world: World) -> FunctionCache[str, Manner]:
    return FunctionCache(
        lambda name: honest_manner(world, world.seed, world.supplier_by_name[name]), len(world.suppliers)
    )


LATER = 0.5  # of a fair supplier's later letters say more than the business at hand
CONTRASTED, CONTRASTED_LATER = 0.7, 0.4  # of first and of later asides speak of another rule too
COUNTED_OUT = 0.3  # of later asides come with an example; first ones always do
CLOSED = 0.4  # of first asides end with a word to the customer

_PLAIN, _AGAIN, _CONTRAST = phrases("aside plain"), phrases("aside again"), phrases("aside contrast")
_EXAMPLE, _CLOSING = phrases("aside example"), phrases("aside closing")


class Aside(NamedTuple):
    """A text in which the figures of a product are still open, and what its `{figure}` is."""

    text: str = ""
    percent: int = 0  # the share of the reference price it speaks of
    promised: bool = False  # the figure is that share; else it is what the supplier quotes
    about_goods: bool = False  # it stands and falls with a product to speak of


# All that an aside hangs on besides the product: the supplier's name, how many letters came before, the supplier's scam
# and the membership fee.
Occasion = tuple[str, int, Scam, float]


def aside(scene: Scene) -> str:
    """What a letter says besides the business at hand; nothing, often. Scams that lie before the deal never miss it."""
    supplier, number = scene.supplier, len(scene.past)
    if scene.member:
        scheme = SCHEMES.get(supplier.scam)
        if scheme is not None and scheme.thanks is not None:
            return scheme.thanks.at(name_bits(f"thanks|{supplier.name}|{number}"))
    chosen = _asides[supplier.name, number, supplier.scam, scene.membership_fee]
    return _filled_in(chosen, scene) if chosen.about_goods else chosen.text


def _filled_in(chosen: Aside, scene: Scene) -> str:
    product = _product(scene)
    if product is None:
        return ""
    market = product.reference_price
    figure = market * chosen.percent / 100 if chosen.promised else _quote(scene, product)
    text = chosen.text.replace("{market}", f"¥{market:,.2f}").replace("{figure}", f"¥{figure:,.2f}")
    return text.replace("{goods}", product.title)


def _aside(occasion: Occasion) -> Aside:
    """A scam with a story tells it; any other supplier is fair, or seems so, and speaks of what it likes."""
    name, number, scam, fee = occasion
    trap = SCHEMES[scam].story if scam else None
    dice = Dice(f"aside|{name}|{number}")
    if number and not trap and dice.share() >= LATER:
        return Aside()
    story = dice.pick(STORIES) if trap is None else trap
    percent = Dice(f"percent|{name}").pick(story.percents) if story.percents else 0
    text = _later(dice, story, trap is not None) if number else _first(dice, story, trap is not None)
    filled = text.replace("{fee}", f"¥{amount(fee)}").replace("{percent}", f"{percent}%")
    return Aside(filled, percent, trap is not None and percent > 0, "{" in text)


_asides: FunctionCache[Occasion, Aside] = FunctionCache(_aside, 16_384)


def _first(dice: Dice, story: Story, trap: bool) -> str:
    closing = " " + _CLOSING.at(dice.throw()) if dice.share() < CLOSED else ""
    return capitalized(f"{_rule(dice, story, trap, later=False)} {_EXAMPLE.at(dice.throw())}{closing}")


def _later(dice: Dice, story: Story, trap: bool) -> str:
    example = " " + _EXAMPLE.at(dice.throw()) if dice.share() < COUNTED_OUT else ""
    return capitalized(_rule(dice, story, trap, later=True) + example)


def _rule(dice: Dice, story: Story, trap: bool, *, later: bool) -> str:
    own, other = (story.trap, story.fair) if trap else (story.fair, story.trap)
    plain, contrasted = (_AGAIN, CONTRASTED_LATER) if later else (_PLAIN, CONTRASTED)
    frame = (_CONTRAST if dice.share() < contrasted else plain).at(dice.throw())
    return frame.replace("{own}", own.at(dice.throw())).replace("{other}", other.at(dice.throw()))


def _quote(scene: Scene, product: Product) -> float:
    """Today's, or else the one that talks open with."""
    for answer in scene.answers:
        if answer.product is product and answer.price is not None:
            return answer.price
    return terms_of(scene.economy, scene.supplier, product).opening_target


def _product(scene: Scene) -> Product | None:
    for answer in scene.answers:
        if answer.product is not None:
            return answer.product
    products = scene.world.products_by_category[scene.supplier.category]
    return products[scene.number % len(products)] if products else None
