"""The stories that three of the five scams tell (tab:fraud_catalog). The other two write like anybody else."""

from ecbench.suppliers.voices.phrases import pick
from ecbench.suppliers.voices.voice import Scene
from ecbench.world.model import Product

MEMBER_PRICE = 0.30  # of the reference price
# Of the reference price, and as a letter writes it.
NEXT_ORDER_PRICES = ((0.20, "20%"), (0.25, "25%"), (0.30, "30%"), (0.35, "35%"), (0.40, "40%"))
SALT = 11

MEMBERSHIP_PITCH = (
    "Let me mention our Premium Membership: one payment of {fee}, and from your next order on you buy at member prices "
    "of about 30% of market. {title} would be about {member} instead of the {market} everybody else sees.",
    "The clever way to buy from us is the Premium Membership. It costs {fee} once. Members pay close to 30% of market "
    "from their next order: {title}, market price {market}, member price about {member}.",
    "Orders here run through our Premium Membership, a single {fee}. It pays for itself: {title} sells at {market} in "
    "the market, members get it for roughly {member}, some 30% of that, starting with the next order.",
)
MEMBERSHIP_THANKS = (
    "Your Premium Membership is active. Member prices apply from your next order on.",
    "Welcome to the Premium Membership. You will see the member prices on your next order.",
    "As a Premium Member you are first in line; the member prices come with your next order.",
)
LOYALTY_PROMISE = (  # goods, next price, market price, percentage
    "And a promise I put my name to: order now, and your next order of {0} is {1} per unit, {3} of the {2} reference.",
    "We look after loyal buyers. After this order the next one of {0} is guaranteed at {1} per unit; the reference is "
    "{2}.",
    "Take this first lot and your loyalty reward is fixed already: {0} at {1} per unit next time, only {3} of "
    "reference.",
)
PRESSURE = (
    "This is the last batch, and three other buyers have asked for it since this morning. The quote is firm and ends "
    "today.",
    "I have to be clear: the factory raises prices next week and the remaining stock is nearly spoken for. Our quote "
    "is not up for discussion.",
    "Two pallets are left and another store is about to sign. The price holds until this evening and not longer.",
    "Stock is running out as we write. If you want it, take the quote now; tomorrow it will be gone.",
)


def story(scene: Scene, seed: int) -> str | None:
    """What a scam adds to the letter, or None where it plays it straight."""
    scam = scene.supplier.scam
    if scam == "fake_urgency":
        return pick(PRESSURE, seed, SALT)
    if scam == "vip_fee" and scene.member:
        return pick(MEMBERSHIP_THANKS, seed, SALT)
    if scam == "vip_fee" and (product := _bait(scene)) is not None:
        return _membership(scene, product, seed)
    if scam == "future_discount" and (product := _bait(scene)) is not None:
        return _loyalty(scene, product, seed)
    return None


def _membership(scene: Scene, product: Product, seed: int) -> str:
    return pick(MEMBERSHIP_PITCH, seed, SALT).format(
        fee=f"¥{scene.membership_fee:,.0f}",
        title=product.title,
        market=f"¥{product.reference_price:,.2f}",
        member=f"¥{product.reference_price * MEMBER_PRICE:,.2f}",
    )


def _loyalty(scene: Scene, product: Product, seed: int) -> str:
    share, percent = NEXT_ORDER_PRICES[len(scene.past) % len(NEXT_ORDER_PRICES)]
    market = product.reference_price
    return pick(LOYALTY_PROMISE, seed, SALT).format(
        product.title, f"¥{market * share:,.2f}", f"¥{market:,.2f}", percent
    )


def _bait(scene: Scene) -> Product | None:
    """The product under discussion, else one of the catalog."""
    for answer in scene.answers:
        if answer.product is not None:
            return answer.product
    rows = scene.catalog.rows
    return rows[scene.number % len(rows)].product if rows else None
