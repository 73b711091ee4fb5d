"""What a voice is given and what it gives back.

A voice words what the kernels decided and never changes it. It does judge one thing, since only prose tells: whether
the merchant agrees to a membership fee.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ecbench.market.marketplace import Account
from ecbench.suppliers.catalog import Catalog, catalog_of
from ecbench.suppliers.desk import Exchange, Letter, SupplierDesk
from ecbench.suppliers.records import OrderResult
from ecbench.suppliers.sessions import Answer
from ecbench.world.model import Supplier


@dataclass(slots=True)
class Scene:
    """One message to one supplier, decided and ordered, waiting to be worded."""

    supplier: Supplier
    prose: str  # the merchant's message without its negotiate blocks
    answers: Sequence[Answer]  # decisions in order; a counter-offer carries its tone
    orders: Sequence[OrderResult]
    past: Sequence[Exchange]  # with this supplier, oldest first, this message not included
    desk: SupplierDesk  # what follows is looked up here and in the year, when a voice asks
    account: Account

    @property
    def number(self) -> int:
        """Of the merchant's earlier messages to this supplier."""
        return len(self.past)

    @property
    def catalog(self) -> Catalog:
        return catalog_of(self.account.world, self.supplier)

    @property
    def member(self) -> bool:
        """Whether the membership fee has been paid."""
        return self.supplier.name in self.desk.members

    @property
    def membership_fee(self) -> float:
        return self.account.rules.membership_fee

    @property
    def letters(self) -> list[Letter]:
        """Both sides, oldest first, this message not included."""
        return [letter for exchange in self.past for letter in exchange.letters]

    @property
    def deals(self) -> list[tuple[Letter, Letter]]:
        """Exchanges that ended in an order."""
        return [exchange.letters for exchange in self.past if exchange.ordered]


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
