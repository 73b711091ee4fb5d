"""The tone in which a counter-offer is made.

Kernels of the scams that show only in the goods are pinned to one mood, which would give them away. In letters such a
supplier takes the tone of an honest one instead: it borrows the manner of one of its world's honest suppliers. Where
the rules have cheats bargain like honest suppliers, the tone of the kernel is honest already.
"""

from functools import lru_cache
from statistics import NormalDist

from ecbench.market.cache import FunctionCache
from ecbench.suppliers.kernel import Sentiment, mood
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.suppliers.sessions import Decision
from ecbench.suppliers.supplier_traits import honest_manner
from ecbench.suppliers.templates import Manner
from ecbench.suppliers.voices.voice import Scene
from ecbench.suppliers.wording import Dice
from ecbench.world.model import World

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
