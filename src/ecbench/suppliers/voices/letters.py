"""Deterministic prose, no network: phrasing is drawn from (supplier, message number), so a year does not read like a
form and reads the same every time."""

from functools import lru_cache
from zlib import crc32

from ecbench.market.cache import FunctionCache
from ecbench.market.economy import Economy
from ecbench.suppliers.sessions import Decision
from ecbench.suppliers.voices.asides import aside
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
    WEEKLY_SUPPLY,
)
from ecbench.suppliers.voices.tone import tone_of
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice, bits_of, next_bits
from ecbench.world.model import Supplier

SKIMMED = 2_000  # characters of a long message in which a supplier looks for a request
CACHED_LETTERS = 4_096  # of each economy
CACHED_ANSWERS = 4  # in one letter
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
    """The supplier's letter, from a cache where it depends on few things."""
    subject = _subject(scene)
    if subject is None:
        return _letter(scene)
    letters = _letters(scene.economy)
    letter = letters.get(subject)
    if letter is None:
        if len(letters) >= CACHED_LETTERS:
            letters.clear()
        letter = letters[subject] = _letter(scene)
    return letter


@lru_cache(maxsize=16)
def _letters(_economy: Economy) -> dict[tuple[object, ...], str]:
    """Cached letters by key: replays and forks of an episode need them again."""
    return {}


def _subject(scene: Scene) -> tuple[object, ...] | None:
    """The cache key of a letter: all that it depends on within an economy. None if it is not cached.

    That is a letter that shows the catalog, names goods that the supplier does not sell, or answers many offers.
    """
    answers, number = scene.answers, len(scene.past)
    if not 0 < len(answers) <= CACHED_ANSWERS or _asks_for_catalog(scene.prose[:SKIMMED]):
        return None
    subject: tuple[object, ...] = (scene.supplier.name, number, scene.membership_fee, scene.member)
    for answer in answers:
        if answer.product is None:
            return None
        code, by_agent = answer.error_code, answer.by_agent
        subject += (answer.sku, answer.verdict, answer.price, answer.round, answer.tone, code, by_agent)
    return subject


def _letter(scene: Scene) -> str:
    supplier, answers, number = scene.supplier, scene.answers, len(scene.past)
    bits, text, signature = _letterheads[supplier.name, number]
    gap = "\n"
    for answer in answers:
        text += gap + _word(scene, answer, bits)
        bits, gap = next_bits(bits), " "
    shows_catalog = (not answers and number == 0) or _asks_for_catalog(scene.prose[:SKIMMED])
    if not answers and not shows_catalog:
        text += "\n" + NO_ACTION.at(bits)
    if said := aside(scene):
        text += "\n" + said
    if shows_catalog and scene.catalog.rows:
        intro = CATALOG_INTRO.at(bits).replace("{category}", supplier.category)
        text = f"{text}\n\n{intro}\n{scene.catalog.text}\n"
    if scene.catalog.weekly_supply and (shows_catalog or number == 0):
        text += "\n" + WEEKLY_SUPPLY.at(bits).replace("{units}", f"{scene.catalog.weekly_supply:,}")
    return text + signature


def _letterhead(key: tuple[str, int]) -> tuple[int, str, str]:
    """Who writes, and how often they have, decides how a letter starts and ends, and the bits that word it."""
    name, number = key
    dice = Dice(f"letter|{name}|{number}")
    character = CHARACTERS[crc32(name.encode()) % len(CHARACTERS)]
    greeting, closing = character.greetings.at(dice.throw()), character.closings.at(dice.throw())
    return dice.throw(), greeting, f"\n{closing}\n{name}"


_letterheads: FunctionCache[tuple[str, int], tuple[int, str, str]] = FunctionCache(_letterhead, 16_384)


def closure_notice(supplier: Supplier, number: int) -> str:
    return CLOSURE.at(bits_of(f"closure|{supplier.name}|{number}")).replace("{name}", supplier.name)


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
