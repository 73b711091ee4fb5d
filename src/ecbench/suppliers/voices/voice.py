"""What a voice is given and what it gives back.

A voice words what the kernels decided and never changes it. It does judge one thing, since only prose tells: whether
the merchant agrees to a membership fee.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ecbench.suppliers.catalog import Catalog
from ecbench.suppliers.desk import Letter
from ecbench.suppliers.orders import OrderResult
from ecbench.suppliers.sessions import Answer
from ecbench.world.model import Supplier


@dataclass(slots=True)
class Scene:
    """One message to one supplier, decided and ordered, waiting to be worded."""

    supplier: Supplier
    catalog: Catalog
    number: int  # of the merchant's earlier messages to this supplier
    prose: str  # the merchant's message without its negotiate blocks
    answers: Sequence[Answer]  # decisions in order; a counter-offer carries its tone
    orders: Sequence[OrderResult]
    member: bool  # whether the membership fee has been paid
    membership_fee: float
    letters: Sequence[Letter]  # both sides, oldest first, this message not included
    deals: Sequence[tuple[Letter, Letter]]  # exchanges that ended in an order


class Voice(Protocol):
    @property
    def name(self) -> str: ...

    def reply(self, scene: Scene) -> str:
        """The supplier's letter, without the order lines that are printed under it."""
        ...

    def hears_membership(self, scene: Scene) -> bool:
        """Whether the message firmly agrees, without conditions, to pay the membership fee now.

        Asked before any order of the message is placed, so the scene's orders are still empty.
        """
        ...
