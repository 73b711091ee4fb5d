"""Deterministic prose, no network: phrasing is drawn from (supplier, message number), so a year does not read like a
form and reads the same every time."""

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

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
    Character,
)
from ecbench.suppliers.voices.scams import story
from ecbench.suppliers.voices.voice import Scene
from ecbench.world.model import Supplier

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


class Phrasing:
    """Picks among phrasings by a number drawn from who writes and how often they have."""

    __slots__ = ("seed",)

    def __init__(self, supplier: Supplier, number: int) -> None:
        self.seed = crc32(f"{supplier.name}|{number}".encode())

    def __call__(self, options: Sequence[str], salt: int) -> str:
        return options[(self.seed // (salt + 1) + salt) % len(options)]


class TemplateVoice:
    name = "template"

    def reply(self, scene: Scene) -> str:
        supplier, answers = scene.supplier, scene.answers
        pick = Phrasing(supplier, scene.number)
        character = _character(supplier.name)
        text = pick(character.greetings, 0)
        for place, answer in enumerate(answers):
            text += " " + _word(answer, pick, 7 + place)
        shows_catalog = _wants_catalog(scene)
        if not answers and not shows_catalog:
            text += " " + pick(NO_ACTION, 1)
        if supplier.scam and (told := story(scene, pick)) is not None:
            text += " " + told
        if shows_catalog and scene.catalog.rows:
            intro = pick(CATALOG_INTRO, 2).format(category=supplier.category)
            text = f"{text}\n\n{intro}\n{scene.catalog.text}\n"
        return f"{text}\n{pick(character.closings, 3)} {supplier.name}"

    def hears_membership(self, scene: Scene) -> bool:
        return agrees_to_pay(scene.prose, bargains=bool(scene.answers))


@lru_cache(maxsize=4096)
def _character(name: str) -> Character:
    return CHARACTERS[crc32(name.encode()) % len(CHARACTERS)]


def closure_notice(supplier: Supplier, number: int) -> str:
    return Phrasing(supplier, number)(CLOSURE, 0).format(name=supplier.name)


def _wants_catalog(scene: Scene) -> bool:
    return (not scene.answers and scene.number == 0) or _asks_for_catalog(scene.prose[:SKIMMED])


@lru_cache(maxsize=4096)
def _asks_for_catalog(prose: str) -> bool:
    return any(map(prose.lower().__contains__, CATALOG_REQUESTS))


def _word(answer: Answer, pick: Phrasing, salt: int) -> str:
    title = answer.product.title if answer.product is not None else answer.sku[:40]
    options: Sequence[str]
    if answer.verdict == "Offer":
        options = COUNTER[answer.tone or "neutral"]
    elif answer.verdict == "Accept":
        options = ACCEPT
    elif answer.verdict == "Reject":
        options = REJECT_BY_AGENT if answer.by_agent else REJECT_BY_SUPPLIER
    else:
        options = ERRORS[answer.error_code or "unknown_sku"]
    price = "" if answer.price is None else f"¥{answer.price:,.2f}"
    return pick(options, salt).format(title=title, sku=answer.sku[:40], price=price)
