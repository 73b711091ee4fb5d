"""Deterministic prose, no network: phrasing is drawn from (supplier, message number), so a year does not read like a
form and reads the same every time."""

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from ecbench.market.remembered import Remembered
from ecbench.suppliers.membership import agrees_to_pay
from ecbench.suppliers.sessions import Answer
from ecbench.suppliers.voices.phrases import (
    ACCEPT,
    CATALOG_INTRO,
    CHARACTERS,
    CLOSURE,
    COUNTER,
    ERRORS,
    NO_ACTION,
    REJECT_BY_AGENT,
    REJECT_BY_SUPPLIER,
    pick,
)
from ecbench.suppliers.voices.scams import story
from ecbench.suppliers.voices.voice import Scene
from ecbench.world.model import Supplier

FIRST_ANSWER_SALT = 7
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


class TemplateVoice:
    name = "template"

    def reply(self, scene: Scene) -> str:
        supplier, answers, number = scene.supplier, scene.answers, len(scene.past)
        key = supplier.name, number
        seed, text, signature = _letterheads.get(key) or _letterheads[key]
        salt = FIRST_ANSWER_SALT
        for answer in answers:
            text += " " + _word(answer, seed, salt)
            salt += 1
        shows_catalog = (not answers and number == 0) or _asks_for_catalog(scene.prose[:SKIMMED])
        if not answers and not shows_catalog:
            text += " " + pick(NO_ACTION, seed, 1)
        if supplier.scam and (told := story(scene, seed)) is not None:
            text += " " + told
        if shows_catalog and scene.catalog.rows:
            intro = pick(CATALOG_INTRO, seed, 2).format(category=supplier.category)
            text = f"{text}\n\n{intro}\n{scene.catalog.text}\n"
        return text + signature

    def hears_membership(self, scene: Scene) -> bool:
        return agrees_to_pay(scene.prose, bargains=bool(scene.answers))


def _letterhead(key: tuple[str, int]) -> tuple[int, str, str]:
    """Who writes, and how often they have, decides how a letter is worded, how it starts and how it ends."""
    name, number = key
    seed = _seed(name, number)
    character = CHARACTERS[crc32(name.encode()) % len(CHARACTERS)]
    return seed, pick(character.greetings, seed, 0), f"\n{pick(character.closings, seed, 3)} {name}"


_letterheads: Remembered[tuple[str, int], tuple[int, str, str]] = Remembered(_letterhead, 16_384)


def _seed(name: str, number: int) -> int:
    return crc32(f"{name}|{number}".encode())


def closure_notice(supplier: Supplier, number: int) -> str:
    return pick(CLOSURE, _seed(supplier.name, number), 0).format(name=supplier.name)


@lru_cache(maxsize=4096)
def _asks_for_catalog(prose: str) -> bool:
    return any(map(prose.lower().__contains__, CATALOG_REQUESTS))


def _word(answer: Answer, seed: int, salt: int) -> str:
    verdict, product, sku = answer.verdict, answer.product, answer.sku[:40]
    options: Sequence[str]
    if verdict == "Offer":
        options = COUNTER[answer.tone or "neutral"]
    elif verdict == "Accept":
        options = ACCEPT
    elif verdict == "Reject":
        options = REJECT_BY_AGENT if answer.by_agent else REJECT_BY_SUPPLIER
    else:
        options = ERRORS[answer.error_code or "unknown_sku"]
    goods = sku if product is None else f"{product.title} ({sku})"
    price = "" if answer.price is None else f"¥{answer.price:,.2f}"
    return pick(options, seed, salt).format(goods, price)
