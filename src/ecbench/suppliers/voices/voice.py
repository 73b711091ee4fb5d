"""What a voice is given and what it gives back: values, from which neither books nor kernels can be reached."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from ecbench.market.economy import Economy
from ecbench.suppliers.catalog import catalog_text
from ecbench.suppliers.records import Decision, Exchange, Letter, OrderResult
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Supplier, World


class Scene(Struct, frozen=True):
    """One message to one supplier, decided and ordered, waiting to be worded."""

    economy: Economy
    supplier: Supplier
    prose: str  # the merchant's message without its negotiate blocks
    answers: Sequence[Decision]  # decisions in order; a counter-offer carries its tone
    orders: Sequence[OrderResult]
    past: tuple[Exchange, ...]  # with this supplier, oldest first, this message not included
    membership_fee: float  # what a membership costs, where one is sold
    member: bool  # whether it has been paid here
    agrees: bool = False  # whether the prose agrees to pay it, by the rule of `ecbench.suppliers.membership`

    @property
    def world(self) -> World:
        return self.economy.world

    @property
    def number(self) -> int:
        """Of the merchant's earlier messages to this supplier."""
        return len(self.past)

    @property
    def catalog(self) -> str:
        """The supplier's price list, a line for each product."""
        return catalog_text(self.economy, self.supplier)

    @property
    def weekly_supply(self) -> int:
        """Units that the supplier delivers to one merchant in a week; 0: any number."""
        return traits_of(self.economy, self.supplier).weekly_supply

    @property
    def letters(self) -> list[Letter]:
        """Both sides, oldest first, this message not included."""
        return [letter for exchange in self.past for letter in exchange.letters]

    @property
    def deals(self) -> list[tuple[Letter, Letter]]:
        """Exchanges that ended in an order."""
        return [exchange.letters for exchange in self.past if exchange.ordered]


class Voice(Protocol):
    """Writes the suppliers' letters."""

    @property
    def name(self) -> str: ...

    def reply(self, scene: Scene) -> str:
        """The supplier's letter, without the order lines that are printed under it."""
        ...

    def hears_membership(self, scene: Scene) -> bool:
        """Whether the message firmly agrees to pay the membership fee now; asked before its orders are placed."""
        ...
