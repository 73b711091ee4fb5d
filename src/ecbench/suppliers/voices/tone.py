"""The tone in which a counter-offer is made.

Kernels of the scams that show only in the goods are pinned to one mood, which would give them away. In letters such a
supplier takes the tone of an honest one instead: it borrows the manner of one of its world's honest suppliers. Where
the rules have cheats bargain like honest suppliers, the tone of the kernel is honest already.
"""

from statistics import NormalDist
from weakref import WeakKeyDictionary

from ecbench.suppliers.kernel import Sentiment, mood
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.suppliers.sessions import Decision
from ecbench.suppliers.supplier_traits import honest_manner
from ecbench.suppliers.templates import Manner
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice
from ecbench.world.model import Supplier, World

_normal = NormalDist()


def tone_of(scene: Scene, answer: Decision) -> Sentiment:
    supplier = scene.supplier
    if not supplier.scam or supplier.scam in PRE_DEAL or scene.economy.rules.honest_manners:
        return answer.tone or "neutral"
    manner = _borrowed_manner(scene.world, supplier)
    if manner.cues != "drawn":
        return mood(manner, 0.0)
    dice = Dice(f"tone|{supplier.name}|{scene.number}|{answer.sku}|{answer.round}")
    return mood(manner, _normal.inv_cdf(dice.share()))


# Keyed by supplier name. Episodes on one world share the table, as long as the world is there.
_borrowed: WeakKeyDictionary[World, dict[str, Manner]] = WeakKeyDictionary()


def _borrowed_manner(world: World, supplier: Supplier) -> Manner:
    manners = _borrowed.get(world)
    if manners is None:
        manners = _borrowed[world] = {}
    manner = manners.get(supplier.name)
    if manner is None:
        manner = manners[supplier.name] = honest_manner(world, world.seed, supplier)
    return manner
