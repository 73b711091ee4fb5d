"""Deterministic prose, no network: phrasing is drawn from (supplier, message number).

Scams that show only in the goods borrow the manner of an honest supplier, unless the rules have cheats bargain so.
"""

from functools import lru_cache
from statistics import NormalDist
from zlib import crc32

from ecbench.market.cache import FunctionCache
from ecbench.market.draws import name_bits
from ecbench.suppliers.kernel import Sentiment, mood
from ecbench.suppliers.records import Decision
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.suppliers.supplier_traits import honest_manner
from ecbench.suppliers.templates import Manner
from ecbench.suppliers.voices.asides import aside
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice, next_bits, phrases, phrases_of
from ecbench.world.model import Supplier, World

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
