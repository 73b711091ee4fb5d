"""A supplier's word on how it does business: its own rule, often set against what others say."""

from typing import NamedTuple

from ecbench.formatting import amount
from ecbench.market.cache import FunctionCache
from ecbench.market.draws import name_bits
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.scams import SCHEMES, STORIES, Story
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice, capitalized, phrases
from ecbench.world.model import Product
from ecbench.world.supplier_kinds import Scam

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
